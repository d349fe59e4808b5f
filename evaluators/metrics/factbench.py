"""Exact match, F1 and Contains of short answers, after FACT-BENCH (Yuan et al., 2024), section 2.2.

Over the open questions with an accepted answer, each text for itself (votes aside); EM, F1 and Contains are explained in
`evaluators.metrics.text`:

    EM, F1, Contains = mean over the texts                                          (section 2.2; tables 1, 9, 10)
    by domain, property, answer type, popularity = the same over those questions    (section 3.3; figures 1 to 4)
    correct = correct / answers, by the verdicts; for comparison

| outcome | EM, F1, Contains | as published |
|---|---|---|
| correct, incorrect, abstained, no verdict | of the text | the same |
| unscored, whatever the reason | left out | of the text (an empty one scores 0) |
| an error instead of a text | left out | left out |

Where people have read a part of the questions (`source.read`: "190 of 200"), the share that they found valid is the upper
bound of what anybody can get right (section 2.3), with Wilson's interval.

As published, Contains is true also where an answer's characters stand within a word ("4" in "1940").
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import COUNTS, Answers, counts, named, who
from evaluators.metrics.table import LEVEL, Measure, Table, rates
from evaluators.metrics.text import CONTAINS, CORRECT, EM, F1, text_scores, text_values
from evaluators.statistics.intervals import wilson

_SOURCE = "FACT-BENCH (Yuan et al., 2024), "
_NOTE = "From the texts, each for itself; unscored ones are left out. Contains: whole words. Correct is by the verdicts."
_PUBLISHED = "As published: every text counts, and Contains holds within words. Correct is by the verdicts."
_MEASURES = (EM, F1, CONTAINS, CORRECT)
_VALID = Measure("valid", "valid", "rate", "of the questions that people read, those they found valid: the upper bound")
_BOUND = "What people found of a part of the questions: no model can be right on more of the whole set than is valid."
_CUTS = {
    "domain": ("Short answers by domain", "figure 3"),
    "property": ("Short answers by property", "figure 2"),
    "answer_type": ("Short answers by answer type", "figure 4"),
    "popularity": ("Short answers by popularity", "figure 1"),
}


def factbench_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the tables of FACT-BENCH: all questions, and by domain, property, answer type and popularity.

    Without open questions that have an answer there are no tables.
    """
    samples = answers.samples
    asked = samples.filter((pl.col("task") == "open") & (pl.col("accepted").list.len() > 0) & ~pl.col("presumes"))
    if not asked.height:
        return []
    scored, dims = named(text_scores(asked)), who(samples)
    values, note = text_values(as_published), _PUBLISHED if as_published else _NOTE
    frame = rates(scored, dims, values).join(scored.group_by(dims).agg(counts()), on=dims, maintain_order="left")
    tables = [Table.of("factbench.overall", ("Short answers", f"{_SOURCE}tables 1 and 9", note), (*_MEASURES, *COUNTS), frame)]
    for cut, (title, figure) in _CUTS.items():
        if scored[cut].is_not_null().any():
            part = rates(named(scored, cut), [*dims, cut], values)
            tables.append(Table.of(f"factbench.{cut}", (title, f"{_SOURCE}{figure}", note), _MEASURES, part))
    return tables + _bound(asked)


def _bound(asked: pl.DataFrame) -> list[Table]:
    """Return the share of valid questions of those that people have read, where the items say it."""
    counts = asked.select(pl.col("read").str.extract_groups(r"^(\d+) of (\d+)$").alias("counts")).drop_nulls().unique()
    read = counts.unnest("counts").drop_nulls().cast(pl.Int64).filter(pl.col("2") > 0).sort("2", "1")
    if read.is_empty():
        return []
    low, high = wilson(read["1"].to_numpy(), read["2"].to_numpy(), LEVEL)
    frame = read.select(
        set=pl.format("{} read", "2"), valid=pl.col("1") / pl.col("2"), valid_n="2",
        valid_low=pl.Series(low), valid_high=pl.Series(high),
    )  # fmt: skip
    about = ("Upper bound, by people who read a part", f"{_SOURCE}section 2.3", _BOUND)
    return [Table.of("factbench.bound", about, [_VALID], frame)]
