"""Relational tables in files (CSV, TSV, JSON Lines, Parquet), with primary and foreign keys.

Names are those of the W3C Direct Mapping under the base of `SCHEMA.toml` (see `kg.sources._schema` for its keys): a row is
`<film/id=7>`, of type `<film>`; a column is the attribute `<film#title>`, a foreign key the relation `<film#ref-director>`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from os.path import isfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from kg.build import Build, Load, literal_terms, typed_terms
from kg.meter import expect
from kg.sorted_runs import Scratch
from kg.sources._direct import DirectNames, contents_of
from kg.sources._names import readable
from kg.sources._rows import Rows, SourceTable, read_table, sha256_of
from kg.sources._schema import ForeignKey, Schema, TableSchema, read_schema
from kg.sources._schema_graph import describe_schema
from kg.sources._values import datatype_of, fits
from kg.terms import language_tag
from kg.text import fold_all
from kg.vocab import SKOS_PREF

# Columns beside those of the user's tables; their names begin with a character that no table's column does.
_ROW = "\0row"  # the row's position in its file, for errors
_IRI = "\0iri"
_LABEL = "\0label"
_NUMBER = "\0number"  # the row's number among the rows of all tables
_OTHER, _OBJECT = "\0other", "\0object"  # number and IRI of what a row refers to


def load_tables(path: str | Path, name: str | None = None, *, lenient: bool = False, scratch: Scratch | None = None) -> Load:
    """Read the tables that a `SCHEMA.toml` describes into a load; its name is the schema's, or else `tables`.

    What is many waits in `scratch`, where there is one.

    Raises SourceError, with file and line, for a missing file or column, an empty or repeated primary key, a value of
    another type, a reference to a row that is not there; with `lenient` such references, and rows without a usable key, are
    left out and counted.
    """
    path = Path(path)
    schema = read_schema(path)
    expect(path.parent / file for table in schema.tables.values() for file in (table.file, table.names) if file)
    tables = {table.name: _read(schema, table, scratch) for table in schema.tables.values()}
    named = [_path(schema, table, "names", table.names) for table in schema.tables.values() if table.names]
    digest = sha256_of([path, *(table.path for table in tables.values()), *named])
    return relational_load(schema, tables, digest, name=name, lenient=lenient, scratch=scratch)


def relational_load(
    schema: Schema,
    tables: Mapping[str, SourceTable],
    sha256: str,
    *,
    name: str | None = None,
    lenient: bool = False,
    scratch: Scratch | None = None,
) -> Load:
    """Make a load of tables that are already read."""
    title, source = name or schema.name or "tables", schema.source or schema.path.name
    build = Build(title, source, schema.license, sha256, schema.base, scratch=scratch, lenient=lenient)
    loader = _TablesLoader(schema, tables, build)
    loader.add_rows()
    loader.add_names()
    loader.add_columns()
    loader.add_promoted_entities()
    loader.add_popularity()
    loader.add_labels()
    describe_schema(build, schema, {name: table.rows.columns for name, table in tables.items()})
    return build.finish()


def _path(schema: Schema, table: TableSchema, key: str, file: str) -> Path:
    path = schema.path.parent / file
    if not isfile(path):  # noqa: PTH113 - too long a name is none
        raise schema.fault(table.name, key, f"there is no file '{file}'", "mend the name, or add the file")
    return path


def _read(schema: Schema, table: TableSchema, scratch: Scratch | None) -> SourceTable:
    path = _path(schema, table, "file", table.file)
    referred = [c for other in schema.tables.values() for fk in other.fk if fk.table == table.name for c in fk.to]
    read = read_table(path, [*table.columns(), *referred])
    if scratch is not None:
        rows = Rows(read.frame.columns, scratch)
        rows.add(read.frame)
        read.put_into(rows)
    return read


@dataclass
class _LoadedTable:
    """A table that is being loaded: its description, its file, and its rows, null where there is no value.

    Beside the columns, rows have their position in the file, their IRI, and their number among the rows of all tables.
    """

    schema: TableSchema
    source: SourceTable
    rows: Rows

    def labels(self, batch: pl.DataFrame) -> pl.Series:
        """Return the names of rows: the English one, or what stands in the label's columns, with a space between."""
        columns = [pl.col(column) for column in self.schema.label]
        if len(columns) > 1:
            columns = [column.str.strip_chars() for column in columns]  # "Holm " behind a first name
        name = pl.concat_str(columns, separator=" ", ignore_nulls=True) if columns else pl.lit(None, pl.String)
        name = pl.coalesce(self.schema.english, name) if self.schema.english else name
        return batch.with_columns(name.alias("label"))["label"]

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Yield the rows: position, IRI, number, and some columns."""
        return self.rows.batches([_ROW, _IRI, _NUMBER, *columns])

    def cells(self, column: str) -> Iterator[pl.DataFrame]:
        """Yield the values of a column: row position, row IRI, row number, `value`."""
        return (self.cells_of(batch, column) for batch in self.batches(column))

    def cells_of(self, batch: pl.DataFrame, column: str) -> pl.DataFrame:
        """Return the values of a column in some rows, split where it holds several."""
        cells = batch.select(_ROW, _IRI, _NUMBER, value=column).drop_nulls()
        if separator := dict(self.schema.split).get(column):
            cells = cells.with_columns(pl.col("value").str.split(separator)).explode("value")
            cells = cells.with_columns(pl.col("value").str.strip_chars())
            cells = cells.filter(~pl.col("value").is_in(["", *self.schema.null]))
        return cells


class _TablesLoader:
    """Writes the triples of tables, column by column, each column batch by batch."""

    def __init__(self, schema: Schema, tables: Mapping[str, SourceTable], build: Build) -> None:
        self.schema, self.build = schema, build
        self.names = DirectNames(schema.base)
        self.tables: dict[str, _LoadedTable] = {}
        for table in schema.tables.values():
            self.tables[table.name] = self._loaded(table, tables[table.name])
        self.facts_of_row = np.zeros(self._number_of_rows(), np.int64)
        """In how many facts each row stands, by its number."""
        self.facts_of_promoted: list[pl.DataFrame] = []
        self.edges_by_columns: dict[tuple[str, tuple[str, ...], str], list[pl.DataFrame]] = {}
        self.facts = 0
        self.labels: dict[str, dict[str, str]] = {"concept": {}, "relation": {}, "attribute": {}}

    def add_rows(self) -> None:
        """Add every row with its type, label and aliases."""
        for table in self.tables.values():
            schema = table.schema
            concept = self._named("concept", self.names.table(schema.name), readable(schema.name))
            named = [*schema.label, *([schema.english] if schema.english else [])]
            for batch in table.batches(*named):
                self.build.type(batch[_IRI], concept)
                self.build.label(batch[_IRI], table.labels(batch))
            for column in schema.alias:
                for batch in table.batches(*dict.fromkeys([column, *named])):
                    labels = batch.select(_ROW, label=table.labels(batch))
                    cells = table.cells_of(batch, column).join(labels, on=_ROW)
                    other = cells.filter(pl.col("value").ne_missing(pl.col("label")))
                    self.build.alias(other[_IRI], other["value"])
        self._count_broken_dependencies()
        self.build.counts |= {"tables": len(self.tables), "rows": self._number_of_rows()}

    def add_names(self) -> None:
        """Add the names in other languages; a row without one goes by its label there, too."""
        for table in self.tables.values():
            if table.schema.names is None:
                continue
            names, languages = self._names_of(table.schema, table.schema.names)
            seen = [pl.Series(dtype=pl.UInt32)]
            for batch in table.batches(*table.schema.label):
                rows = batch.select(_IRI, table.labels(batch).alias(_LABEL))
                rows = rows.join(names.frame, on=_IRI, how="left", maintain_order="left")
                seen.append(rows[_ROW].drop_nulls())
                for column, tag in languages.items():
                    terms = literal_terms(rows.select(pl.coalesce(column, _LABEL)).to_series(), f"@{tag}")
                    self.build.triples(rows[_IRI], f"<{SKOS_PREF}>", terms)
            unknown = names.frame.filter(~pl.col(_ROW).is_in(pl.concat(seen).implode()))
            problem = f"'{table.schema.name}' has no row with this {', '.join(table.schema.key)}"
            self._leave_out("names of unknown rows", names, unknown, repeat(problem), "mend the key")

    def _names_of(self, schema: TableSchema, file: str) -> tuple[SourceTable, dict[str, str]]:
        """Return a file of names, its rows with the IRIs they are of, and the language tag of each of its columns."""
        names = read_table(_path(self.schema, schema, "names", file), schema.key)
        languages = {
            column: language_tag(column, f"{names.path}:1") for column in names.frame.columns if column not in schema.key
        }
        rows = self._with_key(schema, names, names.frame.with_row_index(_ROW))
        rows = self._distinct(names, rows, schema.key, "is the key")
        names.frame = rows.with_columns(self.names.rows(schema.name, schema.key, rows).alias(_IRI))
        return names, languages

    def add_columns(self) -> None:
        """Add every column: foreign keys as relations, the others, if they are not promoted, as attributes."""
        for table in self.tables.values():
            for fk in table.schema.fk:
                self._foreign_key(table, fk)
            taken = {c for fk in table.schema.fk for c in fk.columns} | {c for c, _ in table.schema.entities}
            for column in table.source.rows.columns:
                if column not in taken | set(table.schema.alias):
                    self._attribute(table, column)

    def add_promoted_entities(self) -> None:
        """Add the entities of promoted columns, one per folded spelling; the commonest spelling is the label."""
        columns = [(table, column, concept) for table in self.tables.values() for column, concept in table.schema.entities]
        if not columns:
            return
        spellings = pl.concat(_spellings(cells, concept) for table, c, concept in columns for cells in table.cells(c))
        spellings = spellings.group_by("concept", "folded", "value").agg(pl.col("len").sum())
        spellings = spellings.sort("concept", "folded", "len", "value", descending=[False, False, True, False])
        for (concept,), group in spellings.group_by("concept", maintain_order=True):
            self._concept(str(concept), group)
        for table, column, concept in columns:
            predicate = self._relation(table, [column])
            for cells in table.cells(column):
                entities = self.names.entities(concept, fold_all(cells["value"]))
                edges = cells.with_columns(entities.alias(_OBJECT)).unique([_NUMBER, _OBJECT], maintain_order=True)
                self._edges(edges, predicate)
                self.facts_of_promoted.append(edges[_OBJECT].value_counts())

    def add_popularity(self) -> None:
        """Add in how many facts each entity stands."""
        self.build.counts["facts"] = self.facts
        for table in self.tables.values():
            for batch in table.batches():
                often = batch.select(_IRI, often=pl.Series(self.facts_of_row[batch[_NUMBER].to_numpy()])).filter(
                    pl.col("often") > 0
                )
                self.build.popular(often[_IRI], often["often"])
        if self.facts_of_promoted:
            often = pl.concat(self.facts_of_promoted).group_by(_OBJECT).agg(pl.col("count").sum())
            self.build.popular(often[_OBJECT], often["count"])

    def add_labels(self) -> None:
        """Declare and label the concepts, relations and attributes."""
        declare: dict[str, Callable[[pl.Series, pl.Series], None]]
        declare = {"concept": self.build.label, "relation": self.build.relation, "attribute": self.build.attribute}
        for kind, labels in self.labels.items():
            declare[kind](pl.Series(list(labels), dtype=pl.String), pl.Series(list(labels.values()), dtype=pl.String))

    def _loaded(self, schema: TableSchema, table: SourceTable) -> _LoadedTable:
        if schema.null:
            no_value = pl.col(pl.String).is_in(schema.null)
            table.rows.change(lambda batch: batch.select(pl.when(~no_value).then(pl.col(pl.String))))
        sound = self._sound(schema, table)
        first, position, before = self._number_of_rows(), 0, 0
        # The rows are written again with IRI and number, as later columns and foreign keys read them many times.
        rows = Rows([_IRI, *table.rows.columns], self.build.scratch, numbers=(_ROW, _NUMBER))
        contents = None if schema.key else _numbered_contents(table.rows, sound)
        for raw in table.rows.batches():
            batch = raw.with_row_index(_ROW, position)
            position += raw.height
            batch = batch if sound is None else batch.filter(pl.Series(sound[batch[_ROW].to_numpy()]))
            if contents is None:
                iri = self.names.rows(schema.name, schema.key, batch)
            else:
                own = contents[before : before + batch.height]
                iri = self.names.keyless_rows(schema.name, own["row"], own["n"])
            number = pl.int_range(first + before, first + before + batch.height, dtype=pl.UInt32, eager=True)
            rows.add(batch.with_columns(iri.alias(_IRI), number.alias(_NUMBER)).select(rows.columns))
            before += batch.height
        return _LoadedTable(schema, table, rows)

    def _number_of_rows(self) -> int:
        return sum(table.rows.height for table in self.tables.values())

    def _sound(self, schema: TableSchema, table: SourceTable) -> npt.NDArray[np.bool_] | None:
        """Say of each row, by its position, whether it keeps the keys; None means that all do."""
        sound = np.ones(table.rows.height, np.bool_)
        checks = [(columns, "has to be unique") for columns in schema.unique]
        for columns, rule in [*checks, (schema.key, "is the key")]:
            if columns:
                before = table.rows.select(columns).with_row_index(_ROW).filter(pl.Series(sound))
                rows = before if columns is not schema.key else self._with_key(schema, table, before)
                rows = self._distinct(table, rows, columns, rule)
                sound = np.isin(np.arange(len(sound)), rows[_ROW].to_numpy()) if rows.height < before.height else sound
        return None if sound.all() else sound

    def _with_key(self, schema: TableSchema, table: SourceTable, frame: pl.DataFrame) -> pl.DataFrame:
        empty = frame.filter(pl.any_horizontal(pl.col(schema.key).is_null()))
        problem = f"the key ({', '.join(schema.key)}) is empty"
        self._leave_out("rows without a key", table, empty, repeat(problem), "fill it in")
        return frame.drop_nulls(schema.key)

    def _distinct(self, table: SourceTable, frame: pl.DataFrame, columns: tuple[str, ...], rule: str) -> pl.DataFrame:
        """Return the rows that do not repeat an earlier one in `columns`; a null equals nothing."""
        repeated = pl.struct(columns).is_first_distinct().not_() & ~pl.any_horizontal(pl.col(columns).is_null())

        def problem(row: dict[str, Any]) -> str:
            first = frame.filter(pl.all_horizontal(pl.col(c) == row[c] for c in columns))[_ROW][0]
            return f"{_cells(row, columns)} stands in {table.where(first)} already, though {', '.join(columns)} {rule}"

        twice = frame.filter(repeated)
        problems = map(problem, twice.iter_rows(named=True))
        self._leave_out("repeated rows", table, twice, problems, "mend the row")
        return frame.filter(~repeated)

    def _count_broken_dependencies(self) -> None:
        """Count the rows that break a declared functional dependency; they are loaded all the same."""
        for table in self.tables.values():
            for fd in table.schema.fd:
                rows = table.rows.select([*{*fd.columns, *fd.determined}]).drop_nulls()
                several = rows.select(pl.struct(fd.determined).n_unique().over(fd.columns) > 1).to_series().sum()
                if several:
                    what = "rows that break a dependency"
                    self.build.counts[what] = self.build.counts.get(what, 0) + int(several)

    def _foreign_key(self, table: _LoadedTable, fk: ForeignKey) -> None:
        predicate = self._relation(table, fk.columns)
        target = self._target(table, fk)
        to = fk.to or target.schema.key
        by_key = to == target.schema.key
        renamed = {_NUMBER: _OTHER} | ({} if by_key else {_IRI: _OBJECT})
        others = target.rows.select([*to, *renamed]).rename(renamed)
        for cells in self._referring(table, fk):
            edges = cells.join(others, left_on=fk.columns, right_on=to, how="left", maintain_order="left")
            dangling = edges.filter(pl.col(_OTHER).is_null())
            absent = f" is in no row of '{fk.table}' ({', '.join(to)})"
            problems = (_cells(row, fk.columns) + absent for row in dangling.iter_rows(named=True))
            self._leave_out("dangling", table.source, dangling, problems, "add the row")
            edges = edges.drop_nulls(_OTHER)
            if by_key:
                # A row's IRI is made of its key, which is shorter to write again than to join.
                keys = edges.select(pl.col(c).alias(k) for c, k in zip(fk.columns, to, strict=True))
                edges = edges.with_columns(self.names.rows(fk.table, to, keys).alias(_OBJECT))
            edges = self._new_edges(table, fk, edges)
            self._edges(edges, predicate)
            np.add.at(self.facts_of_row, edges[_OTHER].to_numpy(), 1)

    def _target(self, table: _LoadedTable, fk: ForeignKey) -> _LoadedTable:
        target = self.tables[fk.table]
        to = fk.to or target.schema.key
        if to != target.schema.key and target.rows.select(to).drop_nulls().is_duplicated().any():
            problem = f"'{fk.table}' has several rows with the same {', '.join(to)}"
            raise self.schema.fault(table.schema.name, "fk", problem, "refer to columns that identify a row")
        return target

    def _referring(self, table: _LoadedTable, fk: ForeignKey) -> Iterator[pl.DataFrame]:
        if len(fk.columns) == 1:
            return (cells.rename({"value": fk.columns[0]}) for cells in table.cells(fk.columns[0]))
        if split := set(fk.columns) & {c for c, _ in table.schema.split}:
            problem = f"'{split.pop()}' is split, and part of a foreign key of several columns"
            raise self.schema.fault(table.schema.name, "split", problem, "give each pair a row of its own")
        return (batch.drop_nulls() for batch in table.batches(*fk.columns))

    def _new_edges(self, table: _LoadedTable, fk: ForeignKey, edges: pl.DataFrame) -> pl.DataFrame:
        """Leave out repeated edges: of one cell, or of a foreign key of the same columns to another key."""
        if dict(table.schema.split).keys() & {*fk.columns}:
            edges = edges.unique([_NUMBER, _OTHER], maintain_order=True)
        if sum(other.columns == fk.columns for other in table.schema.fk) > 1:
            earlier = self.edges_by_columns.setdefault((table.schema.name, fk.columns, fk.table), [])
            for pairs in earlier:
                edges = edges.join(pairs, on=[_NUMBER, _OTHER], how="anti", maintain_order="left")
            earlier.append(edges.select(_NUMBER, _OTHER))
        return edges

    def _relation(self, table: _LoadedTable, columns: tuple[str, ...] | list[str]) -> str:
        term = self.names.reference(table.schema.name, columns)
        return self._named("relation", term, " and ".join(readable(c, reference=True) for c in columns))

    def _named(self, kind: str, term: str, label: str) -> str:
        self.labels[kind][term] = label
        return term

    def _attribute(self, table: _LoadedTable, column: str) -> None:
        term = self._named("attribute", self.names.column(table.schema.name, column), readable(column))
        datatype = self._datatype(table, column)
        for cells in table.cells(column):
            values = literal_terms(cells["value"]) if datatype == "string" else typed_terms(cells["value"], datatype)
            self.build.triples(cells[_IRI], term, values)

    def _datatype(self, table: _LoadedTable, column: str) -> str:
        """Return the declared datatype, or else what all values can bear; names stay texts."""
        declared = dict(table.schema.types).get(column)
        if declared is None and column in (*table.schema.label, table.schema.english):
            return "string"  # a film called 1917 is no number
        if declared is None:
            hint = dict(table.schema.hints).get(column)
            return datatype_of((cells["value"] for cells in table.cells(column)), hint)
        for cells in table.cells(column):
            wrong = cells.filter(~fits(cells["value"], declared))
            if not wrong.is_empty():
                problem = f"{column} '{wrong['value'][0]}' is no {declared}"
                raise table.source.fault(wrong[_ROW][0], problem, "mend the value, or the types in SCHEMA.toml")
        return declared

    def _concept(self, concept: str, spellings: pl.DataFrame) -> None:
        first = spellings.unique("folded", keep="first", maintain_order=True)
        entities = self.names.entities(concept, first["folded"])
        self.build.type(entities, self._named("concept", self.names.table(concept), readable(concept)))
        self.build.label(entities, first["value"])
        others = spellings.join(first, on=["folded", "value"], how="anti")
        self.build.alias(self.names.entities(concept, others["folded"]), others["value"])
        self.build.counts["promoted"] = self.build.counts.get("promoted", 0) + first.height

    def _edges(self, edges: pl.DataFrame, predicate: str) -> None:
        self.build.triples(edges[_IRI], predicate, edges[_OBJECT])
        np.add.at(self.facts_of_row, edges[_NUMBER].to_numpy(), 1)
        self.facts += edges.height

    def _leave_out(self, what: str, table: SourceTable, rows: pl.DataFrame, problems: Iterable[str], way_out: str) -> None:
        self.build.leave_out(what, rows.height, table.faults(rows[_ROW], problems, way_out))


def _cells(row: dict[str, Any], columns: Iterable[str]) -> str:
    return ", ".join(f"{column} '{row[column]}'" for column in columns)


def _spellings(cells: pl.DataFrame, concept: str) -> pl.DataFrame:
    """Count the spellings of a promoted column."""
    spellings = cells.select("value", concept=pl.lit(concept)).with_columns(folded=fold_all(cells["value"]))
    return spellings.group_by("concept", "folded", "value").len()


def _numbered_contents(rows: Rows, sound: npt.NDArray[np.bool_] | None) -> pl.DataFrame:
    """Return a hash of the content of each sound row (`row`), and a number that tells equal ones apart (`n`)."""
    contents = pl.concat(contents_of(batch) for batch in rows.batches())
    contents = contents if sound is None else contents.filter(pl.Series(sound))
    return pl.DataFrame({"row": contents}).with_columns(n=pl.int_range(pl.len()).over("row") + 1)
