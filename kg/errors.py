"""What can go wrong, in one tree.

```
KGProbeError
└── InputError            the user's input is at fault: one line, exit code 2
    ├── SourceError       a file to be loaded is damaged, incomplete or of another shape
    ├── StoreError        a store is missing, damaged, or held by another process
    └── QueryError        a SPARQL query does not parse or run
        └── NotServedError    an endpoint is busy or too slow for it, or does not let one in
```

Every message is one line: where, what, and the way out.

>>> str(InputError("column 'object' is missing", place="triples.tsv:1", way_out="add it to the header"))
"triples.tsv:1: column 'object' is missing; add it to the header"
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import ClassVar

__all__ = ["InputError", "KGProbeError", "NotServedError", "QueryError", "SourceError", "StoreError", "nearest", "one_line"]


class KGProbeError(Exception):
    """The head of all exceptions this project raises on purpose."""


class InputError(KGProbeError):
    """The user's input is at fault.

    Parameters: `problem` says what is wrong, `place` where (file, line, name), `way_out` what to do about it.
    """

    exit_code: ClassVar[int] = 2
    """What a command that ends with it returns; 1 where the input is sound and the work ended before it was done."""

    def __init__(self, problem: str, *, place: str | None = None, way_out: str | None = None) -> None:
        self.problem, self.place, self.way_out = problem, place, way_out
        text = f"{place}: {problem}" if place else problem
        super().__init__(one_line(f"{text}; {way_out}" if way_out else text))


class SourceError(InputError):
    """A file to be loaded is damaged, incomplete or of another shape."""


class StoreError(InputError):
    """A store is missing, damaged, or held by another process."""


class QueryError(InputError):
    """A SPARQL query does not parse or does not run."""


class NotServedError(QueryError):
    """An endpoint is busy or too slow for a query, or does not let one in: of what it holds, that says nothing."""


def one_line(text: str, limit: int = 600) -> str:
    r"""Put a message on one line: no line breaks or control characters, at most `limit` characters.

    >>> one_line("a\nb\x1b[31m")
    'a b [31m'
    """
    clean = "".join(c if c.isprintable() else " " for c in text)
    flat = " ".join(clean.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def nearest(name: str, choices: Iterable[str]) -> str:
    """Say which of `choices` the user may have meant, or list them.

    >>> nearest("subjct", ["subject", "object"])
    "did you mean 'subject'?"
    >>> nearest("zzz", ["subject", "object"])
    'known: object, subject'
    """
    known = sorted(set(choices))
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"known: {', '.join(known[:30])}" if known else "there are none"
