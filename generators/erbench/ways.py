"""The ways from a row along foreign keys to an end, and what gives the end away.

networkx walks the schema: its nodes are the tables, its edges the foreign keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from generators.erbench import refusals
from generators.erbench.catalog import ALIKE, Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.rows import stated_row
from kg.text import fold_all

if TYPE_CHECKING:
    import networkx as nx

    Schema: TypeAlias = nx.MultiDiGraph[str]


@dataclass(frozen=True)
class Path:
    """A way from a row of a table along foreign keys to an end: the last row itself, or a column of it."""

    start: str
    edges: tuple[Edge, ...]
    end: Attribute | None

    @property
    def hops(self) -> int:
        """How many values a right explanation names."""
        return len(self.edges) + (self.end is not None)

    @property
    def links(self) -> list[Edge | Attribute]:
        """The foreign keys, and the column that it ends in."""
        return [*self.edges, *([self.end] if self.end else [])]

    @property
    def title(self) -> str:
        """What to call it: the names along the way."""
        return " / ".join([*(edge.name for edge in self.edges), *([self.end.name] if self.end else [])])


def paths(catalog: Catalog, hops: int) -> Iterator[Path]:
    """Yield every path of up to so many hops: no table twice, but that a table may refer to itself once."""
    import networkx as nx  # here: it takes a while to load

    schema: Schema = nx.MultiDiGraph()
    schema.add_nodes_from(catalog.tables)
    for table in catalog.tables.values():
        schema.add_edges_from((edge.table, edge.to, {"edge": edge}) for edge in table.edges)
    for start in catalog.tables:
        yield from _from(schema, catalog, start, (), hops)


def _from(schema: Schema, catalog: Catalog, start: str, edges: tuple[Edge, ...], hops: int) -> Iterator[Path]:
    here = edges[-1].to if edges else start
    if edges:
        yield Path(start, edges, None)
    if len(edges) < hops:
        yield from (Path(start, edges, attribute) for attribute in catalog.tables[here].attributes)
        for _, to, data in schema.out_edges(here, data=True):
            edge: Edge = data["edge"]
            back = to in {start, *(e.to for e in edges)} and not (to == here and not any(e.table == e.to for e in edges))
            verbs = edge.is_verb and any(e.is_verb for e in edges)
            if not back and not verbs:
                yield from _from(schema, catalog, start, (*edges, edge), hops)


def end_of_path(catalog: Catalog, path: Path) -> pl.DataFrame:
    """`s, o`: from the start of a path to what its end says."""
    return (catalog.along if path.end else catalog.said)(*(link.iri for link in path.links))


def shortcut(catalog: Catalog, path: Path) -> str | None:
    """Say what gives the end of a path away: the name at its start, or a column of the first row that says the same."""
    end = end_of_path(catalog, path).drop_nulls()
    end = end.with_columns(folded=fold_all(end["o"])).rename({"o": "value"})
    if end["folded"].n_unique() < 2:
        return "all rows have the same value"
    flag = path.end is not None and path.end.kind == "flag"  # a yes or a no can always be guessed
    if refusals.is_settled(end["folded"], refusals.FLAGGED if flag else refusals.MOST):
        return refusals.SETTLED
    _, told = stated_row(catalog, catalog.tables[path.start], path.links[0])
    beside = [edge for _, edge in told if isinstance(edge, Edge)]
    if any(edge.to in {own.to for own in path.edges} or refusals.tells(catalog.said(edge.iri), end) for edge in beside):
        return refusals.STATED
    named = end.join(catalog.labels, left_on="s", right_on="e")
    contained = pl.DataFrame({"name": " " + fold_all(named["label"]) + " ", "value": " " + named["folded"] + " "})
    if (contained.select(pl.col("name").str.contains(pl.col("value"), literal=True).mean()).item() or 0) > ALIKE:
        return "the question would contain its answer"
    if path.end is None and (contained.select(pl.col("value").str.starts_with(pl.col("name")).mean()).item() or 0) > 0.5:
        return "its answers begin with the name of the row"  # the Japan Yen, of Japan
    for attribute in catalog.tables[path.start].attributes if path.edges else ():
        own = catalog.pairs(attribute.iri)
        both = end.join(own.with_columns(own=fold_all(own["o"])), on="s")
        if not both.is_empty() and (both["folded"] == both["own"]).mean() >= ALIKE:  # type: ignore[operator]
            return f"'{attribute.name}' gives it away"
    if why := _repeats(catalog, path):
        return why
    return refusals.GUESSED if not flag and refusals.is_guessed(end["folded"]) else None


def _repeats(catalog: Catalog, path: Path) -> str | None:
    """Say which foreign key of the first row leads to the same rows as a longer way: a course's coordinator is of its place."""
    own = [edge for edge in catalog.tables[path.start].edges if edge != path.edges[0]] if len(path.edges) > 1 else []
    for far, step in enumerate(path.edges[1:] if own else (), start=2):
        pairs = catalog.along(*(link.iri for link in path.edges[:far]))
        for edge in own:
            both = pairs.join(catalog.pairs(edge.iri), on="s") if edge.to == step.to else pl.DataFrame()
            if both.height and (both["o"] == both["o_right"]).mean() >= ALIKE:  # type: ignore[operator]
                return f"'{edge.name}' leads there as well"
    return None
