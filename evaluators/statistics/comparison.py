"""Two models on the same items: the difference of their scores, whether it may be chance, how many items it takes to tell.

Miller (2024), Adding error bars to evals, arXiv 2411.00640: on the same items, the difference item by item.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluators.statistics.clustered import (
    cluster_codes,
    correlation,
    degrees_of_freedom,
    effective_clusters,
    variance_of_mean,
)
from evaluators.statistics.distributions import chi2_tail, t_tail
from evaluators.statistics.intervals import Floats, normal_quantile, t_quantile
from kg.errors import InputError

_EXACT = 25  # so many discordant pairs (or clusters) and more are tested by chi-square
_TINY = 1e-12  # what rounding may make of 0
_ROUNDING = 1e-9


class Paired(NamedTuple):
    """The first model's score minus the second's on the same items; nan where undefined.

    `only_a`: items on which the first model scores higher (where items are right or wrong: that only it got right);
    `only_b`: the second. `p` says how often chance alone gives such a difference, by the `test` named.
    """

    difference: float
    low: float
    high: float
    n: int
    only_a: int
    only_b: int
    p: float
    test: str
    clusters: int | None = None


def paired(a: ArrayLike, b: ArrayLike, clusters: ArrayLike | None = None, level: float = 0.95) -> Paired:
    """Compare two models item by item.

    Of right and wrong, the interval is Agresti and Min's and the test McNemar's (exact below 25 discordant items); with
    clusters, the same with whole clusters in the place of items. Of other scores, the interval and the test are t's with
    clustered standard errors.

    Parameters: the scores of two models on the same items in the same order (nan: left out), and each item's cluster.
    Raises ValueError where they are not as many as each other.

    >>> result = paired([1, 1, 1, 0, 1, 1], [1, 0, 0, 0, 0, 1])
    >>> result.difference, result.only_a, result.only_b, result.p, result.test
    (0.5, 3, 0, 0.25, 'McNemar, exact')
    """
    first, second = np.asarray(a, dtype=np.float64).ravel(), np.asarray(b, dtype=np.float64).ravel()
    if first.size != second.size:
        raise ValueError(f"{first.size} scores of one model, {second.size} of the other")
    gaps, codes = cluster_codes(first - second, np.arange(first.size) if clusters is None else clusters)
    sizes = np.bincount(codes).astype(np.float64)
    more, less = (np.bincount(codes, sign * gaps > 0, minlength=sizes.size).astype(np.float64) for sign in (1, -1))
    only_a, only_b = int(more.sum()), int(less.sum())
    count = None if clusters is None else sizes.size
    if not gaps.size:
        return Paired(math.nan, math.nan, math.nan, n=0, only_a=0, only_b=0, p=math.nan, test="none", clusters=count)
    gap = float(gaps.mean())
    if np.isin(gaps, (-1, 0, 1)).all():  # both models' items are right or wrong
        low, high = (float(end) for end in difference_limits(more, less, sizes, level))
        p, test = _mcnemar(only_a, only_b) if clusters is None else _flipped(more - less)
        return Paired(gap, min(low, gap), max(high, gap), gaps.size, only_a, only_b, p, test, count)
    low, high, p = _student(gaps, codes, sizes, level)
    return Paired(gap, low, high, gaps.size, only_a, only_b, p, "t", count)


def paired_by_side(a: ArrayLike, b: ArrayLike, clusters: ArrayLike, sides: ArrayLike, weights: ArrayLike) -> Paired:
    """Compare two models item by item on questions of unlike kinds, each of which counts by a weight of its own.

    The difference is the weighted sum of the sides' differences. Its interval is put together from theirs (as `paired` gives
    them) by Zou & Donner (2008), Construction of confidence limits about effect measures: a general approach, Statistics in
    Medicine 27(10), section 2, with the correlations that sides have by their common clusters. The test lets whole clusters
    fall either way, as in `paired`, each with what it adds to the difference.

    Parameters: the scores of two models on the same items, each item's cluster and the number of its side (from 0); the weight
    of each side (they add up to 1).

    >>> paired_by_side([1, 1, 1, 0], [1, 1, 0, 0], list("abcd"), [0, 0, 0, 1], [0.5, 0.5]).difference
    0.16666666666666666
    """
    first, second = np.asarray(a, dtype=np.float64).ravel(), np.asarray(b, dtype=np.float64).ravel()
    names, of_side, weight = np.asarray(clusters).ravel(), np.asarray(sides, dtype=np.int64).ravel(), np.asarray(weights, float)
    if not first.size:
        return paired(first, second, names)
    results = [paired(first[of_side == n], second[of_side == n], names[of_side == n]) for n in range(weight.size)]
    if weight.size == 1:
        return results[0]
    gaps, codes = cluster_codes(first - second, names)
    means = np.array([result.difference for result in results])
    limits = np.array([[-1.0 if math.isnan(r.low) else r.low, 1.0 if math.isnan(r.high) else r.high] for r in results])
    # What each cluster adds to each side's sum beyond its share: by these, sides are correlated.
    rests = np.zeros((int(codes.max()) + 1, weight.size))
    np.add.at(rests, (codes, of_side), gaps - means[of_side])
    gap = float(weight @ means)
    low, high = (gap + sign * _reach(weight * np.abs(limits[:, n] - means), rests) for n, sign in ((0, -1), (1, 1)))
    added = np.bincount(codes, gaps * (weight / np.bincount(of_side))[of_side]).astype(np.float64)
    p, test = _flipped_parts(added)
    only_a, only_b = sum(r.only_a for r in results), sum(r.only_b for r in results)
    return Paired(gap, max(-1.0, low), min(1.0, high), gaps.size, only_a, only_b, p, test, rests.shape[0])


def _reach(halves: Floats, rests: Floats) -> float:
    """Return how far the interval of a sum reaches, from what its parts' intervals do and the parts' correlations."""
    spread = np.sqrt(np.square(rests).sum(axis=0))
    known = spread > 0  # of a part that does not vary nothing is known of its correlation with others
    joint = (rests[:, known] / spread[known]) @ halves[known]
    return math.sqrt(float(np.square(joint).sum()) + float(np.square(halves[~known]).sum()))


def _flipped_parts(added: Floats) -> tuple[float, str]:
    """Return the p of clusters that fall either way by chance, each with what it adds to the difference."""
    parts, total = np.abs(added[np.abs(added) > _TINY]), abs(float(added.sum()))
    if parts.size >= _EXACT:
        return chi2_tail(total**2 / float(np.square(parts).sum()), 1), "clusters either way"
    # All signs of one half of the clusters, and for each how many signs of the other half reach as far.
    halves = [_signed_sums(parts[n::2]) for n in (0, 1)]
    other = np.sort(halves[1])
    above = other.size - np.searchsorted(other, total - halves[0] - _TINY, side="left")
    below = np.searchsorted(other, -total - halves[0] + _TINY, side="right")
    return min(1.0, float((above + below).sum()) / (halves[0].size * other.size)), "clusters either way, exact"


def _signed_sums(parts: Floats) -> Floats:
    sums = np.zeros(1)
    for part in parts:
        sums = np.concatenate([sums - part, sums + part])
    return sums


class Detectable(NamedTuple):
    """The smallest difference that a set shows, and how many items more would decide one as large as the difference seen."""

    difference: float
    more: int | None


def detectable(result: Paired, power: float = 0.8, level: float = 0.95) -> Detectable:
    """Return the smallest difference that the items of a comparison show with this power; nan where nothing can be said.

    The standard error is that of the comparison's interval, so that clusters and the models' agreement are in it. With more
    items of the same kinds it falls with the square root of their number (Miller 2024, section 5): to decide a difference as
    large as the one seen takes (detectable / seen)^2 times as many. `more` is null where the difference is 0, and 0 where there
    are enough.

    >>> rounded = detectable(Paired(0.02, -0.02, 0.06, 500, 60, 50, 0.3, "McNemar"))
    >>> round(rounded.difference, 3), rounded.more
    (0.057, 3587)
    """
    error = (result.high - result.low) / (2 * normal_quantile(level))
    least = (normal_quantile(level) + NormalDist().inv_cdf(power)) * error
    if math.isnan(least) or not result.difference:
        return Detectable(least, None)
    return Detectable(least, max(0, math.ceil(result.n * ((least / result.difference) ** 2 - 1))))


def difference_limits(more: Floats, less: Floats, sizes: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of paired differences of shares; nan where one cluster is all there is.

    Agresti & Min (2005), Simple improved confidence intervals for comparing matched proportions, Statistics in Medicine 24(5):
    Wald's interval with half a pair more in each of the four cells. Summed up exactly it holds in 93% of cases and more on
    all kinds of data tried, as Bonett and Price's (a whole pair more of each discordant kind) and Tango's (1998) do, and is
    narrower than both. With clusters, the pairs count as many as the clustered variance makes them worth, and t stands for the
    normal quantile.

    Parameters: the discordant pairs of each kind by cluster (last axis), the clusters' sizes.

    >>> low, high = difference_limits(np.array([3.0, 0.0]), np.array([0.0, 1.0]), np.array([5.0, 5.0]))
    >>> round(float(low), 2), round(float(high), 2)
    (-1.0, 1.0)
    """
    n = sizes.sum()
    up, down = more.sum(axis=-1) / n, less.sum(axis=-1) / n
    return adjusted_wald(up, down, *_worth(more - less, up, down, sizes, level))


def adjusted_wald(up: Floats, down: Floats, pairs: Floats, quantile: float) -> tuple[Floats, Floats]:
    """Return the ends of Agresti and Min's intervals, from the shares of discordant pairs of each kind.

    >>> low, high = adjusted_wald(np.array([0.4]), np.array([0.1]), np.array([10.0]), 1.96)
    >>> round(float(low[0]), 2), round(float(high[0]), 2)
    (-0.12, 0.62)
    """
    up, down = (up * pairs + 0.5) / (pairs + 2), (down * pairs + 0.5) / (pairs + 2)
    half = quantile * np.sqrt((up + down - np.square(up - down)) / (pairs + 2))
    return np.clip(up - down - half, -1, 1), np.clip(up - down + half, -1, 1)


def _worth(sums: Floats, up: Floats, down: Floats, sizes: Floats, level: float) -> tuple[Floats, float]:
    """Return how many independent pairs these are worth, and the quantile for them."""
    n = sizes.sum()
    if sizes.size == n:
        return np.full(up.shape, n), t_quantile(level, math.inf)
    if sizes.size < 2:
        return np.full(up.shape, np.nan), math.nan
    single, variance = up + down - np.square(up - down), variance_of_mean(sums, sizes)
    # Without a discordant pair nothing says how alike the clusters are inside: then they count as all alike.
    worth = np.full(up.shape, effective_clusters(sizes))
    np.divide(single, variance, out=worth, where=(single > 0) & (variance > 0))
    return worth, t_quantile(level, degrees_of_freedom(sizes))


def _student(gaps: Floats, codes: NDArray[np.int64], sizes: Floats, level: float) -> tuple[float, float, float]:
    """Return the t interval of a mean difference, and how often chance alone gives one."""
    if sizes.size < 2:
        return math.nan, math.nan, math.nan
    gap, df = float(gaps.mean()), degrees_of_freedom(sizes, correlation(gaps, codes))
    error = math.sqrt(float(variance_of_mean(np.bincount(codes, gaps).astype(np.float64), sizes)))
    half = t_quantile(level, df) * error
    p = 2 * t_tail(abs(gap) / error, df) if error else float(gap == 0)
    return gap - half, gap + half, p


def _mcnemar(only_a: int, only_b: int) -> tuple[float, str]:
    """Return McNemar's p (1947, Psychometrika 12): by the binomial distribution where few items are discordant."""
    discordant = only_a + only_b
    if discordant < _EXACT:
        ways = sum(math.comb(discordant, fewer) for fewer in range(min(only_a, only_b) + 1))
        return min(1.0, 2 * ways / 2**discordant), "McNemar, exact"
    return chi2_tail((only_a - only_b) ** 2 / discordant, 1), "McNemar"


def _flipped(gaps: Floats) -> tuple[float, str]:
    """Return the p of clusters that fall either way by chance as wholes; for clusters of one item it is McNemar's.

    Where the models are alike, each cluster's difference is as likely with either sign. Chi-square for many: Obuchowski
    (1998), On the comparison of correlated proportions for clustered data, Statistics in Medicine 17(13).
    """
    sizes = np.abs(gaps[gaps != 0]).astype(np.int64)
    total = abs(float(gaps.sum()))
    if sizes.size >= _EXACT:
        return chi2_tail(total**2 / float(np.square(sizes).sum()), 1), "McNemar by clusters"
    # The share of sign patterns that give each sum, from all down to all up in steps of 2: a convolution over the clusters.
    ways = np.ones(1)
    for size in sizes:
        ways = (np.pad(ways, (0, size)) + np.pad(ways, (size, 0))) / 2
    sums = 2 * np.arange(ways.size) - sizes.sum()
    # The sums are of integers and of powers of 2: equality needs no tolerance.
    return min(1.0, float(ways[np.abs(sums) >= total].sum())), "McNemar by clusters, exact"


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Return Holm's adjusted p-values, in the order given; nan stays nan and does not count as a comparison.

    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6(2): the
    smallest times the number of comparisons, the next times one less, and none below the one before.

    >>> holm([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    # Not statsmodels' multipletests, with which it is tested: that collects all garbage on each call, seconds in a report.
    raw = np.asarray(p, dtype=np.float64)
    adjusted, there = np.full(raw.shape, np.nan), np.flatnonzero(~np.isnan(raw))
    order = there[np.argsort(raw[there], kind="stable")]
    steps = raw[order] * np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def items_needed(
    p1: float,
    p2: float,
    *,
    correlation: float = 0.0,
    power: float = 0.8,
    level: float = 0.95,
    per_cluster: float = 1.0,
    alike: float = 0.0,
) -> int:
    """Return how many items tell accuracies `p1` and `p2` apart, with the power and the level asked for.

    Parameters: `correlation` of the two models' results on the same items, for McNemar's test; 0 where each model is asked
    items of its own, so many each. Models that find the same items hard have one above 0, and need fewer
    (Miller 2024, arXiv 2411.00640). Where several items are made from one fact, `per_cluster` is how many, and `alike` the
    intraclass correlation of what is counted of them (of the same items, of the models' differences): it takes the design
    effect 1 + (per_cluster - 1) alike times as many (Kish 1965, Survey sampling, section 5.4).
    Raises InputError where the accuracies are equal, a number is out of bounds, or no two models can be so alike.

    Own items: Fleiss, Levin & Paik (2003), Statistical methods for rates and proportions, section 4.2. Same
    items: Connor (1987), Sample size for testing differences in proportions for the paired-sample design, Biometrics 43.

    >>> items_needed(0.70, 0.75), items_needed(0.70, 0.75, correlation=0.5)
    (1251, 631)
    >>> items_needed(0.70, 0.75, correlation=0.5, per_cluster=7, alike=0.2)
    1389
    """
    _in_bounds({"first accuracy": p1, "second accuracy": p2, "power": power, "level": level})
    if p1 == p2:
        raise InputError(f"two accuracies of {p1} cannot be told apart", way_out="name the difference that matters")
    if not correlation:
        pooled = (p1 + p2) / 2
        apart = math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
        reach = normal_quantile(level) * math.sqrt(2 * pooled * (1 - pooled)) + NormalDist().inv_cdf(power) * apart
        return math.ceil(_design_effect(per_cluster, alike) * math.ceil(reach**2 / (p1 - p2) ** 2) - _ROUNDING)
    gap, discordant = p1 - p2, _discordant(p1, p2, correlation)
    # An item's difference has the variance `discordant` where the models are alike, and gap^2 less where they are not.
    reach = normal_quantile(level) * math.sqrt(discordant) + NormalDist().inv_cdf(power) * math.sqrt(discordant - gap**2)
    # The small amount keeps a product that is a whole number from being rounded up for what it is off by.
    return math.ceil(_design_effect(per_cluster, alike) * math.ceil(reach**2 / gap**2) - _ROUNDING)


def _design_effect(per_cluster: float, alike: float) -> float:
    """Return how many times as many items in clusters it takes; raises InputError where a number is out of bounds."""
    if not per_cluster >= 1:
        raise InputError(f"{per_cluster} items of a fact", way_out="give 1 or more")
    if not 0 <= alike <= 1:
        raise InputError(f"an intraclass correlation of {alike}", way_out="give one from 0 to 1")
    return 1 + (per_cluster - 1) * alike


def _in_bounds(shares: dict[str, float]) -> None:
    for name, share in shares.items():
        if not 0 < share < 1:
            raise InputError(f"{name} {share} is not between 0 and 1", way_out="give a share, such as 0.75")


def _discordant(p1: float, p2: float, correlation: float) -> float:
    """Return the share of items that one model gets right and the other wrong."""
    both = p1 * p2 + correlation * math.sqrt(p1 * (1 - p1) * p2 * (1 - p2))
    if not max(0.0, p1 + p2 - 1) <= both <= min(p1, p2):
        spread = math.sqrt(p1 * (1 - p1) * p2 * (1 - p2))
        least, most = (max(0.0, p1 + p2 - 1) - p1 * p2) / spread, (min(p1, p2) - p1 * p2) / spread
        raise InputError(
            f"accuracies {p1} and {p2} cannot have the correlation {correlation}", way_out=f"it lies in {least:.2f}..{most:.2f}"
        )
    return p1 + p2 - 2 * both
