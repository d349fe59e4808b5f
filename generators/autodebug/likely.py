"""Which other answers could be true for all that a reader knows: people of the time, things of the same part of the world.

A film of 2010 is not directed by somebody who died in 1980, and the capital of Colombia is rather Lima than Paris.
"""

from __future__ import annotations

import polars as pl

from generators.autodebug.facts import Facts
from generators.autodebug.sound import out_of_time

_ACTIVE = 35
"""Years of age at which people are at work."""
_APART = 20
"""Years by which the times of two people may differ who could take each other's place."""


def likely(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out the candidates that would be absurd; of what lies somewhere those stay that belong there, too.

    Parameters: `rows` has t, s, p, o and the candidate x.
    """
    w = facts.relations.select("p", "w")
    fit = rows.join(w, on="p", how="left", maintain_order="left")
    late = out_of_time(facts.columns.years, facts.names, fit.select("s", "w", o="x"), facts.wordings)
    rows = _of_the_kind(facts, _of_the_time(facts, rows.filter(~late)))
    people = facts.names.filter("person")["e"].cast(pl.Int64)
    shared, settled = _settings_shared(facts, rows)
    best = pl.col("shared").max().over("t")
    # Of a country of which not even the continent is known nobody knows what could be its capital.
    places = facts.names.filter(pl.col("kind") == "place")["e"].cast(pl.Int64)
    unsettled = ~pl.col("t").is_in(settled.implode()) & ~pl.col("s").is_in(places.implode())
    free = pl.col("o").is_in(people.implode()) | unsettled
    rows = rows.with_columns(shared=shared).filter(free | ((pl.col("shared") > 0) & (pl.col("shared") == best)))
    return rows.drop("shared")


def _of_the_kind(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Keep the candidates of which the same is true for something of the subject's noun: who distributes films, not records."""
    nouns = facts.names.select(s=pl.col("e").cast(pl.Int64), noun=pl.col("noun").fill_null(""))
    known = facts.told.drop_nulls("o").select("s", "p", x="o").join(nouns, on="s").select("p", "x", "noun").unique()
    return (
        rows.join(nouns, on="s", how="left", maintain_order="left")
        .join(known, on=["p", "x", "noun"], how="semi", maintain_order="left")
        .drop("noun")
    )


def _of_the_time(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out people of another time than the old answer, as far as years tell."""
    times = _times(facts)
    people = facts.names.filter("person")["e"].cast(pl.Int64)
    timed = rows.join(times.rename({"e": "o", "time": "then"}), on="o", how="left", maintain_order="left")
    timed = timed.join(times.rename({"e": "x", "time": "instead"}), on="x", how="left", maintain_order="left")
    close = ((pl.col("then") - pl.col("instead")).abs() <= _APART).fill_null(pl.col("then").is_null())
    return timed.filter(close | ~pl.col("o").is_in(people.implode())).drop("then", "instead")


def _times(facts: Facts) -> pl.DataFrame:
    """Return about when people were at work, by their years or by those of what they are linked to: e, time."""
    years = facts.columns.years.select(pl.col("e").cast(pl.Int64), "begin", "year").filter(pl.col("begin") > 0)
    own = years.join(facts.names.filter("person").select(pl.col("e").cast(pl.Int64)), on="e", how="semi")
    own = own.select("e", time=pl.col("begin") + _ACTIVE)
    made = years.drop_nulls("year").select(s="e", time="year")
    edges = facts.columns.facts.select(pl.col("s").cast(pl.Int64), e=pl.col("o").cast(pl.Int64)).unique()
    seen = edges.join(made, on="s").group_by("e").agg(pl.col("time").median().cast(pl.Int64))
    return pl.concat([own, seen.join(own, on="e", how="anti")])


def _settings(facts: Facts) -> pl.DataFrame:
    """Return where things lie and people are from, and the relation that says so: s, q, place."""
    # In one country or continent; two things by one ocean need have nothing in common.
    of = [
        w
        for w, wording in enumerate(facts.wordings)
        if wording.way("person").lead == "origin" or (wording.one and wording.topic == "place")
    ]
    return facts.told.drop_nulls("o").filter(pl.col("w").is_in(of)).select("s", q="p", place="o").unique()


def _settings_shared(facts: Facts, rows: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    """Count for each candidate the places where it, or what it is the answer for, lies as the subject or the old answer does.

    Returns the facts of which a place is known, too. What is asked about says nothing of the place.
    """
    settings = _settings(facts)
    asked = rows.select("p", "x").unique()
    given = facts.told.drop_nulls("o").select("s", "p", x="o").join(asked, on=["p", "x"], how="semi")
    both = [given.join(settings, on="s"), asked.join(settings.rename({"s": "x"}), on="x")]
    around = pl.concat(part.filter(pl.col("q") != pl.col("p")).select("p", "x", "place") for part in both).unique()
    ends = pl.concat(rows.select("t", "p", s=end).unique() for end in ("s", "o")).join(settings, on="s")
    here = ends.filter(pl.col("q") != pl.col("p")).select("t", "p", "place").unique()
    pairs = rows.select("t", "p", "x").join(here, on=["t", "p"]).join(around, on=["p", "x", "place"], how="semi")
    counts = pairs.group_by("t", "x").agg(shared=pl.len())
    shared = rows.select("t", "x").join(counts, on=["t", "x"], how="left", maintain_order="left")["shared"].fill_null(0)
    return shared, here["t"].unique()
