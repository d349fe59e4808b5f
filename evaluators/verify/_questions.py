"""The questions of a file of items, read on all processors and kept packed, so that hundreds of thousands fit into memory.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -c 'from evaluators.verify._questions import read_questions; print(len(read_questions("items.jsonl")))'
```
"""

from __future__ import annotations

import functools
import json
import marshal
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from pydantic import ValidationError

from evaluators._lines import lines_once
from evaluators._pool import spread, uncollected
from evaluators.verify.question import Entry, Object, Premised, Question, question_of
from queries.item import Item
from queries.records import RecordError, find_faults

__all__ = ["Lines", "Questions", "pieces", "read_questions"]

Lines = list[tuple[int, bytes]]
"""Lines of a file that are not blank, with their numbers."""

_PIECE = 1000
"""Lines that are worked on together."""


class Questions(Mapping[str, Question]):
    """Questions by the id of their item.

    >>> questions = Questions()
    >>> questions.add("a", packed(Question("Is it?", expected=("yes",))))
    >>> questions["a"].expected, len(questions)
    (('yes',), 1)
    """

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}

    def add(self, item: str, question: bytes) -> None:
        """Add a packed question."""
        self._packed[item] = question

    def __getitem__(self, item: str) -> Question:
        """Unpack a question."""
        return _unpacked(self._packed[item])

    def __iter__(self) -> Iterator[str]:
        """Walk the ids, in the order of the file."""
        return iter(self._packed)

    def __len__(self) -> int:
        """Tell how many there are."""
        return len(self._packed)


def packed(question: Question) -> bytes:
    """Pack a question into bytes that this very run of Python reads again."""
    *plain, rationale, premise, context = question
    fact = premise and [*premise[:-1], [[*thing] for thing in premise.true_objects]]
    return marshal.dumps([*plain, [[*entry] for entry in rationale], fact, context])


def _unpacked(question: bytes) -> Question:
    *plain, rationale, fact, context = marshal.loads(question)
    entries = tuple([Entry(*entry) for entry in rationale])
    return Question._make((*plain, entries, fact and _fact(*fact), context))


def _fact(subject: str, relation: str, thing: str, true_objects: list[Any]) -> Premised:
    return Premised(subject, relation, thing, tuple([Object(*true) for true in true_objects]))


def pieces(lines: Iterable[tuple[int, bytes]]) -> Iterator[Lines]:
    """Cut a file into pieces of some lines each."""
    stream = iter(lines)
    while piece := list(islice(stream, _PIECE)):
        yield piece


def read_questions(path: str) -> Questions:
    """Read what the judges need of each item.

    Raises RecordError with file, line and field where a line is no item or repeats another one's id, or where there is none.
    """
    questions, first = Questions(), dict[str, int]()
    with uncollected():
        for _, found in spread(functools.partial(_read, path=path), pieces(lines_once(path))):
            for number, item, question in found:
                if first.setdefault(item, number) != number:
                    problem = f"id {json.dumps(item)} stands already in line {first[item]}"
                    raise RecordError(problem, place=f"{path}:{number}", way_out="keep one of the two lines")
                questions.add(item, question)
    if not questions:
        raise RecordError("holds no item", place=path, way_out="name the file that the step before wrote")
    return questions


def _read(lines: Lines, *, path: str) -> list[tuple[int, str, bytes]]:
    found = []
    for number, line in lines:
        item = _item(line, f"{path}:{number}")
        question = question_of(item)
        # Where there is a parent and no answer the truth is another answer; the metric of its method compares the two.
        compared = item.parent is not None and item.answer is None
        found.append((number, item.id, packed(question._replace(task="") if compared else question)))
    return found


def _item(line: bytes, place: str) -> Item:
    try:
        return Item.model_validate_json(line)
    except ValidationError:
        raise find_faults(Item, line)[0].error(place) from None
