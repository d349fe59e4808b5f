"""The tables of a relational load, read back from the graph as columns of texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from kg.errors import InputError, nearest
from kg.graph import Graph

ROW = "\0row"

_TABLES = "SELECT ?table ?name { ?table a kgp:Table ; kgp:name ?name }"
_COLUMNS = "SELECT ?table ?column ?name { ?table kgp:column ?column . ?column kgp:name ?name }"
_PAIRS = "SELECT ?column ?to { ?column kgp:refersTo ?to }"
_DECLARED = """SELECT ?node ?kind ?table ?column ?other ?determined {
  ?node a ?kind ; kgp:table ?table ; kgp:declared true .
  OPTIONAL { ?node kgp:on|kgp:determinant ?column } OPTIONAL { ?node kgp:references ?other }
  OPTIONAL { ?node kgp:determined ?determined } }"""


@dataclass(frozen=True)
class Declared:
    """A key, a foreign key or a dependency that the source declares; columns by IRI."""

    node: str
    kind: str
    table: str
    columns: tuple[str, ...]
    other: str | None
    determined: tuple[str, ...]


class Relations:
    """The schema graph's tables over a graph's data.

    >>> from kg import open_graph
    >>> relations = Relations(open_graph())
    >>> "title" in relations.frame(relations.table("film")).columns
    True
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        rows = graph.schema(_TABLES).select("table", "name").unique().sort("table")
        shared = pl.col("name").is_duplicated()  # two loads may have tables of one name: then only the IRI tells them apart
        named = rows.select("table", pl.when(shared).then("table").otherwise("name").alias("name"))
        self.names: dict[str, str] = dict(named.iter_rows())
        if not self.names:
            raise InputError("this graph has no tables", way_out="load some with `kg load sql` or `kg load tables`")
        self._values_of: dict[str, pl.DataFrame] = {}

    def table(self, name: str) -> str:
        """Return the IRI of a table. Raises InputError where there is none of this name."""
        for iri, known in self.names.items():
            if known == name:
                return iri
        raise InputError(f"there is no table '{name}'", way_out=nearest(name, self.names.values()))

    @cached_property
    def columns(self) -> dict[str, dict[str, str]]:
        """The columns of each table: IRI to name."""
        found: dict[str, dict[str, str]] = {}
        rows = self.graph.schema(_COLUMNS).select("table", "column", "name").sort("table", "column")
        for table, column, name in rows.iter_rows():
            found.setdefault(table, {})[column] = name
        return found

    @cached_property
    def declared(self) -> list[Declared]:
        """What the source declares."""
        rows = self.graph.schema(_DECLARED).sort("node")
        several = [pl.col(c).drop_nulls().unique().sort() for c in ("column", "determined")]
        nodes = rows.group_by("node", "kind", "table", maintain_order=True).agg(pl.col("other").first(), *several)
        return [
            Declared(node, kind.rpartition("#")[2], table, tuple(columns), other, tuple(determined))
            for node, kind, table, other, columns, determined in nodes.iter_rows()
        ]

    @cached_property
    def _pairs(self) -> dict[str, list[str]]:
        rows = self.graph.schema(_PAIRS).sort("column", "to")
        return dict(rows.group_by("column", maintain_order=True).agg("to").iter_rows())

    def target(self, column: str, other: str) -> str | None:
        """Return the column of table `other` that a foreign key pairs `column` with."""
        return next((to for to in self._pairs.get(column, []) if to in self.columns.get(other, {})), None)

    def frame(self, table: str) -> pl.DataFrame:
        """Return a table: the row's IRI, and a text for each column that has values, one in a row; null where there is none."""
        rows = self.graph.select(f"SELECT ?row {{ ?row a <{table}> }}").unique().sort("row").rename({"row": ROW})
        for column, name in self.columns.get(table, {}).items():
            values = self._values(column, table, frozenset())
            if not values.is_empty() and not values["row"].is_duplicated().any():
                rows = rows.join(values.rename({"row": ROW, "value": name}), on=ROW, how="left", maintain_order="left")
        return rows

    def _values(self, column: str, table: str, seen: frozenset[str]) -> pl.DataFrame:
        if column not in self._values_of:
            self._values_of[column] = self._read(column, table, seen | {column})
        return self._values_of[column]

    def _read(self, column: str, table: str, seen: frozenset[str]) -> pl.DataFrame:
        """A column is an attribute, or a foreign key's edge to a row that has the value, or an edge to a promoted entity."""
        values = self._objects(column)
        for fk in self.declared if values.is_empty() else []:
            if fk.kind == "ForeignKey" and column in fk.columns and fk.table == table and values.is_empty():
                values = self._through(fk, column, seen)
        if values.is_empty():
            stem, _, local = column.rpartition("#")
            values = self._objects(f"{stem}#ref-{local}")
        return values

    def _through(self, fk: Declared, column: str, seen: frozenset[str]) -> pl.DataFrame:
        edges = self._objects(fk.node)
        to = self.target(column, fk.other or "")
        if edges.is_empty() or to is None or fk.other is None or to in seen:
            return edges
        there = self._values(to, fk.other, seen)
        found = edges.join(there, left_on="value", right_on="row", suffix="_there").select("row", value="value_there")
        return edges if found.is_empty() else found

    def _objects(self, predicate: str) -> pl.DataFrame:
        rows = self.graph.select(f"SELECT ?row ?value {{ ?row <{predicate}> ?value }}")
        return rows.select("row", "value").drop_nulls().unique()
