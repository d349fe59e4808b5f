"""SQLite databases made of SQL, for the tests that load one."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path


def database(path: Path, sql: str) -> str:
    """Make a SQLite file by running statements; return its URL."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)
        connection.commit()
    return f"sqlite:///{path}"
