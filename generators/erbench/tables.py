"""A table whose rows can be named, and what they are by its name and columns: people, places, none of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.columns import Attribute, Edge
from generators.erbench.endings import Ending
from generators.erbench.events import Event
from generators.erbench.marks import Mark
from generators.erbench.times import TIME_WORDS
from generators.inflections import is_agent
from generators.nouns import is_noun, plural

KINDS_OF_SINGLE = frozenset({"species", "breed", "cultivar", "variety"})
"""Rows that have one of these are single animals or plants with names of their own."""


def lives_on(noun: str, columns: Iterable[str]) -> bool:
    """Tell whether rows are people by what is kept of them, whatever they are called: where and when they were born."""
    told = {word for name in columns for word in name.split()}
    return bool(told & {"birth", "birthplace", "born", "nationality", "birthdate"}) and not (
        sure.is_animal(noun) or noun.split()[-1] in sure.Sure.load().origins
    )


_FOUND = {"discovered", "recorded", "observed"}
PRAISE = _FOUND | frozenset(
    {"famous", "notable", "important", "major", "selected", "popular", "known", "great", "top", "best", "favourite", "favorite"}
)
"""What a table says of all its rows, and nobody of one: the famous dog."""


def spoken_noun(noun: str) -> str:
    """Say what a row is without a word that adds nothing: what is not counted itself has items.

    >>> spoken_noun("equipment item"), spoken_noun("menu item"), spoken_noun("launch site")
    ('item', 'menu item', 'launch site')
    >>> spoken_noun("famous dog"), spoken_noun("notable"), spoken_noun("discovered minor object")
    ('dog', 'notable', 'minor object')
    """
    while " " in noun and noun.split()[0] in PRAISE:
        noun = noun.partition(" ")[2]
    first, _, last = noun.rpartition(" ")
    word = first.split()[-1] if first else ""
    uncounted = bool(word) and (plural(word) == word or not is_noun(word))
    return last if uncounted and last in sure.Sure.load().stocked else noun


def is_no_person(noun: str) -> bool:
    """Tell whether what a table is called is an act or a thing, whoever is named beside it: a decipherment, a prize.

    >>> [noun for noun in ("decipherment", "expedition", "prize", "monk", "dean", "explorer") if is_no_person(noun)]
    ['decipherment', 'expedition', 'prize']
    """
    lists, own, last = WordLists.load(), sure.Sure.load(), noun.split()[-1]
    things = {*lists.works, *lists.places, *lists.companies, *lists.institutions, *lists.groups, *lists.areas}
    things |= {*lists.after_name, *own.happenings, *own.held, *own.lasting}
    act = re.search(r"(?:ment|tion|sion|ance|ence|ship|hood|ism)$", last)
    return last not in lists.persons and (bool(act) or last in things)


def names_another(column: str, noun: str) -> bool:
    """Tell whether the column that rows are called by names a person, a place, a firm or a work, and they are none.

    >>> [name for name in ("name", "title", "director", "city", "vessel") if names_another(name, "production")]
    ['director', 'city']
    >>> [names_another(*both) for both in (("winner", "laureate"), ("city", "capital city"), ("catalogue number", "specimen"))]
    [False, False, False]
    >>> names_another("opera", "premiere"), names_another("opera", "work")
    (True, False)
    """
    lists, of, last = WordLists.load(), column.split()[-1], noun.split()[-1]
    kinds = [{*lists.areas, *lists.places}, {*lists.companies, *lists.institutions}, {*lists.persons}, {*lists.works}]
    if of == last or noun.endswith(of):
        return False
    no_agents = {*sure.Sure.load().members, *lists.key_words, *lists.companies}  # a number numbs nobody
    named = [of in kind or (kind == kinds[2] and is_agent(of) and of not in no_agents) for kind in kinds]
    rows = [last in kind or (kind == kinds[2] and is_agent(last)) for kind in kinds]
    return any(named) and not any(a and b for a, b in zip(named, rows, strict=True))


_LIFE = frozenset({"born", "birth", "birthplace", "birthdate", "died", "death", "deceased", "deathplace"})


def is_of_a_life(name: str) -> bool:
    """Tell whether a column says when or where somebody was born or died, and nothing else.

    >>> [name for name in ("born", "place of birth", "death year", "death toll", "birth rate") if is_of_a_life(name)]
    ['born', 'place of birth', 'death year']
    """
    rest = {*name.split()} - {"place", "of", "in", "at", "on", "location", *TIME_WORDS, *WordLists.load().areas}
    return bool(rest) and rest <= _LIFE


_ON_A_MAP = frozenset({"latitude", "longitude", "coordinates", "elevation"})


def stands_somewhere(table: EntityTable, noun: str, columns: Collection[str]) -> bool:
    """Tell whether rows stand somewhere, whatever they are called: in a city of a country, or on a map."""
    lists, known = WordLists.load(), {word for name in columns for word in name.split()}
    own = sure.Sure.load()
    elsewhere = {*own.based, *own.origins, *own.happenings, *own.lasting, *own.held, *lists.works, *lists.companies}
    areas, marked = {*lists.areas} & known, bool(known & _ON_A_MAP)
    if table.person or noun in elsewhere:
        return False
    return (len(areas) > 1 and bool(areas & {*lists.settlements})) or (bool(areas) and marked)


@dataclass
class EntityTable:
    """A table whose rows can be named: how it is said, whether they are people, how far the names tell rows apart.

    Rows of the `past` are people who are long dead, but for those that are `unsettled` (of others, these are dead),
    `hidden` ones people whom few know,
    `single` ones animals or plants with a name of their own.
    Rows without a label are called by their number, the column `key` (or `mark`), or are events, which `event` says by thing
    and year (`key` is then the column of the date). Rows at a place are in a city or country, others from one; `said` is the
    form that names are brought into; `common` ones are no names but words, as the descriptions of codes are; of
    what is `over`, each row came to an end, or others are left out by `over_by`; `endings` say which did; `latin` ones are
    called as science has them. `full` are the names
    of people who all have a given name and another. Rows of `kinds` are kinds of which something else is
    one ("a Border Collie"). Where a table's noun says too little, names are `bare` ("Where is Adobe based?"). Rows of
    `lands` are called as countries are, teams as well ("won by the United States").
    They are quoted, or stand beside the table's name, or, where they say it themselves
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
    bare: bool = False
    lands: bool = False
    kinds: bool = False
    said: str | None = None
    common: bool = False
    over: bool = False
    over_by: Ending | None = None
    endings: tuple[Ending, ...] = ()
    latin: bool = False
    full: bool = False
    attributes: list[Attribute] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
