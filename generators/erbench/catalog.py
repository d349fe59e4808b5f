"""What a database offers to ask: its named tables, their columns, and the foreign keys between them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import unquote

import polars as pl

from generators.column_names import WordLists, ends_in_participle, split, unit_of
from generators.erbench import ends, refusals, sure
from generators.erbench.columns import Attribute, Edge
from generators.erbench.events import Event, event_of
from generators.erbench.forms import OCCUPATIONS
from generators.erbench.links import Column, Link, Links, written_links
from generators.erbench.marks import Mark, mark_of
from generators.erbench.names import Words, setting
from generators.erbench.times import TIME_WORDS, ends_it, tells_end
from generators.family.spelling import FIGURES, WRITTEN_DATE, is_inverted, is_surname_first, order_of
from generators.inflections import is_agent
from generators.nouns import is_word, singular
from kg.errors import InputError
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

_KINDS = {
    "year": r"^[12]\d{3}$",
    "date": rf"^[12]\d{{3}}-\d\d-\d\d(?:[T ]00:00:00.*)?$|^(?:{WRITTEN_DATE.pattern})$",
    "month": r"^(?:January|February|March|April|May|June|July|August|September|October|November|December),? [12]\d{3}$",
    "number": r"^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$",
}
_FLAGS = [{"0", "1"}, {"y", "n"}, {"yes", "no"}, {"true", "false"}, {"t", "f"}]


def kind_of(values: pl.Series) -> str:
    """Tell what the values of a column are, nearly all of them: flag, year, date, month, number; else text.

    Dates in figures of which nobody can tell the day from the month are `figures`.

    >>> [kind_of(pl.Series(values)) for values in (["1998", "2004"], ["Y", "N", "N"], ["July, 1954", "May, 1960"], ["5", "x"])]
    ['year', 'flag', 'month', 'text']
    """
    distinct = values.drop_nulls().unique()
    if distinct.len() == 2 and set(distinct.str.to_lowercase()) in _FLAGS:
        return "flag"
    for kind, pattern in _KINDS.items():
        if distinct.len() and float(str(distinct.str.contains(pattern).mean())) >= MOST:
            return kind
    in_figures = distinct.len() and float(str(distinct.str.contains(f"^(?:{FIGURES.pattern})$").mean())) >= MOST
    if in_figures:
        return "date" if order_of(distinct) else "figures"
    # Where some rows have "-" or "unknown" for a year, the others have years all the same.
    told = distinct.filter(~distinct.str.to_lowercase().is_in(sure.Sure.load().no_values))
    gaps = 0 < told.len() < distinct.len()
    return "year" if gaps and kind_of(told) == "year" else "text"


def _are_years(values: pl.Series) -> bool:
    """Tell whether numbers may all be years."""
    numbers = values.drop_nulls().cast(pl.Float64, strict=False)
    return bool(((numbers % 1 == 0) & numbers.is_between(-10_000, 2_200)).all())


def _are_demonyms(values: pl.Series) -> bool:
    """Tell whether values say what people are by country, "Polish", and no countries."""
    endings = r"(?:[^aeiou]an|[ie]an|ese|ish|[^aeiou]ch|eek|ss|[ng]ch|[aeq]i|ino|man|[^aeiou]ic|[^aeiou]ian)$"
    known = values.drop_nulls().unique()
    return bool(known.len()) and float(str(known.str.contains(endings).mean())) >= _DEMONYMS


def _are_agents(name: str, values: pl.Series) -> bool:
    """Tell whether values say what a row is by what it does, as its diet "carnivore" does, and who does something to it."""
    last, known = name.split()[-1], values.drop_nulls().unique().str.to_lowercase()
    acted = is_agent(last) or last in (*WordLists.load().persons, *WordLists.load().groups) or name in OCCUPATIONS
    some = [text for text in known if is_agent(text.split()[-1])] if not acted else []
    return known.len() > 1 and len(some) == known.len()


_KINDS_OF_SINGLE = frozenset({"species", "breed", "cultivar", "variety"})
"""Rows that have one of these are single animals or plants with names of their own."""
_LONG_AGO = 1910
"""Who was born before lives no more."""
_WORKED_LONG_AGO = 1925
"""Nor does who did something before, of whom we do not know when they were born."""
_DEMONYMS = 0.7
"""So many values end as demonyms do where a column holds them."""


def _lives(noun: str, columns: Iterable[str]) -> bool:
    """Tell whether rows are people by what is kept of them, whatever they are called: where and when they were born."""
    told = {word for name in columns for word in name.split()}
    kinds = {*WordLists.load().generic_kinds, *sure.Sure.load().origins, "animal", "dog", "horse", "cat", "pet"}
    return bool(told & {"birth", "birthplace", "born", "nationality", "birthdate"}) and noun.split()[-1] not in kinds


def _is_no_person(noun: str) -> bool:
    """Tell whether what a table is called is an act or a thing, whoever is named beside it: a decipherment, a prize.

    >>> [noun for noun in ("decipherment", "expedition", "prize", "monk", "dean", "explorer") if _is_no_person(noun)]
    ['decipherment', 'expedition', 'prize']
    """
    lists, own, last = WordLists.load(), sure.Sure.load(), noun.split()[-1]
    things = {*lists.works, *lists.places, *lists.companies, *lists.institutions, *lists.groups, *lists.areas}
    things |= {*lists.after_name, *own.happenings, *own.held, *own.lasting}
    act = re.search(r"(?:ment|tion|sion|ance|ence|ship|hood|ism)$", last)
    return last not in lists.persons and (bool(act) or last in things)


def _names_another(column: str, noun: str) -> bool:
    """Tell whether the column that rows are called by names a person, a place or a firm, and they are none.

    >>> [name for name in ("name", "title", "director", "city", "vessel") if _names_another(name, "production")]
    ['director', 'city']
    >>> [_names_another(*both) for both in (("winner", "laureate"), ("city", "capital city"), ("catalogue number", "specimen"))]
    [False, False, False]
    """
    lists, of, last = WordLists.load(), column.split()[-1], noun.split()[-1]
    kinds = [{*lists.areas, *lists.places}, {*lists.companies, *lists.institutions}, {*lists.persons}]
    if of == last or noun.endswith(of):
        return False
    no_agents = {*sure.Sure.load().members, *lists.key_words, *lists.companies}  # a number numbs nobody
    named = [of in kind or (kind == kinds[2] and is_agent(of) and of not in no_agents) for kind in kinds]
    rows = [last in kind or (kind == kinds[2] and is_agent(last)) for kind in kinds]
    return any(named) and not any(a and b for a, b in zip(named, rows, strict=True))


_LIFE = frozenset({"born", "birth", "birthplace", "birthdate", "died", "death", "deathplace"})


def _is_of_a_life(name: str) -> bool:
    """Tell whether a column says when or where somebody was born or died, and nothing else.

    >>> [name for name in ("born", "place of birth", "death year", "death toll", "birth rate") if _is_of_a_life(name)]
    ['born', 'place of birth', 'death year']
    """
    rest = {*name.split()} - {"place", "of", "in", "at", "on", "location", *TIME_WORDS, *WordLists.load().areas}
    return bool(rest) and rest <= _LIFE


def _said(name: str, kind: str, values: pl.Series) -> str | None:
    """Tell in what form the values of a column are said: dates in words, names upright and with capitals."""
    lists, last = WordLists.load(), name.split()[-1]
    if kind in ("date", "month"):
        return order_of(values) or "date"
    if kind == "number" and values.drop_nulls().str.contains(r"\.0+$|^-?\d{5,}$").any():
        return "number"
    if kind == "text" and last in lists.small:
        return "small"
    person = last == "by" or last in lists.persons
    if kind == "text" and last not in lists.areas and inverted(values):
        return "name"
    if kind == "text" and person and surnames_first(values):
        return "surname first"
    proper = person or (last in lists.proper and name != "common name") or last in lists.areas
    if kind == "text" and not proper and in_capitals(values) and _are_common(values.str.to_lowercase()):
        return "small"
    if kind == "text" and ((proper and in_small_letters(values)) or in_capitals(values)):
        return "capitals"
    return "small" if kind == "text" and not proper and _are_common(values) else None


def _are_common(values: pl.Series) -> bool:
    """Tell whether values are common words with a capital by habit alone: "Flying eagle", "Good"; "Open Game" is a name."""
    known = values.drop_nulls().unique()
    some = [text for text in known if text[1:] == text[1:].lower() and sure.is_common(text)]
    return bool(known.len()) and len(some) >= MOST * known.len()


def _are_names(values: pl.Series) -> bool:
    """Tell whether values are proper names, nearly all of them: they have capitals, and are no common words."""
    known = values.drop_nulls().unique().sort().head(_LOOKED_UP)
    some = [text for text in known if text[:1].isupper() and not sure.is_common(text)]
    return bool(known.len()) and len(some) >= _NAMES * known.len()


_LOOKED_UP = 30
"""Of so many values each word is looked up, which takes longest."""
_NAMES = 0.6
"""So many values must be names; others may be common words by chance: "Rabbit", a mascot."""


_MANY_NAMES = 10


def _all_in_capitals(names: pl.Series) -> bool:
    """Tell whether nearly all names are written in capitals alone, in a script that has small letters, too."""
    known = names.drop_nulls().unique()
    shown = float(str((known == known.str.to_uppercase()).mean() or 0.0)) if known.len() else 0.0
    return shown >= MOST and has_case(known.str.to_lowercase())


def _in_sentence_case(labels: pl.Series) -> bool:
    """Tell whether labels are no names by how they are written: "Dice rolling", "STRANDING"; "Golf" may be one."""
    several = labels.filter(labels.str.contains(" "))
    return in_capitals(labels) or (several.len() > 1 and bool(several.str.contains(r"^\S+(?: \p{Ll}\S*)+$").all()))


def in_capitals(names: pl.Series) -> bool:
    """Tell whether names are nearly all written in capitals alone, and are words: "MIDLAND LINE", not "NASA"."""
    letters = names.drop_nulls().unique().filter(names.drop_nulls().unique().str.contains(r"\p{L}"))
    if not letters.len() or not has_case(letters.str.to_lowercase()):
        return False
    if float(str((letters == letters.str.to_uppercase()).mean())) < MOST:
        return False  # to look words up takes longer
    several = float(str(letters.str.contains(r"\p{L}{4}.*\s.*\p{L}{3}|\p{L}{3}.*\s.*\p{L}{4}").mean())) >= _SEVERAL_WORDS
    single = float(str(letters.str.to_lowercase().map_elements(is_word, return_dtype=pl.Boolean).mean())) >= _WORDS
    return several or single


def in_small_letters(names: pl.Series) -> bool:
    """Tell whether names are nearly all written without capitals."""
    letters = names.drop_nulls().filter(names.drop_nulls().str.contains(r"\p{L}"))
    return bool(letters.len()) and float(str((letters == letters.str.to_lowercase()).mean())) >= MOST and has_case(letters)


def has_case(names: pl.Series) -> bool:
    """Tell whether names are in a script that has capitals."""
    return bool((names != names.str.to_uppercase()).any())


def inverted(names: pl.Series) -> bool:
    """Tell whether names nearly all have their last part first: "Carlsen, Magnus"; some may have one part alone."""
    known = names.drop_nulls()
    # "Subduction zone, continental crust" is none: behind a part with a capital comes another one.
    turned = [is_inverted(name) and name[0].isupper() <= name.split(", ")[1][0].isupper() for name in known.unique()]
    return len(turned) > 1 and sum(turned) / len(turned) >= INVERTED


def surnames_first(names: pl.Series) -> bool:
    """Tell whether names of people nearly all have the surname first, in capitals: "MARTÍN Antonio"."""
    known = names.drop_nulls().unique()
    return known.len() > 1 and sum(map(is_surname_first, known)) >= INVERTED * known.len()


SELF = 0.5
"""Where more rows than this share refer to themselves, a column numbers them."""
_SEVERAL_WORDS, _WORDS = 0.3, 0.6
"""So many names in capitals have two words, or are words of the dictionary, for them to be no letters said one by one."""

MOST, INVERTED = 0.95, 0.8
"""The shares of a column's values that settle what they are, and whether names have their last part first."""


_CODED_KEY = r"^\p{Lu}{1,4}[./ -]?\d{2,}[\p{Lu}\d./-]*$"
"""What a key looks like that only a database knows."""
_DAYS_OF_A_LOG, _DAY = 2, rf"^(?:\d{{4}}-\d\d-\d\d.*|\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:\d\d|\d{{4}})|{WRITTEN_DATE.pattern})$"
"""What has so many days is what was done from one to the other: a job came in, and went out."""
_CODES = 4
"""A table of codes has so many columns at most: number, code, name, description."""
_ON_A_MAP = frozenset({"latitude", "longitude", "coordinates", "elevation"})


def _stands(table: EntityTable, noun: str, columns: Collection[str]) -> bool:
    """Tell whether rows stand somewhere, whatever they are called: in a city of a country, or on a map."""
    lists, known = WordLists.load(), {word for name in columns for word in name.split()}
    own = sure.Sure.load()
    elsewhere = {*own.based, *own.happenings, *own.lasting, *own.held, *lists.works, *lists.companies}
    areas, marked = {*lists.areas} & known, bool(known & _ON_A_MAP)
    if table.person or noun in elsewhere:
        return False
    return (len(areas) > 1 and bool(areas & {*lists.settlements})) or (bool(areas) and marked)


@dataclass
class EntityTable:
    """A table whose rows can be named: how it is said, whether they are people, how far the names tell rows apart.

    Rows of the `past` are people who are long dead, but for those that are `unsettled`, `hidden` ones people whom few know,
    `single` ones animals or plants with a name of their own.
    Rows without a label are called by their number, the column `key` (or `mark`), or are events, which `event` says by thing
    and year (`key` is then the column of the date). Rows at a place are in a city or country, others from one; `said` is the
    form that names are brought into; `common` ones are no names but words, as the descriptions of codes are; of
    what is `over`, each row came to an end. They are quoted, or stand beside the table's name, or, where they say it themselves
    ("Humber Bridge"), alone.
    """

    iri: str
    name: str
    person: bool = False
    unique: float = 1.0
    key: str | None = None
    event: Event | None = None
    place: bool = False
    past: bool = False
    single: bool = False
    hidden: bool = False
    death: Attribute | None = None
    mark: Mark | None = None
    unsettled: tuple[str, ...] = ()
    quoted: bool = True
    alone: bool = False
    said: str | None = None
    common: bool = False
    over: bool = False
    attributes: list[Attribute] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)


class Catalog:
    """Reads the schema graph and counts what the data has.

    `refused` says what is not asked about, and why; `columns` says of it which table and column of the database it is;
    `unnamed` are the tables whose rows have no names.
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
    ) -> None:
        """Read a graph; `personal` and `numbered` let private matters, and rows without a name, be asked about.

        `about` says what the database is of, in every question; without it, `database` is said of rows that nobody else
        knows, such as an invoice. `links` are foreign keys that it does not declare (`shop.town_no=town`); `declared_only`
        leaves those out that the values show, which `found` names.
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
        self.names |= {iri: short for iri in self.names if (short := self._without_type(iri))}
        self._name_by_labels()
        self.columns |= {self.names[iri]: name for iri, name in self._raw.items()}
        self.found: list[str] = []
        self.unnamed: list[EntityTable] = []
        self._links, self._unclear = self._find_links(declared_only, links)
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
        """Say of what database a row is, where its question needs that; an event is known as its thing is."""
        if table.event and table.event.parent.to in self.tables:
            return self.setting(self.tables[table.event.parent.to])
        # In a database of what its keepers alone know, so is what they look after: the sites of a project manager.
        known = table.name.split()[-1] in {*WordLists.load().areas, *WordLists.load().alone}
        staffed = not known and self._is_kept_inside and any(self.tables[edge.to].hidden for edge in table.edges)
        unknown = (
            (table.key and not (table.mark and table.mark.public))
            or table.hidden
            or staffed
            or table.name in WordLists.load().private
            or table.name.split()[-1] in sure.Sure.load().stocked
        )
        about = self.about or (self.database if unknown else None)
        return setting(about) if about else None

    @cached_property
    def _is_kept_inside(self) -> bool:
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
        labels = labels.unique().sort().head(_LOOKED_UP)
        if noun in named - {*lists.common} or not _are_common(labels.str.to_lowercase()):
            return False
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == table.iri).height
        return columns <= _CODES and (in_capitals(labels) or _are_common(labels))

    def _without_type(self, iri: str) -> str | None:
        """Call rows that have names by what they are: the aircraft Spitfire, of a table of aircraft types."""
        *noun, last = self.names[iri].split()
        short = " ".join(noun)
        if last != "type" or not noun or short in self.names.values() or iri not in self._named:
            return None
        columns = self.graph.schema(_COLUMNS).filter(pl.col("t") == iri).height
        return short if is_word(noun[-1]) and columns > _CODES else None

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
            elif kinds or any(_names_another(self._words.column(label, name).name, self.names[iri]) for label in labels[:1]):
                self.misnamed.add(iri)

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
        table.place = noun in lists.places or (table.name in lists.alone and not table.person) or _stands(table, noun, columns)
        if table.key or table.iri not in self._named:
            return
        labels, own = self._labels_of(table), sure.Sure.load()
        table.past = table.person and self._all_long_dead(table)
        died = [a for a in table.attributes if table.person and {"death", "died", "deceased"} & {*a.name.split()}]
        table.death = died[0] if died and not table.past else None
        in_small = noun not in lists.common and self._names_are_small and in_small_letters(labels)
        called = table.person or noun in ("animal", "pet", *lists.generic_kinds)  # AMUR, a tiger
        capitals = in_capitals(labels) or (_all_in_capitals(labels) and (called or self._names_are_large))
        table.said = "name" if not table.place and inverted(labels) else "capitals" if in_small or capitals else None
        table.said = "surname first" if table.person and surnames_first(labels) else table.said
        stuff = noun in own.substances and _are_common(labels)
        species = noun in (*lists.generic_kinds, "animal") and not table.single and _in_sentence_case(labels)
        table.common = not table.person and not table.place and self._are_kinds(table, noun, labels)
        if (
            stuff
            or species
            or (table.common and _in_sentence_case(labels))
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
            {word for iri, name in columns for word in (*called[iri].name.split(), *split(name))} & _KINDS_OF_SINGLE
        )
        known = named_twice or table.name.split()[-1] in lists.persons
        told = (called[iri].name for iri, _ in columns if called[iri].name != "birth" or self._is_dated(iri))  # or a berth
        lives = known or _lives(table.name, told)  # who stands beside an act may be private, too
        table.person = known or (lives and not _is_no_person(table.name))
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
                if kind == "number" and dated and _are_years(self.pairs(iri)["o"]):
                    kind = "year"  # of long ago, too
                of_country = kind == "text" and said.split()[-1] in ("nationality", "citizenship")
                if of_country and _are_demonyms(self.pairs(iri)["o"]):
                    kind = "demonym"
                if kind == "year" and "estimated" in said.split():
                    why = "“est” may be estimated, or established in that year"
                if kind == "figures":
                    why = "dates whose day and month nobody can tell apart"
                if not table.person and _is_of_a_life(said) and _is_no_person(table.name):
                    why = why or refusals.OF_A_PERSON
                if kind in ("number", "year") and said.split()[-1] in lists.with_units:
                    why = "a number whose unit is not said"
                elif why is None and (unit_of(said)[1] or "").endswith("bytes"):
                    why = "the size of a file"
                if why is None:
                    values = self.pairs(iri)["o"]
                    agents = kind == "text" and not table.person and _are_agents(said, values)
                    named = kind == "text" and _are_names(values)
                    spelled = _said(said, kind, values)
                    table.attributes.append(Attribute(iri, table.iri, said, kind, spelled, agents=agents, named=named))
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
        return labels.len() >= _MANY_NAMES and _all_in_capitals(labels) and in_capitals(labels)

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
        if self._share_told_by_name(iri) > TOLD_BY_NAME:
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
            called = self._words.reference(raw, self._raw[table.iri], self._raw[to])
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
