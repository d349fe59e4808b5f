"""How much of its files a load has read, in bytes as they lie on the disk, for whoever shows that.

Who reads a file opens it with `opened_file`; nothing is counted unless somebody listens.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from os.path import isfile
from pathlib import Path
from typing import Any, BinaryIO, cast

_BUFFER = 2**18


class Meter:
    """Counts bytes of files, each once however often it is read, and bytes that come from elsewhere.

    Parameters: `show` is called whenever there are more.

    >>> meter = Meter()
    >>> meter.add(7)
    >>> meter.done, meter.total  # nobody knows how many there will be
    (7, None)
    """

    def __init__(self, show: Callable[[Meter], object] | None = None) -> None:
        self._show = show
        self._sizes: dict[str, int] = {}
        self._read: dict[str, int] = {}
        self._other = 0

    @property
    def done(self) -> int:
        """How many bytes were read."""
        return sum(self._read.values()) + self._other

    @property
    def total(self) -> int | None:
        """How many bytes the files have, as far as they are known; null where there is none."""
        return sum(self._sizes.values()) or None

    def expect(self, paths: Iterable[Path]) -> None:
        """Take files into account that will be read."""
        for path in paths:
            self._sizes.setdefault(str(path), path.stat().st_size if isfile(path) else 0)  # noqa: PTH113
        self._changed()

    def reach(self, path: Path, at: int) -> None:
        """Note that a file is read so far."""
        if at > self._read.get(str(path), 0):
            self._read[str(path)] = at
            self._changed()

    def add(self, number: int) -> None:
        """Count bytes that are in no file."""
        self._other += number
        self._changed()

    def _changed(self) -> None:
        if self._show is not None:
            self._show(self)


_listening: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextlib.contextmanager
def metered(meter: Meter) -> Iterator[None]:
    """Have a meter count what is read."""
    token = _listening.set(meter)
    try:
        yield
    finally:
        _listening.reset(token)


def expect(paths: Iterable[Path]) -> None:
    """Tell the meter, if there is one, which files will be read."""
    if (meter := _listening.get()) is not None:
        meter.expect(paths)


def add(number: int) -> None:
    """Tell the meter, if there is one, of bytes that are in no file."""
    if (meter := _listening.get()) is not None:
        meter.add(number)


def opened_file(path: Path) -> BinaryIO:
    """Open a file for reading. Raises OSError as `open` does.

    >>> meter = Meter()
    >>> with metered(meter), opened_file(Path(__file__)) as file:
    ...     beginning = file.read(3)
    >>> meter.done > 3, meter.total == Path(__file__).stat().st_size  # a block at a time
    (True, True)
    """
    meter = _listening.get()
    if meter is None:
        return path.open("rb")
    meter.expect([path])
    return cast("BinaryIO", io.BufferedReader(_Metered(path, meter), _BUFFER))


class _Metered(io.FileIO):
    """A file that tells a meter how far it is read; a pipe does not know where it stands, so that is counted."""

    def __init__(self, path: Path, meter: Meter) -> None:
        super().__init__(path)
        self._path, self._meter, self._at = path, meter, 0

    def readinto(self, buffer: Any) -> int | None:
        number = super().readinto(buffer)
        self._move(self._at + (number or 0))
        return number

    def readall(self) -> bytes:
        data = super().readall()
        self._move(self._at + len(data))
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._at = super().seek(offset, whence)
        return self._at

    def _move(self, at: int) -> None:
        self._at = at
        self._meter.reach(self._path, at)
