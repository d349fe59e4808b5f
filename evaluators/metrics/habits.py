"""Habits: what a model says whatever is asked, beside how often a model without the habit would.

| habit | share | without the habit |
|---|---|---|
| yes, no | yes-no answers that say this word | questions to which it is the right one |
| position N | choices that pick the Nth option, the preferred one | `choice_baseline`: a model as often right |
| commoner object | answers as if the commoner object were the true one | 1/2 |

The last is about the edits of KG-FPQ that say which object is the commoner: those where it is the true one and those where it
is not count alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from evaluators.metrics.answers import SCORED
from evaluators.metrics.balanced import scores
from evaluators.metrics.table import Measure, Table, rates
from evaluators.statistics.choices import choice_baseline

COMMONER = "commoner object"
_MEASURES = (
    Measure("share", "share", "rate", "answers in keeping with the habit"),
    Measure("expected", "without it", "number", "what the share would be of a model without the habit"),
)


def habits(asked: pl.DataFrame, dims: list[str]) -> Table:
    """Return the habits of each model; `asked` are answers as `with_sides` gives them, with `right`."""
    frames = [frame for frame in (*_words(asked, dims), _commoner(asked, dims), _positions(asked, dims)) if frame.height]
    columns = [*dims, "habit", "share", "share_n", "share_low", "share_high", "expected"]
    schema = {
        name: pl.String if name in (*dims, "habit") else pl.Int64 if name == "share_n" else pl.Float64 for name in columns
    }
    frame = pl.concat([frame.select(columns) for frame in frames]).sort(dims) if frames else pl.DataFrame(schema=schema)
    note = "Position: the option that is picked more often than its right answers and equal mistakes explain, by most."
    return Table.of("overview.habits", ("Habits", "the answers as they were understood", note), _MEASURES, frame)


def _words(asked: pl.DataFrame, dims: list[str]) -> Iterator[pl.DataFrame]:
    said = asked.filter((pl.col("kind") == "yes_no") & pl.col("picked").is_in(["yes", "no"]) & SCORED)
    for word in ("yes", "no") if said.height else ():
        truth = said.group_by(dims, maintain_order=True).agg(expected=(pl.col("side") == word).mean())
        share = rates(said, dims, {"share": pl.col("picked") == word})
        yield share.join(truth, on=dims, maintain_order="left").with_columns(habit=pl.lit(word))


def _commoner(asked: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    common = asked.filter(pl.col("commoner").is_in(["true object", "edited object"]) & SCORED)
    sided = common.with_columns(method=pl.lit(""), kind=pl.lit(""), side="commoner")
    both = sided.filter(pl.col("commoner").n_unique().over(dims) == 2)
    found = scores(both, dims, pl.col("right") == (pl.col("commoner") == "true object"))
    renamed = found.rename({name: name.replace("score", "share") for name in found.columns if name not in dims})
    return renamed.with_columns(pl.lit(0.5).alias("expected"), pl.lit(COMMONER).alias("habit"))


def _positions(asked: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    numbers = [pl.col("accepted").list.first().cast(pl.Int64, strict=False).alias("key"),
               pl.col("picked").cast(pl.Int64, strict=False).fill_null(0).alias("pick"),
               pl.col("options").list.len().cast(pl.Int64).alias("size")]  # fmt: skip
    choices = asked.filter((pl.col("kind") == "choice") & SCORED).with_columns(numbers)
    fit = pl.col("key").is_between(1, pl.col("size")) & pl.col("pick").is_between(0, pl.col("size")) & (pl.col("size") > 1)
    rows = []
    for _, own in choices.filter(fit).group_by(dims, maintain_order=True):
        base = choice_baseline(own["size"], own["key"], own["pick"])
        total = sum(base.picks)
        if not total:
            continue
        over = np.array(base.picks) - np.array(base.expected)
        place = int(over.argmax())
        share = rates(own.filter(pl.col("pick") > 0), dims, {"share": pl.col("pick") == place + 1})
        habit, expected = pl.lit(f"position {place + 1}"), pl.lit(base.expected[place] / total)
        rows.append(share.with_columns(habit=habit, expected=expected))
    return pl.concat(rows) if rows else pl.DataFrame()
