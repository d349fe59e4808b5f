"""When things were there: years of births, foundings, releases and ends, read from a graph's attributes.

Which attributes say so is told by their names (`queries/domains/alike.toml`). A thing without a year is nowhere here.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from kg.graph import Graph
from kg.text import fold
from kg.vocab import property_labels
from queries.domain import alike
from queries.templates import find
from queries.views import view

ALWAYS = 10_000
"""A year after all others, and with a minus before all others: where a thing has no end that is known, or no beginning."""

_LONGEST_LIFE = 110
_YEAR = r"^\s*\+?(-?\d{1,4})(?:\D|$)"
_ROLES = ("births", "deaths", "begins", "ends", "points")
_SCHEMA = {"e": pl.String, "begin": pl.Int64, "end": pl.Int64, "made": pl.Boolean, "year": pl.Int64}


def years_of(graph: Graph) -> pl.DataFrame:
    """Return when each thing was there: e (IRI), begin, end, whether it was `made` in one year, the year it goes by (or null).

    >>> from kg import open_graph
    >>> years = years_of(open_graph())
    >>> years.filter(pl.col("e").str.ends_with("/film/id=blue-velvet")).select("begin", "made", "year").row(0)
    (1986, True, 1986)
    """
    said = [part for role, iris in year_attributes(graph).items() for part in (_read(graph, iri, role) for iri in iris)]
    if not said:
        return pl.DataFrame(schema=_SCHEMA)
    every = pl.concat(said)
    # Of several years a thing begins with the first and ends with the last.
    first, last = (every.pivot("role", index="e", values="value", aggregate_function=how) for how in ("min", "max"))
    missing = [pl.lit(None, pl.Int64).alias(role) for role in _ROLES if role not in first.columns]
    firsts = first.with_columns(missing)
    lasts = last.with_columns(missing).select("e", pl.col("deaths", "ends").name.prefix("last_"))
    return _spanned(firsts.join(lasts, on="e")).sort("e")


def _spanned(rows: pl.DataFrame) -> pl.DataFrame:
    """Make one span of what is said of each thing; one that ends before it begins is left out."""
    life = pl.col("births").is_not_null() | pl.col("last_deaths").is_not_null()
    born = pl.coalesce("births", pl.col("last_deaths") - _LONGEST_LIFE)
    died = pl.coalesce("last_deaths", pl.col("births") + _LONGEST_LIFE)
    spans = rows.select(
        "e",
        begin=pl.when(life).then(born).otherwise(pl.coalesce("begins", "points", pl.lit(-ALWAYS))),
        end=pl.when(life).then(died).otherwise(pl.coalesce("last_ends", pl.lit(ALWAYS))),
        made=~life & pl.col("points").is_not_null() & pl.col("begins").is_null() & pl.col("last_ends").is_null(),
        year=pl.when(~life).then(pl.coalesce("points", "begins")),
    )
    return spans.filter(pl.col("begin") <= pl.col("end")).cast(_SCHEMA)  # type: ignore[arg-type]


def year_attributes(graph: Graph) -> Mapping[str, list[str]]:
    """Return the attributes that say when something was there, by their role: births, deaths, begins, ends, points.

    >>> from kg import open_graph
    >>> any(iri.endswith("person#date_of_birth") for iri in year_attributes(open_graph())["births"])
    True
    """
    listed = alike()
    labelled = view(graph, "attributes").group_by("p").agg(pl.col("label").drop_nulls()).sort("p")
    names = {iri: {fold(text) for text in (*labels, *property_labels(iri))} for iri, labels in labelled.iter_rows()}
    return {role: [iri for iri, own in names.items() if own & listed[role]] for role in _ROLES}


def _read(graph: Graph, attribute: str, role: str) -> pl.DataFrame:
    """Read the years of one attribute: e, role, value."""
    values = graph.select(find("attribute_values").bind({"p": f"<{attribute}>"}))
    read = values.select("e", role=pl.lit(role), value=pl.col("value").str.extract(_YEAR).cast(pl.Int64))
    return read.drop_nulls()
