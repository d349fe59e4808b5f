"""A number with its interval: the quantiles that intervals are made of, and Wilson's interval for shares."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluators.statistics.distributions import t_reached
from kg.errors import InputError

Floats = NDArray[np.float64]
_MANY = 1e6  # degrees of freedom above which t is normal to six digits


class Estimate(NamedTuple):
    """A value with the ends of its confidence interval; nan where undefined.

    `n` is the number of values behind it, `se` the standard error, `clusters` the number of clusters where they were
    counted.
    """

    value: float
    low: float
    high: float
    n: int
    se: float | None = None
    clusters: int | None = None


def undefined(n: int = 0, value: float = math.nan, clusters: int | None = None) -> Estimate:
    """Return an estimate without an interval.

    >>> undefined()
    Estimate(value=nan, low=nan, high=nan, n=0, se=None, clusters=None)
    """
    return Estimate(value, math.nan, math.nan, n, None, clusters)


def normal_quantile(level: float) -> float:
    """Return how many standard errors an interval reaches to each side, by the normal distribution.

    Raises InputError where the level is not between 0 and 1.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    if not 0 < level < 1:
        raise InputError(f"level {level} is not between 0 and 1", way_out="0.95 is usual")
    return NormalDist().inv_cdf((1 + level) / 2)


def t_quantile(level: float, df: float) -> float:
    """Return how many standard errors an interval reaches to each side, by Student's t with `df` degrees of freedom.

    >>> round(t_quantile(0.95, 9), 4)
    2.2622
    """
    normal = normal_quantile(level)
    if df > _MANY:
        return normal
    if not df > 0:
        return math.nan
    return t_reached((1 - level) / 2, df)


def t_quantiles(level: float, df: Floats) -> Floats:
    """Return `t_quantile` for each of many degrees of freedom, also infinite ones.

    >>> t_quantiles(0.95, np.array([9.0, np.inf])).round(4).tolist()
    [2.2622, 1.96]
    """
    each, places = np.unique(df, return_inverse=True)
    quantiles: Floats = np.array([t_quantile(level, float(one)) for one in each], dtype=np.float64)[places]
    return quantiles


def wilson(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the low and the high ends of Wilson's intervals, nan where `n` is 0.

    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22; recommended for shares
    near 0 and 1 by Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16(2).
    Raises InputError where a count is negative, not a number, or there are more successes than trials.

    >>> low, high = wilson([0, 5, 10], 10)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.237, 0.722], [0.278, 0.763, 1.0])
    """
    hits, trials = np.broadcast_arrays(np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64))
    if not np.all((hits >= 0) & (hits <= trials)):
        raise InputError("successes must lie between 0 and the number of trials", way_out="count again")
    share = np.full(hits.shape, np.nan)  # stays nan where there are no trials
    np.divide(hits, trials, out=share, where=trials > 0)
    return score_interval(share, trials, normal_quantile(level))


def score_interval(share: Floats, n: Floats, quantile: float | Floats) -> tuple[Floats, Floats]:
    """Return the ends of the score interval of shares from `n` (also fractional) independent observations.

    >>> low, high = score_interval(np.array([0.5]), np.array([10.0]), 1.96)
    >>> round(float(low[0]), 3)
    0.237
    """
    # The ends are the shares p with |share - p| = quantile * sqrt(p (1 - p) / n), a quadratic: `middle` plus and minus `half`.
    square = np.square(quantile)
    middle = (share * n + square / 2) / (n + square)
    half = quantile / (n + square) * np.sqrt(share * (1 - share) * n + square / 4)
    # Rounding may leave the share itself a hair outside, at 0 and at 1.
    return np.clip(np.minimum(middle - half, share), 0, 1), np.clip(np.maximum(middle + half, share), 0, 1)


def rate(successes: int, n: int, level: float = 0.95) -> Estimate:
    """Return a share with Wilson's interval.

    >>> rate(87, 100)
    Estimate(value=0.87, low=0.790..., high=0.922..., n=100, se=0.033..., clusters=None)
    """
    if n == 0:
        return undefined()
    low, high = wilson(successes, n, level)
    share = successes / n
    return Estimate(share, float(low), float(high), n, se=(share * (1 - share) / n) ** 0.5)


def worth(share: float, low: float, high: float, level: float = 0.95) -> float:
    """Return from how many independent observations a share would have a score interval of this width.

    >>> low, high = wilson([7], [10])
    >>> round(worth(0.7, float(low[0]), float(high[0])), 6)
    10.0
    """
    square, width = normal_quantile(level) ** 2, max((high - low) ** 2, 1e-12)
    # The width of the interval, squared: 4 square (share (1 - share) n + square / 4) / (n + square)^2.
    b = 2 * square * (width - 2 * share * (1 - share))
    return (math.sqrt(max(b * b - 4 * width * square**2 * (width - 1), 0.0)) - b) / (2 * width)
