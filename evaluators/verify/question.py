"""What a judge needs of an item: one small tuple, so that hundreds of thousands fit into memory.

```
python -c 'from evaluators.verify.question import Question; print(Question("Is it so?", expected=("yes",)))'
```
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from queries.records.item import Item, Premise

__all__ = ["Entry", "Object", "Premised", "Question", "parts_of", "question_from", "question_of"]


class Entry(NamedTuple):
    """A value that a right explanation names."""

    slot: str
    value: str
    aliases: tuple[str, ...] = ()
    type: str | None = None
    unit: str | None = None
    precision: str | None = None


class Object(NamedTuple):
    """An object of a premise: its name and its other names."""

    label: str
    aliases: tuple[str, ...] = ()


class Premised(NamedTuple):
    """The fact that a question takes for granted."""

    subject: str
    relation: str
    object: str
    true_objects: tuple[Object, ...] = ()


class Question(NamedTuple):
    """A question and what is accepted as its answer; `expected` is null where nobody knows."""

    text: str
    task: str = "yes_no"
    expected: tuple[str, ...] | None = None
    options: tuple[str, ...] = ()
    type: str | None = None
    unit: str | None = None
    precision: str | None = None
    given: tuple[tuple[str, str], ...] = ()
    rationale: tuple[Entry, ...] = ()
    premise: Premised | None = None
    context: str | None = None


def question_of(item: Item) -> Question:
    """Keep of an item what its judge reads."""
    return question_from(parts_of(item))


def parts_of(item: Item) -> tuple[Any, ...]:
    """Return the same as plain tuples, in the order of a question's fields."""
    rationale = [(e.slot, e.value, tuple(e.aliases), e.type, e.unit, e.precision) for e in item.rationale]
    return (
        item.question, item.task, None if item.answer is None else tuple(item.answer), tuple(item.options or ()),
        item.answer_type, item.unit, item.precision, tuple([(given.slot, given.value) for given in item.given]),
        tuple(rationale), None if item.premise is None else _premise(item.premise),
        item.context if item.task == "context" else None,
    )  # fmt: skip


def _premise(premise: Premise) -> tuple[Any, ...]:
    true_objects = tuple([(o.label, tuple(o.aliases)) for o in premise.true_objects])
    return premise.subject.label, premise.relation.label, premise.object.label, true_objects


def question_from(parts: tuple[Any, ...]) -> Question:
    """Make a question of what `parts_of` returned."""
    text, task, expected, options, kind, unit, precision, given, rationale, fact, context = parts
    entries = tuple([Entry._make(entry) for entry in rationale])
    premise = None if fact is None else _premised(*fact)
    return Question(text, task, expected, options, kind, unit, precision, given, entries, premise, context)


def _premised(subject: str, relation: str, thing: str, true_objects: Iterable[Iterable[Any]]) -> Premised:
    return Premised(subject, relation, thing, tuple([Object._make(true) for true in true_objects]))
