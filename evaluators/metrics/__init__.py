"""Metrics: one module for each paper, each with its formulas and what an outcome counts as.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import evaluators.metrics.fpq; help(evaluators.metrics.fpq)'
```
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.across import across_tables
from evaluators.metrics.answers import ITEM_COLUMNS, RESPONSE_COLUMNS, VERDICT_COLUMNS, joined
from evaluators.metrics.autodebug import autodebug_tables
from evaluators.metrics.erbench import erbench_tables
from evaluators.metrics.factbench import factbench_tables
from evaluators.metrics.fpq import fpq_tables
from evaluators.metrics.overview import overview_tables
from evaluators.metrics.table import ALL, NOWHERE, Measure, Table
from evaluators.metrics.unseenqa import unseenqa_tables

__all__ = [
    "ALL", "ITEM_COLUMNS", "NOWHERE", "RESPONSE_COLUMNS", "VERDICT_COLUMNS", "Measure", "Table", "across_tables",
    "autodebug_tables", "erbench_tables", "factbench_tables", "fpq_tables", "joined", "overview_tables",
    "tables", "unseenqa_tables",
]  # fmt: skip


def tables(
    items: pl.DataFrame,
    responses: pl.DataFrame,
    verdicts: pl.DataFrame,
    *,
    as_published: bool = False,
    entailed: pl.DataFrame | None = None,
) -> list[Table]:
    """Return all tables that these records can fill, of all five papers and across items.

    Parameters: frames as `queries.records.read_frame` gives them (the columns `ITEM_COLUMNS`, `RESPONSE_COLUMNS` and
    `VERDICT_COLUMNS` are read). Responses and verdicts of several runs may be one frame each, with a column `run` that names
    them; `as_published` maps outcomes as each paper does; `entailed` has the lines of `evaluators.entailment`.

    >>> items = pl.DataFrame({"id": ["i"], "task": ["open"], "group": ["g"]})
    >>> tables(items, pl.DataFrame({"item": [], "model": []}), pl.DataFrame())
    []
    """
    answers = joined(items, responses, verdicts)
    voted = "sample" in verdicts.columns and verdicts["sample"].null_count() > 0
    samples = joined(items, responses, verdicts, votes=False) if voted else answers
    return [
        *overview_tables(answers),
        *fpq_tables(answers, as_published=as_published),
        *erbench_tables(answers, as_published=as_published),
        *factbench_tables(samples, as_published=as_published),
        *unseenqa_tables(samples, as_published=as_published),
        *autodebug_tables(samples, entailed, as_published=as_published),
        *across_tables(answers),
    ]
