"""What the rules leave open: only that is shown to a judge.

Rulings of high confidence (`evaluators.verify.opinion`) are never shown to a judge; of the others:

| task | left open | the rules are sure |
|---|---|---|
| `premise` | `rejected`, `misled`, `exact`, `wrong`, `unclear` | `corrected` (a true object is named), and what is no answer |
| `open`, `context` | `wrong`, `partial` | an accepted answer in any other way, `denied`, `several_answers`, what is no answer |

Of both, what a second opinion overruled (`weighed`) is left open, too. No answer is: an error, nothing, an echo, repetition,
a refusal, not knowing. A short answer stays with the rules, too, where a number or date is asked for and the answer is a
value of at most five words (how precise it must be is for the item to say), and where nobody knows the answer (there is
nothing to compare with). Of the answers that people labelled, the rules are wrong on 24% of `wrong` and `partial` short
answers and on 12% of what they take for a rejection or its absence, without a premise to go by; on the other short answers
on 2%.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from evaluators.verify.question import Question
from evaluators.verify.reading.text import phrase
from evaluators.verify.ruling import Ruling

_PREMISE = frozenset({"rejected", "misled", "exact", "wrong", "unclear", "weighed"})
_SHORT = frozenset({"wrong", "partial", "weighed"})
_VALUES = frozenset({"date", "number"})
_BARE = 5
"""So few words are a value and nothing else."""


class What(StrEnum):
    """Which answers a judge is shown; `claims`: it is to read what they claim, and decides nothing."""

    premise = "premise"
    short = "short"
    claims = "claims"
    all = "all"


def left_open(question: Question, text: str | None, ruling: Ruling) -> str | None:
    """Return the kind of judge that an answer is for; null where the rules are sure.

    >>> city = Question("Where did Einstein die?", "open", ("Princeton",))
    >>> left_open(city, "Paris.", Ruling("incorrect", "wrong")), left_open(city, "Princeton.", Ruling("correct", "exact"))
    ('short', None)
    """
    if text is None or ruling.confidence == "high":
        return None
    if question.task == "premise":
        return "premise" if ruling.reason in _PREMISE else None
    if question.task not in ("open", "context") or not question.expected or ruling.reason not in _SHORT:
        return None
    bare = question.type in _VALUES and len(phrase(text)) <= _BARE
    return None if bare else "short"


def chooser(what: What) -> Callable[[Question, str | None, Ruling], str | None]:
    """Return `left_open`, for one kind of judge or all.

    >>> chooser(What.premise)(Question("Where?", "open", ("Ulm",)), "Bern.", Ruling("incorrect", "wrong"))
    """

    def chosen(question: Question, text: str | None, ruling: Ruling) -> str | None:
        kind = left_open(question, text, ruling)
        return kind if what in (What.all, kind) else None

    return chosen
