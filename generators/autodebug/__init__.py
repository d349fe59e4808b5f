"""Evidence under attack (AutoDebug): passages written from facts, with the answer swapped and with more around it.

```
python -m generators.autodebug --n 100
python -m generators.autodebug --n 100 --attack swap --store ./wd --out attacks.jsonl
```
"""

from __future__ import annotations

from generators.autodebug.compose import Dials, Length, Place
from generators.autodebug.enrich import Added, Closeness, EnrichDials
from generators.autodebug.make import Attack, Options, Result, generate
from generators.autodebug.swap import Distance, Popularity, SwapDials

__all__ = [
    "Added",
    "Attack",
    "Closeness",
    "Dials",
    "Distance",
    "EnrichDials",
    "Length",
    "Options",
    "Place",
    "Popularity",
    "Result",
    "SwapDials",
    "generate",
]
