"""Real answers of models to yes-no questions, read as their publishers read them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.verify.yes_no import read
from shared import shared


def answers(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def agreement(rows: list[dict[str, Any]]) -> float:
    found = [read(row["response"]) for row in rows]
    same: list[bool] = [(f.answer or f.reason) == row["ref_model_answer"] for f, row in zip(found, rows, strict=True)]
    return sum(same) / float(len(same))


@pytest.mark.parametrize("domain", ["airport", "book", "movie", "music", "soccer"])
@pytest.mark.parametrize("form", ["basic", "negated"])
def test_zero_shot_answers(domain: str, form: str) -> None:
    rows = answers(shared(f"data/erbench/responses/zero_shot/gpt35__{domain}__binary_{form}.jsonl.gz"))
    assert agreement(rows) >= 0.999


def test_answers_of_five_models() -> None:
    rows = answers(shared("data/erbench/human_labelled_dev.jsonl.gz"))
    assert agreement(rows) >= 0.99


@pytest.mark.parametrize("family", ["movie_director", "soccer_olympic"])
def test_reasoned_answers_end_in_the_answer(family: str) -> None:
    """The publishers take the first word. Where the conclusion takes it back, as in a few of a hundred, it counts here."""
    rows = answers(shared(f"data/erbench/responses/cot/gpt35__{family}__multihop_basic.jsonl.gz"))
    assert agreement(rows) >= 0.92
