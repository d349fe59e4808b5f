"""Scores over unlike questions: each kind of question counts alike, and with it each of a yes-no question's right answers.

    score = mean over the kinds (method and task) of the mean over their sides of the share of right answers

A kind whose right answers are but two words (yes and no, accept and reject) has these two as sides, so that a model that says
the same to everything gets a half, however many of its questions have a false premise or are negated. Other kinds have one
side. Questions that nobody can answer are a kind of their own; probes and questions made from an answer are none.

The interval of the mean is put together from those of the sides (Zou & Donner 2008, Construction of confidence limits about
effect measures: a general approach, Statistics in Medicine 27(10), equation 2, with the correlations of section 2): each side
has the interval that `rates` gives it, and two sides that share facts have the correlation of their facts' sums.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from evaluators.metrics.answers import ASKED, UNKNOWABLE
from evaluators.metrics.table import rates

QUESTIONS = ASKED & (pl.col("task").fill_null("") != "probe")
"""Whether an item asks for what a benchmark is about: it has a truth of its own, and is no probe of what a model knows."""

PART = ("method", "kind", "side")
"""The columns that `with_sides` adds or needs: what is alike in these may be pooled."""

SIDED = ("yes_no", "premise")
"""The tasks whose right answers are but two words."""


def with_sides(answers: pl.DataFrame) -> pl.DataFrame:
    """Add the kind of each question (its task, or `unanswerable`) and its side, empty where the kind has one.

    >>> frame = pl.DataFrame({"task": ["yes_no", "open"], "accepted": [["no"], ["Ulm"]], "method": ["fpq", "fpq"]})
    >>> with_sides(frame).select("kind", "side").rows()
    [('yes_no', 'no'), ('open', '')]
    """
    task = pl.col("task").fill_null("(none)")
    side = pl.when(task.is_in(SIDED)).then(pl.col("accepted").list.first()).fill_null("")
    return answers.with_columns(
        pl.col("method").fill_null("(none)"),
        kind=pl.when(UNKNOWABLE).then(pl.lit("unanswerable")).otherwise(task),
        side=pl.when(UNKNOWABLE).then(pl.lit("")).otherwise(side),
    )


def scores(answers: pl.DataFrame, dims: Sequence[str], value: pl.Expr) -> pl.DataFrame:
    """Return the score of each cell, with `score_n`, `score_low` and `score_high`.

    Parameters: `answers` as `with_sides` gives them, with a column `group`; `value` is between 0 and 1, null where an answer
    does not count.

    >>> frame = pl.DataFrame({"model": ["m"] * 4, "method": ["fpq"] * 4, "task": ["yes_no"] * 4, "group": list("abcd"),
    ...                       "accepted": [["no"], ["no"], ["no"], ["yes"]], "right": [True, True, True, False]})
    >>> scores(with_sides(frame), ["model"], pl.col("right")).select("model", "score", "score_n").row(0)
    ('m', 0.5, 4)
    """
    valued = answers.select(*_keys(dims), "group", value.cast(pl.Float64).alias("score"))
    counted = valued.filter(pl.col("score").is_not_null())
    sides = _weighted(rates(counted, _keys(dims), {"score": pl.col("score")}), dims)
    centre = sides.group_by(dims, maintain_order=True).agg(
        (pl.col("weight") * pl.col("score")).sum().alias("score"), pl.col("score_n").sum(), _whole()
    )
    ends = _reaches(counted, sides, dims)
    low, high = (pl.col(name).sqrt() for name in ("below", "above"))
    whole = centre.join(ends, on=dims, how="left", nulls_equal=True, maintain_order="left").with_columns(
        score_low=pl.when("whole").then((pl.col("score") - low).clip(0, 1)),
        score_high=pl.when("whole").then((pl.col("score") + high).clip(0, 1)),
    )
    cells = (
        valued.select(dims)
        .unique(maintain_order=True)
        .join(whole, on=dims, how="left", nulls_equal=True, maintain_order="left")
    )
    columns = (*dims, "score", "score_n", "score_low", "score_high")
    return cells.with_columns(pl.col("score_n").fill_null(0)).select(columns).sort(dims)


def _keys(dims: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*dims, *PART]))


def _whole() -> pl.Expr:
    return (pl.col("score_low").is_not_null() & pl.col("score_high").is_not_null()).all().alias("whole")


def _weighted(sides: pl.DataFrame, dims: Sequence[str]) -> pl.DataFrame:
    """Give each side its weight: the kinds of a cell share it alike, and the sides of a kind their kind's."""
    kind = pl.struct("method", "kind")
    return sides.with_columns(
        weight=1 / (kind.n_unique().over(dims) * pl.len().over([*(dim for dim in dims if dim not in PART), "method", "kind"]))
    )


def _reaches(counted: pl.DataFrame, sides: pl.DataFrame, dims: Sequence[str]) -> pl.DataFrame:
    """Return the squares of how far the interval of each cell reaches below and above its score."""
    keys = _keys(dims)
    about = sides.select(*keys, "weight", "score_n", mean="score", down=pl.col("score") - pl.col("score_low"),
                         up=pl.col("score_high") - pl.col("score"))  # fmt: skip
    sums = counted.group_by(*keys, "group", maintain_order=True).agg(pl.col("score").sum().alias("sum"), pl.len().alias("size"))
    facts = sums.join(about, on=keys, nulls_equal=True, maintain_order="left").with_columns(
        rest=pl.col("sum") - pl.col("mean") * pl.col("size")
    )
    # A fact's part of the side's standard error: over all facts its square adds up to 1.
    spread = pl.col("rest").pow(2).sum().over(keys).sqrt()
    part = pl.when(spread > 1e-12).then(pl.col("rest") / spread)
    facts = facts.with_columns(part=part.fill_null(0.0), steady=spread <= 1e-12)
    by_fact = facts.group_by(*dims, "group", maintain_order=True).agg(
        (pl.col("weight") * pl.col("down") * pl.col("part")).sum().alias("below"),
        (pl.col("weight") * pl.col("up") * pl.col("part")).sum().alias("above"),
    )
    joint = by_fact.group_by(dims, maintain_order=True).agg(pl.col("below", "above").pow(2).sum())
    # Where all answers of a side are alike nothing is known of its correlation with others.
    alone = facts.filter("steady").unique(keys, maintain_order=True).group_by(dims, maintain_order=True).agg(
        (pl.col("weight") * pl.col("down")).pow(2).sum().alias("below_alone"),
        (pl.col("weight") * pl.col("up")).pow(2).sum().alias("above_alone"),
    )  # fmt: skip
    both = joint.join(alone, on=dims, how="left", nulls_equal=True, maintain_order="left")
    added = [(pl.col(name) + pl.col(f"{name}_alone").fill_null(0.0)).alias(name) for name in ("below", "above")]
    return both.select(*dims, *added)


def side_weights(parts: Sequence[tuple[str, str, str]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the weight of each side of one cell; a side is its method, kind and side.

    >>> side_weights([("fpq", "yes_no", "no"), ("fpq", "yes_no", "yes"), ("fpq", "premise", "accept")]).tolist()
    [0.25, 0.25, 0.5]
    """
    kinds = [part[:2] for part in parts]
    return np.array([1 / (len(set(kinds)) * kinds.count(kind)) for kind in kinds])
