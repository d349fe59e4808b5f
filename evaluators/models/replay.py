"""Answers that were recorded before, given again.

```
echo '{"item": "fpq.capital.yes_no.tpq.00", "text": "Yes."}' > answers.jsonl
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl
```

A line is `{item, text}` with an optional `sample`, or a whole response record. Without `sample` it answers every
sample of its item. A response keeps what was recorded about it (finish, usage, seconds, time, error).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from evaluators.errors import ModelError
from evaluators.models import Reply, Request
from queries.records import find_faults, numbered_lines
from queries.records.record import Count, Id, Record, Text
from queries.records.response import Failure, Response

__all__ = ["Recorded", "Replay"]


class Recorded(Record):
    """The short form of a recorded answer."""

    item: Id
    text: Text
    sample: Count | None = None


class Replay:
    """A model that gives recorded answers.

    Raises RecordError or ModelError, with file and line, where the recording is damaged or answers the same twice.
    """

    def __init__(self, path: str) -> None:
        self._name = f"replay:{_stem(path)}"
        self._replies: dict[tuple[str, int | None], Reply] = {}
        lines: dict[tuple[str, int | None], int] = {}
        for number, key, reply in _recorded(path):
            if key in lines:
                problem = f"item '{key[0]}' is answered already in line {lines[key]}"
                raise ModelError(problem, place=f"{path}:{number}", way_out="keep one of them, or number their samples")
            lines[key], self._replies[key] = number, reply
        if not lines:
            raise ModelError("holds no recorded answer", place=path, way_out='write {"item": ..., "text": ...} lines')

    @property
    def name(self) -> str:
        """`replay:` and the file's name without its endings."""
        return self._name

    async def ask(self, request: Request) -> Reply:
        """Return the recorded answer of the item's sample, or the failure `not_recorded`."""
        for key in ((request.item, request.sample), (request.item, None)):
            if key in self._replies:
                return self._replies[key]
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
    for line in numbered_lines(path):
        model = Response if _is_response(line.text) else Recorded
        try:
            found = model.model_validate_json(line.text)
        except ValidationError:
            raise find_faults(model, line.text)[0].error(f"{path}:{line.number}") from None
        yield line.number, (found.item, found.sample), _reply(found)


def _is_response(line: bytes) -> bool:
    try:
        found = json.loads(line)
    except ValueError:
        return False
    return isinstance(found, dict) and "schema" in found


def _reply(found: Response | Recorded) -> Reply:
    if isinstance(found, Recorded):
        return Reply(text=found.text)
    return Reply(found.text, found.finish, found.error, found.usage, found.seconds, found.time)
