"""Pearson's correlation of metrics over models, after LLM-as-KB (Zheng et al., 2024), section 5.1 and table 2.

```
python -c 'import evaluators.metrics.correlations as c; help(c.pearson)'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from evaluators.metrics.table import Measure, Table

__all__ = ["PAIRS", "correlations", "pearson"]

PAIRS = (
    ("NCR", "UR"), ("NCCR", "IUR"), ("C_correct", "C_wrong"), ("NCR", "C_correct"), ("NCR", "C_wrong"), ("UR", "C_correct"),
    ("UR", "C_wrong"),
)  # fmt: skip
"""The pairs of table 2."""

_FEWEST = 3
_MEASURES = (
    Measure("r", "Pearson's r", "number"),
    Measure("p", "p", "number", "two-sided, of no correlation"),
    Measure("models", "models", "count", "models that have both numbers"),
)


def pearson(a: ArrayLike, b: ArrayLike) -> tuple[float | None, float | None]:
    """Return the correlation and its two-sided p (Student's t with n - 2 degrees of freedom); null where undefined.

    >>> pearson([1, 2, 3], [1, 2, 4])
    (0.98..., 0.12...)
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.size < _FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None, None
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    if abs(r) == 1:
        return r, 0.0
    from scipy.special import stdtr  # type: ignore[import-untyped]

    t = abs(r) * math.sqrt((x.size - 2) / (1 - r * r))
    return r, float(2 * stdtr(x.size - 2, -t))


def correlations(numbers: pl.DataFrame, dims: list[str]) -> list[Table]:
    """Return the table of correlations over the models of each run; none with fewer than three models.

    Parameters: `numbers` has a row for each model (and run) and the metrics as columns.
    """
    runs = [name for name in dims if name != "model"]
    parts = numbers.partition_by(runs, as_dict=True) if runs else {(): numbers}
    rows = [
        {**dict(zip(runs, map(str, cell), strict=True)), "metrics": f"{a} and {b}", **_correlated(part, a, b)}
        for cell, part in sorted(parts.items(), key=lambda found: tuple(map(str, found[0])))
        for a, b in PAIRS
    ]
    frame = pl.DataFrame(rows, schema_overrides={"r": pl.Float64, "p": pl.Float64})
    about = (
        "Correlations between metrics over models",
        "LLM-as-KB (Zheng et al., 2024), section 5.1, table 2",
        "At least three models.",
    )
    table = Table.of("unseenqa.correlations", about, _MEASURES, frame.filter(pl.col("models") >= _FEWEST))
    return [table] if table.frame.height else []


def _correlated(part: pl.DataFrame, a: str, b: str) -> dict[str, float | int | None]:
    both = part.select(a, b).drop_nulls()
    r, p = pearson(both[a].to_numpy(), both[b].to_numpy())
    return {"r": r, "p": p, "models": both.height}
