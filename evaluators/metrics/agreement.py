"""Calibration: whether a model is right where its samples agree, or where it is sure, and what abstaining elsewhere would gain.

    agreement = samples that say what most samples say / samples, of each item
    accuracy  = items of this agreement whose most frequent answer is right / items of this agreement
    coverage  = items of this agreement or more / items
    risk      = items of this agreement or more whose most frequent answer is wrong / items of this agreement or more
    sureness  = geometric mean of the probabilities of an answer's tokens, in tenths; accuracy, coverage and risk as above

Risk against coverage: El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification, Journal of Machine
Learning Research 11. Tenths of confidence: Guo et al. (2017), On calibration of modern neural networks, ICML.
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import RIGHT, SCORED, Answers, named, who
from evaluators.metrics.balanced import QUESTIONS
from evaluators.metrics.table import Measure, Table, rates

_MEASURES = (
    Measure("accuracy", "accuracy", "rate", "items whose most frequent answer is right"),
    Measure("coverage", "coverage", "number", "items of this agreement or more"),
    Measure("risk", "risk", "number", "of these, items whose most frequent answer is wrong"),
)
_OF_SURENESS = (
    Measure("accuracy", "accuracy", "rate", "answers of this sureness that are right"),
    Measure("coverage", "coverage", "number", "answers of this sureness or more"),
    Measure("risk", "risk", "number", "of these, answers that are wrong"),
)


def agreement(answers: Answers) -> list[Table]:
    """Return accuracy, coverage and risk by agreement; none where no item has two scored samples."""
    dims = who(answers.counted)
    samples = named(answers.samples.filter(QUESTIONS & SCORED)).select(
        *dims, "item", "group", pl.coalesce("picked", "state").alias("said"), RIGHT.cast(pl.Float64).alias("right")
    )
    said = samples.group_by(*dims, "item", "group", "said", maintain_order=True).agg(pl.len(), pl.col("right").mean())
    most = said.sort("len", "said", descending=[True, False], maintain_order=True)
    items = most.group_by(*dims, "item", "group", maintain_order=True).agg(
        pl.col("right").first(), (pl.col("len").first() / pl.col("len").sum()).alias("share"), pl.col("len").sum()
    )
    items = items.filter(pl.col("len") > 1).with_columns(pl.col("share").round(2).cast(pl.String).alias("agreement"))
    if not items.height:
        return []
    frame = _covered(items, dims, "agreement")
    note = "Of items with two scored samples or more. What a model would get wrong if it answered only where its samples agree."
    return [Table.of("overview.agreement", ("Agreement of samples", "El-Yaniv & Wiener (2010)", note), _MEASURES, frame)]


def confidence(answers: Answers) -> list[Table]:
    """Return accuracy, coverage and risk by how likely a model found its own answers; none where no response has `logprobs`."""
    if answers.sure is None:
        return []
    dims = who(answers.counted)
    keys = ["item", "model", "run", "sample"]
    told = answers.samples.filter(QUESTIONS & SCORED).join(answers.sure, on=keys, how="inner", nulls_equal=True)
    if not told.height:
        return []
    # A tenth is named by its middle.
    tenth = ((pl.col("sure") * 10).floor().clip(0, 9) / 10 + 0.05).round(2).cast(pl.String)
    rows = named(told).select(*dims, "item", "group", RIGHT.cast(pl.Float64).alias("right"), tenth.alias("sureness"))
    note = "Sureness: the geometric mean of the probabilities of an answer's tokens, in tenths, each named by its middle."
    source = "Guo et al. (2017); El-Yaniv & Wiener (2010)"
    return [
        Table.of("overview.confidence", ("Sureness of answers", source, note), _OF_SURENESS, _covered(rows, dims, "sureness"))
    ]


def _covered(rows: pl.DataFrame, dims: list[str], level: str) -> pl.DataFrame:
    """Return accuracy at each level, and what share of all is at it or above, and how much of that is wrong."""
    cells = rates(rows, [*dims, level], {"accuracy": pl.col("right")})
    order = pl.col(level).cast(pl.Float64)
    cells = cells.sort(*dims, order, descending=[*[False] * len(dims), True])
    covered = pl.col("accuracy_n").cum_sum().over(dims)
    whole = pl.col("accuracy_n").sum().over(dims)
    wrong = ((1 - pl.col("accuracy")) * pl.col("accuracy_n")).cum_sum().over(dims)
    return cells.with_columns(coverage=covered / whole, risk=wrong / covered).sort(*dims, order)
