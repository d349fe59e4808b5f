"""What keeps a model from answering: a closed list of kinds, what each of them means for the run, and how long it is tried.

| `error.kind` | what happened | in the run | next run |
|---|---|---|---|
| `rate_limit` | 429 or 529: too many requests, or an overloaded service | waits as long as it is told to | asks again |
| `server` | 5xx, 409, or an error inside an answer of status 200 | tries again | asks again |
| `connection` | no connection, or one that broke off | tries again | asks again |
| `timeout` | 408, or no whole answer in time | tries again | asks again |
| `malformed` | an answer that is not what the protocol promises: HTML, broken JSON, no choice | tries again | asks again |
| `bad_request` | 400 and its like: the server does not take this request | goes on with the next | leaves it |
| `oversize` | an answer of more than 100 MB, or one that unpacks to more | goes on with the next | leaves it |
| `image` | the item's picture cannot be read | goes on with the next | asks again |
| `not_recorded` | a recording has no answer to it | goes on with the next | asks again |

What no other request could escape ends the run: a broken key (401), no permission (403), no money (402, an exhausted quota, or
words of it under another status), an unknown model or address (404, 3xx); so do many requests in a row that are refused alike.
A 403 about one input is that input's. A parameter that the model does not take is left out from then on, with one warning. A
limit (429, 529) is waited for, up to `Patience.longest` seconds for one request, and holds back all requests to that model;
other faults that may pass are tried `Patience.tries` times.
"""

from __future__ import annotations

import asyncio
import email.utils
import random
import re
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from aiolimiter import AsyncLimiter
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from evaluators.errors import ModelError
from kg.cli import note
from kg.errors import one_line
from queries.records.response import Failure

T = TypeVar("T")

_SECRET = 16
"""A key of this length or more is one that somebody was given, not a word to fill a variable with."""

KINDS = ("rate_limit", "server", "connection", "timeout", "malformed", "bad_request", "oversize", "image", "not_recorded")
"""Every `error.kind` that a response of ours can have."""

PASSING = frozenset({"rate_limit", "server", "connection", "timeout", "malformed"})
"""What may be over in a moment: the same request is sent again."""

AGAIN = PASSING | {"image", "not_recorded"}
"""What the next run asks again."""

_ENDS = {
    401: "the key is not accepted",
    402: "the account has to be paid first",
    403: "the key has no permission for this",
    404: "the model or the address is unknown",
}
_KIND_OF_STATUS = {408: "timeout", 409: "server", 425: "server", 429: "rate_limit", 529: "rate_limit"}


class Fault(Exception):  # noqa: N818 - not every fault is an error of the program
    """One try that failed.

    Parameters: `kind` is one of KINDS, `after` the seconds that the server asks to wait; `astray` is a fault that speaks for a
    wrong address, which is tried twice at most.
    """

    def __init__(
        self, kind: str, message: str, *, status: int | None = None, after: float | None = None, astray: bool = False
    ) -> None:
        self.kind, self.message, self.status, self.after, self.astray = kind, message, status, after, astray
        super().__init__(message)

    def failure(self) -> Failure:
        """Return what the record of the response holds of it."""
        return Failure(kind=self.kind, status=self.status, message=self.message)


def end_reason(status: int) -> str | None:
    """Say why a status ends the run, or None where it does not.

    >>> end_reason(401), end_reason(500)
    ('the key is not accepted', None)
    """
    return "the server sends elsewhere" if 300 <= status < 400 else _ENDS.get(status)


def kind_of_status(status: int) -> str:
    """Return the kind of fault that an HTTP status means.

    >>> [kind_of_status(status) for status in (400, 429, 503, 529)]
    ['bad_request', 'rate_limit', 'server', 'rate_limit']
    """
    return _KIND_OF_STATUS.get(status, "server" if status >= 500 else "bad_request")


_NO_CREDIT = re.compile(
    r"credit balance|insufficient[ _](?:funds|credits?|balance|quota)|out of credits?|exceeded your current quota"
    r"|billing (?:hard )?limit|payment required|purchase (?:more )?credits",
    re.IGNORECASE,
)


def out_of_credit(message: str) -> bool:
    """Tell whether a server's words say that the account has no money left, under whatever status they come.

    >>> out_of_credit("Your credit balance is too low to access the API."), out_of_credit("max_tokens is too large")
    (True, False)
    """
    return _NO_CREDIT.search(message) is not None


_ONE_INPUT = re.compile(
    r"\b(?:flagged|moderation|content policy|safety|prohibited content|blocked input|harmful)\b", re.IGNORECASE
)


def withholds_one(message: str) -> bool:
    """Tell whether a refusal is about the one input that was sent, not about who may ask.

    >>> withholds_one("Your chosen model requires moderation and your input was flagged"), withholds_one("No permission.")
    (True, False)
    """
    return _ONE_INPUT.search(message) is not None


OPTIONAL = (
    "top_p", "temperature", "seed", "stop", "stop_sequences", "top_logprobs", "logprobs", "max_completion_tokens", "max_tokens",
)  # fmt: skip
"""Parameters that a request may go without; of two that cannot be had together, the first goes."""
_UNSUPPORTED = re.compile(
    r"unsupported|not support|not permitted|not allowed|unknown|unrecogni[sz]ed|unexpected|cannot both|deprecated|extra inputs"
    r"|only the default",
    re.IGNORECASE,
)


def refused_parameter(message: str, named: str | None, sent: Collection[str]) -> str | None:
    """Return which parameter of a request a server does not take, or None where its words name none.

    Parameters: `named` is the one that the error itself names, `sent` are those of the request.

    >>> refused_parameter("Unsupported value: 'temperature' does not support 0.0", "temperature", ["temperature"])
    'temperature'
    >>> refused_parameter("`temperature` and `top_p` cannot both be specified", None, ["temperature", "top_p"])
    'top_p'
    >>> refused_parameter("max_tokens is too large: 100000", None, ["max_tokens"])
    """
    if not _UNSUPPORTED.search(message):
        return None
    if named in OPTIONAL and named in sent:
        return named
    return next((name for name in OPTIONAL if name in sent and re.search(rf"\b{name}\b", message)), None)


def redacted(text: str, key: str | None, limit: int = 300) -> str:
    """Put a server's words on one line, without the key.

    >>> redacted("no such key: sk-123-abc", "sk-123-abc")
    'no such key: [key]'
    """
    return one_line(without_key(text, key), limit)


def without_key(text: str, key: str | None, *, answer: bool = False) -> str:
    """Take a key out of what a server says.

    Servers of one's own are given any word for a key ("none", "x"): what is so short is taken out of messages where it stands
    by itself, and of an `answer` not at all, which it would damage.

    >>> without_key("None of them.", "None", answer=True), without_key("bad key 'x', unexpected", "x")
    ('None of them.', "bad key '[key]', unexpected")
    """
    if not key or key not in text:
        return text
    # Anywhere: a server may show it in the middle of a word or an address.
    if len(key) >= _SECRET or key.startswith("sk-"):
        return text.replace(key, "[key]")
    return text if answer else re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", "[key]", text)


_SLICE = 0.2
"""Seconds after which whoever waits for tokens looks again: what the server counts may have changed the wait."""
_LATE = 0.5
"""Seconds of tokens that may be made up for where a turn came late: timers wake nobody in time."""
_ASTRAY = 2
"""Tries at what looks like a wrong address."""
_SILENCE = 10.0
"""Seconds that a request waits for a limit before the user is told."""


@dataclass(frozen=True, slots=True)
class Patience:
    """What one model is allowed to take: tries, seconds, requests (`rpm`) and tokens (`tpm`) a minute.

    Waits grow from `first` to `most` seconds and are drawn at random below that; a `Retry-After` counts for more.

    >>> Patience(rpm=60).tries
    5
    """

    tries: int = 5
    first: float = 1.0
    most: float = 60.0
    longest: float = 600.0
    timeout: float = 300.0
    rpm: float | None = None
    tpm: float | None = None


@dataclass(slots=True)
class _Attempts:
    """The faults that one request met so far, and since when it waits for a limit."""

    patience: Patience
    faults: int = 0
    limited_since: float | None = None
    astray: bool = False

    def note(self, fault: Fault) -> None:
        self.astray = fault.astray
        if fault.kind != "rate_limit":
            self.faults += 1
        elif self.limited_since is None:
            self.limited_since = time.monotonic()

    def exhausted(self) -> bool:
        waited = time.monotonic() - self.limited_since if self.limited_since is not None else 0.0
        tries = min(self.patience.tries, _ASTRAY) if self.astray else self.patience.tries
        return self.faults >= tries or waited >= self.patience.longest


class TokenPace:
    """Tokens a minute: a request goes once the time for all tokens before it has passed, whatever its own length.

    In turn, one after the other: who waits longest goes first, and knows what those before it really used.
    """

    def __init__(self, tpm: float) -> None:
        self._seconds, self._free, self._turn = 60 / tpm, time.monotonic(), asyncio.Lock()

    async def wait(self, tokens: float) -> None:
        """Wait for the turn of a request of so many tokens."""
        async with self._turn:
            while (left := self._free - time.monotonic()) > 0:
                await asyncio.sleep(min(left, _SLICE))
            self._free = max(self._free, time.monotonic() - _LATE) + tokens * self._seconds

    def correct(self, tokens: float) -> None:
        """Count so many tokens more than were waited for (or fewer)."""
        self._free += tokens * self._seconds


@dataclass(slots=True)
class Throttle:
    """Patience at work in one event loop: the limits of a model, and until when it asked to be left alone."""

    patience: Patience
    name: str = ""
    requests: AsyncLimiter | None = field(init=False)
    tokens: TokenPace | None = field(init=False)
    blocked_until: float = field(init=False, default=0.0)
    noted: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        """Make the limiters: requests and tokens are spaced evenly, since a minute's worth in one burst would be refused."""
        rpm, tpm = self.patience.rpm, self.patience.tpm
        self.requests = AsyncLimiter(1, 60 / rpm) if rpm else None
        self.tokens = TokenPace(tpm) if tpm else None

    def settle(self, expected: float, used: float) -> None:
        """Correct the tokens that a request waited for by those that it used."""
        if self.tokens:
            self.tokens.correct(used - expected)

    async def run(self, work: Callable[[], Awaitable[T]], size: float) -> T:
        """Do `work`, which takes about `size` tokens, until it succeeds or patience ends.

        Raises the last Fault; ModelError where the server asks for a longer wait than `longest`.
        """
        attempts = _Attempts(self.patience)
        retrying = AsyncRetrying(
            retry=retry_if_exception(lambda error: isinstance(error, Fault) and error.kind in PASSING),
            stop=lambda state: attempts.exhausted(),
            wait=self._pause,
            reraise=True,
        )
        return await retrying(self._once, work, size, attempts)

    async def _once(self, work: Callable[[], Awaitable[T]], size: float, attempts: _Attempts) -> T:
        await self._wait_for_turn(size)
        try:
            async with asyncio.timeout(self.patience.timeout):
                return await work()
        except TimeoutError:
            fault = Fault("timeout", f"no whole answer within {self.patience.timeout:g} seconds")
            attempts.note(fault)
            raise fault from None
        except Fault as fault:
            attempts.note(fault)
            self._tell(fault, attempts)
            self._hold_back(fault)
            raise

    def _tell(self, fault: Fault, attempts: _Attempts) -> None:
        """Say once that the run waits for a limit."""
        since = attempts.limited_since
        if self.noted or fault.kind != "rate_limit" or since is None:
            return
        if max(time.monotonic() - since, fault.after or 0.0) >= _SILENCE:
            self.noted = True
            longest = f"waiting, {self.patience.longest:g} seconds at most"
            note(f"{self.name}: the server holds requests back ({fault.status}: {fault.message}); {longest}")

    async def _wait_for_turn(self, size: float) -> None:
        """Wait until the model may be asked again."""
        # In a loop: while this request sleeps, another one may be told to wait still longer. The random part keeps all those
        # that wait from coming back in the same instant.
        while (left := self.blocked_until - time.monotonic()) > 0:
            await asyncio.sleep(left + random.uniform(0, min(left, 1.0)) * 0.1)
        if self.requests:
            await self.requests.acquire()
        if self.tokens:
            await self.tokens.wait(size)

    def _hold_back(self, fault: Fault) -> None:
        """Hold all requests back as long as the server says."""
        if fault.after is None:
            return
        if fault.after > self.patience.longest:
            problem = f"the server asks to wait {fault.after:.0f} seconds ({fault.message})"
            raise ModelError(problem, way_out="run the same command then; what was answered is kept")
        self.blocked_until = max(self.blocked_until, time.monotonic() + fault.after)

    def _pause(self, state: RetryCallState) -> float:
        """Draw the pause before the next try, between half of the back-off and all of it."""
        # `_wait_for_turn` waits as long as `Retry-After` says, so next to nothing is added to it here.
        error = state.outcome.exception() if state.outcome else None
        first = 0.05 if isinstance(error, Fault) and error.after is not None else self.patience.first
        most = min(self.patience.most, first * 2 ** min(state.attempt_number - 1, 30))
        # At random, so that requests that failed in the same moment do not all come back in the same moment.
        return random.uniform(most / 2, most)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Read the seconds to wait from `retry-after-ms` or `Retry-After`, which is a number or a date.

    >>> retry_after({"retry-after": "7"}), retry_after({})
    (7.0, None)
    >>> retry_after({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, now=40.0)
    60.0
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            # Bounded, because "nan", "inf" and numbers below zero are numbers to `float`.
            return min(max(0.0, float(headers[name]) * unit), 1e9)
        except (KeyError, ValueError):
            continue
    return _until_date(headers.get("retry-after", ""), time.time() if now is None else now)


def _until_date(text: str, now: float) -> float | None:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
