"""SPARQL: templates that are bound and never pasted together, and the records that questions are kept in.

```
python -m queries list
python -m queries check my-family.rq
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from queries.errors import LexerError, TemplateError
    from queries.templates.library import find, find_version, names, versioned
    from queries.templates.render import proof_query
    from queries.templates.template import Template, inline, load, parse

__all__ = [
    "LexerError", "Template", "TemplateError", "find", "find_version", "inline", "load", "names", "parse",
    "proof_query", "versioned",
]  # fmt: skip

__getattr__ = imported_late(
    "queries",
    {
        "queries.errors": ("LexerError", "TemplateError"),
        "queries.templates.library": ("find", "find_version", "names", "versioned"),
        "queries.templates.render": ("proof_query",),
        "queries.templates.template": ("Template", "inline", "load", "parse"),
    },
)
