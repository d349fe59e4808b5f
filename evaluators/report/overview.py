"""The numbers that every report has: what the answers came to, and models against each other on the same items.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import polars as pl

from evaluators.metrics import Measure, Table
from evaluators.metrics.table import rates
from evaluators.report.compare import ASKED, RIGHT, SCORED, Side, compared, values_of
from evaluators.statistics import holm

__all__ = ["outcomes", "pairs", "sides"]

_STATES = {"correct": "correct", "incorrect": "incorrect", "abstained": "abstained", "unscored": "unscored"}
_MISSING = {"unjudged": "no verdict", "unasked": "not asked"}
_MODELS = 8  # models of which all pairs are compared


def _dims(answers: pl.DataFrame) -> list[str]:
    return ["model", "run"] if answers["run"].null_count() < answers.height else ["model"]


def outcomes(answers: pl.DataFrame) -> Table:
    """Return what the answers of each model came to; `answers` as `evaluators.metrics.joined` gives them."""
    dims, asked = _dims(answers), answers.filter(ASKED)
    cells = rates(asked, dims, {"accuracy": pl.when(SCORED).then(RIGHT)})
    states = [(pl.col("state") == state).sum().cast(pl.Int64).alias(state) for state in (*_STATES, *_MISSING)]
    frame = cells.join(asked.group_by(dims).agg(states), on=dims, how="left", nulls_equal=True, maintain_order="left")
    measures = [
        Measure("accuracy", "accuracy", "rate", "correct / (correct + incorrect + abstained)"),
        *(Measure(state, title, "count", f"answers that are {title}") for state, title in _STATES.items()),
        Measure("unjudged", "no verdict", "count", "answers that nobody judged"),
        Measure("unasked", "not asked", "count", "items that the model was not asked, though others of their kind were"),
    ]
    note = (
        "A vote counts instead of its samples; otherwise each sample counts. "
        "Where nobody knows the answer, abstaining is right."
    )
    return Table.of("overview.outcomes", ("What the answers came to", "the outcomes of the verdicts", note), measures, frame)


def sides(answers: pl.DataFrame) -> list[Side]:
    """Return each model (of each run) with its values, in the order of their names."""
    keys = answers.select("model", "run").unique().sort("model", "run").rows()
    return [Side(model, run) for model, run in keys]


def pairs(answers: pl.DataFrame, models: Sequence[Side]) -> Table | None:
    """Return each model against each other, on the items that both were scored on; null where there is one model."""
    if not 2 <= len(models) <= _MODELS:
        return None
    values = {side: values_of(answers, side) for side in models}
    rows = [{"first": a.name, "second": b.name} | compared(values[a], values[b]).row() for a, b in combinations(models, 2)]
    rows = [row for row in rows if row["difference_n"]]
    if not rows:
        return None
    frame = pl.DataFrame(rows).with_columns(p_holm=pl.Series(holm([row["p"] for row in rows])).fill_nan(None))
    measures = [
        Measure("difference", "difference", "number", "accuracy of the first minus accuracy of the second, on the same items"),
        Measure("only_a", "only the first", "count", "items that only the first got right"),
        Measure("only_b", "only the second", "count", "items that only the second got right"),
        Measure("p", "p", "number", "how often chance alone gives such a difference (McNemar's test, whole facts as clusters)"),
        Measure("p_holm", "p, Holm", "number", "the same, allowing for how many pairs are compared here"),
    ]
    note = (
        "An item counts with the share of its scored answers that are correct. "
        "Items that one of the two was not scored on are left out."
    )
    about = "Model against model", "Paired comparison on the same items; Miller (2024), section 4.2; Holm (1979)", note
    return Table.of("overview.pairs", about, measures, frame)
