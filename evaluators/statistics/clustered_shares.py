"""Intervals of shares whose answers come in clusters.

```
python tests/benchmarks/coverage.py --quick
python -c 'import evaluators.statistics.clustered_shares as c; help(c.share_limits)'
```

Both are Wilson's interval from as many independent observations as the clustered ones are worth, with Student's quantile, as
for surveys: Franco, Little, Louis & Slud (2019), Comparative study of confidence intervals for proportions in complex sample
surveys, Journal of Survey Statistics and Methodology 7(3). They differ in how they estimate the design effect, the factor by
which clusters make the variance larger.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluators.statistics.clusters import degrees_of_freedom, effective_clusters, variance_of_mean
from evaluators.statistics.estimate import t_quantile, t_quantiles
from evaluators.statistics.proportion import score_interval

__all__ = ["bounded_limits", "share_limits"]

Floats = NDArray[np.float64]
# Chosen by simulation on the kinds of data of tests/benchmarks/coverage.py, and found good on other kinds (its --other).
_PRIOR = 0.25  # clusters that are all alike inside, beside those that differ from the others
_TRUST = 20  # clusters from which on the variance of their sums counts for more than what the common correlation says
_LEAST = 0.5  # of a design effect, and of Bell and McCaffrey's degrees of freedom


class _Effect(NamedTuple):
    """An estimate of the design effect, and what each cluster adds to it (the last axis)."""

    value: Floats
    parts: Floats


def share_limits(sums: Floats, sizes: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of shares of right answers, from the right answers of each cluster.

    The design effect is the weighted mean of two estimates. One takes it from the correlation within clusters (Fleiss & Cuzick
    1979, The reliability of dichotomous judgments, Applied Psychological Measurement 3(4); Rao & Scott 1992, A simple method
    for the analysis of clustered binary data, Biometrics 48(2)): steady where a few clusters hold most of the answers, but
    wrong where large clusters are more alike inside than small ones. The other is the bias-reduced variance of the clusters'
    sums, which needs many clusters and nothing else; it weighs the more the more clusters differ.

    Student's quantile has as many degrees of freedom as the estimate of the design effect has by Satterthwaite's formula, where
    its variance is taken from what each cluster adds to it (the infinitesimal jackknife): of right and wrong it is known better
    than a variance of normal values, for which Bell and McCaffrey's degrees are. That takes many clusters, so there are never
    more than twice the square of theirs.

    Near 0 and 1 few clusters differ from the others, and the estimate is mostly too small; where none does it tells nothing. So
    it is averaged with the effect of clusters that are all alike inside, which weighs as much as a quarter of a cluster that
    differs. (The weights are ours.)

    Parameters: `sums` of the clusters on the last axis, the clusters' `sizes`.

    >>> low, high = share_limits(np.array([0.0, 0.0, 0.0]), np.array([4.0, 4.0, 4.0]))
    >>> float(low), round(float(high), 2)
    (0.0, 0.86)
    """
    total, crowd, free = sizes.sum(), np.square(sizes).sum() / sizes.sum(), degrees_of_freedom(sizes)
    share = np.clip(sums.sum(axis=-1) / total, 0, 1)
    differ = np.minimum((sums > 0).sum(axis=-1), (sums < sizes).sum(axis=-1))
    known = _TRUST / (_TRUST + np.minimum(differ, free))
    with np.errstate(divide="ignore", invalid="ignore"):
        alike, seen = _by_correlation(sums, sizes, share), _by_sums(sums, sizes, share)
        found = known * alike.value + (1 - known) * seen.value
        parts = known[..., None] * alike.parts + (1 - known[..., None]) * seen.parts
        effect = (differ * found + _PRIOR * np.maximum(found, crowd)) / (differ + _PRIOR)
        effect = np.where(np.isnan(effect), crowd, np.maximum(effect, _LEAST))
        spread = np.square(parts).sum(axis=-1) / np.square(np.maximum(effect, 1))
    spread = np.where(np.isnan(spread), 2 / free, spread + 1 / free**2)
    freedom = np.maximum(2 / spread, _LEAST * free)
    return score_interval(share, total / effect, t_quantiles(level, freedom))


def _by_correlation(sums: Floats, sizes: Floats, share: Floats) -> _Effect:
    """Estimate the design effect by the correlation of answers within clusters, the same for all of them."""
    total, free, single = sizes.sum(), (sizes - 1).sum(), share * (1 - share)
    crowd, inside = np.square(sizes).sum() / total, sums * (sizes - sums) / sizes
    if not free:
        return _Effect(np.ones_like(share), np.zeros_like(sums))
    apart = inside.sum(axis=-1) / (free * single)  # one less the correlation
    more = inside / (free * single[..., None]) - apart[..., None] * ((sizes - 1) / free + _turn(sums, sizes, share))
    return _Effect(1 + (crowd - 1) * (1 - apart), -(crowd - 1) * more)


def _by_sums(sums: Floats, sizes: Floats, share: Floats) -> _Effect:
    """Estimate the design effect by the variance of the clusters' sums."""
    total = sizes.sum()
    effect = variance_of_mean(sums, sizes) * total / (share * (1 - share))
    residuals, weights = sums - share[..., None] * sizes, 1 / (1 - sizes / total)
    squares = weights * np.square(residuals)
    centred = residuals * (2 * (weights * sizes * residuals).sum(axis=-1, keepdims=True) / total)  # each moves the mean too
    parts = (squares - centred) / squares.sum(axis=-1, keepdims=True) - 1 / sizes.size - _turn(sums, sizes, share)
    return _Effect(effect, effect[..., None] * parts)


def _turn(sums: Floats, sizes: Floats, share: Floats) -> Floats:
    """Return what each cluster adds to the variance of a single answer, as a part of it."""
    slope = (1 - 2 * share) / (share * (1 - share))
    parts: Floats = slope[..., None] * (sums - share[..., None] * sizes) / sizes.sum()
    return parts


def bounded_limits(sums: Floats, sizes: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of mean scores between 0 and 1 (such as F1), from the sums of the clusters.

    What a single score varies by is not known from sums, so the observations are worth `share (1 - share) / variance` of right
    and wrong ones, with the bias-reduced variance, and Student's quantile has Bell and McCaffrey's degrees of freedom. The
    variance is averaged with that of clusters alike inside, as in `share_limits`.

    >>> low, high = bounded_limits(np.array([1.5, 2.5, 2.0]), np.array([4.0, 4.0, 4.0]))
    >>> round(float(low), 2), round(float(high), 2)
    (0.16, 0.84)
    """
    share = np.clip(sums.sum(axis=-1) / sizes.sum(), 0, 1)
    single, most = share * (1 - share), effective_clusters(sizes)
    seen, alike = variance_of_mean(sums, sizes), single / most
    differ = np.minimum((sums > 0).sum(axis=-1), (sums < sizes).sum(axis=-1))
    variance = (differ * seen + _PRIOR * np.maximum(seen, alike)) / (differ + _PRIOR)
    worth = np.full(share.shape, most)
    np.divide(single, variance, out=worth, where=single > 0)
    return score_interval(share, worth, t_quantile(level, degrees_of_freedom(sizes)))
