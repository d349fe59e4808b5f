"""Minimal functional dependencies and keys of one table, by stripped partitions (the idea of TANE, Huhtala et al. 1999).

A column is an array of codes: equal values have equal codes, and a null has -1 and equals nothing. The stripped partition of
some columns holds the rows that share their values in all of them with another row, group by group; only such rows can test
or break a dependency. Its refinement by one more column sorts these rows and no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]

_GLANCE = 2048  # how many rows are looked at first: most candidates fail there


@dataclass(frozen=True)
class Partition:
    """Rows, group after group, and where each group starts; every group has at least two rows."""

    rows: Codes
    starts: Codes

    @property
    def sizes(self) -> Codes:
        """How many rows each group has."""
        return np.diff(self.starts, append=len(self.rows))

    def refined(self, codes: Codes) -> Partition:
        """Split the groups by another column."""
        group = np.repeat(np.arange(len(self.starts)), self.sizes)
        values = codes[self.rows]
        keep = values >= 0
        rows, label = self.rows[keep], group[keep] * (int(codes.max(initial=0)) + 1) + values[keep]
        order = np.argsort(label, kind="stable")
        return _stripped(rows[order], label[order])

    def broken(self, codes: Codes) -> npt.NDArray[np.bool_]:
        """Say of each group whether its rows differ in a column; a null differs from everything."""
        values = codes[self.rows]
        differs = (values != np.repeat(values[self.starts], self.sizes)) | (values < 0)
        return np.logical_or.reduceat(differs, self.starts) if len(self.starts) else np.zeros(0, bool)

    def violations(self, codes: Codes, most: int | None = None) -> int:
        """Count the rows in groups that differ in a column; more than `most` need not be counted to the end."""
        if most is not None and len(self.rows) > 2 * _GLANCE:
            first = max(int(np.searchsorted(self.starts, _GLANCE)), 1)
            if first < len(self.starts) and (seen := self._first(first).violations(codes)) > most:
                return seen
        return int(self.sizes[self.broken(codes)].sum())

    def _first(self, groups: int) -> Partition:
        return Partition(self.rows[: self.starts[groups]], self.starts[:groups])


def _stripped(rows: Codes, label: Codes) -> Partition:
    """Return the partition of rows that are sorted by label, without groups of one."""
    starts = np.flatnonzero(np.diff(label, prepend=-1))
    sizes = np.diff(starts, append=len(rows))
    several = sizes > 1
    sizes_left = sizes[several]
    return Partition(rows[np.repeat(several, sizes)], np.cumsum(sizes_left) - sizes_left)


def partition(columns: Sequence[Codes], rows: int) -> Partition:
    """Return the stripped partition by some columns (by none: all rows are one group).

    >>> partition([np.array([0, 1, 0, -1, -1])], 5).rows.tolist()
    [0, 2]
    """
    several = rows > 1  # one row is a group of one, which tests nothing
    groups = Partition(np.arange(rows if several else 0), np.zeros(1 if several else 0, np.int64))
    for codes in columns:
        groups = groups.refined(codes)
    return groups


@dataclass(frozen=True)
class Holds:
    """`left` determines `right`: `support` rows share their left side with another, `violations` of them differ."""

    left: tuple[int, ...]
    right: int
    support: int
    violations: int


@dataclass
class Search:
    """A search through the left sides, from small to large; it fills `dependencies` and `keys`."""

    columns: Sequence[Codes]
    rows: int
    max_left: int = 3
    max_violations: int = 0
    dependencies: list[Holds] = field(default_factory=list)
    keys: list[tuple[int, ...]] = field(default_factory=list)
    _determined: dict[frozenset[int], set[int]] = field(default_factory=dict)
    _exactly: dict[frozenset[int], set[int]] = field(default_factory=dict)

    def run(self) -> Search:
        """Find all minimal dependencies with at most `max_left` columns on the left, and all minimal keys of that size.

        >>> search = Search([np.array([0, 0, 1]), np.array([5, 5, 5]), np.array([1, 2, 3])], 3).run()
        >>> [(d.left, d.right) for d in search.dependencies], search.keys
        ([((), 1), ((2,), 0)], [(2,)])
        """
        for size in range(self.max_left + 1 if self.rows > 1 else 0):
            lefts = combinations(range(len(self.columns)), size)
            for prefix, group in groupby(lefts, key=lambda left: left[:-1]):
                self._extend(prefix, [left for left in group if self._may_be_minimal(left)])
        return self

    def _may_be_minimal(self, left: tuple[int, ...]) -> bool:
        """Say whether all that is smaller has been searched, and no column of `left` follows from the others."""
        return all(
            (rest := frozenset(left) - {column}) in self._determined and column not in self._exactly[rest] for column in left
        )

    def _extend(self, prefix: tuple[int, ...], lefts: list[tuple[int, ...]]) -> None:
        if lefts:
            shared = partition([self.columns[c] for c in prefix], self.rows)
            for left in lefts:
                self._try(left, shared.refined(self.columns[left[-1]]) if left else shared)

    def _try(self, left: tuple[int, ...], groups: Partition) -> None:
        smaller = [frozenset(left) - {column} for column in left]
        determined = set[int]().union(*(self._determined[rest] for rest in smaller))
        exactly = set[int]().union(*(self._exactly[rest] for rest in smaller))
        for dependency in self._new_dependencies(left, groups, determined):
            self.dependencies.append(dependency)
            determined.add(dependency.right)
            if not dependency.violations:
                exactly.add(dependency.right)
        if len(groups.rows):
            self._determined[frozenset(left)], self._exactly[frozenset(left)] = determined, exactly
        elif left and all(bool((self.columns[c] >= 0).all()) for c in left):
            self.keys.append(left)

    def _new_dependencies(self, left: tuple[int, ...], groups: Partition, determined: set[int]) -> Iterator[Holds]:
        for right, codes in enumerate(self.columns):
            if right not in determined and right not in left:
                violations = groups.violations(codes, self.max_violations)
                if violations <= self.max_violations:
                    yield Holds(left, right, len(groups.rows), violations)
