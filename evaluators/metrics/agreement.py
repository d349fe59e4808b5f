"""Agreement of samples: whether a model is right where it says the same again, and what abstaining elsewhere would gain.

    agreement = samples that say what most samples say / samples, of each item
    accuracy  = items of this agreement whose most frequent answer is right / items of this agreement
    coverage  = items of this agreement or more / items
    risk      = items of this agreement or more whose most frequent answer is wrong / items of this agreement or more

Risk against coverage: El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification, Journal of Machine
Learning Research 11.
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
    cells = rates(items, [*dims, "agreement"], {"accuracy": pl.col("right")})
    order = pl.col("agreement").cast(pl.Float64)
    cells = cells.sort(*dims, order, descending=[*[False] * len(dims), True])
    covered = pl.col("accuracy_n").cum_sum().over(dims)
    whole = pl.col("accuracy_n").sum().over(dims)
    wrong = ((1 - pl.col("accuracy")) * pl.col("accuracy_n")).cum_sum().over(dims)
    frame = cells.with_columns(coverage=covered / whole, risk=wrong / covered).sort(*dims, order)
    note = "Of items with two scored samples or more. What a model would get wrong if it answered only where its samples agree."
    return [Table.of("overview.agreement", ("Agreement of samples", "El-Yaniv & Wiener (2010)", note), _MEASURES, frame)]
