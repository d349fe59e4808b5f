"""Scores corrected for the verifier's own errors, as measured on answers that people judged.

```
python -m evaluators.statistics corrected 70 100 --confusion 45,5,3,47
python -c 'from evaluators.statistics import Confusion, corrected; print(corrected(70, 100, Confusion(45, 5, 3, 47)))'
```
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluators.statistics.estimate import Estimate, normal_quantile, undefined
from kg.errors import InputError

__all__ = ["Confusion", "corrected", "corrected_limits"]

Floats = NDArray[np.float64]


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
        seen = [(bool(people), bool(verifier)) for people, verifier in pairs]
        return cls(*(seen.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))))

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
    (0.762, 0.633, 0.91)
    """
    if min(successes, n - successes, *confusion) < 0:
        raise InputError("counts cannot be negative, nor successes more than answers", way_out="count again")
    slope = confusion.sensitivity + confusion.specificity - 1
    if not n or not slope > 0:
        return undefined(n)
    value = min(max((successes / n + confusion.specificity - 1) / slope, 0.0), 1.0)
    low, high = corrected_limits(successes, n, *confusion, level=level)
    return Estimate(value, min(float(low), value), max(float(high), value), n)


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

    Lang & Reiczigel (2014), Confidence limits for prevalence of disease adjusted for estimated sensitivity and specificity,
    Preventive Veterinary Medicine 113(1), equations 4, 6, 7, 16 and 17: observations added to all three rates, and a shift.

    >>> low, high = corrected_limits(70, 100, 1000, 0, 0, 1000)  # an all but perfect verifier: nearly Wilson's 0.604 to 0.781
    >>> round(float(low), 2), round(float(high), 2)
    (0.6, 0.78)
    """
    z = normal_quantile(level)
    hits, tried, *counts = (np.asarray(x, dtype=np.float64) for x in
                            (successes, n, right_accepted, right_rejected, wrong_accepted, wrong_rejected))  # fmt: skip
    right, wrong = counts[0] + counts[1] + 2, counts[2] + counts[3] + 2
    sensitivity, specificity = (counts[0] + 1) / right, (counts[3] + 1) / wrong
    seen, shown = tried + z**2, (hits + z**2 / 2) / (tried + z**2)
    slope = np.asarray(sensitivity + specificity - 1)
    known = slope > 0  # a few labels more could still turn it: then anything between 0 and 1
    slope = np.where(known, slope, np.nan)
    share = (shown + specificity - 1) / slope
    of_right, of_wrong = sensitivity * (1 - sensitivity) / right, specificity * (1 - specificity) / wrong
    shift = 2 * z**2 * (share * of_right - (1 - share) * of_wrong)
    half = z / slope * np.sqrt(shown * (1 - shown) / seen + share**2 * of_right + (1 - share) ** 2 * of_wrong)
    low, high = np.clip(share + shift - half, 0, 1), np.clip(share + shift + half, 0, 1)
    return np.where(known, low, 0.0), np.where(known, high, 1.0)
