"""Judge a file of responses piece by piece, on all processors, in the order of the file.

```
zcat responses.jsonl.gz | python -m evaluators.verify --items items.jsonl --responses - --out - | head -3
```

Only the questions stay in memory, and for each answer a key of a few bytes, so that a second answer under the same key is told.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, NamedTuple

import msgspec
from pydantic import ValidationError
from pydantic_core import to_json

from evaluators.errors import JoinError
from evaluators.lines import Block, Lines, blocks_once, lines_in, lines_once
from evaluators.pool import spread, uncollected
from evaluators.verify import Judge, judge_text
from evaluators.verify.question import Question
from evaluators.verify.reading.labels import Labels, Sought, WrongEntity
from evaluators.verify.reading.text import Span, Text
from evaluators.verify.ruling import Ruling
from queries.records import RecordError, find_faults
from queries.records.fast import reader
from queries.records.response import Response
from queries.records.verdict import VERDICT_SCHEMA

__all__ = [
    "Answer", "LeavesOpen", "Left", "Piece", "WrongNames", "answers_of", "judge_with", "judged", "response_lines",
]  # fmt: skip

_RESPONSE = reader(Response)


class Answer(NamedTuple):
    """A response: which line, to which item, by which model, which sample, and its text (null after an error)."""

    line: int
    item: str
    model: str
    sample: int
    text: str | None


class Left(NamedTuple):
    """An answer that the rules leave open: which verdict of its piece, for which kind of judge, and the answer."""

    verdict: int
    kind: str
    answer: Answer


class Piece(NamedTuple):
    """Judged answers: verdicts as JSON Lines, lines and hashes of keys, counts of outcomes, wrong entities, what is open."""

    verdicts: bytes
    lines: list[int]
    keys: list[int]
    outcomes: Counter[str]
    wrong: list[tuple[Answer, list[WrongEntity]]]
    left: list[Left]


LeavesOpen = Callable[[Question, str | None, Ruling], str | None]
"""Tells for which kind of judge a ruling leaves an answer open; null where the rules are sure."""


def response_lines(path: str, item: str) -> Lines:
    """Return the lines of a file that hold an item's id."""
    wanted = json.dumps(item).encode()
    return [(number, line) for number, line in lines_once(path) if wanted in line]


def answers_of(lines: Lines, path: str) -> list[Answer]:
    """Read responses; raises RecordError with file, line and field."""
    return [_answer(number, line, path) for number, line in lines]


def _answer(number: int, line: bytes, path: str) -> Answer:
    try:
        response = _RESPONSE(line)
    except ValidationError:
        raise find_faults(Response, line)[0].error(f"{path}:{number}") from None
    return Answer(number, response.item, response.model, response.sample, None if response.error else response.text)


class _Work(NamedTuple):
    """What every process needs: the questions, the judges, and the names of the files for messages."""

    questions: Mapping[str, Question]
    judges: Mapping[str, Judge]
    items: str
    responses: str
    labels: Labels | None = None
    leaves_open: LeavesOpen | None = None

    def question(self, answer: Answer) -> Question:
        """Find the question of an answer; raises JoinError where there is none."""
        try:
            return self.questions[answer.item]
        except KeyError:
            problem = f"item '{answer.item}' is not in {self.items}"
            place = f"{self.responses}:{answer.line}"
            raise JoinError(problem, place=place, way_out="name the items that were asked") from None


_AHEAD = 8
"""Blocks that a processor may have in store while hops are looked for."""

_WORK: list[_Work] = []
"""Set before the processes are forked, so that they share it instead of copying it."""


def _judge_block(block: Block) -> Piece:
    work = _WORK[-1]
    made: list[bytes] = []
    numbers: list[int] = []
    keys: list[int] = []
    outcomes: Counter[str] = Counter()
    wrong: list[tuple[Answer, list[WrongEntity]]] = []
    left: list[Left] = []
    for number, line in lines_in(block):
        answer = _answer(number, line, work.responses)
        numbers.append(number)
        keys.append(hash((answer.item, answer.model, answer.sample)))
        question = work.question(answer)
        if question.task not in work.judges:
            outcomes[f"left out {question.task}"] += 1
            continue
        ruling, named = judge_with(work.labels, answer.text, question, work.judges)
        if named:
            wrong.append((answer._replace(text=None), named))
        kind = work.leaves_open(question, answer.text, ruling) if work.leaves_open is not None else None
        if kind is not None:
            left.append(Left(len(made), kind, answer))
        made.append(_line(answer, ruling))
        outcomes[ruling.outcome] += 1
    return Piece(b"".join(made), numbers, keys, outcomes, wrong, left)


def judge_with(
    labels: Labels | None, text: str | None, question: Question, judges: Mapping[str, Judge]
) -> tuple[Ruling, list[WrongEntity]]:
    """Judge an answer, and find the wrong entities it names; a wrong short answer is understood as the first of them."""
    ruling = judge_text(text, question, judges)
    if labels is None or text is None or (ruling.outcome == "correct" and all(ruling.rationale)):
        return ruling, []
    wrong = wrong_entities(labels, text, question)
    if wrong and ruling.reason == "wrong" and ruling.answer is None:
        ruling = ruling._replace(answer=labels.texts[wrong[0].named], spans=(wrong[0].span,))
    return ruling, wrong


def wrong_entities(labels: Labels, text: str, question: Question) -> list[WrongEntity]:
    """Return the wrong entities that a text names in place of those that a right answer names."""
    return labels.wrong(Text(text), _sought(question), [value for _, value in question.given])


def _sought(question: Question) -> Iterator[Sought]:
    """Yield each slot whose entity a right answer names, with the names it goes by."""
    for entry in question.rationale:
        yield Sought(entry.slot, (entry.value, *entry.aliases))
    if question.premise is not None:
        yield Sought("object", tuple(name for o in question.premise.true_objects for name in (o.label, *o.aliases)))
    elif question.task in ("open", "context") and question.expected:
        yield Sought("answer", question.expected)


class _Verdict(msgspec.Struct, gc=False):
    """The fields of a verdict, in their order."""

    schema: str
    item: str
    model: str
    sample: int
    outcome: str
    reason: str
    answer: str | None
    rationale: tuple[bool, ...]
    contradicted: tuple[str, ...]
    spans: tuple[Span, ...]
    judge: None = None


_ENCODER = msgspec.json.Encoder()


def _line(answer: Answer, ruling: Ruling) -> bytes:
    _, item, model, sample, _ = answer
    outcome, reason, said, spans, rationale, contradicted = ruling
    verdict = _Verdict(VERDICT_SCHEMA, item, model, sample, outcome, reason, said, rationale, contradicted, spans)
    return _ENCODER.encode(verdict) + b"\n"


class WrongNames:
    """Writes the wrong entities of pieces as JSON Lines: `item, model, sample, slot, right, iri, label, hops, span`."""

    TOGETHER = 1000
    """Hops are looked for from so many right entities at once: from one it takes nearly as long."""

    def __init__(self, labels: Labels, stream: BinaryIO) -> None:
        self._labels, self._stream = labels, stream
        self._waiting: list[tuple[Answer, WrongEntity]] = []

    def add(self, piece: Piece) -> None:
        """Take the wrong entities of a piece."""
        self._waiting += [(answer, wrong) for answer, several in piece.wrong for wrong in several]
        if len(self._waiting) >= self.TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Write those that wait."""
        for (a, _), told in zip(self._waiting, self._labels.measured([wrong for _, wrong in self._waiting]), strict=True):
            self._stream.write(to_json({"item": a.item, "model": a.model, "sample": a.sample, **told._asdict()}) + b"\n")
        self._waiting.clear()


def judged(
    responses: str,
    items: str,
    questions: Mapping[str, Question],
    judges: Mapping[str, Judge],
    labels: Labels | None = None,
    leaves_open: LeavesOpen | None = None,
) -> Iterator[Piece]:
    """Judge a file of responses, piece by piece, in its order; `leaves_open` tells what a judge is to see besides.

    Raises RecordError and JoinError with file and line; the caller must not keep what was yielded before an error.
    """
    _WORK.append(_Work(questions, judges, items, responses, labels, leaves_open))
    try:
        with uncollected():
            yield from _unrepeated(spread(_judge_block, blocks_once(responses), _AHEAD), responses)
    finally:
        _WORK.pop()


def _unrepeated(judged: Iterable[tuple[Block, Piece]], path: str) -> Iterator[Piece]:
    """Pass pieces on; raise RecordError where an answer's key was there before, or where there is no answer."""
    seen: dict[int, int] = {}
    for block, piece in judged:
        if not seen.keys().isdisjoint(piece.keys) or len(set(piece.keys)) < len(piece.keys):
            raise _repeated(block, piece, seen, path)
        seen.update(zip(piece.keys, piece.lines, strict=True))
        if piece.lines:
            yield piece
    if not seen:
        raise RecordError("holds no response", place=path, way_out="name the file that the step before wrote")


def _repeated(block: Block, piece: Piece, seen: dict[int, int], path: str) -> RecordError:
    known = ((line, seen.setdefault(key, line)) for key, line in zip(piece.keys, piece.lines, strict=True))
    number, first = next((line, before) for line, before in known if before != line)
    answer = _answer(number, dict(lines_in(block))[number], path)
    key_said = f"item {json.dumps(answer.item)}, model {json.dumps(answer.model)}, sample {answer.sample}"
    problem = f"{key_said} stands already in line {first}"
    return RecordError(problem, place=f"{path}:{number}", way_out="keep one of the two lines")
