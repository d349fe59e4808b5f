"""Answers in the manner of today's models with their truth, `tests/fixtures/evaluators/fresh`: two halves of files by task.

They were written, and their truth with them, before the rules that judge them, by writers who had not seen any rule. The rules
were worked on with the first half; the second was judged once, when they were done. A line has an item (what a judge reads of
one), a text, its true outcome, where the item has a rationale whether each entry is rightly named, and how hard it is to judge
(`manner`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from evaluators.verify.question import Entry, Given, Object, Premised, Question, accepted

FOLDER = Path(__file__).parents[1] / "fixtures/evaluators/fresh"
Half = Literal["first", "second"]


class FreshAnswer(NamedTuple):
    """A text with its question and its true outcome; `rationale` is empty where the item has none."""

    file: str
    line: int
    manner: str
    question: Question
    text: str
    outcome: str
    rationale: tuple[bool, ...]


def fresh_answers(half: Half, folder: Path = FOLDER) -> Iterator[FreshAnswer]:
    """Yield the answers of a half, file by file."""
    for path in sorted((folder / half).glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            case = json.loads(line)
            marks = tuple(case.get("rationale") or ())
            yield FreshAnswer(path.stem, number, case["manner"], question(case["item"]), case["text"], case["outcome"], marks)


def question(item: dict[str, Any]) -> Question:
    """Make of an item what the judges read."""
    return Question(
        text=item["question"],
        task=item["task"],
        expected=accepted(item["task"], item.get("answer")),
        options=tuple(item.get("options") or ()),
        type=item.get("answer_type"),
        unit=item.get("unit"),
        precision=item.get("precision"),
        given=tuple(Given(g["slot"], str(g["value"]), bool(g.get("claim"))) for g in item.get("given") or ()),
        rationale=tuple(_entry(entry) for entry in item.get("rationale") or ()),
        premise=_premise(item["premise"]) if item.get("premise") else None,
        context=item.get("context") if item["task"] == "context" else None,
    )


def _entry(entry: dict[str, Any]) -> Entry:
    aliases = tuple(entry.get("aliases") or ())
    return Entry(entry["slot"], str(entry["value"]), aliases, entry.get("type"), entry.get("unit"), entry.get("precision"))


def _premise(premise: dict[str, Any]) -> Premised:
    true = tuple(Object(o["label"], tuple(o.get("aliases") or ())) for o in premise["true_objects"])
    return Premised(_label(premise["subject"]), _label(premise["relation"]), _label(premise["object"]), true)


def _label(end: str | dict[str, str]) -> str:
    return end if isinstance(end, str) else end["label"]
