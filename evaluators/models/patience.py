"""How long to try: back-off with jitter, Retry-After, requests and tokens a minute.

```
python -m evaluators.ask items.jsonl --model openai:some-model --out responses.jsonl --rpm 500 --tpm 200000
python -m evaluators.ask items.jsonl --model openai:some-model --out responses.jsonl --timeout 60 --tries 3
```

A limit (429, 529) is waited for, up to `longest` seconds for one request, and holds back all requests to that model. Faults
that may pass are tried `tries` times. Everything else is settled at the first try.
"""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from aiolimiter import AsyncLimiter
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from evaluators.errors import ModelError
from evaluators.models.faults import PASSING, Fault

__all__ = ["Patience", "Patient", "retry_after"]

T = TypeVar("T")

_PORTIONS = 12
"""Into so many portions the tokens of a minute are divided."""


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
class _Met:
    """What one request met so far."""

    patience: Patience
    faults: int = 0
    limited: float | None = None

    def note(self, fault: Fault) -> None:
        if fault.kind != "rate_limit":
            self.faults += 1
        elif self.limited is None:
            self.limited = time.monotonic()

    def enough(self) -> bool:
        waited = time.monotonic() - self.limited if self.limited is not None else 0.0
        return self.faults >= self.patience.tries or waited >= self.patience.longest


@dataclass(slots=True)
class Patient:
    """Patience at work in one event loop: the limits of a model, and until when it asked to be left alone."""

    patience: Patience
    requests: AsyncLimiter | None = field(init=False)
    tokens: AsyncLimiter | None = field(init=False)
    until: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        """Space requests evenly, and tokens nearly so: a minute's worth in one burst would be refused."""
        rpm, tpm = self.patience.rpm, self.patience.tpm
        self.requests = AsyncLimiter(1, 60 / rpm) if rpm else None
        self.tokens = AsyncLimiter(tpm / _PORTIONS, 60 / _PORTIONS) if tpm else None

    async def run(self, work: Callable[[], Awaitable[T]], size: int) -> T:
        """Do `work`, which takes about `size` tokens, until it succeeds or patience ends.

        Raises the last Fault; ModelError where the server asks for a longer wait than `longest`.
        """
        met = _Met(self.patience)
        retrying = AsyncRetrying(
            retry=retry_if_exception(lambda error: isinstance(error, Fault) and error.kind in PASSING),
            stop=lambda state: met.enough(),
            wait=self._wait,
            reraise=True,
        )
        return await retrying(self._once, work, size, met)

    async def _once(self, work: Callable[[], Awaitable[T]], size: int, met: _Met) -> T:
        await self._turn(size)
        try:
            async with asyncio.timeout(self.patience.timeout):
                return await work()
        except TimeoutError:
            fault = Fault("timeout", f"no whole answer within {self.patience.timeout:g} seconds")
            met.note(fault)
            raise fault from None
        except Fault as fault:
            met.note(fault)
            self._heed(fault)
            raise

    async def _turn(self, size: int) -> None:
        """Wait until the model may be asked again."""
        while (left := self.until - time.monotonic()) > 0:
            await asyncio.sleep(left + random.uniform(0, min(left, 1.0)) * 0.1)
        if self.requests:
            await self.requests.acquire()
        if self.tokens:
            await self.tokens.acquire(min(size, self.tokens.max_rate))

    def _heed(self, fault: Fault) -> None:
        """Hold all requests back as long as the server says."""
        if fault.after is None:
            return
        if fault.after > self.patience.longest:
            problem = f"the server asks to wait {fault.after:.0f} seconds ({fault.message})"
            raise ModelError(problem, way_out="run the same command then; what was answered is kept")
        self.until = max(self.until, time.monotonic() + fault.after)

    def _wait(self, state: RetryCallState) -> float:
        """Draw the pause before the next try; what `Retry-After` says is waited for in `_turn`, so little is added here."""
        error = state.outcome.exception() if state.outcome else None
        first = 0.05 if isinstance(error, Fault) and error.after is not None else self.patience.first
        most = min(self.patience.most, first * 2 ** min(state.attempt_number - 1, 30))
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
            return min(max(0.0, float(headers[name]) * unit), 1e9)
        except (KeyError, ValueError):
            continue
    return _until_date(headers.get("retry-after", ""), time.time() if now is None else now)


def _until_date(text: str, now: float) -> float | None:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
