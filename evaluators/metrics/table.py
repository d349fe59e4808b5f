"""Tables: what every metric returns, and the means with intervals that fill them.

A table's frame has one column for each dimension (text, in the order of the rows) and for each measure a column of its name. A
measure that is a mean of answers has three more: `NAME_n`, the answers (or questions, or pairs) it is a mean of, and `NAME_low`
and `NAME_high`, its 95% interval. A null is a number that does not exist, never zero.

The interval of a share is Wilson's where every group of items gives one answer. Where a group gives several (samples,
phrasings, several questions on one fact) they are not so many independent ones: the group is a cluster, and Wilson's interval
is taken with as many answers as the clustered ones are worth (`evaluators.statistics.clustered`). Values between 0 and 1 that
are no yes or no (F1, a mean of three phrasings) go the same way, with their own variance. A cell of one group of several
answers counts as one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from evaluators.statistics.clustered import bounded_limits, share_limits
from evaluators.statistics.intervals import normal_quantile, score_interval

Kind = Literal["rate", "number", "count"]

ALL = "*"
"""The value of a dimension for all its values together."""

NOWHERE = "(none)"
"""The value of a dimension where an item does not say it."""

LEVEL = 0.95
_TINY = 1e-9  # what rounding may make of 0


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of numbers: a `rate` (0 to 1, with `_n`, `_low`, `_high`), a `number` (perhaps with them) or a `count`.

    >>> Measure("A", "A", "rate").columns
    ('A', 'A_n', 'A_low', 'A_high')
    """

    name: str
    title: str
    kind: Kind
    note: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a frame must have for it."""
        return (self.name, *(f"{self.name}_{end}" for end in ("n", "low", "high") if self.kind == "rate"))


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Numbers in a paper's shape: `key` is `paper.table`, `source` paper and section, `note` what counts as what."""

    key: str
    title: str
    source: str
    note: str
    dims: tuple[str, ...]
    measures: tuple[Measure, ...]
    frame: pl.DataFrame

    @classmethod
    def of(cls, key: str, about: tuple[str, str, str], measures: Sequence[Measure], frame: pl.DataFrame) -> Table:
        """Make a table of a frame whose text columns are the dimensions; `about` is title, source and note.

        >>> frame = pl.DataFrame({"model": ["m"], "n": [3]})
        >>> Table.of("x.y", ("T", "S", "N"), [Measure("n", "answers", "count")], frame).dims
        ('model',)
        """
        dims = tuple(name for name, dtype in frame.schema.items() if dtype == pl.String)
        measured = [column for measure in measures for column in measure.columns]
        rest = [name for name in frame.columns if name not in dims and name not in measured]
        return cls(key, *about, dims, tuple(measures), frame.select(*dims, *measured, *rest))


def rates(answers: pl.DataFrame, dims: Sequence[str], values: Mapping[str, pl.Expr], cluster: str = "group") -> pl.DataFrame:
    """Return the mean of each value in each cell, with `_n`, `_low` and `_high`; a null is no answer.

    Parameters: `values` are expressions between 0 and 1 (or boolean) over `answers`.

    >>> frame = pl.DataFrame({"model": ["m"] * 4, "group": list("abcd"), "right": [True, True, False, None]})
    >>> rates(frame, ["model"], {"A": pl.col("right")}).select("A", "A_n").row(0)
    (0.6666666666666666, 3)
    """
    sums = [part for name, value in values.items() for part in _sums(name, value.cast(pl.Float64))]
    # Twice grouped: the answers to clusters, and only these to cells, so that few rows are left for what follows.
    clusters = answers.group_by(*dims, cluster, maintain_order=True).agg(sums)
    cells = clusters.group_by(*dims, maintain_order=True)
    summed = cells.agg([part for name in values for part in _cell(name)])
    # The sums of the single clusters take memory, and few values need them: they are listed for one value at a time.
    columns = [column for name in values for column in _interval(name, summed, lambda name: cells.agg(_clusters(name)))]
    return summed.select(*dims, *columns).sort(dims)


def _sums(name: str, value: pl.Expr) -> list[pl.Expr]:
    """Sum up a value over one cluster of one cell: its sum, its answers, and the sum of its squares."""
    return [
        value.sum().alias(f"{name}.s"),
        value.count().cast(pl.Float64).alias(f"{name}.n"),
        (value * value).sum().alias(f"{name}.q"),
    ]


def _cell(name: str) -> list[pl.Expr]:
    """Sum up a value over the clusters of a cell; it is `parted` where some value is neither 0 nor 1."""
    s, n, q = pl.col(f"{name}.s"), pl.col(f"{name}.n"), pl.col(f"{name}.q")
    return [
        s.sum().alias(f"{name}.sum"),
        n.sum().alias(f"{name}.count"),
        ((q - s).abs() > _TINY).any().alias(f"{name}.parted"),  # x * x is x for 0 and 1 alone
        (n > 0).sum().cast(pl.Float64).alias(f"{name}.groups"),
    ]


def _clusters(name: str) -> list[pl.Expr]:
    """List the sums and the sizes of each cell's clusters that have answers."""
    answered = pl.col(f"{name}.n") > 0
    return [pl.col(f"{name}.s").filter(answered).alias("sums"), pl.col(f"{name}.n").filter(answered).alias("sizes")]


def _interval(name: str, cells: pl.DataFrame, listed: Callable[[str], pl.DataFrame]) -> list[pl.Series]:
    total, n, groups = (cells[f"{name}.{part}"].to_numpy() for part in ("sum", "count", "groups"))
    parted = cells[f"{name}.parted"].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):  # a cell without an answer: 0 / 0 is nan, and becomes null
        mean = np.clip(total / n, 0, 1)
    # Without clusters every group is one observation; those in clusters are done over below.
    low, high = score_interval(
        mean, np.where(parted, groups, np.minimum(groups, n)), np.full(mean.shape, normal_quantile(LEVEL))
    )
    clustered = np.flatnonzero((groups > 1) & (parted | (groups < n)))
    several = listed(name) if clustered.size else cells
    for cell in clustered.tolist():
        sums, sizes = several["sums"][cell].to_numpy(), several["sizes"][cell].to_numpy()
        limits = (bounded_limits if parted[cell] else share_limits)(sums, sizes, LEVEL)
        # Rounding may leave the mean a hair outside.
        low[cell], high[cell] = np.minimum(limits[0], mean[cell]), np.maximum(limits[1], mean[cell])
    ends = {name: mean, f"{name}_low": low, f"{name}_high": high}
    columns = [pl.Series(key, values).fill_nan(None) for key, values in ends.items()]
    return [columns[0], pl.Series(f"{name}_n", n.astype(np.int64)), *columns[1:]]


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
