"""What a database offers to ask: its named tables, their columns, and the foreign keys between them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from urllib.parse import unquote

import polars as pl

from generators.column_names import WordLists, ends_in_participle, split, unit_of
from generators.erbench import ends, refusals, sure
from generators.erbench.columns import Attribute, Edge
from generators.erbench.events import event_of
from generators.erbench.links import Column, Link, Links, written_links
from generators.erbench.marks import Mark, mark_of
from generators.erbench.names import Words, setting
from generators.erbench.tables import (
    KINDS_OF_SINGLE,
    EntityTable,
    is_no_person,
    is_of_a_life,
    lives_on,
    names_another,
    spoken_noun,
    stands_somewhere,
)
from generators.erbench.times import ends_it, tells_end
from generators.erbench.values import (
    LOOKED_UP,
    MOST,
    all_in_capitals,
    are_agents,
    are_common,
    are_demonyms,
    are_kinds,
    are_names,
    are_years,
    in_capitals,
    in_sentence_case,
    in_small_letters,
    inverted,
    kind_of,
    said_as,
    surnames_first,
)
from generators.family.spelling import WRITTEN_DATE
from generators.inflections import is_agent, is_common_noun
from generators.nouns import is_plural, is_word, singular
from kg.errors import InputError, nearest
from kg.graph import Graph
from kg.text import fold_all
from queries.views import view

_TABLES = "SELECT ?t ?name { ?t a kgp:Table ; kgp:name ?name }"


_COLUMNS = "SELECT ?t ?p ?name { ?t kgp:column ?p . ?p kgp:name ?name }"


_KEYS = "SELECT DISTINCT ?p ?t { ?k a kgp:PrimaryKey ; kgp:on ?p ; kgp:table ?t }"


_UNIQUE = "SELECT DISTINCT ?p { ?k a ?kind ; kgp:on ?p } VALUES ?kind { kgp:PrimaryKey kgp:UniqueKey }"


_EDGES = "SELECT ?p ?t ?o { ?p a kgp:ForeignKey ; kgp:table ?t ; kgp:references ?o }"


_USE = """SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?ns) (COUNT(DISTINCT ?o) AS ?no) (MAX(STRLEN(STR(?o))) AS ?size)
  { ?s ?p ?o } GROUP BY ?p"""


_BYTES = "SELECT ?p { VALUES ?d { xsd:hexBinary xsd:base64Binary } ?p kgp:datatype ?d }"


_NAMED = "SELECT ?t (COUNT(DISTINCT ?e) AS ?n) (COUNT(DISTINCT ?l) AS ?labels) { ?e a ?t ; rdfs:label ?l } GROUP BY ?t"


_PAIRS = "SELECT ?s ?o { ?s <%s> ?o }"


_ROWS = "SELECT ?e { ?e a <%s> }"


_ROW_COUNT = "SELECT (COUNT(*) AS ?n) { ?e a <%s> }"


LONGEST_TEXT = 80
"""A text of more characters is no answer to a short question."""


_SEEN_VALUES = 1_000
"""Of so many values, the first in their order, the look is told."""


TOLD_BY_NAME, ALIKE = 0.2, 0.9
"""Refused: an attribute that the name tells in more than the first share of rows; an end that is given away in the second."""


PROPER, SAYS_ITSELF, PLACE_SAYS = 0.9, 0.6, 0.3
"""Names that begin with a capital in fewer rows are quoted; those that hold their table's noun in so many stand alone, those of
places sooner: "the museum Tate Modern" may miss its noun, "the museum Vatican Museums" is said twice."""


_LONG_AGO = 1910
"""Who was born before lives no more."""


_WORKED_LONG_AGO = 1925
"""Nor does who did something before, of whom we do not know when they were born."""


_MANY_NAMES = 10


SELF = 0.5
"""Where more rows than this share refer to themselves, a column numbers them."""


_CODED_KEY = r"^\p{Lu}{1,4}[./ -]?\d{2,}[\p{Lu}\d./-]*$|^[\p{Lu}\d]{1,3}$"
"""What a key looks like that only a database knows."""


_WHOSE = frozenset({"owner", "customer", "client", "member", "patient", "tenant", "pupil", "guest", "borrower", "subscriber"})
"""What is these people's own is known to those who keep the database, as they are."""


_INITIALS, _MOSTLY_PEOPLE = r"^(?:\p{Lu}\. ?)+\p{Lu}['’\p{L}-]+", 0.5
"""What people are called whose given names are cut short, and in how many rows."""
_DAYS_OF_A_LOG, _DAY = 2, rf"^(?:\d{{4}}-\d\d-\d\d.*|\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:\d\d|\d{{4}})|{WRITTEN_DATE.pattern})$"
"""What has so many days is what was done from one to the other: a job came in, and went out."""


_CODES = 4
"""A table of codes has so many columns at most: number, code, name, description."""


class Catalog:
    """Reads the schema graph and counts what the data has.

    `refused` says what is not asked about, and why; `columns` says of it which table and column of the database it is;
    `unnamed` are the tables whose rows have no names, `misnamed` those whose names are of something else, `guessed` those whose
    names hold letters that may be short for several words.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        personal: bool = False,
        numbered: bool = False,
        about: str | None = None,
        database: str | None = None,
        declared_only: bool = False,
        links: Sequence[str] = (),
        calls: Sequence[str] = (),
    ) -> None:
        """Read a graph; `personal` and `numbered` let private matters, and rows without a name, be asked about.

        `about` says what the database is of, in every question; without it, `database` is said of rows that nobody else
        knows, such as an invoice. `links` are foreign keys that it does not declare (`shop.town_no=town`); `declared_only`
        leaves those out that the values show, which `found` names. `calls` say what a row of a table is (`lt_mst=lighthouse`).

        Raises InputError where a link or a call names what the graph does not have.
        """
        self.graph, self.personal, self.numbered = graph, personal, numbered
        self.about, self.database = about, database
        self.refused: dict[str, str] = {}
        self.columns: dict[str, str] = {}
        self._pairs: dict[str, pl.DataFrame] = {}
        rows = graph.schema(_TABLES).sort("t")
        if rows.is_empty():
            raise InputError("this graph has no tables", way_out="load some with `kg load sql` or `kg load tables`")
        self._raw = dict(rows.iter_rows())
        columns = graph.schema(_COLUMNS).sort("t", "p")
        of = {
            self._raw[t]: group["name"].to_list()
            for (t,), group in columns.group_by("t", maintain_order=True)
            if t in self._raw
        }
        self._words = Words(self._raw.values(), columns["name"].to_list(), graph.name.rpartition("/")[2], of)
        self.names: dict[str, str] = {iri: self._words.table(name).name for iri, name in self._raw.items()}
        unsaid = {iri: self._words.table(name).unsaid for iri, name in self._raw.items()}
        self.guessed = {iri: word for iri, word in unsaid.items() if word is not None}
        self.names |= {iri: short for iri in self.names if (short := self._without_type(iri))}
        self._name_by_labels()
        self._name_as_said(calls)
        self.columns |= {self.names[iri]: name for iri, name in self._raw.items()}
        self.found: list[str] = []
        self.unnamed: list[EntityTable] = []
        self._links, self._unclear = self._find_links(declared_only, links)
        self._houses = self._name_by_goods()
        self._name_by_game()
        self.tables = {table.iri: table for table in map(self._table, self.names) if table is not None}
        for iri in refusals.copies(self._row_names()):
            self.refused[self.tables.pop(iri).name] = refusals.COPIED
        for table in self.tables.values():
            self._columns_of(table)
            self._edges_of(table)
            self._distances_of(table)
        for table in self.tables.values():
            self._settle_past(table)
            last = table.name.split()[-1]
            went_on = last in {*sure.Sure.load().lasting, *sure.Sure.load().held}
            told = [a for a in table.attributes if ends_it(a.name) or (went_on and tells_end(a.name))]
            ended = [a for a in told if a.kind in ("date", "year", "month")]
            table.over = any(self.pairs(a.iri).height >= ALIKE * self._rows[table.iri] for a in ended)
        for iri in [iri for iri in self.names if iri not in self.tables and self._rows[iri]]:
            self._event_table(iri)

    @cached_property
    def use(self) -> dict[str, tuple[int, int, int, int]]:
        """Of each predicate: facts, subjects, objects, the longest object."""
        rows = self.graph.select(_USE)
        return {p: (int(n), int(ns), int(no), int(size or 0)) for p, n, ns, no, size in rows.iter_rows()}

    @cached_property
    def bytes(self) -> set[str]:
        """The columns that hold neither texts nor numbers."""
        return set(self.graph.schema(_BYTES)["p"])

    @cached_property
    def labels(self) -> pl.DataFrame:
        """`e, label` of everything that has a label."""
        return view(self.graph, "labels").group_by("e").agg(pl.col("label").min())

    def pairs(self, iri: str) -> pl.DataFrame:
        """Return `s, o` of a column or foreign key."""
        if iri not in self._pairs:
            self._pairs[iri] = self.graph.select(_PAIRS % iri)
        return self._pairs[iri]

    def setting(self, table: EntityTable) -> str | None:
        """Say of what database a row is, where its question needs that."""
        about = self.about or (self.database if self.is_kept_inside(table) else None)
        return setting(about) if about else None

    def is_kept_inside(self, table: EntityTable) -> bool:
        """Whether rows are known to those alone who keep the database; an event is known as its thing is."""
        if table.event and table.event.parent.to in self.tables:
            return self.is_kept_inside(self.tables[table.event.parent.to])
        # In a database of what its keepers alone know, so is what they look after: the sites of a project manager.
        known = table.name.split()[-1] in {*WordLists.load().areas, *WordLists.load().alone}
        hidden = [self.tables[edge.to] for edge in table.edges if self.tables[edge.to].hidden]
        whose = any(other.name.split()[-1] in _WHOSE and self._keeps_contacts(other.iri) for other in hidden)
        staffed = not known and bool(hidden) and (whose or self._is_of_keepers)
        return bool(
            (table.key and not (table.mark and table.mark.public))
            or table.hidden
            or staffed
            or table.name in WordLists.load().private
            or table.name.split()[-1] in sure.Sure.load().stocked
        )

    def _keeps_contacts(self, iri: str) -> bool:
        """Whether a table says how its people are reached: then they are some of today, whatever they own."""
        names = self.graph.schema(_COLUMNS).filter(pl.col("t") == iri)["name"]
        words = {WordLists.load().cut_words.get(word, word) for name in names for word in split(name)}
        return bool(words & {*WordLists.load().contact})

    @cached_property
    def _is_of_keepers(self) -> bool:
        """Whether most rows that are asked about are known to those alone who keep the database."""
        private = [t for t in self.tables.values() if t.key or t.hidden or t.name in WordLists.load().private]
        rows = sum(self._rows[table.iri] for table in self.tables.values())
        return 2 * sum(self._rows[table.iri] for table in private) > rows

    def _table(self, iri: str) -> EntityTable | None:
        named, rows = self._named.get(iri), self._rows[iri]
        coded = bool(rows) and not self.numbered and self._is_coded(iri)
        mark = self._mark_of(iri) if rows and not coded else None
        if mark and mark.public and self._is_label(mark.column):
            return EntityTable(iri, self.names[iri], key=mark.column, mark=mark)  # a museum's number is no name
        if rows and named is not None and named[0] >= 0.5 * rows and not coded:
            return EntityTable(iri, self.names[iri], unique=named[1] / named[0])
        keys = self.graph.schema(_KEYS).filter(pl.col("t") == iri).get_column("p").unique()
        has_key = keys.len() == 1 and keys[0] in self.use
        if mark and (self.numbered or not (mark.figures and self.is_log(iri))):
            return EntityTable(iri, self.names[iri], key=mark.column, mark=mark)
        if rows and has_key and self.numbered:
            return EntityTable(iri, self.names[iri], key=keys[0])
        unnamed = refusals.UNNAMED if has_key else refusals.nameless(self._telling(iri))
        self.refused[self.names[iri]] = unnamed if rows else "it has no rows"
        return None

    def is_log(self, iri: str) -> bool:
        """Whether rows are what was done, one after the other, which nobody asks about by number: hires, orders, repairs."""
        last = self.names[iri].split()[-1]
        own = sure.Sure.load()
        if last in {*WordLists.load().private, *own.orders, *own.happenings, *own.held, *own.lasting}:
            return True
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == iri)["p"].unique().sort()
        return sum(p in self.use and self._holds_days(p) for p in columns) >= _DAYS_OF_A_LOG

    def _holds_days(self, column: str) -> bool:
        """Whether the values of a column are days, in whatever form: "12/01/22"."""
        values = self.pairs(column)["o"].drop_nulls()
        return float(str(values.str.contains(_DAY).mean() or 0.0)) >= MOST

    def _is_coded(self, iri: str) -> bool:
        """Whether rows have no name but a key of letters and figures, and none that others know: `ROP0705` of a part."""
        keys = self.graph.schema(_KEYS).filter(pl.col("t") == iri)["p"].to_list()
        named = self.labels.join(self.graph.select(_ROWS % iri), on="e", how="semi")
        if len(keys) != 1 or float(str(named["label"].str.contains(_CODED_KEY).mean() or 0.0)) < MOST:
            return False
        column = self.graph.schema(_COLUMNS).filter(pl.col("p") == keys[0])["name"].to_list()
        own = self._label_columns(iri)
        said = {self._words.column(name, self._raw[iri]).name for name in own} - {"number", "code"}
        known = any(map(refusals.is_mark, said))  # a registration, by which others tell it, too
        return bool(own) and not known and all(" ".join(split(raw)) in own for raw in column)

    def _are_kinds(self, table: EntityTable, noun: str, labels: pl.Series) -> bool:
        """Whether the rows of a table are no single things but kinds of them, called by common words: causes of loss."""
        lists = WordLists.load()
        named = {
            *lists.works,
            *lists.groups,
            *lists.companies,
            *lists.institutions,
            *sure.Sure.load().based,
            *lists.generic_kinds,
        }
        labels = labels.unique().sort().head(LOOKED_UP)
        if noun in named - {*lists.common} or not are_common(labels.str.to_lowercase()):
            return False
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == table.iri).height
        return columns <= _CODES and (in_capitals(labels) or are_common(labels))

    def _without_type(self, iri: str) -> str | None:
        """Call rows that have names by what they are: the aircraft Spitfire, of a table of aircraft types."""
        *noun, last = self.names[iri].split()
        short = " ".join(noun)
        if last != "type" or not noun or short in self.names.values() or iri not in self._named:
            return None
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == iri).height
        return short if is_word(noun[-1]) and columns > _CODES else None

    def _name_as_said(self, calls: Sequence[str]) -> None:
        """Call rows as a person says."""
        iris = {raw: iri for iri, raw in self._raw.items()}
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

        So are rows whose names are those of somebody or something else: a production is not called by its director.
        """
        self.misnamed: set[str] = set()
        for iri, name in self._raw.items():
            kinds, labels = self._words.kinds_beside(name), self._label_columns(iri)
            called = [noun for noun in map(singular, labels) if noun in kinds] if kinds else []
            if called and called[0] not in self.names.values():
                self.names[iri] = called[0]
            elif kinds or self._are_people_else(iri) or self._are_labels_of_another(iri, labels):
                self.misnamed.add(iri)

    def _are_labels_of_another(self, iri: str, labels: Sequence[str]) -> bool:
        """Whether the column that rows are called by names somebody or something else."""
        said = [self._words.column(label, self._raw[iri]).name for label in labels[:1]]
        return any(names_another(name, self.names[iri]) for name in said)

    def _are_people_else(self, iri: str) -> bool:
        """Whether rows have names of people with initials, and their table says no person, nor a firm: a list of who waits."""
        lists, last = WordLists.load(), self.names[iri].split()[-1]
        firms = {*lists.companies, *lists.institutions, *lists.self_named, *lists.places, *sure.Sure.load().makers}
        if last in {*lists.persons, *firms} or is_agent(last) or iri not in self._named:
            return False
        names = self.graph.select(_ROWS % iri).join(self.labels, on="e")["label"]
        return float(str(names.str.contains(_INITIALS).mean() or 0.0)) >= _MOSTLY_PEOPLE

    def _name_by_goods(self) -> set[str]:
        """Call makers by what they make: the producer of wines alone is a wine producer. Return those that make no works.

        Such a house is no person; who produces films is one.
        """
        houses, declared = set[str](), self.graph.schema(_EDGES).select("t", "o").unique()
        links = [*declared.iter_rows(), *((self._table_of(link.column), link.to) for link in self._links.values())]
        for iri, noun in self.names.items():
            goods = {self.names[own] for own, to in links if to == iri and own != iri and own in self._named}
            if noun not in sure.Sure.load().producing or len(goods) != 1 or " " in (made := min(goods)):
                continue
            self.names[iri] = f"{made} {noun}"
            self.columns[self.names[iri]] = self._raw[iri]
            houses |= {iri} if made not in WordLists.load().works else set()
        return houses

    def _name_by_game(self) -> None:
        """Call players by what they play, where the database is called so: the chess player, of `chess.db`."""
        *before, game = self.graph.name.rpartition("/")[2].lower().split("_")
        if before or not is_common_noun(game) or is_agent(game) or is_plural(game) or game in sure.Sure.load().vague:
            return
        for iri in [iri for iri, noun in self.names.items() if noun == "player"]:
            self.names[iri] = f"{game} player"
            self.columns[self.names[iri]] = self._raw[iri]

    def _table_of(self, column: str) -> str:
        """The table that a column is of."""
        return str(self.graph.schema(_COLUMNS).filter(pl.col("p") == column)["t"][0])

    def _label_columns(self, iri: str) -> list[str]:
        """How the columns are said that hold the names of a table's rows."""
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == iri).sort("p").select("p", "name").rows()
        both = {name: self.pairs(p).join(self.labels, left_on="s", right_on="e") for p, name in columns if p in self.use}
        same = [name for name, pairs in both.items() if pairs.height and bool((pairs["o"] == pairs["label"]).all())]
        return [" ".join(split(name)) for name in same]

    def _is_label(self, column: str) -> bool:
        """Whether rows are called by a column."""
        both = self.pairs(column).join(self.labels, left_on="s", right_on="e")
        return both.height > 0 and bool((both["o"] == both["label"]).all())

    def _telling(self, iri: str) -> str | None:
        """Find a column that has another value in each row, and may so name them: one that is called a number or code first."""
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == iri).sort("p").select("p", "name").rows()
        rows, own = self._rows[iri], self._raw[iri].lower()
        alone = [name for column, name in columns if self.use.get(column, ())[:3] == (rows, rows, rows)]

        def last(name: str) -> tuple[bool, bool]:
            """Of several, one that is called a key or code comes first, then one that is called as its table."""
            coded = split(name)[-1] in WordLists.load().key_words or re.search(r"(?i)(?:no|id|cd|code)$", name)
            return not coded, not name.lower().startswith(own)

        best = min(alone, key=last, default=None)
        return f"{self._raw[iri]}.{best}" if best else None

    def _mark_of(self, iri: str) -> Mark | None:
        """Find the column of the marks that rows without a name are told by, such as registrations and numbers: "D-1234"."""
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == iri).sort("p").select("p", "name").rows()
        called = {p: (name, self._words.column(name, self._raw[iri]).name) for p, name in columns if p in self.use}
        referred = {link.key for link in self._links.values()}
        return mark_of(self.names[iri], called, self._rows[iri], referred, lambda column: self.pairs(column)["o"])

    def _find_links(self, declared_only: bool, said: Sequence[str]) -> tuple[dict[str, Link], set[str]]:
        """Find undeclared foreign keys by column, and columns that may be some; both are no values to ask for any more."""
        rows = self.graph.schema(_COLUMNS).filter(pl.col("p").is_in([*self.use]) & ~pl.col("p").is_in([*self.bytes]))
        columns = [
            Column(iri, name, table, self._raw[table], self.use[iri][0], self.use[iri][2])
            for table, iri, name in rows.sort("t", "p").select("t", "p", "name").iter_rows()
            if self.use[iri][0] <= 1.05 * self.use[iri][1]
        ]
        keys = set(self.graph.schema(_UNIQUE)["p"])
        search = Links(columns, keys, self._rows, self.pairs)
        own = [search.read(text, self._raw) for text in said]
        found, unclear = search.find(written_links(self.graph))
        wanted = {link.column: link for link in [*([] if declared_only else found), *own]}
        sound = {column: link for column, link in wanted.items() if self._follow(link)}
        called = {column.iri: f"{column.of}.{column.name}" for column in columns}
        self.found = [f"{called[link.column]} → {self._raw[link.to]}" for link in sound.values()]
        return sound, unclear | {link.column for link in found if link.column not in sound}

    def _follow(self, link: Link) -> bool:
        """Have the pairs of a link lead to rows; False where the graph's terms do not meet, such as "1" and 1."""
        pairs = self.graph.select(f"SELECT ?s ?o {{ ?s <{link.column}>/^<{link.key}> ?o }}")
        n, subjects, _, size = self.use[link.column]
        if pairs["s"].n_unique() < subjects or (pairs["s"] == pairs["o"]).mean() > SELF:  # type: ignore[operator]
            return False
        self._pairs[link.column] = pairs
        self.use[link.column] = (n, subjects, pairs["o"].n_unique(), size)
        return True

    @cached_property
    def _rows(self) -> dict[str, int]:
        """How many rows each table has."""
        return {iri: int(self.graph.select(_ROW_COUNT % iri).item() or 0) for iri in self.names}

    @cached_property
    def _named(self) -> dict[str, tuple[int, int]]:
        return {t: (int(n), int(labels)) for t, n, labels in self.graph.select(_NAMED).iter_rows()}

    def _row_names(self) -> pl.DataFrame:
        """`table, name` of the rows that have a name."""
        named = [self.graph.select(_ROWS % iri).with_columns(table=pl.lit(iri)) for iri in sorted(self.tables)]
        rows = pl.concat([pl.DataFrame(schema={"e": pl.String, "table": pl.String}), *named]).join(self.labels, on="e")
        return rows.select("table", name=fold_all(rows["label"]))

    def _presentation(self, table: EntityTable, columns: Collection[str]) -> None:
        """Settle how rows are named in a sentence."""
        lists, noun = WordLists.load(), table.name.split()[-1]
        table.place = (
            noun in lists.places or (table.name in lists.alone and not table.person) or stands_somewhere(table, noun, columns)
        )
        if table.key or table.iri not in self._named:
            return
        labels, own = self._labels_of(table), sure.Sure.load()
        table.past = table.person and self._all_long_dead(table)
        lived = table.person or noun in own.animals
        died = [a for a in table.attributes if lived and {"death", "died", "deceased"} & {*a.name.split()}]
        table.death = died[0] if died and not table.past else None
        in_small = noun not in lists.common and self._names_are_small and in_small_letters(labels)
        called = table.person or sure.is_animal(noun)  # AMUR, a tiger
        capitals = in_capitals(labels) or (all_in_capitals(labels) and (called or self._names_are_large))
        table.said = "name" if not table.place and inverted(labels) else "capitals" if in_small or capitals else None
        table.said = "surname first" if table.person and surnames_first(labels) else table.said
        stuff = noun in own.substances and are_common(labels)
        species = noun in (*lists.generic_kinds, "animal") and not table.single and in_sentence_case(labels)
        table.common = not table.person and not table.place and self._are_kinds(table, noun, labels)
        if (
            stuff
            or species
            or (table.common and in_sentence_case(labels))
            or (noun in lists.substances and not labels.str.contains(" ").any())
        ):
            table.said = "small"
        proper = labels.str.contains(r"^[\p{Lu}\p{Lt}\d]").mean() or 0.0
        says_itself = labels.str.to_lowercase().str.contains(rf"\b{re.escape(noun)}\b").mean() or 0.0
        work = (
            noun in lists.works
            or (not table.person and noun not in own.origins and self._are_titles(table))
            or (table.single and bool(labels.str.contains("^(?:The|An?) ").any()))
        )
        table.quoted = not table.person and (work or (float(str(proper)) < PROPER and not table.said))
        alone = spoken_noun(table.name) in own.umbrellas and table.said != "small"
        table.bare = alone and not (table.quoted or table.person)
        table.kinds = are_kinds(table.name, labels)
        table.alone = not work and (
            table.name in lists.alone or float(str(says_itself)) >= (PLACE_SAYS if table.place else SAYS_ITSELF)
        )

    def _columns_of(self, table: EntityTable) -> None:
        keys, lists = set(self.graph.schema(_KEYS)["p"]), WordLists.load()
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == table.iri).sort("p").select("p", "name").rows()
        called = {iri: self._words.column(name, self._raw[table.iri]) for iri, name in columns}
        spoken = {called[iri].name for iri, _ in columns}
        named_twice = bool(spoken & {*lists.first_names}) and bool(spoken & {*lists.last_names})
        table.single = table.name.split()[-1] in lists.generic_kinds and bool(
            {word for iri, name in columns for word in (*called[iri].name.split(), *split(name))} & KINDS_OF_SINGLE
        )
        known = named_twice or (table.name.split()[-1] in lists.persons and table.iri not in self._houses)
        told = (called[iri].name for iri, _ in columns if called[iri].name != "birth" or self._is_dated(iri))  # or a berth
        lives = known or lives_on(table.name, told)  # who stands beside an act may be private, too
        table.person = known or (lives and not is_no_person(table.name))
        private = refusals.is_private(table.name, [*spoken, *(name for _, name in columns)], lives)
        # A gardener, a keeper: people who are known for nothing that we know of, and may live.
        private = private or (lives and not known and self._may_live(iri for iri, _ in columns))
        table.hidden = private and table.person
        for column_iri, name in columns:
            if column_iri in self._links:
                continue
            said, unsaid = called[column_iri].name, called[column_iri].unsaid
            self.columns.setdefault(f"{table.name}: {said}", f"{self._raw[table.iri]}.{name}")
            iri = self._promoted(column_iri)
            why = "its name has no word" if not any(c.isalnum() for c in name) else None
            if iri in self.use:
                column = refusals.Column(said, name, table.name, private=private, person=lives)
                why = why or self._why_not(iri, column, keys)
                why = (
                    why
                    or (refusals.UNDECLARED if iri in self._unclear and not self._is_flag(iri) else None)
                    or (refusals.unsaid(unsaid) if unsaid else None)
                )
                kind = kind_of(self.pairs(iri)["o"]) if why is None else "text"
                dated = {"year", "yr"} & {*said.split()} or ends_in_participle(said)
                if kind == "number" and dated and are_years(self.pairs(iri)["o"]):
                    kind = "year"  # of long ago, too
                of_country = kind == "text" and said.split()[-1] in ("nationality", "citizenship")
                if of_country and are_demonyms(self.pairs(iri)["o"]):
                    kind = "demonym"
                if kind == "year" and "estimated" in said.split():
                    why = "“est” may be estimated, or established in that year"
                if kind == "figures":
                    why = "dates whose day and month nobody can tell apart"
                if not table.person and is_of_a_life(said) and is_no_person(table.name):
                    why = why or refusals.OF_A_PERSON
                if kind in ("number", "year") and said.split()[-1] in lists.with_units:
                    why = "a number whose unit is not said"
                elif why is None and (unit_of(said)[1] or "").endswith("bytes"):
                    why = "the size of a file"
                if why is None:
                    values = self.pairs(iri)["o"]
                    agents = kind == "text" and not table.person and are_agents(said, values)
                    named = kind == "text" and are_names(values)
                    spelled = said_as(said, kind, values)
                    kinds = kind == "text" and are_kinds(said, values)
                    made = Attribute(iri, table.iri, said, kind, spelled, agents=agents, named=named, kinds=kinds)
                    table.attributes.append(made)
                else:
                    self.refused[f"{table.name}: {said}"] = why
        self._presentation(table, spoken)

    def is_keyed_by(self, table: EntityTable, edges: Sequence[Edge]) -> bool:
        """Whether a table has no key of its own beside foreign keys: its key is theirs, or none."""
        keys = self.graph.schema(_KEYS).filter(pl.col("t") == table.iri)["p"].unique().to_list()
        links = {"".join(edge.iri.split("ref-")) for edge in edges}
        return all(key in links for key in keys)

    def _is_dated(self, iri: str) -> bool:
        """Whether a column holds dates or years."""
        return iri in self.use and kind_of(self.pairs(iri)["o"]) in ("date", "year", "figures")

    def _is_flag(self, iri: str) -> bool:
        """Whether a column says yes or no, by numbers that may be those of rows as well."""
        return kind_of(self.pairs(iri)["o"]) == "flag"

    def _may_live(self, columns: Iterable[str]) -> bool:
        """Whether a column holds days of the last hundred years."""
        days = [self.pairs(iri)["o"].drop_nulls() for iri in columns if iri in self.use]
        return any(some.str.contains(r"^(?:19[3-9]\d|20\d\d)-\d\d-\d\d").any() for some in days)

    def _all_long_dead(self, table: EntityTable) -> bool:
        """Whether all whose birth is told were born before anybody who lives."""
        born = [a for a in table.attributes if a.kind in ("date", "year") and {"birth", "born"} & {*a.name.split()}]
        years = [self.pairs(a.iri)["o"].drop_nulls().str.slice(0, 4).cast(pl.Int64, strict=False).max() for a in born[:1]]
        return any(isinstance(year, int) and year < _LONG_AGO for year in years)

    def _settle_past(self, table: EntityTable) -> None:
        """Tell people of long ago by what they made, where nothing says when they lived."""
        born = any({"birth", "born"} & {*a.name.split()} for a in table.attributes)
        if not table.person or table.past or table.death or born:
            return
        worked = [
            self.pairs(edge.iri).join(self.pairs(day.iri).rename({"o": "day"}), on="s").select(e="o", day="day")
            for other in self.tables.values()
            for edge in other.edges
            if edge.to == table.iri and edge.table != table.iri and self._made(other, edge)
            for day in other.attributes
            if day.kind in ("year", "date")
        ]
        if not worked:
            return
        years = pl.col("day").str.extract(r"(\d{4})").cast(pl.Int64)
        last = pl.concat(worked).group_by("e").agg(year=years.max())
        rows = self.names_of(table).join(last, on="e", how="left")
        recent = rows.filter(pl.col("year").is_null() | (pl.col("year") > _WORKED_LONG_AGO))["e"].sort().to_list()
        if 2 * len(recent) < rows.height:
            table.past, table.unsettled = True, tuple(recent)

    def _made(self, table: EntityTable, edge: Edge) -> bool:
        """Whether a row's person made it: who wrote an opera of 1853 is dead, who manages a club of 1886 is not."""
        said = sure.maker(table.name, edge.name) or sure.maker(table.name, self.names[edge.to])
        return said is not None and said[2] == "was"

    def _labels_of(self, table: EntityTable) -> pl.Series:
        """The names of a table's rows."""
        return self.names_of(table)["label"]

    def names_of(self, table: EntityTable) -> pl.DataFrame:
        """`e, label` of a table's rows."""
        return self.labels.join(self.graph.select(_ROWS % table.iri), on="e", how="semi")

    def _are_titles(self, table: EntityTable) -> bool:
        """Whether the names of a table's rows stand in a column of titles, as works and exhibitions have them."""
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == table.iri).sort("p").select("p", "name")
        titles = [iri for iri, name in columns.iter_rows() if split(name)[-1] == "title" and iri in self.use]
        return any(self._share_told_by_name(iri) >= ALIKE for iri in titles)

    @cached_property
    def _names_are_small(self) -> bool:
        """Whether this database writes proper names, of people, places or works, in small letters."""
        lists = WordLists.load()
        proper = {*lists.persons, *lists.places, *lists.alone, *lists.works, *lists.proper}
        known = [table for table in self.tables.values() if not table.key and table.name.split()[-1] in proper]
        return any(in_small_letters(self._labels_of(table)) for table in known)

    @cached_property
    def _names_are_large(self) -> bool:
        """Whether this database writes names in capitals: then short ones that are no words are no letters said one by one."""
        labels = self._row_names_as_written()
        return labels.len() >= _MANY_NAMES and all_in_capitals(labels) and in_capitals(labels)

    def _row_names_as_written(self) -> pl.Series:
        """The names of several words of all rows."""
        known = self.labels.filter(pl.col("label").str.contains(r"\p{L}{2} .*\p{L}{2}"))
        return known["label"]

    def _promoted(self, column: str) -> str:
        """Return the relation of a column whose values became entities (`entities` of SCHEMA.toml), called by their names."""
        relation = "#ref-".join(column.rsplit("#", 1))
        if column in self.use or relation not in self.use or relation in self._foreign_keys:
            return column
        named = self.pairs(relation).join(self.labels, left_on="o", right_on="e").select("s", o="label")
        self._pairs[relation] = named
        n, subjects, values, _ = self.use[relation]
        self.use[relation] = (n, subjects, values, max(named["o"].str.len_chars().to_list(), default=0))
        return relation

    @cached_property
    def _foreign_keys(self) -> set[str]:
        return set(self.graph.schema(_EDGES)["p"])

    def _why_not(self, iri: str, column: refusals.Column, keys: set[str]) -> str | None:
        n, subjects, values, size = self.use[iri]
        if iri in self.bytes:
            return "bytes, which nobody can say"
        if iri in keys:
            return "a key, which only the database knows"
        if why := refusals.of_column(column, personal=self.personal):
            return why
        if values < 2:
            return "all rows have the same value"
        if size > LONGEST_TEXT:
            return f"texts of up to {size} characters"
        if n > 1.05 * subjects:
            return "rows have several values"
        if self.pairs(iri).is_empty():
            return "its values have no names"
        some = self.pairs(iri)["o"].drop_nulls().unique().sort().head(_SEEN_VALUES).to_list()
        if why := refusals.of_column(replace(column, values=some), personal=self.personal):
            return why
        # The 1 of a yes stands in the name of every first mission.
        if not self._is_flag(iri) and self._share_told_by_name(iri) > TOLD_BY_NAME:
            return "the name of the row gives it away"
        return None

    def _share_told_by_name(self, iri: str) -> float:
        """In what share of rows the name tells the value."""
        both = self.pairs(iri).join(self.labels, left_on="s", right_on="e").drop_nulls()
        if both.is_empty():
            return 0.0
        name, value = fold_all(both["label"]), fold_all(both["o"])
        frame = pl.DataFrame({"name": " " + name + " ", "value": " " + value + " "})
        return float(frame.select(pl.col("name").str.contains(pl.col("value"), literal=True).mean()).item() or 0.0)

    def _edges_of(self, table: EntityTable) -> None:
        declared = self.graph.schema(_EDGES).filter(pl.col("t") == table.iri).sort("p").select("p", "t", "o").unique()
        links = [(iri, unquote(iri.rpartition("#ref-")[2]), to, None) for iri, _, to in declared.sort("p").iter_rows()]
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == table.iri, pl.col("p").is_in([*self._links]))
        found = [(iri, name, self._links[iri]) for iri, name in columns.sort("p").select("p", "name").iter_rows()]
        for iri, raw, to, key in [*links, *((iri, raw, link.to, link.key) for iri, raw, link in found)]:
            called = self._words.reference(raw, self._raw[table.iri], self._raw[to], self._key_of(to, key))
            name = self.names[to] if ";" in iri.rpartition("#")[2] else called.name
            self.columns.setdefault(f"{table.name}: {name}", f"{self._raw[table.iri]}.{raw.replace(';', ',')}")
            facts = self.use.get(iri)
            if facts and key and to in self.tables and self.tables[to].mark and key == self.tables[to].key:
                self._marked(table, iri, called.name, self.names[to])
            elif to not in self.tables or self.tables[to].key or facts is None:
                self.refused[f"{table.name}: {name}"] = "it refers to rows without names" if facts else "it has no values"
            elif facts[0] > 1.05 * facts[1]:
                self.refused[f"{table.name}: {name}"] = "rows have several values"
            elif facts[2] < 2:
                self.refused[f"{table.name}: {name}"] = "all rows have the same value"
            elif called.unsaid and name == called.name and any(c.isalnum() for c in called.name):
                self.refused[f"{table.name}: {name}"] = refusals.unsaid(called.unsaid)
            else:
                self._edge(table, Edge(iri, table.iri, to, ends.called(name), key))

    def _key_of(self, table: str, key: str | None) -> str:
        """What a table calls the key that others refer to."""
        keys = [key] if key else self.graph.schema(_KEYS).filter(pl.col("t") == table)["p"].unique().to_list()
        names = self.graph.schema(_COLUMNS).filter(pl.col("p").is_in(keys))["name"].unique().sort().to_list()
        return names[0] if len(keys) == 1 and names else ""

    def _marked(self, table: EntityTable, iri: str, name: str, of: str) -> None:
        """Take a link to rows that are told by a mark for what it holds, the mark: "Which context does find 57 belong to?"."""
        self._pairs[iri] = self.graph.select(_PAIRS % iri)
        table.attributes.append(Attribute(iri, table.iri, name, "mark", of=of))

    def _event_table(self, iri: str) -> None:
        """Take a table whose rows have no names, but are told by what they happened to and in which year."""
        before, table = dict(self.refused), EntityTable(iri, self.names[iri])
        self._columns_of(table)
        self._edges_of(table)
        named = [edge for edge in table.edges if not self.tables[edge.to].key]
        table.event = event_of(table.name, named, table.attributes, self._rows[iri], self.pairs)
        if table.event is None or self._words.table(self._raw[iri]).unsaid:
            self.refused = before
            self.unnamed.append(table)
            return
        del self.refused[table.name]
        self._distances_of(table)
        table.key, table.quoted, table.unique = table.event.when.iri, False, 0.0
        table.attributes = [attribute for attribute in table.attributes if attribute != table.event.when]
        self.tables[iri] = table

    def _distances_of(self, table: EntityTable) -> None:
        """Have distances say from what, by another column; one that says it nowhere is no fact."""
        names = [*(edge.name for edge in table.edges), *(attribute.name for attribute in table.attributes)]
        end, whole = ends.end_of(names), list[Attribute]()
        for attribute in table.attributes:
            if not ends.needs_end(attribute.name, table.name):
                whole.append(attribute)
            elif end and unit_of(attribute.name)[1]:
                whole.append(replace(attribute, end=end))
            else:
                self.refused[f"{table.name}: {attribute.name}"] = refusals.HALF
        table.attributes = whole

    def _edge(self, table: EntityTable, edge: Edge) -> None:
        if not any(c.isalnum() for c in edge.name):
            self.refused[f"{table.name}: {edge.name}"] = "its name has no word"
        elif edge.is_participle and not edge.is_verb:
            self.refused[f"{table.name}: {edge.name}"] = "its name is neither a noun nor ends in a preposition"
        else:
            table.edges.append(edge)
