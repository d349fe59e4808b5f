"""Factuality, consistency and reliability of a model as a knowledge base, after LLM-as-KB (Zheng et al., 2024), section 2.

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
| unscored: truncated, language, unparsed, unclear | left out | wrong |
| unscored: api_error, tie, judge_failed; no verdict | left out | left out |
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from evaluators.metrics.answers import ASKED, UNKNOWABLE, Answers, named, who
from evaluators.metrics.table import Measure, Table, rates
from evaluators.metrics.text import normalised
from evaluators.statistics.distributions import t_tail
from evaluators.verify.choice import pick

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
_PAIRS = (
    ("NCR", "UR"), ("NCCR", "IUR"), ("C_correct", "C_wrong"), ("NCR", "C_correct"), ("NCR", "C_wrong"), ("UR", "C_correct"),
    ("UR", "C_wrong"),
)  # fmt: skip
"""The pairs of table 2."""

_PARENT = ("model", "run", "item", "sample")
_FEWEST = 3  # models that a correlation is taken over
_CORRELATION = (
    Measure("r", "Pearson's r", "number"),
    Measure("p", "p", "number", "two-sided, of no correlation"),
    Measure("models", "models", "count", "models that have both numbers"),
)


def unseenqa_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the tables of LLM-as-KB: factuality, consistency, reliability, correlations, unseen questions by answer type.

    Where nothing is unseen and no item asks for an answer again, there are no tables.
    """
    samples = answers.samples
    asked = samples.filter((pl.col("task") == "open") & ASKED & ~pl.col("presumes"))
    again = samples.filter((pl.col("task") == "choice") & ~ASKED)
    answered = asked.with_columns(_unseen(), _kind(as_published)).with_columns(_as_seen())
    if not answered.height or not (again.height or answered["unseen"].any()):
        return []
    dims, note = who(samples), _PUBLISHED if as_published else _NOTE
    numbers = _numbers(named(answered), named(consistency(answered, again)), dims)
    tables = [
        _part(numbers, dims, "factuality", ("Factuality", f"{_SOURCE}section 2.1, table 9", note), _FACTUALITY),
        _part(numbers, dims, "consistency", ("Consistency", f"{_SOURCE}section 2.2, table 10", note), _CONSISTENCY),
        _part(numbers, dims, "reliability", ("Reliability", f"{_SOURCE}section 2.3, table 11", note), _RELIABILITY),
        _correlations(numbers, dims),
        *_unseen_tables(named(answered.filter("unseen"), "answer_type"), dims, note),
    ]
    return [table for table in tables if table.frame.height]


def _part(
    numbers: pl.DataFrame, dims: list[str], name: str, about: tuple[str, str, str], measures: tuple[Measure, ...]
) -> Table:
    """Make a table of these measures, with the models that have any of them."""
    columns = numbers.select(*dims, *(column for measure in measures for column in measure.columns))
    rows = columns.filter(pl.any_horizontal(pl.col(measure.name).is_not_null() for measure in measures))
    return Table.of(f"unseenqa.{name}", about, measures, rows)


def _unseen() -> pl.Expr:
    by_stratum = pl.col("seen").str.to_lowercase() == "no"
    return pl.when(pl.col("seen").is_null()).then(UNKNOWABLE).otherwise(by_stratum).alias("unseen")


def _kind(as_published: bool) -> pl.Expr:
    """Return what an answer is: correct, wrong, uninformative, or null."""
    reason, unscored = pl.col("reason"), pl.col("state") == "unscored"
    uninformative = (pl.col("state") == "abstained") | (
        unscored & reason.is_in([*_NOTHING, *(["refused"] if as_published else [])])
    )
    wrong = pl.col("state") == "incorrect"
    if as_published:
        wrong |= unscored & reason.is_in(["truncated", "language", "unparsed", "unclear"])
    kind = pl.when(pl.col("state") == "correct").then(pl.lit("correct")).when(wrong).then(pl.lit("wrong"))
    return kind.when(uninformative).then(pl.lit("uninformative")).alias("kind")


def _as_seen() -> pl.Expr:
    """Return the kind, where an answer to what nobody can know is wrong even if its verdict is correct: it is a claim."""
    claimed = pl.col("unseen") & (pl.col("kind") == "correct")
    return pl.when(claimed).then(pl.lit("wrong")).otherwise("kind").alias("kind")


def _numbers(answered: pl.DataFrame, repeated: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
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
    both = rates(answered, dims, facts).join(rates(repeated, dims, again), on=dims, how="left", maintain_order="left")
    # NCCR is made of two derived columns, so it takes a step of its own.
    return both.with_columns(_derived()).with_columns((pl.col("CCR") - pl.col("CWR")).alias("NCCR"))


def _derived() -> list[pl.Expr]:
    seen, unseen = pl.col("C_wrong_seen"), pl.col("C_wrong_unseen")
    # C_wrong is the one that exists: without a wrong answer to what was seen (or to what was not) there is only the other.
    no_wrong, no_claim = (pl.col("WR") == 0) | (pl.col("WR_n") == 0), (pl.col("claimed") == 0) | (pl.col("UR_n") == 0)
    mean = pl.when(no_wrong).then(unseen).when(no_claim).then(seen).otherwise((seen + unseen) / 2)
    return [
        (pl.col("CR") - pl.col("WR")).alias("NCR"),
        mean.alias("C_wrong"),
        pl.when(pl.col("CR") == 0).then(0.0).otherwise(pl.col("CR") * pl.col("C_correct")).alias("CCR"),
        pl.when(pl.col("WR") == 0).then(0.0).otherwise(pl.col("WR") * seen).alias("CWR"),
        pl.when(pl.col("claimed") == 0).then(1.0).otherwise(1 - (1 - pl.col("UR")) * unseen).alias("IUR"),
    ]


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


def consistency(answered: pl.DataFrame, again: pl.DataFrame) -> pl.DataFrame:
    """Return the answers that were asked for again, with `cons`, the share of their choices that pick them again: Cons(q, r).

    Parameters: `answered` are the answers to open questions; `again` those to the choices made from them. A choice put to
    another model than its answer's does not count. A run without the answer takes it from the model's other runs.
    """
    own_model = pl.col("parent_model").is_null() | (pl.col("parent_model") == pl.col("model"))
    choices = again.filter(pl.col("text").is_not_null() & own_model)
    choices = choices.select("model", "run", "parent_item", "parent_sample", "options", "text", "picked", "question")
    plain = _with_parent(choices, answered).with_columns(
        normalised(pl.col("answer", "understood")),
        form=normalised(pl.col("text")),
        forms=pl.col("options").list.eval(normalised(pl.element())),
    )
    marks = pl.Series("again", [_again(_Choice(*row)) for row in plain.select(_Choice._fields).iter_rows()], pl.Boolean)
    means = plain.with_columns(marks).group_by("model", "run", "order", maintain_order=True)
    return means.agg(pl.col("again").mean().alias("cons")).join(
        answered.with_row_index("order").drop("model", "run"), on="order"
    )


class _Choice(NamedTuple):
    """A choice put to a model: the answer it was made from, and what the model replied; the first five are normalised texts."""

    answer: str | None
    understood: str | None
    forms: Sequence[str]
    form: str
    picked: str | None
    text: str
    options: Sequence[str]
    question: str


def _with_parent(choices: pl.DataFrame, answered: pl.DataFrame) -> pl.DataFrame:
    """Put the answer beside each choice made from it: of the same run, or else of the first one.

    `answer` is its text, `understood` what the verdict understood of it, `order` its row.
    """
    parents = answered.with_row_index("order").filter(pl.col("state") != "unasked")
    parents = parents.select("order", *_PARENT, pl.col("text").alias("answer"), pl.col("picked").alias("understood"))
    keyed = choices.rename({"parent_item": "item", "parent_sample": "sample"}).with_columns(pl.col("sample").fill_null(0))
    own = keyed.join(parents, on=_PARENT, how="left", nulls_equal=True, maintain_order="left")
    of_model = ["model", "item", "sample"]
    first = parents.sort("run", nulls_last=False).unique(of_model, keep="first", maintain_order=True).drop("run")
    both = own.join(first, on=of_model, how="left", suffix="_first", maintain_order="left")
    same_run = pl.col("order").is_not_null()
    return both.with_columns(
        pl.when(same_run).then(name).otherwise(f"{name}_first").alias(name) for name in ("answer", "understood", "order")
    ).filter(pl.col("order").is_not_null())


def _again(choice: _Choice) -> bool | None:
    """Tell whether the option that says what the answer said is picked; null where no option says it.

    >>> _again(_Choice("canberra", None, ["sydney", "canberra"], "b", None, "B", ["Sydney", "Canberra"], "?"))
    True
    """
    own = _own_option(choice)
    if own is None:
        return None
    picked = choice.picked
    return (int(picked) if picked is not None and picked.isdigit() else _picked(choice)) == own


def _own_option(choice: _Choice) -> int | None:
    """Return the number of the option that is the answer, or what was understood of it, or else alone stands in it."""
    for words in (choice.answer, choice.understood):
        if words and words in choice.forms:
            return choice.forms.index(words) + 1
    within = [n for n, form in enumerate(choice.forms, 1) if choice.answer and form and f" {form} " in f" {choice.answer} "]
    return within[0] if len(within) == 1 else None


def _picked(choice: _Choice) -> int | None:
    """Return the number of the option that a text picks: its number, its own words or letter alone, or what the rules read.

    Choices ask for the number: "3" is the third option, whichever says "3".
    """
    if choice.form.isdecimal() and 0 < int(choice.form) <= len(choice.forms):
        return int(choice.form)
    if choice.form in choice.forms:
        return choice.forms.index(choice.form) + 1
    if len(choice.form) == 1 and "a" <= choice.form <= "z":
        return ord(choice.form) - ord("a") + 1
    picked = pick(choice.text, tuple(choice.options), choice.question)
    return picked.options[0] if picked is not None and len(picked.options) == 1 else None


def pearson(a: ArrayLike, b: ArrayLike) -> tuple[float | None, float | None]:
    """Return the correlation and its two-sided p (Student's t with n - 2 degrees of freedom); null where undefined.

    >>> pearson([1, 2, 3], [1, 2, 4])
    (0.98..., 0.12...)
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.size < _FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None, None
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    if abs(r) == 1:
        return r, 0.0  # t would be infinite
    t = abs(r) * math.sqrt((x.size - 2) / (1 - r * r))
    return r, 2 * t_tail(t, x.size - 2)


def _correlations(numbers: pl.DataFrame, dims: list[str]) -> Table:
    """Return the correlations over the models of each run (section 5.1, table 2), of three models and more."""
    runs = [name for name in dims if name != "model"]
    # Models are compared within a run: the same questions put in the same way.
    parts = numbers.partition_by(runs, as_dict=True) if runs else {(): numbers}
    rows = [
        {**dict(zip(runs, map(str, cell), strict=True)), "metrics": f"{a} and {b}", **_correlated(part, a, b)}
        for cell, part in sorted(parts.items(), key=lambda part: tuple(map(str, part[0])))
        for a, b in _PAIRS
    ]
    frame = pl.DataFrame(rows, schema_overrides={"r": pl.Float64, "p": pl.Float64})
    about = "Correlations between metrics over models", f"{_SOURCE}section 5.1, table 2", "At least three models."
    return Table.of("unseenqa.correlations", about, _CORRELATION, frame.filter(pl.col("models") >= _FEWEST))


def _correlated(part: pl.DataFrame, a: str, b: str) -> dict[str, float | int | None]:
    both = part.select(a, b).drop_nulls()
    r, p = pearson(both[a].to_numpy(), both[b].to_numpy())
    return {"r": r, "p": p, "models": both.height}
