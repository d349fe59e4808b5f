"""The file of responses that a run appends to: held by one run at a time, mended where a killed run left it broken off.

There is one line for each item, model and sample; several models may write one file in one run. The first answer to a prompt
has its text, as far as no earlier prompt of the file has it. Answers stay for ever. A line with a failure that may pass (see
`evaluators.models.faults`) is taken out when a run asks its item again; the file is replaced in one step, so that a kill leaves
the old one or the new one. Failures that would come again stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import ClassVar

from evaluators.errors import JoinError
from evaluators.models import Request
from evaluators.models.faults import AGAIN
from kg.errors import InputError
from queries.records import Item, RecordView, Response, Source, decode, read_frame, records_in
from queries.records.append import AppendedFile, held
from queries.records.keys import Keys, short_hash
from queries.records.prompts import Prompts

_WAY_OUT = "make room or choose another --out; the same command continues what the file holds"
_AGAIN = "answers the same item, model and sample as line {first}"


class _AnswerKey(RecordView, frozen=True):
    """Whose answer to what a line holds."""

    OF: ClassVar = Response

    item: str
    model: str
    sample: int


class ResponseFile:
    """Responses in a file, a pipe, or stdout (`-`); only a plain file is read, locked and continued.

    Parameters: `models` are the names of those who answer in this run; `retry_errors` asks again what was refused for good;
    `items`, where given, are the only ones that the file may have answers to.
    Raises InputError where the file cannot be written or another run holds it, RecordError where a line is no response,
    JoinError where one answers another item.
    """

    def __init__(self, out: str, models: Iterable[str], *, retry_errors: bool = False, items: Source | None = None) -> None:
        self.place, self.path, self._items = out, plain_path(out), items
        self.journals = {name: Journal(self, name, retry_errors=retry_errors) for name in models}
        self._prompts = Prompts()
        self._file = AppendedFile(out, _WAY_OUT)
        self._hold = ExitStack()

    def __enter__(self) -> ResponseFile:
        """Take hold of the file and see what it holds."""
        if self.path is None:
            return self
        with self._hold as hold:
            with AppendedFile(self.path, _WAY_OUT).told():
                hold.enter_context(held(self.path))
            if self.path.exists():
                self._file.repair(Response)
                self._read(self.path)
            self._hold = hold.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Let go of the file."""
        self._file.close()
        self._hold.close()

    def _read(self, path: Path) -> None:
        known = None if self._items is None else frozenset(read_frame(self._items, Item, ["id"])["id"])
        for line, response in records_in(Source(path, self.place), Response, again=_AGAIN):
            if known is not None and response.item not in known:
                problem = f"answers item '{response.item}', which is not in {self._items and self._items.place}"
                raise JoinError(problem, place=f"{self.place}:{line.number}", way_out="choose another --out")
            self._prompts.enter(response)
            if response.model in self.journals:
                self.journals[response.model].enter(response, line.number)

    def drop(self, model: str, again: set[tuple[str, int]]) -> None:
        """Take out a model's lines of the items and samples that are asked again."""
        if self.path is None or not again:
            return

        def stays(answer: _AnswerKey) -> bool:
            return answer.model != model or (answer.item, answer.sample) not in again

        self._file.keep(lambda line: stays(decode(line, _AnswerKey, self.place)))

    def start(self) -> None:
        """Open the file for appending: what cannot be written is told before anything is asked."""
        self._file.open()

    def append(self, response: Response) -> None:
        """Write a response; when this returns, no end of this process can lose it. A prompt's text is written once.

        Raises InputError where it finds no room; then the file is as it was before.
        """
        lean = self._prompts.shortened(response)
        self._file.append(lean)
        self._prompts.enter(lean)


class Journal:
    """What a file of responses holds of one model; `spent` and `lengths` are what its answers cost, and their tokens."""

    def __init__(self, file: ResponseFile, model: str, *, retry_errors: bool = False) -> None:
        self._file, self._model, self._retry = file, model, retry_errors
        self._settled, self._failed = Keys(), Keys()
        self.place, self.spent = file.place, 0.0
        self.lengths: list[int] = []

    def enter(self, response: Response, number: int) -> None:
        """Take note of a response that stands in a line of the file."""
        self.spent += (response.usage.usd or 0.0) if response.usage else 0.0
        if response.usage is not None and response.usage.output is not None:
            self.lengths.append(response.usage.output)
        again = response.error is not None and (self._retry or response.error.kind in AGAIN)
        keys = self._failed if again else self._settled
        mark = short_hash(response.prompt) if response.prompt else 0
        keys.add((response.item, response.sample), line=number, mark=mark)

    def holds(self, request: Request) -> int | None:
        """Return the mark of a settled request's prompt (0: the record does not say), None where it is not settled."""
        return self._settled.find((request.item, request.sample))

    def failed(self, request: Request) -> bool:
        """Tell whether the file holds a failure of the request that may pass."""
        return self._failed.find((request.item, request.sample)) is not None

    def drop(self, again: set[tuple[str, int]]) -> None:
        """Take out the lines of the items and samples that are asked again."""
        self._file.drop(self._model, again)

    def append(self, response: Response) -> None:
        """Write a response of the model. Raises InputError where it finds no room."""
        self._file.append(response)


def plain_path(out: str) -> Path | None:
    """Return the path of a file that can be continued; None for stdout, pipes and devices."""
    path = Path(out)
    if out == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
        return None
    if out.endswith(".gz") or path.is_dir():
        raise InputError("answers are appended one by one", place=out, way_out="name a plain file, not .gz, no folder")
    if not path.parent.is_dir():
        raise InputError("is in no folder that exists", place=out, way_out="make the folder first")
    return path.resolve()
