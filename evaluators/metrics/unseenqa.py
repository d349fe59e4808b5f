"""Factuality, consistency and reliability of a model as a knowledge base, after LLM-as-KB (Zheng et al., 2024), section 2.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import evaluators.metrics.unseenqa; help(evaluators.metrics.unseenqa)'
```

Over the open questions, each answer for itself (votes aside). Seen: the stratum `seen` is not "no", or without one an answer is
accepted. Unseen: `seen` is "no", or without one nobody knows (`answer` null).

    CR = correct / answers to seen        WR = wrong / answers to seen         NCR = CR - WR      (1, 2)
    UR = uninformative / answers to unseen                                                        (3)
    Cons(q, r) = choices among r and distractors that pick r again / such choices                 (4)
    C_correct = mean of Cons over the correct answers to seen                                     (5)
    C_wrong_seen, C_wrong_unseen = mean of Cons over the wrong answers to seen, to unseen         (7, 8)
    C_wrong = (C_wrong_seen + C_wrong_unseen) / 2; the one that exists where the other has no wrong answers   (6)
    CCR = CR * C_correct        CWR = WR * C_wrong_seen        NCCR = CCR - CWR                   (9)
    IUR = 1 - (1 - UR) * C_wrong_unseen; 1 where nothing was wrong                                (10)

and Pearson's correlation of these over the models (table 2). A consistency item is a choice whose `parent` names the answer it
was made from; r is the option that says what that answer says. The model's pick is the verdict's where there is one, else it is
read from the text as `evaluators.verify.choice` reads it. CCR is 0 where CR is 0, and CWR 0 where WR is 0. What no consistency
items measured is null.

| outcome and reason | counted as | as published |
|---|---|---|
| correct | correct (to unseen: wrong) | the same |
| incorrect | wrong | the same |
| abstained: unsure | uninformative | the same |
| unscored: empty, echo, repetition | uninformative | the same |
| unscored: refused | left out | uninformative |
| unscored: unparsed, unclear | left out | wrong |
| unscored: api_error, tie, judge_failed; no verdict | left out | left out |
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.consistency import consistency
from evaluators.metrics.correlations import correlations
from evaluators.metrics.rates import rates
from evaluators.metrics.scope import named, who
from evaluators.metrics.table import Measure, Table

__all__ = ["unseenqa_tables"]

_SOURCE = "LLM-as-KB (Zheng et al., 2024), "
_NOTE = "Uninformative: unsure, empty, echo, repetition. Refused, unreadable and failed answers are left out."
_PUBLISHED = "As published: uninformative are unsure, refused, empty, echo, repetition; what is unreadable is wrong."
_NOTHING = ("empty", "echo", "repetition")
_FACTUALITY = (
    Measure("CR", "CR", "rate", "correct answers to what was seen"),
    Measure("WR", "WR", "rate", "wrong answers to what was seen; lower is better"),
    Measure("NCR", "NCR", "number", "CR - WR"),
    Measure("UR", "UR", "rate", "uninformative answers to what was not seen"),
)
_CONSISTENCY = (
    Measure("C_correct", "C correct", "rate", "correct answers that are picked again"),
    Measure("C_wrong_seen", "C wrong, seen", "rate", "wrong answers to what was seen that are picked again; lower is better"),
    Measure(
        "C_wrong_unseen", "C wrong, unseen", "rate", "wrong answers to what was not seen that are picked again; lower is better"
    ),
    Measure("C_wrong", "C wrong", "number", "the mean of the two"),
)
_RELIABILITY = (
    Measure("CCR", "CCR", "number", "CR * C correct"),
    Measure("CWR", "CWR", "number", "WR * C wrong, seen"),
    Measure("NCCR", "NCCR", "number", "CCR - CWR"),
    Measure("IUR", "IUR", "number", "1 - (1 - UR) * C wrong, unseen"),
)


def unseenqa_tables(samples: pl.DataFrame, *, as_published: bool = False) -> list[Table]:
    """Return the tables of LLM-as-KB: factuality, consistency, reliability, correlations, unseen questions by answer type.

    Parameters: `samples` as `joined` gives them without votes; where nothing is unseen and no item asks for an answer again,
    there are no tables.
    """
    asked = samples.filter((pl.col("task") == "open") & pl.col("parent_item").is_null() & ~pl.col("presumes"))
    again = samples.filter((pl.col("task") == "choice") & pl.col("parent_item").is_not_null())
    told = asked.with_columns(_unseen(), _kind(as_published)).with_columns(_as_seen())
    if not (again.height or told["unseen"].any()):
        return []
    dims, note = who(samples), _PUBLISHED if as_published else _NOTE
    numbers = _numbers(named(told), named(consistency(told, again)), dims)
    made = [
        Table.of(
            "unseenqa.factuality",
            ("Factuality", f"{_SOURCE}section 2.1, table 9", note),
            _FACTUALITY,
            _cut(numbers, dims, _FACTUALITY),
        ),
        Table.of(
            "unseenqa.consistency",
            ("Consistency", f"{_SOURCE}section 2.2, table 10", note),
            _CONSISTENCY,
            _cut(numbers, dims, _CONSISTENCY),
        ),
        Table.of(
            "unseenqa.reliability",
            ("Reliability", f"{_SOURCE}section 2.3, table 11", note),
            _RELIABILITY,
            _cut(numbers, dims, _RELIABILITY),
        ),
        *correlations(numbers, dims),
        *_unseen_tables(named(told.filter("unseen"), "answer_type"), dims, note),
    ]
    return [table for table in made if table.frame.height]


def _unseen() -> pl.Expr:
    by_answer = pl.col("accepted").list.len().fill_null(0) == 0
    return (
        pl.when(pl.col("seen").is_null()).then(by_answer).otherwise(pl.col("seen").str.to_lowercase() == "no").alias("unseen")
    )


def _kind(as_published: bool) -> pl.Expr:
    """Return what an answer is: correct, wrong, uninformative, or null."""
    reason, unscored = pl.col("reason"), pl.col("state") == "unscored"
    uninformative = (pl.col("state") == "abstained") | (
        unscored & reason.is_in([*_NOTHING, *(["refused"] if as_published else [])])
    )
    wrong = pl.col("state") == "incorrect"
    if as_published:
        wrong |= unscored & reason.is_in(["unparsed", "unclear"])
    kind = pl.when(pl.col("state") == "correct").then(pl.lit("correct")).when(wrong).then(pl.lit("wrong"))
    return kind.when(uninformative).then(pl.lit("uninformative")).alias("kind")


def _as_seen() -> pl.Expr:
    """Where nobody can know, an answer that passes for correct is a claim all the same."""
    claimed = pl.col("unseen") & (pl.col("kind") == "correct")
    return pl.when(claimed).then(pl.lit("wrong")).otherwise("kind").alias("kind")


def _numbers(told: pl.DataFrame, repeated: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    """Return all numbers of each model."""
    kind, seen, unseen = pl.col("kind"), ~pl.col("unseen"), pl.col("unseen")
    counted = kind.is_not_null()
    facts = {
        "CR": pl.when(seen & counted).then(kind == "correct"),
        "WR": pl.when(seen & counted).then(kind == "wrong"),
        "UR": pl.when(unseen & counted).then(kind == "uninformative"),
        "claimed": pl.when(unseen & counted).then(kind == "wrong"),
    }
    again = {
        "C_correct": pl.when(seen & (kind == "correct")).then("cons"),
        "C_wrong_seen": pl.when(seen & (kind == "wrong")).then("cons"),
        "C_wrong_unseen": pl.when(unseen & (kind == "wrong")).then("cons"),
    }
    both = rates(told, dims, facts).join(rates(repeated, dims, again), on=dims, how="left", maintain_order="left")
    return both.with_columns(_derived()).with_columns((pl.col("CCR") - pl.col("CWR")).alias("NCCR"))


def _derived() -> list[pl.Expr]:
    seen, unseen = pl.col("C_wrong_seen"), pl.col("C_wrong_unseen")
    no_wrong, no_claim = (pl.col("WR") == 0) | (pl.col("WR_n") == 0), (pl.col("claimed") == 0) | (pl.col("UR_n") == 0)
    mean = pl.when(no_wrong).then(unseen).when(no_claim).then(seen).otherwise((seen + unseen) / 2)
    return [
        (pl.col("CR") - pl.col("WR")).alias("NCR"),
        mean.alias("C_wrong"),
        pl.when(pl.col("CR") == 0).then(0.0).otherwise(pl.col("CR") * pl.col("C_correct")).alias("CCR"),
        pl.when(pl.col("WR") == 0).then(0.0).otherwise(pl.col("WR") * seen).alias("CWR"),
        pl.when(pl.col("claimed") == 0).then(1.0).otherwise(1 - (1 - pl.col("UR")) * unseen).alias("IUR"),
    ]


def _cut(numbers: pl.DataFrame, dims: list[str], measures: tuple[Measure, ...]) -> pl.DataFrame:
    """Keep the columns of these measures, and the models that have any of them."""
    kept = numbers.select(*dims, *(column for measure in measures for column in measure.columns))
    return kept.filter(pl.any_horizontal(pl.col(measure.name).is_not_null() for measure in measures))


def _unseen_tables(unseen: pl.DataFrame, dims: list[str], note: str) -> list[Table]:
    """Return UR by answer type (figure 4), and what the uninformative answers are (figure 5)."""
    counted, kind, reason = pl.col("kind").is_not_null(), pl.col("kind"), pl.col("reason")
    by_type = rates(unseen, [*dims, "answer_type"], {"UR": pl.when(counted).then(kind == "uninformative")})
    forms = {"unsure": ["unsure", "refused"], "none": ["empty", "echo"], "repetition": ["repetition"]}
    shares = {name: pl.when(kind == "uninformative").then(reason.is_in(reasons)) for name, reasons in forms.items()}
    what = [
        Measure(name, name, "rate", f"of the uninformative answers: {', '.join(reasons)}") for name, reasons in forms.items()
    ]
    return [
        Table.of(
            "unseenqa.answer_type", ("Unseen questions by answer type", f"{_SOURCE}figure 4", note), _FACTUALITY[3:], by_type
        ),
        Table.of(
            "unseenqa.uninformative",
            ("Uninformative answers to unseen questions", f"{_SOURCE}figure 5", note),
            what,
            rates(unseen, dims, shares),
        ),
    ]
