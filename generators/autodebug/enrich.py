"""Category 2, context enriching: more is told around the passage, in a paragraph of its own; its supporting sentence stays.

Evidence-focused: about what the passage mentions ("Mexico, where the film was made, borders …"), about what has a fact in
common with its subject, or with what it mentions. Question-focused: about others of whom the same could be asked. Three things
each, as the paper takes three pages, two facts each at most. No added fact mentions the answer or the subject.

All three are near, or all are far: near is what the passage mentions, and what has a fact in common with what it tells. Each is
told with what links it to the passage (`more`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from generators.autodebug.compose import Originals, _levels, listed_objects, pair_keys, ranked, said_once, without_mentions
from generators.autodebug.facts import NO_NAME, Facts
from generators.autodebug.wording import CLASSES
from generators.draw import mix, word

PAGES = 3
"""How many things are told of besides: the paper's k."""
_LOOSE = ("birth", "citizenship", "death", "language", "place")
"""Topics in which two things may be alike by chance: who was born in one town."""
_MANY = 100
"""What so many have is nothing that two have in common: to be a member of the United Nations."""
_LISTED = 2
"""How many objects are listed of what is added."""
_CANDIDATES = 12
EXPANSIONS = ("question", "evidence")


_PAIRS = 4
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
    facts: Facts, asked: pl.DataFrame, original: Originals, expansion: str, dials: EnrichDials = EnrichDials()
) -> pl.DataFrame:
    """Return what is added to each passage, a row a fact, with `added` and `closeness`; facts without enough are left out.

    `page` is the number of the thing that is told of, `link` what links it to the passage, by the relation `via` (its wording
    `via_w`), their common object `via_o`, or what the passage mentions, `via_s`.

    Parameters: `original` has what the original passages tell, and what they leave out; `expansion` is `question` or
    `evidence`.
    """
    pages = _pages(facts, asked, original, expansion, dials.closeness)
    rows = _first_told(facts, pages, expansion)
    rows = whole(rows, without_mentions(facts, without_mentions(facts, rows, "answer"), "subject"))
    rows = said_once(facts, rows.filter((pl.col("o") != pl.col("via_o")).fill_null(True)))
    topics = pl.DataFrame({"via_topic": [wording.topic for wording in facts.wordings]}, schema={"via_topic": pl.String})
    topics = facts.relations.select("w", via="p").drop_nulls().join(topics.with_row_index("w").cast({"w": pl.Int64}), on="w")
    rows = rows.join(topics.select("via", "via_topic"), on="via", how="left", maintain_order="left")
    # "Also born in Paris, was born in 1834": one of a birth is told.
    rows = rows.filter((pl.col("link") == "mentioned") | (pl.col("topic") != pl.col("via_topic")).fill_null(True))
    sames = rows.select("t", "s", "p", "turn", "same").unique(["t", "s", "p"], keep="first", maintain_order=True)
    pairs = ranked(facts, listed_objects(facts, rows)).join(sames, on=["t", "s", "p"], maintain_order="left")
    number = pl.int_range(pl.len(), dtype=pl.UInt32).over("t", "s")
    order = ["t", "turn", "same", "minor", "lead", "k"]
    ordered = pairs.sort(order, descending=[False, False, True, False, False, False])
    # "Is in France and lies in Europe": one fact of a topic tells enough.
    topic = pl.struct("t", "s", pl.coalesce("topic", pl.col("w").cast(pl.String)))
    ordered = ordered.filter(topic.is_first_distinct()).with_columns(nth=number)
    level = _levels(facts, ordered["t"], "added", Added, dials.added)
    ordered = ordered.with_columns(added=level).filter(pl.col("nth") < pl.when(pl.col("added") == "one").then(1).otherwise(2))
    if expansion == "question":
        ordered = ordered.filter(pl.col("same").any().over("t", "s"))
    ordered = _of_one_closeness(pages, ordered)
    page = pl.col("turn").rank("dense").over("t").cast(pl.Int64) - 1
    ordered = ordered.with_columns(page=page).filter(pl.col("page") < PAGES)
    linked = ordered.join(pages.select("t", "s", *_LINK), on=["t", "s"], how="left", maintain_order="left")
    via_w = facts.relations.select(via="p", via_w="w")
    linked = linked.join(via_w, on="via", how="left", maintain_order="left")
    linked = linked.with_columns(objects=pl.col("objects").list.head(_LISTED))
    rows = linked.with_columns(support=pl.lit(False), via_year=pl.lit(None, pl.String)).rename({"t": "row"})
    return rows.sort("row", "page", "nth")


_LINK = ("link", "via", "via_o", "via_s")


def _pages(facts: Facts, asked: pl.DataFrame, original: Originals, expansion: str, closeness: Closeness | None) -> pl.DataFrame:
    """Return what can be told of besides, neither subject nor answer: t, s, turn, closeness, drawn, and the link."""
    said = original.told.filter(~pl.col("support")).select(t="row", p="p", o="objects").explode("o").drop_nulls("o").unique()
    said = said.join(asked.select("t"), on="t", how="semi").sort("t", "p", "o")
    spare = original.spare.join(asked.select("t"), on="t", how="semi")
    about = _about_question(facts, asked, said, spare) if expansion == "question" else _about_evidence(facts, said, spare)
    pages = about
    target = asked.select("t", subject="s", asked_p="p", answer="o")
    pages = pages.join(target, on="t", maintain_order="left")
    pages = pages.filter((pl.col("s") != pl.col("subject")) & (pl.col("s") != pl.col("answer")))
    via = pl.col("via_o").is_null() | ((pl.col("via_o") != pl.col("subject")) & (pl.col("via_o") != pl.col("answer")))
    named = facts.names.filter(pl.col("label").is_not_null() & ~pl.col("label").str.contains(NO_NAME))["e"]
    pages = pages.filter(via & pl.col("s").is_in(named.cast(pl.Int64).implode()))
    # A film that won a prize has something in common with other films, not with people.
    is_a = facts.names.select(
        s=pl.col("e").cast(pl.Int64), person="person", known=pl.col("person") | pl.col("genus").is_not_null()
    )
    pages = pages.join(is_a, on="s", maintain_order="left")
    pages = pages.join(is_a.select(subject="s", like="person"), on="subject", maintain_order="left")
    near = pl.col("link").is_in(["mentioned", "beyond"])
    pages = pages.filter((near | (pl.col("person") == pl.col("like"))) & ((pl.col("link") == "mentioned") | pl.col("known")))
    pages = pages.drop("person", "like", "known")
    return _by_closeness(facts, asked, said, pages, closeness)


def _first_told(facts: Facts, pages: pl.DataFrame, expansion: str) -> pl.DataFrame:
    """Return the facts of the first few relations of each thing, in the order drawn, and whether they are the `same`.

    Question-focused, the fact that could be asked of both goes first; the fact that links a thing to the passage is told with
    it anyway. Of a thing of which much is known no more is looked at: it would not be told.
    """
    pairs = pages.join(facts.roles.select("s", "w", "minor"), on="s", maintain_order="left")
    pairs = pairs.join(facts.relations.select("p", "w").drop_nulls(), on="w", maintain_order="left")
    pairs = pairs.filter((pl.col("link") == "mentioned") | (pl.col("p") != pl.col("via")).fill_null(True))
    same = (pl.col("p") == pl.col("asked_p")) if expansion == "question" else pl.lit(False)
    pairs = pairs.with_columns(same=same, k=pl.Series(pair_keys(facts, pairs)))
    ordered = pairs.sort("same", "minor", "k", descending=[True, False, False])
    first = ordered.filter(pl.int_range(pl.len()).over("t", "s") < _PAIRS)
    return (
        first.drop("k", "minor", "w")
        .sort("t", "turn")
        .join(facts.told.filter(~pl.col("dull")), on=["s", "p"], maintain_order="left")
    )


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
    few = marked.filter(pl.int_range(pl.len()).over("t", "closeness") < PAGES + 2)
    # Where enough are as drawn, the others are not looked at.
    return few.filter(pl.col("drawn") | (pl.col("drawn").sum().over("t") < PAGES + 1))


def _of_one_closeness(pages: pl.DataFrame, ordered: pl.DataFrame) -> pl.DataFrame:
    """Keep of each fact what is as close as was drawn, where enough can be told of it, else what is not."""
    things = pages.select("t", "s", "closeness", "drawn").join(ordered.select("t", "s").unique(), on=["t", "s"], how="semi")
    enough = things.group_by("t", "closeness", "drawn").len().filter(pl.col("len") >= PAGES)
    chosen = enough.sort("t", "drawn", descending=[False, True]).unique("t", keep="first").select("t", "closeness")
    kept = things.join(chosen, on=["t", "closeness"], how="semi").select("t", "s", "closeness")
    return ordered.join(kept, on=["t", "s"], maintain_order="left")


def _about_evidence(facts: Facts, said: pl.DataFrame, spare: pl.DataFrame) -> pl.DataFrame:
    """Return what the passage mentions, others that have a fact of it in common, and others yet: t, s, turn, and the link.

    These are kin of the subject, by a fact that the passage does not tell, or have a fact in common with what it mentions, and
    are of its kind. Each kind is in an order drawn. `said` and `spare` have t, p, o.
    """
    shared = _shared(facts)
    none = pl.lit(None, pl.Int64)
    with_back = facts.relations.filter(pl.col("w").is_in(_with_back(facts)))["p"]
    mentioned = said.filter(pl.col("p").is_in(with_back.implode()))
    mentioned = mentioned.select("t", s="o", via="p", via_o=none, via_s=none, link=pl.lit("mentioned"))
    beside = _on_the_ring(facts, said, shared, ["p", "o"], "evidence", 2)
    beside = beside.select("t", "s", via="p", via_o="o", via_s=none, link=pl.lit("beside"))
    telling = _telling(facts)
    spare = spare.join(telling.select("p", "o").unique(), on=["p", "o"], how="semi", maintain_order="left")
    kin = _on_the_ring(facts, spare, telling, ["p", "o"], "kin", 2)
    kin = kin.select("t", "s", via="p", via_o="o", via_s=none, link=pl.lit("kin"))
    beyond = _some_pairs(facts, mentioned.select("t", "s").unique(maintain_order=True), "beyond")
    beyond = _on_the_ring(facts, beyond, shared, ["p", "o"], "beyond", 3)
    kind = facts.names.select(s=pl.col("e").cast(pl.Int64), is_a=pl.concat_str("kind", pl.col("noun").fill_null("")))
    beyond = beyond.join(kind, on="s", maintain_order="left").join(kind.rename({"s": "m", "is_a": "m_is_a"}), on="m")
    beyond = beyond.filter((pl.col("is_a") == pl.col("m_is_a")) & (pl.col("s") != pl.col("m")))
    beyond = beyond.select("t", "s", via="p", via_o="o", via_s="m", link=pl.lit("beyond"))
    found = pl.concat([each.with_columns(later=pl.lit(later)) for later, each in enumerate((mentioned, beside, kin, beyond))])
    found = found.unique(["t", "s"], keep="first", maintain_order=True)
    key = mix(facts.key(found["t"], word("evidence")), facts.columns.keys[found["s"].to_numpy()])
    return _turned(found.with_columns(key=pl.Series(key)).sort("t", "later", "key"))


def _with_back(facts: Facts) -> list[int]:
    """Return the relations whose objects can be come back to; not those that a passage tells by an adjective ("French")."""
    ways = ((w, wording.way(kind)) for w, wording in enumerate(facts.wordings) for kind in CLASSES)
    return sorted({w for w, way in ways if way.back is not None and way.lead is None})


def _shared(facts: Facts) -> pl.DataFrame:
    """Return the facts that two things may be said to have in common: p, o, s. That both are from one country says little."""
    weak = [w for w, wording in enumerate(facts.wordings) if wording.minor or wording.way("person").lead == "origin"]
    return facts.told.drop_nulls("o").filter(~pl.col("w").is_in(weak)).select("p", "o", "s").sort("p", "o", "s")


def _telling(facts: Facts) -> pl.DataFrame:
    """Return of what things may have in common what hardly is by chance: not a town, a language, a trade."""
    loose = (w.topic in _LOOSE or w.chapter == "private" or w.way("person").lead is not None for w in facts.wordings)
    numbers = [number for number, is_loose in enumerate(loose) if is_loose]
    relations = facts.relations.filter(pl.col("w").is_in(numbers))["p"]
    rare = pl.len().over("p", "o") < _MANY
    return _shared(facts).filter(~pl.col("p").is_in(relations.implode()) & rare)


def _some_pairs(facts: Facts, things: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return a few facts of some things `m` of each passage, in an order drawn: t, m, p, o."""
    plain = facts.names.filter(~pl.col("label").str.contains(",", literal=True))["e"].cast(pl.Int64)
    things = things.filter(pl.col("s").is_in(plain.implode()))
    pairs = things.join(_telling(facts), on="s", maintain_order="left").select("t", "p", "o", m="s")
    pairs = pairs.drop_nulls("p").unique(["t", "p", "o"], keep="first", maintain_order=True)
    relation, entity = facts.relation_keys[pairs["p"].to_numpy()], facts.columns.keys[pairs["o"].to_numpy()]
    drawn = pairs.with_columns(key=pl.Series(mix(facts.key(pairs["t"], word(name)), relation, entity))).sort("t", "key")
    return drawn.filter(pl.int_range(pl.len()).over("t") < _PAIRS).drop("key")


def _about_question(facts: Facts, asked: pl.DataFrame, said: pl.DataFrame, spare: pl.DataFrame) -> pl.DataFrame:
    """Return others of whom the same could be asked: who share a concept with the subject, or a fact told of it: t, s, turn."""
    concepts = facts.columns.concepts.select(s=pl.col("e").cast(pl.Int64), c="c")
    pool = facts.told.select("p", "s").unique().join(concepts, on="s").sort("p", "c", "s")
    groups = pool.group_by("p", "c").agg(size=pl.len())
    rows = asked.select("t", "s", "p").join(concepts, on="s", maintain_order="left").join(groups, on=["p", "c"])
    widest = rows.sort("t", "size", "c", descending=[False, True, False]).group_by("t", maintain_order=True).first()
    alike = _on_the_ring(facts, widest.select("t", "p", "c"), pool, ["p", "c"], "question", _CANDIDATES)
    shared = _shared(facts)
    telling = _telling(facts)
    spare = spare.join(telling.select("p", "o").unique(), on=["p", "o"], how="semi", maintain_order="left")
    linked = [(said, shared, "beside", 8), (spare, telling, "kin", 4)]
    beside = pl.concat(
        _on_the_ring(facts, pairs, pool_of, ["p", "o"], name, number).select("t", "s", via="p", via_o="o", link=pl.lit(name))
        for pairs, pool_of, name, number in linked
    )
    beside = beside.join(asked.select("t", asks="p"), on="t", maintain_order="left")
    told = facts.told.select(asks="p", s="s").unique()
    beside = beside.join(told, on=["asks", "s"], how="semi", maintain_order="left")
    beside = beside.select("t", "s", "via", "via_o", "link")
    # Of people who share nothing that is told "for comparison" would be said of strangers.
    things = facts.names.filter(~pl.col("person"))["e"].cast(pl.Int64)
    alike = alike.filter(pl.col("s").is_in(things.implode()))
    found = pl.concat([beside, alike.select("t", "s", link=pl.lit("alike"))], how="diagonal")
    found = found.unique(["t", "s"], keep="first", maintain_order=True).with_columns(via_s=pl.lit(None, pl.Int64))
    return _turned(found.sort("t", maintain_order=True))


def _on_the_ring(facts: Facts, rows: pl.DataFrame, pool: pl.DataFrame, by: list[str], name: str, number: int) -> pl.DataFrame:
    """Return for each row the next few subjects on the ring of its group, as `s`; `pool` is sorted by group and subject."""
    groups = pool.group_by(by, maintain_order=True).agg(size=pl.len())
    groups = groups.with_columns(
        first=(pl.col("size").cum_sum() - pl.col("size")).cast(pl.Int64), size=pl.col("size").cast(pl.Int64)
    )
    placed = rows.join(groups, on=by, maintain_order="left")
    start = facts.key(placed["t"], word(name)) % placed["size"].to_numpy().astype(np.uint64)
    turns = pl.DataFrame({"turn": np.arange(number)})
    long = placed.with_columns(start=pl.Series(start).cast(pl.Int64)).join(turns, how="cross", maintain_order="left")
    long = long.filter(pl.col("turn") < pl.col("size"))
    subject = pool["s"].gather(long["first"] + (long["start"] + long["turn"]) % long["size"])
    return long.select(*(c for c in rows.columns if c != "s"), s=subject)


def _turned(pages: pl.DataFrame) -> pl.DataFrame:
    return pages.select("t", "s", *_LINK, turn=pl.int_range(pl.len(), dtype=pl.Int64).over("t"))
