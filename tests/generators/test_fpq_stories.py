"""The method on graphs small enough to be read: who may take the true object's place, and who may not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generators.fpq import Direction, HopOrder, Options, Sampling, generate
from kg import LocalGraph
from kg.vocab import DATA_GRAPH
from oracle import Asked, check
from plain_graph import Plain
from queries.domain import find_domain
from stories import FOLDER, Story, graph_of, parts

Item = dict[str, Any]
LIKES = Asked(["person"], ["likes"])


def asked(graph: LocalGraph, domain: str, **options: Any) -> list[Item]:
    """The yes-no items of a domain."""
    # A graph that can be read has too few objects for any to be of like frequency.
    result = generate(graph, find_domain(str(FOLDER / f"{domain}.toml")), Options(**options, sampling=Sampling.plain))
    items = [json.loads(line) for line in result.items.write_ndjson().splitlines()]
    return [item for item in items if item["task"] == "yes_no"]


def chosen(items: list[Item]) -> dict[str, str]:
    """Who stands in each variant."""
    return {item["variant"]: item["premise"]["object"]["label"] for item in items}


@pytest.fixture(scope="module")
def items() -> dict[str, Item]:
    """The items about John Lennon's place of death, by variant."""
    graph = graph_of((FOLDER / "lennon.ttl").read_text("utf-8"))
    return {item["variant"]: item for item in asked(graph, "death", hops=HopOrder.nearest)}


class TestJohnLennon:
    """Figure 3 of the paper: an edit takes the place of New York City."""

    def test_the_true_premise(self, items: dict[str, Item]) -> None:
        assert items["tpq"]["question"] == "Is New York City where John Lennon died?"
        assert items["tpq"]["answer"] == ["yes"]
        assert items["tpq"]["group"] == "fpq.Q1203.P20.Q60"

    def test_nsc_is_liverpool_one_hop_away(self, items: dict[str, Item]) -> None:
        wd, wdt = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
        premise = items["NSC"]["premise"]
        assert items["NSC"]["question"] == "Is Liverpool where John Lennon died?"
        assert (premise["object"]["label"], premise["hops"]) == ("Liverpool", 1)
        assert premise["path"] == [[f"{wd}Q1203", f"{wdt}P19", f"{wd}Q24826"]]
        assert [entry["label"] for entry in premise["true_objects"]] == ["New York City"]

    def test_ndc_is_a_neighbour_of_another_kind(self, items: dict[str, Item]) -> None:
        assert chosen([items["NDC"]])["NDC"] in {"Yoko Ono", "The Beatles"}
        assert items["NDC"]["premise"]["hops"] == 1

    def test_nnsr_is_where_somebody_else_died(self, items: dict[str, Item]) -> None:
        assert chosen([items["NNSR"]]) == {"NNSR": "Amboise"}

    def test_nnsc_is_the_city_that_is_left_far_away(self, items: dict[str, Item]) -> None:
        assert chosen([items["NNSC"]]) == {"NNSC": "Florence"}

    def test_nndc_is_a_painting_or_a_person_far_away(self, items: dict[str, Item]) -> None:
        assert chosen([items["NNDC"]])["NNDC"] in {"Mona Lisa", "Leonardo da Vinci"}

    def test_nndr_is_far_away_and_no_place_of_death(self, items: dict[str, Item]) -> None:
        far = {"Leonardo da Vinci", "Louvre", "Mona Lisa", "Andy Warhol", "Billie Holiday", "Nikola Tesla"}
        assert chosen([items["NNDR"]])["NNDR"] in far
        assert items["NNDR"]["premise"]["hops"] is None
        assert items["NNDR"]["premise"]["path"] is None

    def test_both_ways_those_who_died_in_the_same_city_are_neighbours(self) -> None:
        graph = graph_of((FOLDER / "lennon.ttl").read_text("utf-8"))
        for seed in range(8):
            far = chosen(asked(graph, "death", direction=Direction.both, seed=seed))
            assert far["NNDR"] in {"Leonardo da Vinci", "Louvre", "Mona Lisa", "Florence"}


@pytest.mark.parametrize("story", parts("candidates.ttl"))
def test_who_fills_an_edit(story: Story) -> None:
    edit, _, name = story.expected.partition(" ")
    graph = story.graph
    items = asked(graph, "likes")
    group = [item for item in items if item["proof"][0]["bind"][2]["term"] == "<http://example.org/rose>"]
    assert chosen(group).get(edit, "nobody") == name
    assert complaints(graph) == []


@pytest.mark.parametrize("story", parts("facts.ttl"))
def test_which_facts_are_asked_about(story: Story) -> None:
    items = asked(story.graph, "likes")
    assert {item["group"] for item in items} == ({items[0]["group"]} if story.expected == "yes" else set())
    assert complaints(story.graph) == []


@pytest.mark.parametrize("story", parts("unstated.ttl"))
def test_what_stands_in_no_fact_counts_all_the_same(story: Story) -> None:
    edit, _, name = story.expected.partition(" ")
    graph = story.graph
    assert chosen(asked(graph, "likes")).get(edit.replace("TPQ", "tpq"), "nobody") == name
    assert complaints(graph) == []


def test_pairs_whose_objects_are_known_to_be_incomplete_are_not_asked_about() -> None:
    graph = graph_of((FOLDER / "lennon.ttl").read_text("utf-8"))
    graph.update("INSERT DATA { GRAPH kgp:schema { wd:Q1203 kgp:incomplete wdt:P20 } }")
    assert asked(graph, "death") == []


def test_an_open_relation_is_asked_about_where_the_graph_says_that_the_list_is_whole(tmp_path: Path) -> None:
    (tmp_path / "likes.toml").write_text((FOLDER / "likes.toml").read_text("utf-8") + 'open = ["likes"]\n', "utf-8")
    domain = find_domain(str(tmp_path / "likes.toml"))
    graph = graph_of((FOLDER / "facts.ttl").read_text("utf-8").partition("\n### ")[0])
    subject, relation = next(graph.select("SELECT ?s ?p { ?s ?p ?o . ?p rdfs:label 'likes'@en }").iter_rows())
    assert generate(graph, domain).items.is_empty()
    graph.update(f"INSERT DATA {{ GRAPH kgp:schema {{ <{subject}> kgp:complete <{relation}> }} }}")
    whole = generate(graph, domain).items
    assert whole["premise"].struct.field("subject").struct.field("iri").unique().to_list() == [subject]
    graph.update(f"INSERT DATA {{ GRAPH kgp:schema {{ <{subject}> kgp:incomplete <{relation}> }} }}")
    assert generate(graph, domain).items.is_empty()


def test_nobody_asks_about_anna_if_another_person_is_called_anna_by_a_second_label() -> None:
    graph = graph_of((FOLDER / "facts.ttl").read_text("utf-8").partition("\n### ")[0])
    assert asked(graph, "likes")
    ada = '<http://e.org/ada> a :Person ; rdfs:label "Ada"@en, "Anna"@en ; :knows :rose'
    graph.update(f"PREFIX : <http://example.org/> INSERT DATA {{ GRAPH <{DATA_GRAPH}story> {{ {ada} }} }}")
    assert asked(graph, "likes") == []


def complaints(graph: LocalGraph) -> list[str]:
    """What brute force says of both forms."""
    result = generate(graph, find_domain(str(FOLDER / "likes.toml")), Options(sampling=Sampling.plain, repeats=True))
    items = [json.loads(line) for line in result.items.write_ndjson().splitlines()]
    return check(Plain(graph.dump(f"{DATA_GRAPH}story")), items, LIKES)
