"""Distances from many nodes at once are those that a walk from each node alone finds (networkx)."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.hops import UNREACHED, Hops, Ways
from kg.sets import members

Edges = list[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    """Up to 70 nodes; cycles, self-loops, parallel edges, nodes without edges."""
    n = draw(st.sampled_from([1, 2, 5, 9, 64, 70]))
    node = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(node, node), max_size=3 * min(n, 30)))


def hops_of(n: int, edges: Edges, *, both: bool = False) -> Hops:
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    return Hops(n, source, target, both=both)


def networkx_of(n: int, edges: Edges, *, both: bool = False) -> nx.Graph[int]:
    graph: nx.Graph[int] = nx.Graph() if both else nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    return graph


def walked(n: int, edges: Edges, source: int, radius: int, *, both: bool) -> list[int]:
    found = nx.single_source_shortest_path_length(networkx_of(n, edges, both=both), source, cutoff=radius)
    return [dict(found).get(node, UNREACHED) for node in range(n)]


@given(graphs(), st.integers(1, 5), st.booleans())
@example((1, [(0, 0)]), 5, True)
@example((3, [(0, 1), (1, 2), (2, 0)]), 5, False)
def test_distances_are_networkx_distances(drawn: tuple[int, Edges], radius: int, both: bool) -> None:
    n, edges = drawn
    found = hops_of(n, edges, both=both).distances(np.arange(n), radius)
    assert found.tolist() == [walked(n, edges, source, radius, both=both) for source in range(n)]


@given(graphs(), st.integers(1, 5), st.booleans())
def test_levels_hold_each_node_at_its_distance_and_never_the_source(drawn: tuple[int, Edges], radius: int, both: bool) -> None:
    n, edges = drawn
    levels = hops_of(n, edges, both=both).levels(np.arange(n), radius)
    found = [(s, x, hop) for hop, level in enumerate(levels, 1) for s, x in zip(*map(list, members(level)), strict=True)]
    alone = [walked(n, edges, source, radius, both=both) for source in range(n)]
    wanted = [(s, x, hop) for s, row in enumerate(alone) for x, hop in enumerate(row) if 0 < hop < UNREACHED]
    assert sorted(found) == sorted(wanted)


@given(graphs(), st.data())
def test_sources_may_come_in_any_order_and_twice(drawn: tuple[int, Edges], data: st.DataObject) -> None:
    n, edges = drawn
    sources = data.draw(st.lists(st.integers(0, n - 1), max_size=80))
    found = hops_of(n, edges).distances(np.array(sources, np.int64), 3)
    assert found.tolist() == [walked(n, edges, source, 3, both=False) for source in sources]


@given(graphs(), st.data())
def test_what_is_followed_one_by_one_is_the_closure_in_order(drawn: tuple[int, Edges], data: st.DataObject) -> None:
    n, edges = drawn
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    asked = np.array(data.draw(st.lists(st.integers(0, n - 1), max_size=80)), np.int64)
    row, node = Ways(n, source, target).followed(asked)
    whole = members(hops_of(n, edges).closure(asked))
    assert (row.tolist(), node.tolist()) == (whole[0].tolist(), whole[1].tolist())


@given(graphs())
def test_the_closure_is_all_that_is_reached_in_one_hop_or_more(drawn: tuple[int, Edges]) -> None:
    n, edges = drawn
    graph = networkx_of(n, edges).to_directed()
    row, node = members(hops_of(n, edges).closure(np.arange(n)))
    found = {source: set(node[row == source].tolist()) for source in range(n)}
    for source in range(n):
        assert found[source] - {source} == nx.descendants(graph, source)
        on_a_cycle = any(source == x or source in nx.descendants(graph, x) for x in graph.successors(source))
        assert (source in found[source]) == on_a_cycle


@given(graphs(), st.booleans())
def test_predecessors_have_an_edge_to_the_node(drawn: tuple[int, Edges], both: bool) -> None:
    n, edges = drawn
    row, node = members(hops_of(n, edges, both=both).predecessors(np.arange(n)))
    walkable = {*edges, *((b, a) for a, b in edges)} if both else set(edges)
    assert set(zip(node.tolist(), row.tolist(), strict=True)) == walkable


@pytest.mark.parametrize("spokes", [63, 64, 65, 66, 96, 97, 98, 300])
def test_hubs_whose_edges_are_cut_into_parts(spokes: int) -> None:
    """A hub takes in many edges and leads on to another hub that the spokes lead to as well."""
    n = spokes + 3
    hub, second, last = spokes, spokes + 1, spokes + 2
    edges = [(i, hub) for i in range(spokes)] + [(i, second) for i in range(0, spokes, 2)] + [(hub, second), (second, last)]
    for both in (False, True):
        found = hops_of(n, edges, both=both).distances(np.arange(n), 5)
        assert found.tolist() == [walked(n, edges, source, 5, both=both) for source in range(n)]


def test_more_sources_than_a_block() -> None:
    """2,500 nodes in a ring: whoever is at distance 3 stands three further on."""
    n = 2500
    ring = Hops(n, np.arange(n), (np.arange(n) + 1) % n)
    row, node = members(ring.levels(np.arange(n), 3)[2])
    assert row.tolist() == list(range(n))
    assert node.tolist() == [(i + 3) % n for i in range(n)]
    assert members(ring.closure(np.arange(1100)))[0].size == 1100 * n


def test_nodes_that_everybody_has_seen_are_passed_over() -> None:
    """A dense core that all see after two hops, with a long tail behind it, and a source that reaches nothing."""
    core, tail = 80, 6
    n = core + tail + 2
    edges = [(a, b) for a in range(core) for b in range(core) if a != b and (a + b) % 3]
    edges += [(node, node + 1) for node in range(core - 1, core + tail - 1)]
    for both in (False, True):
        found = hops_of(n, edges, both=both).distances(np.arange(n), 5)
        assert found.tolist() == [walked(n, edges, source, 5, both=both) for source in range(n)]


def test_nothing_at_all() -> None:
    empty = hops_of(0, [])
    assert empty.distances(np.zeros(0, np.int64), 5).shape == (0, 0)
    assert hops_of(3, []).distances(np.array([1]), 5).tolist() == [[UNREACHED, 0, UNREACHED]]
    assert [level.tolist() for level in hops_of(3, [(0, 1)]).levels(np.zeros(0, np.int64), 2)] == [[], []]


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("radius", [1, 3, 5])
def test_who_is_reached_is_who_has_a_distance(radius: int, both: bool) -> None:
    rng = np.random.default_rng(7)
    n, edges = 1500, 2600
    # Targets come from half of the nodes, so that many sources are never reached; there are more than one block of them.
    hops = Hops(n, rng.integers(n, size=edges), rng.integers(n // 2, size=edges), both=both)
    sources, row, node = np.arange(0, n), rng.integers(n, size=5000), rng.integers(n, size=5000)
    other = sources[row] != node
    row, node = row[other], node[other]
    near = hops.distances(sources, radius)[row, node] <= radius
    assert near.any()
    assert not near.all()
    assert hops.reaches(sources, row, node, radius).tolist() == near.tolist()
