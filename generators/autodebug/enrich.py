"""Category 2, context enriching: sentences about other things are woven into the passage; its supporting sentence stays.

Evidence-focused: about what the passage mentions (who directed a film, the town where it is set). Question-focused: about
others of whom the same could be asked (who directed which other film). Three things each, as the paper takes three pages,
two sentences each at most. No added sentence mentions the answer or the subject, and none is about them.

All three are near, or all are far: near is what the passage mentions, and what has a fact in common with what it tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from generators.autodebug.compose import in_time, listed_objects, pair_keys, ranked, without_mentions
from generators.autodebug.facts import NO_NAME, Facts
from generators.draw import mix, word

PAGES = 3
"""How many things are told of besides: the paper's k."""
_CANDIDATES = 12
EXPANSIONS = ("question", "evidence")


_PAIRS = 6
"""How many relations of a thing are looked at, and how many facts of a passage lead to others."""


class Added(StrEnum):
    """How many sentences are added about each other thing."""

    one = "one"
    two = "two"


class Closeness(StrEnum):
    """Whether the passage mentions what is told of besides, or tells a fact that it has too."""

    near = "near"
    far = "far"


@dataclass(frozen=True)
class EnrichDials:
    """What is drawn by hash for each fact, unless it is fixed here."""

    added: Added | None = None
    closeness: Closeness | None = None


def enriched(
    facts: Facts, asked: pl.DataFrame, original: pl.DataFrame, expansion: str, dials: EnrichDials = EnrichDials()
) -> pl.DataFrame:
    """Return the sentences of each enriched passage, with `added` and `closeness`; facts without enough of them are left out.

    Parameters: `original` has the sentences of the original passages; `expansion` is `question` or `evidence`.
    """
    pages = _pages(facts, asked, original, expansion, dials.closeness)
    rows = _first_told(facts, pages, "asked_p" if expansion == "question" else "via")
    rows = whole(rows, without_mentions(facts, without_mentions(facts, rows, "answer"), "subject"))
    sames = rows.select("t", "s", "p", "turn", "same").unique(["t", "s", "p"], keep="first", maintain_order=True)
    pairs = ranked(facts, listed_objects(facts, rows)).join(sames, on=["t", "s", "p"], maintain_order="left")
    number = pl.int_range(pl.len(), dtype=pl.UInt32).over("t", "s")
    ordered = pairs.sort(["t", "turn", "same", "k"], descending=[False, False, True, False]).with_columns(nth=number)
    level = _levels(facts, ordered["t"], "added", Added, dials.added)
    ordered = ordered.with_columns(added=level).filter(pl.col("nth") < pl.when(pl.col("added") == "one").then(1).otherwise(2))
    if expansion == "question":
        ordered = ordered.filter(pl.col("same").any().over("t", "s"))
    ordered = _of_one_closeness(pages, ordered)
    page = pl.col("turn").rank("dense").over("t").cast(pl.Int64) - 1
    ordered = in_time(facts, ordered.with_columns(page=page).filter(pl.col("page") < PAGES), ["t", "s"], "nth")
    return _woven(facts, original, ordered, expansion)


def _pages(
    facts: Facts, asked: pl.DataFrame, original: pl.DataFrame, expansion: str, closeness: Closeness | None
) -> pl.DataFrame:
    """Return what can be told of besides, with a proper name, neither subject nor answer: t, s, via, turn, closeness, drawn."""
    said = original.filter(~pl.col("support")).select(t="row", p="p", o="objects").explode("o").drop_nulls("o").unique()
    said = said.join(asked.select("t"), on="t", how="semi").sort("t", "p", "o")
    pages = _about_question(facts, asked, said) if expansion == "question" else _about_evidence(facts, said)
    target = asked.select("t", subject="s", asked_p="p", answer="o")
    pages = pages.join(target, on="t", maintain_order="left")
    pages = pages.filter((pl.col("s") != pl.col("subject")) & (pl.col("s") != pl.col("answer")))
    named = facts.names.filter(pl.col("label").is_not_null() & ~pl.col("label").str.contains(NO_NAME))["e"]
    return _by_closeness(facts, asked, said, pages.filter(pl.col("s").is_in(named.cast(pl.Int64).implode())), closeness)


def _first_told(facts: Facts, pages: pl.DataFrame, common: str) -> pl.DataFrame:
    """Return the facts of the first few relations of each thing, in the order drawn, and whether they are `same` as `common`.

    What each has in common with the subject goes first: what could be asked of both, or what both have. Of a thing of which
    much is known no more is looked at: it would not be told.
    """
    pairs = pages.join(facts.told.select("s", "p").unique(maintain_order=True), on="s", maintain_order="left")
    pairs = pairs.with_columns(same=(pl.col("p") == pl.col(common)).fill_null(False), k=pl.Series(pair_keys(facts, pairs)))
    first = pairs.sort("same", "k", descending=[True, False]).filter(pl.int_range(pl.len()).over("t", "s") < _PAIRS)
    return first.drop("k").sort("t", "turn").join(facts.told, on=["s", "p"], maintain_order="left")


def whole(rows: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    """Leave out what lost an object: of a film of Italy and the United States "comes from Italy" alone would mislead."""
    pair = ["t", "s", "p"]
    counts = rows.group_by(pair).len().join(kept.group_by(pair).len(), on=[*pair, "len"], how="semi")
    return kept.join(counts, on=pair, how="semi", maintain_order="left")


def _by_closeness(
    facts: Facts, asked: pl.DataFrame, said: pl.DataFrame, pages: pl.DataFrame, fixed: Closeness | None
) -> pl.DataFrame:
    """Say of each thing whether it is near or far, and whether that is as drawn; keep the first few of each."""
    told = facts.told.drop_nulls("o").select("s", "p", "o")
    linked = [said.select("t", s="o"), asked.select("t", o="s").join(told, on="o").select("t", "s")]
    common = pages.select("t", "s").join(told, on="s").join(said, on=["t", "p", "o"], how="semi").select("t", "s")
    near = pl.concat([*linked, common]).unique().with_columns(near=pl.lit(True))
    marked = pages.join(near, on=["t", "s"], how="left", maintain_order="left")
    marked = marked.with_columns(closeness=pl.when("near").then(pl.lit("near")).otherwise(pl.lit("far"))).drop("near")
    marked = marked.with_columns(drawn=pl.col("closeness") == _levels(facts, marked["t"], "closeness", Closeness, fixed))
    marked = marked if fixed is None else marked.filter("drawn")
    return marked.filter(pl.int_range(pl.len()).over("t", "closeness") < 2 * PAGES)


def _of_one_closeness(pages: pl.DataFrame, ordered: pl.DataFrame) -> pl.DataFrame:
    """Keep of each fact what is as close as was drawn, where enough can be told of it, else what is not."""
    things = pages.select("t", "s", "closeness", "drawn").join(ordered.select("t", "s").unique(), on=["t", "s"], how="semi")
    enough = things.group_by("t", "closeness", "drawn").len().filter(pl.col("len") >= PAGES)
    chosen = enough.sort("t", "drawn", descending=[False, True]).unique("t", keep="first").select("t", "closeness")
    kept = things.join(chosen, on=["t", "closeness"], how="semi").select("t", "s", "closeness")
    return ordered.join(kept, on=["t", "s"], maintain_order="left")


def _levels(facts: Facts, t: pl.Series, dial: str, levels: type[StrEnum], fixed: StrEnum | None) -> pl.Series:
    names = np.array([str(level) for level in levels])
    turn = facts.key(t, word(dial)) % np.uint64(len(names))
    return pl.Series(names[turn.astype(np.int64)].tolist() if fixed is None else [str(fixed)] * len(t), dtype=pl.String)


def _about_evidence(facts: Facts, said: pl.DataFrame) -> pl.DataFrame:
    """Return what the passage mentions, others that have a fact of it in common, and others yet: t, s, via, turn.

    These last have a fact in common with what the passage mentions. Each kind is in an order drawn. `said` has t, p, o.
    """
    shared = facts.told.drop_nulls("o").select("p", "o", "s").sort("p", "o", "s")
    mentioned = said.select("t", s="o", via=pl.lit(None, pl.Int64))
    beside = _on_the_ring(facts, said, shared, ["p", "o"], "evidence", 2)
    beyond = _some_pairs(facts, mentioned.select("t", "s").unique(maintain_order=True), "beyond")
    beyond = _on_the_ring(facts, beyond, shared, ["p", "o"], "beyond", 3)
    kinds = [mentioned, *(others.select("t", "s", via="p") for others in (beside, beyond))]
    found = pl.concat([kind.with_columns(later=pl.lit(later)) for later, kind in enumerate(kinds)])
    found = found.unique(["t", "s"], keep="first", maintain_order=True)
    key = mix(facts.key(found["t"], word("evidence")), facts.columns.keys[found["s"].to_numpy()])
    return _turned(found.with_columns(key=pl.Series(key)).sort("t", "later", "key"))


def _some_pairs(facts: Facts, things: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return a few facts of some things of each passage, in an order drawn: t, p, o."""
    pairs = things.join(facts.told.drop_nulls("o").select("s", "p", "o"), on="s", maintain_order="left")
    pairs = pairs.select("t", "p", "o").unique(maintain_order=True)
    relation, entity = facts.relation_keys[pairs["p"].to_numpy()], facts.columns.keys[pairs["o"].to_numpy()]
    drawn = pairs.with_columns(key=pl.Series(mix(facts.key(pairs["t"], word(name)), relation, entity))).sort("t", "key")
    return drawn.filter(pl.int_range(pl.len()).over("t") < _PAIRS).drop("key")


def _about_question(facts: Facts, asked: pl.DataFrame, said: pl.DataFrame) -> pl.DataFrame:
    """Return others of whom the same could be asked: who share a concept with the subject, or a fact told of it: t, s, turn."""
    concepts = facts.columns.concepts.select(s=pl.col("e").cast(pl.Int64), c="c")
    pool = facts.told.select("p", "s").unique().join(concepts, on="s").sort("p", "c", "s")
    groups = pool.group_by("p", "c").agg(size=pl.len())
    rows = asked.select("t", "s", "p").join(concepts, on="s", maintain_order="left").join(groups, on=["p", "c"])
    widest = rows.sort("t", "size", "c", descending=[False, True, False]).group_by("t", maintain_order=True).first()
    alike = _on_the_ring(facts, widest.select("t", "p", "c"), pool, ["p", "c"], "question", _CANDIDATES)
    shared = facts.told.drop_nulls("o").select("p", "o", "s").sort("p", "o", "s")
    beside = _on_the_ring(facts, said, shared, ["p", "o"], "beside", 4).select("t", "s")
    beside = beside.join(asked.select("t", asks="p"), on="t", maintain_order="left")
    told = facts.told.select(asks="p", s="s").unique()
    beside = beside.join(told, on=["asks", "s"], how="semi", maintain_order="left").select("t", "s")
    found = pl.concat([alike.select("t", "s"), beside]).unique(maintain_order=True)
    return _turned(found.sort("t", maintain_order=True))


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
    own = original.drop("added", "closeness")
    own = own.join(added.select("added", "closeness", row="t").unique("row"), on="row", maintain_order="left")
    count = own.group_by("row").agg(m=pl.len())
    new = added.rename({"t": "row"}).join(count, on="row", maintain_order="left")
    drawn = mix(facts.key(new["row"], word(f"woven {expansion}")), facts.columns.keys[new["s"].to_numpy()])
    slot = pl.Series(drawn % (new["m"].to_numpy() + 1).astype(np.uint64)).cast(pl.Float64)
    # What the passage mentions is told of behind that; what it does not mention, anywhere.
    named = (
        original.select("row", "place", s="objects")
        .explode("s")
        .drop_nulls("s")
        .group_by("row", "s")
        .agg(pl.col("place").min())
    )
    there = new.select("row", "s").join(named, on=["row", "s"], how="left", maintain_order="left")["place"]
    slot = pl.select(pl.coalesce(there + 1, slot)).to_series()
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
        "closeness",
    ]
    both = pl.concat([own.select(*columns, "length", "where"), new.select(columns)], how="diagonal")
    return both.sort("row", "place")
