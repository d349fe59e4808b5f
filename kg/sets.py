"""Sets of nodes as rows of bits, 64 to a word: what makes set-at-a-time work fast.

A *bit table* is a `uint64` array of shape (rows, words); node `i` is bit `i % 64` of word `i // 64`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Bits: TypeAlias = npt.NDArray[np.uint64]
Ints: TypeAlias = npt.NDArray[np.int64]
Nodes: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.uint32]

_ONE = np.uint64(1)


def words_for(n: int) -> int:
    """Return how many words hold `n` bits.

    >>> words_for(64), words_for(65)
    (1, 2)
    """
    return (n + 63) // 64


def empty(rows: int, n: int) -> Bits:
    """Return a bit table of `rows` empty sets over `n` nodes."""
    return np.zeros((rows, words_for(n)), np.uint64)


def scatter(rows: int, n: int, row: Ints, node: Nodes) -> Bits:
    """Return a bit table in which set `row[k]` holds `node[k]`, for all k.

    >>> members(scatter(2, 100, np.array([0, 1, 1]), np.array([5, 70, 5])))[1].tolist()
    [5, 5, 70]
    """
    table = empty(rows, n)
    mark(table, row, node)
    return table


def mark(table: Bits, row: Ints, node: Nodes) -> None:
    """Put `node[k]` into set `row[k]` of a bit table, for all k.

    >>> table = scatter(1, 100, np.array([0]), np.array([5]))
    >>> mark(table, np.array([0]), np.array([70]))
    >>> members(table)[1].tolist()
    [5, 70]
    """
    np.bitwise_or.at(table.reshape(-1), row * table.shape[1] + (node >> 6), _ONE << (node & 63).astype(np.uint64))


def packed(held: npt.NDArray[np.bool_]) -> Bits:
    """Return a bit table of what each set holds, said of every node, (sets, nodes): for sets that hold many.

    >>> packed(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    table = empty(*held.shape)
    bits = np.packbits(held, axis=1, bitorder="little")
    table.view(np.uint8)[:, : bits.shape[1]] = bits
    return table


def spans(column: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Find each of `values` in a sorted column: (k, position) for every position that holds `values[k]`, in order of k.

    >>> [x.tolist() for x in spans(np.array([1, 1, 4]), np.array([4, 1]))]
    [[0, 1, 1], [2, 0, 1]]
    """
    first = np.searchsorted(column, values, "left")
    return runs(first, np.searchsorted(column, values, "right") - first)


def runs(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """List the places of runs: (k, place) for each of the `count[k]` places from `first[k]` on, in order of k.

    >>> [x.tolist() for x in runs(np.array([7, 0]), np.array([1, 2]))]
    [[0, 1, 1], [7, 0, 1]]
    """
    row = np.repeat(np.arange(len(count)), count)
    ahead = np.cumsum(count) - count
    return row, np.arange(len(row)) + np.repeat(first - ahead, count)


def test(table: Bits, row: Ints, node: Ints) -> npt.NDArray[np.bool_]:
    """Say for all k whether set `row[k]` holds `node[k]`."""
    held: npt.NDArray[np.bool_] = ((table[row, node >> 6] >> (node & 63).astype(np.uint64)) & _ONE) != 0
    return held


def members(table: Bits) -> tuple[Ints, Ints]:
    """Return (row, node) of every member of every set, in order."""
    bits = np.unpackbits(table.view(np.uint8), axis=1, bitorder="little")
    row, node = np.nonzero(bits)
    return row, node


@dataclass(frozen=True)
class Sets:
    """Many sets of which some are the same: set k is row `row[k]` of a bit table."""

    table: Bits
    row: Ints

    def __getitem__(self, some: Ints) -> Sets:
        """Return some of the sets, without copying any."""
        return Sets(self.table, self.row[some])

    def bits(self) -> Bits:
        """Return a row for each set.

        >>> Sets(scatter(2, 128, np.array([0, 1]), np.array([2, 65])), np.array([1, 1, 0])).bits().tolist()
        [[0, 2], [0, 2], [4, 0]]
        """
        rows: Bits = np.take(self.table, self.row, axis=0, mode="clip")
        return rows

    @cached_property
    def are_empty(self) -> npt.NDArray[np.bool_]:
        """Whether each set is empty: looked up once."""
        filled = np.bitwise_or.reduce(self.table, axis=1) != 0
        none: npt.NDArray[np.bool_] = ~filled[self.row]
        return none


@dataclass(frozen=True)
class Lists:
    """Lists of rows of a bit table, the longest first, to be united all together.

    `layers[k]` holds the k-th row of each list that is longer than k: one vectorised OR takes in a whole layer.
    """

    count: int
    layers: list[Nodes]

    @classmethod
    def of(cls, rows: Nodes, first: Ints, length: Ints) -> Lists:
        """Make lists `rows[first[i] : first[i] + length[i]]`; the lengths must not rise."""
        longer = (int(np.searchsorted(-length, -k, "left")) for k in range(int(length.max(initial=0))))
        return cls(len(first), [rows[first[:count] + k] for k, count in enumerate(longer)])

    def unite(self, table: Bits, some: Ints | None = None) -> Bits:
        """Return the union of the rows of each list, or of just some lists (numbers that rise), (lists, words).

        >>> table = scatter(3, 64, np.array([0, 1, 2]), np.array([7, 8, 9]))
        >>> lists = Lists.of(np.array([0, 2, 1]), np.array([0, 2]), np.array([2, 1]))
        >>> members(lists.unite(table))[1].tolist(), members(lists.unite(table, np.array([1])))[1].tolist()
        ([7, 9, 8], [8])
        """
        count = self.count if some is None else len(some)
        out, buffer = np.zeros((count, table.shape[1]), np.uint64), np.empty((min(_PIECE, count), table.shape[1]), np.uint64)
        for first in range(0, count, _PIECE):
            self._into(out[first : first + _PIECE], buffer, table, slice(first, first + _PIECE), some)
        return out

    def _into(self, out: Bits, buffer: Bits, table: Bits, piece: slice, some: Ints | None) -> None:
        """Unite the lists of one piece, which with what it takes in stays in the cache."""
        for layer in self.layers:
            rows = layer[piece] if some is None else layer[some[: np.searchsorted(some, len(layer))][piece]]
            if rows.size == 0:
                break
            np.take(table, rows, axis=0, out=buffer[: len(rows)], mode="clip")
            np.bitwise_or(out[: len(rows)], buffer[: len(rows)], out=out[: len(rows)])


def unite(table: Bits, row: Ints, group: Ints, n: int) -> Bits:
    """Unite `table[row[k]]` over all k of each group, (n, words).

    >>> table = scatter(3, 64, np.array([0, 1, 2]), np.array([7, 8, 9]))
    >>> [x.tolist() for x in members(unite(table, np.array([2, 1, 0]), np.array([3, 0, 3]), 4))]
    [[0, 3, 3], [8, 7, 9]]
    """
    length = np.bincount(group, minlength=n)
    order = np.argsort(-length, kind="stable")[: np.count_nonzero(length)]
    lists = Lists.of(row[np.argsort(group, kind="stable")], (np.cumsum(length) - length)[order], length[order])
    out = np.zeros((n, table.shape[1]), np.uint64)
    out[order] = lists.unite(table)
    return out


def first_set(table: Bits, start: Ints) -> Ints:
    """Return per row the first member at or after `start[row]`, going round once; -1 where the set is empty.

    >>> first_set(scatter(3, 200, np.array([0, 0, 1]), np.array([3, 150, 3])), np.array([4, 4, 0])).tolist()
    [150, 3, -1]
    """
    word, low = start >> 6, (_ONE << (start & 63).astype(np.uint64)) - _ONE
    own = table[np.arange(len(table)), word]
    at_word, value = word.copy(), own & ~low
    rest = np.flatnonzero(value == 0)  # in crowded sets, most are found in the first word
    at_word[rest] = _next_word(table, rest, word[rest])
    value[rest] = np.where(at_word[rest] == word[rest], own[rest], table[rest, at_word[rest]])
    lowest = value & (~value + _ONE)
    position = np.log2(np.maximum(lowest, _ONE).astype(np.float64)).astype(np.int64)
    return np.where(value == 0, -1, at_word * 64 + position)


def _next_word(table: Bits, some: Ints, word: Ints) -> Ints:
    """Return for some rows the first word after `word` that is not empty, going round once: in the end `word` itself."""
    if table.shape[1] <= 2 * _LOOKED_AT:
        return _of_all_words(table[some], word)
    # Of a crowded set a few words are looked at and not all of a row.
    near = table[some[:, None], (word[:, None] + np.arange(1, _LOOKED_AT + 1)) % table.shape[1]] != 0
    following: Ints = (word + 1 + near.argmax(axis=1)) % table.shape[1]
    rest = np.flatnonzero(~near.any(axis=1))
    following[rest] = _of_all_words(table[some[rest]], word[rest])
    return following


def _of_all_words(table: Bits, word: Ints) -> Ints:
    """Return the same per row of a table, of which all words are looked at."""
    width = table.shape[1]
    filled = np.append(np.flatnonzero(table != 0), table.size)  # the last one belongs to no row
    first = np.arange(len(table)) * width
    after = filled[np.searchsorted(filled, first + word, "right")]
    anywhere = filled[np.searchsorted(filled, first, "left")]
    following = np.where(after < first + width, after, anywhere) - first
    return np.where(following < width, following, word)


def transpose(table: Bits, n: int) -> Bits:
    """Swap rows and nodes: `n` rows, and a bit for each of the old rows.

    Works on 64 x 64 blocks, halving the block at each of six steps (Warren, Hacker's Delight, 2nd ed., §7-3).

    >>> t = transpose(scatter(3, 100, np.array([2]), np.array([99])), 100)
    >>> t.shape, members(t)[0].tolist(), members(t)[1].tolist()
    ((100, 1), [99], [2])
    """
    rows, width = table.shape
    out = np.empty((width * 64, words_for(rows)), np.uint64)
    # Narrow tables in longer pieces: as much is in the cache, and a few nodes are not turned in thousands of steps.
    step = max(_PIECE, _PIECE // 64 * 16 // max(width, 1) * 64)
    for first in range(0, rows, step):
        piece = _turn(table[first : first + step])
        out[:, first // 64 : first // 64 + piece.shape[1]] = piece
    return out[:n]


def _turn(table: Bits) -> Bits:
    """Swap rows and nodes of a table that fits the cache."""
    rows, width = table.shape
    blocks = words_for(rows)
    padded = np.zeros((blocks * 64, width), np.uint64)
    padded[:rows] = table
    cells = np.ascontiguousarray(padded.reshape(blocks, 64, width).transpose(1, 0, 2))
    for shift, mask in _SWAPS:
        pairs = cells.reshape(32 // shift, 2, shift, blocks, width)
        low, high = pairs[:, 0], pairs[:, 1]
        moved = low >> np.uint64(shift)
        moved ^= high
        moved &= mask
        high ^= moved
        moved <<= np.uint64(shift)
        low ^= moved
    return cells.transpose(2, 0, 1).reshape(width * 64, blocks)


_LOOKED_AT = 32  # words of a row before all of them
_PIECE = 4096  # rows at a time, so that a table of a thousand nodes stays in the cache
_SWAPS = [
    (32, np.uint64(0x00000000FFFFFFFF)),
    (16, np.uint64(0x0000FFFF0000FFFF)),
    (8, np.uint64(0x00FF00FF00FF00FF)),
    (4, np.uint64(0x0F0F0F0F0F0F0F0F)),
    (2, np.uint64(0x3333333333333333)),
    (1, np.uint64(0x5555555555555555)),
]
