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
_SEVERAL = 3
"""Trades of a person from which on one of them is chosen."""
_BORNE_OUT = 4
"""Place among somebody's trades, by what else is known, up to which it bears one out."""


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


def known_for(trades: pl.DataFrame, weights: pl.DataFrame) -> pl.DataFrame:
    """Return what people are, of all that they are said to be: s, o. Of three trades or more one stays, or none.

    It is the one that goes best with the others, by how many people have both (a novelist, poet and translator is a writer),
    where the other facts bear it out.

    Parameters: `trades` as of `trade_weights`, and its result.

    >>> some = [(1, "poet"), (1, "writer"), (1, "lawyer"), (2, "poet"), (2, "writer"), (3, "lawyer")]
    >>> trades = pl.DataFrame(some, schema=["s", "o"], orient="row")
    >>> sorted(known_for(trades, trades.with_columns(weight=1.0)).filter(pl.col("s") == 1)["o"].to_list())[:1]
    ['poet']
    """
    held = trades.select("s", "o").unique(maintain_order=True)
    many = held.filter(pl.len().over("s") >= _SEVERAL)
    few = held.join(many, on="s", how="anti")
    people = held.group_by("o").agg(people=pl.len())
    pairs = held.join(held.rename({"o": "with"}), on="s").filter(pl.col("o") != pl.col("with"))
    pairs = pairs.with_columns(both=pl.len().over("o", "with"))
    pairs = pairs.join(people, on="o").join(people.rename({"o": "with", "people": "others"}), on="with")
    near = pl.col("both") / (pl.col("people") * pl.col("others")).sqrt()
    scored = pairs.group_by("s", "o").agg(near=near.mean()).join(many, on=["s", "o"], how="semi")
    scored = scored.join(weights, on=["s", "o"], how="left")
    scored = scored.with_columns(place=pl.col("weight").rank("ordinal", descending=True).over("s"))
    best = scored.sort("s", "near", "weight", "o", descending=[False, True, True, False]).unique(
        "s", keep="first", maintain_order=True
    )
    return pl.concat([few, best.filter(pl.col("place") <= _BORNE_OUT).select(few.columns)])
