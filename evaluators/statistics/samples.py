"""How many items it takes to tell two models apart.

```
python -m evaluators.statistics needed 0.70 0.75
python -m evaluators.statistics needed 0.70 0.75 --correlation 0.5 --power 0.9
```
"""

from __future__ import annotations

import math
from statistics import NormalDist

from evaluators.statistics.estimate import normal_quantile
from kg.errors import InputError

__all__ = ["items_needed"]


def items_needed(p1: float, p2: float, *, correlation: float = 0.0, power: float = 0.8, level: float = 0.95) -> int:
    """Return how many items tell accuracies `p1` and `p2` apart, with the power and the level asked for.

    Parameters: `correlation` of the two models' results on the same items, for McNemar's test; 0 where each model is asked
    items of its own, so many each. Models that find the same items hard have one above 0, and need fewer
    (Miller 2024, arXiv 2411.00640).
    Raises InputError where the accuracies are equal, a number is out of bounds, or no two models can be so alike.

    Own items: Fleiss, Levin & Paik (2003), Statistical methods for rates and proportions, by statsmodels. Same
    items: Connor (1987), Sample size for testing differences in proportions for the paired-sample design, Biometrics 43.

    >>> items_needed(0.70, 0.75), items_needed(0.70, 0.75, correlation=0.5)
    (1251, 631)
    """
    _in_bounds({"first accuracy": p1, "second accuracy": p2, "power": power, "level": level})
    if p1 == p2:
        raise InputError(f"two accuracies of {p1} cannot be told apart", way_out="name the difference that matters")
    if not correlation:
        from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail  # type: ignore[import-untyped]

        return math.ceil(float(samplesize_proportions_2indep_onetail(p1 - p2, p2, power, alpha=1 - level)))
    gap, discordant = p1 - p2, _discordant(p1, p2, correlation)
    reach = normal_quantile(level) * math.sqrt(discordant) + NormalDist().inv_cdf(power) * math.sqrt(discordant - gap**2)
    return math.ceil(reach**2 / gap**2)


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
