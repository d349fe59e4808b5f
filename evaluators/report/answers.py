"""Answers with their verdicts, item by item, as the pages of the items show them.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

import hashlib
import json
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import polars as pl

__all__ = ["STATES", "Answers", "Shown"]

STATES = ("correct", "incorrect", "abstained", "unscored", "differing", "no verdict", "not asked")
"""What a model's answers to an item came to: the four outcomes; samples that differ; no verdict; no response."""

_KEY = ["item", "model", "sample"]
_SHOWN = [
    "model",
    "sample",
    "text",
    "finish",
    "error",
    "outcome",
    "reason",
    "answer",
    "rationale",
    "contradicted",
    "spans",
    "judge",
]


class Shown(NamedTuple):
    """The answers as JSON, one text after the other, and where those to each item stand."""

    blob: bytes
    places: dict[str, tuple[int, int]]

    def of(self, item: str) -> str:
        """Return the answers to an item; empty where there is none."""
        start, stop = self.places.get(item, (0, 0))
        return self.blob[start:stop].decode()


class Answers:
    """All answers of a set, in the order of item, model and sample; a vote comes after its samples."""

    def __init__(self, responses: pl.DataFrame, verdicts: pl.DataFrame) -> None:
        self.models: list[str] = responses["model"].unique().sort().to_list()
        judged = verdicts.drop("line").with_columns(judged=pl.lit(True))
        votes = judged.filter(pl.col("sample").is_null() & pl.col("model").is_in(self.models))
        answered = responses.select(*_KEY, "text", "finish", "error").join(judged, on=_KEY, how="left")
        both = pl.concat([answered, votes], how="diagonal_relaxed").with_columns(pl.col("model").cast(pl.Enum(self.models)))
        self.prompts = _prompts(responses)
        self._rows = both.sort(_KEY, nulls_last=True)

    def shown(self) -> Shown:
        """Return the answers to each item as JSON: for each its model (by number), sample, text, …, as `_SHOWN` says."""
        blob, places, start = bytearray(), {}, 0
        columns = ["item", pl.col("model").to_physical(), *_SHOWN[1:]]
        for item, group in groupby(self._rows.select(columns).iter_rows(buffer_size=5000), key=itemgetter(0)):
            blob += json.dumps([row[1:] for row in group], ensure_ascii=False, separators=(",", ":")).encode()
            places[item] = start, len(blob)
            start = len(blob)
        return Shown(bytes(blob), places)

    def states(self, items: pl.Series) -> dict[str, list[int]]:
        """Return for each model what its answers to each item came to, as a number of `STATES`."""
        rows = self._rows.select(
            "item", "model", state=pl.col("outcome").fill_null("no verdict"), voted=pl.col("sample").is_null()
        )
        counted = rows.filter(pl.col("voted") | ~pl.col("voted").any().over("item", "model"))
        one = pl.when(pl.col("state").n_unique() == 1).then(pl.col("state").first()).otherwise(pl.lit("differing"))
        states = counted.group_by("item", "model").agg(state=one)
        order = items.alias("item").to_frame()
        numbers = {state: number for number, state in enumerate(STATES)}
        return {
            model: order.join(states.filter(pl.col("model") == model), on="item", how="left", maintain_order="left")["state"]
            .fill_null("not asked")
            .replace_strict(numbers, return_dtype=pl.Int8)
            .to_list()
            for model in self.models
        }


def _prompts(responses: pl.DataFrame) -> dict[str, Any]:
    """Sum up what was sent: how many different prompts, and a hash over all of them in the order of their answers."""
    sent = responses.filter(pl.col("prompt").is_not_null()).sort(_KEY)
    whole = hashlib.sha256("".join(f"{prompt}\n" for prompt in sent["prompt"]).encode()).hexdigest()
    return {"answers": sent.height, "distinct": sent["prompt"].n_unique(), "sha256": whole if sent.height else None}
