"""The linter: each rule by a question that breaks it, and by questions of people who do not."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from generators.lint import lint_file, lint_items
from generators.lint.__main__ import app
from generators.lint.linting import FILE_RULES
from generators.lint.rules import RULES
from queries.errors import RecordError
from queries.records.item import Item

FIXTURES = Path(__file__).parent.parent / "fixtures/generators/lint"
QUESTIONS = [json.loads(line) for line in (FIXTURES / "questions.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", QUESTIONS, ids=lambda case: case["why"])
def test_a_question_breaks_the_rules_that_are_said_of_it_and_no_others(case: dict[str, object]) -> None:
    item = msgspec.convert(case["item"], Item)
    assert [finding.rule.name for finding in lint_items([(1, item)]).findings] == case["breaks"]


def test_every_rule_has_a_question_that_breaks_it() -> None:
    broken = {name for case in QUESTIONS for name in case["breaks"]}
    assert {rule.name for rule in RULES} == broken


def test_two_answers_for_thirty_novels_are_no_family_worth_asking() -> None:
    report = lint_file(str(FIXTURES / "two_authors.jsonl"))
    assert {finding.rule.name for finding in report.findings} == {"few-answers"}
    assert report.clean == 0


def test_bridges_of_one_name_and_a_question_asked_twice_are_found() -> None:
    report = lint_file(str(FIXTURES / "namesakes.jsonl"))
    assert [(finding.item, finding.rule.name) for finding in report.findings] == [
        ("a", "two-golds"),
        ("b", "two-golds"),
        ("d", "repeated"),
    ]


def test_of_sixty_false_countries_three_may_be_one_country() -> None:
    report = lint_file(str(FIXTURES / "towns_in_chad.jsonl"))
    assert [finding.item for finding in report.findings] == ["p3", "p4", "p5", "p6", "p7"]


def test_the_command_shows_rules_findings_and_the_clean_share(tmp_path: Path) -> None:
    runner, found = CliRunner(), tmp_path / "found.tsv"
    told = runner.invoke(app, [str(FIXTURES / "namesakes.jsonl"), "--out", str(found), "--at-least", "0.9"])
    assert told.exit_code == 1
    assert "1 of 4 items break no rule of " in told.stdout
    assert found.read_text().splitlines()[0] == "1\ta\ttwo-golds\t\tWhere is the Peace Bridge?"
    listed = runner.invoke(app, ["--rules"]).stdout
    assert all(rule.name in listed for rule in (*RULES, *FILE_RULES))


def test_what_is_no_file_of_items_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"question": "Who?"}\n')
    with pytest.raises(RecordError, match=r"items\.jsonl:1: .*field"):
        lint_file(str(path))
