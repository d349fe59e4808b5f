"""Many comparisons at once: p-values that allow for how many were made.

```
python -c 'from evaluators.statistics import holm; print(holm([0.01, 0.04, 0.03]))'
python -m pytest tests/evaluators/test_statistics.py
```
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["holm"]


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
