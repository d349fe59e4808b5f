"""Means of answers with their intervals, for all cells of a table at once.

```
python -c 'import evaluators.metrics._rates as r; help(r.rates)'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```

The interval of a share is Wilson's where every group of items gives one answer. Where a group gives several (samples,
phrasings, several questions on one fact) they are not so many independent ones: the variance is the clustered one, with the
group as cluster

    se^2 = G / (G - 1) * sum over groups of (sum of the group's residuals)^2 / n^2

and Wilson's interval is taken with the effective number of answers p (1 - p) / se^2, at most n, and Student's t with G - 1
degrees of freedom (the way of Korn & Graubard, Survey Methodology 24(2), 1998, for shares in clustered samples). Where nothing
varies (all right, all wrong) the effective number is the number of groups. Values between 0 and 1 that are no yes or no (F1, a
mean of three phrasings) go the same way, with their own variance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evaluators.metrics.table import ALL
from evaluators.statistics.estimate import normal_quantile, t_quantile
from evaluators.statistics.proportion import score_interval

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
    cells = clusters.group_by(*dims, maintain_order=True).agg([part for name in values for part in _cell(name)])
    made = [column for name in values for column in _interval(name, cells)]
    return cells.select(*dims, *made).sort(dims)


def _sums(name: str, value: pl.Expr) -> list[pl.Expr]:
    return [
        value.sum().alias(f"{name}.s"),
        value.count().cast(pl.Float64).alias(f"{name}.n"),
        (value * value).sum().alias(f"{name}.q"),
    ]


def _cell(name: str) -> list[pl.Expr]:
    """Sum over groups what the mean and its clustered variance are made of."""
    s, n, q = pl.col(f"{name}.s"), pl.col(f"{name}.n"), pl.col(f"{name}.q")
    return [
        s.sum().alias(f"{name}.sum"),
        n.sum().alias(f"{name}.count"),
        q.sum().alias(f"{name}.squares"),
        (n > 0).sum().alias(f"{name}.groups"),
        (s * s).sum().alias(f"{name}.ss"),
        (s * n).sum().alias(f"{name}.sn"),
        (n * n).sum().alias(f"{name}.nn"),
    ]


def _interval(name: str, cells: pl.DataFrame) -> list[pl.Series]:
    parts = ("sum", "count", "squares", "groups", "ss", "sn", "nn")
    total, n, squares, groups, ss, sn, nn = (cells[f"{name}.{part}"].cast(pl.Float64).to_numpy() for part in parts)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.clip(total / n, 0, 1)
        residuals = np.clip(ss - 2 * mean * sn + mean * mean * nn, 0, None)
        variance = np.where(groups > 1, groups / (groups - 1) * residuals, 0) / (n * n)
        effective = mean * (1 - mean) / variance
    binary, alone = np.abs(squares - total) < _TINY, groups == n
    effective = np.where(binary, np.minimum(effective, n), effective)
    effective = np.where(variance * n * n < _TINY, groups, effective)
    effective = np.where(binary & alone, n, effective)
    low, high = score_interval(mean, effective, _quantiles(groups, binary & alone))
    ends = {name: mean, f"{name}_low": low, f"{name}_high": high}
    made = [pl.Series(key, values).fill_nan(None) for key, values in ends.items()]
    return [made[0], pl.Series(f"{name}_n", n.astype(np.int64)), *made[1:]]


def _quantiles(groups: NDArray[np.float64], plain: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the normal quantile where Wilson's interval is taken as it is, and Student's by number of groups elsewhere."""
    made = np.full(groups.shape, normal_quantile(LEVEL))
    for count in np.unique(groups[~plain & (groups > 1)]):
        made[(groups == count) & ~plain] = t_quantile(LEVEL, count - 1)
    return made


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
