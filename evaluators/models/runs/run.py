"""Ask models every item that they have not answered yet, and keep each answer as it comes.

Requests are read one after the other while the run goes on; only those under way stay in memory.

What is under way has no price yet. Each request counts with its limit of tokens, or, once twenty answers are known, with a
length that one answer in twenty exceeds. Where nothing limits an answer and few are known, it counts half as much again as the
longest, and no more are sent at a time than are known: a first one alone tells what an answer costs.
"""

from __future__ import annotations

import asyncio
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Protocol

from msgspec.structs import replace

from evaluators.errors import AllRefused, ModelError
from evaluators.models import Model, Reply, Request
from evaluators.models.cache import Cache
from evaluators.models.faults import PASSING
from evaluators.models.identity import prompt_hash
from evaluators.models.many import Exchange, ask_each, run_async
from evaluators.models.opening import is_recorded
from evaluators.models.prices import Price
from evaluators.models.runs.journal import Journal, ResponseFile
from evaluators.models.runs.plan import Plan, estimated, survey
from kg.cli import note
from queries.records import Source
from queries.records.response import RESPONSE_SCHEMA, Response, Token, Turn, Usage
from queries.records.verdict import text_hash

_IN_A_ROW = 20
"""So many requests, one after the other, that failed in spite of all patience end the run."""

_REFUSALS = ("refusal", "content_filter")
_CUT = ("length", "max_tokens")

_FEW = 8
"""Requests that are asked alone first where answers have a price, so that the estimate of the rest is one of this model."""


@dataclass(slots=True)
class Tally:
    """What a run did: answers (from the cache, refused, cut off, empty), those that were there already, failures, cost."""

    answered: int = 0
    cached: int = 0
    refused: int = 0
    truncated: int = 0
    empty: int = 0
    already: int = 0
    unaffordable: bool = False
    usd: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def failed(self) -> int:
        """How many ended in a failure."""
        return self.failures.total()

    @property
    def unfinished(self) -> bool:
        """Whether the same command may bring more: what failed may pass, nothing was answered, or the money ran out."""
        nothing = bool(self.failures) and not self.answered and not self.already
        return self.unaffordable or nothing or any(kind in PASSING for kind in self.failures)

    def summary(self) -> str:
        """Say how the run ended, by outcome.

        >>> Tally(answered=5, cached=2, already=1, failures=Counter(timeout=1)).summary()
        '5 answers (2 from the cache), 1 ended in an error (1 timeout), 1 were there already'
        """
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.failures.items()))
        sorts = {
            "from the cache": self.cached, "refused": self.refused, "cut off at the limit of tokens": self.truncated,
            "empty": self.empty,
        }  # fmt: skip
        among = ", ".join(f"{number} {sort}" for sort, number in sorts.items() if number)
        parts = [f"{self.answered} answers{f' ({among})' if among else ''}"]
        parts += [f"{self.failed} ended in an error ({kinds})"] if self.failed else []
        parts += [f"{self.already} were there already"] if self.already else []
        parts += [f"${self.usd:,.4f}"] if self.usd else []
        return ", ".join([*parts, *(["stopped by the budget"] if self.unaffordable else [])])


class Going(Protocol):
    """What takes a run to its end: the run itself, request by request, or something that sends its requests together."""

    async def go(self) -> None:
        """Ask what the file does not hold, as long as the money lasts."""
        ...


@dataclass(slots=True)
class Round:
    """What one model is asked in a run, and how.

    Parameters: `requests` is iterated over twice; `out` is a file, or `-` for stdout; `on_answer` is called after each
    request, `on_plan` before the first, `on_estimate` with a new estimate after the first few answers that have a price;
    `price` fills in `usage.usd`; `budget` is what this model's answers in `out` may cost, in US dollars: no request is sent
    that might go past it. `via` makes of the run what takes it to its end; `on_reply` is called with each reply; answers of a
    `recorded` model cost nothing, and their plan is not told; `out` may hold answers to no other than the `items`, where given.
    """

    model: Model
    requests: Iterable[Request]
    out: str
    on_answer: Callable[[], object] = lambda: None
    on_reply: Callable[[Request, Reply], object] = lambda request, reply: None
    on_plan: Callable[[Plan], object] = lambda plan: None
    on_estimate: Callable[[str], object] = lambda text: None
    concurrency: int = 8
    cache: Cache | None = None
    price: Price | None = None
    budget: float | None = None
    tally: Tally = field(default_factory=Tally)
    via: Callable[[Run], Going] = lambda run: run
    recorded: bool = False
    items: Source | None = None


class Run:
    """A round under way, asked request by request."""

    def __init__(self, asked: Round, journal: Journal, plan: Plan) -> None:
        self.round, self.journal, self.plan, self.tally = asked, journal, plan, asked.tally
        self.purse = Purse(asked.price, asked.budget, journal.spent, journal.lengths)
        self._begun = self._known = self._in_a_row = 0
        self._changed = asyncio.Event()
        self._refused: list[Response] = []

    async def go(self) -> None:
        """Ask what the file does not hold, as long as the money lasts."""
        asked = self.round
        try:
            await ask_each(asked.model, self.left(), asked.concurrency, asked.cache, self.keep, self._admit)
        finally:
            self.settle()

    def left(self) -> Iterator[Request]:
        """Yield what the file does not hold."""
        for request in self.round.requests:
            if self.journal.holds(request) is None:
                yield request
                continue
            self.tally.already += 1
            self.round.on_answer()

    async def _admit(self, request: Request) -> bool:
        """Wait until there is money for a request; tell whether there ever will be."""
        while not (self._may_begin() and self.purse.take(request)):
            if not self.purse.under_way:
                self.tally.unaffordable = True
                return False
            self._changed.clear()
            await self._changed.wait()
        self._begun += 1
        return True

    def _may_begin(self) -> bool:
        """Tell whether the first few are answered, or this is one of them."""
        return self.round.price is None or self._known >= _FEW or self._begun < _FEW

    def keep(self, exchange: Exchange) -> None:
        """Write a reply, then count it."""
        usage = self._priced(exchange.reply.usage)
        self.tally.usd += (usage.usd or 0.0) if usage else 0.0
        if not exchange.cached:
            self.purse.give(exchange.request, usage)
            self._known += 1
            self._changed.set()
        self._write(_response(self.round.model, exchange.request, exchange.reply, usage))
        self._count(exchange)
        self.round.on_reply(exchange.request, exchange.reply)
        self.round.on_answer()
        self._estimate(exchange)
        self._give_up(exchange.reply)

    def _estimate(self, exchange: Exchange) -> None:
        """Say what the whole may cost, once a few answers have said how long they are."""
        answered = self.tally.answered - self.tally.cached
        if self.round.price is None or exchange.cached or self._known != _FEW or not answered or self.plan.left <= 2 * _FEW:
            return
        usd = self.tally.usd / answered * self.plan.left
        budget = f" of a budget of ${self.round.budget:,.2f}" if self.round.budget is not None else ""
        self.round.on_estimate(
            f"after the first {answered} answers: about ${usd:,.{2 if usd >= 0.1 else 4}f} for all {self.plan.left}{budget}"
        )

    def _write(self, response: Response) -> None:
        """Write a response; of requests that are refused alike, only once another one fares otherwise.

        Where all are refused the fault is not theirs, and the next run has to ask them again.
        """
        refused = response.error is not None and response.error.kind == "bad_request"
        if not refused or (self._refused and self._refused[-1].error != response.error and self.tally.answered):
            self.settle()
        if refused:
            self._refused.append(response)
        else:
            self.journal.append(response)

    def settle(self) -> None:
        """Write the refusals that were held back."""
        for response in self._refused:
            self.journal.append(response)
        self._refused.clear()

    def _priced(self, usage: Usage | None) -> Usage | None:
        if usage is None or usage.usd is not None or self.round.price is None:
            return usage
        return replace(usage, usd=self.round.price.of(usage))

    def _count(self, exchange: Exchange) -> None:
        reply = exchange.reply
        if reply.error is not None:
            self.tally.failures[reply.error.kind] += 1
            return
        self.tally.answered += 1
        self.tally.cached += exchange.cached
        self.tally.refused += reply.finish in _REFUSALS
        self.tally.truncated += reply.finish in _CUT
        self.tally.empty += not reply.text and reply.finish not in (*_REFUSALS, *_CUT)

    def _give_up(self, reply: Reply) -> None:
        """End a run that gets nothing but failures."""
        # A request that the server refuses for good says that the server works: only what may pass counts here.
        self._in_a_row = self._in_a_row + 1 if reply.error and reply.error.kind in PASSING else 0
        name = self.round.model.name
        if reply.error and self._in_a_row >= _IN_A_ROW:
            problem = f"{_IN_A_ROW} requests in a row failed (the last: {reply.error.kind}: {reply.error.message})"
            raise ModelError(problem, place=name, way_out="run the same command later: it asks them again")
        if reply.error and len(self._refused) >= _IN_A_ROW:
            self._refused.clear()
            problem = f"{_IN_A_ROW} requests in a row were refused (the last: {reply.error.status}: {reply.error.message})"
            raise AllRefused(problem, place=name, way_out="mend the cause; the same command asks them again")


def ask_rounds(rounds: Sequence[Round], *, retry_errors: bool = False) -> list[Tally]:
    """Ask several models at the same time what their files do not hold yet; each reply is written before it is counted.

    Parameters: with `retry_errors` failures that would come again are asked again, too.
    Raises as `ask_all` does: what ends the round of one model does not end the others', and is raised when they are done.
    """
    with ExitStack() as stack:
        files: dict[str, ResponseFile] = {}
        for out in dict.fromkeys(asked.out for asked in rounds):
            those = [asked for asked in rounds if asked.out == out]
            names, items = [asked.model.name for asked in those], those[0].items
            files[out] = stack.enter_context(ResponseFile(out, names, retry_errors=retry_errors, items=items))
        runs = [_planned(asked, files[asked.out].journals[asked.model.name]) for asked in rounds]
        for run in runs:
            run.journal.drop(run.plan.again)
        for file in files.values():
            file.start()
        run_async(_together([run.round.via(run) for run in runs]))
    return [asked.tally for asked in rounds]


def _planned(asked: Round, journal: Journal) -> Run:
    plan = survey(asked.requests, journal)  # nothing is written before all of the input is known to be sound
    asked.on_plan(plan)
    return Run(asked, journal, plan)


async def _together(runs: Sequence[Going]) -> None:
    """Go all rounds to their end, then raise the first error; the others are told."""
    results = await asyncio.gather(*(run.go() for run in runs), return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    for error in errors[1:]:
        note(f"error: {error}")
    if errors:
        raise errors[0]


def ask_all(
    model: Model,
    requests: Iterable[Request],
    out: str,
    on_answer: Callable[[], object] = lambda: None,
    *,
    concurrency: int = 8,
    cache: Cache | None = None,
    retry_errors: bool = False,
) -> Tally:
    """Ask one model what `out` does not hold yet, `concurrency` requests at a time (see `Round`).

    Raises JoinError where `out` holds an answer to another wording of the same item; ModelError where no request could
    succeed (AllRefused where all are refused in the same words: these are not written, and asked again).
    """
    asked = Round(model, requests, out, on_answer, concurrency=concurrency, cache=cache)
    return ask_rounds([asked], retry_errors=retry_errors)[0]


def _response(model: Model, request: Request, reply: Reply, usage: Usage | None) -> Response:
    # What is answered from a recording was sent to nobody: its prompt may have been another one.
    turns = [Turn(message.role, message.text, _named(message.image)) for message in request.messages]
    return Response(
        schema=RESPONSE_SCHEMA,
        item=request.item,
        model=model.name,
        sample=request.sample,
        text=reply.text,
        finish=reply.finish,
        error=reply.error,
        usage=usage,
        seconds=reply.seconds,
        prompt=prompt_hash(request.messages, request.decoding),
        time=reply.time,
        served=reply.served,
        decoding=dict(reply.decoding or {}),
        messages=None if is_recorded(model) else turns,
        logprobs=None if reply.logprobs is None else [Token(token, value) for token, value in reply.logprobs],
        trace=reply.trace,
    )


def _named(image: str | None) -> str | None:
    """Name a picture: one that the item itself holds by its hash."""
    return text_hash(image) if image is not None and image.startswith("data:") else image


_ENOUGH = 20
"""Answers after which their lengths say how long the next will be."""
_EXCEEDED = 0.05
"""The share of answers that may be longer than what is reserved for them."""
_MARGIN = 1.5
"""How much longer than the longest of a few answers the next is taken to be."""


class Purse:
    """The money of a run: what was spent, what is reserved for requests under way, and what is left of the budget.

    Parameters: `lengths` are the tokens of answers that are there already.

    >>> from evaluators.models import Decoding
    >>> purse = Purse(Price(model="m", input=0, output=1e6), budget=250, spent=0)
    >>> asked = [Request(f"i{n}", 0, (), Decoding(max_tokens=100)) for n in range(3)]
    >>> [purse.take(request) for request in asked]
    [True, True, False]
    """

    def __init__(self, price: Price | None, budget: float | None, spent: float, lengths: Iterable[int] = ()) -> None:
        self.price, self.budget, self.spent = price, budget, spent
        self._lengths = sorted(lengths)
        self._reserved: dict[tuple[str, int], float] = {}

    @property
    def under_way(self) -> int:
        """How many requests are under way."""
        return len(self._reserved)

    def take(self, request: Request) -> bool:
        """Reserve what a request may cost; tell whether there is room for it."""
        cost = 0.0
        if self.budget is not None and self.price is not None:
            length = self._length(request)
            if length is None:
                # Nothing limits it and nothing is known: it goes alone.
                if self.under_way or self.spent >= self.budget:
                    return False
            elif self.under_way >= len(self._lengths) and not self._limited(request):
                return False
            cost = self._cost(request, length or 0)
            if self.spent + sum(self._reserved.values()) + cost > self.budget:
                return False
        self._reserved[request.item, request.sample] = cost
        return True

    def give(self, request: Request, usage: Usage | None) -> None:
        """Put what a request did cost in place of what was reserved for it."""
        self._reserved.pop((request.item, request.sample), None)
        self.spent += (usage.usd or 0.0) if usage else 0.0
        if usage is not None and usage.output is not None:
            insort(self._lengths, usage.output)

    def _limited(self, request: Request) -> bool:
        return request.decoding.max_tokens is not None or len(self._lengths) >= _ENOUGH

    def _length(self, request: Request) -> int | None:
        """Return the tokens that an answer is taken to have; null where nothing says."""
        if len(self._lengths) >= _ENOUGH:
            return self._lengths[-1 - int(len(self._lengths) * _EXCEEDED)]
        if request.decoding.max_tokens is not None:
            return request.decoding.max_tokens * (request.tool.rounds + 1 if request.tool else 1)
        return int(self._lengths[-1] * _MARGIN) if self._lengths else None

    def _cost(self, request: Request, length: int) -> float:
        assert self.price is not None
        return self.price.of(Usage(input=estimated(request).input, output=length)) or 0.0
