"""Means of answers with their intervals, for all cells of a table at once.

```
python -c 'import evaluators.metrics.rates as r; help(r.rates)'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```

The interval of a share is Wilson's where every group of items gives one answer. Where a group gives several (samples,
phrasings, several questions on one fact) they are not so many independent ones: the group is a cluster, and Wilson's interval
is taken with as many answers as the clustered ones are worth (`evaluators.statistics.clustered`). Values between 0 and 1
that are no yes or no (F1, a mean of three phrasings) go the same way, with their own variance. A cell of one group of several
answers counts as one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from evaluators.metrics.table import ALL
from evaluators.statistics.clustered import bounded_limits, share_limits
from evaluators.statistics.intervals import normal_quantile, score_interval

__all__ = ["LEVEL", "rates", "with_totals"]

LEVEL = 0.95
_TINY = 1e-9


def rates(answers: pl.DataFrame, dims: Sequence[str], values: Mapping[str, pl.Expr], cluster: str = "group") -> pl.DataFrame:
    """Return the mean of each value in each cell, with `_n`, `_low` and `_high`; a null is no answer.

    Parameters: `values` are expressions between 0 and 1 (or boolean) over `answers`.

    >>> frame = pl.DataFrame({"model": ["m"] * 4, "group": list("abcd"), "right": [True, True, False, None]})
    >>> rates(frame, ["model"], {"A": pl.col("right")}).select("A", "A_n").row(0)
    (0.6666666666666666, 3)
    """
    sums = [part for name, value in values.items() for part in _sums(name, value.cast(pl.Float64))]
    clusters = answers.group_by(*dims, cluster, maintain_order=True).agg(sums)
    cells = clusters.group_by(*dims, maintain_order=True)
    summed = cells.agg([part for name in values for part in _cell(name)])
    # The sums of the single clusters take memory, and few values need them.
    made = [column for name in values for column in _interval(name, summed, lambda name: cells.agg(_clusters(name)))]
    return summed.select(*dims, *made).sort(dims)


def _sums(name: str, value: pl.Expr) -> list[pl.Expr]:
    return [
        value.sum().alias(f"{name}.s"),
        value.count().cast(pl.Float64).alias(f"{name}.n"),
        (value * value).sum().alias(f"{name}.q"),
    ]


def _cell(name: str) -> list[pl.Expr]:
    s, n, q = pl.col(f"{name}.s"), pl.col(f"{name}.n"), pl.col(f"{name}.q")
    return [
        s.sum().alias(f"{name}.sum"),
        n.sum().alias(f"{name}.count"),
        ((q - s).abs() > _TINY).any().alias(f"{name}.parted"),
        (n > 0).sum().cast(pl.Float64).alias(f"{name}.groups"),
    ]


def _clusters(name: str) -> list[pl.Expr]:
    """List the sums and the sizes of each cell's clusters that have answers."""
    there = pl.col(f"{name}.n") > 0
    return [pl.col(f"{name}.s").filter(there).alias("sums"), pl.col(f"{name}.n").filter(there).alias("sizes")]


def _interval(name: str, cells: pl.DataFrame, listed: Callable[[str], pl.DataFrame]) -> list[pl.Series]:
    total, n, groups = (cells[f"{name}.{part}"].to_numpy() for part in ("sum", "count", "groups"))
    parted = cells[f"{name}.parted"].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.clip(total / n, 0, 1)
    low, high = score_interval(
        mean, np.where(parted, groups, np.minimum(groups, n)), np.full(mean.shape, normal_quantile(LEVEL))
    )
    clustered = np.flatnonzero((groups > 1) & (parted | (groups < n)))
    several = listed(name) if clustered.size else cells
    for cell in clustered.tolist():
        sums, sizes = several["sums"][cell].to_numpy(), several["sizes"][cell].to_numpy()
        limits = (bounded_limits if parted[cell] else share_limits)(sums, sizes, LEVEL)
        low[cell], high[cell] = np.minimum(limits[0], mean[cell]), np.maximum(limits[1], mean[cell])
    ends = {name: mean, f"{name}_low": low, f"{name}_high": high}
    made = [pl.Series(key, values).fill_nan(None) for key, values in ends.items()]
    return [made[0], pl.Series(f"{name}_n", n.astype(np.int64)), *made[1:]]


def with_totals(
    answers: pl.DataFrame,
    dims: Sequence[str],
    values: Mapping[str, pl.Expr],
    total: str = "domain",
) -> pl.DataFrame:
    """Return the cells as `rates` does, and those of all values of the dimension `total` together, as `*`.

    >>> frame = pl.DataFrame({"domain": ["a", "b"], "group": ["1", "2"], "right": [True, False]})
    >>> with_totals(frame, ["domain"], {"A": pl.col("right")}).select("domain", "A").rows()
    [('*', 0.5), ('a', 1.0), ('b', 0.0)]
    """
    whole = rates(answers.with_columns(pl.lit(ALL).alias(total)), dims, values)
    return pl.concat([whole, rates(answers, dims, values)]).sort(dims)
