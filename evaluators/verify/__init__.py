"""Judge answers by rules: join items and responses, and say why for each.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --explain ITEM
```

What an answer says is read once (`reading.reply`), whatever the task. One module for each task has a function from a reply and
a question to a ruling: `yes_no` (and probes), `choice`,
`short_answer`, `premise`; explanations are judged by `rationale`, texts without an answer by `abstention`. What the rules are
not sure of at once gets a second opinion, fitted to answers whose truth is known (`opinion`). Nothing here calls a model, draws
by lot or learns as it goes: the same text gets the same verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from evaluators.verify.judges import JUDGES, RULES, Judge, judge_text, judges_of
    from evaluators.verify.published import PUBLISHED

__all__ = ["JUDGES", "PUBLISHED", "RULES", "Judge", "judge_text", "judges_of"]

__getattr__ = imported_late(
    "evaluators.verify",
    {
        "evaluators.verify.judges": ("JUDGES", "RULES", "Judge", "judge_text", "judges_of"),
        "evaluators.verify.published": ("PUBLISHED",),
    },
)
