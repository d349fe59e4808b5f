"""Statistics of scores: intervals, comparisons, sample sizes, and what a verifier's own errors do to a score.

```
python -m evaluators.statistics interval 87 100
python -m evaluators.statistics needed 0.70 0.75 --correlation 0.5
```

Of the libraries, statsmodels takes over a second to import and scipy.special a tenth: they are imported by the functions
that need them, and what reports ask for of every number (Wilson, Holm) is numpy alone. Where a formula is written out here
for that reason, the tests compare it with statsmodels or scipy.
"""

from __future__ import annotations

from evaluators.statistics.choices import ChoiceBaseline, choice_baseline
from evaluators.statistics.clustered import clustered_mean
from evaluators.statistics.comparison import Detectable, Paired, detectable, holm, items_needed, paired, paired_by_side
from evaluators.statistics.intervals import Estimate, rate, wilson
from evaluators.statistics.verifier import Confusion, corrected

__all__ = [
    "ChoiceBaseline", "Confusion", "Detectable", "Estimate", "Paired", "choice_baseline", "clustered_mean", "corrected",
    "detectable", "holm", "items_needed", "paired", "paired_by_side", "rate", "wilson",
]  # fmt: skip
