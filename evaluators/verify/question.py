"""What a judge needs of an item, and the questions of a whole file, packed so that hundreds of thousands fit into memory."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from evaluators.pool import spread
from evaluators.verify.reading.cued import HoldingPattern
from queries.records import Block, Item, blocks, decode
from queries.records.io import unrepeated
from queries.records.item import Premise


class Given(NamedTuple):
    """A value that the question states; `claim` where it merely claims it."""

    slot: str
    value: str
    claim: bool = False


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
    """A question and what is accepted as its answer; `expected` is null where nobody knows.

    `task` is empty where the truth is another answer, which the metric of the item's method compares: no rules judge that.
    """

    text: str
    task: str = "yes_no"
    expected: tuple[str, ...] | None = None
    options: tuple[str, ...] = ()
    type: str | None = None
    unit: str | None = None
    precision: str | None = None
    given: tuple[Given, ...] = ()
    rationale: tuple[Entry, ...] = ()
    premise: Premised | None = None
    context: str | None = None
    group: str = ""


def steps_of(question: Question) -> tuple[str, ...]:
    """Return what a right explanation names on the way to the answer, and is none ("Where did the author of Emma die?").

    >>> steps_of(Question("", "open", ("Winchester",), rationale=(Entry("author", "Jane Austen"), Entry("died", "Winchester"))))
    ('Jane Austen',)
    """
    named = [(entry.value, *entry.aliases) for entry in question.rationale]
    return tuple([said for names in named if {*names}.isdisjoint(question.expected or ()) for said in names])


_SIDED = frozenset({"yes_no", "probe", "premise"})
"""Tasks whose answer is one of two words."""


def accepted(task: str, answer: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the accepted answers of an item; the yes or no of a foreign item may be written "Yes", "NO" or "yes ".

    >>> accepted("yes_no", ["No"]), accepted("open", ["Oslo"]), accepted("open", None)
    (('no',), ('Oslo',), None)
    """
    if not answer:
        return None
    return tuple([text.strip().lower() for text in answer]) if task in _SIDED else tuple(answer)


def without_orders(question: Question) -> Question:
    """Return a yes-no question or probe without orders on how to answer it: their "no" denies nothing that it asks.

    >>> without_orders(Question("Was he born in Ulm? Answer yes or no.")).text
    'Was he born in Ulm?'
    >>> without_orders(Question("Please answer with yes or no: was he born in Ulm?")).text
    'was he born in Ulm?'
    >>> without_orders(Question("Did he write No? Did he write Yes, or No Way?")).text
    'Did he write No? Did he write Yes, or No Way?'
    """
    if question.task not in ("yes_no", "probe"):
        return question
    text = _plain_question(question.text)
    return question if text == question.text else question._replace(text=text)


def _plain_question(text: str) -> str:
    asked = text.find("?") + 1
    ended = _ORDER_BEHIND.search(text) if 0 < asked < len(text) else None  # most questions end with what they ask
    begun = _ORDER_BEFORE.match(text)
    return text[begun.end() if begun else 0 : ended.start() + 1 if ended else len(text)] or text


_ORDERS = r"(?:answer|respond|reply|say|state|tell|write|output|return|give|explain|justify|use|choose|start|begin)\b"
_COURTESY = r"(?:(?:please|just|simply|only|then|and|also)\b[, ]*)*"
# It begins with a question mark, which is quick to look for.
_ORDER_BEHIND = re.compile(
    rf"\?\s*[(\[]?\s*(?:(?:{_COURTESY}{_ORDERS}[^?]*)|(?:yes|true) ?(?:/|,|or|,? or)? ?(?:no|false)\W*)\Z", re.IGNORECASE
)
_ORDER_BEFORE = HoldingPattern(
    rf"\W*{_COURTESY}(?:answer|respond|reply)\b[^.:?\n]*\b(?:yes|true)\b[^.:?\n]*[.:\n]\s*(?=\w)|\W*yes or no\s*[:?,]\s*(?=\w)",
    ["yes", "true"],
)


def question_of(item: Item) -> Question:
    """Keep of an item what its judge reads."""
    return Question(
        item.question,
        "" if item.parent is not None and item.answer is None else item.task,
        accepted(item.task, item.answer),
        tuple(item.options or ()),
        item.answer_type,
        item.unit,
        item.precision,
        tuple([Given(given.slot, given.value, bool(given.claim)) for given in item.given]),
        tuple([Entry(e.slot, e.value, tuple(e.aliases), e.type, e.unit, e.precision) for e in item.rationale]),
        None if item.premise is None else _premise(item.premise),
        item.context if item.task == "context" else None,
        item.group,
    )


def _premise(premise: Premise) -> Premised:
    true_objects = tuple([Object(true.label, tuple(true.aliases)) for true in premise.true_objects])
    return Premised(premise.subject.label, premise.relation.label, premise.object.label, true_objects)


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Question).decode


class Questions(Mapping[str, Question]):
    """Questions by the id of their item; each is a few hundred bytes until it is looked at.

    >>> questions = Questions({"a": _pack(Question("Is it?", expected=("yes",)))})
    >>> questions["a"].expected, len(questions)
    (('yes',), 1)
    """

    def __init__(self, packed: dict[str, bytes]) -> None:
        self._packed = packed

    def __getitem__(self, item: str) -> Question:
        """Unpack a question."""
        return _unpack(self._packed[item])

    def __iter__(self) -> Iterator[str]:
        """Walk the ids, in the order of the file."""
        return iter(self._packed)

    def __len__(self) -> int:
        """Tell how many there are."""
        return len(self._packed)


def read_questions(path: str) -> Questions:
    """Read what the judges need of each item, on all processors.

    Raises RecordError with file, line and field where a line is no item or repeats another one's id, or where there is none.
    """
    packed: dict[str, bytes] = {}
    for _, piece in unrepeated(spread(functools.partial(_read, path=path), blocks(path)), Item, path):
        packed.update(piece.questions)
    return Questions(packed)


class _Piece(NamedTuple):
    """The items of a block: their lines, the hashes of their keys, and their packed questions by id."""

    lines: list[int]
    keys: list[int]
    questions: dict[str, bytes]


def _read(block: Block, *, path: str) -> _Piece:
    piece = _Piece([], [], {})
    for line in block.lines():  # one after the other: so many items at once would leave the processor's cache
        item = decode(line, Item, path)
        piece.lines.append(line.number)
        piece.keys.append(hash(item.key()))
        piece.questions[item.id] = _pack(question_of(item))
    return piece
