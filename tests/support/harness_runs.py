"""Runs of other harnesses on exported items, in a process of their own.

```
python tests/support/harness_runs.py inspect FOLDER ANSWERS LOGS
```

ANSWERS is a JSON object of the answer to each item's id. What a harness counted is printed as one JSON object.
"""

from __future__ import annotations

import json
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


if __name__ == "__main__":
    harness, folder, answers, logs = sys.argv[1:]
    run = {"inspect": inspect_run, "lm-eval": lm_eval_run}[harness]
    print(json.dumps(run(folder, json.loads(Path(answers).read_text()), logs)))
