"""Statistics of scores: intervals, comparisons, sample sizes, and what a verifier's own errors do to a score.

```
python -m evaluators.statistics interval 87 100
python -m evaluators.statistics needed 0.70 0.75 --correlation 0.5
```

All of it is numpy and the standard library: SciPy and statsmodels, with pandas, are 300 MB and a second to import. The tests
compare each formula that is written out here for that reason with theirs.
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
