"""Times of the day and spans of time as people say them: "a quarter past nine in the evening", "half a year", "a fortnight".

| wanted | the text | is it |
|---|---|---|
| 21:15 | "a quarter past nine", "9.15 p.m.", "nine fifteen in the evening" | yes; either, where no part of the day is told |
| 21:15 | "a quarter past nine in the morning", "9:15" | no |
| six months | "half a year" | yes |
| 90 minutes | "an hour and a half", "1h 30m", "1h30" | yes |
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from decimal import Decimal

from evaluators.verify.reading.text import Span
from evaluators.verify.reading.words import NUMERALS
from kg.numbers import find_numbers
from kg.units import units_of

_HALF_DAY, _DAY = 720, 1440
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOUR = rf"(?:{_HOURS}|\d{{1,2}})"
_MINUTES = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "twenty-five": 25, "twenty five": 25, "half": 30}
_PART = r"(?:,? (?P<part>(?:in the |at )?(?:morning|afternoon|evening|night)|[ap]\.? ?m\b\.?|am|pm))"
_TIME = re.compile(
    rf"\b(?:(?:an? )?(?P<minutes>{'|'.join(sorted(_MINUTES, key=len, reverse=True))})(?: minutes)? "
    rf"(?P<side>past|after|to|before) (?P<of>{_HOUR})\b"
    rf"|(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>[0-5]\d)|(?= ?[ap]\.?m\b))(?![\d.:]\d)"
    rf"|(?P<sharp>{_HOUR}) o'clock|(?P<noon>noon|midday|midnight)\b)(?: o'clock)?{_PART}?",
    re.IGNORECASE,
)
_LIKE_TIME = re.compile(
    r"\d[:.h]\d\d|\d ?[ap]\.?m\b|o'clock|\bnoon\b|midday|midnight|\b(?:past|after|to|before) \w", re.IGNORECASE
)


@functools.lru_cache(maxsize=4096)
def time_of(answer: str) -> frozenset[int]:
    """Return the minutes of the day that an answer is, each a reading; nothing where it is no time of the day.

    >>> sorted(time_of("21:15")), sorted(time_of("half past six")), sorted(time_of("6.30 metres"))
    ([1275], [390, 1110], [])
    """
    found = _TIME.fullmatch(answer.strip(" .")) if _LIKE_TIME.search(answer) else None
    return _minutes(found) if found else frozenset()


def times_like(text: str, wanted: frozenset[int]) -> Iterator[Span]:
    """Yield where a text says a time of the day that is a wanted one.

    >>> [*times_like("It leaves at a quarter past nine in the evening.", time_of("21:15"))]
    [(13, 47)]
    """
    for match in _TIME.finditer(text):
        if not wanted.isdisjoint(_minutes(match)):
            yield match.span()


def times_in(text: str) -> Iterator[Span]:
    """Yield where a text says a time of the day.

    >>> [*times_in("Oslo opens at 8:30, Bergen at noon.")]
    [(14, 18), (30, 34)]
    """
    for match in _TIME.finditer(text) if _LIKE_TIME.search(text) else ():
        yield match.span()


def _minutes(match: re.Match[str]) -> frozenset[int]:
    """Return the minutes of the day that are meant."""
    if match["noon"]:
        return frozenset({0 if match["noon"].lower() == "midnight" else _HALF_DAY})
    hour = _number(match["of"] or match["hour"] or match["sharp"])
    minute = int(match["minute"] or 0)
    if match["minutes"]:
        past = _MINUTES[match["minutes"].lower()]
        minute = past if match["side"].lower() in ("past", "after") else -past
    at = (60 * hour + minute) % _DAY
    if hour > 12 or (match["hour"] and not match["part"]):
        return frozenset({at})  # digits are read as they stand
    part = (match["part"] or "").lower().replace(".", "").replace(" ", "")
    before, after = at % _HALF_DAY, at % _HALF_DAY + _HALF_DAY
    if part in ("am", "inthemorning", "morning"):
        return frozenset({before})
    return frozenset({after}) if part and not part.endswith("night") else frozenset({before, after})


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMERALS[word.lower()]


_UNIT = r"(?P<unit>second|minute|hour|day|week|month|year|decade|century|fortnight)"
_SPAN = re.compile(
    rf"\b(?:(?P<part>half|(?:a |three )quarters?(?: of)?) (?:an?|one) {_UNIT}\b"
    rf"|(?:an?|one) {_UNIT.replace('unit', 'unit2')}(?P<more> and (?:a half|a quarter|three quarters))?\b"
    r"|(?P<hours>\d{1,3}) ?h(?:rs?)?[ ,]{0,2}(?P<minutes>[0-5]?\d)(?: ?m(?:ins?)?)?"
    r"(?:[ ,]{0,2}(?P<seconds>[0-5]?\d) ?s(?:ecs?)?)?\b)",
    re.IGNORECASE,
)
_SHARES = {"half": Decimal("0.5"), "a quarter": Decimal("0.25"), "three quarters": Decimal("0.75")}
_WEEKS = 2


@functools.lru_cache(maxsize=4096)
def span_of(answer: str) -> Decimal | None:
    """Return how many seconds an answer is; null where it is no span of time.

    >>> span_of("six months") == span_of("half a year"), span_of("six metres")
    (True, None)
    """
    match = _SPAN.fullmatch(answer.strip(" ."))
    if match:
        return _seconds(match)
    numbers = find_numbers(answer, "en")
    whole = len(numbers) == 1 and numbers[0].upto is None and not answer[numbers[0].until :].strip(" .")
    return _in_seconds(numbers[0].value, numbers[0].unit) if whole and numbers[0].unit else None


def spans_like(text: str, wanted: Decimal) -> Iterator[Span]:
    """Yield where a text says a span of time in words that is as long as a wanted one.

    >>> [*spans_like("It takes an hour and a half.", Decimal(5400))]
    [(9, 27)]
    """
    for match in _SPAN.finditer(text):
        if _seconds(match) == wanted:
            yield match.span()


def _seconds(match: re.Match[str]) -> Decimal | None:
    if match["hours"]:
        hours, minutes, seconds = (int(match[name] or 0) for name in ("hours", "minutes", "seconds"))
        return Decimal(3600 * hours + 60 * minutes + seconds)
    unit = (match["unit"] or match["unit2"]).lower()
    told = (match["part"] or match["more"] or "").lower().removeprefix(" and ").removesuffix(" of")
    share = next((share for words, share in _SHARES.items() if words in told), Decimal(0))
    return _in_seconds(share if match["part"] else 1 + share, unit)


def _in_seconds(value: Decimal, unit: str | None) -> Decimal | None:
    if unit == "fortnight":
        value, unit = value * _WEEKS, "week"
    found = next((each for each in units_of(unit or "") if each.dimensions == _TIMES), None)
    return value * found.one if found else None


_TIMES = units_of("second")[0].dimensions
