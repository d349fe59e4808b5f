"""Runs of other harnesses on exported items, in a process of their own.

```
python tests/support/harness_runs.py inspect FOLDER ANSWERS LOGS
```

ANSWERS is a JSON object of the answer to each item's id. What a harness counted is printed as one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def inspect_run(folder: str, answers: dict[str, str], logs: str) -> dict[str, Any]:
    """Run Inspect on a task folder, with a model that gives these answers."""
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from evaluators.export.inspect_task import task_of

    task = task_of(folder)
    samples: Any = task.dataset  # its messages are objects here, though an Inspect sample may hold a plain text
    asked = {str(sample.input[-1].text): str(sample.id) for sample in samples}

    def answer(messages: Any, *_: Any) -> Any:
        output = ModelOutput.from_content("mockllm/model", answers[asked[messages[-1].text]])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = evaluate(task, model=model, log_dir=logs, display="none")
    assert log.results is not None, log.error
    return {name: value.value for name, value in log.results.scores[0].metrics.items()} | {"log": log.location}


def lm_eval_run(folder: str, answers: dict[str, str], logs: str) -> dict[str, Any]:
    """Run the LM Evaluation Harness on a task folder, with a model that gives these answers."""
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Scripted(LM):
        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            return [answers[request.doc["id"]] for request in requests]

        def loglikelihood(self, requests: Any, **_: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any, **_: Any) -> Any:
            raise NotImplementedError

    (task,) = (path.stem for path in Path(folder).glob("*.yaml"))
    manager = TaskManager(include_path=folder, include_defaults=False)
    found = lm_eval.simple_evaluate(Scripted(), tasks=[task], task_manager=manager, log_samples=True, bootstrap_iters=0)
    samples = Path(logs) / f"samples_{task}.jsonl"
    samples.write_text("".join(json.dumps(sample, default=str) + "\n" for sample in found["samples"][task]))
    counted = {name.split(",")[0]: value for name, value in found["results"][task].items()}
    return {name: counted[name] for name in ("correct", "abstained")} | {"log": str(samples)}


def openai_run(folder: str, answers: dict[str, str], logs: str) -> dict[str, Any]:
    """Run OpenAI's `evals` on the entry of a registry folder, with a model that gives these answers."""
    os.environ.setdefault("OPENAI_API_KEY", "none")  # the package makes a client as it is imported, and asks it nothing here
    from evals.base import RunSpec
    from evals.record import LocalRecorder
    from evals.registry import Registry

    asked = {row["input"][-1]["content"]: row["item"]["id"] for row in _samples(folder)}

    class Told:
        def __init__(self, text: str) -> None:
            self.text = text

        def get_completions(self) -> list[str]:
            return [self.text]

    class Scripted:
        def __call__(self, prompt: Any, **_: Any) -> Told:
            return Told(answers[asked[prompt[-1]["content"]]])

    (entry,) = Path(folder).glob("evals/*.yaml")
    registry = Registry([folder])
    spec = registry.get_eval(entry.stem)
    task = registry.get_class(spec)([Scripted()], eval_registry_path=spec.registry_path, name=spec.key, registry=registry)
    run = RunSpec([], spec.key, entry.stem, "test", {}, "test")
    return dict(task.run(LocalRecorder(f"{logs}/evals.jsonl", run)))


def _samples(folder: str) -> list[Any]:
    (path,) = Path(folder).glob("data/*/samples.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


if __name__ == "__main__":
    harness, folder, answers, logs = sys.argv[1:]
    run = {"inspect": inspect_run, "lm-eval": lm_eval_run, "openai-evals": openai_run}[harness]
    print(json.dumps(run(folder, json.loads(Path(answers).read_text()), logs)))
