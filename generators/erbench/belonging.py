"""How it is said that a row has others, or values, several of them: the ingredients of a recipe, the tracks on an album.

```
>>> [preposition(noun) for noun in ("recipe", "exhibition", "playlist")], preposition("film", "actor")
(['of', 'in', 'on'], 'in')

```
"""

from __future__ import annotations

from dataclasses import dataclass

from generators import inflections
from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.plain import is_over
from generators.erbench.rows import value_text
from generators.erbench.tables import EntityTable

FEWEST, MOST, MAKERS = 2, 30, 6
"""A row that has fewer or more others is not asked about: a playlist of all tracks, a class that ten firms built."""
_SORTED = ("type", "style", "kind", "category", "technique", "method")


@dataclass(frozen=True)
class Family:
    """What a family is: its title, front matter, slots and patterns; the table of the rows asked about."""

    asked: EntityTable
    title: tuple[str, ...]
    front: dict[str, object]
    slots: tuple[str, ...]
    patterns: tuple[str, ...]


def preposition(noun: str, part: str = "") -> str:
    """Say how the many stand to the one: the ingredients of a recipe, the clocks in an exhibition, the tracks on a playlist."""
    last = noun.split()[-1]
    if part.split()[-1:] and part.split()[-1] in sure.Sure.load().performers and last not in ("album", "playlist", "record"):
        return "in"
    lists = WordLists.load()
    if last in lists.places and {*part.split()[-1:]} & {*lists.substances}:
        return "found at"  # the rocks of a volcano
    if last in ("album", "playlist", "record", "tour", "menu", "mission", "expedition", "voyage", "flight"):
        return "on"
    return "in" if last in {*sure.Sure.load().held, "collection", "anthology", "gallery", "programme", "season"} else "of"


def open_lists() -> set[str]:
    """What of which a row has more than anybody keeps, or in more than one sense: animals, habitats, countries."""
    lists, own = WordLists.load(), sure.Sure.load()
    return {
        *lists.areas,
        *lists.generic_kinds,
        *own.taxa,
        *own.animals,
        *own.described,
        "genre",
        "theme",
        "tag",
        "keyword",
        "topic",
    }


def one_of_many(part: EntityTable, slot: str) -> str:
    """Say one of many: what is no work stands without quotation marks, "saffron"; but “bourbon barrel”, a type of cask."""
    works = WordLists.load().works
    if part.name.split()[-1] in _SORTED:
        return f"“{{{slot}}}”"
    return f"{{{slot}}}" if part.quoted and part.name.split()[-1] not in works else value_text(part, slot)


def is_done(whole: EntityTable, part: EntityTable) -> bool:
    """Whether what people had to do with a row is over: the engineers of a bridge, the crew of a mission."""
    lists, own, noun = WordLists.load(), sure.Sure.load(), whole.name.split()[-1]
    happened = noun in {*own.once, *own.held, *own.happenings} or whole.over
    goes_on = noun in {*lists.institutions, *lists.companies, *own.based, *lists.groups} - {"class"}
    made = part.name.split()[-1] in {*lists.agents, *own.makers} or is_over(part.name, whole.name)
    act = sure.maker(whole.name, part.name)
    happened = happened or (act is not None and act[2] == "was" and not goes_on)
    return bool(happened or (part.person and (part.past or (made and not goes_on))))


def is_had(noun: str) -> bool:
    """Tell whether a place or a thing has these, whatever they are: "Does Smith Hall have a study room?"."""
    return noun.split()[-1] in ("amenity", "facility", "feature", "appliance", "fixture", "accessory")


def does_something(name: str) -> bool:
    """Tell whether a name says what a row does, and names nothing that it has.

    >>> [name for name in ("Allows pets", "Accepts cards", "Ports", "Study room", "Bus stop") if does_something(name)]
    ['Allows pets', 'Accepts cards']
    """
    first, *rest = name.lower().split()
    verb = inflections.base(first) if rest and first.endswith("s") else None
    return verb is not None and not inflections.is_common_noun(verb)
