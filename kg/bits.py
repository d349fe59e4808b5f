"""Sets of nodes as rows of bits, 64 to a word: what makes set-at-a-time work fast.

A *bit table* is a `uint64` array of shape (rows, words); node `i` is bit `i % 64` of word `i // 64`.

```
python -c 'from kg.bits import *; import numpy as np; print(scatter(1, 70, np.array([0]), np.array([69])))'
```
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Bits", "Ints", "empty", "first_set", "members", "scatter", "spans", "test", "transpose", "words_for"]

Bits: TypeAlias = npt.NDArray[np.uint64]
Ints: TypeAlias = npt.NDArray[np.int64]

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


def scatter(rows: int, n: int, row: Ints, node: Ints) -> Bits:
    """Return a bit table in which set `row[k]` holds `node[k]`, for all k.

    >>> members(scatter(2, 100, np.array([0, 1, 1]), np.array([5, 70, 5])))[1].tolist()
    [5, 5, 70]
    """
    table = empty(rows, n)
    if row.size:
        place = row * table.shape[1] + (node >> 6)
        order = np.argsort(place, kind="stable")
        place, bit = place[order], (_ONE << (node[order] & 63).astype(np.uint64))
        starts = np.flatnonzero(np.concatenate(([True], place[1:] != place[:-1])))
        table.reshape(-1)[place[starts]] = np.bitwise_or.reduceat(bit, starts)
    return table


def spans(column: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Find each of `values` in a sorted column: (k, position) for every position that holds `values[k]`, in order of k.

    >>> [x.tolist() for x in spans(np.array([1, 1, 4]), np.array([4, 1]))]
    [[0, 1, 1], [2, 0, 1]]
    """
    first = np.searchsorted(column, values, "left")
    count = np.searchsorted(column, values, "right") - first
    row = np.repeat(np.arange(len(values)), count)
    ahead = np.cumsum(count) - count
    return row, np.arange(len(row)) + np.repeat(first - ahead, count)


def test(table: Bits, row: Ints, node: Ints) -> npt.NDArray[np.bool_]:
    """Say for all k whether set `row[k]` holds `node[k]`."""
    found: npt.NDArray[np.bool_] = ((table[row, node >> 6] >> (node & 63).astype(np.uint64)) & _ONE) != 0
    return found


def members(table: Bits) -> tuple[Ints, Ints]:
    """Return (row, node) of every member of every set, in order."""
    bits = np.unpackbits(table.view(np.uint8), axis=1, bitorder="little")
    row, node = np.nonzero(bits)
    return row, node


def first_set(table: Bits, start: Ints) -> Ints:
    """Return per row the first member at or after `start[row]`, going round once; -1 where the set is empty.

    >>> first_set(scatter(3, 200, np.array([0, 0, 1]), np.array([3, 150, 3])), np.array([4, 4, 0])).tolist()
    [150, 3, -1]
    """
    word, low = start >> 6, (_ONE << (start & 63).astype(np.uint64)) - _ONE
    own = table[np.arange(len(table)), word]
    found, value = word.copy(), own & ~low
    rest = np.flatnonzero(value == 0)  # in crowded sets, most are found in the first word
    found[rest] = _next_word(table[rest], word[rest])
    value[rest] = np.where(found[rest] == word[rest], own[rest], table[rest, found[rest]])
    lowest = value & (~value + _ONE)
    position = np.log2(np.maximum(lowest, _ONE).astype(np.float64)).astype(np.int64)
    return np.where(value == 0, -1, found * 64 + position)


def _next_word(table: Bits, word: Ints) -> Ints:
    """Return per row the first word after `word` that is not empty, going round once: in the end that is `word` itself."""
    rows, filled = np.arange(len(table)), table != 0
    filled[rows, word] = False
    after = filled & (np.arange(table.shape[1]) > word[:, None])
    ahead, anywhere = after.argmax(axis=1), filled.argmax(axis=1)
    found = np.where(after[rows, ahead], ahead, anywhere)
    return np.where(filled[rows, found], found, word)


def transpose(table: Bits, n: int) -> Bits:
    """Swap rows and nodes: `n` rows, and a bit for each of the old rows.

    Works on 64 x 64 blocks, halving the block at each of six steps (Warren, Hacker's Delight, 2nd ed., §7-3).

    >>> t = transpose(scatter(3, 100, np.array([2]), np.array([99])), 100)
    >>> t.shape, members(t)[0].tolist(), members(t)[1].tolist()
    ((100, 1), [99], [2])
    """
    rows, width = table.shape
    out = np.empty((width * 64, words_for(rows)), np.uint64)
    for first in range(0, rows, _PIECE):
        piece = _turn(table[first : first + _PIECE])
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


_PIECE = 4096  # rows at a time, so that a table of a thousand nodes stays in the cache
_SWAPS = [
    (32, np.uint64(0x00000000FFFFFFFF)),
    (16, np.uint64(0x0000FFFF0000FFFF)),
    (8, np.uint64(0x00FF00FF00FF00FF)),
    (4, np.uint64(0x0F0F0F0F0F0F0F0F)),
    (2, np.uint64(0x3333333333333333)),
    (1, np.uint64(0x5555555555555555)),
]
