"""The judges stay as right on fresh answers as they were when their rules were done."""

from __future__ import annotations

import pytest

import fresh
from evaluators.verify import JUDGES
from fresh_answers import FOLDER, Half, fresh_answers

ROOM = 0.01
"""Rules that gain elsewhere may lose so much here."""


def halves() -> list[Half]:
    """Return the halves that have answers: the second has none once it has joined the first."""
    return [half for half in fresh.HALVES if next(fresh_answers(half), None) is not None]


def test_the_first_half_is_never_empty() -> None:
    assert halves()[0] == "first"


def test_every_answer_of_the_first_half_has_its_ruling_at_first_sight() -> None:
    rulings = [line.split("\t")[:3] for line in (FOLDER / "sight.tsv").read_text("utf-8").splitlines()]
    assert rulings == [["first", answer.file, str(answer.line)] for answer in fresh_answers("first")]


@pytest.mark.parametrize("half", halves())
def test_every_task_has_answers(half: Half) -> None:
    assert {answer.question.task for answer in fresh_answers(half)} == set(JUDGES)


@pytest.mark.parametrize("half", halves())
def test_the_judges_are_as_right_as_the_readme_says(half: Half) -> None:
    stated = dict(line.split("\t") for line in (FOLDER / "right.tsv").read_text().splitlines())
    found = fresh.by_task(fresh.judged(half))
    assert {name for name in stated if name.startswith(f"{half} ")} == {f"{half} {name}" for name in found}
    # Of the second half, which nothing may be fitted to, only a plain loss is told, and not where.
    for name in found if half == "first" else ["all"]:
        result = found[name]
        assert result["right"] >= float(stated[f"{half} {name}"]) - ROOM, (half, name)
