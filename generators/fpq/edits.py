"""The six edits of KG-FPQ (§3.1, figure 3): which entities may take the true object's place, and which one does.

An engine says, for a batch of true triples, which entities are near, of the same concept, excluded …: rows of bits, one row a
triple. What is chosen among them is decided here, by hash, the same way for every engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from generators.draw import Keys, mix, word
from generators.fpq.likeness import Like
from kg.sets import Bits, Ints, Sets, first_set, test

EDITS = ("NSC", "NDC", "NNSR", "NNSC", "NNDC", "NNDR")
"""The edits in the order in which they are filled."""

NEAR = ("NSC", "NDC")
"""The edits whose object lies within the radius."""

# The world is open: what a graph does not state may still be true. Each of these rules is learned from the graph at hand and
# keeps likely truths away from false premises; `tests/benchmarks/open_world.py` measures how many turn out true all the same.

COMMON = 10
"""Where fewer than one in so many objects of a relation is called by a common noun, none stands for another."""
IMPLIED_PAIRS, IMPLIED_SHARE = 3, 0.01
"""A relation counts as implying another if at least so many pairs, and this share of its pairs, stand under both."""

BESIDE = 2
"""A near candidate that stands beside a true object under the same relation for so many subjects is left out."""

ONE_SUBJECT = 1.5
"""A relation with at most so many subjects per object gets only candidates that already belong to another subject."""


TYPICAL = 5
"""A type is typical of a relation if one of so many of its objects has it: a fifth, or more."""

TYPICAL_OF_LIKE, SEVERAL = 20, 10
"""A type is typical of what the subjects of one concept have if one of so many of these has it, and so many do."""


@dataclass(frozen=True)
class Triples:
    """True triples as numbers of entities and relations, with a key each."""

    s: Ints
    p: Ints
    o: Ints
    keys: Keys

    def __len__(self) -> int:
        return len(self.s)

    def __getitem__(self, rows: Ints) -> Triples:
        """Return some of the triples."""
        return Triples(self.s[rows], self.p[rows], self.o[rows], self.keys[rows])


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

    `near`: at each distance of the subject; `outside`: not within the radius, nor one hop away in the other direction, and
    with a label; `same`: of the true object's kind and comparable with it (trade, continent, time); `different`: of a
    different concept; `objects`: somewhere an object of the relation; `fellows`: an object of the relation with a subject of
    the same concept, comparable with the true one; `banned`: excluded from every edit; `beside`: excluded from the near ones;
    `owned`: what the rule of relations with one subject per object allows; `typed`: whether the true object has a concept;
    `like`: objects of the relation by their frequency; `close`: of those of the true object's kind, who may be named, where
    that is told (`generators.fpq.plausible`); `sort`: of its kind whether or not plausible, who NNDR names first.
    """

    near: Near
    outside: Sets
    same: Sets
    different: Sets
    objects: Sets
    fellows: Sets
    banned: Sets
    beside: Sets
    owned: Sets
    typed: npt.NDArray[np.bool_]
    like: Like
    close: Sets | None = None
    sort: Sets | None = None


class Engine(Protocol):
    """Finds the sets of entities that the edits are defined by."""

    def masks(self, rows: Ints) -> Masks:
        """Return the sets for some rows of the sample it was made for."""
        ...

    def chains(self, rows: Ints, targets: Ints, hops: Ints) -> Ints:
        """Return for some rows of the sample the entities on a shortest way from the subject to a target (`trace`)."""
        ...

    def confirm(self, triples: Triples, objects: Ints) -> npt.NDArray[np.bool_]:
        """Say of offered objects of triples, (triples, edits, offers), whether they may be taken; -1 is no offer."""
        ...


@dataclass(frozen=True)
class Edits:
    """The edited objects of a batch of triples.

    `objects`: (triples, 6), in the order of EDITS, -1 where there is none; `hops`: (triples, 2), the distance of the near ones,
    0 where there is none; `chains`: (triples, 2, radius + 1), the entities on a shortest way to the near ones, from the subject
    on, -1 after the end; `reasons`: (triples, 6), an index of REASONS; `names`: what the edits are called. A user's own edits
    (`generators.fpq.own_edits`) have columns of objects and reasons after the six.
    """

    objects: Ints
    hops: Ints
    chains: Ints
    reasons: npt.NDArray[np.uint8]
    names: tuple[str, ...] = EDITS

    def __getitem__(self, rows: Ints) -> Edits:
        """Return the edits of some of the triples."""
        return Edits(self.objects[rows], self.hops[rows], self.chains[rows], self.reasons[rows], self.names)

    def __setitem__(self, rows: Ints, edits: Edits) -> None:
        """Put in the edits of some of the triples."""
        for name in ("objects", "hops", "chains", "reasons"):
            getattr(self, name)[rows] = getattr(edits, name)

    @classmethod
    def empty(cls, triples: int, radius: int) -> Edits:
        """Return room for the edits of so many triples: nothing is filled."""
        return cls(
            objects=np.full((triples, len(EDITS)), -1),
            hops=np.zeros((triples, len(NEAR)), np.int64),
            chains=np.full((triples, len(NEAR), radius + 1), -1),
            reasons=np.zeros((triples, len(EDITS)), np.uint8),
        )


REASONS = (
    "filled",
    "the true object has no concept",
    "nobody is there",
    "all who are there are excluded",
    "the pool is too small",
    "all of the pool that are drawn are named often enough",
    "its query finds nobody",
    "all whom its query finds are refused",
)
"""Why an edit was filled or not, by code."""

FILLED, TOO_OFTEN, NOBODY_FOUND, ALL_REFUSED = 0, 5, 6, 7


def choose(triples: Triples, masks: Masks, keys: Keys, hops: str = "balanced") -> Edits:
    """Choose the edited objects of some triples.

    Parameters: `masks` are the sets that the engine found for these triples; `keys` are the entities' places on the ring
    (ascending); `hops` is how the distance of near objects is drawn: `balanced` (by hash, 1 to the radius; where nobody is
    there, the other distances in hashed order), `nearest`, or `uniform` (over all within the radius).
    """
    picker = Picker(triples, masks, keys, hops)
    for edit in EDITS:
        picker.fill(edit)
    return picker.edits


def link(edits: Edits, rows: Ints, engine: Engine) -> None:
    """Set the chains of facts to the near objects, for some rows of the sample whose edits are given."""
    targets = edits.objects[:, : len(NEAR)].ravel()
    chains = engine.chains(np.repeat(rows, len(NEAR)), targets, edits.hops.ravel())
    edits.chains[:] = chains.reshape(edits.chains.shape)


class Picker:
    """Fills one edit after the other: what an earlier one takes, a later one of the same triple may not."""

    def __init__(self, triples: Triples, masks: Masks, keys: Keys, hops: str) -> None:
        self.triples, self.masks, self.keys, self.order = triples, masks, keys, hops
        self.edits = Edits.empty(len(triples), masks.near.radius)

    def fill(self, edit: str) -> None:
        """Choose the object of one edit for every triple."""
        column = EDITS.index(edit)
        if edit in NEAR:
            # EDITS begins with NEAR, so a near edit has the same place in both.
            self.edits.objects[:, column], self.edits.hops[:, column] = self._near(edit)
        else:
            rows = np.flatnonzero(~self.masks.outside.are_empty)
            self.edits.objects[rows, column] = self._first(edit, self.masks.outside, rows, self.start(edit))
        self.explain(edit, column)

    def _near(self, edit: str) -> tuple[Ints, Ints]:
        near, start = self.masks.near, self.start(edit)
        every = np.arange(len(start))
        if self.order == "uniform":
            chosen = self._first(edit, near.within, every, start)
            return chosen, np.where(chosen < 0, 0, near.distances(chosen))
        chosen, hops = np.full(len(start), -1), np.zeros(len(start), np.int64)
        for turn in self.turns(edit).T:
            rows = np.flatnonzero(chosen < 0)
            chosen[rows] = self._first(edit, near.at(turn), rows, start)
            hops[rows] = np.where(chosen[rows] < 0, 0, turn[rows])
        return chosen, hops

    def _first(self, edit: str, zone: Sets, rows: Ints, start: Ints) -> Ints:
        """Return for some triples the first entity of a zone, from a start on, that an edit may choose."""
        return first_set(self._free(edit, zone, rows), start[rows])

    def _free(self, edit: str, zone: Sets, rows: Ints) -> Bits:
        """Return which entities of a zone an edit may choose for some triples, but for what earlier edits took."""
        free = self.allowed(edit, zone, rows)
        for column in range(EDITS.index(edit)):
            remove(free, self.edits.objects[rows, column])
        return free

    def allowed(self, edit: str, zone: Sets, rows: Ints) -> Bits:
        """Return which entities of a zone may stand in an edit of some triples."""
        m = self.masks
        free = self._of_kind(edit, zone, rows)
        free &= ~m.banned[rows].bits()
        if edit[-1] == "C":  # of the edits by relation one chooses among these anyway, the other among none of them
            free &= m.owned[rows].bits()
        if edit in NEAR:
            free &= ~m.beside[rows].bits()
        return free

    def _of_kind(self, edit: str, zone: Sets, rows: Ints) -> Bits:
        """Return the entities of a zone that are of an edit's kind."""
        m, entities = self.masks, zone[rows].bits()
        kind = {"SC": m.same, "DC": m.different, "SR": m.fellows, "DR": m.objects}[edit[-2:]][rows].bits()
        entities &= ~kind if edit[-2:] == "DR" else kind
        return entities

    def turns(self, edit: str) -> Ints:
        """Return for each triple the distances in the order in which they are tried, (triples, radius)."""
        radius = self.masks.near.radius
        if self.order == "nearest":
            return np.tile(np.arange(1, radius + 1), (len(self.triples), 1))
        drawn = [mix(self.triples.keys, word(edit), word("hop"), hop) for hop in range(1, radius + 1)]
        return np.argsort(np.stack(drawn, axis=1), axis=1, kind="stable") + 1

    def start(self, edit: str) -> Ints:
        """Return for each triple the entity whose place on the ring follows that of its own key, the first after the last."""
        at = np.searchsorted(self.keys, mix(self.triples.keys, word(edit)))
        return (at % max(len(self.keys), 1)).astype(np.int64)

    def explain(self, edit: str, column: int) -> None:
        """Set the reasons of the triples that this edit was not filled for."""
        m, open_rows = self.masks, np.flatnonzero(self.edits.objects[:, column] < 0)
        zone = m.near.within if edit in NEAR else m.outside
        # First taken as "nobody is there", then corrected for those whose zone holds somebody of the edit's kind.
        reasons = np.where(m.typed[open_rows] | (edit[-1] != "C"), 2, 1)
        asked = np.flatnonzero((reasons == 2) & ~zone.are_empty[open_rows])
        reasons[asked[self._of_kind(edit, zone, open_rows[asked]).any(axis=1)]] = 3
        self.edits.reasons[open_rows, column] = reasons


def remove(free: Bits, taken: Ints) -> None:
    """Take out what an earlier edit took: the six objects differ."""
    rows = np.flatnonzero(taken >= 0)
    free[rows, taken[rows] >> 6] &= ~(np.uint64(1) << (taken[rows] & 63).astype(np.uint64))


def trace(subject: Ints, target: Ints, hops: Ints, radius: int, before: Callable[[Ints, Ints, int], Ints]) -> Ints:
    """Return the entities of a shortest chain per row, (rows, radius + 1): subject first, -1 after the target.

    Of several chains the one is taken whose entities, from the target back, come first on the ring. Rows with 0 hops have none.

    Parameters: `before` finds for some rows the first entity on the ring that is so many hops away from the row's subject and
    has an edge to a given one.

    >>> trace(np.array([4, 4]), np.array([6, -1]), np.array([2, 0]), 3, lambda rows, nodes, hop: nodes - 1).tolist()
    [[4, 5, 6, -1], [-1, -1, -1, -1]]
    """
    chain = np.full((len(subject), radius + 1), -1)
    rows = np.flatnonzero(hops > 0)
    chain[rows, 0], chain[rows, hops[rows]] = subject[rows], target[rows]
    for step in range(radius, 1, -1):
        rows = np.flatnonzero(hops >= step)
        chain[rows, step - 1] = before(rows, chain[rows, step], step - 1)
    return chain
