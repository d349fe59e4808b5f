"""Scores with intervals: hand-computed cases, well-kept libraries as oracles, and what must hold whatever the numbers."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binomtest, t
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from evaluators.statistics import clustered_mean, holm, paired, rate, wilson
from evaluators.statistics.clustered import (
    correlation,
    degrees_of_freedom,
    effective_clusters,
    share_limits,
    variance_of_mean,
)
from evaluators.statistics.intervals import score_interval
from kg.errors import InputError

COUNTS = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.sampled_from([0.8, 0.9, 0.95, 0.99])
BITS = st.lists(st.integers(0, 1), min_size=1, max_size=40)


# --- Wilson -----------------------------------------------------------------------------------------------------------


def test_wilson_by_hand() -> None:
    """8 of 10: (8 + 1.9208) / 13.8415 = 0.7167, and 1.96 / 13.8415 * sqrt(1.6 + 0.9604) = 0.2266."""
    low, high = wilson(8, 10)
    assert (round(float(low), 3), round(float(high), 3)) == (0.490, 0.943)


@settings(deadline=None)
@given(COUNTS, LEVELS)
def test_wilson_is_what_statsmodels_says(counts: tuple[int, int], level: float) -> None:
    low, high = wilson(*counts, level)
    assert (float(low), float(high)) == pytest.approx(proportion_confint(*counts, alpha=1 - level, method="wilson"), abs=1e-9)


@settings(deadline=None)
@given(COUNTS, LEVELS)
def test_wilson_holds_the_share_stays_in_bounds_and_is_symmetric(counts: tuple[int, int], level: float) -> None:
    hits, n = counts
    (low, high), (mirrored_low, mirrored_high) = wilson(hits, n, level), wilson(n - hits, n, level)
    assert 0 <= low <= hits / n <= high <= 1
    assert (float(low), float(high)) == pytest.approx((1 - float(mirrored_high), 1 - float(mirrored_low)))


@settings(deadline=None)
@given(COUNTS, st.integers(2, 50))
def test_more_items_at_the_same_share_give_a_narrower_interval(counts: tuple[int, int], times: int) -> None:
    hits, n = counts
    (low, high), (near_low, near_high) = wilson(hits, n), wilson(hits * times, n * times)
    assert near_high - near_low < high - low


def test_whole_columns_are_done_at_once_and_nothing_tried_has_no_interval() -> None:
    low, high = wilson([0, 5, 0], [0, 10, 10])
    assert np.isnan([low[0], high[0]]).all()
    assert (low[1], low[2]) == pytest.approx((0.2366, 0.0), abs=1e-4)
    assert math.isnan(rate(0, 0).value)
    assert rate(0, 0).n == 0


@pytest.mark.parametrize(("hits", "n"), [(3, 2), (-1, 2), (float("nan"), 2)])
def test_impossible_counts_are_refused(hits: float, n: int) -> None:
    with pytest.raises(InputError, match="successes must lie between"):
        wilson(hits, n)


def test_a_level_is_a_share() -> None:
    with pytest.raises(InputError, match=r"level 95 is not between 0 and 1; 0\.95 is usual"):
        wilson(1, 2, 95)


# --- clusters ---------------------------------------------------------------------------------------------------------


def test_the_clustered_error_by_hand() -> None:
    """Sums about the mean of 3 are -2, 0 and 2 in clusters of two: sqrt(3/2 * (4 + 0 + 4)) / 6 = 0.5774, with two degrees."""
    found = clustered_mean([1, 3, 2, 4, 3, 5], ["a", "a", "b", "b", "c", "c"])
    assert (found.value, found.n, found.clusters) == (3, 6, 3)
    assert found.se == pytest.approx(math.sqrt(12) / 6)
    assert (found.low, found.high) == pytest.approx((3 - 4.302653 * math.sqrt(12) / 6, 3 + 4.302653 * math.sqrt(12) / 6))


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 5)), min_size=2, max_size=60))
def test_the_clustered_error_is_that_of_statsmodels_for_clusters_of_one_size(drawn: list[tuple[float, int]]) -> None:
    """statsmodels gives CR1; with clusters of one size the bias-reduced error is the same but for (n - 1) / n."""
    values = np.array([value for value, _ in drawn for _ in range(2)]) + np.tile([0.0, 1.0], len(drawn))
    names = np.repeat(np.arange(len(drawn)), 2)
    assume(len(drawn) > 2 and np.ptp(values) > 1e-3)
    model = OLS(values, np.ones(values.size)).fit(cov_type="cluster", cov_kwds={"groups": names, "use_correction": True})
    assert clustered_mean(values + 100, names).se == pytest.approx(float(model.bse[0]), rel=1e-6, abs=1e-9)


def test_values_without_clusters_have_the_usual_error() -> None:
    values = np.array([2.5, 3.0, 7.0, 1.0])
    found = clustered_mean(values, range(4))
    error = values.std(ddof=1) / 2
    assert found.se == pytest.approx(error)
    assert found.high == pytest.approx(values.mean() + t.ppf(0.975, 3) * error)


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=8))
def test_the_variance_and_its_degrees_are_those_of_the_matrices_that_define_them(sizes: list[int]) -> None:
    """Bell and McCaffrey's estimator, written out with a design of ones and projection matrices."""
    n, counts = sum(sizes), np.array(sizes, dtype=float)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    values = np.random.default_rng(n).normal(size=n)
    away = np.eye(n) - np.full((n, n), 1 / n)
    parts = []
    for cluster in range(len(sizes)):
        mine = np.flatnonzero(owner == cluster)
        own = away[np.ix_(mine, mine)]
        eigen, vectors = np.linalg.eigh(own)
        root = vectors @ np.diag(eigen.clip(1e-12) ** -0.5) @ vectors.T
        parts.append(away[mine].T @ root @ np.ones(mine.size) / n)
    gathered = np.array(parts)
    sums = np.bincount(owner, values).astype(np.float64)
    assert float(variance_of_mean(sums, counts)) == pytest.approx(float(np.sum((gathered @ values) ** 2)))
    spread = gathered @ gathered.T
    assert degrees_of_freedom(counts) == pytest.approx(np.trace(spread) ** 2 / np.sum(spread**2))


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=8), st.floats(0, 1))
def test_degrees_of_freedom_allow_for_values_that_are_alike(sizes: list[int], alike: float) -> None:
    """Satterthwaite's by the matrices that define them, with the correlation `alike` inside clusters."""
    n, counts = sum(sizes), np.array(sizes, dtype=float)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    covariance = alike * (owner[:, None] == owner[None, :]) + (1 - alike) * np.eye(n)
    members = (owner == np.arange(len(sizes))[:, None]).astype(float)
    residuals = (members - np.outer(counts, np.ones(n)) / n) / np.sqrt(1 - counts / n)[:, None]
    spread = residuals @ covariance @ residuals.T
    assert degrees_of_freedom(counts, alike) == pytest.approx(np.trace(spread) ** 2 / np.sum(spread**2))


def test_the_correlation_inside_clusters_by_hand() -> None:
    """Clusters 1 3, 2 4, 6 8: between 2 * (4 + 1 + 9) / 2 = 14, within 6 / 3 = 2; (14 - 2) / 2 = 6 of 8."""
    assert correlation(np.array([1.0, 3, 2, 4, 6, 8]), np.array([0, 0, 1, 1, 2, 2])) == pytest.approx(6 / 8)


# --- shares in clusters ---------------------------------------------------------------------------------------------

RIGHT = st.lists(st.integers(1, 9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2, max_size=30)


def change(drawn: list[tuple[int, int]], cluster: int, known: float) -> float:
    """Return by how much the mixed design effect changes with one cluster's weight."""
    by = 1e-4 * np.eye(len(drawn))[cluster]
    more, less = (np.dot([known, 1 - known], effects(drawn, 1 + step)) for step in (by, -by))
    return float(more - less) / 2e-4


def effects(drawn: list[tuple[int, int]], weights: NDArray[np.float64]) -> tuple[float, float]:
    """Estimate both design effects with weighted clusters; what depends on sizes alone stays as it is."""
    right, sizes = np.array(drawn, dtype=float).T
    total, free = sizes.sum(), (sizes - 1).sum()
    share = (weights * right).sum() / (weights * sizes).sum()
    inside = (weights * right * (sizes - right) / sizes).sum() * free / (weights * (sizes - 1)).sum()
    rest = ((weights * (right - share * sizes) ** 2 / (1 - sizes / total)).sum()) / weights.mean()
    single = share * (1 - share)
    crowd = (sizes**2).sum() / total
    return float(1 + (crowd - 1) * (1 - inside / (free * single))), float(rest / total / single)


@settings(deadline=None, max_examples=60)
@given(RIGHT)
def test_share_limits_are_wilsons_by_a_design_effect_whose_degrees_are_found_by_weighing(drawn: list[tuple[int, int]]) -> None:
    right, sizes = np.array(drawn, dtype=float).T
    share, total = right.sum() / sizes.sum(), sizes.sum()
    assume(0 < share < 1 and sizes.max() > 1 and np.ptp(right - share * sizes) > 1e-9)
    alike, seen = effects(drawn, np.ones(len(drawn)))
    differ = min((right > 0).sum(), (right < sizes).sum())
    free, crowd = degrees_of_freedom(sizes), (sizes**2).sum() / total
    known = 20 / (20 + min(differ, free))
    found = known * alike + (1 - known) * seen
    effect = max((differ * found + 0.25 * max(found, crowd)) / (differ + 0.25), 0.5)
    variance = sum(change(drawn, cluster, known) ** 2 for cluster in range(len(drawn)))
    freedom = max(2 / (variance / max(effect, 1) ** 2 + 1 / free**2), free / 2)
    expected = score_interval(np.array(share), np.array(total / effect), float(t.ppf(0.975, freedom)))
    assert [float(end) for end in share_limits(right, sizes)] == pytest.approx([float(end) for end in expected], abs=1e-5)


@settings(deadline=None)
@given(RIGHT, LEVELS)
def test_the_share_of_wrong_answers_has_the_mirrored_interval(drawn: list[tuple[int, int]], level: float) -> None:
    right, sizes = np.array(drawn, dtype=float).T
    (low, high), (mirrored_low, mirrored_high) = share_limits(right, sizes, level), share_limits(sizes - right, sizes, level)
    assert (float(low), float(high)) == pytest.approx((1 - float(mirrored_high), 1 - float(mirrored_low)))
    assert 0 <= low <= right.sum() / sizes.sum() + 1e-12
    assert right.sum() / sizes.sum() - 1e-12 <= high <= 1


def test_many_benchmarks_at_once_are_each_one_alone() -> None:
    sizes = np.array([3.0, 5, 2, 7])
    sums = np.array([[1.0, 2, 0, 7], [0, 0, 0, 0], [3, 5, 2, 7], [0, 0, 1, 0]])
    low, high = share_limits(sums, sizes)
    for row, *ends in zip(sums, low, high, strict=True):
        assert [float(end) for end in share_limits(row, sizes)] == ends


def test_clusters_that_are_all_alike_inside_are_worth_one_answer_each() -> None:
    sums, sizes = np.repeat([0.0, 8.0], [30, 70]), np.full(100, 8.0)
    assert [float(end) for end in share_limits(sums, sizes)] == pytest.approx(
        [rate(70, 100).low, rate(70, 100).high], abs=0.004
    )


@settings(deadline=None)
@given(st.integers(2, 40), st.integers(1, 9))
def test_clusters_of_one_size_have_one_degree_less_than_there_are(clusters: int, size: int) -> None:
    assert degrees_of_freedom(np.full(clusters, float(size))) == pytest.approx(clusters - 1)
    assert effective_clusters(np.full(clusters, float(size))) == pytest.approx(clusters)


@settings(deadline=None)
@given(BITS, LEVELS)
def test_right_and_wrong_without_clusters_is_wilson(bits: list[int], level: float) -> None:
    assert clustered_mean(bits, range(len(bits)), level)[:5] == rate(sum(bits), len(bits), level)[:5]


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4)), min_size=1, max_size=30), LEVELS)
def test_an_interval_of_scores_holds_its_mean_and_stays_in_bounds(drawn: list[tuple[float, int]], level: float) -> None:
    found = clustered_mean([value for value, _ in drawn], [name for _, name in drawn], level)
    if math.isnan(found.low):
        assert found.clusters == 1
        return
    assert 0 <= found.low <= found.value <= found.high <= 1


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=2, max_size=30))
def test_what_clusters_are_called_and_the_order_do_not_matter(drawn: list[tuple[int, int]]) -> None:
    values, names = [value for value, _ in drawn], [name for _, name in drawn]
    found = clustered_mean(values, names)
    again = clustered_mean(values[::-1], [f"fact {9 - name}" for name in names[::-1]])
    assert again == pytest.approx(found, nan_ok=True)


def test_items_asked_twice_tell_no_more_than_once() -> None:
    """An answer copied is no second observation: the interval of five copies is about that of one."""
    bits = [1, 0, 1, 1, 0, 1, 1, 1, 0, 1] * 5
    once, copied = clustered_mean(bits, range(50)), clustered_mean(np.repeat(bits, 5), np.repeat(range(50), 5))
    naive = rate(5 * sum(bits), 250)
    assert copied.high - copied.low == pytest.approx(once.high - once.low, rel=0.06)
    assert naive.high - naive.low < 0.5 * (copied.high - copied.low)


def test_all_right_in_three_clusters_is_no_certainty() -> None:
    found = clustered_mean([1] * 30, ["a"] * 10 + ["b"] * 10 + ["c"] * 10)
    assert (found.value, found.high) == (1, 1)
    assert found.low < 0.2


def test_missing_values_are_left_out_and_one_cluster_has_no_interval() -> None:
    assert clustered_mean([1, float("nan"), 0], ["a", "b", "c"]).n == 2
    alone = clustered_mean([1, 0], ["a", "a"])
    assert (alone.value, alone.clusters) == (0.5, 1)
    assert math.isnan(alone.low)
    assert math.isnan(clustered_mean([], []).value)
    with pytest.raises(ValueError, match="2 values, but 1 clusters"):
        clustered_mean([1, 0], ["a"])


# --- two models -------------------------------------------------------------------------------------------------------


def test_two_models_by_hand() -> None:
    """Of ten items the first alone gets four, the second alone one: p = 2 * 6 / 32; with half a pair more, (4.5 - 1.5) / 12."""
    found = paired([1, 1, 1, 1, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 0, 0, 0])
    assert (found.difference, found.only_a, found.only_b, found.n) == (0.3, 4, 1, 10)
    assert found.p == pytest.approx(2 * 6 / 32)
    half = 1.959964 * math.sqrt((6 / 12 - (3 / 12) ** 2) / 12)
    assert (found.low, found.high) == pytest.approx((3 / 12 - half, 3 / 12 + half))


PAIRS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=80)


@settings(deadline=None)
@given(PAIRS)
def test_mcnemar_is_the_binomial_test_or_what_statsmodels_says(drawn: list[tuple[int, int]]) -> None:
    found = paired([a for a, _ in drawn], [b for _, b in drawn])
    discordant = found.only_a + found.only_b
    if discordant >= 25:
        table = [[0, found.only_a], [found.only_b, 0]]
        assert found.p == pytest.approx(float(mcnemar(table, exact=False, correction=False).pvalue))
        return
    assert found.p == pytest.approx(binomtest(found.only_a, discordant).pvalue if discordant else 1)


@settings(deadline=None)
@given(PAIRS)
def test_the_models_changed_about_change_the_sign_and_nothing_else(drawn: list[tuple[int, int]]) -> None:
    a, b = zip(*drawn, strict=True)
    found, back = paired(a, b), paired(b, a)
    assert (back.difference, back.low, back.high) == pytest.approx((-found.difference, -found.high, -found.low))
    assert (back.only_a, back.only_b, back.p) == (found.only_b, found.only_a, found.p)
    assert -1 <= found.low <= found.difference <= found.high <= 1


@settings(deadline=None)
@given(PAIRS)
def test_clusters_of_one_item_are_no_clusters(drawn: list[tuple[int, int]]) -> None:
    a, b = zip(*drawn, strict=True)
    found, clustered = paired(a, b), paired(a, b, range(len(drawn)))
    assert clustered[:6] == found[:6]
    assert clustered.p == pytest.approx(found.p)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 6)), min_size=1, max_size=40))
def test_by_clusters_all_ways_of_falling_are_counted(drawn: list[tuple[int, int, int]]) -> None:
    a, b, names = zip(*drawn, strict=True)
    gaps = np.bincount(names, np.subtract(a, b))
    gaps = gaps[gaps != 0]
    ways = [abs(float(np.dot(signs, gaps))) for signs in product((1, -1), repeat=gaps.size)]
    assert paired(a, b, names).p == pytest.approx(np.mean(np.array(ways) >= abs(gaps.sum())))


def test_five_facts_are_not_fifty_items() -> None:
    """One model wins all ten questions on each of five facts: as items beyond doubt, as facts 2 in 32."""
    names = np.repeat(range(5), 10)
    assert paired([1] * 50, [0] * 50).p < 1e-9
    found = paired([1] * 50, [0] * 50, names)
    assert (found.p, found.test, found.clusters) == (2 / 32, "McNemar by clusters, exact", 5)


def test_many_clusters_are_tested_by_chi_square() -> None:
    """Thirty facts, twenty for one and ten for the other model, two questions each: (40 - 20)^2 / (30 * 4)."""
    a = np.repeat([1] * 20 + [0] * 10, 2)
    found = paired(a, 1 - a, np.repeat(range(30), 2))
    assert found.test == "McNemar by clusters"
    assert found.p == pytest.approx(math.erfc(math.sqrt(400 / 120 / 2)))


def test_scores_between_right_and_wrong_are_compared_by_t() -> None:
    a, b = [0.5, 1.0, 0.25, 0.75], [0.25, 0.5, 0.5, 0.5]
    gap = np.subtract(a, b)
    found = paired(a, b)
    error = gap.std(ddof=1) / 2
    assert (found.difference, found.only_a, found.only_b, found.test) == (0.1875, 3, 1, "t")
    assert found.p == pytest.approx(2 * t.sf(gap.mean() / error, 3))
    assert found.high == pytest.approx(gap.mean() + t.ppf(0.975, 3) * error)


def test_items_that_one_model_lacks_are_left_out() -> None:
    found = paired([1, float("nan"), 0], [0, 1, float("nan")])
    assert (found.n, found.only_a, found.difference) == (1, 1, 1.0)
    nothing = paired([], [])
    assert (nothing.n, nothing.only_a) == (0, 0)
    assert math.isnan(nothing.p)
    with pytest.raises(ValueError, match="1 scores of one model, 2 of the other"):
        paired([1], [1, 0])


# --- many comparisons -------------------------------------------------------------------------------------------------


def test_holm_by_hand() -> None:
    """0.01 * 3, then 0.03 * 2, and 0.04 * 1 may not fall below it."""
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_only_raises_keeps_the_order_and_is_within_bonferroni(p: list[float]) -> None:
    raw, adjusted = np.array(p), holm(p)
    assert np.all((raw <= adjusted) & (adjusted <= np.minimum(1, raw * raw.size) + 1e-12))
    assert np.all(np.diff(adjusted[np.argsort(raw)]) >= 0)


@pytest.mark.parametrize("count", [1, 7, 40])
def test_holm_is_what_statsmodels_says(count: int) -> None:
    raw = np.random.default_rng(count).beta(0.3, 2, count)
    assert holm(raw) == pytest.approx(multipletests(raw, method="holm")[1])


def test_a_comparison_that_could_not_be_made_does_not_count() -> None:
    adjusted = holm([0.02, float("nan"), 0.5])
    assert adjusted[[0, 2]].tolist() == pytest.approx([0.04, 0.5])
    assert np.isnan(adjusted[1])
    assert holm([]).size == 0
