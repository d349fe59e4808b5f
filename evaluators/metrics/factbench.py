"""Exact match, F1 and Contains of short answers, after FACT-BENCH (Yuan et al., 2024), section 2.2.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import evaluators.metrics.text; help(evaluators.metrics.text)'
```

Over the open questions with an accepted answer, each text for itself (votes aside); EM, F1 and Contains as in `_text`:

    EM, F1, Contains = mean over the texts                                          (section 2.2; tables 1, 9, 10)
    by domain, property, answer type, popularity = the same over those questions    (section 3.3; figures 1 to 4)
    correct = correct / answers, by the verdicts; for comparison

| outcome | EM, F1, Contains | as published |
|---|---|---|
| correct, incorrect, abstained, no verdict | of the text | the same |
| unscored: refused, empty, echo, repetition, unparsed, unclear | left out | of the text (an empty one scores 0) |
| an error instead of a text | left out | left out |

As published, Contains is true also where an answer's characters stand within a word ("4" in "1940").
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.rates import rates
from evaluators.metrics.scope import COUNTS, counts, named, right, who
from evaluators.metrics.table import Measure, Table
from evaluators.metrics.text import text_scores

__all__ = ["factbench_tables"]

_SOURCE = "FACT-BENCH (Yuan et al., 2024), "
_NOTE = "From the texts, each for itself; unscored ones are left out. Contains: whole words. Correct is by the verdicts."
_PUBLISHED = "As published: every text counts, and Contains holds within words. Correct is by the verdicts."
_MEASURES = (
    Measure("EM", "EM", "rate", "the text is an accepted answer, after normalisation"),
    Measure("F1", "F1", "rate", "words in common with the best accepted answer"),
    Measure("contains", "Contains", "rate", "an accepted answer stands in the text"),
    Measure("correct", "correct", "rate", "correct by the verdicts"),
)
_CUTS = {
    "domain": ("Short answers by domain", "figure 3"),
    "property": ("Short answers by property", "figure 2"),
    "answer_type": ("Short answers by answer type", "figure 4"),
    "popularity": ("Short answers by popularity", "figure 1"),
}


def factbench_tables(samples: pl.DataFrame, *, as_published: bool = False) -> list[Table]:
    """Return the tables of FACT-BENCH: all questions, and by domain, property, answer type and popularity.

    Parameters: `samples` as `joined` gives them without votes; without open questions there are no tables.
    """
    asked = samples.filter((pl.col("task") == "open") & (pl.col("accepted").list.len() > 0) & ~pl.col("presumes"))
    if not asked.height:
        return []
    scored, dims = named(text_scores(asked)), who(samples)
    values = text_values(as_published)
    note = _PUBLISHED if as_published else _NOTE
    frame = rates(scored, dims, values).join(scored.group_by(dims).agg(counts()), on=dims, maintain_order="left")
    made = [Table.of("factbench.overall", ("Short answers", f"{_SOURCE}tables 1 and 9", note), (*_MEASURES, *COUNTS), frame)]
    for cut, (title, figure) in _CUTS.items():
        if scored[cut].is_not_null().any():
            part = rates(named(scored, cut), [*dims, cut], values)
            made.append(Table.of(f"factbench.{cut}", (title, f"{_SOURCE}{figure}", note), _MEASURES, part))
    return made


def text_values(as_published: bool) -> dict[str, pl.Expr]:
    """Return the measures of texts, over answers as `text_scores` gives them, null where a text does not count.

    >>> sorted(text_values(False))
    ['EM', 'F1', 'contains', 'correct']
    """
    counted = pl.lit(True) if as_published else pl.col("state") != "unscored"
    texts = {"EM": "EM", "F1": "F1", "contains": "within" if as_published else "contains"}
    made: dict[str, pl.Expr] = {name: pl.when(counted).then(column) for name, column in texts.items()}
    return made | {"correct": right(as_published)}
