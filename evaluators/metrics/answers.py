"""Items, responses and verdicts in one frame, a row for each answer; and what a metric may count of them.

| columns of a frame of answers | |
|---|---|
| `item, model, run, sample` | what tells an answer from the others |
| `method, family, task, variant, group, question, options, accepted, answer_type` | of the item; `accepted` are its answers |
| `domain, property, popularity, commoner, seen, category, expansion` | its strata |
| `presumes, edit, hops, pivot` | whether it has a premise, with which edit and hops; the model it was made with |
| `inferred` | the values that a right explanation names, in hop order |
| `parent_item, parent_model, parent_sample` | the answer it was made from |
| `text` | of the response, null after an error |
| `outcome, reason, picked, marks, confidence, evidence` | of the verdict; `picked` is its answer, `marks` its rationale |
| `state` | the outcome; `unjudged` with a response but no verdict; `unasked` without a response, where the run asked |
| | other items of that method and task |

- A *run* is a responses file with its verdicts; its name is the column `run` of both frames, if there is one.
- A vote (a verdict whose `sample` is null) replaces the samples of its item. Its text is that of the first sample that was
  judged as the vote says; its rationale its own, or that sample's where it has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from evaluators.metrics.table import NOWHERE, Measure

ITEM_COLUMNS = (
    "id", "method", "family", "task", "variant", "question", "options", "answer", "answer_type", "premise", "group", "parent",
    "rationale", "strata", "source",
)  # fmt: skip
RESPONSE_COLUMNS = ("item", "model", "sample", "text", "error", "usage", "seconds", "logprobs")
VERDICT_COLUMNS = ("item", "model", "sample", "outcome", "reason", "answer", "rationale", "confidence", "judge", "evidence")
"""What metrics read of the records; a frame may have more columns, and what it lacks counts as null."""

STRATA = ("domain", "property", "popularity", "commoner", "seen", "category", "expansion")
ANSWERED = ("correct", "incorrect")
COUNTED = (*ANSWERED, "abstained")
"""The outcomes that count as an answer; what is unscored is left out and shown."""

ASKED = pl.col("parent_item").is_null()
"""Whether a question has a truth: those made from an answer have none of their own."""
SCORED = pl.col("state").is_in(COUNTED)
"""Whether an answer counts."""
JUDGED = ~pl.col("state").is_in(["unasked", "unjudged"])
"""Whether there is a verdict."""
UNKNOWABLE = pl.col("accepted").list.len().fill_null(0) == 0
"""Whether nobody knows the answer."""
RIGHT = pl.when(UNKNOWABLE).then(pl.col("state") == "abstained").otherwise(pl.col("state") == "correct")
"""Whether an answer is right; where nobody knows the answer, it is right to abstain."""

COUNTS = (
    Measure("answers", "answers", "count", "scored: correct, incorrect or abstained"),
    Measure("abstained", "abstained", "count", "the model says that it does not know; counted among the answers"),
    Measure("unscored", "unscored", "count", "refused, empty, unreadable or failed"),
    Measure("unjudged", "no verdict", "count", "a response without a verdict"),
    Measure("unasked", "not asked", "count", "no response, though others of the task have one"),
)
"""The counts beside an accuracy."""

_KEY = ("item", "model", "run", "sample")
_QUESTION = _KEY[:3]
_OF_ITEM: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String, "method": pl.String, "family": pl.String, "task": pl.String, "variant": pl.String, "question": pl.String,
    "options": pl.List(pl.String), "answer": pl.List(pl.String), "answer_type": pl.String, "group": pl.String,
}  # fmt: skip
_PARENT = {"item": pl.String, "model": pl.String, "sample": pl.Int64}
_OF_ANSWER = (*_KEY, "text", "outcome", "reason", "picked", "marks", "confidence", "judge", "evidence", "state")
_NO_ANSWER = ("api_error", "tie", "judge_failed")
"""Reasons for which no mapping counts an answer: there is none, or nobody could say what it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What every metric is computed from.

    `counted` has a row for each answer that counts, a vote in the place of its samples; `samples` the samples alone, for what
    is computed from texts; `entailed` the lines of `evaluators.entailment` (`item, model, sample, entailed`, and `run` where
    there are several), null where there are none; `strata` every stratum of every item, a column each beside `item`; `costs`
    what the answers of each `model` and `run` took; `sure` how likely a model found each answer's tokens, where it says so;
    `claims` what they claim, as `evaluators.report.claims` reads it.
    """

    counted: pl.DataFrame
    samples: pl.DataFrame
    entailed: pl.DataFrame | None = None
    strata: pl.DataFrame | None = None
    costs: pl.DataFrame | None = None
    sure: pl.DataFrame | None = None
    claims: pl.DataFrame | None = None

    @classmethod
    def of(
        cls, items: pl.DataFrame, responses: pl.DataFrame, verdicts: pl.DataFrame, entailed: pl.DataFrame | None = None,
        claims: pl.DataFrame | None = None,
    ) -> Answers:  # fmt: skip
        """Join the records.

        Parameters: frames of the records, with any of the columns that the module names; responses and verdicts of several
        runs are one frame each, with a column `run`.

        >>> items = pl.DataFrame({"id": ["i"], "task": ["open"], "group": ["g"]})
        >>> answers = Answers.of(items, pl.DataFrame({"item": ["i"], "model": ["m"], "sample": [0]}), pl.DataFrame())
        >>> answers.counted.select("item", "model", "state").row(0)
        ('i', 'm', 'unjudged')
        """
        counted = joined(items, responses, verdicts)
        # Most runs have no votes, and one join serves both.
        voted = "sample" in verdicts.columns and verdicts["sample"].null_count() > 0
        samples = joined(items, responses, verdicts, votes=False) if voted else counted
        return cls(counted, samples, entailed, all_strata(items), costs(responses), sureness(responses), claims)


def joined(items: pl.DataFrame, responses: pl.DataFrame, verdicts: pl.DataFrame, *, votes: bool = True) -> pl.DataFrame:
    """Join the records as the module says; rows in the order of model, run, item (as listed) and sample.

    Parameters: frames of the records, with any of the columns above; without `votes` there are samples only.
    """
    asked = questions(items).with_row_index("order")
    answered, judged = _responses(responses), _verdicts(verdicts)
    # A run without a name is null, and joins with null: hence `nulls_equal` here and below.
    rows = answered.join(judged.filter(pl.col("sample").is_not_null()), on=_KEY, how="left", nulls_equal=True)
    if votes:
        voted = judged.filter(pl.col("sample").is_null())
        single = rows.join(voted.select(_QUESTION).unique(), on=_QUESTION, how="anti", nulls_equal=True)
        rows = pl.concat([single, _votes(voted, rows)])
    stated = rows.with_columns(state=pl.coalesce("outcome", pl.lit("unjudged"))).select(_OF_ANSWER)
    whole = pl.concat([stated, _unasked(asked, answered)]).join(asked, on="item")
    return whole.sort("model", "run", "order", "sample").drop("order")


def questions(items: pl.DataFrame) -> pl.DataFrame:
    """Bring the items to flat columns.

    >>> questions(pl.DataFrame({"id": ["i"], "strata": [{"domain": "art"}]})).select("item", "domain", "edit").row(0)
    ('i', 'art', None)
    """
    plain = [_column(items, name, dtype) for name, dtype in _OF_ITEM.items()]
    strata = [_field(items, "strata", name, pl.String) for name in STRATA]
    parent = [_field(items, "parent", name, dtype).alias(f"parent_{name}") for name, dtype in _PARENT.items()]
    premise = [_field(items, "premise", "edit", pl.String), _field(items, "premise", "hops", pl.Int64)]
    # Ours say the pivot in `source`; users' items may say it among the strata.
    pivot = pl.coalesce(_field(items, "source", "pivot", pl.String), _field(items, "strata", "pivot", pl.String)).alias("pivot")
    presumes = pl.col("premise").is_not_null() if "premise" in items.columns else pl.lit(False)
    read = _field(items, "source", "read", pl.String)
    flat = items.select(*plain, *strata, *parent, *premise, pivot, read, presumes.alias("presumes"), _inferred(items))
    return flat.rename({"id": "item", "answer": "accepted"})


def all_strata(items: pl.DataFrame) -> pl.DataFrame:
    """Return every stratum of every item, a user's own too, a column each beside `item`.

    >>> all_strata(pl.DataFrame({"id": ["i"], "strata": [{"domain": "art", "mood": "sad"}]})).row(0)
    ('i', 'art', 'sad')
    """
    held = items.schema.get("strata")
    fields = [field.name for field in held.fields] if isinstance(held, pl.Struct) else []
    columns = [pl.col("strata").struct.field(name).cast(pl.String) for name in fields if name != "item"]
    return items.select(pl.col("id").alias("item"), *columns)


def costs(responses: pl.DataFrame) -> pl.DataFrame:
    """Return what the answers of each model and run took: tokens, US dollars, and the median of the seconds; null is not said.

    >>> frame = pl.DataFrame({"model": ["m"] * 2, "usage": [{"input": 9, "output": 2}] * 2, "seconds": [1.0, 3.0]})
    >>> costs(frame).row(0)
    ('m', None, 18, 4, None, 2.0)
    """
    usage = {"input": pl.Int64, "output": pl.Int64, "usd": pl.Float64}
    used = [_field(responses, "usage", name, dtype) for name, dtype in usage.items()]
    keys = [_column(responses, name, pl.String) for name in ("model", "run")]
    flat = responses.select(*keys, *used, _column(responses, "seconds", pl.Float64))
    sums = [pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()).alias(name) for name in usage]
    return flat.group_by("model", "run").agg(*sums, pl.col("seconds").median())


def sureness(responses: pl.DataFrame) -> pl.DataFrame | None:
    """Return how likely a model found the tokens of each answer: their geometric mean (`sure`), null where none has `logprobs`.

    A frame may have the column `sure` already.

    >>> frame = pl.DataFrame({"item": ["i"], "model": ["m"], "sample": [0], "logprobs": [[{"token": "No", "logprob": -0.5}]]})
    >>> sureness(frame)["sure"].round(3).to_list()
    [0.607]
    """
    if "sure" in responses.columns:
        sure = pl.col("sure")
    elif isinstance(responses.schema.get("logprobs"), pl.List):
        sure = pl.col("logprobs").list.eval(pl.element().struct.field("logprob")).list.mean().exp().alias("sure")
    else:
        return None
    told = responses.select(*_keys(responses), sure).drop_nulls("sure")
    return told if told.height else None


def _inferred(items: pl.DataFrame) -> pl.Expr:
    """Return the values of each item's rationale, in hop order."""
    held = items.schema.get("rationale")
    if isinstance(held, pl.List) and isinstance(held.inner, pl.Struct) and "value" in held.inner.to_schema():
        return pl.col("rationale").list.eval(pl.element().struct.field("value")).alias("inferred")
    return pl.lit(None, pl.List(pl.String)).alias("inferred")


def _column(frame: pl.DataFrame, name: str, dtype: pl.DataType | type[pl.DataType]) -> pl.Expr:
    return pl.col(name).cast(dtype) if name in frame.columns else pl.lit(None, dtype).alias(name)


def _field(frame: pl.DataFrame, struct: str, name: str, dtype: type[pl.DataType]) -> pl.Expr:
    """Return a field of a struct, null where the frame has no such struct or the struct no such field."""
    held = frame.schema.get(struct)
    if isinstance(held, pl.Struct) and name in held.to_schema():
        return pl.col(struct).struct.field(name).cast(dtype).alias(name)
    return pl.lit(None, dtype).alias(name)


def _responses(responses: pl.DataFrame) -> pl.DataFrame:
    failed = pl.col("error").is_not_null() if "error" in responses.columns else pl.lit(False)
    text = pl.when(~failed).then(_column(responses, "text", pl.String)).alias("text")
    return responses.select(*_keys(responses), text)


def _verdicts(verdicts: pl.DataFrame) -> pl.DataFrame:
    if "item" not in verdicts.columns:
        # No verdict at all: a frame without a column.
        verdicts = pl.DataFrame(schema={"item": pl.String, "model": pl.String, "sample": pl.Int64})
    texts = [_column(verdicts, name, pl.String) for name in ("outcome", "reason", "answer", "confidence", "judge")]
    marks = _column(verdicts, "rationale", pl.List(pl.Boolean))
    evidence = _column(verdicts, "evidence", pl.Boolean)
    return verdicts.select(*_keys(verdicts), *texts, marks, evidence).rename({"answer": "picked", "rationale": "marks"})


def _keys(records: pl.DataFrame) -> list[pl.Expr]:
    return [_column(records, name, pl.Int64 if name == "sample" else pl.String) for name in _KEY]


def _votes(votes: pl.DataFrame, samples: pl.DataFrame) -> pl.DataFrame:
    """Return the votes as answers, each with the text of the first sample that was judged alike."""
    decided = [*_QUESTION, "outcome"]
    alike = (
        samples.join(votes.select(decided), on=decided, how="semi", nulls_equal=True)
        .sort("sample")
        .unique(decided, keep="first", maintain_order=True)
        .select(*decided, "text", pl.col("marks").alias("sample_marks"))
    )
    rows = votes.join(alike, on=decided, how="left", nulls_equal=True)
    # A majority of outcomes has marks of its own only where the judge that voted gave some.
    own = pl.when(pl.col("marks").list.len() > 0).then("marks").otherwise(pl.coalesce("sample_marks", "marks"))
    return rows.with_columns(marks=own).select(samples.columns)


def _unasked(asked: pl.DataFrame, answered: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each item a run left out though it asked others of its method and task."""
    of_run = answered.select(_QUESTION).unique()
    kinds = of_run.join(asked.select("item", "method", "task"), on="item").select("model", "run", "method", "task").unique()
    # An item made from another model's answer is due to that model alone.
    own = pl.col("parent_model").is_null() | (pl.col("parent_model") == pl.col("model"))
    due = asked.join(kinds, on=["method", "task"], nulls_equal=True).filter(own).select(_QUESTION)
    missing = due.join(of_run, on=_QUESTION, how="anti", nulls_equal=True)
    return missing.with_columns(
        pl.lit(None, pl.Int64).alias("sample"),
        *(pl.lit(None, pl.String).alias(name) for name in ("text", "outcome", "reason", "picked", "confidence", "judge")),
        pl.lit(None, pl.List(pl.Boolean)).alias("marks"),
        pl.lit(None, pl.Boolean).alias("evidence"),
        pl.lit("unasked").alias("state"),
    ).select(_OF_ANSWER)


def counts() -> list[pl.Expr]:
    """Return the sums of a cell that `COUNTS` names.

    >>> pl.DataFrame({"state": ["correct", "unscored"]}).select(counts()).row(0)
    (1, 0, 1, 0, 0)
    """
    scored = SCORED.sum().cast(pl.Int64).alias("answers")
    return [scored, *in_states(*(measure.name for measure in COUNTS[1:]))]


def in_states(*states: str) -> list[pl.Expr]:
    """Return how many answers of a cell are in each state.

    >>> pl.DataFrame({"state": ["correct", "unscored"]}).select(in_states("correct", "incorrect")).row(0)
    (1, 0)
    """
    return [(pl.col("state") == state).sum().cast(pl.Int64).alias(state) for state in states]


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
    counted = SCORED
    if as_published:
        counted |= (pl.col("state") == "unscored") & ~pl.col("reason").is_in(_NO_ANSWER)
    return pl.when(counted).then(pl.col("state") == "correct")


def known_groups(answers: pl.DataFrame, gate: pl.Expr, passed: pl.Expr) -> pl.DataFrame:
    """Return the `model, run, group` whose gate questions were all passed, each by more than half of its answers.

    A group with a question that has no verdict is not known (so it is at `evaluators.ask.gate`).

    Parameters: `gate` picks the questions that tell what a model knows; `passed` says whether an answer to one passes.
    What a model knows is asked once: a run that did not ask all of a group's gate questions takes them from all its runs.
    """
    gates = answers.filter(gate)
    needed = gates.select("group", "item").unique().group_by("group").len("needed")
    judged = gates.filter(JUDGED).with_columns(passed.alias("passed"))
    own, pooled = (_all_passed(judged, dims, needed) for dims in (["model", "run", "group"], ["model", "group"]))
    groups = answers.select("model", "run", "group").unique(maintain_order=True)
    groups = groups.join(own, on=["model", "run", "group"], how="left", nulls_equal=True)
    groups = groups.join(pooled, on=["model", "group"], how="left", suffix="_pooled")
    return groups.filter(pl.coalesce("known", "known_pooled", pl.lit(False))).select("model", "run", "group")


def _all_passed(judged: pl.DataFrame, dims: list[str], needed: pl.DataFrame) -> pl.DataFrame:
    """Return whether every question of a group was passed, null where one was not judged."""
    of_item = judged.group_by(*dims, "item").agg((pl.col("passed").mean() > 0.5).alias("passed"))
    groups = of_item.group_by(dims).agg(pl.col("passed").all(), pl.len().alias("judged")).join(needed, on="group")
    return groups.select(*dims, pl.when(pl.col("judged") == pl.col("needed")).then("passed").alias("known"))


def populations(answers: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """Return the answers twice: in the population `all`, and in `known` those in the groups of `known`."""
    own = answers.join(known, on=["model", "run", "group"], how="semi", nulls_equal=True)
    return pl.concat([answers.with_columns(population=pl.lit("all")), own.with_columns(population=pl.lit("known"))])
