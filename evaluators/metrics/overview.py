"""What the answers came to: the tables that every report begins with.

    accuracy  = correct / answers        abstained = abstained / answers

An answer is what is scored: correct, incorrect or abstained; what is unscored, without a verdict or not asked is shown beside.
Where nobody knows (`answer` null) an abstention is what is wanted: accuracy is abstained / answers there, by task in a row of
its own (`unanswerable`). Questions made from an answer (consistency) have no truth and are left out, and probes, which ask what
a model knows, have a row of their own and are no part of the whole. As published nothing changes.

    sure      = verdicts of high confidence / verdicts that say how sure they are
    corrected = (accuracy + specificity - 1) / (sensitivity + specificity - 1)

`corrected` is the share of right answers that lies behind the accuracy (Rogan & Gladen 1978), with what the rules get wrong of
fresh answers to the task (`evaluators.metrics.measured`); its interval allows for both samples. It is there where every answer
was judged by the rules.

Calibration says whether a model is right where its samples agree or it is sure, and what abstaining elsewhere would gain:

    agreement = samples that say what most samples say / samples, of each item
    accuracy  = items of this agreement whose most frequent answer is right / items of this agreement
    coverage  = items of this agreement or more / items
    risk      = items of this agreement or more whose most frequent answer is wrong / items of this agreement or more
    sureness  = geometric mean of the probabilities of an answer's tokens, in tenths; accuracy, coverage and risk as above

Risk against coverage: El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification, Journal of Machine
Learning Research 11. Tenths of confidence: Guo et al. (2017), On calibration of modern neural networks, ICML.
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import (
    ASKED,
    COUNTED,
    COUNTS,
    JUDGED,
    RIGHT,
    SCORED,
    UNKNOWABLE,
    Answers,
    counts,
    in_states,
    named,
    who,
)  # fmt: skip
from evaluators.metrics.balanced import QUESTIONS
from evaluators.metrics.scoreboard import confusions, scoreboard
from evaluators.metrics.table import Measure, Table, rates
from evaluators.statistics.intervals import worth
from evaluators.statistics.verifier import corrected_share

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
    Measure("sure", "sure verdicts", "rate", "of the verdicts by rules, those of high confidence"),
    Measure("corrected", "corrected accuracy", "rate", "for what the rules get wrong of fresh answers to the task"),
)


def overview_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return what all answers of each model came to, and the same by method and task; none without an answer."""
    asked = named(answers.counted.filter(ASKED), "method", "task")
    dims = who(answers.counted)
    if not asked.height:
        return []
    questions = asked.filter(QUESTIONS)
    outcomes = [_outcomes(questions, dims)] if questions.height else []
    return [
        *outcomes,
        *scoreboard(answers),
        _tasks(asked, [*dims, "method", "task"]),
        *agreement(answers),
        *confidence(answers),
    ]


def _outcomes(asked: pl.DataFrame, dims: list[str]) -> Table:
    states = asked.group_by(dims).agg(in_states(*(measure.name for measure in _OUTCOMES[1:])))
    frame = rates(asked, dims, {"accuracy": pl.when(SCORED).then(RIGHT)}).join(states, on=dims, maintain_order="left")
    note = (
        "A vote counts instead of its samples; otherwise each sample counts. "
        "Where nobody knows the answer, abstaining is right. Probes are no part."
    )
    return Table.of("overview.outcomes", ("What the answers came to", _SOURCE, note), _OUTCOMES, frame)


def _tasks(asked: pl.DataFrame, dims: list[str]) -> Table:
    task = pl.when(UNKNOWABLE).then(pl.lit("unanswerable")).otherwise("task").alias("task")
    answered = asked.select("model", "run", "method", task, "group", "state", "confidence", RIGHT.alias("right"))
    values = {
        "accuracy": pl.when(SCORED).then("right"),
        "abstention": pl.when(SCORED).then(pl.col("state") == "abstained"),
        "sure": pl.when(JUDGED).then(pl.col("confidence") == "high"),
    }
    frame = _corrected(rates(answered, dims, values), answered, dims)
    frame = frame.join(answered.group_by(dims).agg(counts()), on=dims, how="left", maintain_order="left")
    note = (
        "Correct, incorrect and abstained are answers; the rest is left out and shown. "
        "Corrected: if the rules err as they do on the fresh answers of the task."
    )
    return Table.of("overview.tasks", ("All tasks", _SOURCE, note), (*_TASKS, *COUNTS), frame)


def _corrected(cells: pl.DataFrame, answered: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    """Add the accuracy corrected for the rules' errors, null where they did not judge all or nothing was measured."""
    by_rules = answered.filter(SCORED).group_by(dims).agg(ruled=pl.col("confidence").is_not_null().all())
    rows = cells.join(by_rules, on=dims, how="left", maintain_order="left")
    found: list[tuple[float | None, ...]] = []
    for task, accuracy, n, low, high, ruled in rows.select(
        "task", "accuracy", "accuracy_n", "accuracy_low", "accuracy_high", "ruled"
    ).iter_rows():
        confusion = confusions().get(task)
        if confusion is None or accuracy is None or not ruled:
            found.append((None, None, None))
            continue
        # As many independent answers as the interval of the clustered ones is worth.
        independent = max(1.0, min(float(n), worth(accuracy, low, high)))
        estimate = corrected_share(accuracy, independent, confusion)
        found.append((estimate.value, estimate.low, estimate.high))
    columns = zip(("corrected", "corrected_low", "corrected_high"), zip(*found, strict=True), strict=True)
    return cells.with_columns(
        *(pl.Series(name, values, dtype=pl.Float64).fill_nan(None) for name, values in columns),
        corrected_n=pl.col("accuracy_n"),
    )


_MEASURES = (
    Measure("accuracy", "accuracy", "rate", "items whose most frequent answer is right"),
    Measure("coverage", "coverage", "number", "items of this agreement or more"),
    Measure("risk", "risk", "number", "of these, items whose most frequent answer is wrong"),
)
_OF_SURENESS = (
    Measure("accuracy", "accuracy", "rate", "answers of this sureness that are right"),
    Measure("coverage", "coverage", "number", "answers of this sureness or more"),
    Measure("risk", "risk", "number", "of these, answers that are wrong"),
)


def agreement(answers: Answers) -> list[Table]:
    """Return accuracy, coverage and risk by agreement; none where no item has two scored samples."""
    dims = who(answers.counted)
    samples = named(answers.samples.filter(QUESTIONS & SCORED)).select(
        *dims, "item", "group", pl.coalesce("picked", "state").alias("said"), RIGHT.cast(pl.Float64).alias("right")
    )
    said = samples.group_by(*dims, "item", "group", "said", maintain_order=True).agg(pl.len(), pl.col("right").mean())
    most = said.sort("len", "said", descending=[True, False], maintain_order=True)
    items = most.group_by(*dims, "item", "group", maintain_order=True).agg(
        pl.col("right").first(), (pl.col("len").first() / pl.col("len").sum()).alias("share"), pl.col("len").sum()
    )
    items = items.filter(pl.col("len") > 1).with_columns(pl.col("share").round(2).cast(pl.String).alias("agreement"))
    if not items.height:
        return []
    frame = _covered(items, dims, "agreement")
    note = "Of items with two scored samples or more. What a model would get wrong if it answered only where its samples agree."
    return [Table.of("overview.agreement", ("Agreement of samples", "El-Yaniv & Wiener (2010)", note), _MEASURES, frame)]


def confidence(answers: Answers) -> list[Table]:
    """Return accuracy, coverage and risk by how likely a model found its own answers; none where no response has `logprobs`."""
    if answers.sure is None:
        return []
    dims = who(answers.counted)
    keys = ["item", "model", "run", "sample"]
    told = answers.samples.filter(QUESTIONS & SCORED).join(answers.sure, on=keys, how="inner", nulls_equal=True)
    if not told.height:
        return []
    # A tenth is named by its middle.
    tenth = ((pl.col("sure") * 10).floor().clip(0, 9) / 10 + 0.05).round(2).cast(pl.String)
    rows = named(told).select(*dims, "item", "group", RIGHT.cast(pl.Float64).alias("right"), tenth.alias("sureness"))
    note = "Sureness: the geometric mean of the probabilities of an answer's tokens, in tenths, each named by its middle."
    source = "Guo et al. (2017); El-Yaniv & Wiener (2010)"
    return [
        Table.of("overview.confidence", ("Sureness of answers", source, note), _OF_SURENESS, _covered(rows, dims, "sureness"))
    ]


def _covered(rows: pl.DataFrame, dims: list[str], level: str) -> pl.DataFrame:
    """Return accuracy at each level, and what share of all is at it or above, and how much of that is wrong."""
    cells = rates(rows, [*dims, level], {"accuracy": pl.col("right")})
    order = pl.col(level).cast(pl.Float64)
    cells = cells.sort(*dims, order, descending=[*[False] * len(dims), True])
    covered = pl.col("accuracy_n").cum_sum().over(dims)
    whole = pl.col("accuracy_n").sum().over(dims)
    wrong = ((1 - pl.col("accuracy")) * pl.col("accuracy_n")).cum_sum().over(dims)
    return cells.with_columns(coverage=covered / whole, risk=wrong / covered).sort(*dims, order)
