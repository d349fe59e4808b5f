"""What a writer or a judge was asked and said, kept in a file that anybody can read, share and replay.

```
python -m generators.fpq --domain art --n 20 --writer replay:fpq-art.writer.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --judge replay:judgements.jsonl --out verdicts.jsonl
```

The lines are response records whose `item` names the request by a hash of what is sent. What the file holds of a model is
not asked again; every new answer is appended and flushed as it comes, so that nothing that was paid for is lost. Failures
are not kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from evaluators.models.protocol import Decoding, Message, Model, Reply, Request
from kg.errors import InputError
from queries.records import read_jsonl
from queries.records.response import RESPONSE_SCHEMA, Response

__all__ = ["Recording", "beside", "request_name"]


class Recording:
    """A model that is asked only what its file does not hold yet.

    Parameters: `path` is the file, or null to keep nothing. `known` counts the answers that were there already.
    Raises RecordError with file and line where the file is damaged, InputError where it cannot be written.
    """

    def __init__(self, model: Model, path: str | Path | None) -> None:
        # A recording that is replayed would only copy itself.
        self._model, self._path = model, None if path is None or model.name.startswith("replay:") else Path(path)
        self._replies: dict[tuple[str, int], Reply] = {}
        self.known = 0
        if self._path is not None and self._path.exists():
            _repair(self._path)
            found = read_jsonl(self._path, Response, may_be_empty=True)
            self._replies = {(r.item, r.sample): _reply(r) for r in found if r.model == model.name and r.error is None}

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    def holds(self, request: Request) -> bool:
        """Tell whether the file holds the answer to a request."""
        return (request.item, request.sample) in self._replies

    async def ask(self, request: Request) -> Reply:
        """Return what the file holds, else the model's answer after it was appended."""
        reply = self._replies.get((request.item, request.sample))
        if reply is not None:
            self.known += 1
            return reply
        reply = await self._model.ask(request)
        if reply.error is None and reply.text is not None:
            self._replies[request.item, request.sample] = reply
            self._append(_response(self.name, request, reply))
        return reply

    async def aclose(self) -> None:
        """Close the model."""
        await self._model.aclose()

    def _append(self, response: Response) -> None:
        if self._path is None:
            return
        try:
            with self._path.open("ab") as stream:
                stream.write(response.line().encode() + b"\n")
        except OSError as error:
            reason = f"cannot be written ({error.strerror})"
            raise InputError(reason, place=str(self._path), way_out="choose another file") from error


def _repair(path: Path) -> None:
    """Cut off a last line that a killed run left unfinished."""
    from evaluators.ask.journal import repair  # here: the journal of answers is built on models

    try:
        repair(path)
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise InputError(problem, place=str(path), way_out="choose another file") from error


def beside(path: str, what: str) -> str | None:
    """Name the recording after the file that it helped to make; stdout has none.

    >>> beside("made/art.jsonl.gz", "writer"), beside("-", "writer")
    ('made/art.writer.jsonl', None)
    """
    return None if path == "-" else f"{path.removesuffix('.gz').removesuffix('.jsonl')}.{what}.jsonl"


def request_name(prefix: str, messages: Sequence[Message], decoding: Decoding) -> str:
    """Name a request by what is sent: the same words under the same parameters have the same name.

    >>> request_name("judge.short", [Message("user", "Is it so?")], Decoding()).rpartition(".")[0]
    'judge.short'
    """
    said = json.dumps([[asdict(message) for message in messages], asdict(decoding)], sort_keys=True)
    return f"{prefix}.{hashlib.sha256(said.encode()).hexdigest()[:16]}"


def _reply(response: Response) -> Reply:
    return Reply(response.text, response.finish, None, response.usage, response.seconds, response.time)


def _response(name: str, request: Request, reply: Reply) -> Response:
    return Response(
        schema=RESPONSE_SCHEMA, item=request.item, model=name, sample=request.sample, text=reply.text, finish=reply.finish,
        error=None, usage=reply.usage, seconds=reply.seconds, prompt=None, time=reply.time,
    )  # fmt: skip
