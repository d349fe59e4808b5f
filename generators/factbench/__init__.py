"""Simple questions on single facts, valid, diverse and specific (FACT-BENCH).

```
python -m generators.factbench --n 200
python -m generators.factbench --store ./wd --train 5000 --train-out train.jsonl --out eval.jsonl
```
"""

from __future__ import annotations

from generators.factbench.make import Options, Result, generate
from generators.factbench.wordings import Wording, Wordings, load_wordings

__all__ = ["Options", "Result", "Wording", "Wordings", "generate", "load_wordings"]
