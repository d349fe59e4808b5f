"""Where a text has a number or a date that is the wanted one, however it is written."""

from __future__ import annotations

from collections.abc import Iterator

from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import content_stems
from kg.dates import Date, compare_dates, find_dates
from kg.numbers import Number, find_numbers, same_number, unit_of

WordRange = tuple[int, int]

_APPROXIMATE = frozenset({"about", "around", "approximate", "approximately", "circa", "over", "nearly"})


def numbers_like(text: Text, wanted: str, kind: str | None = None, unit: str | None = None) -> Iterator[WordRange]:
    """Yield the word ranges of a text that are the number in `wanted`, in any unit of its kind.

    Parameters: `kind` is the type of what is asked for, where an item says it; `unit` that of a number without one.

    >>> list(numbers_like(Text("It is 2 km long."), "2,000 metres"))
    [(2, 3)]
    """
    numbers = find_numbers(wanted)
    # A year is found as a number too; unless the item calls it one it is left to `dates_like`.
    if len(numbers) != 1 or kind in ("entity", "date") or (kind != "number" and find_dates(wanted)):
        return
    beside = _words_beside(wanted, numbers[0])
    if beside and (len(beside) > 1 or not beside <= set(content_stems(text.words))):
        return  # "Apollo 11" is a name, no number: more than the digits must be there
    expected = numbers[0] if numbers[0].unit or not unit else numbers[0]._replace(unit=unit)
    for number in find_numbers(text.original):
        if same_number(expected, number):
            yield text.words_of(number.start, number.end)


def _words_beside(value: str, number: Number) -> set[str]:
    """Return the stems of meaning beside a number, without its unit."""
    rest = set(content_stems(phrase(value[: number.start] + " " + value[number.end :])))
    unit = set(content_stems(phrase(number.unit or "")))
    return {word for word in rest - unit if unit_of(word) is None and not word.isdigit() and word not in _APPROXIMATE}


def dates_like(text: Text, wanted: str, kind: str | None = None, precision: str | None = None) -> Iterator[WordRange]:
    """Yield the word ranges of a text that are the date in `wanted`, or lie within it.

    Parameters: `kind` as above; a coarser date fits only where it has the `precision` that an item allows.

    >>> list(dates_like(Text("on 23 June 1991"), "June 1991")), list(dates_like(Text("in 1991"), "June 1991"))
    ([(1, 4)], [])
    """
    dates = find_dates(wanted)
    if len(dates) != 1 or kind in ("entity", "number"):
        return
    for date in find_dates(text.original):
        if _fits(dates[0], date, precision):
            yield text.words_of(date.start, date.end)


def _fits(wanted: Date, date: Date, precision: str | None) -> bool:
    """Tell whether a date is the wanted one, a day or month of a wanted year or month, or as coarse as the item allows."""
    comparison = compare_dates(wanted, date)
    if comparison == "finer":
        return wanted.precision in ("year", "month", "yearless")
    return comparison == "same" or (comparison == "coarser" and date.precision == precision)


def is_value(answer: str, stems: set[str]) -> bool:
    """Tell whether an answer, with these stems of meaning, is a date or a number with little else.

    Such an answer is right or wrong, never right in part.

    >>> is_value("12 May 1972", {"12", "may", "1972"}), is_value("Apollo 11 mission crew", {"apollo", "11", "miss", "crew"})
    (True, False)
    """
    places = [(date.start, date.end) for date in find_dates(answer)]
    places += [(number.start, number.end) for number in find_numbers(answer)]
    covered = {stem for start, end in places for stem in content_stems(phrase(answer[start:end]))}
    return bool(places) and len(stems - covered) < 2


def is_bare_number(answer: str) -> bool:
    """Tell whether an answer is a number and nothing else.

    >>> is_bare_number("the 5"), is_bare_number("5 gold rings")
    (True, False)
    """
    numbers = find_numbers(answer)
    return len(numbers) == 1 and not content_stems(phrase(answer[: numbers[0].start] + answer[numbers[0].end :]))
