"""Answers held against a graph: what they claim, and whether the graph states it, contradicts it, or says nothing of it.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --store ./wd --ground --out verdicts.jsonl
python -m evaluators.report --items items.jsonl --responses r.jsonl --verdicts v.jsonl --claims v.claims.jsonl --out report/
```

`wordings` makes patterns of the questions that ask about a relation, `names` finds what a text names, `reading` the claims
that it makes, `facts` says how they stand, `stale` which items the graph says more of, and `ground` puts it together for
`verify`; `extraction` lets a model read more claims.
"""

from __future__ import annotations

from evaluators.grounding.facts import Facts, Judged, Reading
from evaluators.grounding.ground import Grounding, judged_together, standing_of
from evaluators.grounding.reading import Claim, Reader
from evaluators.grounding.wordings import Pattern, Wordings

__all__ = [
    "Claim",
    "Facts",
    "Grounding",
    "Judged",
    "Pattern",
    "Reader",
    "Reading",
    "Wordings",
    "judged_together",
    "standing_of",
]
