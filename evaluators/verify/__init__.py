"""Judge answers by rules: join items and responses, and say why for each.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl.gz --responses responses.jsonl --out - | head -3
```

One module for each task. A judge takes a frame of answers (columns `item, model, sample, task, expected, text, failed`)
and adds those of a verdict: `outcome, reason, answer, rationale, contradicted, spans, judge`.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from evaluators.joins import known_items
from evaluators.verify import yes_no
from queries.item import Item
from queries.records import frame_schema, read_frame
from queries.response import Response
from queries.verdict import Verdict

__all__ = ["JUDGES", "judge", "left_out", "read_answers"]

JUDGES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {"yes_no": yes_no.judge, "probe": yes_no.judge}
"""The judge of each task."""


def read_answers(items: str, responses: str) -> pl.DataFrame:
    """Read responses with the tasks and the accepted answers of their items, in the order of the responses.

    Raises JoinError, with file and line, where a response is to an item that is not there.
    """
    questions = read_frame(items, Item, ["id", "task", "answer"]).rename({"id": "item", "answer": "expected"})
    answers = read_frame(responses, Response, ["item", "model", "sample", "text", "error"], numbered=True)
    known_items(answers, questions["item"], responses, items)
    failed = pl.col("error").is_not_null()
    return answers.join(questions, on="item", how="left", maintain_order="left").select(
        "item", "model", "sample", "task", "expected", "text", failed.alias("failed")
    )


def judge(answers: pl.DataFrame) -> pl.DataFrame:
    """Judge the answers to items of the tasks that have a judge; the others get no verdict.

    Parameters: `answers` as `read_answers` gives them. Returns the columns of a verdict (without `schema`), in the
    order of the answers.
    """
    numbered = answers.with_row_index("_row")
    parts = [rule(numbered.filter(pl.col("task") == task)) for task, rule in JUDGES.items()]
    columns = [name for name in frame_schema(Verdict) if name != "schema"]
    return pl.concat(parts).sort("_row").select(columns)


def left_out(answers: pl.DataFrame) -> dict[str, int]:
    """Count the items of each task that this version does not judge."""
    rest = answers.filter(~pl.col("task").is_in(list(JUDGES)))
    counts = rest.group_by("task").agg(pl.col("item").n_unique()).sort("task")
    return dict(counts.iter_rows())
