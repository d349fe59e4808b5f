"""Words without their endings, and how many of an answer's words another text has.

```
python -c 'from evaluators.verify.reading.stems import *; print(stem("protection"), stem("protects"))'
```
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from evaluators.verify.reading.name import EVERYDAY, NUMERALS

__all__ = ["content", "stem"]

_ENDINGS = (
    "ations", "ation", "ments", "ment", "ings", "ing", "edly", "ness", "ions", "ies", "ers", "ion", "ian", "ans", "ed", "es",
    "er", "ly", "al", "ic", "an", "s", "y", "e",
)  # fmt: skip


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Drop a word's ending, where four letters are left; numerals become digits.

    >>> stem("protection"), stem("protects"), stem("four"), stem("eukaryota")
    ('protect', 'protect', '4', 'eukaryota')
    """
    if word in NUMERALS and len(word) > 2:
        return str(NUMERALS[word])
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= 4), "")
    return word.removesuffix(ending)


def content(found: Iterable[str]) -> list[str]:
    """Return the stems of the words that carry meaning.

    >>> content(["the", "churches", "of", "galatia"])
    ['church', 'galatia']
    """
    return [stem(word) for word in found if word not in EVERYDAY]
