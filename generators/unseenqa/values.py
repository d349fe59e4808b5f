"""Dates and numbers near a date or a number, written as it is written and as precise.

>>> value = find_value("It was on December 10, 1815.", "date")
>>> value.text, len(near(value, key=1, n=5))
('December 10, 1815', 5)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np

from generators.draw import keys_of
from generators.unseenqa.occasions import ordinal

VALUES = ("date", "number")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS)}|Sept)\b\.?"
_DAY = r"(?P<day>\d{1,2})(?P<th>st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<iso>(?<!\d){_YEAR}-(?P<mm>\d\d)-(?P<day>\d\d)(?!\d))",
        rf"{_MONTH} (?:the )?{_DAY},? {_YEAR}(?!\d)",
        rf"(?<!\d){_DAY} (?:of )?{_MONTH},? {_YEAR}(?!\d)",
        rf"{_MONTH},? (?:of )?{_YEAR}(?!\d)",
        rf"{_MONTH} (?:the )?{_DAY}(?!\d)",
        rf"(?<!\d){_DAY} (?:of )?{_MONTH}",
        rf"(?<![\d.,/]){_YEAR}(?![\d/]|[.,]\d)",
    )
]
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "twenty-one", "twenty-two", "twenty-three",
    "twenty-four", "twenty-five", "twenty-six", "twenty-seven", "twenty-eight", "twenty-nine", "thirty",
)  # fmt: skip
_NUMBER = re.compile(
    rf"(?<![\w.,])(?P<sign>[-−])?(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<th>st|nd|rd|th)?(?![\d])"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
_YEARS, _DAYS = 12, 6
"""A year has distractors so many years away, a day or a month in so many years."""
_MANY = 400
"""So many steps away are looked at."""


class Part(NamedTuple):
    """A part of a value, such as its month, and its characters."""

    name: str
    start: int
    end: int


class Value(NamedTuple):
    """A date or a number in a text: its kind, its characters, and the parts of them."""

    kind: Literal["date", "number"]
    text: str
    parts: tuple[Part, ...]


def find_value(text: str, kind: str | None) -> Value | None:
    """Return the first date or number of a text: of the kind that is asked for, or else of either if nothing else stands there.

    >>> find_value("165 metres", "number").text, find_value("Apollo 11", "entity"), find_value("1999", None).kind
    ('165', None, 'date')
    """
    asked = {"date": _date, "number": _number}.get(kind or "")
    if asked is not None and (value := asked(text)) is not None:
        return value
    for value in (_date(text), _number(text)):
        if value is not None and _bare(text, value.text):
            return value
    return None


def _bare(text: str, core: str) -> bool:
    """Tell whether a text is a value and at most a unit behind it; of "Apollo 11" the number is a part of the name."""
    before, _, after = text.partition(core)
    return not before.strip(" ~$€£") and len(after.split()) <= 2


def _date(text: str) -> Value | None:
    for pattern in _DATES:
        if match := pattern.search(text):
            return Value("date", match[0], _parts(match))
    return None


def _number(text: str) -> Value | None:
    match = _NUMBER.search(text)
    return Value("number", match[0], _parts(match)) if match else None


def _parts(match: re.Match[str]) -> tuple[Part, ...]:
    start = match.start()
    named = sorted((match.start(name), name) for name, part in match.groupdict().items() if part)
    return tuple(Part(name, at - start, match.end(name) - start) for at, name in named if name != "iso")


def near(value: Value, key: int, n: int, excluded: Callable[[str], bool] = lambda text: False) -> list[str]:
    """Return up to `n` distinct values near a value, by hash, in its own form; never itself, nor what is excluded.

    >>> near(find_value("3rd", "number"), key=0, n=3), near(find_value("May 1964", "date"), key=0, n=2)
    (['4th', '2nd', '5th'], ['December 1969', 'September 1963'])
    """
    source = _dates_near(value, key) if value.kind == "date" else _numbers_near(value)
    seen = {value.text.lower()}

    def fresh(text: str) -> bool:
        new = text.lower() not in seen and not excluded(text)
        seen.add(text.lower())
        return new

    return list(islice(filter(fresh, source), n))


def same_value(text: str, other: str, kind: str) -> bool:
    """Tell whether two texts say the same date (where the coarser of them allows it) or the same number.

    >>> same_value("10 December 1815", "1815-12-10", "date"), same_value("1,200 m", "1200", "number")
    (True, True)
    """
    said = meanings([other], kind)
    return bool(said) and says_one_of(text, said, kind)


Meaning = Decimal | dict[str, int]
"""What a number or a date says."""


def meanings(texts: Iterable[str], kind: str) -> list[Meaning]:
    """Return the distinct numbers or dates that some texts say.

    >>> meanings(["1,200", "1200 m", "Paris"], "number")
    [Decimal('1200')]
    """
    said: list[Meaning] = []
    for text in texts:
        meaning = _meaning(text, kind)
        if meaning is not None and meaning not in said:
            said.append(meaning)
    return said


def says_one_of(text: str, said: Sequence[Meaning], kind: str) -> bool:
    """Tell whether a text says one of some numbers or dates; of dates, what both say must be the same."""
    own = _meaning(text, kind)
    if not isinstance(own, dict):
        return own is not None and own in said
    return any(isinstance(each, dict) and all(own[part] == each[part] for part in own.keys() & each.keys()) for each in said)


def is_within(text: str, said: Sequence[Meaning], step: Decimal) -> bool:
    """Tell whether a text says a number that is less than a step away from one of some numbers.

    >>> is_within("561 km²", meanings(["572 km²"], "number"), Decimal(50))
    True
    >>> is_within("36", meanings(["35"], "number"), Decimal(1))
    False
    """
    own = _meaning(text, "number")
    return isinstance(own, Decimal) and any(isinstance(each, Decimal) and abs(own - each) < step for each in said)


def _meaning(text: str, kind: str) -> Meaning | None:
    value = find_value(text, kind)
    if value is None or value.kind != kind:
        return None
    return _decimal(value) if kind == "number" else _calendar(value)


# --- dates


def _texts(value: Value) -> dict[str, str]:
    return {part.name: value.text[part.start : part.end] for part in value.parts}


def _calendar(value: Value) -> dict[str, int]:
    """Return year, month and day of a date, those that it says."""
    texts = _texts(value)
    said = {}
    if "year" in texts:
        said["year"] = int(texts["year"])
    if "day" in texts:
        said["day"] = int(texts["day"])
    if "mm" in texts:
        said["month"] = int(texts["mm"])
    if "month" in texts:
        said["month"] = [name[:3].lower() for name in _MONTHS].index(texts["month"][:3].lower()) + 1
    return said


def _dates_near(value: Value, key: int) -> Iterator[str]:
    """Yield dates within a few years; the more is said of a date, the closer they are."""
    calendar = _calendar(value)
    if calendar.keys() == {"year"}:
        years = [
            year for away in range(1, _YEARS + 1) for year in (calendar["year"] - away, calendar["year"] + away) if year > 0
        ]
        order = np.argsort(keys_of(key, map(str, years)), kind="stable")
        yield from (_redated(value, {"year": years[place]}) for place in order)
        return
    for step in range(_MANY):
        draw = int(keys_of(key, [str(step)])[0])
        new = {}
        if "year" in calendar:
            new["year"] = max(1, calendar["year"] + draw % (2 * _DAYS + 1) - _DAYS)
        if "month" in calendar:
            new["month"] = (draw >> 16) % 12 + 1
        if "day" in calendar:
            new["day"] = (draw >> 32) % 28 + 1
        yield _redated(value, new)


def _redated(value: Value, new: dict[str, int]) -> str:
    texts, written = _texts(value), {}
    if "year" in new:
        written["year"] = f"{new['year']:0{len(texts['year'])}d}"
    if "day" in new:
        padded = texts["day"].startswith("0") or "mm" in texts
        written["day"] = f"{new['day']:02d}" if padded else str(new["day"])
    if "th" in texts:
        written["th"] = ordinal(new["day"]).lstrip("0123456789")
    if "mm" in texts:
        written["mm"] = f"{new['month']:02d}"
    if "month" in texts:
        name = _MONTHS[new["month"] - 1]
        written["month"] = name if texts["month"].lower() in {each.lower() for each in _MONTHS} else name[:3]
    return _rewritten(value, written)


def _rewritten(value: Value, written: dict[str, str]) -> str:
    """Put new texts in the place of the parts of a value."""
    text, end = "", 0
    for part in value.parts:
        text += value.text[end : part.start] + written.get(part.name, value.text[part.start : part.end])
        end = part.end
    return text + value.text[end:]


# --- numbers


def _decimal(value: Value) -> Decimal | None:
    texts = _texts(value)
    if "word" in texts:
        return Decimal(_WORDS.index(texts["word"].lower()))
    try:
        number = Decimal(texts["digits"].replace(",", ""))
    except InvalidOperation:
        return None
    return -number if "sign" in texts else number


def _numbers_near(value: Value) -> Iterator[str]:
    """Yield the numbers around a number: the next ones where it is small, else some hundredths away, as round as it is."""
    number, texts = _decimal(value), _texts(value)
    if number is None:
        return
    size = abs(number)
    unit = _unit(texts.get("digits", "0").replace(",", ""))
    step = unit if size <= 30 * unit else max(unit, (size / 50 / unit).to_integral_value() * unit)
    lowest = 1 if "th" in texts else 0
    for away in range(1, _MANY):
        for new in (size + away * step, size - away * step):
            if new >= lowest and (text := _renumbered(value, new)) is not None:
                yield text


def _unit(digits: str) -> Decimal:
    """Return what the last digit that is no zero at the end of a whole number counts; of 8,849 a one, of 12,000 a thousand.

    >>> _unit("12000"), _unit("1.50"), _unit("20")
    (Decimal('1000'), Decimal('0.01'), Decimal('1'))
    """
    if "." in digits:
        return Decimal(1).scaleb(-len(digits.partition(".")[2]))
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal(10) ** zeros if len(digits) > 2 and zeros else Decimal(1)


def _renumbered(value: Value, new: Decimal) -> str | None:
    texts, written = _texts(value), {}
    if "word" in texts:
        if new >= len(_WORDS):
            return None
        word = _WORDS[int(new)]
        written["word"] = word.capitalize() if texts["word"][0].isupper() else word
        return _rewritten(value, written)
    old = texts["digits"]
    decimals = len(old.partition(".")[2])
    written["digits"] = f"{new:,.{decimals}f}" if "," in old else f"{new:.{decimals}f}"
    if "th" in texts:
        written["th"] = ordinal(int(new)).lstrip("0123456789")
    return _rewritten(value, written)
