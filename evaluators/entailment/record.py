"""Whether an answer entails an accepted one: one line of `entailed.jsonl`.

```
python -m evaluators.entailment --items items.jsonl --responses responses.jsonl --lexical --out entailed.jsonl
python -c 'from evaluators.entailment import read_entailed; print(read_entailed("entailed.jsonl"))'
```
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import polars as pl
from pydantic import Field

from queries.records import frame_schema, read_jsonl
from queries.records.record import Count, Id, Name, Record

__all__ = ["Entailed", "read_entailed"]


class Entailed(Record):
    """How probable it is that an answer entails an accepted one, and whether it counts; null where a judge did not say."""

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    version: Literal["kgprobe.entailment/1"] = Field(alias="schema")
    item: Id
    model: Name
    sample: Count
    score: Annotated[float, Field(ge=0, le=1)] | None
    entailed: bool | None
    method: Name


def read_entailed(path: str | Path) -> pl.DataFrame:
    """Read a file of these records as a frame: `item, model, sample, score, entailed, method`.

    Raises RecordError with file and line where a line is no such record or repeats another one's item, model and sample.
    """
    records = read_jsonl(path, Entailed, may_be_empty=True)
    schema = frame_schema(Entailed)
    return pl.DataFrame([record.model_dump(by_alias=True) for record in records], schema=schema, orient="row").drop("schema")
