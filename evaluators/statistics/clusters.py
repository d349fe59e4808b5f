"""What clusters do to the variance of a mean: the bias-reduced error, its degrees of freedom, how many clusters they are worth.

```
python tests/benchmarks/coverage.py --quick
python -m pytest tests/evaluators/test_statistics.py
```

With few or unequal clusters the plain clustered error is too small (Cameron & Miller 2015, A practitioner's guide to
cluster-robust inference, Journal of Human Resources 50(2), section VI), so the standard error is the bias-reduced one of Bell &
McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage samples, Survey Methodology 28(2),
and t has the degrees of freedom that it has by Satterthwaite: for clusters of one size, the usual G/(G-1) and G-1 degrees.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["cluster_codes", "correlation", "degrees_of_freedom", "effective_clusters", "variance_of_mean"]

Floats = NDArray[np.float64]


def cluster_codes(values: ArrayLike, clusters: ArrayLike) -> tuple[Floats, NDArray[np.int64]]:
    """Return the values that are there and the number of each one's cluster.

    Raises ValueError where there are not as many clusters as values.

    >>> cluster_codes([1.0, float("nan"), 0.0], ["b", "c", "a"])
    (array([1., 0.]), array([1, 0]))
    """
    numbers, names = np.asarray(values, dtype=np.float64).ravel(), np.asarray(clusters).ravel()
    if numbers.size != names.size:
        raise ValueError(f"{numbers.size} values, but {names.size} clusters")
    there = ~np.isnan(numbers)
    _, codes = np.unique(names[there], return_inverse=True)
    return numbers[there], codes.astype(np.int64)


def variance_of_mean(sums: Floats, sizes: Floats) -> Floats:
    """Return the bias-reduced clustered variance (CR2) of means, from the sums of their clusters.

    Bell & McCaffrey (2002), for a mean: each cluster's residual sum, squared, over one minus the cluster's share of the
    data.

    Parameters: `sums` of the clusters on the last axis, the clusters' `sizes`.

    >>> float(variance_of_mean(np.array([2.0, 0.0]), np.array([2.0, 2.0])))
    0.25
    """
    total = sizes.sum()
    residuals = sums - sums.sum(axis=-1, keepdims=True) / total * sizes
    variance: Floats = np.sum(np.square(residuals) / (1 - sizes / total), axis=-1) / total**2
    return variance


def degrees_of_freedom(sizes: Floats, alike: float = 0.0) -> float:
    """Return the degrees of freedom of a mean's clustered variance; G-1 for G clusters of one size.

    Satterthwaite's approximation to the distribution of `variance_of_mean`: with values that are all independent Bell and
    McCaffrey's, else Imbens and Kolesár's (2016, Robust standard errors in small samples, Review of Economics and Statistics
    98(4)), where the values of a cluster have the correlation `alike`. Then a large cluster's sum varies the more.

    >>> degrees_of_freedom(np.array([3.0, 3.0, 3.0])), round(degrees_of_freedom(np.array([7.0, 1.0, 1.0])), 2)
    (2.0, 1.28)
    >>> round(degrees_of_freedom(np.array([7.0, 1.0, 1.0]), 0.5), 2)
    1.17
    """
    part, spread = sizes / sizes.sum(), sizes * (1 + (sizes - 1) * alike)
    whole, weights = spread.sum(), 1 / (1 - part)
    # What the mean takes away from the covariances of the clusters' sums: m_ij = whole p_i p_j - p_i s_j - s_i p_j.
    own = whole * part**2 - 2 * part * spread
    p, s, both = ((weights * product).sum() for product in (part**2, spread**2, part * spread))
    squares = 2 * (p * s + both**2) - 4 * whole * p * both + (whole * p) ** 2
    squares += (weights**2 * (spread**2 + 2 * spread * own)).sum()
    return float((weights * (spread + own)).sum() ** 2 / squares)


def correlation(values: Floats, codes: NDArray[np.int64]) -> float:
    """Return how alike the values of a cluster are, from 0 to 1: the intraclass correlation by analysis of variance.

    Donner (1986), A review of inference procedures for the intraclass correlation coefficient in the one-way random effects
    model, International Statistical Review 54(1). Values that do not vary, or not inside clusters, count as alike.

    >>> correlation(np.array([1.0, 1.0, 5.0, 5.0]), np.array([0, 0, 1, 1]))
    1.0
    >>> correlation(np.array([1.0, 5.0, 1.0, 5.0]), np.array([0, 0, 1, 1]))
    0.0
    """
    sizes = np.bincount(codes).astype(np.float64)
    means = np.bincount(codes, values) / sizes
    inside = float(np.square(values - means[codes]).sum()) / max(values.size - sizes.size, 1)
    between = float((sizes * np.square(means - values.mean())).sum()) / (sizes.size - 1)
    typical = (values.size - np.square(sizes).sum() / values.size) / (sizes.size - 1)
    of_clusters = max((between - inside) / typical, 0.0)
    return of_clusters / (of_clusters + inside) if inside else 1.0


def effective_clusters(sizes: Floats) -> float:
    """Return how many clusters of one size these are worth where clusters do not differ inside (Kish 1965, Survey sampling).

    >>> effective_clusters(np.array([2.0, 2.0])), effective_clusters(np.array([3.0, 1.0]))
    (2.0, 1.6)
    """
    return float(sizes.sum() ** 2 / np.square(sizes).sum())
