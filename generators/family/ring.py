"""Candidates drawn by hash: for each fact the first allowed value after its own point on a ring of values.

```
python -m generators.family erbench/mc_movie --none-share 0.2 --store ./films
```
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from generators.draw import Keys
from kg.sets import Ints

__all__ = ["Ring", "first_allowed", "share"]

Allowed = Callable[[Ints, Ints], npt.NDArray[np.bool_]]


class Ring:
    """Candidates in groups, each group in the order of their keys: a value stands there as often as the data has it.

    `group` and `value` are the candidates' numbers, `keys` their places. A value that is common in the data is drawn
    often, so that being rare gives nothing away.
    """

    def __init__(self, group: Ints, value: Ints, keys: Keys) -> None:
        order = np.lexsort((value, keys, group))
        self.values, self.keys = value[order], keys[order]
        self.groups, self.starts, self.sizes = np.unique(group[order], return_index=True, return_counts=True)
        self.jumps = self._jumps(np.repeat(np.arange(len(self.groups)), self.sizes))

    def _jumps(self, group: Ints) -> Ints:
        """How many places it is to the next candidate of another value, round the group; its size where there is none."""
        here, start, size = np.arange(len(group)), self.starts[group], self.sizes[group]
        change = (self.values[1:] != self.values[:-1]) | (group[1:] != group[:-1])
        ends = np.concatenate([np.flatnonzero(change) + 1, [len(group)]])
        end = np.repeat(ends, np.diff(ends, prepend=0))
        goes_on = (end == start + size) & (self.values == self.values[start])
        return np.minimum(end - here + np.where(goes_on, end[start] - start, 0), size)

    def place(self, group: Ints, points: Keys) -> tuple[Ints, Ints, Ints]:
        """Return where each group begins, how many it has (0 where there is none), and the first one after each point."""
        if not len(self.groups):
            nowhere = np.zeros(len(group), np.int64)
            return nowhere, nowhere, nowhere
        at = np.minimum(np.searchsorted(self.groups, group), len(self.groups) - 1)
        there = self.groups[at] == group
        start, size = np.where(there, self.starts[at], 0), np.where(there, self.sizes[at], 0)
        low, high = start.copy(), start + size
        while (low < high).any():  # a binary search in every group at once
            middle = np.minimum((low + high) // 2, len(self.keys) - 1)
            before = (self.keys[middle] < points) & (low < high)
            low, high = np.where(before, middle + 1, low), np.where(before, high, np.where(low < high, middle, high))
        return start, size, low - start


def first_allowed(ring: Ring, group: Ints, points: Keys, allowed: Allowed) -> Ints:
    """Return for each row the first allowed value of its group after its point; -1 where there is none.

    `allowed(rows, values)` says which values the rows (by position) may have.
    """
    start, size, offset = ring.place(group, points)
    chosen = np.full(len(group), -1, np.int64)
    passed = np.zeros(len(group), np.int64)
    rows = np.flatnonzero(size > 0)
    while len(rows):
        place = start[rows] + (offset[rows] + passed[rows]) % size[rows]
        value = ring.values[place]
        good = allowed(rows, value)
        chosen[rows[good]] = value[good]
        passed[rows] += ring.jumps[place]
        rows = rows[~good & (passed[rows] < size[rows])]
    return chosen


def share(keys: Keys) -> npt.NDArray[np.float64]:
    """Return each key as a number from 0 up to 1.

    >>> share(np.array([0, 2**63], np.uint64)).tolist()
    [0.0, 0.5]
    """
    return (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53
