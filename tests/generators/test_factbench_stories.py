"""Simple questions on a graph small enough to be read: what is asked, how, with which answers, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from generators.factbench import Options, Result, generate
from generators.factbench.__main__ import app
from generators.items import write_items
from kg import LocalGraph
from queries import audit_items
from stories import graph_of

Item = dict[str, Any]
FOLDER = Path(__file__).parents[1] / "fixtures" / "generators" / "factbench"


@pytest.fixture(scope="module")
def graph() -> LocalGraph:
    return graph_of((FOLDER / "story.ttl").read_text("utf-8"))


@pytest.fixture(scope="module")
def result(graph: LocalGraph) -> Result:
    return generate(graph, Options(n=100))


@pytest.fixture(scope="module")
def items(graph: LocalGraph) -> dict[tuple[str, str], Item]:
    """The items of all facts that can be asked about (quarters aside), by subject's name and property."""
    # Popularity that all share makes no quarters, so that every fact that can be asked about is.
    given = graph.select("SELECT DISTINCT ?id { ?id a ?c }").with_columns(popularity=1.0)
    made = generate(graph, Options(n=100, popularity=given)).items
    lines = [json.loads(line) for line in made.write_ndjson().splitlines()]
    return {(line["given"][0]["value"], line["family"]): line for line in lines}


def test_a_day_is_asked_to_the_day_and_answered_in_every_spelling(items: dict[tuple[str, str], Item]) -> None:
    born = items["Ada Lovelace", "P569"]
    assert all(word in born["question"] for word in ("month", "year", "Ada Lovelace"))
    assert born["answer"][0] == "December 10, 1815"
    assert {"10 December 1815", "10th of December 1815", "Dec 10, 1815"} < set(born["answer"])
    assert born["answer"][-1] == "1815-12-10"
    assert (born["answer_type"], born["precision"], born["strata"]["answer_type"]) == ("date", "day", "date")


def test_a_month_is_asked_as_a_month_and_a_year_as_a_year(items: dict[tuple[str, str], Item]) -> None:
    month, year = items["Bo Berg", "P569"], items["Cleo Dahl", "P569"]
    assert "month" in month["question"]
    assert "day" not in month["question"]
    assert (month["precision"], month["answer"][0]) == ("month", "July 1903")
    assert "month" not in year["question"]
    assert (year["precision"], year["answer"]) == ("year", ["1950"])


def test_the_question_says_what_kind_of_place_is_wanted(items: dict[tuple[str, str], Item]) -> None:
    assert "city" in items["Ada Lovelace", "P19"]["question"]
    assert items["Ada Lovelace", "P19"]["answer"] == ["London"]
    assert "town" in items["Bo Berg", "P19"]["question"]


def test_a_measure_is_asked_in_its_unit_and_never_answered_by_the_number_alone(items: dict[tuple[str, str], Item]) -> None:
    tall = items["Lillestad Tower", "P2048"]
    assert "metres" in tall["question"]
    assert tall["answer"][:3] == ["165 metres", "165 m", "165 meters"]
    assert "165" not in tall["answer"]
    assert (tall["unit"], tall["precision"]) == ("metre", "1")
    assert items["Lillestad Tower", "P1101"]["answer"] == ["40", "40 floors", "forty", "forty floors"]


def test_bands_are_formed_towers_built_and_titles_quoted(items: dict[tuple[str, str], Item]) -> None:
    assert "formed" in items["Norrsken", "P571"]["question"]
    assert "built" in items["Lillestad Tower", "P571"]["question"]
    assert "the novel “The Long Snow”" in items["The Long Snow", "P50"]["question"]


def test_what_changes_says_its_year_or_is_left_out(items: dict[tuple[str, str], Item]) -> None:
    assert "2011" in items["Lillestad", "P1082"]["question"]
    assert ("London", "P1082") not in items


def test_what_is_not_specific_is_left_out_and_counted(items: dict[tuple[str, str], Item], result: Result) -> None:
    left_out = result.facts.left_out()
    assert ("Cleo Dahl", "P19") not in items
    assert left_out["several values of the property"] == 2
    assert not {"Dora Eng", "Eli Falk (writer)", "A Life of Cleo Dahl"} & {name for name, _ in items}
    # Dora Eng's birth, Eli Falk's; occupations are out for all.
    assert left_out["subject's name is borne by another"] == 1
    assert left_out["subject's title or label carries brackets"] == 1
    assert left_out["a number without its unit"] == 1
    assert left_out["changes with time, and no year is said"] == 1
    assert left_out["the question says the answer"] == 1


def test_the_certificates_hold_and_the_summary_adds_up(graph: LocalGraph, result: Result, tmp_path: Path) -> None:
    path = str(tmp_path / "items.jsonl")
    assert write_items(path, result.items)
    audit = audit_items(graph, path)
    assert audit.passed
    assert audit.proofs == 2 * result.items.height
    assert sum(result.facts.left_out().values()) + result.facts.eligible.height == result.facts.rows.height


def test_a_second_value_and_a_namesake_break_the_certificate(result: Result, tmp_path: Path) -> None:
    path = str(tmp_path / "items.jsonl")
    write_items(path, result.items)
    text = (FOLDER / "story.ttl").read_text("utf-8")
    other = text + '\nwd:Q7259 wdt:P19 wd:Q2001 . wd:Q99 a wd:Q5 ; rdfs:label "Bo Berg"@en .\n'
    failed = {failure.item for failure in audit_items(graph_of(other), path).failures}
    lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
    subjects = {line["given"][0]["value"] for line in lines if line["id"] in failed}
    assert subjects <= {"Ada Lovelace", "Bo Berg"}
    assert subjects


@pytest.mark.parametrize("bearer", ['rdfs:label "ada lovelace"@fr', 'skos:altLabel "Ada Lovelace"'])
def test_what_has_no_facts_bears_its_name_all_the_same(bearer: str) -> None:
    """A bare name is no entity of the graph; a predicate of that name is nobody."""
    text = (FOLDER / "story.ttl").read_text("utf-8")
    assert _asked_of(text + f"\nwdt:P99 a kgp:Relation ; {bearer} .\n", "Ada Lovelace")
    assert not _asked_of(text + f"\nwd:Q99 {bearer} .\n", "Ada Lovelace")


def _asked_of(turtle: str, subject: str) -> bool:
    return subject in generate(graph_of(turtle), Options(n=100)).facts.eligible["subject"]


def test_the_same_seed_gives_the_same_items(graph: LocalGraph, result: Result) -> None:
    assert generate(graph, Options(n=100)).items.equals(result.items)


def test_parts_are_short_in_proportion_and_the_summary_says_so(tmp_path: Path) -> None:
    train, out = tmp_path / "train.jsonl", tmp_path / "eval.jsonl"
    parts = ["--train", "100000", "--eval", "300000", "--train-out", str(train), "--out", str(out)]
    done = CliRunner().invoke(app, parts)
    learned, asked = (len(path.read_text("utf-8").splitlines()) for path in (train, out))
    assert done.exit_code == 1
    assert f"short in proportion: {learned} of 100000 to learn from, {asked} of 300000 to evaluate on" in done.output
    assert 0.22 < learned / (learned + asked) < 0.28
