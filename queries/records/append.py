"""Files of records that grow line by line while a run goes on, and that the next run continues where a killed one left off."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from kg.errors import InputError
from kg.files import replacing
from queries.records.io import Line, Source, lines
from queries.records.record import LineError, Record, parse_json, version_of


class AppendedFile:
    """A file that records are appended to: a plain one, a pipe, a device, or stdout (`-`).

    Parameters: `way_out` is what to do where it cannot be written.
    """

    def __init__(self, path: str | Path, way_out: str) -> None:
        self.path, self._way_out = path, way_out
        self._stream: BinaryIO | None = None
        self._size = 0

    def open(self) -> None:
        """Open the file. Raises InputError where it cannot be written."""
        if str(self.path) == "-":
            self._stream = sys.stdout.buffer
            return
        with self.told():
            # Unbuffered: what is written is the system's, whatever becomes of this process.
            self._stream = Path(self.path).open("ab", buffering=0)  # noqa: SIM115 - closed by close()
            self._size = self._stream.tell()

    def append(self, record: Record) -> None:
        """Write a record; when this returns, no end of this process can lose it.

        Raises InputError where it finds no room; then a plain file is as it was before.
        """
        if self._stream is None:
            self.open()
        assert self._stream is not None
        line = record.line().encode() + b"\n"
        data = memoryview(line)
        try:
            while data:
                data = data[self._stream.write(data) :]
            self._stream.flush()
            self._size += len(line)
        except BrokenPipeError:
            raise
        except OSError as error:
            if is_plain(self.path):
                os.truncate(self.path, self._size)
            raise self._unwritable(error) from error

    def close(self) -> None:
        """Close the file; where it is empty it goes."""
        if self._stream is None or str(self.path) == "-":  # a notebook's stdout has no buffer to compare with
            return
        self._stream.close()
        self._stream = None
        if is_plain(self.path) and not self._size:
            Path(self.path).unlink(missing_ok=True)

    def repair(self, record: type[Record]) -> None:
        """Mend the end of the file (see `repair`). Raises InputError where it cannot be written."""
        with self.told():
            repair(Path(self.path), record)

    def keep(self, wanted: Callable[[Line], bool]) -> None:
        """Replace the file, in one step, by those of its lines that are wanted: a kill leaves the old one or the new one."""
        with self.told(), replacing(self.path) as stream:
            for line in lines(Source(self.path, str(self.path))):
                if wanted(line):
                    stream.write(line.text + b"\n")

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Say of what hinders writing where it is and what to do."""
        try:
            yield
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot be written ({error.strerror})", place=str(self.path), way_out=self._way_out)


def is_plain(path: str | Path) -> bool:
    """Tell whether a path is, or may become, a file that can be continued: not stdout, a pipe, a device or a folder."""
    return str(path) != "-" and (not Path(path).exists() or Path(path).is_file())


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep other runs from writing a file. Raises InputError where one is writing it."""
    from filelock import FileLock, Timeout  # here: who only appends does not wait for it

    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=0)
    try:
        lock.acquire()
    except Timeout:
        way_out = "wait for it to end, or name another --out"
        raise InputError("another run is writing this file", place=str(path), way_out=way_out) from None
    try:
        yield
    finally:
        # The lock's file goes first: who waits for it sees that it has no name any more, and starts anew.
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()


def repair(path: Path, record: type[Record]) -> bool:
    """Cut off a last line that a killed run left unfinished; tell whether there was one.

    A last line that is whole but lacks its line break gets one. Any other fault is left to the reader to complain about.
    """
    end = _tail(path)
    whole = end.rstrip()
    # Only what is the beginning of such a record: a file of another kind may have been named by mistake.
    beginning = f'{{"schema":"{version_of(record).partition("/")[0]}/'.encode()
    begun = whole.startswith(beginning) or (whole and beginning.startswith(whole))
    if begun and not end.endswith(b"\n") and not _is_json(whole):
        os.truncate(path, path.stat().st_size - len(end))
        return True
    if begun and not end.endswith(b"\n"):
        with path.open("ab") as stream:
            stream.write(b"\n")
    return False


def _tail(path: Path, piece: int = 65536) -> bytes:
    """Return the last line that is not blank, with all that follows it."""
    with path.open("rb") as stream:
        left, end = stream.seek(0, os.SEEK_END), b""
        while left:
            step = min(piece, left)
            left -= step
            stream.seek(left)
            end = stream.read(step) + end
            start = end.rfind(b"\n", 0, len(end.rstrip()))
            if start >= 0:
                return end[start + 1 :]
    return end


def _is_json(line: bytes) -> bool:
    try:
        parse_json(line)
    except LineError:
        return False
    return True
