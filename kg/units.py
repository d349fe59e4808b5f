"""Units of measure: their names in many languages, and what one of them is in the base unit of its dimensions.

A unit may be composed ("metres per second", "km²", "square miles", "g/mol"): dimensions and factors are multiplied. A name
may have several meanings ("pound", "degree", "ton"); whoever compares takes the one that fits. The names stand in
`words/units.toml`.
"""

from __future__ import annotations

import functools
import re
from decimal import Decimal
from typing import Any, NamedTuple

from kg.formats import shipped_toml

Dimensions = tuple[tuple[str, int], ...]


class Unit(NamedTuple):
    """One meaning of a unit: its dimensions, one of it in their base unit, and where its scale begins."""

    dimensions: Dimensions
    one: Decimal
    zero: Decimal = Decimal(0)

    def base(self, value: Decimal) -> Decimal:
        """Return so many of this unit in the base unit.

        >>> units_of("degrees Celsius")[0].base(Decimal("-38.83"))
        Decimal('234.32')
        """
        return value * self.one + self.zero


class Measured(NamedTuple):
    """A unit in a text: its name as written and where it ends."""

    name: str
    end: int


Meanings = tuple[Unit, ...]

_SQUARE = (
    r"square|sq\.?|quadrat-?|vierkante|квадратн\w+|кв\.?|平方|carrés?|cuadrad[oa]s?|quadrad[oa]s?|quadrat[oie]|squared|مربعا?"
)
_CUBIC = r"cubic|cu\.?|kubik-?|kubieke|кубическ\w+|куб\.?|立方|cubes?|cúbic[oa]s?|cubi|cubo|cubed|مكعب"
_WORD = r"[^\W\d_¹²³⁴]+"
_ATOM = re.compile(
    rf"(?:(?P<square>{_SQUARE})|(?P<cubic>{_CUBIC}))?[\s-]?"
    rf"(?P<name>(?:US|U\.S\.|CA?|AU?|NZ|HK|S|R)?\$|°\s?[CFKcfk](?![^\W\d_])|[%‰°€£¥₹₽₩₺¢′″٪Ω]|{_WORD})"
    rf"(?:\^?\{{?\(?(?P<sign>[-−⁻])?(?P<power>[¹²³⁴]|[1-4](?![\w]|[.,]\d))\)?\}}?|[\s-](?:(?P<squared>{_SQUARE})|(?P<cubed>{_CUBIC}))(?!\w))?",
    re.IGNORECASE,
)
_PER = re.compile(
    r"\s?[/∕⁄]\s?|[\s-](?:per|each|every|an?|pro|par|por|al|alla|à|в|p\.)[\s-]|\s?[·⋅*×]\s?"
    r"|\s(?=[^\W\d_]+\^?\{?\(?[-−⁻])",
    re.IGNORECASE,
)
_DIVIDING = re.compile(r"[/∕⁄]|[^\W\d_]")
_POWERS = {"1": 1, "2": 2, "3": 3, "4": 4, "¹": 1, "²": 2, "³": 3, "⁴": 4}
_ENDINGS = ("s", "es", "n", "en", "e", "ов", "ев", "а", "я", "ы", "и", "ах", "ам", "у", "е")
_LETTERS = re.compile(r"[^\W\d_]")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_LONGEST = 12
"""No unit has a longer name in a script that puts no blanks between its words."""
_MOST = 4
"""No unit that anybody means is composed of more."""


@functools.cache
def _table() -> tuple[dict[str, Meanings], dict[str, Meanings]]:
    """Return what each symbol means, and each name, in small letters."""
    content: dict[str, Any] = shipped_toml("kg", "words", "units.toml")
    symbols: dict[str, Meanings] = {}
    names: dict[str, Meanings] = {}
    for entry in content["unit"]:
        unit = Unit(tuple(sorted(entry["of"].items())), Decimal(entry["one"]), Decimal(entry.get("zero", 0)))
        for table, kind in ((symbols, "symbols"), (names, "names")):
            prefixes = ["", *content["prefixes"][kind].split()] if entry.get("prefixed") else [""]
            for name in entry.get(kind, "").split():
                for prefix in prefixes:
                    form, _, power = prefix.partition(":")
                    scaled = unit._replace(one=unit.one.scaleb(int(power or 0)))
                    meanings = table.setdefault(form + name.replace("_", " "), ())
                    if scaled not in meanings:
                        table[form + name.replace("_", " ")] = (*meanings, scaled)
    small = {symbol.lower(): meanings for symbol, meanings in reversed(symbols.items()) if len(symbol) > 1}
    return symbols, small | names


@functools.lru_cache(maxsize=4096)
def _meanings(name: str) -> Meanings:
    """Return what a single unit's name means, in any number and case."""
    symbols, names = _table()
    if name in symbols:
        return symbols[name] + tuple(unit for unit in names.get(name, ()) if unit not in symbols[name])
    low = re.sub(r"[\s-]+", " ", name.lower())
    if low in names:
        return names[low]
    if name[:1] == "°":
        return symbols.get("°" + name[1:].strip().upper(), ())
    for ending in _ENDINGS if len(low) > 2 else ():
        stem = low.removesuffix(ending)
        if stem != low and stem in names and len(stem) > 2:
            return names[stem]
    return ()


def unit_at(text: str, start: int) -> Measured | None:
    """Return the unit that begins at a character of a text; null where none does.

    >>> unit_at("299 km/s in a vacuum", 4), unit_at("5 gold rings", 2)
    (Measured(name='km/s', end=8), None)
    """
    read = _read(text, start) if text[start : start + 2] != "с " else None  # Russian "with"
    return Measured(text[start : read[1]], read[1]) if read else None


@functools.lru_cache(maxsize=4096)
def units_of(name: str) -> Meanings:
    """Return what a unit's name means, as a whole; nothing for a name that is no known unit.

    >>> units_of("feet")[0].one, len(units_of("pounds")), units_of("goals")
    (Decimal('0.3048'), 2, ())
    >>> units_of("square kilometres") == units_of("km²"), units_of("metres per second") == units_of("m s^-1")
    (True, True)
    """
    read = _read(name, 0)
    return read[0] if read and not name[read[1] :].strip(" .") else ()


def alike(one: str | None, two: str | None) -> bool:
    """Tell whether two units may measure the same; one that is not known may measure anything.

    >>> alike("km", "feet"), alike("km", "kg"), alike("km", None), alike("pounds", "kg")
    (True, False, True, True)
    """
    mine, theirs = ({unit.dimensions for unit in units_of(name or "")} for name in (one, two))
    return not mine or not theirs or not mine.isdisjoint(theirs)


def _read(text: str, start: int) -> tuple[Meanings, int] | None:
    """Read a unit of one or more parts: its meanings and where it ends."""
    part = _atom(text, start)
    for _ in range(_MOST):
        link = _PER.match(text, part[1]) if part else None
        if part is None or link is None:
            break
        further = _atom(text, link.end())
        if further is None:
            break
        sign = -1 if _DIVIDING.search(link[0]) else 1
        part = tuple(_product(a, b, sign) for a in part[0] for b in further[0]), further[1]
    return part


def _atom(text: str, start: int) -> tuple[Meanings, int] | None:
    match = _ATOM.match(text, start)
    if match is None:
        return None
    found = _longest(text, match)
    if found is None:
        return None
    meanings, end = found
    exponent = 2 if match["square"] else 3 if match["cubic"] else 1
    if end == match.end("name") and match.end() > end:
        exponent *= 2 if match["squared"] else 3 if match["cubed"] else _POWERS[match["power"]] * (-1 if match["sign"] else 1)
        end = match.end()
    elif end > match.end("name"):  # a name of two words may be squared, too
        after = _ATOM.match(text, text.rfind(" ", 0, end) + 1)
        if after and after.end("name") == end and after["power"]:
            exponent, end = exponent * _POWERS[after["power"]], after.end()
    return (meanings if exponent == 1 else tuple(_power(unit, exponent) for unit in meanings)), end


def _longest(text: str, match: re.Match[str]) -> tuple[Meanings, int] | None:
    """Return the longest name of a unit that begins here: two words, one, or the beginning of ideographs."""
    name, end = match["name"], match.end("name")
    if _IDEOGRAPHS.match(name):
        lengths = range(min(len(name), _LONGEST), 0, -1)
        return next(((m, match.start("name") + n) for n in lengths if (m := _meanings(name[:n]))), None)
    second = re.compile(rf"[\s-]{_WORD}").match(text, end)
    if second and (two := _meanings(name + " " + second[0][1:])):
        return two, second.end()
    one = _meanings(name)
    return (one, end) if one else None


def _power(unit: Unit, exponent: int) -> Unit:
    return Unit(tuple((name, n * exponent) for name, n in unit.dimensions), unit.one**exponent)


def _product(one: Unit, two: Unit, sign: int) -> Unit:
    total = dict(one.dimensions)
    for name, n in two.dimensions:
        total[name] = total.get(name, 0) + n * sign
    left = tuple(sorted((name, n) for name, n in total.items() if n))
    return Unit(left, one.one * two.one if sign > 0 else one.one / two.one)
