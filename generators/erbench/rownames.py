"""What the rows of a database's tables are called, and which column names rows that have no names otherwise.

A table's name says it, or the column of its rows' names; a maker is called by what it makes, a player by the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from generators.column_names import WordLists, split
from generators.erbench import sure
from generators.erbench.facts import Facts
from generators.erbench.links import Link
from generators.erbench.names import Words
from generators.erbench.tables import is_no_person, names_another
from generators.erbench.values import are_countries
from generators.inflections import is_agent, is_common_noun
from generators.nouns import begun_by, is_plural, is_word, singular
from kg.errors import InputError, nearest
from kg.graph import Graph

_TOLD_APART = 0.97
"""So many rows have a value of their own in a column that names them."""
_MOSTLY_TOLD = 0.9
"""And so many one of a column and of an owner together; the others are left out."""
_INITIALS, _MOSTLY_PEOPLE = r"^(?:\p{Lu}\. ?)+\p{Lu}['’\p{L}-]+", 0.5
"""What people are called whose given names are cut short, and in how many rows."""
_OF_PEOPLE = r"^\p{Lu}\S+(?: \S+)* \p{Lu}\S*\p{Ll}\S*$|^\p{Lu}\S+, \p{Lu}"
"""What people are called: two words with capitals, whatever is between; "Louis XIV" tells not whom without a title."""
_ACTS = ("goal", "kick", "booking", "card", "marriage", "wedding")
"""What somebody does or gets, and no word's ending tells."""
_OF_A_PERSON = ("er", "or", "ist", "ian", "man", "eur", "ant", "ent")
_FOR_SALE, _GROUPS = ("product", "item", "article"), ("group", "category", "type", "class", "family", "kind")
_CALLED_SO, _BEGUN = 0.1, 3
"""A larger share of rows has in its name what they are; so many letters at least tell of what the name is short."""
_SCIENCE = frozenset({"scientific", "latin", "binomial", "taxon"})
KIND_WORDS = ("type", "kind", "category", "class", "sort")
CODES = 4
"""A table of codes has so many columns at most: number, code, name, description."""


def naming_columns(graph: Graph) -> list[str]:
    """Return the columns (`table.column`) that hold the names of rows which have none in a graph.

    A column that is called as its table's rows are, beside what says that the table is a sheet or an import, holds their
    names: `tunnel` of a sheet `tunnels_import`. So does one of works beside those who take part with them: the songs of
    contestants.
    """
    facts = Facts(graph)
    words, found = Words(facts.raw.values()), list[str]()
    for table, column, name in facts.columns.iter_rows():
        unnamed = table in facts.raw and table not in facts.named
        noun = words.table(facts.raw[table]).name if unnamed else ""
        of_work = " ".join(split(name)) in WordLists.load().works and bool(noun) and _tells_of_works(facts, table, noun)
        own = bool(noun) and (of_work or " ".join(split(name)) == noun) and _tells_rows(facts, table, column)
        animal = noun in sure.Sure.load().animals and name.lower() == "name"
        if own or (animal and _told_by_owner(facts, table, column)):
            found.append(f"{facts.raw[table]}.{name}")
    return found


def _told_by_owner(facts: Facts, table: str, column: str) -> bool:
    """Whether names that repeat tell rows with the row that each refers to: Rex, the dog of Ada Berg."""
    named = facts.pairs(column)
    owners = facts.edges.filter((pl.col("t") == table) & pl.col("o").is_in([*facts.named]))["p"].to_list()
    pairs = [named.join(facts.pairs(edge), on="s").select("o", "o_right") for edge in owners]
    rows = _MOSTLY_TOLD * facts.rows[table]
    return named.height >= rows and any(both.n_unique() >= rows for both in pairs)


def _tells_rows(facts: Facts, table: str, column: str) -> bool:
    """Whether nearly each row has a value of its own, and one that is no number or day."""
    known, _, own, _ = facts.use.get(column, (0, 0, 0, 0))
    told = facts.rows[table] > 1 and min(known, own) >= _TOLD_APART * facts.rows[table]
    return told and bool(facts.pairs(column)["o"].str.contains(r"\p{L}{2}").any())


class RowNames:
    """Says of each table what a row is.

    `names` are the nouns; `misnamed` the tables whose rows are called by somebody or something else (`countries`: bodies
    by their countries), `guessed` those whose names hold letters that may be short for several words, `kinds` those whose
    rows are what others are, `houses` makers that are firms and no people, `for_sale` those of what somebody sells.
    """

    def __init__(self, facts: Facts, words: Words, calls: Sequence[str]) -> None:
        """Name the rows of all tables; `calls` say what a row of a table is (`lt_mst=lighthouse`)."""
        self._facts, self._words = facts, words
        for iri, name in facts.raw.items():
            said = words.table(name)
            if said.unsaid:
                self._learn_from_rows(name, iri, said.unsaid)
            elif split(name) == [said.name] and is_agent(said.name) and self._are_small(iri):
                words.learn(said.name, begun_by(said.name) or said.name)
        called = {iri: words.table(name) for iri, name in facts.raw.items()}
        self.names: dict[str, str] = {iri: said.name for iri, said in called.items()}
        self.guessed: dict[str, str] = {iri: said.unsaid for iri, said in called.items() if said.unsaid is not None}
        self.guessed |= {iri: name for iri, name in self.names.items() if self._may_be_cut(iri, name)}
        self.kinds = {iri for iri, name in self.names.items() if name.split()[-1] in KIND_WORDS and self._are_common(iri)}
        self.names |= {iri: short for iri in self.names if (short := self._without_type(iri))}
        self.misnamed, self.houses, self.for_sale = set[str](), set[str](), set[str]()
        self.countries = {iri for iri, name in self.names.items() if self._are_countries_else(iri, name)}
        self.misnamed |= self.countries
        self._name_people()
        self._name_species()
        self._name_by_labels()
        self._name_as_said(calls)

    def name_by_links(self, links: Mapping[str, Link]) -> None:
        """Call makers by what refers to them, and players by their game."""
        self._name_by_groups(links)
        self._name_titles()
        self.houses = self._name_by_goods(links)
        self._name_classes(links)
        self._name_by_game()

    def _may_be_cut(self, iri: str, name: str) -> bool:
        """Whether three letters that are a word may be short for another, as most tables' names beside them are: `PAT`."""
        raw = self._facts.raw
        if len(name) > _BEGUN or split(raw[iri]) != [name] or sure.is_animal(name) or name in _lists_of_rows():
            return False
        beside = [split(other)[0] for at, other in raw.items() if at != iri and len(split(other)) == 1]
        return 2 * sum(not is_word(word) for word in beside) > len(beside)

    def _without_type(self, iri: str) -> str | None:
        """Call rows that have names by what they are: the aircraft Spitfire, of a table of aircraft types."""
        *noun, last = self.names[iri].split()
        short = " ".join(noun)
        if last != "type" or not noun or short in self.names.values() or iri not in self._facts.named or iri in self.kinds:
            return None
        columns = len(self._facts.columns_of(iri))
        return short if is_word(noun[-1]) and columns > CODES else None

    def _name_as_said(self, calls: Sequence[str]) -> None:
        """Call rows as a person says."""
        iris = {raw: iri for iri, raw in self._facts.raw.items()}
        for text in calls:
            table, _, noun = text.partition("=")
            if table not in iris:
                raise InputError(f"there is no table '{table}'", place="--call", way_out=nearest(table, iris))
            if not noun.strip():
                raise InputError(f"'{text}' does not say what a row is", place="--call", way_out=f"write {table}=NOUN")
            self.names[iris[table]] = " ".join(noun.lower().split())
            self.guessed.pop(iris[table], None)
            self.misnamed.discard(iris[table])

    def _name_by_labels(self) -> None:
        """Call rows by the column of their names where the table's name is no noun for one; `misnamed` are the others.

        So are rows whose names are those of somebody or something else: a production is not called by its director. A table
        whose name nobody can say is called so as well: `cia_factbook`, of which each row is a `country`.
        """
        for iri, name in self._facts.raw.items():
            kinds, labels = self._words.kinds_beside(name), self._facts.label_columns(iri)
            unsaid = iri in self.guessed or not sure.is_noun_of_rows(self.names[iri])
            # A sheet `lights` whose first column is Lighthouse is one of lighthouses.
            of_works = bool(labels) and {*labels} <= {*WordLists.load().works}
            unsaid = unsaid or (of_works and _tells_of_works(self._facts, iri, self.names[iri]))
            said = {noun for noun in map(singular, labels) if unsaid or noun.startswith(self.names[iri])}
            called = [noun for noun in map(singular, labels) if noun in kinds or (noun in said and _is_place_or_work(noun))]
            if _are_by(name, labels):
                self.misnamed.add(iri)
            elif called and called[0] not in self.names.values():
                self.names[iri] = called[0]
                self.guessed.pop(iri, None)
            elif kinds or self._are_people_else(iri) or self._are_labels_of_another(iri, labels):
                self.misnamed.add(iri)

    def _are_small(self, iri: str) -> bool:
        """Whether rows have names in small letters, and are nobody: "beryl" of a table `miner`."""
        names = self._facts.names_of(iri)["label"] if iri in self._facts.named else pl.Series([], dtype=pl.String)
        return names.len() > 1 and float(str(names.str.contains(r"^\p{Ll}").mean())) >= _TOLD_APART

    def _learn_from_rows(self, raw: str, iri: str, letters: str) -> None:
        """Spell letters out by a word of the rows' own names: a `circ` is a circuit, of which several are called so."""
        if iri not in self._facts.named or letters not in split(raw)[-2:] or len(letters) < _BEGUN:
            return
        names = self._facts.names_of(iri)["label"].str.to_lowercase()
        words = names.str.extract_all(r"\p{L}+").list.unique().explode().value_counts()
        often = words.filter(pl.col("count") > max(_CALLED_SO * len(names), 1))["label"].drop_nulls()
        found = {singular(word) for word in often if word.startswith(letters) and is_common_noun(singular(word))}
        if len(found) == 1:
            self._words.learn(letters, min(found))

    def _are_common(self, iri: str) -> bool:
        """Whether most rows are called by common words: kinds of milk."""
        names = self._facts.names_of(iri)["label"] if iri in self._facts.named else pl.Series([], dtype=pl.String)
        common = [name for name in names.unique() if name[1:] == name[1:].lower() and sure.is_common(name)]
        return 2 * len(common) > names.n_unique()

    def _are_countries_else(self, iri: str, name: str) -> bool:
        """Whether rows of a table of bodies are called as countries are: a federation is not Cuba."""
        bodies = {*WordLists.load().organisations, *WordLists.load().institutions}
        return name.split()[-1] in bodies and iri in self._facts.named and are_countries(self._facts.names_of(iri)["label"])

    def _are_labels_of_another(self, iri: str, labels: Sequence[str]) -> bool:
        """Whether the column that rows are called by names somebody or something else."""
        said = [self._words.column(label, self._facts.raw[iri]).name for label in labels[:1]]
        return any(names_another(name, self.names[iri]) for name in said)

    def _are_people_else(self, iri: str) -> bool:
        """Whether rows have names of people with initials, and their table says no person, nor a firm: a list of who waits."""
        lists, last = WordLists.load(), self.names[iri].split()[-1]
        firms = {*lists.companies, *lists.institutions, *lists.self_named, *lists.places, *sure.Sure.load().makers}
        if last in {*lists.persons, *firms} or is_agent(last) or iri not in self._facts.named:
            return False
        spoken = {" ".join(split(name)) for _, name in self._facts.columns_of(iri)}
        if spoken & {*lists.first_names} and spoken & {*lists.last_names} and (last in _ACTS or is_no_person(self.names[iri])):
            return True  # a goal is not called by who scored it
        names = self._facts.names_of(iri)["label"]
        return float(str(names.str.contains(_INITIALS).mean() or 0.0)) >= _MOSTLY_PEOPLE

    def _name_titles(self) -> None:
        """Call titles that a publisher has by what they are: books."""
        for iri in [iri for iri, noun in self.names.items() if noun == "title" and "book" not in self.names.values()]:
            words = {word for _, name in self._facts.columns_of(iri) for word in split(name)}
            leads = {self.names.get(to, "") for of, to in self._facts.edges.select("t", "o").iter_rows() if of == iri}
            if {"publisher", "isbn"} & {*words, *leads}:
                self.names[iri] = "book"

    def _name_by_groups(self, links: Mapping[str, Link]) -> None:
        """Call what is for sale by what its groups are of: a product is a plant where it is of a plant group."""
        own = [(self._facts.table_of(link.column), link.to) for link in links.values()]
        for iri, to in [*self._facts.edges.select("t", "o").iter_rows(), *own]:
            *noun, last = self.names.get(to, "").split()
            kind = " ".join(noun)
            generic = self.names.get(iri) in _FOR_SALE and kind not in _FOR_SALE
            if generic and last in _GROUPS and is_common_noun(kind) and kind not in self.names.values():
                self.names[iri] = kind
                self.for_sale.add(iri)

    def _name_people(self) -> None:
        """Call people by no noun that is said of nobody: a philosopher is one, the eponym of a mineral is a person."""
        lists = WordLists.load()
        for iri in self._facts.raw:
            noun = self.names[iri].split()[-1]
            cut = lists.cut_words
            told = {
                full for _, name in self._facts.columns_of(iri) for word in split(name) for full in cut.get(word, word).split()
            }
            lived = bool(told & {"born", "birth"}) and bool(told & {"died", "death"})
            if (
                not lived
                or iri not in self._facts.named
                or noun in {*lists.persons, *lists.private, *lists.agents, *sure.Sure.load().makers}
                or noun.endswith(_OF_A_PERSON)
            ):
                continue
            names = self._facts.names_of(iri)["label"]
            people = not sure.is_animal(noun) and float(str(names.str.contains(_OF_PEOPLE).mean() or 0.0)) >= _MOSTLY_PEOPLE
            if people and "person" not in self.names.values():
                self.names[iri] = "person"
                self.guessed.pop(iri, None)

    def _name_species(self) -> None:
        """Call animals by their species where each has a name in science: then a row is no single animal."""
        for iri, noun in self.names.items():
            words = {word for _, name in self._facts.columns_of(iri) for word in split(name)}
            if noun == "animal" and not _SCIENCE.isdisjoint(words):
                self.names[iri] = "species"

    def _name_by_goods(self, links: Mapping[str, Link]) -> set[str]:
        """Call makers by what they make: the producer of wines alone is a wine producer. Return those that make no works.

        Such a house is no person; who produces films is one.
        """
        houses = set[str]()
        own = [(self._facts.table_of(link.column), link.to) for link in links.values()]
        pairs = [*self._facts.edges.select("t", "o").iter_rows(), *own]
        for iri, noun in self.names.items():
            goods = {self.names[own] for own, to in pairs if to == iri and own != iri and own in self._facts.named}
            if noun == "author" and goods and goods <= {*WordLists.load().generic_kinds, *sure.Sure.load().taxa}:
                self.names[iri] = "person"  # who described a butterfly has not written it
                continue
            if noun not in sure.Sure.load().producing or len(goods) != 1 or " " in (made := min(goods)):
                continue
            self.names[iri] = f"{made} {noun}"
            houses |= {iri} if made not in WordLists.load().works else set()
        return houses

    def _name_classes(self, links: Mapping[str, Link]) -> None:
        """Call classes by what alone is sorted into them: Amber Ale is a beer style, Nimitz a ship class."""
        own = [(self._facts.table_of(link.column), link.to) for link in links.values()]
        pairs = [*self._facts.edges.select("t", "o").iter_rows(), *own]
        for iri, noun in self.names.items():
            sorted_ = {self.names[goods] for goods, to in pairs if to == iri and goods != iri}
            if noun in CLASSES and len(sorted_) == 1 and " " not in (goods := min(sorted_)) and is_common_noun(goods):
                self.names[iri] = f"{goods} {noun}"

    def _name_by_game(self) -> None:
        """Call players by what they play, where the database is called so: the chess player, of `chess.db`."""
        *before, game = self._facts.graph.name.rpartition("/")[2].lower().split("_")
        if before or not is_common_noun(game) or is_agent(game) or is_plural(game) or game in sure.Sure.load().vague:
            return
        for iri in [iri for iri, noun in self.names.items() if noun == "player"]:
            self.names[iri] = f"{game} player"


CLASSES = frozenset({"style", "genre", "class", "category", "kind", "family", "grade"})
"""What something is sorted into; alone it says nothing of what."""


def _lists_of_rows() -> set[str]:
    """Nouns of which we know that rows are called so."""
    lists = WordLists.load()
    return {*lists.persons, *lists.places, *lists.works, *lists.areas, *lists.buildings, *lists.generic_kinds}


def _are_by(table: str, labels: Sequence[str]) -> bool:
    """Whether rows are called by what they are the ones of: tallest buildings by continent, of which none is Asia."""
    *_, before, last = "", *split(table)
    return before == "by" and singular(last) in map(singular, labels)


def _tells_of_works(facts: Facts, iri: str, noun: str) -> bool:
    """Whether rows say of works what one says of works alone, whoever they are called by: contestants with their songs.

    Or a table is all that there is and its name says where it was published: `rolling_stone` of albums. What is done with works
    is neither: the country of a loan is its borrower's.
    """
    words, last = {word for _, name in facts.columns_of(iri) for word in split(name)}, noun.split()[-1]
    doing = last in (*_ACTS, *_DONE_WITH_WORKS) or is_no_person(noun)
    taking_part = last in (*WordLists.load().persons, "contestant", "entrant", "participant")
    return not doing and (taking_part or len(facts.raw) == 1) and bool(words & _OF_WORKS)


_OF_WORKS = frozenset(
    {"performer", "artist", "singer", "band", "genre", "composer", "composers", "lyricist", "release", "released"}
)
"""What a table says of works, and of nothing that is done with them."""
_DONE_WITH_WORKS = frozenset(
    ["loan", "screening", "showing", "sale", "order", "purchase", "rental", "review", "rating", "auction", "bid", "vote"]
)
"""Rows that have a work in each, and are none."""


def _is_place_or_work(noun: str) -> bool:
    """Whether a noun says what is named by it: a country, a borough, a film; a director may be a production's."""
    lists = WordLists.load()
    return noun in {*lists.areas, *lists.places, *lists.works, "mountain range"}
