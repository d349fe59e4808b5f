"""The metrics of small cases that were computed by hand: `tests/fixtures/evaluators/metrics/NAME.jsonl` and `NAME.csv`.

A line of the first is an item with its answers (`verdict` is outcome, reason, perhaps rationale and answer). A line of the
second is a table, a cell (its dimensions with `/` between), a measure and its value as a fraction; no value is no number.
"""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evaluators.metrics import tables
from metrics_made import World, answer, frames, item, verdict

FOLDER = Path(__file__).parents[1] / "fixtures/evaluators/metrics"
CASES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def world_of(name: str) -> World:
    _, *lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]
    items, answers = {}, []
    for line in lines:
        told = line.pop("answers")
        items[line["id"]] = item(**line)
        for one in told:
            judged = one.pop("verdict")
            answers.append(answer(line["id"], one.pop("model"), one.pop("text"), _verdict(*judged) if judged else None, **one))
    return World(items, answers)


def _verdict(outcome: str, reason: str, rationale: list[bool] | None = None, said: str | None = None) -> dict[str, Any]:
    return verdict(outcome, reason, said, rationale)


def entailed_of(world: World) -> pl.DataFrame | None:
    told = [a for a in world.answers if "entailed" in a]
    return pl.DataFrame([{k: a[k] for k in ("item", "model", "run", "sample", "entailed")} for a in told]) if told else None


@pytest.mark.parametrize("name", CASES)
def test_by_hand(name: str, tmp_path: Path) -> None:
    world = world_of(name)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for prefix, as_published in (("", False), ("published:", True)):
        made = tables(*frames(world, tmp_path), as_published=as_published, entailed=entailed_of(world))
        found |= {
            (f"{prefix}{table.key}", "/".join(row[dim] for dim in table.dims)): row
            for table in made
            for row in table.frame.to_dicts()
        }
    expected = list(csv.DictReader((FOLDER / f"{name}.csv").read_text("utf-8").splitlines()))
    assert expected
    for line in expected:
        value = found[line["table"], line["cell"]][line["measure"]]
        wanted = float(Fraction(line["value"].replace(" ", ""))) if line["value"] else None
        assert value == (wanted if wanted is None else pytest.approx(wanted)), (line, value)


def test_every_case_has_its_numbers() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.csv")) == CASES
