"""Graphs that go to rdflib and come back."""

from __future__ import annotations

import pytest
import rdflib
from rdflib.compare import isomorphic

import kg
from kg import InputError, LocalGraph

DATA = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:linz a ex:City ; rdfs:label "Linz"@en ; ex:country ex:austria ; ex:code "01"^^xsd:integer ; ex:motto "a \\"b\\"\\nc" .
ex:graz a ex:City ; rdfs:label "Graz"@en ; ex:country ex:austria .
ex:austria a ex:Country ; rdfs:label "Austria"@en .
"""
CODE = rdflib.URIRef("http://example.org/code")


@pytest.fixture
def cities() -> LocalGraph:
    """Two cities, as rdflib read them."""
    return kg.from_rdflib(rdflib.Graph().parse(data=DATA, format="turtle"))


def test_what_comes_from_rdflib_can_be_asked_about(cities: LocalGraph) -> None:
    assert cities.ask('ASK { ?city <http://example.org/country> ?c . ?c rdfs:label "Austria"@en }')
    assert cities.ask("ASK { <http://example.org/country> a kgp:Relation . <http://example.org/motto> a kgp:Attribute }")
    assert cities.name == "kgp:graph/rdflib"


def test_it_goes_back_and_comes_again_as_it_was(cities: LocalGraph) -> None:
    again = kg.from_rdflib(kg.to_rdflib(cities))
    assert again.digest() == cities.digest()
    assert isomorphic(kg.to_rdflib(again), kg.to_rdflib(cities))


def test_literals_keep_their_spelling_and_rdflib_its_setting() -> None:
    graph = LocalGraph.in_memory()
    graph.update(
        'INSERT DATA { GRAPH <https://w3id.org/kgprobe#graph/g> { <a:a> <a:b> "01"^^<a:odd>, "x"@en, "2.50"^^xsd:string } }'
    )
    before = rdflib.NORMALIZE_LITERALS
    spelled = {str(o) for o in kg.to_rdflib(graph).objects()}
    assert (spelled, rdflib.NORMALIZE_LITERALS) == ({"01", "x", "2.50"}, before)


def test_a_graph_without_a_name_in_it_is_told() -> None:
    nameless = rdflib.Graph().parse(data="<a:a> <a:b> <a:c> .", format="nt")
    with pytest.raises(InputError):
        kg.from_rdflib(nameless)
