"""Metrics: one module for each paper, each with its formulas and what an outcome counts as.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import evaluators.metrics.fpq; help(evaluators.metrics.fpq)'
```

A metric is a function from `Answers` to `Table`s that a package names in the entry point group `kgprobe.metrics`; ours are
named there too (`pyproject.toml`).
"""

from __future__ import annotations

from typing import Protocol

import polars as pl

from evaluators.metrics.answers import (
    COUNTS,
    ITEM_COLUMNS,
    RESPONSE_COLUMNS,
    VERDICT_COLUMNS,
    Answers,
    counts,
    joined,
    named,
    right,
    who,
)
from evaluators.metrics.table import ALL, NOWHERE, Measure, Table, rates, with_totals
from kg.errors import InputError
from kg.plugins import load_plugins

__all__ = [
    "ALL", "COUNTS", "ITEM_COLUMNS", "NOWHERE", "RESPONSE_COLUMNS", "VERDICT_COLUMNS", "Answers", "Measure", "Metric", "Table",
    "all_tables", "counts", "joined", "named", "rates", "right", "tables", "who", "with_totals",
]  # fmt: skip

_FIRST = ("overview", "fpq", "erbench", "factbench", "unseenqa", "autodebug", "claims", "lookups", "across")
"""The order of our metrics in a report; those of other packages follow by name."""


class Metric(Protocol):
    """What a name of the entry point group `kgprobe.metrics` stands for.

    It returns no table where the answers have nothing that it measures. `as_published` asks for the outcomes to be counted
    as the metric's paper counts them; a metric without a paper ignores it.
    """

    def __call__(self, answers: Answers, *, as_published: bool = False) -> list[Table]: ...


def tables(
    items: pl.DataFrame,
    responses: pl.DataFrame,
    verdicts: pl.DataFrame,
    *,
    as_published: bool = False,
    entailed: pl.DataFrame | None = None,
) -> list[Table]:
    """Return the tables of all metrics that these records can fill.

    Parameters: frames as `queries.records.read_frame` gives them (the columns `ITEM_COLUMNS`, `RESPONSE_COLUMNS` and
    `VERDICT_COLUMNS` are read). Responses and verdicts of several runs may be one frame each, with a column `run` that names
    them; `as_published` maps outcomes as each paper does; `entailed` has the lines of `evaluators.entailment`.
    Raises what `all_tables` raises.

    >>> items = pl.DataFrame({"id": ["i"], "task": ["open"], "group": ["g"]})
    >>> tables(items, pl.DataFrame({"item": [], "model": []}), pl.DataFrame())
    []
    """
    return all_tables(Answers.of(items, responses, verdicts, entailed), as_published=as_published)


def all_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the tables of all metrics that have something to measure: ours first, then those of other packages.

    Raises InputError where a package's metric cannot be imported or makes a table that another one made; JoinError where there
    are several runs and the entailments do not tell them apart.
    """
    by_key: dict[str, Table] = {}
    metrics: dict[str, Metric] = load_plugins("metrics")
    for name in sorted(metrics, key=_place):
        for table in metrics[name](answers, as_published=as_published):
            if table.key in by_key:
                problem = f"metric '{name}' makes a table '{table.key}', which another one made"
                raise InputError(problem, way_out=f"begin the keys of its tables with '{name}.'")
            by_key[table.key] = table
    return list(by_key.values())


def _place(name: str) -> tuple[int, str]:
    """Return where a metric stands in a report.

    >>> sorted(["zeal", "bleu", "fpq", "overview"], key=_place)
    ['overview', 'fpq', 'bleu', 'zeal']
    """
    return _FIRST.index(name) if name in _FIRST else len(_FIRST), name
