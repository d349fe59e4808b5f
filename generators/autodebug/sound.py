"""What a graph says and its other facts speak against, or what is of no weight: neither is told.

A film is not by somebody who was born later, nobody studied at a school that was founded later; of awards those are told that
many receive.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from generators.autodebug.wording import Wording

_YOUNGEST = 12
"""Years that whoever takes part in a work has lived at least."""
_AFTER = 2
"""Years after a death in which what somebody made last appears."""
_MADE_BY = ("makers", "crew", "cast")
_TOGETHER = ("private", "education")
"""Chapters whose people lived at one time."""
_WEIGHTY = {"work": 0.75}
"""Share of the winners of the award that most have, which an award of weight has: works win for many lesser things."""
_OTHER_WEIGHT = 0.12


LIFE = ("year of birth", "year of death")
"""Relations whose years are those of a life."""


def lives(told: pl.DataFrame, wordings: Sequence[Wording]) -> pl.DataFrame:
    """Leave out the year of a death alone: "he died in 1980" tells little of somebody of whom not even the birth is known."""
    born, died = ([w for w, wording in enumerate(wordings) if wording.relation == one] for one in LIFE)
    known = told.filter(pl.col("w").is_in(born))["s"].unique()
    return told.filter(~pl.col("w").is_in(died) | pl.col("s").is_in(known.implode()))


def out_of_time(years: pl.DataFrame, names: pl.DataFrame, rows: pl.DataFrame, wordings: Sequence[Wording]) -> pl.Series:
    """Say of each fact whether its subject and its object cannot have met, by their years.

    Parameters: `years` as of `generators.years`, by number; `rows` has s, o (null for a year) and w.
    """
    of = {c: [w for w, wording in enumerate(wordings) if wording.chapter in c] for c in (_MADE_BY, _TOGETHER)}
    older = [w for w, wording in enumerate(wordings) if wording.relation in ("influenced by", "named after")]
    person = names.select(o=pl.col("e").cast(pl.Int64), person="person")
    span = years.select(s=pl.col("e").cast(pl.Int64), first="begin", last="end", made="made")
    dated = rows.select("s", "o", "w").join(span, on="s", how="left", maintain_order="left")
    dated = dated.join(span.select(o="s", begin="first", end="last", point="made"), on="o", how="left", maintain_order="left")
    dated = dated.join(person, on="o", how="left", maintain_order="left")
    # A work is there from its year on; what made it was there in that year.
    last = pl.when("made").then("first").otherwise("last")
    late = pl.col("begin") > last
    young = pl.col("made") & pl.col("person") & (pl.col("begin") + _YOUNGEST > pl.col("first"))
    dead = pl.col("person") & pl.col("w").is_in(of[_MADE_BY]) & (pl.col("end") + _AFTER < pl.col("first"))
    apart = pl.col("person") & pl.col("w").is_in(of[_TOGETHER]) & ~pl.col("w").is_in(older) & (pl.col("end") < pl.col("first"))
    follows = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.chapter == "series"])
    wrong = ((late & ~follows) | young | dead | apart).fill_null(False)
    return dated.select(wrong.alias("wrong")).to_series()


def of_weight(told: pl.DataFrame, names: pl.DataFrame, wordings: Sequence[Wording]) -> pl.DataFrame:
    """Leave out awards that few receive, beside the one that most of their kind (person, work, …) do."""
    awards = [w for w, wording in enumerate(wordings) if wording.chapter == "honours" and wording.object == "award"]
    kind = names.select(s=pl.col("e").cast(pl.Int64), kind="kind")
    given = told.filter(pl.col("w").is_in(awards)).select("s", "p", "o").join(kind, on="s")
    counts = given.group_by("p", "kind", "o").agg(winners=pl.len())
    counts = counts.with_columns(most=pl.col("winners").max().over("p", "kind"))
    least = pl.col("kind").replace_strict(_WEIGHTY, default=_OTHER_WEIGHT, return_dtype=pl.Float64) * pl.col("most")
    minor = given.join(counts.filter(pl.col("winners") < least), on=["p", "kind", "o"]).select("s", "p", "o")
    return told.join(minor, on=["s", "p", "o"], how="anti", maintain_order="left")
