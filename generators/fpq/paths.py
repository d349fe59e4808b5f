"""The chain of facts that leads from a subject to a near edited object."""

from __future__ import annotations

import numpy as np
import polars as pl

from generators.fpq.edits import Engine, Near
from generators.graph_columns import World
from kg.sets import Bits, Ints, Sets, first_found

__all__ = ["chains", "steps"]


def chains(engine: Engine, near: Near, subject: Ints, target: Ints, hops: Ints) -> Ints:
    """Return the nodes of a shortest chain per row, (rows, radius + 1): subject first, -1 after the target.

    Of several chains the one is taken whose nodes, from the target back, come first on the ring. Rows with 0 hops have none.
    """
    nodes = np.full((len(subject), near.radius + 1), -1)
    rows = np.flatnonzero(hops > 0)
    nodes[rows, 0], nodes[rows, hops[rows]] = subject[rows], target[rows]
    for step in range(near.radius, 1, -1):
        rows = np.flatnonzero(hops >= step)
        ends, place = np.unique(nodes[rows, step], return_inverse=True)
        before = Sets(engine.predecessors(ends), place)
        nodes[rows, step - 1] = _first_of_both(before, near[rows].at(np.full(len(rows), step - 1)))
    return nodes


def _first_of_both(some: Sets, others: Sets) -> Ints:
    """Return the first on the ring that is in both sets."""

    def both(rows: Ints, words: Ints | None) -> Bits:
        return some[rows].bits(words) & others[rows].bits(words)

    return first_found(both, np.zeros(len(some.row), np.int64), some.table.shape[1])


def steps(world: World, nodes: Ints) -> pl.DataFrame:
    """Name the fact behind each step of some chains: row, step (from 1), end (the node reached), and the fact s, p, o.

    Of several facts that of the first relation is taken; one that runs against the chain only where none runs along it.
    """
    row, step = np.nonzero(nodes[:, 1:] >= 0)
    start, end = nodes[row, step], nodes[row, step + 1]
    pairs = pl.DataFrame({"row": row, "step": step + 1, "a": start, "b": end}).cast({"a": pl.UInt32, "b": pl.UInt32})
    first = world.facts.group_by("s", "o").agg(pl.col("p").min())
    along = pairs.join(first, left_on=["a", "b"], right_on=["s", "o"], how="left")
    against = along.join(first, left_on=["b", "a"], right_on=["s", "o"], how="left", suffix="_back")
    runs = pl.col("p").is_not_null()
    return against.select(
        "row",
        "step",
        end="b",
        s=pl.when(runs).then("a").otherwise("b"),
        p=pl.coalesce("p", "p_back"),
        o=pl.when(runs).then("b").otherwise("a"),
    ).sort("row", "step")
