"""Queries that a stranger wrote, such as a model: they only read, and are cut at a limit of time, rows and memory.

```
python -m evaluators.ask items.jsonl --model openai:some-model --tools sparql --store ./wd --out responses.jsonl
python -c 'from queries.sandbox import Sandbox; print(Sandbox().look_up("ASK { ?film a <film> }").truth)'
```

No query can be cancelled while it runs. So queries run in processes of their own, each of which is ended where one takes too
long or too much memory; the next query gets another one.
"""

from queries.sandbox.reading import check_reads
from queries.sandbox.sandbox import PASSED, Limits, Sandbox

__all__ = ["PASSED", "Limits", "Sandbox", "check_reads"]
