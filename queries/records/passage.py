"""Background on a fact, to be shown beside its questions: one line of `passages.jsonl`.

```
python -m queries.records schema passage
python -m queries.records check passages.jsonl
```
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from queries.records.record import Name, Open, Record

__all__ = ["PASSAGE_SCHEMA", "Passage"]

PASSAGE_SCHEMA: Literal["kgprobe.passage/1"] = "kgprobe.passage/1"


class Passage(Record):
    """A text for the items of a group; a group may have several, shown in the order of the file."""

    KEY: ClassVar[tuple[str, ...]] = ("group", "text")

    version: Literal["kgprobe.passage/1"] = Field(alias="schema")
    group: Name
    text: Name
    source: Open = Field(default_factory=dict)
