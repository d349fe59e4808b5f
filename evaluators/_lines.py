"""Files of any length, line by line, as often as they are wanted.

```
zcat items.jsonl.gz | python -m evaluators.ask - --model replay:answers.jsonl --out responses.jsonl
python -m evaluators.ask items.jsonl.gz --model replay:answers.jsonl --out responses.jsonl
```
"""

from __future__ import annotations

import contextlib
import gzip
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

from kg.errors import SourceError

__all__ = ["Source", "lines_of", "lines_once", "readable"]


class Source(NamedTuple):
    """A file that can be read again and again, and what the user calls it."""

    path: Path
    place: str


@contextlib.contextmanager
def readable(path: str) -> Iterator[Source]:
    """Name a file, or set stdin (`-`) aside in one that lasts as long as the block."""
    if path != "-":
        yield Source(Path(path), path)
        return
    with tempfile.NamedTemporaryFile(prefix="kgprobe-") as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.flush()
        yield Source(Path(kept.name), path)


def lines_of(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank with their numbers; only the line feed ends one; gzip is understood.

    Raises SourceError where the file is missing, unreadable, or a damaged gzip.
    """
    with _told(source.place), source.path.open("rb") as raw:
        yield from _numbered(raw)


def lines_once(path: str) -> Iterator[tuple[int, bytes]]:
    """Yield the same of a file that is read just once, which may be stdin (`-`)."""
    if path != "-":
        yield from lines_of(Source(Path(path), path))
        return
    with _told(path):
        yield from _numbered(cast("BufferedReader", sys.stdin.buffer))


def _numbered(raw: BufferedReader) -> Iterator[tuple[int, bytes]]:
    zipped = raw.peek(2)[:2] == b"\x1f\x8b"
    stream: IO[bytes] = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if zipped else raw
    for number, line in enumerate(stream, 1):
        text = (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip()
        if text:
            yield number, text


@contextlib.contextmanager
def _told(place: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise SourceError("no such file", place=place, way_out="check the path") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        problem = f"damaged gzip ({error})"
        raise SourceError(problem, place=place, way_out="fetch the file again; it may be cut off") from error
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", place=place, way_out="check the path") from error
