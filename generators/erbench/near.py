"""What a false value is to be like the true one in, so that a person might think it: a river of the same continent.

The false value of a claim, or of a statement in a choice, is drawn from rows that share something with the row asked about:
what the rows referred to have in common (the continent of countries), a column of the row itself (its country), or its century.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.rows import row_variable
from generators.erbench.tables import EntityTable
from generators.erbench.ways import Path, end_of_path

ENOUGH = 0.6
"""So many rows must have a false value that is like the true one in what they share."""
_TIMES = ("year", "date")


@dataclass(frozen=True)
class Likeness:
    """What values are to be alike in: patterns of a query that bind it, and how many values a row may then take."""

    patterns: tuple[str, ...]
    choice: float


def likeness(catalog: Catalog, path: Path, slots: list[str], name: str) -> list[str] | None:
    """Write the patterns that bind, as `name`, what false values of a way's end share with the true ones; None without any."""
    end = end_of_path(catalog, path).select("s", value="o")
    table = catalog.tables[path.start]
    found = [*_of_target(catalog, path, slots, name, end), *_of_row(catalog, table, path, name, end)]
    best = min(found, key=lambda each: each.choice, default=None)
    return list(best.patterns) if best else None


def _of_target(catalog: Catalog, path: Path, slots: list[str], name: str, end: pl.DataFrame) -> list[Likeness]:
    """What the rows that a way leads to have in common: the continent of countries."""
    if not path.edges or (path.end is None) != (len(slots) == len(path.edges)):
        return []
    rows = end_of_rows(catalog, path)
    target = catalog.tables[path.edges[-1].to]
    links: list[Attribute | Edge] = [a for a in target.attributes if a != path.end and a.kind == "text"]
    links += target.edges
    return [
        made
        for link in links
        if (
            made := _measured(
                rows.join(catalog.pairs(link.iri).rename({"s": "row"}), on="row").select("s", like="o"),
                end,
                (f"OPTIONAL {{ ?{slots[len(path.edges) - 1]} {link.path} ?{name} }}",),
            )
        )
    ]


def _of_row(catalog: Catalog, table: EntityTable, path: Path, name: str, end: pl.DataFrame) -> list[Likeness]:
    """What rows of the first table have in common: their country, their century."""
    row, found = row_variable(table), list[Likeness | None]()
    first = path.links[0].iri
    links: list[Attribute | Edge] = [*table.attributes, *table.edges]
    for link in links:
        if link.iri == first:
            continue
        pairs = catalog.pairs(link.iri).rename({"o": "like"})
        if isinstance(link, Attribute) and link.kind in _TIMES:
            pairs = pairs.with_columns(like=pl.col("like").str.slice(0, 2))
            bound = (f"OPTIONAL {{ {row} {link.path} ?{name}_when }}", f"BIND(SUBSTR(STR(?{name}_when), 1, 2) AS ?{name})")
            found.append(_measured(pairs, end, bound))
        elif isinstance(link, Edge) or link.kind == "text":
            found.append(_measured(pairs, end, (f"OPTIONAL {{ {row} {link.path} ?{name} }}",)))
    return [made for made in found if made]


def end_of_rows(catalog: Catalog, path: Path) -> pl.DataFrame:
    """`s, row`: from the start of a path to the last row on it."""
    return catalog.along(*(edge.iri for edge in path.edges)).select("s", row="o")


def _measured(pairs: pl.DataFrame, end: pl.DataFrame, patterns: tuple[str, ...]) -> Likeness | None:
    """Measure a likeness: enough rows must have another value beside their own; the fewer there are, the nearer they are."""
    both = end.join(pairs, on="s").select("like", "value").drop_nulls()
    if both.is_empty() or both["like"].n_unique() < 2:
        return None
    choices = both.with_columns(n=pl.col("value").n_unique().over("like"))["n"]
    enough = int((choices > 1).sum()) >= ENOUGH * end.height
    return Likeness(patterns, float(str(choices.mean()))) if enough else None
