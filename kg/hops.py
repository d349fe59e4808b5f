"""Distances from many nodes at once: breadth-first search on rows of bits.

Each node carries one bit per source; a hop hands every node's bits on along all edges together. Sources go in blocks that
fit the processor's cache.

```
python -m queries run khop --param s=https://w3id.org/kgprobe/starter/film/id=jaws
python -c 'import numpy as np; from kg.hops import Hops; print(Hops(3, np.array([0, 1]), np.array([1, 2])).distances(np.array([0]), 5))'
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
_LAYERS = 96  # in-degree up to which edges are handed on layer by layer, one vectorised OR each


@dataclass(frozen=True)
class _Inward:
    """Edges by target. Nodes are renumbered by falling in-degree, so that layer k (the k-th edge of every target that has
    one) concerns just the first rows; hubs, which come first of all, keep a list of their own.
    """

    order: Ints
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
        key = np.unique(target * max(n, 1) + source)
        self.n = n
        self._target, self._source = key // max(n, 1), key % max(n, 1)
        self._inward = _layered(n, self._source, self._target)

    def levels(self, sources: Ints, radius: int) -> list[Bits]:
        """Return for each distance 1..radius a bit table (source, node): the nodes at just that distance."""
        blocks = [self._block(sources[i : i + _BLOCK], radius) for i in range(0, len(sources), _BLOCK)]
        if not blocks:
            return [empty(0, self.n) for _ in range(radius)]
        return [np.concatenate([b[h] for b in blocks]) for h in range(radius)]

    def distances(self, sources: Ints, radius: int) -> npt.NDArray[np.uint8]:
        """Return the distance of each node from each source, (sources, n); UNREACHED beyond `radius`."""
        planes = np.zeros((len(sources), self.n), np.uint8)
        levels = self.levels(sources, radius)
        for digit in range(radius.bit_length()):  # the distance in binary: one plane of bits per digit
            plane = empty(len(sources), self.n)
            for hop in range(1, radius + 1):
                if hop >> digit & 1:
                    plane |= levels[hop - 1]
            bits = np.unpackbits(plane.view(np.uint8), axis=1, count=self.n, bitorder="little")
            planes |= bits << np.uint8(digit)
        planes |= np.negative((planes == 0).view(np.uint8))  # 0 becomes 255, UNREACHED
        planes[np.arange(len(sources)), sources] = 0
        return planes

    def closure(self, sources: Ints) -> Bits:
        """Return a bit table (source, node): all nodes reached from each source in one hop or more; cycles are survived."""
        blocks = [self._closure(sources[i : i + _BLOCK]) for i in range(0, len(sources), _BLOCK)]
        return np.concatenate(blocks) if blocks else empty(0, self.n)

    def _closure(self, sources: Ints) -> Bits:
        rank = self._rank()
        front = scatter(self.n, len(sources), rank[sources], np.arange(len(sources)))
        seen = np.zeros_like(front)
        while front.any():
            front = self._step(front) & ~seen
            seen |= front
        return self._turned(seen, rank, len(sources))

    def _rank(self) -> Ints:
        rank = np.empty(self.n, np.int64)
        rank[self._inward.order] = np.arange(self.n)
        return rank

    def _turned(self, table: Bits, rank: Ints, sources: int) -> Bits:
        """From (node by rank, source) to (source, node)."""
        return transpose(table[rank], sources)[:, : words_for(self.n)]

    def predecessors(self, nodes: Ints) -> Bits:
        """Return a bit table (row of `nodes`, node): the nodes with an edge to each of `nodes`."""
        row, edge = spans(self._target, nodes)
        return scatter(len(nodes), self.n, row, self._source[edge])

    def _block(self, sources: Ints, radius: int) -> list[Bits]:
        """Return the levels of at most `_BLOCK` sources, (source, node)."""
        rank = self._rank()
        front = scatter(self.n, len(sources), rank[sources], np.arange(len(sources)))
        seen, levels = front.copy(), []
        for _ in range(radius):
            front = self._step(front) & ~seen
            seen |= front
            levels.append(self._turned(front, rank, len(sources)))
        return levels

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


def _layered(n: int, source: Ints, target: Ints) -> _Inward:
    """Arrange edges that are sorted by target."""
    degree = np.bincount(target, minlength=n)
    order = np.argsort(-degree, kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    first = np.concatenate(([0], np.cumsum(degree)[:-1]))[order]
    sorted_degree, ranked = degree[order], rank[source] if n else source
    layers = []
    for k in range(min(_LAYERS, int(sorted_degree.max(initial=0)))):
        rows = int(np.searchsorted(-sorted_degree, -k, "left"))  # nodes of degree above k
        layers.append(ranked[first[:rows] + k])
    hubs = range(int(np.searchsorted(-sorted_degree, -_LAYERS, "left")))
    return _Inward(order, [ranked[first[i] + _LAYERS : first[i] + sorted_degree[i]] for i in hubs], layers)
