"""The W3C Direct Mapping: the names it gives to rows, tables, columns and foreign keys, and the graph it makes of them.

https://www.w3.org/TR/rdb-direct-mapping/
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from kg.build import Build, literal_terms
from kg.sources._rows import Parts, Rows
from kg.sources._schema import Schema, TableSchema
from kg.vocab import RDF_TYPE, XSD

# RFC 3987's iunreserved characters stay; everything else is percent-encoded, as R2RML's "IRI-safe version" has it.
_PLANES = "".join(f"{chr(p << 16)}-{chr((p << 16) + 0xFFFD)}" for p in range(1, 14)) + "\U000e1000-\U000efffd"
_UNSAFE = re.compile(rf"[^A-Za-z0-9._~\-\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef{_PLANES}]")


def iri_safe(text: str) -> str:
    """Percent-encode what may not stand in a part of an IRI; letters of any script stay.

    >>> iri_safe("a b/c=d;植物")
    'a%20b%2Fc%3Dd%3B植物'
    """
    return _UNSAFE.sub(lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode()), text)


class DirectNames:
    """The terms of one base, as N-Triples writes them.

    >>> names = DirectNames("http://e/")
    >>> names.table("my film"), names.column("film", "title"), names.reference("cast", ["a", "b"])
    ('<http://e/my%20film>', '<http://e/film#title>', '<http://e/cast#ref-a;b>')
    """

    def __init__(self, base: str) -> None:
        self.base = base

    def table(self, table: str) -> str:
        """Return the class of a table's rows."""
        return f"<{self.base}{iri_safe(table)}>"

    def column(self, table: str, column: str) -> str:
        """Return the attribute of a column."""
        return self.part(table, "", [column])

    def reference(self, table: str, columns: Sequence[str]) -> str:
        """Return the relation of a foreign key."""
        return self.part(table, "ref-", columns)

    def part(self, table: str, kind: str, columns: Sequence[str]) -> str:
        """Return `<table#kind` and the columns`>`."""
        return f"<{self.base}{iri_safe(table)}#{kind}{';'.join(map(iri_safe, columns))}>"

    def rows(self, table: str, key: Sequence[str], frame: pl.DataFrame) -> pl.Series:
        """Return the row nodes by key: `<table/key=value;…>`."""
        parts = [f"{iri_safe(column)}=" + _safe_all(frame[column]) for column in key]
        pairs = parts[0]
        for part in parts[1:]:
            pairs = pairs + ";" + part
        return (f"<{self.base}{iri_safe(table)}/" + pairs + ">").rename("iri")

    def keyless_rows(self, table: str, contents: pl.Series, numbers: pl.Series) -> pl.Series:
        """Return row nodes made of a hash of the content, and a number that tells equal rows apart."""
        rows = pl.DataFrame({"row": contents, "n": numbers})
        iri = pl.format(f"<{self.base}{iri_safe(table)}/row={{}};n={{}}>", "row", "n")
        return rows.select(iri.alias("iri")).to_series()

    def entities(self, concept: str, names: pl.Series) -> pl.Series:
        """Return the entities of a concept by their names: `<concept/name>`."""
        return f"<{self.base}{iri_safe(concept)}/" + _safe_all(names) + ">"


def contents_of(rows: pl.DataFrame) -> pl.Series:
    """Return a hash of the content of each row, whatever the order of its columns."""
    cells = rows.select(sorted(rows.columns)).iter_rows()
    return pl.Series([hashlib.sha256(repr(row).encode()).hexdigest()[:32] for row in cells], dtype=pl.String)


def _safe_all(texts: pl.Series) -> pl.Series:
    distinct = texts.unique().drop_nulls()
    odd = distinct.filter(~distinct.str.contains(r"^[A-Za-z0-9._~-]*$")).to_list()
    return texts.replace(odd, [iri_safe(text) for text in odd]) if odd else texts


class DirectRows(NamedTuple):
    """Some rows of a table as natural literals: their lexical forms, and their datatypes (null: a plain text)."""

    lexical: pl.DataFrame
    datatypes: pl.DataFrame


class DirectGraph:
    """Writes the Direct Mapping graph into a load: types, literals of all columns, edges of foreign keys; nothing else.

    Rows come some at a time and are written at once; what names them waits in the scratch of the load, where there is one.
    """

    def __init__(self, build: Build, schema: Schema, columns: dict[str, list[str]]) -> None:
        self.build, self.schema, self.names = build, schema, DirectNames(schema.base)
        self.rows = {name: Rows(columns[name], build.scratch) for name in columns}
        self._blank = {name: f"_:t{number}r" for number, name in enumerate(columns)}

    def add(self, table: TableSchema, part: DirectRows) -> None:
        """Write rows of a table: their types and values."""
        nodes = self._nodes(table, part.lexical, self.rows[table.name].height)
        self.build.triples(nodes, f"<{RDF_TYPE}>", self.names.table(table.name))
        for column in part.lexical.columns:
            self.build.triples(nodes, self.names.column(table.name, column), _literals(part, column))
        self.rows[table.name].add(part.lexical)

    def refer(self) -> None:
        """Write the edges of the foreign keys, once all rows are there."""
        for name, table in self.schema.tables.items():
            for fk in table.fk:
                height = max(self.rows[name].height, self.rows[fk.table].height)
                here = self._keyed(table, fk.columns, height)
                there = self._keyed(self.schema.tables[fk.table], fk.to, height)
                on = [str(n) for n in range(len(fk.to))]
                for some, others in zip(here.frames(), there.frames(), strict=True):
                    # A null in a foreign key refers to nothing.
                    edges = some.drop_nulls().join(others, on=on)
                    self.build.triples(edges["node"], self.names.reference(name, fk.columns), edges["node_right"])
        self.build.counts |= {"tables": len(self.rows), "rows": sum(rows.height for rows in self.rows.values())}

    def _keyed(self, table: TableSchema, columns: Sequence[str], height: int) -> Parts:
        """Return the nodes of rows with some columns under the names 0, 1, …, by which both sides of a key can be joined."""
        numbered = [pl.col(column).alias(str(number)) for number, column in enumerate(columns)]
        parts, before = Parts([*(str(n) for n in range(len(columns))), "node"], height, self.build.scratch), 0
        for rows in self.rows[table.name].batches([*table.key, *columns]):
            parts.add(rows.select(*numbered, self._nodes(table, rows, before)), "0")
            before += rows.height
        return parts

    def _nodes(self, table: TableSchema, rows: pl.DataFrame, before: int) -> pl.Series:
        """Name rows by their primary key; a row without one (or with a null in it) is a blank node of its own."""
        blank = pl.format(f"{self._blank[table.name]}{{}}", pl.int_range(before, before + rows.height))
        by_key = self.names.rows(table.name, table.key, rows) if table.key else pl.lit(None, pl.String)
        return rows.select(pl.coalesce(by_key, blank).alias("node")).to_series()


def _literals(part: DirectRows, column: str) -> pl.Series:
    plain = literal_terms(part.lexical[column])
    typed = plain + "^^<" + XSD + part.datatypes[column] + ">"
    return pl.DataFrame({"typed": typed, "plain": plain}).select(pl.coalesce("typed", "plain")).to_series()
