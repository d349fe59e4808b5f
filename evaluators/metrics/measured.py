"""What the rules get wrong of answers that nobody tuned them to: by task, for whoever corrects a score.

The counts (`measured.toml`) are of the half of the fresh answers that was judged once, at the end; `python
tests/benchmarks/fresh.py --write` writes them. Half of those answers are ordinary ones of today's models, a third are hard to
read, and a fifth are made to mislead; a model's own answers are easier, and what is corrected by these counts is corrected by
too much rather than too little.
"""

from __future__ import annotations

import functools

from evaluators.statistics.verifier import Confusion
from kg.formats import shipped_toml


@functools.cache
def confusions() -> dict[str, Confusion]:
    """Return the confusion of each task: right answers accepted and rejected, wrong ones accepted and rejected.

    >>> sorted(confusions()) == ["choice", "context", "open", "premise", "probe", "yes_no"]
    True
    """
    return {task: Confusion(*counts) for task, counts in shipped_toml("evaluators.metrics", "measured.toml").items()}
