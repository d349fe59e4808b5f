"""Models as judges of what the rules leave open: premises, and short answers without an accepted one in them.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --judge MODEL --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --judge MODEL --judge-votes 3 --vote --out v.jsonl
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from evaluators.judge.left_open import What, chooser, left_open
    from evaluators.judge.panel import Case, Panel
    from evaluators.judge.prompt import JudgePrompt, elected, kinds, load, read_report

__all__ = [
    "Case", "JudgePrompt", "Panel", "What", "chooser", "elected", "kinds", "left_open", "load", "read_report",
]  # fmt: skip

__getattr__ = imported_late(
    "evaluators.judge",
    {
        "evaluators.judge.left_open": ("What", "chooser", "left_open"),
        "evaluators.judge.panel": ("Case", "Panel"),
        "evaluators.judge.prompt": ("JudgePrompt", "elected", "kinds", "load", "read_report"),
    },
)
