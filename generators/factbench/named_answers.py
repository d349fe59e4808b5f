"""What the answers between entities are called: every name that a person would accept, and what is asked for ("which city")."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from generators.factbench.entities import Entities
from generators.factbench.kinds import kind_lists, kinds_of
from generators.factbench.names import accepted_names, divided, short_names, within_countries, without_kind
from generators.factbench.places import asked_with_state, with_state
from generators.factbench.subjects import PEOPLE
from generators.factbench.wordings import Wordings
from kg.vocab import PREFIXES

_WHERE = ("P159", "P276", "P740")
"""Properties that say where a thing is, besides what it lies in."""
_OF_COUNTRIES = ("P17", "P495", "P27")
_TOWNS = ("town", "village", "town or city")
_CITIES = ("city", "borough or district", "borough of New York City")


class NamedAnswers:
    """Names of answers, of the facts of worded properties."""

    def __init__(self, entities: Entities, wordings: Wordings) -> None:
        self.entities, self.columns, self.wordings = entities, entities.columns, wordings

    def named(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.DataFrame:
        """Add to facts between entities the names of their answers that a person would accept, and what these are."""
        entities = self.columns.entities.select("iri").with_row_index("e")
        titles = entities.join(self.entities.titles, left_on="iri", right_on="s").select("e", alias="title")
        names = accepted_names(self.columns, self.entities.popular, rows["o"], titles).rename({"e": "o"})
        within = self._countries_within(every).rename({"s": "subject_number"})
        rows = rows.join(names, on="o", how="left", maintain_order="left")
        rows = rows.join(within, on=["subject_number", "o", "property"], how="left", maintain_order="left")
        country = every.filter(pl.col("property") == "P17").select(e="subject_number", o="o").unique()
        vague = divided(self.columns, country, self.entities.gone).with_columns(vague=pl.lit(True))
        rows = rows.join(vague, on="o", how="left", maintain_order="left")
        none = pl.lit([], pl.List(pl.String))
        rows = rows.with_columns(kind=self._answer_kinds(rows)).join(
            self._unions(every), on="o", how="left", maintain_order="left"
        )
        named = [pl.col(column).fill_null(none) for column in ("names", "parts")]
        wider = pl.when(pl.col("kind") == "country").then("wider").fill_null(none)
        answers = pl.concat_list("value", *named, without_kind(pl.col("value"), pl.col("kind")), wider)
        rows = rows.with_columns(answers=answers.list.unique(maintain_order=True))
        states = self.entities.states.rename({"title": "full_title"})
        rows = _with_states(rows.join(states, left_on="o", right_on="e", how="left", maintain_order="left"))
        return rows.with_columns(
            vague=pl.col("vague").fill_null(False)
            & pl.col("parts").is_null()
            & (pl.col("property").is_in(["P17", "P495"]) | (pl.col("kind") == "country").fill_null(False)),
            stateless=pl.col("o").is_in(self.entities.stateless.implode()),
            personal=pl.col("o").is_in(kinds_of(self.columns, PEOPLE)["e"].implode()),
            full_name=pl.when(pl.col("kind").str.contains(" and ", literal=True)).then("full_title"),
        ).drop("names", "parts", "wider", "state", "signs", "full_title")

    def _unions(self, every: pl.DataFrame) -> pl.DataFrame:
        """Return the names of the countries of today that a country lies in: who is born in England is so in Britain."""
        known = kinds_of(self.columns, {"country": kind_lists()[0]["place"]["country"]}).select("e")
        known = known.filter(~pl.col("e").is_in(self.entities.gone.arg_true().implode()))
        pairs = every.filter(pl.col("property").is_in(["P17", "P131"])).select(o="subject_number", up="o").unique()
        pairs = pairs.filter(pl.col("o") != pl.col("up")).join(known, left_on="o", right_on="e", how="semi")
        pairs = pairs.join(known, left_on="up", right_on="e", how="semi")
        labels = self.columns.entities.select(wider="label").with_row_index("up").drop_nulls()
        wider = pairs.join(labels, on="up").sort("o", "wider").group_by("o").agg("wider")
        every_name = [
            list(dict.fromkeys([*names, *(short for name in names for short in short_names(name))])) for names in wider["wider"]
        ]
        return wider.with_columns(wider=pl.Series(every_name, dtype=pl.List(pl.String)))

    def _countries_within(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the names of countries within the country in which a thing is said to be: s, o, property, parts."""
        properties = ("P17", "P131", "P495", "P27", "P19", *_WHERE)
        pairs = {name: rows.filter(pl.col("property") == name).select(e="subject_number", x="o") for name in properties}
        places = pl.concat([pairs[name] for name in ("P131", "P19", *_WHERE)]).unique()
        found = within_countries(
            self.columns,
            places,
            pairs["P131"].unique(),
            pl.concat([pairs[name] for name in _OF_COUNTRIES]).rename({"x": "o"}).unique(),
            self.entities.gone,
        )
        labels = self.columns.entities.select(parts="label").with_row_index("part")
        named = found.join(labels, on="part").drop_nulls().sort("e", "o", "parts")
        parts = named.group_by(s="e", o="o").agg("parts")
        return pl.concat([parts.with_columns(property=pl.lit(name)) for name in _OF_COUNTRIES])

    def _answer_kinds(self, rows: pl.DataFrame) -> pl.Series:
        """Return what each answer is called, where its property's wordings say it."""
        lists = kind_lists()[0]
        wanted = {name: wording.kind for name, wording in self.wordings.properties.items() if wording.kind}
        asked = rows.select("o", list=pl.col("property").replace_strict(wanted, default=None, return_dtype=pl.String))
        kinds = [kinds_of(self.columns, lists[name]).with_columns(list=pl.lit(name)) for name in lists]
        known = pl.concat(kinds).rename({"e": "o"})
        default = {name: wording.default for name, wording in self.wordings.properties.items() if wording.default}
        kind = asked.join(known, on=["o", "list"], how="left", maintain_order="left")["kind"]
        kind = kind.zip_with(kind.is_not_null(), rows["property"].replace_strict(default, default=None, return_dtype=pl.String))
        out = [f"{name}\0{each}" for name, wording in self.wordings.properties.items() for each in wording.not_kind]
        kind = kind.set(kind.is_in(_TOWNS) & rows["o"].is_in(self._within_cities.implode()), None)
        return kind.set(((rows["property"] + "\0" + kind).is_in(out)).fill_null(False), None)

    @cached_property
    def _within_cities(self) -> pl.Series:
        """The places that lie in a city or a borough of one: quarters, whatever the graph calls them."""
        cities = kinds_of(self.columns, kind_lists()[0]["place"]).filter(pl.col("kind").is_in(_CITIES)).select(o="e")
        relations = self.columns.relations.with_row_index("p").filter(pl.col("iri") == PREFIXES["wdt"] + "P131")
        return self.columns.facts.join(relations, on="p", how="semi").join(cities, on="o", how="semi")["s"].unique()


def _with_states(rows: pl.DataFrame) -> pl.DataFrame:
    """Ask for cities of states, and accept what names both."""
    rows = rows.with_columns(kind=asked_with_state(rows["kind"], rows["state"]))
    both = rows["kind"].str.contains(" and ", literal=True).fill_null(False)
    cells = rows.filter(both).select("o", "answers", "full_title", "signs").unique("o")
    full = [with_state(names, title, signs or ()) for _, names, title, signs in cells.iter_rows()]
    full_names = cells.select("o", full=pl.Series(full, dtype=pl.List(pl.String)))
    rows = rows.with_columns(both=both).join(full_names, on="o", how="left", maintain_order="left")
    return rows.with_columns(answers=pl.when("both").then("full").otherwise("answers")).drop("both", "full")
