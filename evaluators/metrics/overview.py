"""What the answers came to: the tables that every report begins with.

    accuracy  = correct / answers        abstained = abstained / answers

An answer is what is scored: correct, incorrect or abstained; what is unscored, without a verdict or not asked is shown beside.
Where nobody knows (`answer` null) an abstention is what is wanted: accuracy is abstained / answers there, by task in a row of
its own (`unanswerable`). Questions made from an answer (consistency) have no truth and are left out. As published nothing
changes.
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import ASKED, COUNTED, COUNTS, RIGHT, SCORED, UNKNOWABLE, Answers, counts, in_states, named, who
from evaluators.metrics.table import Measure, Table, rates

_SOURCE = "the outcomes of the verdicts"
_OUTCOMES = (
    Measure("accuracy", "accuracy", "rate", "correct / (correct + incorrect + abstained)"),
    *(Measure(state, state, "count", f"answers that are {state}") for state in (*COUNTED, "unscored")),
    Measure("unjudged", "no verdict", "count", "answers that nobody judged"),
    Measure("unasked", "not asked", "count", "items that the model was not asked, though others of their kind were"),
)
_TASKS = (
    Measure("accuracy", "accuracy", "rate", "correct, or where nobody knows abstained"),
    Measure("abstention", "abstentions", "rate", "the model says that it does not know"),
)


def overview_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return what all answers of each model came to, and the same by method and task; none without an answer."""
    asked = named(answers.counted.filter(ASKED), "method", "task")
    dims = who(answers.counted)
    return [_outcomes(asked, dims), _tasks(asked, [*dims, "method", "task"])] if asked.height else []


def _outcomes(asked: pl.DataFrame, dims: list[str]) -> Table:
    states = asked.group_by(dims).agg(in_states(*(measure.name for measure in _OUTCOMES[1:])))
    frame = rates(asked, dims, {"accuracy": pl.when(SCORED).then(RIGHT)}).join(states, on=dims, maintain_order="left")
    note = (
        "A vote counts instead of its samples; otherwise each sample counts. "
        "Where nobody knows the answer, abstaining is right."
    )
    return Table.of("overview.outcomes", ("What the answers came to", _SOURCE, note), _OUTCOMES, frame)


def _tasks(asked: pl.DataFrame, dims: list[str]) -> Table:
    task = pl.when(UNKNOWABLE).then(pl.lit("unanswerable")).otherwise("task").alias("task")
    answered = asked.select("model", "run", "method", task, "group", "state", RIGHT.alias("right"))
    values = {
        "accuracy": pl.when(SCORED).then("right"),
        "abstention": pl.when(SCORED).then(pl.col("state") == "abstained"),
    }
    frame = rates(answered, dims, values)
    frame = frame.join(answered.group_by(dims).agg(counts()), on=dims, how="left", maintain_order="left")
    note = "Correct, incorrect and abstained are answers; the rest is left out and shown."
    return Table.of("overview.tasks", ("All tasks", _SOURCE, note), (*_TASKS, *COUNTS), frame)
