"""Two models on the same items: by how much one is better, how sure that is, and on which items only one of them was right.

```
python -m evaluators.report --items i.jsonl --responses r.jsonl --verdicts v.jsonl --compare MODEL-A MODEL-B --out report/
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from evaluators.metrics import ALL, Measure, Table
from evaluators.statistics import Paired, holm, paired
from kg.errors import InputError, nearest

__all__ = ["ASKED", "RIGHT", "SCORED", "Comparison", "Side", "compare", "compared", "find_side", "values_of"]

_SHOWN = 12  # items that the page names on each side
ASKED = pl.col("parent_item").is_null()
"""Questions with a truth: those made from an answer have none of their own."""
SCORED = pl.col("state").is_in(["correct", "incorrect", "abstained"])
RIGHT = (
    pl.when(pl.col("accepted").list.len().fill_null(0) == 0)
    .then(pl.col("state") == "abstained")
    .otherwise(pl.col("state") == "correct")
)
"""Where nobody knows the answer, it is right to abstain."""
_LEAST = 1e-300  # a p too small for a float is small, not zero


class Side(NamedTuple):
    """A model, and the run of it (null where there is one run without a name)."""

    model: str
    run: str | None = None

    @property
    def name(self) -> str:
        """What the report calls it, and the user."""
        return self.model if self.run is None else f"{self.run}:{self.model}"


def find_side(name: str, known: Sequence[Side]) -> Side:
    """Return the model that a user names, as MODEL, or as LABEL:MODEL where several runs have it.

    Raises InputError where there is none, or more than one.

    >>> find_side("a", [Side("a"), Side("b")])
    Side(model='a', run=None)
    """
    exact = [side for side in known if side.name == name]
    found = exact or [side for side in known if side.model == name]
    if not found:
        raise InputError(f"no model '{name}'", place="--compare", way_out=nearest(name, [side.name for side in known]))
    if len(found) > 1:
        names = ", ".join(side.name for side in found)
        raise InputError(f"'{name}' is in several runs", place="--compare", way_out=f"say which: {names}")
    return found[0]


def values_of(answers: pl.DataFrame, side: Side) -> pl.DataFrame:
    """Return each item's share of correct answers among its scored ones; columns `item, group, task, variant, value`."""
    run = pl.col("run").is_null() if side.run is None else pl.col("run") == side.run
    scored = answers.filter((pl.col("model") == side.model) & run & ASKED & SCORED)
    about = pl.col("group", "task", "variant", "question").first()
    return scored.group_by("item", maintain_order=True).agg(about, RIGHT.mean().alias("value"))


class Compared(NamedTuple):
    """A paired difference, and how many items both and neither got right."""

    result: Paired
    both: int
    neither: int

    def row(self) -> dict[str, Any]:
        """Return it as columns of a table."""
        r = self.result
        told = {
            "difference": r.difference,
            "difference_n": r.n,
            "difference_low": r.low,
            "difference_high": r.high,
            "p": max(r.p, _LEAST),
        }
        numbers = {name: None if value != value else value for name, value in told.items()}
        return numbers | {"only_a": r.only_a, "only_b": r.only_b, "both": self.both, "neither": self.neither}


def compared(a: pl.DataFrame, b: pl.DataFrame) -> Compared:
    """Compare two models on the items that both were scored on; frames as `values_of` gives them."""
    return _compared(_both(a, b))


def _both(a: pl.DataFrame, b: pl.DataFrame) -> pl.DataFrame:
    return a.join(b.select("item", other="value"), on="item", how="inner", maintain_order="left")


def _compared(both: pl.DataFrame) -> Compared:
    first, second = both["value"].to_numpy(), both["other"].to_numpy()
    result = paired(first, second, both["group"].to_numpy())
    same = first == second
    return Compared(result, int((same & (first > 0)).sum()), int((same & (first == 0)).sum()))


class Comparison(NamedTuple):
    """Two models: the table of their differences (all items, by task, by variant), and the items only one got right."""

    a: Side
    b: Side
    whole: Compared
    table: Table
    only_a: pl.DataFrame
    only_b: pl.DataFrame
    alone: tuple[int, int]


def compare(answers: pl.DataFrame, a: Side, b: Side) -> Comparison:
    """Compare two models; `answers` as `evaluators.metrics.joined` gives them.

    Raises InputError where they have no scored item in common.
    """
    of_a, of_b = values_of(answers, a), values_of(answers, b)
    both = _both(of_a, of_b)
    if not both.height:
        problem = f"{a.name} and {b.name} have no scored item in common"
        raise InputError(problem, place="--compare", way_out="compare models that were asked the same items")
    ahead, behind = both.filter(pl.col("value") > pl.col("other")), both.filter(pl.col("value") < pl.col("other"))
    alone = of_a.height - both.height, of_b.height - both.height
    return Comparison(a, b, _compared(both), _table(both, a, b), ahead.head(_SHOWN), behind.head(_SHOWN), alone)


def _table(both: pl.DataFrame, a: Side, b: Side) -> Table:
    parts = [(ALL, ALL, both)]
    for (task,), of_task in both.group_by("task", maintain_order=True):
        variants = of_task.group_by("variant", maintain_order=True)
        parts += [(str(task), ALL, of_task), *((str(task), str(variant), part) for (variant,), part in variants)]
    unlike = [
        part
        for n, part in enumerate(parts)
        if not any(part[2].height == other[2].height and part[0] == other[0] for other in parts[:n])
    ]
    rows = [{"first": a.name, "second": b.name, "task": t, "variant": v} | _compared(part).row() for t, v, part in unlike]
    adjusted = [None, *holm([row["p"] for row in rows[1:]]).tolist()] if len(rows) > 1 else [None]
    frame = pl.DataFrame(rows).with_columns(p_holm=pl.Series(adjusted, dtype=pl.Float64).fill_nan(None))
    note = (
        "Difference: share of correct answers of the first minus that of the second. "
        "Items that one of the two was not scored on are left out."
    )
    about = "By task and variant", "Paired comparison on the same items; Miller (2024), section 4.2; Holm (1979)", note
    return Table.of("comparison", about, _MEASURES, frame)


_MEASURES = (
    Measure("difference", "difference", "number", "accuracy of the first minus accuracy of the second, on the same items"),
    Measure("only_a", "only the first", "count", "items on which the first did better"),
    Measure("only_b", "only the second", "count", "items on which the second did better"),
    Measure("both", "both", "count", "items that both got right"),
    Measure("neither", "neither", "count", "items that neither got right"),
    Measure("p", "p", "number", "how often chance alone gives such a difference (McNemar's test, whole facts as clusters)"),
    Measure("p_holm", "p, Holm", "number", "the same, allowing for how many parts are compared here"),
)
