"""Scripted models of which every number is known: all tables of the five papers come out equal to counting one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import metrics_oracle as oracle
import metrics_worlds as worlds
from evaluators.metrics import Table, tables
from metrics_made import World, frames

PAPERS: dict[str, tuple[Callable[[], World], Callable[[World, bool], oracle.Found]]] = {
    "erbench": (worlds.erbench_world, oracle.erbench),
    "fpq": (worlds.fpq_world, oracle.fpq),
    "factbench": (worlds.text_world, oracle.factbench),
    "unseenqa": (worlds.knowledge_world, oracle.unseenqa),
    "autodebug": (worlds.attack_world, oracle.autodebug),
}


def made_tables(world: World, folder: Path, *, as_published: bool) -> dict[str, Table]:
    entailed = None
    if any("entailed" in a for a in world.answers):
        columns = ("item", "model", "run", "sample", "entailed")
        entailed = pl.DataFrame([{name: a[name] for name in columns} for a in world.answers], infer_schema_length=None)
    made = tables(*frames(world, folder), as_published=as_published, entailed=entailed)
    return {table.key: table for table in made}


def assert_equal(table: Table, expected: oracle.Cells) -> None:
    """Compare every row and every number of a table."""
    found = {tuple(str(row[dim]) for dim in table.dims): row for row in table.frame.to_dicts()}
    assert set(found) == set(expected), table.key
    for key, cell in expected.items():
        for name, value in cell.items():
            assert same(found[key][name], value), (table.key, key, name, found[key][name], value)
        assert {measure.name for measure in table.measures if measure.kind == "rate"} <= set(cell), table.key


def same(found: Any, expected: Any) -> bool:
    if expected is None or found is None:
        return found is expected
    return bool(found == pytest.approx(float(expected), abs=1e-12))


@pytest.mark.parametrize("as_published", [False, True], ids=["ours", "as published"])
@pytest.mark.parametrize("paper", PAPERS)
def test_every_number_of_every_table(paper: str, as_published: bool, tmp_path: Path) -> None:
    make, count = PAPERS[paper]
    world = make()
    found = made_tables(world, tmp_path, as_published=as_published)
    expected = count(world, as_published)
    assert {key for key in found if key.startswith(f"{paper}.")} == set(expected)
    for key, cells in expected.items():
        assert_equal(found[key], cells)


@pytest.mark.parametrize("paper", ["erbench", "fpq"])
def test_across_items_of_one_fact(paper: str, tmp_path: Path) -> None:
    world = PAPERS[paper][0]()
    found = made_tables(world, tmp_path, as_published=False)
    expected = oracle.across(world, paper)
    assert {key for key in found if key.startswith("across.")} == set(expected)
    for key, cells in expected.items():
        assert_equal(found[key], cells)
