"""A folder of CSV files as a database: each file a table, its first line the names of columns, all values texts.

```
python -m generators.erbench ./museum --out museum.jsonl
python -m generators.erbench planets.csv --out planets.jsonl
```

Keys and foreign keys are found by their values, as in a database that declares none.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import itertools
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from kg.errors import InputError

_ENDINGS = {".csv": ",;\t|", ".tsv": "\t"}
"""The endings of the files that are tables, and what may stand between their cells."""
_WIDEST = 2_000
"""So many columns a table of SQLite has at most."""


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
    lines = _lines(file)
    (_, first), *numbered = lines or [(1, [])]
    if not any(cell.strip() for cell in first):
        raise InputError("has no first line with the names of columns", place=str(file), way_out="write one")
    columns = [cell.strip() or f"column {n}" for n, cell in enumerate(first, 1)]
    if len(columns) > _WIDEST:
        problem = f"has {len(columns):,} columns, and a table may have {_WIDEST:,}"
        raise InputError(problem, place=str(file), way_out="leave out those that nobody asks about")
    if twice := next((c for n, c in enumerate(columns) if c.lower() in map(str.lower, columns[:n])), None):
        raise InputError(f"has two columns '{twice}'", place=f"{file}, line 1", way_out="rename one of them")
    rows = list[list[str | None]]()
    for line, cells in numbered:
        if any(cell.strip() for cell in cells):
            if len(cells) != len(columns):
                raise _ragged(file, line, len(cells), len(columns))
            rows.append([cell.strip() or None for cell in cells])
    return columns, rows


def _ragged(file: Path, line: int, cells: int, columns: int) -> InputError:
    """Refuse a row whose cells may stand in the wrong columns: nobody knows where a separator is missing."""
    problem = f"the row has {cells} cells, and there are {columns} columns"
    way_out = "quote cells that hold the separator" if cells > columns else "write its empty cells as well"
    return InputError(problem, place=f"{file}, line {line}", way_out=way_out)


def _lines(file: Path) -> list[tuple[int, list[str]]]:
    """Read the rows as cells, each with the line on which it begins; a quoted cell may span lines.

    Raises InputError for a quote that is never closed: all lines behind it would be one cell.
    """
    # Behind a closed cell the last line is a row without cells; within an open one it belongs to the cell.
    text = itertools.chain(io.StringIO(_text(file), newline=""), ["\n"])
    reader = csv.reader(text, delimiter=_delimiter(file), skipinitialspace=True)
    rows, begins = list[tuple[int, list[str]]](), 1
    for cells in reader:
        rows.append((begins, cells))
        begins = reader.line_num + 1
    line, last = rows[-1]
    if last:
        raise InputError("a quote is never closed", place=f"{file}, line {line}", way_out="close it, or write it twice")
    return rows[:-1]


def _delimiter(file: Path) -> str:
    """Take the sign that stands most often in the first line."""
    first = next(iter(_text(file).splitlines()), "")
    return max(_ENDINGS[file.suffix.lower()], key=first.count)


def _text(file: Path) -> str:
    """Read a file, in UTF-8 (or UTF-16, where it says so) or else as spreadsheets of Windows write it."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise InputError(problem, place=str(file), way_out="name a file that is there") from error
    try:
        text = raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    if "\0" in text:
        raise InputError("is not text", place=str(file), way_out="save it as CSV in UTF-8")
    return text


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
