"""Dates and numbers as ISO writes them, and whether two of them are the same."""

from __future__ import annotations

import functools
import re

from kg.dates import Date, find_dates
from kg.text import fold

_DATE = re.compile(r"(-?\d{1,4})(?:-(\d\d))?(?:-(\d\d))?(?:T.*)?\Z")


def iso_of(date: Date) -> str | None:
    """Write a day, month or year as ISO does; null for any other stretch of days, and for what may mean several.

    >>> iso_of(find_dates("on 16 August 1954")[0])
    '1954-08-16'
    """
    year, month, day = date.first // 10000, date.first // 100 % 100, date.first % 100
    written = {"year": f"{year:04}", "month": f"{year:04}-{month:02}", "day": f"{year:04}-{month:02}-{day:02}"}
    return None if date.also else written.get(date.precision)


@functools.lru_cache(maxsize=65536)
def as_iso(value: str) -> str:
    """Return a date in words as ISO writes it, and any other text as it is.

    >>> as_iso("June, 2003"), as_iso("June of that year")
    ('2003-06', 'June of that year')
    """
    dates = () if _DATE.match(value) else find_dates(value)
    if len(dates) != 1 or any(map(str.isalnum, value[: dates[0].start] + value[dates[0].end :])):
        return value
    return iso_of(dates[0]) or value


def is_day(value: str) -> bool:
    """Tell whether a value is a day or a month.

    >>> is_day("1954-08"), is_day("1954")
    (True, False)
    """
    return "-" in value[1:] and _DATE.match(value) is not None


def is_number(value: str) -> bool:
    """Tell whether a value is a number; a year is one.

    >>> is_number("-3.5"), is_number("three")
    (True, False)
    """
    try:
        float(value)
    except ValueError:
        return False
    return True


def is_measured(value: str) -> bool:
    """Tell whether a value is a date, in figures or words, or a number.

    >>> is_measured("June, 2003"), is_measured("No. 5")
    (True, False)
    """
    return is_number(value) or _DATE.match(as_iso(value)) is not None


def same_value(value: str, claimed: str) -> bool:
    """Tell whether two dates or numbers are the same, as precisely as the less precise of them.

    >>> same_value("1954-08-16", "1954"), same_value("10", "10.0"), same_value("1954", "1964-01-02")
    (True, True, False)
    >>> same_value("June, 2003", "2003"), same_value("June, 2003", "2003-07")
    (True, False)
    """
    one, other = _DATE.match(value := as_iso(value)), _DATE.match(claimed)
    if one and other and ("-" in value[1:] or "-" in claimed[1:]):
        return all(a == b or int(a) == int(b) for a, b in zip(one.groups(), other.groups(), strict=True) if a and b)
    try:
        return float(value) == float(claimed)
    except ValueError:
        return fold(value) == fold(claimed)
