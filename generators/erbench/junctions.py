"""Tables that join two others, many to many, or nearly each row with one other; what they are called by.

A row of such a table has no name. The one that has the others, a work or an event rather than a person, is the one asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generators import inflections
from generators.column_names import WordLists, split
from generators.erbench import sure
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Edge
from generators.erbench.tables import EntityTable
from generators.inflections import is_agent, is_common_noun
from generators.nouns import singular

_TOLD_APART, _SEVERAL, _ALONE = 0.95, 1.2, 0.8
"""So many pairs stand once, and rows of both sides have so many others, in a table that joins many to many; in one that says
of each row one other alone, so many have no second."""


@dataclass(frozen=True)
class Junction:
    """A table that joins rows: the one that has the others, those, and the columns kept of each pair.

    `single`: whether nearly each of the former has one of the latter, as most films have one director.
    """

    table: EntityTable
    whole: Edge
    part: Edge
    single: bool = False


def junctions_of(catalog: Catalog) -> Iterator[Junction]:
    """Find the tables that join two others and say nothing by a name of their own."""
    for table in catalog.unnamed:
        named = [edge for edge in table.edges if not edge.is_verb and not catalog.tables[edge.to].key]
        if len(named) != 2 or named[0].to == named[1].to:
            continue
        joined = catalog.is_keyed_by(table, named) or _is_called_so(catalog, table, named) or verb_of(table) is not None
        if not joined:
            continue  # a screening is more than a film and a venue
        whole, part = sorted(named, key=lambda edge: _place(catalog, table, edge))
        single = _has_one(catalog, whole, part)
        if single or _many_to_many(catalog, named, again=verb_of(table) is not None):
            yield Junction(table, whole, part, single)


def _has_one(catalog: Catalog, whole: Edge, part: Edge) -> bool:
    """Whether pairs stand once, and nearly each row has one other."""
    pairs = catalog.pairs(whole.iri).join(catalog.pairs(part.iri), on="s").select("o", "o_right")
    alone = pairs.n_unique() >= _TOLD_APART * pairs.height
    return bool(pairs.height) and alone and float(str((pairs["o"].value_counts()["count"] == 1).mean())) >= _ALONE


def _many_to_many(catalog: Catalog, edges: Sequence[Edge], *, again: bool = False) -> bool:
    """Whether pairs stand once, or `again` as somebody does a thing in several ways, and neither side settles the other."""
    pairs = catalog.pairs(edges[0].iri).join(catalog.pairs(edges[1].iri), on="s").select("o", "o_right")
    alone = again or pairs.n_unique() >= _TOLD_APART * pairs.height
    several = [pairs.height >= _SEVERAL * pairs[side].n_unique() for side in ("o", "o_right")]
    return bool(pairs.height) and alone and all(several)


def _is_called_so(catalog: Catalog, table: EntityTable, edges: Sequence[Edge]) -> bool:
    """Whether a table is called by those that it joins, or by a word for belonging: "playlist track", "membership"."""
    words = {singular(word) for word in split(table.name)}
    nouns = {catalog.tables[edge.to].name.split()[-1] for edge in edges}
    said = {noun for noun in nouns if noun in words or any(_ends_in(noun, word) for word in words)}
    return nouns == said or bool(words & {*sure.Sure.load().belonging})


def _place(catalog: Catalog, table: EntityTable, edge: Edge) -> tuple[bool, int, int]:
    """Put the side first that has the other: no person, the first in the table's name, the one of fewer rows.

    What a table is called to be had ("has amenity") comes behind.
    """
    words = [singular(word) for word in split(table.name)]
    noun = catalog.tables[edge.to].name.split()[-1]
    at = next((at for at, word in enumerate(words) if word == noun or _ends_in(noun, word)), len(words))
    at = len(words) + 1 if words[:1] == ["has"] and noun in words else at
    return catalog.tables[edge.to].person, at, catalog.use[edge.iri][2]


def is_called(name: str, table: EntityTable) -> bool:
    """Whether a foreign key is called as the rows that it leads to: "game", of board games, "hero", of superheroes."""
    book = (name, table.name) == ("title", "book")
    return book or table.name == name or table.name.endswith(f" {name}") or _ends_in(table.name, name)


def _ends_in(noun: str, word: str) -> bool:
    """Tell whether a noun is written as one word with another, of which it is a kind: superhero."""
    return " " not in noun and noun.endswith(word) and 3 < len(word) < len(noun) - 2 and is_common_noun(word)


def _is_kin(noun: str, word: str) -> bool:
    """Tell whether a word is of what somebody does who is called so: direction, of a director; production, of a producer."""
    stem = max(5, len(noun) - 3)
    return noun[:stem] == word[:stem] and is_agent(noun)


def says_more(joining: EntityTable, whole: EntityTable, part: EntityTable) -> bool:
    """Whether a table's name says more of a pair than that one has the other: a probe's visits of planets."""
    known = {singular(word) for table in (whole, part) for word in table.name.split()}
    own = {singular(word) for word in joining.name.split()} - known
    own = {word for word in own if not any(_ends_in(noun, word) or _is_kin(noun, word) for noun in known)}
    own -= {"title"} if "book" in known else set()
    return bool(
        own - {*sure.Sure.load().belonging, "link", "map", "mapping", "relation", "join", "junction", "has", "in", "to", "of"}
    )


class Deed(NamedTuple):
    """What people did to a row, or in it: its past and its infinitive."""

    past: str
    base: str


def deed_of(joining: EntityTable, whole: EntityTable, part: EntityTable) -> Deed | None:
    """Return the verb that a table is called by, where it says what people did to the rows of another: directed, acted in."""
    deed = verb_of(joining) if part.person and not whole.person else None
    return deed if deed and (" " in deed.past or sure.is_done_to(deed.past, whole.name)) else None


def verb_of(table: EntityTable) -> Deed | None:
    """Return the verb that a table is called by: its past, with a preposition perhaps."""
    past, *rest = table.name.split()
    base = inflections.base(past)
    if base is None or past != inflections.past(base) or inflections.is_common_noun(past):
        return None
    if len(rest) > 1 or not {*rest} <= {*WordLists.load().prepositions}:
        return None
    return Deed(" ".join((past, *rest)), " ".join((base, *rest)))
