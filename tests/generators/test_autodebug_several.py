"""A fact that a graph has one object of is told as the only one where such facts have one in the world, too."""

from __future__ import annotations

import re
from itertools import cycle, pairwise
from typing import Any

import pytest

from generators.autodebug import Options, generate
from kg import Graph, open_graph
from stories import graph_of

Item = dict[str, Any]
_DECLARED = """@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix kgp: <https://w3id.org/kgprobe#> .
:director a kgp:Relation ; rdfs:label "director" .
:creator a kgp:Relation ; rdfs:label "creator" .
:composer a kgp:Relation ; rdfs:label "composer" .
:origin a kgp:Relation ; rdfs:label "country of origin" .
:year a kgp:Attribute ; rdfs:label "year" .
:film rdfs:label "film" . :series rdfs:label "television series" . :person rdfs:label "person" .
:country rdfs:label "country" . :us a :country ; rdfs:label "United States" .
"""
_WORDS = ("Amber", "Birch", "Cedar", "Dune", "Elder", "Fern", "Glen", "Heath", "Iris", "Juniper", "Kelp", "Larch", "Moss")
_MAKERS = ("Ann Lee", "Tom Moor", "Eva Hart", "Max Reed")
_SCORERS = ("Gil Holt", "Ida Frost")


def _works(relation: str, kind: str, shared: int) -> str:
    """Write 26 works of a kind, of which some have a second maker."""
    makers, scorers, lines = cycle(_MAKERS), cycle(_SCORERS), []
    for number in range(26):
        name = f"The {kind.title()} of {_WORDS[number % 13]}{' Hill' * (number // 13)}"
        by = [next(makers), next(makers)][: 1 + (number < shared)]
        objects = ", ".join(f":{maker.replace(' ', '')}" for maker in by)
        scorer = next(scorers).replace(" ", "")
        said = f'rdfs:label "{name}" ; :year {1960 + number} ; :{relation} {objects} ; :composer :{scorer} ; :origin :us'
        lines.append(f":{kind}{number} a :{kind} ; {said} .")
    return "\n".join(lines)


def _told(text: str) -> list[Item]:
    people = "\n".join(f':{name.replace(" ", "")} a :person ; rdfs:label "{name}" .' for name in (*_MAKERS, *_SCORERS))
    graph: Graph = graph_of("\n".join([_DECLARED, people, text]))
    return [item for seed in range(3) for item in generate(graph, Options(n=200, seed=seed)).items.to_dicts()]


@pytest.fixture(scope="module")
def starter() -> list[Item]:
    return generate(open_graph(), Options(n=300, seed=7)).items.to_dicts()


class TestMakers:
    def test_who_created_a_series_is_not_told_where_series_often_have_two(self) -> None:
        items = _told(_works("creator", "series", shared=5) + _works("director", "film", shared=1))
        assert items
        assert not any("created" in item["context"] + item["question"] for item in items)

    def test_it_is_told_where_one_in_a_score_has_two(self) -> None:
        items = _told(_works("creator", "series", shared=1))
        assert any("created by" in item["context"] for item in items)

    def test_who_mostly_directs_with_a_brother_directs_alone_in_no_passage(self) -> None:
        brothers = ':Jo a :person ; rdfs:label "Jo Cone" . :Al a :person ; rdfs:label "Al Cone" .\n'
        titles = (("The Long Dam", ":Jo, :Al"), ("The Wide Dam", ":Jo, :Al"), ("The High Dam", ":Jo"))
        lines = [
            f':c{number} a :film ; rdfs:label "{title}" ; :year 1990 ; :director {by} ; :composer :GilHolt .'
            for number, (title, by) in enumerate(titles)
        ]
        items = _told(_works("director", "film", shared=0) + brothers + "\n".join(lines))
        assert any("directed by" in item["context"] for item in items)
        assert not any("directed by Jo Cone" in item["context"] for item in items if item["variant"] != "swap")


class TestWords:
    def test_of_a_score_and_a_language_no_sentence_says_that_there_is_one(self, starter: list[Item]) -> None:
        said = [item["context"] + " " + item["question"] for item in starter]
        assert any(" features music by " in text for text in said)
        assert any(" as an official language" in text for text in said)
        assert not any(re.search(r"official language is|the official language|the music", text) for text in said)

    def test_several_languages_are_told(self, starter: list[Item]) -> None:
        assert any(" as official languages" in item["context"] for item in starter)

    def test_the_country_does_not_begin_two_sentences_in_a_row(self, starter: list[Item]) -> None:
        for item in starter:
            begins = re.findall(r"(?:^|[.] )(The [a-z]+|\w+)", item["context"])
            assert all(one != other for one, other in pairwise(begins) if one.startswith("The ")), item["context"]
