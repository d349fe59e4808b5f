"""What models that could query a graph made of it: right by a query, or by luck; wrong by the query, or by how it was read.

    right_query    = correct answers to which a query had returned what answers the item, or proves it / answers
    right_luck     = the other correct answers / answers
    wrong_reading  = incorrect answers though a query had returned it / answers
    wrong_query    = the other incorrect answers / answers

The four add up to one. Whether a query did stands in the verdicts (`evidence`; see `evaluators.verify.evidence`). As published
nothing changes: no paper has it.

| outcome | |
|---|---|
| correct, incorrect | counted, where the model was given a graph (`evaluators.ask --tools sparql`) |
| abstained, unscored, no verdict | left out |
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import ANSWERED, Answers, named, who
from evaluators.metrics.table import Measure, Table, rates

_SOURCE = "answers of models with a graph to query (ask --tools sparql)"
_NOTE = "By luck: correct, and no query had returned what answers the question. By reading: wrong though one had."
_SHARES = (
    Measure("right_query", "right by query", "rate", "correct, and a query returned what answers the question"),
    Measure("right_luck", "right by luck", "rate", "correct, and no query did"),
    Measure("wrong_query", "wrong by query", "rate", "incorrect, and no query did"),
    Measure("wrong_reading", "wrong by reading", "rate", "incorrect, though a query did"),
    Measure("answers", "answers", "count", "correct or incorrect, of models with a graph"),
)


def lookups_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the four shares by model, and by task; no table where no model had a graph."""
    rows = answers.samples.filter(pl.col("evidence").is_not_null() & pl.col("state").is_in(ANSWERED))
    if rows.is_empty():
        return []
    dims = who(rows)
    rows = named(rows, "task")
    parts = (("models", "What models make of a graph", dims), ("tasks", "The same by task", [*dims, "task"]))
    return [Table.of(f"lookups.{key}", (title, _SOURCE, _NOTE), _SHARES, _shares(rows, cut)) for key, title, cut in parts]


def _shares(rows: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    right, did = pl.col("state") == "correct", pl.col("evidence")
    values = {
        "right_query": right & did,
        "right_luck": right & ~did,
        "wrong_query": ~right & ~did,
        "wrong_reading": ~right & did,
    }
    counted = rows.group_by(dims).agg(answers=pl.len().cast(pl.Int64))
    return rates(rows, dims, values).join(counted, on=dims, how="left", maintain_order="left")
