"""Means of values that come in clusters: five questions on one fact tell less than five on five facts.

```
python tests/benchmarks/coverage.py --quick
python -c 'from evaluators.statistics import clustered_mean; print(clustered_mean([1, 1, 0, 1], ["a", "a", "b", "c"]))'
```

Miller (2024), Adding error bars to evals, arXiv 2411.00640, asks for clustered standard errors. What they are made of is in
`evaluators.statistics.clusters`, the intervals of shares in `evaluators.statistics.clustered_shares`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evaluators.statistics.clustered_shares import bounded_limits, share_limits
from evaluators.statistics.clusters import cluster_codes, correlation, degrees_of_freedom, variance_of_mean
from evaluators.statistics.estimate import Estimate, t_quantile, undefined
from evaluators.statistics.proportion import rate

__all__ = ["clustered_mean"]


def clustered_mean(values: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Estimate:
    """Return the mean with an interval that allows for values of one cluster being alike.

    Values that are all between 0 and 1 get a score interval (Wilson's, from as many observations as the clustered values are
    worth: `share_limits` of right and wrong, `bounded_limits` of others), which stays in bounds and holds near 0 and 1 too;
    shares without clusters get Wilson's own; other numbers a t interval.

    Parameters: `values` (nan: left out) and, for each, the name of its cluster.
    Returns: the mean; no interval where there is one cluster only (unless of one value between 0 and 1).

    >>> estimate = clustered_mean([1, 1, 0, 1, 0, 0], ["a", "a", "b", "b", "c", "c"])
    >>> estimate.value, estimate.clusters, round(estimate.low, 2), round(estimate.high, 2)
    (0.5, 3, 0.11, 0.89)
    """
    numbers, codes = cluster_codes(values, clusters)
    if not numbers.size:
        return undefined(clusters=0)
    sizes = np.bincount(codes).astype(np.float64)
    if sizes.size == numbers.size and np.isin(numbers, (0, 1)).all():
        return rate(int(numbers.sum()), numbers.size, level)._replace(clusters=sizes.size)
    mean, count = float(numbers.mean()), sizes.size
    if count < 2:
        return undefined(numbers.size, mean, count)
    sums = np.bincount(codes, numbers).astype(np.float64)
    se = float(np.sqrt(variance_of_mean(sums, sizes)))
    if numbers.min() >= 0 and numbers.max() <= 1:
        limits = share_limits if np.isin(numbers, (0, 1)).all() else bounded_limits
        low, high = limits(sums, sizes, level)
        return Estimate(mean, min(float(low), mean), max(float(high), mean), numbers.size, se, count)
    half = t_quantile(level, degrees_of_freedom(sizes, correlation(numbers, codes))) * se
    return Estimate(mean, mean - half, mean + half, numbers.size, se, count)
