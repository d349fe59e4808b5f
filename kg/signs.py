r"""A text in which mathematics is written in plain signs, for readers of numbers and dates.

LaTeX (`2.5 \times 10^{8}\,\mathrm{m/s}`, `299{,}792`, `-38.83^\circ\mathrm{C}`) and the digits of other scripts become what a
typewriter has. Every character of the result knows where it stood.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

Replacement = tuple[int, int, str]
"""The range of characters to replace, and what stands in their place."""


class Plain(NamedTuple):
    """A plain text; `places` says where each of its characters stood (null where all stand as they did)."""

    text: str
    places: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the characters of the original text that these characters stand for."""
        if self.places is None or start >= end:
            return start, end
        return self.places[start], self.places[end - 1] + 1


_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_OTHER_SIGNS = str.maketrans(
    {"−": "-", "﹣": "-", "－": "-", "‑": "-", "‐": "-", "٫": ".", "．": ".", "٬": ",", "，": ",", "％": "%",
     "：": ":", "／": "/", "（": "(", "）": ")", "✕": "×", "✖": "×", "’": "'", "ʼ": "'"}
    | dict.fromkeys("\u2007\u2008\u2009\u200a\u202f", "\u00a0")
)  # fmt: skip
_LATEX = re.compile(
    r"\\[dt]?frac\s*\{\s*(?P<above>[\d.,]{1,40})\s*\}\s*\{\s*(?P<below>[\d.,]{1,40})\s*\}"
    r"|(?P<command>\\(?:text\w{0,10}|math(?:rm|bf|it|sf|tt|normal)|rm|bf|operatorname|unit|mbox|hbox|f?boxed|ensuremath|emph|underline)"
    r"\b\*?\s*(?P<group>\{)?)"
    r"|\{\s*(?P<separator>[.,])\s*\}"
    r"|(?P<blank>\\[,;:! >\\]|\\(?:quad|qquad|thinspace|enspace)\b|(?<=\d)~(?=[A-Za-z\\]))"
    r"|(?P<times>\\(?:times|cdot|ast)(?![A-Za-z]))"
    r"|(?P<degree>(?:\{\s*\}\s*)?\^\s*(?:\{\s*\\circ\s*\}|\\circ\b)|\\(?:text)?degree\b)"
    r"|\\(?P<escaped>[%$#&_{}])"
    r"|(?P<about>\\(?:approx|simeq|sim)(?![A-Za-z]))"
    r"|(?P<nothing>\\(?:left|right|displaystyle)\b|\\[()\[\]])"
    r"|(?P<open>\{)|(?P<close>\})"
)
_MATHS = re.compile(r"\$\$|\$(?=[^\s$])(?P<inside>[^$\n]{1,300})(?<=[^\s\\])\$(?!\d)")
_PROSE = re.compile(r"[^\W\d_]{2,}\s+[^\W\d_]{2,}")


def plain_signs(text: str) -> Plain:
    r"""Write a text in plain signs.

    >>> plain_signs(r"$c = 2.99 \times 10^{8}\ \mathrm{m/s}$").text
    'c = 2.99 × 10^{8} m/s'
    >>> plain_signs("٣٤").text, plain_signs(r"299{,}792").text, plain_signs("$42$ and $5").text
    ('34', '299,792', '42 and $5')
    """
    if not text.isascii():
        text = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text.translate(_OTHER_SIGNS))
    if "\\" in text or "{" in text or text.count("$") > 1:
        return _without_latex(text)
    return Plain(text)


def _without_latex(text: str) -> Plain:
    return rewritten(Plain(text), [*_commands(text), *_dollars(text)])


def rewritten(plain: Plain, replacements: Iterable[Replacement]) -> Plain:
    """Replace ranges of characters of a text by signs, which stand where the ranges stood; of those that meet, the first.

    >>> rewritten(Plain("the ninth"), [(4, 9, "9th")])
    Plain(text='the 9th', places=[0, 1, 2, 3, 4, 5, 8])
    """
    text, before = plain
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for start, end, signs in sorted(replacements):
        if start < at:
            continue
        pieces += (text[at:start], signs)
        places += range(at, start)
        places += (min(start + n, end - 1) for n in range(len(signs) - 1))
        places += [end - 1] if signs else []
        at = end
    if not pieces:
        return plain
    pieces.append(text[at:])
    places += range(at, len(text))
    return Plain("".join(pieces), places if before is None else [before[place] for place in places])


def _dollars(text: str) -> Iterator[Replacement]:
    """Yield the dollar signs that set off mathematics; one before an amount of money is none of them."""
    for match in _MATHS.finditer(text):
        inside = match["inside"]
        if inside is None:
            yield *match.span(), ""
        elif "\\" in inside or not _PROSE.search(inside):
            yield match.start(), match.start() + 1, ""
            yield match.end() - 1, match.end(), ""


def _commands(text: str) -> Iterator[Replacement]:
    dropped: list[bool] = []
    for match in _LATEX.finditer(text):
        kind = match.lastgroup or ""
        if kind == "open":
            dropped.append(False)
        elif kind == "close":
            if dropped and dropped.pop():
                yield *match.span(), ""
        else:
            if match["group"]:
                dropped.append(True)
            yield *match.span(), _signs(match, text)


def _signs(match: re.Match[str], text: str) -> str:
    """Return the plain signs for a command."""
    if match["above"]:
        whole = text[match.start() - 1 : match.start()].isdigit()
        return f"{' ' if whole else ''}{match['above']}/{match['below']}"
    for kind, signs in (("blank", " "), ("times", "×"), ("degree", "°"), ("about", "≈")):
        if match[kind]:
            return signs
    return match["separator"] or match["escaped"] or ""
