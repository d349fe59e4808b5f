"""What a run is going to ask, about how many tokens that is, and what it may cost.

```
python -m evaluators.ask items.jsonl --model openai:some-model --dry-run
python -m evaluators.ask items.jsonl --model openai:some-model --max-tokens 50 --budget 2.50 --out responses.jsonl
```

Tokens are an estimate, four characters each; an answer counts with its limit of tokens where there is one, and with 200 where
there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from evaluators.ask.journal import Journal
from evaluators.errors import JoinError
from evaluators.keys import short_hash
from evaluators.models import Request
from evaluators.models.prices import Price
from evaluators.prompts import prompt_hash
from queries.records.response import Usage

__all__ = ["Plan", "estimated", "survey"]

_ANSWER = 200


@dataclass(slots=True)
class Plan:
    """Requests that are left, those that the file answers already, failures that are asked again, and estimated tokens."""

    left: int = 0
    kept: int = 0
    again: set[tuple[str, int]] = field(default_factory=set)
    given: int = 0
    produced: int = 0

    def usd(self, price: Price | None) -> float | None:
        """Return the estimated cost."""
        return price.of(Usage(input=self.given, output=self.produced)) if price else None

    def told(self, model: str, price: Price | None) -> str:
        """Say it in one line.

        >>> Plan(left=2, given=1000, produced=400).told("openai:m", None)
        'openai:m: 2 requests, about 1,000 tokens in and 400 out (an estimate), price not known (see --prices)'
        """
        usd = self.usd(price)
        cost = "price not known (see --prices)" if usd is None else f"about ${usd:,.2f}"
        there = f" ({self.kept} more are answered already)" if self.kept else ""
        tokens = f"about {self.given:,} tokens in and {self.produced:,} out (an estimate)"
        requests = "1 request" if self.left == 1 else f"{self.left} requests"
        return f"{model}: {requests}{there}, {tokens}, {cost}"


def estimated(request: Request) -> Usage:
    """Estimate the tokens of a request and its answer."""
    characters = sum(len(message.text) for message in request.messages)
    return Usage(input=(characters + 3) // 4, output=request.decoding.max_tokens or _ANSWER)


def survey(requests: Iterable[Request], journal: Journal | None = None) -> Plan:
    """Look through all requests before the first is asked.

    Raises JoinError where the file holds an answer to the same item in other words, or drawn in another way.
    """
    plan = Plan()
    for request in requests:
        mark = journal.holds(request) if journal is not None else None
        if mark is not None and journal is not None:
            _same_words(request, mark, journal.place)
            plan.kept += 1
            continue
        usage = estimated(request)
        plan.left += 1
        plan.given, plan.produced = plan.given + (usage.input or 0), plan.produced + (usage.output or 0)
        if journal is not None and journal.failed(request):
            plan.again.add((request.item, request.sample))
    return plan


def _same_words(request: Request, mark: int, place: str) -> None:
    if mark and mark != short_hash(prompt_hash(request.messages, request.decoding)):
        problem = f"item '{request.item}' was asked in other words before (another setting, question or decoding)"
        raise JoinError(problem, place=place, way_out="choose another --out")
