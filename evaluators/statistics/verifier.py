"""Scores corrected for the verifier's own errors, as measured on answers that people judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evaluators.statistics.intervals import Estimate, Floats, normal_quantile, undefined
from kg.errors import InputError


class Confusion(NamedTuple):
    """How a verifier judged the answers that people judged too.

    Right answers that it accepted and rejected, wrong ones that it accepted and rejected.
    """

    right_accepted: int
    right_rejected: int
    wrong_accepted: int
    wrong_rejected: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Confusion:
        """Count pairs of people's judgement and the verifier's.

        >>> Confusion.of([(True, True), (True, False), (False, False), (False, False)])
        Confusion(right_accepted=1, right_rejected=1, wrong_accepted=0, wrong_rejected=2)
        """
        judged = [(bool(people), bool(verifier)) for people, verifier in pairs]
        return cls(*(judged.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))))

    @property
    def sensitivity(self) -> float:
        """The share of right answers that are accepted; nan where people found none right.

        >>> Confusion(45, 5, 3, 47).sensitivity
        0.9
        """
        return _share(self.right_accepted, self.right_rejected)

    @property
    def specificity(self) -> float:
        """The share of wrong answers that are rejected; nan where people found none wrong.

        >>> Confusion(45, 5, 3, 47).specificity
        0.94
        """
        return _share(self.wrong_rejected, self.wrong_accepted)


def _share(hits: int, misses: int) -> float:
    return hits / (hits + misses) if hits + misses else float("nan")


def corrected(successes: int, n: int, confusion: Confusion, level: float = 0.95) -> Estimate:
    """Return the share of right answers that lies behind a share of accepted ones, between 0 and 1.

    Rogan & Gladen (1978), Estimating prevalence from the results of a screening test, American Journal of Epidemiology
    107(1): (accepted + specificity - 1) / (sensitivity + specificity - 1). The interval allows for the confusion matrix
    being a sample too. The people must have judged a random sample of answers, or random samples of right and of wrong
    ones, and the answers scored must be like them; of a sample drawn by verdict (so many accepted, so many rejected) the
    rates are not these.

    Returns: nan where the verifier is no better than chance (sensitivity + specificity at most 1), or one of the two is
    unknown.
    Raises InputError where a count is negative or there are more successes than answers.

    >>> estimate = corrected(70, 100, Confusion(45, 5, 3, 47))
    >>> round(estimate.value, 3), round(estimate.low, 3), round(estimate.high, 3)
    (0.762, 0.629, 0.899)
    """
    if min(successes, n - successes, *confusion) < 0:
        raise InputError("counts cannot be negative, nor successes more than answers", way_out="count again")
    return corrected_share(successes / n, n, confusion, level)._replace(n=n) if n else undefined(n)


def corrected_share(share: float, worth: float, confusion: Confusion, level: float = 0.95) -> Estimate:
    """Return `corrected` of a share of accepted answers that is worth so many independent ones, also a fraction.

    >>> corrected_share(0.7, 100, Confusion(45, 5, 3, 47)) == corrected(70, 100, Confusion(45, 5, 3, 47))
    True
    """
    slope = confusion.sensitivity + confusion.specificity - 1
    if not slope > 0:
        return undefined(round(worth))
    # By chance more (or less) can be accepted than any share of right answers explains.
    value = min(max((share + confusion.specificity - 1) / slope, 0.0), 1.0)
    low, high = corrected_limits(share * worth, worth, *confusion, level=level)
    return Estimate(value, min(float(low), value), max(float(high), value), round(worth))


def corrected_limits(
    successes: ArrayLike,
    n: ArrayLike,
    right_accepted: ArrayLike,
    right_rejected: ArrayLike,
    wrong_accepted: ArrayLike,
    wrong_rejected: ArrayLike,
    *,
    level: float = 0.95,
) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of corrected shares.

    All shares of right answers with which what was accepted is in keeping, by the variance expected at that share: Wilson's
    interval, with the variance of the verifier's rates added. It is quadratic in the share (Fieller 1954, Some problems in
    interval estimation, Journal of the Royal Statistical Society B 16(2)), so that a verifier hardly better than chance gives a
    wide interval and not a wrong one. To each rate's counts half an observation is added on both sides. In simulations it holds
    as often as Lang and Reiczigel's (2014, Preventive Veterinary Medicine 113(1)), and is less often too wide.

    >>> low, high = corrected_limits(70, 100, 10**6, 0, 0, 10**6)  # a perfect verifier: Wilson's interval
    >>> round(float(low), 3), round(float(high), 3)
    (0.604, 0.781)
    """
    square = normal_quantile(level) ** 2
    hits, tried, *counts = (np.asarray(x, dtype=np.float64) for x in
                            (successes, n, right_accepted, right_rejected, wrong_accepted, wrong_rejected))  # fmt: skip
    right, wrong = counts[0] + counts[1] + 1, counts[2] + counts[3] + 1
    sensitivity, mistaken = (counts[0] + 0.5) / right, (counts[2] + 0.5) / wrong
    of_right, of_wrong = sensitivity * (1 - sensitivity) / right, mistaken * (1 - mistaken) / wrong
    slope, shown = sensitivity - mistaken, hits / tried
    # The shares p that are in keeping:
    # (shown - mistaken - slope p)^2 <= square (accepted (1 - accepted) / n + p^2 of_right + (1 - p)^2 of_wrong)
    a = slope**2 + square * (slope**2 / tried - of_right - of_wrong)
    b = -2 * slope * (shown - mistaken) - square * (slope * (1 - 2 * mistaken) / tried - 2 * of_wrong)
    c = (shown - mistaken) ** 2 - square * (mistaken * (1 - mistaken) / tried + of_wrong)
    known = (a > 0) & (slope > 0)  # a few labels more could still turn it: then anything between 0 and 1
    middle, half = (np.divide(x, 2 * a, out=np.full(np.shape(known), 0.5), where=known) for x in
                    (-b, np.sqrt(np.maximum(b**2 - 4 * a * c, 0))))  # fmt: skip
    return np.where(known, np.clip(middle - half, 0, 1), 0.0), np.where(known, np.clip(middle + half, 0, 1), 1.0)
