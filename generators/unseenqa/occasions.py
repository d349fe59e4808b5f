"""When the events of unseen questions take place: editions of the Summer Olympics and the FIFA World Cup, and years.

>>> from datetime import date
>>> occasion("olympics", 0, date(2024, 4, 13)).name, occasion("world_cup", 7, date(2024, 4, 13)).name
('XXXIII', '25th')
"""

from __future__ import annotations

import re
from datetime import date
from itertools import count
from typing import NamedTuple

from generators.unseenqa.templates import EventKind
from kg.errors import InputError

_BEGINS = {
    ("olympics", 2024): date(2024, 7, 26),
    ("olympics", 2028): date(2028, 7, 14),
    ("olympics", 2032): date(2032, 7, 23),
    ("world_cup", 2026): date(2026, 6, 11),
    ("world_cup", 2030): date(2030, 6, 8),
}
"""First days that are settled; an event without one here is taken to begin with its year, which errs on the safe side."""
_FIRST = {"olympics": (1, 1896), "world_cup": (4, 1950)}  # the three World Cups before the war were followed by a gap
_EVERY = 4
_LAST = 2200
_ROMAN = {100: "C", 90: "XC", 50: "L", 40: "XL", 10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}


class Occasion(NamedTuple):
    """An edition or a year: what a question calls it, its year, and its first day."""

    name: str
    year: int
    begins: date


def occasion(kind: EventKind, lead: int, as_of: date) -> Occasion:
    """Return the first edition, or the year, that begins after a day and at least so many calendar years ahead.

    >>> occasion("year", 16, date(2024, 4, 13)).name, occasion("olympics", 1, date(2024, 4, 13)).name
    ('2040', 'XXXIV')
    """
    if kind == "year":
        return _of_year(kind, as_of.year + max(lead, 1))
    first = _FIRST[kind][1]
    editions = (_of_year(kind, year) for year in count(first, _EVERY))
    return next(each for each in editions if each.begins > as_of and each.year >= as_of.year + lead)


def named_occasion(kind: EventKind, name: str, as_of: date, place: str) -> Occasion:
    """Return the edition or year that a user names: "XXXV", "35", "26th" or "2044" (an Olympics' or a World Cup's year too).

    Raises InputError where there is none of the name, or it does not lie after `as_of`: its outcome may be known.

    >>> named_occasion("olympics", "35", date(2026, 1, 1), "--event").name
    'XXXV'
    """
    year = _year(kind, name.strip())
    if year is None or not 1896 <= year <= _LAST:
        forms = {"year": "a year such as 2044", "olympics": "XXXV, 35 or 2032", "world_cup": "26th, 26 or 2038"}[kind]
        raise InputError(f"'{name}' is none that is known", place=place, way_out=f"name {forms}")
    named = _of_year(kind, year)
    if named.begins <= as_of:
        problem = f"{named.name} begins on {named.begins}, which is not after {as_of}: its outcome may be known"
        raise InputError(problem, place=place, way_out="name a later one, or an earlier day with --as-of")
    return named


def _year(kind: EventKind, name: str) -> int | None:
    number = _number(name)
    if number is None or kind == "year":
        return number
    edition, year = _FIRST[kind]
    if number > _LAST - year:  # a year, not an edition
        return number if (number - year) % _EVERY == 0 else None
    return year + _EVERY * (number - edition)


def _number(name: str) -> int | None:
    if match := re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)?", name):
        return int(match[1])
    return next((n for n in range(1, 100) if roman(n) == name.upper()), None)


def _of_year(kind: EventKind, year: int) -> Occasion:
    begins = _BEGINS.get((kind, year), date(year, 1, 1))
    if kind == "year":
        return Occasion(str(year), year, begins)
    edition, first = _FIRST[kind]
    number = edition + (year - first) // _EVERY
    return Occasion(roman(number) if kind == "olympics" else ordinal(number), year, begins)


def roman(number: int) -> str:
    """Write a number in Roman numerals.

    >>> roman(34), roman(49)
    ('XXXIV', 'XLIX')
    """
    text = ""
    for value, sign in _ROMAN.items():
        text += sign * (number // value)
        number %= value
    return text


def ordinal(number: int) -> str:
    """Write an ordinal number in figures.

    >>> ordinal(25), ordinal(31), ordinal(112)
    ('25th', '31st', '112th')
    """
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
