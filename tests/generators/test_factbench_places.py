"""Cities with their state, what a fact needs to be one of its kind, and measures as people say them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generators.factbench import Options, generate, load_wordings
from generators.items import write_items
from kg import LocalGraph
from kg.errors import InputError
from queries import audit_items
from stories import graph_of

Items = dict[tuple[str, str], dict[str, Any]]
FIXTURE = Path(__file__).parents[1] / "fixtures" / "generators" / "factbench" / "states.ttl"


@pytest.fixture(scope="module")
def graph() -> LocalGraph:
    return graph_of(FIXTURE.read_text("utf-8"))


@pytest.fixture(scope="module")
def items(graph: LocalGraph) -> Items:
    given = graph.select("SELECT DISTINCT ?id { ?id a ?c }").with_columns(popularity=1.0)
    made = generate(graph, Options(n=100, popularity=given)).items
    lines = [json.loads(line) for line in made.write_ndjson().splitlines()]
    return {(line["source"]["subject"].rpartition("/")[2], line["family"]): line for line in lines}


def test_a_city_of_a_state_is_asked_for_with_it(items: Items) -> None:
    with_state, alone = items["Q11", "P19"], items["Q12", "P19"]
    assert "city and state" in with_state["question"]
    assert with_state["answer"] == ["Lone Oak, California", "Lone Oak, CA"]
    assert "state" not in alone["question"]
    assert alone["answer"] == ["Great Bay"]


def test_a_city_of_a_state_is_named_with_it(items: Items) -> None:
    assert "Lone Oak, California" in items["Q1", "P2044"]["question"]
    assert items["Q1", "P2044"]["given"] == [{"slot": "subject", "value": "Lone Oak, California", "claim": None}]


def test_the_titles_are_proven(graph: LocalGraph, items: Items, tmp_path: Path) -> None:
    proof = items["Q11", "P19"]["proof"][-1]
    assert proof["rows"] == [["http://www.wikidata.org/entity/Q1", "Lone Oak, California"]]
    made = generate(graph, Options(n=100)).items
    write_items(str(tmp_path / "items.jsonl"), made)
    assert not audit_items(graph, str(tmp_path / "items.jsonl")).failures


def test_a_measure_is_rounded_as_people_do(items: Items) -> None:
    area = items["Q1", "P2044"]
    assert area["answer"][0] == "17.61 metres"
    assert {"17.6 m", "17.6119191503 metres"} < set(area["answer"])
    assert "18 m" not in area["answer"]
    assert area["precision"] == "0.1"


def test_a_country_is_not_asked_for_where_a_part_of_it_is_wanted(items: Items) -> None:
    assert ("Q2", "P131") not in items


def test_who_is_in_no_team_is_known_for_no_sport(items: Items) -> None:
    assert ("Q13", "P641") in items
    assert ("Q14", "P641") not in items


def test_what_sources_differ_about_is_left_out_with_the_reason(graph: LocalGraph, items: Items) -> None:
    left_out = generate(graph, Options(n=100)).facts.left_out()
    assert ("Q15", "P1532") not in items
    assert left_out["sources differ: a citizenship may stand for a national team"] == 1


def test_what_the_inverse_property_says_is_a_value_too(items: Items) -> None:
    assert ("Q40", "P36") not in items


def test_another_name_of_the_answer_in_the_subjects_gives_it_away(items: Items) -> None:
    assert ("Q31", "P17") not in items
    assert {"from", "based"} & {*items["Q32", "P17"]["question"].rstrip("?").split()}
    assert "UA" in items["Q32", "P17"]["answer"]


def test_what_changes_must_say_its_year(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("[P1]\ntype = 'entity'\nchanging = true\nask = ['Who led {s}?', 'Who led {s} then?', 'Who ran {s}?']\n")
    with pytest.raises(InputError, match="does not say the year"):
        load_wordings(str(file))
