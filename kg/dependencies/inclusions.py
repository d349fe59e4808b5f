"""Undeclared foreign keys: columns whose values all stand in a key of some table (inclusion dependencies)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from kg.sources._names import words_of

_Values = dict[tuple[str, str], npt.NDArray[np.uint32]]


class Reference(NamedTuple):
    """`columns` of `table` that refer, or might, to `to` of `other`."""

    table: str
    columns: tuple[str, ...]
    other: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class Inclusion:
    """How well a reference holds.

    `support` rows have a value, `violations` of them one that no row of `other` has; `coverage` is the share of the key's
    values that are referred to, `likeness` (0 to 1) how much the columns' names say so.
    """

    reference: Reference
    support: int
    violations: int
    coverage: float
    likeness: float
    declared: bool


def inclusions(
    tables: dict[str, pl.DataFrame], keys: dict[str, list[tuple[str, ...]]], declared: set[Reference], max_violations: int = 0
) -> list[Inclusion]:
    """Find the undeclared foreign keys to any of `keys`, the likeliest first: by names, then by coverage.

    >>> film = pl.DataFrame({"id": ["1", "2", "3"], "director": ["8", "7", "8"]})
    >>> person = pl.DataFrame({"id": ["7", "8"], "name": ["A", "B"]})
    >>> best = inclusions({"film": film, "person": person}, {"person": [("id",)]}, set())[0]
    >>> best.reference.columns, best.reference.other, best.coverage
    (('director',), 'person', 1.0)
    """
    values = _encoded(tables)
    known = {(r.table, frozenset(zip(r.columns, r.to, strict=True)), r.other) for r in declared}
    found = []
    for reference in _candidates(values, keys, max_violations):
        pairs = frozenset(zip(reference.columns, reference.to, strict=True))
        if (reference.table, pairs, reference.other) not in known:
            measure = measured(tables, keys, reference, declared=False)
            if measure.violations <= max_violations:
                found.append(measure)
    return sorted(found, key=lambda i: (-i.likeness, -i.coverage, i.reference))


def _distinct(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    return frame.select(columns).drop_nulls().unique()


def _encoded(tables: dict[str, pl.DataFrame]) -> _Values:
    """Return the distinct values of each column as sorted numbers, the same number for the same text everywhere."""
    distinct = {(t, c): frame[c].drop_nulls().unique() for t, frame in tables.items() for c in frame.columns}
    if not distinct:
        return {}
    codes = pl.concat([s.alias("v") for s in distinct.values()]).rank("dense").to_numpy()
    ends = np.cumsum([s.len() for s in distinct.values()])
    return {name: np.sort(part) for name, part in zip(distinct, np.split(codes, ends[:-1]), strict=True)}


def _candidates(values: _Values, keys: dict[str, list[tuple[str, ...]]], max_violations: int) -> Iterator[Reference]:
    """Pair keys with columns that could refer to them, column by column; one value alone says nothing."""
    tables = sorted({t for t, _ in values})
    for other, key in ((other, key) for other, several in keys.items() for key in several):
        for table in tables:
            fitting = [[c for t, c in values if t == table and _fits(values, (t, c), (other, k), max_violations)] for k in key]
            for columns in product(*fitting):
                if len(set(columns)) == len(columns):
                    yield Reference(table, columns, other, key)


def _fits(values: _Values, column: tuple[str, str], key: tuple[str, str], max_violations: int) -> bool:
    here, there = values[column], values[key]
    if column == key or len(here) < 2 or len(here) > len(there) + max_violations:
        return False
    if not max_violations and (here[0] < there[0] or here[-1] > there[-1]):
        return False
    return int(np.isin(here, there, assume_unique=True, invert=True).sum()) <= max_violations


def measured(
    tables: dict[str, pl.DataFrame], keys: dict[str, list[tuple[str, ...]]], reference: Reference, *, declared: bool
) -> Inclusion:
    """Measure how well a reference holds."""
    table, columns, other, to = reference
    left, right = list(columns), list(to)
    rows = tables[table].select(left).drop_nulls()
    key = _distinct(tables[other], right)
    missing = rows.join(key, left_on=left, right_on=right, how="anti").height
    used = key.join(rows.unique(), left_on=right, right_on=left, how="semi").height
    coverage = used / key.height if key.height else 0.0
    likeness = _Likeness(tables)
    alike = [likeness.of(c, other, k, own=(c,) in keys.get(table, [])) for c, k in zip(columns, to, strict=True)]
    return Inclusion(reference, rows.height, missing, round(coverage, 4), round(sum(alike) / len(alike), 4), declared)


class _Likeness:
    """Compares names word by word; a word that many tables use (such as `id`) says little."""

    def __init__(self, tables: dict[str, pl.DataFrame]) -> None:
        used = [_words(" ".join([table, *frame.columns])) for table, frame in tables.items()]
        self._uses = Counter(word for words in used for word in words)

    def of(self, column: str, other: str, key: str, *, own: bool) -> float:
        """Compare a column with a table and its key; the same name is no sign where it is the column's own table's key."""
        names = [_words(f"{other} {key}"), _words(other), *([] if own and column == key else [_words(key)])]
        return max(self._alike(_words(column), name) for name in names)

    def _alike(self, some: frozenset[str], others: frozenset[str]) -> float:
        return 2 * self._weight(some & others) / (self._weight(some) + self._weight(others) or 1)

    def _weight(self, words: frozenset[str]) -> float:
        return sum(1 / (self._uses[word] or 1) for word in words)


def _words(name: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") or word for word in words_of(name))
