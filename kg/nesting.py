"""How deep a query may be nested: parsers descend into it, and end the process where it is too deep.

```
python -c 'from kg.nesting import check_nesting; check_nesting("ASK {}")'
```
"""

from __future__ import annotations

import re

from kg.errors import QueryError

__all__ = ["check_nesting"]

_DEEPEST = 300
_BRACKETS = re.compile(r"[{}()\[\]]|(?:[!+\-^]\s*){300}")


def check_nesting(query: str) -> None:
    """Raise QueryError where brackets, or signs before a value, are nested deeper than three hundred times.

    Brackets in strings count too: it takes hundreds more of those that open.

    >>> check_nesting("ASK " + "{" * 301 + "}" * 301)
    Traceback (most recent call last):
    kg.errors.QueryError: query: is nested more than 300 deep; make it flatter
    """
    depth = 0
    for found in _BRACKETS.finditer(query):
        sign = found[0]
        depth += _DEEPEST + 1 if len(sign) > 1 else 1 if sign in "{([" else -1
        depth = max(depth, 0)
        if depth > _DEEPEST:
            raise QueryError(f"is nested more than {_DEEPEST} deep", place="query", way_out="make it flatter")
