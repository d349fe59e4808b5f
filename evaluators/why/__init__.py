"""Why: a question, its answer, what the graph says, what a model answered, and how that was judged.

```
kgprobe why fpq.capital.yes_no.tpq.0123456789abcdef --items items.jsonl
kgprobe why 0123456789abcdef --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl
```
"""

from evaluators.why.story import Answered, answers_to, item_called, story

__all__ = ["Answered", "answers_to", "item_called", "story"]
