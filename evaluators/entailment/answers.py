"""What entailment is asked about, and what it says: answers put after their questions in, a record for each answer out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Protocol

import polars as pl
from msgspec import Meta

from queries.records import Record, read_frame
from queries.records.record import Count, Id, Name

TASKS = ("open", "context")
"""The tasks whose answers are texts that can be put after their question."""

_PAIR = ["premise", "hypothesis"]


class Entailed(Record, frozen=True, kw_only=True):
    """One line of `entailed.jsonl`: how probable it is that an answer entails an accepted one, and whether it counts.

    Both are null where a judge did not say.
    """

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    schema: Literal["kgprobe.entailment/1"]
    item: Id
    model: Name
    sample: Count
    score: Annotated[float, Meta(ge=0, le=1)] | None
    entailed: bool | None
    method: Name


def read_entailed(path: str | Path) -> pl.DataFrame:
    """Read a file of these records as a frame: `item, model, sample, score, entailed, method`.

    Raises RecordError with file and line where a line is no such record or repeats another one's item, model and sample.
    """
    return read_frame(path, Entailed, may_be_empty=True).drop("schema")


class Entailment(Protocol):
    """Something that tells whether one text entails another."""

    @property
    def method(self) -> str:
        """What the records call it: kind and name, and the version of what decides."""
        ...

    def scores(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[float | None]:
        """Return how probable it is that each premise entails its hypothesis; None where nothing was said."""
        ...


def entailed_answers(
    items: pl.DataFrame, responses: pl.DataFrame, entailment: Entailment, threshold: float = 0.5
) -> pl.DataFrame:
    """Tell of each answer whether it entails an accepted one: the most probable of them counts.

    Parameters: `items` with `id, task, question, answer`, `responses` with `item, model, sample, text`. Items of other
    tasks or without an accepted answer, and responses without a text, are left out; a text without a word entails nothing,
    and is not asked about.
    Returns: `item, model, sample, score, entailed, method`, in the order of the responses.

    >>> from evaluators.entailment.lexical import Lexical
    >>> items = pl.DataFrame({"id": ["a"], "task": ["open"], "question": ["Who wrote Emma?"], "answer": [["Jane Austen"]]})
    >>> responses = pl.DataFrame({"item": ["a"], "model": ["m"], "sample": [0], "text": ["It was Jane Austen."]})
    >>> entailed_answers(items, responses, Lexical()).row(0)
    ('a', 'm', 0, 1.0, True, 'lexical/1')
    """
    with_answers = items.filter(pl.col("task").is_in(TASKS) & (pl.col("answer").list.len() > 0)).select(
        "id", "question", "answer"
    )
    texts = responses.filter(pl.col("text").is_not_null()).select("item", "model", "sample", "text").with_row_index("row")
    answers = texts.join(with_answers, left_on="item", right_on="id", maintain_order="left")
    pairs = answers.select("row", "question", "text", "answer").explode("answer")
    pairs = pairs.with_columns(_statement("text").alias("premise"), _statement("answer").alias("hypothesis"))
    silent = ~pl.col("text").str.contains(r"[\p{L}\p{N}]")
    scored = pl.concat([_scored(pairs.filter(~silent), entailment), pairs.filter(silent).select("row", score=pl.lit(0.0))])
    best = scored.group_by("row").agg(pl.col("score").max())
    columns = answers.select("row", "item", "model", "sample").join(best, on="row", how="left", maintain_order="left")
    entailed = (pl.col("score") >= threshold).alias("entailed")
    return columns.drop("row").with_columns(entailed, pl.lit(entailment.method).alias("method"))


def _statement(answer: str) -> pl.Expr:
    """Put a column of answers after their questions (AutoDebug, section 3.1: "Question + Answer")."""
    return pl.concat_str(pl.col("question").str.strip_chars(), pl.col(answer).str.strip_chars(), separator=" ")


def _scored(pairs: pl.DataFrame, entailment: Entailment) -> pl.DataFrame:
    """Score each different pair once: models repeat each other, and themselves."""
    different = pairs.select(_PAIR).unique(maintain_order=True)
    scores = entailment.scores(different["premise"].to_list(), different["hypothesis"].to_list())
    known = different.with_columns(pl.Series("score", scores, dtype=pl.Float64))
    return pairs.join(known, on=_PAIR, how="left").select("row", "score")
