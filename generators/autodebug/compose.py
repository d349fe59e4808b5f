"""What the original passage of each fact tells: how many facts besides, which, and where the supporting sentence stands.

What else is told neither mentions the answer by any of its names nor bears on it: no topic that it shares (place, death, …), no
object that the graph links to it. So an answer that takes its place contradicts no other sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.autodebug.facts import CREDITS, Facts
from generators.autodebug.runs import chapter_place
from generators.draw import Keys, mix, word
from generators.graph_columns import once
from queries.domain import containment

_LISTED = 3
"""How many objects a sentence lists at most."""
_LONG_LISTS = ("cast", "extent", "makers")
_SHORT_LIST = 2
"""How many objects a sentence of another chapter lists."""
_ODD = 0.1
"""What fewer of a kind have is odd to tell of one."""
_FIRST = ("makers", "origin", "where")
"""Chapters from which something is told where there is anything."""
_LAST = ("end", "series")
"""Chapters behind which nothing is told: a death, and another thing of the subject's kind, which "it" would be."""
_NO_LIMIT = 99
_ONCE = ("honours", "cast", "public", "private", "trade", "ties", "series")
_TWICE = ("production", "story", "where", "extent", "state", "crew", "makers")
"""Chapters of which one relation is told, and two."""


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


_FACTS = {Length.short: 2, Length.medium: 3, Length.long: 5}


@dataclass(frozen=True)
class Dials:
    """What is drawn by hash for each fact, unless it is fixed here."""

    length: Length | None = None
    place: Place | None = None


_FEWEST = 2
"""Facts that a passage tells beside the answer at least, where no year, genre or trade goes before, nor what a company is."""
_RESERVE = 3
"""Facts of a subject that its passage leaves for enriched ones, where it tells two at least."""


class Originals(NamedTuple):
    """What original passages tell, and what else could be told of their subjects.

    `left` has a row a relation, in the order in which it would be told: t, s, p, w, objects, year, k.
    """

    told: pl.DataFrame
    left: pl.DataFrame


def originals(facts: Facts, asked: pl.DataFrame, dials: Dials) -> Originals:
    """Return what the original passage of each fact tells, a row a relation; `row` is the fact's number `t`.

    Besides what says what the subject is, so many facts as `length` says are told, chapter after chapter: facts that belong
    together. Facts of whose subject fewer than two other things can be told are left out. `support` marks the fact asked about;
    adds `length` and `where` of each passage.
    """
    drawn = _levels(facts, asked["t"], "length", Length, dials.length)
    wanted = asked.select("t", length=drawn, drawn=_levels(facts, asked["t"], "place", Place, dials.place))
    others = _others(facts, asked).join(wanted, on="t", maintain_order="left")
    others = others.with_columns(plain=(~pl.col("lead")).sum().over("t").cast(pl.Int64))
    limit = pl.col("length").replace_strict({str(k): v for k, v in _FACTS.items()}, return_dtype=pl.Int64)
    named = facts.names.filter(pl.col("genus").is_not_null() & (pl.col("kind") == "group"))["e"].cast(pl.Int64)
    led = pl.col("lead").any().over("t") | pl.col("s").is_in(named.implode())
    others = others.with_columns(fewest=pl.when(led).then(1).otherwise(_FEWEST))
    # In the middle means that something stands before it and something behind it: of that nothing is kept.
    reserve = pl.when(pl.col("drawn") == "middle").then(0).otherwise(_RESERVE)
    limit = pl.min_horizontal(limit, pl.max_horizontal(pl.col("plain") - reserve, "fewest"))
    left = others.filter(~pl.col("lead") & ~pl.col("minor") & (pl.col("rank") >= limit)).sort("t", "rank")
    left = left.select("t", "s", "p", "w", "objects", "year", "k")
    others = others.filter(pl.col("lead") | (pl.col("rank") < limit)).drop("rank", "length", "plain", "drawn")
    counts = others.group_by("t").agg(plain=(~pl.col("lead")).sum(), fewest=pl.col("fewest").first())
    counts = counts.filter(pl.col("plain") >= pl.col("fewest")).drop("fewest")
    others = others.drop("fewest")
    asked = _introduced(facts, asked, others)
    ends = others.filter(~pl.col("lead") & (pl.col("chapter") == chapter_place("end"))).select("t", ends=pl.lit(True)).unique()
    asked = asked.join(ends, on="t", how="left", maintain_order="left")
    placed = _placed(
        facts,
        asked.join(counts, on="t", maintain_order="left").join(wanted.drop("drawn"), on="t", maintain_order="left"),
        dials,
    )
    own = _said(facts, placed).with_columns(support=pl.lit(True))
    rest = others.join(placed.select("t"), on="t", maintain_order="left").with_columns(support=pl.lit(False))
    both = pl.concat([rest, own], how="diagonal").join(placed.select("t", "length", "where"), on="t", maintain_order="left")
    return Originals(both.rename({"t": "row"}).sort("row", "k"), left)


def _introduced(facts: Facts, asked: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Keep the facts of whose subject a passage can say what it is, of a work in more than a noun: no other can begin."""
    e = pl.col("e").cast(pl.Int64)
    kinds = [w for w, wording in enumerate(facts.wordings) if wording.way("person").lead == "kind"]
    people = facts.names.filter("person").select(e).to_series()
    # "A film directed by Ann Lee" says enough, "a film" does not.
    by = pl.col("lead") | (pl.col("chapter") == chapter_place("makers"))
    led = others.filter(by & (pl.col("w").is_in(kinds) | ~pl.col("s").is_in(people.implode())))["t"].unique()
    crew = [w for w, wording in enumerate(facts.wordings) if wording.chapter == "crew"]
    works = facts.names.filter((pl.col("kind") == "work") & pl.col("genus").is_not_null()).select(e).to_series()
    behind = pl.col("s").is_in(works.implode()) & ~pl.col("w").is_in(crew)
    plain = facts.names.filter(pl.col("genus").is_not_null() & ~pl.col("kind").is_in(["work", "person"])).select(e).to_series()
    return asked.filter(pl.col("s").is_in(plain.implode()) | pl.col("t").is_in(led.implode()) | behind)


def _placed(facts: Facts, asked: pl.DataFrame, dials: Dials) -> pl.DataFrame:
    """Draw where the supporting sentence stands: a death is not told in the middle of a life, a birth not at its end."""
    drawn = asked.with_columns(where=_levels(facts, asked["t"], "place", Place, dials.place))
    if dials.place is not None:
        # In the middle means that something stands before it and something behind it.
        return drawn.filter((pl.col("where") != "middle") | (pl.col("plain") > 1))
    chapters = [wording.chapter for wording in facts.wordings]
    chapter = pl.Series(chapters, dtype=pl.String).gather(drawn["w"])
    few, last, first = pl.col("plain") < 2, pl.lit("last"), pl.lit("first")
    # Where nothing could stand behind it, half are told first, and half last.
    odd = pl.Series(facts.key(asked["t"], word("few")) % np.uint64(2)).cast(pl.Boolean)
    drawn = drawn.with_columns(
        where=pl.when((pl.col("where") == "middle") & few).then(pl.when(odd).then(first).otherwise(last)).otherwise("where")
    )
    # Nor is anything told after a death.
    drawn = drawn.with_columns(where=pl.when((pl.col("where") == "last") & pl.col("ends")).then(first).otherwise("where"))
    late = pl.when(chapter.is_in(_LAST)).then(last)
    where = late.when((pl.col("where") == "last") & (chapter == "origin")).then(first).otherwise("where")
    # Nor is it told where somebody studied when all else was.
    early = (pl.col("where") == "last") & (chapter == "education")
    return drawn.with_columns(where=pl.when(early).then(pl.when(few).then(first).otherwise(pl.lit("middle"))).otherwise(where))


def _levels(facts: Facts, t: pl.Series, dial: str, levels: type[StrEnum], fixed: StrEnum | None) -> pl.Series:
    """Draw a level of each fact by hash, where it is not fixed."""
    names = np.array([str(level) for level in levels])
    turn = facts.key(t, word(dial)) % np.uint64(len(names))
    return pl.Series(names[turn.astype(np.int64)].tolist() if fixed is None else [str(fixed)] * len(t), dtype=pl.String)


def _others(facts: Facts, asked: pl.DataFrame) -> pl.DataFrame:
    """Return what else can be told about the subject of each fact, a row a relation, and its `rank` in the order drawn."""
    target = asked.select("t", "s", at="p", answer="o", about="topic")
    rows = target.join(facts.told, on="s", maintain_order="left").filter(
        (pl.col("p") != pl.col("at"))
        & ~pl.col("dull")
        & (pl.col("share") >= _ODD)
        & ~_is_minor(facts)
        # When somebody died is no other answer to where.
        & ~((pl.col("topic") == pl.col("about")) & pl.col("o").is_not_null()).fill_null(False)
    )
    kept = without_mentions(facts, rows, "answer")
    kept = kept.join(linked(facts, kept), on=["answer", "o"], how="anti", maintain_order="left")
    # "A German film" would mislead where another country of it is linked to the answer.
    pair = ["t", "s", "p"]
    cut = rows.filter(pl.col("w").is_in(_origins(facts))).join(kept, on=[*pair, "o"], how="anti").select(pair).unique()
    rows = kept.join(cut, on=pair, how="anti", maintain_order="left")
    return ranked(facts, listed_objects(facts, said_once(facts, rows)))


def _is_minor(facts: Facts) -> pl.Expr:
    """Say what is not told besides: what somebody spoke, in which field somebody worked; but a genre says what a work is."""
    minor = [w for w, wording in enumerate(facts.wordings) if wording.minor or wording.asked_only]
    leading = [w for w in minor if facts.wordings[w].way("work").lead is not None]
    works = facts.names.filter(pl.col("kind") == "work")["e"].cast(pl.Int64)
    return pl.col("w").is_in(minor) & ~(pl.col("w").is_in(leading) & pl.col("s").is_in(works.implode()))


def said_once(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out what is told of an object by a relation before: who received a prize was nominated for it."""
    place = {w: wording.place for w, wording in enumerate(facts.wordings)}
    first = rows.with_columns(place=pl.col("w").replace_strict(place, return_dtype=pl.Int64)).sort("place", maintain_order=True)
    told = pl.col("o").is_null() | pl.struct("t", "s", "o").is_first_distinct()
    return first.filter(told).drop("place")


def linked(facts: Facts, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return which pairs (`answer`, `o`) the graph links directly, either way."""
    pairs = pairs.select("answer", "o").drop_nulls().unique()
    one, other = (pairs[end].to_numpy().astype(np.uint64) for end in ("answer", "o"))
    edges = _edges(facts)
    found = np.zeros(pairs.height, dtype=bool)
    for key in (one << _HALF | other, other << _HALF | one):
        found |= edges[np.searchsorted(edges, key).clip(max=len(edges) - 1)] == key
    return pairs.filter(pl.Series(found))


_HALF = np.uint64(32)


@once
def _edges(facts: Facts) -> npt.NDArray[np.uint64]:
    """Return the facts between two entities in order, each as one number: the subject in the upper half, the object below."""
    ends = facts.columns.facts.select(pl.col("s", "o").cast(pl.UInt64))
    return np.unique(ends["s"].to_numpy() << _HALF | ends["o"].to_numpy())


def without_mentions(facts: Facts, rows: pl.DataFrame, of: str) -> pl.DataFrame:
    """Leave out the rows whose object holds a name of the entity in column `of`, or is held in its label."""
    numbered = rows.with_row_index("row")
    known = facts.columns.names.select(pl.col("e").cast(pl.Int64), name=" " + pl.col("name") + " ")
    held = (
        numbered.select("row", "o_key", e=of)
        .join(known, on="e")
        .filter(
            pl.col("o_key").str.contains(pl.col("name"), literal=True)
            | pl.col("name").str.contains(pl.col("o_key"), literal=True)
        )
    )
    return numbered.join(held.select("row").unique(), on="row", how="anti", maintain_order="left").drop("row")


def listed_objects(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Make a row of every pair, by t, s, p: its `objects`, three at most, the best known first, or its `year`."""
    drawn = rows.with_columns(turn=pl.Series(facts.key(rows["t"], rows["o_ring"].to_numpy())))
    drawn = _without_twofold(facts, drawn)
    by = ["t", "s", "p", "w"]
    grouped = drawn.sort("known", "turn", descending=[True, False]).group_by(by, maintain_order=True)
    pairs = grouped.agg(
        pl.col("one").first(), pl.len().alias("size"), pl.col("o_key").first(), topic=pl.col("topic").first(),
        year=pl.when(pl.col("o").is_null()).then("o_label").first(), objects=pl.col("o").head(_LISTED),
    )  # fmt: skip
    long = pl.col("w").is_in([w for w, wording in enumerate(facts.wordings) if wording.chapter in _LONG_LISTS])
    cut = ~long & ~pl.col("w").is_in(_origins(facts))
    pairs = pairs.with_columns(objects=pl.when(cut).then(pl.col("objects").list.head(_SHORT_LIST)).otherwise("objects"))
    credits = [w for w, wording in enumerate(facts.wordings) if wording.chapter in CREDITS]
    whole = ~pl.col("w").is_in([*_origins(facts), *credits]) | (pl.col("size") <= pl.col("objects").list.len())
    # One neighbour of a country says little of where it lies.
    peers = pl.col("w").is_in([w for w, wording in enumerate(facts.wordings) if wording.peers])
    whole &= ~peers | (pl.col("size") > 1)
    return pairs.filter(whole & (~pl.col("one") | (pl.col("size") == 1))).drop("one", "size")


def _origins(facts: Facts) -> list[int]:
    """Return the relations that say where a thing is from; that is told whole or not at all."""
    return [w for w, wording in enumerate(facts.wordings) if "origin" in {way.lead for way in wording.ways.values()}]


def _without_twofold(facts: Facts, drawn: pl.DataFrame) -> pl.DataFrame:
    """Leave out of a list what another entry says too ("an actor and a film actor"), or what lies in an earlier one.

    "Austin and Texas" would say one place twice. Only the first few of a list are looked at: no others are told.
    """
    several = pl.len().over("t", "s", "p", "w") > 1
    alone, others = drawn.filter(~several), drawn.filter(several).sort("known", "turn", descending=[True, False])
    numbered = others.with_columns(nth=pl.int_range(pl.len()).over("t", "s", "p", "w"))
    # What stands behind these is told nowhere; that there is more than one stays true without it.
    few = numbered = numbered.filter(pl.col("nth") < 2 * _LISTED).with_row_index("row")
    few = few.select("t", "s", "p", "w", "row", "nth", "o", "o_key")
    pairs = few.join(few.rename({"row": "row2", "nth": "nth2", "o": "o2", "o_key": "key2"}), on=["t", "s", "p", "w"])
    pairs = pairs.filter(pl.col("row") != pl.col("row2"))
    # Of "film actor" and "actor" the wider is told, of "Academy Award" and "Academy Award for Best Actor" the narrower.
    wider = pl.col("w").is_in([w for w, wording in enumerate(facts.wordings) if wording.way("person").lead == "kind"])
    said = (~wider & pl.col("key2").str.contains(pl.col("o_key"), literal=True)) | (
        wider & pl.col("o_key").str.contains(pl.col("key2"), literal=True)
    )
    held = pairs.filter(said & ((pl.col("o_key") != pl.col("key2")) | (pl.col("nth") > pl.col("nth2"))))
    tied = _contained(facts)
    near = pairs.filter(pl.col("nth") > pl.col("nth2")).join(tied, on=["o", "o2"], how="semi")
    out = pl.concat([held.select("row"), near.select("row")]).unique()
    kept = numbered.join(out, on="row", how="anti", maintain_order="left").drop("row", "nth")
    return pl.concat([alone, kept])


def _contained(facts: Facts) -> pl.DataFrame:
    """Return what the graph places in what, either way: `o`, `o2`."""
    up, down = containment()
    named = pl.col("names").list.set_intersection([*up, *down]).list.len() > 0
    relations = facts.columns.relations.with_row_index("p").filter(named).select("p")
    edges = facts.columns.facts.join(relations, on="p", how="semi")
    edges = edges.select(o=pl.col("s").cast(pl.Int64), o2=pl.col("o").cast(pl.Int64))
    return pl.concat([edges, edges.select(o="o2", o2="o")]).unique()


def ranked(facts: Facts, pairs: pl.DataFrame) -> pl.DataFrame:
    """Order what is told of each fact: adds `k`, `lead` (it says what the subject is) and `rank` among the others.

    Chapter after chapter, in an order drawn; what is of little interest last.
    """
    k = pair_keys(facts, pairs)
    keyed = pairs.with_columns(k=pl.Series(k)).join(facts.roles, on=["s", "w"], how="left", maintain_order="left")
    drawn = mix(facts.key(keyed["t"], word("chapter")), keyed["chapter"].cast(pl.UInt64).to_numpy())
    late = ~pl.col("chapter").is_in([chapter_place(name) for name in _FIRST])
    keyed = keyed.with_columns(turn=pl.Series(drawn), late=late)
    order = {"t": False, "lead": True, "minor": False, "late": False, "turn": False, "k": False}
    keyed = keyed.sort(list(order), descending=list(order.values()))
    # "is in French" and "was made in French" say one thing twice.
    told = pl.struct("s", pl.coalesce("topic", pl.col("w").cast(pl.String)), "o_key")
    ordered = keyed.filter(told.is_first_distinct().over("t")).drop("o_key", "turn", "late")
    # Nor is a company's country told beside its city.
    groups = facts.names.filter(pl.col("kind") == "group")["e"].cast(pl.Int64)
    placed = pl.col("s").is_in(groups.implode()) & pl.col("topic").is_not_null()
    ordered = ordered.filter(~placed | pl.struct("t", "topic").is_first_distinct())
    most = pl.col("chapter").replace_strict(_often(), default=_NO_LIMIT)
    nth = pl.int_range(pl.len()).over("t", "chapter", "lead")
    ordered = ordered.filter(pl.col("lead") | (nth < most))
    rank = pl.int_range(pl.len(), dtype=pl.UInt32).over("t") - pl.col("lead").sum().over("t")
    return ordered.with_columns(rank=pl.when("lead").then(0).otherwise(rank).cast(pl.UInt32))


@cache
def _often() -> dict[int, int]:
    """Return how many relations of a chapter a passage tells: who won need not be said to be nominated, too."""
    return {chapter_place(name): most for most, names in enumerate((_ONCE, _TWICE), start=1) for name in names}


def pair_keys(facts: Facts, pairs: pl.DataFrame) -> Keys:
    """Return what draws the order in which relations are told: a key of each t, s, p."""
    relation = facts.relation_keys[pairs["p"].to_numpy()]
    return mix(facts.key(pairs["t"], word("told")), facts.columns.keys[pairs["s"].to_numpy()], relation)


def _said(facts: Facts, asked: pl.DataFrame) -> pl.DataFrame:
    """Return the fact that the supporting sentence says."""
    said = asked.select("t", "s", "p", "w", objects=pl.concat_list("o"))
    return said.with_columns(k=pl.Series(pair_keys(facts, said)))
