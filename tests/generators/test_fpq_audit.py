"""What the audit is for: no proof of a benchmark can be changed without notice, whatever kind of proof it is."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from generators.fpq import Options, generate
from kg import Graph, open_graph
from queries.audit import audit_items
from queries.templates import find

KINDS = {
    "fact",
    "same_concept",
    "different_concept",
    "object_of_relation",
    "true_by_type",
    "general_object",
    "path",
    "not_neighbour",
}


@pytest.fixture(scope="module")
def graph() -> Graph:
    return open_graph()


@pytest.fixture(scope="module")
def items(graph: Graph) -> pl.DataFrame:
    return generate(graph, "people", Options(n=250)).items.select("id", "proof")


def kind() -> pl.Expr:
    return pl.element().struct.field("query").str.extract(r"^(\w+)@")


def turned(items: pl.DataFrame, changed: str, at: int) -> tuple[pl.DataFrame, str]:
    """Turn round what the first proof of a kind expects in the `at`-th of the items that have one; also its id."""
    has = items.select(pl.col("proof").list.eval(kind() == changed).list.any()).to_series().arg_true()
    row = int(has[at % len(has)])
    column = items["proof"].to_list()
    first = next(proof for proof in column[row] if proof["query"].startswith(f"{changed}@"))
    column[row] = [{**proof, "expect": not proof["expect"]} if proof is first else proof for proof in column[row]]
    return pl.DataFrame({"id": items["id"], "proof": column}, schema=items.schema), str(items["id"][row])


def test_each_kind_of_proof_is_made(items: pl.DataFrame) -> None:
    made = items["proof"].explode().struct.field("query").str.extract(r"^(\w+)@").unique()
    assert set(made) == KINDS


def test_one_changed_proof_of_each_kind_is_found_among_thousands(graph: Graph, items: pl.DataFrame) -> None:
    places = {}
    for at, changed in enumerate(sorted(KINDS)):
        items, places[changed] = turned(items, changed, at=40 * at)
    found = audit_items(graph, items, literal=0)
    assert {failure.query.split("@")[0]: failure.item for failure in found.failures} == places
    assert len(found.failures) == len(KINDS)


def test_both_ways_of_asking_agree_on_all_kinds(graph: Graph, items: pl.DataFrame) -> None:
    found = audit_items(graph, items, literal=160)
    assert (found.literal, found.passed) == (160, True)


def terms_of(proofs: list[dict[str, Any]], query: str, *, expect: bool) -> dict[str, str]:
    """Return what the proof by a query that expects this binds."""
    proof = next(p for p in proofs if p["query"].startswith(f"{query}@") and p["expect"] == expect)
    return {bound["name"]: bound["term"] for bound in proof["bind"]}


def test_two_proofs_of_an_edit_say_together_what_same_relation_says(graph: Graph, items: pl.DataFrame) -> None:
    """That the true object is one of the relation is a fact; that the edited one is, or is not, `object_of_relation`."""
    query, held = find("same_relation"), dict.fromkeys(("NNSR", "NNDR"), 0)
    for name, proofs in items.iter_rows():
        variant = name.split(".")[3]
        if held.get(variant, 40) < 40:
            true, edited = (terms_of(proofs, "fact", expect=expect) for expect in (True, False))
            pairs = graph.terms(query.bind({"p": true["p"], "a": true["o"], "b": edited["o"]}, base=graph.base))
            assert pairs.height == (variant == "NNSR")
            held[variant] += 1
    assert min(held.values()) > 20
