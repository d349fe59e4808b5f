"""Files in and out: `.gz` on both sides, `-` for the standard streams, and nothing half-written.

A bundle (`NAME.kgprobe`) is read as the items that it holds.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from kg.archive import MAGIC, Archive, read_archive
from kg.errors import InputError, SourceError, one_line
from kg.meter import opened_file


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
    """Read a whole file (`-` is stdin), unzipped if its content is gzip; of a bundle, its items.

    Raises SourceError where it is missing, a folder, unreadable, a damaged bundle, or a gzip that is cut off, damaged, or
    larger than `most_unzipped` says.
    """
    data = stored_bytes(path)
    if _is_bundle(path, data[: len(MAGIC)]):
        return read_archive(data, str(path)).items
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return _unzipped(data, path, most_unzipped())
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(path, error) from error


def stored_bytes(path: str | Path) -> bytes:
    """Read a whole file (`-` is stdin) as it is stored. Raises SourceError where it is missing, a folder or unreadable."""
    return _stdin().read() if str(path) == "-" else _read(Path(path))


def _is_bundle(path: str | Path, beginning: bytes) -> bool:
    return beginning == MAGIC and Path(path).suffix == ".kgprobe"


def opened_archive(path: str | Path) -> Archive | None:
    """Read a bundle; null where the file is none. Raises SourceError where it is damaged or cannot be read."""
    if Path(path).suffix != ".kgprobe":
        return None
    data = stored_bytes(path)
    return read_archive(data, str(path)) if _is_bundle(path, data[: len(MAGIC)]) else None


def _unzipped(data: bytes, path: str | Path, most: int) -> bytes:
    parts, size = [], 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        while part := stream.read(_PIECE):
            parts.append(part)
            size += len(part)
            if size > most:
                raise _too_large(path)
    return b"".join(parts)


_PIECE = 2**24


_GIB = 2**30


def most_unzipped() -> int:
    """Return how many bytes may come out of a zipped file that is read whole: `KGPROBE_UNZIPPED` GiB, else 8.

    A few kilobytes of gzip can hold more than any memory.
    """
    given = os.environ.get("KGPROBE_UNZIPPED", "8")
    try:
        return int(float(given) * _GIB)
    except (ValueError, OverflowError):
        raise InputError(f"'{given}' is no number", place="KGPROBE_UNZIPPED", way_out="give a number of GiB") from None


def _too_large(path: str | Path) -> SourceError:
    problem = f"holds more than {most_unzipped() / _GIB:g} GiB when it is unzipped"
    return SourceError(problem, place=str(path), way_out="unzip it first, or set KGPROBE_UNZIPPED to so many GiB")


_LONGEST_LINE = 2**28
"""Bytes of a line: what has longer ones has no lines, and would fill the memory."""


def line_blocks(
    path: str | Path, size: int, *, place: str | None = None, tap: Callable[[bytes], object] | None = None
) -> Iterator[bytes]:
    """Read a file as `read_bytes` does, in whole lines and about `size` bytes at a time.

    Parameters: `place` is what errors call the file; `tap` is given its bytes as they are read, before they are unzipped.
    """
    called = place or path
    with _opened(path, called, tap) as stream:
        try:
            while block := stream.read(size):
                rest = stream.readline(_LONGEST_LINE)
                if len(rest) == _LONGEST_LINE:
                    problem = f"has a line of more than {_LONGEST_LINE >> 20} MiB"
                    raise SourceError(problem, place=str(called), way_out="write one record a line")
                yield block + rest
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _damaged(called, error) from error
        except OSError as error:
            raise _unreadable(called, error) from error


def byte_blocks(path: str | Path, size: int, *, tap: Callable[[bytes], object] | None = None) -> Iterator[bytes]:
    """Read a file as `line_blocks` does, `size` bytes at a time, wherever its lines end."""
    with _opened(path, path, tap) as stream:
        try:
            while block := stream.read(size):
                yield block
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _damaged(path, error) from error
        except OSError as error:
            raise _unreadable(path, error) from error


@contextlib.contextmanager
def _opened(path: str | Path, place: str | Path, tap: Callable[[bytes], object] | None) -> Iterator[BinaryIO]:
    with contextlib.ExitStack() as stack:
        try:
            raw = _stdin() if str(path) == "-" else stack.enter_context(opened_file(Path(path)))
        except OSError as error:
            raise _unreadable(place, error) from error
        whole = cast("io.BufferedReader", raw if tap is None else io.BufferedReader(_Tapped(raw, tap), 1 << 18))
        if _is_bundle(place, whole.peek(len(MAGIC))[: len(MAGIC)]):
            yield io.BytesIO(read_archive(whole.read(), str(place)).items)
            return
        zipped = whole.peek(2)[:2] == b"\x1f\x8b"
        yield cast("BinaryIO", stack.enter_context(gzip.GzipFile(fileobj=whole)) if zipped else whole)
        while tap is not None and whole.read(1 << 18):
            pass  # what follows the end of a gzip belongs to the file as well


class _Tapped(io.RawIOBase):
    """A stream that shows somebody what is read from it."""

    def __init__(self, raw: BinaryIO, tap: Callable[[bytes], object]) -> None:
        self._raw, self._tap = raw, tap

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._raw.read(len(buffer))
        self._tap(data)
        buffer[: len(data)] = data
        return len(data)


def _stdin() -> BinaryIO:
    if sys.stdin is None:
        raise SourceError("stdin is closed", place="-", way_out="name a file")
    return sys.stdin.buffer


def _read(path: Path) -> bytes:
    try:
        with opened_file(path) as file:
            return file.read()
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

    `-` writes to stdout; a name that ends in `.gz` is compressed (without a time stamp, so same content, same bytes). What a
    link leads to is replaced, not the link; a device or a pipe is written to.
    Raises InputError where the folder is missing or not writable, and where there is no room; BrokenPipeError where the
    reader of a pipe has gone away.
    """
    with _write_faults(str(path)):
        if str(path) == "-":
            if sys.stdout is None:
                raise InputError("stdout is closed", place="-", way_out="name a file")
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif _is_stream(Path(path)):
            with Path(path).open("wb") as raw, _maybe_gzip(raw, Path(path)) as stream:
                yield stream
        else:
            with _renamed(Path(path)) as stream:
                yield stream


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
_CODE = re.compile(r"\(os error (\d+)\)")


@contextlib.contextmanager
def _write_faults(place: str) -> Iterator[None]:
    """Raise what hinders writing as one line; other faults pass."""
    try:
        yield
    except OSError as error:
        written = _CODE.search(str(error))  # polars writes the number into its message
        code = int(written[1]) if error.errno is None and written else error.errno
        if code == errno.EPIPE:
            raise BrokenPipeError from error  # without its number: Typer would end with 1 at once
        if code in _NO_ROOM:
            problem = f"cannot be written ({os.strerror(code)})"
            raise InputError(problem, place=place, way_out="choose a place with room") from error
        raise


def _is_stream(path: Path) -> bool:
    """Tell whether a path is a device or a pipe."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextlib.contextmanager
def _renamed(path: Path) -> Iterator[BinaryIO]:
    # A temporary file beside a link would replace the link; and only within one file system can it be renamed.
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    handle, name = _temporary(target)
    _half_written.add(name)
    try:
        with os.fdopen(handle, "wb") as raw, _maybe_gzip(raw, target) as stream:
            yield stream
        _keep_mode(Path(name), target)
        # In one step, on POSIX and on Windows: a reader sees the old file or the new one.
        os.replace(name, target)  # noqa: PTH105
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    finally:
        _half_written.discard(name)


_half_written: set[str] = set()


def remove_half_written() -> None:
    """Remove the files that are being written, for a process that ends at once."""
    for name in list(_half_written):
        Path(name).unlink(missing_ok=True)


def cache_folder() -> Path:
    """Say where what can be made again is kept for this user: `kgprobe` in XDG_CACHE_HOME, or in `~/.cache`.

    Raises RuntimeError where the user has no home.

    >>> cache_folder().name
    'kgprobe'
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kgprobe"


def check_apart(outputs: Mapping[str, str | None], inputs: Iterable[str | Path | None] = ()) -> None:
    """Raise InputError where two outputs are one file, or one of them is an input.

    Parameters: `outputs` are paths by the option that names them. What is null, a device or a pipe is left out.

    >>> check_apart({"--out": "a.jsonl", "--named": "./a.jsonl"})
    Traceback (most recent call last):
    kg.errors.InputError: --named: './a.jsonl' is what --out writes too; name another file
    """
    read = {_real(path) for path in inputs if path is not None and str(path) != "-"}
    written: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None or _is_stream(Path(path)):
            continue
        real = _real(path)
        if real in read:
            raise InputError(f"'{path}' is what is read", place=option, way_out="name another file")
        if real in written:
            raise InputError(f"'{path}' is what {written[real]} writes too", place=option, way_out="name another file")
        written[real] = option


def _real(path: str | Path) -> str:
    return "-" if str(path) == "-" else os.path.realpath(path)


def _temporary(target: Path) -> tuple[int, str]:
    if target.is_dir():
        raise InputError("is a folder", place=str(target), way_out="name a file")
    try:
        return tempfile.mkstemp(prefix=f".{target.name[:200]}.", dir=target.parent)
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
    umask = os.umask(0)  # it can only be read by setting it
    os.umask(umask)
    new.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask)


def write_bytes(path: str | Path, data: bytes | IO[bytes]) -> None:
    """Write `data` to a file in one step (`-` is stdout)."""
    with replacing(path) as stream:
        stream.write(data if isinstance(data, bytes) else data.read())
