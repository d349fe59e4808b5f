"""Files of rows by their names' endings: CSV, TSV, JSON Lines, Parquet; every cell becomes a text, unchanged."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from kg.errors import SourceError, nearest
from kg.files import read_bytes
from kg.sources._delimited import Table, read_delimited
from kg.sources._sql_values import SqlType, text_column


class _Numbered(Table):
    """A table that knows its rows by number: a Parquet file has no lines."""

    def where(self, row: int) -> str:
        return f"row {row + 1}"

    def fault(self, row: int, problem: str, way_out: str) -> SourceError:
        return SourceError(problem, place=f"{self.path}, row {row + 1}", way_out=way_out)


class _Lines(Table):
    """A table whose rows stand on lines of their own."""

    def __init__(self, path: Path, frame: pl.DataFrame, lines: list[int]) -> None:
        super().__init__(path, frame, b"", ",")
        self._lines = lines

    def line_of(self, row: int) -> int:
        return self._lines[row]


def read_table(path: Path, columns: Sequence[str]) -> Table:
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


def _checked(table: Table, columns: Sequence[str]) -> Table:
    for column in columns:
        if column not in table.frame.columns:
            raise SourceError(
                f"column '{column}' is missing", place=str(table.path), way_out=nearest(column, table.frame.columns)
            )
    table.frame = _without_empty(table.frame)
    return table


def _parquet(path: Path) -> Table:
    try:
        frame = pl.read_parquet(io.BytesIO(read_bytes(path)))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise SourceError(f"is not Parquet ({error})", place=str(path), way_out="write the file again") from error
    for name, datatype in frame.schema.items():
        if datatype.is_nested():
            problem = f"column '{name}' holds lists or structs"
            raise SourceError(problem, place=str(path), way_out="join them into one text, and name it in `split`")
    return _Numbered(path, frame.select(_texts(frame[name]) for name in frame.columns), b"", ",")


def _texts(column: pl.Series) -> pl.Series:
    if column.dtype == pl.String or column.dtype.is_integer():
        return column.cast(pl.String)
    return text_column(column.to_list(), SqlType(None)).alias(column.name)


def _json_lines(path: Path) -> Table:
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
