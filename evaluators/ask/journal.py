"""The file of responses that a run appends to: held by one run at a time, mended where a killed run left it broken off.

```
python -m evaluators.ask items.jsonl --model openai:some-model --out responses.jsonl
python -m queries.records check responses.jsonl
```

There is one line for each item, model and sample. Answers stay for ever. A line with a failure that may pass (see
`evaluators.models.faults`) is taken out when a run asks its item again; the file is replaced in one step, so that a kill leaves
the old one or the new one. Failures that would come again stay.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from filelock import FileLock, Timeout
from pydantic import ValidationError
from pydantic_core import from_json

from evaluators.keys import Keys, short_hash
from evaluators.lines import Source, lines_of
from evaluators.models import Request
from evaluators.models.faults import AGAIN
from kg.errors import InputError
from kg.files import replacing
from queries.records import RecordError, find_faults
from queries.records.response import Response

__all__ = ["Journal", "repair"]


class Journal:
    """Responses of a model in a file, a pipe, or stdout (`-`); only a plain file is read, locked and continued.

    Raises InputError where the file cannot be written or another run holds it, RecordError where a line is no response.
    """

    def __init__(self, out: str, model: str) -> None:
        self.place, self._model = out, model
        self._path = _plain(out)
        self._settled, self._failed = Keys(), Keys()
        self.spent = 0.0
        self._lock: FileLock | None = None
        self._stream: BinaryIO | None = None
        self._size = 0

    def __enter__(self) -> Journal:
        """Take hold of the file and see what it holds."""
        if self._path is None:
            return self
        self._lock = _locked(self._path)
        try:
            if self._path.exists():
                with _writable(self.place):
                    repair(self._path)
                self._read(self._path)
        except BaseException:
            _unlock(self._lock)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Let go of the file."""
        if self._stream is not None and self.place != "-":  # a notebook's stdout has no buffer to compare with
            self._stream.close()
            if self._path is not None and not self._size:
                self._path.unlink(missing_ok=True)
        if self._lock is not None:
            _unlock(self._lock)

    def _read(self, path: Path) -> None:
        everything = Keys()
        for number, line in lines_of(Source(path, self.place)):
            try:
                found = Response.model_validate_json(line)
            except ValidationError:
                raise find_faults(Response, line)[0].error(f"{self.place}:{number}") from None
            everything.add((found.item, found.model, found.sample), line=number)
            if found.model == self._model:
                self._enter(found, number)
        again = everything.repeated()
        if again:
            problem = f"answers the same item, model and sample as line {again[1]}"
            raise RecordError(problem, place=f"{self.place}:{again[0]}", way_out="keep one of the two lines")

    def _enter(self, found: Response, number: int) -> None:
        self.spent += (found.usage.usd or 0.0) if found.usage else 0.0
        keys = self._failed if found.error and found.error.kind in AGAIN else self._settled
        keys.add((found.item, found.sample), line=number, mark=short_hash(found.prompt) if found.prompt else 0)

    def holds(self, request: Request) -> int | None:
        """Return the mark of the prompt that a settled request was asked with (0: not told), None where it is not settled."""
        return self._settled.find((request.item, request.sample))

    def failed(self, request: Request) -> bool:
        """Tell whether the file holds a failure of the request that may pass."""
        return self._failed.find((request.item, request.sample)) is not None

    def drop(self, again: set[tuple[str, int]]) -> None:
        """Take out this model's lines of the items and samples that are asked again."""
        if self._path is None or not again:
            return
        with _writable(self.place), replacing(self._path) as stream:
            for _, line in lines_of(Source(self._path, self.place)):
                found = from_json(line)
                if found["model"] != self._model or (found["item"], found["sample"]) not in again:
                    stream.write(line + b"\n")

    def start(self) -> None:
        """Open the file for appending: what cannot be written is told before anything is asked."""
        if self.place == "-":
            self._stream = sys.stdout.buffer
            return
        with _writable(self.place):
            self._stream = Path(self.place).open("ab", buffering=0)  # noqa: SIM115 - closed by __exit__
            self._size = self._stream.tell()

    def append(self, response: Response) -> None:
        """Write a response; when this returns, no end of this process can lose it.

        Raises InputError where it finds no room; then the file is as it was before.
        """
        assert self._stream is not None
        line = response.line().encode() + b"\n"
        data = memoryview(line)
        try:
            while data:
                data = data[self._stream.write(data) :]
            self._stream.flush()
            self._size += len(line)
        except BrokenPipeError:
            raise
        except OSError as error:
            if self._path is not None:
                os.truncate(self._path, self._size)
            raise _unwritable(error, self.place) from error


def _plain(out: str) -> Path | None:
    """Return the path of a file that can be continued; None for stdout, pipes and devices."""
    path = Path(out)
    if out == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
        return None
    if out.endswith(".gz") or path.is_dir():
        raise InputError("answers are appended one by one", place=out, way_out="name a plain file, not .gz, no folder")
    if not path.parent.is_dir():
        raise InputError("is in no folder that exists", place=out, way_out="make the folder first")
    return path.resolve()


def _locked(path: Path) -> FileLock:
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=0)
    try:
        with _writable(str(path)):
            lock.acquire()
    except Timeout:
        way_out = "wait for it to end, or name another --out"
        raise InputError("another run is writing this file", place=str(path), way_out=way_out) from None
    return lock


def _unlock(lock: FileLock) -> None:
    """Let go, and leave no file behind: who waits for the old one sees that it has no name any more, and starts anew."""
    with contextlib.suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()


@contextlib.contextmanager
def _writable(place: str) -> Iterator[None]:
    try:
        yield
    except Timeout:
        raise
    except OSError as error:
        raise _unwritable(error, place) from error


def _unwritable(error: OSError, place: str) -> InputError:
    way_out = "make room or choose another --out; the same command continues what the file holds"
    return InputError(f"cannot be written ({error.strerror})", place=place, way_out=way_out)


_BEGINNING = b'{"schema":"kgprobe.response/'
"""How every line begins that a run writes."""


def repair(path: Path) -> bool:
    """Cut off a last line that a killed run left unfinished; tell whether there was one.

    A last line that is whole but lacks its line break gets one. Any other fault is left to the reader to complain about.
    """
    end = _tail(path)
    whole = end.rstrip()
    # Only what is the beginning of a response: a file of another kind may have been named by mistake.
    begun = whole.startswith(_BEGINNING) or (whole and _BEGINNING.startswith(whole))
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
        from_json(line)
    except ValueError:
        return False
    return True
