"""Which of somebody's trades comes first: the one whose people have such facts in the graph as this person has.

Who stands in the casts of many films is an actor before a film producer, whatever else is said; who has a record label and an
instrument is a musician. What facts belong to a trade is learnt from the graph: how much oftener its people have them.
"""

from __future__ import annotations

import polars as pl

_SMOOTH = 10.0
"""People with average facts who are counted as of each trade, so that a trade of few is not known by one of them."""
_COMMON = 0.05
"""How much a trade of many counts for being one: an actor who has spoken in films, too, is no voice actor first."""
_LEAST = 1e-3
_SHARED = 5
"""Facts of a relation from which it tells whom they are about."""
_RELATIONS = 1 << 20


def trade_weights(facts: pl.DataFrame, trades: pl.DataFrame) -> pl.DataFrame:
    """Return how well each trade of a person fits what else is known of that person: s, o, weight.

    Parameters: `facts` has all facts between entities as numbers, s, p, o; `trades` those that say a trade, s, p, o.

    >>> acts = [(film, 0, actor) for film in range(100, 104) for actor in (1, 2)] + [(9, 1, 3), (8, 1, 4)]
    >>> facts = pl.DataFrame(acts, schema=["s", "p", "o"], orient="row")
    >>> trades = pl.DataFrame({"s": [1, 1, 2, 3], "p": 5, "o": [50, 51, 50, 51]})
    >>> weights = trade_weights(facts, trades).sort("weight")
    >>> weights.filter(pl.col("s") == 1)["o"].to_list()[-1]
    50
    """
    relations = trades["p"].unique().implode()
    other = facts.filter(~pl.col("p").is_in(relations))
    ends = pl.concat(
        [other.select(s="s", r=2 * pl.col("p").cast(pl.Int64)), other.select(s="o", r=2 * pl.col("p").cast(pl.Int64) + 1)]
    )
    # Of what a fact names, too: who is known for operas is a composer before a poet.
    shared = other.filter(pl.len().over("p", "o") >= _SHARED)
    named = shared.select(s="s", r=-1 - (pl.col("o").cast(pl.Int64) * _RELATIONS + pl.col("p").cast(pl.Int64)))
    ends = pl.concat([ends, named], how="vertical_relaxed")
    people = trades.select("s").unique()
    shares = ends.with_columns(pl.col("s").cast(people["s"].dtype)).join(people, on="s", how="semi")
    shares = shares.group_by("s", "r").len().with_columns(share=pl.col("len") / pl.col("len").sum().over("s"))
    number = shares["s"].n_unique()
    usual = shares.group_by("r").agg(usual=pl.col("share").sum() / max(number, 1))
    pairs = trades.select("s", "o").unique().with_columns(held=1 / pl.len().over("s"))
    holders = pairs.group_by("o").agg(holders=pl.col("held").sum())
    seen = pairs.join(shares, on="s").group_by("o", "r").agg(seen=(pl.col("share") * pl.col("held")).sum())
    profile = pairs.select("o").unique().join(usual, how="cross").join(seen, on=["o", "r"], how="left").join(holders, on="o")
    mean = (pl.col("seen").fill_null(0) + _SMOOTH * pl.col("usual")) / (pl.col("holders") + _SMOOTH)
    profile = profile.select("o", "r", telling=((mean + _LEAST) / (pl.col("usual") + _LEAST)).log())
    scored = pairs.join(shares, on="s").join(profile, on=["o", "r"])
    weights = scored.group_by("s", "o").agg(weight=(pl.col("share") * pl.col("telling")).sum())
    common = pairs.select("s", "o").join(holders, on="o").join(weights, on=["s", "o"], how="left")
    weight = pl.col("weight").fill_null(0.0) + _COMMON * pl.col("holders").log()
    return common.select("s", "o", weight=weight)
