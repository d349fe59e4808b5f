"""Files in and out: `.gz` on both sides, `-` for the standard streams, and nothing half-written.

```
kg query 'SELECT * { ?s ?p ?o } LIMIT 3' --format csv --out facts.csv.gz
zcat facts.csv.gz
```
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from kg.errors import InputError, SourceError, one_line

__all__ = ["Folder", "aside", "line_blocks", "read_bytes", "replacing", "write_bytes"]


class Folder:
    """A temporary folder, for what does not fit into memory; it goes when nobody needs it any more.

    Raises InputError where none can be made.

    >>> folder = Folder()
    >>> folder.path.is_dir()
    True
    """

    def __init__(self) -> None:
        with aside():
            self.path = Path(tempfile.mkdtemp(prefix="kgprobe-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Write what does not fit into memory. Raises InputError where there is no room for it."""
    try:
        yield
    except OSError as error:
        problem = f"temporary files cannot be written ({one_line(error.strerror or str(error))})"
        raise InputError(problem, place=tempfile.gettempdir(), way_out="set TMPDIR to a folder with room") from error


def read_bytes(path: str | Path) -> bytes:
    """Read a whole file (`-` is stdin), unzipped if its content is gzip.

    Raises SourceError where it is missing, a folder, unreadable, or a cut-off or damaged gzip.
    """
    data = sys.stdin.buffer.read() if str(path) == "-" else _read(Path(path))
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(path, error) from error


def line_blocks(path: str | Path, size: int) -> Iterator[bytes]:
    """Read a file as `read_bytes` does, in whole lines and about `size` bytes at a time."""
    with _opened(path) as stream:
        try:
            while block := stream.read(size):
                yield block + stream.readline()
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _damaged(path, error) from error
        except OSError as error:
            raise _unreadable(path, error) from error


@contextlib.contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    with contextlib.ExitStack() as stack:
        try:
            raw = sys.stdin.buffer if str(path) == "-" else stack.enter_context(Path(path).open("rb"))
        except OSError as error:
            raise _unreadable(path, error) from error
        zipped = cast("io.BufferedReader", raw).peek(2)[:2] == b"\x1f\x8b"
        yield cast("BinaryIO", stack.enter_context(gzip.GzipFile(fileobj=raw)) if zipped else raw)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str | Path, error: OSError) -> SourceError:
    if isinstance(error, FileNotFoundError):
        return SourceError("no such file", place=str(path), way_out="check the path")
    return SourceError(f"cannot be read ({error.strerror})", place=str(path), way_out="check the path")


def _damaged(path: str | Path, error: Exception) -> SourceError:
    return SourceError(f"damaged gzip ({error})", place=str(path), way_out="fetch the file again; it may be cut off")


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name only when the block ends well.

    `-` writes to stdout; a name that ends in `.gz` is compressed (without a time stamp, so same content, same bytes).
    Raises InputError where the folder is missing or not writable.
    """
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    handle, name = _temporary(target)
    try:
        with os.fdopen(handle, "wb") as raw, _maybe_gzip(raw, target) as stream:
            yield stream
        _keep_mode(Path(name), target)
        os.replace(name, target)  # noqa: PTH105
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _temporary(target: Path) -> tuple[int, str]:
    if target.is_dir():
        raise InputError("is a folder", place=str(target), way_out="name a file")
    try:
        return tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})", place=str(target), way_out="choose a folder that exists"
        ) from error


@contextlib.contextmanager
def _maybe_gzip(raw: BinaryIO, target: Path) -> Iterator[BinaryIO]:
    if target.suffix != ".gz":
        yield raw
        return
    with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0, compresslevel=6) as stream:
        yield cast("BinaryIO", stream)


def _keep_mode(new: Path, target: Path) -> None:
    """Give the new file the old one's permissions, or those the umask allows (mkstemp's are private)."""
    umask = os.umask(0)
    os.umask(umask)
    new.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask)


def write_bytes(path: str | Path, data: bytes | IO[bytes]) -> None:
    """Write `data` to a file in one step (`-` is stdout)."""
    with replacing(path) as stream:
        stream.write(data if isinstance(data, bytes) else data.read())
