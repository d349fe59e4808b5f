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
        found += rows.filter(rows["label"].is_in(_others(catalog, table)))["e"].to_list()
    return sorted({*found})


def _is_made(table: EntityTable) -> bool:
    """Whether rows have makers: several of them may make what is called after one place or plant."""
    makers = {*WordLists.load().companies, *sure.Sure.load().makers, "producer"}
    links: list[Edge | Attribute] = [*table.edges, *table.attributes]
    return not table.place and any(link.name.split()[-1] in makers for link in links)


def _others(catalog: Catalog, table: EntityTable) -> list[str]:
    """The names of the rows of all other tables but people: a region, a grape."""
    apart = (other for other in catalog.tables.values() if other.iri != table.iri and not (other.person or other.key))
    return sorted({name for other in apart for name in catalog.names_of(other)["label"]})


def lie_within(catalog: Catalog, link: Edge | Attribute) -> bool:
    """Tell whether values lie within one another, so that several are right: clades, regions that have parents."""
    lists, own = WordLists.load(), sure.Sure.load()
    if link.name.split()[-1] in own.nested:
        return True
    if isinstance(link, Attribute) or link.to == link.table:
        return False
    to = catalog.tables[link.to]
    whole = {*lists.areas, *lists.places, *lists.groups, *own.nested, *own.vague} - {*own.umbrellas}
    return to.name.split()[-1] in whole and any(edge.to == to.iri for edge in to.edges)
