"""Records in and out: JSON Lines checked line by line, as models or as columns.

```
python -m queries.records schema item
python -m queries.records check items.jsonl responses.jsonl verdicts.jsonl
```

>>> print(find_faults(Verdict, '{"schema": "kgprobe.verdict/2"}')[0].error("verdicts.jsonl:1"))
verdicts.jsonl:1: field 'schema' is "kgprobe.verdict/2"; this version reads 'kgprobe.verdict/1'
"""

from __future__ import annotations

import io
import json
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import polars as pl
from pydantic import ValidationError

from kg.files import read_bytes, replacing
from queries.records.exemplar import Exemplar
from queries.records.item import Item
from queries.records.passage import Passage
from queries.records.record import Fault, Record, RecordError, find_faults
from queries.records.response import Response
from queries.records.verdict import Verdict

__all__ = [
    "RECORDS", "Record", "RecordError", "find_faults", "frame_schema", "numbered_lines", "read_frame", "read_jsonl",
    "repeated", "version_of", "write_frame", "write_jsonl",
]  # fmt: skip

RECORDS: dict[str, type[Record]] = {
    "item": Item,
    "exemplar": Exemplar,
    "passage": Passage,
    "response": Response,
    "verdict": Verdict,
}
"""The name of each record and its model."""

R = TypeVar("R", bound=Record)


def version_of(model: type[Record]) -> str:
    """Return what a record's `schema` says.

    >>> version_of(Item)
    'kgprobe.item/1'
    """
    return str(get_args(model.model_fields["version"].annotation)[0])


class Line(NamedTuple):
    """A line of a file that is not blank, and its number."""

    number: int
    text: bytes


def numbered_lines(path: str | Path) -> Iterator[Line]:
    """Yield the lines; only the line feed ends one (JSON texts may hold the other separators)."""
    data = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    stripped = (Line(number, text.strip()) for number, text in enumerate(data.split(b"\n"), 1))
    return (line for line in stripped if line.text)


def _parsed(path: str | Path, model: type[R]) -> Iterator[tuple[Line, R]]:
    """Yield each line and its record; the first fault, or a key that was there before, is an error."""
    seen: dict[tuple[Any, ...], int] = {}
    for line in numbered_lines(path):
        try:
            record = model.model_validate_json(line.text)
        except ValidationError:
            raise find_faults(model, line.text)[0].error(f"{path}:{line.number}") from None
        fault = repeated(seen, record, line.number)
        if fault:
            raise fault.error(f"{path}:{line.number}")
        yield line, record


def repeated(seen: dict[tuple[Any, ...], int], record: Record, number: int) -> Fault | None:
    """Tell when a record's key was seen before; `seen` learns it."""
    key = tuple(getattr(record, name) for name in record.KEY)
    first = seen.setdefault(key, number)
    if first == number:
        return None
    what = ", ".join(f"{name} {json.dumps(value)}" for name, value in zip(record.KEY, key, strict=True))
    return Fault("", f"{what} stands already in line {first}", "keep one of the two lines")


def read_jsonl(path: str | Path, model: type[R], *, may_be_empty: bool = False) -> list[R]:
    """Read a file of records (`-` is stdin, gzip is understood).

    Raises RecordError with file, line and field where a line is no such record or repeats another one's key, and
    where there is none at all unless `may_be_empty`; SourceError where the file cannot be read.
    """
    records = [record for _, record in _parsed(path, model)]
    if not records and not may_be_empty:
        raise _empty(path, model)
    return records


def _empty(path: str | Path, model: type[Record]) -> RecordError:
    what = next(name for name, known in RECORDS.items() if known is model)
    return RecordError(f"holds no {what}", place=str(path), way_out="name the file that the step before wrote")


def write_jsonl(path: str | Path, records: Iterable[Record]) -> None:
    """Write records, one a line; the file appears when all are written."""
    with replacing(path) as stream:
        for record in records:
            stream.write(record.line().encode() + b"\n")


def frame_schema(model: type[Record], open_fields: Mapping[str, Collection[str]] | None = None) -> pl.Schema:
    """Derive the polars types of a record's fields; open objects become structs of `open_fields`.

    >>> frame_schema(Item, {"strata": ["domain"]})["strata"]
    Struct({'domain': String})
    >>> frame_schema(Verdict)["spans"]
    List(List(Int64))
    """
    schema = pl.Schema({field.alias or name: _dtype(field.annotation) for name, field in model.model_fields.items()})
    for name, keys in (open_fields or {}).items():
        schema[name] = pl.Struct(dict.fromkeys(keys, pl.String))
    return schema


_PLAIN: dict[Any, type[pl.DataType]] = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}


def _dtype(annotation: Any) -> pl.DataType | type[pl.DataType]:
    """Return the polars type of an annotation; an open object is a struct whose fields are not known yet."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return pl.Struct(frame_schema(annotation))
    if origin in (list, tuple, Annotated):
        return _dtype(inner[0]) if origin is Annotated else pl.List(_dtype(inner[0]))
    if origin in (Union, types.UnionType):
        return _dtype(next(part for part in inner if part is not type(None)))
    return pl.String if origin is Literal else pl.Struct({})


def read_frame(
    path: str | Path, model: type[Record], columns: Collection[str] | None = None, *, numbered: bool = False
) -> pl.DataFrame:
    """Read columns of a file of records; every line is checked as `read_jsonl` checks it.

    Parameters: `columns` are JSON names (default: all); `numbered` adds each record's line number as column `line`.
    An open object (`strata`, `source`) becomes a struct of the fields that occur; a list that is null becomes empty.
    Raises as `read_jsonl` does.
    """
    open_fields: dict[str, dict[str, None]] = {name: {} for name in ("strata", "source") if name in model.model_fields}
    lines: list[Line] = []
    for line, record in _parsed(path, model):
        lines.append(line)
        for name, known in open_fields.items():
            known.update(dict.fromkeys(getattr(record, name)))
    if not lines:
        raise _empty(path, model)
    schema = frame_schema(model, open_fields)
    wanted = pl.Schema({name: schema[name] for name in (schema.names() if columns is None else columns)})
    frame = _columns(model, lines, wanted)
    return frame.with_columns(pl.Series("line", [line.number for line in lines], pl.Int64)) if numbered else frame


def _columns(model: type[Record], lines: list[Line], schema: pl.Schema) -> pl.DataFrame:
    # Only after the models have read every line: polars alone would read 1 as "1" and half a surrogate as NUL.
    frame = pl.read_ndjson(io.BytesIO(b"\n".join(line.text for line in lines)), schema=schema)
    lists = [name for name in schema if name in model.model_fields and _never_null(model, name)]
    return frame.with_columns(pl.col(lists).fill_null([])) if lists else frame


def _never_null(model: type[Record], name: str) -> bool:
    return get_origin(model.model_fields[name].annotation) is list


def write_frame(path: str | Path, frame: pl.DataFrame, model: type[Record]) -> None:
    """Write a frame whose columns are a record's fields; `schema` is filled in, the order is the record's.

    The fast way out for what was made in columns. The caller vouches for the values.
    """
    ready = frame.with_columns(pl.lit(version_of(model)).alias("schema")).select(frame_schema(model).names())
    with replacing(path) as stream:
        ready.write_ndjson(stream)
