"""Templates: SPARQL files with front matter, bound to values and never pasted together.

```
python -m queries check my-family.rq
python -m queries run khop --param 's=<country/id=austria>' --param radius=1
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from queries.templates.front import Choice, Claim, Explained, Front, Parameter
    from queries.templates.lexer import Token, tokens
    from queries.templates.library import find, find_version, kinds, names, new_family, versioned
    from queries.templates.render import proof_query, proofs_text
    from queries.templates.shape import Shape, read_shape
    from queries.templates.template import Placed, Row, Rows, Template, inline, load, parse
    from queries.templates.terms import Term

__all__ = [
    "Choice", "Claim", "Explained", "Front", "Parameter", "Placed", "Row", "Rows", "Shape", "Template", "Term", "Token",
    "find", "find_version", "inline", "kinds", "load", "names", "new_family", "parse", "proof_query", "proofs_text",
    "read_shape", "tokens", "versioned",
]  # fmt: skip

__getattr__ = imported_late(
    "queries.templates",
    {
        "queries.templates.front": ("Choice", "Claim", "Explained", "Front", "Parameter"),
        "queries.templates.lexer": ("Token", "tokens"),
        "queries.templates.library": ("find", "find_version", "kinds", "names", "new_family", "versioned"),
        "queries.templates.render": ("proof_query", "proofs_text"),
        "queries.templates.shape": ("Shape", "read_shape"),
        "queries.templates.template": ("Placed", "Row", "Rows", "Template", "inline", "load", "parse"),
        "queries.templates.terms": ("Term",),
    },
)
