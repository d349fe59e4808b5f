"""Whether an answer entails an accepted one: one line of `entailed.jsonl`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import polars as pl
from msgspec import Meta

from queries.records import Record, read_frame
from queries.records.record import Count, Id, Name


class Entailed(Record, frozen=True, kw_only=True):
    """How probable it is that an answer entails an accepted one, and whether it counts; null where a judge did not say."""

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
