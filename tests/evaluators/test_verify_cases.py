"""Every rule has its table of cases in tests/fixtures/evaluators/verdicts: a text, its item, the verdict, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.verify import JUDGES, judge_text
from verify_cases import TABLES, Case, cases, question


@pytest.mark.parametrize("case", cases(), ids=Case.name)
def test_a_case(case: Case) -> None:
    ruling = judge_text(case.text, question(case.item))
    assert (ruling.outcome, ruling.reason) == (case.outcome, case.reason), case.why
    for field, wanted in case.more.items():
        found: Any = getattr(ruling, field)
        assert json.loads(json.dumps(found)) == wanted, case.why
    assert all(0 <= start < end <= len(case.text) for start, end in ruling.spans)


def test_there_are_enough_cases_for_every_task() -> None:
    assert len(cases()) >= 400
    assert {case.item["task"] for case in cases()} >= set(JUDGES) - {"probe", "context"}


def test_no_table_says_the_same_twice() -> None:
    for table in TABLES:
        told = [
            (line.get("item"), line.get("text")) for line in map(json.loads, Path(table).read_text("utf-8").splitlines()[1:])
        ]
        assert len(told) == len(set(told)), table
