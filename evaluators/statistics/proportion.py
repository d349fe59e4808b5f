"""Wilson's interval for shares, for one or for a whole column of them.

```
python -m evaluators.statistics interval 87 100
python -c 'from evaluators.statistics import wilson; print(wilson([0, 5, 10], 10))'
```
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluators.statistics.estimate import Estimate, normal_quantile, undefined
from kg.errors import InputError

__all__ = ["rate", "score_interval", "wilson"]


def wilson(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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
    share = np.full(hits.shape, np.nan)
    np.divide(hits, trials, out=share, where=trials > 0)
    return score_interval(share, trials, normal_quantile(level))


def score_interval(
    share: NDArray[np.float64], n: NDArray[np.float64], quantile: float | NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the score interval of shares from `n` (also fractional) independent observations.

    >>> low, high = score_interval(np.array([0.5]), np.array([10.0]), 1.96)
    >>> round(float(low[0]), 3)
    0.237
    """
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
    return Estimate(share, float(low), float(high), n, (share * (1 - share) / n) ** 0.5)
