"""Category 2, context enriching: more is told in the passage, or behind it; its supporting sentence stays.

Question-focused, more is told of the answer ("The film’s director, Ridley Scott, was born in …"), else of the subject, which
the question names. Evidence-focused, more is told of the subject, else of another thing that the passage mentions, or that a
fact names which the passage leaves out.

What is told needs a reason to be here: `wording.toml` says along which relations a writer would turn aside. And only that is
told what is typical of such a thing: what many of its kind have in the graph. No added fact names the answer, and none that is
told of another thing names the subject.

What the passage mentions is near; what it leaves out, of its subject or a thing besides, is far.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from generators.autodebug.compose import Originals, _levels, listed_objects, once_a_chapter, pair_keys, without_mentions
from generators.autodebug.facts import Facts
from generators.autodebug.wording import CLASSES, Wording
from generators.draw import mix, word

_FEWEST = 2
"""How many facts are added at least."""
_MOST = {"one": 2, "two": 4}
"""How many are added at most, in one sentence, or in two or more."""
_TYPICAL = 0.15
"""What so many of a kind have is told of one of them."""
_COMMON = 0.4
"""What so many have goes before what fewer have."""
_LISTED = 2
"""How many objects are listed of what is added."""
_PAIRS = 6
"""How many relations of a thing are looked at."""
_ALIKE = 3
"""How many neighbours of a place are looked at."""
EXPANSIONS = ("question", "evidence")


class Added(StrEnum):
    """How many sentences are added about each other thing: one, or two and more."""

    one = "one"
    two = "two"


class Closeness(StrEnum):
    """Whether the passage mentions what more is told of, or leaves out what is told: of its subject, or another thing."""

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

    Facts without enough are left out. Question-focused, more is told of the answer, else of the subject;
    evidence-focused, of the subject, else of what the passage mentions.

    `s` is the number of the thing that is told of, `link` what links it to the passage: the relation `via`
    (its wording is `via_w`). `role` marks what says what a thing is.

    Parameters: `original` has what the original passages tell, and what they leave out.
    """
    question, evidence = (_of_others(facts, asked, original, expansion, dials) for expansion in EXPANSIONS)
    own = _own(facts, asked, original, dials)
    # Where the answer gives nothing to tell, the question names the subject; then the passage leads on to another thing.
    both = own.join(evidence.select("row"), on="row", how="semi").join(question.select("row"), on="row", how="anti")
    named = pl.col("row").is_in(both["row"].unique().implode())
    return {"question": _first(own.filter(named), question), "evidence": _first(own.filter(~named), evidence)}


def _first(rows: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of one frame, and of another for the facts that have none there."""
    rest = others.join(rows.select("row"), on="row", how="anti", maintain_order="left")
    return pl.concat([rows, rest], how="diagonal_relaxed").sort("row", maintain_order=True)


def _of_others(facts: Facts, asked: pl.DataFrame, original: Originals, expansion: str, dials: EnrichDials) -> pl.DataFrame:
    """Return what is told of other things than the subject; see `enriched`."""
    pages = _pages(facts, asked, original, expansion, dials.closeness)
    rows = _first_told(facts, pages)
    rows = whole(rows, without_mentions(facts, without_mentions(facts, rows, "answer"), "subject"))
    rows = _unsaid(facts, original, rows)
    marks = rows.select("t", "s", "p", "u", "role", "rare", "via_topic").unique(["t", "s", "p"], maintain_order=True)
    pairs = listed_objects(facts, rows).join(marks, on=["t", "s", "p"], maintain_order="left")
    pairs = pairs.with_columns(k=pl.Series(pair_keys(facts, pairs)))
    level = _levels(facts, pairs["t"], "added", Added, dials.added)
    told = _chosen(facts, pages, _ordered(facts, pairs.with_columns(wanted=level)), dials.added)
    rows = told.join(facts.relations.select(via="p", via_w="w"), on="via", how="left", maintain_order="left")
    number = facts.columns.facts.group_by(subject=pl.col("s").cast(pl.Int64), via=pl.col("p").cast(pl.Int64)).len("number")
    rows = rows.join(asked.select("t", subject="s"), on="t", maintain_order="left")
    rows = rows.join(number, on=["subject", "via"], how="left", maintain_order="left").drop("subject")
    rows = rows.with_columns(several=(pl.col("number") > 1).fill_null(False)).drop("number")
    rows = rows.with_columns(objects=pl.col("objects").list.head(_LISTED), support=pl.lit(False))
    return rows.rename({"t": "row"}).sort("row", "role", "nth", "p", descending=[False, True, False, False])


def _own(facts: Facts, asked: pl.DataFrame, original: Originals, dials: EnrichDials) -> pl.DataFrame:
    """Return what is told of the subject itself, where the passage leaves enough; rows as of `enriched`."""
    left = original.left.join(asked.select("t"), on="t", how="semi", maintain_order="left")
    # Where somebody was born stands beside when, or one of them is not told.
    topics = pl.Series([wording.topic for wording in facts.wordings], dtype=pl.String)
    said = original.told.select(t="row", topic=topics.gather(original.told["w"])).drop_nulls("topic").unique()
    said = said.join(asked.select("t", "s"), on="t").filter(pl.col("s").is_in(_people(facts).implode())).drop("s")
    left = left.with_columns(topic=topics.gather(left["w"])).join(said, on=["t", "topic"], how="anti", maintain_order="left")
    left = left.with_columns(nth=pl.int_range(pl.len(), dtype=pl.UInt32).over("t"), number=pl.len().over("t"))
    left = left.filter((pl.col("number") >= _FEWEST) & pl.lit(dials.closeness is not Closeness.near))
    level = _levels(facts, left["t"], "added", Added, dials.added)
    short = pl.lit("one") if dials.added is None else pl.lit(None, pl.String)
    added = pl.when((level == "two") & (pl.col("number") <= _MOST["one"])).then(short).otherwise(level)
    left = left.with_columns(added=added).drop_nulls("added")
    left = left.filter(pl.col("nth") < pl.col("added").replace_strict(_MOST, return_dtype=pl.Int64))
    return left.select(
        "s", "p", "w", "objects", "year", "k", "nth", "added", row="t", role=pl.lit(False),
        link=pl.lit("own"), via="p", via_w="w", several=pl.lit(False),
        closeness=pl.lit("far"), support=pl.lit(False),
    )  # fmt: skip


_LINK = ("link", "via")
_PAGE = ("t", "s", "subject", "answer", "link", "via", "turn")


def _pages(facts: Facts, asked: pl.DataFrame, original: Originals, expansion: str, closeness: Closeness | None) -> pl.DataFrame:
    """Return what can be told of besides, neither subject nor answer, in the order drawn.

    t, u (its number in this frame), s, turn, closeness, drawn, and the link.
    """
    said = original.told.filter(~pl.col("support")).select(t="row", p="p", o="objects").explode("o").drop_nulls("o").unique()
    said = said.join(asked.select("t"), on="t", how="semi").sort("t", "p", "o")
    target = asked.select("t", subject="s", asked_p="p", answer="o")
    said, spare = (frame.join(target, on="t", maintain_order="left") for frame in (said, _spare(asked, original)))
    if expansion == "question":
        found = _answers(facts, target)
    else:
        found = _mentioned(facts, said, spare).filter((pl.col("s") != pl.col("subject")) & (pl.col("s") != pl.col("answer")))
    named = facts.names.filter(pl.col("callable") & ~pl.col("several"))
    found = found.filter(pl.col("s").is_in(named["e"].cast(pl.Int64).implode()))
    return _by_closeness(facts, said, found, closeness)


def _answers(facts: Facts, target: pl.DataFrame) -> pl.DataFrame:
    """Return the answers themselves, where the relation is one along which a writer would turn aside."""
    threads = facts.relations.filter(pl.col("w").is_in(_with_back(facts)))["p"]
    target = target.filter(pl.col("asked_p").is_in(threads.implode()))
    return target.select(
        "t", "subject", "answer", s="answer", link=pl.lit("answer"), via="asked_p", turn=pl.lit(0, pl.Int64)
    ).select(_PAGE)


def _spare(asked: pl.DataFrame, original: Originals) -> pl.DataFrame:
    return original.spare.select("t", "p", "o").join(asked.select("t"), on="t", how="semi", maintain_order="left")


def _by_closeness(facts: Facts, said: pl.DataFrame, found: pl.DataFrame, fixed: Closeness | None) -> pl.DataFrame:
    """Say of each thing whether it is near or far, and whether that is as drawn."""
    near = pl.col("link").is_in(["answer", "mentioned"])
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


def _alike(facts: Facts) -> pl.DataFrame:
    """Return what each entity is, s, kind, noun."""
    return facts.names.select(s=pl.col("e").cast(pl.Int64), kind="kind", noun=pl.col("noun").fill_null(""))


# What the passage mentions, and what that leads to


def _mentioned(facts: Facts, said: pl.DataFrame, spare: pl.DataFrame) -> pl.DataFrame:
    """Return what the passage mentions (`mentioned`), and what a fact names that it does not tell (`further`)."""
    with_back = facts.relations.filter(pl.col("w").is_in(_with_back(facts)))["p"]
    threads = pl.col("p").is_in(with_back.implode())
    near = said.filter(threads).with_columns(link=pl.lit("mentioned"))
    alone = spare.filter(threads & (pl.len().over("t", "p") == 1)).with_columns(link=pl.lit("further"))
    both = pl.concat([near, alone.with_columns(link=pl.lit("further"))])
    key = mix(facts.key(both["t"], word("evidence")), facts.columns.keys[both["o"].to_numpy()])
    both = both.with_columns(key=pl.Series(key)).sort("t", "key", "p")
    found = both.select("t", "subject", "answer", "link", s="o", via="p")
    own = _alike(facts).rename({"s": "subject", "kind": "own", "noun": "own_noun"})
    found = found.join(_alike(facts), on="s", maintain_order="left").join(own, on="subject", maintain_order="left")
    # One actor of a cast, but several neighbours of a country; who is in a cast after who made the work.
    alike = (pl.col("kind") == pl.col("own")) & (pl.col("noun") == pl.col("own_noun")) & (pl.col("kind") != "person")
    cast = [w for w, wording in enumerate(facts.wordings) if wording.chapter == "cast"]
    late = pl.col("via").is_in(facts.relations.filter(pl.col("w").is_in(cast))["p"].implode())
    turn = pl.int_range(pl.len(), dtype=pl.Int64).over("t", "link", "via")
    found = found.with_columns(turn=turn).filter((pl.col("turn") < 1) | (alike & (pl.col("turn") < _ALIKE)))
    found = found.with_columns(turn=pl.col("turn") + pl.when(late).then(_ALIKE).otherwise(0))
    order = found.sort("t", "link", "turn", maintain_order=True)
    found = order.with_columns(turn=pl.int_range(pl.len(), dtype=pl.Int64).over("t"))
    return found.select(_PAGE)


def _with_back(facts: Facts) -> list[int]:
    """Return the relations whose objects can be come back to; not those that a passage tells by an adjective ("French")."""
    ways = ((w, wording.way(kind)) for w, wording in enumerate(facts.wordings) for kind in CLASSES)
    return sorted({w for w, way in ways if way.back is not None and way.lead is None})


# What is told of them


def _first_told(facts: Facts, pages: pl.DataFrame) -> pl.DataFrame:
    """Return the facts of the first few relations of each thing, in the order drawn, and whether they say its `role`.

    Of a thing of which much is known no more is looked at:
    it would not be told.
    """
    topics = pl.Series([wording.topic for wording in facts.wordings], dtype=pl.String)
    via = facts.relations.select(via="p", via_topic=topics.gather(facts.relations["w"]))
    pairs = pages.join(via, on="via", how="left", maintain_order="left")
    pairs = pairs.join(facts.roles.select("s", "w", role="lead"), on="s", maintain_order="left")
    pairs = pairs.join(facts.relations.select("p", "w").drop_nulls(), on="w", maintain_order="left")
    pairs = pairs.with_columns(k=pl.Series(pair_keys(facts, pairs)))
    # Whom the composer of a film was married to is gossip; in a passage about a person it is family.
    people = _people(facts)
    family = [w for w, wording in enumerate(facts.wordings) if _is_family(wording)]
    fit = ~pl.col("w").is_in(family) | pl.col("subject").is_in(people.implode())
    shares = facts.told.select("s", "p", "share").unique(["s", "p"])
    pairs = pairs.join(shares, on=["s", "p"], how="left", maintain_order="left")
    plain = [w for w, wording in enumerate(facts.wordings) if wording.plain or wording.minor or wording.asked_only]
    # What a film's composer is known for is jazz, after all that he wrote.
    of_works = [w for w, wording in enumerate(facts.wordings) if wording.chapter == "production"]
    fit = fit & ~(pl.col("w").is_in(of_works) & pl.col("s").is_in(people.implode()))
    telling = fit & (pl.col("share") >= _TYPICAL) & ~pl.col("w").is_in(plain)
    pairs = pairs.filter((telling & (pl.col("p") != pl.col("via"))) | pl.col("role"))
    # What most of a kind have goes before what some have.
    common = (pl.col("share") >= _COMMON).fill_null(False)
    pairs = pairs.with_columns(rare=~common)
    ordered = pairs.sort("rare", "k", maintain_order=True)
    first = ordered.filter(pl.col("role") | (pl.int_range(pl.len()).over("u", "role") < _PAIRS))
    told = first.drop("k", "w", "share").sort("u")
    return told.join(facts.told.filter(~pl.col("dull")), on=["s", "p"], maintain_order="left")


def _people(facts: Facts) -> pl.Series:
    return facts.names.filter("person")["e"].cast(pl.Int64)


def _is_family(wording: Wording) -> bool:
    return wording.chapter == "private" or (wording.chapter == "origin" and wording.way("person").role is not None)


def _unsaid(facts: Facts, original: Originals, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out what names again what the passage has named, or what links a thing to it."""
    said = original.told.select(t="row", o="objects").explode("o").drop_nulls("o")
    said = pl.concat([said, rows.select("t", o="s")]).unique()
    again = rows.filter(~pl.col("role")).join(said, on=["t", "o"], how="semi").select("u", "p").unique()
    rows = rows.join(again, on=["u", "p"], how="anti", maintain_order="left")
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
    plain = pairs.filter(~pl.col("role")).sort("t", "u", "rare", "k")
    # "Is in France and lies in Europe": one fact of a topic tells enough.
    new = (pl.col("topic") != pl.col("via_topic")).fill_null(True)
    plain = plain.with_columns(about=pl.coalesce("topic", pl.col("w").cast(pl.String)), dated=pl.col("year").is_not_null())
    plain = plain.filter(new).filter(pl.struct("u", "about", "dated").is_first_distinct())
    # But a year goes with its place: "was born in Rome in 1928".
    plain = plain.with_columns(first=pl.int_range(pl.len()).over("t", "u")).with_columns(
        first=pl.col("first").min().over("t", "u", "about")
    )
    plain = plain.sort("t", "u", "first", maintain_order=True).drop("about", "dated", "first")
    plain = once_a_chapter(facts, plain, "u").with_columns(nth=pl.int_range(pl.len(), dtype=pl.UInt32).over("u"))
    roles = pairs.filter("role").join(plain.select("u").unique(), on="u", how="semi", maintain_order="left")
    return pl.concat([plain, roles.with_columns(nth=pl.lit(0, pl.UInt32))], how="diagonal")


def _chosen(facts: Facts, pages: pl.DataFrame, told: pl.DataFrame, fixed: Added | None) -> pl.DataFrame:
    """Choose of which one thing how much is told; as drawn where there is enough.

    Rows of `told` with `added`, its closeness and its link.
    """
    wanted = told.select("t", "wanted").unique("t")
    counts = told.filter(~pl.col("role")).group_by("u").agg(said=pl.len())
    fit = pages.join(counts, on="u", maintain_order="left").filter(pl.col("said") >= _FEWEST)
    short = fit.with_columns(added=pl.lit(str(Added.one)))
    long = fit.filter(pl.col("said") > _MOST["one"]).with_columns(added=pl.lit(str(Added.two)))
    both = pl.concat([short, long]).join(wanted, on="t", maintain_order="left")
    if fixed is not None:
        both = both.filter(pl.col("added") == pl.col("wanted"))
    # The level that was drawn first, then the closeness.
    both = both.with_columns(fit=pl.col("added") == pl.col("wanted"))
    order = {"t": False, "fit": True, "drawn": True, "turn": False}
    best = both.sort(list(order), descending=list(order.values()), maintain_order=True).unique("t", maintain_order=True)
    rows = told.join(best.select("t", "u", "added", "closeness", *_LINK), on=["t", "u"], maintain_order="left")
    most = pl.col("added").replace_strict(_MOST, return_dtype=pl.Int64)
    return rows.filter(pl.col("nth") < most).drop("wanted")
