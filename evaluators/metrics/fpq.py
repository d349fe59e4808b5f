"""Accuracy on true- and false-premise questions, after KG-FPQ (Zhu et al., 2024), sections 4.3 and 5, appendix C.

    accuracy of an edit                = correct / answers, over the questions of that edit (table 2)
    accuracy by hops (NSC and NDC)     = correct / answers, over the questions of that distance (appendix C.1)
    accuracy overall (`fpq`)           = (correct NSC + ... + correct NNDR) / all answers to false premises (appendix C.2)
    accuracy on true premises (`tpq`)  = correct / answers, over the questions with a true premise (table 12)

The paper asks the false premises of a fact only where the yes-no question with its true premise was answered "yes" (section
4.3): `gated` are the same numbers over those groups. With several samples a group passes when more than half of them do.

| outcome | counted as |
|---|---|
| correct | an answer, correct |
| incorrect | an answer, not correct |
| abstained | an answer, not correct; shown beside |
| unscored | no answer: left out of `n`, shown beside |
| no verdict | left out of `n`; `unjudged` where there is a response, `unasked` where there is none |

Where an item has a vote (a verdict whose `sample` is null) only the vote counts; otherwise each sample counts for itself.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from queries.item import EDITS, Edit

__all__ = ["COUNTS", "fpq_metrics", "questions"]

COUNTS = ("n", "correct", "abstained", "unscored", "unjudged", "unasked")
"""The counts of each cell; `accuracy` is `correct / n`, null where `n` is 0."""

_HOPPED: tuple[Edit, ...] = ("NSC", "NDC")
_NOWHERE = "(none)"

Cell = dict[str, Any]


def questions(items: pl.DataFrame) -> pl.DataFrame:
    """Pick the items with a premise; columns `item, task, group, domain, edit, hops` (`edit` is `tpq` for a true one).

    Parameters: `items` has the columns `id, task, group, premise, strata` as `queries.records.read_frame` gives them.
    """
    strata = items.schema["strata"]
    has_domain = isinstance(strata, pl.Struct) and "domain" in strata.to_schema()
    domain = pl.col("strata").struct.field("domain") if has_domain else pl.lit(None, pl.String)
    premise = pl.col("premise").struct
    return items.filter(pl.col("premise").is_not_null()).select(
        pl.col("id").alias("item"),
        "task",
        "group",
        domain.fill_null(_NOWHERE).alias("domain"),
        premise.field("edit").fill_null("tpq").alias("edit"),
        premise.field("hops").alias("hops"),
    )


def fpq_metrics(items: pl.DataFrame, responses: pl.DataFrame, verdicts: pl.DataFrame) -> dict[str, Any]:
    """Compute the numbers of each model, for all groups and for the gated ones.

    Parameters: `items` as `questions` gives them; `responses` with columns `item, model`; `verdicts` with columns `item,
    model, sample, outcome`.
    Returns, for each model, `{"groups": {"total", "known"}, "all": {task: ...}, "gated": {task: ...}}`, where a task
    holds `overall` and `domains`, and each of these `tpq`, `fpq`, `edits` and `hops`: cells of `COUNTS` and `accuracy`.
    """
    models = responses["model"].unique().sort().to_list()
    return {model: _of_model(items, _mine(responses, model), _mine(verdicts, model)) for model in models}


def _mine(records: pl.DataFrame, model: str) -> pl.DataFrame:
    return records.filter(pl.col("model") == model)


def _of_model(items: pl.DataFrame, responses: pl.DataFrame, verdicts: pl.DataFrame) -> dict[str, Any]:
    answers = _answers(items, responses, _votes(verdicts))
    known = _known(answers)
    # Without a state a row is counted nowhere, and the numbers keep their shape.
    gated = answers.with_columns(state=pl.when(pl.col("group").is_in(known.implode())).then("state"))
    groups = {"total": items["group"].n_unique(), "known": known.len()}
    return {"groups": groups, "all": _by_task(answers), "gated": _by_task(gated)}


def _votes(verdicts: pl.DataFrame) -> pl.DataFrame:
    """Keep the vote of each item that has one, and the samples of the others."""
    voted = verdicts.filter(pl.col("sample").is_null())
    return pl.concat([voted, verdicts.join(voted, on="item", how="anti")])


def _answers(items: pl.DataFrame, responses: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each verdict, and one for each item that has none; `state` is what it counts as."""
    asked = pl.col("item").is_in(responses["item"].unique().implode())
    missing = pl.when(asked).then(pl.lit("unjudged")).otherwise(pl.lit("unasked"))
    joined = items.join(verdicts.select("item", "outcome"), on="item", how="left", maintain_order="left")
    return joined.with_columns(state=pl.coalesce("outcome", missing)).drop("outcome")


def _known(answers: pl.DataFrame) -> pl.Series:
    """Return the groups whose true premise, asked as a yes-no question, was answered right."""
    true_premises = answers.filter((pl.col("task") == "yes_no") & (pl.col("edit") == "tpq"))
    right = true_premises.group_by("group").agg((pl.col("state") == "correct").mean().alias("right"))
    return right.filter(pl.col("right") > 0.5)["group"]


def _by_task(answers: pl.DataFrame) -> dict[str, Any]:
    return {
        task: {
            "overall": _slice(mine),
            "domains": {domain: _slice(part) for domain, part in _parts(mine, "domain")},
        }
        for task, mine in _parts(answers, "task")
    }


def _parts(answers: pl.DataFrame, column: str) -> list[tuple[str, pl.DataFrame]]:
    """Split by a column, in the order of its values; null stands for no part."""
    values = answers[column].drop_nulls().unique().sort().to_list()
    return [(str(value), answers.filter(pl.col(column) == value)) for value in values]


def _slice(answers: pl.DataFrame) -> dict[str, Any]:
    edited = {edit: answers.filter(pl.col("edit") == edit) for edit in EDITS}
    return {
        "tpq": _cell(answers.filter(pl.col("edit") == "tpq")),
        "fpq": _cell(answers.filter(pl.col("edit") != "tpq")),
        "edits": {edit: _cell(part) for edit, part in edited.items()},
        "hops": {edit: {hops: _cell(part) for hops, part in _parts(edited[edit], "hops")} for edit in _HOPPED},
    }


def _cell(answers: pl.DataFrame) -> Cell:
    states = dict(answers["state"].value_counts().iter_rows())
    n = sum(states.get(state, 0) for state in ("correct", "incorrect", "abstained"))
    counts = {"n": n} | {count: states.get(count, 0) for count in COUNTS[1:]}
    return counts | {"accuracy": counts["correct"] / n if n else None}
