"""The accepted answers: the natural form first, then every spelling that a person would use.

```
>>> date_forms("1815-12-10")[:3], date_forms("1815-12-10")[-1]
(['December 10, 1815', '10 December 1815', 'December 10th, 1815'], '1815-12-10')
>>> number_forms("165", "metre")[:3]
['165 metres', '165 m', '165 meters']
>>> number_forms("62", None, "episodes")
['62', '62 episodes', 'sixty-two', 'sixty-two episodes']

```
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from functools import cache
from typing import NamedTuple

from generators.nouns import plural
from kg.formats import shipped_toml

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_SHORT = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec")
_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
_HUNDRED = 100
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


class _Date(NamedTuple):
    year: int
    month: int | None
    day: int | None


def precision_of(value: str) -> str | None:
    """Return how precisely a date of XML Schema is given: day, month or year; null for what is no date.

    >>> precision_of("1815-12-10"), precision_of("1815-12"), precision_of("-0044"), precision_of("soon")
    ('day', 'month', 'year', None)
    """
    date = _read_date(value)
    if date is None:
        return None
    return "day" if date.day else "month" if date.month else "year"


def date_forms(value: str) -> list[str]:
    """Return the spellings of a date, "Month D, YYYY" first, the machine's last.

    >>> date_forms("-0044-03"), date_forms("1815-06")
    (['March 44 BC', 'March 44 BCE'], ['June 1815', 'June, 1815', 'June of 1815', 'Jun 1815', '06/1815', '1815-06'])
    """
    date = _read_date(value)
    if date is None:
        return []
    if date.year <= 0:
        return _forms_before_christ(date)
    year = str(date.year)
    if date.month is None:
        return [year]
    months = dict.fromkeys((_MONTHS[date.month - 1], _SHORT[date.month - 1], _MONTHS[date.month - 1][:3]))
    name, *short = months
    machine = "-".join(part for part in (f"{date.year:04}", f"{date.month:02}", f"{date.day:02}" if date.day else "") if part)
    if date.day is None:
        forms = [f"{name} {year}", f"{name}, {year}", f"{name} of {year}", *(f"{month} {year}" for month in short)]
        return [*forms, f"{date.month:02}/{year}", machine]
    day, nth = date.day, f"{date.day}{_ending(date.day)}"
    forms = [f"{name} {day}, {year}", f"{day} {name} {year}", f"{name} {nth}, {year}", f"{nth} {name} {year}"]
    forms += [f"{nth} of {name} {year}", f"{nth} of {name}, {year}"]
    forms += [form for month in short for form in (f"{month} {day}, {year}", f"{day} {month} {year}")]
    return [*forms, f"{date.year}/{date.month:02}/{day:02}", machine]


def _forms_before_christ(date: _Date) -> list[str]:
    """Return the spellings of a date whose year is counted backwards."""
    year = str(-date.year or 1)
    if date.month is None:
        return [f"{year} {era}" for era in ("BC", "BCE")]
    month = _MONTHS[date.month - 1]
    if date.day is None:
        return [f"{month} {year} {era}" for era in ("BC", "BCE")]
    return [f"{head} {year} {era}" for era in ("BC", "BCE") for head in (f"{month} {date.day},", f"{date.day} {month}")]


def _ending(day: int) -> str:
    return "th" if 10 < day % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _read_date(value: str) -> _Date | None:
    sign, rest = (-1, value[1:]) if value[:1] == "-" else (1, value)
    parts = rest.split("T")[0].removesuffix("Z").split("-")
    if not (1 <= len(parts) <= 3 and all(part.isascii() and part.isdigit() for part in parts) and len(parts[0]) >= 3):
        return None
    year, month, day = (int(part) for part in (*parts, "0", "0")[:3])
    if not (0 <= month <= 12 and 0 <= day <= 31) or (day and not month):
        return None
    return _Date(sign * year, month or None, day or None)


def coarser(value: str, precision: str | None) -> str:
    """Return a date as no more than a year or a month, where it says more.

    >>> coarser("1815-12-10", "year"), coarser("-0044-03-15", "month"), coarser("1815", "month"), coarser("1815-12", None)
    ('1815', '-0044-03', '1815', '1815-12')
    """
    parts = {"year": 1, "month": 2}.get(precision or "", 3)
    sign, rest = ("-", value[1:]) if value[:1] == "-" else ("", value)
    return sign + "-".join(rest.split("-")[:parts]) if parts < 3 else value


class Unit(NamedTuple):
    """A unit as questions and answers write it: in the plural, in the singular, by its signs, and in other spellings."""

    many: str
    one: str
    signs: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


@cache
def _units() -> dict[str, Unit]:
    content = shipped_toml("generators", "factbench", "units.toml")
    units: dict[str, Unit] = {}
    for name, table in content.items():
        unit = Unit(table["many"], name, tuple(table.get("signs", [])), tuple(table.get("other", [])))
        units |= dict.fromkeys((name, table["many"], *unit.signs, *unit.other), unit)
    return units


def unit_named(name: str) -> Unit:
    """Return a unit by any of its names; one that no list knows gets its plural by rule.

    >>> unit_named("m").many, unit_named("furlong").many, unit_named("square verst").many
    ('metres', 'furlongs', 'square versts')
    """
    return _units().get(name) or Unit(_plural(name), name)


def _plural(name: str) -> str:
    head, per, rest = name.partition(" per ")
    return f"{plural(head)}{per}{rest}"


def number_forms(value: str, unit: str | None, count: str | None = None) -> list[str]:
    """Return the spellings of a number: with its unit always, where it has one; else alone and with what is counted.

    >>> number_forms("12500.5", None), number_forms("1", "metre")
    (['12,500.5', '12500.5'], ['1 metre', '1 metres', '1 m', '1 meters', '1 meter', '1m'])
    >>> number_forms("1.6256", "metre")[0]  # a conversion of 5 ft 4 in
    '1.63 metres'
    """
    if not is_number(value):
        return []
    plain = _plain(value)
    padded = [f"{plain}0"] if unit and len(plain.partition(".")[2]) == 1 else []  # "1.70 metres"
    rounded = roundings(value) if unit or _is_large(value) else [value]
    digits = list(dict.fromkeys((*(form for each in rounded for form in (_grouped(each), _plain(each))), *padded)))
    digits += _in_millions(value)
    words = _in_words(value)
    if unit is None:
        spelled = [*digits, *(f"{number} {count}" for number in (digits[:1] + _in_millions(value)) if count), *words]
        return spelled + [f"{word} {count}" for word in words if count]
    measured = unit_named(unit)
    first = [measured.one, measured.many] if _plain(value) == "1" else [measured.many]
    spellings = dict.fromkeys((*first, *measured.signs, *measured.other))
    forms = [f"{number} {name}" for number in digits for name in spellings]
    glued = [f"{number}{sign}" for number in digits for sign in measured.signs]
    return list(dict.fromkeys((*forms, *glued)))


def roundings(value: str) -> list[str]:
    """Return a number as people round it, with three digits at least, the commonest first.

    More decimals than two come of a conversion, and nobody says them, nor the parts of what is hundreds; of 83,871 km² many
    say 83,900.

    >>> roundings("17.6119191503"), roundings("88.7"), roundings("165")
    (['17.61', '17.6', '17.612', '17.6119191503'], ['88.7'], ['165'])
    >>> roundings("83871"), roundings("1301.97"), roundings("88.75")
    (['83871', '83870', '83900'], ['1302', '1300', '1301.97'], ['88.75', '88.8'])
    """
    value = _plain(value)
    number = Decimal(value)
    places = len(value.partition(".")[2])
    if _is_large(value) or (places and abs(number) >= _HUNDRED):
        whole = str(round(number))
        rounded = (f"{round(number, 3 - number.adjusted() + n):f}" for n in ((0, -1) if _is_large(whole) else (-1,)))
        return list(dict.fromkeys([whole, *rounded, value]))
    if places <= 2:
        return list(dict.fromkeys([value, *([str(round(number, 1))] if places == 2 and abs(number) >= 10 else [])]))
    least = max(0, min(2, 2 - number.adjusted()))
    steps = [2, *(step for step in (0, 1, 3) if least <= step < places)]
    return list(dict.fromkeys([*(str(round(number, step)) for step in steps), value]))


def step_of(value: str) -> str:
    """Return the step to which a number may be rounded: that in which it is given, or a wider one that people use.

    >>> step_of("165"), step_of("88.75"), step_of("1.6256"), step_of("83871"), step_of("1301.97")
    ('1', '0.1', '0.01', '100', '10')
    """
    value = _plain(value)
    number = Decimal(value)
    if _is_large(value) or ("." in _plain(value) and abs(number) >= _HUNDRED):
        return str(10 ** (number.adjusted() - 2))
    places = min(len(_plain(each).partition(".")[2]) for each in roundings(value))
    return f"0.{'0' * (places - 1)}1" if places else "1"


def step_of_share(value: str, share: str) -> str:
    """Return the step of 1, 2 or 5 tens that is nearest below a share of a number: how roughly sources agree on it.

    >>> step_of_share("357022", "10%"), step_of_share("99720", "10%"), step_of_share("14.7", "10%"), step_of_share("0", "10%")
    ('20000', '5000', '1', '1')
    """
    most = abs(Decimal(value)) * Decimal(share.removesuffix("%")) / 100
    if not most:
        return "1"
    tens = Decimal(1).scaleb(most.adjusted())
    return f"{max(tens * n for n in (1, 2, 5) if tens * n <= most):f}"


def _is_large(value: str) -> bool:
    return "." not in _plain(value) and abs(Decimal(value)) >= 10_000


def _in_millions(value: str) -> list[str]:
    """Say a large number in millions or billions: "331 million".

    >>> _in_millions("331449281"), _in_millions("4888")
    (['331 million', '331.4 million'], [])
    """
    number = Decimal(value)
    name, size = ("billion", 9) if abs(number) >= 10**9 else ("million", 6)
    if abs(number) < 10**6:
        return []
    digits = number.adjusted() - size
    texts = (f"{round(number.scaleb(-size), n - digits):f}" for n in (2, 3))
    return [f"{text} {name}" for text in texts]


def is_number(value: str) -> bool:
    """Tell whether a text is a finite number.

    >>> is_number("-38.83"), is_number("about 3")
    (True, False)
    """
    try:
        return Decimal(value).is_finite()
    except InvalidOperation:
        return False


def _plain(value: str) -> str:
    """Write a number without an exponent, and without the noughts at its end that a conversion leaves."""
    return f"{Decimal(value).normalize():f}"


def _grouped(value: str) -> str:
    whole, point, rest = _plain(value).partition(".")
    return f"{int(whole):,}{point}{rest}" if abs(int(whole)) > 9999 else f"{whole}{point}{rest}"


def _in_words(value: str) -> list[str]:
    number = Decimal(value)
    if number != int(number) or not 0 <= number < 100:
        return []
    n = int(number)
    return [_ONES[n] if n < 20 else _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")]
