"""Which facts a pivot model knows from memory, reads from the passage, or neither: what may be attacked (§2, table 1).

| open book | closed book | category | attacked |
|---|---|---|---|
| correct | correct | `correct/correct` | the answer swapped |
| correct | wrong | `correct/wrong` | the answer swapped, and enriched |
| wrong | wrong | `wrong/wrong` | not |
| wrong | correct | `wrong/correct` | not; left out of the categories, and counted |

An answer counts as correct where its verdict says so or it entails an accepted answer. What was not answered, or not scored, in
one of the two settings is in no category.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import polars as pl

from kg.errors import InputError
from queries.records import Item, Record, Verdict, read_frame
from queries.records.record import Count, Id, Name

SEED_SCHEMA: Literal["kgprobe.seed/1"] = "kgprobe.seed/1"
CATEGORIES = ("correct/correct", "correct/wrong", "wrong/wrong")
_ODD = "wrong/correct"


class Seed(Record, frozen=True, kw_only=True):
    """A fact, the model that is the pivot, and its category: one line of `seeds.jsonl`."""

    KEY: ClassVar[tuple[str, ...]] = ("group", "pivot")

    schema: Literal["kgprobe.seed/1"]
    group: Name
    pivot: Name
    category: Literal["correct/correct", "correct/wrong", "wrong/wrong"]


class Entails(Record, frozen=True, kw_only=True):
    """A line of `entailed.jsonl`, as `python -m evaluators.entailment` writes it."""

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    schema: Literal["kgprobe.entailment/1"]
    item: Id
    model: Name
    sample: Count
    score: float | None = None
    entailed: bool | None
    method: Name | None = None


def seeds_of(
    items: str, open_book: str, closed_book: str, entailed_open: str | None = None, entailed_closed: str | None = None
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Read items and the verdicts of both settings; return the lines of `seeds.jsonl`, and counts by category.

    Only the original passages are looked at. Raises InputError where no original was judged in both settings, or the verdicts
    are of several models.
    """
    asked = read_frame(items, Item, ["id", "variant", "group"]).filter(pl.col("variant") == "original").rename({"id": "item"})
    sides = {"open": _correct(open_book, entailed_open), "closed": _correct(closed_book, entailed_closed)}
    rows = asked.join(sides["open"], on="item").join(sides["closed"], on=["item", "model"], suffix="_closed")
    if rows.is_empty():
        raise InputError(
            "no original passage was judged both with and without its passage by one model",
            place=closed_book,
            way_out="ask the same items twice: --setting open-book and --setting closed-book",
        )
    if rows["model"].n_unique() > 1:
        models = ", ".join(rows["model"].unique().sort())
        raise InputError(f"the verdicts are of several models: {models}", place=open_book, way_out="give those of one pivot")
    word = {True: "correct", False: "wrong"}
    sided = [pl.col(c).replace_strict(word, return_dtype=pl.String) for c in ("correct", "correct_closed")]
    rows = rows.with_columns(category=pl.concat_str(sided, separator="/"))
    counts = {category: rows.filter(pl.col("category") == category).height for category in (*CATEGORIES, _ODD)}
    counts["not judged in both settings"] = asked.height - rows.height
    kept = rows.filter(pl.col("category") != _ODD).unique("group", keep="first", maintain_order=True)
    return kept.select(schema=pl.lit(SEED_SCHEMA), group="group", pivot="model", category="category"), counts


def _correct(verdicts: str, entailed: str | None) -> pl.DataFrame:
    """Return whether each item was answered rightly: item, model, correct; of several samples, the most."""
    judged = read_frame(verdicts, Verdict, ["item", "model", "sample", "outcome"])
    if entailed is None:
        judged = judged.with_columns(entailed=pl.lit(False))
    else:
        lines = read_frame(entailed, Entails, ["item", "model", "sample", "entailed"]).unique(["item", "model", "sample"])
        judged = judged.join(lines, on=["item", "model", "sample"], how="left", nulls_equal=True)
    right = (pl.col("outcome") == "correct") | pl.col("entailed").fill_null(False)
    scored = judged.filter((pl.col("outcome") != "unscored") | pl.col("entailed").fill_null(False))
    # Votes stand beside the samples they were made of.
    votes = scored.filter(pl.col("sample").is_null()).select("item", "model")
    single = scored.join(votes, on=["item", "model"], how="anti")
    one = pl.concat([scored.filter(pl.col("sample").is_null()), single]).group_by("item", "model", maintain_order=True)
    return one.agg(correct=right.mean() > 0.5)


def read_seeds(path: str) -> tuple[dict[str, str], str]:
    """Read `seeds.jsonl`: the category of each group, and the pivot.

    Raises InputError where it is empty.
    """
    rows = read_frame(path, Seed, ["group", "pivot", "category"])
    if rows.is_empty():
        raise InputError("there is no seed", place=path, way_out="make some with `autodebug seeds`")
    return dict(rows.select("group", "category").iter_rows()), rows["pivot"][0]
