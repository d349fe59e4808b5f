"""The reader and the writer of JSON Lines: records in memory, one by one, in blocks for many processes, or as columns.

A file is named by its path; `-` is stdin or stdout, gzip and a byte order mark are understood, and only the line feed ends a
line (JSON texts may hold the other separators). What is wrong is one RecordError with file, line and field.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import msgspec
import polars as pl

from kg.files import line_blocks, replacing
from queries.errors import RecordError
from queries.records.keys import Keys
from queries.records.record import LineError, Record, RecordView, decoder, version_of
from queries.records.schema import frame_schema, open_names

_BLOCK = 1 << 16
_BATCH = 5000
_MARK = b"\xef\xbb\xbf"
STANDS_ALREADY = "{key} stands already in line {first}"

S = TypeVar("S", bound=msgspec.Struct)


class Line(NamedTuple):
    """A line of a file that is not blank, and its number."""

    number: int
    text: bytes


class Block(NamedTuple):
    """Whole lines of a file as they stand there, and the number of the first."""

    first: int
    text: bytes

    def lines(self) -> list[Line]:
        r"""Return the lines that are not blank.

        >>> [line.number for line in Block(7, b"{}\n\n[]\n").lines()]
        [7, 9]
        """
        text = self.text.removeprefix(_MARK) if self.first == 1 else self.text
        stripped = enumerate(map(bytes.strip, text.split(b"\n")), self.first)
        return [Line(number, line) for number, line in stripped if line]


class Source(NamedTuple):
    """A file that can be read again and again, and what the user calls it."""

    path: str | Path
    place: str


@contextlib.contextmanager
def readable(path: str) -> Iterator[Source]:
    """Name a file; stdin (`-`) is set aside in one that lasts as long as the block."""
    if path != "-":
        yield Source(path, path)
        return
    with tempfile.NamedTemporaryFile(prefix="kgprobe-") as aside:
        shutil.copyfileobj(sys.stdin.buffer, aside)
        aside.flush()
        yield Source(aside.name, path)


def blocks(path: str | Path | Source, tap: Callable[[bytes], object] | None = None) -> Iterator[Block]:
    """Yield a file in blocks of some hundred kilobytes, to be cut into lines where they are worked on.

    Parameters: `tap` is given the bytes of the file as they are read, before anything is unzipped.
    Raises SourceError where the file is missing, unreadable, or a damaged gzip.
    """
    first = 1
    source = _source(path)
    for text in line_blocks(source.path, _BLOCK, place=source.place, tap=tap):
        yield Block(first, text)
        first += text.count(b"\n")


def lines(path: str | Path | Source) -> Iterator[Line]:
    """Yield the lines that are not blank with their numbers; raises as `blocks` does."""
    for block in blocks(path):
        yield from block.lines()


def _source(path: str | Path | Source) -> Source:
    return path if isinstance(path, Source) else Source(path, str(path))


def decode(line: Line, struct: type[S], place: str) -> S:
    """Return the record of a line, or a view of it. Raises RecordError with file, line and field where there is none.

    >>> from queries.records.response import Usage
    >>> decode(Line(7, b'{"input": -1}'), Usage, "usage.jsonl")
    Traceback (most recent call last):
    queries.errors.RecordError: usage.jsonl:7: field 'input' is -1: Input should be greater than or equal to 0; ...
    """
    try:
        return decoder(struct)(line.text)
    except LineError as error:
        raise error.faults[0].error(f"{place}:{line.number}") from None


def records_in(
    path: str | Path | Source, struct: type[S], *, checked: bool = True, again: str = STANDS_ALREADY
) -> Iterator[tuple[Line, S]]:
    """Yield the records of a file one by one, or views of them, each with its line; memory holds a few bytes of each.

    Parameters: where not `checked`, which is for files that were read before, a view's line need not be the whole record, and
    keys may repeat; `again` says what is wrong with a record whose key an earlier line has.
    Raises RecordError with file, line and field where a line is no such record or repeats another one's key.
    """
    place, keys, whole = _source(path).place, Keys(), record_of(struct)
    for line in lines(path):
        if not checked:
            yield line, decode(line, struct, place)
            continue
        record = decode(line, whole, place)
        first = keys.add(record.key(), line=line.number)
        if first is not None:
            raise repeated(record, f"{place}:{line.number}", first, again)
        yield line, record if isinstance(record, struct) else decode(line, struct, place)


def record_of(struct: type[msgspec.Struct]) -> type[Record]:
    """Return the record that a view is of; a record is its own."""
    if issubclass(struct, Record):
        return struct
    assert issubclass(struct, RecordView)
    return struct.OF


def repeated(
    record: Record, place: str, first: int, again: str = STANDS_ALREADY, way_out: str = "keep one of the two lines"
) -> RecordError:
    """Return the error of a record whose key stands in the line `first` already."""
    key = ", ".join(f"{name} {json.dumps(value)}" for name, value in zip(record.KEY, record.key(), strict=True))
    return RecordError(again.format(key=key, first=first), place=place, way_out=way_out)


def no_record(record: type[Record], place: str) -> RecordError:
    """Return the error of a file without a record."""
    what = record.__name__.lower()
    return RecordError(f"holds no {what}", place=place, way_out="name the file that the step before wrote")


def read(path: str | Path | Source, struct: type[S], *, may_be_empty: bool = False) -> list[S]:
    """Read a file of records, or of views of them.

    Raises RecordError with file, line and field where a line is no such record or repeats another one's key, and where there is
    none at all unless `may_be_empty`; SourceError where the file cannot be read.
    """
    records = [record for _, record in records_in(path, struct)]
    if not records and not may_be_empty:
        raise no_record(record_of(struct), _source(path).place)
    return records


class Checked(Protocol):
    """What another process made of some lines: the lines with a record, and the hash of each record's key."""

    @property
    def lines(self) -> Sequence[int]: ...
    @property
    def keys(self) -> Sequence[int]: ...


class HasLines(Protocol):
    """Some lines of a file, such as a block."""

    def lines(self) -> list[Line]: ...


L = TypeVar("L", bound=HasLines)
C = TypeVar("C", bound=Checked)


def unrepeated(pieces: Iterable[tuple[L, C]], record: type[Record], place: str) -> Iterator[tuple[L, C]]:
    """Pass on the pieces of a file that other processes worked on.

    Raises RecordError where a key was there before, or where there is no record at all.
    """
    keys = Keys()
    for piece, checked in pieces:
        for number, key in zip(checked.lines, checked.keys, strict=True):
            first = keys.add(key, line=number)
            if first is not None:
                line = next(line for line in piece.lines() if line.number == number)
                raise repeated(decode(line, record, place), f"{place}:{number}", first)
        yield piece, checked
    if not len(keys):
        raise no_record(record, place)


class JsonRows(NamedTuple):
    """Fields of records on their way to columns: as JSON Lines, with the names that occur in each open object."""

    text: bytes
    open_fields: dict[str, list[str]]

    @classmethod
    def of(cls, records: Sequence[msgspec.Struct], columns: Sequence[str]) -> JsonRows:
        """Keep some fields of records."""
        text = msgspec.json.Encoder().encode_lines([{name: getattr(record, name) for name in columns} for record in records])
        names = [name for name in (open_names(type(records[0])) if records else ()) if name in columns]
        return cls(text, {name: list({key: None for r in records for key in getattr(r, name)}) for name in names})


_MOST_NAMES = 2000


def check_names(rows: Iterable[JsonRows], place: str | None) -> None:
    """Raise RecordError where an open object has more names, in all records of a file together, than can be columns."""
    names: dict[str, set[str]] = {}
    for row in rows:
        for field, occurring in row.open_fields.items():
            names.setdefault(field, set()).update(occurring)
    for field, different in names.items():
        if len(different) > _MOST_NAMES:
            problem = f"'{field}' has {len(different):,} names in all records together"
            raise RecordError(problem, place=place, way_out=f"keep to {_MOST_NAMES:,}, and let values tell items apart")


def frame_of(
    rows: Iterable[JsonRows],
    struct: type[msgspec.Struct],
    columns: Sequence[str],
    *,
    open_fields: Mapping[str, Collection[str]] | None = None,
    types: Mapping[str, pl.DataType] | None = None,
) -> pl.DataFrame:
    """Put rows together as a frame.

    Parameters: open objects become structs of the fields that occur, or of those in `open_fields`; `types` replace those of the
    record, to keep less.
    """
    every = list(rows)
    occurring = {name: list({key: None for r in every for key in r.open_fields.get(name, ())}) for name in open_names(struct)}
    schema = {**frame_schema(struct, {**occurring, **(open_fields or {})}), **(types or {})}
    text = b"".join(r.text for r in every)
    wanted = pl.Schema({name: schema[name] for name in columns})
    # What polars reads here was written by msgspec: of a user's line it would read 1 as "1", half a surrogate as NUL, and the
    # first of two equal names where JSON means the last.
    return pl.read_ndjson(BytesIO(text), schema=wanted) if text else pl.DataFrame(schema=wanted)


def read_frame(
    path: str | Path | Source,
    struct: type[msgspec.Struct],
    columns: Collection[str] | None = None,
    *,
    numbered: bool = False,
    may_be_empty: bool = False,
    again: str = STANDS_ALREADY,
) -> pl.DataFrame:
    """Read columns of a file of records, or of views of them; every line is checked as `read` checks it.

    Parameters: `columns` are JSON names (default: all); `numbered` adds each record's line number as column `line`.
    `again` is as for `records_in`. An open object (`strata`, `source`) becomes a struct of the fields that occur; a list that
    is null becomes empty. Raises as `read` does.
    """
    names = list(frame_schema(struct) if columns is None else columns)
    rows, numbers = [], []
    numbered_records = records_in(path, struct, again=again)
    while batch := list(islice(numbered_records, _BATCH)):
        rows.append(JsonRows.of([record for _, record in batch], names))
        numbers += [line.number for line, _ in batch]
    if not numbers and not may_be_empty:
        raise no_record(record_of(struct), _source(path).place)
    check_names(rows, _source(path).place)
    frame = frame_of(rows, struct, names)
    return frame.with_columns(pl.Series("line", numbers, pl.Int64)) if numbered else frame


def write(path: str | Path, records: Iterable[Record]) -> None:
    """Write records, one a line; the file appears when all are written."""
    with replacing(path) as stream:
        for record in records:
            stream.write(record.line().encode() + b"\n")


def write_frame(path: str | Path, frame: pl.DataFrame, record: type[Record]) -> None:
    """Write a frame whose columns are a record's fields; `schema` is filled in, the order is the record's.

    The fast way out for what was made in columns. The caller vouches for the values.
    """
    ready = frame.with_columns(pl.lit(version_of(record)).alias("schema")).select(frame_schema(record).names())
    with replacing(path) as stream:
        ready.write_ndjson(stream)
