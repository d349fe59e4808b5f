"""A connection to a database that can only read, and errors on one line."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from kg.errors import SourceError, one_line

_SECONDS_FOR_A_LOCK = 3.0


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
        warnings.simplefilter("ignore", sa.exc.SAWarning)  # it is about what it cannot reflect; unknown types are read as texts
        engine = _engine(parsed, file)
        try:
            with _opened(engine, place) as connection:
                for statement in _first(connection.dialect.name):
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


def _first(dialect: str) -> tuple[str, ...]:
    """What is said first: all is read as of one moment, dates are written one way, and a lock is not waited for for ever."""
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
        said = said_by(error)
        raise SourceError(f"cannot be read ({said})", place=place, way_out=_way_out(said)) from error
    except sa.exc.SQLAlchemyError as error:
        raise SourceError(f"cannot be read ({one_line(str(error), 200)})", place=place, way_out="check it") from error


def said_by(error: sa.exc.DBAPIError) -> str:
    """Return what the database itself said, on one line (pg8000 hands on the fields of the server's message)."""
    told = error.orig.args[0] if error.orig and error.orig.args else error.orig
    return one_line(str(told.get("M", told) if isinstance(told, dict) else told), 200)


def is_locked(said: str) -> bool:
    """Whether a database says that somebody else holds what is to be read."""
    return "locked" in said or "lock timeout" in said


def _way_out(said: str) -> str:
    if is_locked(said):
        return "wait until the other program has finished with it"
    if "password" in said or "authentication" in said or "role" in said:
        return "check user and password in the URL"
    if "connection" in said.lower():
        return "check that the server runs, and host and port in the URL"
    if "not a database" in said:
        return "name a SQLite file"
    return "check the database"
