"""Category 2, context enriching: more is told around the passage, in a paragraph of its own; its supporting sentence stays.

Either a paragraph is about one other thing: why it is here, what it is, some of its own facts; or one sentence tells the same
of two or three things. Evidence-focused it is about what the passage mentions ("Bugsy’s composer, Ennio Morricone, was born
in …"), or what a fact names that it does not tell. Question-focused it is about others of whom the same could be asked: who
share one fact with the subject ("Spielberg also directed …"), which the passage tells, or does not tell, or whom it mentions
or could, and who are of the subject's kind ("Its other neighbours include …").

What is told needs a reason to be here: `wording.toml` says along which relations a writer would turn aside. And only that is
told what is typical of such a thing: what many of its kind have in the graph. No added fact mentions the answer or the subject.

All are near, or all are far: near is what the passage mentions, and who shares a fact that it tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from generators.autodebug.compose import Originals, _levels, listed_objects, once_a_chapter, pair_keys, without_mentions
from generators.autodebug.facts import Facts
from generators.autodebug.wording import CLASSES, Wording
from generators.draw import mix, word

PAGES = 3
"""How many things one sentence tells the same of at most: the paper's k."""
_FEWEST = 2
"""How many at least; and how many facts a paragraph about one thing tells at least."""
_MOST = {"one": 2, "two": 4}
"""How many facts it tells at most, in one sentence, or in two or more."""
_TYPICAL = 0.15
"""What so many of a kind have is told of one of them."""
_COMMON = 0.4
"""What so many have goes before what fewer have."""
_LISTED = 2
"""How many objects are listed of what is added."""
_PAIRS = 6
"""How many relations of a thing are looked at."""
_RING = 24
"""How many that share a fact with the subject are looked at."""
_SPARE = 3
"""How many things more than needed are looked at, as some may have nothing to be told."""
_HUBS = 3
"""How many facts of a passage, and how many that it does not tell, are tried as what others share."""
EXPANSIONS = ("question", "evidence")


class Added(StrEnum):
    """How many sentences are added about each other thing: one, or two and more."""

    one = "one"
    two = "two"


class Closeness(StrEnum):
    """Whether the passage mentions what is told of besides, or tells the fact that it shares with the subject."""

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

    `page` is the place of the thing that is told of, `s` its number, `link` what links it to the passage: the relation `via`
    (its wording `via_w`) and their common object `via_o`. `role` marks what says what a thing is.

    Parameters: `original` has what the original passages tell, and what they leave out; `expansion` is `question` or
    `evidence`.
    """
    pages = _pages(facts, asked, original, expansion, dials.closeness)
    rows = _first_told(facts, pages, expansion)
    rows = whole(rows, without_mentions(facts, without_mentions(facts, rows, "answer"), "subject"))
    rows = _unsaid(facts, original, rows)
    marks = rows.select("t", "s", "p", "u", "same", "role", "rare", "via_topic").unique(["t", "s", "p"], maintain_order=True)
    pairs = listed_objects(facts, rows).join(marks, on=["t", "s", "p"], maintain_order="left")
    pairs = pairs.with_columns(k=pl.Series(pair_keys(facts, pairs)))
    level = _levels(facts, pairs["t"], "added", Added, dials.added)
    told = _chosen(facts, pages, _ordered(facts, pairs.with_columns(wanted=level)), expansion, dials.added)
    rows = told.join(facts.relations.select(via="p", via_w="w"), on="via", how="left", maintain_order="left")
    number = facts.columns.facts.group_by(subject=pl.col("s").cast(pl.Int64), via=pl.col("p").cast(pl.Int64)).len("number")
    rows = rows.join(asked.select("t", subject="s"), on="t", maintain_order="left")
    rows = rows.join(number, on=["subject", "via"], how="left", maintain_order="left").drop("subject")
    rows = rows.with_columns(several=(pl.col("number") > 1).fill_null(False)).drop("number")
    rows = rows.with_columns(objects=pl.col("objects").list.head(_LISTED), support=pl.lit(False))
    return rows.rename({"t": "row"}).sort("row", "page", "role", "nth", "p", descending=[False, False, True, False, False])


_LINK = ("link", "via", "via_o")


def _pages(facts: Facts, asked: pl.DataFrame, original: Originals, expansion: str, closeness: Closeness | None) -> pl.DataFrame:
    """Return what can be told of besides, neither subject nor answer, in the order drawn.

    t, u (its number in this frame), s, hub (which are told of together), turn, closeness, drawn, and the link.
    """
    said = original.told.filter(~pl.col("support")).select(t="row", p="p", o="objects").explode("o").drop_nulls("o").unique()
    said = said.join(asked.select("t"), on="t", how="semi").sort("t", "p", "o")
    target = asked.select("t", subject="s", asked_p="p", answer="o")
    said, spare = (frame.join(target, on="t", maintain_order="left") for frame in (said, _spare(asked, original)))
    mentioned = _mentioned(facts, said, spare)
    if expansion == "evidence":
        found = mentioned
    else:
        # A list of neighbours names none that the passage has named in a list of its own.
        others = mentioned.filter(~pl.col("via").is_in(_one_of(facts).implode()))
        peers = pl.concat([others, _unnamed(facts, said, mentioned.height)])
        found = pl.concat([_beside(facts, said, spare), _peers(facts, peers)])
    for column in ("s", "via_o"):
        other = pl.col(column).is_null() | ((pl.col(column) != pl.col("subject")) & (pl.col(column) != pl.col("answer")))
        found = found.filter(other)
    named = facts.names.filter(pl.col("callable") & ~pl.col("several"))
    found = found.filter(pl.col("s").is_in(named["e"].cast(pl.Int64).implode()))
    return _by_closeness(facts, said, found, closeness)


def _spare(asked: pl.DataFrame, original: Originals) -> pl.DataFrame:
    return original.spare.select("t", "p", "o").join(asked.select("t"), on="t", how="semi", maintain_order="left")


def _by_closeness(facts: Facts, said: pl.DataFrame, found: pl.DataFrame, fixed: Closeness | None) -> pl.DataFrame:
    """Say of each thing whether it is near or far, and whether that is as drawn."""
    near = pl.col("link").is_in(["mentioned", "others"])
    named = said.select("t", s="o").unique().with_columns(named=True)
    marked = found.join(named, on=["t", "s"], how="left", maintain_order="left").filter(
        (pl.col("link") == "mentioned") | pl.col("named").is_null()
    )
    marked = marked.with_columns(closeness=pl.when(near).then(pl.lit("near")).otherwise(pl.lit("far"))).drop("named")
    drawn = pl.col("closeness") == _levels(facts, marked["t"], "closeness", Closeness, fixed)
    marked = marked.with_columns(drawn=drawn).filter(pl.lit(fixed is None) | pl.col("drawn"))
    # Who could be told of near and far is kept for what was drawn.
    marked = marked.sort("t", "drawn", "turn", descending=[False, True, False], maintain_order=True).unique(
        ["t", "s"], keep="first", maintain_order=True
    )
    return marked.sort("t", "turn", maintain_order=True).with_columns(u=pl.int_range(pl.len(), dtype=pl.Int64))


# Others of whom the same could be asked


def _beside(facts: Facts, said: pl.DataFrame, spare: pl.DataFrame) -> pl.DataFrame:
    """Return who shares a fact with the subject, and has what is asked: `others` by a told fact, `kin` by one that is not."""
    sharing = [w for w, wording in enumerate(facts.wordings) if any(way.others for way in wording.ways.values())]
    relations = facts.relations.filter(pl.col("w").is_in(sharing))["p"]
    pool = facts.told.drop_nulls("o").filter(pl.col("p").is_in(relations.implode()) & ~pl.col("dull"))
    pool = pool.select("p", "o", "s").sort("p", "o", "s")
    sizes = pool.group_by("p", "o").len("size").filter(pl.col("size") > 1)
    hubs = pl.concat([said.with_columns(link=pl.lit("others")), spare.with_columns(link=pl.lit("kin"))])
    hubs = hubs.join(sizes.drop("size"), on=["p", "o"], how="semi", maintain_order="left")
    # What few of the subject's kind have is no thread: that two films are in a museum.
    shares = facts.told.filter(pl.col("share") >= _TYPICAL).select("p", subject="s").unique()
    hubs = hubs.join(shares, on=["subject", "p"], how="semi", maintain_order="left")
    key = mix(facts.key(hubs["t"], word("hub")), facts.relation_keys[hubs["p"].to_numpy()])
    # Who shares an actor or a party with the subject shares little: that is taken where nothing else is shared.
    loose = [w for w, wording in enumerate(facts.wordings) if wording.chapter in ("public", "cast")]
    loose_p = facts.relations.filter(pl.col("w").is_in(loose))["p"]
    hubs = hubs.with_columns(key=pl.Series(key), loose=pl.col("p").is_in(loose_p.implode()))
    hubs = hubs.sort("t", "link", "loose", "key", "o")
    hubs = hubs.with_columns(hub=pl.int_range(pl.len(), dtype=pl.Int64))
    found = _on_the_ring(facts, hubs, pool, ["p", "o"], "question", _RING)
    found = found.join(facts.told.select("s", asked_p="p").unique(), on=["s", "asked_p"], how="semi", maintain_order="left")
    found = found.filter(pl.col("s") != pl.col("subject")).join(_alike(facts), on=["s"], maintain_order="left")
    own = _alike(facts).rename({"s": "subject", "kind": "own", "noun": "own_noun"})
    found = found.join(own, on="subject", maintain_order="left")
    same = (pl.col("kind") == pl.col("own")) & (pl.col("noun") == pl.col("own_noun"))
    found = found.filter(same)
    few = pl.col("hub").rank("dense").over("t", "link") <= _HUBS
    turn = pl.int_range(pl.len(), dtype=pl.Int64).over("t")
    found = found.filter(few).filter(pl.int_range(pl.len()).over("hub") < PAGES + _SPARE)
    return found.select("t", "s", "subject", "answer", "asked_p", "hub", "link", via="p", via_o="o", turn=turn)


def _alike(facts: Facts) -> pl.DataFrame:
    """Return what each entity is, by which the same may be said of several: s, kind, noun."""
    return facts.names.select(s=pl.col("e").cast(pl.Int64), kind="kind", noun=pl.col("noun").fill_null(""))


def _one_of(facts: Facts) -> pl.Series:
    """Return the relations whose objects are told of as several: neighbours, tributaries."""
    several = [w for w, wording in enumerate(facts.wordings) if any(way.one_of for way in wording.ways.values())]
    return facts.relations.filter(pl.col("w").is_in(several))["p"]


def _unnamed(facts: Facts, said: pl.DataFrame, hubs: int) -> pl.DataFrame:
    """Return the other objects of such a relation of which the passage names some; their hubs come after so many others."""
    some = said.filter(pl.col("p").is_in(_one_of(facts).implode()))
    some = some.select("t", "subject", "answer", "asked_p", via="p").unique(maintain_order=True)
    objects = facts.told.filter(~pl.col("dull")).select(subject="s", via="p", s="o").drop_nulls("s")
    every = some.join(objects, on=["subject", "via"], maintain_order="left")
    others = every.join(said.select("t", s="o"), on=["t", "s"], how="anti", maintain_order="left")
    key = mix(facts.key(others["t"], word("unnamed")), facts.columns.keys[others["s"].to_numpy()])
    others = others.with_columns(key=pl.Series(key)).sort("t", "via", "key")
    hub = pl.struct("t", "via").rank("dense").cast(pl.Int64) + hubs
    others = others.with_columns(hub=hub, turn=pl.int_range(pl.len(), dtype=pl.Int64).over("t", "via"), link=pl.lit("further"))
    others = others.with_columns(via_o=pl.lit(None, pl.Int64))
    return others.select("t", "s", "subject", "answer", "asked_p", "hub", "link", "via", "via_o", "turn")


def _peers(facts: Facts, mentioned: pl.DataFrame) -> pl.DataFrame:
    """Return those whom the passage mentions, or could, of the same kind, who have what is asked: parents, other neighbours."""
    asked = facts.told.select("s", asked_p="p").unique()
    able = mentioned.join(asked, on=["s", "asked_p"], how="semi", maintain_order="left")
    able = able.join(_alike(facts), on="s", maintain_order="left")
    own = _alike(facts).rename({"s": "subject", "kind": "own", "noun": "own_noun"})
    able = able.join(own, on="subject", maintain_order="left")
    same = (pl.col("kind") == pl.col("own")) & (pl.col("noun") == pl.col("own_noun"))
    return able.filter(same).select(mentioned.columns).with_columns(hub=-1 - pl.col("hub"))


# What the passage mentions, and what that leads to


def _mentioned(facts: Facts, said: pl.DataFrame, spare: pl.DataFrame) -> pl.DataFrame:
    """Return what the passage mentions (`mentioned`), and what a fact names that it does not tell (`further`)."""
    none = pl.lit(None, pl.Int64)
    with_back = facts.relations.filter(pl.col("w").is_in(_with_back(facts)))["p"]
    threads = pl.col("p").is_in(with_back.implode())
    near = said.filter(threads).with_columns(link=pl.lit("mentioned"))
    alone = spare.filter(threads & (pl.len().over("t", "p") == 1)).with_columns(link=pl.lit("further"))
    both = pl.concat([near, alone.with_columns(link=pl.lit("further"))])
    key = mix(facts.key(both["t"], word("evidence")), facts.columns.keys[both["o"].to_numpy()])
    both = both.with_columns(key=pl.Series(key)).sort("t", "key", "p")
    found = both.select("t", "subject", "answer", "asked_p", "link", s="o", via="p", via_o=none)
    own = _alike(facts).rename({"s": "subject", "kind": "own", "noun": "own_noun"})
    found = found.join(_alike(facts), on="s", maintain_order="left").join(own, on="subject", maintain_order="left")
    # One actor of a cast, but several neighbours of a country; who is in a cast after who made the work.
    alike = (pl.col("kind") == pl.col("own")) & (pl.col("noun") == pl.col("own_noun")) & (pl.col("kind") != "person")
    cast = [w for w, wording in enumerate(facts.wordings) if wording.chapter == "cast"]
    late = pl.col("via").is_in(facts.relations.filter(pl.col("w").is_in(cast))["p"].implode())
    turn = pl.int_range(pl.len(), dtype=pl.Int64).over("t", "link", "via")
    found = found.with_columns(turn=turn).filter((pl.col("turn") < 1) | (alike & (pl.col("turn") < PAGES)))
    found = found.with_columns(turn=pl.col("turn") + pl.when(late).then(PAGES).otherwise(0))
    hub = pl.struct("t", "link").rank("dense").cast(pl.Int64)
    order = found.sort("t", "link", "turn", maintain_order=True)
    found = order.with_columns(hub=hub, turn=pl.int_range(pl.len(), dtype=pl.Int64).over("t"))
    return found.select("t", "s", "subject", "answer", "asked_p", "hub", "link", "via", "via_o", "turn")


def _with_back(facts: Facts) -> list[int]:
    """Return the relations whose objects can be come back to; not those that a passage tells by an adjective ("French")."""
    ways = ((w, wording.way(kind)) for w, wording in enumerate(facts.wordings) for kind in CLASSES)
    return sorted({w for w, way in ways if way.back is not None and way.lead is None})


# What is told of them


def _first_told(facts: Facts, pages: pl.DataFrame, expansion: str) -> pl.DataFrame:
    """Return the facts of the first few relations of each thing, in the order drawn, whether they are the `same`, or a `role`.

    Question-focused, the fact that could be asked of both goes first. Of a thing of which much is known no more is looked at:
    it would not be told.
    """
    topics = pl.Series([wording.topic for wording in facts.wordings], dtype=pl.String)
    via = facts.relations.select(via="p", via_topic=topics.gather(facts.relations["w"]))
    pairs = pages.join(via, on="via", how="left", maintain_order="left")
    pairs = pairs.join(facts.roles.select("s", "w", role="lead"), on="s", maintain_order="left")
    pairs = pairs.join(facts.relations.select("p", "w").drop_nulls(), on="w", maintain_order="left")
    # "The Wicker Man, which comes from Germany", would be told by an adjective.
    same = (pl.col("p") == pl.col("asked_p")) & ~pl.col("role") if expansion == "question" else pl.lit(False)
    pairs = pairs.with_columns(same=same, k=pl.Series(pair_keys(facts, pairs)))
    # Whom the composer of a film was married to is gossip; in a passage about a person it is family.
    people = facts.names.filter("person")["e"].cast(pl.Int64)
    family = [w for w, wording in enumerate(facts.wordings) if _is_family(wording)]
    fit = ~pl.col("w").is_in(family) | pl.col("subject").is_in(people.implode())
    shares = facts.told.select("s", "p", "share").unique(["s", "p"])
    pairs = pairs.join(shares, on=["s", "p"], how="left", maintain_order="left")
    plain = [w for w, wording in enumerate(facts.wordings) if wording.plain or wording.minor or wording.asked_only]
    telling = fit & (pl.col("share") >= _TYPICAL) & ~pl.col("w").is_in(plain)
    pairs = pairs.filter((telling & (pl.col("p") != pl.col("via"))) | pl.col("same") | pl.col("role"))
    pairs = pairs.with_columns(role=pl.col("role") & ~pl.col("same"))
    # What most of a kind have goes before what some have.
    common = (pl.col("share") >= _COMMON).fill_null(False)
    pairs = pairs.with_columns(rare=~common)
    ordered = pairs.sort("same", "rare", "k", descending=[True, False, False], maintain_order=True)
    first = ordered.filter(pl.col("role") | (pl.int_range(pl.len()).over("u", "role") < _PAIRS))
    told = first.drop("k", "w", "share").sort("u")
    return told.join(facts.told.filter(~pl.col("dull")), on=["s", "p"], maintain_order="left")


def _is_family(wording: Wording) -> bool:
    return wording.chapter == "private" or (wording.chapter == "origin" and wording.way("person").role is not None)


def _unsaid(facts: Facts, original: Originals, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out what names again what the passage has named, or what links a thing to it."""
    said = original.told.select(t="row", o="objects").explode("o").drop_nulls("o")
    said = pl.concat([said, rows.select("t", o="s")]).unique()
    again = rows.filter(~pl.col("role")).join(said, on=["t", "o"], how="semi").select("u", "p").unique()
    rows = rows.join(again, on=["u", "p"], how="anti", maintain_order="left")
    rows = rows.filter((pl.col("o") != pl.col("via_o")).fill_null(True))
    place = {w: wording.place for w, wording in enumerate(facts.wordings)}
    first = rows.with_columns(place=pl.col("w").replace_strict(place, return_dtype=pl.Int64)).sort("place", maintain_order=True)
    return first.filter(pl.col("o").is_null() | pl.struct("u", "o").is_first_distinct()).drop("place")


def whole(rows: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    """Leave out what lost an object: of a film of Italy and the United States "comes from Italy" alone would mislead."""
    pair = ["t", "s", "p"]
    counts = rows.group_by(pair).len().join(kept.group_by(pair).len(), on=[*pair, "len"], how="semi")
    return kept.join(counts, on=pair, how="semi", maintain_order="left")


def _ordered(facts: Facts, pairs: pl.DataFrame) -> pl.DataFrame:
    """Number what could be told of each thing (`nth`), the asked fact first, then one fact of a topic, few of a chapter."""
    plain = pairs.filter(~pl.col("role")).sort("t", "u", "same", "rare", "k", descending=[False, False, True, False, False])
    # "Is in France and lies in Europe": one fact of a topic tells enough; the asked one is told whatever its topic.
    new = (pl.col("topic") != pl.col("via_topic")).fill_null(True) | pl.col("same")
    topic = pl.struct("u", pl.coalesce("topic", pl.col("w").cast(pl.String)))
    plain = plain.filter(new).filter(topic.is_first_distinct())
    plain = once_a_chapter(facts, plain, "u").with_columns(nth=pl.int_range(pl.len(), dtype=pl.UInt32).over("u"))
    roles = pairs.filter("role").join(plain.select("u").unique(), on="u", how="semi", maintain_order="left")
    return pl.concat([plain, roles.with_columns(nth=pl.lit(0, pl.UInt32))], how="diagonal")


def _chosen(facts: Facts, pages: pl.DataFrame, told: pl.DataFrame, expansion: str, fixed: Added | None) -> pl.DataFrame:
    """Choose what is told of what: several things in parallel, or one thing in some facts; as drawn where there is enough.

    Rows of `told` with `added`, `listed`, `page` (the place of the thing), its closeness and its link.
    """
    wanted = told.select("t", "wanted").unique("t")
    counts = told.filter(~pl.col("role")).group_by("u").agg(said=pl.len(), same=pl.col("same").any())
    asked = told.filter("same").select("u", "objects")
    things = pages.join(counts, on="u", maintain_order="left").join(asked, on="u", how="left", maintain_order="left")
    forms = [_alone(things, expansion)] + ([_in_parallel(things)] if expansion == "question" else [])
    both = pl.concat(forms).join(wanted, on="t", maintain_order="left")
    if fixed is not None:
        both = both.filter(pl.col("added") == pl.col("wanted"))
    # The level that was drawn first, then the closeness.
    both = both.with_columns(fit=pl.col("added") == pl.col("wanted"))
    order = {"t": False, "fit": True, "drawn": True, "listed": True, "turn": False}
    best = both.sort(list(order), descending=list(order.values()), maintain_order=True).unique("t", maintain_order=True)
    chosen = best.select("t", "added", "listed", "closeness", *_LINK, u="things").explode("u")
    chosen = chosen.with_columns(page=pl.int_range(pl.len(), dtype=pl.Int64).over("t"))
    rows = told.join(chosen, on=["t", "u"], maintain_order="left")
    most = pl.when("listed").then(1).otherwise(pl.col("added").replace_strict(_MOST, return_dtype=pl.Int64))
    return rows.filter((pl.col("nth") < most) & ~(pl.col("listed") & pl.col("role"))).drop("wanted")


def _alone(things: pl.DataFrame, expansion: str) -> pl.DataFrame:
    """Return the things of each of which alone a paragraph can be written; question-focused, what is asked is told of it."""
    fit = things.filter((pl.col("said") >= _FEWEST) & (pl.col("same") | pl.lit(expansion != "question")))
    short = fit.with_columns(added=pl.lit(str(Added.one)))
    long = fit.filter(pl.col("said") > _MOST["one"]).with_columns(added=pl.lit(str(Added.two)))
    return pl.concat([_form(each.with_columns(things=pl.concat_list("u")), listed=False) for each in (short, long)])


def _in_parallel(things: pl.DataFrame) -> pl.DataFrame:
    """Return the groups of things of each of which what is asked can be told, each with another answer."""
    fit = things.filter("same").filter(pl.struct("t", "hub", "objects").is_first_distinct())
    first = fit.filter(pl.struct("t", "hub", "s").is_first_distinct()).with_columns(
        nth=pl.int_range(pl.len()).over("t", "hub", "drawn", "closeness")
    )
    groups = first.filter(pl.col("nth") < PAGES).group_by("t", "hub", "drawn", "closeness", maintain_order=True)
    grouped = groups.agg(pl.col("turn", *_LINK).first(), things=pl.col("u")).filter(pl.col("things").list.len() >= _FEWEST)
    return _form(grouped.with_columns(added=pl.lit(str(Added.one))), listed=True)


def _form(groups: pl.DataFrame, *, listed: bool) -> pl.DataFrame:
    return groups.select("t", "things", "turn", "drawn", "closeness", "added", *_LINK, listed=pl.lit(listed))


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
