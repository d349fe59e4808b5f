"""Items for other harnesses, each with its prompt, and a scorer that is our verifier.

```
python -m evaluators.export items.jsonl --to inspect --out fpq-inspect
inspect eval fpq-inspect/task.py --model openai/SOME-MODEL
```
"""

from __future__ import annotations

from evaluators.export.samples import Sample, read_samples
from evaluators.export.scoring import score

__all__ = ["Sample", "read_samples", "score"]
