"""Models on the same items: by how much one is better, how sure that is, and on which items only one of two was right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import polars as pl

from evaluators.metrics import ALL, Measure, Table
from evaluators.metrics.answers import RIGHT, SCORED
from evaluators.metrics.balanced import PART, QUESTIONS, side_weights, with_sides
from evaluators.statistics import Paired, detectable, holm, paired_by_side
from kg.errors import InputError, nearest

_SHOWN = 4  # items that the page names on each side
MOST_COMPARED = 8
"""Models of which all pairs are compared; of more than these, those with the highest scores."""
_LEAST = 1e-300  # a p too small for a float is small, not zero
_SOURCE = "Paired comparison on the same items; Miller (2024), section 4.2; Holm (1979)"
_LEFT_OUT = (
    "Probes, and items that one of the two was not scored on, are left out. "
    "Kinds of question count alike, and in each its right answers yes and no."
)
_DIFFERENCE = Measure("difference", "difference", "number", "score of the first minus score of the second, on the same items")
_P = Measure("p", "p", "number", "how often chance alone gives such a difference (McNemar's test, whole facts as clusters)")
_LEAST_SEEN = Measure("least", "shows from", "number", "the smallest difference that so many items show in four of five cases")
_MORE = Measure("more", "items more", "count", "how many items more would decide a difference as large as the one seen")


def _compared(alone: str, middle: tuple[Measure, ...], compared: str, after: tuple[Measure, ...] = ()) -> tuple[Measure, ...]:
    """Return the measures of two models side by side: what each does alone, and how often chance gives that among many."""
    return (
        _DIFFERENCE,
        Measure("only_a", "only the first", "count", f"items {alone.format('first')}"),
        Measure("only_b", "only the second", "count", f"items {alone.format('second')}"),
        *middle,
        _P,
        Measure("p_holm", "p, Holm", "number", f"the same, allowing for how many {compared} are compared here"),
        *after,
    )


_BOTH = Measure("both", "both", "count", "items that both got right")
_NEITHER = Measure("neither", "neither", "count", "items that neither got right")
_OF_PAIRS = _compared("that only the {} got right", (), "pairs", (_LEAST_SEEN, _MORE))
_OF_PARTS = _compared("on which the {} did better", (_BOTH, _NEITHER), "parts")


class Side(NamedTuple):
    """A model, and the run of it (null where there is one run without a name)."""

    model: str
    run: str | None = None

    @property
    def name(self) -> str:
        """What the report calls it, and the user."""
        return self.model if self.run is None else f"{self.run}:{self.model}"


def sides(answers: pl.DataFrame) -> list[Side]:
    """Return each model (of each run), in the order of their names."""
    return [Side(model, run) for model, run in answers.select("model", "run").unique().sort("model", "run").rows()]


def find_side(name: str, known: Sequence[Side]) -> Side:
    """Return the model that a user names, as MODEL, or as LABEL:MODEL where several runs have it.

    Raises InputError where there is none, or more than one.

    >>> find_side("a", [Side("a"), Side("b")])
    Side(model='a', run=None)
    """
    exact = [side for side in known if side.name == name]
    matches = exact or [side for side in known if side.model == name]
    if not matches:
        raise InputError(f"no model '{name}'", place="--compare", way_out=nearest(name, [side.name for side in known]))
    if len(matches) > 1:
        names = ", ".join(side.name for side in matches)
        raise InputError(f"'{name}' is in several runs", place="--compare", way_out=f"say which: {names}")
    return matches[0]


def _values(answers: pl.DataFrame, side: Side) -> pl.DataFrame:
    """Return each item's share of right answers among its scored ones (`value`), with what it is about and its side."""
    run = pl.col("run").is_null() if side.run is None else pl.col("run") == side.run
    scored = with_sides(answers.filter((pl.col("model") == side.model) & run & QUESTIONS & SCORED))
    about = pl.col("group", "task", "variant", "question", *PART).first()
    return scored.group_by("item", maintain_order=True).agg(about, RIGHT.mean().alias("value"))


def _on_both(a: pl.DataFrame, b: pl.DataFrame) -> pl.DataFrame:
    """Return the items that both were scored on, with the second's share in the column `other`."""
    return a.join(b.select("item", other="value"), on="item", how="inner", maintain_order="left")


class Compared(NamedTuple):
    """A paired difference, and how many items both and neither got right."""

    result: Paired
    both: int
    neither: int

    @classmethod
    def of(cls, items: pl.DataFrame) -> Compared:
        """Compare two models on items as `_on_both` gives them."""
        first, second = items["value"].to_numpy(), items["other"].to_numpy()
        # Shares of one item's few samples: equal ones are equal to the bit.
        same = first == second
        sides = items.select(PART).unique(maintain_order=True).sort(PART)
        of_item = items.select(PART).join(sides.with_row_index("number"), on=PART, maintain_order="left")["number"]
        weights = side_weights(sides.rows())
        result = paired_by_side(first, second, items["group"].to_numpy(), of_item.to_numpy(), weights)
        return cls(result, int((same & (first > 0)).sum()), int((same & (first == 0)).sum()))

    def row(self) -> dict[str, Any]:
        """Return it as columns of a table."""
        r = self.result
        numbers = {"difference": r.difference, "difference_n": r.n, "difference_low": r.low, "difference_high": r.high}
        numbers["p"] = max(r.p, _LEAST)
        row: dict[str, Any] = {name: None if math.isnan(value) else value for name, value in numbers.items()}
        return row | {"only_a": r.only_a, "only_b": r.only_b, "both": self.both, "neither": self.neither}


def pairs(answers: pl.DataFrame, models: Sequence[Side]) -> Table | None:
    """Return each model against each other on the items that both were scored on; null where there is nothing to compare."""
    if len(models) < 2:
        return None
    values = {side: _values(answers, side) for side in models}
    compared = {(a, b): Compared.of(_on_both(values[a], values[b])) for a, b in combinations(models, 2)}
    rows = [
        {"first": a.name, "second": b.name} | both.row() | _power(both.result)
        for (a, b), both in compared.items()
        if both.result.n
    ]
    if not rows:
        return None
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        p_holm=pl.Series(holm([row["p"] for row in rows])).fill_nan(None)
    )
    note = f"An item counts with the share of its scored answers that are correct. {_LEFT_OUT}"
    return Table.of("overview.pairs", ("Model against model", _SOURCE, note), _OF_PAIRS, frame)


def _power(result: Paired) -> dict[str, Any]:
    """Return the smallest difference that the items show, and how many more would decide the one seen."""
    power = detectable(result)
    return {"least": None if math.isnan(power.difference) else power.difference, "more": power.more}


class Comparison(NamedTuple):
    """Two models: the table of their differences (all items, by task, by variant), and the items only one got right.

    `alone` counts the items that only the first and only the second was scored on.
    """

    a: Side
    b: Side
    whole: Compared
    table: Table
    only_a: pl.DataFrame
    only_b: pl.DataFrame
    alone: tuple[int, int]


def compare(answers: pl.DataFrame, a: Side, b: Side) -> Comparison:
    """Compare two models; `answers` are those that count (`Answers.counted`).

    Raises InputError where they have no scored item in common.
    """
    of_a, of_b = _values(answers, a), _values(answers, b)
    both = _on_both(of_a, of_b)
    if not both.height:
        problem = f"{a.name} and {b.name} have no scored item in common"
        raise InputError(problem, place="--compare", way_out="compare models that were asked the same items")
    ahead, behind = both.filter(pl.col("value") > pl.col("other")), both.filter(pl.col("value") < pl.col("other"))
    alone = of_a.height - both.height, of_b.height - both.height
    return Comparison(a, b, Compared.of(both), _by_part(both, a, b), ahead.head(_SHOWN), behind.head(_SHOWN), alone)


class _Share(NamedTuple):
    """The items of a method, task and variant, or of all."""

    task: str
    variant: str
    items: pl.DataFrame


def _by_part(both: pl.DataFrame, a: Side, b: Side) -> Table:
    """Return the difference on all items, by task, and by variant of a task."""
    shares = [_Share(ALL, ALL, both)]
    methods = both["method"].n_unique() > 1
    for (method, task), of_task in both.group_by("method", "task", maintain_order=True):
        name = f"{method} {task}" if methods else str(task)
        shares.append(_Share(name, ALL, of_task))
        variants = list(of_task.group_by("variant", maintain_order=True))
        # A task's only variant is the task once more.
        shares += [_Share(name, str(variant), part) for (variant,), part in variants if len(variants) > 1]
    names = {"first": a.name, "second": b.name}
    rows = [names | {"task": one.task, "variant": one.variant} | Compared.of(one.items).row() for one in shares]
    # The first row is of all items, of which the others are parts: Holm's correction is among the parts.
    adjusted = [None, *holm([row["p"] for row in rows[1:]]).tolist()]
    frame = pl.DataFrame(rows).with_columns(p_holm=pl.Series(adjusted, dtype=pl.Float64).fill_nan(None))
    note = f"Difference: share of correct answers of the first minus that of the second. {_LEFT_OUT}"
    return Table.of("comparison", ("By task and variant", _SOURCE, note), _OF_PARTS, frame)
