"""What a model says of one fact in several questions: all right, or one answer against another.

Items made from one fact share their `group`. Over the facts with at least two questions that have a scored answer

    all right = facts whose scored answers are all correct / facts

and over pairs of answers of one model to questions on one fact, sample by sample, that are both correct or incorrect (of two
answers that contradict each other one is wrong, so that no text needs to be compared)

    basic against negated     = pairs of which one is correct / pairs of a basic yes-no question and its negation
    yes-no against choice     = pairs of which one is correct / pairs of a basic yes-no question and a choice
    accepted though denied    = pairs whose premise is accepted / pairs of a false premise denied as a yes-no question and the
                                same premise in a WH question

| outcome | all right | pairs |
|---|---|---|
| correct, incorrect | counts | counts |
| abstained | counts, not right | left out |
| unscored, no verdict, no response | left out | left out |

The first two compare question types of ERBench (Oh et al., 2024, section 4.1), the third the two forms of KG-FPQ (Zhu et al.,
2024, section 5.2); the shares are ours, so that nothing is different as published.
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import ANSWERED, ASKED, SCORED, Answers, named, who
from evaluators.metrics.table import Measure, Table, rates

_SOURCE = "After ERBench (Oh et al., 2024), section 4.1, and KG-FPQ (Zhu et al., 2024), section 5.2"
_NOTE = "Pairs of answers on one fact, both scored and no abstention; the share of pairs of which one contradicts the other."
_ALL_RIGHT = Measure(
    "all_right", "all right", "rate", "facts whose scored answers are all correct, of those with two or more questions"
)
_PAIRS = (
    Measure("negated", "basic against negated", "rate", "contradictions between a question and its negation; lower is better"),
    Measure(
        "choice", "yes-no against choice", "rate", "contradictions between a yes-no question and a choice; lower is better"
    ),
    Measure(
        "accepted",
        "accepted though denied",
        "rate",
        "false premises taken for granted though denied when asked; lower is better",
    ),
)
_KEY = ("model", "run", "group", "method", "sample")
_READ = pl.col(*_KEY, "item", "family", "task", "variant", "presumes", "edit", "state")


def across_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the facts that are all right, and the contradictions; none where no fact has two questions."""
    asked = answers.counted.filter(ASKED & SCORED & (pl.col("task") != "probe"))
    scored, dims = named(asked.select(_READ), "method"), [*who(answers.counted), "method"]
    tables = [_all_right(scored, dims), _contradictions(scored, dims)]
    return [table for table in tables if table.frame.height]


def _all_right(scored: pl.DataFrame, dims: list[str]) -> Table:
    facts = scored.group_by("model", "run", "method", "group", maintain_order=True).agg(
        (pl.col("state") == "correct").all().alias("right"), pl.col("item").n_unique().alias("questions")
    )
    frame = rates(facts.filter(pl.col("questions") > 1), dims, {"all_right": pl.col("right")})
    about = "Facts with every answer right", _SOURCE, "Abstentions are not right; unscored answers are left out."
    return Table.of("across.facts", about, [_ALL_RIGHT], frame)


def _contradictions(scored: pl.DataFrame, dims: list[str]) -> Table:
    answered = scored.filter(pl.col("state").is_in(ANSWERED)).with_columns(right=pl.col("state") == "correct")
    plain = answered.filter(~pl.col("presumes"))
    basic = plain.filter((pl.col("task") == "yes_no") & (pl.col("variant") == "basic"))
    negated = plain.filter((pl.col("task") == "yes_no") & (pl.col("variant") == "negated"))
    differs = pl.col("right") != pl.col("right_other")
    false = answered.filter(pl.col("presumes") & pl.col("edit").is_not_null())
    # Denied as a yes-no question is to be right about it; the same premise accepted in a WH question is to be wrong.
    denied = false.filter((pl.col("task") == "yes_no") & pl.col("right"))
    pairs = {
        "negated": _pairs(basic, negated, "family").with_columns(contradict=differs),
        "choice": _pairs(basic, plain.filter(pl.col("task") == "choice")).with_columns(contradict=differs),
        "accepted": _pairs(denied, false.filter(pl.col("task") == "premise"), "variant").with_columns(
            contradict=~pl.col("right_other")
        ),
    }
    kinds = pl.concat([pair.with_columns(pl.lit(name).alias("kind")) for name, pair in pairs.items()])
    values = {name: pl.when(pl.col("kind") == name).then("contradict") for name in pairs}
    about = "Contradictions between answers on one fact", _SOURCE, _NOTE
    return Table.of("across.contradictions", about, _PAIRS, rates(kinds, dims, values))


def _pairs(one: pl.DataFrame, other: pl.DataFrame, *same: str) -> pl.DataFrame:
    keys = [*_KEY, *same]
    others = other.select(*keys, pl.col("right").alias("right_other"))
    return one.select(*keys, "right").join(others, on=keys, nulls_equal=True).select(*_KEY, "right", "right_other")
