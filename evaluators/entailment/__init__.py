"""Entailment: does an answer, put after its question, say what an accepted answer says?

```
python -m evaluators.entailment --items items.jsonl --responses responses.jsonl --lexical --out entailed.jsonl
python -m evaluators.entailment --items i.jsonl --responses r.jsonl --nli cross-encoder/nli-deberta-v3-base --out entailed.jsonl
```

AutoDebug (section 3.1) counts an answer as right where "question + output" entails "question + answer". Three ways to tell:
a cross-encoder for natural language inference (`nli`, as published), a judge model (`judge`), and a comparison of words
(`lexical`), which needs nothing and knows little.

One line of the file for each answer to an item with accepted answers (tasks `open` and `context`): `{"schema":
"kgprobe.entailment/1", "item": "x", "model": "m", "sample": 0, "score": 0.93, "entailed": true, "method": "lexical/1"}`.
`score` is a probability, `entailed` whether it reaches the threshold; both are null where a judge did not say.
"""

from __future__ import annotations

from evaluators.entailment.answers import Entailed, Entailment, entailed_answers, read_entailed
from evaluators.entailment.lexical import Lexical

__all__ = ["Entailed", "Entailment", "Lexical", "entailed_answers", "read_entailed"]
