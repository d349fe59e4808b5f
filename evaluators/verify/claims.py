"""What a question merely claims, and which thing it says a year of.

A question states facts ("the film Avatar of 2009") and claims ("born in the 1950s", "longer than 300 km"). A text may deny a
claim and give another value in its place without saying anything wrong. A given value is a claim where one of these holds:

| sign | example |
|---|---|
| its entry says so | `claim: true` |
| a right explanation names the same slot, with another value | given `year` 1999, rationale `year` 2001 |
| it is a decade or century, and a right explanation names a year | 1950 in "the 1950s" beside born = 1954 |
| it is a number or date that the question compares, and a right explanation names one | 500 in "more than 500" beside 612 |

So files that were written before items marked their claims are judged alike.
"""

from __future__ import annotations

import re

from evaluators.verify.question import Entry, Given, Question

_VALUE = re.compile(r"[-+−]?\d[\d.,]*s?")
_DECADE = re.compile(r"(\d{3})0s?|(\d{2})00s?")
_COMPARED = re.compile(
    r"\b(?:than|before|after|since|until|till|by|over|under|above|below|exceeds?|exceeding|reach(?:es)?|at least|at most|up to"
    r"|least|most|within)\s+(?:the\s)?(?:year\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
_COMPARED_REACH = 30
"""Characters before a value among which a word that compares it is looked for."""


def claims_of(question: Question) -> frozenset[str]:
    """Return the given slots that the question merely claims.

    >>> born = Question("Was its director born in the 1950s?", rationale=(Entry("born", "1954", type="number"),))
    >>> sorted(claims_of(born._replace(given=(Given("year", "2009"), Given("claimed", "1950")))))
    ['claimed']
    """
    return frozenset(given.slot for given in question.given if given.claim or _stands_for_an_entry(given, question))


def _stands_for_an_entry(given: Given, question: Question) -> bool:
    """Tell whether a given value stands for one that a right explanation names, by the question's own words."""
    if any(entry.slot == given.slot and entry.value != given.value for entry in question.rationale):
        return True
    if not _VALUE.fullmatch(given.value.strip()) or not any(map(_counts, question.rationale)):
        return False
    return _is_decade(given.value.strip(), question.text) or _is_compared(given.value.strip(), question.text)


def _counts(entry: Entry) -> bool:
    """Tell whether an entry is a number or a date."""
    return entry.type in ("number", "date") or (entry.type is None and _VALUE.fullmatch(entry.value.strip()) is not None)


def _is_decade(value: str, question: str) -> bool:
    """Tell whether a question says a value as a decade or century ("1950s", "the '50s" of 1950)."""
    if not _DECADE.fullmatch(value):
        return False
    year = value.removesuffix("s")
    return re.search(rf"(?<!\d)(?:{year}|['’]{year[2:]})['’]?s\b", question) is not None


def _is_compared(value: str, question: str) -> bool:
    """Tell whether a question compares something with a value ("more than 500 km")."""
    places = re.finditer(rf"(?<![\w.,]){re.escape(value)}(?![\w]|[.,]\d)", question)
    return any(_COMPARED.search(question[max(0, at.start() - _COMPARED_REACH) : at.start()]) for at in places)
