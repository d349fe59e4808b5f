"""Numbers in texts: digits, words, units; and when two of them say the same.

Numbers are exact fractions of ten (`decimal`). A number's unit, where one is known, is brought to the base unit of its kind
(metre, kilogram, second, square metre, ...), so that 6 ft 1 in and 1.85 m can be compared.
"""

from __future__ import annotations

import functools
import re
from decimal import Decimal
from typing import NamedTuple


class Number(NamedTuple):
    """A number in a text: its value, how many digits of it are meant, its unit as written, and its characters."""

    value: Decimal
    digits: int
    unit: str | None
    start: int
    end: int
    approximate: bool = False


_ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = {
    word: 10 * n for n, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_ORDINALS = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
]  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
_SMALL = {word: n for n, word in enumerate(_ONES)} | _TENS | {"a": 1, "an": 1}
_SHORT = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9, "tn": 10**12}

_UNITS: dict[str, tuple[str, Decimal]] = {
    name: (kind, Decimal(factor))
    for kind, table in {
        "length": {
            "m": "1", "metre": "1", "meter": "1", "km": "1000", "kilometre": "1000", "kilometer": "1000", "cm": "0.01",
            "centimetre": "0.01", "centimeter": "0.01", "mm": "0.001", "millimetre": "0.001", "millimeter": "0.001",
            "mile": "1609.344", "mi": "1609.344", "foot": "0.3048", "feet": "0.3048", "ft": "0.3048", "inch": "0.0254",
            "inches": "0.0254", "in": "0.0254", "yard": "0.9144", "yd": "0.9144",
        },
        "mass": {
            "kg": "1", "kilogram": "1", "kilo": "1", "g": "0.001", "gram": "0.001", "mg": "0.000001", "tonne": "1000",
            "t": "1000", "ton": "907.18474", "pound": "0.45359237", "lb": "0.45359237", "ounce": "0.028349523125",
            "oz": "0.028349523125",
        },
        "time": {
            "s": "1", "sec": "1", "second": "1", "min": "60", "minute": "60", "h": "3600", "hr": "3600", "hour": "3600",
            "day": "86400", "week": "604800",
        },
        "age": {"year": "1", "yr": "1", "decade": "10", "century": "100", "centuries": "100", "month": "0.0833333333"},
        "area": {
            "km2": "1000000", "km²": "1000000", "m2": "1", "m²": "1", "hectare": "10000", "ha": "10000", "acre": "4046.8564224",
        },
        "volume": {"l": "1", "litre": "1", "liter": "1", "ml": "0.001", "gallon": "3.785411784", "pint": "0.473176473"},
        "part": {"%": "1", "percent": "1", "per cent": "1", "percentage": "1"},
        "money": {"$": "1", "dollar": "1", "usd": "1", "us$": "1"},
        "euro": {"€": "1", "euro": "1", "eur": "1"},
        "sterling": {"£": "1", "gbp": "1"},
        "angle": {"°": "1", "degree": "1"},
        "speed": {"km/h": "1", "kph": "1", "mph": "1.609344"},
    }.items()
    for name, factor in table.items()
}  # fmt: skip

_AREA = {"square": "area", "sq": "area"}
_WORD_NUMBER = "|".join(sorted([*_ONES, *_TENS, *_SCALES, *_ORDINALS[1:]], key=len, reverse=True))
_NUMBER = re.compile(
    r"(?P<about>\b(?:about|around|approximately|roughly|nearly|almost|some|over|circa|ca\.|c\.)\s+|~\s?)?(?P<sign>(?<![\w.])[-−])?"
    r"(?:(?P<money>[$€£])\s?)?"
    r"(?:(?P<digits>(?<![\w.,])\d{1,3}(?:[,\u00a0\u202f ]\d{3})+(?:\.\d+)?(?![\d])|(?<![\d.,])\d+(?:\.\d+)?)(?:st|nd|rd|th)?"
    rf"|(?P<words>(?<![^\W\d_])(?:(?:a|an)\s(?=hundred|thousand|million|billion|dozen))?(?:{_WORD_NUMBER})(?:(?:[\s-]|\sand\s)(?:{_WORD_NUMBER}))*(?![^\W\d_])))"
    r"(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion|bn|mn|tn|[kKmM](?!\w)))?",
    re.IGNORECASE,
)
_FEET = re.compile(r"\b(?:ft|feet|foot)\W{0,2}\d+\Z", re.IGNORECASE)
_UNIT = re.compile(r"[\s-]{0,2}(?:(square|sq\.?)\s)?(km/h|[a-zA-Z]+[²2]?|%|°|us\$)(?:\s(cent)\b)?", re.IGNORECASE)


def unit_of(name: str) -> tuple[str, Decimal] | None:
    """Return a unit's kind and what one of it is in the base unit; null for a word that is no known unit.

    >>> unit_of("feet"), unit_of("kilometres"), unit_of("people")
    (('length', Decimal('0.3048')), ('length', Decimal('1000')), None)
    """
    low = name.lower()
    for form in (low, low.removesuffix("."), low.removesuffix("s"), low.removesuffix("es")):
        if form in _UNITS:
            return _UNITS[form]
    return None


_LONGEST = 100
"""What has more digits is no number that anybody means."""


@functools.lru_cache(maxsize=65536)
def find_numbers(text: str) -> tuple[Number, ...]:
    """Find the numbers of a text, with their units.

    >>> [(int(n.value), n.unit) for n in find_numbers("twenty-five miles, 1,200 km, 3.5 million")]
    [(25, 'miles'), (1200, 'km'), (3500000, None)]
    """
    return _joined(tuple(_number(text, match) for match in _NUMBER.finditer(text) if len(match["digits"] or "") <= _LONGEST))


def _number(text: str, match: re.Match[str]) -> Number:
    raw = match["digits"]
    value = Decimal(re.sub(r"[,\u00a0\u202f ]", "", raw)) if raw else Decimal(_in_words(match["words"]))
    digits = len(re.sub(r"\D", "", raw or str(value)).lstrip("0")) if raw else 99
    scale = (match["scale"] or "").lower()
    metre = scale == "m" and not match["money"]
    value *= 1 if metre else _SCALES.get(scale, _SHORT.get(scale, 1))
    unit = _UNIT.match(text, match.end("words") if match["words"] and metre else match.end("digits") if metre else match.end())
    name = match["money"] or (_unit_name(unit) if unit else None)
    start = match.end("about") if match["about"] else match.start()
    return Number(-value if match["sign"] else value, digits, name, start, match.end(), bool(match["about"]))


def _unit_name(match: re.Match[str]) -> str | None:
    name = f"{match[2]} {match[3]}" if match[3] else match[2]
    if name.lower() == "in" and match[0] != name and not _FEET.search(match.string[: match.start()]):
        return None  # "12 in all" is no length; "12in" is, and "6 ft 1 in"
    known = unit_of(name)
    if known is None:
        return None
    return f"square {match[2]}" if match[1] else name


def _in_words(text: str) -> int:
    """Read a number in words.

    >>> _in_words("two hundred and five thousand"), _in_words("twenty-first"), _in_words("nineteen eighty-four")
    (205000, 21, 1984)
    """
    total, part = 0, 0
    for word in re.split(r"[\s-]+", text.lower()):
        if word in _SCALES and _SCALES[word] > 100:
            total, part = total + max(part, 1) * _SCALES[word], 0
        elif word in _SCALES:
            part = max(part, 1) * _SCALES[word]
        elif word != "and":
            small = _ORDINALS.index(word) if word in _ORDINALS else _SMALL[word]
            part = part * 100 + small if 10 <= part < 100 and small >= 10 else part + small
    return total + part


def _joined(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
    """Join numbers in two units that are one quantity ("6 ft 1 in", "2 hours 5 minutes")."""
    quantities: list[Number] = []
    for number in numbers:
        before = quantities[-1] if quantities else None
        pair = before and number.unit and before.unit and number.start - before.end < 12 and _sum(before, number)
        if before and pair:
            quantities[-1] = before._replace(value=pair, digits=before.digits + number.digits + 2, end=number.end)
        else:
            quantities.append(number)
    return tuple(quantities)


def _sum(one: Number, two: Number) -> Decimal | None:
    large, small = unit_of(one.unit or ""), unit_of(two.unit or "")
    if not large or not small or large[0] != small[0] or large[0] not in ("length", "time", "mass"):
        return None
    ratio = large[1] / small[1]
    return one.value + two.value / ratio if ratio > 2 and two.value < ratio and ratio < 100 else None


def base_value(number: Number) -> tuple[str | None, Decimal]:
    """Return a number's kind of unit and its value in the base unit.

    >>> base_value(find_numbers("2 km")[0])
    ('length', Decimal('2000'))
    """
    name = number.unit or ""
    square = name.startswith("square ")
    known = unit_of(name.removeprefix("square ")) if name else None
    if known is None:
        return None, number.value
    return ("area", number.value * known[1] ** 2) if square else (known[0], number.value * known[1])


def same_number(expected: Number, found: Number) -> bool:
    """Tell whether a number found in a text is the expected one, within the precision at which it is written.

    Whole numbers without a unit must agree; otherwise three digits (two after "about") are enough, when they are the
    expected number rounded. A unit that one of the two lacks is taken to be the same.

    >>> one = find_numbers("8848.86 m")[0]
    >>> [same_number(one, find_numbers(text)[0]) for text in ("8,849 metres", "29,032 feet", "8,800 m", "8848")]
    [True, True, False, True]
    """
    kind, wanted = base_value(expected)
    other, value = base_value(found)
    if kind is None or other is None:
        wanted, value = expected.value, found.value
    elif kind != other:
        return False
    if wanted == value:
        return True
    return _rounds(wanted, value, expected, found)


def _rounds(wanted: Decimal, value: Decimal, expected: Number, found: Number) -> bool:
    digits = min(found.digits, expected.digits) if found.unit != expected.unit else found.digits
    enough = 2 if found.approximate else 3
    if digits < enough or (expected.value == expected.value.to_integral() and expected.unit is None and abs(wanted) < 10_000):
        return False
    if wanted == 0:
        return False
    error = abs(wanted - value) / abs(wanted)
    return error <= Decimal(5) * Decimal(10) ** -min(digits, 4)
