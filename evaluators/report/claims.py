"""The claims of a run, as the report reads them: columns for the metrics, and lists for the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from queries.records import Claim, read_frame

_COLUMNS = (
    "item",
    "model",
    "sample",
    "number",
    "kind",
    "subject",
    "relation",
    "object",
    "denied",
    "standing",
    "true",
    "hops",
    "by",
)


def read_claims(path: str | Path) -> pl.DataFrame:
    """Read a file of claims (`verify --ground`), one row each.

    Raises RecordError with file, line and field.
    """
    return read_frame(path, Claim, _COLUMNS, may_be_empty=True)


def measured_claims(claims: pl.DataFrame, label: str | None = None) -> pl.DataFrame:
    """Return what metrics read of claims: item, model, run, sample, kind, relation, standing and distance."""
    relation = pl.col("relation").struct.field("label").alias("relation")
    distance = pl.when(pl.col("hops").is_null()).then(pl.lit("further")).otherwise(pl.col("hops").cast(pl.String))
    return claims.select(
        "item", "model", pl.lit(label, pl.String).alias("run"), pl.col("sample").cast(pl.Int64), "kind", relation, "standing",
        "by", distance=distance,
    )  # fmt: skip


def shown_claims(claims: pl.DataFrame) -> pl.DataFrame:
    """Return for each answer its claims as the page shows them: what is claimed, how it stands, and what is true."""
    lists: dict[tuple[str, str, int], list[Any]] = {}
    for row in claims.sort("item", "model", "sample", "number").iter_rows(named=True):
        subject, relation, claimed = row["subject"], row["relation"], row["object"]
        true = [value["label"] for value in row["true"]]
        shown = [
            row["standing"],
            row["denied"],
            subject["label"],
            relation["label"],
            claimed["label"],
            true,
            subject["iri"],
            relation["iri"],
        ]
        lists.setdefault((row["item"], row["model"], row["sample"]), []).append(shown)
    keys = {"item": pl.String, "model": pl.String, "sample": pl.Int64}
    frame = pl.DataFrame([*lists], schema=keys, orient="row")
    return frame.with_columns(claims=pl.Series([*lists.values()], dtype=pl.Object))
