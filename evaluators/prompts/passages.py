"""Passages beside a question: background on the fact that its group stands for.

```
python -m queries.records check passages.jsonl
python -m evaluators.ask items.jsonl --model replay:a.jsonl --setting knowledge --passages passages.jsonl --out - --dry-run
```
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluators.errors import PromptError
from queries.records import read_jsonl
from queries.records.passage import Passage

__all__ = ["Passages"]


class Passages:
    """The passages of a file by group."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._texts: dict[str, list[str]] = {}
        for passage in read_jsonl(path, Passage):
            self._texts.setdefault(passage.group, []).append(passage.text)

    def of(self, item: Mapping[str, Any]) -> list[str]:
        """Return the passages of an item's group, in the order of the file.

        Raises PromptError where there is none: asked without one, the item would be in another setting than the rest.
        """
        found = self._texts.get(item["group"])
        if not found:
            problem = f"holds no passage for group '{item['group']}' of item {item['id']}"
            raise PromptError(problem, place=self._path, way_out="add one, or ask only items that have one")
        return found
