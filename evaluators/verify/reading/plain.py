"""A text with single blanks and straight apostrophes, for the rules to read, and the way back to its own characters.

```
python -c 'from evaluators.verify.reading.plain import *; print(Plain.of("I  don’t know").text)'
```
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

from evaluators.verify.reading.text import Span

__all__ = ["Plain"]

_LIKE = str.maketrans({"’": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " "})
_BLANKS = re.compile(r"(?<= ) +")


class Plain(NamedTuple):
    """The text to read, and how many characters were left out before each of its characters (none where null)."""

    text: str
    left_out: list[int] | None = None

    @classmethod
    def of(cls, original: str) -> Plain:
        """Make a text plain.

        >>> Plain.of("a   b").text, Plain.of("a   b").span((2, 3))
        ('a b', (4, 5))
        """
        text = original.translate(_LIKE) if not original.isascii() or "\t" in original else original
        if "  " not in text:
            return cls(text)
        kept = [True] * len(text)
        for found in _BLANKS.finditer(text):
            kept[found.start() : found.end()] = [False] * len(found[0])
        places = [n for n, keep in enumerate(kept) if keep]
        gaps = [b - a - 1 for a, b in zip([-1, *places], places, strict=False)]
        return cls(_BLANKS.sub("", text), list(accumulate(gaps)))

    def span(self, span: Span) -> Span:
        """Return the characters of the original that characters of the plain text stand for."""
        if self.left_out is None or span[0] >= span[1]:
            return span
        return span[0] + self.left_out[span[0]], span[1] + self.left_out[span[1] - 1]
