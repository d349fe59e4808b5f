"""Numbers in words of other languages, in digits: "dreiundzwanzig", "mil novecientos", "quatre-vingt-dix", "七个".

A word is cut into words for numbers where it is made of nothing else (German, Dutch, Italian). What they come to: a thousand or
more multiplies what stands before it, a hundred too; anything smaller is added, where there is room for it. Units stand before
tens in German, Dutch and Arabic; in French "quatre-vingt" multiplies.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evaluators.verify.reading.lexicon import OTHER, fold_text, list_of
from kg.numerals import in_ideographs

_WORD = re.compile(r"[^\W\d_]+")
_COUNTED = re.compile(
    r"(?<![\d.,〇零一二三四五六七八九两兩十百千万萬亿億])[〇零一二三四五六七八九两兩十百千万萬亿億]+(?=[个個座條条位名次种種颗顆人年岁歲米公里只支队隊国國省州洲层層章部枚届屆集首块塊つ回])"
)
_UNITS_FIRST = ("de", "nl", "ar")
_DIGITS = re.compile(r"\d[\s-]?\Z")
_NEAR = 2
_THOUSAND, _HUNDRED = 1000, 100


class _Words(NamedTuple):
    """A language's words for numbers, those that count only beside others, what joins them, and a cut of compounds."""

    values: Mapping[str, int]
    inside: Mapping[str, int]
    joint: str
    part: re.Pattern[str]


class _Token(NamedTuple):
    """A word: the numbers it is made of (none for most), whether it is one by itself, and its characters."""

    numbers: tuple[int, ...]
    alone: bool
    start: int
    end: int


@functools.cache
def _words(language: str) -> _Words:
    lists = list_of(language, "numbers")

    def read(row: str) -> dict[str, int]:
        pairs = [entry.split(":") for entry in row.split()]
        return {fold_text(word)[0]: int(value) for value, words in pairs for word in words.split("|")}

    values, inside, joint = read(lists["words"]), read(lists["inside"]), fold_text(lists["joint"])[0]
    parts = sorted([*values, *inside, *([joint] if joint else [])], key=len, reverse=True)
    return _Words(values, inside, joint, re.compile("|".join(parts).replace("cento", "cento(?!tt)")))


def joins_numbers(before: str, after: str, language: str) -> bool:
    """Tell whether an "and" stands between words for numbers: the last one before it, and the first one after it.

    >>> joins_numbers("hay ochenta ", " ocho teclas", "es"), joins_numbers("Goya ", " Dalí", "es")
    (True, False)
    """
    if language in ("zh", "ja", OTHER):
        return False
    words, last, first = _words(language), list(_WORD.finditer(before))[-1:], _WORD.search(after)
    return bool(last) and first is not None and all(_token(word, words).numbers for word in (*last, first))


def in_digits(text: str, language: str) -> str:
    """Write the numbers of a text, which are words of a language, in digits.

    >>> in_digits("Es sind dreiundzwanzig.", "de"), in_digits("quatre-vingt-dix mille habitants", "fr")
    ('Es sind 23.', '90000 habitants')
    >>> in_digits("Il y a un siècle, en mille neuf cent un.", "fr"), in_digits("有七个大洲。", "zh")
    ('Il y a un siècle, en 1901.', '有7个大洲。')
    """
    if language in ("zh", "ja"):
        return _COUNTED.sub(lambda counted: _of_ideographs(counted[0]), text)
    if language == OTHER:
        return text
    pieces, last = [], 0
    for number, start, end in _numbers(text, language):
        if _DIGITS.search(text, max(0, start - _NEAR), start):
            continue  # "14 Millionen" is read as it stands
        pieces += [text[last:start], str(number)]
        last = end
    return "".join([*pieces, text[last:]])


def _of_ideographs(written: str) -> str:
    value = in_ideographs(written)
    return written if value is None or value == 1 else f"{value:f}"


def _numbers(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers in words, with their characters."""
    words = _words(language)
    run: list[_Token] = []
    joint, joint_end = False, 0
    for match in _WORD.finditer(text):
        token = _token(match, words)
        beside = bool(run) and text[(joint_end if joint else run[-1].end) : match.start()] in ("", " ", "-")
        if beside and token.numbers and _fits([n for part in run for n in part.numbers], token.numbers, language):
            run.append(token)
            joint = False
            continue
        if beside and not joint and words.joint and fold_text(match[0])[0] == words.joint:
            joint, joint_end = True, match.end()
            continue
        yield from _come_to(run, language)
        run, joint = ([token] if token.numbers else []), False
    yield from _come_to(run, language)


def _token(match: re.Match[str], words: _Words) -> _Token:
    folded = fold_text(match[0])[0]
    if folded in words.values:
        return _Token((words.values[folded],), True, *match.span())
    if folded in words.inside:
        return _Token((words.inside[folded],), False, *match.span())
    numbers: list[int] = []
    at = 0
    while at < len(folded):
        part = words.part.match(folded, at)
        if part is None:
            return _Token((), False, *match.span())
        value = words.values.get(part[0], words.inside.get(part[0]))
        numbers += [] if value is None else [value]
        at = part.end()
    return _Token(tuple(numbers), True, *match.span())


def _come_to(run: list[_Token], language: str) -> Iterator[tuple[int, int, int]]:
    if any(token.alone for token in run):
        yield _sum([number for token in run for number in token.numbers], language)[0], run[0].start, run[-1].end


def _sum(numbers: Sequence[int], language: str) -> tuple[int, int]:
    """Return what numbers in a row come to, and what of it is below the last thousand."""
    total = part = 0
    for number in numbers:
        if number >= _THOUSAND:
            total, part = total + max(part, 1) * number, 0
        elif number == _HUNDRED:
            part = part * _HUNDRED if 0 < part < _HUNDRED else part + _HUNDRED
        elif language == "fr" and number == 20 and part % 100 == 4:
            part += 76  # quatre-vingt
        else:
            part += number
    return total + part, part


def _fits(run: list[int], further: tuple[int, ...], language: str) -> bool:
    """Tell whether a number may go on with another one: there is room for it, or it multiplies."""
    number, part = further[0], _sum(run, language)[1]
    if number >= _THOUSAND:
        return all(before < _THOUSAND or before > number for before in run)
    if number == _HUNDRED:
        return part < _HUNDRED
    if part % 100 == 0:
        return part > 0 or run[-1] >= _THOUSAND
    if language == "fr" and ((number == 20 and part % 100 == 4) or (number < 20 and part % 100 in (60, 80))):
        return True
    if language in _UNITS_FIRST and part % 100 < 10 and number in (10, 20, 30, 40, 50, 60, 70, 80, 90):
        return True
    return part % 10 == 0 and number < 10 and part % 100 > 10
