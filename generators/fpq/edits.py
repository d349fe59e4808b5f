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
from functools import cached_property, partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from generators.draw import Keys, mix, word
from kg.sets import Bits, Ints, Sets, first_found, test

__all__ = ["EDITS", "NEAR", "REASONS", "Batch", "Choice", "Engine", "Masks", "Near", "choose"]

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
class Near:
    """The entities at each distance, 1 to the radius, of the subject of each triple.

    `levels`: (radius, subjects, words), rows of bits; `row`: which subject a triple has.
    """

    levels: Bits
    row: Ints

    def __getitem__(self, some: Ints) -> Near:
        """Return what there is about some of the triples."""
        return Near(self.levels, self.row[some])

    @property
    def radius(self) -> int:
        """How far away the last ones are."""
        return len(self.levels)

    def at(self, hops: Ints) -> Sets:
        """Return for triple k those at distance `hops[k]`."""
        radius, subjects, words = self.levels.shape
        return Sets(self.levels.reshape(radius * subjects, words), (hops - 1) * subjects + self.row)

    @cached_property
    def within(self) -> Sets:
        """Those at any of the distances."""
        return Sets(np.bitwise_or.reduce(self.levels, axis=0), self.row)

    def distances(self, nodes: Ints) -> Ints:
        """Return how far away entity `nodes[k]` is for triple k, 0 where it is not near."""
        hops = np.zeros(len(nodes), np.int64)
        for hop, level in enumerate(self.levels, start=1):
            hops[test(level, self.row, nodes)] = hop
        return hops


@dataclass(frozen=True)
class Masks:
    """Sets of entities, one of each kind a triple.

    `near`: at each distance of the subject; `outside`: not within the radius, nor one hop away in the other direction,
    and with a label; `same`, `different`: of the same or a different concept as the true object; `objects`: somewhere an
    object of the relation; `banned`: excluded from every edit; `beside`: excluded from the near ones; `owned`: what
    the rule of relations with one subject per object allows.
    """

    near: Near
    outside: Sets
    same: Sets
    different: Sets
    objects: Sets
    banned: Sets
    beside: Sets
    owned: Sets

    @cached_property
    def typed(self) -> npt.NDArray[np.bool_]:
        """Whether the true object has a concept."""
        return ~(self.same.are_empty() & self.different.are_empty())


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
        if edit in NEAR:
            self.objects[:, column], self.hops[:, column] = self._near(edit)
        else:
            rows = np.flatnonzero(~self.masks.outside.are_empty())
            self.objects[rows, column] = self._first(edit, self.masks.outside, rows, self._start(edit))
        self._explain(edit, column)

    def _near(self, edit: str) -> tuple[Ints, Ints]:
        near, start = self.masks.near, self._start(edit)
        every = np.arange(len(start))
        if self.order == "uniform":
            chosen = self._first(edit, near.within, every, start)
            return chosen, np.where(chosen < 0, 0, near.distances(chosen))
        chosen, hops = np.full(len(start), -1), np.zeros(len(start), np.int64)
        for turn in self._turns(edit).T:
            rows = np.flatnonzero(chosen < 0)
            chosen[rows] = self._first(edit, near.at(turn), rows, start)
            hops[rows] = np.where(chosen[rows] < 0, 0, turn[rows])
        return chosen, hops

    def _first(self, edit: str, zone: Sets, rows: Ints, start: Ints) -> Ints:
        """Return for some triples the first entity of a zone, from a start on, that an edit may choose."""
        return first_found(partial(self._free, edit, zone, rows), start[rows], zone.table.shape[1])

    def _free(self, edit: str, zone: Sets, rows: Ints, some: Ints, words: Ints | None) -> Bits:
        """Return which entities of a zone an edit may choose: all of them, or some words."""
        m, rows = self.masks, rows[some]
        free = self._there(edit, zone, rows, words)
        free &= ~m.banned[rows].bits(words)
        if edit[-1] == "C":
            free &= m.owned[rows].bits(words)
        if edit in NEAR:
            free &= ~m.beside[rows].bits(words)
        for column in range(EDITS.index(edit)):
            _remove(free, self.objects[rows, column], words)
        return free

    def _there(self, edit: str, zone: Sets, rows: Ints, words: Ints | None = None) -> Bits:
        """Return the entities of a zone that are of an edit's kind."""
        m, found = self.masks, zone[rows].bits(words)
        kind = {"SC": m.same, "DC": m.different, "SR": m.objects, "DR": m.objects}[edit[-2:]][rows].bits(words)
        found &= ~kind if edit[-2:] == "DR" else kind
        return found

    def _turns(self, edit: str) -> Ints:
        """Return for each triple the distances in the order in which they are tried, (triples, radius)."""
        radius = self.masks.near.radius
        if self.order == "nearest":
            return np.tile(np.arange(1, radius + 1), (len(self.batch), 1))
        drawn = [mix(self.batch.keys, word(edit), word("hop"), hop) for hop in range(1, radius + 1)]
        return np.argsort(np.stack(drawn, axis=1), axis=1, kind="stable") + 1

    def _start(self, edit: str) -> Ints:
        at = np.searchsorted(self.keys, mix(self.batch.keys, word(edit)))
        return (at % max(len(self.keys), 1)).astype(np.int64)

    def _explain(self, edit: str, column: int) -> None:
        m, open_rows = self.masks, np.flatnonzero(self.objects[:, column] < 0)
        zone = m.near.within if edit in NEAR else m.outside
        reasons = np.where(m.typed[open_rows] | (edit[-1] != "C"), 2, 1)
        asked = np.flatnonzero((reasons == 2) & ~zone[open_rows].are_empty())
        reasons[asked[self._there(edit, zone, open_rows[asked]).any(axis=1)]] = 3
        self.reasons[open_rows, column] = reasons


def _remove(free: Bits, taken: Ints, words: Ints | None) -> None:
    """Six different objects: what an earlier edit took is no candidate."""
    if words is None:
        rows = np.flatnonzero(taken >= 0)
        place = taken[rows] >> 6
    else:
        rows, place = np.nonzero((words == (taken >> 6)[:, None]) & (taken >= 0)[:, None])
    free[rows, place] &= ~(np.uint64(1) << (taken[rows] & 63).astype(np.uint64))
