"""Dates in texts: any order, any precision, ranges; and when two of them say the same.

A date is a stretch of days from `first` to `last`, written as numbers YYYYMMDD (before Christ: negative years), so that a
month, a decade and a range are dates too, only longer ones.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Precision = Literal["day", "month", "year", "decade", "century", "range", "yearless"]

_NAMES = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]  # fmt: skip
_MONTHS = {name[:size]: n for n, name in enumerate(_NAMES, 1) for size in (3, len(name))} | {"sept": 9}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"(?:1\d{3}|20\d{2})"
_ORDINAL = r"(?:st|nd|rd|th)?"
_CENTURIES = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "twenty-first",
]  # fmt: skip

_COUNTED = (
    "m|km|cm|mm|met(?:er|re)s?|kilomet(?:er|re)s?|miles?|feet|ft|yards?|kg|lbs?|tons?|tonnes?|people|dollars"
    "|euros|million|degrees|hours|minutes"
)

_DATE = re.compile(
    rf"(?P<iso>(?<!\d)(?P<iy>{_YEAR})-(?P<im>\d\d)-(?P<id>\d\d)(?!\d))"
    rf"|(?P<sl>(?<![\d/.])(?P<a>\d{{1,2}})[/.](?P<b>\d{{1,2}})[/.](?P<sy>{_YEAR})(?!\d))"
    rf"|(?P<md>\b(?P<mm>{_MONTH})\s(?:the\s)?(?P<mday>\d{{1,2}}){_ORDINAL}(?!\d)(?:(?:,|\sof)?\s?(?P<my>{_YEAR})(?!\d))?)"
    rf"|(?P<dm>(?<![\d])(?P<dd>\d{{1,2}}){_ORDINAL}\s(?:of\s|day of\s)?(?P<dmm>{_MONTH})(?:(?:,"
    rf"|\sof)?\s?(?P<dy>{_YEAR})(?!\d))?)"
    rf"|(?P<my2>\b(?P<omm>{_MONTH})(?:,|\sof|\sin)?\s?(?P<oy>{_YEAR})(?!\d))"
    rf"|(?P<rng>(?<![\d.,])(?:between\s|from\s)?(?P<ra>{_YEAR})\s?(?:-|–|—|/|\sto\s|\sand\s|\suntil\s"
    rf"|\sthrough\s|to\s|and\s)\s?(?P<rb>{_YEAR}|\d\d)(?![\d.]*\d))"
    rf"|(?P<dec>(?P<part>\b(?:early|mid|late)[\s-](?:the\s)?)?(?<!\d)(?P<dcy>1\d\d0|20\d0)(?:'s|’s|s)\b)"
    rf"|(?P<cen>\b(?P<cn>\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_CENTURIES)})[\s-]century(?P<cbc>\s?b\.?c)?)"
    rf"|(?P<bc>(?<![\d,])(?P<bcy>\d{{1,4}})\s?(?:b\.?c\.?(?:e\.?)?)(?!\w))"
    rf"|(?P<year>(?<![\d.,$€£#:/-])(?P<y>{_YEAR})(?![\d%:]|[.,]\d|[\s-]?(?:{_COUNTED})\b))",
    re.IGNORECASE,
)


class Date(NamedTuple):
    """A stretch of days, how precisely the text gives it, and its characters."""

    first: int
    last: int
    precision: Precision
    start: int
    end: int


@functools.lru_cache(maxsize=65536)
def find_dates(text: str) -> tuple[Date, ...]:
    """Find the dates of a text.

    >>> [(d.first, d.last, d.precision) for d in find_dates("25th Sept 1987; June 1967; 1979–80")]
    [(19870925, 19870925, 'day'), (19670600, 19670699, 'month'), (19790000, 19809999, 'range')]
    """
    return tuple(_dates(text))


def _dates(text: str) -> Iterator[Date]:
    for match in _DATE.finditer(text):
        stretch = _stretch(match)
        if stretch:
            yield Date(*stretch, *match.span())


def _stretch(match: re.Match[str]) -> tuple[int, int, Precision] | None:
    kind = next(name for name in ("iso", "sl", "md", "dm", "my2", "rng", "dec", "cen", "bc", "year") if match[name])
    if kind == "iso":
        return _day(int(match["iy"]), int(match["im"]), int(match["id"]))
    if kind == "sl":
        return _slashed(int(match["a"]), int(match["b"]), int(match["sy"]))
    if kind in ("md", "dm"):
        month, day, year = ("mm", "mday", "my") if kind == "md" else ("dmm", "dd", "dy")
        return _day(int(match[year] or 0), _month(match[month]), int(match[day]))
    if kind == "my2":
        at = int(match["oy"]) * 10000 + _month(match["omm"]) * 100
        return at, at + 99, "month"
    return _long(kind, match)


def _month(name: str) -> int:
    return _MONTHS[name.lower().rstrip(".")]


def _day(year: int, month: int, day: int) -> tuple[int, int, Precision] | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    at = year * 10000 + month * 100 + day
    return at, at, "day" if year else "yearless"


def _slashed(a: int, b: int, year: int) -> tuple[int, int, Precision] | None:
    """Read 9/25/1987 and 25/9/1987; where both could be the month, the first is (as Americans write)."""
    return _day(year, a, b) if a <= 12 else _day(year, b, a)


def _long(kind: str, match: re.Match[str]) -> tuple[int, int, Precision] | None:
    if kind == "rng":
        a, b = int(match["ra"]), match["rb"]
        last = int(b) if len(b) == 4 else a // 100 * 100 + int(b)
        return (a * 10000, last * 10000 + 9999, "range") if a < last else None
    if kind == "dec":
        year = int(match["dcy"])
        span, precision = (99, "century") if year % 100 == 0 and year < 1900 else (9, "decade")
        return year * 10000, (year + span) * 10000 + 9999, precision  # type: ignore[return-value]
    if kind == "cen":
        word = match["cn"].lower()
        n = int(word[:-2]) if word[0].isdigit() else _CENTURIES.index(word) + 1
        low = -n * 100 if match["cbc"] else (n - 1) * 100
        return low * 10000, (low + 100) * 10000 + 9999, "century"
    year = -int(match["bcy"]) if kind == "bc" else int(match["y"])
    return year * 10000, year * 10000 + 9999, "year"


Comparison = Literal["same", "finer", "coarser", "other"]


def compare_dates(expected: Date, found: Date) -> Comparison:
    """Compare a date in a text with the expected one.

    "finer": within the expected stretch ("June 23, 1991" for 1991); "coarser": holds it ("1991" for a day of 1991).

    >>> day, month = find_dates("23 June 1991")[0], find_dates("June 1991")[0]
    >>> compare_dates(day, month), compare_dates(month, day), compare_dates(day, day)
    ('coarser', 'finer', 'same')
    """
    if (expected.first, expected.last) == (found.first, found.last):
        return "same"
    if "yearless" in (expected.precision, found.precision):
        return _yearless(expected, found)
    if expected.first <= found.first and found.last <= expected.last:
        return "finer"
    return "coarser" if found.first <= expected.first and expected.last <= found.last else "other"


def _yearless(expected: Date, found: Date) -> Comparison:
    """Compare where a year is missing on one side: the day and month decide."""
    both_days = {expected.precision, found.precision} <= {"day", "yearless"}
    if not both_days or expected.first % 10000 != found.first % 10000:
        return "other"
    return "finer" if expected.precision == "yearless" else "coarser"
