"""Questions with evidence from a user's file: MRQA and plain JSON Lines, SQuAD and plain JSON, `.gz` or not.

MRQA has `context` and `qas` (with `answers`); SQuAD `data`, `paragraphs`, `context` and `qas`; a plain file `question`,
`answer` or `answers`, and `evidence`, `context` or `passage`. The paper's filters (§3.1) and a few faults leave questions out,
each for the first reason that applies.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from generators.items import short_hash
from kg.errors import SourceError
from kg.files import read_bytes
from kg.text import fold

_BLOCKS = re.compile(r"</?(?:P|Li|Ul|Ol|Dl|Dd|Dt|H\d)>|\[(?:DOC|TLE|PAR|SEP)\]", re.IGNORECASE)
"""What MRQA puts around paragraphs and list entries: no part of the text."""
_MARKUP = re.compile(r"<[a-zA-Z/!][^<>]*>|\{\{|\]\]|&(?:nbsp|amp|lt|gt|quot|#\d+);")
_HALF = re.compile(r"[\ud800-\udfff]")
_EVIDENCE = ("evidence", "context", "passage")
_FEWEST_WORDS = 10
_MOST_WORDS = 5
REASONS = (
    "it stands there already",
    "the evidence holds markup",
    "the evidence is shorter than 10 words",
    "it has several answers that differ",
    "the answer is longer than 5 words",
    "the answer does not stand in the evidence",
    "the answer stands in other words only",
)


class Asked(NamedTuple):
    """A question, its answer, and the evidence."""

    question: str
    answer: str
    evidence: str


def read_questions(path: str, seed: int) -> tuple[list[Asked], Counter[str]]:
    """Read the questions of a file that can be used, and count the others by reason.

    Parameters: `seed` draws which of overlapping answers is kept ("1871", "1871 A.D.").
    Raises SourceError naming file and line where it holds no such questions.
    """
    kept: list[Asked] = []
    left_out: Counter[str] = Counter()
    seen: set[tuple[str, str, tuple[str, ...]]] = set()
    for question, answers, evidence in records_of(path):
        text = " ".join(_BLOCKS.sub(" ", evidence).split())
        distinct = list(dict.fromkeys(answer.strip() for answer in answers if answer.strip()))
        key = (fold(question), fold(text), tuple(sorted(map(fold, distinct))))
        drawn = _one_answer(distinct, question, seed)
        reason = REASONS[0] if key in seen else _fault(text, drawn)
        seen.add(key)
        if reason is None and drawn is not None:
            kept.append(Asked(question.strip(), drawn, text))
        else:
            left_out[reason or REASONS[3]] += 1
    return kept, left_out


def _one_answer(answers: list[str], question: str, seed: int) -> str | None:
    """Return one of the answers, by hash, where the shortest is held by all others; else null."""
    if not answers:
        return None
    shortest = f" {fold(min(answers, key=len))} "
    if not all(shortest in f" {fold(answer)} " for answer in answers):
        return None
    return min(answers, key=lambda answer: short_hash(f"{seed}\0{question}\0{answer}"))


def _fault(evidence: str, answer: str | None) -> str | None:
    if _MARKUP.search(evidence):
        return REASONS[1]
    if len(evidence.split()) < _FEWEST_WORDS:
        return REASONS[2]
    if answer is None:
        return REASONS[3]
    if len(answer.split()) > _MOST_WORDS:
        return REASONS[4]
    if answer.casefold() not in evidence.casefold():
        return REASONS[5]
    if not re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", evidence, re.IGNORECASE):
        return REASONS[6]
    return None


def records_of(path: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield question, answers and evidence as a file has them.

    Raises SourceError naming file and line where it holds none.
    """
    text = text_of(path)
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        records = list(json_lines(text, path))
    else:
        records = [(path, whole)]
        if isinstance(whole, list):
            records = [(f"{path}: entry {number}", entry) for number, entry in enumerate(whole, start=1)]
    found = False
    for place, record in records:
        for asked in _of_record(record, place):
            found = True
            yield asked
    if not found:
        raise SourceError("there is no question", place=path, way_out="MRQA or plain JSON Lines, SQuAD JSON; see --help")


def text_of(path: str) -> str:
    """Return a file as text, `.gz` or not. Raises SourceError where it is not UTF-8."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"not UTF-8 ({error.reason} at byte {error.start})", place=path, way_out="save it as UTF-8"
        ) from error


def json_lines(text: str, path: str) -> Iterator[tuple[str, Any]]:
    """Yield place and value of each line that is not empty. Raises SourceError naming the line that is no JSON."""
    # Not splitlines: that cuts at signs that may stand in a text as they are (U+2028).
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            yield place, json.loads(line)
        except RecursionError as error:
            raise SourceError("not JSON (nested too deeply)", place=place) from error
        except ValueError as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"
            raise SourceError(f"not JSON ({reason})", place=place) from error


def _of_record(record: Any, place: str) -> Iterator[tuple[str, list[str], str]]:
    if not isinstance(record, dict):
        raise SourceError("no object with questions", place=place, way_out="each has a question, an answer and its evidence")
    if "header" in record:
        return
    if "data" in record:
        for article in _list(record, "data", place):
            for paragraph in _list(article, "paragraphs", place):
                yield from _of_record(paragraph, place)
        return
    evidence = next((record[name] for name in _EVIDENCE if isinstance(record.get(name), str)), None)
    if evidence is None:
        raise SourceError("the evidence is missing", place=place, way_out=f"one of the fields {', '.join(_EVIDENCE)}")
    for asked in _list(record, "qas", place) if "qas" in record else [record]:
        question = asked.get("question") if isinstance(asked, dict) else None
        if not isinstance(question, str):
            raise SourceError("the field 'question' is missing", place=place)
        answers = list(_answers(asked, place))
        if any(_HALF.search(text) for text in (question, evidence, *answers)):
            raise SourceError(
                "a text holds half of a sign (a lone surrogate)", place=place, way_out="write it anew from its source"
            )
        yield question, answers, evidence


def _answers(asked: dict[str, Any], place: str) -> Iterator[str]:
    given = asked.get("answers", asked.get("answer"))
    if given is None:
        raise SourceError("the field 'answer' is missing", place=place)
    for answer in given if isinstance(given, list) else [given]:
        text = answer.get("text") if isinstance(answer, dict) else answer
        if isinstance(text, int | float) and not isinstance(text, bool):
            text = str(text)
        if not isinstance(text, str):
            raise SourceError("an answer is no text", place=place)
        yield text


def _list(record: Any, name: str, place: str) -> list[Any]:
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, list):
        raise SourceError(f"the field '{name}' is no list", place=place)
    return value
