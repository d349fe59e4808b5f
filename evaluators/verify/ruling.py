"""What a judge says of one answer, before it becomes a verdict: the rules of this folder, and models as judges."""

from __future__ import annotations

from typing import NamedTuple

from evaluators.verify.reading.text import Span
from queries.records.verdict import Confidence, Outcome, Reason


class Ruling(NamedTuple):
    """An outcome, its reason, what was understood, the deciding characters, hops, what is contradicted, how sure it is."""

    outcome: Outcome
    reason: Reason
    answer: str | None = None
    spans: tuple[Span, ...] = ()
    rationale: tuple[bool, ...] = ()
    contradicted: tuple[str, ...] = ()
    confidence: Confidence | None = None


def unscored(reason: Reason, spans: tuple[Span, ...] = ()) -> Ruling:
    """Return a ruling on what is no answer.

    >>> unscored("empty").outcome
    'unscored'
    """
    return Ruling("unscored", reason, None, spans)
