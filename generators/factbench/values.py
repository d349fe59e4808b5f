"""Attributes as facts: dates and numbers that fit what their property asks for, with their accepted answers."""

from __future__ import annotations

import polars as pl

from generators.factbench.answers import coarser, date_forms, is_number, number_forms, precision_of
from generators.factbench.wordings import Wordings
from generators.items import mapped


def valued(rows: pl.DataFrame, wordings: Wordings) -> pl.DataFrame:
    """Return attributes as facts: whether their values are of the type asked for, and `asked_value`, as precise as that."""
    counts = {name: wording.count for name, wording in wordings.properties.items()}
    to = {name: wording.to for name, wording in wordings.properties.items() if wording.to}
    cut = (
        [coarser(value, to.get(name)) for value, name in rows.select("value", "property").iter_rows()] if to else rows["value"]
    )
    rows = rows.with_columns(whole="value", value=pl.Series(cut, dtype=pl.String))
    count = rows["property"].replace_strict(counts, return_dtype=pl.String)
    precision = mapped(rows["value"], lambda text: precision_of(text) or "")
    number = mapped(rows["value"], lambda text: "yes" if is_number(text) else "")
    fits = (
        pl.when(pl.col("type") == "date")
        .then(precision != "")
        .when(pl.col("type") == "number")
        .then(number != "")
        .otherwise(True)
    )
    rows = rows.with_columns(count=count, precision=pl.when(pl.col("type") == "date").then(precision), fits=fits)
    unit = pl.when(pl.col("type") == "number").then("unit")
    rows = rows.with_columns(unit=unit)
    return rows.select(
        "s", "p", pl.col("o").alias("term"), pl.col("whole").alias("value"), "property", "type",
        "fits", "precision", "unit", "count", asked_value="value",
    )  # fmt: skip


def with_forms(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the accepted answers to dates and numbers; `rows` are those of `valued`."""
    key = ["type", "asked_value", "unit", "count"]
    forms = pl.DataFrame(
        [(*each, _forms(*each)) for each in rows.select(key).unique(maintain_order=True).iter_rows()],
        schema={**dict.fromkeys(key, pl.String), "answers": pl.List(pl.String)},
        orient="row",
    )
    return rows.join(forms, on=key, how="left", nulls_equal=True, maintain_order="left")


def as_answers(rows: pl.DataFrame) -> pl.DataFrame:
    """Say of dates and numbers that they are nobody and nowhere: kind, vague, personal, full_name."""
    no_text = pl.lit(None, pl.String)
    return rows.with_columns(kind=no_text, vague=pl.lit(False), personal=pl.lit(False), full_name=no_text)


def most_precise(rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out dates that another of the same subject and property says more precisely: 1815 beside 1815-12-10."""
    finer = rows.filter(pl.col("type") == "date").select("s", "property", finer="value")
    pairs = rows.select("s", "property", "value").join(finer, on=["s", "property"])
    rough = pairs.filter(pl.col("finer").str.starts_with(pl.col("value") + "-")).select("s", "property", "value").unique()
    return rows.join(rough, on=["s", "property", "value"], how="anti", maintain_order="left")


def _forms(kind: str, value: str, unit: str | None, count: str | None) -> list[str]:
    if kind == "date":
        return date_forms(value)
    return number_forms(value, unit, count) if kind == "number" else [value]
