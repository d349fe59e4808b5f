"""Answers and rationales, after ERBench (Oh et al., 2024), sections 3.3, 4 and 4.2, appendix B.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out published.jsonl
```

Over the yes-no questions and choices without a premise (section 4, performance measures):

    A  = correct / answers
    R  = answers whose rationale names every inferred value / answers to questions that have one
    AR = correct answers with such a rationale / the same
    M  = abstentions / answers
    H  = 1 - A - M

and over the yes-no questions of several hops (section 4.2)

    R-ext    = the mean over the hops i of: rationales right at hop i / answers to questions with a hop i
    AR-ext_i = correct answers whose rationale is right at hop i / answers to questions with a hop i

A choice question is asked in several phrasings; its value is their mean (section 4.1). Where "None of the above" is right
there is nothing to infer, and the question counts for A, M and H only.

| outcome | A | M | as published |
|---|---|---|---|
| correct | 1 | 0 | the same |
| incorrect | 0 | 0 | the same |
| abstained ("unsure") | 0 | 1 | the same |
| unscored, but for the next line | left out | left out | yes-no: "unsure" (A 0, M 1); choice: wrong (A 0, M 0) |
| unscored: api_error, tie, judge_failed; no verdict | left out | left out | left out |

As published, R and R-ext are the mean over answers of the share of hops that are right (and AR of the same, 0 where the answer
is wrong), and AR-ext is over the questions with the most hops; a value with a comma ("Washington, D.C.") counts as two hops. So
are the published numbers; the text says the above. Where all questions have the same hops R-ext and AR-ext are the same, and
with one hop R and AR are too.

Populations (section 4, appendix B.1 to B.3): an entity (a `group`) is known to a model when its probes were all answered yes;
as published, when none was answered no. `known`: entities that the model knows; `common`: those that every model knows; `all`.
With fewer than 10 entities the numbers are null ("n/a"), and a model that knows fewer than 10 does not shrink the common set.
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.hops import hop_tables
from evaluators.metrics.known import Knowledge, in_populations, knowledge
from evaluators.metrics.rates import rates
from evaluators.metrics.scope import COUNTS, counts, named, right, who
from evaluators.metrics.table import ALL, Measure, Table

__all__ = ["erbench_tables"]

_SOURCE = "ERBench (Oh et al., 2024), "
_POPULATIONS = (
    "Populations: known (the model knows the entity), common (every model does), all; empty below 10 entities. "
    "The phrasings of a choice question are averaged."
)
_NOTE = f"Abstentions are M, not errors; unscored answers are left out. {_POPULATIONS}"
_PUBLISHED = f"As published: unreadable yes-no answers are M, unreadable choices are wrong. {_POPULATIONS}"
_MEASURES = (
    Measure("A", "A", "rate", "answers that are correct"),
    Measure("R", "R", "rate", "answers whose rationale names every inferred value"),
    Measure("AR", "AR", "rate", "correct answers whose rationale names every inferred value"),
    Measure("H", "H", "rate", "1 - A - M: answers that are neither correct nor abstentions; lower is better"),
    Measure("M", "M", "rate", "abstentions"),
)
_VALUES = [measure.name for measure in _MEASURES]
_READ = pl.col("model", "run", "group", "domain", "family", "task", "variant", "state", "marks")


def erbench_tables(answers: pl.DataFrame, *, as_published: bool = False) -> list[Table]:
    """Return the tables of ERBench: by question type and population, by phrasing, by hop, and how many entities are known.

    Parameters: `answers` as `joined` gives them; without such questions there are no tables.
    """
    asked = answers.filter(~pl.col("presumes") & pl.col("parent_item").is_null())
    questions = asked.filter(pl.col("task").is_in(["yes_no", "choice"]) & pl.col("accepted").is_not_null())
    if not questions.height:
        return []
    if as_published:
        questions = _taken_apart(questions)
    known = knowledge(asked, questions, as_published=as_published)
    valued = named(questions, "domain").select(_READ, *_values(as_published))
    counted = in_populations(valued, known, [*_VALUES, "marks", "state"])
    dims, note = [*who(answers), "population", "domain", "family"], _PUBLISHED if as_published else _NOTE
    made = [_overall(counted, dims, note), _phrasings(counted, dims, note)]
    made += [*hop_tables(counted, dims, note, as_published=as_published), _entities(valued, known, dims)]
    return [table for table in made if table.frame.height]


def _taken_apart(questions: pl.DataFrame) -> pl.DataFrame:
    """Count a value as often as it has parts between commas, where a question has several hops: the published program does."""
    commas = pl.col("inferred").list.eval(pl.element().str.contains(",")).list.any() & (pl.col("inferred").list.len() > 1)
    if not questions.select(commas.any()).item():
        return questions
    rows = questions.select("marks", pl.when(commas).then("inferred")).iter_rows()
    marks = [_repeated(told, values) if told and values else told for told, values in rows]
    return questions.with_columns(marks=pl.Series(marks, dtype=pl.List(pl.Boolean)))


def _repeated(marks: list[bool], values: list[str]) -> list[bool]:
    """Repeat each mark.

    >>> _repeated([False, True], ["Washington, D.C.", "1932"])
    [False, False, True]
    """
    parts = ([part for part in value.split(",") if part.strip()] for value in values)
    return [mark for mark, several in zip(marks, parts, strict=False) for _ in several]


def _values(as_published: bool) -> list[pl.Expr]:
    """Return for each answer whether it is right, explained, both, hallucinated and abstained, as numbers."""
    correct = right(as_published)
    missing = pl.col("state") == "abstained"
    if as_published:
        missing |= (pl.col("state") == "unscored") & (pl.col("task") == "yes_no")
    marks = pl.col("marks").cast(pl.List(pl.Float64))
    named = marks.list.mean() if as_published else marks.list.min()
    explained = pl.when(correct.is_not_null() & (marks.list.len() > 0)).then(named)
    made = {
        "A": correct,
        "R": explained,
        "AR": correct * explained,
        "H": pl.when(correct.is_not_null()).then(~correct & ~missing),
        "M": pl.when(correct.is_not_null()).then(missing),
    }
    return [value.cast(pl.Float64).alias(name) for name, value in made.items()]


def _overall(counted: pl.DataFrame, dims: list[str], note: str) -> Table:
    cells, choice = [*dims, "task", "variant"], pl.col("task") == "choice"
    answered = counted.with_columns(variant=pl.when(choice).then(pl.lit(ALL)).otherwise("variant"))
    phrasings = answered.filter(choice).group_by(*cells, "group", maintain_order=True).agg(pl.col(_VALUES).mean())
    units = pl.concat([answered.filter(~choice).select(phrasings.columns), phrasings])
    frame = rates(units, cells, {name: pl.col(name) for name in _VALUES})
    frame = frame.join(answered.group_by(cells).agg(counts()), on=cells, how="left", maintain_order="left")
    about = "Answers and rationales", f"{_SOURCE}tables 3, 12 and 13", note
    return Table.of("erbench.overall", about, (*_MEASURES, *COUNTS), frame)


def _phrasings(counted: pl.DataFrame, dims: list[str], note: str) -> Table:
    choices = counted.filter((pl.col("task") == "choice") & (pl.col("population") == "all"))
    frame = rates(choices, [*dims, "variant"], {name: pl.col(name) for name in _VALUES})
    return Table.of("erbench.phrasings", ("Choices by phrasing", f"{_SOURCE}section 4.1", note), _MEASURES, frame)


def _entities(valued: pl.DataFrame, known: Knowledge, dims: list[str]) -> Table:
    """Return how many entities with probes there are, how many of them each model knows, and how many every model does."""
    own = [dim for dim in dims if dim != "population"]
    places = valued.select(*own).unique(maintain_order=True)
    sizes = named(known.sizes)
    frame = places.join(sizes, on=[name for name in own if name != "domain"], how="inner", maintain_order="left").sort(own)
    measures = [Measure(name, name, "count") for name in ("entities", "known", "common")]
    about = "Entities that are known", f"{_SOURCE}appendix B.2, tables 8 and 9", "Known: every probe passed, by most samples."
    return Table.of("erbench.known", about, measures, frame.select(*own, *(measure.name for measure in measures)))
