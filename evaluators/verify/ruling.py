"""What a judge says of one answer, before it becomes a verdict: the rules of this folder, and models as judges."""

from __future__ import annotations

from typing import NamedTuple

from evaluators.verify.reading.text import Span
from queries.records.verdict import Outcome, Reason


class Ruling(NamedTuple):
    """An outcome, its reason, what was understood, the deciding characters, the hops of the rationale, what is contradicted."""

    outcome: Outcome
    reason: Reason
    answer: str | None = None
    spans: tuple[Span, ...] = ()
    rationale: tuple[bool, ...] = ()
    contradicted: tuple[str, ...] = ()


def unscored(reason: Reason, spans: tuple[Span, ...] = ()) -> Ruling:
    """Return a ruling on what is no answer.

    >>> unscored("empty").outcome
    'unscored'
    """
    return Ruling("unscored", reason, None, spans)
