"""Bundles: items with the part of their graph that proves them, in one file that needs no store.

```
kgprobe bundle fpq-art.jsonl --out fpq-art.kgprobe
kgprobe audit fpq-art.kgprobe
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from queries.bundle.making import Bundled, bundle_items
    from queries.bundle.part import Part, part_of

__all__ = ["Bundled", "Part", "bundle_items", "part_of"]

__getattr__ = imported_late(
    "queries.bundle",
    {"queries.bundle.making": ("Bundled", "bundle_items"), "queries.bundle.part": ("Part", "part_of")},
)
