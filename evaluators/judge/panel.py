"""A model as a judge: cases become requests, reports become rulings.

Where a judge reports nothing that can be read, the verdict is `unscored: judge_failed`; nothing is guessed. The same
answer to the same question is judged once, however often it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evaluators.judge.prompt import elected, load, read_report
from evaluators.models import Decoding, Reply, Request
from evaluators.models.identity import request_name
from evaluators.models.runs import Recording
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling

_LONG = 2000
"""Tokens for a report, and for the thoughts of a model that thinks before it."""


class Case(NamedTuple):
    """An answer to a question, for a kind of judge."""

    kind: str
    question: Question
    text: str


@dataclass(frozen=True)
class Panel:
    """A judge: a model with its recording, and how often it votes on each case."""

    model: Recording
    votes: int = 1

    def name(self, kind: str) -> str:
        """How a verdict names the judge: the model, its prompt, and its votes where there are several."""
        several = f" x{self.votes}" if self.votes > 1 else ""
        return f"{self.model.name} {load(kind).cited}{several}"

    def requests(self, case: Case) -> list[Request]:
        """Put a case into words, once for each vote; the same words have the same names."""
        prompt = load(case.kind)
        # One vote is as steady as the model can be; several are worth something only where they may differ.
        decoding = Decoding(temperature=0.0 if self.votes == 1 else None, max_tokens=_LONG, schema=prompt.schema)
        messages = prompt.messages(case.text, case.question)
        name = request_name(f"judge.{case.kind}", messages, decoding)
        return [Request(name, vote, messages, decoding) for vote in range(self.votes)]

    def rule(self, cases: Sequence[Case]) -> list[Ruling]:
        """Judge cases, in their order.

        Raises ModelError where the model cannot be asked at all.
        """
        # Equal answers to equal questions make equal requests: each is sent once, and its reply serves all of them.
        replies = self.model.replies([request for case in cases for request in self.requests(case)])
        votes = (replies[first : first + self.votes] for first in range(0, len(replies), self.votes))
        return [_ruling(case, of_case) for case, of_case in zip(cases, votes, strict=True)]


def _ruling(case: Case, votes: Sequence[Reply]) -> Ruling:
    labels = load(case.kind).labels
    label = elected([read_report(reply.text, labels) if reply.error is None else None for reply in votes])
    if label is None:
        return Ruling("unscored", "judge_failed")
    if label == "tie":
        return Ruling("unscored", "tie")
    return _PREMISE[label](case.question) if case.kind == "premise" else _SHORT[label]


def _sided(answer: str) -> Callable[[Question], Ruling]:
    def ruling(question: Question) -> Ruling:
        expected = "reject" if question.expected is None else question.expected[0]
        return Ruling("correct" if answer == expected else "incorrect", "judge", answer)

    return ruling


_PREMISE: dict[str, Callable[[Question], Ruling]] = {
    "rejects": _sided("reject"),
    "accepts": _sided("accept"),
    "neither": lambda _: Ruling("unscored", "unclear"),
}
_SHORT = {
    "match": Ruling("correct", "judge"),
    "mismatch": Ruling("incorrect", "judge"),
    "none": Ruling("abstained", "judge"),
}
