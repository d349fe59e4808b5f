"""Where a text has a number or a date that is the wanted one, however it is written."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import content_stems
from kg.dates import Date, compare_dates, find_dates, spans
from kg.numbers import Number, find_numbers, same_number
from kg.tongues import tongue_of
from kg.units import unit_at, units_of

WordRange = tuple[int, int]

_APPROXIMATE = frozenset({"about", "around", "approximate", "approximately", "circa", "over", "nearly"})
_YEAR = re.compile(r"\d{1,4}")
_ASKED_UNIT = re.compile(r"\b(?:in|how many|number of)\s(?:(?<=many\s)(?=(?P<things>[a-z]{3,}))|)", re.IGNORECASE)


class Wanted(NamedTuple):
    """A value that is looked for, and what an item says of it.

    `kind` is its type, `unit` that of a number without one, `precision` how exactly it must be said (a step, or "day"), `asked`
    the question, which may name the unit. `tongue` is the language of the text, where it is known; where its words do not show
    it, that of the question is taken.
    """

    value: str
    kind: str | None = None
    unit: str | None = None
    precision: str | None = None
    asked: str = ""
    tongue: str | None = None


def numbers_like(text: Text, wanted: Wanted) -> Iterator[WordRange]:
    """Yield the word ranges of a text that are the wanted number, in any unit of its kind.

    >>> list(numbers_like(Text("It is 2 km long."), Wanted("2,000 metres")))
    [(2, 3)]
    """
    expected = _number(wanted)
    if expected is None:
        return
    beside = _words_beside(wanted.value, expected)
    if beside and (len(beside) > 1 or not beside <= set(content_stems(text.words))):
        return  # "Apollo 11" is a name, no number: more than the digits must be there
    numbers = numbers_in(text, wanted)
    for number in numbers:
        if _same(expected, number, wanted) and (number.unit or not _told_of_another(expected, number, numbers, wanted)):
            yield text.words_of(number.start, number.end)


def _told_of_another(expected: Number, found: Number, numbers: Sequence[Number], wanted: Wanted) -> bool:
    """Tell whether a number without a unit is said again with another one ("78.4, on the Kelvin scale: 78.4 K")."""
    if expected.unit is None:
        return False
    again = [number for number in numbers if number.unit and number.value == found.value]
    return bool(again) and not any(_same(expected, number, wanted) for number in again)


def numbers_in(text: Text, wanted: Wanted) -> tuple[Number, ...]:
    """Return the numbers of a text, read as those of a wanted one are.

    >>> [str(n.value) for n in numbers_in(Text("2.962 m"), Wanted("2962 m", asked="Wie hoch ist der Berg?"))]
    ['2962']
    """
    return find_numbers(text.original, _tongue(text, wanted))


def _tongue(text: Text, wanted: Wanted) -> str | None:
    told = wanted.tongue or tongue_of(text.original)
    # What is counted has no decimals: "99.354" are as many, whatever language asks.
    return told or (tongue_of(wanted.asked) if wanted.asked and not _is_count(wanted) else None)


@functools.lru_cache(maxsize=4096)
def _is_count(wanted: Wanted) -> bool:
    """Tell whether a whole number of things or people is wanted."""
    expected = _number(wanted)
    known = units_of(expected.unit or "") if expected else ()
    return expected is not None and expected.value == int(expected.value) and known in ((), units_of("people"))


@functools.lru_cache(maxsize=4096)
def _number(wanted: Wanted) -> Number | None:
    """Return the number that is wanted, with its unit; null where a name, a date or several numbers are."""
    # A year is found as a number too; unless the item calls it one it is left to `dates_like`.
    if wanted.kind in ("entity", "date") or (wanted.kind != "number" and find_dates(wanted.value)):
        return None
    numbers = find_numbers(wanted.value, "en")
    if len(numbers) != 1:
        return None
    return numbers[0] if numbers[0].unit else numbers[0]._replace(unit=wanted.unit or _unit_asked(wanted.asked))


def _same(expected: Number, found: Number, wanted: Wanted) -> bool:
    """Tell whether a number is the wanted one; an item that does not ask for a number is content with an end of a range."""
    ends = [found]
    if wanted.kind is None and found.upto is not None and expected.upto is None:
        ends = [found._replace(upto=None), found._replace(value=found.upto, upto=None)]
    return any(same_number(expected, end, _step(wanted.precision)) for end in ends)


def _unit_asked(asked: str) -> str | None:
    """Return the unit that a question asks for, or the things that it asks to count.

    >>> _unit_asked("How high is it, in metres?"), _unit_asked("How many bones are there in all?"), _unit_asked("In 5 BC?")
    ('metres', 'bones', None)
    """
    for match in _ASKED_UNIT.finditer(asked):
        unit = unit_at(asked, match.end())
        if unit and len(unit.name) > 2:
            return unit.name
        if match["things"]:
            return match["things"]
    return None


@functools.lru_cache(maxsize=256)
def _step(precision: str | None) -> Decimal | None:
    """Return the step that a precision is; null for one that is none ("day").

    >>> _step("0.1"), _step("day"), _step(None)
    (Decimal('0.1'), None, None)
    """
    try:
        step = Decimal(precision or "")
    except ArithmeticError:
        return None
    return step if step.is_finite() and step > 0 else None


def says_another_value(text: Text, place: WordRange, wanted: Wanted) -> bool:
    """Tell whether words that hold the digits of a wanted value are another one: another sign, unit or era, a longer number.

    >>> says_another_value(Text("It is 4808 feet high."), (2, 3), Wanted("4808", "number", "metre"))
    True
    """
    expected, start, end = _number(wanted), *text.span(*place)
    if expected is not None and not _words_beside(wanted.value, expected):
        here = [number for number in numbers_in(text, wanted) if number.start < end and start < number.end]
        return bool(here) and not any(_same(expected, number, wanted) for number in here)
    day = _date(wanted)
    if day is None:
        return False
    dates = [date for date in _dates_in(text, wanted) if date.start < end and start < date.end]
    return bool(dates) and not any(compare_dates(day, date) in ("same", "finer") for date in dates)


def _words_beside(value: str, number: Number) -> set[str]:
    """Return the stems of meaning beside a number, without its unit."""
    rest = set(content_stems(phrase(value[: number.start] + " " + value[number.end :])))
    unit = set(content_stems(phrase(number.unit or "")))
    return {word for word in rest - unit if not units_of(word) and not word.isdigit() and word not in _APPROXIMATE}


def dates_like(text: Text, wanted: Wanted) -> Iterator[WordRange]:
    """Yield the word ranges of a text that are the wanted date, or lie within it.

    A coarser date fits only where it has the precision that an item allows.

    >>> list(dates_like(Text("on 23 June 1991"), Wanted("June 1991"))), list(dates_like(Text("in 1991"), Wanted("June 1991")))
    ([(1, 4)], [])
    """
    day = _date(wanted)
    if day is None:
        return
    dates = _dates_in(text, wanted)
    if day.precision == "range":
        spanned = (spans(text.original, one, other) for one, other in pairwise(dates))
        dates = (*dates, *(span for span in spanned if span and _same_years(day, span)))
    for date in dates:
        if _fits(day, date, wanted.precision):
            yield text.words_of(date.start, date.end)


def _dates_in(text: Text, wanted: Wanted) -> tuple[Date, ...]:
    dates = find_dates(text.original, wanted.tongue)
    if len(dates) > 1:
        dates = (*dates, *_parted(text.original, dates))
    return (*dates, *_by_month_number(text.original)) if "month" in text.words else dates


def _parted(text: str, dates: Sequence[Date]) -> Iterator[Date]:
    """Yield the days whose year stands apart ("the fourth of May, in the year of Our Lord 1190")."""
    for one, other in pairwise(dates):
        if (one.precision, other.precision) == ("yearless", "year") and _TO_YEAR.fullmatch(text, one.end, other.start):
            first = other.first // 10000 * 10000 + one.first
            yield Date(first, first, "day", one.start, other.end)


def _by_month_number(text: str) -> Iterator[Date]:
    """Yield the days of a month that is told by its number ("the fourth day of the fifth month, 1190")."""
    for match in _NUMBERED_MONTH.finditer(text):
        named = f"{match['day']} of {_MONTHS[_RANKS.index(match['month'].lower())]}"
        found = find_dates(f"{named}{text[match.end() : match.end() + _YEAR_REACH]}")
        if found and found[0].start == 0:
            yield found[0]._replace(start=match.start(), end=match.end() + max(0, found[0].end - len(named)))


_TO_YEAR = re.compile(r"[,\s]*(?:(?:in|of) )?(?:the year )?(?:of (?:our lord|grace) )?(?:ad )?", re.IGNORECASE)
_YEAR_REACH = 40
_RANKS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_NUMBERED_MONTH = re.compile(
    rf"\b(?:the )?(?P<day>[a-z]+(?:-[a-z]+)?|\d{{1,2}}(?:st|nd|rd|th))(?: day)? of the (?P<month>{'|'.join(_RANKS)}) month\b",
    re.IGNORECASE,
)


@functools.lru_cache(maxsize=4096)
def _date(wanted: Wanted) -> Date | None:
    """Return the date that is wanted; null where something else is, or several are."""
    dates = find_dates(wanted.value)
    if wanted.kind == "date" and not dates and _YEAR.fullmatch(wanted.value.strip()):
        dates = find_dates(f"AD {wanted.value.strip()}")
    return dates[0] if len(dates) == 1 and wanted.kind not in ("entity", "number") else None


def _same_years(wanted: Date, date: Date) -> bool:
    """Tell whether a stretch begins and ends in the years of a wanted one."""
    return wanted.first % 10000 == 0 and (wanted.first // 10000, wanted.last // 10000) == (
        date.first // 10000,
        date.last // 10000,
    )


def _fits(wanted: Date, date: Date, precision: str | None) -> bool:
    """Tell whether a date is the wanted one, a day or month of a wanted year or month, or as coarse as the item allows."""
    comparison = compare_dates(wanted, date)
    if comparison == "finer":
        return wanted.precision in ("year", "month", "yearless") or (date.precision == "range" and _same_years(wanted, date))
    return comparison == "same" or (comparison == "coarser" and date.precision == precision)


def whole_value(text: Text, place: WordRange) -> WordRange:
    """Return the words of the number with its unit, or of the date, that holds a place; without one, the place.

    >>> whole_value(Text("It is 2,586 square miles."), (2, 4)), whole_value(Text("in May 1940"), (2, 3))
    ((2, 6), (1, 3))
    """
    start, end = text.span(*place)
    holding = [(number.start, number.until) for number in find_numbers(text.original)]
    holding += [(date.start, date.end) for date in find_dates(text.original)]
    longest = max(
        (span for span in holding if span[0] <= start and end <= span[1]), key=lambda span: span[1] - span[0], default=None
    )
    return text.words_of(*longest) if longest else place


_TIME = re.compile(r"\b\d{1,2}[:.]\d\d(?: ?[ap]\.?m\b\.?)?", re.IGNORECASE)


def is_value(answer: str, stems: set[str]) -> bool:
    """Tell whether an answer, with these stems of meaning, is a date or a number with little else.

    Such an answer is right or wrong, never right in part.

    >>> is_value("12 May 1972", {"12", "may", "1972"}), is_value("Apollo 11 mission crew", {"apollo", "11", "miss", "crew"})
    (True, False)
    >>> is_value("minus 20 degrees Celsius", {"minus", "20", "degre", "celsiu"})
    True
    """
    places = [(date.start, date.end) for date in find_dates(answer)]
    places += [time.span() for time in _TIME.finditer(answer)]
    places += [(number.start, max(number.end, number.until)) for number in find_numbers(answer)]
    covered = {stem for start, end in places for stem in content_stems(phrase(answer[start:end]))}
    return bool(places) and len(stems - covered) < 2


def is_bare_number(answer: str) -> bool:
    """Tell whether an answer is a number and nothing else.

    >>> is_bare_number("the 5"), is_bare_number("5 gold rings")
    (True, False)
    """
    numbers = find_numbers(answer)
    return len(numbers) == 1 and not content_stems(phrase(answer[: numbers[0].start] + answer[numbers[0].end :]))
