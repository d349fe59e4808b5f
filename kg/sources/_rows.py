"""The rows of a table in batches, and the files they are read from (CSV, TSV, JSON Lines, Parquet), every cell a text.

A `SourceTable` still knows its file, for errors that name the line.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import polars as pl

from kg.errors import SourceError, nearest
from kg.files import line_blocks, read_bytes
from kg.sorted_runs import Scratch
from kg.sources._values import SqlType, text_column

_BATCH = 100_000
_PARTS = 1000
_BLOCK = 2**23

csv.field_size_limit(2**31 - 1)  # a cell may be a book


class Rows:
    """Rows of texts, null where there is no value; all batches have the same columns.

    >>> rows = Rows(["id"])
    >>> rows.add(pl.DataFrame({"id": ["1", "2"]}))
    >>> rows.height, [batch.height for batch in rows.batches()]
    (2, [2])
    """

    def __init__(
        self, columns: Sequence[str], scratch: Scratch | None = None, *, numbers: Sequence[str] = (), most: int | None = None
    ) -> None:
        self.columns, self.height = [*columns, *numbers], 0
        self._empty = pl.DataFrame(schema=dict.fromkeys(columns, pl.String) | dict.fromkeys(numbers, pl.UInt32))
        self._scratch, self._most = scratch, most or _BATCH
        self._held: list[pl.DataFrame] = []
        self._files: list[Path] = []
        self._changes: list[Callable[[pl.DataFrame], pl.DataFrame]] = []

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Rows:
        """Make rows of a frame of texts."""
        rows = cls(frame.columns)
        rows.add(frame)
        return rows

    def add(self, rows: pl.DataFrame) -> None:
        """Add some rows; many are written to the scratch."""
        self.height += rows.height
        self._held.append(rows)
        if self._scratch is not None and sum(held.height for held in self._held) >= self._most:
            for batch in pl.concat(self._held).iter_slices(_BATCH):
                self._files.append(self._scratch.file(".rows"))
                batch.write_ipc(self._files[-1])
            self._held.clear()

    def change(self, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
        """Have every batch changed when it is read; it may come with some of its columns only."""
        self._changes.append(change)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yield the rows in order; where there is none, one empty batch."""
        names = self.columns if columns is None else list(dict.fromkeys(columns))
        for batch in self._read(names):
            changed = batch
            for change in self._changes:
                changed = change(changed)
            yield changed

    def select(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return some columns of all rows: keep to few, and short ones."""
        return pl.concat(self.batches(columns), rechunk=True)

    def _read(self, names: list[str]) -> Iterator[pl.DataFrame]:
        for path in self._files:
            with path.open("rb") as file:  # by its name a "[" would be a pattern
                yield pl.read_ipc(file, columns=names)
        if self._held or not self._files:
            yield pl.concat([self._empty, *self._held]).select(names)


class Parts:
    """Rows that may say the same thing, or belong together, put into parts by a hash: each is looked at by itself.

    >>> parts = Parts(["id"], 3)
    >>> parts.add(pl.DataFrame({"id": ["1", "2", "1"]}), "id")
    >>> [frame.height for frame in parts.frames()]
    [3]
    """

    def __init__(self, columns: Sequence[str], height: int, scratch: Scratch | None = None) -> None:
        """Make room for `height` rows, some hundred thousand in each part."""
        number = min(1 + height // (2 * _BATCH), _PARTS)
        self._rows = [Rows(columns, scratch, most=_BATCH // number) for _ in range(number)]

    def add(self, rows: pl.DataFrame, by: str) -> None:
        """Add rows; those with the same value in a column come into one part, in their order."""
        if len(self._rows) == 1:
            self._rows[0].add(rows)
            return
        hashed = rows.with_columns(part=pl.col(by).hash() % len(self._rows))
        for (part,), some in hashed.group_by("part", maintain_order=True):
            self._rows[int(str(part))].add(some.drop("part"))

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield the parts."""
        for rows in self._rows:
            yield pl.concat(rows.batches())


class SourceTable:
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
        return _line_of(_lines_in(self._text), self._separator, row)

    def where(self, row: int) -> str:
        """Say for people where data row `row` stands in the file."""
        return f"line {self.line_of(row)}"

    def fault(self, row: int, problem: str, way_out: str) -> SourceError:
        """Return the error to raise about data row `row`."""
        return SourceError(problem, place=f"{self.path}:{self.line_of(row)}", way_out=way_out)

    def faults(self, rows: pl.Series, problems: Iterable[str], way_out: str) -> Iterator[SourceError]:
        """Yield the errors about rows that can be left out."""
        way_out += ", or leave such rows out with --lenient"
        return (self.fault(row, problem, way_out) for row, problem in zip(rows, problems, strict=False))


class _Streamed(SourceTable):
    """A delimited file whose rows wait beside the store; where a line is asked for, it is read again."""

    def line_of(self, row: int) -> int:
        return _line_of(_lines_of(self.path), self._separator, row)


def _line_of(lines: Iterable[str], separator: str, row: int) -> int:
    reader = csv.reader(lines, delimiter=separator)
    filled = -1
    for cells in reader:
        filled += bool(cells)
        if filled == row + 1:
            break
    return reader.line_num


def read_delimited(path: Path, columns: Sequence[str], separator: str) -> SourceTable:
    """Read a file whose header has at least `columns`, every cell a string, empty cells null.

    Raises SourceError for a missing column (with the nearest name), a row of another width, text that is not UTF-8.
    """
    text = read_bytes(path).removeprefix(codecs.BOM_UTF8)
    _check_text(path, text, 0)
    header = _header(path, text, columns, separator)
    return SourceTable(path, _parse(path, text, separator, header, lambda: _lines_in(text)), text, separator)


def stream_delimited(
    path: Path, columns: Sequence[str], separator: str, scratch: Scratch | None, tap: Callable[[bytes], object]
) -> SourceTable:
    """Read a file as `read_delimited` does, some megabytes at a time; its rows wait in the scratch, where there is one.

    Parameters: `tap` is given the file's bytes as they are read. Raises what `read_delimited` raises.
    """
    blocks = _whole_rows(line_blocks(path, _BLOCK, tap=tap))
    first = next(blocks, b"").removeprefix(codecs.BOM_UTF8)
    _check_text(path, first, 0)
    header = _header(path, first, columns, separator)
    rows, lines = Rows(header, scratch), 0
    head = io.StringIO(newline="")
    csv.writer(head, delimiter=separator, lineterminator="\n").writerow(header)
    for text in itertools.chain([first], (head.getvalue().encode() + block for block in blocks)):
        _check_text(path, text, lines)
        rows.add(_parse(path, text, separator, header, lambda: _lines_of(path)))
        lines += text.count(b"\n") - bool(lines)
    table = _Streamed(path, pl.DataFrame(schema=dict.fromkeys(header, pl.String)), b"", separator)
    table.put_into(rows)
    return table


def _whole_rows(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Put blocks of lines together so that none ends within a quoted cell: up to its end the quotes are even."""
    held: list[bytes] = []
    odd = False
    for block in blocks:
        held.append(block)
        odd ^= bool(block.count(b'"') % 2)
        if not odd:
            yield b"".join(held)
            held.clear()
    if held:
        yield b"".join(held)


def _lines_of(path: Path) -> Iterator[str]:
    """Read the lines of a file, one after the other."""
    for number, block in enumerate(line_blocks(path, _BLOCK)):
        yield from _lines_in(block if number else block.removeprefix(codecs.BOM_UTF8))


def _lines_in(text: bytes) -> Iterable[str]:
    return io.StringIO(text.decode(), newline="")


def _header(path: Path, text: bytes, columns: Sequence[str], separator: str) -> list[str]:
    """Return the names of the columns; refuse a file that lacks one of some, or has one twice."""
    header = next(csv.reader(io.TextIOWrapper(io.BytesIO(text), "utf-8", newline=""), delimiter=separator), [])
    for column in columns:
        if column not in header:
            raise SourceError(
                f"column '{column}' is missing", place=f"{path}:1", way_out=_columns_there(column, header, separator)
            )
    if len(set(header)) < len(header):
        twice = next(h for h in header if header.count(h) > 1)
        raise SourceError(f"column '{twice}' stands twice", place=f"{path}:1", way_out="rename one of them")
    return header


def _columns_there(wanted: str, header: list[str], separator: str) -> str:
    """Say which column may be meant, or what else stands between the cells of the header."""
    other = next((sign for sign in ";\t|," if sign != separator and len(header) == 1 and sign in header[0]), None)
    if other is None:
        return f"in the header: {nearest(wanted, header)}"
    name = {"\t": "a tab", ",": "a comma"}
    return f"cells stand apart by {name.get(other, repr(other))}, and not by {name[separator]}: save it again"


def _check_text(path: Path, text: bytes, before: int) -> None:
    """Refuse what is not UTF-8; `before` is how many lines of the file came before."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = before + text.count(b"\n", 0, error.start) + 1 - bool(before)
        raise SourceError("is not UTF-8 text", place=f"{path}:{line}", way_out="save it as UTF-8") from error


_LinesAgain = Callable[[], Iterable[str]]


def _parse(path: Path, text: bytes, separator: str, header: list[str], lines: _LinesAgain) -> pl.DataFrame:
    """Read rows below their header; `lines` gives those of the whole file, where one of them is at fault."""
    try:
        frame = pl.read_csv(io.BytesIO(text), separator=separator, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        raise _ragged(path, lines(), separator, len(header), str(error)) from error
    if frame.width and frame[frame.columns[-1]].has_nulls():
        frame = _complete(path, text, separator, frame, lines)
    if frame.columns != header:  # polars and csv agree on what a line is but for carriage returns
        problem, way_out = "the header holds a carriage return or a quote of its own", "end lines with line feeds"
        raise SourceError(problem, place=f"{path}:1", way_out=way_out)
    return frame


def _complete(path: Path, text: bytes, separator: str, frame: pl.DataFrame, lines: _LinesAgain) -> pl.DataFrame:
    """Refuse rows that are too short, and leave out blank lines: polars fills both up with nulls."""
    number, cuts = text.count(b"\n") + (not text.endswith(b"\n")), text.count(separator.encode())
    # Polars refuses rows that are too long, so where there are as many separators as there must be none is too short.
    if frame.width > 1 and b'"' not in text and number == frame.height + 1 and cuts == number * (frame.width - 1):
        return frame
    rows = csv.reader(_lines_in(text), delimiter=separator)
    widths = pl.Series([len(cells) for cells in rows], dtype=pl.Int64)
    if (~widths.is_in([0, frame.width])).any():
        raise _ragged(path, lines(), separator, frame.width, "a row is too short")
    filled = widths.slice(1) > 0
    return frame.filter(filled) if filled.len() == frame.height else frame


def _ragged(path: Path, lines: Iterable[str], separator: str, width: int, otherwise: str) -> SourceError:
    """Say which row has too few or too many cells, or else which is the first that has a quote where none may stand."""
    stray: int | None = None
    row: list[str] = []
    begins = 1

    def noted() -> Iterator[str]:
        for line in lines:
            row.append(line)
            yield line

    reader = csv.reader(noted(), delimiter=separator)
    for cells in reader:
        if cells and len(cells) != width:
            return SourceError(
                f"{len(cells)} cells where the header has {width}",
                place=f"{path}:{begins}",
                way_out="a separator or a quote is missing or too many",
            )
        stray = stray or (begins if _has_stray_quote("".join(row), separator) else None)
        begins = reader.line_num + 1
        row.clear()
    if stray is not None:
        way_out = 'put the whole cell in quotes, and write "" for a quote within it'
        return SourceError("a quote stands within a cell, or is never closed", place=f"{path}:{stray}", way_out=way_out)
    return SourceError(f"cannot be read ({otherwise})", place=str(path), way_out="check separators and quotes")


def _has_stray_quote(row: str, separator: str) -> bool:
    r"""Tell whether the text of a row has quotes that do not go round a whole cell.

    >>> [_has_stray_quote(row, ",") for row in ('1,"a, b"', '1,12" disc', '1,"a"b', '1,"a')]
    [False, True, True, True]
    """
    try:
        next(csv.reader(row.splitlines(keepends=True), delimiter=separator, strict=True), [])
    except csv.Error:
        return True
    return bool(row.count('"') % 2)


def sha256_of(paths: Iterable[Path], read: Callable[[Path], bytes] = Path.read_bytes) -> str:
    """Return one sha256 over the bytes of several files, in the order given."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(read(path))
    return digest.hexdigest()


class Numbered(SourceTable):
    """A table that knows its rows by number: a Parquet file has no lines."""

    def where(self, row: int) -> str:
        return f"row {row + 1}"

    def fault(self, row: int, problem: str, way_out: str) -> SourceError:
        return SourceError(problem, place=f"{self.path}, row {row + 1}", way_out=way_out)


class _Lines(SourceTable):
    """A table whose rows stand on lines of their own."""

    def __init__(self, path: Path, frame: pl.DataFrame, lines: list[int]) -> None:
        super().__init__(path, frame, b"", ",")
        self._lines = lines

    def line_of(self, row: int) -> int:
        return self._lines[row]


def read_table(path: Path, columns: Sequence[str]) -> SourceTable:
    """Read a file that has at least `columns`; an empty cell is null.

    Raises SourceError for a missing column, a damaged file, a cell that holds a list or an object.
    """
    name = path.name.removesuffix(".gz")
    if name.endswith(".parquet"):
        return _checked(_parquet(path), columns)
    if name.endswith((".jsonl", ".ndjson")):
        return _checked(_json_lines(path), columns)
    table = read_delimited(path, columns, "\t" if name.endswith(".tsv") else ",")
    table.frame = _without_empty(table.frame)
    return table


def _without_empty(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.when(pl.col(pl.String) != "").then(pl.col(pl.String)))


def _checked(table: SourceTable, columns: Sequence[str]) -> SourceTable:
    for column in columns:
        if column not in table.frame.columns:
            raise SourceError(
                f"column '{column}' is missing", place=str(table.path), way_out=nearest(column, table.frame.columns)
            )
    table.frame = _without_empty(table.frame)
    return table


def _parquet(path: Path) -> SourceTable:
    try:
        frame = pl.read_parquet(io.BytesIO(read_bytes(path)))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise SourceError(f"is not Parquet ({error})", place=str(path), way_out="write the file again") from error
    for name, datatype in frame.schema.items():
        if datatype.is_nested():
            problem = f"column '{name}' holds lists or structs"
            raise SourceError(problem, place=str(path), way_out="join them into one text, and name it in `split`")
    return Numbered(path, frame.select(_texts(frame[name]) for name in frame.columns), b"", ",")


def _texts(column: pl.Series) -> pl.Series:
    if column.dtype == pl.String or column.dtype.is_integer():
        return column.cast(pl.String)
    return text_column(column.to_list(), SqlType(None)).alias(column.name)


def _json_lines(path: Path) -> SourceTable:
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, line in enumerate(read_bytes(path).split(b"\n"), 1):
        if line.strip():
            rows.append(_json_row(path, number, line))
            lines.append(number)
    names = dict.fromkeys(name for row in rows for name in row)
    cells = {name: pl.Series([row.get(name) for row in rows], dtype=pl.String) for name in names}
    return _Lines(path, pl.DataFrame(cells), lines)


def _json_row(path: Path, number: int, line: bytes) -> dict[str, str | None]:
    """Read one object; numbers stay as they are written."""
    place = f"{path}:{number}"
    try:
        row = json.loads(line.decode(), parse_float=str, parse_int=str, parse_constant=str)
        if b"\\u" in line:
            json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise SourceError("has half a character", place=place, way_out="write whole characters") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"is not JSON ({error})", place=place, way_out="write one object a line") from error
    if not isinstance(row, dict):
        raise SourceError("is no JSON object", place=place, way_out="write one object a line")
    for name, value in row.items():
        if isinstance(value, list | dict):
            problem = f"'{name}' holds a list or an object"
            raise SourceError(problem, place=place, way_out="join it into one text, and name it in `split`")
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in row.items()}
