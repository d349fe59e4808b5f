"""Ask a model every item that it has not answered yet, and keep each answer as it comes.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl --samples 3
```
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import polars as pl
from pydantic_core import from_json

from evaluators.errors import JoinError
from evaluators.models import Model, Reply, Request
from evaluators.prompts import prompt_hash, prompt_text
from kg.errors import InputError
from queries.records import read_jsonl
from queries.response import RESPONSE_SCHEMA, Response

__all__ = ["Tally", "ask_all", "repair", "requests"]


@dataclass
class Tally:
    """What a run did: answers that came, failures that came instead, and answers that were there already."""

    answered: int = 0
    failed: int = 0
    kept: int = 0


def requests(items: pl.DataFrame, setting: str, samples: int = 1) -> list[Request]:
    """Put every item into words, `samples` times.

    Parameters: `items` has the columns `id`, `task`, `question`, `options` and `context`.
    Raises PromptError before anything is asked.
    """
    prompts = [(row["id"], prompt_text(setting, row)) for row in items.iter_rows(named=True)]
    return [Request(item, sample, prompt) for item, prompt in prompts for sample in range(samples)]


def ask_all(model: Model, wanted: Iterable[Request], out: str, told: Callable[[], object] = lambda: None) -> Tally:
    """Ask what `out` does not hold yet; each response is appended and flushed before the next is asked.

    Parameters: `out` is a file, or `-` for stdout; `told` is called after each request.
    Raises JoinError where `out` holds an answer to another wording of the same item.
    """
    tally, done = Tally(), _answered(out, model.name)
    for request in wanted:
        _same_wording(request, done, out)
    with _appending(out) as stream:
        for request in wanted:
            if (request.item, request.sample) in done:
                tally.kept += 1
            else:
                _ask(model, request, stream, tally)
            told()
    return tally


def _ask(model: Model, request: Request, stream: BinaryIO, tally: Tally) -> None:
    reply = model.ask(request)
    stream.write(_response(model.name, request, reply).line().encode() + b"\n")
    stream.flush()
    if reply.error is None:
        tally.answered += 1
    else:
        tally.failed += 1


def _response(name: str, request: Request, reply: Reply) -> Response:
    return Response(
        schema=RESPONSE_SCHEMA,
        item=request.item,
        model=name,
        sample=request.sample,
        text=reply.text,
        finish=reply.finish,
        error=reply.error,
        usage=reply.usage,
        seconds=reply.seconds,
        prompt=prompt_hash(request.prompt),
        time=reply.time,
    )


def _answered(out: str, model: str) -> dict[tuple[str, int], Response]:
    """Return what the file holds of this model already, after mending its end."""
    if out.endswith(".gz") or Path(out).is_dir():
        raise InputError("answers are appended one by one", place=out, way_out="name a plain file, not .gz, no folder")
    if out == "-" or not Path(out).exists():
        return {}
    repair(Path(out))
    found = read_jsonl(out, Response, may_be_empty=True)
    return {(response.item, response.sample): response for response in found if response.model == model}


def _same_wording(request: Request, done: dict[tuple[str, int], Response], out: str) -> None:
    before = done.get((request.item, request.sample))
    if before is not None and before.prompt not in (None, prompt_hash(request.prompt)):
        problem = f"item '{request.item}' was asked in other words before (another setting or another question)"
        raise JoinError(problem, place=out, way_out="choose another --out")


def repair(path: Path) -> bool:
    """Cut off a last line that a killed run left unfinished; tell whether there was one.

    A last line that is whole but lacks its line break gets one. Any other fault is left to the reader to complain about.
    """
    data = path.read_bytes()
    whole = data.rstrip()
    start = whole.rfind(b"\n") + 1
    # Only what may be the beginning of a record: `--out` may have named a file of another kind by mistake.
    if whole.startswith(b"{", start) and not _is_json(whole[start:]):
        os.truncate(path, start)
        return True
    if whole and not data.endswith(b"\n"):
        with path.open("ab") as stream:
            stream.write(b"\n")
    return False


def _is_json(line: bytes) -> bool:
    try:
        from_json(line)
    except ValueError:
        return False
    return True


@contextmanager
def _appending(out: str) -> Iterator[BinaryIO]:
    if out == "-":
        yield sys.stdout.buffer
        return
    with _opened(Path(out)) as stream:
        yield stream


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("ab")
    except OSError as error:
        reason = f"cannot be written ({error.strerror})"
        raise InputError(reason, place=str(path), way_out="choose another --out") from error
