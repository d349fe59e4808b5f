"""Relational databases, by what they say about themselves: columns, keys, foreign keys.

The database is opened for reading only. Rows are read in batches; what is not a text becomes one by `_values`, so that
nothing is rewritten on the way. What SQLite lets pass (a reference to no row, a key without a value) is left out and counted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import polars as pl
import sqlalchemy as sa
from sqlalchemy.sql import quoted_name

from kg import meter
from kg.build import Build, Load
from kg.errors import InputError, SourceError, nearest
from kg.sorted_runs import Scratch
from kg.sources._database import Database, Reflected, connect, is_locked, reflect, server_message
from kg.sources._direct import DirectGraph, DirectRows
from kg.sources._names import english_of, label_of
from kg.sources._repeated import Repeated, repeated
from kg.sources._rows import Numbered, Rows
from kg.sources._schema import ForeignKey, Schema, TableSchema, is_base
from kg.sources._schema_graph import describe_schema
from kg.sources._values import Moments, natural_columns, text_column
from kg.sources.tables import relational_load
from kg.vocab import safe

Mapping = Literal["core", "direct"]

_BATCH = 20_000


class _Order(NamedTuple):
    """What is to be read: tables of a database (`within` one of its schemas), the load's description, and the user's labels."""

    database: Database
    schema: Schema
    tables: dict[str, Reflected]
    within: str | None
    labels: dict[str, tuple[str, ...]]
    scratch: Scratch | None


def load_sql(
    url: str,
    name: str | None = None,
    *,
    base: str | None = None,
    tables: Sequence[str] = (),
    schema: str | None = None,
    labels: Sequence[str] = (),
    mapping: Mapping = "core",
    license: str | None = None,
    scratch: Scratch | None = None,
) -> Load:
    """Read the tables of a database into a load; its name is the database's unless another is given.

    Parameters: `base` is the IRI that names begin with; `tables` (all, unless given) of `schema`; `labels` say where names
    stand (`table.column`, or `table.first,last`) if the rule of `_names` does not find it; with `mapping="direct"` the
    load's graph is the W3C Direct Mapping graph and nothing else. What is many waits in `scratch`, where there is one.

    Raises SourceError for a database that cannot be read, a table or column that is not there.
    """
    with connect(url) as database:
        title = name or _plain(database.name)
        reflected = reflect(database, tables, schema)
        described = Schema(Path(database.place), "", _base(base, title), {}, title, license, Path(database.place).name)
        order = _Order(database, described, reflected, schema, _labels(reflected, labels), scratch)
        return _direct(order) if mapping == "direct" else _core(order)


def _plain(name: str) -> str:
    """Make the name of a load of a database's, which may have blanks: "Castle Register"."""
    return re.sub(r'[\s<>"{}|\\^`%]+', "_", name)


def _base(base: str | None, name: str) -> str:
    if base is not None and not is_base(base):
        raise InputError(
            f"'{base}' is no absolute IRI that ends in '/'",
            place="--base",
            way_out="give one such as https://example.org/shop/",
        )
    return base or f"https://w3id.org/kgprobe/{safe(name)}/"


def _labels(tables: dict[str, Reflected], texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read `table.column` and `table.first,last`; names may contain dots and commas themselves."""
    labels: dict[str, tuple[str, ...]] = {}
    for text in texts:
        table = max((t for t in tables if text.startswith(f"{t}.")), key=len, default=None)
        if table is None:
            raise InputError(
                f"'{text}' names no column of a table", place="--label", way_out=nearest(text.partition(".")[0], tables)
            )
        column = text.removeprefix(f"{table}.")
        columns = (column,) if column in tables[table].columns else tuple(c.strip() for c in column.split(","))
        for c in columns:
            if c not in tables[table].columns:
                raise InputError(f"'{table}' has no column '{c}'", place="--label", way_out=nearest(c, tables[table].columns))
        labels[table] = columns
    return labels


def _batches(database: Database, table: Reflected, schema: str | None) -> Iterator[dict[str, Sequence[Any]]]:
    """Read a table's rows in batches of columns, by their names, as the driver returns the values."""
    columns: dict[str, sa.ColumnClause[Any]] = {c: sa.column(_quoted(c)) for c in table.columns}
    within = None if schema is None else _quoted(schema)
    shown = [
        _as_text(column) if database.is_postgres and not table.columns[c].plain else column for c, column in columns.items()
    ]
    query = sa.select(*shown).select_from(sa.table(_quoted(table.name), *columns.values(), schema=within))
    connection = database.connection.execution_options(stream_results=True)
    try:
        for rows in connection.execute(query).partitions(_BATCH):
            yield dict(zip(table.columns, zip(*rows, strict=True), strict=True))
    except sa.exc.DBAPIError as error:
        raise _unreadable(database, table, error) from error


def _quoted(name: str) -> quoted_name:
    """Have a name quoted whatever it is: no dialect's list of reserved words is whole."""
    return quoted_name(name, quote=True)


def _as_text(column: sa.ColumnClause[Any]) -> sa.ColumnElement[Any]:
    """Have the server write a value: its own text of a date, an array or a document is what the user stored."""
    return sa.cast(column, sa.Text).label(column.name)


def _unreadable(database: Database, table: Reflected, error: sa.exc.DBAPIError) -> Exception:
    message = server_message(error)
    if is_locked(message):
        return error  # a way out that `connect` knows
    problem = f"table '{table.name}' cannot be read ({message})"
    return SourceError(problem, place=database.place, way_out="mend it, or leave it out with --tables")


def _sha256(database: Database, rows: dict[str, Rows]) -> str:
    """Return the hash of the database file, or of what was read where there is none."""
    if database.file:
        with database.file.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    digest = hashlib.sha256()
    for name in sorted(rows):
        columns = rows[name].columns
        digest.update(name.encode())
        digest.update(rows[name].select(columns).sort(columns).write_csv().encode())
    return digest.hexdigest()


# --- the core triples -------------------------------------------------------------------------------------------------


def _core(order: _Order) -> Load:
    database, schema, tables, within, labels, scratch = order
    rows = {name: _texts(database, table, within, scratch) for name, table in tables.items()}
    sound = {name: _sound_references(table, rows) for name, table in tables.items()}
    for name, table in tables.items():
        described = _described(table, sound[name], rows[name])
        texts = _texts_that_may_name(described, rows[name])
        label = labels.get(name) or label_of(name, rows[name], texts, described.key)
        english = None if name in labels else english_of(label, rows[name], texts)
        schema.tables[name] = replace(described, label=label, english=english, alias=label if english else ())
        again = None if label else repeated(name, rows[name], texts, described.key)
        if again and not _is_taken(again.table, name, rows):
            _tell_once(schema, name, again, rows)
    read = {name: Numbered.of(Path(f"{database.place}#{name}"), part) for name, part in rows.items()}
    load = relational_load(schema, read, _sha256(database, rows), lenient=True, scratch=scratch)
    dropped = sum(len(table.fk) - len(sound[name]) for name, table in tables.items())
    return replace(load, counts=load.counts | {"foreign keys to what is not unique": dropped}) if dropped else load


def _is_taken(noun: str, name: str, tables: Iterable[str]) -> bool:
    """Whether another table than `name` is called so already, by one of them or several: both may be of the same people."""
    return any(other.lower() in (noun, f"{noun}s", f"{noun}es", f"{noun[:-1]}ies") for other in tables if other != name)


def _tell_once(schema: Schema, name: str, again: Repeated, rows: dict[str, Rows]) -> None:
    """Add a table of whom the rows of another name again and again, to which these refer."""
    own, column = again.table, (again.column,)
    described = schema.tables[name]
    hints = tuple((c, kind) for c, kind in described.hints if c in again.rows.columns)
    fk = tuple(key for key in described.fk if {*key.columns} <= {*again.rows.columns})
    schema.tables[own] = TableSchema(own, "", column, label=column, fk=fk, hints=hints)
    schema.tables[name] = replace(described, fk=(*described.fk, ForeignKey(column, own, column)))
    rows[own] = again.rows


def _texts(database: Database, table: Reflected, within: str | None, scratch: Scratch | None) -> Rows:
    """Read a table as texts; an empty one is no value, except where it tells rows apart."""
    keys = {*table.key, *(c for fk in table.fk for c in fk.columns), *(c for unique in table.unique for c in unique)}
    full = [c for c in table.columns if c not in keys]
    rows = Rows([*table.columns], scratch)
    for batch in _batches(database, table, within):
        texts = pl.DataFrame({c: text_column(v, table.columns[c]) for c, v in batch.items()})
        meter.add(int(texts.estimated_size()))
        rows.add(texts.with_columns(pl.when(pl.col(full) != "").then(pl.col(full))) if full else texts)
    dated = [c for c, kind in table.columns.items() if kind.datatype in ("date", "dateTime")]
    moments = {c: Moments.of(batch[c] for batch in rows.batches([c])) for c in dated}
    rows.change(lambda batch: batch.with_columns(moments[c].written(batch[c]) for c in dated if c in batch.columns))
    return rows


def _sound_references(table: Reflected, rows: dict[str, Rows]) -> list[ForeignKey]:
    """Return the foreign keys that name at most one row each: SQLite lets others be declared; their columns are attributes."""
    return [fk for fk in table.fk if not _repeats(rows[fk.table], fk.to)]


def _described(table: Reflected, fk: list[ForeignKey], rows: Rows) -> TableSchema:
    hints = tuple((c, kind.datatype) for c, kind in table.columns.items() if kind.datatype)
    unique = tuple(u for u in table.unique if not _repeats(rows, u))
    return TableSchema(table.name, "", table.key, fk=tuple(fk), unique=unique, hints=hints)


def _repeats(rows: Rows, columns: tuple[str, ...]) -> bool:
    return bool(rows.select(columns).drop_nulls().is_duplicated().any())


def _texts_that_may_name(table: TableSchema, rows: Rows) -> list[str]:
    """Return the columns of texts that refer to nothing: a column without a declared type is what most of its values are."""
    referring = {column for fk in table.fk for column in fk.columns}
    hints = dict(table.hints)
    own = [c for c in rows.columns if c not in referring]
    return [c for c in own if hints.get(c) == "string" or (c not in hints and _holds_words(rows, c))]


def _holds_words(rows: Rows, column: str) -> bool:
    """Whether most values have a letter: SQLite, and what was imported from files, often declare no type."""
    lettered = [batch.to_series().drop_nulls().str.contains(r"\p{L}") for batch in rows.batches([column])]
    found, values = sum(int(part.sum()) for part in lettered), sum(part.len() for part in lettered)
    return 2 * found > values


# --- the Direct Mapping -----------------------------------------------------------------------------------------------


def _direct(order: _Order) -> Load:
    database, schema, tables, within, labels, scratch = order
    if labels:
        raise InputError("--label says nothing to --mapping direct", way_out="leave one of them out")
    build = Build(schema.name or "", schema.source or "", schema.license, None, schema.base, scratch=scratch)
    graph = DirectGraph(build, schema, {name: [*table.columns] for name, table in tables.items()})
    for name, table in tables.items():
        for batch in _batches(database, table, within):
            graph.add(TableSchema(name, "", table.key), _natural(batch, table))
        schema.tables[name] = _described(table, table.fk, graph.rows[name])
    graph.refer()
    build.sha256 = _sha256(database, graph.rows)
    describe_schema(build, schema, {name: rows.columns for name, rows in graph.rows.items()})
    return build.finish()


def _natural(batch: dict[str, Sequence[Any]], table: Reflected) -> DirectRows:
    literals = {c: natural_columns(values, table.columns[c]) for c, values in batch.items()}
    rows = DirectRows(*(pl.DataFrame({c: pair[part] for c, pair in literals.items()}) for part in (0, 1)))
    meter.add(int(rows.lexical.estimated_size()))
    return rows
