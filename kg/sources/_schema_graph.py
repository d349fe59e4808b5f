"""What the schema graph says about relational tables: keys, foreign keys and functional dependencies."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pyoxigraph as ox

from kg.build import Build
from kg.sources._direct import DirectNames
from kg.sources._schema import Schema, TableSchema
from kg.vocab import KGP, RDF_TYPE, XSD

__all__ = ["describe_schema", "readable"]


def readable(name: str, *, reference: bool = False) -> str:
    """Return a table's or column's name as a label; that of a reference without a trailing `_id`.

    >>> readable("release_year"), readable("director_id", reference=True)
    ('release year', 'director')
    """
    text = name.removesuffix("_id") if reference and name != "_id" else name
    return text.replace("_", " ").strip()


def describe_schema(build: Build, schema: Schema, columns: dict[str, list[str]]) -> None:
    """Write what `schema` declares into the schema graph of a load; `columns` are those of each table's file."""
    writer = _Writer(build, DirectNames(schema.base), schema)
    for table in schema.tables.values():
        writer.table(table, columns[table.name])
        writer.keys(table)
        writer.foreign_keys(table)
        writer.dependencies(table)
    writer.write()


class _Writer:
    def __init__(self, build: Build, names: DirectNames, schema: Schema) -> None:
        self.build, self.names, self.schema = build, names, schema
        self.said: list[tuple[str, str, str]] = []

    def write(self) -> None:
        rows = pl.DataFrame(self.said, schema=dict.fromkeys("spo", pl.String), orient="row")
        self.build.triples(rows["s"], rows["p"], rows["o"], schema=True)

    def table(self, table: TableSchema, columns: list[str]) -> None:
        node = self.names.table(table.name)
        self._say(node, f"<{RDF_TYPE}>", f"<{KGP}Table>")
        self._say(node, f"<{KGP}name>", _text(table.name))
        for column in columns:
            term = self.names.column(table.name, column)
            self._say(node, f"<{KGP}column>", term)
            self._say(term, f"<{KGP}name>", _text(column))
        for column, datatype in table.types:
            self._say(self.names.column(table.name, column), f"<{KGP}datatype>", f"<{XSD}{datatype}>")

    def keys(self, table: TableSchema) -> None:
        if table.key:
            self._columns("PrimaryKey", table.name, "key-", table.key, "on")
        for columns in table.unique:
            self._columns("UniqueKey", table.name, "unique-", columns, "on")

    def foreign_keys(self, table: TableSchema) -> None:
        for fk in table.fk:
            node = self._columns("ForeignKey", table.name, "ref-", fk.columns, "on")
            self._say(node, f"<{KGP}references>", self.names.table(fk.table))
            to = fk.to or self.schema.tables[fk.table].key
            for column, other in zip(fk.columns, to, strict=True):
                here, there = self.names.column(table.name, column), self.names.column(fk.table, other)
                self._say(here, f"<{KGP}refersTo>", there)

    def dependencies(self, table: TableSchema) -> None:
        for fd in table.fd:
            node = self._columns("FunctionalDependency", table.name, "fd-", (*fd.columns, *fd.determined))
            for role, columns in (("determinant", fd.columns), ("determined", fd.determined)):
                for column in columns:
                    self._say(node, f"<{KGP}{role}>", self.names.column(table.name, column))

    def _columns(self, kind: str, table: str, prefix: str, columns: Sequence[str], role: str | None = None) -> str:
        node = self.names.part(table, prefix, columns)
        self._say(node, f"<{RDF_TYPE}>", f"<{KGP}{kind}>")
        self._say(node, f"<{KGP}table>", self.names.table(table))
        for column in columns if role else ():
            self._say(node, f"<{KGP}{role}>", self.names.column(table, column))
        return node

    def _say(self, s: str, p: str, o: str) -> None:
        self.said.append((s, p, o))


def _text(text: str) -> str:
    return str(ox.Literal(text))
