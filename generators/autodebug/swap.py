"""Category 1, answer swapping: another answer of the same kind takes the true one's place in the supporting sentence.

The new answer shares a concept with the old one (the rarest of them that some other object of the relation has: one city of
Poland for another), is an object of the relation elsewhere, is no true object, is not linked to the old one in the graph (which
could make it true), and neither holds a name of the old one nor stands in the passage or the question already. Candidates stand
on a ring; the first after the fact's own place that has the drawn distance and popularity is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from generators.autodebug.compose import linked, without_mentions
from generators.autodebug.facts import Facts
from generators.autodebug.likely import likely
from generators.draw import word
from generators.graph_columns import ints
from kg.hops import Hops
from kg.sets import test

_CANDIDATES = 64
"""How many objects on the ring are looked at for each fact."""
_NEAR = 2
_STEM = 5
"""Letters that tell a word from others."""


class Distance(StrEnum):
    """How far from the subject the new answer is: within two hops along facts, either way, or farther."""

    near = "near"
    far = "far"


class Popularity(StrEnum):
    """Whether the new answer stands in more facts than the old one."""

    more = "more"
    less = "less"


@dataclass(frozen=True)
class SwapDials:
    """What is drawn by hash for each fact, unless it is fixed here."""

    distance: Distance | None = None
    popularity: Popularity | None = None


def swapped(facts: Facts, asked: pl.DataFrame, contexts: pl.DataFrame, dials: SwapDials) -> pl.DataFrame:
    """Choose the new answer of each fact: t, x (its number), `distance`, `answer_popularity`; facts without one are left out.

    Parameters: `contexts` has the original passages, `t` and `key` (the folded passage between blanks).
    """
    candidates = _candidates(facts, asked).join(contexts, on="t", maintain_order="left")
    names = facts.names.select(x=pl.col("e").cast(pl.Int64), x_key="key", x_label="label").drop_nulls()
    rows = candidates.join(names, on="x", maintain_order="left").filter(
        ~pl.col("key").str.contains(pl.col("x_key"), literal=True)
    )
    # Only a plain name can take another's place: "the" of "the Beatles" and brackets would show.
    rows = rows.filter(~pl.col("x_label").str.contains(r"[()\[\]]")).with_columns(o_key="x_key")
    rows = without_mentions(facts, rows, "o").drop("o_key")
    # "Best Actress" for "Best Actor": whoever says either may be taken to mean the other.
    # So for "music" and "musical composition": words count as one where they begin alike.
    stems = pl.element().str.slice(0, _STEM)
    old = facts.names.select(o=pl.col("e").cast(pl.Int64), old=pl.col("key").str.strip_chars().str.split(" ").list.eval(stems))
    new = pl.col("x_key").str.strip_chars().str.split(" ").list.eval(stems)
    shared = new.list.set_intersection("old").list.len()
    rows = rows.join(old, on="o", maintain_order="left").filter(
        2 * shared < pl.min_horizontal(new.list.len(), pl.col("old").list.len()) + 1
    )
    true = facts.told.drop_nulls("o").select("s", "p", x="o")
    rows = _same_gender(facts, rows)
    rows = rows.filter(pl.col("x") != pl.col("s")).join(true, on=["s", "p", "x"], how="anti", maintain_order="left")
    near = linked(facts, rows.select(answer="o", o="x")).select(o="answer", x="o")
    rows = rows.join(near, on=["o", "x"], how="anti", maintain_order="left")
    rows = likely(facts, rows)
    return _drawn(facts, _measured(facts, rows), dials)


def _same_gender(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out who is "she" where the old answer is "he", and the other way, as far as the graph says so."""
    he = facts.names.select(pl.col("e").cast(pl.Int64), "he")
    rows = rows.join(he.rename({"e": "o", "he": "he_o"}), on="o", how="left", maintain_order="left")
    rows = rows.join(he.rename({"e": "x", "he": "he_x"}), on="x", how="left", maintain_order="left")
    return rows.filter((pl.col("he_o") == pl.col("he_x")).fill_null(True)).drop("he_o", "he_x")


def _candidates(facts: Facts, asked: pl.DataFrame) -> pl.DataFrame:
    """Return the next objects on the ring of each fact's relation and rarest shared concept: t, s, p, o, c, x, turn."""
    concepts = facts.columns.concepts.select(o=pl.col("e").cast(pl.Int64), c="c")
    objects = facts.told.drop_nulls("o").select("p", "o").unique()
    pool = objects.join(concepts, on="o").sort("p", "c", "o")  # entities are numbered in the order of the ring
    groups = pool.group_by("p", "c", maintain_order=True).agg(size=pl.len())
    groups = groups.with_columns(first=pl.col("size").cum_sum() - pl.col("size")).filter(pl.col("size") > 1)
    rows = asked.select("t", "s", "p", "o").join(concepts, on="o", maintain_order="left").join(groups, on=["p", "c"])
    # The rarest concept that leaves a choice; where none does, the widest.
    choice = rows.with_columns(scarce=pl.col("size") < 6).sort("t", "scarce", "size", "c")
    widest = choice.filter(pl.col("scarce")).sort("t", "size", "c").group_by("t", maintain_order=True).last()
    wide = choice.filter(~pl.col("scarce")).group_by("t", maintain_order=True).first()
    one = pl.concat([wide, widest.join(wide, on="t", how="anti").select(wide.columns)]).sort("t")
    start = facts.key(one["t"], word("swap")) % one["size"].cast(pl.UInt64).to_numpy()
    turns = one.with_columns(start=pl.Series(start).cast(pl.Int64)).join(
        pl.DataFrame({"turn": np.arange(_CANDIDATES)}), how="cross", maintain_order="left"
    )
    turns = turns.filter(pl.col("turn") < pl.col("size"))
    at = turns["first"].cast(pl.Int64) + (turns["start"] + turns["turn"]) % turns["size"].cast(pl.Int64)
    return turns.with_columns(x=pool["o"].gather(at)).select("t", "s", "p", "o", "c", "x", "turn")


def _measured(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Say of each candidate whether it is near, and whether it stands in more facts than the old answer."""
    s, o = (ints(facts.columns.facts[end]) for end in "so")
    degree = facts.columns.degrees.to_numpy()
    more = degree[rows["x"].to_numpy()] > degree[rows["o"].to_numpy()]
    subjects, row = np.unique(rows["s"].to_numpy(), return_inverse=True)
    levels = Hops(facts.columns.n, s, o, both=True).levels(subjects, _NEAR)
    near = np.zeros(rows.height, bool)
    for level in levels:
        near |= test(level, row, rows["x"].to_numpy())
    near_name = pl.when(pl.Series(near)).then(pl.lit("near")).otherwise(pl.lit("far"))
    more_name = pl.when(pl.Series(more)).then(pl.lit("more")).otherwise(pl.lit("less"))
    return rows.with_columns(distance=near_name, answer_popularity=more_name)


def _drawn(facts: Facts, rows: pl.DataFrame, dials: SwapDials) -> pl.DataFrame:
    """Take for each fact the first candidate of the wanted levels, or else of as many of them as there are."""
    wanted = rows.select("t").unique(maintain_order=True)
    levels: dict[str, pl.Series] = {}
    for name, values, fixed in (("distance", Distance, dials.distance), ("answer_popularity", Popularity, dials.popularity)):
        turn = facts.key(wanted["t"], word(name)) % np.uint64(len(values))
        texts = np.array([str(value) for value in values])[turn.astype(np.int64)]
        levels[f"want_{name}"] = pl.Series(texts.tolist() if fixed is None else [str(fixed)] * wanted.height, dtype=pl.String)
    rows = rows.join(wanted.with_columns(**levels), on="t", maintain_order="left")
    fit = {name: pl.col(name) == pl.col(f"want_{name}") for name in ("distance", "answer_popularity")}
    for name, fixed in (("distance", dials.distance), ("answer_popularity", dials.popularity)):
        rows = rows if fixed is None else rows.filter(fit[name])
    missed = 2 * (~fit["distance"]).cast(pl.Int64) + (~fit["answer_popularity"]).cast(pl.Int64)
    chosen = rows.with_columns(missed=missed).sort("t", "missed", "turn").group_by("t", maintain_order=True).first()
    return chosen.select("t", "x", "distance", "answer_popularity")
