"""One answer, one verdict, for scorers of other harnesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from evaluators.verify.judges import judge_text
from evaluators.verify.question import question_of
from evaluators.verify.ruling import Ruling
from queries.records import Item


def score(item: Mapping[str, Any], text: str | None) -> Ruling:
    """Judge an answer to an item, given as the object that its line holds; null is an error instead of an answer.

    Raises ValueError where it is no item.

    >>> item = {"schema": "kgprobe.item/1", "id": "vienna", "method": "mine", "family": "capitals", "task": "yes_no",
    ...     "variant": "basic", "question": "Is Vienna the capital of Austria?", "answer": ["yes"], "group": "at"}
    >>> score(item, "Yes, it is.").outcome, score(item, "I am not sure.").outcome
    ('correct', 'abstained')
    """
    return judge_text(text, question_of(msgspec.convert(item, Item)))


def points(ruling: Ruling, *, unknowable: bool) -> float | None:
    """Return what a verdict is worth, as `overview.tasks` counts it: 1, 0, or nothing where it has no say.

    Parameters: `unknowable` tells that nobody knows the answer; not knowing it is right then.

    >>> points(Ruling("abstained", "unsure"), unknowable=True), points(Ruling("unscored", "empty"), unknowable=False)
    (1.0, None)
    """
    if ruling.outcome == "unscored":
        return None
    return float(ruling.outcome == ("abstained" if unknowable else "correct"))
