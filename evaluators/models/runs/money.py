"""What may still be asked for the money that is left.

What is under way has no price yet. Each request counts with its limit of tokens, or, once twenty answers are known, with a
length that one answer in twenty exceeds. Where nothing limits an answer and few are known, it counts half as much again as the
longest, and no more are sent at a time than are known: a first one alone tells what an answer costs.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable

from evaluators.models import Request
from evaluators.models.prices import Price
from evaluators.models.runs.plan import estimated
from queries.records.response import Usage

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
