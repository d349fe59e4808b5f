"""The scoreboard: what each model gets over unlike questions, in every stratum, beside guessers who know nothing.

    score      mean over the kinds of question, each with its sides at equal weight (`evaluators.metrics.balanced`)
    corrected  mean over the kinds of the score corrected for what the rules get wrong of fresh answers (Rogan & Gladen 1978)
    yes        answers yes / answers yes or no, to yes-no questions
    lift       (share of an error's answers in a cluster) / (share of that error among all answers of the model)

| guesser | says | its score |
|---|---|---|
| chance | anything that may be said | 1/2 of yes and no, 1/k of k options, 0 of a free answer |
| majority | the right answer that is the most frequent one in the family | the share of questions with this answer |
| position | the position where the right option stands most often | choice alone |
| frequency | the commoner object of the relation is the true one (KG-FPQ) | the edits that say which object is the commoner |
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import polars as pl

from evaluators.metrics.answers import COUNTED, RIGHT, SCORED, Answers, named, who
from evaluators.metrics.balanced import QUESTIONS, scores, with_sides
from evaluators.metrics.habits import habits
from evaluators.metrics.table import ALL, NOWHERE, Measure, Table
from evaluators.statistics.intervals import wilson, worth
from evaluators.statistics.verifier import Confusion, corrected_share
from kg.formats import shipped_toml

KIND = "kind of question"
"""The stratum by what may be pooled: method, task, and right answer where a task has two."""

_SOURCE = "the outcomes of the verdicts"
_SCORE = Measure("score", "score", "rate", "mean over the kinds of question, right answers yes and no at equal weight")
_LEFT = Measure(
    "left_out", "left out", "count", "answers that are no part of the score: unscored, without a verdict, not asked"
)
_MODELS = (
    _SCORE,
    Measure("corrected", "corrected", "rate", "the score, corrected for what the rules get wrong of fresh answers"),
    Measure("yes", "says yes", "rate", "answers yes among the yes-no answers"),
    Measure("yes_right", "yes is right", "number", "yes-no questions among these to which yes is the right answer"),
    Measure("abstention", "abstentions", "rate", "the model says that it does not know"),
    _LEFT,
    Measure("input", "tokens in", "count"),
    Measure("output", "tokens out", "count"),
    Measure("usd", "US dollars", "number"),
    Measure("seconds", "seconds", "number", "of an answer: the median"),
)
_FAILURES = (
    Measure("lift", "lift", "number", "how many times as frequent the error is here as among all answers of the model"),
    Measure("failures", "errors", "count", "answers that fail so"),
    Measure("of", "of", "count", "answers in the cluster"),
)
_VALUES = 24  # of a stratum that are told apart,
_STRATA = 14  # and strata
_CLUSTERS = 5  # of each model
_FEW = 5  # failures that make a cluster


def scoreboard(answers: Answers) -> list[Table]:
    """Return the tables of the first page; none without a question that counts."""
    asked = with_sides(named(answers.counted.filter(QUESTIONS)))
    if not asked.height:
        return []
    dims = who(answers.counted)
    asked = asked.with_columns(right=pl.when(SCORED).then(RIGHT))
    strata = list(_strata(asked, answers.strata))
    guesses = _guesses(asked)
    tables = [
        _models(asked, dims, None if answers.costs is None else named(answers.costs)),
        Table.of(
            "overview.strata", ("Scores by stratum", _SOURCE, _LEFT_NOTE), (_SCORE, _LEFT), _by_stratum(asked, dims, strata)
        ),
        Table.of("overview.guessers", ("Guessers", "made from the items", _GUESSERS), (_SCORE,), _of_guessers(guesses, strata)),
        _failures(asked, dims),
        habits(asked, dims),
    ]
    return [table for table in tables if table.frame.height]


_GUESSERS = (
    "Chance says anything that may be said; majority the right answer that is the most frequent one in the family; position "
    "the place "
    "where the right option stands most often; frequency takes the commoner object for the true one."
)
_LEFT_NOTE = "Probes, and questions made from an answer, are no part. Answers that are unscored are left out and counted."


def _models(asked: pl.DataFrame, dims: list[str], costs: pl.DataFrame | None) -> Table:
    yes_no = asked.filter((pl.col("kind") == "yes_no") & pl.col("picked").is_in(["yes", "no"]) & SCORED)
    says = scores(yes_no.with_columns(kind=pl.lit(""), side=pl.lit("")), dims, pl.col("picked") == "yes")
    says = says.rename({name: name.replace("score", "yes") for name in says.columns if name.startswith("score")})
    truth = yes_no.group_by(dims, maintain_order=True).agg(yes_right=(pl.col("side") == "yes").mean())
    plain = asked.with_columns(method=pl.lit(""), kind=pl.lit(""), side=pl.lit(""))
    abstained = scores(plain, dims, pl.when(SCORED).then(pl.col("state") == "abstained"))
    abstained = abstained.rename({name: name.replace("score", "abstention") for name in abstained.columns if name not in dims})
    left = asked.group_by(dims, maintain_order=True).agg(_left_out())
    frame = scores(asked, dims, pl.col("right"))
    others = [_corrected(asked, dims), says, truth, abstained, left, *([costs] if costs is not None else [])]
    for other in others:
        beside = other.drop([name for name in ("run",) if name in other.columns and name not in dims])
        frame = frame.join(beside, on=dims, how="left", nulls_equal=True, maintain_order="left")
    for measure in _MODELS:
        frame = frame.with_columns(
            pl.lit(None, pl.Float64).alias(name) for name in measure.columns if name not in frame.columns
        )
    note = "A kind of question is a method and task. Probes, and questions made from an answer, are no part of the score."
    return Table.of("overview.models", ("Models", _SOURCE, note), _MODELS, frame)


def _left_out() -> pl.Expr:
    return (~SCORED).sum().cast(pl.Int64).alias("left_out")


def _corrected(asked: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    """Return the corrected score of each model, null where people or models judged a kind or its rules were not measured."""
    kinds = [*dims, "method", "kind"]
    ruled = asked.filter(SCORED).group_by(kinds, maintain_order=True).agg(ruled=pl.col("confidence").is_not_null().all())
    cells = scores(asked, kinds, pl.col("right")).join(ruled, on=kinds, how="inner", nulls_equal=True, maintain_order="left")
    rows: list[tuple[float | None, float | None, float | None]] = []
    for cell in cells.iter_rows(named=True):
        confusion, mean = confusions().get(cell["kind"]), cell["score"]
        if confusion is None or not cell["ruled"]:
            rows.append((None, None, None))
            continue
        n = max(1.0, min(float(cell["score_n"]), worth(mean, cell["score_low"], cell["score_high"])))
        estimate = corrected_share(mean, n, confusion)
        value = None if math.isnan(estimate.value) else estimate.value
        rows.append((value, (estimate.value - estimate.low) ** 2, (estimate.high - estimate.value) ** 2))
    schema = dict.fromkeys(("corrected", "below", "above"), pl.Float64)
    whole = cells.with_columns(pl.DataFrame(rows, schema=schema, orient="row")).group_by(dims, maintain_order=True).agg(
        pl.col("corrected").mean(), pl.col("corrected").is_null().any().alias("gap"), pl.col("score_n").sum(),
        *((pl.col(name).sum().sqrt() / pl.len()).alias(name) for name in ("below", "above")),
    )  # fmt: skip
    columns = {"corrected": pl.col("corrected"), "corrected_n": pl.col("score_n"),
               "corrected_low": (pl.col("corrected") - pl.col("below")).clip(0, 1),
               "corrected_high": (pl.col("corrected") + pl.col("above")).clip(0, 1)}  # fmt: skip
    return whole.select(*dims, *(pl.when(~pl.col("gap")).then(value).alias(name) for name, value in columns.items()))


@dataclass(frozen=True, slots=True, eq=False)
class _Stratum:
    """A property that tells questions apart: its name, and the value of each item."""

    name: str
    of_item: pl.DataFrame


def _strata(asked: pl.DataFrame, strata: pl.DataFrame | None) -> Sequence[_Stratum]:
    """Return the strata that have two values or more, each with its most frequent values; the kind of question comes first."""
    items = asked.unique("item", maintain_order=True)
    side = pl.when(pl.col("side") == "").then(pl.lit("")).otherwise(pl.format(": {}", "side"))
    kind = pl.concat_str("method", pl.lit(" "), "kind", side).alias(KIND)
    own = items.select("item", kind, "method", "task", "variant", "family", "edit", pl.col("hops").cast(pl.String))
    if strata is not None:
        own = own.join(
            strata.select("item", *(name for name in strata.columns if name not in own.columns)),
            on="item",
            how="left",
            maintain_order="left",
        )
    found = []
    for name in own.columns[1:]:
        counts = own[name].drop_nulls().value_counts(sort=True)
        if name != KIND and counts.height < 2:
            continue
        if counts.height > own.height / 2 > _VALUES:  # a name of the item rather than a stratum
            continue
        frequent = counts.sort("count", name, descending=[True, False])[name].head(_VALUES)
        found.append(_Stratum(name, own.select("item", value=name).filter(pl.col("value").is_in(frequent.implode()))))
    return found[:_STRATA]


def _by_stratum(asked: pl.DataFrame, dims: list[str], strata: Sequence[_Stratum]) -> pl.DataFrame:
    read = asked.select(*dims, "item", "method", "kind", "side", "group", "right", "state")
    frames = [_cells(read.with_columns(value=pl.lit(ALL)), dims, ALL)]
    frames += [_cells(read.join(stratum.of_item, on="item", maintain_order="left"), dims, stratum.name) for stratum in strata]
    return pl.concat(frames)


def _cells(read: pl.DataFrame, dims: list[str], name: str) -> pl.DataFrame:
    cells = scores(read, [*dims, "value"], pl.col("right"))
    left = read.group_by(*dims, "value", maintain_order=True).agg(_left_out())
    whole = cells.join(left, on=[*dims, "value"], how="left", nulls_equal=True, maintain_order="left")
    return whole.select(*dims, pl.lit(name).alias("stratum"), "value", *(c for c in whole.columns if c not in (*dims, "value")))


def _guesses(asked: pl.DataFrame) -> pl.DataFrame:
    """Return for each guesser and item how likely it is right, null where it has nothing to go by."""
    items = asked.unique("item", maintain_order=True).with_columns(
        most=pl.col("options").list.len(), told=pl.col("accepted").list.first(), family=pl.col("family").fill_null(NOWHERE)
    )
    choice = pl.col("kind") == "choice"
    number = pl.col("told").cast(pl.Int64, strict=False)
    option = pl.when(choice).then(pl.col("options").list.get(number - 1, null_on_oob=True)).otherwise("told")
    items = items.with_columns(option=option)
    chance = pl.when(pl.col("side") != "").then(0.5).when(choice).then(1 / pl.col("most")).otherwise(0.0)
    likely = {"true object": 1.0, "neither": 0.5, "edited object": 0.0}
    values = {
        "chance": chance,
        "majority": _is_mode("option", ["method", "kind", "family"]),
        "position": pl.when(choice).then(_is_mode("told", ["method", "kind"])),
        "frequency": pl.col("commoner").replace_strict(likely, default=None, return_dtype=pl.Float64),
    }
    kept = ["item", "method", "kind", "side", "group"]
    frames = [
        items.select(pl.lit(name).alias("guesser"), *kept, value.cast(pl.Float64).alias("right"))
        for name, value in values.items()
    ]
    return pl.concat(frames).filter(pl.col("right").is_not_null())


def _is_mode(column: str, cell: list[str]) -> pl.Expr:
    """Return whether a value is the most frequent one of its cell: the first in order among equally frequent ones."""
    often = pl.len().over([*cell, column])
    first = pl.when(often == often.max().over(cell)).then(column).min().over(cell)
    return pl.when(pl.col(column).is_not_null()).then(pl.col(column) == first).otherwise(False)


def _of_guessers(guesses: pl.DataFrame, strata: Sequence[_Stratum]) -> pl.DataFrame:
    frames = [(ALL, guesses.with_columns(value=pl.lit(ALL)))]
    frames += [(stratum.name, guesses.join(stratum.of_item, on="item", maintain_order="left")) for stratum in strata]
    order = pl.col("guesser").cast(pl.Enum(["chance", "majority", "position", "frequency"]))
    cells = [
        scores(frame, ["guesser", "value"], pl.col("right"))
        .sort(order, "value")
        .insert_column(1, pl.lit(name).alias("stratum"))
        for name, frame in frames
        if frame.height
    ]
    return pl.concat(cells)


def _failures(asked: pl.DataFrame, dims: list[str]) -> Table:
    """Return where each model fails more than elsewhere: clusters by reason, relation and hops, the surest first.

    Clusters are ordered by the low end of Wilson's interval of their share of errors, over the model's share: a few errors of
    few answers are no cluster.
    """
    failed = (pl.col("state").is_in(["incorrect", "unscored"]) | ((pl.col("state") == "abstained") & ~RIGHT)).alias("failed")
    rows = asked.filter(pl.col("state").is_in([*COUNTED, "unscored"])).select(
        *dims, "item", failed, relation=pl.coalesce("property", "family").fill_null(NOWHERE),
        hops=pl.col("hops").cast(pl.String).fill_null("–"), reason=pl.col("reason").fill_null(NOWHERE),
    )  # fmt: skip
    place = [*dims, "relation", "hops"]
    whole = rows.group_by(dims, maintain_order=True).agg(answers=pl.len())
    often = rows.filter("failed").group_by(*dims, "reason", maintain_order=True).agg(errors=pl.len())
    cells = (
        rows.filter("failed")
        .group_by(*place, "reason", maintain_order=True)
        .agg(failures=pl.len(), example=pl.col("item").unique().sort().head(3))
    )
    cells = cells.join(
        rows.group_by(place, maintain_order=True).agg(of=pl.len()), on=place, nulls_equal=True, maintain_order="left"
    )
    cells = cells.join(whole, on=dims, nulls_equal=True, maintain_order="left").join(
        often, on=[*dims, "reason"], nulls_equal=True, maintain_order="left"
    )
    cells = cells.filter((pl.col("failures") >= _FEW) & (pl.col("of") < pl.col("answers")))
    share = pl.col("errors") / pl.col("answers")
    low, _ = wilson(cells["failures"].to_numpy(), cells["of"].to_numpy())
    cells = cells.with_columns(lift=pl.col("failures") / pl.col("of") / share, sure=pl.Series(low) / share)
    cells = cells.filter(pl.col("sure") > 1).sort(
        *dims, "sure", "relation", "hops", "reason", descending=[*[False] * len(dims), True, False, False, False]
    )
    cells = cells.group_by(dims, maintain_order=True).head(_CLUSTERS)
    examples = [pl.col("example").list.get(n, null_on_oob=True).fill_null("").alias(f"example {n + 1}") for n in range(3)]
    frame = cells.select(*dims, "reason", "relation", "hops", *examples, "lift", pl.col("failures", "of").cast(pl.Int64))
    note = "Errors are answers that are wrong, unscored, or abstain where the answer is known. " \
           f"A cluster has {_FEW} of them or more, and surely more of them than the model's other answers."  # fmt: skip
    return Table.of("overview.failures", ("Where they fail", _SOURCE, note), _FAILURES, frame)


@cache
def confusions() -> dict[str, Confusion]:
    """Return what the rules get wrong of answers that nobody tuned them to, by task.

    The counts (`measured.toml`, which `python tests/benchmarks/fresh.py --write` writes) are of the half of the fresh answers
    that was judged once. Half of those are ordinary ones of today's models, a third hard to read, a fifth made to mislead; a
    model's own are easier, and what is corrected by these counts is corrected by too much rather than too little.

    >>> sorted(confusions()) == ["choice", "context", "open", "premise", "probe", "yes_no"]
    True
    """
    return {task: Confusion(*counts) for task, counts in shipped_toml("evaluators.metrics", "measured.toml").items()}
