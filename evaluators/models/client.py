"""What all clients of a server share: keys from the environment, patience, and faults told apart.

```
OPENAI_API_KEY=... python -m evaluators.ask items.jsonl --model openai:some-model --out responses.jsonl
ANTHROPIC_API_KEY=... python -m evaluators.ask items.jsonl --model anthropic:some-model --out responses.jsonl
```

The protocols are spoken by the providers' own packages. Their retries are switched off: `patience` knows all tries of a
request. A key is read from the environment, kept in memory, and taken out of whatever a server says before it is shown or
written.
"""

from __future__ import annotations

import asyncio
import datetime
import time
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import httpx2
from pydantic_core import from_json

from evaluators.errors import ModelError
from evaluators.models import Reply, Request
from evaluators.models.faults import Fault, kind_of_status, redacted, stops, without_key
from evaluators.models.patience import Patience, Patient, retry_after
from queries.records.response import Usage

__all__ = ["Client", "count", "http_client", "usage_of"]

_ASSUMED_OUTPUT = 256


class Client(ABC):
    """A model behind a server; it may be asked in one event loop after the other, each time until `aclose`."""

    package: ClassVar[Any]
    """The provider's package."""

    def __init__(self, name: str, model: str, endpoint: str, key: str | None, patience: Patience) -> None:
        self._name, self.model, self.endpoint, self._key, self._patience = name, model, endpoint, key, patience
        self._patient: Patient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reached = False

    @property
    def name(self) -> str:
        """The name that was given with `--model`."""
        return self._name

    @property
    def identity(self) -> str:
        """What tells this model from all others: protocol, address and name."""
        return f"{type(self).__name__} {self.endpoint} {self.model}"

    async def ask(self, request: Request) -> Reply:
        """Answer one request, patiently.

        Raises ModelError where no other request could fare better.
        """
        if self._loop is not asyncio.get_running_loop():
            self._patient, self._loop = Patient(self._patience), asyncio.get_running_loop()
            self._open()
        assert self._patient is not None
        try:
            return await self._patient.run(lambda: self._once(request), _size(request))
        except Fault as fault:
            if fault.kind == "connection" and not self._reached:
                problem = f"the server cannot be reached ({fault.message})"
                raise ModelError(problem, place=self.endpoint, way_out="check the address, and that it runs") from None
            return Reply(error=fault.failure(), time=_now())

    async def aclose(self) -> None:
        """Close the connections; asking again opens new ones."""
        if self._loop is not None:
            self._loop = None
            await self._close()

    async def _once(self, request: Request) -> Reply:
        started = time.perf_counter()
        answer = await self._answer(request)
        text = without_key(answer.text, self._key, answer=True) if answer.text else answer.text
        return replace(answer, text=text, seconds=round(time.perf_counter() - started, 3), time=_now())

    async def _answer(self, request: Request) -> Reply:
        status, headers, body = await self._sent(request)
        self._reached = True
        if status >= 300:
            return self._refused(status, headers, body)
        found = self._json(body)
        if found.get("error"):
            raise Fault("server", self._said(found, body), status=status)
        try:
            return self._read(found)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise Fault("malformed", f"not what the protocol promises: {self._redacted(repr(error))}", status=status) from None

    async def _sent(self, request: Request) -> tuple[int, httpx2.Headers, bytes]:
        """Send a request; what the provider's package raises becomes a status or a fault (both have one tree of errors)."""
        try:
            return await self._send(request)
        except self.package.APIStatusError as error:
            return error.status_code, error.response.headers, error.response.content
        except self.package.APITimeoutError:
            raise Fault("timeout", f"no whole answer within {self._patience.timeout:g} seconds") from None
        except (self.package.APIConnectionError, httpx2.HTTPError) as error:
            raise Fault("connection", self._redacted(_broken(error))) from None

    def _json(self, body: bytes) -> dict[str, Any]:
        try:
            found = from_json(body)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            start = self._redacted(body[:60].decode(errors="replace"))
            raise Fault("malformed", f"not a JSON object: {start}")
        return found

    def _refused(self, status: int, headers: httpx2.Headers, body: bytes) -> Reply:
        """Say what a status means: an answer that a filter withheld, the end of the run, or a fault."""
        try:
            found = from_json(body)
        except ValueError:
            found = None
        code = _code(found)
        if status == 400 and code in ("content_filter", "content_policy_violation"):
            return Reply(text="", finish="content_filter")
        said = self._said(found, body)
        why = stops(402 if code == "insufficient_quota" else status)
        if why:
            raise ModelError(f"{self._name} cannot be asked: {why} ({status}: {said})", way_out=_WAY_OUT)
        raise Fault(kind_of_status(status), said, status=status, after=retry_after(headers))

    def _said(self, found: Any, body: bytes) -> str:
        """Return the server's own words about an error, without the key."""
        error = found.get("error") if isinstance(found, dict) else None
        message = error.get("message") if isinstance(error, dict) else error
        return self._redacted(message if isinstance(message, str) else body[:300].decode(errors="replace")) or "no reason given"

    def _redacted(self, text: str) -> str:
        return redacted(text, self._key)

    @abstractmethod
    def _open(self) -> None:
        """Make the provider's client for the running event loop."""

    @abstractmethod
    async def _close(self) -> None:
        """Close the provider's client."""

    @abstractmethod
    async def _send(self, request: Request) -> tuple[int, httpx2.Headers, bytes]:
        """Send one request; return status, headers and body. Raises what the provider's package raises."""

    @abstractmethod
    def _read(self, found: dict[str, Any]) -> Reply:
        """Read an answer; any lookup that fails means that it is malformed."""


_WAY_OUT = "what was answered is kept; the same command goes on from there"


def http_client(timeout: float) -> httpx2.AsyncClient:
    """Make the connections of a client: as many as are needed, and no redirects, which would carry the key elsewhere."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=30.0)
    times = httpx2.Timeout(timeout, connect=min(timeout, 20.0))
    return httpx2.AsyncClient(timeout=times, limits=limits, follow_redirects=False)


def _broken(error: Exception) -> str:
    """Say how a connection broke.

    >>> _broken(ConnectionResetError())
    'ConnectionResetError'
    """
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__


def count(found: Any, *names: str) -> int | None:
    """Return a count at the end of a path of names, or None where it is absent or no count.

    >>> count({"details": {"cached_tokens": 3}}, "details", "cached_tokens"), count({}, "details")
    (3, None)
    """
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def usage_of(given: int | None, produced: int | None, cached: int | None) -> Usage | None:
    """Return the tokens, or None where the server said nothing of them."""
    if given is None and produced is None:
        return None
    return Usage(input=given, output=produced, cached=cached)


def _code(found: Any) -> str | None:
    error = found.get("error") if isinstance(found, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) else None


def _size(request: Request) -> int:
    """Estimate the tokens of a request and its answer (four characters each)."""
    return sum(len(m.text) for m in request.messages) // 4 + (request.decoding.max_tokens or _ASSUMED_OUTPUT)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
