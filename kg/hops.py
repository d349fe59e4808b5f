"""Distances from many nodes at once: breadth-first search on rows of bits.

Each node carries one bit per source; a hop hands every node's bits on along all edges together. Sources go in blocks that
fit the processor's cache.

```
python -m queries run khop --param s=https://w3id.org/kgprobe/starter/film/id=jaws
python -c 'from numpy import *; from kg.hops import Hops; print(Hops(2, array([0]), array([1])).distances(array([0]), 5))'
```
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kg.bits import Bits, Ints, empty, scatter, spans, transpose, words_for

__all__ = ["UNREACHED", "Hops"]

UNREACHED = 255
"""The distance of a node that is not reached within the radius."""

_BLOCK = 1024  # sources at a time: 128 bytes a node, so that the table of a graph of 17k nodes stays in the cache
_ROWS = 16  # rows of distances at a time, for the cache too
_LAYERS = 96  # in-degree up to which edges are handed on layer by layer, one vectorised OR each

_SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(np.uint64)[:, 0]
"""The eight bits of each byte as eight bytes of 0 or 1."""


@dataclass(frozen=True)
class _Inward:
    """Edges by target, between nodes that are reached at all: whoever is never a target hands on just once, as a source.

    The `reached` nodes are renumbered by falling in-degree, so that layer k (the k-th edge of every target that has one)
    concerns just the first rows; hubs, which come first of all, keep a list of their own. `rank` is a node's row; all that
    are not reached share the one after the last, which stays empty.
    """

    reached: int
    rank: Ints
    hubs: list[Ints]
    layers: list[Ints]


class Hops:
    """A directed graph that finds the nodes at each distance from many sources.

    `n` nodes, edges from `source[k]` to `target[k]`; parallel edges and self-loops change nothing. With `both` an edge is
    walked either way.

    >>> Hops(4, np.array([0, 1]), np.array([1, 2])).distances(np.array([0, 2]), radius=5).tolist()
    [[0, 1, 2, 255], [255, 255, 0, 255]]
    """

    def __init__(self, n: int, source: Ints, target: Ints, *, both: bool = False) -> None:
        if both:
            source, target = np.concatenate([source, target]), np.concatenate([target, source])
        self.n = n
        self._target, self._source = _distinct(n, target, source)
        self._inward = _layered(n, self._source, self._target)
        self._outward = _distinct(n, source, target)

    def levels(self, sources: Ints, radius: int) -> list[Bits]:
        """Return for each distance 1..radius a bit table (source, node): the nodes at just that distance."""
        blocks = [self._block(sources[i : i + _BLOCK], radius) for i in range(0, max(len(sources), 1), _BLOCK)]
        return blocks[0] if len(blocks) == 1 else [np.concatenate(level) for level in zip(*blocks, strict=True)]

    def distances(self, sources: Ints, radius: int) -> npt.NDArray[np.uint8]:
        """Return the distance of each node from each source, (sources, n); UNREACHED beyond `radius`."""
        levels = self.levels(sources, radius)
        words = np.full((len(sources), words_for(self.n) * 8), ~np.uint64(0))  # eight distances each, UNREACHED so far
        for first in range(0, len(sources), _ROWS):
            rows = slice(first, first + _ROWS)
            for hop, level in enumerate(levels, start=1):
                turned = _SPREAD * np.uint64(UNREACHED ^ hop)
                words[rows] ^= np.take(turned, level[rows].view(np.uint8), mode="clip")
        found = words.view(np.uint8)[:, : self.n]
        found[np.arange(len(sources)), sources] = 0
        return found

    def closure(self, sources: Ints) -> Bits:
        """Return a bit table (source, node): all nodes reached from each source in one hop or more; cycles are survived."""
        blocks = [self._closure(sources[i : i + _BLOCK]) for i in range(0, len(sources), _BLOCK)]
        return np.concatenate(blocks) if blocks else empty(0, self.n)

    def _closure(self, sources: Ints) -> Bits:
        row, node = self._first(sources)
        front = self._table(len(sources), node, row)
        seen = np.zeros_like(front)
        while front.any():
            seen |= front
            front = self._step(front) & ~seen
        return self._turned(seen, len(sources))

    def _turned(self, table: Bits, sources: int) -> Bits:
        """From (node by rank, source) to (source, node)."""
        return transpose(np.take(table, self._inward.rank, axis=0, mode="clip"), sources)[:, : words_for(self.n)]

    def predecessors(self, nodes: Ints) -> Bits:
        """Return a bit table (row of `nodes`, node): the nodes with an edge to each of `nodes`."""
        row, edge = spans(self._target, nodes)
        return scatter(len(nodes), self.n, row, self._source[edge])

    def _block(self, sources: Ints, radius: int) -> list[Bits]:
        """Return the levels of at most `_BLOCK` sources, (source, node)."""
        row, node = self._first(sources)
        apart = node != sources[row]
        row, node = row[apart], node[apart]
        front, levels = self._table(len(sources), node, row), [scatter(len(sources), self.n, row, node)]
        seen = self._table(len(sources), sources, np.arange(len(sources))) | front
        for _ in range(radius - 1):
            front = self._step(front) & ~seen
            seen |= front
            levels.append(self._turned(front, len(sources)))
        return levels

    def _first(self, sources: Ints) -> tuple[Ints, Ints]:
        """Return the nodes that the sources have edges to: (place of the source, node)."""
        row, edge = spans(self._outward[0], sources)
        return row, self._outward[1][edge]

    def _table(self, sources: int, node: Ints, source: Ints) -> Bits:
        return scatter(self._inward.reached + 1, sources, self._inward.rank[node], source)

    def _step(self, front: Bits) -> Bits:
        """Hand every node's bits on along all edges."""
        out = np.zeros_like(front)
        buffer = np.empty_like(front)
        for sources in self._inward.layers:
            rows = len(sources)
            np.take(front, sources, axis=0, out=buffer[:rows], mode="clip")
            np.bitwise_or(out[:rows], buffer[:rows], out=out[:rows])
        for row, hub_sources in enumerate(self._inward.hubs):
            np.bitwise_or(out[row], np.bitwise_or.reduce(front[hub_sources], axis=0), out=out[row])
        return out


def _distinct(n: int, target: Ints, source: Ints) -> tuple[Ints, Ints]:
    """Sort edges by target and source, each once (np.unique takes twenty times as long)."""
    key = np.sort(target * max(n, 1) + source)
    key = key[np.diff(key, prepend=-1) > 0]
    return key // max(n, 1), key % max(n, 1)


def _layered(n: int, source: Ints, target: Ints) -> _Inward:
    """Arrange edges that are sorted by target."""
    is_target = np.bincount(target, minlength=n) > 0
    between = is_target[source]
    source, target = source[between], target[between]
    degree = np.bincount(target, minlength=n)
    order = np.argsort(-(2 * degree + is_target), kind="stable")[: np.count_nonzero(is_target)]
    rank = np.full(n, len(order))
    rank[order] = np.arange(len(order))
    first, degree = (np.cumsum(degree) - degree)[order], degree[order]
    sources = rank[source]
    layers = []
    for k in range(min(_LAYERS, int(degree.max(initial=0)))):
        rows = int(np.searchsorted(-degree, -k, "left"))  # nodes of degree above k
        layers.append(sources[first[:rows] + k])
    hubs = range(int(np.searchsorted(-degree, -_LAYERS, "left")))
    return _Inward(len(order), rank, [sources[first[i] + _LAYERS : first[i] + degree[i]] for i in hubs], layers)
