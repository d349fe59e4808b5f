"""Every rule has its table of cases in tests/fixtures/evaluators/verdicts: a text, its item, the verdict, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluators.verify import JUDGES, RULES, judge_text
from verify_cases import TABLES, Case, cases, question


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_every_case_of_a_table_is_judged_as_it_says(table: Path) -> None:
    wrong = [complaint for case in cases() if case.table == table.stem and (complaint := _complaint(case))]
    assert not wrong, "\n".join(wrong)


def _complaint(case: Case) -> str | None:
    """Say what is wrong with the ruling on a case; one test for each of four thousand would take minutes."""
    ruling = judge_text(case.text, question(case.item), RULES)
    found = {field: json.loads(json.dumps(getattr(ruling, field))) for field in case.more}
    if (ruling.outcome, ruling.reason) != (case.outcome, case.reason) or found != case.more:
        wanted = (case.outcome, case.reason, case.more)
        return f"{case.name()}: {(ruling.outcome, ruling.reason, found)}, not {wanted}: {case.why}"
    if not all(0 <= start < end <= len(case.text) for start, end in ruling.spans):
        return f"{case.name()}: characters {ruling.spans} are not in the text"
    return None


def test_there_are_enough_cases_for_every_task() -> None:
    assert len(cases()) >= 400
    assert {case.item["task"] for case in cases()} >= set(JUDGES) - {"probe", "context"}


def test_no_table_says_the_same_twice() -> None:
    for table in TABLES:
        told = [
            (line.get("item"), line.get("text")) for line in map(json.loads, Path(table).read_text("utf-8").splitlines()[1:])
        ]
        assert len(told) == len(set(told)), table
