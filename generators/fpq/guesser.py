"""A guesser by frequency: what somebody gets who knows nothing of the subjects, but how often each object stands in a relation.

Of a true object and an edited one it takes the one that is more often an object of the relation; where both are as often, it
tosses a coin. A benchmark on which it does well asks how common things are; a model is to be compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from generators.fpq.edits import EDITS, Edits, Triples
from generators.graph_columns import GraphColumns
from kg.sets import Ints

COMMONER = ("edited object", "neither", "true object")
"""Which of the two is more often an object of the relation: the guesser is wrong, tosses a coin, is right."""

UNLIKE = ("NDC", "NNDC", "NNDR")
"""Edits whose object is of another concept or relation: hardly any stands in the relation, so the guesser is right."""


def commoner(columns: GraphColumns, triples: Triples, edits: Edits, frequencies: tuple[Ints, Ints] | None = None) -> Ints:
    """Return which of true and edited object is the commoner one, by number of COMMONER, -1 where there is no edit.

    The result is of the shape of the edited objects: (triples, 6), or more with own edits. `frequencies` are how often each
    object is one of its relation (relation times entities plus object, ascending, and counts), where the columns do not say it.
    """
    n, (pair, count) = columns.n, frequencies or columns.object_counts

    def times(objects: Ints) -> Ints:
        wanted = triples.p[:, None] * n + objects
        at = np.searchsorted(pair, wanted).clip(max=max(len(pair) - 1, 0))
        return np.where(pair[at] == wanted, count[at], 0)

    which = np.sign(times(triples.o[:, None]) - times(np.maximum(edits.objects, 0))) + 1
    return np.where(edits.objects < 0, -1, which)


def guesses(which: Ints, names: Sequence[str] = EDITS) -> pl.DataFrame:
    """Return how often the guesser is right on each edit: edit, pairs, right (a share, null where there are no pairs).

    >>> guesses(np.array([[2, -1, 1, 0, -1, -1], [2, -1, 2, 0, -1, -1]])).rows()[:3]
    [('NSC', 2, 1.0), ('NDC', 0, None), ('NNSR', 2, 0.75)]
    """
    made = which >= 0
    pairs = made.sum(axis=0)
    right = np.where(made, which / 2, 0).sum(axis=0)
    frame = pl.DataFrame({"edit": names, "pairs": pairs, "right": right})
    return frame.with_columns(right=pl.when(pl.col("pairs") > 0).then(pl.col("right") / pl.col("pairs")))
