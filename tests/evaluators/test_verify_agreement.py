"""Real answers that people judged: the judges agree with them as often as the README says."""

from __future__ import annotations

from typing import Any

import pytest

import agreement
from shared import shared


@pytest.fixture(scope="module", autouse=True)
def _data() -> None:
    shared("data/judging")
    shared("data/erbench/human_labelled_dev.jsonl.gz")


def test_explanations() -> None:
    found = agreement.human_labelled()
    ours, authors = found["kgprobe"], found["authors"]
    assert ours["all"]["agreement"] >= 0.975
    assert ours["all"]["kappa"] >= 0.92
    for key in ("model", "domain"):
        for value, cut in ours[key].items():
            theirs: Any = authors[key][value]
            assert cut["on_it"]["agreement"] >= theirs["on_it"]["agreement"], value
            assert cut["on_the_rest"]["agreement"] > theirs["on_the_rest"]["agreement"], value


@pytest.mark.slow
def test_hops_of_questions_with_a_claim() -> None:
    for found in agreement.hops().values():
        assert all(cut["on_it"]["agreement"] >= 0.97 for cut in found["domain"].values())


@pytest.mark.slow
def test_short_answers() -> None:
    found = agreement.short_answers()
    assert found["all"]["agreement"] >= 0.915
    assert found["all"]["accepted_wrong"] <= 0.07


def test_false_premises() -> None:
    assert agreement.premises()["all"]["agreement"] >= 0.85


def test_refusals() -> None:
    assert agreement.refusals()["all"]["agreement"] >= 0.9


def test_a_papers_own_rules_give_its_numbers() -> None:
    files = agreement.published()
    assert len(files) >= 10
    assert all(abs(apart) <= 0.01 for metrics in files.values() for apart in metrics.values())
