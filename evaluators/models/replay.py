"""Answers that were recorded before, given again.

A line is `{item, text}` with an optional `sample`, or a whole response record. Without `sample` it answers every
sample of its item. A response keeps what was recorded about it (finish, usage, seconds, time, error, trace). Short lines may
have `queries`: where a graph is offered (`--tools sparql`) these are run, one after the other, before the text is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from evaluators.errors import ModelError
from evaluators.models.faults import Patience
from evaluators.models.protocol import Call, Model, Reply, Request, reply_of
from queries.records import Response, decode, lines
from queries.records.record import Count, Id, Record, Text
from queries.records.response import Failure


class Recorded(Record, frozen=True):
    """The short form of a recorded answer."""

    item: Id
    text: Text
    sample: Count | None = None
    queries: list[Text] = []  # noqa: RUF012 (msgspec makes a new one for each)


def open_replay(name: str, patience: Patience | None) -> Model:
    """Open `replay:FILE`, which needs no patience."""
    return Replay(name)


class Replay:
    """A model that gives recorded answers.

    Raises RecordError or ModelError, with file and line, where the recording is damaged or answers the same twice.
    """

    def __init__(self, path: str) -> None:
        self._name = f"replay:{_stem(path)}"
        self._replies: dict[tuple[str, int | None], Reply] = {}
        numbers: dict[tuple[str, int | None], int] = {}
        for number, key, reply in _recorded(path):
            if key in numbers:
                problem = f"item '{key[0]}' is answered already in line {numbers[key]}"
                raise ModelError(problem, place=f"{path}:{number}", way_out="keep one of them, or number their samples")
            numbers[key], self._replies[key] = number, reply
        if not numbers:
            raise ModelError("holds no recorded answer", place=path, way_out='write {"item": ..., "text": ...} lines')

    @property
    def name(self) -> str:
        """`replay:` and the file's name without its endings."""
        return self._name

    async def ask(self, request: Request) -> Reply:
        """Return the recorded answer of the item's sample, or the failure `not_recorded`."""
        # A numbered answer goes before one for all samples.
        for key in ((request.item, request.sample), (request.item, None)):
            if key in self._replies:
                return _next(self._replies[key], request)
        message = f"{self._name} has no answer of sample {request.sample}"
        return Reply(error=Failure(kind="not_recorded", status=None, message=message))

    async def aclose(self) -> None:
        """Nothing is open."""


def _stem(path: str) -> str:
    r"""Name a recording after its file.

    >>> _stem("runs/answers.jsonl.gz")
    'answers'
    """
    name = Path(path).name
    for ending in (".gz", ".jsonl"):
        name = name.removesuffix(ending)
    return name


def _recorded(path: str) -> Iterator[tuple[int, tuple[str, int | None], Reply]]:
    for line in lines(path):
        record = decode(line, Response, path) if _is_response(line.text) else decode(line, Recorded, path)
        yield line.number, (record.item, record.sample), _reply(record)


def _is_response(line: bytes) -> bool:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False  # whatever it is, the short form says better what a line should hold
    return isinstance(record, dict) and "schema" in record


def _next(reply: Reply, request: Request) -> Reply:
    """Return the call of a tool that is due before the answer, or the answer."""
    calls = reply.calls if request.tool is not None and not request.closed else ()
    return replace(reply, calls=calls[len(request.called) : len(request.called) + 1]) if reply.calls else reply


def _reply(record: Response | Recorded) -> Reply:
    if isinstance(record, Recorded):
        calls = [Call(str(n), "query", json.dumps({"sparql": query})) for n, query in enumerate(record.queries)]
        return Reply(text=record.text, calls=tuple(calls))
    return reply_of(record)
