"""The six edits of KG-FPQ (§3.1, figure 3): which entities may take the true object's place, and which one does.

An engine says, for a batch of true triples, which entities are near, of the same concept, excluded …: rows of bits, one row a
triple. What is chosen among them is decided here, by hash, the same way for every engine.

```
python -m generators.fpq --domain people --n 50 --hops nearest
python -m queries run not_neighbour --param s=wd:Q937 --store ./wd
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from generators.ring import Keys, mix, word
from kg.bits import Bits, Ints, first_set

__all__ = ["EDITS", "NEAR", "REASONS", "Batch", "Choice", "Engine", "Masks", "choose"]

EDITS = ("NSC", "NDC", "NNSR", "NNSC", "NNDC", "NNDR")
"""The edits in the order in which they are filled."""

NEAR = ("NSC", "NDC")
"""The edits whose object lies within the radius."""


@dataclass(frozen=True)
class Batch:
    """True triples as numbers of entities and relations, with a key each."""

    s: Ints
    p: Ints
    o: Ints
    keys: Keys

    def __len__(self) -> int:
        return len(self.s)

    def take(self, rows: Ints) -> Batch:
        """Return the batch of some rows."""
        return Batch(self.s[rows], self.p[rows], self.o[rows], self.keys[rows])


@dataclass(frozen=True)
class Masks:
    """Sets of entities, one row of bits a triple (bit tables of the same shape).

    `near[h-1]`: at distance h of the subject; `outside`: not within the radius, nor one hop away in the other direction,
    and with a label; `same`, `different`: of the same or a different concept as the true object; `objects`: somewhere an
    object of the relation; `banned`: excluded from every edit; `beside`: excluded from the near ones; `owned`: what
    the rule of relations with one subject per object allows.
    """

    near: list[Bits]
    outside: Bits
    same: Bits
    different: Bits
    objects: Bits
    banned: Bits
    beside: Bits
    owned: Bits


class Engine(Protocol):
    """Finds the sets of entities that the edits are defined by."""

    def masks(self, rows: Ints) -> Masks:
        """Return the sets for some rows of the sample it was made for."""
        ...

    def predecessors(self, nodes: Ints) -> Bits:
        """Return for each node those with an edge to it, (nodes, entities)."""
        ...


@dataclass(frozen=True)
class Choice:
    """What was chosen for a batch.

    `objects`: (triples, 6), the edited object in the order of EDITS, -1 where there is none; `hops`: (triples, 2), the
    distance of the near ones, 0 where there is none; `reasons`: (triples, 6), 0 filled, 1 the true object has no concept,
    2 nobody is there, 3 all who are there are excluded.
    """

    objects: Ints
    hops: Ints
    reasons: npt.NDArray[np.uint8]


REASONS = ("filled", "the true object has no concept", "nobody is there", "all who are there are excluded")
"""Why an edit was filled or not, by code."""


def choose(batch: Batch, masks: Masks, keys: Keys, hops: str = "balanced") -> Choice:
    """Choose the edited objects.

    Parameters: `keys` are the entities' places on the ring (ascending); `hops` is how the distance of near objects is
    drawn: `balanced` (by hash, 1 to the radius; where nobody is there, the other distances in hashed order), `nearest`, or
    `uniform` (over all within the radius).
    """
    picker = _Picker(batch, masks, keys, hops)
    for edit in EDITS:
        picker.fill(edit)
    return Choice(picker.objects, picker.hops, picker.reasons)


class _Picker:
    def __init__(self, batch: Batch, masks: Masks, keys: Keys, hops: str) -> None:
        self.batch, self.masks, self.keys, self.order = batch, masks, keys, hops
        self.objects = np.full((len(batch), len(EDITS)), -1, np.int64)
        self.hops = np.zeros((len(batch), len(NEAR)), np.int64)
        self.reasons = np.zeros((len(batch), len(EDITS)), np.uint8)

    def fill(self, edit: str) -> None:
        """Choose the object of one edit for every triple."""
        column = EDITS.index(edit)
        there, free = self._there(edit), self._allowed(edit)
        free &= there
        if edit in NEAR:
            chosen, self.hops[:, column] = self._near(edit, free)
        else:
            free &= self.masks.outside
            chosen = first_set(free, self._start(edit))
        self.objects[:, column] = chosen
        self._explain(edit, column, there)

    def _there(self, edit: str) -> Bits:
        m = self.masks
        kinds = {"SC": m.same, "DC": m.different, "SR": m.objects, "DR": ~m.objects}
        return kinds[edit[-2:]]

    def _allowed(self, edit: str) -> Bits:
        m = self.masks
        allowed = ~m.banned
        if edit[-1] == "C":
            allowed &= m.owned
        if edit in NEAR:
            allowed &= ~m.beside
        for column in range(EDITS.index(edit)):
            self._remove(allowed, self.objects[:, column])
        return allowed

    @staticmethod
    def _remove(allowed: Bits, taken: Ints) -> None:
        """Six different objects: what an earlier edit took is no candidate."""
        rows = np.flatnonzero(taken >= 0)
        place = taken[rows]
        allowed[rows, place >> 6] &= ~(np.uint64(1) << (place & 63).astype(np.uint64))

    def _near(self, edit: str, free: Bits) -> tuple[Ints, Ints]:
        near, start = self.masks.near, self._start(edit)
        if self.order == "uniform":
            chosen = first_set(free & _union(near), start)
            return chosen, _distance_of(near, chosen)
        chosen, hops = np.full(len(free), -1), np.zeros(len(free), np.int64)
        for turn in self._turns(edit).T:
            open_rows = np.flatnonzero(chosen < 0)
            for hop in range(1, len(near) + 1):
                rows = open_rows[turn[open_rows] == hop]
                found = first_set(free[rows] & near[hop - 1][rows], start[rows])
                chosen[rows], hops[rows] = found, np.where(found < 0, 0, hop)
        return chosen, hops

    def _turns(self, edit: str) -> Ints:
        """Return for each triple the distances in the order in which they are tried, (triples, radius)."""
        radius = len(self.masks.near)
        if self.order == "nearest":
            return np.tile(np.arange(1, radius + 1), (len(self.batch), 1))
        drawn = [mix(self.batch.keys, word(edit), word("hop"), hop) for hop in range(1, radius + 1)]
        return np.argsort(np.stack(drawn, axis=1), axis=1, kind="stable") + 1

    def _start(self, edit: str) -> Ints:
        at = np.searchsorted(self.keys, mix(self.batch.keys, word(edit)))
        return (at % max(len(self.keys), 1)).astype(np.int64)

    def _explain(self, edit: str, column: int, there: Bits) -> None:
        m = self.masks
        open_rows = np.flatnonzero(self.objects[:, column] < 0)
        zone = _union([level[open_rows] for level in m.near]) if edit in NEAR else m.outside[open_rows]
        no_concept = _is_empty(m.same[open_rows] | m.different[open_rows]) & (edit[-1] == "C")
        nobody = _is_empty(there[open_rows] & zone)
        self.reasons[open_rows, column] = np.where(no_concept, 1, np.where(nobody, 2, 3))


def _is_empty(table: Bits) -> npt.NDArray[np.bool_]:
    empty: npt.NDArray[np.bool_] = np.bitwise_or.reduce(table, axis=1) == 0
    return empty


def _union(near: list[Bits]) -> Bits:
    out = near[0].copy()
    for level in near[1:]:
        out |= level
    return out


def _distance_of(near: list[Bits], chosen: Ints) -> Ints:
    rows = np.arange(len(chosen))
    place = np.maximum(chosen, 0)
    hops = np.zeros(len(chosen), np.int64)
    for hop, level in enumerate(near, start=1):
        bit = (level[rows, place >> 6] >> (place & 63).astype(np.uint64)) & np.uint64(1)
        hops = np.where((bit != 0) & (chosen >= 0), hop, hops)
    return hops
