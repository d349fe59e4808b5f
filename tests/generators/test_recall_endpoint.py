"""The same questions from a folder and from an endpoint, and from KoPL's knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from generators import factbench, unseenqa
from generators.items import write_items
from kg import LocalGraph, open_graph
from kg.remote import RemoteGraph
from kg.sources.kopl import load_kopl
from queries import audit_items
from shared import shared
from sparql_endpoint import oxigraph, serving


@pytest.fixture(scope="module")
def endpoint() -> Iterator[RemoteGraph]:
    here = open_graph()
    assert isinstance(here, LocalGraph)
    with serving(oxigraph(here)) as url:
        yield RemoteGraph(url)


def _without_store(items: pl.DataFrame) -> list[dict[str, Any]]:
    """Return items without what names the store they come from."""
    return [
        {
            **row,
            "source": {name: value for name, value in row["source"].items() if name not in ("digest", "graph", "popularity")},
        }
        for row in items.to_dicts()
    ]


def test_simple_questions_are_the_same_from_an_endpoint(endpoint: RemoteGraph) -> None:
    options = factbench.Options(n=300, train=60)
    here, there = factbench.generate(open_graph(), options), factbench.generate(endpoint, options)
    assert _without_store(here.items) == _without_store(there.items)
    assert _without_store(here.train) == _without_store(there.train)


def test_unseen_questions_are_the_same_from_an_endpoint(endpoint: RemoteGraph) -> None:
    options = unseenqa.Options(as_of=date(2024, 4, 13), fillers=10)
    here, there = unseenqa.generate(open_graph(), options), unseenqa.generate(endpoint, options)
    assert _without_store(here.items) == _without_store(there.items)


@pytest.mark.slow
def test_questions_of_kopl_hold(tmp_path: Path) -> None:
    graph = LocalGraph.in_memory(load_kopl(shared("data/kopl") / "kb.json.gz"))
    result = factbench.generate(graph, factbench.Options(n=500))
    assert result.items.height == 500
    path = str(tmp_path / "items.jsonl")
    write_items(path, result.items)
    assert audit_items(graph, path).passed
