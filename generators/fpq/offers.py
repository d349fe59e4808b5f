"""Edited objects drawn evenly: several offers for each edit, of which one is taken so that no object is named too often.

What is offered to an edit depends on its triple alone. Which offer is taken depends on the triples of the same relation that
were drawn before it: in each block of twenty, an edit names an object once at most. So the start of a longer draw is the
shorter one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from generators.draw import Keys, mix, word
from generators.fpq.edits import EDITS, NEAR, TOO_OFTEN, Edits, Masks, Picker, Triples, remove
from generators.fpq.evenly import OBJECTS
from generators.fpq.likeness import alike
from kg.sets import Bits, Ints, first_set

_OFFERS = 6
"""So many objects are offered to an edit."""

_EXCLUDED, _TOO_FEW = 3, 4  # of REASONS


@dataclass(frozen=True)
class Offers:
    """What may stand in the edits of some triples.

    `objects`: (triples, 6, offers), in the order of EDITS, the first to be taken first, -1 where there are no more; `hops`: how
    far away each is, 0 where it is not near; `reasons`: (triples, 6), why there is none.
    """

    objects: Ints
    hops: Ints
    reasons: npt.NDArray[np.uint8]

    @classmethod
    def empty(cls, triples: int) -> Offers:
        """Return room for so many triples: nothing is offered."""
        shape = (triples, len(EDITS), _OFFERS)
        return cls(np.full(shape, -1), np.zeros(shape, np.int64), np.zeros(shape[:2], np.uint8))

    def __setitem__(self, rows: Ints, offers: Offers) -> None:
        """Put in the offers to some of the triples."""
        for name in ("objects", "hops", "reasons"):
            getattr(self, name)[rows] = getattr(offers, name)

    def only(self, kept: npt.NDArray[np.bool_]) -> Offers:
        """Return the offers that are kept, (triples, 6, offers), in their order; an edit that loses all has them excluded."""
        order = np.argsort(~kept, axis=2, kind="stable")
        emptied = ((self.objects, -1), (self.hops, 0))
        objects, hops = (np.take_along_axis(np.where(kept, table, none), order, axis=2) for table, none in emptied)
        lost = (self.objects[:, :, 0] >= 0) & (objects[:, :, 0] < 0)
        return Offers(objects, hops, np.where(lost, _EXCLUDED, self.reasons).astype(np.uint8))


def offer(triples: Triples, masks: Masks, keys: Keys, hops: str, pool: int) -> Offers:
    """Draw what may stand in each edit of some triples.

    Parameters: as those of `generators.fpq.edits.choose`; an edit with fewer than `pool` candidates gets no offer.
    """
    offers, picker = Offers.empty(len(triples)), Picker(triples, masks, keys, hops)
    for column, edit in enumerate(EDITS):
        shelf = _Shelf(offers.objects[:, column], offers.hops[:, column], picker.start(edit))
        zone = masks.near.within if edit in NEAR else masks.outside
        rows = np.flatnonzero(~zone.are_empty)
        free = picker.allowed(edit, zone, rows)
        some = free.any(axis=1)
        drawn = _drawn_from(edit, rows, free, triples, masks, pool)
        if edit in NEAR:
            _near(shelf, edit, rows, drawn, picker)
        else:
            if edit == "NNDR" and masks.sort is not None:  # who never had it: sooner a person for a person than a town
                shelf.take(rows, drawn & masks.sort[rows].bits())
            shelf.take(rows, drawn)
        picker.edits.objects[:, column] = shelf.objects[:, 0]
        picker.explain(edit, column)
        short = rows[some & (shelf.objects[rows, 0] < 0)]
        picker.edits.reasons[short, column] = _TOO_FEW
    offers.reasons[:] = picker.edits.reasons
    return offers


def _drawn_from(edit: str, rows: Ints, free: Bits, triples: Triples, masks: Masks, pool: int) -> Bits:
    """Return the sets that an edit is drawn from."""
    if edit[-2:] in ("SC", "SR"):
        close = None if masks.close is None else masks.close[rows].bits()
        return alike(free, masks.like[rows], mix(triples.keys[rows], word(edit)), pool, close)
    free[np.bitwise_count(free).sum(axis=1) < pool] = 0
    return free


def _near(shelf: _Shelf, edit: str, rows: Ints, drawn: Bits, picker: Picker) -> None:
    """Take near objects, one distance after the other."""
    near = picker.masks.near
    if picker.order == "uniform":
        shelf.take(rows, drawn)
        for place in range(_OFFERS):
            chosen = shelf.objects[:, place]
            shelf.hops[:, place] = np.where(chosen < 0, 0, near.distances(np.maximum(chosen, 0)))
        return
    for turn in picker.turns(edit).T:
        shelf.take(rows, drawn & near.at(turn)[rows].bits(), turn[rows])


@dataclass
class _Shelf:
    """The offers to one edit: (triples, offers)."""

    objects: Ints
    hops: Ints
    start: Ints

    def take(self, rows: Ints, table: Bits, hops: Ints | None = None) -> None:
        """Take from the set of each row, from its start on, as many as there is room for."""
        hops = np.zeros(len(rows), np.int64) if hops is None else hops
        held = (self.objects[rows] >= 0).sum(axis=1)
        going = np.flatnonzero((held < _OFFERS) & table.any(axis=1))
        while len(going):
            if len(going) < len(rows):
                rows, table, hops, held = rows[going], table[going], hops[going], held[going]
            chosen = first_set(table, self.start[rows])
            # A set that is spent says so here: to look through all of them for that takes as long as to choose.
            filled = np.flatnonzero(chosen >= 0)
            some = rows[filled], held[filled]
            self.objects[some], self.hops[some] = chosen[filled], hops[filled]
            remove(table, chosen)
            held = held + 1
            going = np.flatnonzero((held < _OFFERS) & (chosen >= 0))


def settle(offers: Offers, relations: Ints, radius: int) -> Edits:
    """Take one offer for each edit of all triples, in the order drawn.

    The six objects of a triple differ, and in each block of twenty triples of a relation an edit names nobody twice.

    Parameters: `relations` are those of the triples.
    """
    edits = Edits.empty(len(relations), radius)
    edits.reasons[:] = offers.reasons
    place = places(relations)
    _, block = np.unique(relations * (len(relations) + 1) + place // OBJECTS, return_inverse=True)
    named = np.full((int(block.max(initial=-1)) + 1, len(EDITS), OBJECTS), -1)
    for turn in range(OBJECTS):
        rows = np.flatnonzero(place % OBJECTS == turn)
        for column in range(len(EDITS)):
            chosen, which = first_free(offers.objects[rows, column], named[block[rows], column], edits.objects[rows])
            edits.objects[rows, column] = named[block[rows], column, turn] = chosen
            if column < len(NEAR):
                edits.hops[rows, column] = np.where(chosen < 0, 0, offers.hops[rows, column, which])
            edits.reasons[rows[(chosen < 0) & (offers.objects[rows, column, 0] >= 0)], column] = TOO_OFTEN
    return edits


def first_free(offered: Ints, *taken: Ints) -> tuple[Ints, Ints]:
    """Return per row the first offer that is not taken, and which it is; -1 where all are."""
    free = offered >= 0
    for some in taken:
        free &= ~(offered[:, :, None] == some[:, None, :]).any(axis=2)
    which = free.argmax(axis=1)
    return np.where(free.any(axis=1), offered[np.arange(len(offered)), which], -1), which


def places(relations: Ints) -> Ints:
    """Return the place of each triple among those of its relation, from 0.

    >>> places(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(relations, kind="stable")
    ordered = relations[order]
    place = np.empty(len(relations), np.int64)
    place[order] = np.arange(len(relations)) - np.searchsorted(ordered, ordered)
    return place
