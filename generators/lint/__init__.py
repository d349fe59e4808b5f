"""A linter for questions of any generator: what is wrong with each, by rules that a reader can check.

```
python -m generators.lint items.jsonl
python -m generators.lint items.jsonl --show 5 --at-least 0.95
```

>>> from generators.lint import lint_items
>>> [finding.rule for finding in lint_items([]).findings]
[]
"""

from __future__ import annotations

from generators.lint.linting import Finding, Report, lint_file, lint_items
from generators.lint.rules import RULES, Rule

__all__ = ["RULES", "Finding", "Report", "Rule", "lint_file", "lint_items"]
