"""What all clients of a server share: keys from the environment, patience, and the kinds of faults.

The protocols are spoken by the providers' own packages. Their retries are switched off: `patience` knows all tries of a
request. A key is read from the environment, kept in memory, and taken out of whatever a server says before it is shown or
written.
"""

from __future__ import annotations

import asyncio
import datetime
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import httpx2

from evaluators.errors import ModelError
from evaluators.models.batches import fault_of
from evaluators.models.bodies import PACKINGS, bound, parsed
from evaluators.models.faults import (
    Fault,
    Patience,
    Throttle,
    end_reason,
    kind_of_status,
    out_of_credit,
    redacted,
    refused_parameter,
    retry_after,
    withholds_one,
    without_key,
)  # fmt: skip
from evaluators.models.parameters import recorded
from evaluators.models.protocol import Reply, Request
from evaluators.models.sizes import Counter, Sizes, by_bytes
from kg.cli import note
from queries.records.response import Usage

KEY_HEADERS = frozenset({"authorization", "api-key", "x-api-key", "x-goog-api-key"})
"""Headers that carry a key: where one of them is given, it goes in place of ours."""


class Client(ABC):
    """A model behind a server; it may be asked in one event loop after the other, each time until `aclose`."""

    package: ClassVar[Any]
    """The provider's package."""

    def __init__(self, name: str, model: str, endpoint: str, key: str | None, patience: Patience) -> None:
        self._name, self.model, self.endpoint, self._key, self._patience = name, model, endpoint, key, patience
        self._throttle: Throttle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reached = self._understands = False
        self.left_out: set[str] = set()
        self._sizes = Sizes(self.counter() if patience.tpm else by_bytes)
        self._sdk: Any = None
        self._options: Any = {}
        self.headers: dict[str, str] = {}

    @property
    def name(self) -> str:
        """The name that was given with `--model`."""
        return self._name

    @property
    def identity(self) -> str:
        """What tells this model from all others: protocol, address and name."""
        headers = "".join(f" {name}: {value}" for name, value in sorted(self.headers.items()) if name not in KEY_HEADERS)
        return f"{type(self).__name__} {self.endpoint} {self.model}{headers}"

    async def ask(self, request: Request) -> Reply:
        """Answer one request, with as many tries as the patience allows.

        Raises ModelError where no other request could fare better.
        """
        throttle, size = self._ready(), self._sizes.of(request)
        try:
            reply = await throttle.run(lambda: self._once(request), size.total)
        except Fault as fault:
            # A server that answered once may be gone for a moment; one that never did has a wrong address.
            if fault.astray and not self._understands:
                way_out = "check the address: that of most servers ends in /v1"
                raise ModelError("the server sends a web page, no answer", place=self.endpoint, way_out=way_out) from None
            if fault.kind == "connection" and not self._reached:
                problem = f"the server cannot be reached ({fault.message})"
                raise ModelError(problem, place=self.endpoint, way_out="check the address, and that it runs") from None
            return Reply(error=fault.failure(), time=_now())
        used = self._sizes.learn(size, reply.usage)
        throttle.settle(size.total, used)
        return reply

    def _ready(self) -> Throttle:
        if self._throttle is None or self._loop is not asyncio.get_running_loop():
            # Limiters and connections belong to the loop that they were made in.
            self._throttle, self._loop = Throttle(self._patience, self._name), asyncio.get_running_loop()
            self._open()
        return self._throttle

    async def call(self, method: str, path: str, *, body: Any = None, files: Any = None, tries: bool = True) -> bytes:
        """Call an address of the provider that is no question (a file, a batch); return the body.

        Parameters: with `tries` what fails is tried again, with patience.
        Raises ModelError where it is refused, Fault where it failed and was not to be tried again.
        """
        throttle = self._ready()
        options: Any = self._options | ({"headers": {"Content-Type": "multipart/form-data"}} if files else {})

        async def once() -> bytes:
            send = self._sdk.get(path, cast_to=httpx2.Response, options=options) if method == "GET" else self._sdk.post(
                path, cast_to=httpx2.Response, body=body, files=files, options=options
            )  # fmt: skip
            status, headers, content = await self._exchange(_parts(send))
            if status >= 300:
                self._refused(status, headers, content)
                raise Fault("bad_request", self._message(parsed(content), content), status=status)
            return content

        try:
            return await throttle.run(once, 0.0) if tries else await once()
        except Fault as fault:
            if not tries and fault.kind != "bad_request":
                raise
            problem = f"{method} {path.partition('?')[0]} failed ({fault.kind}: {fault.message})"
            raise ModelError(problem, place=self._name, way_out=_WAY_OUT) from None

    def understood(self, request: Request, status: int, body: bytes, left_out: Collection[str]) -> Reply | None:
        """Read an answer that came in a batch; null where it was refused for a parameter that is left out from here on.

        Parameters: `left_out` is what the request was sent without.
        """
        now, self.left_out = self.left_out, set(left_out)
        sent = self._parameters(request)
        self.left_out = now
        if status in (400, 422) and self._leaves_out(sent, parsed(body), body):
            return None
        try:
            reply = self._reply(sent, request, status, httpx2.Headers(), body)
        except (Fault, ModelError) as error:
            return Reply(error=fault_of(error), time=_now())
        text = without_key(reply.text, self._key, answer=True) if reply.text else reply.text
        return replace(reply, text=text, time=_now())

    def counter(self) -> Counter:
        """Return what counts the tokens of a text for this model."""
        return by_bytes

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
        sent = self._parameters(request)
        status, headers, body = await self._exchange(self._send(request))
        self._reached = True
        while status in (400, 422) and self._leaves_out(sent, parsed(body), body):
            sent = self._parameters(request)
            status, headers, body = await self._exchange(self._send(request))
        return self._reply(sent, request, status, headers, body)

    def _reply(self, sent: Mapping[str, Any], request: Request, status: int, headers: httpx2.Headers, body: bytes) -> Reply:
        """Read what came back to a request that was sent with these parameters."""
        if status >= 300:
            return self._refused(status, headers, body)
        answer = self._json(body)
        # Gateways report what their upstream refused under status 200.
        if answer.get("error"):
            raise Fault("server", self._message(answer, body), status=status)
        reply = self._understood(answer, status)
        served = answer.get("model")
        return replace(
            reply, served=served if isinstance(served, str) and served else None, decoding=recorded(sent, request.decoding)
        )

    def _understood(self, answer: dict[str, Any], status: int) -> Reply:
        """Read an answer; one that cannot be read but was counted is a failure, and not paid for again in this run."""
        try:
            return self._read(answer)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            fault = Fault("malformed", f"not what the protocol promises: {self._redacted(repr(error))}", status=status)
            usage = self._usage(answer)
            if usage is None or not usage.output:
                raise fault from None
            return Reply(error=fault.failure(), usage=usage)

    def _leaves_out(self, sent: Mapping[str, Any], answer: Any, body: bytes) -> bool:
        """Leave out a parameter that the model does not take, for this and all requests to come; tell whether there was one."""
        error = answer.get("error") if isinstance(answer, dict) else None
        named = error.get("param") if isinstance(error, dict) else None
        name = refused_parameter(self._message(answer, body), named if isinstance(named, str) else None, sent)
        if name is None:
            return False
        if name not in self.left_out:  # requests under way at the same time meet it, too
            self.left_out.add(name)
            note(f"{self._name} does not take '{name}': it is asked without from here on")
        return True

    async def _exchange(self, sending: Awaitable[tuple[int, httpx2.Headers, bytes]]) -> tuple[int, httpx2.Headers, bytes]:
        """Await what is sent; what the provider's package raises becomes a status or a fault (both have one tree of errors)."""
        try:
            return await sending
        except self.package.APIStatusError as error:
            return error.status_code, error.response.headers, error.response.content
        except self.package.APITimeoutError:
            raise Fault("timeout", f"no whole answer within {self._patience.timeout:g} seconds") from None
        except (self.package.APIConnectionError, httpx2.HTTPError) as error:
            if isinstance(error.__cause__, Fault):  # ours, raised while the body was read
                raise error.__cause__ from None
            raise Fault("connection", self._redacted(_broken(error))) from None

    def _json(self, body: bytes) -> dict[str, Any]:
        answer = parsed(body)
        if not isinstance(answer, dict):
            start = self._redacted(body[:60].decode(errors="replace"))
            page = body.lstrip()[:1] == b"<" and not self._understands
            raise Fault("malformed", f"not a JSON object: {start}", astray=page)
        self._understands = True
        return answer

    def _refused(self, status: int, headers: httpx2.Headers, body: bytes) -> Reply:
        """Return the reply that a filter withheld; raise ModelError or Fault for any other status."""
        answer = parsed(body)
        code = _code(answer)
        if status == 400 and code in ("content_filter", "content_policy_violation"):
            return Reply(text="", finish="content_filter")
        message = self._message(answer, body)
        if status == 403 and withholds_one(message):
            return Reply(text="", finish="content_filter")
        # An exhausted quota comes as 429, like a limit that would pass, or as 400, like a request that is at fault.
        reason = end_reason(402 if code == "insufficient_quota" or (status < 500 and out_of_credit(message)) else status)
        if reason:
            raise ModelError(f"{self._name} cannot be asked: {reason} ({status}: {message})", way_out=_WAY_OUT)
        raise Fault(kind_of_status(status), message, status=status, after=retry_after(headers))

    def _message(self, answer: Any, body: bytes) -> str:
        """Return the server's own words about an error, without the key."""
        error = answer.get("error") if isinstance(answer, dict) else None
        message = error.get("message") if isinstance(error, dict) else error
        return self._redacted(message if isinstance(message, str) else body[:300].decode(errors="replace")) or "no reason given"

    def _redacted(self, text: str) -> str:
        for value in self.headers.values():
            text = without_key(text, value)
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
    def body(self, request: Request) -> dict[str, Any]:
        """Return what is sent for a request."""

    @abstractmethod
    def _parameters(self, request: Request) -> Mapping[str, Any]:
        """Return the parameters that a request is sent with: those that are set, but for what the model does not take."""

    @abstractmethod
    def _read(self, answer: dict[str, Any]) -> Reply:
        """Read the body of an answer; a lookup that fails means that it is malformed."""

    @abstractmethod
    def _usage(self, answer: dict[str, Any]) -> Usage | None:
        """Read the tokens that the server counted."""


async def _parts(response: Awaitable[httpx2.Response]) -> tuple[int, httpx2.Headers, bytes]:
    whole = await response
    return whole.status_code, whole.headers, whole.content


def key_in(variable: str) -> str | None:
    """Return the key in a variable of the environment, without blanks and line ends around it; None where there is none.

    Raises ModelError where it holds what no key has: the text of it is not shown.
    """
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ModelError(
            "holds characters that no key has", place=variable, way_out="copy the key anew, without line ends or quotes"
        )
    return key or None


_WAY_OUT = "what was answered is kept; the same command goes on from there"


def http_client(timeout: float) -> httpx2.AsyncClient:
    """Make the connections of a client: as many as are needed, and no redirects, which would carry the key elsewhere."""
    # By default the package stops at 100 connections, and `--concurrency 500` would be 100 without a word.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=30.0)
    times = httpx2.Timeout(timeout, connect=min(timeout, 20.0))
    return httpx2.AsyncClient(
        timeout=times, limits=limits, follow_redirects=False, headers={"Accept-Encoding": PACKINGS},
        event_hooks={"response": [bound]},
    )  # fmt: skip


def _broken(error: Exception) -> str:
    """Say how a connection broke.

    >>> _broken(ConnectionResetError())
    'ConnectionResetError'
    """
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__


def count(answer: Any, *names: str) -> int | None:
    """Return a count at the end of a path of names, or None where it is absent or no count.

    >>> count({"details": {"cached_tokens": 3}}, "details", "cached_tokens"), count({}, "details")
    (3, None)
    """
    for name in names:
        answer = answer.get(name) if isinstance(answer, dict) else None
    # `True` is an int to Python, and no count.
    return answer if isinstance(answer, int) and not isinstance(answer, bool) and answer >= 0 else None


def usage_of(sent: int | None, produced: int | None, cached: int | None, reasoning: int | None = None) -> Usage | None:
    """Return the tokens, or None where the server said nothing of them."""
    if sent is None and produced is None:
        return None
    return Usage(input=sent, output=produced, cached=cached, reasoning=reasoning)


def _code(answer: Any) -> str | None:
    error = answer.get("error") if isinstance(answer, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) else None


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
