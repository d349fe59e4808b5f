"""The rank of a node by what points to it is the one that networkx finds."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.factbench.tables import pagerank

Edges = list[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    """Up to 30 nodes; cycles, self-loops, parallel edges, nodes without edges."""
    n = draw(st.sampled_from([1, 2, 5, 30]))
    node = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(node, node), max_size=60))


def ranks(n: int, edges: Edges) -> list[float]:
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    return [float(rank) for rank in pagerank(n, source, target)]


@given(graphs())
def test_ranks_are_those_of_networkx(drawn: tuple[int, Edges]) -> None:
    n, edges = drawn
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    expected = [n * rank for rank in nx.pagerank(graph, tol=1e-12, max_iter=1000).values()]
    assert ranks(n, edges) == pytest.approx(expected, abs=2e-6)


def test_nodes_in_like_places_have_the_same_rank_in_any_order() -> None:
    ring = [(k, (k + 1) % 7) for k in range(7)]
    assert set(ranks(7, ring)) == {1.0}
    star = [(k, 9) for k in range(9)]
    assert ranks(10, star) == ranks(10, star[::-1])
    assert len(set(ranks(10, star))) == 2


def test_a_graph_without_nodes_has_no_ranks() -> None:
    assert ranks(0, []) == []
