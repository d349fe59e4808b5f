"""What all papers' tables have in common: who answered, what counts as an answer, who knows what.

```
python -c 'import evaluators.metrics.scope as s; help(s.known_groups)'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import COUNTED
from evaluators.metrics.table import NOWHERE, Measure

__all__ = ["COUNTS", "JUDGED", "counts", "known_groups", "named", "populations", "right", "who"]

_NO_ANSWER = ("api_error", "tie", "judge_failed")
"""Reasons for which no mapping counts an answer: there is none, or nobody could say what it is."""

JUDGED = ~pl.col("state").is_in(["unasked", "unjudged"])
"""Whether there is a verdict."""

COUNTS = (
    Measure("answers", "answers", "count", "scored: correct, incorrect or abstained"),
    Measure("abstained", "abstained", "count", "the model says that it does not know; counted among the answers"),
    Measure("unscored", "unscored", "count", "refused, empty, unreadable or failed"),
    Measure("unjudged", "no verdict", "count", "a response without a verdict"),
    Measure("unasked", "not asked", "count", "no response, though others of the task have one"),
)
"""The counts beside an accuracy."""


def counts() -> list[pl.Expr]:
    """Return the sums of a cell that `COUNTS` names.

    >>> pl.DataFrame({"state": ["correct", "unscored"]}).select(counts()).row(0)
    (1, 0, 1, 0, 0)
    """
    scored = pl.col("state").is_in(COUNTED).sum().cast(pl.Int64).alias("answers")
    return [scored, *((pl.col("state") == name.name).sum().cast(pl.Int64).alias(name.name) for name in COUNTS[1:])]


def who(answers: pl.DataFrame) -> list[str]:
    """Return the dimensions that tell who answered: the model, and the run where runs are named.

    >>> who(pl.DataFrame({"model": ["m"], "run": ["few-shot"]}))
    ['model', 'run']
    """
    return ["model", "run"] if answers["run"].is_not_null().any() else ["model"]


def named(answers: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """Return the answers with a name where a dimension is null.

    >>> named(pl.DataFrame({"run": [None], "domain": [None]}, schema={"run": pl.String, "domain": pl.String}), "domain").row(0)
    ('(none)', '(none)')
    """
    return answers.with_columns(pl.col("run", *columns).fill_null(NOWHERE))


def right(as_published: bool) -> pl.Expr:
    """Return whether an answer is correct, null where it does not count.

    As published everything that a model says counts, and what is not correct is wrong.

    >>> frame = pl.DataFrame({"state": ["correct", "abstained", "unscored"], "reason": ["exact", "unsure", "empty"]})
    >>> frame.select(ours=right(False), theirs=right(True)).rows()
    [(True, True), (False, False), (None, False)]
    """
    counted = pl.col("state").is_in(COUNTED)
    if as_published:
        counted |= (pl.col("state") == "unscored") & ~pl.col("reason").is_in(_NO_ANSWER)
    return pl.when(counted).then(pl.col("state") == "correct")


def known_groups(answers: pl.DataFrame, gate: pl.Expr, passed: pl.Expr) -> pl.DataFrame:
    """Return the `model, run, group` whose gate questions were all passed, each by more than half of its answers.

    A group with a question that has no verdict is not known (so it is at `evaluators.ask.gate`).

    Parameters: `gate` picks the questions that tell what a model knows; `passed` says whether an answer to one passes.
    What a model knows is asked once: a run that did not ask all of a group's gate questions takes them from all its runs.
    """
    questions = answers.filter(gate)
    needed = questions.select("group", "item").unique().group_by("group").len("needed")
    asked = questions.filter(JUDGED).with_columns(passed.alias("passed"))
    own, pooled = (_all_passed(asked, dims, needed) for dims in (["model", "run", "group"], ["model", "group"]))
    pairs = answers.select("model", "run", "group").unique(maintain_order=True)
    found = pairs.join(own, on=["model", "run", "group"], how="left", nulls_equal=True)
    found = found.join(pooled, on=["model", "group"], how="left", suffix="_pooled")
    return found.filter(pl.coalesce("known", "known_pooled", pl.lit(False))).select("model", "run", "group")


def _all_passed(asked: pl.DataFrame, dims: list[str], needed: pl.DataFrame) -> pl.DataFrame:
    """Return whether every question of a group was passed, null where one was not judged."""
    of_item = asked.group_by(*dims, "item").agg((pl.col("passed").mean() > 0.5).alias("passed"))
    groups = of_item.group_by(dims).agg(pl.col("passed").all(), pl.len().alias("judged")).join(needed, on="group")
    return groups.select(*dims, pl.when(pl.col("judged") == pl.col("needed")).then("passed").alias("known"))


def populations(answers: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """Return the answers twice: in the population `all`, and in `known` those in the groups of `known`."""
    own = answers.join(known, on=["model", "run", "group"], how="semi", nulls_equal=True)
    return pl.concat([answers.with_columns(population=pl.lit("all")), own.with_columns(population=pl.lit("known"))])
