"""Files of any length, line by line or in blocks of lines, as often as they are wanted.

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

__all__ = ["Block", "Lines", "Source", "blocks_once", "lines_in", "lines_of", "lines_once", "readable"]

Lines = list[tuple[int, bytes]]
"""Lines of a file that are not blank, with their numbers."""

_BLOCK = 1 << 18
_MARK = b"\xef\xbb\xbf"


class Source(NamedTuple):
    """A file that can be read again and again, and what the user calls it."""

    path: Path
    place: str


class Block(NamedTuple):
    """Whole lines of a file as they stand there, and the number of the first."""

    first: int
    text: bytes


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
    for block in blocks_once(path):
        yield from lines_in(block)


def blocks_once(path: str) -> Iterator[Block]:
    """Yield a file that is read just once, which may be stdin (`-`), in blocks of some hundred kilobytes.

    A block is cut into lines (`lines_in`) where they are worked on, which may be in another process.
    """
    with _told(path):
        if path == "-":
            yield from _blocks(cast("BufferedReader", sys.stdin.buffer))
        else:
            with Path(path).open("rb") as raw:
                yield from _blocks(raw)


def lines_in(block: Block) -> Lines:
    r"""Return the lines of a block that are not blank, with their numbers.

    >>> lines_in(Block(7, b"{}\n\n[]\n"))
    [(7, b'{}'), (9, b'[]')]
    """
    lines = enumerate(map(bytes.strip, _unmarked(block).split(b"\n")), block.first)
    return [numbered for numbered in lines if numbered[1]]


def _unmarked(block: Block) -> bytes:
    return block.text.removeprefix(_MARK) if block.first == 1 else block.text


def _blocks(raw: BufferedReader) -> Iterator[Block]:
    stream, first = _unzipped(raw), 1
    while text := stream.read(_BLOCK):
        if not text.endswith(b"\n"):
            text += stream.readline()
        yield Block(first, text)
        first += text.count(b"\n")


def _unzipped(raw: BufferedReader) -> IO[bytes]:
    zipped = raw.peek(2)[:2] == b"\x1f\x8b"
    return cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if zipped else raw


def _numbered(raw: BufferedReader) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(_unzipped(raw), 1):
        text = (line.removeprefix(_MARK) if number == 1 else line).strip()
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
