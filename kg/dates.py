"""Dates in texts: any order, any precision, ranges; and when two of them say the same.

A date is a stretch of days from `first` to `last`, written as numbers YYYYMMDD (before Christ: negative years), so that a
month, a decade and a range are dates too, only longer ones.

| written | read as |
|---|---|
| `9 November 1989` `Nov. 9th, 1989` `the ninth of November nineteen eighty-nine` | a day |
| `9 de noviembre de 1989` `1989年11月9日`, and other languages | a day |
| `1989-11-09` `1989/11/9` `9.XI.1989` | a day |
| `9.11.1989` `9/11/89` | a day: by another date or the language of the text, else both readings |
| `Day: 9, Month: November, Year: 1989` `in 1989, on November 9` `Christmas Day 1642` | a day |
| `November 1989` `11/1989` `1989-11` | a month |
| `1989` `'89` `AD 79` `44 BC` `the year 476` `MDCCIV` | a year |
| `1979–80` `4 to 7 June 1942` | a range |
| `the 1980s` `the '80s` `20th century` | a decade, a century |
| `November 9` | a day without its year |
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, NamedTuple

from kg.numerals import in_ideographs, numerals, roman
from kg.patterns import late
from kg.signs import Plain, Replacement, plain_signs, rewritten
from kg.tongues import tongue_of, tongues
from kg.units import unit_at

Precision = Literal["day", "month", "year", "decade", "century", "range", "yearless"]


class Date(NamedTuple):
    """A stretch of days, how precisely the text gives it, its characters, and other stretches that these may mean."""

    first: int
    last: int
    precision: Precision
    start: int
    end: int
    also: tuple[tuple[int, int], ...] = ()


_MOST = 4000
"""So many dates of a text are read."""
_YEAR = r"(?:1\d{3}|20\d{2}|21\d{2})"
_FEASTS = {
    "new year's day": 101, "new year's eve": 1231, "christmas day": 1225, "christmas eve": 1224, "christmas": 1225,
    "boxing day": 1226, "valentine's day": 214, "halloween": 1031, "st patrick's day": 317, "st. patrick's day": 317,
    "all saints' day": 1101,
}  # fmt: skip
_TENS = ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"]
_COUNTED = frozenset(
    ["m", "km", "cm", "mm", "kg", "ft", "feet", "lb", "people", "percent", "Meter", "Kilometer", "Euro", "Einwohner", "Fuß",
     "metri", "メートル", "米", "人", "元", "円"]
)  # fmt: skip


def _names(kind: str) -> dict[str, int]:
    """Map the names of months of all languages to their numbers."""
    return {
        name.replace("_", " "): n
        for tongue in tongues().values()
        for n, row in enumerate(tongue[kind], 1)
        for name in row.split()
    }


_MONTHS, _SHORT = _names("months"), _names("short")
_NAMES_TOO = frozenset({"mars", "avril", "mayo", "julio", "mei", "mai"})
"""Months that are names with a capital: "Mars 2020"."""


def _any_of(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace(r"\ ", r"\s") for name in sorted(names, key=len, reverse=True))


def _grouped(names: Iterable[str]) -> str:
    """Return one pattern for names, by their first letters: most words are none of them."""
    rows: dict[str, list[str]] = {}
    for name in names:
        rows.setdefault(name[0], []).append(name[1:])
    return "|".join(f"{first}(?:{_any_of(rest)})" for first, rest in rows.items())


_END = r"(?![^\W\d_])"
_INITIAL = f"(?=[{''.join(sorted({name[0] for name in {*_MONTHS, *_SHORT}}))}])"
_MONTH = rf"{_INITIAL}(?:{_grouped(_MONTHS)}){_END}\.?"
_MONTH_OR_SHORT = rf"{_INITIAL}(?:{_grouped({*_MONTHS, *_SHORT})}){_END}\.?"
_MONTH_ALONE = rf"(?:{_grouped({*_MONTHS} - _NAMES_TOO)}|(?-i:{_any_of(_NAMES_TOO)})){_END}\.?"
_START = re.compile(
    rf"(?P<digit>\d(?<!\d\d))|(?<![^\W\d_])(?:(?P<month>(?:{_grouped(_MONTHS)}){_END})"
    rf"|(?P<word>{_grouped([*_TENS, *_FEASTS])}|[ivx]{{1,5}}[\s-]century))"
)
"""Where a date may begin, in a text in small letters."""
_DAY = r"(?=\d\d?(?!\d))"  # no year
_NTH = r"(?:st|nd|rd|th|er|º|°|ª|-?го|-?е|e|\.)?"
_OF = r"(?:(?:of|in|the|day|year|de|del|do|da|d'|l'|an|année|año|ano|anno|dell'|im|jahre?|van|het|jaar)[\s']?(?<=[\s'])){0,5}"
_BC = (
    r"b\.?\s?c\.?(?:\s?e\.?)?(?!\w)|v\.\s?chr\.?|v\.\s?u\.\s?z\.|av(?:ant)?\.?\s?j\.?-?\s?c\.?|a\.\s?c\."
    r"|до\s(?:н\.\s?э\.|нашей\sэры)|ق\.\s?م"
)
_AD = r"(?-i:a\.?\s?d\.?|AD|CE|C\.E\.)(?!\w)|n\.\s?chr\.?|ap(?:r(?:ès)?)?\.?\s?j\.?-?\s?c\.?|d\.\s?c\.|н\.\s?э\."


_SHORT_YEAR = r"\d\d(?!\d)(?=\s*(?:[.;)\n]|\Z))"


def _year_group(name: str, *more: str) -> str:
    """Return a pattern for the year of a day or month, of any era: four digits, three at the end of a part, or '89."""
    plain = rf"{_YEAR}(?!\d)|'\d\d(?!\d)|\d{{3}}(?!\d)(?=\s*(?:[.;)\n]|,\D|\Z|and\b|when\b))|\d{{1,4}}(?=\s?(?:{_AD}|{_BC}))"
    plain = "|".join((plain, r"(?:(?<=AD\s)|(?<=A\.D\.\s))\d{1,4}(?!\d)", *more))
    return rf"(?:AD\s|A\.D\.\s)?(?P<{name}>{plain})(?:\s?(?:(?P<{name}_bc>{_BC})|(?P<{name}_ad>{_AD})))?"


def _two_days(name: str) -> str:
    """Return a pattern for what stands between two days of one month."""
    joins = "-|–|—|/|to|and|or|through|until|till|&|bis|und|oder|à|au|et|ou|y|o|al|e|до|и|или"
    return rf"\s?(?P<{name}>{joins})\s?(?:the\s)?"


_AT_DIGIT = late(
    rf"(?P<ymd>(?P<ymd_y>{_YEAR})[\s,]{{1,2}}(?P<ymd_m>{_MONTH})\s(?P<ymd_d>\d{{1,2}})(?!\d){_NTH})"
    rf"|(?P<dmy>(?<![.,:]){_DAY}(?:(?P<dmy_d0>\d{{1,2}}){_NTH}{_two_days('dmy_to')})?(?P<dmy_d>\d{{1,2}}){_NTH}(?:(?<=st|nd|rd|th),)?[\s./-]{{0,2}}{_OF}"
    rf"(?P<dmy_m>{_MONTH_OR_SHORT})[\s,./-]{{0,3}}{_OF}{_year_group('dmy_y', _SHORT_YEAR)})"
    rf"|(?P<dm>(?<![.,:]){_DAY}(?:(?P<dm_d0>\d{{1,2}}){_NTH}{_two_days('dm_to')})?(?P<dm_d>\d{{1,2}}){_NTH}[\s-]{_OF}(?P<dm_m>{_MONTH}))"
    rf"|(?P<yn>(?P<yn_y>{_YEAR})[\s,]{{1,2}}(?P<yn_m>{_MONTH_ALONE})(?!\s?(?:the\s)?\d))"
    rf"|(?P<sl>(?<![/.])(?P<a>\d{{1,2}})(?P<sl_s>\s?[/.-]\s?)(?P<b>\d{{1,2}})(?P=sl_s)(?P<sl_y>{_YEAR}|\d\d)(?![\d/]|[.-]\d))"
    r"|(?P<iso>(?<![.-])(?P<iso_y>\d{4})(?:(?P<iso_s>\s?[-/.]\s?)(?P<iso_m>\d{1,2})(?P=iso_s)(?P<iso_d>\d{1,2})"
    r"|\.\s(?P<iso_m2>\d{1,2})\.\s(?P<iso_d2>\d{1,2}))(?!\d))"
    r"|(?P<flat>(?P<flat_y>1\d{3}|20\d\d)(?P<flat_m>0[1-9]|1[0-2])(?P<flat_d>0[1-9]|[12]\d|3[01])(?!\d))"
    r"|(?P<cjk>(?P<cjk_y>\d{1,4})\s?(?:年|년)(?:\s?[(（][^()（）]{1,12}[)）])?(?:\s?(?P<cjk_m>\d{1,2})\s?(?:月|월)(?:\s?(?P<cjk_d>\d{1,2})\s?(?:日|일|号))?)?)"
    r"|(?P<cjkmd>(?P<cjkmd_m>\d{1,2})月(?P<cjkmd_d>\d{1,2})[日号])"
    r"|(?P<rom>(?<!\.)(?P<rom_d>\d{1,2})[.\s/-]{1,2}(?P<rom_m>(?-i:XI{0,2}|IX|VI{0,3}|I{1,3}|IV))[.\s/-]{1,2}(?P<rom_y>\d{4})(?!\d))"
    rf"|(?P<rng>(?<![.,])(?P<ra>{_YEAR})\s?(?:-|–|—|/|\sto\s|\sand\s|\suntil\s|\sthrough\s|to\s|and\s|bis\s|à\s|a\s|al\s|до\s)\s?"
    rf"(?P<rb>{_YEAR}|\d\d)(?![\d.]*\d|-\d))"
    rf"|(?P<ym>(?<![.,/-])(?P<ym_y>{_YEAR})[-/](?P<ym_m>0[1-9]|1[0-2])(?![\d/-]))"
    rf"|(?P<nmy>(?<![.,/-])(?:(?P<nmy_m>0?[1-9]|1[0-2])\s?[/-]\s?(?P<nmy_y>{_YEAR})|(?P<nmy_m2>0[1-9]|1[0-2])\.(?P<nmy_y2>{_YEAR}))"
    r"(?![\d/]|[.,-]\d))"
    r"|(?P<dec>(?P<dcy>1\d\d0|20\d0)(?:'?s\b|er\b)|(?:(?<=')|(?<=the\s))(?P<dc2>\d0)s\b)"
    r"|(?P<cen>(?P<cn>\d{1,2})(?:st|nd|rd|th)[\s-]century(?P<cbc>\s?b\.?c)?)"
    rf"|(?P<eras>(?<![,.])(?P<eras_a>\d{{1,4}})\s?(?:-|–|—|\sto\s|\sand\s)\s?(?P<eras_b>\d{{1,4}})\s?(?:(?P<eras_bc>{_BC})|{_AD}))"
    r"|(?P<adr>(?<=(?-i:AD)\s)(?P<adr_a>\d{1,4})\s?(?:-|–|—|\sto\s|\sand\s)\s?(?P<adr_b>\d{1,4})(?!\d))"
    rf"|(?P<era>(?<![,.])(?P<era_y>\d{{1,4}})\s?(?:(?P<era_bc>{_BC})|{_AD}))"
    rf"|(?P<ad>(?:(?<=year\s)|(?<=AD\s)|(?<=A\.D\.\s)|(?<=jahr\s)|(?<=jahre\s)|(?<=l'an\s)|(?<=el\saño\s)|(?<=nell'anno\s)|(?<=公元)"
    r"|(?<=no\sano\s)|(?P<ad_bc>(?<=公元前)|(?<=紀元前)|(?<=(?-i:BC)\s)))(?P<ad_y>\d{1,4})(?![\d%年]|[.,]\d))"
    r"|(?P<apo>(?<=(?<![\w'])')(?P<apo_y>\d\d)(?![\d\w'\"]))"
    rf"|(?P<year>(?<![$€£#:/])(?<!\d[.,-])(?<![^\w\s]\.)(?P<y>{_YEAR})(?![\d%:]|[.,]\d))",
    re.IGNORECASE,
)
_AT_MONTH = late(
    rf"(?P<mdy>(?P<mdy_m>{_MONTH})[\s-]{{1,2}}(?:the\s)?(?P<mdy_d0>\d{{1,2}}){_NTH}(?!\d|[.:]\d)"
    rf"(?:{_two_days('mdy_to')}(?P<mdy_d>\d{{1,2}}){_NTH}(?!\d|[.:]\d))?(?:[\s,(-]{{1,3}}{_OF}{_year_group('mdy_y')})?)"
    rf"|(?P<my>(?P<my_m>{_MONTH_ALONE})[\s,/-]{{1,2}}{_OF}{_year_group('my_y')}"
    r"(?:,?\s(?:(?:specifically|precisely|exactly|namely)\s)?on\s(?:the\s)?(?P<my_d>\d{1,2})(?:st|nd|rd|th))?)",
    re.IGNORECASE,
)
_AT_WORD = late(
    rf"(?P<dcw>(?P<dcw_w>{'|'.join(_TENS)})\b)"
    r"|(?P<cen>(?P<cr>(?-i:[IVX]{1,5}))[\s-]century(?P<cbc>\s?b\.?c)?)"
    rf"|(?P<ft>(?P<ft_n>{_any_of(_FEASTS)})\b(?:,?\s(?:(?:of|in)\s)?(?P<ft_y>{_YEAR}))?)",
    re.IGNORECASE,
)
_FIRST = {"first": "1st", "second": "2nd", "third": "3rd"}
_FIRST_OF = late(
    rf"\b(?P<before>first|second|third)(?=\s(?:day\s)?(?:of\s)?{_MONTH})|(?<![^\W_]){_MONTH}\s(?:the\s)?(?P<after>first|second|third)\b",
    re.IGNORECASE,
)
_HAN_PART = re.compile(r"[〇零一二三四五六七八九十]{1,4}(?=[年月日号])")
_ROMAN_YEAR = re.compile(r"(?<![^\W_])M[MDCLXVI]{3,12}(?![^\W_])")


def _label(n: int) -> str:
    """Return a pattern for a label with its part of a date ("Day: 9")."""
    return rf"\b(?P<l{n}>day|month|year|d|m|y)[\"'*]{{0,3}}\s{{0,2}}(?::|=|\||-|is\b)[\s\"'*|]{{0,5}}(?P<v{n}>\w{{1,10}}){_NTH}"


_BETWEEN_LABELS = r"[\s\"'*,;.|)}-]{1,10}"
_LABELLED = re.compile(f"{_label(1)}{_BETWEEN_LABELS}{_label(2)}(?:{_BETWEEN_LABELS}{_label(3)})?", re.IGNORECASE)
_MAY_LABEL = re.compile(r"\bmonth\b", re.IGNORECASE)
_TOGETHER = re.compile(
    r"[\s,;:(*_]{0,4}(?:(?:in|of|and|the|year|was|is|on|de|del|en|im|jahre?|am|le|il|el|del|on\sthe|specifically|precisely|exactly|namely)[\s,]{1,2}){0,4}"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s)?(?:the\s)?",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"[\s,]{0,2}(?:-|–|—|to|until|through|till|(?P<and>and)|bis|à|au|al|до)\s?(?:the\s)?", re.IGNORECASE)
_LIST_JOINS = frozenset({"and", "or", "&", "und", "oder", "et", "ou", "y", "o", "e", "и", "или"})


@functools.lru_cache(maxsize=65536)
def find_dates(text: str, tongue: str | None = None) -> tuple[Date, ...]:
    """Find the dates of a text.

    Parameters: `tongue` is the code of the language of the text; by default that of its words.

    >>> [(d.first, d.last, d.precision) for d in find_dates("25th Sept 1987; June 1967; 1979–80")]
    [(19870925, 19870925, 'day'), (19670600, 19670699, 'month'), (19790000, 19809999, 'range')]
    >>> [d.first for d in find_dates("the ninth of November, nineteen eighty-nine; 1979年7月1日; 5 de julio de 1898")]
    [19891109, 19790701, 18980705]
    """
    plain = _in_figures(plain_signs(text))
    dates = _settled(plain.text, _together(plain.text, [*_dates(plain.text)]), tongue)
    if plain.places is None:
        return tuple(dates)
    spans = [plain.span(date.start, date.end) for date in dates]
    return tuple([date._replace(start=start, end=end) for date, (start, end) in zip(dates, spans, strict=True)])


def _in_figures(plain: Plain) -> Plain:
    """Write the ordinals and years of a text in figures, those in words as well as Roman and Chinese ones."""
    text = plain.text
    figures: list[Replacement] = []
    for numeral in islice(numerals(text), _MOST):
        if numeral.value == int(numeral.value) and ((numeral.ordinal and numeral.value < 100) or 1000 <= numeral.value < 2200):
            figures.append((numeral.start, numeral.end, f"{int(numeral.value)}{'th' if numeral.ordinal else ''}"))
    if any(word in text for word in ("first", "second", "third", "First")):
        for first in _FIRST_OF.finditer(text):
            word = first["before"] or first["after"]
            figures.append((*first.span("before" if first["before"] else "after"), _FIRST[word.lower()]))
    if "M" in text:
        years = ((match.span(), roman(match[0])) for match in _ROMAN_YEAR.finditer(text))
        figures += [(*span, str(year)) for span, year in years if year and 1000 <= year < 2200]
    if "月" in text or "年" in text:
        parts = ((match.span(), in_ideographs(match[0])) for match in _HAN_PART.finditer(text))
        figures += [(*span, str(part)) for span, part in parts if part is not None]
    return rewritten(plain, figures)


def _dates(text: str) -> Iterator[Date]:
    at = 0
    if _MAY_LABEL.search(text):
        for match in islice(_LABELLED.finditer(text), _MOST):
            date = _labelled(match)
            if date:
                yield from _between(text, at, match.start())
                yield date
                at = match.end()
    yield from _between(text, at, len(text))


def _between(text: str, at: int, end: int) -> Iterator[Date]:
    small = text.lower()
    if len(small) != len(text):  # a letter that is two when it is small
        small = text
    for _ in range(_MOST):
        start = _START.search(small, at, end)
        if start is None:
            return
        match = _PATTERNS[start.lastgroup or ""].match(text, start.start(), end)
        if match:
            yield from _READERS[match.lastgroup or ""](match)
        at = match.end() if match else _DIGITS.match(small, start.start(), end).end() if start["digit"] else start.end()  # type: ignore[union-attr]


_PATTERNS = {"digit": _AT_DIGIT, "month": _AT_MONTH, "word": _AT_WORD}
_DIGITS = re.compile(r"\d+")


def _labelled(match: re.Match[str]) -> Date | None:
    """Read "Day: 9, Month: November, Year: 1989", in any order, with the day or without."""
    parts = {match[f"l{n}"][0].lower(): match[f"v{n}"] for n in (1, 2, 3) if match[f"l{n}"]}
    month, year, day = parts.get("m", ""), parts.get("y", ""), parts.get("d", "1").lower().rstrip("sthndr")
    number = int(month) if month.isdecimal() else _month(month)
    if not 1 <= number <= 12 or not year.isdecimal() or len(year) > 4 or not day.isdecimal():
        return None
    return _day(int(year), number, int(day), match.span()) if "d" in parts else _whole_month(int(year), number, match.span())


def _month(name: str) -> int:
    low = re.sub(r"\s+", " ", name.lower().rstrip("."))
    return _MONTHS.get(low) or _SHORT.get(low) or 0


def _day(year: int, month: int, day: int, span: tuple[int, int]) -> Date | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    at = year * 10000 + month * 100 + day
    return Date(at, at, "day" if year else "yearless", *span)


def _year_of(match: re.Match[str], group: str) -> tuple[int, bool]:
    """Return the year of a group (0 where there is none), and whether it has two digits."""
    written = match[group]
    if not written:
        return 0, False
    era = match[group + "_bc"] or match[group + "_ad"] or match.string.endswith(("AD ", "A.D. "), 0, match.start(group))
    short = written.startswith("'") or (len(written) == 2 and not era)
    year = int(written.lstrip("'"))
    return (-year if match[group + "_bc"] else year + 1900 if short else year), short


def _other_centuries(date: Date) -> Date:
    """Return a date whose year has two digits, in other centuries, too."""
    return date._replace(also=tuple((date.first + by, date.last + by) for by in (1000000, -1000000, -2000000, -19000000)))


def _named_day(match: re.Match[str]) -> Iterator[Date]:
    """Read a day with the name of its month; with another day before it, a range or two dates."""
    kind = match.lastgroup or ""
    year, short = _year_of(match, f"{kind}_y") if kind in ("dmy", "mdy") else (0, False)
    if kind == "ymd":
        year = int(match[f"{kind}_y"])
    month = _month(match[f"{kind}_m"])
    days = [match[group] for group in (f"{kind}_d0", f"{kind}_d") if group in match.re.groupindex and match[group]]
    start, end = match.span()
    first, last = _day(year, month, int(days[0]), (start, end)), _day(year, month, int(days[-1]), (start, end))
    if first is None or last is None:
        yield from (date for date in (first, last) if date)
        return
    if len(days) == 1:
        yield _other_centuries(first) if short else first
    elif (match[f"{kind}_to"].lower() in _LIST_JOINS and not _between_them(match)) or first.first >= last.first:
        yield first._replace(end=match.end(f"{kind}_d0"))
        yield last._replace(start=match.start(f"{kind}_d"))
    else:
        yield Date(first.first, last.last, "range", start, end)


def _between_them(match: re.Match[str]) -> bool:
    """Tell whether the days are the ends of a range ("between 9 and 10 November")."""
    return match.string[max(0, match.start() - 12) : match.start()].lower().endswith(("between ", "between the "))


def _named_month(match: re.Match[str]) -> Iterator[Date]:
    year, short = _year_of(match, "my_y")
    month = _month(match["my_m"])
    date = _day(year, month, int(match["my_d"]), match.span()) if match["my_d"] else _whole_month(year, month, match.span())
    if date:
        yield _other_centuries(date) if short else date


def _year_and_month(match: re.Match[str]) -> Iterator[Date]:
    yield _whole_month(int(match["yn_y"]), _month(match["yn_m"]), match.span())


def _whole_month(year: int, month: int, span: tuple[int, int]) -> Date:
    at = year * 10000 + month * 100
    return Date(at, at + 99, "month", *span)


def _whole_year(year: int, span: tuple[int, int], also: tuple[tuple[int, int], ...] = ()) -> Date:
    return Date(year * 10000, year * 10000 + 9999, "year", *span, also)


def _ideographic(match: re.Match[str]) -> Iterator[Date]:
    if match.lastgroup == "cjkmd":
        day = _day(0, int(match["cjkmd_m"]), int(match["cjkmd_d"]), match.span())
    else:
        before_christ = match.string.endswith(("公元前", "紀元前"), 0, match.start())
        year = -int(match["cjk_y"]) if before_christ else int(match["cjk_y"])
        if not match["cjk_m"]:
            if year < 0 or year > 999:
                yield _whole_year(year, match.span())
            return
        if not match["cjk_d"]:
            yield _whole_month(year, int(match["cjk_m"]), match.span())
            return
        day = _day(year, int(match["cjk_m"]), int(match["cjk_d"]), match.span())
    if day:
        yield day


def _iso(match: re.Match[str]) -> Iterator[Date]:
    day = _day(
        int(match["iso_y"]), int(match["iso_m"] or match["iso_m2"]), int(match["iso_d"] or match["iso_d2"]), match.span()
    )
    if day:
        yield day


def _flat(match: re.Match[str]) -> Iterator[Date]:
    day = _day(int(match["flat_y"]), int(match["flat_m"]), int(match["flat_d"]), match.span())
    if day:
        yield day


def _slashed(match: re.Match[str]) -> Iterator[Date]:
    """Read 9/25/1987 and 25/9/1987; where both could be the month, both, the likelier first."""
    a, b, written = int(match["a"]), int(match["b"]), match["sl_y"]
    year = int(written) + (1900 if len(written) == 2 else 0)
    readings = [day for day in (_day(year, a, b, match.span()), _day(year, b, a, match.span())) if day]
    if "." in match["sl_s"]:
        readings.reverse()
    if readings:
        date = readings[0]._replace(also=tuple((r.first, r.last) for r in readings[1:] if r.first != readings[0].first))
        if len(written) == 2:
            stretches = [(r.first + by, r.last + by) for by in (0, 1000000, -1000000) for r in readings]
            date = date._replace(also=tuple(stretches[1:]))
        yield date


def _roman_month(match: re.Match[str]) -> Iterator[Date]:
    day = _day(int(match["rom_y"]), roman(match["rom_m"]) or 0, int(match["rom_d"]), match.span())
    if day:
        yield day


def _numeric_month(match: re.Match[str]) -> Iterator[Date]:
    year, month = ("ym_y", "ym_m") if match["ym"] else ("nmy_y", "nmy_m") if match["nmy_y"] else ("nmy_y2", "nmy_m2")
    yield _whole_month(int(match[year]), int(match[month]), match.span())


def _years(match: re.Match[str]) -> Iterator[Date]:
    """Read 1979–80 as a range; 2005-06 may be a month as well, 1940-05 can be nothing else."""
    a, b = int(match["ra"]), match["rb"]
    last = int(b) if len(b) == 4 else a // 100 * 100 + int(b)
    month = _whole_month(a, int(b), match.span()) if len(b) == 2 and 1 <= int(b) <= 12 else None
    if a < last:
        yield Date(a * 10000, last * 10000 + 9999, "range", *match.span(), ((month.first, month.last),) if month else ())
    elif month:
        yield month
    else:
        yield _whole_year(a, match.span("ra"))


def _decade(match: re.Match[str]) -> Iterator[Date]:
    if match["dcy"]:
        year = int(match["dcy"])
        span, precision = (99, "century") if year % 100 == 0 and year < 1900 else (9, "decade")
        yield Date(year * 10000, (year + span) * 10000 + 9999, precision, *match.span())  # type: ignore[arg-type]
    else:
        year = 1900 + int(match["dc2"])
        yield _other_centuries(Date(year * 10000, year * 10000 + 99999, "decade", *match.span()))


def _worded_decade(match: re.Match[str]) -> Iterator[Date]:
    year = 1900 + 20 + 10 * _TENS.index(match["dcw_w"].lower())
    before = match.string[max(0, match.start() - 10) : match.start()].lower()
    if before.endswith(("the ", "early ", "mid ", "mid-", "late ", "nineteen ", "nineteen-")):
        yield _other_centuries(Date(year * 10000, year * 10000 + 99999, "decade", *match.span()))


def _century(match: re.Match[str]) -> Iterator[Date]:
    groups = match.groupdict()
    n = int(groups["cn"]) if groups.get("cn") else roman(groups.get("cr") or "") or 0
    if n:
        low = -n * 100 if match["cbc"] else (n - 1) * 100
        yield Date(low * 10000, (low + 100) * 10000 + 9999, "century", *match.span())


def _of_era(match: re.Match[str]) -> Iterator[Date]:
    kind = match.lastgroup or ""
    year = int(match[f"{kind}_y"])
    if year:
        yield _whole_year(-year if match[f"{kind}_bc"] else year, match.span())


def _of_era_range(match: re.Match[str]) -> Iterator[Date]:
    """Read "85–95 AD" and "AD 85–95", and "49–44 BC", which counts down."""
    kind = match.lastgroup or ""
    sign = -1 if kind == "eras" and match["eras_bc"] else 1
    first, last = sign * int(match[f"{kind}_a"]), sign * int(match[f"{kind}_b"])
    if first < last:
        yield Date(first * 10000, last * 10000 + 9999, "range", *match.span())


def _feast(match: re.Match[str]) -> Iterator[Date]:
    at = _FEASTS[match["ft_n"].lower()]
    day = _day(int(match["ft_y"] or 0), at // 100, at % 100, match.span())
    if day:
        yield day


def _short_year(match: re.Match[str]) -> Iterator[Date]:
    yield _other_centuries(_whole_year(1900 + int(match["apo_y"]), match.span()))


def _bare_year(match: re.Match[str]) -> Iterator[Date]:
    text, end = match.string, match.end()
    gap = 1 if text[end : end + 1] in (" ", "\u00a0", "-") else 0
    unit = unit_at(text, end + gap)
    if unit is None or not (unit.name in _COUNTED or (unit.name.islower() and unit.name.endswith("s") and len(unit.name) > 3)):
        yield _whole_year(int(match["y"]), match.span())


_READERS = {
    "ymd": _named_day, "dmy": _named_day, "dm": _named_day, "mdy": _named_day, "my": _named_month,
    "yn": _year_and_month, "cjk": _ideographic, "cjkmd": _ideographic, "iso": _iso, "flat": _flat, "sl": _slashed,
    "rom": _roman_month, "ym": _numeric_month, "nmy": _numeric_month, "rng": _years, "dec": _decade,
    "dcw": _worded_decade, "cen": _century, "era": _of_era, "ad": _of_era, "eras": _of_era_range, "adr": _of_era_range,
    "ft": _feast, "apo": _short_year, "year": _bare_year,
}  # fmt: skip


def _together(text: str, dates: list[Date]) -> list[Date]:
    """Join a day without its year to the year beside it ("in 1989, on November 9"), or to the day that ends a range."""
    joined: list[Date] = []
    for date in dates:
        before = joined[-1] if joined else None
        if before and before.precision == "yearless" and date.precision in ("day", "yearless") and _from_to(text, before, date):
            first = before.first + date.first // 10000 * 10000
            if first < date.first:
                joined[-1] = Date(first, date.first, "range", before.start, date.end)
                continue
        if before and {before.precision, date.precision} == {"yearless", "year"} and date.start - before.end < 40:
            day, year = (before, date) if before.precision == "yearless" else (date, before)
            if _TOGETHER.fullmatch(text, before.end, date.start):
                also = tuple((first + day.first, first + day.first) for first, _ in year.also)
                at = year.first + day.first
                joined[-1] = Date(at, at, "day", before.start, date.end, also)
                continue
        joined.append(date)
    return joined


def _from_to(text: str, first: Date, last: Date) -> bool:
    """Tell whether a text goes from one date to another: "June 4 to June 7, 1942"."""
    match = _UNTIL.fullmatch(text, first.end, last.start) if last.start - first.end < 40 else None
    return match is not None and (not match["and"] or text.endswith(("etween ", "etween the "), 0, first.start))


def _settled(text: str, dates: list[Date], tongue: str | None) -> list[Date]:
    """Settle which number is the month in dates of figures, where another date or the language of the text tells."""
    open_ones = [date for date in dates if date.precision == "day" and date.also]
    if not open_ones:
        return dates
    sure = {date.first for date in dates if date.precision == "day" and not date.also}
    day_first = _day_first(text, tongue)
    return [_settle(text, date, sure, day_first) if date in open_ones else date for date in dates]


_FIGURE_DATE = re.compile(r"(?<![\d/.])(\d{1,2})\s?[/.-]\s?(\d{1,2})\s?[/.-]\s?(?:\d{4}|\d\d)(?!\d)")


def _day_first(text: str, tongue: str | None) -> bool | None:
    """Tell whether a text writes the day before the month; null where nothing shows it."""
    for match in islice(_FIGURE_DATE.finditer(text), _MOST):
        if int(match[1]) > 12 >= int(match[2]):
            return True
        if int(match[2]) > 12 >= int(match[1]):
            return False
    return True if (tongue or tongue_of(text)) not in (None, "en") else None


def _settle(text: str, date: Date, sure: set[int], day_first: bool | None) -> Date:
    readings = [(date.first, date.last), *date.also]
    told = [reading for reading in readings if reading[0] in sure]
    if not told and day_first is not None:
        figure = _FIGURE.match(text, date.start)
        told = [r for r in readings if figure and (r[0] % 100 == int(figure[0])) is day_first]
    return date._replace(first=told[0][0], last=told[0][1], also=tuple(told[1:])) if told else date


_FIGURE = re.compile(r"\d{1,2}")


def spans(text: str, first: Date, last: Date) -> Date | None:
    """Return the stretch from one date to another, where the text goes from one to the other; null where it does not.

    >>> text = "from 28 July 1914 to 11 November 1918"
    >>> spans(text, *find_dates(text)).first
    19140728
    """
    joined = first.first < last.first and _from_to(text, first, last)
    return Date(first.first, last.last, "range", first.start, last.end) if joined else None


Comparison = Literal["same", "finer", "coarser", "other"]
_CLOSEST: tuple[Comparison, ...] = ("same", "finer", "coarser", "other")


def compare_dates(expected: Date, found: Date) -> Comparison:
    """Compare a date in a text with the expected one.

    "finer": within the expected stretch ("June 23, 1991" for 1991); "coarser": holds it ("1991" for a day of 1991).

    >>> day, month = find_dates("23 June 1991")[0], find_dates("June 1991")[0]
    >>> compare_dates(day, month), compare_dates(month, day), compare_dates(day, day)
    ('coarser', 'finer', 'same')
    """
    if not expected.also and not found.also:
        return _compare(expected, found)
    comparisons = {_compare(one, other) for one in _readings(expected) for other in _readings(found)}
    return next(comparison for comparison in _CLOSEST if comparison in comparisons)


def _readings(date: Date) -> list[Date]:
    return [date, *(date._replace(first=first, last=last) for first, last in date.also)]


def _compare(expected: Date, found: Date) -> Comparison:
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
