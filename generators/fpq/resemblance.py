"""What resembles the true object: of what one says of it, most is said of them.

Where a graph says of few places what they border on, nobody can tell from it which lands lie near: but who speaks the same
languages, is in the same alliances and has the same rivers is the like of it. Two things are alike by the cosine of what is
stated of them, each statement weighed by how rare it is (Adamic and Adar, Friends and neighbors on the Web, Social Networks
25, 2003: 1 / log of how many share it), and each relation as much as another.
"""

from __future__ import annotations

from functools import cache

import polars as pl

from generators.fpq.edits import Triples
from generators.graph_columns import GraphColumns, ints, marked
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
        self._told = cache(self._said)  # of one graph: asked for with each chunk of its triples

    def nearest(self, triples: Triples, among: Bits) -> Bits:
        """Return who of those `among` whom one looks is most like each triple's object, (triples, entities).

        Parameters: `triples` are one at least.
        """
        alike = self._alike(triples.p, triples.o)
        there = test(among, ints(alike["row"]), ints(alike["e"]))
        return self._first(alike.filter(pl.Series(there)), len(triples))

    def _first(self, alike: pl.DataFrame, rows: int) -> Bits:
        """Return the first of each row (row, e, alike) as rows of bits."""
        ranked = alike.sort("row", "alike", "e", descending=[False, True, False])
        named = ranked.group_by("row", maintain_order=True).head(_NEAREST)
        return scatter(rows, self.columns.n, ints(named["row"]), ints(named["e"]))

    def _alike(self, p: Ints, o: Ints) -> pl.DataFrame:
        """Return which objects of relation `p[k]` are like `o[k]`, and how much: row (k), e, alike."""
        rows = pl.DataFrame({"p": p, "x": o}).cast(pl.UInt32).with_row_index("row")
        found = []
        for (relation,), asked in rows.group_by("p", maintain_order=True):
            true = asked.select("x").unique()
            said = self._told(int(str(relation)))
            length = said.group_by("x").agg(length=(pl.col("weight") ** 2).sum().sqrt())
            both = said.join(true, on="x", how="semi").join(said.rename({"x": "e"}), on="what")
            both = both.filter(pl.col("x") != pl.col("e"))
            dot = both.group_by("x", "e").agg(dot=(pl.col("weight") * pl.col("weight_right")).sum())
            sized = dot.join(length, on="x").join(length.rename({"x": "e", "length": "other"}), on="e")
            # Rounded, or the order of the sums would decide between two that are as like it.
            alike = sized.select("x", "e", alike=(pl.col("dot") / (pl.col("length") * pl.col("other"))).round(6))
            found.append(asked.join(alike.filter(pl.col("alike") >= _LEAST), on="x").select("row", "e", "alike"))
        return pl.concat(found)

    def _said(self, relation: int) -> pl.DataFrame:
        """Return what is stated of a relation's objects, from either end, by how rare it is among them: x, what, weight."""
        n, way, facts = self.columns.n, 2 * pl.col("p").cast(pl.Int64), self.columns.facts
        there = marked(n, self.columns.objects.filter(p=relation)["e"])
        of_subject, of_object = (facts.filter(pl.Series(there[facts[end].to_numpy()])) for end in ("s", "o"))
        ahead = of_subject.select(x="s", way=way, what=way * n + pl.col("o"))
        back = of_object.select(x="o", way=way + 1, what=(way + 1) * n + pl.col("s"))
        said = pl.concat([ahead, back]).unique()
        # A relation of which much is said (all states that a state has an embassy in) has no more of a say than another.
        share = said.group_by("x", "way").agg(share=1 / pl.len().cast(pl.Float64).sqrt())
        shared = said.group_by("what").len("things").filter(pl.col("things").is_between(2, _SHARED))
        told = said.join(shared.select("what", rare=1 / pl.col("things").cast(pl.Float64).log()), on="what")
        return told.join(share, on=["x", "way"]).select("x", "what", weight=pl.col("rare") * pl.col("share"))
