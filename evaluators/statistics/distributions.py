"""Tails of Student's t and of chi-square: so little of SciPy that nobody has to install its 140 MB for a report.

Incomplete beta and gamma functions by series and continued fractions: Press, Teukolsky, Vetterling & Flannery (2007), Numerical
Recipes, sections 6.2 and 6.4. The tests compare each with SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

_SMALL = 1e-300  # stands where a continued fraction would divide by nothing
_EXACT = 1e-16
_TERMS = 100_000


def t_tail(t: float, df: float) -> float:
    """Return the probability that Student's t with `df` degrees of freedom lies above `t`, which is 0 or more.

    >>> round(t_tail(2.2622, 9), 4)
    0.025
    """
    return _beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t)) / 2


def t_reached(tail: float, df: float) -> float:
    """Return the value above which Student's t lies with a probability, less than a half.

    >>> round(t_reached(0.025, 9), 4)
    2.2622
    """
    # Above 0 the distribution function is concave, so Newton's steps from the normal quantile, which is less, come from below.
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    t = NormalDist().inv_cdf(1 - tail)
    for _ in range(_TERMS):
        step = (t_tail(t, df) - tail) / (scale * math.exp(-(df + 1) / 2 * math.log1p(t * t / df)))
        t += step
        # A step back is a rounding error: with many degrees of freedom they would go on for ever.
        if step <= 1e-13 * t:
            break
    return t


def chi2_tail(x: float, df: float) -> float:
    """Return the probability that chi-square with `df` degrees of freedom lies above `x`.

    >>> round(chi2_tail(3.8415, 1), 4), round(chi2_tail(18.307, 10), 4)
    (0.05, 0.05)
    """
    if df == 1:
        return math.erfc(math.sqrt(x / 2))
    a, x = df / 2, x / 2
    if x <= 0:
        return 1.0
    weight = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        place = a
        while term > _EXACT * total:
            place += 1
            term *= x / place
            total += term
        return 1 - weight * total
    return weight * _fraction(lambda n: -n * (n - a), lambda n: x + 2 * n + 1 - a)


def _beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularised incomplete beta function; `rest` is 1 - `x`, which would lose digits near 1."""
    if x <= 0 or rest <= 0:
        return float(x > 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, rest, x)
    logs = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)

    def above(n: int) -> float:
        m = n // 2
        if n % 2:
            return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))

    return math.exp(logs) / a * _fraction(above, lambda n: 1.0)


def _fraction(above: Callable[[int], float], below: Callable[[int], float]) -> float:
    """Return 1 / (below 0 + above 1 / (below 1 + above 2 / …)), by Lentz's method."""
    d = 1 / (below(0) or _SMALL)
    c, value = 1 / _SMALL, d
    for n in range(1, _TERMS):
        d = 1 / ((below(n) + above(n) * d) or _SMALL)
        c = (below(n) + above(n) / c) or _SMALL
        value *= c * d
        if abs(c * d - 1) < _EXACT * 10:
            break
    return value
