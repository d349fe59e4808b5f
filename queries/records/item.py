"""A question with its accepted answers and the queries that prove them: one line of `items.jsonl`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta

from queries.records.faults import EDIT
from queries.records.record import Count, Id, Name, Open, Record, Text

Task = Literal["yes_no", "choice", "open", "premise", "context", "probe"]
AnswerType = Literal["entity", "date", "number", "string"]
Edit = Annotated[str, Meta(pattern=EDIT)]
"""How a premise was edited: one of the six edits of KG-FPQ, or a user's own by its name, which is in small letters."""

ITEM_SCHEMA: Literal["kgprobe.item/1"] = "kgprobe.item/1"
TASKS: tuple[Task, ...] = get_args(Task)
EDITS = ("NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR")
"""The edits of KG-FPQ."""

NO_LABELS = ',"path_labels":null}'
"""The end of a premise without the names of a path; it stands within no text, where quotation marks would have backslashes."""

_CLOSED_ANSWERS = {"yes_no": ("yes", "no"), "probe": ("yes", "no"), "premise": ("accept", "reject")}


class Given(Record, frozen=True, omit_defaults=True):
    """A value that the question states; `claim` is true where it merely claims it (a decade, a limit, a wrong object)."""

    slot: Name
    value: Text
    claim: bool | None = None


class RationaleEntry(Record, frozen=True):
    """A value that a right explanation names."""

    slot: Name
    value: Text
    aliases: list[Text] = []
    type: AnswerType | None = None
    unit: Text | None = None
    precision: Text | None = None


class Named(Record, frozen=True):
    """An entity or a relation, with the name the question uses."""

    iri: Name
    label: Text


class TrueObject(Named, frozen=True):
    """An object that makes the fact true, and its other names."""

    aliases: list[Text] = []


class Premise(Record, frozen=True):
    """The fact that a question takes for granted, true (`edit` is null) or edited: by one of the six, or by an own edit.

    `path_labels` are the names of what `path` runs over, in the same order; null in files of before they were there.
    """

    subject: Named
    relation: Named
    object: Named
    true_objects: list[TrueObject] = []
    edit: Edit | None = None
    hops: Annotated[int, Meta(ge=1, le=1000)] | None = None
    path: list[tuple[Text, Text, Text]] | None = None
    path_labels: list[tuple[Text, Text, Text]] | None = None


class Parent(Record, frozen=True):
    """The item, and the answer to it, that another item was made from."""

    item: Id
    model: Text | None = None
    sample: Count | None = None


class Binding(Record, frozen=True):
    """A variable of a proof and its term as N-Triples writes it."""

    name: Name
    term: Name


class Proof(Record, frozen=True):
    """A query that proves the answer, and what it returns: `expect` for ASK, `rows` for SELECT."""

    query: Name
    bind: list[Binding] = []
    expect: bool | None = None
    rows: list[list[Text]] | None = None


class Item(Record, frozen=True, kw_only=True):
    """A question; fields that may be null or empty may also be left out."""

    KEY: ClassVar[tuple[str, ...]] = ("id",)

    schema: Literal["kgprobe.item/1"]
    id: Id
    method: Name
    family: Name
    task: Task
    variant: Name
    question: Name
    options: list[Text] | None = None
    answer: list[Text] | None = None
    answer_type: AnswerType | None = None
    unit: Text | None = None
    precision: Text | None = None
    given: list[Given] = []
    rationale: list[RationaleEntry] = []
    premise: Premise | None = None
    context: Text | None = None
    image: Text | None = None
    group: Name
    parent: Parent | None = None
    strata: Open = {}
    proof: list[Proof] = []
    source: Open = {}

    def line(self) -> str:
        """Return the record as one line of JSON; a premise without the names of a path has no field for them."""
        return super().line().replace(NO_LABELS, "}")

    def __post_init__(self) -> None:
        if self.task == "choice" and not self.options:
            raise ValueError("a choice needs 'options'")
        allowed = _allowed_answers(self)
        if allowed is not None and self.answer and (len(self.answer) > 1 or self.answer[0] not in allowed):
            known = " or ".join(f'["{answer}"]' for answer in allowed[:3])
            raise ValueError(f"'answer' of task {self.task} must be {known}{', ...' if len(allowed) > 3 else ''}")


def _allowed_answers(item: Item) -> tuple[str, ...] | None:
    if item.task == "choice":
        return tuple(str(n + 1) for n in range(len(item.options or ())))
    return _CLOSED_ANSWERS.get(item.task)
