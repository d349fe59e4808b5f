"""What the original passage of each fact tells: how many facts besides, which, and where the supporting sentence stands.

What else is told neither mentions the answer by any of its names nor bears on it: no topic that it shares (place, death, …), no
object that the graph links to it. So an answer that takes its place contradicts no other sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from generators.autodebug.facts import Facts
from generators.draw import Keys, mix, word

_STAGES = {"birth": 0, "death": 2}
_LISTED = 3
"""How many objects a sentence lists at most."""


class Length(StrEnum):
    """How many facts a passage tells besides the one asked about."""

    short = "short"
    medium = "medium"
    long = "long"


class Place(StrEnum):
    """Where the supporting sentence stands."""

    first = "first"
    middle = "middle"
    last = "last"


_FACTS = {Length.short: 2, Length.medium: 4, Length.long: 7}


@dataclass(frozen=True)
class Dials:
    """What is drawn by hash for each fact, unless it is fixed here."""

    length: Length | None = None
    place: Place | None = None


def originals(facts: Facts, asked: pl.DataFrame, dials: Dials) -> pl.DataFrame:
    """Return the sentences of the original passage of each fact, `row` being its number `t`.

    Facts of whose subject fewer than two other things can be told are left out. Adds `length` and `where` of each passage.
    """
    length, where = _levels(facts, asked["t"], dials)
    wanted = asked.select("t").with_columns(length=length, where=where)
    others = _others(facts, asked).join(wanted.select("t", "length"), on="t", maintain_order="left")
    limit = pl.col("length").replace_strict({str(k): v for k, v in _FACTS.items()}, return_dtype=pl.UInt32)
    others = in_time(facts, others.filter(pl.col("rank") < limit).drop("length"), ["t"], "rank").drop("rank")
    counts = others.group_by("t").agg(m=pl.len()).filter(pl.col("m") >= 2)
    own = _said(facts, asked).with_columns(support=pl.lit(True)).join(counts, on="t").join(wanted, on="t")
    # The supporting sentence stands at 0, at m, or after one of the m others but the last.
    drawn = pl.Series(facts.key(own["t"], word("middle")))
    middle = 1 + (drawn % pl.select((own["m"] - 1).cast(pl.UInt64)).to_series()).cast(pl.Int64)
    place = pl.when(pl.col("where") == "first").then(0).when(pl.col("where") == "last").then("m").otherwise(middle)
    own = own.with_columns(place=place.cast(pl.Float64) - 0.5)
    rest = others.join(counts.select("t"), on="t", maintain_order="left").with_columns(
        support=pl.lit(False), place=pl.int_range(pl.len()).over("t").cast(pl.Float64)
    )
    both = pl.concat([rest, own.drop("m", "length", "where")], how="diagonal").rename({"t": "row"}).sort("row", "place")
    both = both.with_columns(place=pl.int_range(pl.len()).over("row").cast(pl.Float64))
    return both.join(wanted.rename({"t": "row"}), on="row", how="left", maintain_order="left")


def _levels(facts: Facts, t: pl.Series, dials: Dials) -> tuple[pl.Series, pl.Series]:
    """Draw length and place of each fact by hash, where they are not fixed."""
    drawn = []
    for levels, fixed, name in ((Length, dials.length, "length"), (Place, dials.place, "place")):
        names = np.array([str(level) for level in levels])
        turn = facts.key(t, word(name)) % np.uint64(len(names))
        texts = names[turn.astype(np.int64)] if fixed is None else np.full(len(t), str(fixed))
        drawn.append(pl.Series(texts.tolist(), dtype=pl.String))
    return drawn[0], drawn[1]


def _others(facts: Facts, asked: pl.DataFrame) -> pl.DataFrame:
    """Return what else can be told about the subject of each fact, a row a sentence, and its `rank` in the order drawn."""
    target = asked.select("t", "s", at="p", answer="o", about="topic")
    rows = target.join(facts.told, on="s", maintain_order="left").filter(
        (pl.col("p") != pl.col("at")) & ~(pl.col("topic") == pl.col("about")).fill_null(False)
    )
    rows = without_mentions(facts, rows, "answer").join(linked(facts), on=["answer", "o"], how="anti", maintain_order="left")
    return ranked(facts, listed_objects(facts, rows))


def in_time(facts: Facts, rows: pl.DataFrame, by: list[str], place: str) -> pl.DataFrame:
    """Put what is told of a birth first and what is told of a death last."""
    stage = {w: _STAGES[str(wording.topic)] for w, wording in enumerate(facts.wordings) if wording.topic in _STAGES}
    staged = rows.with_columns(stage=pl.col("w").replace_strict(stage, default=1, return_dtype=pl.Int64))
    ordered = staged.sort(*by, "stage", place)
    return ordered.with_columns(pl.col(place).sort().over(by)).drop("stage")


def linked(facts: Facts) -> pl.DataFrame:
    """Return what the graph links directly, either way: `answer`, `o`."""
    edges = facts.columns.facts.select(answer=pl.col("s").cast(pl.Int64), o=pl.col("o").cast(pl.Int64))
    return pl.concat([edges, edges.select(answer="o", o="answer")]).unique()


def without_mentions(facts: Facts, rows: pl.DataFrame, of: str) -> pl.DataFrame:
    """Leave out the rows whose object holds a name of the entity in column `of`, or is held in its label."""
    numbered = rows.with_row_index("row")
    known = facts.columns.names.select(pl.col("e").cast(pl.Int64), name=" " + pl.col("name") + " ")
    held = (
        numbered.select("row", "o_key", e=of)
        .join(known, on="e")
        .filter(pl.col("o_key").str.contains(pl.col("name"), literal=True) | pl.col("name").str.contains("o_key", literal=True))
    )
    return numbered.join(held.select("row").unique(), on="row", how="anti", maintain_order="left").drop("row")


def listed_objects(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Make a row of every pair, by t, s, p: its objects, three at most, in one text; `objects` holds their numbers."""
    drawn = rows.with_columns(turn=pl.Series(facts.key(rows["t"], rows["o_ring"].to_numpy())))
    drawn = _without_twofold(facts, drawn)
    texts = ("o_label", "o_the", "o_a")
    by = ["t", "s", "p", "w"]
    grouped = drawn.sort("turn").group_by(by, maintain_order=True)
    pairs = grouped.agg(
        pl.col("one").first(), pl.len().alias("size"), pl.col("o_noun", "o_person", "o_key").first(),
        *(pl.col(c).head(_LISTED) for c in texts), objects=pl.col("o").head(_LISTED), topic=pl.col("topic").first()
    )  # fmt: skip
    kept = pairs.filter(~pl.col("one") | (pl.col("size") == 1))
    alone = pl.col("size") == 1
    return kept.with_columns(
        *(_in_words(c) for c in texts),
        o_noun=pl.when(alone).then("o_noun"),
        o_person=pl.when(alone).then("o_person").otherwise(False),
    ).drop("one", "size")


def _without_twofold(facts: Facts, drawn: pl.DataFrame) -> pl.DataFrame:
    """Leave out of a list what another entry says too ("an actor and a film actor"), or what the graph links to an earlier one.

    "Austin and Texas" would say one place twice. Only the first few of a list are looked at: no others are told.
    """
    several = pl.len().over("t", "s", "p", "w") > 1
    alone, others = drawn.filter(~several), drawn.filter(several).sort("turn")
    numbered = others.with_columns(nth=pl.int_range(pl.len()).over("t", "s", "p", "w"))
    # What stands behind these is told nowhere; that there is more than one stays true without it.
    few = numbered = numbered.filter(pl.col("nth") < 2 * _LISTED).with_row_index("row")
    few = few.select("t", "s", "p", "w", "row", "nth", "o", "o_key")
    pairs = few.join(few.rename({"row": "row2", "nth": "nth2", "o": "o2", "o_key": "key2"}), on=["t", "s", "p", "w"])
    pairs = pairs.filter(pl.col("row") != pl.col("row2"))
    said = pl.col("key2").str.contains("o_key", literal=True)
    held = pairs.filter(said & ((pl.col("o_key") != pl.col("key2")) | (pl.col("nth") > pl.col("nth2"))))
    tied = linked(facts).rename({"answer": "o", "o": "o2"})
    near = pairs.filter(pl.col("nth") > pl.col("nth2")).join(tied, on=["o", "o2"], how="semi")
    out = pl.concat([held.select("row"), near.select("row")]).unique()
    kept = numbered.join(out, on="row", how="anti", maintain_order="left").drop("row", "nth")
    return pl.concat([alone, kept])


def _in_words(column: str) -> pl.Expr:
    """Join the texts of a list: "A, B and C"."""
    texts = pl.col(column)
    before = texts.list.slice(0, texts.list.len() - 1).list.join(", ")
    return pl.when(texts.list.len() > 1).then(before + " and " + texts.list.last()).otherwise(texts.list.first()).alias(column)


def ranked(facts: Facts, pairs: pl.DataFrame) -> pl.DataFrame:
    """Order the sentences of each fact by hash: adds `k`, and `rank`."""
    k = pair_keys(facts, pairs)
    ordered = pairs.with_columns(k=pl.Series(k)).sort("t", "k")
    # "is in French" and "was made in French" say one thing twice.
    told = pl.struct("s", pl.coalesce("topic", pl.col("w").cast(pl.String)), "o_label")
    ordered = ordered.filter(told.is_first_distinct().over("t")).drop("topic")
    return ordered.with_columns(rank=pl.int_range(pl.len(), dtype=pl.UInt32).over("t"))


def pair_keys(facts: Facts, pairs: pl.DataFrame) -> Keys:
    """Return what draws the order in which relations are told: a key of each t, s, p."""
    relation = facts.relation_keys[pairs["p"].to_numpy()]
    return mix(facts.key(pairs["t"], word("told")), facts.columns.keys[pairs["s"].to_numpy()], relation)


def _said(facts: Facts, asked: pl.DataFrame) -> pl.DataFrame:
    """Return the supporting sentence of each fact."""
    said = asked.select("t", "s", "p", "o").join(facts.told.drop("topic", "one"), on=["s", "p", "o"], maintain_order="left")
    k = pl.Series(pair_keys(facts, said))
    return said.with_columns(k=k, objects=pl.concat_list("o")).drop("o", "o_ring")
