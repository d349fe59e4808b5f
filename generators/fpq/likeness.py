"""Objects of like frequency: who is about as often an object of a relation as the true one.

Whoever knows nothing of a subject may still know that more people were born in London than in Amboise. If the true object were
the commoner one of a pair as a rule, that would do to tell true from false. So the edits that ask for the true object's kind
draw among those of its band, which are objects of the relation about as often, and of the bands nearest to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generators.draw import Keys, mix, word
from kg.sets import Bits, Ints, Sets, scatter

WIDEST = 6
"""So many bands above and below are still alike: eight times as often, or an eighth."""

_STEPS = np.arange(-WIDEST, WIDEST + 1)


@dataclass(frozen=True)
class Like:
    """The objects of like frequency of some triples: bands below, of and above the true object.

    `table`: rows of bits, the first of them empty; `row`: (triples, 2 x WIDEST + 1), the band that many steps away, 0 where
    there is none.
    """

    table: Bits
    row: Ints

    def __getitem__(self, some: Ints) -> Like:
        """Return what there is about some of the triples."""
        return Like(self.table, self.row[some])

    def at(self, step: int) -> Bits:
        """Return the objects whose band is so many steps above (or below) the true object's, for each triple."""
        return Sets(self.table, self.row[:, step + WIDEST]).bits()


class Bands:
    """The objects of each relation by how often they are its object: each band begins at the square root of two of the last."""

    def __init__(self, n: int, p: Ints, o: Ints, count: Ints) -> None:
        """Sort the objects: entity `o[k]` of `n` is an object of relation `p[k]` `count[k]` times."""
        self._n = n
        band = np.frexp(count.astype(np.float64) ** 2)[1].astype(np.int64) - 1  # twice the binary logarithm, rounded down
        order = np.argsort(p * n + o)
        self._pair, self._band = (p * n + o)[order], band[order]
        self._key, row = np.unique(p * _MANY + band, return_inverse=True)
        self._table = scatter(len(self._key) + 1, n, row + 1, o)

    def of(self, p: Ints, o: Ints) -> Like:
        """Return who is as often an object of relation `p[k]` as `o[k]` is, for all k.

        >>> bands = Bands(9, np.array([0, 0, 0]), np.array([4, 5, 6]), np.array([4, 5, 6]))
        >>> like = bands.of(np.array([0]), np.array([4]))
        >>> like.at(0).tolist() == [[2**4 + 2**5]], like.at(1).tolist() == [[2**6]]
        (True, True)
        """
        own = self._band[np.searchsorted(self._pair, p * self._n + o)]
        wanted = (p * _MANY + own)[:, None] + _STEPS
        at = np.searchsorted(self._key, wanted).clip(max=len(self._key) - 1)
        there = (self._key[at] == wanted) & (own[:, None] + _STEPS >= 0)
        return Like(self._table, np.where(there, at + 1, 0))


def alike(free: Bits, like: Like, keys: Keys, pool: int, close: Bits | None = None) -> Bits:
    """Return who of `free` is drawn from; nobody where fewer than `pool` are alike.

    Parameters: `close` are those that may be named, all of `free` if it is None. The others count for the pool alone; and
    where somebody may be named on one side only nobody is, or the rarer objects would as a rule be the false ones.

    The bands widen until they hold `pool` candidates. A side is drawn by hash, so that the true object is as often the commoner
    as the rarer one; its own band belongs to both. Where that side is empty nobody is drawn: the commonest objects, which have
    nobody above them, would else be always the commoner ones.
    """
    side = np.zeros_like(free)
    up = mix(keys, word("side")) % np.uint64(2) == 0
    rows = np.flatnonzero(free.any(axis=1))
    own = free[rows]
    above = own & like[rows].at(0)
    below = above.copy()
    for step in range(WIDEST + 1):
        if step:
            above |= own & like[rows].at(step)
            below |= own & like[rows].at(-step)
        enough = np.bitwise_count(above | below).sum(axis=1) >= pool
        over, under = above, below
        if close is not None:
            over, under = over & close[rows], under & close[rows]
            enough &= over.any(axis=1) & under.any(axis=1)
        drawn, over, under = rows[enough], over[enough], under[enough]
        side[drawn] = np.where(up[drawn][:, None], over, under)
        rows, own, above, below = (some[~enough] for some in (rows, own, above, below))
        if not len(rows):
            break
    return side


_MANY = 128  # more bands than a count can have
