"""Relational tables in files (CSV, TSV, JSON Lines, Parquet), with primary and foreign keys.

```
kg load tables SCHEMA.toml --store ./films
kg query 'SELECT ?title { ?film <film#title> ?title }' --store ./films
```

Names are those of the W3C Direct Mapping under the base of `SCHEMA.toml` (see `kg.sources._schema` for its keys): a row is
`<film/id=7>`, of type `<film>`; a column is the attribute `<film#title>`, a foreign key the relation `<film#ref-director>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from kg.build import Build, Load, literal_terms, typed_terms
from kg.sources._delimited import Table, sha256_of
from kg.sources._direct import DirectNames
from kg.sources._names import readable
from kg.sources._row_files import read_table
from kg.sources._schema import ForeignKey, Schema, TableSchema, read_schema
from kg.sources._schema_graph import describe_schema
from kg.sources._values import datatype_by_hint, datatype_of, fits
from kg.text import fold_all

__all__ = ["load_tables", "relational_load"]

_ROW = "\0row"  # the row's position in its file, for errors
_IRI = "\0iri"


def load_tables(path: Path, name: str | None = None, *, lenient: bool = False) -> Load:
    """Read the tables that a `SCHEMA.toml` describes into a load; its name is the schema's, or else `tables`.

    Raises SourceError, with file and line, for a missing file or column, an empty or repeated primary key, a value of
    another type, a reference to a row that is not there; with `lenient` such references, and rows without a usable key, are
    left out and counted.
    """
    schema = read_schema(path)
    tables = {table.name: _read(schema, table) for table in schema.tables.values()}
    digest = sha256_of([path, *(table.path for table in tables.values())])
    return relational_load(schema, tables, digest, name=name, lenient=lenient)


def relational_load(
    schema: Schema, tables: dict[str, Table], sha256: str, *, name: str | None = None, lenient: bool = False
) -> Load:
    """Make a load of tables that are already read."""
    build = Build(name or schema.name or "tables", schema.source or schema.path.name, schema.license, sha256, base=schema.base)
    loader = _Loader(schema, tables, build, lenient)
    loader.rows()
    loader.columns()
    loader.promoted()
    loader.labelled()
    describe_schema(build, schema, {name: table.frame.columns for name, table in tables.items()})
    return build.finish()


def _read(schema: Schema, table: TableSchema) -> Table:
    path = schema.path.parent / table.file
    if not path.is_file():
        raise schema.fault(table.name, "file", f"there is no file '{table.file}'", "mend the name, or add the file")
    referred = [c for other in schema.tables.values() for fk in other.fk if fk.table == table.name for c in fk.to]
    return read_table(path, [*table.columns(), *referred])


@dataclass
class _Part:
    """One table on its way: its description, its file, and its rows, null where there is no value."""

    schema: TableSchema
    table: Table
    rows: pl.DataFrame

    def labels(self) -> pl.Series:
        """Return the names of the rows: what stands in the label's columns, with a space between."""
        columns = [pl.col(column) for column in self.schema.label]
        said = pl.concat_str(columns, separator=" ", ignore_nulls=True) if columns else pl.lit(None, pl.String)
        return self.rows.with_columns(said.alias("label"))["label"]

    def cells(self, column: str) -> pl.DataFrame:
        """Return the values of a column, split where it holds several: row position, row IRI, `value`."""
        cells = self.rows.select(_ROW, _IRI, value=column).drop_nulls()
        if separator := dict(self.schema.split).get(column):
            cells = cells.with_columns(pl.col("value").str.split(separator)).explode("value")
            cells = cells.with_columns(pl.col("value").str.strip_chars())
            cells = cells.filter(~pl.col("value").is_in(["", *self.schema.null]))
        return cells


class _Loader:
    def __init__(self, schema: Schema, tables: dict[str, Table], build: Build, lenient: bool) -> None:
        self.schema, self.build, self.lenient = schema, build, lenient
        self.names = DirectNames(schema.base)
        self.parts = {t.name: self._part(t, tables[t.name]) for t in schema.tables.values()}
        self.edges: list[pl.DataFrame] = []
        self.values: list[pl.DataFrame] = []
        self.labels: dict[str, dict[str, str]] = {"concept": {}, "relation": {}, "attribute": {}}

    def rows(self) -> None:
        """Add every row with its type, label and aliases."""
        for part in self.parts.values():
            schema = part.schema
            self.build.type(part.rows[_IRI], self._named("concept", self.names.table(schema.name), readable(schema.name)))
            self.build.label(part.rows[_IRI], part.labels())
            for column in schema.alias:
                cells = part.cells(column)
                labels = part.rows.select(_ROW, label=part.labels())
                other = cells.join(labels, on=_ROW).filter(pl.col("value").ne_missing(pl.col("label")))
                self.build.alias(other[_IRI], other["value"])
        self._dependencies()
        self.build.counts |= {"tables": len(self.parts), "rows": sum(p.rows.height for p in self.parts.values())}

    def columns(self) -> None:
        """Add every column: foreign keys and promoted columns as relations, the others as attributes."""
        for part in self.parts.values():
            for fk in part.schema.fk:
                self._foreign_key(part, fk)
            for column, concept in part.schema.entities:
                cells = part.cells(column).with_columns(concept=pl.lit(concept))
                self.values.append(cells.with_columns(p=pl.lit(self._relation(part, [column]))))
            taken = {c for fk in part.schema.fk for c in fk.columns} | {c for c, _ in part.schema.entities}
            for column in part.table.frame.columns:
                if column not in taken | set(part.schema.alias):
                    self._attribute(part, column)

    def promoted(self) -> None:
        """Add the entities of promoted columns, one per folded spelling; the commonest spelling is the label."""
        if self.values:
            cells = pl.concat(self.values).with_columns(folded=fold_all(pl.concat(self.values)["value"]))
            spelt = cells.group_by("concept", "folded", "value").len()
            spelt = spelt.sort("concept", "folded", "len", "value", descending=[False, False, True, False])
            for (concept,), group in spelt.group_by("concept", maintain_order=True):
                self._concept(str(concept), group)
            for (concept, p), group in cells.group_by("concept", "p", maintain_order=True):
                self._edges(group[_IRI], str(p), self.names.entities(str(concept), group["folded"]))
        facts = pl.concat(self.edges).unique() if self.edges else pl.DataFrame(schema=dict.fromkeys("spo", pl.String))
        self.build.counts["facts"] = facts.height
        self.build.degree(facts["s"], facts["o"])

    def labelled(self) -> None:
        """Declare and label the concepts, relations and attributes."""
        declare = {"concept": self.build.label, "relation": self.build.relation, "attribute": self.build.attribute}
        for kind, labels in self.labels.items():
            declare[kind](pl.Series(list(labels), dtype=pl.String), pl.Series(list(labels.values()), dtype=pl.String))

    def _part(self, schema: TableSchema, table: Table) -> _Part:
        no_value = pl.col(pl.String).is_in(schema.null)
        frame = table.frame.select(pl.when(~no_value).then(pl.col(pl.String))).with_row_index(_ROW)
        for columns in schema.unique:
            frame = self._distinct(schema, table, frame, columns, "has to be unique")
        if schema.key:
            frame = self._keyed(schema, table, frame)
            iri = self.names.rows(schema.name, schema.key, frame)
        else:
            iri = self.names.keyless_rows(schema.name, frame.drop(_ROW))
        return _Part(schema, table, frame.with_columns(iri.alias(_IRI)))

    def _keyed(self, schema: TableSchema, table: Table, frame: pl.DataFrame) -> pl.DataFrame:
        empty = frame.filter(pl.any_horizontal(pl.col(schema.key).is_null()))
        if not empty.is_empty():
            self._refuse(table, empty, "rows without a key", f"the key ({', '.join(schema.key)}) is empty", "fill it in")
        return self._distinct(schema, table, frame.drop_nulls(schema.key), schema.key, "is the key")

    def _distinct(
        self, schema: TableSchema, table: Table, frame: pl.DataFrame, columns: tuple[str, ...], what: str
    ) -> pl.DataFrame:
        """Return the rows that do not repeat an earlier one in `columns`; a null equals nothing."""
        repeated = pl.struct(columns).is_first_distinct().not_() & ~pl.any_horizontal(pl.col(columns).is_null())
        twice = frame.filter(repeated)
        if not twice.is_empty():
            said = ", ".join(f"{c} '{twice[c][0]}'" for c in columns)
            again = pl.all_horizontal(pl.col(c) == twice[c][0] for c in columns)
            first = table.where(frame.filter(again)[_ROW][0])
            problem = f"{said} stands in {first} already, though {', '.join(columns)} {what}"
            self._refuse(table, twice, "repeated rows", problem, "mend the row")
        return frame.filter(~repeated)

    def _dependencies(self) -> None:
        """Count the rows that break a declared functional dependency; who asks about them leaves them out."""
        for part in self.parts.values():
            for fd in part.schema.fd:
                rows = part.rows.select({*fd.columns, *fd.determined}).drop_nulls()
                several = rows.select(pl.struct(fd.determined).n_unique().over(fd.columns) > 1).to_series().sum()
                if several:
                    what = "rows that break a dependency"
                    self.build.counts[what] = self.build.counts.get(what, 0) + int(several)

    def _foreign_key(self, part: _Part, fk: ForeignKey) -> None:
        predicate, target = self._relation(part, fk.columns), self.parts[fk.table]
        to = fk.to or target.schema.key
        self._must_identify(part, fk, target, to)
        cells = self._referring(part, fk)
        found = cells.join(target.rows.select(*to, o=_IRI), left_on=fk.columns, right_on=to, how="left", maintain_order="left")
        dangling = found.filter(pl.col("o").is_null())
        if not dangling.is_empty():
            said = ", ".join(f"{c} '{dangling[c][0]}'" for c in fk.columns)
            problem = f"{said} is in no row of '{fk.table}' ({', '.join(to)})"
            self._refuse(part.table, dangling, "dangling", problem, "add the row")
        found = found.drop_nulls("o")
        self._edges(found[_IRI], predicate, found["o"])

    def _referring(self, part: _Part, fk: ForeignKey) -> pl.DataFrame:
        if len(fk.columns) == 1:
            return part.cells(fk.columns[0]).rename({"value": fk.columns[0]})
        if split := set(fk.columns) & {c for c, _ in part.schema.split}:
            problem = f"'{split.pop()}' is split, and part of a foreign key of several columns"
            raise self.schema.fault(part.schema.name, "split", problem, "give each pair a row of its own")
        return part.rows.select(_ROW, _IRI, *fk.columns).drop_nulls()

    def _must_identify(self, part: _Part, fk: ForeignKey, target: _Part, to: tuple[str, ...]) -> None:
        if target.rows.drop_nulls(to).select(to).is_duplicated().any():
            problem = f"'{fk.table}' has several rows with the same {', '.join(to)}"
            raise self.schema.fault(part.schema.name, "fk", problem, "refer to columns that identify a row")

    def _relation(self, part: _Part, columns: tuple[str, ...] | list[str]) -> str:
        term = self.names.reference(part.schema.name, columns)
        return self._named("relation", term, " and ".join(readable(c, reference=True) for c in columns))

    def _named(self, kind: str, term: str, label: str) -> str:
        self.labels[kind][term] = label
        return term

    def _attribute(self, part: _Part, column: str) -> None:
        term = self._named("attribute", self.names.column(part.schema.name, column), readable(column))
        cells = part.cells(column)
        datatype = self._datatype(part, column, cells)
        values = literal_terms(cells["value"]) if datatype == "string" else typed_terms(cells["value"], datatype)
        self.build.triples(cells[_IRI], term, values)

    def _datatype(self, part: _Part, column: str, cells: pl.DataFrame) -> str:
        """Return the declared datatype, or else what all values can bear; names stay texts."""
        declared = dict(part.schema.types).get(column)
        if declared is None:
            return self._open_datatype(part.schema, column, cells["value"])
        wrong = cells.filter(~fits(cells["value"], declared))
        if not wrong.is_empty():
            problem = f"{column} '{wrong['value'][0]}' is no {declared}"
            raise part.table.fault(wrong[_ROW][0], problem, "mend the value, or the types in SCHEMA.toml")
        return declared

    def _open_datatype(self, schema: TableSchema, column: str, values: pl.Series) -> str:
        if column in schema.label:
            return "string"
        hint = dict(schema.hints).get(column)
        return datatype_by_hint(values, hint) if hint else datatype_of(values)

    def _concept(self, concept: str, spelt: pl.DataFrame) -> None:
        first = spelt.unique("folded", keep="first", maintain_order=True)
        entities = self.names.entities(concept, first["folded"])
        self.build.type(entities, self._named("concept", self.names.table(concept), readable(concept)))
        self.build.label(entities, first["value"])
        others = spelt.join(first, on=["folded", "value"], how="anti")
        self.build.alias(self.names.entities(concept, others["folded"]), others["value"])
        self.build.counts["promoted"] = self.build.counts.get("promoted", 0) + first.height

    def _edges(self, s: pl.Series, p: str, o: pl.Series) -> None:
        self.build.triples(s, p, o)
        self.edges.append(pl.DataFrame({"s": s, "p": pl.Series([p] * s.len(), dtype=pl.String), "o": o}))

    def _refuse(self, table: Table, rows: pl.DataFrame, what: str, problem: str, way_out: str) -> None:
        """Refuse rows, or (lenient) count them."""
        if not self.lenient:
            raise table.fault(rows[_ROW][0], problem, f"{way_out}, or leave such out with --lenient")
        self.build.counts[what] = self.build.counts.get(what, 0) + rows.height
