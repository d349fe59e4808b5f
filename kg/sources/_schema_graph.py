"""What the schema graph says about relational tables: keys, foreign keys and functional dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl
import pyoxigraph as ox

from kg.build import Build
from kg.sources._direct import DirectNames, iri_safe
from kg.sources._schema import Schema, TableSchema
from kg.vocab import KGP, RDF_TYPE, XSD


def describe_schema(build: Build, schema: Schema, columns: dict[str, list[str]]) -> None:
    """Write what `schema` declares into the schema graph of a load; `columns` are those of each table's file."""
    triples = SchemaTriples(DirectNames(schema.base))
    for table in schema.tables.values():
        _table(triples, table, columns[table.name])
        _keys(triples, table)
        _foreign_keys(triples, schema, table)
        for fd in table.fd:
            triples.dependency(table.name, fd.columns, fd.determined, declared=True)
    rows = triples.frame()
    build.triples(rows["s"], rows["p"], rows["o"], schema=True)


def _table(triples: SchemaTriples, table: TableSchema, columns: list[str]) -> None:
    node = triples.names.table(table.name)
    triples.add(node, f"<{RDF_TYPE}>", f"<{KGP}Table>")
    triples.add(node, f"<{KGP}name>", str(ox.Literal(table.name)))
    for column in columns:
        term = triples.names.column(table.name, column)
        triples.add(node, f"<{KGP}column>", term)
        triples.add(term, f"<{KGP}name>", str(ox.Literal(column)))
    for column, datatype in (*table.types, *table.hints):
        triples.add(triples.names.column(table.name, column), f"<{KGP}datatype>", f"<{XSD}{datatype}>")


def _keys(triples: SchemaTriples, table: TableSchema) -> None:
    if table.key:
        triples.key("PrimaryKey", table.name, table.key, declared=True)
    for columns in table.unique:
        triples.key("UniqueKey", table.name, columns, declared=True)


def _foreign_keys(triples: SchemaTriples, schema: Schema, table: TableSchema) -> None:
    for fk in table.fk:
        to = fk.to or schema.tables[fk.table].key
        triples.foreign_key(table.name, fk.columns, fk.table)
        for column, other in zip(fk.columns, to, strict=True):
            here, there = triples.names.column(table.name, column), triples.names.column(fk.table, other)
            triples.add(here, f"<{KGP}refersTo>", there)


@dataclass
class SchemaTriples:
    """Triples about keys, references and dependencies, by one naming scheme, whether declared or discovered."""

    names: DirectNames
    triples: list[tuple[str, str, str]] = field(default_factory=list)

    def key(self, kind: str, table: str, columns: Sequence[str], *, declared: bool) -> str:
        """Say that columns are a key (`PrimaryKey`, `UniqueKey`, `CandidateKey`)."""
        prefix = {"PrimaryKey": "key-", "UniqueKey": "unique-"}.get(kind, "candidate-")
        return self._node(kind, self.names.part(table, prefix, columns), table, {"on": columns}, declared)

    def foreign_key(self, table: str, columns: Sequence[str], other: str) -> str:
        """Say that columns are declared to refer to another table."""
        node = self.names.part(table, "ref-", columns)
        self.add(node, f"<{KGP}references>", self.names.table(other))
        return self._node("ForeignKey", node, table, {"on": columns}, True)

    def inclusion(self, table: str, columns: Sequence[str], other: str, to: Sequence[str]) -> str:
        """Say that all values of columns stand in a key of another table (an `InclusionDependency`)."""
        target = self.names.part(other, "", to)
        node = f"{self.names.part(table, 'in-', columns)[:-1]}/{iri_safe(other)}/{target.partition('#')[2]}"
        self.add(node, f"<{KGP}references>", self.names.table(other))
        for column in to:
            self.add(node, f"<{KGP}referencedKey>", self.names.column(other, column))
        return self._node("InclusionDependency", node, table, {"on": columns}, False)

    def dependency(self, table: str, left: Sequence[str], right: Sequence[str], *, declared: bool) -> str:
        """Say that columns determine others."""
        both = [self.names.part(table, kind, columns) for kind, columns in (("fd-", left), ("", right))]
        node = f"{both[0][:-1]}/{both[1].partition('#')[2]}"
        roles = {"determinant": left, "determined": right}
        return self._node("FunctionalDependency", node, table, roles, declared)

    def add(self, s: str, p: str, o: str) -> None:
        """Add one triple, of terms as N-Triples writes them."""
        self.triples.append((s, p, o))

    def number(self, s: str, name: str, value: float) -> None:
        """Say a number about a node: `kgp:support`, `kgp:violations`, `kgp:coverage`, …"""
        datatype = "integer" if isinstance(value, int) else "decimal"
        self.add(s, f"<{KGP}{name}>", f'"{value}"^^<{XSD}{datatype}>')

    def frame(self) -> pl.DataFrame:
        """Return the triples as a frame."""
        return pl.DataFrame(self.triples, schema=dict.fromkeys("spo", pl.String), orient="row")

    def _node(self, kind: str, node: str, table: str, roles: dict[str, Sequence[str]], declared: bool) -> str:
        self.add(node, f"<{RDF_TYPE}>", f"<{KGP}{kind}>")
        self.add(node, f"<{KGP}table>", self.names.table(table))
        self.add(node, f"<{KGP}declared>", f'"{str(declared).lower()}"^^<{XSD}boolean>')
        for role, columns in roles.items():
            for column in columns:
                self.add(node, f"<{KGP}{role}>", self.names.column(table, column))
        return node
