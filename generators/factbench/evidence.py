"""What a graph itself shows of its facts: how many values a property has, and whether other facts say the same.

A property that often has several values is likely to lack some where it has one: the share that has one is counted of each
kind of subject, pairs that are known to be incomplete among the others (FACT-BENCH, section 2.1, "specificity"). A graph that
holds a part of what is known shows too few values; so the share in Wikidata counts too, where it is measured (`one`). What is
said of a country must agree with where a subject comes from, where that is known, and a capital with the starter graph's.
"""

from __future__ import annotations

import polars as pl

from generators.factbench.countries import countries
from generators.factbench.kinds import kind_lists, kinds_of
from generators.factbench.wordings import Wordings
from generators.graph_columns import GraphColumns
from kg.text import fold

_ONE_VALUE, _ONE_OF_MANY = 0.85, 0.95
"""Of a property's subjects at least this share must have one value (of one that is known to have several: nearly all); else
one that has one is likely to lack the others."""
_SUBJECTS = 10
"""So many subjects tell how many values a property has."""


def shares_of_one(rows: pl.DataFrame) -> pl.DataFrame:
    """Count what share of subjects has one known value: property, subject_kind, subjects, share; kind null is all of them.

    Parameters: `rows` has s, property, subject_kind, `n` (how many values), `incomplete` (true or null) and `agrees`
    (false: another fact speaks against it, so that it is not counted).
    """
    subjects = rows.filter(pl.col("agrees").any().over("s", "property")).group_by("property", "subject_kind", "s")
    one = subjects.agg(one=((pl.col("n") == 1) & pl.col("incomplete").is_null()).all())
    counts = {"subjects": pl.len(), "share": pl.col("one").mean()}
    every = one.group_by("property").agg(**counts).with_columns(subject_kind=pl.lit(None, pl.String))
    kinds = one.drop_nulls("subject_kind").group_by("property", "subject_kind").agg(**counts)
    return pl.concat([every.select(kinds.columns), kinds]).sort("property", "subject_kind")


def often_several(rows: pl.DataFrame, shares: pl.DataFrame, wordings: Wordings) -> pl.Series:
    """Tell of each fact whether its property often has several values, of subjects of its kind or, of few of these, of all."""
    of_all = shares.filter(pl.col("subject_kind").is_null()).select("property", all="share", many="subjects")
    of_kind = shares.filter(pl.col("subjects") >= _SUBJECTS).drop_nulls("subject_kind").drop("subjects")
    plural = [name for name, wording in wordings.properties.items() if wording.many]
    elsewhere = {name: wording.one for name, wording in wordings.properties.items() if wording.one is not None}
    marked = rows.select("property", "subject_kind").join(of_all, on="property", how="left", maintain_order="left")
    marked = marked.join(of_kind, on=["property", "subject_kind"], how="left", maintain_order="left")
    of_many = pl.col("property").is_in(plural)
    least = pl.when(of_many).then(_ONE_OF_MANY).otherwise(_ONE_VALUE)
    known = pl.col("property").replace_strict(elsewhere, default=None, return_dtype=pl.Float64)
    of_few = pl.when(known < least).then(True).when(of_many).then(pl.min_horizontal("all", "share") < _ONE_OF_MANY)
    return (
        marked.select(of_few.otherwise((pl.coalesce("share", "all") < _ONE_VALUE) & (pl.col("many") >= _SUBJECTS)))
        .to_series()
        .fill_null(False)
    )


def agreement(rows: pl.DataFrame, columns: GraphColumns, past: pl.Series, wordings: Wordings) -> pl.Series:
    """Tell of each fact whether what agrees with its property (`agrees`) leads to its answer; true where nothing need agree.

    A place speaks for the country that it lies in today; one without any, or in several, speaks for none.

    Parameters: `rows` has s, property, term; `past` says of each entity whether it is no more.
    """
    needs = [(name, each) for name, wording in wordings.properties.items() for each in wording.agrees]
    if not needs:
        return pl.Series([True] * rows.height, dtype=pl.Boolean)
    pairs = pl.DataFrame(needs, schema=["property", "other"], orient="row")
    where = rows.select("s", other="property", place="term").unique().join(pairs, on="other")
    countries = where.join(_countries(rows, columns, past), on="place")
    said = countries.group_by("s", "property").agg(said=pl.col("country").unique())
    found = rows.select("s", "property", "term").join(said, on=["s", "property"], how="left", maintain_order="left")
    same = (pl.col("said").list.len() == 1) & (pl.col("said").list.first() == pl.col("term"))
    free = ~pl.col("property").is_in(pairs["property"].unique().implode())
    return found.select(free | same.fill_null(False)).to_series()


def other_capital(rows: pl.DataFrame) -> pl.Series:
    """Tell of each fact whether the starter graph knows another capital of the country: one that was, or that has most people.

    Parameters: `rows` has property, subject (its label) and answers.
    """
    capitals = {name: country.capital for country in countries() if country.capital for name in map(fold, country.names)}
    other = [False] * rows.height
    for place, (name, subject, answers) in enumerate(rows.select("property", "subject", "answers").iter_rows()):
        if name == "P36" and (capital := capitals.get(fold(subject or ""))):
            other[place] = not set(map(fold, capital)) & set(map(fold, answers or ()))
    return pl.Series(other, dtype=pl.Boolean)


def _countries(rows: pl.DataFrame, columns: GraphColumns, past: pl.Series) -> pl.DataFrame:
    """Return the one country of today of each place: place, country (terms); a country is its own."""
    gone = columns.entities.select(country=pl.format("<{}>", "iri")).filter(past)
    known = kinds_of(columns, {"country": kind_lists()[0]["place"]["country"]})
    iris = columns.entities.select(place=pl.format("<{}>", "iri")).with_row_index("e")
    said = rows.filter(pl.col("property") == "P17").select(place=pl.format("<{}>", "s"), country="term").unique()
    own = known.join(iris, on="e").select("place", country="place").join(said, on="place", how="anti")
    today = pl.concat([said, own]).join(gone, on="country", how="anti")
    return today.group_by("place").agg("country").filter(pl.col("country").list.len() == 1).explode("country")
