"""Distances from many nodes at once: breadth-first search on rows of bits.

Each node carries one bit for each source that has reached it; a hop gives every node the bits of all nodes with an edge to it.
Sources go in blocks that fit the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from kg.sets import Bits, Ints, Lists, Nodes, empty, runs, scatter, test, transpose, words_for

UNREACHED = 255
"""The distance of a node that is not reached within the radius."""

_BLOCK = 1024  # sources at a time: 128 bytes a node, so that the table of a graph of 17k nodes stays in the cache
_FEW, _LOOKED_AT = 16, 2**22  # edges to a node that are looked at first, and of all nodes at a time
_ROWS = 16  # rows of distances at a time, for the cache too
_SHORT, _PART = 64, 32  # in-edges that a node takes directly; of a hub's others, how many make a part

_SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(np.uint64)[:, 0]
"""The eight bits of each byte as eight bytes of 0 or 1."""


@dataclass(frozen=True)
class _Beside:
    """The nodes beside each node, in order: of node k those at `first[k]` to before `first[k + 1]`, in half the usual bytes."""

    first: Ints
    nodes: Nodes

    @classmethod
    def of_edges(cls, n: int, source: Ints, target: Ints) -> _Beside:
        """Arrange edges by their source, each once (np.unique takes twenty times as long)."""
        # One number per edge sorts both columns at once.
        key = np.sort(source * max(n, 1) + target)
        key = key[np.diff(key, prepend=-1) > 0]
        ordered = key // max(n, 1)
        first = np.append(0, np.cumsum(np.bincount(ordered, minlength=n)))
        return cls(first, (key - ordered * max(n, 1)).astype(np.uint32))

    def of(self, some: Ints) -> tuple[Ints, Nodes]:
        """Return the nodes beside some nodes: (place of the node, node), in order."""
        row, place = runs(self.first[some], self.first[some + 1] - self.first[some])
        return row, self.nodes[place]


@dataclass(frozen=True)
class _Inward:
    """Edges by target, between nodes that are reached at all: a node that is never a target matters just once, as a source.

    The `reached` nodes are renumbered by falling in-degree. `rank` is a node's row; all that are not reached share the one
    after the last, which stays empty. `short` holds the sources of each node, of hubs (which come first) just the first few;
    the rest of a hub's is cut into `parts`, so that no list is long, and `joins` says which parts are a hub's. `hub` is the
    hub of each part.
    """

    reached: int
    rank: Ints
    short: Lists
    parts: Lists
    joins: Lists
    hub: Ints


class Ways:
    """A directed graph whose nodes lead to few others: what is reached is listed, where `Hops` has a bit for every node.

    >>> ways = Ways(4, np.array([0, 1]), np.array([1, 2]))
    >>> [x.tolist() for x in ways.followed(np.array([0, 2, 1]))]
    [[0, 0, 2], [1, 2, 2]]
    """

    def __init__(self, n: int, source: Ints, target: Ints) -> None:
        self._n, self._beside = max(n, 1), _Beside.of_edges(n, source, target)

    def followed(self, sources: Ints) -> tuple[Ints, Ints]:
        """Return what each source leads to in one hop or more: (place of the source, node), in order; cycles are survived."""
        seen = front = self._next(np.arange(len(sources)), sources)
        while len(front):
            # A pair of source and node is one number; a pair that was met before leads on to nothing new.
            found = self._next(*np.divmod(front, self._n))
            front = found[~_among(found, seen)]
            seen = np.sort(np.concatenate([seen, front]))
        return np.divmod(seen, self._n)

    def _next(self, row: Ints, node: Ints) -> Ints:
        """Return the pairs that are one hop on, each once and in order."""
        at, following = self._beside.of(node)
        key = np.sort(row[at] * self._n + following)
        return key[np.diff(key, prepend=-1) > 0]


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
        self._before = _Beside.of_edges(n, target, source)
        self._inward = _layered(n, self._before)
        self._after = self._before if both else _Beside.of_edges(n, source, target)

    def levels(self, sources: Ints, radius: int) -> Bits:
        """Return for each distance 1..radius the nodes at just that distance, (radius, sources, words)."""
        levels = np.empty((radius, len(sources), words_for(self.n)), np.uint64)
        for first in range(0, len(sources), _BLOCK):
            block = slice(first, first + _BLOCK)
            for level, nodes in zip(levels, self._block(sources[block], radius), strict=True):
                level[block] = nodes
        return levels

    def reach(self, sources: Ints, radius: int) -> Reach:
        """Search from some sources, and return what was found to be given out in parts: the search is the same for all.

        >>> reach = Hops(4, np.array([0, 1]), np.array([1, 2])).reach(np.array([0, 1]), radius=2)
        >>> reach.levels(1, 2).tolist()
        [[[4]], [[0]]]
        """
        return Reach(self, [*self._fronts(sources, radius)])

    def distances(self, sources: Ints, radius: int) -> npt.NDArray[np.uint8]:
        """Return the distance of each node from each source, (sources, n); UNREACHED beyond `radius`."""
        levels = self.levels(sources, radius)
        words = np.full((len(sources), words_for(self.n) * 8), ~np.uint64(0))  # eight distances each, UNREACHED so far
        for first in range(0, len(sources), _ROWS):
            rows = slice(first, first + _ROWS)
            for hop, level in enumerate(levels, start=1):
                turned = _SPREAD * np.uint64(UNREACHED ^ hop)
                words[rows] ^= np.take(turned, level[rows].view(np.uint8), mode="clip")
        distances = words.view(np.uint8)[:, : self.n]
        distances[np.arange(len(sources)), sources] = 0
        return distances

    def reaches(self, sources: Ints, row: Ints, node: Ints, radius: int) -> npt.NDArray[np.bool_]:
        """Say for all k whether `node[k]` lies within `radius` hops of `sources[row[k]]`; of itself it says nothing.

        Who asks about few nodes of each source need not hold the levels, nor turn them from nodes to sources.

        >>> hops = Hops(4, np.array([0, 1]), np.array([1, 2]))
        >>> hops.reaches(np.array([0, 3]), np.array([0, 0, 1]), np.array([2, 3, 2]), radius=2).tolist()
        [True, False, False]
        """
        within = np.zeros(len(row), np.bool_)
        for first in range(0, len(sources), _BLOCK):
            block, some = sources[first : first + _BLOCK], np.flatnonzero((row >= first) & (row < first + _BLOCK))
            rank = self._inward.rank[node[some]]
            # All that no edge leads to share one row: what stands there are sources, which nothing reaches.
            within[some] = (rank < self._inward.reached) & test(self._seen(block, radius), rank, row[some] - first)
        return within

    def _seen(self, sources: Ints, radius: int) -> Bits:
        """Return which sources reach each node within the radius, or are it, (node by rank, source)."""
        row, node = self._after.of(sources)
        front = self._table(len(sources), node, row)
        seen = self._table(len(sources), sources, np.arange(len(sources))) | front
        for _ in range(radius - 1):
            front = self._step(front, seen)
            seen |= front
        return seen

    def closure(self, sources: Ints) -> Bits:
        """Return a bit table (source, node): all nodes reached from each source in one hop or more; cycles are survived."""
        blocks = [self._closure(sources[i : i + _BLOCK]) for i in range(0, len(sources), _BLOCK)]
        return np.concatenate(blocks) if blocks else empty(0, self.n)

    def meets(self, sources: Ints, groups: Sequence[Ints]) -> Bits:
        """Say which sources lead, in one hop or more, to a node of each group, (groups, sources); to themselves is no way.

        >>> Hops(4, np.array([0, 1]), np.array([1, 2])).meets(np.array([0, 1]), [np.array([1]), np.array([2, 3])]).tolist()
        [[1], [3]]
        """
        out = empty(len(groups), len(sources))
        for first in range(0, len(sources), _BLOCK):
            block = sources[first : first + _BLOCK]
            seen = self._closed(block)
            seen &= ~scatter(len(seen), len(block), self._inward.rank[block], np.arange(len(block)))
            for row, nodes in zip(out, groups, strict=True):
                rank = self._inward.rank[nodes]
                met = np.bitwise_or.reduce(seen[rank[rank < self._inward.reached]], axis=0)
                row[first // 64 : first // 64 + len(met)] = met
        return out

    def _closure(self, sources: Ints) -> Bits:
        return self.turned(self._closed(sources), len(sources))

    def _closed(self, sources: Ints) -> Bits:
        """Return which sources lead to each node, (node by rank, source)."""
        row, node = self._after.of(sources)
        front = self._table(len(sources), node, row)
        seen = np.zeros_like(front)
        while front.any():
            seen |= front
            front = self._step(front, seen)
        return seen

    def turned(self, table: Bits, sources: int) -> Bits:
        """From (node by rank, source) to (source, node)."""
        return transpose(np.take(table, self._inward.rank, axis=0, mode="clip"), sources)[:, : words_for(self.n)]

    def first_before(self, nodes: Ints, source: Ints, front: Bits) -> Ints:
        """Return for all k the first node with an edge to `nodes[k]` that a front (node by rank, source) says of `source[k]`.

        It is looked for among a few of them, then among twice as many: hubs have many before them, most of which will do.
        """
        first, last = self._before.first[nodes], self._before.first[nodes + 1]
        out, rows, width = np.full(len(nodes), -1), np.flatnonzero(first < last), _FEW
        while len(rows):
            at = first[rows][:, None] + np.arange(width)
            candidate = self._before.nodes[np.minimum(at, last[rows][:, None] - 1)]
            there = test(front, self._inward.rank[candidate], source[rows][:, None])
            some, place = there.any(axis=1), there.argmax(axis=1)
            out[rows[some]] = candidate[some, place[some]]
            first[rows] += width
            rows = rows[~some & (first[rows] < last[rows])]
            width = min(2 * width, max(_FEW, _LOOKED_AT // max(len(rows), 1)))
        return out

    def predecessors(self, nodes: Ints) -> Bits:
        """Return a bit table (row of `nodes`, node): the nodes with an edge to each of `nodes`."""
        return scatter(len(nodes), self.n, *self._before.of(nodes))

    def _block(self, sources: Ints, radius: int) -> Iterator[Bits]:
        """Find the levels of at most `_BLOCK` sources one by one, (source, node)."""
        yield scatter(len(sources), self.n, *self._apart(sources))
        for front in islice(self._fronts(sources, radius), 1, None):
            yield self.turned(front, len(sources))

    def _fronts(self, sources: Ints, radius: int) -> Iterator[Bits]:
        """Find the levels of some sources one by one, (node by rank, source)."""
        row, node = self._apart(sources)
        front = self._table(len(sources), node, row)
        seen = self._table(len(sources), sources, np.arange(len(sources))) | front
        yield front
        for _ in range(radius - 1):
            front = self._step(front, seen)
            seen |= front
            yield front

    def _apart(self, sources: Ints) -> tuple[Ints, Nodes]:
        """Return the nodes that the sources have edges to, but for themselves: a self-loop leads nowhere new."""
        row, node = self._after.of(sources)
        apart = node != sources[row]
        return row[apart], node[apart]

    def _table(self, sources: int, node: Nodes, source: Ints) -> Bits:
        return scatter(self._inward.reached + 1, sources, self._inward.rank[node], source)

    def _step(self, front: Bits, seen: Bits) -> Bits:
        """Return for each node the sources that reach it by one more hop and have not seen it yet.

        Nodes that every source has seen already take no part: after a few hops both ways these are most, hubs above all.
        A source without a front reaches nothing more, so it does not matter what it has not seen.
        """
        inward, reached = self._inward, self._inward.reached
        wanted = np.bitwise_or.reduce(front, axis=0) & ~seen
        is_open = wanted.any(axis=1)
        nodes = np.flatnonzero(is_open[:reached])
        new = np.zeros_like(front)
        new[nodes] = inward.short.unite(front, None if len(nodes) == reached else nodes)
        hubs = inward.joins.count
        if is_open[:hubs].any():
            new[:hubs] |= self._from_parts(front, is_open)
        new &= wanted
        return new

    def _from_parts(self, front: Bits, is_open: npt.NDArray[np.bool_]) -> Bits:
        """Return the union over each hub's remaining in-edges; a hub that is not open may be left out."""
        inward = self._inward
        parts = np.flatnonzero(is_open[inward.hub])
        united = np.zeros((inward.parts.count, front.shape[1]), np.uint64)
        united[parts] = inward.parts.unite(front, parts)
        return inward.joins.unite(united)


@dataclass(frozen=True)
class Reach:
    """The nodes at each distance from many sources, as a search finds them: (node by rank, source), a table a distance.

    That is a fraction of what the same takes with a row a source, as most nodes are reached from nowhere.
    """

    hops: Hops
    fronts: list[Bits]

    def levels(self, first: int, last: int) -> Bits:
        """Return for each distance the nodes at just that distance from sources `first` to before `last`, a row a source."""
        begin, levels = first >> 6, np.empty((len(self.fronts), last - first, words_for(self.hops.n)), np.uint64)
        for level, front in zip(levels, self.fronts, strict=True):
            level[:] = self.hops.turned(front[:, begin : words_for(last)], last - (begin << 6))[first - (begin << 6) :]
        return levels

    def before(self, nodes: Ints, source: Ints, hop: int) -> Ints:
        """Return for all k the first node with an edge to `nodes[k]` that is `hop` hops away from source `source[k]`; else -1.

        >>> reach = Hops(4, np.array([0, 1]), np.array([1, 2])).reach(np.array([0, 1]), radius=2)
        >>> reach.before(np.array([2, 2]), np.array([0, 1]), 1).tolist()
        [1, -1]
        """
        return self.hops.first_before(nodes, source, self.fronts[hop - 1])


def _among(some: Ints, ordered: Ints) -> npt.NDArray[np.bool_]:
    """Say of numbers whether they stand among some that are in order and not none."""
    at = np.searchsorted(ordered, some)
    there: npt.NDArray[np.bool_] = ordered[np.minimum(at, len(ordered) - 1)] == some
    return there


def _layered(n: int, before: _Beside) -> _Inward:
    """Arrange the edges that lead to each node."""
    many = np.diff(before.first)
    is_target = many > 0
    between = is_target[before.nodes]
    source = before.nodes[between]
    degree = np.bincount(np.repeat(np.arange(n, dtype=np.uint32), many)[between], minlength=n)
    # By falling degree; doubled, so that a target without an in-edge that counts stands before nodes that are no target.
    order = np.argsort(-(2 * degree + is_target), kind="stable")[: np.count_nonzero(is_target)]
    rank = np.full(n, len(order))
    rank[order] = np.arange(len(order))
    first, degree, sources = (np.cumsum(degree) - degree)[order], degree[order], rank.astype(np.uint32)[source]
    short = Lists.of(sources, first, np.minimum(degree, _SHORT))
    return _Inward(len(order), rank, short, *_cut(sources, first + _SHORT, degree - _SHORT))


def _cut(sources: Nodes, first: Ints, length: Ints) -> tuple[Lists, Lists, Ints]:
    """Cut lists that are long into parts: the parts, which parts make up each list, and the list of each part."""
    parts = -(-length[length > 0] // _PART)
    whole, nth = runs(np.zeros_like(parts), parts)
    begin = nth * _PART
    size = np.minimum(length[whole] - begin, _PART)
    order = np.argsort(-size, kind="stable")
    parts_by_size = Lists.of(sources, (first[whole] + begin)[order], size[order])
    return parts_by_size, Lists.of(np.argsort(order), np.cumsum(parts) - parts, parts), whole[order]
