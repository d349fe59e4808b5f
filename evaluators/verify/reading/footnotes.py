"""What search engines leave in their answers: marks of footnotes glued to words, and words glued to words.

```
python -c 'from evaluators.verify.reading.footnotes import *; print(without_marks("It was Aaron Lewis1. In 19752 [3]."))'
```
"""

from __future__ import annotations

import re

__all__ = ["without_marks"]

_MARK = re.compile(
    r"(?<=[^\W\d_]{3})\d{1,3}(?=[\s.,;:)\"”’]|\Z)"
    r"|(?<=(?<!\d)(?:1\d|20)\d\d)\d{1,2}(?=[.,;]?(?:\s|\Z))"
    r"|(?<=\d0s)\d{1,2}(?=[.,;]?(?:\s|\Z))|(?<=,\d{3})\d{1,2}(?=[.,;]?(?:\s|\Z))"
    r"|\[\^?\d{1,2}\^?\]|[¹²³⁴⁵⁶⁷⁸⁹⁰]+(?=[\s.,;]|\Z)|【[^】]{0,20}】"
)


def without_marks(text: str) -> str:
    """Blank out the marks of footnotes; every other character keeps its place.

    >>> without_marks("It was Aaron Lewis1. In 19752 [3].")
    'It was Aaron Lewis . In 1975     .'
    """
    return _MARK.sub(lambda mark: " " * len(mark[0]), text)
