"""Ask a model every item that it has not answered yet, and keep each answer as it comes.

Requests are read one after the other while the run goes on; only those under way stay in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from evaluators.ask.journal import Journal
from evaluators.ask.plan import Plan, estimated, survey
from evaluators.errors import AllRefused, ModelError
from evaluators.models import Model, Reply, Request
from evaluators.models.cache import Cache
from evaluators.models.faults import PASSING
from evaluators.models.many import Exchange, ask_each, run_async
from evaluators.models.prices import Price
from evaluators.prompts import prompt_hash
from queries.records.response import RESPONSE_SCHEMA, Response, Usage

_IN_A_ROW = 20
"""So many requests, one after the other, that failed in spite of all patience end the run."""

_REFUSALS = ("refusal", "content_filter")


@dataclass(slots=True)
class Tally:
    """What a run did: answers (of them from the cache, refused, empty), requests that were answered already, failures, cost."""

    answered: int = 0
    cached: int = 0
    refused: int = 0
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
        sorts = {"from the cache": self.cached, "refused": self.refused, "empty": self.empty}
        among = ", ".join(f"{number} {sort}" for sort, number in sorts.items() if number)
        parts = [f"{self.answered} answers{f' ({among})' if among else ''}"]
        parts += [f"{self.failed} ended in an error ({kinds})"] if self.failed else []
        parts += [f"{self.already} were there already"] if self.already else []
        parts += [f"${self.usd:,.4f}"] if self.usd else []
        return ", ".join([*parts, *(["stopped by the budget"] if self.unaffordable else [])])


@dataclass(slots=True)
class _Run:
    """A run under way."""

    model: Model
    journal: Journal
    tally: Tally
    on_answer: Callable[[], object]
    price: Price | None
    budget: float | None
    under_way: int = 0
    dearest: float = 0.0
    in_a_row: int = 0
    refused: list[Response] = field(default_factory=list)

    def left(self, requests: Iterable[Request]) -> Iterator[Request]:
        """Yield what the file does not hold, as long as the money lasts."""
        for request in requests:
            if self.journal.holds(request) is not None:
                self.tally.already += 1
                self.on_answer()
            elif self._affords(request):
                self.under_way += 1
                yield request
            else:
                self.tally.unaffordable = True
                return

    def _affords(self, request: Request) -> bool:
        """Tell whether this request fits into the budget, with what was spent and what is under way."""
        if self.budget is None or self.price is None:
            return True
        # What is under way has no price yet: each counts like the dearest answer so far, so that none goes past the budget.
        self.dearest = max(self.dearest, self.price.of(estimated(request)) or 0.0)
        return self.journal.spent + self.tally.usd + (self.under_way + 1) * self.dearest <= self.budget

    def keep(self, exchange: Exchange) -> None:
        """Write a reply, then count it."""
        usage = self._priced(exchange.reply.usage)
        usd = (usage.usd or 0.0) if usage else 0.0
        self.under_way -= 1
        self.tally.usd, self.dearest = self.tally.usd + usd, max(self.dearest, usd)
        self._write(_response(self.model.name, exchange.request, exchange.reply, usage))
        self._count(exchange)
        self.on_answer()
        self._give_up(exchange.reply)

    def _write(self, response: Response) -> None:
        """Write a response; of requests that are refused alike, only once another one fares otherwise.

        Where all are refused the fault is not theirs, and the next run has to ask them again.
        """
        refused = response.error is not None and response.error.kind == "bad_request"
        if not refused or (self.refused and self.refused[-1].error != response.error and self.tally.answered):
            self.settle()
        if refused:
            self.refused.append(response)
        else:
            self.journal.append(response)

    def settle(self) -> None:
        """Write the refusals that were held back."""
        for response in self.refused:
            self.journal.append(response)
        self.refused.clear()

    def _priced(self, usage: Usage | None) -> Usage | None:
        if usage is None or usage.usd is not None or self.price is None:
            return usage
        return replace(usage, usd=self.price.of(usage))

    def _count(self, exchange: Exchange) -> None:
        reply = exchange.reply
        if reply.error is not None:
            self.tally.failures[reply.error.kind] += 1
            return
        self.tally.answered += 1
        self.tally.cached += exchange.cached
        self.tally.refused += reply.finish in _REFUSALS
        self.tally.empty += not reply.text and reply.finish not in _REFUSALS

    def _give_up(self, reply: Reply) -> None:
        """End a run that gets nothing but failures."""
        # A request that the server refuses for good says that the server works: only what may pass counts here.
        self.in_a_row = self.in_a_row + 1 if reply.error and reply.error.kind in PASSING else 0
        if reply.error and self.in_a_row >= _IN_A_ROW:
            problem = f"{_IN_A_ROW} requests in a row failed (the last: {reply.error.kind}: {reply.error.message})"
            raise ModelError(problem, place=self.model.name, way_out="run the same command later: it asks them again")
        if reply.error and len(self.refused) >= _IN_A_ROW:
            self.refused.clear()
            problem = f"{_IN_A_ROW} requests in a row were refused (the last: {reply.error.status}: {reply.error.message})"
            raise AllRefused(problem, place=self.model.name, way_out="mend the cause; the same command asks them again")


def ask_all(
    model: Model,
    requests: Iterable[Request],
    out: str,
    on_answer: Callable[[], object] = lambda: None,
    *,
    on_plan: Callable[[Plan], object] = lambda plan: None,
    concurrency: int = 8,
    cache: Cache | None = None,
    price: Price | None = None,
    budget: float | None = None,
    retry_errors: bool = False,
) -> Tally:
    """Ask what `out` does not hold yet, `concurrency` requests at a time; each reply is written before it is counted.

    Parameters: `requests` is iterated over twice; `out` is a file, or `-` for stdout; `on_answer` is called after each request
    and `on_plan` before the first; `price` fills in `usage.usd`; `budget` is what this model's answers in `out` may cost, in
    US dollars: the run ends before a request that might go past it; with `retry_errors` failures that would come again are
    asked again, too.
    Raises JoinError where `out` holds an answer to another wording of the same item; ModelError where no request could
    succeed (AllRefused where all are refused in the same words: these are not written, and asked again).
    """
    with Journal(out, model.name, retry_errors=retry_errors) as journal:
        plan = survey(requests, journal)  # nothing is written before all of the input is known to be sound
        on_plan(plan)
        journal.drop(plan.again)
        journal.start()
        run = _Run(model, journal, Tally(), on_answer, price, budget)
        try:
            run_async(ask_each(model, run.left(requests), concurrency, cache, run.keep))
        finally:
            run.settle()
        return run.tally


def _response(name: str, request: Request, reply: Reply, usage: Usage | None) -> Response:
    return Response(
        schema=RESPONSE_SCHEMA,
        item=request.item,
        model=name,
        sample=request.sample,
        text=reply.text,
        finish=reply.finish,
        error=reply.error,
        usage=usage,
        seconds=reply.seconds,
        prompt=prompt_hash(request.messages, request.decoding),
        time=reply.time,
    )
