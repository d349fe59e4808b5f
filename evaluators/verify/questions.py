"""The questions of a file of items, read on all processors and kept packed, so that hundreds of thousands fit into memory.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -c 'from evaluators.verify.questions import read_questions; print(len(read_questions("items.jsonl")))'
```
"""

from __future__ import annotations

import functools
import json
import marshal
from array import array
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic import ValidationError

from evaluators.lines import Block, blocks_once, lines_in
from evaluators.pool import spread, uncollected
from evaluators.verify.question import Question, parts_of, question_from
from queries.records import RecordError, find_faults
from queries.records.fast import reader
from queries.records.item import Item

__all__ = ["Questions", "read_questions"]

_ITEM = reader(Item)


class Read(NamedTuple):
    """Items that were read: their lines, their ids, and their questions, packed."""

    lines: list[int]
    items: list[str]
    questions: list[bytes]


class Questions(Mapping[str, Question]):
    """Questions by the id of their item.

    >>> questions = Questions()
    >>> questions.add(Read([1], ["a"], [marshal.dumps(Question("Is it?", expected=("yes",))[:])]))
    >>> questions["a"].expected, len(questions)
    (('yes',), 1)
    """

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}
        self._lines = array("Q")

    def add(self, read: Read) -> None:
        """Add questions whose ids are new."""
        self._packed.update(zip(read.items, read.questions, strict=True))
        self._lines.extend(read.lines)

    def repeated(self, read: Read) -> tuple[int, str, int] | None:
        """Return the first line whose id is not new, the id, and the line that has it already."""
        if self._packed.keys().isdisjoint(read.items) and len(set(read.items)) == len(read.items):
            return None
        first = dict(zip(self._packed, self._lines, strict=True))
        known = ((line, item, first.setdefault(item, line)) for line, item in zip(read.lines, read.items, strict=True))
        return next((line, item, before) for line, item, before in known if before != line)

    def __getitem__(self, item: str) -> Question:
        """Unpack a question."""
        return question_from(marshal.loads(self._packed[item]))

    def __iter__(self) -> Iterator[str]:
        """Walk the ids, in the order of the file."""
        return iter(self._packed)

    def __len__(self) -> int:
        """Tell how many there are."""
        return len(self._packed)


def read_questions(path: str) -> Questions:
    """Read what the judges need of each item.

    Raises RecordError with file, line and field where a line is no item or repeats another one's id, or where there is none.
    """
    questions = Questions()
    with uncollected():
        for _, read in spread(functools.partial(_read, path=path), blocks_once(path)):
            if repeated := questions.repeated(read):
                line, item, first = repeated
                problem = f"id {json.dumps(item)} stands already in line {first}"
                raise RecordError(problem, place=f"{path}:{line}", way_out="keep one of the two lines")
            questions.add(read)
    if not questions:
        raise RecordError("holds no item", place=path, way_out="name the file that the step before wrote")
    return questions


def _read(block: Block, *, path: str) -> Read:
    read = Read([], [], [])
    for number, line in lines_in(block):  # one after the other: so many items at once would leave the processor's cache
        item = _item(number, line, path)
        read.lines.append(number)
        read.items.append(item.id)
        read.questions.append(_packed(item))
    return read


def _packed(item: Item) -> bytes:
    """Pack a question into bytes that this very run of Python reads again."""
    text, task, *others = parts_of(item)
    # Where there is a parent and no answer the truth is another answer; the metric of its method compares the two.
    asked = "" if item.parent is not None and item.answer is None else task
    return marshal.dumps((text, asked, *others))


def _item(number: int, line: bytes, path: str) -> Item:
    try:
        return _ITEM(line)
    except ValidationError:
        raise find_faults(Item, line)[0].error(f"{path}:{number}") from None
