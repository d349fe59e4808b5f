"""A connection to a database that can only read, and errors on one line."""

from __future__ import annotations

import contextlib
import sqlite3
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from kg.errors import SourceError, one_line

__all__ = ["Database", "connect"]

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
            with engine.connect() as connection:
                if file:
                    connection.exec_driver_sql("BEGIN")
                yield Database(connection, place, file.stem if file else parsed.database or parsed.get_backend_name(), file)
        finally:
            engine.dispose()


def _parse(url: str) -> sa.URL:
    try:
        return sa.make_url(url)
    except sa.exc.ArgumentError as error:
        way_out = f"write sqlite:///{url}" if Path(url).is_file() else "write one such as sqlite:///shop.sqlite"
        raise SourceError("is no database URL", place=url, way_out=way_out) from error


def _sqlite_file(url: sa.URL) -> Path:
    if not url.database or url.database == ":memory:":
        raise SourceError("names no file", place=str(url), way_out="write one such as sqlite:///shop.sqlite")
    path = Path(url.database)
    if not path.is_file():
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
        said = one_line(str(error.orig), 200)
        raise SourceError(f"cannot be read ({said})", place=place, way_out=_way_out(said)) from error
    except sa.exc.SQLAlchemyError as error:
        raise SourceError(f"cannot be read ({one_line(str(error), 200)})", place=place, way_out="check it") from error


def _way_out(said: str) -> str:
    if "locked" in said:
        return "wait until the other program has finished with it"
    if "not a database" in said:
        return "name a SQLite file"
    return "check the database, or leave the table out with --tables"
