"""Facts turned into questions: a folder for each method, and what they share.

```
python -m generators
python -m generators fpq --domain art --n 20
```

`generators.fpq`, `generators.family` and `generators.erbench` each offer what a notebook needs; the names here are those that
a generator of one's own is made with (README.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from generators.graph_columns import GraphColumns
    from generators.items import (
        assemble,
        bound,
        family_of,
        listed,
        proved,
        short_hash,
        short_hashes,
        source_of,
        stated,
        write_items,
    )

__all__ = [
    "GraphColumns", "assemble", "bound", "family_of", "listed", "proved", "short_hash", "short_hashes", "source_of", "stated",
    "write_items",
]  # fmt: skip

__getattr__ = imported_late(
    "generators",
    {
        "generators.graph_columns": ("GraphColumns",),
        "generators.items": (
            "assemble", "bound", "family_of", "listed", "proved", "short_hash", "short_hashes", "source_of", "stated",
            "write_items",
        ),
    },
)  # fmt: skip
