"""A value that a question claims: the decade of a birth, a limit a length may pass, a year something came before.

The claim is true or false by hash, in the share the family gives. A limit lies on the grid of `step`, at least `margin` away
from the value and one to three steps beyond, and within what the data has; where only one side is possible, it is that one.

```
python -m generators.family long_films.rq --n 20
```
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import Keys, mix, word
from generators.family.facts import Facts
from generators.family.ring import Ring, first_allowed, share
from generators.family.rows import term
from generators.family.values import Bools, Column, drawing_of, row_keys
from kg.sets import Ints
from queries.templates.front import Claim

__all__ = ["Claims", "claims_of"]

_YEAR = r"^(-?\d{4,})(?:-\d\d)?(?:-\d\d)?(?:T.*)?$"
_STEPS = 3
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Claims:
    """What is claimed of each fact (null where nothing can be), whether it is true, and its term where it is a value."""

    said: pl.Series
    true: pl.Series
    terms: pl.Series
    missing: str = "nothing can be claimed of it"

    def slice(self, first: int, n: int) -> Claims:
        """Return what is claimed of some of the facts."""
        part = slice(first, first + n)
        return Claims(self.said[part], self.true[part], self.terms[part], self.missing)


def claims_of(claim: Claim, facts: Facts, rows: pl.DataFrame, keys: Keys, seed: int) -> Claims:
    """Draw a claim for every fact; `rows` are all rows, whose values are claimed falsely, and `keys` the facts' keys."""
    wanted = share(mix(keys, word("side"))) < claim.true_share
    column = Column(rows, row_keys(rows, seed), claim.slot)
    if claim.test == "=" and claim.step is None:
        return _other_values(claim, facts, column, keys, wanted)
    values = _numbers(facts.frame[claim.slot])
    if claim.test == "=":
        said, true = _other_steps(claim, values, column, _numbers(rows[claim.slot]), keys, wanted)
    else:
        said, true = _limits(claim, values, _numbers(rows[claim.slot]), keys, wanted)
    return Claims(said, true, pl.Series([None], dtype=pl.String).new_from_index(0, said.len()))


def _numbers(said: pl.Series) -> Numbers:
    """Read numbers; of a date, its year; NaN for anything else."""
    date = said.str.extract(_YEAR)
    number = pl.select(pl.coalesce(said.cast(pl.Float64, strict=False), date.cast(pl.Float64, strict=False))).to_series()
    found = number.fill_null(math.nan).to_numpy()
    return np.where(np.isfinite(found), found, np.nan)


def _written(values: Numbers, step: float | None) -> pl.Series:
    """Write numbers as people do: no `.0`, no more places than the step has; NaN is null."""
    places = max((len(f"{x:.10f}".rstrip("0").partition(".")[2]) for x in [step or 1.0]), default=0)
    texts = [None if math.isnan(v) else f"{v:.{places}f}" for v in values.tolist()]
    return pl.Series(texts, dtype=pl.String)


def _step_of(values: Numbers, step: float) -> Numbers:
    """Number the step that each value lies on; what binary fractions add or lack is rounded away first."""
    return np.floor(np.round(values / step, 9))


def _other_steps(
    claim: Claim, values: Numbers, column: Column, pool: Numbers, keys: Keys, wanted: Bools
) -> tuple[pl.Series, pl.Series]:
    """Claim the step that a value lies in (its decade), or the one of another row."""
    step = claim.step or 1.0
    own, steps = _step_of(values, step), _step_of(pool, step)
    known = np.flatnonzero(~np.isnan(steps))
    distinct, number = np.unique(steps[known], return_inverse=True)
    ring = Ring(np.zeros(len(known), np.int64), number.astype(np.int64), column.keys[known])

    def allowed(rows: Ints, chosen: Ints) -> Bools:
        away: Bools = np.abs(distinct[chosen] - own[rows]) * step >= max(step, claim.margin or 0.0)
        return away

    other = first_allowed(ring, np.zeros(len(own), np.int64), mix(keys, word("claim")), allowed)
    true = wanted | (other < 0)
    claimed = np.where(true, own, distinct[other] if len(distinct) else np.nan) * step
    return _written(np.where(np.isnan(own), np.nan, claimed), step), pl.Series(true)


def _other_values(claim: Claim, facts: Facts, column: Column, keys: Keys, wanted: Bools) -> Claims:
    """Claim the value itself, or the one of another row, none of whose names is a name of it."""
    own, drawing = facts.frame, drawing_of(column, facts)
    numbers, theirs = _numbers(own[claim.slot]), _numbers(column.values["said"])

    def allowed(rows: Ints, chosen: Ints) -> Bools:
        near: Bools = np.abs(theirs[chosen] - numbers[rows]) < (claim.margin or 0.0)
        return drawing.allowed(rows, chosen) & ~near

    ring = column.ring(np.zeros(len(column.numbers), np.int64))
    other = first_allowed(ring, np.zeros(own.height, np.int64), mix(keys, word("claim")), allowed)
    true = pl.Series(wanted | (other < 0))
    at = pl.Series(np.maximum(other, 0))
    said, terms = (
        pl.select(pl.when(true).then(own[mine]).otherwise(column.values[name].gather(at))).to_series()
        for mine, name in ((claim.slot, "said"), (term(claim.slot), "term"))
    )
    return Claims(said, true, terms)


def _limits(claim: Claim, values: Numbers, pool: Numbers, keys: Keys, wanted: Bools) -> tuple[pl.Series, pl.Series]:
    """Claim that a value lies beyond a limit: on the other side of it, or not."""
    step, known = claim.step or 1.0, pool[~np.isnan(pool)]
    low, high = (known.min(), known.max()) if len(known) else (math.nan, math.nan)
    below = wanted == (claim.test == ">")  # a value above its limit makes "greater" true and "less" false
    first, second = (_limit(values, side, step, claim.margin or 0.0, keys, low, high) for side in (below, ~below))
    open_rows = np.isnan(first)
    limit = np.where(open_rows, second, first)
    true = np.where(open_rows, ~wanted, wanted)
    return _written(limit, claim.step), pl.Series(true)


def _limit(values: Numbers, below: Bools, step: float, margin: float, keys: Keys, low: float, high: float) -> Numbers:
    """Return a limit below or above each value, strictly apart from it; NaN where the data has no room for one."""
    beyond = 1 + (mix(keys, word("steps")) % np.uint64(_STEPS)).astype(np.float64)
    under = (np.ceil((values - margin) / step) - beyond) * step
    over = (np.floor((values + margin) / step) + beyond) * step
    best_under = np.where(under < low, (np.ceil((values - margin) / step) - 1) * step, under)
    best_over = np.where(over > high, (np.floor((values + margin) / step) + 1) * step, over)
    limit = np.where(below, best_under, best_over)
    return np.where((limit < low) | (limit > high), np.nan, limit)
