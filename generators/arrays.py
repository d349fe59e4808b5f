"""The edits' sets by arrays of bits: the fast engine, and the default.

Each set here has a twin in SPARQL that defines it (`queries/library`, `generators/sparql.py`); the tests hold them together.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import polars as pl

from generators.distractors import Batch, Masks
from generators.rules import BESIDE, IMPLIED_PAIRS, IMPLIED_SHARE, ONE_SUBJECT
from generators.world import World
from kg.bits import Bits, Ints, members, scatter, spans
from kg.hops import Hops

__all__ = ["ArrayEngine"]


class ArrayEngine:
    """Finds the sets of a sample's triples, a run of them at a time, with a few operations on whole columns.

    What depends on (subject, relation) pairs only is listed once for the whole sample; `masks` spreads a part of it out.
    """

    def __init__(self, world: World, sample: Batch, radius: int, direction: str) -> None:
        self.world, self.sample, self.radius = world, sample, radius
        facts = world.column
        self._hops = Hops(world.n, facts["s"], facts["o"], both=direction == "both")
        self._pairs = _Pairs(sample, world)

    def masks(self, rows: Ints) -> Masks:
        """Return the sets for some rows of the sample."""
        batch = self.sample.take(rows)
        near, objects = self._near(batch), self._objects[batch.p]
        pairs, place = np.unique(self._pairs.of_item[rows], return_inverse=True)
        true, true_place = np.unique(batch.o, return_inverse=True)
        return Masks(
            near=near,
            outside=self._outside(batch, near),
            same=self._of_concepts(true, self._members)[true_place],
            different=self._different(true)[true_place],
            objects=objects,
            banned=(self._spread(pairs, *self._banned) | self._chained(pairs) | ~self._named)[place],
            beside=self._spread(pairs, *self._beside)[place],
            owned=objects | self._unowned[batch.p][:, None],
        )

    def predecessors(self, nodes: Ints) -> Bits:
        """Return for each node those with an edge to it, (nodes, entities)."""
        return self._hops.predecessors(nodes)

    def _near(self, batch: Batch) -> list[Bits]:
        subjects, place = np.unique(batch.s, return_inverse=True)
        return [level[place] for level in self._hops.levels(subjects, self.radius)]

    def _outside(self, batch: Batch, near: list[Bits]) -> Bits:
        subjects, place = np.unique(batch.s, return_inverse=True)
        inside = self._hops.predecessors(subjects)[place]
        for level in near:
            inside |= level
        rows = np.arange(len(batch))
        return self._named & ~inside & ~scatter(len(batch), self.world.n, rows, batch.s)

    def _spread(self, pairs: Ints, pair: Ints, entity: Ints) -> Bits:
        """Return (pairs, entities) of a list of (pair, entity) that is sorted by pair."""
        row, at = spans(pair, pairs)
        return scatter(len(pairs), self.world.n, row, entity[at])

    @cached_property
    def _named(self) -> Bits:
        """The entities that may be named, one row."""
        return self._set(np.flatnonzero(self.world.candidates.to_numpy()))

    def _set(self, nodes: Ints) -> Bits:
        return scatter(1, self.world.n, np.zeros(len(nodes), np.int64), nodes)

    @cached_property
    def _objects(self) -> Bits:
        """The objects of each relation, (relations, entities)."""
        pairs = self.world.relation_objects
        return scatter(self.world.relations.height, self.world.n, _ints(pairs["p"]), _ints(pairs["o"]))

    @cached_property
    def _unowned(self) -> Bits:
        """All ones for a relation to which the rule of one subject per object does not apply, else zeros."""
        counts = self.world.facts.group_by("p").agg(many=pl.len() > ONE_SUBJECT * pl.col("o").n_unique())
        out = np.zeros(self.world.relations.height, np.uint64)
        out[_ints(counts.filter("many")["p"])] = ~np.uint64(0)
        return out

    # --- concepts

    @cached_property
    def _members(self) -> Bits:
        """The entities of each concept, (concepts, entities)."""
        pairs = self.world.concepts
        return scatter(self.world.concept_iris.len(), self.world.n, _ints(pairs["c"]), _ints(pairs["e"]))

    @cached_property
    def _kin(self) -> Bits:
        """The entities of each concept and of all above and below it, (concepts, entities)."""
        n, above = self.world.concept_iris.len(), self.world.above
        low, high = _ints(above["c"]), _ints(above["d"])
        every = np.arange(n)
        kin = Hops(n, low, high).closure(every) | Hops(n, high, low).closure(every)
        row, concept = members(kin | scatter(n, n, every, every))
        return _union_by(self._members, concept, row, n)

    @cached_property
    def _is_typed(self) -> Bits:
        """All ones for an entity with a concept, else zeros."""
        out = np.zeros(self.world.n, np.uint64)
        out[_ints(self.world.concepts["e"])] = ~np.uint64(0)
        return out

    @cached_property
    def _typed(self) -> Bits:
        return self._set(np.unique(_ints(self.world.concepts["e"])))

    def _of_concepts(self, entities: Ints, table: Bits) -> Bits:
        """Unite the rows of `table` over the concepts of each of some sorted entities."""
        rows = pl.DataFrame({"e": entities}, schema={"e": pl.UInt32}).with_row_index("row")
        found = rows.join(self.world.concepts, on="e", maintain_order="left")
        return _union_by(table, _ints(found["c"]), _ints(found["row"]), len(entities))

    def _different(self, true: Ints) -> Bits:
        return self._typed & ~self._of_concepts(true, self._kin) & self._is_typed[true][:, None]

    # --- exclusions, as lists of (pair, entity) sorted by pair

    @cached_property
    def _banned(self) -> tuple[Ints, Ints]:
        """Who may never stand for a true object: itself and its namesakes, the subject and its own, and whom another
        fact makes true.
        """
        pairs = self._pairs
        parts = [self._namesakes(pairs.true), self._namesakes(pairs.subjects), self._implied(pairs.frame)]
        return _sorted(pl.concat(parts))

    def _chained(self, pairs: Ints) -> Bits:
        """Who lies above or below a true object, by place, part or subclass, (pairs, entities)."""
        pair, place = self._in_chains
        row, at = spans(pair, pairs)
        return _union_by(self._chains, place[at], row, len(pairs))

    @cached_property
    def _in_chains(self) -> tuple[Ints, Ints]:
        """The true objects that lie in a chain: (pair, row of the chains), sorted by pair."""
        true = self._pairs.true.filter(pl.col("e").is_in(pl.Series(self._true, dtype=pl.UInt32).implode()))
        return _ints(true["pair"]), np.searchsorted(self._true, _ints(true["e"]))

    @cached_property
    def _true(self) -> Ints:
        """The true objects that contain something or are contained."""
        contained = self.world.contained
        return np.intersect1d(_ints(self._pairs.true["e"]), _ints(pl.concat([contained["below"], contained["above"]])))

    @cached_property
    def _chains(self) -> Bits:
        return self._up.closure(self._true) | self._down.closure(self._true)

    @cached_property
    def _up(self) -> Hops:
        return Hops(self.world.n, _ints(self.world.contained["below"]), _ints(self.world.contained["above"]))

    @cached_property
    def _down(self) -> Hops:
        return Hops(self.world.n, _ints(self.world.contained["above"]), _ints(self.world.contained["below"]))

    def _namesakes(self, listed: pl.DataFrame) -> pl.DataFrame:
        """Return (pair, e): the entities listed with a pair, and those that share a name with one of them."""
        names = self.world.names
        theirs = listed.join(names, on="e").select("pair", "name").unique()
        return pl.concat([listed, theirs.join(names, on="name").select("pair", "e")])

    def _implied(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Return (pair, e): objects that another fact about subject and object is likely to make true."""
        forward, backward = self._implications
        facts = self.world.facts
        ahead = pairs.join(forward, on="p").join(facts, left_on=["s", "q"], right_on=["s", "p"])
        turned = facts.select(e="s", p="p", s="o")
        behind = pairs.join(backward, on="p").join(turned, left_on=["s", "q"], right_on=["s", "p"])
        return pl.concat([ahead.select("pair", e="o"), behind.select("pair", "e")])

    @cached_property
    def _implications(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Which relation q implies which p for the same pair, and for the pair turned round: two frames (q, p)."""
        facts = self.world.facts
        turned = facts.select(s="o", o="s", q="p")
        same = facts.join(facts.rename({"p": "q"}), on=["s", "o"]).filter(pl.col("p") != pl.col("q"))
        size = facts.group_by(q="p").agg(size=pl.len())
        return _often(same, size), _often(facts.join(turned, on=["s", "o"]), size)

    @cached_property
    def _beside(self) -> tuple[Ints, Ints]:
        """Who stands beside a true object of a pair under the same relation for several subjects."""
        facts, own = self.world.facts, self._pairs.true.join(self._pairs.frame, on="pair").select("pair", "p", t="e")
        holders = own.select("p", "t").unique().join(facts, left_on=["p", "t"], right_on=["p", "o"])
        together = holders.join(facts, on=["s", "p"]).filter(pl.col("o") != pl.col("t"))
        often = together.group_by("p", "t", "o").len().filter(pl.col("len") >= BESIDE)
        return _sorted(own.join(often, on=["p", "t"]).select("pair", e="o"))


class _Pairs:
    """The distinct (subject, relation) pairs of a batch: what is excluded depends on nothing else.

    `frame`: pair, s, p; `true`: pair, e (their true objects); `subjects`: pair, e; `of_item`: the pair of each triple.
    """

    def __init__(self, batch: Batch, world: World) -> None:
        self.of_item: Ints
        width = max(world.relations.height, 1)
        keys, self.of_item = np.unique(batch.s * width + batch.p, return_inverse=True)
        self.n = len(keys)
        numbers = {"pair": np.arange(self.n), "s": keys // width, "p": keys % width}
        self.frame = pl.DataFrame(numbers, schema=dict.fromkeys(numbers, pl.UInt32))
        self.true = self.frame.join(world.facts, on=["s", "p"]).select("pair", e="o").sort("pair", "e")
        self.subjects = self.frame.select("pair", e="s")


def _sorted(listed: pl.DataFrame) -> tuple[Ints, Ints]:
    ordered = listed.unique().sort("pair", "e")
    return _ints(ordered["pair"]), _ints(ordered["e"])


def _often(together: pl.DataFrame, size: pl.DataFrame) -> pl.DataFrame:
    counted = together.group_by("q", "p").agg(both=pl.len()).join(size, on="q")
    enough = (pl.col("both") >= IMPLIED_PAIRS) & (pl.col("both") >= IMPLIED_SHARE * pl.col("size"))
    return counted.filter(enough).select("q", "p")


def _ints(column: pl.Series) -> Ints:
    return column.cast(pl.Int64).to_numpy()


def _union_by(table: Bits, rows: Ints, group: Ints, n: int) -> Bits:
    """Unite `table[rows[k]]` over all k of each group, (n, words)."""
    out = np.zeros((n, table.shape[1]), np.uint64)
    if rows.size:
        order = np.argsort(group, kind="stable")
        sorted_group = group[order]
        starts = np.flatnonzero(np.concatenate(([True], sorted_group[1:] != sorted_group[:-1])))
        out[sorted_group[starts]] = np.bitwise_or.reduceat(table[rows[order]], starts, axis=0)
    return out
