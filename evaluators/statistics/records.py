"""What these statistics read from files: people's labels against verdicts, and the picks of choice items."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, NamedTuple

import msgspec
import polars as pl

from evaluators.errors import JoinError
from evaluators.statistics.choices import ChoiceBaseline, choice_baseline
from evaluators.statistics.intervals import Estimate, rate
from evaluators.statistics.verifier import Confusion, corrected
from queries.records import Record, RecordError, frame_schema, read
from queries.records.record import Count, Id, Name

_KEY = ["item", "model", "sample"]


class Label(Record, frozen=True, kw_only=True):
    """What people say of an answer: is it right?"""

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    item: Id
    model: Name
    sample: Count = 0
    correct: bool


def read_labels(path: str | Path) -> pl.DataFrame:
    """Read a file of labels as a frame: `item, model, sample, correct`; without `sample` the first is meant.

    Raises RecordError with file and line where a line is no label or repeats another one's item, model and sample.
    """
    labels = read(path, Label, may_be_empty=True)
    if not labels:
        raise RecordError("holds no label", place=str(path), way_out='write {"item", "model", "sample", "correct"} lines')
    return pl.DataFrame([msgspec.structs.asdict(label) for label in labels], schema=frame_schema(Label), orient="row")


class VerifierScore(NamedTuple):
    """A model's score by the verdicts, how people judged some of its answers, and the score corrected by that."""

    model: str
    accepted: Estimate
    confusion: Confusion
    corrected: Estimate


def verifiers(
    verdicts: pl.DataFrame, labels: pl.DataFrame, place: str = "labels", judged: str = "verdicts"
) -> list[VerifierScore]:
    """Measure the verifier on labels, model by model, and correct the models' scores.

    Accepted is what is `correct`; what is incorrect or abstained is rejected; unscored answers and votes are left out.

    Parameters: `verdicts` with `item, model, sample, outcome`, `labels` with `item, model, sample, correct`; their files.
    Raises JoinError where a label has no verdict.
    """
    # People label an answer, and a vote is on several.
    single = verdicts.filter(pl.col("sample").is_not_null())
    stray = labels.join(single, on=_KEY, how="anti")
    if stray.height:
        row = stray.row(0, named=True)
        problem = f"sample {row['sample']} of {row['model']} on item '{row['item']}' has no verdict in {judged}"
        raise JoinError(problem, place=place, way_out="label answers that were judged")
    scored = single.filter(pl.col("outcome") != "unscored").with_columns(accepted=pl.col("outcome") == "correct")
    return [_measured(str(name), own, labels) for (name,), own in scored.group_by("model", maintain_order=True)]


def _measured(model: str, scored: pl.DataFrame, labels: pl.DataFrame) -> VerifierScore:
    both = scored.join(labels, on=_KEY, how="inner")
    confusion = Confusion.of(zip(both["correct"].to_list(), both["accepted"].to_list(), strict=True))
    accepted = int(scored["accepted"].sum())
    return VerifierScore(model, rate(accepted, scored.height), confusion, corrected(accepted, scored.height, confusion))


def baselines(items: pl.DataFrame, verdicts: pl.DataFrame) -> Iterator[tuple[str, ChoiceBaseline]]:
    """Yield each model's baseline over the choice items it was judged on, votes left out.

    Parameters: `items` with `id, task, options, answer`, `verdicts` with `item, model, sample, answer` (the option
    understood).
    """
    choices = items.filter((pl.col("task") == "choice") & (pl.col("answer").list.len() > 0)).select(
        "id", size=pl.col("options").list.len(), key=pl.col("answer").list.first().cast(pl.Int64, strict=False)
    )
    picked = verdicts.filter(pl.col("sample").is_not_null()).select(
        "item",
        "model",
        pick=pl.col("answer").cast(pl.Int64, strict=False).fill_null(0),  # 0: no option was understood
    )
    joined = picked.join(choices, left_on="item", right_on="id", how="inner", maintain_order="left")
    for (name,), own in joined.group_by("model", maintain_order=True):
        yield str(name), choice_baseline(*(own[column].to_numpy() for column in ("size", "key", "pick")))
