"""A connection to a database that can only read, with errors on one line, and what the database says about its tables."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from kg.errors import SourceError, nearest, one_line
from kg.sources._schema import ForeignKey
from kg.sources._values import SqlType, sql_type

_SECONDS_FOR_A_LOCK = 3.0

_SQLITE_UNIQUE = """
SELECT list.name, info.name FROM pragma_index_list(:t) AS list JOIN pragma_index_info(list.name) AS info
WHERE list."unique" AND NOT list.partial AND list.origin <> 'pk' ORDER BY list.seq, info.seqno
"""


class Database:
    """An open connection, the database's name for people, and the file where it is one."""

    def __init__(self, connection: sa.Connection, place: str, name: str, file: Path | None) -> None:
        self.connection, self.place, self.name, self.file = connection, place, name, file
        self.inspector = sa.inspect(connection)

    @property
    def is_sqlite(self) -> bool:
        """Whether this is SQLite, which keeps declared types as mere texts and forgives dangling references."""
        return self.connection.dialect.name == "sqlite"

    @property
    def is_postgres(self) -> bool:
        """Whether this is PostgreSQL, whose many types its drivers turn into objects of Python."""
        return self.connection.dialect.name == "postgresql"


@contextlib.contextmanager
def connect(url: str) -> Iterator[Database]:
    """Open a database for reading, all of it as it is at one moment.

    Raises SourceError, in one line, for a URL that is none, a missing file or driver, a locked or damaged database, and for
    whatever else the database refuses while it is being read.
    """
    parsed = _parse(url)
    file = _sqlite_file(parsed) if parsed.get_backend_name() == "sqlite" else None
    place = str(file) if file else parsed.render_as_string(hide_password=True)
    with _one_line_errors(place), warnings.catch_warnings():
        # SQLAlchemy warns of what it cannot reflect; a type that it does not know is read as text here.
        warnings.simplefilter("ignore", sa.exc.SAWarning)
        engine = _engine(parsed, file)
        try:
            with _opened(engine, place) as connection:
                for statement in _opening(connection.dialect.name):
                    connection.exec_driver_sql(statement)
                yield Database(connection, place, file.stem if file else parsed.database or parsed.get_backend_name(), file)
        finally:
            engine.dispose()


def _opened(engine: sa.Engine, place: str) -> sa.Connection:
    try:
        return engine.connect()
    except (TypeError, ValueError, UnicodeError) as error:
        problem = f"its driver does not take this URL ({one_line(str(error), 200)})"
        way_out = "write one such as postgresql://USER:PASSWORD@HOST/DATABASE"
        raise SourceError(problem, place=place, way_out=way_out) from error


def _opening(dialect: str) -> tuple[str, ...]:
    """Return the first statements: all is read as of one moment, dates are written one way, no lock is waited for for ever."""
    if dialect == "sqlite":
        return ("BEGIN",)
    if dialect == "postgresql":
        wait = f"SET LOCAL lock_timeout = '{round(_SECONDS_FOR_A_LOCK * 1000)}ms'"
        return (wait, "SET LOCAL DateStyle = 'ISO'", "SET LOCAL TimeZone = 'UTC'", "SET LOCAL IntervalStyle = 'iso_8601'")
    return ()


def _parse(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
        plain = parsed.drivername in ("postgresql", "postgres")
        return parsed.set(drivername="postgresql+pg8000") if plain else parsed
    except (sa.exc.ArgumentError, ValueError) as error:
        way_out = f"write sqlite:///{url}" if os.path.isfile(url) else "write one such as sqlite:///shop.sqlite"  # noqa: PTH113
        raise SourceError("is no database URL", place=_without_password(url), way_out=way_out) from error


def _without_password(url: str) -> str:
    """Show what is no URL without what stands between its first colon and its last @."""
    return re.sub(r"(//[^:/]*):.*@", r"\1:***@", url)


def _sqlite_file(url: sa.URL) -> Path:
    if not url.database or url.database == ":memory:":
        raise SourceError("names no file", place=str(url), way_out="write one such as sqlite:///shop.sqlite")
    path = Path(url.database)
    if not os.path.isfile(path):  # noqa: PTH113 (false for a name that is too long, too)
        raise SourceError("no such file", place=str(path), way_out="check the path (an absolute one has four slashes)")
    return path


def _engine(url: sa.URL, file: Path | None) -> sa.Engine:
    if file is None:
        options = {"postgresql_readonly": True} if url.get_backend_name() == "postgresql" else {}
        return sa.create_engine(url, isolation_level="REPEATABLE READ", poolclass=sa.NullPool, execution_options=options)
    uri = f"file:{quote(str(file.absolute()))}?mode=ro"
    return sa.create_engine(
        "sqlite://", poolclass=sa.NullPool, creator=lambda: sqlite3.connect(uri, uri=True, timeout=_SECONDS_FOR_A_LOCK)
    )


@contextlib.contextmanager
def _one_line_errors(place: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise SourceError(
            f"its driver is not installed ({error.name or error})",
            place=place,
            way_out="pip install it, or name another: dialect+driver://",
        ) from error
    except sa.exc.NoSuchModuleError as error:
        raise SourceError("is of a kind that SQLAlchemy does not know", place=place, way_out="check the URL") from error
    except sa.exc.DBAPIError as error:
        message = server_message(error)
        raise SourceError(f"cannot be read ({message})", place=place, way_out=_way_out(message)) from error
    except UnicodeDecodeError as error:  # of names: of cells the loader itself says which
        raise SourceError("holds text that is no UTF-8", place=place, way_out="is the file damaged?") from error
    except sa.exc.SQLAlchemyError as error:
        raise SourceError(f"cannot be read ({one_line(str(error), 200)})", place=place, way_out="check it") from error


def server_message(error: sa.exc.DBAPIError) -> str:
    """Return the database's own message on one line."""
    message = error.orig.args[0] if error.orig and error.orig.args else error.orig
    # pg8000 passes on all fields of the server's reply; "M" is its message.
    return one_line(str(message.get("M", message) if isinstance(message, dict) else message), 200)


def is_locked(message: str) -> bool:
    """Tell from a database's message whether another program holds what is to be read."""
    return "locked" in message or "lock timeout" in message


def _way_out(message: str) -> str:
    if is_locked(message):
        return "wait until the other program has finished with it"
    if "password" in message or "authentication" in message or "role" in message:
        return "check user and password in the URL"
    if "connection" in message.lower():
        return "check that the server runs, and host and port in the URL"
    if "not a database" in message:
        return "name a SQLite file"
    return "check the database"


# --- tables -------------------------------------------------------------------------------------------------------------


@dataclass
class Reflected:
    """A table as its database declares it."""

    name: str
    columns: dict[str, SqlType]
    key: tuple[str, ...] = ()
    unique: list[tuple[str, ...]] = field(default_factory=list)
    fk: list[ForeignKey] = field(default_factory=list)


def reflect(database: Database, wanted: Sequence[str], schema: str | None) -> dict[str, Reflected]:
    """Reflect the tables of a database, all or those asked for.

    Raises SourceError where there is no such schema or table.
    """
    names = database.inspector.get_table_names(schema=_known_schema(database, schema))
    chosen = _choose(database, names, wanted)
    if not chosen:
        raise SourceError("has no table", place=database.place, way_out="check --schema, or name another database")
    tables = {name: _table(database, name, schema) for name in chosen}
    for table in tables.values():
        table.fk = _foreign_keys(database, table, tables, schema)
    return tables


def _known_schema(database: Database, schema: str | None) -> str | None:
    if schema is not None and schema not in (names := database.inspector.get_schema_names()):
        raise SourceError(f"has no schema '{schema}'", place=database.place, way_out=nearest(schema, names))
    return schema


def _choose(database: Database, names: list[str], wanted: Sequence[str]) -> list[str]:
    """Return the wanted tables, or all; one text may name several, with commas between."""
    chosen = [name for text in wanted for name in ([text] if text in names else text.split(","))]
    for name in (name.strip() for name in chosen):
        if name not in names:
            raise SourceError(f"has no table '{name}'", place=database.place, way_out=nearest(name, names))
    return list(dict.fromkeys(name.strip() for name in chosen)) or sorted(names)


def _table(database: Database, name: str, schema: str | None) -> Reflected:
    inspector = database.inspector
    columns = {str(c["name"]): sql_type(_declared(database, c["type"])) for c in inspector.get_columns(name, schema=schema)}
    key = tuple(str(c) for c in inspector.get_pk_constraint(name, schema=schema)["constrained_columns"])
    if database.is_sqlite:
        columns |= {c: sql_type(declared) for c, declared in _sqlite_types(database, name).items() if c in columns}
        unique = _sqlite_unique(database, name)
    else:
        unique = _unique(inspector, name, schema)
    return Reflected(name, columns, key, [u for u in dict.fromkeys(unique) if set(u) != set(key)])


def _declared(database: Database, type_: sa.types.TypeEngine[Any]) -> str:
    try:
        return type_.compile(database.connection.dialect)
    except sa.exc.CompileError:  # a type that has no name of its own says nothing
        return ""


def _sqlite_types(database: Database, table: str) -> dict[str, str]:
    """Return the declared types word for word, as SQLite keeps them: reflection reduces unknown ones to an affinity."""
    rows = database.connection.execute(sa.text("SELECT name, type FROM pragma_table_info(:t)"), {"t": table})
    return {row.name: row.type for row in rows}


def _sqlite_unique(database: Database, table: str) -> list[tuple[str, ...]]:
    """Ask for unique indexes; reflection finds unique constraints by reading the SQL text, and misses some."""
    indexes: dict[str, list[Any]] = {}
    for index, column in database.connection.execute(sa.text(_SQLITE_UNIQUE), {"t": table}):
        indexes.setdefault(index, []).append(column)
    return [tuple(columns) for columns in indexes.values() if None not in columns]  # null: an expression, not a column


def _unique(inspector: sa.Inspector, table: str, schema: str | None) -> list[tuple[str, ...]]:
    declared = [u["column_names"] for u in inspector.get_unique_constraints(table, schema=schema)]
    for index in inspector.get_indexes(table, schema=schema):
        whole = not any(str(option).endswith("_where") for option in index.get("dialect_options", {}))
        names = [name for name in index["column_names"] if name is not None]
        if index["unique"] and whole and len(names) == len(index["column_names"]):
            declared.append(names)
    return [tuple(names) for names in declared]


def _foreign_keys(database: Database, table: Reflected, tables: dict[str, Reflected], schema: str | None) -> list[ForeignKey]:
    """Return the foreign keys to tables that are loaded too."""
    foreign_keys = []
    for fk in database.inspector.get_foreign_keys(table.name, schema=schema):
        other = tables.get(_spelt(fk["referred_table"], tables))
        if other is None or fk["referred_schema"] not in (None, schema, database.inspector.default_schema_name):
            continue
        columns = tuple(_spelt(c, table.columns) for c in fk["constrained_columns"])
        to = tuple(_spelt(c, other.columns) for c in fk["referred_columns"] or other.key)
        if len(columns) == len(to) and {*columns} <= {*table.columns} and {*to} <= {*other.columns}:
            foreign_keys.append(ForeignKey(columns, other.name, to))
    return list(dict.fromkeys(foreign_keys))


def _spelt(name: str, known: dict[str, Any]) -> str:
    """Return a name as it is declared: SQLite lets a reference spell it in another case."""
    return name if name in known else next((k for k in known if k.casefold() == name.casefold()), name)
