"""A graph behind a SPARQL endpoint says what the same graph says here."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import Graph, LocalGraph, QueryError, StoreError, build_store, load_starter, open_graph
from kg.remote import RemoteGraph
from kg.vocab import SCHEMA
from sparql_endpoint import Reply, oxigraph, serving


@pytest.fixture(scope="module")
def remote(films: LocalGraph) -> Iterator[RemoteGraph]:
    """The film tables behind an endpoint."""
    with serving(oxigraph(films)) as url:
        yield RemoteGraph(url)


def test_it_is_a_graph_like_any_other(remote: RemoteGraph, films: LocalGraph) -> None:
    assert isinstance(remote, Graph)
    assert remote.name == remote.url
    assert remote.base == films.base
    assert remote.data_graphs == films.data_graphs


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?name { ?e rdfs:label ?name } ORDER BY ?name",
        "SELECT ?e ?c { ?e rdf:type ?c } ORDER BY ?e ?c",
        "PREFIX wd: <http://elsewhere.example/> SELECT (wd:x AS ?x) {}",
        "SELECT ?nothing { ?e wdt:P19 ?nothing }",
        "SELECT ?v ?w { ?e rdfs:label 'Two\\nlines'@en, ?v OPTIONAL { ?e wdt:P1 ?w } }",
    ],
)
def test_a_select_gives_the_same_rows(query: str, remote: RemoteGraph, films: LocalGraph) -> None:
    assert remote.select(query).equals(films.select(query))
    assert remote.terms(query).equals(films.terms(query))


def test_relative_iris_are_those_of_the_tables(remote: RemoteGraph, films: LocalGraph) -> None:
    query = "SELECT ?title { ?film a <film> ; <film#title> ?title } ORDER BY ?title"
    assert films.select(query).height > 0
    assert remote.select(query).equals(films.select(query))
    assert remote.ask("ASK { ?film <film#title> ?title }")


def test_an_ask_and_a_construct_give_the_same(remote: RemoteGraph, films: LocalGraph) -> None:
    assert remote.ask("ASK { ?e rdfs:label 'Alien'@en }")
    assert not remote.ask("ASK { ?e rdfs:label 'Nobody'@en }")
    query = "CONSTRUCT { ?e rdfs:label ?name } WHERE { ?e rdfs:label ?name }"
    assert sorted(remote.construct(query).splitlines()) == sorted(films.construct(query).splitlines())


def test_the_digest_is_that_of_the_same_graph_here(remote: RemoteGraph, films: LocalGraph) -> None:
    assert remote.digest() == films.digest()


def test_schema_and_provenance_stand_apart(remote: RemoteGraph, films: LocalGraph) -> None:
    keys = "SELECT ?key { ?key a kgp:PrimaryKey } ORDER BY ?key"
    assert remote.schema(keys).equals(films.schema(keys))
    assert remote.select(keys).is_empty()
    assert remote.provenance("SELECT ?l { ?load dcterms:license ?l }").item() == "CC0-1.0"
    assert remote.dump(SCHEMA).count(b"\n") == films.dump(SCHEMA).count(b"\n")


@pytest.mark.parametrize("media", ["application/sparql-results+json", "application/sparql-results+xml"])
def test_an_endpoint_that_writes_only_json_or_xml_will_do(media: str, films: LocalGraph) -> None:
    with serving(oxigraph(films, media)) as url:
        query = "SELECT ?e ?name { ?e rdfs:label ?name } ORDER BY ?e ?name"
        assert RemoteGraph(url).select(query).equals(films.select(query))
        assert RemoteGraph(url).terms(query).equals(films.terms(query))
        assert RemoteGraph(url).ask("ASK { ?e rdfs:label 'Alien'@en }")


def test_an_endpoint_without_our_loads_is_asked_about_its_own_graph() -> None:
    store = LocalGraph.in_memory()
    store.update("INSERT DATA { GRAPH <http://e/g> { wd:Q1 rdfs:label 'universe'@en } }")

    def reply(form: dict[str, list[str]], accept: str) -> Reply:
        if "default-graph-uri" in form:
            return 400, "text/plain", b"no such graph"
        return 200, "text/csv", b"name\r\nuniverse\r\n"

    with serving(reply) as url:
        graph = RemoteGraph(url)
        assert graph.select("SELECT ?name { ?e rdfs:label ?name }").item() == "universe"
        assert graph.base is None


def test_the_digest_that_a_load_recorded_is_taken_while_the_triples_are_as_many(tmp_path: Path) -> None:
    build_store(tmp_path / "store", load_starter())
    stored, asked = LocalGraph.open(tmp_path / "store"), list[str]()
    answer = oxigraph(stored)

    def reply(form: dict[str, list[str]], accept: str) -> Reply:
        asked.extend(form.get("query", []))
        return answer(form, accept)

    with serving(reply) as url:
        assert RemoteGraph(url).digest() == stored.digest()
        assert not any("CONSTRUCT" in query for query in asked)
        graph = RemoteGraph(url)
        RemoteGraph(url).update(f"INSERT DATA {{ GRAPH <{stored.data_graphs[0]}> {{ wd:Q1 rdfs:label 'universe'@en }} }}")
        assert graph.digest() not in (stored.digest(), None)
        assert any("CONSTRUCT" in query for query in asked)


def test_an_update_reaches_the_endpoint(films: LocalGraph) -> None:
    with serving(oxigraph(films)) as url:
        graph = RemoteGraph(url)
        before = graph.digest()
        graph.update(f"INSERT DATA {{ GRAPH <{films.data_graphs[0]}> {{ wd:Q1 rdfs:label 'universe'@en }} }}")
        assert graph.ask("ASK { wd:Q1 rdfs:label 'universe'@en }")
        assert graph.digest() != before


def test_what_is_sent_as_a_query_is_never_run_as_an_update(films: LocalGraph) -> None:
    with serving(oxigraph(films)) as url, pytest.raises(QueryError, match="does not parse"):
        RemoteGraph(url).select("INSERT DATA { wd:Q1 wdt:P1 wd:Q2 }")


def test_a_fault_in_the_query_is_one_line_with_the_servers_words(remote: RemoteGraph) -> None:
    with pytest.raises(QueryError, match=r"does not parse or run \(error at 1:\d+.*mend it") as fault:
        remote.select("SELECT ?x {")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((500, "text/html", b"<h1>out of\nmemory</h1>"), "500"),
        ((503, "text/plain", b"busy"), "HTTP error 503"),
        ((404, "text/plain", b"nothing here"), "nothing here"),
        ((200, "text/html", b"<h1>Welcome</h1>"), "answers with 'text/html'"),
        ((200, "application/sparql-results+json", b'{"head": '), "broken"),
    ],
)
def test_a_server_that_is_no_endpoint_or_fails_is_named(reply: Reply, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.wire.pause", lambda _: None)
    with serving(lambda *_: reply) as url, pytest.raises(QueryError, match=message) as fault:
        RemoteGraph(url).ask("ASK { ?s ?p ?o }")
    assert "\n" not in str(fault.value)
    assert url in str(fault.value)


def test_a_server_that_never_answers_is_given_up() -> None:
    def slow(*_: object) -> Reply:
        time.sleep(1.5)
        return 200, "text/csv", b"x\r\n"

    with serving(slow) as url, pytest.raises(QueryError, match="no answer within 1 seconds"):
        RemoteGraph(url, timeout=1).select("SELECT ?x {}")


def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/query"
    with pytest.raises(StoreError, match="cannot be reached"):
        open_graph(endpoint=url).select("SELECT ?x {}")


@pytest.mark.parametrize("url", ["file:///etc/hosts", "localhost:7878", "", "ftp://example.org/"])
def test_an_address_that_is_no_endpoint_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="no http address"):
        RemoteGraph(url)
