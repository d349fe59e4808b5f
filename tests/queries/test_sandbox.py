"""Queries of strangers: they read one graph, and end at a limit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import load_starter
from kg.graph_choice import GraphChoice
from kg.local import LocalGraph
from queries.sandbox import Limits, Sandbox
from sparql_endpoint import oxigraph, serving

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
GREEDY = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a ?d ?g"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limits=Limits(seconds=20.0, rows=3), processes=1) as running:
        yield running


def test_the_first_rows_come_as_terms_and_more_are_told(sandbox: Sandbox) -> None:
    found = sandbox.look_up("SELECT ?name ?none { ?film a <film> ; rdfs:label ?name } ORDER BY ?name")
    assert (found.columns, len(found.rows), found.more) == (["name", "none"], 3, True)
    assert found.rows[0] == ['"2001: A Space Odyssey"@en', ""]
    few = sandbox.look_up("SELECT ?e { ?e rdfs:label 'Pulp Fiction'@en }")
    assert (len(few.rows), few.more, few.error) == (1, False, None)


def test_it_answers_asks_and_constructs(sandbox: Sandbox) -> None:
    assert sandbox.look_up("ASK { ?film rdfs:label 'Pulp Fiction'@en }").truth is True
    assert sandbox.look_up("ASK { ?film rdfs:label 'Pulp Friction'@en }").truth is False
    triples = sandbox.look_up("CONSTRUCT { ?film a <film> } { ?film rdfs:label 'Pulp Fiction'@en }")
    assert (triples.columns, len(triples.rows)) == (["s", "p", "o"], 1)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "INSERT writes"),
        ("PREFIX a: <a:> DELETE WHERE { ?s ?p ?o }", "DELETE writes"),
        ("LOAD <http://127.0.0.1:1/data.ttl>", "LOAD writes"),
        ("drop all", "DROP writes"),
        ("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", "SERVICE asks another server"),
        ("SELECT * FROM <http://127.0.0.1:1/> { ?s ?p ?o }", "FROM names another dataset"),
        ("SELECT ?x { ?x a <film> } ; DROP ALL", "does not parse"),
        ("SELECT ?x {", "does not parse"),
        ("What is the capital?", "cannot begin with 'WHAT'"),
        ("", "cannot begin with ''"),
        ("SELECT ?x { FILTER(<a:nobody>(?x)) }", "does not run"),
        ("ASK " + "{" * 400 + "}" * 400, "nested more than 300 deep"),
    ],
)
def test_what_writes_or_asks_elsewhere_or_is_no_query_is_refused(sandbox: Sandbox, query: str, reason: str) -> None:
    found = sandbox.look_up(query)
    assert (found.rows, found.truth) == ([], None)
    assert found.error is not None
    assert reason in found.error


def test_words_of_updates_may_stand_in_texts(sandbox: Sandbox) -> None:
    assert sandbox.look_up("ASK { ?s rdfs:label 'DROP ALL; SERVICE' } # LOAD").truth is False


def test_a_query_that_does_not_end_is_cut_and_the_next_one_runs() -> None:
    with Sandbox(limits=Limits(seconds=6.0), processes=1) as sandbox:
        assert sandbox.look_up(ENDLESS).error == "was cut off after 6 seconds; ask for less"
        assert sandbox.look_up("ASK {}").truth is True


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system has no limit of memory")
def test_a_query_that_takes_too_much_memory_is_ended_and_the_next_one_runs() -> None:
    with Sandbox(limits=Limits(seconds=60.0, megabytes=64), processes=1) as sandbox:
        greedy = sandbox.look_up(GREEDY)
        assert greedy.error == "took more than 64 MB of memory, or broke down; ask for less"
        assert sandbox.look_up("ASK {}").truth is True


def test_an_endpoint_is_asked_in_the_same_way() -> None:
    graph = LocalGraph.in_memory(load_starter())
    with serving(oxigraph(graph)) as url, Sandbox(GraphChoice(endpoint=url), Limits(rows=2), processes=1) as sandbox:
        found = sandbox.look_up("SELECT ?name { ?film a <film> ; rdfs:label ?name } ORDER BY ?name")
        assert (found.rows[0], len(found.rows), found.more) == (['"2001: A Space Odyssey"@en'], 2, True)
        assert sandbox.look_up("ASK { ?film a <film> }").truth is True
        assert sandbox.look_up("DESCRIBE <film/id=pulp-fiction>").more
        assert "SERVICE" in (sandbox.look_up(f"ASK {{ SERVICE <{url}> {{ ?s ?p ?o }} }}").error or "")
