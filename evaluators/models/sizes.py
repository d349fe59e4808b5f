"""How many tokens a request and its answer are: by a tokenizer, or by their bytes; the server has the last word.

What the server counts corrects either: it counts the form of messages as well, and other models have other tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from evaluators.models.protocol import Request
from queries.records.response import Usage

Counter = Callable[[str], float]
"""Tells how many tokens a text has."""

_BYTES = 4.0
"""Bytes of UTF-8 to a token, where no tokenizer says."""
_ANSWER = 256.0
"""Tokens of an answer before one was counted, where the request sets no limit."""
_WEIGHT = 0.1
"""How much the latest answer counts against all before it."""
_READ = 100_000
"""Characters of a text that a tokenizer reads; what follows is taken to be alike."""


class Size(NamedTuple):
    """Tokens that go in and that come out, and those that were counted in the texts before any correction."""

    input: float
    output: float
    counted: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.input + self.output


def by_bytes(text: str) -> float:
    """Estimate the tokens of a text.

    >>> by_bytes("x" * 400)
    100.0
    """
    return len(text.encode(errors="replace")) / _BYTES


def openai_counter(model: str) -> Counter:
    """Return what counts the tokens of an OpenAI model: `tiktoken`, where it is installed, knows the model and has its file.

    >>> openai_counter("no-such-model")("x" * 400)
    100.0
    """
    try:
        import tiktoken

        encoding = tiktoken.encoding_for_model(model.rpartition("/")[2])
    except (ImportError, KeyError, ValueError, OSError):  # not installed, not known, damaged, no network to fetch its file
        return by_bytes

    def tokens(text: str) -> float:
        read = text[:_READ]
        return len(encoding.encode_ordinary(read)) * (len(text) / len(read)) if read else 0.0

    return tokens


class Sizes:
    """What a model's requests amount to, learnt as they are answered.

    Parameters: `counter` tells how many tokens a text has.

    >>> from evaluators.models.protocol import Message
    >>> sizes, request = Sizes(), Request("a", 0, (Message("user", "x" * 400),))
    >>> sizes.of(request).input
    100.0
    >>> sizes.learn(sizes.of(request), Usage(input=200, output=10)), sizes.of(request)
    (210.0, Size(input=200.0, output=10.0, counted=100.0))
    """

    def __init__(self, counter: Counter = by_bytes) -> None:
        self._counter, self._factor, self._answer, self._counted = counter, 1.0, _ANSWER, False

    def of(self, request: Request) -> Size:
        """Estimate the tokens of a request and its answer."""
        limit = request.decoding.max_tokens
        counted = sum(self._counter(message.text) for message in request.messages)
        counted += sum(self._counter(result) for called in request.called for _, result in called.results)
        return Size(counted * self._factor, min(self._answer, limit) if limit else self._answer, counted)

    def learn(self, size: Size, usage: Usage | None) -> float:
        """Learn from what the server counted; return the tokens that were used (where it counts none, the estimate)."""
        if usage is None or usage.input is None or usage.output is None:
            return size.total
        weight = _WEIGHT if self._counted else 1.0
        self._counted = True
        self._factor += weight * (usage.input / max(size.counted, 1.0) - self._factor)
        self._answer += weight * (usage.output - self._answer)
        return float(usage.input + usage.output)
