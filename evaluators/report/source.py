"""A file of records read once, line by line: each line checked, the whole file hashed, columns made piece by piece.

```
python -m evaluators.report --items items.jsonl.gz --responses responses.jsonl --verdicts verdicts.jsonl --out report/
zcat items.jsonl.gz | python -m evaluators.report --items - --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```

Only a few pieces of the lines are in memory at a time, so that a file of 200,000 items is read in little room.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast, get_origin

import polars as pl
from pydantic import ValidationError

from kg.errors import SourceError
from queries.records import RECORDS, Line, Record, RecordError, find_faults, frame_schema

__all__ = ["Key", "Source", "checked", "frame_of"]

R = TypeVar("R", bound=Record)
Key = tuple[Any, ...]


class _Hashed(io.RawIOBase):
    """A stream that hashes what is read from it."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw, self.digest = raw, hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._raw.read(len(buffer))
        self.digest.update(data)
        buffer[: len(data)] = data
        return len(data)


class Source:
    """A file of records of one kind; `sha256` and `count` are known when it was read to its end."""

    def __init__(self, path: str, model: type[Record]) -> None:
        self.path, self.model = path, model
        self.name = "stdin" if path == "-" else Path(path).name
        self.sha256, self.count = "", 0
        self._seen: dict[int, int] = {}

    def pieces(self, size: int) -> Iterator[list[Line]]:
        """Yield the lines that are not blank, `size` at a time.

        Raises RecordError where there is none; SourceError where the file cannot be read.
        """
        lines = self._lines()
        while piece := list(islice(lines, size)):
            self.count += len(piece)
            yield piece
        if not self.count:
            what = next(name for name, known in RECORDS.items() if known is self.model)
            raise RecordError(f"holds no {what}", place=self.path, way_out="name the file that the step before wrote")

    def learn(self, lines: Sequence[Line], keys: Sequence[Key]) -> None:
        """Take note of the keys of lines; raise RecordError where one was there before."""
        for line, key in zip(lines, keys, strict=True):
            first = self._seen.setdefault(hash(key), line.number)
            if first != line.number:
                told = ", ".join(f"{name} {json.dumps(value)}" for name, value in zip(self.model.KEY, key, strict=True))
                problem, place = f"{told} stands already in line {first}", f"{self.path}:{line.number}"
                raise RecordError(problem, place=place, way_out="keep one of the two lines")

    def _lines(self) -> Iterator[Line]:
        with self._opened() as stream:
            for number, text in enumerate(stream, 1):
                stripped = (text.removeprefix(b"\xef\xbb\xbf") if number == 1 else text).strip()
                if stripped:
                    yield Line(number, stripped)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        path = self.path
        try:
            with sys.stdin.buffer if path == "-" else Path(path).open("rb") as raw:
                hashed = _Hashed(cast("BinaryIO", raw))
                buffered = io.BufferedReader(hashed, 1 << 18)
                zipped = buffered.peek(2)[:2] == b"\x1f\x8b"
                yield cast("BinaryIO", gzip.GzipFile(fileobj=buffered) if zipped else buffered)
                while buffered.read(1 << 18):
                    pass  # what follows the end of a gzip belongs to the file as well
                self.sha256 = hashed.digest.hexdigest()
        except FileNotFoundError as error:
            raise SourceError("no such file", place=path, way_out="check the path") from error
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            way_out = "fetch the file again; it may be cut off"
            raise SourceError(f"damaged gzip ({error})", place=path, way_out=way_out) from error
        except OSError as error:
            raise SourceError(f"cannot be read ({error.strerror})", place=path, way_out="check the path") from error


def checked(lines: Sequence[Line], model: type[R], path: str) -> list[R]:
    """Return the records of lines; raises RecordError with file, line and field where one is none."""
    records = []
    for line in lines:
        try:
            records.append(model.model_validate_json(line.text))
        except ValidationError:
            raise find_faults(model, line.text)[0].error(f"{path}:{line.number}") from None
    return records


def frame_of(
    lines: Sequence[Line],
    model: type[Record],
    columns: Collection[str],
    open_fields: dict[str, list[str]] | None = None,
    types: Mapping[str, pl.DataType] | None = None,
) -> pl.DataFrame:
    """Return columns of checked lines; open objects become structs of `open_fields`, a list that is null an empty one.

    Parameters: `types` replace those of the model, to read less.
    """
    schema = {**frame_schema(model, open_fields), **(types or {})}
    wanted = pl.Schema({name: schema[name] for name in columns})
    # Only after the models have read every line: polars alone would read 1 as "1" and half a surrogate as NUL.
    frame = pl.read_ndjson(io.BytesIO(b"\n".join(line.text for line in lines)), schema=wanted)
    lists = [name for name, field in model.model_fields.items() if name in wanted and get_origin(field.annotation) is list]
    return frame.with_columns(pl.col(lists).fill_null([])) if lists else frame
