"""Answers that stand beside one another in a text: "Rome, Paris or Lyon", "12 or 13 goals"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from evaluators.verify.reading.text import Text

WordRange = tuple[int, int]

SEPARATOR = re.compile(
    r"[\"'”’)*]*\s*(?:(?P<or>,?\s*\bor\b|\s/\s|(?<=\w\w\w)/(?=\w\w\w)|,?\s*and/or\b)|,?\s*(?P<and>\band\b|&)|(?P<comma>,|;|\n))"
    r"\s*[\"'“‘(*]*(?:either |perhaps |maybe |possibly |in |on |at |by |the |a |an )*",
    re.IGNORECASE,
)


class Group(NamedTuple):
    """Answers that stand beside one another: how many others there are, whether an "or" joins them, and its words."""

    others: int
    by_or: bool
    by_and: bool
    first: int
    last: int


def coordinated(text: Text, place: WordRange, others: Sequence[WordRange]) -> Group:
    """Return the answers that are coordinated with the one at a place.

    >>> coordinated(Text("Rome, Paris or Lyon."), (1, 2), [(0, 1), (2, 3), (3, 4)])[:2]
    (2, True)
    """
    joins, count, (first, last) = set[str](), 0, place
    following, before = dict(others), {b: a for a, b in others}
    moved = True
    while moved:
        moved = False
        for start, end in ((last, None), (None, first)):
            pair = _next(text, start, following) if start is not None else _previous(text, end or 0, before)
            if pair is not None:
                edge, join = pair
                first, last = (first, edge) if start is not None else (edge, last)
                count, moved = count + 1, True
                joins.add(join)
    return Group(count, "or" in joins, "and" in joins, first, last)


_UNIT = r"(?:\s?(?:[^\W\d_]{1,15}|°[CF]?|%)[²³]?)?"
_AFTER_UNIT = re.compile(_UNIT + SEPARATOR.pattern, re.IGNORECASE)


def _next(text: Text, last: int, following: dict[int, int]) -> tuple[int, str] | None:
    separators = _AFTER_UNIT if text.words[last - 1][-1:].isdigit() else SEPARATOR
    separator = separators.match(text.original, text.ends[last - 1]) if last < len(text.words) else None
    if separator is None:
        return None
    at = text.word_at(separator.end())
    return (following[at], separator.lastgroup or "") if at in following else None


def _previous(text: Text, first: int, before: dict[int, int]) -> tuple[int, str] | None:
    for end in range(first, max(0, first - 5), -1):
        if end in before:
            separators = _AFTER_UNIT if text.words[end - 1][-1:].isdigit() else SEPARATOR
            separator = separators.fullmatch(text.original, text.ends[end - 1], text.starts[first])
            return (before[end], separator.lastgroup or "") if separator else None
    return None
