"""What is drawn, and how often: no relation, object or answer gives a false premise away."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from generators.draw import keys_of
from generators.fpq import Options, Result, Sampling, generate
from generators.fpq.__main__ import app
from generators.fpq.evenly import even_order, in_blocks
from kg import open_graph
from oracle import blocks
from queries import audit_items

Item = dict[str, Any]
KIND = ("NSC", "NNSC", "NNSR")


def items_of(result: Result) -> list[Item]:
    items = [json.loads(line) for line in result.items.write_ndjson().splitlines()]
    return [item for item in items if item["task"] == "yes_no"]


@pytest.fixture(scope="module")
def place() -> Result:
    return generate(open_graph(), "place", Options(n=400, repeats=True))


class TestEvenly:
    def test_facts_in_a_row_are_of_half_of_the_relations_or_of_ten(self, place: Result) -> None:
        relations = list({item["group"]: item["premise"]["relation"]["iri"] for item in items_of(place)}.values())
        row = min(10, len(set(relations)) // 2)
        assert row > 5
        assert [len(set(block)) for block in blocks(relations, row)][: len(relations) // row] == [row] * (len(relations) // row)

    def test_no_object_stands_twice_in_twenty_facts_of_a_relation(self, place: Result) -> None:
        for variant in ("tpq", *KIND, "NDC", "NNDC", "NNDR"):
            for block in by_relation(place):
                named = [objects[variant] for objects in block if variant in objects]
                assert len(set(named)) == len(named)

    def test_the_commoner_object_is_the_true_one_in_half_of_the_pairs(self, place: Result) -> None:
        right = {edit: share for edit, _, share in place.guesses.iter_rows()}
        assert all(right[edit] <= 0.6 for edit in KIND)
        plain = generate(open_graph(), "place", Options(n=400, sampling=Sampling.plain)).guesses
        assert plain.filter(pl.col("edit").is_in(KIND), pl.col("right") <= 0.6).is_empty()

    def test_a_hundred_facts_of_the_famous_are_drawn_as_often_as_many_thousands_of_the_unknown(self) -> None:
        """So many thousands that their square has more than 32 bits."""
        unknown, famous = 2**16, 100
        every = np.arange(unknown + famous)
        facts = pl.DataFrame({"s": every, "p": 0 * every, "o": every, "concept": 0 * every, "popularity": "low"})
        facts = facts.with_columns(popularity=pl.when(pl.col("s") < famous).then(pl.lit("high")).otherwise("popularity"))
        drawn = even_order(facts, keys_of(0, map(str, every)), keys_of(0, ["p"]), 100)
        assert 20 < (drawn < famous).sum() < 60

    def test_an_item_says_which_of_the_two_is_the_commoner(self, place: Result) -> None:
        facts = open_graph().select("SELECT DISTINCT ?s ?p ?o { ?p a kgp:Relation . ?s ?p ?o }")
        times = Counter((p, o) for _, p, o in facts.iter_rows())
        true = {item["group"]: item["premise"]["object"]["iri"] for item in items_of(place) if item["variant"] == "tpq"}
        for item in items_of(place):
            p, x = (item["premise"][part]["iri"] for part in ("relation", "object"))
            ahead = times[p, true[item["group"]]] - times[p, x]
            said = "true object" if ahead > 0 else "edited object" if ahead < 0 else "neither"
            assert item["strata"]["commoner"] == (None if item["variant"] == "tpq" else said)

    def test_of_the_subjects_a_third_each_is_more_or_less_known(self) -> None:
        items = items_of(generate(open_graph(), "art", Options(n=400, repeats=True)))
        assert {item["strata"]["popularity"] for item in items} == {"low", "middle", "high"}

    def test_a_larger_pool_is_oftener_too_small(self) -> None:
        """The starter graph has fewer than 3,000 entities: three candidates are enough, however many are asked for."""
        narrow, wide, widest = (generate(open_graph(), "place", Options(n=100, pool=pool)) for pool in (1, 3, 50))
        assert (wide.edits.reasons == 4).sum() > (narrow.edits.reasons == 4).sum()
        assert (widest.edits.objects == wide.edits.objects).all()


def by_relation(result: Result) -> Iterator[list[dict[str, str]]]:
    """The blocks of twenty facts of each relation: who stands in each variant."""
    groups: dict[str, dict[str, str]] = {}
    relation: dict[str, str] = {}
    for item in items_of(result):
        groups.setdefault(item["group"], {})[item["variant"]] = item["premise"]["object"]["iri"]
        relation[item["group"]] = item["premise"]["relation"]["iri"]
    for p in set(relation.values()):
        yield from blocks([groups[g] for g in groups if relation[g] == p], 20)


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 4), st.integers(1, 30))
def test_blocks_take_the_foremost_of_each(members: list[int], size: int, n: int) -> None:
    """One after the other: the first of each member that is left, until a block is full."""
    left: list[int] = list(range(len(members)))
    wanted: list[int] = []
    while left:
        block: list[int] = []
        for place in left:
            if len(block) < size and members[place] not in [members[taken] for taken in block]:
                block.append(place)
        left = [place for place in left if place not in block]
        wanted += block
        if len(block) < size:
            break
    found = in_blocks(np.array(members, np.int64), size, n).tolist()
    assert found == (list(range(len(members))) if size == 1 else wanted)[:n]


class TestBalance:
    def test_there_are_as_many_true_as_false_ones_of_different_facts(self) -> None:
        result = generate(open_graph(), "place", Options(n=200, balance=True))
        items = items_of(result)
        answers = Counter(item["answer"][0] for item in items)
        assert answers["yes"] == answers["no"] == 100
        assert len({item["group"] for item in items}) == 200
        assert len({item["variant"] for item in items}) == 7
        assert audit_items(open_graph(), result.items.select("id", "proof"), literal=0).passed

    def test_a_longer_draw_begins_with_the_shorter_one(self) -> None:
        few, many = (items_of(generate(open_graph(), "art", Options(n=n, balance=True))) for n in (40, 80))
        assert many[: len(few)] == few


class TestOpenRelations:
    def test_what_nobody_lists_in_full_is_asked_about_on_request(self) -> None:
        shut, wide = (generate(open_graph(), "people", Options(open_relations=wanted)) for wanted in (False, True))
        relations = [{item["premise"]["relation"]["label"] for item in items_of(result)} for result in (shut, wide)]
        assert "occupation" in relations[1] - relations[0]
        assert sum(count for reason, count in shut.sample.left_out.items() if "open" in reason) == 509


def test_who_asks_for_more_facts_than_there_are_is_told(tmp_path: Path) -> None:
    out = ["--domain", "people", "--out", str(tmp_path / "items.jsonl")]
    assert CliRunner().invoke(app, out).exit_code == 0
    few = CliRunner().invoke(app, [*out, "--n", "900"])
    assert few.exit_code == 1
    assert "is asked about often enough" in few.stderr
    line = next(line for line in few.stderr.splitlines() if line.startswith("a guesser by frequency gets: NSC"))
    alike, unlike = line.split("; and, as is expected where the other object is of another kind: ")
    assert "NDC" not in alike
    assert "NDC" in unlike
