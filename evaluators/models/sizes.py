"""How many tokens a request and its answer are: estimated by their bytes, and corrected by what the server counts."""

from __future__ import annotations

from typing import NamedTuple

from evaluators.models.protocol import Request
from queries.records.response import Usage

_BYTES = 4.0
"""Bytes of UTF-8 to a token, before the server has counted any."""
_ANSWER = 256.0
"""Tokens of an answer before one was counted, where the request sets no limit."""
_WEIGHT = 0.1
"""How much the latest answer counts against all before it."""


class Size(NamedTuple):
    """Tokens that go in and that come out."""

    input: float
    output: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.input + self.output


class Sizes:
    """What a model's requests amount to, learnt as they are answered.

    >>> from evaluators.models.protocol import Message
    >>> sizes, request = Sizes(), Request("a", 0, (Message("user", "x" * 400),))
    >>> sizes.of(request).input
    100.0
    >>> sizes.learn(request, sizes.of(request), Usage(input=200, output=10)), sizes.of(request)
    (210.0, Size(input=200.0, output=10.0))
    """

    def __init__(self) -> None:
        self._share, self._answer, self._counted = 1 / _BYTES, _ANSWER, False

    def of(self, request: Request) -> Size:
        """Estimate the tokens of a request and its answer."""
        limit = request.decoding.max_tokens
        return Size(_bytes(request) * self._share, min(self._answer, limit) if limit else self._answer)

    def learn(self, request: Request, size: Size, usage: Usage | None) -> float:
        """Learn from what the server counted; return the tokens that were used (where it counts none, the estimate)."""
        if usage is None or usage.input is None or usage.output is None:
            return size.total
        weight = _WEIGHT if self._counted else 1.0
        self._counted = True
        share = usage.input / max(_bytes(request), 1)
        self._share += weight * (share - self._share)
        self._answer += weight * (usage.output - self._answer)
        return float(usage.input + usage.output)


def _bytes(request: Request) -> int:
    return sum(len(message.text.encode(errors="replace")) for message in request.messages)
