"""The tables of cases of the judges, `tests/fixtures/evaluators/verdicts/*.jsonl`; the first line has a table's name and items.

A line is a text, the name of its item, the outcome and reason it must get, other fields of the verdict where they matter, and
why. An item holds only what a judge reads, in the words of `queries.records.item`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from evaluators.verify.question import Entry, Given, Object, Premised, Question

FOLDER = Path(__file__).parents[1] / "fixtures/evaluators/verdicts"
TABLES = sorted(FOLDER.glob("*.jsonl"))


class Case(NamedTuple):
    """A text and the verdict it must get."""

    table: str
    number: int
    item: dict[str, Any]
    text: str
    outcome: str
    reason: str
    why: str
    more: dict[str, Any]

    def name(self) -> str:
        """Return what the case is called in the tests' output."""
        return f"{self.table}:{self.number}"


@cache
def cases() -> list[Case]:
    """Return the cases of all tables."""
    return [case for table in TABLES for case in _cases(table)]


def _cases(table: Path) -> list[Case]:
    first, *lines = [json.loads(line) for line in table.read_text("utf-8").splitlines()]
    named = ("item", "text", "outcome", "reason", "why")
    return [
        Case(
            table.stem, number, first["items"][line["item"]], line["text"], line["outcome"], line["reason"], line["why"],
            {name: value for name, value in line.items() if name not in named},
        )
        for number, line in enumerate(lines, 2)
    ]  # fmt: skip


def question(item: dict[str, Any]) -> Question:
    """Make of an item of a table what the judges read."""
    return Question(
        text=item["question"],
        task=item["task"],
        expected=None if item["answer"] is None else tuple(item["answer"]),
        options=tuple(item.get("options", ())),
        type=item.get("type"),
        unit=item.get("unit"),
        precision=item.get("precision"),
        given=tuple(Given(slot, value, slot in item.get("claims", ())) for slot, value in item.get("given", {}).items()),
        rationale=tuple(map(_entry, item.get("rationale", ()))),
        premise=_premise(item["premise"]) if "premise" in item else None,
    )


def _entry(entry: Any) -> Entry:
    """An entry of a rationale: a list of slot, value and aliases, or an object where its type matters."""
    if isinstance(entry, dict):
        return Entry(**entry)
    slot, value, *aliases = entry
    return Entry(slot, value, tuple(aliases))


def _premise(premise: dict[str, Any]) -> Premised:
    true = tuple(Object(label, tuple(aliases)) for label, *aliases in premise.get("true_objects", ()))
    return Premised(premise["subject"], premise["relation"], premise["object"], true)
