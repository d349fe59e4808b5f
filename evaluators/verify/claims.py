"""What a question merely claims.

A question states facts ("the film Avatar of 2009") and claims ("born in the 1950s", "longer than 300 km"). A text may deny a
claim and give another value in its place without saying anything wrong. A given value is a claim where one of these holds:

| sign | example |
|---|---|
| its entry says so | `claim: true` |
| a right explanation names the same slot | given `year` 1999, rationale `year` 2001 |
| it is a number or date that a right explanation names | 1954 in "born in 1954" beside born = 1954 |
| it is a decade or century, and a right explanation names a year | 1950 in "the 1950s" beside born = 1954 |
| it is a number or date that the question compares, and a right explanation names one | 500 in "more than 500" beside 612 |

So files that were written before items marked their claims are judged alike.
"""

from __future__ import annotations

import re

from evaluators.verify.question import Entry, Question

_VALUE = re.compile(r"[-+−]?\d[\d.,]*s?")
_DECADE = re.compile(r"\d{3}0s?")
_COMPARED = re.compile(
    r"\b(?:than|before|after|since|until|till|by|over|under|above|below|exceeds?|exceeding|reach(?:es)?|least|most|up to"
    r"|within)\s+(?:the\s)?(?:year\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
_DECADES = ("s", "'s", "’s")
_COMPARED_REACH = 30
"""Characters before a value among which a word that compares it is looked for."""


def claims_of(question: Question) -> frozenset[str]:
    """Return the given slots that the question merely claims.

    >>> from evaluators.verify.question import Given
    >>> born = Question("Was its director born in the 1950s?", rationale=(Entry("born", "1954", type="number"),))
    >>> sorted(claims_of(born._replace(given=(Given("year", "2009"), Given("claimed", "1950")))))
    ['claimed']
    """
    named = {entry.slot for entry in question.rationale}
    # A pair of slot and value will do.
    return frozenset(
        [slot for slot, value, *claim in question.given if True in claim or slot in named or _is_claim(value, question)]
    )


def _is_claim(given: str, question: Question) -> bool:
    """Tell by the question's own words whether a given value stands for one that a right explanation names."""
    value = given.strip()
    if not _VALUE.fullmatch(value) or not any(_counts(entry) for entry in question.rationale):
        return False
    return is_decade(value, question.text) or _is_compared(value, question.text)


def _counts(entry: Entry) -> bool:
    """Tell whether an entry is a number or a date."""
    return entry.type in ("number", "date") or (entry.type is None and _VALUE.fullmatch(entry.value) is not None)


def is_decade(value: str, question: str) -> bool:
    """Tell whether a question says a value as a decade or century ("the 1950s", "the '50s").

    >>> is_decade("1950", "Was she born in the 1950s?"), is_decade("1950", "Was she born in 1950?")
    (True, False)
    """
    if not _DECADE.fullmatch(value):
        return False
    year = value.removesuffix("s")
    return any(f"{written}{ending}" in question for written in (year, f"'{year[2:]}", f"’{year[2:]}") for ending in _DECADES)


def _is_compared(value: str, question: str) -> bool:
    """Tell whether a question compares something with a value.

    >>> _is_compared("500", "Is it longer than 500 km?"), _is_compared("500", "Did the 500 miles end there?")
    (True, False)
    """
    at = question.find(value)
    while at >= 0:
        if _COMPARED.search(question, max(0, at - _COMPARED_REACH), at):
            return True
        at = question.find(value, at + 1)
    return False
