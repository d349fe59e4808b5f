"""What is no more, so that questions about it say "was": who has died, states and things that have come to their end.

Told by years (`generators.years`), by relations that only the dead have, and by concepts (`queries/phrasing/tense.toml`).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from generators.articles import head_of
from generators.graph_columns import GraphColumns
from generators.years import ALWAYS
from kg.formats import shipped_toml
from kg.text import fold


def gone(columns: GraphColumns) -> pl.Series:
    """Say of each entity whether it is known to be no more: booleans, in the order of `columns.entities`.

    >>> from kg import open_graph
    >>> columns = GraphColumns.of(open_graph(), seed=0)
    >>> columns.entities.filter(gone(columns))["label"].is_in(["Albert Einstein", "Steven Spielberg"]).sum()
    1
    """
    marked = np.zeros(columns.n, np.bool_)
    for part in (_ended(columns), _died(columns), _of_the_past(columns)):
        marked[part.to_numpy()] = True
    return pl.Series("gone", marked)


def _ended(columns: GraphColumns) -> pl.Series:
    """Who ended before the last year in which the graph lets something begin: a reader of the graph is later than that."""
    years = columns.years
    latest = years.filter(pl.col("begin").abs() < ALWAYS)["begin"].max()
    return years.filter(pl.col("end") <= (-ALWAYS if latest is None else latest))["e"]


def _died(columns: GraphColumns) -> pl.Series:
    listed = pl.col("names").list.set_intersection(sorted(_words()["died"])).list.len() > 0
    relations = columns.relations.with_row_index("p").filter(listed)
    return columns.facts.join(relations, on="p", how="semi")["s"].unique()


def _of_the_past(columns: GraphColumns) -> pl.Series:
    named = enumerate(columns.concept_labels)
    past = [
        c
        for c, label in named
        if label is not None and _words()["past"] & {fold(label), fold(label).partition(" ")[0], head_of(label)}
    ]
    return columns.concepts.filter(pl.col("c").is_in(past))["e"].unique()


@cache
def _words() -> dict[str, frozenset[str]]:
    return {key: frozenset(map(fold, words)) for key, words in shipped_toml("queries", "phrasing", "tense.toml").items()}
