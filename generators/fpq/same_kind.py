"""Who is of the true object's kind: of a type that is typical of the relation, of the same trade, continent and time.

An edit by the same concept asks about somebody whom one might take for the true object. A type that few of a relation's
objects have (a film whose producer is a bank) says little, and neither does "human" alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.fpq.edits import TYPICAL, Triples
from generators.graph_columns import GraphColumns, ints
from generators.years import ALWAYS
from kg.sets import Bits, Ints, empty, packed, scatter, spans, unite


class _Groups(NamedTuple):
    """Who is in which groups (`e` sorted, `group` beside it), and the entities of each group, (groups, entities)."""

    e: Ints
    group: Ints
    members: Bits

    @classmethod
    def of(cls, n: int, e: Ints, key: Ints) -> _Groups:
        """Make groups of those that have the same key."""
        keys, group = np.unique(key, return_inverse=True)
        order = np.argsort(e, kind="stable")
        return cls(e[order], group[order], scatter(len(keys), n, group, e))


class SameKind:
    """Finds who is comparable with the true objects of a graph's facts.

    Parameters: `members` are the entities of each concept that one of them has, `row_of` the row there of each concept.
    """

    def __init__(self, columns: GraphColumns, members: Bits, row_of: Ints) -> None:
        self.columns, self.members, self.row_of = columns, members, row_of

    def comparable(self, triples: Triples) -> Bits:
        """Return who is of the trade, continent and time of each triple's object, (triples, entities)."""
        true, at = np.unique(triples.o, return_inverse=True)
        kind = self._sharing(true, self._trades)
        kind &= self._sharing(true, self._regions)
        alike: Bits = kind[at] & self._times(triples)
        return alike

    def of_type(self, triples: Triples) -> Bits:
        """Return who has a type of each triple's object that is typical of the relation, (triples, entities)."""
        concepts = max(len(self.row_of), 1)
        key, at = np.unique(triples.o * self.columns.relations.height + triples.p, return_inverse=True)
        true, relation = np.divmod(key, self.columns.relations.height)
        entity, of_type = self._typing
        row, place = spans(entity, true)
        concept = of_type[place]
        typical = np.isin(relation[row] * concepts + concept, self._typical)
        return unite(self.members, self.row_of[concept[typical]], row[typical], len(key))[at]

    @cached_property
    def _typing(self) -> tuple[Ints, Ints]:
        return ints(self.columns.concepts["e"]), ints(self.columns.concepts["c"])

    @cached_property
    def _typical(self) -> Ints:
        """The concepts that enough of a relation's objects have, as numbers: relation times concepts plus concept."""
        objects = self.columns.objects
        typed = objects.join(self.columns.concepts, on="e").group_by("p", "c").agg(typed=pl.len())
        every = objects.group_by("p").agg(every=pl.len())
        typical = typed.join(every, on="p").filter(TYPICAL * pl.col("typed") >= pl.col("every"))
        return np.sort(ints(typical["p"]) * max(len(self.row_of), 1) + ints(typical["c"]))

    def _sharing(self, true: Ints, groups: _Groups) -> Bits:
        """Return who shares a group with each of some objects, and everybody where it has none, (true objects, entities)."""
        row, at = spans(groups.e, true)
        same = unite(groups.members, groups.group[at], row, len(true))
        same[np.bincount(row, minlength=len(true)) == 0] = ~np.uint64(0)
        return same

    @cached_property
    def _trades(self) -> _Groups:
        """Those who have the same occupation, or the same field of work."""
        facts = self._of_role("trades")
        # The same thing as an occupation and as a field of work is two trades.
        return _Groups.of(self.columns.n, ints(facts["s"]), ints(facts["p"]) * self.columns.n + ints(facts["o"]))

    @cached_property
    def _regions(self) -> _Groups:
        """What lies on the same continent, itself or by its country."""
        own, inside = self._of_role("regions").select("s", "o"), self._of_role("within").select("s", country="o")
        by_country = inside.join(own.rename({"s": "country"}), on="country").select("s", "o")
        lies = pl.concat([own, by_country]).unique()
        return _Groups.of(self.columns.n, ints(lies["s"]), ints(lies["o"]))

    def _of_role(self, role: str) -> pl.DataFrame:
        """Return the facts of the relations that play a role in `queries/domains/alike.toml`."""
        return self.columns.facts.join(self.columns.of_role(role), on="p")

    def _times(self, triples: Triples) -> Bits:
        """Return who was there at the time of each fact, or at an unknown time, (triples, entities)."""
        begin, end, made = self._spans
        s, o = triples.s, triples.o
        until = np.where(made[s], begin[s], end[s])  # a subject that was made is of that year
        # As the true object was there with the subject, so is who stands for it; a book need not be as young as its film.
        dated = (begin[s] > -ALWAYS) | (end[s] < ALWAYS)
        together = dated & (begin[s] <= end[o]) & (begin[o] <= until)
        low, high = np.where(together, begin[s], begin[o]), np.where(together, until, end[o])
        width = 2 * ALWAYS + 1
        window, at = np.unique((low + ALWAYS) * width + high + ALWAYS, return_inverse=True)
        first, last = (part - ALWAYS for part in np.divmod(window, width))
        table = empty(len(window), self.columns.n)
        for row, a, b in zip(table, first.tolist(), last.tolist(), strict=True):
            row[:] = packed(((begin <= b) & (end >= a))[None])  # nearly all are there as a rule: not one by one
        return table[at]

    @cached_property
    def _spans(self) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
        """When each entity begins and ends, and whether it was made in one year; what has no year is there at all times."""
        years = self.columns.years
        begin, end = np.full(self.columns.n, -ALWAYS), np.full(self.columns.n, ALWAYS)
        made = np.zeros(self.columns.n, np.bool_)
        e = ints(years["e"])
        begin[e], end[e], made[e] = ints(years["begin"]), ints(years["end"]), years["made"].to_numpy()
        return begin, end, made
