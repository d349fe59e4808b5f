"""The tables of a relational load, read back from the graph as columns of texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from kg.errors import InputError, nearest
from kg.graph import Graph

_TABLES = "SELECT ?table ?name { ?table a kgp:Table ; kgp:name ?name }"
_COLUMNS = "SELECT ?table ?column ?name { ?table kgp:column ?column . ?column kgp:name ?name }"
_PAIRS = "SELECT ?column ?to { ?column kgp:refersTo ?to }"
_DECLARED = """SELECT ?node ?kind ?table ?column ?other ?determined {
  ?node a ?kind ; kgp:table ?table ; kgp:declared true .
  OPTIONAL { ?node kgp:on|kgp:determinant ?column } OPTIONAL { ?node kgp:references ?other }
  OPTIONAL { ?node kgp:determined ?determined } }"""


@dataclass(frozen=True)
class Declaration:
    """A key, a foreign key or a dependency that the source declares; columns by IRI."""

    node: str
    kind: str
    table: str
    columns: tuple[str, ...]
    other: str | None
    determined: tuple[str, ...]


@dataclass(frozen=True)
class TableCells:
    """The IRI of each row, and a text for each column that has values, one in a row; null where there is none."""

    rows: pl.Series
    cells: pl.DataFrame


class GraphTables:
    """The tables that a graph's schema describes, over the graph's data.

    Raises InputError where the graph has no tables.

    >>> from kg import open_graph
    >>> tables = GraphTables(open_graph())
    >>> "title" in tables.read(tables.iri_of("film")).cells.columns
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

    def iri_of(self, name: str) -> str:
        """Return the IRI of a table. Raises InputError where there is none of this name."""
        for iri, known in self.names.items():
            if known == name:
                return iri
        raise InputError(f"there is no table '{name}'", way_out=nearest(name, self.names.values()))

    @cached_property
    def columns(self) -> dict[str, dict[str, str]]:
        """The columns of each table: IRI to name."""
        columns: dict[str, dict[str, str]] = {}
        rows = self.graph.schema(_COLUMNS).select("table", "column", "name").sort("table", "column")
        for table, column, name in rows.iter_rows():
            columns.setdefault(table, {})[column] = name
        return columns

    @cached_property
    def declarations(self) -> list[Declaration]:
        """What the source declares about all tables."""
        rows = self.graph.schema(_DECLARED).sort("node")
        several = [pl.col(c).drop_nulls().unique().sort() for c in ("column", "determined")]
        nodes = rows.group_by("node", "kind", "table", maintain_order=True).agg(pl.col("other").first(), *several)
        return [
            Declaration(node, kind.rpartition("#")[2], table, tuple(columns), other, tuple(determined))
            for node, kind, table, other, columns, determined in nodes.iter_rows()
        ]

    @cached_property
    def _pairs(self) -> dict[str, list[str]]:
        rows = self.graph.schema(_PAIRS).sort("column", "to")
        return dict(rows.group_by("column", maintain_order=True).agg("to").iter_rows())

    def target(self, column: str, other: str) -> str | None:
        """Return the column of table `other` that a foreign key pairs `column` with."""
        return next((to for to in self._pairs.get(column, []) if to in self.columns.get(other, {})), None)

    def read(self, table: str) -> TableCells:
        """Read a table; a column without any value, or with several in a row, is left out."""
        rows = self.graph.select(f"SELECT ?row {{ ?row a <{table}> }}").unique().sort("row")
        cells = {}
        for column, name in self.columns.get(table, {}).items():
            values = self._values(column, table, frozenset())
            if not values.is_empty() and not values["row"].is_duplicated().any():
                cells[name] = rows.join(values, on="row", how="left", maintain_order="left")["value"]
        return TableCells(rows["row"], pl.DataFrame(cells))

    def _values(self, column: str, table: str, path: frozenset[str]) -> pl.DataFrame:
        if column not in self._values_of:
            self._values_of[column] = self._read_column(column, table, path | {column})
        return self._values_of[column]

    def _read_column(self, column: str, table: str, path: frozenset[str]) -> pl.DataFrame:
        """Read an attribute, or the values at the other end of a foreign key, or edges to promoted entities."""
        values = self._objects(column)
        for fk in self.declarations if values.is_empty() else []:
            if fk.kind == "ForeignKey" and column in fk.columns and fk.table == table and values.is_empty():
                values = self._through(fk, column, path)
        if values.is_empty():
            stem, _, local = column.rpartition("#")
            values = self._objects(f"{stem}#ref-{local}")
        return values

    def _through(self, fk: Declaration, column: str, path: frozenset[str]) -> pl.DataFrame:
        """Read the values that the rows at the other end of a foreign key have; `path` are the columns on the way here."""
        edges = self._objects(fk.node)
        to = self.target(column, fk.other or "")
        # Foreign keys may refer to each other in a circle: then the IRIs of the rows are their values.
        if edges.is_empty() or to is None or fk.other is None or to in path:
            return edges
        there = self._values(to, fk.other, path)
        values = edges.join(there, left_on="value", right_on="row", suffix="_there").select("row", value="value_there")
        return edges if values.is_empty() else values

    def _objects(self, predicate: str) -> pl.DataFrame:
        rows = self.graph.select(f"SELECT ?row ?value {{ ?row <{predicate}> ?value }}")
        return rows.select("row", "value").drop_nulls().unique()
