"""On any small graph an audit finds what the queries themselves find, and exactly the items that rest on what has changed."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from generators.fpq import Options
from kg import InputError, LocalGraph
from queries import proof_query
from queries.audit import Audit, audit_items
from small_graphs import HOSTILE, OPTIONS, PATIENTLY, Items, Small, items_of, small_graphs

SMALL = "https://w3id.org/kgprobe#graph/small"
EVERY = 10**6


def audited(graph: LocalGraph, items: Items, literal: int = EVERY) -> Audit:
    """Audit items; unless told otherwise, every proof that is answered in bulk is run as it stands, too."""
    lines = "".join(json.dumps({"id": item["id"], "proof": item["proof"]}) + "\n" for item in items)
    schema = {"id": pl.String(), "proof": PROOFS}
    return audit_items(graph, pl.read_ndjson(lines.encode(), schema=schema), literal=literal)


BIND = pl.List(pl.Struct({"name": pl.String, "term": pl.String}))
PROOFS = pl.List(pl.Struct({"query": pl.String, "bind": BIND, "expect": pl.Boolean, "rows": pl.List(pl.List(pl.String))}))


def failing(graph: LocalGraph, items: Items) -> list[str]:
    """The items of which some proof, asked as it stands, is not answered as it expects."""
    return [item["id"] for item in items if any(graph.ask(proof_query(p)) != p["expect"] for p in item["proof"])]


def lines_of(graph: LocalGraph) -> list[str]:
    return sorted(graph.dump(SMALL).decode().splitlines())


def change(graph: LocalGraph, how: str, line: str) -> None:
    graph.update(f"{how} DATA {{ GRAPH <{SMALL}> {{ {line} }} }}")


@pytest.mark.slow
@settings(PATIENTLY, max_examples=30)
@given(small_graphs(), OPTIONS)
def test_every_proof_holds_in_bulk_and_as_it_stands(small: Small, options: Options) -> None:
    graph = small.graph()
    items = items_of(graph, small, options)
    assume(items)
    found = audited(graph, items)
    assert found.passed
    assert (found.items, found.without) == (len(items), 0)
    assert found.proofs == sum(len(item["proof"]) for item in items)
    assert found.literal == len({json.dumps(proof) for item in items for proof in item["proof"]})


@pytest.mark.slow
@settings(PATIENTLY, max_examples=30)
@given(small_graphs(), OPTIONS, st.data())
def test_without_one_triple_exactly_the_items_that_rest_on_it_fail(small: Small, options: Options, data: st.DataObject) -> None:
    graph = small.graph()
    items = items_of(graph, small, options)
    assume(items)
    change(graph, "DELETE", data.draw(st.sampled_from(lines_of(graph))))
    assert audited(graph, items, literal=0).failed == failing(graph, items)
    assert audited(graph, items).disagreements == []


@pytest.mark.slow
@settings(PATIENTLY, max_examples=30)
@given(small_graphs(), OPTIONS, st.data())
def test_with_a_triple_more_exactly_the_items_that_deny_it_fail(small: Small, options: Options, data: st.DataObject) -> None:
    graph = small.graph()
    items = items_of(graph, small, options)
    assume(items)
    s, o = (data.draw(st.sampled_from([small.iri(i) for i in range(small.n)])) for _ in "so")
    p = data.draw(st.sampled_from([f"http://e.org/r{r}" for r in range(6)]))
    links = [p, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://www.w3.org/2000/01/rdf-schema#subClassOf"]
    change(graph, "INSERT", f"<{s}> <{data.draw(st.sampled_from(links))}> <{o}> .")
    assert audited(graph, items, literal=0).failed == failing(graph, items)
    assert audited(graph, items).disagreements == []


@pytest.mark.slow
@settings(PATIENTLY, max_examples=30, suppress_health_check=[*HealthCheck])  # few graphs so small have such an item
@given(small_graphs(), OPTIONS, st.data())
def test_a_fact_that_makes_it_a_neighbour_is_caught(small: Small, options: Options, data: st.DataObject) -> None:
    """A fact from the subject, or back to it, is enough."""
    graph = small.graph()
    outside = [item for item in items_of(graph, small, options) if item["variant"].startswith("NN")]
    assume(outside)
    item = data.draw(st.sampled_from(outside))
    s, x = item["premise"]["subject"]["iri"], item["premise"]["object"]["iri"]
    ends = data.draw(st.permutations([s, x]))
    change(graph, "INSERT", f"<{ends[0]}> <http://e.org/r5> <{ends[1]}> .")
    assert item["id"] in audited(graph, [item], literal=0).failed


@pytest.mark.slow
@settings(PATIENTLY, max_examples=40)
@given(small_graphs(), OPTIONS, st.data())
def test_a_changed_proof_fails_as_the_query_itself_does(small: Small, options: Options, data: st.DataObject) -> None:
    graph = small.graph()
    items = items_of(graph, small, options)
    assume(items)
    proof = data.draw(st.sampled_from(data.draw(st.sampled_from(items))["proof"]))
    if data.draw(st.booleans()):
        proof["expect"] = not proof["expect"]
    else:
        data.draw(st.sampled_from(proof["bind"]))["term"] = data.draw(TERMS)
    found = audited(graph, items)
    assert found.disagreements == []
    assert found.failed == failing_or_faulty(graph, items)


TERMS = st.sampled_from(
    ["<http://e.org/e0>", "<http://e.org/e3>", "<http://e.org/c0>", "<http://e.org/r0>", "<http://e.org/nobody>"]
    + [f'"{r}"^^<http://www.w3.org/2001/XMLSchema#integer>' for r in (0, 1, 3, 6)]
    + ['"text"', '"text"@en', "<http://www.w3.org/2000/01/rdf-schema#label>", "_:b", "no term", ""]
)


def failing_or_faulty(graph: LocalGraph, items: Items) -> list[str]:
    """What `failing` says; an item of which a proof cannot even be asked fails, too."""

    def fails(item: dict[str, Any]) -> bool:
        try:
            return bool(failing(graph, [item]))
        except InputError:
            return True

    return [item["id"] for item in items if fails(item)]


@pytest.mark.slow
@settings(PATIENTLY, max_examples=20)
@given(small_graphs(names=HOSTILE), OPTIONS)
def test_hostile_names_change_no_proof(small: Small, options: Options) -> None:
    graph = small.graph()
    items = items_of(graph, small, options)
    assume(items)
    assert audited(graph, items).passed
