"""A number with its interval, and the quantiles that intervals are made of.

```
python -m evaluators.statistics interval 87 100
python -c 'from evaluators.statistics import rate; print(rate(87, 100))'
```
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kg.errors import InputError

__all__ = ["Estimate", "normal_quantile", "t_quantile", "t_quantiles", "undefined"]


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
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    return float(stdtrit(df, (1 + level) / 2))


def t_quantiles(level: float, df: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `t_quantile` for each of many degrees of freedom, also infinite ones.

    >>> t_quantiles(0.95, np.array([9.0, np.inf])).round(4).tolist()
    [2.2622, 1.96]
    """
    from scipy.special import stdtrit

    normal = normal_quantile(level)
    found: NDArray[np.float64] = np.where(df > _MANY, normal, stdtrit(np.minimum(df, _MANY), (1 + level) / 2))
    return found


_MANY = 1e6  # degrees of freedom above which t is normal to six digits
