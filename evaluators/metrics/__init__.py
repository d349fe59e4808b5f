"""Metrics: one module for each paper, each with its formulas and what an outcome counts as.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import evaluators.metrics.fpq; help(evaluators.metrics.fpq)'
```
"""

from __future__ import annotations

from evaluators.metrics.fpq import fpq_metrics

__all__ = ["fpq_metrics"]
