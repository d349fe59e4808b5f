"""What a text says to a yes-no question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.verify.yes_no import judge, read
from queries.verdict import REASONS

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "fixtures/evaluators/yes_no.jsonl").read_text().split("\n")
    if line
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_a_text_is_understood(case: dict[str, Any]) -> None:
    found = read(case["text"])
    assert (found.answer, found.reason) == (case["answer"], case["reason"])
    assert [case["text"][start:end] for start, end in found.spans] == case["says"]


@given(st.text() | st.lists(st.sampled_from(["yes", "No", " ", ".", "answer is ", "unsure", "if", "</think>"])).map("".join))
def test_any_text_is_understood_somehow(text: str) -> None:
    found = read(text)
    assert found.answer in (None, "yes", "no")
    assert found.reason in REASONS
    assert (found.answer is not None) == (found.reason in ("exact", "normalised"))
    assert all(0 <= start < end <= len(text) for start, end in found.spans)


@given(st.sampled_from(["Yes", "No"]), st.text(st.characters(categories=["Lu", "Ll"]), max_size=30))
def test_a_leading_answer_stands_whatever_follows(answer: str, rest: str) -> None:
    assert read(f"{answer}, {rest}").answer == answer.lower()


def test_long_texts_are_read_quickly() -> None:
    for part in ("answer to ", "no ", "yes ", "i am ", "the answer ", "not ", "- ", "do not have a ", "</think> "):
        assert read(part * 20_000).reason in REASONS


def answers(*rows: tuple[str | None, list[str] | None]) -> pl.DataFrame:
    """Answers with what their items accept; no text means an error."""
    return pl.DataFrame(
        {
            "item": [f"item{n}" for n in range(len(rows))],
            "text": [text for text, _ in rows],
            "expected": [expected for _, expected in rows],
            "failed": [text is None for text, _ in rows],
        },
        schema_overrides={"expected": pl.List(pl.String), "text": pl.String, "item": pl.String, "failed": pl.Boolean},
    )


def test_outcomes_are_four() -> None:
    judged = judge(
        answers(
            ("Yes.", ["yes"]), ("Yes.", ["no"]), ("Unsure.", ["no"]), ("Hm.", ["no"]), ("", ["no"]),
            ("I can't assist with that.", ["no"]), (None, ["no"]),
        )
    )  # fmt: skip
    assert judged.select("outcome", "reason").rows() == [
        ("correct", "exact"), ("incorrect", "wrong"), ("abstained", "unsure"), ("unscored", "unparsed"),
        ("unscored", "empty"), ("unscored", "refused"), ("unscored", "api_error"),
    ]  # fmt: skip


def test_where_nobody_knows_any_answer_is_wrong() -> None:
    judged = judge(answers(("Yes.", None), ("No.", None), ("I don't know.", None)))
    assert judged["outcome"].to_list() == ["incorrect", "incorrect", "abstained"]


def test_no_answers_give_no_verdicts() -> None:
    assert judge(answers()).height == 0
