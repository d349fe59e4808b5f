"""Texts that give no answer: nothing, an echo, repetition, not knowing, refusing; told apart from each other and from wrong.

| the text | outcome | reason |
|---|---|---|
| is blank, or holds no letter or digit | unscored | `empty` |
| only repeats the question | unscored | `echo` |
| says the same few words over and over | unscored | `repetition` |
| says that it does not know, or that nobody can | abstained | `unsure` |
| declines to answer | unscored | `refused` |
"""

from __future__ import annotations

from collections import Counter

from evaluators.verify.question import Question
from evaluators.verify.reading.text import Span, phrase
from evaluators.verify.reading.words import any_pattern
from evaluators.verify.ruling import Ruling
from queries.records.verdict import Reason

_UNSURE, _REFUSED, _REPROVED = any_pattern("unsure"), any_pattern("refused"), any_pattern("reproved")
_OPENING = 300
"""Only so far from its beginning a text reproves instead of answering."""
_REPEATED = 4
"""A run of words that fills most of a text and comes this often is a repetition."""
_FILLED = 0.7
"""The share of a text that is most of it."""


def nothing_said(text: str, question: Question) -> Reason | None:
    """Tell why a text says nothing at all: `empty`, `echo`, `repetition`; else null.

    >>> nothing_said(" ... ", Question("Who?")), nothing_said("Who was he?", Question("Who was he?"))
    ('empty', 'echo')
    >>> nothing_said("the the the the the the the the the the", Question("Who?"))
    'repetition'
    """
    words = phrase(text)
    if not words:
        return "empty"
    asked = phrase(question.text)
    if asked and len(words) % len(asked) == 0 and words == asked * (len(words) // len(asked)):
        return "echo"
    return "repetition" if _repeats(words) else None


def _repeats(words: list[str]) -> bool:
    """Tell whether one run of words, of up to twelve, fills most of a text ("I am, I am, I am, I am")."""
    if len(words) < 2 * _REPEATED:
        return False
    commonest = max(Counter(words).values())
    for size in (1, 2, 3, 4, 5, 6, 8, 10, 12):
        if len(words) < size * _REPEATED:
            return False
        if commonest * size < _FILLED * len(words):
            continue  # no run comes more often than its first word
        often = max(Counter(zip(*(words[start:] for start in range(size)), strict=False)).values())
        if often >= _REPEATED and often * size >= _FILLED * len(words):
            return True
    return False


def unsure(text: str) -> Span | None:
    """Return the characters that say that the answer is not known.

    >>> unsure("Sorry, I don't know.")
    (9, 19)
    """
    match = _UNSURE.search(text.replace("’", "'"))
    return match.span() if match else None


def refuses(text: str) -> Span | None:
    """Return the characters that decline to answer.

    >>> refuses("I can't help with that.")
    (0, 12)
    """
    plain = text.replace("’", "'")
    match = _REFUSED.search(plain) or _REPROVED.search(plain[:_OPENING])
    return match.span() if match else None


def withheld(text: str) -> Ruling | None:
    """Return the ruling on a text that knows nothing or declines; null for any other.

    >>> withheld("I'm not sure.").outcome, withheld("I cannot help with that.").outcome, withheld("Paris")
    ('abstained', 'unscored', None)
    """
    refused, unknown = refuses(text), unsure(text)
    # "I don't know, and I cannot help with that" does not know; "I cannot help: I don't know your rules" declines.
    if refused and not (unknown and unknown[0] < refused[0]):
        return Ruling("unscored", "refused", None, (refused,))
    return Ruling("abstained", "unsure", None, (unknown,)) if unknown else None
