"""On the triples that its patterns look at, a query says what it says on the whole graph: also what is not so, and how many."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.bundle.footprint import UntraceableError, footprint
from queries.templates import inline

PREFIX = "PREFIX : <urn:>\n"
FIXTURE = Path(__file__).parents[1] / "fixtures" / "queries" / "traced.rq"
NODES, PREDICATES = [f"urn:n{n}" for n in range(6)], ["urn:p", "urn:q", "urn:r"]

Triples = list[tuple[str, str, str]]
graphs = st.lists(st.tuples(*map(st.sampled_from, (NODES, PREDICATES, NODES))), max_size=30, unique=True)


def queries() -> list[object]:
    cases = f"\n{FIXTURE.read_text('utf-8')}".split("\n#### ")[1:]
    return [pytest.param(text.strip(), id=title) for title, _, text in (case.partition("\n") for case in cases)]


def store_of(triples: Triples) -> ox.Store:
    store = ox.Store()
    store.extend(ox.Quad(*map(ox.NamedNode, triple)) for triple in triples)
    return store


def answer(store: ox.Store, query: str) -> object:
    result = store.query(query)
    if isinstance(result, ox.QueryBoolean):
        return bool(result)
    assert isinstance(result, ox.QuerySolutions)
    return sorted(map(str, result))


@pytest.mark.parametrize("query", queries())
@settings(max_examples=25)
@given(triples=graphs, a=st.sampled_from(NODES), b=st.sampled_from(NODES))
def test_a_query_says_the_same_on_its_footprint(query: str, triples: Triples, a: str, b: str) -> None:
    names = {"a": f"<{a}>", "b": f"<{b}>"}
    bound = {name: term for name, term in names.items() if f"?{name} " in query or f"?{name})" in query}
    template = inline(PREFIX + query, list(bound))
    whole, part = store_of(triples), ox.Store()
    for construct in footprint(template.text, template.placed([bound])):
        part.extend(ox.Quad(*triple) for triple in whole.query(construct))  # type: ignore[union-attr]
    assert set(part) <= set(whole)
    assert answer(part, template.bind(bound)) == answer(whole, template.bind(bound))


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT ?x { GRAPH ?g { ?x ?p ?o } }", "the query asks beyond one graph or by means that are not known here (Graph)"),
        ("SELECT ?x FROM <urn:g> { ?x ?p ?o }", "the query names graphs (FROM)"),
        ("SELECT ?x { ?x !<urn:p> ?y }", "the query asks for all predicates but some"),
        ("SELECT ?x { ?x <urn:p>* ?y }", "a path of no steps leads from everything to itself"),
    ],
)
def test_what_has_no_such_part_says_so(query: str, why: str) -> None:
    template = inline(query)
    with pytest.raises(UntraceableError) as caught:
        footprint(template.text, template.placed([{}]))
    assert str(caught.value).startswith(why)


def test_a_literal_is_asked_for_as_it_is_written() -> None:
    template = inline('ASK { ?s <urn:p> "01"^^<http://www.w3.org/2001/XMLSchema#integer> }')
    [construct] = footprint(template.text, template.placed([{}]))
    assert '"01"' in construct
