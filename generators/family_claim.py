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

from generators.family_ring import Ring, first_allowed, share
from generators.ring import Keys, mix, word
from kg.bits import Ints
from queries.front import Claim

__all__ = ["Claims", "claims_of"]

_YEAR = r"^(-?\d{4,})(?:-\d\d)?(?:-\d\d)?(?:T.*)?$"
_STEPS = 3
Numbers = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Claims:
    """What is claimed of each fact (null where nothing can be), and whether it is true."""

    said: pl.Series
    true: pl.Series
    missing: str = "nothing can be claimed of it"


def claims_of(claim: Claim, said: pl.Series, norms: pl.Series, pool: pl.DataFrame, keys: Keys) -> Claims:
    """Draw a claim for every fact.

    Parameters: `said` and `norms` are what the facts say and its normal form; `pool` (`said`, `norm`, `key`) is what any row
    says, with the row's key; `keys` are the facts' keys.
    """
    wanted = share(mix(keys, word("side"))) < claim.true_share
    values = _numbers(said)
    if claim.test == "=" and claim.step is None:
        return _other_values(claim, said, norms, pool, keys, wanted)
    if claim.test == "=":
        return _other_steps(claim, values, pool, keys, wanted)
    return _limits(claim, values, _numbers(pool["said"]), keys, wanted)


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


def _other_steps(claim: Claim, values: Numbers, pool: pl.DataFrame, keys: Keys, wanted: Bools) -> Claims:
    """Claim the step that a value lies in (its decade), or the one of another row."""
    step = claim.step or 1.0
    own, steps = np.floor(values / step), np.floor(_numbers(pool["said"]) / step)
    known = np.flatnonzero(~np.isnan(steps))
    distinct, number = np.unique(steps[known], return_inverse=True)
    ring = Ring(np.zeros(len(known), np.int64), number.astype(np.int64), pool["key"].to_numpy()[known])

    def allowed(rows: Ints, chosen: Ints) -> Bools:
        away: Bools = np.abs(distinct[chosen] - own[rows]) * step >= max(step, claim.margin or 0.0)
        return away

    other = first_allowed(ring, np.zeros(len(own), np.int64), mix(keys, word("claim")), allowed)
    true = wanted | (other < 0)
    claimed = np.where(true, own, distinct[other] if len(distinct) else np.nan) * step
    return Claims(_written(np.where(np.isnan(own), np.nan, claimed), step), pl.Series(true))


def _other_values(claim: Claim, said: pl.Series, norms: pl.Series, pool: pl.DataFrame, keys: Keys, wanted: Bools) -> Claims:
    """Claim the value itself, or the one of another row."""
    values = pool.sort("norm", "said").unique("norm", keep="first", maintain_order=True).with_row_index("i")
    number = pl.DataFrame({"norm": pl.concat([pool["norm"], norms])}).join(
        values.select("norm", "i"), on="norm", how="left", maintain_order="left"
    )["i"]
    placed = number.cast(pl.Int64).fill_null(-1).to_numpy()
    ring = Ring(np.zeros(pool.height, np.int64), placed[: pool.height], pool["key"].to_numpy())
    own, numbers = placed[pool.height :], _numbers(values["said"])

    def allowed(rows: Ints, chosen: Ints) -> Bools:
        near = np.abs(numbers[chosen] - numbers[own[rows]]) < (claim.margin or 0.0)
        other: Bools = (chosen != own[rows]) & ~near
        return other

    other = first_allowed(ring, np.zeros(len(own), np.int64), mix(keys, word("claim")), allowed)
    true = pl.Series(wanted | (other < 0))
    another = values["said"].gather(pl.Series(np.maximum(other, 0)))
    return Claims(pl.select(pl.when(true).then(said).otherwise(another)).to_series(), true)


def _limits(claim: Claim, values: Numbers, pool: Numbers, keys: Keys, wanted: Bools) -> Claims:
    """Claim that a value lies beyond a limit: on the other side of it, or not."""
    step, known = claim.step or 1.0, pool[~np.isnan(pool)]
    low, high = (known.min(), known.max()) if len(known) else (math.nan, math.nan)
    below = wanted == (claim.test == ">")  # a value above its limit makes "greater" true and "less" false
    first, second = (_limit(values, side, step, claim.margin or 0.0, keys, low, high) for side in (below, ~below))
    open_rows = np.isnan(first)
    limit = np.where(open_rows, second, first)
    true = np.where(open_rows, ~wanted, wanted)
    return Claims(_written(limit, claim.step), pl.Series(true))


def _limit(values: Numbers, below: Bools, step: float, margin: float, keys: Keys, low: float, high: float) -> Numbers:
    """Return a limit below or above each value, strictly apart from it; NaN where the data has no room for one."""
    beyond = 1 + (mix(keys, word("steps")) % np.uint64(_STEPS)).astype(np.float64)
    under = (np.ceil((values - margin) / step) - beyond) * step
    over = (np.floor((values + margin) / step) + beyond) * step
    best_under = np.where(under < low, (np.ceil((values - margin) / step) - 1) * step, under)
    best_over = np.where(over > high, (np.floor((values + margin) / step) + 1) * step, over)
    limit = np.where(below, best_under, best_over)
    return np.where((limit < low) | (limit > high), np.nan, limit)
