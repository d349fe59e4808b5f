"""Judge a file of responses piece by piece, on all processors, in the order of the file.

```
zcat responses.jsonl.gz | python -m evaluators.verify --items items.jsonl --responses - --out - | head -3
```

Only the questions stay in memory, and for each answer a key of a few bytes, so that a second answer under the same key is told.
"""

from __future__ import annotations

import gc
import gzip
import json
import multiprocessing
import os
import sys
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from pydantic import ValidationError
from pydantic_core import to_json

from evaluators.errors import JoinError
from evaluators.verify import Judge, judge_text
from evaluators.verify._text import read_text
from evaluators.verify.labels import Labels, Wrong
from evaluators.verify.question import Question, question_of
from evaluators.verify.ruling import Ruling
from kg.errors import SourceError
from queries.item import Item
from queries.records import RecordError, find_faults
from queries.response import Response
from queries.verdict import VERDICT_SCHEMA

__all__ = [
    "Answer", "LeavesOpen", "Left", "Piece", "answers_of", "judge_with", "judged", "named_lines", "read_questions",
    "response_lines",
]  # fmt: skip

_PIECE = 1000
"""Lines that are judged together."""


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
    """Judged lines: verdicts as JSON Lines, keys of the answers, how many of each outcome, wrong entities, what is open."""

    verdicts: bytes
    keys: list[tuple[int, str, str, int]]
    outcomes: Counter[str]
    wrong: list[tuple[Answer, list[Wrong]]]
    left: list[Left]


LeavesOpen = Callable[[Question, str | None, Ruling], str | None]
"""Tells for which kind of judge a ruling leaves an answer open; null where the rules are sure."""


Lines = list[tuple[int, bytes]]


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """Open a file or stdin (`-`), unzipped if its content is gzip."""
    try:
        with sys.stdin.buffer if path == "-" else Path(path).open("rb") as raw:
            buffered = cast("BinaryIO", raw)
            zipped = buffered.peek(2)[:2] == b"\x1f\x8b"  # type: ignore[attr-defined]
            yield cast("BinaryIO", gzip.GzipFile(fileobj=buffered)) if zipped else buffered
    except FileNotFoundError as error:
        raise SourceError("no such file", place=path, way_out="check the path") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise SourceError(f"damaged gzip ({error})", place=path, way_out="fetch the file again; it may be cut off") from error
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", place=path, way_out="check the path") from error


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    with _opened(path) as stream:
        for number, line in enumerate(stream, 1):
            text = (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip()
            if text:
                yield number, text


def read_questions(path: str) -> dict[str, Question]:
    """Read what the judges need of each item.

    Raises RecordError with file, line and field where a line is no item or repeats another one's id, or where there is none.
    """
    questions: dict[str, Question] = {}
    first: dict[str, int] = {}
    gc.disable()  # many small objects and no cycles: collecting would take longer than reading
    try:
        for number, line in _lines(path):
            item = _item(line, f"{path}:{number}")
            if first.setdefault(item.id, number) != number:
                problem = f"id {json.dumps(item.id)} stands already in line {first[item.id]}"
                raise RecordError(problem, place=f"{path}:{number}", way_out="keep one of the two lines")
            # Where there is a parent and no answer the truth is another answer; the metric of its method compares the two.
            compared = item.parent is not None and item.answer is None
            questions[item.id] = question_of(item)._replace(task="") if compared else question_of(item)
    finally:
        gc.enable()
    if not questions:
        raise RecordError("holds no item", place=path, way_out="name the file that the step before wrote")
    return questions


def _item(line: bytes, place: str) -> Item:
    try:
        return Item.model_validate_json(line)
    except ValidationError:
        raise find_faults(Item, line)[0].error(place) from None


def response_lines(path: str, item: str) -> Lines:
    """Return the lines of a file that hold an item's id."""
    wanted = json.dumps(item).encode()
    return [(number, line) for number, line in _lines(path) if wanted in line]


def answers_of(lines: Lines, path: str) -> list[Answer]:
    """Read responses; raises RecordError with file, line and field."""
    return [_answer(number, line, f"{path}:{number}") for number, line in lines]


def _answer(number: int, line: bytes, place: str) -> Answer:
    try:
        response = Response.model_validate_json(line)
    except ValidationError:
        raise find_faults(Response, line)[0].error(place) from None
    return Answer(number, response.item, response.model, response.sample, None if response.error else response.text)


class _Work(NamedTuple):
    """What every process needs: the questions, the judges, and the names of the files for messages."""

    questions: Mapping[str, Question]
    judges: Mapping[str, Judge]
    items: str
    responses: str
    labels: Labels | None = None
    leaves_open: LeavesOpen | None = None


_WORK: list[_Work] = []
"""Set before the processes are forked, so that they share it instead of copying it."""


def _judge_piece(lines: Lines) -> Piece:
    work = _WORK[-1]
    made: list[bytes] = []
    keys: list[tuple[int, str, str, int]] = []
    outcomes: Counter[str] = Counter()
    wrong: list[tuple[Answer, list[Wrong]]] = []
    left: list[Left] = []
    for answer in answers_of(lines, work.responses):
        question = work.questions.get(answer.item)
        if question is None:
            problem = f"item '{answer.item}' is not in {work.items}"
            raise JoinError(problem, place=f"{work.responses}:{answer.line}", way_out="name the items that were asked")
        keys.append((answer.line, answer.item, answer.model, answer.sample))
        if question.task in work.judges:
            ruling, named = judge_with(work.labels, answer.text, question, work.judges)
            if named:
                wrong.append((answer._replace(text=None), named))
            kind = work.leaves_open(question, answer.text, ruling) if work.leaves_open is not None else None
            if kind is not None:
                left.append(Left(len(made), kind, answer))
            made.append(_line(answer, ruling._asdict()))
            outcomes[ruling.outcome] += 1
        else:
            outcomes[f"left out {question.task}"] += 1
    return Piece(b"".join(made), keys, outcomes, wrong, left)


def judge_with(
    labels: Labels | None, text: str | None, question: Question, judges: Mapping[str, Judge]
) -> tuple[Ruling, list[Wrong]]:
    """Judge an answer, and find the wrong entities it names; a wrong short answer is understood as the first of them."""
    ruling = judge_text(text, question, judges)
    if labels is None or text is None or (ruling.outcome == "correct" and all(ruling.rationale)):
        return ruling, []
    wrong = labels.wrong(read_text(text), question)
    if wrong and ruling.reason == "wrong" and ruling.answer is None:
        ruling = ruling._replace(answer=labels.texts[wrong[0].named], spans=(wrong[0].span,))
    return ruling, wrong


def _line(answer: Answer, ruling: Mapping[str, object]) -> bytes:
    verdict = {
        "schema": VERDICT_SCHEMA, "item": answer.item, "model": answer.model, "sample": answer.sample, **_ordered(ruling),
        "judge": None,
    }  # fmt: skip
    return to_json(verdict) + b"\n"


def named_lines(piece: Piece, labels: Labels) -> bytes:
    """Return the wrong entities of a piece as JSON Lines: `item, model, sample, slot, right, iri, label, hops, span`."""
    told = iter(labels.measured([w for _, wrong in piece.wrong for w in wrong]))
    return b"".join(
        to_json({"item": a.item, "model": a.model, "sample": a.sample, **next(told)._asdict()}) + b"\n"
        for a, wrong in piece.wrong
        for _ in wrong
    )


def _ordered(ruling: Mapping[str, object]) -> dict[str, object]:
    return {name: ruling[name] for name in ("outcome", "reason", "answer", "rationale", "contradicted", "spans")}


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
    gc.freeze()  # or every collection would walk all questions again, and copy them into every process
    try:
        pieces = _pieces(_lines(responses))
        first = next(pieces, None)
        if first is None:
            raise RecordError("holds no response", place=responses, way_out="name the file that the step before wrote")
        yield from _unrepeated(_spread(first, pieces, os.cpu_count() or 1), responses)
    finally:
        gc.unfreeze()
        _WORK.pop()


def _pieces(lines: Iterable[tuple[int, bytes]]) -> Iterator[Lines]:
    stream = iter(lines)
    while piece := list(islice(stream, _PIECE)):
        yield piece


def _spread(first: Lines, rest: Iterator[Lines], processes: int) -> Iterator[Piece]:
    """Judge pieces in several processes; a file of one piece is judged in this one."""
    second = next(rest, None)
    if second is None or processes < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(_judge_piece, (piece for piece in _chained(first, second, rest)))
        return
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("fork")) as pool:
        waiting: deque[Future[Piece]] = deque()
        for piece in _chained(first, second, rest):
            waiting.append(pool.submit(_judge_piece, piece))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _chained(first: Lines, second: Lines | None, rest: Iterator[Lines]) -> Iterator[Lines]:
    yield first
    if second is not None:
        yield second
        yield from rest


def _unrepeated(pieces: Iterable[Piece], path: str) -> Iterator[Piece]:
    """Pass pieces on; raise RecordError where an answer's key was there before."""
    seen: dict[int, int] = {}
    for piece in pieces:
        for line, item, model, sample in piece.keys:
            first = seen.setdefault(hash((item, model, sample)), line)
            if first != line:
                what = f"item {json.dumps(item)}, model {json.dumps(model)}, sample {sample} stands already in line {first}"
                raise RecordError(what, place=f"{path}:{line}", way_out="keep one of the two lines")
        yield piece
