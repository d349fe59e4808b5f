"""The judges stay as right on fresh answers as they were when their rules were done."""

from __future__ import annotations

import pytest

import fresh
from evaluators.verify import JUDGES
from fresh_answers import FOLDER, Half, fresh_answers

ROOM = 0.01
"""Rules that gain elsewhere may lose so much here."""


@pytest.mark.parametrize("half", fresh.HALVES)
def test_every_task_has_answers(half: Half) -> None:
    assert {answer.question.task for answer in fresh_answers(half)} == set(JUDGES)


@pytest.mark.parametrize("half", fresh.HALVES)
def test_the_judges_are_as_right_as_the_readme_says(half: Half) -> None:
    stated = dict(line.split("\t") for line in (FOLDER / "right.tsv").read_text().splitlines())
    found = fresh.by_task(fresh.judged(half))
    for name, result in found.items():
        assert result["right"] >= float(stated[f"{half} {name}"]) - ROOM, (half, name)
