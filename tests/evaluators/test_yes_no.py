"""What a text says to a yes-no question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.verify import judge_text
from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.yes_no import read
from queries.records.verdict import REASONS

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "fixtures/evaluators/yes_no.jsonl").read_text().split("\n")
    if line
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_a_text_is_understood(case: dict[str, Any]) -> None:
    reply = Reply.of(case["text"])
    found = read(reply.text)
    assert (found.answer, found.reason) == (case["answer"], case["reason"])
    assert [case["text"][slice(*reply.span(span))] for span in found.spans] == case["says"]


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


def outcomes(*rows: tuple[str | None, list[str] | None]) -> list[tuple[str, str]]:
    """The outcomes and reasons of texts (none means an error) under what their items accept."""
    asked = [(text, Question("Did he?", expected=None if expected is None else tuple(expected))) for text, expected in rows]
    rulings = [judge_text(text, question) for text, question in asked]
    return [(ruling.outcome, ruling.reason) for ruling in rulings]


def test_outcomes_are_four() -> None:
    assert outcomes(
        ("Yes.", ["yes"]), ("Yes.", ["no"]), ("Unsure.", ["no"]), ("Hm.", ["no"]), ("", ["no"]),
        ("I can't assist with that.", ["no"]), (None, ["no"]),
    ) == [
        ("correct", "exact"), ("incorrect", "wrong"), ("abstained", "unsure"), ("unscored", "unparsed"),
        ("unscored", "empty"), ("unscored", "refused"), ("unscored", "api_error"),
    ]  # fmt: skip


def test_where_nobody_knows_any_answer_is_wrong() -> None:
    found = outcomes(("Yes.", None), ("No.", None), ("I don't know.", None))
    assert [outcome for outcome, _ in found] == ["incorrect", "incorrect", "abstained"]
