"""Items, responses and verdicts in one frame: a row for each answer that a metric may count.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import evaluators.metrics.answers as a; help(a.joined)'
```

| columns of the result | |
|---|---|
| `item, model, run, sample` | what tells an answer from the others |
| `method, family, task, variant, group, question, options, accepted, answer_type` | of the item; `accepted` are its answers |
| `domain, property, popularity, seen, category, expansion` | its strata |
| `presumes, edit, hops, pivot` | whether it has a premise, with which edit and hops; the model it was made with |
| `parent_item, parent_model, parent_sample` | the answer it was made from |
| `text` | of the response, null after an error |
| `outcome, reason, picked, marks` | of the verdict; `picked` is its answer, `marks` its rationale |
| `state` | the outcome; `unjudged` with a response but no verdict; `unasked` without a response, where the run asked |
| | other items of that method and task |

- A *run* is a responses file with its verdicts; its name is the column `run` of both frames, if there is one.
- A vote (a verdict whose `sample` is null) replaces the samples of its item. Its text is that of the first sample that was
  judged as the vote says; its rationale its own, or that sample's where it has none.
"""

from __future__ import annotations

import polars as pl

__all__ = ["ANSWERED", "COUNTED", "ITEM_COLUMNS", "RESPONSE_COLUMNS", "STRATA", "VERDICT_COLUMNS", "joined", "questions"]

ITEM_COLUMNS = (
    "id", "method", "family", "task", "variant", "question", "options", "answer", "answer_type", "premise", "group", "parent",
    "rationale", "strata", "source",
)  # fmt: skip
RESPONSE_COLUMNS = ("item", "model", "sample", "text", "error")
VERDICT_COLUMNS = ("item", "model", "sample", "outcome", "reason", "answer", "rationale")
"""What metrics read of the records; a frame may have more columns, and what it lacks counts as null."""

STRATA = ("domain", "property", "popularity", "seen", "category", "expansion")
COUNTED = ("correct", "incorrect", "abstained")
"""The outcomes that count as an answer; what is unscored is left out and shown."""

ANSWERED = ("correct", "incorrect")

_KEY = ("item", "model", "run", "sample")
_OF_ITEM: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String, "method": pl.String, "family": pl.String, "task": pl.String, "variant": pl.String, "question": pl.String,
    "options": pl.List(pl.String), "answer": pl.List(pl.String), "answer_type": pl.String, "group": pl.String,
}  # fmt: skip


def joined(items: pl.DataFrame, responses: pl.DataFrame, verdicts: pl.DataFrame, *, votes: bool = True) -> pl.DataFrame:
    """Join the records as the module says; rows in the order of model, run, item (as listed) and sample.

    Parameters: frames as `queries.records.read_frame` gives them, with any of the columns above; without `votes` there are
    samples only.

    >>> items = pl.DataFrame({"id": ["i"], "task": ["open"], "group": ["g"]})
    >>> answers = joined(items, pl.DataFrame({"item": ["i"], "model": ["m"], "sample": [0]}), pl.DataFrame())
    >>> answers.select("item", "model", "state").row(0)
    ('i', 'm', 'unjudged')
    """
    asked = questions(items).with_row_index("order")
    answered, judged = _responses(responses), _verdicts(verdicts)
    told = answered.join(judged.filter(pl.col("sample").is_not_null()), on=_KEY, how="left", nulls_equal=True)
    if votes:
        single = told.join(_voted(judged), on=_KEY[:3], how="anti", nulls_equal=True)
        told = pl.concat([single, _votes(judged, told)])
    counted = told.with_columns(state=pl.coalesce("outcome", pl.lit("unjudged")))
    rows = pl.concat([counted.select(_TOLD), _unasked(asked, answered)]).join(asked, on="item")
    return rows.sort("model", "run", "order", "sample").drop("order")


_TOLD = ("item", "model", "run", "sample", "text", "outcome", "reason", "picked", "marks", "state")


def questions(items: pl.DataFrame) -> pl.DataFrame:
    """Bring the items to flat columns.

    >>> questions(pl.DataFrame({"id": ["i"], "strata": [{"domain": "art"}]})).select("item", "domain", "edit").row(0)
    ('i', 'art', None)
    """
    plain = [_column(items, name, dtype) for name, dtype in _OF_ITEM.items()]
    strata = [_field(items, "strata", name, pl.String) for name in STRATA]
    parent = [_field(items, "parent", name, dtype).alias(f"parent_{name}") for name, dtype in _PARENT.items()]
    premise = [_field(items, "premise", "edit", pl.String), _field(items, "premise", "hops", pl.Int64)]
    pivot = pl.coalesce(_field(items, "source", "pivot", pl.String), _field(items, "strata", "pivot", pl.String)).alias("pivot")
    presumes = pl.col("premise").is_not_null() if "premise" in items.columns else pl.lit(False)
    flat = items.select(*plain, *strata, *parent, *premise, pivot, presumes.alias("presumes"), _hops(items))
    return flat.rename({"id": "item", "answer": "accepted"})


def _hops(items: pl.DataFrame) -> pl.Expr:
    """Return the inferred values of each item, in hop order."""
    held = items.schema.get("rationale")
    if isinstance(held, pl.List) and isinstance(held.inner, pl.Struct) and "value" in held.inner.to_schema():
        return pl.col("rationale").list.eval(pl.element().struct.field("value")).alias("inferred")
    return pl.lit(None, pl.List(pl.String)).alias("inferred")


_PARENT = {"item": pl.String, "model": pl.String, "sample": pl.Int64}


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
        verdicts = pl.DataFrame(schema={"item": pl.String, "model": pl.String, "sample": pl.Int64})
    texts = [_column(verdicts, name, pl.String) for name in ("outcome", "reason", "answer")]
    marks = _column(verdicts, "rationale", pl.List(pl.Boolean))
    return verdicts.select(*_keys(verdicts), *texts, marks).rename({"answer": "picked", "rationale": "marks"})


def _keys(records: pl.DataFrame) -> list[pl.Expr]:
    return [_column(records, name, pl.Int64 if name == "sample" else pl.String) for name in _KEY]


def _voted(verdicts: pl.DataFrame) -> pl.DataFrame:
    return verdicts.filter(pl.col("sample").is_null()).select(_KEY[:3]).unique()


def _votes(verdicts: pl.DataFrame, told: pl.DataFrame) -> pl.DataFrame:
    """Return the votes as answers, each with the text of the first sample that was judged alike."""
    votes = verdicts.filter(pl.col("sample").is_null())
    alike = (
        told.join(votes.select(*_KEY[:3], "outcome"), on=[*_KEY[:3], "outcome"], how="semi", nulls_equal=True)
        .sort("sample")
        .unique([*_KEY[:3], "outcome"], keep="first", maintain_order=True)
        .select(*_KEY[:3], "outcome", "text", pl.col("marks").alias("its_marks"))
    )
    both = votes.join(alike, on=[*_KEY[:3], "outcome"], how="left", nulls_equal=True)
    own = pl.when(pl.col("marks").list.len() > 0).then("marks").otherwise(pl.coalesce("its_marks", "marks"))
    return both.with_columns(marks=own).select(told.columns)


def _unasked(asked: pl.DataFrame, answered: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each item a run left out though it asked others of its method and task."""
    of_run = answered.select("item", "model", "run").unique()
    kinds = of_run.join(asked.select("item", "method", "task"), on="item").select("model", "run", "method", "task").unique()
    own = pl.col("parent_model").is_null() | (pl.col("parent_model") == pl.col("model"))
    due = asked.join(kinds, on=["method", "task"], nulls_equal=True).filter(own).select("item", "model", "run")
    missing = due.join(of_run, on=["item", "model", "run"], how="anti", nulls_equal=True)
    return missing.with_columns(
        pl.lit(None, pl.Int64).alias("sample"),
        *(pl.lit(None, pl.String).alias(name) for name in ("text", "outcome", "reason", "picked")),
        pl.lit(None, pl.List(pl.Boolean)).alias("marks"),
        pl.lit("unasked").alias("state"),
    ).select(_TOLD)
