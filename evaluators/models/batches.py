"""Requests that a provider answers within a day at half the price: submitted together, looked after by their id, collected.

Every submission has a mark of ours, drawn before it is sent and written to disk: a process that is killed while it submits
finds by the mark what the provider has of it. OpenAI's protocol keeps the mark beside the batch; Anthropic's shows it in the
results, as the beginning of each `custom_id`.

Sources: https://platform.openai.com/docs/guides/batch, https://platform.claude.com/docs/en/build-with-claude/batch-processing
"""

from __future__ import annotations

import asyncio
import datetime
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from evaluators.errors import ModelError
from evaluators.models.bodies import parsed
from evaluators.models.faults import Fault
from evaluators.models.protocol import Reply, Request
from queries.records.response import Failure

MOST_REQUESTS = 10_000
MOST_BYTES = 80 * 2**20
"""What one batch holds: the providers take 50,000 requests and 200 MB."""
_SKEW = 600
"""Seconds by which the provider's clock may differ from ours."""


class Submission(NamedTuple):
    """A batch as it is sent: its mark, when it was drawn (seconds since 1970), and how many requests it has."""

    mark: str
    time: float
    size: int


class Caller(Protocol):
    """What batches need of the client of a model."""

    left_out: set[str]

    @property
    def name(self) -> str:
        """What the records call the model."""
        ...

    def body(self, request: Request) -> dict[str, Any]:
        """Return what is sent for a request."""
        ...

    async def call(self, method: str, path: str, *, body: Any = None, files: Any = None, tries: bool = True) -> bytes:
        """Call an address of the provider; return the body."""
        ...

    def understood(self, request: Request, status: int, body: bytes, left_out: Collection[str]) -> Reply | None:
        """Read an answer that came in a batch."""
        ...


class Batches(ABC):
    """The batches of one model."""

    def __init__(self, client: Caller) -> None:
        self._client = client

    @property
    def left_out(self) -> list[str]:
        """The parameters that the model is not sent, because it refused them."""
        return sorted(self._client.left_out)

    @abstractmethod
    async def submit(self, mark: str, requests: Sequence[Request]) -> str:
        """Send requests as one batch, named `MARK-0`, `MARK-1`, ...; return its id. Sent once: nothing is tried again."""

    @abstractmethod
    async def find(self, submission: Submission, known: Collection[str], poll: float) -> str | None:
        """Return the id of a batch that was submitted and whose id was lost; null where the provider has none.

        Parameters: `known` are the ids of other batches; `poll` the seconds between two looks where one has to wait.
        """

    @abstractmethod
    async def ended(self, name: str) -> bool:
        """Tell whether a batch is done. Raises BatchFailed where it never began."""

    @abstractmethod
    async def results(self, name: str, requests: Sequence[Request], left_out: Collection[str]) -> list[Reply | None]:
        """Return the replies in the order of the requests; null is one to be sent again, without what the model refused.

        Parameters: `left_out` are the parameters that these were sent without, as `left_out` said then.
        """

    async def _list(self, path: str) -> list[dict[str, Any]]:
        answer = parsed(await self._client.call("GET", path))
        return [one for one in answer["data"] if isinstance(one, dict)]

    def _replies(
        self, lines: Iterator[tuple[str, int, Any]], requests: Sequence[Request], left_out: Collection[str], missing: str
    ) -> list[Reply | None]:
        """Put results in order; what has none gets a failure that another run asks again."""
        nothing = Reply(error=Failure(kind="server", status=None, message=missing))
        replies: list[Reply | None] = [nothing] * len(requests)
        for custom, status, body in lines:
            number = int(custom.rpartition("-")[2])
            replies[number] = self._client.understood(requests[number], status, json.dumps(body).encode(), left_out)
        return replies


class BatchFailed(ModelError):  # noqa: N818 - the provider's word
    """The provider did not take a batch: none of its requests was answered or paid for."""


class OpenAIBatches(Batches):
    """Batches of OpenAI's protocol: a file of requests, and one or two of results."""

    path = "/chat/completions"

    async def submit(self, mark: str, requests: Sequence[Request]) -> str:
        """Upload the requests and submit them."""
        lines = [self._line(f"{mark}-{number}", request) for number, request in enumerate(requests)]
        file = (f"{mark}.jsonl", b"".join(lines), "application/jsonl")
        uploaded = parsed(
            await self._client.call("POST", "/files", body={"purpose": "batch"}, files=[("file", file)], tries=False)
        )
        body = {
            "input_file_id": uploaded["id"], "endpoint": f"/v1{self.path}", "completion_window": "24h",
            "metadata": {"kgprobe": mark},
        }  # fmt: skip
        return str(parsed(await self._client.call("POST", "/batches", body=body, tries=False))["id"])

    def _line(self, custom: str, request: Request) -> bytes:
        line = {"custom_id": custom, "method": "POST", "url": f"/v1{self.path}", "body": self._client.body(request)}
        return json.dumps(line).encode() + b"\n"

    async def find(self, submission: Submission, known: Collection[str], poll: float) -> str | None:
        """Look for the mark among the batches since it was drawn, the latest first."""
        after = ""
        while page := await self._list(f"/batches?limit=100{after}"):
            for batch in page:
                if (batch.get("metadata") or {}).get("kgprobe") == submission.mark:
                    return str(batch["id"])
            if page[-1]["created_at"] < submission.time - _SKEW or len(page) < 100:
                break
            after = f"&after={page[-1]['id']}"
        return None

    async def ended(self, name: str) -> bool:
        """Tell whether a batch is done. Raises BatchFailed where its file was not taken."""
        batch = parsed(await self._client.call("GET", f"/batches/{name}"))
        if batch["status"] == "failed":
            errors = (batch.get("errors") or {}).get("data") or [{}]
            raise BatchFailed(f"batch {name} was not taken ({errors[0].get('message')})", place=self._client.name)
        return batch["status"] in ("completed", "expired", "cancelled")

    async def results(self, name: str, requests: Sequence[Request], left_out: Collection[str]) -> list[Reply | None]:
        """Read the files of answers and of errors."""
        batch = parsed(await self._client.call("GET", f"/batches/{name}"))
        lines: list[tuple[str, int, Any]] = []
        for file in (batch.get("output_file_id"), batch.get("error_file_id")):
            body = await self._client.call("GET", f"/files/{file}/content") if file else b""
            lines += [_openai_line(parsed(line)) for line in body.split(b"\n") if line.strip()]
        return self._replies(
            iter(lines), requests, left_out, f"batch {name} ended before this one was answered ({batch['status']})"
        )


def _openai_line(line: dict[str, Any]) -> tuple[str, int, Any]:
    response = line.get("response")
    if response:
        return line["custom_id"], response["status_code"], response["body"]
    return line["custom_id"], 500, {"error": line.get("error") or {"message": "no answer"}}


class AnthropicBatches(Batches):
    """Batches of Anthropic's messages."""

    async def submit(self, mark: str, requests: Sequence[Request]) -> str:
        """Submit the requests."""
        listed = [{"custom_id": f"{mark}-{n}", "params": self._client.body(request)} for n, request in enumerate(requests)]
        return str(parsed(await self._client.call("POST", _MESSAGES, body={"requests": listed}, tries=False))["id"])

    async def find(self, submission: Submission, known: Collection[str], poll: float) -> str | None:
        """Look for the mark in the results of batches of the same size since it was drawn; wait for those under way."""
        for batch in await self._list(f"{_MESSAGES}?limit=1000"):
            same = sum(batch["request_counts"].values()) == submission.size
            if batch["id"] in known or not same or _seconds(batch["created_at"]) < submission.time - _SKEW:
                continue
            while not await self.ended(batch["id"]):
                await asyncio.sleep(poll)
            lines = await self._results(batch["id"])
            if lines and str(lines[0]["custom_id"]).startswith(submission.mark):
                return str(batch["id"])
        return None

    async def ended(self, name: str) -> bool:
        """Tell whether a batch is done."""
        batch = parsed(await self._client.call("GET", f"{_MESSAGES}/{name}"))
        return bool(batch["processing_status"] == "ended")

    async def results(self, name: str, requests: Sequence[Request], left_out: Collection[str]) -> list[Reply | None]:
        """Read the results."""
        lines = [_anthropic_line(line) for line in await self._results(name)]
        missing = f"batch {name} ended before this one was answered"
        return self._replies(iter([line for line in lines if line]), requests, left_out, missing)

    async def _results(self, name: str) -> list[dict[str, Any]]:
        body = await self._client.call("GET", f"{_MESSAGES}/{name}/results")
        return [parsed(line) for line in body.split(b"\n") if line.strip()]


_MESSAGES = "/v1/messages/batches"
_STATUS = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "timeout_error": 504, "overloaded_error": 529,
}  # fmt: skip


def _anthropic_line(line: dict[str, Any]) -> tuple[str, int, Any] | None:
    """Return what a result says, as the messages' own protocol would; null where it was not answered."""
    result = line["result"]
    if result["type"] == "succeeded":
        return line["custom_id"], 200, result["message"]
    if result["type"] == "errored":
        error = result["error"].get("error") or result["error"]
        return line["custom_id"], _STATUS.get(error.get("type"), 500), {"error": error}
    return None


def _seconds(time: str) -> float:
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()


def fault_of(error: Fault | ModelError) -> Failure:
    """Return what a record keeps of a result that is a failure: nothing in a batch ends the run."""
    if isinstance(error, Fault):
        return error.failure()
    return Failure(kind="server", status=None, message=str(error))
