"""Means of values in clusters, with their intervals: five questions on one fact tell less than five on five facts.

Miller (2024), Adding error bars to evals, arXiv 2411.00640, asks for clustered standard errors. With few or unequal clusters
the plain clustered error is too small (Cameron & Miller 2015, A practitioner's guide to cluster-robust inference, Journal of
Human Resources 50(2), section VI), so the standard error is the bias-reduced one of Bell & McCaffrey (2002), Bias reduction in
standard errors for linear regression with multi-stage samples, Survey Methodology 28(2), and t has the degrees of freedom that
it has by Satterthwaite: for clusters of one size, the usual G/(G-1) and G-1 degrees.

The intervals of shares and of scores between 0 and 1 are Wilson's from as many independent observations as the clustered ones
are worth, with Student's quantile, as for surveys: Franco, Little, Louis & Slud (2019), Comparative study of confidence
intervals for proportions in complex sample surveys, Journal of Survey Statistics and Methodology 7(3). Of right and wrong
answers and of other scores the design effect, the factor by which clusters make the variance larger, is estimated differently.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluators.statistics.intervals import Estimate, Floats, rate, score_interval, t_quantile, t_quantiles, undefined

# Chosen by simulation on the kinds of data of tests/benchmarks/intervals.py, and found good on other kinds (its --other).
_PRIOR = 0.25  # clusters that are all alike inside, beside those that differ from the others
_TRUST = 20  # clusters from which on the variance of their sums counts for more than what the common correlation says
_LEAST = 0.5  # of a design effect, and of Bell and McCaffrey's degrees of freedom


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
    # Shares without clusters.
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
    # The mean is estimated from the same values, which takes m_ij = p_i s_j + s_i p_j - whole p_i p_j from the covariance
    # of the sums of clusters i and j. All three kinds of products are summed up without writing out the matrix.
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
    # Donner's n0: the clusters' size where all are of one size, else somewhat less than their mean.
    typical = (values.size - np.square(sizes).sum() / values.size) / (sizes.size - 1)
    of_clusters = max((between - inside) / typical, 0.0)
    return of_clusters / (of_clusters + inside) if inside else 1.0


def effective_clusters(sizes: Floats) -> float:
    """Return how many clusters of one size these are worth where clusters do not differ inside (Kish 1965, Survey sampling).

    >>> effective_clusters(np.array([2.0, 2.0])), effective_clusters(np.array([3.0, 1.0]))
    (2.0, 1.6)
    """
    return float(sizes.sum() ** 2 / np.square(sizes).sum())


class _Effect(NamedTuple):
    """An estimate of the design effect, and what each cluster adds to it (last axis), from which its own variance is taken."""

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
    total, bell_mccaffrey = sizes.sum(), degrees_of_freedom(sizes)
    worst = np.square(sizes).sum() / total  # the design effect of clusters that are all alike inside
    share = np.clip(sums.sum(axis=-1) / total, 0, 1)
    differ = _differing(sums, sizes)
    weight = _TRUST / (_TRUST + np.minimum(differ, bell_mccaffrey))
    # At a share of 0 or 1 both estimates divide by 0; the nan that come of it are replaced by what holds without an estimate.
    with np.errstate(divide="ignore", invalid="ignore"):
        steady, free = _by_correlation(sums, sizes, share), _by_sums(sums, sizes, share)
        estimate = weight * steady.value + (1 - weight) * free.value
        parts = weight[..., None] * steady.parts + (1 - weight[..., None]) * free.parts
        effect = (differ * estimate + _PRIOR * np.maximum(estimate, worst)) / (differ + _PRIOR)
        effect = np.where(np.isnan(effect), worst, np.maximum(effect, _LEAST))
        spread = np.square(parts).sum(axis=-1) / np.square(np.maximum(effect, 1))
    # Satterthwaite: 2 / (relative variance of the estimate) degrees. The second term keeps them below 2 bell_mccaffrey^2.
    spread = np.where(np.isnan(spread), 2 / bell_mccaffrey, spread + 1 / bell_mccaffrey**2)
    freedom = np.maximum(2 / spread, _LEAST * bell_mccaffrey)
    return score_interval(share, total / effect, t_quantiles(level, freedom))


def _differing(sums: Floats, sizes: Floats) -> NDArray[np.int64]:
    """Count the clusters that differ from the rest: those with anything right or those with anything wrong, the fewer."""
    fewer: NDArray[np.int64] = np.minimum((sums > 0).sum(axis=-1), (sums < sizes).sum(axis=-1))
    return fewer


def _by_correlation(sums: Floats, sizes: Floats, share: Floats) -> _Effect:
    """Estimate the design effect by the correlation of answers within clusters, the same for all of them."""
    degrees, single = (sizes - 1).sum(), share * (1 - share)
    worst, inside = np.square(sizes).sum() / sizes.sum(), sums * (sizes - sums) / sizes
    if not degrees:
        return _Effect(np.ones_like(share), np.zeros_like(sums))  # clusters of one answer each
    apart = inside.sum(axis=-1) / (degrees * single)  # one less the correlation
    slopes = inside / (degrees * single[..., None])
    slopes -= apart[..., None] * ((sizes - 1) / degrees + _turn(sums, sizes, share))
    return _Effect(1 + (worst - 1) * (1 - apart), -(worst - 1) * slopes)


def _by_sums(sums: Floats, sizes: Floats, share: Floats) -> _Effect:
    """Estimate the design effect by the variance of the clusters' sums."""
    total = sizes.sum()
    effect = variance_of_mean(sums, sizes) * total / (share * (1 - share))
    residuals, weights = sums - share[..., None] * sizes, 1 / (1 - sizes / total)
    squares = weights * np.square(residuals)
    # A cluster moves the mean too, and with it the residuals of all others.
    shifts = residuals * (2 * (weights * sizes * residuals).sum(axis=-1, keepdims=True) / total)
    parts = (squares - shifts) / squares.sum(axis=-1, keepdims=True) - 1 / sizes.size - _turn(sums, sizes, share)
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
    single, clusters = share * (1 - share), effective_clusters(sizes)
    estimate, alike = variance_of_mean(sums, sizes), single / clusters
    differ = _differing(sums, sizes)
    variance = (differ * estimate + _PRIOR * np.maximum(estimate, alike)) / (differ + _PRIOR)
    worth = np.full(share.shape, clusters)  # where all scores are 0, or all are 1
    np.divide(single, variance, out=worth, where=single > 0)
    return score_interval(share, worth, t_quantile(level, degrees_of_freedom(sizes)))
