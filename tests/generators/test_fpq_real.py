"""On real graphs, too, brute force and the audit have nothing to complain of."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from generators.fpq import Direction, HopOrder, Options, Sampling, generate
from kg import LocalGraph
from kg.sources.kopl import load_kopl
from kg.sources.wikidata import WikidataFiles, load_wikidata
from kg.starter import load_starter
from oracle import Asked, check
from plain_graph import Plain
from queries import audit_items
from queries.domain import find_domain
from shared import shared

DOMAINS = pytest.mark.parametrize("domain", ["art", "people", "place"])


def agreed(graph: LocalGraph, plain: Plain, domain: str, options: Options, first: int = 20) -> None:
    """Generate, audit in bulk, and check the first facts by brute force."""
    chosen = find_domain(domain)
    every = generate(graph, chosen, replace(options, repeats=True)).items
    assert audit_items(graph, every.select("id", "proof"), literal=0).passed
    groups = every["group"].unique(maintain_order=True)[:first]
    items = [json.loads(line) for line in every.filter(pl.col("group").is_in(groups.implode())).write_ndjson().splitlines()]
    asked_about = tuple(relation for relation in chosen.relations if relation not in chosen.open)
    marks = graph.schema("SELECT DISTINCT ?s ?p { ?s kgp:incomplete ?p }")
    asked = Asked(
        chosen.concepts, asked_about, first, options.radius, options.direction.value, options.hops.value,
        frozenset(marks.iter_rows()), options.sampling is Sampling.even, options.pool_of(len(plain.entities)),
    )  # fmt: skip
    assert check(plain, items, asked) == []


def read(graph: LocalGraph) -> Plain:
    return Plain(b"".join(map(graph.dump, graph.data_graphs)))


@cache
def starter() -> tuple[LocalGraph, Plain]:
    graph = LocalGraph.in_memory(load_starter())
    return graph, read(graph)


@cache
def wikidata(folder: Path) -> LocalGraph:
    names = ("triples", "entities", "types", "properties", "qualifiers", "hidden_objects")
    return LocalGraph.in_memory(load_wikidata(WikidataFiles(*(folder / f"{name}.tsv" for name in names))))


@cache
def kopl(folder: Path) -> LocalGraph:
    return LocalGraph.in_memory(load_kopl(folder / "kb.json.gz"))


@pytest.mark.slow
@DOMAINS
@pytest.mark.parametrize("direction", Direction)
def test_the_starter_graph(domain: str, direction: Direction) -> None:
    agreed(*starter(), domain, Options(n=100, direction=direction, hops=HopOrder.nearest))
    agreed(*starter(), domain, Options(n=100, direction=direction, sampling=Sampling.plain))


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["art", "place"])
def test_wikidata(domain: str) -> None:
    """By the audit alone: brute force over so many entities takes minutes."""
    graph = wikidata(shared("data/wikidata-core"))
    items = generate(graph, find_domain(domain), Options(n=100)).items
    assert audit_items(graph, items.select("id", "proof"), literal=0).passed


@pytest.mark.slow
def test_kopl() -> None:
    graph = kopl(shared("data/kopl"))
    items = generate(graph, find_domain("people"), Options(n=100)).items
    assert audit_items(graph, items.select("id", "proof"), literal=0).passed
