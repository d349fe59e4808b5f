"""A writer's questions for all rows of a batch: asked of the true triples, filled in for every edit.

```
python -m generators.fpq --domain art --n 50 --writer openai:MODEL
python -m generators.fpq --domain art --n 50 --writer replay:fpq-art.writer.jsonl
```
"""

from __future__ import annotations

import polars as pl

from generators.fpq.writer import TASKS, Writer
from generators.fpq.writer_checks import Fact

__all__ = ["written"]


def written(rows: pl.DataFrame, writer: Writer) -> pl.DataFrame:
    """Put a writer's words in place of the templates' where they can be used.

    Parameters: `rows` has a row for each fact and variant, with the questions of the templates (`yes_no`, `premise`) and the
    names to fill in.
    Returns the rows with `yes_no_writer` and `premise_writer` besides: the writer's name, null where the template stays.
    """
    frames = writer.frames(_facts(rows))
    for task in TASKS:
        rows = _filled(rows, frames.filter(pl.col("task") == task).drop("task"), task, writer.name)
    return rows


def _facts(rows: pl.DataFrame) -> list[tuple[int, Fact]]:
    """The true triples, each with the names that may not occur in its questions."""
    edited = rows.filter(pl.col("variant") != "tpq").group_by("fact").agg(edited=pl.col("x_label"))
    true = rows.filter(pl.col("variant") == "tpq").join(edited, on="fact", how="left", maintain_order="left")
    columns = ("fact", "s_label", "p_label", "x_label", "x_label_the", "true_objects", "edited")
    return [_fact(*row) for row in true.select(columns).iter_rows()]


def _fact(
    number: int, subject: str, relation: str, name: str, the: str, true: list[dict[str, object]], edited: list[str] | None
) -> tuple[int, Fact]:
    others = {str(entry["label"]) for entry in true}.union(*(_texts(entry["aliases"]) for entry in true), edited or [])
    return number, Fact(subject, relation, name, the, frozenset(others))


def _texts(aliases: object) -> list[str]:
    return [str(alias) for alias in aliases] if isinstance(aliases, list) else []


def _filled(rows: pl.DataFrame, frames: pl.DataFrame, task: str, name: str) -> pl.DataFrame:
    joined = rows.join(frames, on="fact", how="left", maintain_order="left")
    article = pl.col("article")
    shown = pl.when(article == "a").then("x_label_a").when(article == "the").then("x_label_the").otherwise("x_label")
    question = pl.concat_str("before", shown, "after")
    used = pl.col("before").is_not_null()
    return joined.with_columns(
        pl.when(used).then(question).otherwise(task).alias(task),
        pl.when(used).then(pl.lit(name)).alias(f"{task}_writer"),
    ).drop("before", "article", "after")
