"""Judge a file of responses piece by piece, on all processors, in the order of the file.

Only the questions stay in memory, and for each answer a key of a few bytes, so that a second answer under the same key is
found. The command and the functions for notebooks (`verdicts`, `judge_answers`) go the same way.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import BinaryIO, NamedTuple

import msgspec
import polars as pl

from evaluators.errors import JoinError
from evaluators.pool import spread
from evaluators.verify.evidence import Evidence
from evaluators.verify.judges import JUDGES, Judge, judge_text
from evaluators.verify.question import Question, read_questions
from evaluators.verify.reading.labels import Labels, Sought, WrongEntity
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import read_text
from evaluators.verify.ruling import Ruling
from queries.records import Block, Claim, Line, Response, Verdict, blocks, decode, frame_schema, lines
from queries.records.io import unrepeated
from queries.records.response import Trace
from queries.records.shards import WHOLE, Shard
from queries.records.verdict import VERDICT_SCHEMA, text_hash


class Answer(NamedTuple):
    """A response: its line, item, model and sample, its text (null after an error), why it ended, and what was looked up."""

    line: int
    item: str
    model: str
    sample: int
    text: str | None
    finish: str | None = None
    trace: Trace | None = None

    @property
    def cut_short(self) -> bool:
        """Whether the text ended because it had reached the longest that was allowed."""
        return self.finish in ("length", "max_tokens")


class Left(NamedTuple):
    """An answer that the rules leave open: which verdict of its piece, for which kind of judge, and the answer."""

    verdict: int
    kind: str
    answer: Answer


class Grounded(NamedTuple):
    """What a graph says of an answer: its ruling, the claims it makes, and whether it shows that its item is stale."""

    ruling: Ruling
    claims: list[Claim]
    stale: bool


Ground = Callable[[Answer, Question, Ruling], Grounded]
"""Holds an answer that the rules judged against a graph (`evaluators.grounding`)."""


class Explained(NamedTuple):
    """An answer that explains: how many claims of its piece stand up to its last one, how many are its own, and the answer."""

    at: int
    own: int
    answer: Answer


class Piece(NamedTuple):
    """Judged answers: verdicts as JSON Lines, lines and hashes of keys, counts of outcomes, wrong entities, what is open.

    With a graph also their claims as JSON Lines, the stale items that they show, and (where wanted) those that explain.
    """

    verdicts: bytes
    lines: list[int]
    keys: list[int]
    outcomes: Counter[str]
    wrong: list[tuple[Answer, list[WrongEntity]]]
    left: list[Left]
    claims: bytes = b""
    stale: tuple[str, ...] = ()
    explained: tuple[Explained, ...] = ()


LeavesOpen = Callable[[Question, str | None, Ruling], str | None]
"""Tells for which kind of judge a ruling leaves an answer open; null where the rules are sure."""


def answers_to(item: str, path: str) -> list[Answer]:
    """Return the answers to an item in a file of responses; raises RecordError with file, line and field."""
    # Most lines are of other items: only those are decoded that hold its id, wherever it stands.
    named = json.dumps(item).encode()
    answers = [_answer(line, path) for line in lines(path) if named in line.text]
    return [answer for answer in answers if answer.item == item]


def _answer(line: Line, path: str) -> Answer:
    response = decode(line, Response, path)
    text = None if response.error else response.text
    return Answer(line.number, response.item, response.model, response.sample, text, response.finish, response.trace)


class _Work(NamedTuple):
    """What every process needs: the questions, the judges, and the names of the files for messages."""

    questions: Mapping[str, Question]
    judges: Mapping[str, Judge]
    items: str
    responses: str
    labels: Labels | None = None
    leaves_open: LeavesOpen | None = None
    ground: Ground | None = None
    evidence: Evidence | None = None
    shard: Shard = WHOLE
    explained: bool = False
    named: bool = True

    def question(self, answer: Answer) -> Question:
        """Find the question of an answer; raises JoinError where there is none."""
        try:
            return self.questions[answer.item]
        except KeyError:
            problem = f"item '{answer.item}' is not in {self.items}"
            place = f"{self.responses}:{answer.line}"
            raise JoinError(problem, place=place, way_out="name the items that were asked") from None


_BARE = 5
"""So few words explain nothing."""

_AHEAD = 8
"""Blocks that a processor may have in store while hops are looked for."""

_WORK: list[_Work] = []
"""Set before the processes are forked, so that they share it instead of copying it."""


def _judge_block(block: Block) -> Piece:
    work, encode = _WORK[-1], msgspec.json.Encoder().encode
    verdicts: list[bytes] = []
    claims: list[bytes] = []
    stale: list[str] = []
    explained: list[Explained] = []
    whole = work.shard.whole
    place, others = ([] if whole else [work.shard.placed(own)] for own in (True, False))
    piece = Piece(b"", [], [], Counter(), [], [])
    for line in block.lines():
        answer = _answer(line, work.responses)
        piece.lines.append(line.number)
        piece.keys.append(hash((answer.item, answer.model, answer.sample)))
        question = work.question(answer)
        if not (whole or work.shard.holds(question.group)):
            verdicts += others
            claims += others
            continue
        if question.task not in work.judges:
            piece.outcomes[f"left out {question.task}"] += 1
            verdicts += place
            claims += place
            continue
        ruling, wrong = judge_with(work.labels, answer, question, work.judges, named=work.named)
        if wrong:
            piece.wrong.append((answer._replace(text=None, trace=None), wrong))
        if work.ground is not None:
            ruling, claimed, outdated = work.ground(answer, question, ruling)
            claims += [encode(claim) + b"\n" for claim in claimed]
            stale += [answer.item] * outdated
            if work.explained and _explains(answer.text, ruling):
                explained.append(Explained(len(claims), len(claimed), answer._replace(trace=None)))
        kind = work.leaves_open(question, answer.text, ruling) if work.leaves_open is not None else None
        if kind is not None:
            piece.left.append(Left(len(verdicts), kind, answer._replace(trace=None)))
        evidence = work.evidence(answer.item, answer.trace) if work.evidence is not None else None
        verdicts.append(encode(_verdict(answer, ruling, evidence)) + b"\n")
        verdicts += place
        claims += place
        piece.outcomes[ruling.outcome] += 1
    return piece._replace(verdicts=b"".join(verdicts), claims=b"".join(claims), stale=tuple(stale), explained=tuple(explained))


def _explains(text: str | None, ruling: Ruling) -> bool:
    return text is not None and ruling.outcome in ("correct", "incorrect") and len(read_text(text).words) > _BARE


def _verdict(answer: Answer, ruling: Ruling, evidence: bool | None) -> Verdict:
    return Verdict(
        schema=VERDICT_SCHEMA, item=answer.item, model=answer.model, sample=answer.sample, outcome=ruling.outcome,
        reason=ruling.reason, answer=ruling.answer, rationale=list(ruling.rationale), contradicted=list(ruling.contradicted),
        spans=list(ruling.spans), judge=None, confidence=ruling.confidence, text=text_hash(answer.text),
        evidence=evidence,
    )  # fmt: skip


def judge_with(
    labels: Labels | None, answer: Answer, question: Question, judges: Mapping[str, Judge], *, named: bool = True
) -> tuple[Ruling, list[WrongEntity]]:
    """Judge an answer, and find the wrong entities it names; a wrong short answer is understood as the first of them.

    What is not `named` is looked for in such an answer only.
    """
    text = answer.text
    ruling = judge_text(text, question, judges)
    if ruling.reason in ("empty", "unparsed") and answer.cut_short:
        ruling = ruling._replace(reason="truncated")
    if labels is None or text is None or (ruling.outcome == "correct" and all(ruling.rationale)):
        return ruling, []
    is_open = ruling.reason == "wrong" and ruling.answer is None
    wrong = wrong_entities(labels, text, question) if named or is_open else []
    if wrong and is_open:
        ruling = ruling._replace(answer=labels.texts[wrong[0].named], spans=(wrong[0].span,))
    return ruling, wrong


def wrong_entities(labels: Labels, text: str, question: Question) -> list[WrongEntity]:
    """Return the wrong entities that a text names in place of those that a right answer names."""
    reply = Reply.of(text)
    wrong = labels.wrong(reply.read, _sought(question), (value for _, value, *_ in question.given))
    return wrong if reply.is_original else [entity._replace(span=reply.span(entity.span)) for entity in wrong]


def _sought(question: Question) -> list[Sought]:
    """Return each slot whose entity a right answer names, with the names it goes by."""
    sought = [Sought(entry.slot, (entry.value, *entry.aliases)) for entry in question.rationale]
    if question.premise is not None:
        names = tuple(name for o in question.premise.true_objects for name in (o.label, *o.aliases))
        sought.append(Sought("object", names))
    elif question.task in ("open", "context") and question.expected:
        sought.append(Sought("answer", question.expected))
    return sought


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
        entities = self._labels.measured([wrong for _, wrong in self._waiting])
        for (a, _), entity in zip(self._waiting, entities, strict=True):
            named = {"item": a.item, "model": a.model, "sample": a.sample, **entity._asdict()}
            self._stream.write(msgspec.json.encode(named) + b"\n")
        self._waiting.clear()


def judged(
    responses: str,
    items: str,
    questions: Mapping[str, Question],
    judges: Mapping[str, Judge],
    labels: Labels | None = None,
    leaves_open: LeavesOpen | None = None,
    ground: Ground | None = None,
    shard: Shard = WHOLE,
    *,
    explained: bool = False,
    named: bool = True,
) -> Iterator[Piece]:
    """Judge a file of responses, piece by piece, in its order; `leaves_open` tells what a judge is to see besides.

    `ground` holds each answer against a graph as well; of a `shard`, the answers to the items of its groups are judged.
    `explained` puts the answers that explain something into each piece, `named` wrong entities.

    Raises RecordError and JoinError with file and line; the caller must not keep what was yielded before an error.
    """
    evidence = Evidence(items)
    _WORK.append(_Work(questions, judges, items, responses, labels, leaves_open, ground, evidence, shard, explained, named))
    try:
        for _, piece in unrepeated(spread(_judge_block, blocks(responses), _AHEAD), Response, responses):
            yield piece
    finally:
        _WORK.pop()


def verdicts(items: str, responses: str, judges: Mapping[str, Judge] = JUDGES) -> Iterator[Verdict]:
    """Judge the answers of a file and yield their verdicts in its order; answers to items that no rules judge are left out.

    Raises RecordError with file, line and field, and JoinError where a response is to an item that is not there.
    """
    decode_verdict = msgspec.json.Decoder(Verdict).decode_lines
    for piece in judged(responses, items, read_questions(items), judges):
        yield from decode_verdict(piece.verdicts)


def judge_answers(items: str, responses: str, judges: Mapping[str, Judge] = JUDGES) -> pl.DataFrame:
    """Judge the answers of a file as `verdicts` does; return the columns of a verdict (without `schema`)."""
    pieces = judged(responses, items, read_questions(items), judges)
    text, schema = b"".join([piece.verdicts for piece in pieces]), frame_schema(Verdict)
    frame = pl.read_ndjson(BytesIO(text), schema=schema) if text else pl.DataFrame(schema=schema)
    return frame.drop("schema")
