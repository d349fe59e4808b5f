"""The metamorphic benchmark runs on invented answers, and its edits are what they say."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

import idle_edits
import metamorphic
from evaluators.verify.question import Question
from idle_edits import EDITS, Answer
from shared import shared

CHOICE = "Which is the false option about Ada Moss?\nOption 1: She was a baker.\nOption 2: She wrote 3 books."
OPTIONS = ("She was a baker.", "She wrote 3 books.")
ANSWERS = [
    Answer("a", "Yes. It isn't by Ada Moss.", Question("Is it?", expected=("yes",)), "yes"),
    Answer("b", "No, it was built in 1931. It stands in Linz.", Question("Was it built in 1932?", expected=("no",)), "no"),
    Answer("c", "option 2 is false. She wrote 4.", Question(CHOICE, "choice", ("2",), OPTIONS), "2"),
    Answer("d", "Options 1 and 2 are both right.", Question(CHOICE, "choice", ("2",), OPTIONS), None, right=False),
    Answer("e", "1931", Question("When was it built?", "open", ("1931",)), "1931"),
    Answer("f", "Zoë Moss - a well-known baker.", Question("Who?", "open", ("Zoë Moss",)), "Zoë Moss", rival="Ada Moss"),
    Answer("g", "Fish cannot climb trees.", Question("Why do fish climb trees?", "premise", ("reject",)), "reject"),
    Answer("h", "To see\nthe sea.", Question("Why do fish climb trees?", "premise", ("reject",)), "accept", right=False),
]


@pytest.mark.parametrize("module", [idle_edits, metamorphic], ids=lambda module: module.__name__)
def test_the_examples_in_the_docstrings_hold(module: object) -> None:
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0  # type: ignore[arg-type]


def test_there_are_edits_enough() -> None:
    """Each changes what it can be applied to, always in the same way, and can be applied somewhere."""
    assert len(EDITS) >= 25
    for name, edit in EDITS.items():
        edited = [edit(answer) for answer in ANSWERS]
        assert any(edited), name
        assert edited == [edit(answer) for answer in ANSWERS], name
        assert all(text != answer.text for text, answer in zip(edited, ANSWERS, strict=True)), name


@pytest.mark.parametrize("name", ["full-width digits", "non-breaking blanks", "decomposed", "option circled"])
def test_unicode_is_the_same_text_once_normalised(name: str) -> None:
    for answer in ANSWERS:
        edited = EDITS[name](answer)
        if edited is not None:
            assert unicodedata.normalize("NFKC", edited) == answer.text


def test_what_is_added_leaves_the_text_whole() -> None:
    """Talk, thoughts and wrappers stand around an answer; thoughts before it."""
    around = ["praise before", "hope after", "idle negation after", "code fence", "tag", "question before", "end token"]
    for answer in ANSWERS:
        assert all(answer.text in (EDITS[name](answer) or "") for name in around)
        assert all((EDITS[name](answer) or "").endswith(answer.text) for name in EDITS if name.startswith("contrary"))
        assert json.loads(EDITS["JSON"](answer) or "") == {"answer": answer.text}


def test_a_contrary_thought_is_contrary() -> None:
    said = [idle_edits.contrary(answer).lower() for answer in ANSWERS]
    assert ["no" in said[0], "yes" in said[1], "option 1" in said[2], "option" in said[3]] == [True] * 4
    assert "nobody" in said[4]  # a wrong name beside a right one
    assert "ada moss" in said[5]
    assert said[6] in {text.lower() for text in idle_edits._GOING_ALONG}
    assert said[7] in {text.lower() for text in idle_edits._DENIALS}


def test_changes_are_counted_by_edit_and_task() -> None:
    """All edits together are the sum, each share has its interval, and what misses the goal is named."""
    cases = list(metamorphic.compared(ANSWERS))
    found = metamorphic.shares(cases)
    assert set(found) == {*EDITS, "all"}
    whole = found["all"]["all"]
    assert (whole["n"], whole["changed"]) == (len(cases), sum(case.changed for case in cases))
    assert sum(found["all"][task]["n"] for task in metamorphic.TASKS) == whole["n"]
    assert all(cell["low"] <= cell["share"] <= cell["high"] for cells in found.values() for cell in cells.values())
    assert metamorphic.table(found).count("\n| ") == len(found)
    for pair in metamorphic.missed(found):
        edit, task = pair.rsplit(", ", 1)
        assert found[edit][task]["share"] > metamorphic.GOAL_EACH


def test_changed_cases_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    cases = [case._replace(after=case.before._replace(outcome="unscored")) for case in metamorphic.compared(ANSWERS, ["bold"])]
    assert list(metamorphic.show(cases, 1)) == cases
    assert capsys.readouterr().out.count("--- bold, ") == len(metamorphic.TASKS)


@pytest.mark.slow
def test_the_script_runs_on_real_answers(tmp_path: Path) -> None:
    shared("data/judging/falseqa_dev.jsonl.gz")
    found = tmp_path / "found.json"
    ran = subprocess.run(
        [sys.executable, metamorphic.__file__, "--n", "3", "--json", found],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    numbers = json.loads(found.read_text())
    assert set(numbers) == {"answers", "shares", "over"}
    assert numbers["answers"] == 3 * len(metamorphic.TASKS)
