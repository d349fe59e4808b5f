"""False-premise questions by editing true triples in six graded ways (KG-FPQ).

```
python -m generators.fpq --domain art
python -m generators.fpq --domain people --n 200 --store ./wd --out people.jsonl.gz
```
"""

from __future__ import annotations

from generators.fpq.edits import EDITS, Edits
from generators.fpq.facts import Sample, draw_facts
from generators.fpq.make import Direction, EngineName, HopOrder, Options, Result, Sampling, generate, select_edits
from generators.fpq.own_edits import OwnEdit, open_edit
from generators.fpq.writer import Writer, open_writer

__all__ = [
    "EDITS",
    "Direction",
    "Edits",
    "EngineName",
    "HopOrder",
    "Options",
    "OwnEdit",
    "Result",
    "Sample",
    "Sampling",
    "Writer",
    "draw_facts",
    "generate",
    "open_edit",
    "open_writer",
    "select_edits",
]
