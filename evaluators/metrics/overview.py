"""How many answers of each task are correct, and what the others are: the table that every report begins with.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import evaluators.metrics.overview; help(evaluators.metrics.overview)'
```

    accuracy  = correct / answers        abstained = abstained / answers

An answer is what is scored: correct, incorrect or abstained; what is unscored, without a verdict or not asked is shown beside.
Where nobody knows (`answer` null) an abstention is what is wanted: accuracy is abstained / answers there, in a row of its own
(`unanswerable`). Questions made from an answer (consistency) have no truth and are left out. As published nothing changes.
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import COUNTED
from evaluators.metrics.rates import rates
from evaluators.metrics.scope import COUNTS, counts, named, who
from evaluators.metrics.table import Measure, Table

__all__ = ["overview_tables"]

_MEASURES = (
    Measure("accuracy", "accuracy", "rate", "correct, or where nobody knows abstained"),
    Measure("abstention", "abstentions", "rate", "the model says that it does not know"),
)


def overview_tables(answers: pl.DataFrame) -> list[Table]:
    """Return the table of all methods and tasks; none without an answer.

    Parameters: `answers` as `joined` gives them.
    """
    unknowable = pl.col("accepted").list.len().fill_null(0) == 0
    asked = named(answers.filter(pl.col("parent_item").is_null()), "method", "task")
    if not asked.height:
        return []
    task = pl.when(unknowable).then(pl.lit("unanswerable")).otherwise("task").alias("task")
    parts = asked.select("model", "run", "method", task, "group", "state")
    dims, state = [*who(answers), "method", "task"], pl.col("state")
    good = pl.when(pl.col("task") == "unanswerable").then(state == "abstained").otherwise(state == "correct")
    counted = state.is_in(COUNTED)
    frame = rates(
        parts, dims, {"accuracy": pl.when(counted).then(good), "abstention": pl.when(counted).then(state == "abstained")}
    )
    frame = frame.join(parts.group_by(dims).agg(counts()), on=dims, how="left", maintain_order="left")
    about = (
        "All tasks",
        "the outcomes of the verdicts",
        "Correct, incorrect and abstained are answers; the rest is left out and shown.",
    )
    return [Table.of("overview.tasks", about, (*_MEASURES, *COUNTS), frame)]
