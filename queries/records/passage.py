"""Background on a fact, to be shown beside its questions: one line of `passages.jsonl`."""

from __future__ import annotations

from typing import ClassVar, Literal

from queries.records.record import Name, Open, Record

PASSAGE_SCHEMA: Literal["kgprobe.passage/1"] = "kgprobe.passage/1"


class Passage(Record, frozen=True, kw_only=True):
    """A text for the items of a group; a group may have several, shown in the order of the file."""

    KEY: ClassVar[tuple[str, ...]] = ("group", "text")

    schema: Literal["kgprobe.passage/1"]
    group: Name
    text: Name
    source: Open = {}
