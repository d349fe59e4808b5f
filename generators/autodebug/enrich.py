"""Category 2, context enriching: more is told in the passage, or behind it; its supporting sentence stays.

Two things can be added. *Own*: more of the subject, where it belongs among the rest. *Also*: what a person whom the passage has
named did besides ("Scott also directed …"): question-focused, the answer where that is a person; evidence-focused, another
where there is one, else other works of the same. A life is never told beside a work, and what an added fact says is never the
answer.

What the passage has named is near; what it leaves out of its subject is far.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from generators.autodebug.compose import Originals, _levels, linked, without_mentions
from generators.autodebug.facts import Facts
from generators.draw import mix, word

_MOST = {"one": 2, "two": 4}
"""How many are added at most, in one sentence or in two."""
_WORKS = {"one": 2, "two": 3}
"""How many other works of a maker are named."""
_LONG = 32
"""Letters of a title that is too long for a list."""
_KNOWN = 5
"""From how many of a maker's best known works those are drawn."""
EXPANSIONS = ("question", "evidence")


class Added(StrEnum):
    """How much is added: two facts, or more."""

    one = "one"
    two = "two"


class Closeness(StrEnum):
    """Whether more is told of what the passage has named, or what it leaves out of its subject."""

    near = "near"
    far = "far"


@dataclass(frozen=True)
class EnrichDials:
    """What is drawn by hash for each fact, unless it is fixed here."""

    added: Added | None = None
    closeness: Closeness | None = None


def enriched(
    facts: Facts, asked: pl.DataFrame, original: Originals, dials: EnrichDials = EnrichDials()
) -> dict[str, pl.DataFrame]:
    """Return by expansion what is added to each passage, a row a fact, with `added` and `closeness`.

    Facts without enough are left out. `s`, `p` and `objects` are the fact, `link` is "own", "answer" or "named"; of the
    latter two `hub` is who did it.

    Parameters: `original` has what the original passages tell, and what they leave out.
    """
    own = {expansion: _own(facts, asked, original, expansion, dials) for expansion in EXPANSIONS}
    alone = _alone(facts)
    hubs = pl.concat([_answers(facts, asked), _named(facts, asked, original, alone)])
    works = _unsaid(facts, original, _works(facts, hubs, alone))
    question = _drawn(facts, own["question"], _also(facts, works, "question", dials), "question", dials)
    # Of one person both expansions tell other works.
    taken = question.drop_nulls("hub").select(t="row", x="s")
    others = _also(facts, works.join(taken, on=["t", "x"], how="anti", maintain_order="left"), "evidence", dials)
    return {"question": question, "evidence": _drawn(facts, own["evidence"], others, "evidence", dials)}


def _drawn(facts: Facts, own: pl.DataFrame, also: pl.DataFrame, expansion: str, dials: EnrichDials) -> pl.DataFrame:
    """Take of each fact what is drawn, own or also, where there are both."""
    rows = pl.concat([own, also], how="diagonal_relaxed")
    if dials.closeness is not None:
        return rows.filter(pl.col("closeness") == str(dials.closeness)).drop("thin").sort("row", "nth")
    # One fact alone is told where there is nothing else.
    thin = rows.filter("thin")["row"].unique().implode()
    levels = rows.select("row", "closeness").unique().filter(pl.len().over("row") > 1)
    rows = rows.filter(~(pl.col("thin").fill_null(False) & pl.col("row").is_in(levels["row"].implode()))).drop("thin")
    both = levels.filter(~pl.col("row").is_in(thin))["row"].unique().sort()
    turn = facts.key(both, word("closeness"), word(expansion)) % np.uint64(2)
    drawn = pl.DataFrame(
        {"row": both, "drawn": np.where(turn == 0, "near", "far")}, schema={"row": pl.Int64, "drawn": pl.String}
    )
    rows = rows.join(drawn, on="row", how="left")
    return rows.filter(pl.col("drawn").is_null() | (pl.col("drawn") == pl.col("closeness"))).drop("drawn").sort("row", "nth")


# More of the subject


def _own(facts: Facts, asked: pl.DataFrame, original: Originals, expansion: str, dials: EnrichDials) -> pl.DataFrame:
    """Return what is told of the subject itself, where enough is left: for either expansion other facts come first."""
    left = original.left.join(asked.select("t"), on="t", how="semi", maintain_order="left")
    left = _fitting(facts, asked, original, left)
    left = left.with_columns(number=pl.len().over("t"), nth=pl.int_range(pl.len(), dtype=pl.Int64).over("t"))
    if expansion == "evidence":
        left = left.with_columns(nth=pl.col("number") - 1 - pl.col("nth"))
    level = _levels(facts, left["t"], "added", Added, dials.added)
    short = pl.lit("one") if dials.added is None else pl.lit(None, pl.String)
    added = pl.when((level == "two") & (pl.col("number") <= _MOST["one"])).then(short).otherwise(level)
    left = left.with_columns(added=added).drop_nulls("added")
    most = pl.col("added").replace_strict(_MOST, return_dtype=pl.Int64)
    # Of two facts each expansion tells one.
    left = left.filter(pl.col("nth") < pl.min_horizontal(most, pl.max_horizontal(pl.col("number") - 1, 1)))
    return left.select(
        "s", "p", "w", "objects", "year", "k", "nth", "added", row="t", link=pl.lit("own"),
        hub=pl.lit(None, pl.Int64), thin=pl.col("number") == 1, closeness=pl.lit("far"), support=pl.lit(False),
    )  # fmt: skip


def _fitting(facts: Facts, asked: pl.DataFrame, original: Originals, left: pl.DataFrame) -> pl.DataFrame:
    """Leave out of people what the passage tells a part of: where somebody was born stands beside when, or not at all."""
    topics = pl.Series([wording.topic for wording in facts.wordings], dtype=pl.String)
    people = facts.names.filter("person")["e"].cast(pl.Int64)
    said = original.told.select(t="row", topic=topics.gather(original.told["w"])).drop_nulls("topic").unique()
    said = said.join(asked.select("t", "s"), on="t").filter(pl.col("s").is_in(people.implode())).drop("s")
    return left.with_columns(topic=topics.gather(left["w"])).join(said, on=["t", "topic"], how="anti", maintain_order="left")


# What a maker did besides


def _also(facts: Facts, works: pl.DataFrame, expansion: str, dials: EnrichDials) -> pl.DataFrame:
    """Return other `works` of the answer, or of somebody whom the passage names: the best known ones of the subject's kind."""
    first = pl.col("link") == ("answer" if expansion == "question" else "named")
    rows = works.filter(first | ~first.any().over("t"))
    rows = rows.with_columns(number=pl.len().over("t", "hub"))
    rows = _one_hub(facts, rows, last=expansion == "evidence")
    level = _levels(facts, rows["t"], "added", Added, dials.added)
    rows = rows.with_columns(added=pl.Series(level))
    short = (pl.col("added") == "two") & (pl.col("number") < _WORKS["two"])
    rows = (
        rows.filter(~short)
        if dials.added is not None
        else rows.with_columns(added=pl.when(short).then(pl.lit("one")).otherwise("added"))
    )
    rows = rows.filter(pl.col("nth") < pl.col("added").replace_strict(_WORKS, return_dtype=pl.Int64))
    key = facts.key(rows["t"], facts.columns.keys[rows["hub"].to_numpy()])
    return rows.select(
        "p", "w", "hub", "nth", "added", "link", row="t", s="x", objects=pl.concat_list("hub"), year=pl.lit(None, pl.String),
        k=pl.Series(key, dtype=pl.UInt64), closeness=pl.lit("near"), support=pl.lit(False),
    )  # fmt: skip


def _threads(facts: Facts) -> list[int]:
    """Return the relations whose objects did the like of other subjects, too."""
    return [w for w, wording in enumerate(facts.wordings) if wording.way("work").also is not None]


def _answers(facts: Facts, asked: pl.DataFrame) -> pl.DataFrame:
    rows = asked.filter(pl.col("w").is_in(_threads(facts)))
    return rows.select("t", "s", "p", "w", "o", hub="o", link=pl.lit("answer"))


def _named(facts: Facts, asked: pl.DataFrame, original: Originals, alone: pl.DataFrame) -> pl.DataFrame:
    """Return whom the passage names besides, where nobody else is named in that part."""
    said = original.told.filter(~pl.col("support") & pl.col("w").is_in(_threads(facts)) & (pl.col("objects").list.len() == 1))
    said = said.select("p", "w", t="row", hub=pl.col("objects").list.first())
    rows = asked.select("t", "s", "o").join(said, on="t", maintain_order="left")
    rows = rows.join(alone, on=["s", "p"], how="semi", maintain_order="left")
    return rows.select("t", "s", "p", "w", "o", "hub", link=pl.lit("named"))


def _alone(facts: Facts) -> pl.DataFrame:
    """Return the pairs that have one object: s, p."""
    count = facts.columns.facts.group_by(s=pl.col("s").cast(pl.Int64), p=pl.col("p").cast(pl.Int64)).len()
    return count.filter(pl.col("len") == 1).select("s", "p")


def _works(facts: Facts, hubs: pl.DataFrame, alone: pl.DataFrame) -> pl.DataFrame:
    """Return the other subjects of each hub's relation that are of the subject's kind and can be named; `x`."""
    people = facts.names.filter("person")["e"].cast(pl.Int64)
    hubs = hubs.filter(pl.col("hub").is_in(people.implode()))
    made = facts.told.drop_nulls("o").filter(pl.col("w").is_in(_threads(facts)) & ~pl.col("dull"))
    # Half of a shared credit is none.
    others = made.join(alone, on=["s", "p"], how="semi").select("p", x="s", hub="o").unique()
    kinds = facts.names.filter(pl.col("callable") & ~pl.col("several")).select(
        pl.col("e").cast(pl.Int64), "kind", "noun", "key", "label"
    )
    kinds = kinds.filter(pl.col("key").is_first_distinct() & (pl.col("kind") == "work"))
    rows = hubs.join(others, on=["p", "hub"], maintain_order="left").filter(pl.col("x") != pl.col("s"))
    rows = rows.join(kinds.select(x="e", noun="noun", o_key="key", label="label"), on="x", maintain_order="left")
    rows = rows.join(kinds.select(s="e", noun="noun", s_key="key"), on=["s", "noun"], maintain_order="left")
    # "The Godfather" beside "The Godfather Part II" would be told apart by few readers.
    alike = pl.col("o_key").str.contains(pl.col("s_key"), literal=True) | pl.col("s_key").str.contains(
        pl.col("o_key"), literal=True
    )
    # A title with a comma, a full stop or "and" would not end where it does in a list.
    return rows.filter(~alike & ~pl.col("label").str.contains(r"[,.?!:;&]| and ") & (pl.col("label").str.len_chars() < _LONG))


def _unsaid(facts: Facts, original: Originals, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out the works that the passage names, and those that name the answer or are linked to it otherwise."""
    said = original.told.select(t="row", x="objects").explode("x").drop_nulls("x").unique()
    rows = rows.join(said, on=["t", "x"], how="anti", maintain_order="left").rename({"o": "answer"})
    rows = without_mentions(facts, rows, "answer")
    near = linked(facts, rows.select("answer", o="x")).rename({"o": "x"})
    apart = rows.join(near, on=["answer", "x"], how="anti", maintain_order="left")
    return pl.concat([rows.filter(pl.col("link") == "answer"), apart.filter(pl.col("link") != "answer")])


def _one_hub(facts: Facts, rows: pl.DataFrame, *, last: bool) -> pl.DataFrame:
    """Choose of whom more is told, and in which order the works come: drawn from those of which most is known."""
    degree = facts.columns.degrees.to_numpy()
    key = mix(facts.key(rows["t"], word("also")), facts.columns.keys[rows["hub"].to_numpy()])
    turn = mix(key, facts.columns.keys[rows["x"].to_numpy()])
    rows = rows.with_columns(degree=pl.Series(degree[rows["x"].to_numpy()]), key=pl.Series(key), turn=pl.Series(turn))
    first = (
        rows.sort("t", "key", "p", descending=[False, last, last])
        .unique("t", keep="first", maintain_order=True)
        .select("t", "hub", "p")
    )
    rows = rows.join(first, on=["t", "hub", "p"], how="semi")
    rows = rows.sort("t", "degree", "x", descending=[False, True, False])
    rows = _without_sequels(rows).with_columns(place=pl.int_range(pl.len()).over("t")).filter(pl.col("place") < _KNOWN)
    return rows.sort("t", "turn").with_columns(nth=pl.int_range(pl.len(), dtype=pl.Int64).over("t")).drop("place")


def _without_sequels(rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out works whose title holds that of another ("Rocky IV" beside "Rocky"), of the works of each fact."""
    titles = rows.select("t", "x", "o_key")
    pairs = titles.join(titles.rename({"x": "other", "o_key": "short"}), on="t").filter(pl.col("x") != pl.col("other"))
    held = pairs.filter(pl.col("o_key").str.contains(pl.col("short"), literal=True)).select("t", "x").unique()
    return rows.join(held, on=["t", "x"], how="anti", maintain_order="left")
