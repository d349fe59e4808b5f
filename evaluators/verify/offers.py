"""Whether a found answer is denied, set aside, or only one of several that are offered.

```
python -c 'from evaluators.verify.offers import *; print(denied(Text("It was not Mark Twain."), 3, 5))'
```
"""

from __future__ import annotations

import re

from evaluators.verify.question import Question
from evaluators.verify.reading.clauses import Text, clause_of, denials

__all__ = ["Text", "denied", "offered"]

_ASIDE = re.compile(
    r"\b(?:rather than|instead of|as opposed to|unlike|other than|except(?: for)?|apart from|confused with"
    r"|mistaken for|but not)\s+(?:[\w'’-]+\s+){0,2}[\"'“‘(*]*\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\"'”’)*]*,?\s+(?:is|was|are|were|did|does|do|has|had|have|can|could|would)(?:\s+(?:not|never)\b|n['’]t\b)", re.IGNORECASE
)
_OR_BEFORE = re.compile(r"(?:\bor|/)\s*[\"'“‘(*]*(?:the\s|a\s|an\s|in\s|by\s)?\Z", re.IGNORECASE)
_OR_AFTER = re.compile(r"[\"'”’)*]*,?\s*(?:\bor\b(?!\s+(?:so|more|less|simply|just|also|known))|/)", re.IGNORECASE)
_CHOICE = re.compile(
    r"\b(?:either|could be|may be|might be|maybe|perhaps|possibly|one of|guess|between|options?|candidates?)\b", re.IGNORECASE
)
_NEAR = 4
"""A denial this many words before an answer, in the same clause, concerns it."""


def denied(text: Text, first: int, last: int) -> bool:
    """Tell whether the words from `first` up to `last` are named only to be denied or set aside.

    >>> denied(Text("Henry James, not Mark Twain"), 3, 5), denied(Text("Mark Twain, not Henry James"), 0, 2)
    (True, False)
    """
    start, end = text.span(first, last)
    clause = clause_of(text, first)
    near = max(clause.first, first - _NEAR)
    if denials(text, near, first) or _ASIDE.search(text.original[max(0, start - 60) : start]):
        return True
    return _AFTER.match(text.original, end) is not None


def offered(text: Text, first: int, last: int, question: Question) -> bool:
    """Tell whether the answer is one of several alternatives ("either Paris or London").

    Where the question itself offers alternatives, or the answer holds an "or", they prove nothing.
    """
    if " or " not in text.line and "/" not in text.original:
        return False
    start, end = text.span(first, last)
    sentence = text.sentences[text.sentence_of(first)]
    around = text.original[sentence.start : sentence.end]
    beside = _OR_BEFORE.search(text.original[sentence.start : start]) or _OR_AFTER.match(text.original, end)
    return bool(beside) and _CHOICE.search(around) is not None and " or " not in question.text
