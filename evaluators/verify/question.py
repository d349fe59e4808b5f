"""What a judge needs of an item: one small tuple, so that hundreds of thousands fit into memory.

```
python -c 'from evaluators.verify.question import Question; print(Question("Is it so?", expected=("yes",)))'
```
"""

from __future__ import annotations

from typing import NamedTuple

from queries.item import Item

__all__ = ["Entry", "Object", "Premised", "Question", "question_of"]


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
    return Question(
        text=item.question,
        task=item.task,
        expected=None if item.answer is None else tuple(item.answer),
        options=tuple(item.options or ()),
        type=item.answer_type,
        unit=item.unit,
        precision=item.precision,
        given=tuple([(given.slot, given.value) for given in item.given]),
        rationale=tuple([Entry(e.slot, e.value, tuple(e.aliases), e.type, e.unit, e.precision) for e in item.rationale]),
        premise=_premise(item),
        context=item.context if item.task == "context" else None,
    )


def _premise(item: Item) -> Premised | None:
    if item.premise is None:
        return None
    true_objects = tuple(Object(o.label, tuple(o.aliases)) for o in item.premise.true_objects)
    p = item.premise
    return Premised(p.subject.label, p.relation.label, p.object.label, true_objects)
