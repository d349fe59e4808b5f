"""Models asked, answers judged, results reported.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from evaluators.ask import AskOptions, Tally, ask_all, ask_items, preset, presets, show_prompts
    from evaluators.errors import JoinError, ModelError, PromptError
    from evaluators.metrics import tables
    from evaluators.models import Decoding, Message, Model, Reply, Request, open_model, replies
    from evaluators.prompts import open_setting, prompt_hash, settings
    from evaluators.report import measure
    from evaluators.verify.stream import judge_answers, verdicts

__all__ = [
    "AskOptions", "Decoding", "JoinError", "Message", "Model", "ModelError", "PromptError", "Reply", "Request", "Tally",
    "ask_all", "ask_items", "judge_answers", "measure", "open_model", "open_setting", "preset", "presets", "prompt_hash",
    "replies", "settings", "show_prompts", "tables", "verdicts",
]  # fmt: skip

__getattr__ = imported_late(
    "evaluators",
    {
        "evaluators.ask": ("AskOptions", "Tally", "ask_all", "ask_items", "preset", "presets", "show_prompts"),
        "evaluators.errors": ("JoinError", "ModelError", "PromptError"),
        "evaluators.metrics": ("tables",),
        "evaluators.models": ("Decoding", "Message", "Model", "Reply", "Request", "open_model", "replies"),
        "evaluators.prompts": ("open_setting", "prompt_hash", "settings"),
        "evaluators.report": ("measure",),
        "evaluators.verify.stream": ("judge_answers", "verdicts"),
    },
)
