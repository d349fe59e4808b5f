"""What a writer or a judge was asked and said, kept in a file that anybody can read, share and replay.

The lines are response records whose `item` names the request by a hash of what is sent. What the file holds of a model is
not asked again; every new answer is appended and flushed as it comes, so that nothing that was paid for is lost. Failures
are not kept.
"""

from __future__ import annotations

from pathlib import Path

from evaluators.models.protocol import Model, Reply, Request, reply_of
from kg.errors import InputError
from queries.records import Response, read
from queries.records.append import AppendedFile, repair
from queries.records.response import RESPONSE_SCHEMA


class Recording:
    """A model that is asked only what its file does not hold yet.

    Parameters: `path` is the file, or null to keep nothing. `known` counts the answers that were there already.
    Raises RecordError with file and line where the file is damaged, InputError where it cannot be written.
    """

    def __init__(self, model: Model, path: str | Path | None) -> None:
        # A recording that is replayed would only copy itself.
        self._model, self._replies = model, dict[tuple[str, int], Reply]()
        self._file = None if path is None or model.name.startswith("replay:") else AppendedFile(path, "choose another file")
        self.known = 0
        if self._file is not None and Path(self._file.path).exists():
            _repair(Path(self._file.path))
            responses = read(self._file.path, Response, may_be_empty=True)
            self._replies = {(r.item, r.sample): reply_of(r) for r in responses if r.model == model.name and r.error is None}

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
            if self._file is not None:
                self._file.append(_response(self.name, request, reply))
        return reply

    async def aclose(self) -> None:
        """Close the model and the file; an answer that comes later opens it again."""
        await self._model.aclose()
        if self._file is not None:
            self._file.close()


def _repair(path: Path) -> None:
    """Cut off a last line that a killed run left unfinished."""
    try:
        repair(path, Response)
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise InputError(problem, place=str(path), way_out="choose another file") from error


def beside(path: str, what: str) -> str | None:
    """Name the recording after the file that it helped to make; stdout has none.

    >>> beside("made/art.jsonl.gz", "writer"), beside("-", "writer")
    ('made/art.writer.jsonl', None)
    """
    return None if path == "-" else f"{path.removesuffix('.gz').removesuffix('.jsonl')}.{what}.jsonl"


def _response(name: str, request: Request, reply: Reply) -> Response:
    return Response(
        schema=RESPONSE_SCHEMA, item=request.item, model=name, sample=request.sample, text=reply.text, finish=reply.finish,
        error=None, usage=reply.usage, seconds=reply.seconds, prompt=None, time=reply.time, served=reply.served,
        decoding=dict(reply.decoding or {}),
    )  # fmt: skip
