"""Which rows have names that tell nobody which one is meant: "the National Museum", a wine that is called as its region.

```
>>> is_generic("Socialist Party", "party"), is_generic("Fine Gael", "party"), is_generic("Lagos Museum", "museum")
(True, False, False)

```
"""

from __future__ import annotations

import re

import polars as pl

from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.tables import EntityTable


def is_generic(name: str, noun: str) -> bool:
    """Tell whether a name is made of common words alone, as many parties, museums and schools of the world have it."""
    words = re.findall(r"[^\W\d_]+", name)
    alike = noun.split()[-1] in sure.Sure.load().called_alike
    return alike and bool(words) and all(map(sure.is_common_word, words))


def untold(catalog: Catalog, table: EntityTable) -> list[str]:
    """Return the rows of a table whose names do not tell which one is meant; where a question says of what it is, none."""
    if table.key or table.person or catalog.setting(table):
        return []
    rows = catalog.names_of(table)
    generic = [is_generic(name, table.name) for name in rows["label"]]
    found = rows.filter(pl.Series(generic, dtype=pl.Boolean))["e"].to_list()
    if _is_made(table):
        found += _named_after_others(catalog, table, rows)
    return sorted({*found})


def _is_made(table: EntityTable) -> bool:
    """Whether rows have makers: several of them may make what is called after one place or plant."""
    makers = {*WordLists.load().companies, *sure.Sure.load().makers, "producer"} - {"operator"}  # a city has one metro
    links: list[Edge | Attribute] = [*table.edges, *table.attributes]
    return not table.place and any(link.name.split()[-1] in makers for link in links)


def _named_after_others(catalog: Catalog, table: EntityTable, rows: pl.DataFrame) -> list[str]:
    """The rows that are called as a row of another table is, but a person's, or after a place that they lead to."""
    apart = [other for other in catalog.tables.values() if other.iri != table.iri and not (other.person or other.key)]
    same = {name for other in apart for name in catalog.names_of(other)["label"]}
    near = _reached(catalog, table)
    around = [other for other in apart if other.iri in near and other.place]
    places = {" ".join(_words(name)) for other in around for name in catalog.names_of(other)["label"]}
    after = [name in same or bool(places & _phrases(_words(name))) for name in rows["label"]]
    return rows.filter(pl.Series(after, dtype=pl.Boolean))["e"].to_list()


def _words(name: str) -> list[str]:
    return re.findall(r"\w+", name)


def _phrases(words: list[str]) -> set[str]:
    """All runs of words in a name."""
    return {" ".join(words[at:end]) for at in range(len(words)) for end in range(at + 1, len(words) + 1)}


def _reached(catalog: Catalog, table: EntityTable) -> set[str]:
    """The tables that rows lead to over two foreign keys at most: a wine's producer, and the region of that."""
    first = {edge.to for edge in table.edges}
    return first | {edge.to for iri in first for edge in catalog.tables[iri].edges}


def lie_within(catalog: Catalog, link: Edge | Attribute) -> bool:
    """Tell whether values lie within one another, so that several are right: clades, regions that have parents."""
    lists, own = WordLists.load(), sure.Sure.load()
    last, row = link.name.split()[-1], catalog.tables[link.table].name.split()[-1]
    if last in own.nested or (row in ("language", "dialect") and last in own.nested_of_languages):
        return True
    if isinstance(link, Attribute) or link.to == link.table:
        return False
    to = catalog.tables[link.to]
    whole = {*lists.areas, *lists.places, *lists.groups, *own.nested, *own.vague} - {*own.umbrellas}
    return to.name.split()[-1] in whole and any(edge.to == to.iri for edge in to.edges)
