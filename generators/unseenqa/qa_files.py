"""Open questions with accepted answers from files of a user's: Natural Questions, TriviaQA and PopQA as they are published.

| format | told by | question | accepted answers |
|---|---|---|---|
| Natural Questions (NQ-open) | `question`, `answer` a list | small letters, no mark | ways in which annotators wrote it |
| TriviaQA | `Question`, `Answer` with `Value` and `Aliases` (small letters as well), maybe under `Data` | as it is | all |
| PopQA | `question`, `possible_answers` | as it is | all |

JSON, JSON Lines, CSV and TSV are read, `.gz` too. Which rows are asked is said by the paper's filters (section 3.2): factoid,
at most five tokens, one answer, not changing with time; the rules stand in `seen.toml`.
"""

from __future__ import annotations

import csv
import functools
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from generators.unseenqa.values import find_value, same_value
from kg.dates import find_dates
from kg.errors import InputError, SourceError
from kg.files import read_bytes
from kg.formats import parse_json, shipped_toml
from kg.text import fold

_TOKENS = 5
_FORMS = "Natural Questions (question, answer), TriviaQA (Question, Answer) or PopQA (question, possible_answers)"


class QA(NamedTuple):
    """A question with its accepted answers, the preferred first; `subject` is the IRI of what it asks about, if it is said."""

    question: str
    answers: list[str]
    source: str
    subject: str | None = None
    relation: str | None = None


@dataclass
class Kept:
    """The questions of a file that can be asked, and why the others cannot."""

    rows: list[QA] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def read_qa(path: str) -> Kept:
    """Read a file and leave out what the paper's filters do.

    Raises SourceError where the file cannot be read, InputError where no row of it is of a known format.
    """
    kept, known, seen = Kept(), False, set[str]()
    for row in _rows(path):
        qa = _of(row)
        if qa is None:
            kept.left_out["question or answer is missing"] += 1
            continue
        known = True
        reason = why_not(qa)
        if reason is None and fold(qa.question) in seen:
            reason = "stands there twice"
        if reason is None:
            seen.add(fold(qa.question))
            kept.rows.append(qa._replace(question=as_question(qa.question)))
        else:
            kept.left_out[reason] += 1
    if not known:
        raise InputError("holds no question with answers", place=path, way_out=f"give a file of {_FORMS}")
    return kept


def why_not(qa: QA) -> str | None:
    """Return why a question is not asked; null where it is.

    >>> why_not(QA("who is the prime minister of italy", ["x"], "nq")), why_not(QA("who wrote emma", ["Jane Austen"], "nq"))
    ('its answer changes with time', None)
    """
    question = fold(qa.question)
    if not question or not any(fold(answer) for answer in qa.answers):
        return "question or answer is missing"
    for says, pattern in _filters():
        if pattern.search(question):
            return says
    if len(qa.answers[0].split()) > _TOKENS:
        return f"its answer has more than {_TOKENS} tokens"
    if qa.source == "natural-questions" and not _one_answer(qa.answers):
        return "it has several answers"
    return "it says its own answer" if f" {fold(qa.answers[0])} " in f" {question} " else None


def as_question(text: str) -> str:
    """Write a question upright: a capital to begin with, a mark at the end.

    >>> as_question("who wrote emma"), as_question("Who wrote “Emma”?")
    ('Who wrote emma?', 'Who wrote “Emma”?')
    """
    line = " ".join(text.split()).rstrip(" .")
    line = re.sub(r"\s+([?,;])", r"\1", line)
    return f"{line[:1].upper()}{line[1:]}" + ("" if line.endswith(("?", "!", '"', "”")) else "?")


def type_of(answer: str) -> str:
    """Return the type of an answer: date, number or entity.

    >>> [type_of(text) for text in ("10 December 1815", "1815", "62", "three", "Jane Austen")]
    ['date', 'date', 'number', 'number', 'entity']
    """
    if any((date.start, date.end) == (0, len(answer)) for date in find_dates(answer)):
        return "date"
    value = find_value(answer, None)
    return value.kind if value is not None else "entity"


def _one_answer(answers: list[str]) -> bool:
    """Tell whether several texts are one answer: the words of the shortest stand in each of the others, or one value does."""
    words = sorted((set(fold(answer).split()) for answer in answers), key=len)
    if all(words[0] <= others for others in words):
        return True
    return any(all(same_value(answers[0], other, kind) for other in answers) for kind in ("date", "number"))


@functools.cache
def _filters() -> list[tuple[str, re.Pattern[str]]]:
    return [(table["says"], re.compile("|".join(table["patterns"]))) for table in _table().values() if "patterns" in table]


@functools.cache
def _table() -> dict[str, Any]:
    return shipped_toml("generators.unseenqa", "seen.toml")


def changing_properties() -> frozenset[str]:
    """Return the properties, by P-id or folded label, whose objects change with time."""
    return frozenset(fold(name) for name in _table()["properties"]["changing"])


# --- formats


def _of(row: Mapping[str, Any]) -> QA | None:
    """Return the question and answers of a row of any format."""
    named = {str(name).lower(): value for name, value in row.items()}  # csv calls what is too much None
    question = named.get("question")
    if not isinstance(question, str):
        return None
    if "possible_answers" in named:
        subject = named.get("s_uri")
        return _made(question, named["possible_answers"], "popqa", subject, named.get("prop"))
    answer = named.get("answer")
    if isinstance(answer, Mapping):
        parts = {str(name).lower(): value for name, value in answer.items()}
        value, aliases = parts.get("value"), parts.get("aliases") or []
        return _made(question, [value, *aliases] if value and isinstance(aliases, list) else None, "triviaqa")
    return _made(question, answer if answer is not None else named.get("answers"), "natural-questions")


def _made(question: str, answers: Any, source: str, subject: Any = None, relation: Any = None) -> QA | None:
    if isinstance(answers, str):
        try:
            answers = json.loads(answers) if answers.strip().startswith("[") else [answers]
        except (ValueError, RecursionError):
            return None
    if not isinstance(answers, list) or not all(isinstance(answer, str | int | float) for answer in answers):
        return None
    texts = list(dict.fromkeys(text for answer in answers if (text := str(answer).strip())))
    said = (str(text) if isinstance(text, str) and text else None for text in (subject, relation))
    return QA(question, texts, source, *said) if texts and question.strip() else None


def _rows(path: str) -> Iterator[Mapping[str, Any]]:
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 (byte {error.start})", place=path, way_out="save it as UTF-8") from None
    suffix = Path(path.removesuffix(".gz")).suffix
    if suffix in (".csv", ".tsv"):
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if suffix == ".tsv" else ",")
        try:
            yield from rows
        except csv.Error as error:
            raise SourceError(f"is no table ({error})", place=f"{path}:{rows.line_num}", way_out="mend the line") from error
        return
    whole = _whole(text)
    if whole is not None:
        yield from (row if isinstance(row, Mapping) else {} for row in whole)
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            row = parse_json(line, f"{path}:{number}", way_out=f"give a file of {_FORMS}")
            yield row if isinstance(row, Mapping) else {}


def _whole(text: str) -> list[Any] | None:
    """Return the rows of a file that is one JSON document; null where each line is one."""
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(document, Mapping):
        document = document.get("Data", document.get("data", [document]))
    return document if isinstance(document, list) else [document]
