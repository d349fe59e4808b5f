r"""Numbers in texts: digits, words, units; and when two of them say the same.

Numbers are exact (`decimal`). A number's unit, where one is known, is brought to the base unit of its dimensions (metre,
kilogram, second, kelvin, ...), so that 6 ft 1 in and 1.85 m can be compared.

| written | read as |
|---|---|
| `1,234,567` `1'234'567` `1 234 567` `1.234.567` | thousands |
| `2.962` | a decimal, or thousands where the text writes a comma before decimals; either where nothing tells |
| `1.5e6` `2.5 × 10^{6}` `1.24M` `1.24 million` `3,5 Mrd.` `37万` | scaled |
| `eight point three million` `one and a half` `3/4` `8½` | words and fractions |
| `10–12 km` `between 10 and 12` | a range: its two ends are one `Number` |
| `−38.83 °C` `minus 38.83` `38.83 degrees below zero` | signed |
| `$5` `Height (ft): 29,032` `{"value": 5, "unit": "km"}` | a unit before the digits, or told beside them |
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from kg.numerals import Numeral, ideographs, numerals, roman
from kg.signs import Plain, plain_signs
from kg.tongues import scales, tongue_of, writes_comma
from kg.units import Unit, unit_at, units_of


class Number(NamedTuple):
    """A number in a text: its value, how many digits of it are meant, its unit as written, and its characters.

    `step` is what its last digit counts, `upto` the other end of a range, and `also` are other readings of the same characters,
    each a value with a unit. The characters are those of the number, without its unit, which ends at `until`.
    """

    value: Decimal
    digits: int
    unit: str | None
    start: int
    end: int
    approximate: bool = False
    step: Decimal = Decimal(1)
    upto: Decimal | None = None
    also: tuple[tuple[Decimal, str | None], ...] = ()
    ordinal: bool = False
    until: int = 0


class _Found(NamedTuple):
    """A number, the characters of all that belongs to it, and the scale that follows it."""

    number: Number
    start: int
    end: int
    scale: Decimal


_LONGEST = 100
"""What has more digits is no number that anybody means."""
_MOST_TENS = 99
"""Nor is one with a larger power of ten."""
_MOST = 4000
"""So many numbers of a text are read."""
_ANY = re.compile(r"\d|[〇零一二三四五六七八九十百千万½⅓⅔¼¾⅕⅛⅜⅝⅞]")
_ROMAN_TEXT = re.compile(r"[\s*_\"'(]*([MDCLXVI]{2,15})[\s*_\"').]*")
_VULGAR = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅛": "0.125", "⅜": "0.375", "⅝": "0.625", "⅞": "0.875", "⅕": "0.2", "⅖": "0.4",
           "⅗": "0.6", "⅘": "0.8", "⅓": "0.3333333333", "⅔": "0.6666666667"}  # fmt: skip
_DIGITS = re.compile(
    r"(?:(?<![0-9A-Za-z])|(?<=USD)|(?<=EUR)|(?<=GBP)|(?<=CHF)|(?<=INR)|(?<=Rs)|(?<=\bin)|(?<=\bof)|(?<=\bto))(?<!\d[.,:])(?<![A-Z]-)"
    r"(?:(?P<feet>\d{1,2})\s?['′]\s?(?P<inches>\d{1,2}(?:\.\d+)?)\s?(?:\"|″|”|'')"
    r"|(?P<digits>\d{1,3}(?P<mark>[ \u00a0,.'_])\d{3}(?!\d)(?:(?P=mark)\d{3}(?!\d))*(?:(?!(?P=mark))[.,]\d+)?(?![.,']\d)"
    r"|\d{1,2}(?:,\d\d)+,\d{3}(?!\d)(?:\.\d+)?)"
    r"|(?P<skipped>\d+(?:[.:/-]\d+){2,}|\d{1,2}:\d\d(?!\d)|\d{2,3}0(?:'?s)(?!\w)|\d{4}年)"
    r"|(?P<full>\d{1,6})?[ -]?(?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞])"
    r"|(?P<whole>\d{1,6}[ -]?)??(?P<above>\d{1,2})[/⁄](?P<below>\d{1,2})(?![\d/⁄])"
    r"|(?P<decimal>\d+[.,]\d+(?![.,]\d)|(?<![\w.])\.\d+|\d+))"
)
_NOT_COUNTED = re.compile(r"\b(?:step|figure|fig\.|table|section|footnote|source|schritt|étape|paso)\s\Z", re.IGNORECASE)
_MARKER = re.compile(r"^[ \t>*#-]*(\d{1,2})[.)]\**[ \t]+\S", re.MULTILINE)
_EXPONENT = re.compile(
    r"[eE](?P<e>[+-]?\d{1,3})(?!\w)"
    r"|\s?(?:×|x|X|\*|·|⋅|∙|times\b)\s?10\s?(?:(?:\^|\*\*)\s?[{(]?\s?(?P<power>[-–+]?\d{1,3})\s?[)}]?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
    r"|(?P<flat>-?\d{1,2})(?![\d.,]))"
)
_POWER = re.compile(r"(?:\^|\*\*)\s?[{(]?\s?(?P<power>[-–+]?\d{1,3})\s?[)}]?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_WIDE = "".join(word for word in scales() if len(word) == 1)
_SCALE_WORDS = "|".join(sorted((re.escape(word) for word in scales() if len(word) > 1), key=len, reverse=True))
_SCALE = re.compile(
    rf"[ \u00a0-]?(?:(?P<word>{_SCALE_WORDS})\.?(?![^\W_])"
    rf"|(?P<wide>[{_WIDE}])|(?P<letter>[kKmMbBT])(?![\w²³^/]))",
    re.IGNORECASE,
)
_LETTERS = {"k": 3, "m": 6, "b": 9, "t": 12}
_ORDINAL = re.compile(r"(?:st|nd|rd|th|º|ª|er|ère|ème)(?![^\W_])")
_GAP = re.compile(r"[*_`)\]}]{0,3}[ \t\u00a0-]{0,2}[*_`(\[{]{0,3}")
_INCH = re.compile(r"\s?(?:[.);×x\"]|\Z)")
_FEET = re.compile(r"(?:ft|feet|foot)\W{0,2}\d+\W?\Z", re.IGNORECASE)
_BELOW = re.compile(
    r"[\s*_]{1,4}(?:below|under)\s(?:zero|freezing|0)\b|\sunter\s(?:null|0)\b|\sbajo\scero|\ssotto\s(?:lo\s)?zero|\s(?:au-dessous|en\sdessous)\sde\széro"
    r"|\sonder\snul|\sabaixo\sde\szero|\sниже\sнуля",
    re.IGNORECASE,
)
_BELOW_SEA = re.compile(
    r"\s(?:below|under|beneath)\s(?:the\s)?(?:mean\s)?sea[\s-]level|\sunter\s(?:dem\s)?(?:meeresspiegel|nn|normalnull)|\sunterhalb\sdes\smeeresspiegels"
    r"|\sbajo\sel\snivel\sdel\smar|\s(?:sous|au-dessous\sdu)\s(?:le\s)?niveau\sde\sla\smer|\ssotto\sil\slivello\sdel\smare"
    r"|\sabaixo\sdo\snível\sdo\smar|\sonder\s(?:de\s)?(?:zeespiegel|zeeniveau)|\sниже\sуровня\sморя",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:[(\[_](?:in\s)?|\bin\s)([^\W\d_][\w²³/^ .°-]{0,24}|%|°[CF]|[$€£])[)\]\"'*_]{0,4}\s{0,2}[:;=|][\s*\"'|$\\(]{0,6}\Z",
    re.IGNORECASE,
)
_UNIT_KEY = re.compile(
    r"[\s*\"',;.|]{0,6}(?:units?|einheit|unité|unidad)[\"'*]{0,3}\s{0,2}[:=|]\s{0,2}[\"'*]{0,3}([^\"'\n,;}|*]{1,24})",
    re.IGNORECASE,
)
_RATE = re.compile("(?:秒速|毎秒|每秒|時速|时速|毎時|每小时)約?\\Z")
_LABELLING = frozenset(":;=|")
_AFTER_VALUE = frozenset("\"',;.|\n*")
_TO = re.compile(
    r"\s?(?:-|–|—|~|〜|to|through|until|till|bis|à|a|al|do|até|tot|до|от|から|至|到|\.{2,3})\s?(?:about\s|around\s|as\smuch\sas\s)?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s(?:and|und|et|y|e|en|и)\s", re.IGNORECASE)
_ADDED = re.compile(r"[\s,]{0,2}(?:and\s|und\s|et\s|y\s)?(?:-\s?)?")
_COMMA = re.compile(r"\d,(?:\d{1,2}|\d{4,})(?!\d)|\d\.\d{3}(?:,\d|\.\d{3})")
_POINT = re.compile(r"\d\.(?:\d{1,2}|\d{4,})(?![\d.])|\d,\d{3}(?:\.\d|,\d{3})")
_FURTHER = re.compile(rf"(\d+(?:\.\d+)?)([{_WIDE}]*)")
_REACH = 45
"""Characters before a number among which its sign and its unit are looked for."""
_COUNTED = 10_000
"""Whole things below so many are counted, not rounded."""
_APART = 24
"""So many characters may lie between the ends of a range."""
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre|tra|fra|tussen|между)\s(?:about\s|roughly\s|around\s)?\Z", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:rose|risen|grew|grown|increased?|fell|fallen|dropped|decreased?|declined?|went|changed?|climbed|jumped|expanded|extended"
    r"|shrank|raised|reduced|lowered|moved|corrected|revised|upgraded|updated)\b[^.!?\n]{0,60}\Z", re.IGNORECASE
)  # fmt: skip


@functools.lru_cache(maxsize=65536)
def find_numbers(text: str, tongue: str | None = None) -> tuple[Number, ...]:
    """Find the numbers of a text, with their units.

    Parameters: `tongue` is the code of the language of the text; by default that of its words. It tells what a comma and a
    point are where other numbers do not.

    >>> [(int(n.value), n.unit) for n in find_numbers("twenty-five miles, 1,200 km, 3.5 million")]
    [(25, 'miles'), (1200, 'km'), (3500000, None)]
    >>> [(str(n.value), str(n.upto), n.unit) for n in find_numbers("-38.83 °C; 10 to 12 km")]
    [('-38.83', 'None', '°C'), ('10', '12', 'km')]
    """
    plain = plain_signs(text)
    found = sorted(_in_digits(plain.text, tongue), key=_place) if _ANY.search(plain.text) else []
    worded = sorted(_in_words(plain.text), key=_place)
    if worded:
        found = sorted(_apart(worded, found), key=_place)
    numbers = _ranges(plain.text, _joined(plain.text, found))
    if not numbers and (only := _ROMAN_TEXT.fullmatch(plain.text)) and (value := roman(only[1])):
        numbers = [_Found(Number(Decimal(value), 99, None, *only.span(1)), *only.span(1), Decimal(1))]
    if plain.places is None:
        return tuple([each.number._replace(until=each.end) for each in numbers])
    return tuple([_placed(plain, each) for each in numbers])


def _placed(plain: Plain, found: _Found) -> Number:
    """Return a number with its places in the original text."""
    start, end = plain.span(found.number.start, found.number.end)
    return found.number._replace(start=start, end=end, until=plain.span(found.number.start, found.end)[1])


def _place(found: _Found) -> int:
    return found.number.start


def _apart(worded: list[_Found], digits: list[_Found]) -> list[_Found]:
    """Return both kinds; a word that belongs to digits ("3.5 million") is no number of its own."""
    covered = {place for each in digits for place in range(each.number.start, each.number.end)}
    return [*digits, *(each for each in worded if covered.isdisjoint(range(each.number.start, each.number.end)))]


def _in_words(text: str) -> Iterator[_Found]:
    for numeral in islice(numerals(text), _MOST):
        yield _worded(text, numeral)
    if not text.isascii():
        for numeral in islice(ideographs(text), _MOST):
            yield _worded(text, numeral)


def _worded(text: str, numeral: Numeral) -> _Found:
    digits, step = _meant(f"{numeral.value.normalize():f}")
    number = Number(numeral.value, digits, None, numeral.start, numeral.end, step=step, ordinal=numeral.ordinal)
    return _with_surroundings(text, number, numeral.end, Decimal(1))


def _in_digits(text: str, tongue: str | None) -> Iterator[_Found]:
    markers = _markers(text)
    for match in islice(_DIGITS.finditer(text), _MOST):
        if match["skipped"] or match.start() in markers or match.end() - match.start() > _LONGEST:
            continue
        before = text[max(0, match.start() - 12) : match.start()]
        if not _NOT_COUNTED.search(before):
            yield _digits(text, match, tongue)


def _markers(text: str) -> frozenset[int]:
    """Return where the numbers of a numbered list stand, which count nothing."""
    if "\n" not in text:
        return frozenset()
    lines = [(int(marker[1]), marker.start(1)) for marker in _MARKER.finditer(text)]
    return frozenset(place for _, place in lines) if {1, 2} <= {n for n, _ in lines} else frozenset()


def _digits(text: str, match: re.Match[str], tongue: str | None) -> _Found:
    end = match.end()
    values, digits, step = _values(text, match, tongue)
    ordinal = _ORDINAL.match(text, end)
    if ordinal:
        end = ordinal.end()
    number = Number(values[0], digits, "ft" if match["feet"] else None, match.start(), end, step=step, ordinal=bool(ordinal))
    number = number._replace(also=tuple((value, None) for value in values[1:]))
    number, scale = _scaled(text, number)
    return _with_surroundings(text, number, number.end, scale)


def _values(text: str, match: re.Match[str], tongue: str | None) -> tuple[tuple[Decimal, ...], int, Decimal]:
    """Return what digits may mean, the likeliest first, how many of them are meant, and what the last one counts."""
    one = Decimal(1)
    if match["feet"]:
        return (Decimal(match["feet"]) + Decimal(match["inches"]) / 12,), 4, one / 12
    if match["vulgar"]:
        return (Decimal(match["full"] or 0) + Decimal(_VULGAR[match["vulgar"]]),), 4, Decimal("0.01")
    if match["above"]:
        whole = Decimal(match["whole"].strip(" -")) if match["whole"] else Decimal(0)
        below = Decimal(match["below"])
        return (whole + Decimal(match["above"]) / below,) if below else (whole,), 4, Decimal("0.01")
    raw = match["digits"] or match["decimal"]
    readings = _readings(raw, match["mark"])
    if len(readings) > 1:
        comma = _writes_comma(text, tongue)
        readings = readings if comma is None else readings[1:] if comma else readings[:1]
    return tuple([Decimal(reading) for reading in readings]), *_meant(readings[0])


def _meant(written: str) -> tuple[int, Decimal]:
    """Return how many digits of a number are meant, and what the last of them counts: noughts at its end may stand for others.

    >>> _meant("5.90"), _meant("1200")
    ((3, Decimal('0.01')), (2, Decimal('1E+2')))
    """
    _, decimal, places = written.partition(".")
    digits = written.replace(".", "").lstrip("0")
    meant = digits if decimal else digits.rstrip("0")
    return len(meant), Decimal(1).scaleb(-len(places) if decimal else len(digits) - len(meant))


def _readings(raw: str, mark: str | None) -> tuple[str, ...]:
    """Return what digits with a mark may mean: as English writes them, and as languages with a comma before decimals do.

    >>> _readings("2.962", "."), _readings("2.962,06", "."), _readings("57,1", None), _readings("0.125", ".")
    (('2.962', '2962'), ('2962.06',), ('57.1',), ('0.125',))
    """
    if mark is None:
        return (raw.replace(",", "") if raw.count(",") > 1 or ("," in raw and "." in raw) else raw.replace(",", "."),)
    whole = raw.replace(mark, "")
    if mark not in ".," or raw.count(mark) > 1 or len(raw) > raw.index(mark) + 4:
        return (whole.replace(",", "."),)
    fraction = raw.replace(mark, ".")
    if raw.startswith("0"):
        return (fraction,)
    return (fraction, whole) if mark == "." else (whole, fraction)


@functools.lru_cache(maxsize=256)
def _writes_comma(text: str, tongue: str | None) -> bool | None:
    """Tell whether a text puts a comma before decimals, by its other numbers, or else by its language."""
    comma, point = _COMMA.search(text) is not None, _POINT.search(text) is not None
    return comma if comma is not point else writes_comma(tongue or tongue_of(text))


def _scaled(text: str, number: Number) -> tuple[Number, Decimal]:
    """Multiply a number by the power of ten or the words for large numbers that follow it."""
    factor, end, also = Decimal(1), number.end, number.also
    exponent = _EXPONENT.match(text, end) or _POWER.match(text, end)
    power = _power_of_ten(exponent) if exponent else None
    if exponent and power is not None and abs(power) <= _MOST_TENS:
        if exponent.re is _POWER and number.value != 10:
            factor = number.value ** (power - 1) if 0 <= power <= _MOST_TENS and 0 < number.value < 1000 else factor
        elif exponent.re is not _POWER and exponent["flat"] and not 1 <= number.value < 10:
            return number, factor
        else:
            factor = Decimal(1).scaleb(power - (1 if exponent.re is _POWER else 0))
        end = exponent.end()
    for _ in range(2):
        scale = _SCALE.match(text, end)
        if scale is None:
            break
        if scale["letter"]:
            return _lettered(text, number._replace(end=end), factor, scale)
        word = (scale["word"] or scale["wide"]).lower()
        factor, end = factor.scaleb(scales()[word]), scale.end()
    value = number.value * factor
    if end > number.end and text[end - 1] in _WIDE:
        value, end = _further(text, value, end)
    if factor != 1:  # "1.234 million" has no thousands
        also = ()
    return number._replace(value=value, end=end, step=number.step * factor, also=also), factor


def _power_of_ten(exponent: re.Match[str]) -> int | None:
    groups = exponent.groupdict()
    written = groups.get("e") or groups.get("power") or groups.get("flat") or (groups.get("raised") or "").translate(_RAISED)
    return int(written.replace("–", "-")) if written.strip("-+–") else None


def _lettered(text: str, number: Number, factor: Decimal, scale: re.Match[str]) -> tuple[Number, Decimal]:
    """Read k, M, B, T after digits: a scale or a unit ("5 m", "77 K"); what is less likely goes to `also`."""
    letter, glued = scale["letter"], scale.end() - number.end == 1
    money = bool(MONEY_BEFORE.search(text[max(0, number.start - 6) : number.start]))
    power = _LETTERS[letter.lower()]
    scaled = number._replace(
        value=number.value * factor.scaleb(power), step=number.step * factor.scaleb(power), end=scale.end(),
        also=tuple((value * factor.scaleb(power), unit) for value, unit in number.also),
    )  # fmt: skip
    plain = number._replace(value=number.value * factor, step=number.step * factor)
    if money or letter == "M" or (letter == "k" and glued):
        return scaled, factor.scaleb(power)
    if letter in "mbtK" and not (letter == "K" and glued):
        further = ((scaled.value, ""),) if letter != "t" and factor == 1 else ()
        return plain._replace(also=(*plain.also, *further)), factor
    if glued:
        further_unit = ((plain.value, letter),) if letter == "K" else ()
        return scaled._replace(also=(*scaled.also, *further_unit)), factor.scaleb(power)
    return plain, factor


def _further(text: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    """Read what follows a scale without a blank: "1億2千万"."""
    part = _FURTHER.match(text, end)
    if part is None:
        return value, end
    whole = Decimal(part[1])
    for sign in part[2]:
        whole = whole.scaleb(scales()[sign])
    return value + whole, part.end()


def _with_surroundings(text: str, number: Number, end: int, scale: Decimal) -> _Found:
    """Read what stands before a number and after it: its sign, its unit, whether it is about so many."""
    lead = before(text, number.start)
    unit, until = number.unit, end
    if unit is None:
        unit, until = _unit_after(text, number, end)
    if unit and not text.isascii() and (rate := _RATE.search(text, max(0, number.start - 3), number.start)):
        unit += "/s" if "秒" in rate[0] else "/h"
    below = _BELOW.match(text, until)
    sign = -1 if lead.negative is not bool(below) else 1
    if _BELOW_SEA.match(text, until):  # a depth, or a height below nought
        number = number._replace(also=(*number.also, (-number.value, unit)))
    if lead.money:
        unit = lead.money
    elif unit is None:
        unit = _unit_told(text, number.start, end)
    found = number._replace(
        value=number.value * sign, unit=unit, start=lead.start, end=end, approximate=lead.about,
        also=tuple((value * sign, unit if other is None else other) for value, other in number.also),
    )  # fmt: skip
    return _Found(found, lead.whole, below.end() if below else until, scale)


def _unit_after(text: str, number: Number, end: int) -> tuple[str | None, int]:
    gap = _GAP.match(text, end)
    start = gap.end() if gap else end
    unit = unit_at(text, start)
    if unit is None or "\n" in text[end:start]:
        return None, end
    name = unit.name
    if name.lower() == "in" and start > end and not _INCH.match(text, unit.end) and not _FEET.search(text[:end][-12:]):
        return None, end  # "12 in all" is no length; "12in" is, and "6 ft 1 in"
    initial = len(name) == 1 and name.isascii() and name.isupper() and start > end and text[unit.end : unit.end + 1] == "."
    if initial and text[unit.end + 1 : unit.end + 3].strip():
        return None, end  # "in 1969 J. Kent"
    return name, unit.end


def end_of_unit_told(text: str, end: int) -> int:
    """Return where the unit ends that a key of its own tells after a value ("value: 5. unit: km."); without one, the place.

    >>> end_of_unit_told("value: 5; unit: km", 8), end_of_unit_told("value: 5. It is near.", 8)
    (18, 8)
    """
    key = _UNIT_KEY.match(text, end)
    return key.end(1) if key and units_of(key[1].strip(" .")) else end


def _unit_told(text: str, start: int, end: int) -> str | None:
    """Return the unit that a label beside a number tells: "Height (ft): 29,032", a column, a key of its own."""
    near = text[max(0, start - 8) : start]
    if not _LABELLING.isdisjoint(near):
        label = _LABEL.search(text, max(0, start - _REACH), start)
        if label and units_of(label[1].strip(" .")):
            return label[1].strip(" .")
    key = _UNIT_KEY.match(text, end) if text[end : end + 1] in _AFTER_VALUE else None
    return key[1].strip(" .") if key and units_of(key[1].strip(" .")) else None


def _joined(text: str, numbers: list[_Found]) -> list[_Found]:
    """Join numbers in two units that are one quantity ("6 ft 1 in", "2 hours 5 minutes")."""
    quantities: list[_Found] = []
    for found in numbers:
        before = quantities[-1] if quantities else None
        if before and found.number.start < before.end:  # the nought of "below zero"
            continue
        if before and _inches(text, before, found):
            found = found._replace(number=found.number._replace(unit="inches"))
        pair = (
            before and found.number.start - before.end < 6 and _ADDED.fullmatch(text, before.end, max(before.end, found.start))
        )
        total = _sum(before.number, found.number) if before and pair else None
        if before and total is not None:
            digits = before.number.digits + found.number.digits + 2
            joined = before.number._replace(value=total, digits=digits, end=found.number.end, step=_small_step(before, found))
            quantities[-1] = before._replace(number=joined, end=found.end)
        else:
            quantities.append(found)
    return quantities


def _inches(text: str, feet: _Found, found: _Found) -> bool:
    """Tell whether a number without a unit is the inches after feet ("5 ft 11")."""
    told = (
        feet.number.unit in ("ft", "feet", "foot") and found.number.unit is None and text[feet.end : found.start] in (" ", "-")
    )
    return told and found.number.value < 12


def _small_step(one: _Found, two: _Found) -> Decimal:
    return two.number.step * units_of(two.number.unit or "")[0].one / units_of(one.number.unit or "")[0].one


def _sum(one: Number, two: Number) -> Decimal | None:
    for large in units_of(one.unit or ""):
        for small in units_of(two.unit or ""):
            ratio = large.one / small.one
            if (
                large.dimensions == small.dimensions
                and not large.zero
                and not small.zero
                and 2 < ratio < 3700
                and two.value < ratio
            ):
                return one.value + two.value / ratio
    return None


def _ranges(text: str, numbers: list[_Found]) -> list[_Found]:
    """Join the two ends of a range ("10–12 km", "between 1.2 and 1.5 million"), and drop a tolerance ("± 2")."""
    ranges: list[_Found] = []
    for found in numbers:
        low = ranges[-1] if ranges else None
        if low and text[low.end : found.number.start].strip(" (") in ("±", "+/-"):
            continue
        ends = low and found.start - low.end < _APART and _range(text, low, found)
        ranges[-1:] = [ends] if low and ends else [*ranges[-1:], found]
    return ranges


def _range(text: str, low: _Found, high: _Found) -> _Found | None:
    one, two = low.number, high.number
    between = text[low.end : high.start]
    if one.upto is not None or not (_TO.fullmatch(between) or (_AND.fullmatch(between) and _between(text, one.start))):
        return None
    if one.unit and two.unit and units_of(one.unit) != units_of(two.unit):
        return None
    first = one.value * high.scale if low.scale == 1 and one.value < two.value / high.scale else one.value
    if not first < two.value or one.ordinal != two.ordinal or _CHANGED.search(text[max(0, one.start - 80) : one.start]):
        return None
    joined = one._replace(value=first, upto=two.value, unit=two.unit or one.unit, end=two.end, also=(), approximate=False)
    return _Found(joined, low.start, high.end, Decimal(1))


def _between(text: str, start: int) -> bool:
    return _BETWEEN.search(text[max(0, start - 24) : start]) is not None


def same_number(expected: Number, found: Number, precision: Decimal | None = None) -> bool:
    """Tell whether a number found in a text is the expected one.

    Parameters: with a `precision` (a step such as 0.1) it must be the expected one to half a step; in a unit that is no
    decimal multiple, also as it is rounded. Without one, whole numbers without a unit must agree; otherwise three digits (two
    after "about") are enough, when they are the expected number rounded. A unit that one of the two lacks is taken to be the
    same. A range is only the same range.

    >>> one = find_numbers("8848.86 m")[0]
    >>> [same_number(one, find_numbers(text)[0]) for text in ("8,849 metres", "29,032 feet", "8,800 m", "8848 ft", "8–9 km")]
    [True, True, False, False, False]
    """
    if (expected.upto is None) is not (found.upto is None):
        return False
    if expected.upto is not None and found.upto is not None:
        ends = expected._replace(value=expected.upto, upto=None), found._replace(value=found.upto, upto=None)
        if not same_number(*ends, precision):
            return False
    if found.ordinal and expected.unit and not expected.ordinal:  # the second of three is not two of them
        return False
    readings = ((found.value, found.unit), *found.also)
    wanted = ((expected.value, expected.unit), *expected.also)
    return any(
        _same(expected._replace(value=a, unit=b), found._replace(value=c, unit=d), precision)
        for a, b in wanted
        for c, d in readings
    )


def _same(expected: Number, found: Number, precision: Decimal | None) -> bool:
    mine, theirs = units_of(expected.unit or ""), units_of(found.unit or "")
    if mine == units_of("%") and not theirs and 0 < found.value < 1:  # a share written as a fraction
        found = found._replace(value=found.value * 100, step=found.step * 100)
    # Things ("goals") are counted, and people among them.
    if not mine and expected.unit and theirs not in ((), units_of("people")):
        return False
    if not mine or not theirs:
        return _agree(expected, found, expected.value, found.value, precision, None)
    return any(
        _agree(expected, found, one.base(expected.value), other.base(found.value), precision, (one, other))
        for one in mine
        for other in theirs
        if one.dimensions == other.dimensions
    )


def _agree(
    expected: Number, found: Number, wanted: Decimal, value: Decimal, precision: Decimal | None, units: tuple[Unit, Unit] | None
) -> bool:
    if wanted == value:
        return True
    if precision is None:
        return _rounds(expected, found, wanted, value, units)
    one, other = (units[0].one, units[1].one) if units else (Decimal(1), Decimal(1))
    half = precision * one / 2
    if abs(wanted - value) <= half:
        return True
    # 19,341 feet is as exact as feet are; but 5.9 km is 5,895 m rounded, which a precision of a metre does not allow.
    rounded = found.step * other / 2
    return not _decimal_multiple(one, other) and rounded <= abs(wanted) / 200 and abs(wanted - value) <= half + rounded


def _decimal_multiple(one: Decimal, other: Decimal) -> bool:
    return (one / other).normalize().as_tuple().digits == (1,)


def _rounds(expected: Number, found: Number, wanted: Decimal, value: Decimal, units: tuple[Unit, Unit] | None) -> bool:
    """Tell whether one of two numbers is the other one rounded, to three digits or more (two after "about")."""
    whole = expected.value == expected.value.to_integral() and not units_of(expected.unit or "")
    if found.digits < (2 if found.approximate else 3) or (whole and abs(wanted) < _COUNTED):
        return False
    one, other = (units[0].one, units[1].one) if units else (Decimal(1), Decimal(1))
    step = found.step * other
    if expected.digits >= 3:
        step = max(step, expected.step * one)
    return abs(wanted - value) <= step / 2


_CODES = r"USD|EUR|GBP|JPY|CNY|CHF|CAD|AUD|NZD|HKD|INR|RUB|SEK|NOK|DKK|BRL|MXN|KRW|Rs\.?"
_MONEY = re.compile(rf"(?:\b(?:US|U\.S\.|CA?|AU?|NZ|HK|S|R)\s?)?\$|[€£¥₹₽₩₺]|\b(?:{_CODES})", re.IGNORECASE)
MONEY_BEFORE = re.compile(rf"(?:{_MONEY.pattern})\s?\Z", re.IGNORECASE)
_ABOUT = frozenset(
    ["about", "around", "approximately", "approx", "approx.", "roughly", "nearly", "almost", "some", "over", "under", "circa",
     "ca.", "ca", "c.", "just", "etwa", "ungefähr", "rund", "environ", "unos", "aproximadamente", "ongeveer", "около",
     "примерно"]
)  # fmt: skip
_ABOUT_PAIRS = frozenset({"more than", "less than", "fewer than", "at least", "at most", "up to", "close to", "cerca de"})
_ABOUT_ENDS = frozenset(pair.split()[1] for pair in _ABOUT_PAIRS)
_ABOUT_SIGNS = "~≈∼≃約约±"
_MINUS = frozenset(["minus", "negative", "moins", "menos", "meno", "минус"])
_MINUS_WIDE = ("マイナス", "零下")
_MARKUP = "*_`"


class Before(NamedTuple):
    """What stands before a number: its money, its sign, whether it is about so many; where it starts with and without these."""

    money: str | None
    negative: bool
    about: bool
    start: int
    whole: int


def before(text: str, start: int) -> Before:
    """Read what stands before the digits or words of a number.

    >>> before("It cost about -$5.", 16)
    Before(money='$', negative=True, about=True, start=14, whole=8)
    """
    at = _back(text, start)
    negative = text[at - 1 : at] == "-" and _is_sign(text, at - 1)
    at -= negative
    money = None
    if text[at - 1 : at] in (" ", "\u00a0", ".") or text[at - 1 : at].isupper() or text[at - 1 : at] in "$€£¥₹₽₩₺s":
        found = MONEY_BEFORE.search(text, max(0, at - 8), at)
        if found:
            money, at = found[0].strip(), found.start()
    if not negative and text[at - 1 : at] in ("-", "–") and _is_sign(text, at - 1):
        negative, at = True, at - 1
    first = at
    word, at = _word_before(text, at)
    if word in _MINUS or text.endswith(_MINUS_WIDE, 0, first):
        negative, first = True, (at if word in _MINUS else first)
        word, at = _word_before(text, first)
    about = word in _ABOUT or text[_back(text, first, " ") - 1 : _back(text, first, " ")] in tuple(_ABOUT_SIGNS)
    if word in _ABOUT_ENDS:
        pair, further = _word_before(text, at)
        about, at = (True, further) if f"{pair} {word}" in _ABOUT_PAIRS else (about, at)
    told = first if money or negative else start
    return Before(money, negative, about, told, at if about and word else first)


def _back(text: str, at: int, signs: str = _MARKUP) -> int:
    """Return where a few signs before a place begin."""
    least = max(0, at - 3)
    while at > least and text[at - 1] in signs:
        at -= 1
    return at


def _is_sign(text: str, at: int) -> bool:
    """Tell whether a hyphen is a minus: it ends no word and no number."""
    before = text[max(0, at - 2) : at]
    return not before or not (before[-1].isalnum() or before[-1] in ")]%'\"°.–-" or (before[-1] == " " and before[0].isdigit()))


def _word_before(text: str, at: int) -> tuple[str, int]:
    """Return the word before a place, which a blank must follow, in small letters, and where it starts."""
    if text[at - 1 : at] not in (" ", "\u00a0"):
        return "", at
    end = at - 1
    start = max(text.rfind(" ", max(0, end - 16), end), text.rfind("\n", max(0, end - 16), end)) + 1
    if start == 0 and end > 16:
        return "", at
    return text[start:end].lstrip("(*_\"'").lower(), start
