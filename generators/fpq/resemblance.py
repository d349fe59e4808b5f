"""What resembles the true object: of what one says of it, most is said of them.

Where a graph says of few places what they border on, nobody can tell from it which lands lie near: but who speaks the same
languages, is in the same alliances and has the same rivers is the like of it. Two things are alike by the cosine of what is
stated of them, each statement weighed by how rare it is (Adamic and Adar, Friends and neighbors on the Web, Social Networks
25, 2003: 1 / log of how many share it), and each relation as much as another.
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from generators.fpq.edits import Triples
from generators.graph_columns import GraphColumns, ints
from kg.sets import Bits, Ints, scatter, test

_SHARED = 50
"""What is said of more things than these tells little of any, and most of the time goes into it."""

_NEAREST = 4
"""So many are named for a true object, those most like it."""

_LEAST = 0.05
"""Who is less like it than that is not like it."""


class Resemblance:
    """Finds the objects of a relation that are most like a true one."""

    def __init__(self, columns: GraphColumns) -> None:
        self.columns = columns

    def nearest(self, triples: Triples, among: Bits) -> Bits:
        """Return who of those `among` whom one looks is most like each triple's object, (triples, entities)."""
        alike = self._alike(triples.p, triples.o, self.columns.objects).rename({"x": "e"})
        there = test(among, ints(alike["row"]), ints(alike["e"]))
        return self._first(alike.filter(pl.Series(there)), len(triples))

    def _first(self, alike: pl.DataFrame, rows: int) -> Bits:
        """Return the first of each row (row, e, alike) as rows of bits."""
        ranked = alike.sort("row", "alike", "e", descending=[False, True, False])
        named = ranked.group_by("row", maintain_order=True).head(_NEAREST)
        return scatter(rows, self.columns.n, ints(named["row"]), ints(named["e"]))

    def _alike(self, p: Ints, e: Ints, ends: pl.DataFrame) -> pl.DataFrame:
        """Return which ends (p, e) of relation `p[k]` are like `e[k]`, and how much: row (k), p, x, alike."""
        rows = pl.DataFrame({"p": p, "e": e}).cast(pl.UInt32).with_row_index("row")
        others = ends.join(rows.select("p").unique(), on="p", how="semi").select("p", x="e")
        said = self._said.join(pl.concat([others.select("x"), rows.select(x="e")]).unique(), on="x", how="semi")
        length = said.group_by("x").agg(length=(pl.col("weight") ** 2).sum().sqrt())
        own = said.rename({"x": "e"}).join(rows.select("e").unique(), on="e", how="semi")
        both = own.join(said, on="what").filter(pl.col("e") != pl.col("x"))
        dot = both.group_by("e", "x").agg(dot=(pl.col("weight") * pl.col("weight_right")).sum())
        sized = dot.join(length, on="x").join(length.rename({"x": "e", "length": "other"}), on="e")
        # Rounded, or the order of the sums would decide between two that are as like it.
        alike = sized.select("e", "x", alike=(pl.col("dot") / (pl.col("length") * pl.col("other"))).round(6))
        found = rows.join(alike.filter(pl.col("alike") >= _LEAST), on="e").join(others, on=["p", "x"], how="semi")
        return found.select("row", "p", "x", "alike")

    @cached_property
    def _said(self) -> pl.DataFrame:
        """What is stated of each thing, from either end, by how rare it is: x, what (a number), weight."""
        n, way = self.columns.n, 2 * pl.col("p").cast(pl.Int64)
        ahead = self.columns.facts.select(x="s", way=way, what=way * n + pl.col("o"))
        back = self.columns.facts.select(x="o", way=way + 1, what=(way + 1) * n + pl.col("s"))
        said = pl.concat([ahead, back]).unique()
        # A relation of which much is said (all states that a state has an embassy in) has no more of a say than another.
        share = said.group_by("x", "way").agg(share=1 / pl.len().cast(pl.Float64).sqrt())
        shared = said.group_by("what").len("things").filter(pl.col("things").is_between(2, _SHARED))
        told = said.join(shared.select("what", rare=1 / pl.col("things").cast(pl.Float64).log()), on="what")
        return told.join(share, on=["x", "way"]).select("x", "what", weight=pl.col("rare") * pl.col("share"))
