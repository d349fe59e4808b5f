"""Numbers in words: "two hundred and five", "eight point three million", "one and a half", "nineteen eighty-nine", 三千, XIV.

Words in a row are cut where a numeral ends: "five six" are two numbers, "five and six" too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple


class Numeral(NamedTuple):
    """A number in words: its value, whether it is an ordinal, and its characters."""

    value: Decimal
    ordinal: bool
    start: int
    end: int


class _Token(NamedTuple):
    word: str
    start: int
    end: int


_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = (
    {word: n for n, word in enumerate(_ONES + _TEENS)}
    | {word: n * 10 for n, word in enumerate(_TENS, 2)}
    | {"fourty": 40, "nought": 0}
)
_FIRST = ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_ORDINALS = (
    {word: n for n, word in enumerate(_FIRST) if n}
    | {word + "th": n for n, word in enumerate(_TEENS, 10)} | {"twelfth": 12}
    | {word.removesuffix("y") + "ieth": n * 10 for n, word in enumerate(_TENS, 2)}
)  # fmt: skip
_LARGE = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "quadrillion": 15, "lakh": 5, "crore": 7}
_LARGE_ORDINALS = {"thousandth": 3, "millionth": 6, "billionth": 9}
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    word + ending: n for n, word in enumerate(_FIRST[3:], 3) for ending in ("", "s")
}
_PARTS["tenths"] = _PARTS["tenth"] = 10
_ZEROS = frozenset({"oh", "o", "zero", "nought"})
_WORDS = sorted(
    {*_SMALL, *_ORDINALS, *_LARGE, *_LARGE_ORDINALS, "hundred", "hundredth", "dozen", "half", "halves", "quarter", "quarters",
     "score"}, key=len, reverse=True
)  # fmt: skip
_JOINING = frozenset({"and", "point", "a", "an", "oh", "o", "of"} | {part for part in _PARTS if part.endswith("s")})
_NUMERAL_WORD = "|".join(_WORDS)
_ROWS = {first: "|".join(word[1:] for word in _WORDS if word[0] == first) for first in {word[0]: 0 for word in _WORDS}}
# Letters are quicker to look for than what does not stand before them.
_BEGINNING = "|".join(
    [rf"a(?<![^\W_]a)n?\s(?=half|hundred|thousand|million|billion|trillion|dozen|quarter|third)(?:{_NUMERAL_WORD})"]
    + [rf"{first}(?<![^\W_]{first})(?:{rest})" for first, rest in _ROWS.items()]
)
_ANY_WORD = "|".join(sorted({*_WORDS, *_JOINING}, key=len, reverse=True))
_BETWEEN = r"(?:\s{1,3}|\s?[-‑–]\s?|,\s)"
_RUN = re.compile(rf"(?:{_BEGINNING})(?![^\W_])(?:{_BETWEEN}(?:{_ANY_WORD})(?![^\W_]))*")
_TOKEN = re.compile(r"[^\W\d_]+")
_BEFORE_ONE = re.compile(r"\b(?:no|any|every|each|some|this|that|which|the|another|not|only)[\s-]\Z", re.IGNORECASE)
_AFTER_ONE = re.compile(
    r"[\s-](?:of|another|can|could|may|might|must|should|would|who|which|that|day)\b|['’]s\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(?:the|an?|its|his|her|their|my|our|your|on|of)\s\Z", re.IGNORECASE)
_MOST_DIGITS = 12


def numerals(text: str) -> Iterator[Numeral]:
    """Yield the numbers that a text says in words.

    >>> [str(n.value) for n in numerals("two hundred and five, five and six, eight point three million, one and a half")]
    ['205', '5', '6', '8300000', '1.5']
    >>> [int(n.value) for n in numerals("nineteen eighty-nine, nineteen oh five, two thousand and one, half a million")]
    [1989, 1905, 2001, 500000]
    """
    small = text.lower()
    if len(small) != len(text):  # a letter that is two when it is small
        small = text
    for run in _RUN.finditer(small):
        yield from _numerals(text, [_Token(w[0].lower(), *w.span()) for w in _TOKEN.finditer(text, run.start(), run.end())])


def _numerals(text: str, tokens: list[_Token]) -> Iterator[Numeral]:
    at = 0
    while at < len(tokens):
        read = _Reader(text, tokens, at).whole()
        if read is None:
            at += 1
            continue
        value, ordinal, after = read
        start, end = tokens[at].start, tokens[after - 1].end
        if not (after == at + 1 and _is_other_word(text, tokens[at], ordinal=ordinal)):
            yield Numeral(value, ordinal, start, end)
        at = after


def _is_other_word(text: str, token: _Token, *, ordinal: bool) -> bool:
    """Tell whether a single word is no number where it stands: "one of them", "First, ...", "per second"."""
    before = text[max(0, token.start - 12) : token.start]
    if token.word == "one":
        return bool(_BEFORE_ONE.search(before) or _AFTER_ONE.match(text, token.end))
    if token.word in _PARTS and not ordinal:
        return False
    alone = not text[: token.start].strip(" *_\"'`") and not text[token.end :].strip(" *_\"'`.!")
    return ordinal and token.word in _FIRST[1:4] and not alone and not _ARTICLE.search(before)


class _Reader:
    """Reads the longest numeral that begins at a token."""

    def __init__(self, text: str, tokens: list[_Token], at: int) -> None:
        self._text, self._tokens, self._at = text, tokens, at

    def whole(self) -> tuple[Decimal, bool, int] | None:
        """Return the value of the numeral, whether it is an ordinal, and the token after it."""
        start = self._at
        value = self._fraction() or self._digits() or self._year()
        if value is not None:
            return self._scaled(value), False, self._at
        self._at = start
        number, ordinal = self._number()
        if number is None:
            return None
        if not ordinal:
            number = self._with_part(number)
        return number, ordinal, self._at

    def _word(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at].word if at < len(self._tokens) else ""

    def _comma_before(self) -> bool:
        """Tell whether a comma stands before the next word."""
        if not 0 < self._at < len(self._tokens):
            return False
        return "," in self._text[self._tokens[self._at - 1].end : self._tokens[self._at].start]

    def _fraction(self) -> Decimal | None:
        """Read "half a", "a quarter of a", "three quarters", "two thirds"."""
        first = self._word()
        count = 1 if first in ("a", "an", "half", "quarter") else _SMALL.get(first, 0)
        part = first if first in ("half", "quarter") else self._word(1)
        if part not in _PARTS or not 0 < count < 20 or (part.endswith("s") is (count == 1) and part not in ("half", "quarter")):
            return None
        words = 1 if first in ("half", "quarter") else 2
        if part in _ORDINALS and first in ("a", "an") and self._word(words) != "of":  # "a third" may mean one more
            return None
        self._at += words
        ahead = 1 if self._word() == "of" else 0
        if self._word(ahead) in ("a", "an", "one") and self._word(ahead + 1) in (*_LARGE, "dozen"):
            self._at += ahead + 1
        return _decimal(count, _PARTS[part])

    def _digits(self) -> Decimal | None:
        """Read digits one after the other: "one nine eight four"."""
        n = 0
        while n < _MOST_DIGITS and (self._word(n) in _ONES or (n and self._word(n) in _ZEROS)):
            n += 1
        if n < 3:
            return None
        digits = "".join(str(_SMALL.get(self._word(k), 0)) for k in range(n))
        self._at += n
        return Decimal(digits)

    def _year(self) -> Decimal | None:
        """Read "nineteen eighty-four" and "nineteen oh five"."""
        start = self._at
        century = self._tens()
        if (
            century is not None
            and 10 <= century < 100
            and self._word() not in ("hundred", "and", "point")
            and not self._comma_before()
        ):
            if self._word() in _ZEROS and 0 < _SMALL.get(self._word(1), 0) < 10:
                self._at += 2
                return Decimal(century * 100 + _SMALL[self._tokens[self._at - 1].word])
            rest = self._tens()
            if rest is not None and 10 <= rest < 100:
                return Decimal(century * 100 + rest)
        self._at = start
        return None

    def _tens(self) -> int | None:
        """Read a number below a hundred."""
        value = _SMALL.get(self._word())
        if value is None:
            return None
        self._at += 1
        if value >= 20 and 0 < _SMALL.get(self._word(), 0) < 10 and not self._comma_before():
            value += _SMALL[self._word()]
            self._at += 1
        return value

    def _number(self) -> tuple[Decimal | None, bool]:
        """Read groups with their scales: "two million three hundred thousand and five"."""
        total, limit, ordinal = Decimal(0), 99, False
        found = False
        while not ordinal:
            start, listed = self._at, self._comma_before()
            if found and self._word() == "and":
                self._at += 1
            if found and self._word() in ("a", "an"):
                self._at = start
                break
            value, ordinal = self._group()
            if value is None:
                self._at = start
                break
            value = self._point(value) if not ordinal else value
            power = _LARGE.get(self._word()) or _LARGE_ORDINALS.get(self._word())
            small = power is None and (limit == 0 or (listed and value < 100))
            if (found and small) or (power is not None and power >= limit):
                self._at, ordinal = start, False
                break
            if power is not None and not ordinal:
                ordinal = self._word() in _LARGE_ORDINALS
                self._at += 1
                while self._word() in _LARGE:  # "a thousand million"
                    power += _LARGE[self._word()]
                    self._at += 1
            total += value.scaleb(power or 0)
            limit, found = power or 0, True
            if limit == 0:
                break
        return (total, ordinal) if found else (None, False)

    def _group(self) -> tuple[Decimal | None, bool]:
        """Read a number below a thousand, or so many hundreds or dozens; tell whether it is an ordinal."""
        word = self._word()
        if word in ("a", "an") and self._word(1) in ("hundred", "dozen", *_LARGE):
            self._at += 1
            value = 1
        elif word in _ORDINALS:
            self._at += 1
            return Decimal(_ORDINALS[word]), True
        else:
            tens = self._tens()
            if tens is None:
                return None, False
            value = tens
            if value >= 20 and value % 10 == 0 and 0 < _ORDINALS.get(self._word(), 0) < 10:
                self._at += 1
                return Decimal(value + _ORDINALS[self._tokens[self._at - 1].word]), True
        if self._word() in ("dozen", "score"):
            self._at += 1
            return Decimal(value * (12 if self._tokens[self._at - 1].word == "dozen" else 20)), False
        if self._word() in ("hundred", "hundredth"):
            return self._hundreds(value)
        return Decimal(value), False

    def _hundreds(self, value: int) -> tuple[Decimal, bool]:
        self._at += 1
        if self._tokens[self._at - 1].word == "hundredth":
            return Decimal(value * 100), True
        start = self._at
        if self._word() == "and":
            self._at += 1
        if not self._comma_before():
            if self._word() in _ORDINALS:
                self._at += 1
                return Decimal(value * 100 + _ORDINALS[self._tokens[self._at - 1].word]), True
            rest = self._tens()
            if rest:
                if rest >= 20 and rest % 10 == 0 and 0 < _ORDINALS.get(self._word(), 0) < 10:
                    self._at += 1
                    return Decimal(value * 100 + rest + _ORDINALS[self._tokens[self._at - 1].word]), True
                return Decimal(value * 100 + rest), False
        self._at = start
        return Decimal(value * 100), False

    def _point(self, value: Decimal) -> Decimal:
        """Read the digits after "point"."""
        if self._word() != "point":
            return value
        digits = ""
        while (n := _SMALL.get(self._word(1 + len(digits)), 0 if self._word(1 + len(digits)) in _ZEROS else 10)) < 10:
            digits += str(n)
        if not digits:
            tail = _SMALL.get(self._word(1), 0)
            if not tail:
                return value
            self._at += 2
            return Decimal(f"{value}.{tail}")
        self._at += 1 + len(digits)
        return Decimal(f"{value}.{digits}")

    def _with_part(self, value: Decimal) -> Decimal:
        """Read "and a half", "and three quarters", with a scale after it."""
        if self._word() != "and":
            return value
        at = self._at
        self._at += 1
        count = 1 if self._word() in ("a", "one", "an") else _SMALL.get(self._word(), 0)
        part = _PARTS.get(self._word(1)) if self._word(1) in _PARTS else None
        if not part or not 0 < count < part:
            self._at = at
            return value
        self._at += 2
        # "a million and a half" is half a million more, "one and a half million" half of one.
        scale = Decimal(1).scaleb(_LARGE.get(self._tokens[at - 1].word, 0))
        return self._scaled(value + _decimal(count, part) * scale)

    def _scaled(self, value: Decimal) -> Decimal:
        power = _LARGE.get(self._word())
        if self._word() == "dozen":
            self._at += 1
            return value * 12
        if power is None or self._comma_before():
            return value
        self._at += 1
        return value.scaleb(power)


def _decimal(count: int, part: int) -> Decimal:
    share = Fraction(count, part)
    return Decimal(share.numerator) / Decimal(share.denominator)


_HAN = {"〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "两": 2, "兩": 2}
_HAN_PARTS = {"十": 10, "百": 100, "千": 1000}
_HAN_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_COUNTED = re.compile(r"[个個颗顆只隻条條座本名人位次回つ枚台部张張年岁歳秒棵辆艘架所家间間匹頭头種种点]")
"""What stands between a number and what it counts."""
_HAN_NUMBER = re.compile(rf"[{''.join([*_HAN, *_HAN_PARTS])}][{''.join([*_HAN, *_HAN_PARTS, *_HAN_SCALES])}点]*")


def ideographs(text: str) -> Iterator[Numeral]:
    """Yield the numbers that a text writes in ideographs; a single one, often a part of a word, only before a counter.

    >>> [int(n.value) for n in ideographs("高さは三千七百七十六メートル")], [int(n.value) for n in ideographs("一九八九年")]
    ([3776], [1989])
    """
    for match in _HAN_NUMBER.finditer(text):
        value = in_ideographs(match[0])
        if value is not None and (len(match[0]) > 1 or not text[: match.start()].strip() or _COUNTED.match(text, match.end())):
            yield Numeral(value, text[match.start() - 1 : match.start()] == "第", *match.span())


def in_ideographs(written: str) -> Decimal | None:
    """Read a number in ideographs; null where they are none.

    >>> in_ideographs("二〇二三"), in_ideographs("一億二千万"), in_ideographs("三点一四")
    (Decimal('2023'), Decimal('120000000'), Decimal('3.14'))
    """
    whole, _, decimals = written.partition("点")
    if decimals and not all(sign in _HAN for sign in decimals):
        return None
    tail = "." + "".join(str(_HAN[sign]) for sign in decimals) if decimals else ""
    if whole and all(sign in _HAN for sign in whole):
        return Decimal("".join(str(_HAN[sign]) for sign in whole) + tail)
    total = group = digit = 0
    for sign in whole:
        if sign in _HAN:
            digit = _HAN[sign]
        elif sign in _HAN_PARTS:
            group, digit = group + (digit or 1) * _HAN_PARTS[sign], 0
        elif sign in _HAN_SCALES:
            total, group, digit = total + max(group + digit, 1) * _HAN_SCALES[sign], 0, 0
        else:
            return None
    return Decimal(f"{total + group + digit}{tail}") if whole else None


_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_SIGNS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}


def roman(written: str) -> int | None:
    """Read a Roman numeral in capitals; null for anything else.

    >>> roman("MDCCIV"), roman("XIV"), roman("IIII"), roman("xiv")
    (1704, 14, None, None)
    """
    if not _ROMAN.fullmatch(written):
        return None
    values = [_ROMAN_SIGNS[sign] for sign in written]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
