"""A demonstration: a question with the answer a model should imitate: one line of `exemplars.jsonl`."""

from __future__ import annotations

from typing import ClassVar, Literal

from queries.records.item import Task
from queries.records.record import Name, Open, Record, Text

EXEMPLAR_SCHEMA: Literal["kgprobe.exemplar/1"] = "kgprobe.exemplar/1"


class Exemplar(Record, frozen=True, kw_only=True):
    """A question and `text`, the demonstrated answer; `group` is the fact it tells, so that it is never shown to its own.

    Only `task`, `question` and `text` must be filled; `source.property` says which exemplars have answers of one kind.
    """

    KEY: ClassVar[tuple[str, ...]] = ("task", "question", "text")

    schema: Literal["kgprobe.exemplar/1"]
    task: Task
    variant: Name | None = None
    question: Name
    options: list[Text] | None = None
    context: Text | None = None
    text: Name
    group: Name | None = None
    source: Open = {}

    def __post_init__(self) -> None:
        if self.task == "choice" and not self.options:
            raise ValueError("a choice needs 'options'")
