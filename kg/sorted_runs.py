"""Lines that memory should not hold: sorted runs of them in files, merged into one file, and the hash of a graph's lines.

What a large load says is written as sorted runs (an external merge sort: Knuth, The Art of Computer Programming 3, §5.4), and
these are merged into one file, each line once: what is equal meets there, its hash needs no further sorting, and a store is
filled faster by lines that stand together.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import tempfile
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import polars as pl

from kg.errors import StoreError

_NOWHERE = "\x01"  # N-Triples escapes control characters, so that none ever separates anything
_MERGED = 16 * 2**20
"""How many bytes of all runs are looked at in one go."""

_SLICE = 100_000


class Scratch:
    """A folder for what does not fit into memory: made when it is first needed, removed at the end."""

    def __init__(self, beside: Path) -> None:
        self._beside, self._folder, self._made = beside.absolute(), Path(), 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._made:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._made = 0

    def file(self, ending: str) -> Path:
        """Return the path of a file that is not there yet. Raises StoreError where nothing can be written."""
        if not self._made:
            self._folder = self._make()
        self._made += 1
        return self._folder / f"{self._made}{ending}"

    def _make(self) -> Path:
        if not self._beside.parent.is_dir():
            raise StoreError("its parent folder does not exist", place=str(self._beside), way_out="make it first")
        try:
            return Path(tempfile.mkdtemp(prefix=f".{self._beside.name}.", dir=self._beside.parent))
        except OSError as error:
            raise StoreError(
                f"nothing can be written beside it ({error.strerror})", place=str(self._beside), way_out="name another folder"
            ) from error


class SortedRuns:
    """Lines in files, sorted by bytes within each file, and each once."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self.files: list[Path] = []

    def add(self, lines: pl.Series) -> None:
        """Write a run."""
        path = self._scratch.file(".run")
        with path.open("wb") as stream:
            _write(stream, sorted_distinct(lines))
        self.files.append(path)

    def merge(self) -> tuple[Path, str, int]:
        """Put all runs into one file, which takes their place: path, digest, number of lines."""
        whole, number = self._scratch.file(".nt"), 0
        with whole.open("wb") as stream:

            def written() -> Iterator[bytes]:
                nonlocal number
                for lines in merged(self.files):
                    number += lines.len()
                    yield (block := ntriples_of(lines))
                    stream.write(block)

            digest = digest_of_sorted(written())
        for path in self.files:
            path.unlink()
        self.files = [whole]
        return whole, digest, number


def merged(files: Iterable[Path]) -> Iterator[pl.Series]:
    """Yield the lines of sorted files in order, each once, many at a time."""
    paths = [*files]
    readers = [blocks_of([path], max(_MERGED // len(paths), 2**18)) for path in paths]
    heads = [(reader, head) for reader in readers if (head := next(reader, None)) is not None]
    while heads:
        # Up to the smallest of the last lines everything is at hand, from whichever run it comes.
        bound = min(head[-1] for _, head in heads)
        cuts = [int(head.search_sorted(bound, side="right")) for _, head in heads]
        yield sorted_distinct(pl.concat([head[:cut] for (_, head), cut in zip(heads, cuts, strict=True)]))
        rest = ((reader, head[cut:]) for (reader, head), cut in zip(heads, cuts, strict=True))
        heads = [(reader, more) for reader, head in rest if (more := head if head.len() else next(reader, None)) is not None]


def blocks_of(files: Iterable[Path], size: int) -> Iterator[pl.Series]:
    """Yield the lines of files, about `size` bytes at a time."""
    for block in byte_blocks_of(files, size):
        yield lines_of(block)


def byte_blocks_of(files: Iterable[Path], size: int) -> Generator[bytes]:
    """Yield files in whole lines, about `size` bytes at a time."""
    for path in files:
        with path.open("rb") as stream:
            yield from blocks_in(stream, size)


def blocks_in(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield what a stream holds in whole lines, about `size` bytes at a time."""
    while block := stream.read(size):
        yield block + stream.readline()


def lines_of(ntriples: bytes) -> pl.Series:
    """Cut N-Triples into lines, without an object for each."""
    frame = pl.read_csv(io.BytesIO(ntriples), has_header=False, separator=_NOWHERE, quote_char=None, infer_schema=False)
    return frame.to_series()


def ntriples_of(lines: pl.Series) -> bytes:
    """Write lines, each with its line break."""
    out = io.BytesIO()
    _write(out, lines)
    return out.getvalue()


def sorted_distinct(lines: pl.Series) -> pl.Series:
    """Sort lines by bytes, and leave each of them once.

    >>> sorted_distinct(pl.Series(["b", "a", "b"])).to_list()
    ['a', 'b']
    """
    order = lines.sort()
    return order.filter(order.ne_missing(order.shift(1)))


def _write(stream: BinaryIO | io.BytesIO, lines: pl.Series) -> None:
    lines.to_frame().write_csv(stream, include_header=False, separator=_NOWHERE, quote_style="never")


def digest_of(parts: Iterable[bytes]) -> str:
    r"""Hash N-Triples: sha256 over their lines, each once, sorted by bytes and joined by line breaks.

    The lines must be spelled as Oxigraph writes them (`kg.build` does so).

    >>> digest_of([b"<a> <p> <b> .\n<a> <p> <c> .\n"]) == digest_of([b"<a> <p> <c> .\n", b"<a> <p> <b> .\n<a> <p> <c> .\n"])
    True
    """
    frames = [lines_of(part) for part in parts if part]
    return digest_of_sorted(map(ntriples_of, _in_order(pl.concat(frames)))) if frames else digest_of_sorted([])


def digest_of_sorted(blocks: Iterable[bytes]) -> str:
    """Hash lines that are sorted, each once: the same hash, of what need not fit into memory."""
    digest, before = hashlib.sha256(), b""
    for block in blocks:
        # The last line break is held back: the hash is that of lines joined by line breaks, with none at the end.
        digest.update(before + block[:-1])
        before = block[-1:]
    return f"sha256:{digest.hexdigest()}"


def _in_order(lines: pl.Series) -> Iterator[pl.Series]:
    """Yield each line once, sorted; only their order is made, not a second copy of them."""
    order, before = lines.arg_sort(), None
    for first in range(0, lines.len(), _SLICE):
        some = lines.gather(order[first : first + _SLICE])
        new = some.filter(some.ne_missing(some.shift(1, fill_value=before)))
        before = some[-1]
        if new.len():
            yield new
