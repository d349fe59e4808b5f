"""Ask a model the questions of a file of items.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting zero-shot --out responses.jsonl
python -m evaluators.ask items.jsonl --model openai:some-model --preset fpq --dry-run
```

Responses are appended and flushed one by one. The same command continues a run that was killed: what the file holds is
not asked again, except for failures that may pass.
"""

from __future__ import annotations

from evaluators.ask.asking import AskOptions, ask_items, ask_models, planned_requests, show_prompts
from evaluators.ask.gate import Gated, gate, gated
from evaluators.ask.presets import Preset, preset, presets
from evaluators.models.runs.run import Round, Tally, ask_all, ask_rounds

__all__ = [
    "AskOptions", "Gated", "Preset", "Round", "Tally", "ask_all", "ask_items", "ask_models", "ask_rounds", "gate", "gated",
    "planned_requests", "preset", "presets", "show_prompts",
]  # fmt: skip
