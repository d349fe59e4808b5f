"""How an answer was judged, and why: one line of `verdicts.jsonl`."""

from __future__ import annotations

import hashlib
from typing import ClassVar, Literal, get_args

from queries.records.record import Count, Id, Name, Record, Text

Outcome = Literal["correct", "incorrect", "abstained", "unscored"]
Reason = Literal[
    "exact", "alias", "normalised", "numeric", "date", "partial", "denied", "several_answers", "wrong",
    "unsure", "refused", "empty", "echo", "repetition", "truncated", "language", "unparsed", "api_error", "tie",
    "rejected", "corrected", "misled", "unclear", "stated", "weighed", "judge", "judge_failed",
]  # fmt: skip

Confidence = Literal["high", "low"]

VERDICT_SCHEMA: Literal["kgprobe.verdict/1"] = "kgprobe.verdict/1"
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
REASONS: tuple[Reason, ...] = get_args(Reason)


class Verdict(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A judgement with its reason; `sample` is null for a vote, `judge` is null for rules.

    `confidence` is null where the rules did not say how sure they are: in votes, by a judge, by a paper's own rules. `text` is
    the sha256 of the text that was judged; null in votes, after errors, and in files of before it was there. `evidence` says of
    a model that could query a graph whether one of its queries returned what the item asks for, or what proves it.
    """

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    schema: Literal["kgprobe.verdict/1"]
    item: Id
    model: Name
    sample: Count | None
    outcome: Outcome
    reason: Reason
    answer: Text | None
    rationale: list[bool]
    contradicted: list[Text]
    spans: list[tuple[Count, Count]]
    judge: Text | None
    confidence: Confidence | None = None
    text: Text | None = None
    evidence: bool | None = None


def text_hash(text: str | None) -> str | None:
    """Return what a verdict keeps of the text that it judges.

    >>> (text_hash("Yes.") or "")[:16]
    'sha256:5f9a2b795'
    """
    return None if text is None else "sha256:" + hashlib.sha256(text.encode()).hexdigest()
