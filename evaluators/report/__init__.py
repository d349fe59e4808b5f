"""The report: what the verdicts amount to, as a page for people and as numbers for programs.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import json; print(json.load(open("report/metrics.json"))["tables"].keys())'
```
"""

from __future__ import annotations

from evaluators.report.build import measure, write_report
from evaluators.report.document import METRICS_SCHEMA
from evaluators.report.read import RunFiles

__all__ = ["METRICS_SCHEMA", "RunFiles", "measure", "write_report"]
