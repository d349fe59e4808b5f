"""How names and numbers are written, everywhere in the report."""

from __future__ import annotations

import math
import re

NONE = "–"
"""Stands where there is no number."""

# Control characters, and those that turn the direction of what follows: they would change how the page around them reads.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")


def visible(text: object) -> str:
    r"""Write characters that cannot be seen by their numbers.

    >>> visible("model\u202etxt")
    'model⟨U+202E⟩txt'
    """
    return _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", str(text))


def clipped(text: str, limit: int) -> str:
    """Shorten a text in its middle, where names differ least.

    >>> clipped("http://localhost:8000/v1#some-model", 20)
    'http://l…#some-model'
    """
    text = visible(text)
    if len(text) <= limit:
        return text
    tail = (limit - 1) * 3 // 5
    return f"{text[: limit - 1 - tail]}…{text[-tail:]}"


def number(value: float | None, digits: int = 3) -> str:
    """Write a number with three digits after the point; a dash where there is none.

    >>> number(0.5), number(-0.04), number(None), number(0.00001), number(-0.00001)
    ('0.500', '−0.040', '–', '< 0.001', '> −0.001')
    """
    if value is None or value != value:
        return NONE
    if 0 < abs(value) < 0.5 * 10**-digits:
        return f"{'<' if value > 0 else '>'} {_fixed(math.copysign(10**-digits, value), digits)}"
    return _fixed(value, digits)


def _fixed(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


def signed(value: float | None) -> str:
    """Write a difference with its sign.

    >>> signed(0.125), signed(-0.125)
    ('+0.125', '−0.125')
    """
    return NONE if value is None or value != value else f"{value:+.3f}".replace("-", "−")


def count(value: float | None) -> str:
    """Write a count.

    >>> count(200000)
    '200,000'
    """
    return NONE if value is None else f"{int(value):,}"


def interval(low: float | None, high: float | None, digits: int = 3) -> str:
    """Write the ends of an interval, with as many digits as its number; nothing where there is none.

    >>> interval(0.61, 0.734), interval(None, None), interval(-0.1, 0.1), interval(0.001, 0.09)
    ('0.610–0.734', '', '−0.100 to 0.100', '0.001–0.090')
    """
    if low is None or high is None or low != low or high != high:
        return ""
    between = " to " if low < 0 else "–"
    return f"{_fixed(low, digits)}{between}{_fixed(high, digits)}"
