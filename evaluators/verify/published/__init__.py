"""The rules that a paper used, for comparison with its numbers.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out verdicts.jsonl
```

One module for each paper, named after it; its rules judge `yes_no` and `choice` and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from evaluators.verify.published.erbench import erbench
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling

__all__ = ["PUBLISHED"]

PUBLISHED: dict[str, Callable[[str, Question], Ruling]] = {"erbench": erbench}
"""Each paper's rules by name."""
