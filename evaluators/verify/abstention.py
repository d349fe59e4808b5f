"""Texts that give no answer: nothing, an echo, repetition, not knowing, refusing; told apart from each other and from wrong.

```
python -c 'from evaluators.verify.abstention import *; print(withheld("I am not sure."))'
```

| the text | outcome | reason |
|---|---|---|
| is blank, or holds no letter or digit | unscored | `empty` |
| only repeats the question | unscored | `echo` |
| says the same few words over and over | unscored | `repetition` |
| says that it does not know, or that nobody can | abstained | `unsure` |
| declines to answer | unscored | `refused` |
"""

from __future__ import annotations

import re
from collections import Counter

from evaluators.verify.question import Question
from evaluators.verify.reading.text import phrase
from evaluators.verify.reading.words import words
from evaluators.verify.ruling import Ruling
from queries.records.verdict import Reason

__all__ = ["nothing_said", "refuses", "unsure", "withheld"]


def _any(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in words(name)["patterns"]), re.IGNORECASE)


_UNSURE, _REFUSED, _REPROVED = _any("unsure"), _any("refused"), _any("reproved")
_OPENING = 300
"""Only so far from its beginning a text reproves instead of answering."""
_REPEATED = 4
"""A run of words that fills most of a text and comes this often is a repetition."""


def nothing_said(text: str, question: Question) -> Reason | None:
    """Tell why a text says nothing at all: `empty`, `echo`, `repetition`; else null.

    >>> nothing_said(" ... ", Question("Who?")), nothing_said("Who was he?", Question("Who was he?"))
    ('empty', 'echo')
    >>> nothing_said("the the the the the the the the the the", Question("Who?"))
    'repetition'
    """
    said = phrase(text)
    if not said:
        return "empty"
    if said == phrase(question.text):
        return "echo"
    return "repetition" if _repeats(said) else None


def _repeats(said: list[str]) -> bool:
    if len(said) < 2 * _REPEATED:
        return False
    for size in (1, 2, 3, 4, 5, 6, 8, 10, 12):
        if len(said) < size * _REPEATED:
            return False
        runs = Counter(tuple(said[at : at + size]) for at in range(0, len(said) - size + 1))
        _, often = runs.most_common(1)[0]
        if often >= _REPEATED and often * size >= 0.7 * len(said):
            return True
    return False


def unsure(text: str) -> tuple[int, int] | None:
    """Return the characters that say that the answer is not known.

    >>> unsure("Sorry, I don't know.")
    (9, 19)
    """
    found = _UNSURE.search(text.replace("’", "'"))
    return found.span() if found else None


def refuses(text: str) -> tuple[int, int] | None:
    """Return the characters that decline to answer.

    >>> refuses("I can't help with that.")
    (0, 12)
    """
    plain = text.replace("’", "'")
    found = _REFUSED.search(plain) or _REPROVED.search(plain[:_OPENING])
    return found.span() if found else None


def withheld(text: str) -> Ruling | None:
    """Return the ruling on a text that knows nothing or declines; null for any other.

    >>> withheld("I'm not sure.").outcome, withheld("I cannot help with that.").outcome, withheld("Paris")
    ('abstained', 'unscored', None)
    """
    refused, unknown = refuses(text), unsure(text)
    if refused and not (unknown and unknown[0] < refused[0]):
        return Ruling("unscored", "refused", None, (refused,))
    return Ruling("abstained", "unsure", None, (unknown,)) if unknown else None
