"""Category 2, context enriching: sentences about other things are woven into the passage; its supporting sentence stays.

Evidence-focused: about what the passage mentions (who directed a film, the town where it is set). Question-focused: about
others of whom the same could be asked (who directed which other film). Three things each, as the paper takes three pages,
two sentences each at most. No added sentence mentions the answer or the subject, and none is about them.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import polars as pl

from generators.autodebug.compose import listed_objects, ranked, without_mentions
from generators.autodebug.facts import NO_NAME, Facts
from generators.draw import mix, word

PAGES = 3
"""How many things are told of besides: the paper's k."""
_CANDIDATES = 12
EXPANSIONS = ("question", "evidence")


class Added(StrEnum):
    """How many sentences are added about each other thing."""

    one = "one"
    two = "two"


def enriched(facts: Facts, asked: pl.DataFrame, original: pl.DataFrame, expansion: str, added: Added | None) -> pl.DataFrame:
    """Return the sentences of each enriched passage, with `added`; facts for which too little can be told are left out.

    Parameters: `original` has the sentences of the original passages; `expansion` is `question` or `evidence`.
    """
    pages = _about_question(facts, asked) if expansion == "question" else _about_evidence(facts, original)
    target = asked.select("t", subject="s", asked_p="p", answer="o")
    pages = pages.join(target, on="t", maintain_order="left")
    pages = pages.filter((pl.col("s") != pl.col("subject")) & (pl.col("s") != pl.col("answer")))
    named = facts.names.filter(pl.col("label").is_not_null() & ~pl.col("label").str.contains(NO_NAME))["e"]
    pages = pages.filter(pl.col("s").is_in(named.cast(pl.Int64).implode()))
    # What they have in common with the subject is told first: what could be asked of both, or what both have.
    rows = pages.join(facts.told, on="s", maintain_order="left")
    rows = rows.with_columns(
        same=(pl.col("p") == (pl.col("asked_p") if expansion == "question" else pl.col("via"))).fill_null(False)
    )
    rows = without_mentions(facts, without_mentions(facts, rows, "answer"), "subject")
    sames = rows.select("t", "s", "p", "turn", "same").unique(["t", "s", "p"], keep="first", maintain_order=True)
    pairs = ranked(facts, listed_objects(facts, rows)).join(sames, on=["t", "s", "p"], maintain_order="left")
    number = pl.int_range(pl.len(), dtype=pl.UInt32).over("t", "s")
    ordered = pairs.sort(["t", "turn", "same", "k"], descending=[False, False, True, False]).with_columns(nth=number)
    level = _levels(facts, ordered["t"], added)
    ordered = ordered.with_columns(added=level).filter(pl.col("nth") < pl.when(pl.col("added") == "one").then(1).otherwise(2))
    if expansion == "question":
        ordered = ordered.filter(pl.col("same").any().over("t", "s"))
    page = pl.col("turn").rank("dense").over("t").cast(pl.Int64) - 1
    ordered = ordered.with_columns(page=page).filter(pl.col("page") < PAGES)
    enough = ordered.group_by("t").agg(pages=pl.col("page").n_unique()).filter(pl.col("pages") == PAGES)
    return _woven(facts, original, ordered.join(enough.select("t"), on="t", maintain_order="left"), expansion)


def _levels(facts: Facts, t: pl.Series, added: Added | None) -> pl.Series:
    names = np.array([str(level) for level in Added])
    turn = facts.key(t, word("added")) % np.uint64(len(names))
    return pl.Series(names[turn.astype(np.int64)].tolist() if added is None else [str(added)] * len(t), dtype=pl.String)


def _about_evidence(facts: Facts, original: pl.DataFrame) -> pl.DataFrame:
    """Return what the passage mentions, then others that have a fact of it in common, in an order drawn: t, s, turn."""
    told = original.filter(~pl.col("support")).select(t="row", p="p", o="objects").explode("o").drop_nulls("o")
    shared = facts.told.drop_nulls("o").select("p", "o", "s").sort("p", "o", "s")
    others = _on_the_ring(facts, told.unique(maintain_order=True), shared, ["p", "o"], "evidence", 2)
    mentioned = told.select("t", s="o", via=pl.lit(None, pl.Int64)).with_columns(later=pl.lit(False))
    others = others.select("t", "s", via="p").with_columns(later=pl.lit(True))
    found = pl.concat([mentioned, others]).unique(["t", "s"], keep="first", maintain_order=True)
    key = mix(facts.key(found["t"], word("evidence")), facts.columns.keys[found["s"].to_numpy()])
    return _turned(found.with_columns(key=pl.Series(key)).sort("t", "later", "key"))


def _about_question(facts: Facts, asked: pl.DataFrame) -> pl.DataFrame:
    """Return others of whom the same could be asked, that share a concept with the subject: t, s, turn."""
    concepts = facts.columns.concepts.select(s=pl.col("e").cast(pl.Int64), c="c")
    pool = facts.told.select("p", "s").unique().join(concepts, on="s").sort("p", "c", "s")
    groups = pool.group_by("p", "c").agg(size=pl.len())
    rows = asked.select("t", "s", "p").join(concepts, on="s", maintain_order="left").join(groups, on=["p", "c"])
    widest = rows.sort("t", "size", "c", descending=[False, True, False]).group_by("t", maintain_order=True).first()
    return _turned(_on_the_ring(facts, widest.select("t", "p", "c"), pool, ["p", "c"], "question", _CANDIDATES))


def _on_the_ring(facts: Facts, rows: pl.DataFrame, pool: pl.DataFrame, by: list[str], name: str, number: int) -> pl.DataFrame:
    """Return for each row the next few subjects on the ring of its group: t, p, s; `pool` is sorted by group and subject."""
    groups = pool.group_by(by, maintain_order=True).agg(size=pl.len())
    groups = groups.with_columns(
        first=(pl.col("size").cum_sum() - pl.col("size")).cast(pl.Int64), size=pl.col("size").cast(pl.Int64)
    )
    placed = rows.join(groups, on=by, maintain_order="left")
    start = facts.key(placed["t"], word(name)) % placed["size"].to_numpy().astype(np.uint64)
    turns = pl.DataFrame({"turn": np.arange(number)})
    long = placed.with_columns(start=pl.Series(start).cast(pl.Int64)).join(turns, how="cross", maintain_order="left")
    long = long.filter(pl.col("turn") < pl.col("size"))
    return long.select("t", "p", s=pool["s"].gather(long["first"] + (long["start"] + long["turn"]) % long["size"]))


def _turned(pages: pl.DataFrame) -> pl.DataFrame:
    via = pl.col("via") if "via" in pages.columns else pl.lit(None, pl.Int64)
    return pages.select("t", "s", via=via, turn=pl.int_range(pl.len(), dtype=pl.Int64).over("t"))


def _woven(facts: Facts, original: pl.DataFrame, added: pl.DataFrame, expansion: str) -> pl.DataFrame:
    """Put the sentences about each other thing, together, before or behind one of the passage's own, by hash."""
    own = original.drop("added").join(added.select(row="t", added="added").unique("row"), on="row", maintain_order="left")
    count = own.group_by("row").agg(m=pl.len())
    new = added.rename({"t": "row"}).join(count, on="row", maintain_order="left")
    drawn = mix(facts.key(new["row"], word(f"woven {expansion}")), facts.columns.keys[new["s"].to_numpy()])
    slot = pl.Series(drawn % (new["m"].to_numpy() + 1).astype(np.uint64)).cast(pl.Float64)
    # Two pages in one place stand one behind the other.
    place = slot - 0.9 + pl.col("page") * 0.1 + pl.col("nth") * 0.01
    new = new.with_columns(place=place, support=pl.lit(False))
    columns = [
        "row",
        "place",
        "s",
        "p",
        "w",
        "k",
        "support",
        "o_label",
        "o_the",
        "o_a",
        "o_noun",
        "o_person",
        "objects",
        "added",
    ]
    both = pl.concat([own.select(*columns, "length", "where"), new.select(columns)], how="diagonal")
    return both.sort("row", "place")
