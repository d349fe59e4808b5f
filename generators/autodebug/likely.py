"""Which other answers could be true for all that a reader knows: people of the time, things of the same part of the world.

A film of 2010 is not directed by somebody who died in 1980, and the capital of Colombia is rather Lima than Paris.
"""

from __future__ import annotations

import polars as pl

from generators.autodebug.facts import CONTINENT, OFTEN, Facts
from generators.autodebug.sound import out_of_time
from generators.graph_columns import once

_ACTIVE = 35
"""Years of age at which people are at work."""
_CREDITED = ("makers", "crew", "story", "production")
_OF_ANYBODY = ("birth", "death")
"""Topics of which a trade says nothing."""
_LYING = ("where", "base")
"""Chapters whose places are where a thing lies."""
_BEFORE = 12
"""Years before and after the first and last known work of somebody in which there may be others."""
_MOSTLY = 0.5
"""Share of what names somebody that says what that person is mostly."""
_APART = 20
"""Years by which the times of two people may differ who could take each other's place."""


def likely(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out the candidates that would be absurd; of what lies somewhere those stay that belong there, too.

    Parameters: `rows` has t, s, p, o and the candidate x.
    """
    w = facts.relations.select("p", "w")
    fit = rows.join(w, on="p", how="left", maintain_order="left")
    late = out_of_time(facts.columns.years, facts.names, fit.select("s", "w", o="x"), facts.wordings)
    rows = _known_for_it(facts, rows.filter(~late))
    rows = _of_the_trade(facts, _of_the_kind(facts, _of_the_time(facts, rows)))
    people = facts.names.filter("person")["e"].cast(pl.Int64)
    rows = _placed(facts, rows)
    shared, settled, told = _settings_shared(facts, rows)
    best = pl.col("shared").max().over("t")
    # Where nothing tells where the subject belongs, and something does of others, no place is likelier than another.
    places = facts.names.filter(pl.col("kind").is_in(["place", "group"]))["e"].cast(pl.Int64)
    works = facts.names.filter(pl.col("kind") == "work")["e"].cast(pl.Int64)
    placed = pl.col("o").is_in(places.implode()) & ~pl.col("s").is_in(works.implode()) & pl.col("p").is_in(told.implode())
    unsettled = ~pl.col("t").is_in(settled.implode()) & ~placed
    # Of people it is enough that they belong there, too; nobody knows where all of them do.
    near = (pl.col("shared") == best) | pl.col("o").is_in(people.implode())
    rows = rows.with_columns(shared=shared).filter(unsettled | ((pl.col("shared") > 0) & near))
    return rows.drop("shared")


def _of_the_kind(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Keep the candidates of which the same is true for something of the subject's noun, or for somebody of its trade.

    Who distributes films does not distribute records, and a physicist studies at no conservatoire.
    """
    kinds, known, anywhere = _kinds(facts)
    free = pl.col("w").is_in(anywhere)
    numbered = rows.with_row_index("row").join(facts.relations.select("p", "w"), on="p", how="left", maintain_order="left")
    fit = numbered.join(kinds, on="s").join(known, on=["p", "x", "noun"], how="semi")["row"].unique().implode()
    return numbered.filter(pl.col("row").is_in(fit) | free).drop("row", "w")


@once
def _kinds(facts: Facts) -> tuple[pl.DataFrame, pl.DataFrame, list[int]]:
    """Return noun or trade of each thing (s, noun), whose object each is (p, x, noun), and relations of anybody (w)."""
    nouns = facts.names.select(s=pl.col("e").cast(pl.Int64), noun=pl.col("noun").fill_null(""))
    anywhere = [w for w, wording in enumerate(facts.wordings) if wording.topic in _OF_ANYBODY]
    trades = _trades(facts).select(s="e", noun=pl.format("trade {}", "trade"))
    kinds = pl.concat([nouns.join(trades, on="s", how="anti"), trades])
    told = facts.told.drop_nulls("o").select("s", "p", "w", x="o").unique()
    known = told.join(kinds, on="s").select("p", "x", "noun").unique()
    return kinds, known, anywhere


def _known_for_it(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Keep the candidates that are objects of the relation again and again where most are, and that are such mostly.

    Who is known from casts directs no film, and a record company that distributed one once distributes no other.
    """
    return rows.join(_usual(facts), on=["p", "x"], how="semi", maintain_order="left")


@once
def _usual(facts: Facts) -> pl.DataFrame:
    """Return who and what is an object of a relation often and mostly: p, x."""
    told = facts.relations.drop_nulls("w").select(
        pl.col("p"), chapter=_chapters(facts).gather(facts.relations["w"].drop_nulls())
    )
    edges = facts.columns.facts.select(p=pl.col("p").cast(pl.Int64), x=pl.col("o").cast(pl.Int64)).join(told, on="p")
    counts = edges.group_by("p", "x", "chapter").agg(times=pl.len())
    whole = pl.col("times").sum()
    counts = counts.with_columns(share=whole.over("x", "chapter") / whole.over("x"))
    # Of a fact's object: how often it is one.
    usual = edges.join(counts, on=["p", "x", "chapter"]).group_by("p").agg(usual=pl.col("times").median())
    counts = counts.join(usual, on="p")
    often = pl.col("times") >= OFTEN * pl.col("usual")
    mostly = (pl.col("share") >= _MOSTLY) | ~pl.col("chapter").is_in(_CREDITED)
    return counts.filter(often & mostly).select("p", "x")


@once
def _chapters(facts: Facts) -> pl.Series:
    return pl.Series([wording.chapter for wording in facts.wordings], dtype=pl.String)


@once
def _trades(facts: Facts) -> pl.DataFrame:
    """Return what people are by profession: e, trade."""
    kind = [w for w, wording in enumerate(facts.wordings) if wording.way("person").lead == "kind"]
    return facts.told.drop_nulls("o").filter(pl.col("w").is_in(kind)).select(e="s", trade="o").unique()


def _of_the_trade(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Keep of the people those who have a trade of the old answer, where that one's is known: no singer scores a film."""
    trades = _trades(facts)
    pairs = rows.select("o", "x").unique()
    shared = pairs.join(trades, left_on="o", right_on="e").join(trades.rename({"e": "x"}), on=["x", "trade"], how="semi")
    known = pl.col("o").is_in(trades["e"].unique().implode())
    alike = shared.select("o", "x", alike=pl.lit(True)).unique()
    return (
        rows.join(alike, on=["o", "x"], how="left", maintain_order="left")
        .filter(~known | pl.col("alike").fill_null(False))
        .drop("alike")
    )


def _of_the_time(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out whom or what other years speak against: people of another time, companies that were no more.

    Of whom nothing tells when, may take the place only of somebody of whom nothing does.
    """
    times = _times(facts)
    people = facts.names.filter("person")["e"].cast(pl.Int64)
    spans = _spans(facts)
    timed = rows
    for end, name in (("s", "about"), ("o", "then"), ("x", "instead")):
        timed = timed.join(times.rename({"e": end, "time": name}), on=end, how="left", maintain_order="left")
    timed = timed.join(spans, on=["p", "x"], how="left", maintain_order="left")
    apart = [(pl.col(one) - pl.col("instead")).abs() > _APART for one in ("about", "then")]
    unknown = pl.col("then").is_null() & pl.col("about").is_null()
    close = ~pl.any_horizontal(part.fill_null(False) for part in apart)
    close &= pl.col("instead").is_null() == unknown
    within = pl.col("about").is_between(pl.col("first") - _BEFORE, pl.col("last") + _BEFORE).fill_null(True)
    # Whatever the year of a film without one, a company as old as its own distributor was there.
    timed = timed.join(spans.select("p", o="x", begin="first"), on=["p", "o"], how="left", maintain_order="left")
    dated = facts.columns.years.drop_nulls("year")["e"].cast(pl.Int64)
    old = (pl.col("first") <= pl.col("begin")).fill_null(True)
    works = facts.names.filter(pl.col("kind") == "work")["e"].cast(pl.Int64)
    free = pl.col("s").is_in(dated.implode()) | ~pl.col("s").is_in(works.implode()) | pl.col("o").is_in(people.implode())
    within &= free | old
    places = facts.names.filter(pl.col("kind") == "place")["e"].cast(pl.Int64)
    within |= pl.col("o").is_in(places.implode())
    return timed.filter(within & (close | ~pl.col("o").is_in(people.implode()))).select(rows.columns)


@once
def _spans(facts: Facts) -> pl.DataFrame:
    """Return from when to when things were objects of a relation: p, x, first, last."""
    edges = facts.columns.facts.select(pl.col("p").cast(pl.Int64), s=pl.col("s").cast(pl.Int64), x=pl.col("o").cast(pl.Int64))
    dated = edges.join(_times(facts).rename({"e": "s"}), on="s")
    return dated.group_by("p", "x").agg(first=pl.col("time").min(), last=pl.col("time").max())


@once
def _times(facts: Facts) -> pl.DataFrame:
    """Return about when works were made and people were at work: e, time.

    Of a work its year, of others the middle one of the works that name them, else of people what their births tell; of a work
    without a year what its people do.
    """
    years = facts.columns.years.select(pl.col("e").cast(pl.Int64), "begin", "year").filter(pl.col("begin") > 0)
    made = years.drop_nulls("year").select("e", time="year")
    edges = facts.columns.facts.select(s=pl.col("s").cast(pl.Int64), o=pl.col("o").cast(pl.Int64)).unique()
    seen = _middle(edges.join(made.rename({"e": "s"}), on="s").select("time", e="o"))
    people = facts.names.filter("person").select(pl.col("e").cast(pl.Int64))
    born = years.join(people, on="e", how="semi").select("e", time=pl.col("begin") + _ACTIVE)
    known = made
    for more in (seen, born):
        known = pl.concat([known, more.join(known, on="e", how="anti")])
    theirs = known.join(people, on="e", how="semi").rename({"e": "o"})
    guessed = _middle(edges.join(theirs, on="o").select("time", e="s"))
    return pl.concat([known, guessed.join(known, on="e", how="anti")])


def _middle(times: pl.DataFrame) -> pl.DataFrame:
    return times.group_by("e").agg(pl.col("time").median().cast(pl.Int64))


@once
def _settings(facts: Facts) -> pl.DataFrame:
    """Return where things lie and people are from, and the relation that says so: s, q, place."""
    # In one country: two things by one ocean, or on one continent, need have nothing in common.
    of = [
        w
        for w, wording in enumerate(facts.wordings)
        if wording.way("person").lead == "origin"
        or wording.way("work").lead == "origin"
        or (wording.chapter in _LYING and wording.one and wording.topic == "place" and wording.relation != CONTINENT)
    ]
    return facts.told.drop_nulls("o").filter(pl.col("w").is_in(of)).select("s", q="p", place="o").unique()


def _called_after_places(facts: Facts, some: pl.Series) -> pl.Series:
    """Return of some what has the name of a place in its own, but for people: the University of Arizona."""
    names = facts.names.select(pl.col("e").cast(pl.Int64), "kind", name=pl.col("key").str.strip_chars())
    places = names.filter(pl.col("kind") == "place").select("name").unique()
    things = names.filter((pl.col("kind") != "person") & pl.col("e").is_in(some.unique().implode()))
    words = things.select("e", word=pl.col("name").str.split(" ")).explode("word")
    # The name of a place has one word ("Arizona"), two or three ("New York City").
    runs = [pl.concat_str([pl.col("word").shift(-n).over("e") for n in range(size)], separator=" ") for size in (1, 2, 3)]
    named = pl.concat([words.select("e", name=run) for run in runs])
    return named.join(places, on="name", how="semi")["e"].unique()


def _placed(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out candidates of which nothing says where they lie, where something does of the old answer.

    What is called after a place is in no other: there all candidates are left out that are places.
    """
    places = facts.names.filter(pl.col("kind") == "place")["e"].cast(pl.Int64)
    rows = rows.filter(
        ~(pl.col("x").is_in(places.implode()) & pl.col("s").is_in(_called_after_places(facts, rows["s"]).implode()))
    )
    lie = _settings(facts).join(facts.names.filter(~pl.col("person")).select(s=pl.col("e").cast(pl.Int64)), on="s", how="semi")
    known = lie["s"].unique().implode()
    return rows.filter(pl.col("x").is_in(known) | ~pl.col("o").is_in(known))


def _settings_shared(facts: Facts, rows: pl.DataFrame) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Count for each candidate the places where it, or what it is the answer for, lies as the subject or the old answer does.

    Returns the facts, too, of which a place is known, and the relations of which one is known of a candidate. What is asked
    about says nothing of the place.
    """
    settings = _settings(facts)
    asked = rows.select("p", "x").unique()
    given = facts.told.drop_nulls("o").select("s", "p", x="o").join(asked, on=["p", "x"], how="semi")
    # Where a town lies is said of it; who was born there says that only of a town of which nothing is.
    placed = settings.join(facts.names.filter(~pl.col("person")).select(s=pl.col("e").cast(pl.Int64)), on="s", how="semi")["s"]
    given = given.filter(~pl.col("x").is_in(placed.unique().implode()))
    both = [given.join(settings, on="s"), asked.join(settings.rename({"s": "x"}), on="x")]
    around = pl.concat(part.filter(pl.col("q") != pl.col("p")).select("p", "x", "place") for part in both).unique()
    ends = pl.concat(rows.select("t", "p", s=end).unique() for end in ("s", "o")).join(settings, on="s")
    here = ends.filter(pl.col("q") != pl.col("p")).select("t", "p", "place").unique()
    pairs = rows.select("t", "p", "x").join(here, on=["t", "p"]).join(around, on=["p", "x", "place"], how="semi")
    counts = pairs.group_by("t", "x").agg(shared=pl.len())
    shared = rows.select("t", "x").join(counts, on=["t", "x"], how="left", maintain_order="left")["shared"].fill_null(0)
    return shared, here["t"].unique(), around["p"].unique()
