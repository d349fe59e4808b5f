"""A folder of CSV files as a database: each file a table, its first line the names of columns, all values texts.

```
python -m generators.erbench ./museum --out museum.jsonl
python -m generators.erbench planets.csv --out planets.jsonl
```

Keys and foreign keys are found by their values, as in a database that declares none.
"""

from __future__ import annotations

import contextlib
import csv
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.errors import InputError

_ENDINGS = {".csv": ",;\t|", ".tsv": "\t"}
"""The endings of the files that are tables, and what may stand between their cells."""


def is_csv(path: Path) -> bool:
    """Tell whether a path is a folder, or a file of a table.

    >>> is_csv(Path(".")), is_csv(Path("planets.csv")), is_csv(Path("shop.sqlite"))
    (True, True, False)
    """
    return path.is_dir() or path.suffix.lower() in _ENDINGS


@contextlib.contextmanager
def as_database(path: Path) -> Iterator[str]:
    """Give the URL of a database, there for as long as the block runs, of the tables of a folder, or of one file.

    Raises InputError, naming file and line, for a folder without tables and for a file that is none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "rivers.csv").write_text("Name,Length (km)\\nElbe,1094\\n")
    ...     with as_database(Path(folder)) as url:
    ...         sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT * FROM rivers").fetchall()
    [('Elbe', '1094')]
    """
    tables = {file.stem: _read(file) for file in _files(path)}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{path.resolve().stem}.sqlite")
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            for name, (columns, rows) in tables.items():
                database.execute(f"CREATE TABLE {_quoted(name)} ({', '.join(f'{_quoted(c)} TEXT' for c in columns)})")
                database.executemany(f"INSERT INTO {_quoted(name)} VALUES ({', '.join('?' * len(columns))})", rows)
        yield f"sqlite:///{file}"


def _files(path: Path) -> list[Path]:
    """The files of tables in a folder, by name."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in _ENDINGS and file.is_file())
    if not files:
        raise InputError("holds no tables", place=str(path), way_out="name a database's file, or a folder of .csv files")
    return files


def _read(file: Path) -> tuple[list[str], list[list[str | None]]]:
    """Read the names of columns and the rows of a file; an empty cell is no value."""
    lines = list(csv.reader(_text(file).splitlines(keepends=True), delimiter=_delimiter(file), skipinitialspace=True))
    if not lines or not any(cell.strip() for cell in lines[0]):
        raise InputError("has no first line with the names of columns", place=str(file), way_out="write one")
    columns = [cell.strip() or f"column {n}" for n, cell in enumerate(lines[0], 1)]
    if twice := next((c for n, c in enumerate(columns) if c.lower() in map(str.lower, columns[:n])), None):
        raise InputError(f"has two columns '{twice}'", place=f"{file}, line 1", way_out="rename one of them")
    rows = list[list[str | None]]()
    for number, cells in enumerate(lines[1:], 2):
        if len(cells) > len(columns):
            problem = f"row {number} has {len(cells)} cells, and there are {len(columns)} columns"
            raise InputError(problem, place=str(file), way_out="quote cells that hold the separator")
        if any(cell.strip() for cell in cells):
            rows.append(_row(cells, len(columns)))
    return columns, rows


def _row(cells: Sequence[str], width: int) -> list[str | None]:
    known = [cell.strip() or None for cell in cells]
    return [*known, *[None] * (width - len(known))]


def _delimiter(file: Path) -> str:
    """Take the sign that stands most often in the first line."""
    first = next(iter(_text(file).splitlines()), "")
    return max(_ENDINGS[file.suffix.lower()], key=first.count)


def _text(file: Path) -> str:
    """Read a file, in UTF-8 or else as spreadsheets of Windows write it."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise InputError(problem, place=str(file), way_out="name a file that is there") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
