"""What stands before a number: money, a minus, a word such as "about"."""

from __future__ import annotations

import re
from typing import NamedTuple

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
