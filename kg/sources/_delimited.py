"""Delimited text (TSV, CSV) into frames of strings, with errors that name file and line."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self

import polars as pl

from kg.errors import SourceError, nearest
from kg.files import read_bytes
from kg.sources._rows import Rows

csv.field_size_limit(2**31 - 1)  # a cell may be a book


class Table:
    """A delimited file as a frame of strings that still knows its file, for errors that name a line."""

    def __init__(self, path: Path, frame: pl.DataFrame, text: bytes, separator: str) -> None:
        self.path, self.frame = path, frame
        self._text, self._separator = text, separator
        self._rows: Rows | None = None

    @classmethod
    def of(cls, path: Path, rows: Rows) -> Self:
        """Make a table of rows that are read already."""
        table = cls(path, pl.DataFrame(schema=dict.fromkeys(rows.columns, pl.String)), b"", ",")
        table.put_into(rows)
        return table

    @property
    def rows(self) -> Rows:
        """The rows in batches."""
        if self._rows is None:
            self._rows = Rows.of(self.frame)
        return self._rows

    def put_into(self, rows: Rows) -> None:
        """Have the rows stand in `rows` from now on; the frame keeps its columns only."""
        self._rows, self.frame = rows, self.frame.clear()

    def line_of(self, row: int) -> int:
        """Return the line (from 1) on which data row `row` (from 0) ends; quoted cells may span lines."""
        return _line_of(self._text, self._separator, row)

    def where(self, row: int) -> str:
        """Say for people where data row `row` stands in the file."""
        return f"line {self.line_of(row)}"

    def fault(self, row: int, problem: str, way_out: str) -> SourceError:
        """Return the error to raise about data row `row`."""
        return SourceError(problem, place=f"{self.path}:{self.line_of(row)}", way_out=way_out)


def _line_of(text: bytes, separator: str, row: int) -> int:
    reader = csv.reader(io.StringIO(text.decode(), newline=""), delimiter=separator)
    filled = -1
    for cells in reader:
        filled += bool(cells)
        if filled == row + 1:
            break
    return reader.line_num


def read_delimited(path: Path, columns: Sequence[str], separator: str) -> Table:
    """Read a file whose header has at least `columns`, every cell a string, empty cells null.

    Raises SourceError for a missing column (with the nearest name), a row of another width, text that is not UTF-8.
    """
    text = read_bytes(path).removeprefix(codecs.BOM_UTF8)
    _check_text(path, text)
    header = next(csv.reader(io.TextIOWrapper(io.BytesIO(text), "utf-8", newline=""), delimiter=separator), [])
    for column in columns:
        if column not in header:
            raise SourceError(
                f"column '{column}' is missing", place=f"{path}:1", way_out=f"header names: {nearest(column, header)}"
            )
    if len(set(header)) < len(header):
        twice = next(h for h in header if header.count(h) > 1)
        raise SourceError(f"column '{twice}' stands twice", place=f"{path}:1", way_out="rename one of them")
    return Table(path, _parse(path, text, separator, len(header)), text, separator)


def _check_text(path: Path, text: bytes) -> None:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SourceError("is not UTF-8 text", place=f"{path}:{line}", way_out="save it as UTF-8") from error


def _parse(path: Path, text: bytes, separator: str, width: int) -> pl.DataFrame:
    try:
        frame = pl.read_csv(io.BytesIO(text), separator=separator, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        raise _ragged(path, text, separator, width, str(error)) from error
    return _complete(path, text, separator, frame) if frame.width and frame[frame.columns[-1]].has_nulls() else frame


def _complete(path: Path, text: bytes, separator: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Refuse rows that are too short, and leave out blank lines: polars fills both up with nulls."""
    lines, cuts = text.count(b"\n") + (not text.endswith(b"\n")), text.count(separator.encode())
    # Polars refuses rows that are too long, so where there are as many separators as there must be none is too short.
    if frame.width > 1 and b'"' not in text and lines == frame.height + 1 and cuts == lines * (frame.width - 1):
        return frame
    rows = csv.reader(io.StringIO(text.decode(), newline=""), delimiter=separator)
    widths = pl.Series([len(cells) for cells in rows], dtype=pl.Int64)
    if (~widths.is_in([0, frame.width])).any():
        raise _ragged(path, text, separator, frame.width, "a row is too short")
    filled = widths.slice(1) > 0
    return frame.filter(filled) if filled.len() == frame.height else frame


def _ragged(path: Path, text: bytes, separator: str, width: int, otherwise: str) -> SourceError:
    reader = csv.reader(io.StringIO(text.decode(), newline=""), delimiter=separator)
    for cells in reader:
        if cells and len(cells) != width:
            return SourceError(
                f"{len(cells)} cells where the header has {width}",
                place=f"{path}:{reader.line_num}",
                way_out="a separator or a quote is missing or too many",
            )
    return SourceError(f"cannot be read ({otherwise})", place=str(path), way_out="check separators and quotes")


def sha256_of(paths: Iterable[Path], read: Callable[[Path], bytes] = Path.read_bytes) -> str:
    """Return one sha256 over the bytes of several files, in the order given."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(read(path))
    return digest.hexdigest()
