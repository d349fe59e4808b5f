"""Tails and quantiles are those of SciPy, and sample sizes those of statsmodels, neither of which is installed with us."""

from __future__ import annotations

import math
from itertools import product

import pytest
from scipy.special import chdtrc, stdtr, stdtrit
from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

from evaluators.statistics import distributions, items_needed
from evaluators.statistics.distributions import chi2_tail, t_reached, t_tail
from evaluators.statistics.intervals import t_quantile

DEGREES = (0.4, 1, 1.5, 2, 3.7, 9, 30, 100, 1234.5, 1e5, 1e6)


@pytest.mark.parametrize("df", DEGREES)
def test_student_s_t_is_that_of_scipy(df: float) -> None:
    for t in (0, 1e-3, 0.5, 1, 2, 5, 12, 40):
        assert t_tail(t, df) == pytest.approx(float(stdtr(df, -t)), rel=1e-8)
    for level in (0.01, 0.5, 0.8, 0.95, 0.999):
        assert t_reached((1 - level) / 2, df) == pytest.approx(float(stdtrit(df, (1 + level) / 2)), rel=1e-8)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_many_degrees_of_freedom_take_no_more_steps(level: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a benchmark has groups of items: rounding errors once kept the search going for seconds."""
    tails = []

    def counted(t: float, df: float) -> float:
        tails.append(t)
        return t_tail(t, df)

    monkeypatch.setattr(distributions, "t_tail", counted)
    for df in (1e5, 1e6):
        t_reached((1 - level) / 2, df)
    assert len(tails) < 40


@pytest.mark.parametrize("df", [1, 2, 3, 5, 10, 50, 300])
def test_chi_square_is_that_of_scipy(df: int) -> None:
    for x in (0, 0.01, 0.5, 1, 3, 10, 50, 200, 600):
        assert chi2_tail(x, df) == pytest.approx(float(chdtrc(df, x)), rel=1e-11, abs=1e-300)


def test_no_degrees_of_freedom_give_no_quantile() -> None:
    assert math.isnan(t_quantile(0.95, math.nan))
    assert math.isnan(t_quantile(0.95, 0))


def test_items_needed_are_those_of_statsmodels() -> None:
    for p1, p2, power, level in product((0.1, 0.5, 0.7), (0.2, 0.55, 0.9), (0.8, 0.95), (0.9, 0.99)):
        other = samplesize_proportions_2indep_onetail(p1 - p2, p2, power, alpha=1 - level)
        assert items_needed(p1, p2, power=power, level=level) == math.ceil(float(other) - 1e-9)
