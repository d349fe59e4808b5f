"""Models asked, answers judged, results reported.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

from evaluators.errors import JoinError, ModelError, PromptError
from evaluators.metrics import fpq_metrics
from evaluators.models import Model, Reply, Request, open_model
from evaluators.prompts import prompt_text, settings
from evaluators.report import measure
from evaluators.runner import ask_all, requests
from evaluators.verify import judge, read_answers

__all__ = [
    "JoinError", "Model", "ModelError", "PromptError", "Reply", "Request", "ask_all", "fpq_metrics", "judge", "measure",
    "open_model", "prompt_text", "read_answers", "requests", "settings",
]  # fmt: skip
