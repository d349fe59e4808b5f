"""What changed between two graphs: facts that came and went, and the items that rest on them.

```
kgprobe diff ./old ./new --items items.jsonl
kgprobe diff ./wd --with fixes.ttl --without wrong.ttl --items items.jsonl
```
"""

from queries.diff.facts import FactChanges, fact_changes
from queries.diff.items import ItemChanges, item_changes

__all__ = ["FactChanges", "ItemChanges", "fact_changes", "item_changes"]
