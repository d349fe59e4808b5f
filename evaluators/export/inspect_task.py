"""Items as a task of Inspect (the UK AI Security Institute's `inspect_ai`), scored by the verifier.

```
inspect eval evaluators/items -T path=items.jsonl --model openai/SOME-MODEL
```

Inspect finds `evaluators/items` and the scorer `evaluators/verdict` by the entry point group `inspect_ai`. Only this module
needs the package (`pip install kgprobe[inspect]`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, accuracy, metric, scorer, stderr
from inspect_ai.solver import TaskState, generate

from evaluators.ask import AskOptions
from evaluators.export.samples import read_samples
from evaluators.export.scoring import points, score

_ROLES: dict[str, Any] = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


@task
def items(path: str, setting: str = "zero-shot", exemplars: str | None = None, limit: int | None = None) -> Task:
    """Ask the items of a file, put as a setting of KGProbe puts them."""
    options = AskOptions(path, setting=setting, exemplars=exemplars, limit=limit)
    samples = read_samples(options)
    return _task(Path(path).stem, [{"id": s.id, "input": s.turns(), "target": s.answers, "item": s.item} for s in samples])


def task_of(path: str | Path) -> Task:
    """Return the task of a folder that `kgprobe export --to inspect` made."""
    rows = [json.loads(line) for line in (Path(path) / "dataset.jsonl").read_text(encoding="utf-8").splitlines()]
    return _task(Path(path).resolve().name, rows)


def _task(name: str, rows: list[dict[str, Any]]) -> Task:
    samples = [
        InspectSample(
            id=row["id"],
            input=[_message(turn) for turn in row["input"]],
            target=row["target"],
            metadata={"item": row["item"], "group": row["item"]["group"]},
        )
        for row in rows
    ]
    return Task(dataset=MemoryDataset(samples, name=name), solver=generate(), scorer=verdict(), name=name)


def _message(turn: dict[str, str]) -> ChatMessage:
    message: ChatMessage = _ROLES[turn["role"]](content=turn["content"])
    return message


@metric
def abstained() -> Metric:
    """Return the share of answers that do not know."""

    def share(scores: list[SampleScore]) -> float:
        unsure = [s for s in scores if (s.score.metadata or {}).get("outcome") == "abstained"]
        return len(unsure) / max(len(scores), 1)

    return share


@scorer(metrics=[accuracy(), stderr(cluster="group"), abstained()])
def verdict() -> Scorer:
    """Judge answers as `kgprobe verify` does; what it leaves unscored counts in no metric."""

    async def judge(state: TaskState, target: Target) -> Score:
        item, text = state.metadata["item"], state.output.completion
        ruling = score(item, text)
        told: dict[str, Any] = {"outcome": ruling.outcome, "reason": ruling.reason, "confidence": ruling.confidence}
        told |= {"rationale": list(ruling.rationale)} if ruling.rationale else {}
        value = points(ruling, unknowable=item.get("answer") is None)
        if value is None:
            return Score.unscored(reason=ruling.reason, answer=text, metadata=told)
        explanation = " … ".join(text[slice(*span)] for span in ruling.spans)
        return Score(value=value, answer=ruling.answer, explanation=explanation or ruling.reason, metadata=told)

    return judge
