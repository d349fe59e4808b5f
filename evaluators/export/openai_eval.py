"""Items as an eval of OpenAI's `evals`, scored by the verifier.

```
oaieval SOME-MODEL kgprobe-NAME --registry_path FOLDER
```

FOLDER is what `kgprobe export --to openai-evals` wrote; its registry entry names `Verdicts`. Only this module needs the package
(`pip install kgprobe[openai-evals]`).
"""

from __future__ import annotations

from random import Random
from typing import Any

import evals
import evals.record

from evaluators.export.scoring import points, score


class Verdicts(evals.Eval):
    """Ask each sample once and judge the answer as `kgprobe verify` does; what it leaves unscored counts in no accuracy."""

    def eval_sample(self, sample: dict[str, Any], rng: Random) -> None:
        """Ask a sample and record the verdict on what was said."""
        text = self.completion_fn(prompt=sample["input"]).get_completions()[0]
        ruling = score(sample["item"], text)
        value = points(ruling, unknowable=sample["item"].get("answer") is None)
        evals.record.record_match(
            value == 1,
            expected=sample["ideal"],
            picked=ruling.answer,
            sampled=text,
            item=sample["item"]["id"],
            outcome=ruling.outcome,
            reason=ruling.reason,
            scored=value is not None,
        )

    def run(self, recorder: Any) -> dict[str, float]:
        """Return accuracy over what was scored and the share of answers that do not know; not a number where there is none."""
        self.eval_all_samples(recorder, self.get_samples())
        told = [event.data for event in recorder.get_events("match")]
        return {
            "accuracy": _share([match["correct"] for match in told if match["scored"]]),
            "abstained": _share([match["outcome"] == "abstained" for match in told]),
        }


def _share(marks: list[bool]) -> float:
    return sum(marks) / len(marks) if marks else float("nan")
