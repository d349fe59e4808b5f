"""The W3C Direct Mapping graph of relational tables: https://www.w3.org/TR/rdb-direct-mapping/."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from kg.build import Build, literal_terms
from kg.sources._direct import DirectNames
from kg.sources._schema import ForeignKey, Schema, TableSchema
from kg.vocab import RDF_TYPE, XSD

_NODE = "\0node"


class DirectTable(NamedTuple):
    """The cells of a table as natural literals: their lexical forms, and their datatypes (null: a plain text)."""

    lexical: pl.DataFrame
    datatypes: pl.DataFrame


def direct_graph(build: Build, schema: Schema, tables: dict[str, DirectTable]) -> None:
    """Write the Direct Mapping graph into a load: types, literals of all columns, edges of foreign keys; nothing else."""
    names = DirectNames(schema.base)
    nodes = {
        name: tables[name].lexical.with_columns(_nodes(names, table, tables[name].lexical, number).alias(_NODE))
        for number, (name, table) in enumerate(schema.tables.items())
    }
    for name, table in schema.tables.items():
        build.triples(nodes[name][_NODE], f"<{RDF_TYPE}>", names.table(name))
        for column in tables[name].lexical.columns:
            build.triples(nodes[name][_NODE], names.column(name, column), _literals(tables[name], column))
        for fk in table.fk:
            edges = _edges(nodes[name], nodes[fk.table], fk)
            build.triples(edges[_NODE], names.reference(name, fk.columns), edges["to"])
    build.counts |= {"tables": len(tables), "rows": sum(t.lexical.height for t in tables.values())}


def _nodes(names: DirectNames, table: TableSchema, rows: pl.DataFrame, number: int) -> pl.Series:
    """Name rows by their primary key; a row without one (or with a null in it) is a blank node of its own."""
    blank = pl.format(f"_:t{number}r{{}}", pl.int_range(rows.height))
    if not table.key:
        return rows.select(blank.alias("node")).to_series()
    named = names.rows(table.name, table.key, rows)
    return rows.select(pl.coalesce(named, blank).alias("node")).to_series()


def _literals(table: DirectTable, column: str) -> pl.Series:
    plain = literal_terms(table.lexical[column])
    typed = plain + "^^<" + XSD + table.datatypes[column] + ">"
    return pl.DataFrame({"typed": typed, "plain": plain}).select(pl.coalesce("typed", "plain")).to_series()


def _edges(rows: pl.DataFrame, others: pl.DataFrame, fk: ForeignKey) -> pl.DataFrame:
    """Join the rows to those they refer to; a null in a foreign key refers to nothing."""
    targets = others.select(*(pl.col(c).alias(f"\0{n}") for n, c in enumerate(fk.to)), to=_NODE)
    found = rows.select(_NODE, *fk.columns).drop_nulls()
    return found.join(targets, left_on=list(fk.columns), right_on=[f"\0{n}" for n in range(len(fk.to))])
