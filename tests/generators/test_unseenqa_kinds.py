"""What stands beside an answer is of the kind that its question asks for, and is written in its place as a whole."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from fpq_made import write_lines
from generators import factbench, unseenqa
from generators.factbench.__main__ import summary as factbench_summary
from generators.unseenqa.__main__ import summary as unseen_summary
from generators.unseenqa.consistency import consistency
from generators.unseenqa.values import find_value, near
from kg import LocalGraph
from stories import graph_of

FIXTURE = Path(__file__).parents[1] / "fixtures" / "generators" / "unseenqa" / "kinds.ttl"
CITIES = {"Oxford", "New York City", "Leeds", "York", "Bath", "Durham", "Ripon", "Wells"}
ARMIES = {
    "British Army",
    "Royal Navy",
    "Royal Air Force",
    "French Army",
    "Red Army",
    "Wehrmacht",
    "Canadian Army",
    "Polish Navy",
}
STATES = {"Victoria", "Queensland", "Ohio", "Iowa", "Utah", "Bavaria", "Hesse", "Maine"}


@pytest.fixture(scope="module")
def graph() -> LocalGraph:
    return graph_of(FIXTURE.read_text("utf-8"))


def options(graph: LocalGraph, folder: Path, asked: dict[str, Any], text: str) -> set[str]:
    """Return all that stands in the choices of one answer, "unsure" aside."""
    fields = {"method": "mine", "family": "f", "task": "open", "variant": "basic", "group": "g", "answer_type": "entity"}
    items = write_lines(folder / "items.jsonl", [{"schema": "kgprobe.item/1", "id": "q.0", **fields, **asked}])
    said = {"schema": "kgprobe.response/1", "item": "q.0", "model": "scripted", "sample": 0, "text": text}
    made = consistency(graph, str(write_lines(folder / "responses.jsonl", [said])), str(items)).items
    return {option for own in made["options"] for option in own} - {"unsure"}


def asked(question: str, answer: list[str], property_: str, kind: str | None = None) -> dict[str, Any]:
    return {"question": question, "answer": answer, "strata": {"property": property_}, "source": {"kind": kind}}


def test_a_name_that_a_city_and_a_university_bear_is_the_city_where_somebody_is_born(graph: LocalGraph, tmp_path: Path) -> None:
    found = options(graph, tmp_path, asked("In which city was Ann Ash born?", ["Oxford"], "P19", "city"), "Oxford")
    assert found == CITIES


def test_a_wrong_answer_stands_among_its_own_kind_too(graph: LocalGraph, tmp_path: Path) -> None:
    found = options(graph, tmp_path, asked("In which city was Ann Ash born?", ["Oxford"], "P19", "city"), "Leeds")
    assert found == CITIES - {"Oxford"}


def test_what_has_no_type_stands_among_what_the_property_names(graph: LocalGraph, tmp_path: Path) -> None:
    question = asked("In which military branch did Ann Ash serve?", ["British Army"], "P241")
    assert options(graph, tmp_path, question, "British Army") == ARMIES


def test_a_state_stands_among_states_of_any_country_and_no_countries(graph: LocalGraph, tmp_path: Path) -> None:
    found = options(graph, tmp_path, asked("Which state is Melbourne Airport in?", ["Victoria"], "P131", "state"), "Victoria")
    assert found == STATES


@pytest.mark.parametrize("text", ["It is New York City.", "It is New York."])
def test_another_name_takes_the_place_of_the_whole_name(graph: LocalGraph, tmp_path: Path, text: str) -> None:
    """Of "New York City" the alias "New York" is a part: "It is Leeds City" would be no answer."""
    question = asked("In which city was Ben Birch born?", ["New York City", "New York"], "P19", "city")
    assert options(graph, tmp_path, question, text) == {text[:-1]} | {f"It is {city}" for city in CITIES - {"New York City"}}


def test_heights_stay_heights_of_people() -> None:
    value = find_value("1.78 metres", "number")
    assert value is not None
    assert all(1.3 < float(text) < 2.2 for text in near(value, key=1, n=20))


def test_summaries_say_when_the_graph_has_no_aliases(graph: LocalGraph) -> None:
    lines = FIXTURE.read_text("utf-8").splitlines(keepends=True)
    bare = graph_of("".join(line for line in lines if line.startswith("@") or "skos:altLabel" not in line))
    today = unseenqa.Options(date(2024, 4, 13), fillers=1)
    for each, told in ((graph, False), (bare, True)):
        said = unseen_summary(unseenqa.generate(each, today), today, "unseen.jsonl", 20)
        facts = "\n".join(factbench_summary(factbench.generate(each, factbench.Options(n=5))))
        assert ("the graph has no aliases" in said, "the graph has no aliases" in facts) == (told, told)
