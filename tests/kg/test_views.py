"""A graph that another program filled, in DBpedia's words: `kg load views` adds what it lacks, and nothing that it has."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import InputError, LocalGraph, RdfWords, RemoteGraph, derive_views, open_graph
from kg.graph import check_declared
from kg.sources.views import with_views
from kg_command import Kg
from sparql_endpoint import oxigraph, serving

DBO = "http://dbpedia.org/ontology/"


@pytest.fixture(scope="session")
def plain_triples(sources: Path) -> bytes:
    """The triples of the graph, as another program has them."""
    return open_graph().construct((sources / "views" / "as_dbpedia.rq").read_text())


@pytest.fixture
def plain(plain_triples: bytes, tmp_path: Path) -> Path:
    """A folder that pyoxigraph alone has filled: the default graph, and nothing else."""
    store = ox.Store(str(tmp_path / "plain"))
    store.bulk_load(plain_triples, ox.RdfFormat.N_TRIPLES)
    store.flush()
    return tmp_path / "plain"


def column(graph: LocalGraph | RemoteGraph, query: str) -> list[str]:
    """Return the first column of a query, sorted."""
    return sorted(graph.select(query).to_series().to_list())


def test_a_store_of_another_program_is_read_as_it_is(plain: Path, plain_triples: bytes) -> None:
    graph = LocalGraph.open(plain)
    assert graph.name == "kgp:graph/default"
    assert graph.ask(f"ASK {{ ?film a <{DBO}Film> }}")
    assert sorted(graph.dump(graph.data_graphs[0]).splitlines()) == sorted(set(plain_triples.splitlines()))
    with pytest.raises(InputError, match=r"no triple `\?p rdf:type kgp:Relation` is there; add what it lacks: `kg load views`"):
        check_declared(graph)


def test_what_it_lacks_is_added_beside_what_it_has(plain: Path, kg: Kg) -> None:
    before = LocalGraph.open(plain).digest()
    said = kg("load", "views", "--store", plain)
    assert said.code == 0, said.err
    assert "8 relations" in said.err
    graph = LocalGraph.open(plain)
    assert graph.data_graphs == ["https://w3id.org/kgprobe#graph/default", "https://w3id.org/kgprobe#graph/views"]
    assert graph.apart_from("views").digest() == before
    assert column(graph, "SELECT ?n { ?p a kgp:Relation ; rdfs:label ?n }") == [
        "author",
        "capital",
        "cast member",
        "country",
        "country of citizenship",
        "country of origin",
        "director",
        "place of birth",
    ]
    assert column(graph, f"SELECT ?n {{ <{DBO}Film> rdfs:label ?n }}") == ["Film"]
    assert graph.ask(f"ASK {{ ?film a <{DBO}Film> ; rdfs:label 'Pulp Fiction'@en ; kgp:popularity ?n }}")


def test_to_add_it_again_changes_nothing(plain: Path, kg: Kg) -> None:
    kg("load", "views", "--store", plain)
    once = LocalGraph.open(plain).digest()
    kg("load", "views", "--store", plain)
    assert LocalGraph.open(plain).digest() == once


def test_an_entity_with_a_label_gets_no_second_one() -> None:
    graph = LocalGraph.in_memory()
    graph.update(
        "INSERT DATA { <urn:a> rdfs:label 'Ann'@en ; skos:prefLabel 'Anna'@en ; <urn:e/isFondOf> <urn:b> ."
        " <urn:b> rdfs:label 'Бен'@ru ; skos:prefLabel 'Ben'@en . <urn:c> rdfs:label 'Cy' ; skos:prefLabel 'Cyril'@en }"
    )
    derived = with_views(graph)
    assert column(derived, "SELECT ?n { <urn:a> rdfs:label ?n }") == ["Ann"]
    assert column(derived, "SELECT ?n { <urn:b> rdfs:label ?n FILTER(LANG(?n) = 'en') }") == ["Ben"]
    assert column(derived, "SELECT ?n { <urn:c> rdfs:label ?n }") == ["Cy"]
    assert column(derived, "SELECT ?n { ?p a kgp:Relation ; rdfs:label ?n }") == ["is fond of"]


def test_kinds_may_be_told_by_another_predicate_and_predicates_be_chosen() -> None:
    graph = LocalGraph.in_memory()
    graph.update("INSERT DATA { wd:Q1 rdfs:label 'Ann'@en ; wdt:P31 wd:Q5 ; wdt:P19 wd:Q2 . wd:Q2 rdfs:label 'Linz'@en }")
    derived = with_views(graph, RdfWords(types=["wdt:P31"], relations=["wdt:P19"]))
    assert derived.ask("ASK { wd:Q1 rdf:type wd:Q5 }")
    assert column(derived, "SELECT ?n { ?p a kgp:Relation ; rdfs:label ?n }") == ["place of birth"]


def test_an_endpoint_gets_a_file(plain: Path, kg: Kg, tmp_path: Path) -> None:
    local = LocalGraph.open(plain)
    with serving(oxigraph(local)) as url:
        refused = kg("load", "views", "--endpoint", url)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "an endpoint is not written to: name a file" in refused.err
        assert kg("load", "views", "--endpoint", url, "--out", tmp_path / "views.nq").code == 0
    quads = ox.parse(path=str(tmp_path / "views.nq"), format=ox.RdfFormat.N_QUADS)
    load = derive_views(local)
    assert sorted(f"{q.triple} ." for q in quads) == sorted(load.data.decode().splitlines())


def test_without_names_the_way_out_is_told(kg: Kg, plain: Path) -> None:
    said = kg("load", "views", "--store", plain, "--labels", "skos:prefLabel")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "nothing in this graph has a name; say with --labels" in said.err
    assert kg("load", "views").code == 2
