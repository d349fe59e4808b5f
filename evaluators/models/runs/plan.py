"""What a run is going to ask, before it is paid for: how many requests, about how many tokens, and what they may cost.

Tokens are an estimate, four characters each; an answer counts with its limit of tokens where there is one, and with 200 where
there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from evaluators.errors import JoinError
from evaluators.models import Request
from evaluators.models.identity import prompt_hash
from evaluators.models.prices import Price
from evaluators.models.runs.journal import Journal
from queries.records.keys import short_hash
from queries.records.response import Usage

_ANSWER = 200
"""Tokens that an answer counts with in an estimate where nothing limits it."""


@dataclass(slots=True)
class Plan:
    """Requests that are left, those that the file answers already, failures that are asked again, and estimated tokens."""

    left: int = 0
    already: int = 0
    again: set[tuple[str, int]] = field(default_factory=set)
    sent: int = 0
    produced: int = 0

    def usd(self, price: Price | None) -> float | None:
        """Return the estimated cost."""
        return price.of(Usage(input=self.sent, output=self.produced)) if price else None

    def summary(self, model: str, price: Price | None) -> str:
        """Say in one line what the run is going to ask.

        >>> Plan(left=2, sent=1000, produced=400).summary("openai:m", None)
        'openai:m: 2 requests, about 1,000 tokens in and 400 out (an estimate), price not known (see --prices)'
        """
        usd = self.usd(price)
        cost = "price not known (see --prices)" if usd is None else f"about ${usd:,.2f}"
        known = f" ({self.already} more are answered already)" if self.already else ""
        tokens = f"about {self.sent:,} tokens in and {self.produced:,} out (an estimate)"
        requests = "1 request" if self.left == 1 else f"{self.left} requests"
        return f"{model}: {requests}{known}, {tokens}, {cost}"


def estimated(request: Request) -> Usage:
    """Estimate the tokens of a request and its answer; one with a tool counts as if all its rounds were used.

    Each round sends all results before it again.
    """
    sent = (sum(len(message.text) for message in request.messages) + 3) // 4
    answer = request.decoding.max_tokens or _ANSWER
    rounds, result = (request.tool.rounds, request.tool.longest // 4) if request.tool else (0, 0)
    return Usage(input=(rounds + 1) * sent + rounds * (rounds + 1) // 2 * (result + answer), output=(rounds + 1) * answer)


def survey(requests: Iterable[Request], journal: Journal | None = None) -> Plan:
    """Go through all requests before the first is asked, and count what is left, answered, and asked again.

    Raises JoinError where the file holds an answer to the same item in other words, or drawn in another way.
    """
    plan = Plan()
    for request in requests:
        mark = journal.holds(request) if journal is not None else None
        if mark is not None and journal is not None:
            _check_words(request, mark, journal.place)
            plan.already += 1
            continue
        usage = estimated(request)
        plan.left += 1
        plan.sent, plan.produced = plan.sent + (usage.input or 0), plan.produced + (usage.output or 0)
        if journal is not None and journal.failed(request):
            plan.again.add((request.item, request.sample))
    return plan


def _check_words(request: Request, mark: int, place: str) -> None:
    # 0 is the mark of a response that does not say how it was asked.
    if mark and mark != short_hash(prompt_hash(request.messages, request.decoding)):
        problem = f"item '{request.item}' was asked in other words before (another setting, question or decoding)"
        raise JoinError(problem, place=place, way_out="choose another --out")
