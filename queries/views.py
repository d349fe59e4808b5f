"""The views of the library as columns: from the index of a store where there is one, else by their queries.

```
python -c 'import kg; from queries.views import view; print(view(kg.open_graph(), "labels"))'
```
"""

from __future__ import annotations

from typing import Protocol

import polars as pl

from kg.graph import Graph, count_query
from kg.index import COLUMNS, TEXTS, Index
from kg.local import LocalGraph
from queries.templates import find


class Columns(Protocol):
    """The views of a graph with numbers for IRIs: `iris` has the text of each number."""

    @property
    def iris(self) -> pl.Series:
        """All IRIs, in the order of their numbers."""
        ...

    def frame(self, view: str) -> pl.DataFrame:
        """Return a view of `kg.index.COLUMNS`, each row once, IRIs as numbers (u32)."""
        ...

    def numbers(self, iris: pl.Series) -> pl.Series:
        """Return the number of each IRI (u32); it may be null for one that stands in no view."""
        ...


def view(graph: Graph, name: str) -> pl.DataFrame:
    """Return a view of the library, IRIs as texts, null where there is no value; an index has `kg.index.COLUMNS` and `edges`.

    >>> from kg import open_graph
    >>> view(open_graph(), "concepts").columns
    ['e', 'c']
    """
    index = graph.index() if isinstance(graph, LocalGraph) and name in (*COLUMNS, "edges") else None
    if index is None:
        return graph.select(find(name).bind())
    count_query(find(name).bind())  # who asks what a run stands on is told of the view's definition
    return index.texts(name)


def columns_of(graph: Graph) -> Columns:
    """Return the views of a graph as numbers, those of the index of its folder or pulled when they are asked for.

    >>> from kg import open_graph
    >>> columns = columns_of(open_graph())
    >>> place = columns.frame("concepts")["e"][0]
    >>> int(columns.numbers(pl.Series([columns.iris[place]]))[0]) == place
    True
    """
    index = graph.index() if isinstance(graph, LocalGraph) else None
    return Pulled(graph) if index is None else Indexed(index)


class Indexed:
    """The views of an index; who asks what a run stands on is told of their definitions."""

    def __init__(self, index: Index) -> None:
        self._index, self.iris = index, index.iris

    def frame(self, view: str) -> pl.DataFrame:
        """Return a view, each row once, IRIs as numbers (u32)."""
        count_query(find(view).bind())
        return self._index.frame(view)

    def numbers(self, iris: pl.Series) -> pl.Series:
        """Return the number of each IRI (u32); null for one that stands in no view."""
        return self._index.numbers(iris)


class Pulled:
    """The views of a graph without an index, each pulled once; IRIs are numbered as they come."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.iris = pl.Series("iri", [], pl.String)
        self._frames: dict[str, pl.DataFrame] = {}

    def frame(self, view: str) -> pl.DataFrame:
        """Return a view, each row once, IRIs as numbers (u32)."""
        if view not in self._frames:
            every = self._graph.select(find(view).bind())
            named = [c for c in every.columns if c not in TEXTS]
            rows = every.drop_nulls(named)
            iris = self.numbers(pl.concat([rows[c].alias("iri") for c in named]))
            numbers = (iris.slice(at * rows.height, rows.height).alias(c) for at, c in enumerate(named))
            self._frames[view] = rows.with_columns(numbers).unique()
        return self._frames[view]

    def numbers(self, iris: pl.Series) -> pl.Series:
        """Return the number of each IRI (u32), a new one where none of it has been heard yet; null stays null."""
        known, asked = self.iris.to_frame(), iris.to_frame("iri")
        new = asked.unique().drop_nulls().join(known, on="iri", how="anti")
        self.iris = pl.concat([known, new])["iri"]
        place = self.iris.to_frame().with_row_index("place")
        return asked.join(place, on="iri", how="left", maintain_order="left")["place"].alias(iris.name)
