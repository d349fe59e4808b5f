"""The facts that can be asked about: those of worded properties, with names, kinds and values, each with what is wrong with it.

A fact counts for the first reason that applies, so that a reader of the summary sees numbers that add up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from generators.articles import is_several, the_column
from generators.column_names import unit_of
from generators.factbench.evidence import (
    agreement,
    elsewhere,
    of_another_country,
    of_another_year,
    other_capital,
    outlived,
    outside,
    uncredited,
)
from generators.factbench.kinds import Lists, domains_of, generic_words, kind_lists, kinds_of
from generators.factbench.names import accepted_names, divided, is_odd, is_shouted, short_names, within_countries, without_kind
from generators.factbench.namesakes import is_short_title, towns
from generators.factbench.places import asked_with_state, is_fuller, said_by_a_place, states_of, with_state
from generators.factbench.questions import asked, several_people, without_question
from generators.factbench.subjects import PEOPLE, described, without_what_tells
from generators.factbench.tables import by_subject, unsupported
from generators.factbench.values import as_answers, most_precise, valued, with_forms
from generators.factbench.wordings import Wordings
from generators.fpq.tense import gone
from generators.graph_columns import GraphColumns
from generators.single import often_several, shares_of_one
from generators.years import ALWAYS
from kg.errors import InputError
from kg.graph import Graph
from kg.terms import texts_of
from kg.text import fold_all
from kg.vocab import KGP, PREFIXES
from queries.templates import find
from queries.views import view

_VALUES = "SELECT DISTINCT ?s ?p ?o WHERE { ?p a kgp:Attribute . ?s ?p ?o }"
_UNITS = """
SELECT DISTINCT ?s ?ps ?o ?unit WHERE { ?st kgp:unit ?unit . ?s ?via ?st . ?st ?ps ?o . FILTER (?ps != kgp:unit) }
"""
_YEARS = """
SELECT DISTINCT ?s ?ps ?o ?when WHERE { ?st pq:P585 ?when . ?s ?via ?st . ?st ?ps ?o . FILTER (STRSTARTS(STR(?ps), STR(ps:))) }
"""
_WHERE = ("P159", "P276", "P740")
"""Properties that say where a thing is, besides what it lies in."""
_OF_COUNTRIES = ("P17", "P495", "P27")
_OF_MANY_PLACES = r" (?:County|Parish|Township|District)$"
_MIDDLE_AGE = 60
"""Who was born longer ago than this, and has no day of death in the graph, may have died since."""
_LIFETIME = 100
_OF_ALL = ("subject", "subject_kind")
"""What must be known of the subject of every fact, asked about or not."""
_PEERAGE = r", \d"
_PLURAL = r"[a-z](?:[^su]s|ings)$"
_TOWNS = ("town", "village", "town or city")
_CITIES = ("city", "borough or district", "borough of New York City")
_BRACKETS = r"[()\[\]]"
_NOBODY = (
    "unknown",
    "anonymous",
    "none",
    "no value",
    "unknown value",
    "independent",
    "independent politician",
    "various",
    "various artists",
    "other",
    "nan",
    "n a",
    "tba",
)


@dataclass(frozen=True)
class Facts:
    """What is known of a graph's facts of worded properties.

    `rows`: s, p (IRIs), term, value, property, type, precision, unit, answers, subject and its name as questions say it, name
    (the label as the graph writes it, as a term), domain, popularity, question, key (under the seed), and `reason`: why a fact
    is not asked about (null: it may be). `shares`: what share of each property's subjects have one value, as
    `generators.single.shares_of_one` says it. `aliases`: whether the graph has any.
    """

    rows: pl.DataFrame
    popularity: str
    shares: pl.DataFrame
    aliases: bool

    @property
    def eligible(self) -> pl.DataFrame:
        """The facts that may be asked about."""
        return self.rows.filter(pl.col("reason").is_null()).drop("reason")

    def left_out(self) -> dict[str, int]:
        """Count the facts that are not asked about by reason, the commonest first."""
        counts = self.rows.drop_nulls("reason").group_by("reason").len().sort(["len", "reason"], descending=[True, False])
        return dict(counts.iter_rows())

    def properties(self) -> pl.DataFrame:
        """Return for each property its facts, those that may be asked about, the commonest reason why not, and `one`.

        `one` is the share of its subjects that have one value, and all of whose values are known.
        """
        why = (
            self.rows.drop_nulls("reason")
            .group_by("property", "reason")
            .len()
            .sort(["len", "reason"], descending=[True, False])
        )
        first = why.unique("property", keep="first", maintain_order=True).select("property", "reason")
        counts = self.rows.group_by("property").agg(facts=pl.len(), askable=pl.col("reason").is_null().sum())
        one = self.shares.filter(pl.col("subject_kind").is_null()).select("property", one="share")
        return (
            counts.join(first, on="property", how="left")
            .join(one, on="property", how="left")
            .sort(["askable", "property"], descending=[True, False])
        )


@dataclass(frozen=True)
class Sources:
    """Where facts come from, and what is known besides: wordings, domains, their people, popularity, articles by subject."""

    wordings: Wordings
    domains: tuple[Lists, Lists]
    people: Mapping[str, str]
    popularity: pl.DataFrame | None = None
    popularity_name: str = "graph"
    articles: pl.DataFrame | None = None


def facts_of(graph: Graph, columns: GraphColumns, sources: Sources) -> Facts:
    """Pull the facts of worded properties, and say of each whether it may be asked about."""
    return _Gathering(graph, columns, sources).facts()


class _Gathering:
    def __init__(self, graph: Graph, columns: GraphColumns, sources: Sources) -> None:
        self.graph, self.columns, self.sources = graph, columns, sources

    def facts(self) -> Facts:
        rows = pl.concat([self._relations(), most_precise(self._attributes())], how="diagonal")
        rows = self._with_years(rows) if rows.height else rows.with_columns(year=pl.lit(None, pl.String))
        rows = rows.join(self._subjects.select("s", *_OF_ALL), on="s", how="left", maintain_order="left")
        rows = rows.with_columns(agrees=agreement(rows, self.columns, self._gone, self.sources.wordings))
        pairs = self._with_inverses(rows).group_by("s", "property").agg(n=pl.col("term").n_unique())
        rows = rows.join(pairs, on=["s", "property"], how="left", maintain_order="left")
        incomplete = self.graph.schema("SELECT DISTINCT ?s ?p { ?s kgp:incomplete ?p }").with_columns(incomplete=True)
        rows = rows.join(incomplete, on=["s", "p"], how="left", maintain_order="left")
        shares = shares_of_one(rows)
        rows = rows.with_columns(unfit=self._uncounted(rows, shares))
        # Names of answers are looked up, and questions worded, only where something can still come of it.
        counted = self._answered(self._with_subjects(rows.filter(pl.col("unfit").is_null())), rows)
        counted = counted.with_columns(unfit=self._unfit(counted))
        fit = _with_forms(counted.filter(pl.col("unfit").is_null()))
        fit = asked(without_what_tells(fit), self.sources.wordings, self.columns.seed)
        fit = fit.with_columns(answers=without_question(fit, generic_words(self.columns.concept_labels)))
        fit = fit.with_columns(unfit=self._unasked(fit, rows))
        again = pl.col("unfit").is_null() & (pl.int_range(pl.len()).over(pl.col("unfit").is_null(), "question") > 0)
        fit = fit.with_columns(unfit=pl.when(again).then(pl.lit(_AGAIN)).otherwise("unfit"))
        out = [frame.filter(pl.col("unfit").is_not_null()) for frame in (counted, rows)]
        rows = pl.concat([fit, *out], how="diagonal_relaxed").rename({"unfit": "reason"}).drop("n", "incomplete")
        name = self.sources.popularity_name if self.sources.popularity is not None else _popularity_source(self.graph)
        return Facts(rows, name, shares, not self.columns.aliases.is_empty())

    # --- what is asked about

    def _relations(self) -> pl.DataFrame:
        """Return the facts between entities of worded properties."""
        wordings = self.sources.wordings
        named = [wordings.property_of(iri, label) for iri, label in self.columns.relations.select("iri", "label").iter_rows()]
        relations = self.columns.relations.select(p_iri="iri").with_row_index("p")
        relations = relations.with_columns(property=pl.Series(named, dtype=pl.String)).drop_nulls("property")
        entities = self.columns.entities.select("iri", "label").with_row_index("e")
        rows = self.columns.facts.join(relations, on="p").join(entities.rename({"e": "o", "iri": "o_iri"}), on="o")
        rows = rows.join(entities.select(s="e", s_iri="iri"), on="s")
        rows = rows.with_columns(type=self._types(rows))
        return (
            rows.select(
                "s",
                "o",
                iri="s_iri",
                p="p_iri",
                term=pl.format("<{}>", "o_iri"),
                value="label",
                property="property",
                type=pl.lit("entity"),
                fits=pl.col("type") == "entity",
                precision=pl.lit(None, pl.String),
                unit=pl.lit(None, pl.String),
            )
            .rename({"s": "subject_number", "iri": "s"})
            .sort("s", "p", "term")
        )

    def _answered(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.DataFrame:
        """Add what an answer is, and what an entity may be called: answers, kind, vague, personal, full_name.

        Parameters: `every` has the facts of all worded properties, by which places are told to lie in one another.
        """
        between, values = rows.filter(pl.col("o").is_not_null()), rows.filter(pl.col("o").is_null())
        parts = [self._named_answers(between, every.filter(pl.col("o").is_not_null())), as_answers(values)]
        return pl.concat(parts, how="diagonal_relaxed")

    def _named_answers(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.DataFrame:
        """Add to facts between entities the names of their answers that a person would accept, and what these are."""
        entities = self.columns.entities.select("iri").with_row_index("e")
        titles = entities.join(self._titles, left_on="iri", right_on="s").select("e", alias="title")
        names = accepted_names(self.columns, self._popular, rows["o"], titles).rename({"e": "o"})
        within = self._countries_within(every).rename({"s": "subject_number"})
        rows = rows.join(names, on="o", how="left", maintain_order="left")
        rows = rows.join(within, on=["subject_number", "o", "property"], how="left", maintain_order="left")
        country = every.filter(pl.col("property") == "P17").select(e="subject_number", o="o").unique()
        vague = divided(self.columns, country, self._gone).with_columns(vague=pl.lit(True))
        rows = rows.join(vague, on="o", how="left", maintain_order="left")
        none = pl.lit([], pl.List(pl.String))
        rows = rows.with_columns(kind=self._answer_kinds(rows)).join(
            self._unions(every), on="o", how="left", maintain_order="left"
        )
        named = [pl.col(column).fill_null(none) for column in ("names", "parts")]
        wider = pl.when(pl.col("kind") == "country").then("wider").fill_null(none)
        answers = pl.concat_list("value", *named, without_kind(pl.col("value"), pl.col("kind")), wider)
        rows = rows.with_columns(answers=answers.list.unique(maintain_order=True))
        states = self._states.rename({"title": "full_title"})
        rows = _with_states(rows.join(states, left_on="o", right_on="e", how="left", maintain_order="left"))
        return rows.with_columns(
            vague=pl.col("vague").fill_null(False)
            & pl.col("parts").is_null()
            & (pl.col("property").is_in(["P17", "P495"]) | (pl.col("kind") == "country").fill_null(False)),
            stateless=pl.col("o").is_in(self._stateless.implode()),
            personal=pl.col("o").is_in(kinds_of(self.columns, PEOPLE)["e"].implode()),
            full_name=pl.when(pl.col("kind").str.contains(" and ", literal=True)).then("full_title"),
        ).drop("names", "parts", "wider", "state", "signs", "full_title")

    def _unions(self, every: pl.DataFrame) -> pl.DataFrame:
        """Return the names of the countries of today that a country lies in: who is born in England is so in Britain."""
        known = kinds_of(self.columns, {"country": kind_lists()[0]["place"]["country"]}).select("e")
        known = known.filter(~pl.col("e").is_in(self._gone.arg_true().implode()))
        pairs = every.filter(pl.col("property").is_in(["P17", "P131"])).select(o="subject_number", up="o").unique()
        pairs = pairs.filter(pl.col("o") != pl.col("up")).join(known, left_on="o", right_on="e", how="semi")
        pairs = pairs.join(known, left_on="up", right_on="e", how="semi")
        labels = self.columns.entities.select(wider="label").with_row_index("up").drop_nulls()
        wider = pairs.join(labels, on="up").sort("o", "wider").group_by("o").agg("wider")
        every_name = [
            list(dict.fromkeys([*names, *(short for name in names for short in short_names(name))])) for names in wider["wider"]
        ]
        return wider.with_columns(wider=pl.Series(every_name, dtype=pl.List(pl.String)))

    @cached_property
    def _stateless(self) -> pl.Series:
        """The towns that people name with a state which no title tells: what few know, and what bears another town's name."""
        if not self._titles.is_empty():
            return pl.Series([], dtype=pl.UInt32)
        names = self._subjects.select("e", "known", "folded")
        places = kinds_of(self.columns, kind_lists()[0]["place"]).join(names, on="e")
        several = places.filter(pl.len().over("folded") > 1).select("e")
        return towns(self.columns).join(names, on="e").filter(~pl.col("known") | pl.col("e").is_in(several["e"].implode()))["e"]

    @cached_property
    def _states(self) -> pl.DataFrame:
        return states_of(self.columns, self._titles)

    def _types(self, rows: pl.DataFrame) -> pl.Series:
        types = {name: wording.type for name, wording in self.sources.wordings.properties.items()}
        return rows["property"].replace_strict(types, return_dtype=pl.String)

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
            self._gone,
        )
        labels = self.columns.entities.select(parts="label").with_row_index("part")
        named = found.join(labels, on="part").drop_nulls().sort("e", "o", "parts")
        parts = named.group_by(s="e", o="o").agg("parts")
        return pl.concat([parts.with_columns(property=pl.lit(name)) for name in _OF_COUNTRIES])

    @cached_property
    def _gone(self) -> pl.Series:
        return gone(self.columns)

    @cached_property
    def _of_gone_countries(self) -> pl.Series:
        """Say of each entity whether it is no more, or of a country that is none."""
        relations = self.columns.relations.with_row_index("p").filter(pl.col("iri") == PREFIXES["wdt"] + "P17")
        facts = self.columns.facts.join(relations, on="p", how="semi")
        past = facts.filter(self._gone.gather(facts["o"]))["s"].unique()
        return self._gone | pl.int_range(len(self._gone), dtype=pl.UInt32, eager=True).is_in(past.implode())

    @cached_property
    def _popular(self) -> pl.Series:
        """How popular each entity is, in their order."""
        known = self.columns.entities.select(s="iri").join(self._popularity, on="s", how="left", maintain_order="left")
        return known["popularity"]

    def _answer_kinds(self, rows: pl.DataFrame) -> pl.Series:
        """Return what each answer is called, where its property's wordings say it."""
        lists = kind_lists()[0]
        wanted = {name: wording.kind for name, wording in self.sources.wordings.properties.items() if wording.kind}
        asked = rows.select("o", list=pl.col("property").replace_strict(wanted, default=None, return_dtype=pl.String))
        kinds = [kinds_of(self.columns, lists[name]).with_columns(list=pl.lit(name)) for name in lists]
        known = pl.concat(kinds).rename({"e": "o"})
        default = {name: wording.default for name, wording in self.sources.wordings.properties.items() if wording.default}
        kind = asked.join(known, on=["o", "list"], how="left", maintain_order="left")["kind"]
        kind = kind.zip_with(kind.is_not_null(), rows["property"].replace_strict(default, default=None, return_dtype=pl.String))
        out = [f"{name}\0{each}" for name, wording in self.sources.wordings.properties.items() for each in wording.not_kind]
        kind = kind.set(kind.is_in(_TOWNS) & rows["o"].is_in(self._within_cities.implode()), None)
        return kind.set(((rows["property"] + "\0" + kind).is_in(out)).fill_null(False), None)

    @cached_property
    def _within_cities(self) -> pl.Series:
        """The places that lie in a city or a borough of one: quarters, whatever the graph calls them."""
        cities = kinds_of(self.columns, kind_lists()[0]["place"]).filter(pl.col("kind").is_in(_CITIES)).select(o="e")
        relations = self.columns.relations.with_row_index("p").filter(pl.col("iri") == PREFIXES["wdt"] + "P131")
        return self.columns.facts.join(relations, on="p", how="semi").join(cities, on="o", how="semi")["s"].unique()

    def _attributes(self) -> pl.DataFrame:
        """Return the values of worded attributes."""
        wordings = self.sources.wordings
        labels = view(self.graph, "attributes").group_by("p").agg(pl.col("label").min()).sort("p")
        named = [wordings.property_of(iri, label) for iri, label in labels.iter_rows()]
        suffix = [unit_of(label or "")[1] for label in labels["label"]]
        worded = labels.with_columns(
            property=pl.Series(named, dtype=pl.String), own=pl.Series(suffix, dtype=pl.String)
        ).drop_nulls("property")
        rows = self.graph.terms(_VALUES).with_columns(pl.col("s", "p").str.strip_chars("<>"))
        rows = rows.join(worded, on="p").sort("s", "p", "o")
        rows = rows.with_columns(value=texts_of(rows["o"]), type=self._types(rows))
        rows = rows.join(self._units, on=["s", "p", "o"], how="left", maintain_order="left")
        return valued(rows.with_columns(unit=pl.coalesce("unit", "own")), wordings)

    @cached_property
    def _units(self) -> pl.DataFrame:
        rows = self.graph.terms(_UNITS)
        rows = rows.with_columns(pl.col("s").str.strip_chars("<>"), p=_direct(rows["ps"]), unit=texts_of(rows["unit"]))
        # A value with two units has none that is sure.
        return rows.group_by("s", "p", "o").agg(pl.col("unit").first(), n=pl.len()).filter(pl.col("n") == 1).drop("n")

    def _with_years(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Add the year as of which a value of a changing property holds, where the graph says it."""
        changing = [name for name, wording in self.sources.wordings.properties.items() if wording.changing]
        if not rows["property"].is_in(changing).any():
            return rows.with_columns(year=pl.lit(None, pl.String))
        years = self.graph.terms(_YEARS)
        years = years.with_columns(
            pl.col("s").str.strip_chars("<>"), p=_direct(years["ps"]), year=texts_of(years["when"]).str.extract(r"^(\d{4})")
        )
        one = years.group_by("s", "p", term="o").agg(pl.col("year").unique()).filter(pl.col("year").list.len() == 1)
        rows = rows.join(
            one.with_columns(pl.col("year").list.first()), on=["s", "p", "term"], how="left", maintain_order="left"
        )
        rows = rows.join(self._year_columns, on=["s", "property"], how="left", maintain_order="left")
        return rows.with_columns(year=pl.coalesce("year", "year_column")).drop("year_column")

    @cached_property
    def _year_columns(self) -> pl.DataFrame:
        """The years that a table says in a column beside the value's: "population year" beside "population"."""
        labels = view(self.graph, "attributes").filter(pl.col("label").str.ends_with(" year"))
        labels = labels.with_columns(property=labels["label"].str.strip_suffix(" year"))
        named = [self.sources.wordings.property_of(iri, label) for iri, label in labels.select("p", "property").iter_rows()]
        labels = labels.select("p", property=pl.Series(named, dtype=pl.String)).drop_nulls("property").unique("p")
        if labels.is_empty():
            return pl.DataFrame(schema={"s": pl.String, "property": pl.String, "year_column": pl.String})
        rows = self.graph.terms(_VALUES).with_columns(pl.col("s", "p").str.strip_chars("<>")).join(labels, on="p")
        years = rows.select("s", "property", year_column=texts_of(rows["o"]).str.extract(r"^(\d{4})$")).drop_nulls()
        return years.unique(["s", "property"], keep="none")

    # --- subjects

    def _with_subjects(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Add all that is known of subjects: facts of several values, most of a graph, do without."""
        return rows.join(self._subjects.drop(_OF_ALL), on="s", how="left", maintain_order="left")

    @cached_property
    def _subjects(self) -> pl.DataFrame:
        """Each entity: IRI, label, name as a term, as questions say it, domain, popularity, and how many bear its name."""
        entities = self.columns.entities.select(s="iri", subject="label").with_row_index("e")
        works = kinds_of(self.columns, kind_lists()[1]).rename({"kind": "work"})
        domains = domains_of(self.columns, *self.sources.domains).rename({"kind": "domain"})
        entities = entities.join(works, on="e", how="left", maintain_order="left")
        entities = entities.join(domains, on="e", how="left", maintain_order="left")
        entities = entities.join(self._concepts, on="e", how="left", maintain_order="left")
        entities = entities.join(self._titles, on="s", how="left", maintain_order="left")
        fuller = is_fuller(pl.col("subject"), pl.col("title")) | _is_longer(pl.col("subject"), pl.col("title"))
        entities = entities.with_columns(fuller=fuller)
        entities = entities.with_columns(everyday=~pl.col("fuller") & self._goes_by_title(entities))
        everyday = pl.when("everyday").then("title").otherwise("subject")
        entities = entities.with_columns(
            everyday=everyday, fuller=(pl.col("fuller") | pl.col("everyday")) & pl.col("work").is_null()
        )
        plain = entities.select(pl.when(pl.col("work").is_null()).then("everyday")).to_series()
        the = the_column(plain, entities["concepts"])
        work = pl.when(pl.col("work").is_not_null()).then(pl.format("the {} “{}”", "work", "subject"))
        place = pl.when(pl.col("fuller") & (pl.col("everyday") == pl.col("subject"))).then("title")
        named = pl.coalesce(work, place, the).str.replace_all(r"\s+", " ")
        entities = entities.with_columns(named=named, popularity=self._popular, gone=self._gone)
        entities = entities.with_columns(unsure=self._unsure(entities))
        entities = described(entities, self.columns, self._descriptions, self.sources.domains[1], self.sources.people)
        plural = pl.col("work").is_null() & self._several(entities)
        kind = pl.coalesce("work", "domain")
        entities = entities.with_columns(
            plural.fill_null(False).alias("plural"), folded=fold_all(entities["subject"]), subject_kind=kind
        )
        entities = entities.join(self._bearers, left_on="folded", right_on="name", how="left", maintain_order="left")
        return entities.join(self._terms, on=["s", "subject"], how="left", maintain_order="left")

    def _unsure(self, entities: pl.DataFrame) -> pl.Series:
        """Tell of each entity whether it is a person of whom nothing tells whether he lives."""
        years = self.columns.years.select("e", "begin", "end")
        latest = years.filter(pl.col("begin").abs() < ALWAYS)["begin"].max()
        lives = entities.select("e").join(years, on="e", how="left", maintain_order="left")
        young = lives.select((pl.col("begin") > pl.lit(latest, pl.Int64) - _MIDDLE_AGE).fill_null(False)).to_series()
        return entities["e"].is_in(kinds_of(self.columns, PEOPLE)["e"].implode()) & ~self._gone & ~young

    def _several(self, entities: pl.DataFrame) -> pl.Series:
        """Tell of each entity whether a verb speaks of it as of several: the Falkland Islands are."""
        plural = entities.select(pl.col("subject").str.contains(_PLURAL).fill_null(False)).to_series()
        people = plural & several_people(entities["concepts"].set(~plural, None))
        names = entities["subject"].fill_null("").to_list()
        person = entities["e"].is_in(kinds_of(self.columns, PEOPLE)["e"].implode())
        ends = entities.select(pl.col("subject").str.ends_with("s").fill_null(False)).to_series() & ~person
        others = [
            end and is_several(name, concepts or ())
            for end, name, concepts in zip(ends, names, entities["concepts"].set(~ends, None).to_list(), strict=True)
        ]
        return people.fill_null(False) | pl.Series(others, dtype=pl.Boolean)

    def _goes_by_title(self, entities: pl.DataFrame) -> pl.Series:
        """Tell of each entity whether its article has another name than its label, without brackets and nobody else's."""
        rows = entities.select("s", "subject", "title", folded=fold_all(entities["title"]), label=fold_all(entities["subject"]))
        bearers = self._names.select("folded", other="e").unique()
        others = rows.select("s", "folded").drop_nulls().join(bearers, on="folded").filter(pl.col("s") != pl.col("other"))
        borne = rows["s"].is_in(others["s"].unique().implode())
        # A title without a word of the label is that of another thing, wrongly linked.
        shared = pl.col("folded").str.split(" ").list.set_intersection(pl.col("label").str.split(" ")).list.len() > 0
        another = (
            (rows["folded"] != rows["label"]) & rows.select(shared).to_series() & ~rows.select(_bracketed("title")).to_series()
        )
        return (another & ~borne).fill_null(False)

    @cached_property
    def _descriptions(self) -> pl.DataFrame:
        """What the graph says of each entity in a few words: e, description."""
        rows = self.graph.select("SELECT ?s ?description { ?s dcterms:description ?description }")
        one = rows.group_by("s").agg(pl.col("description").min())
        return one.join(self.columns.entities.select(s="iri").with_row_index("e"), on="s").select("e", "description")

    @cached_property
    def _concepts(self) -> pl.DataFrame:
        labels = pl.DataFrame({"label": self.columns.concept_labels}).with_row_index("c")
        return self.columns.concepts.join(labels, on="c").drop_nulls("label").group_by("e").agg(concepts=pl.col("label").sort())

    @cached_property
    def _names(self) -> pl.DataFrame:
        """Every name of everything but predicates: e, name (a term), text, folded."""
        names = [
            self.graph.terms(find(view).bind()).select("e", name=column)
            for view, column in (("labels", "label"), ("aliases", "alias"))
        ]
        every = pl.concat(names).with_columns(pl.col("e").str.strip_chars("<>"), text=texts_of(pl.concat(names)["name"]))
        every = every.join(self._predicates, on="e", how="anti").drop_nulls()
        return every.with_columns(folded=fold_all(every["text"]))

    @cached_property
    def _predicates(self) -> pl.DataFrame:
        kinds = " ".join(f"<{KGP}{kind}>" for kind in ("Relation", "Attribute", "Qualifier"))
        return self.graph.select(f"SELECT DISTINCT ?e WHERE {{ VALUES ?kind {{ {kinds} }} ?e a ?kind }}")

    @cached_property
    def _bearers(self) -> pl.DataFrame:
        """How many entities bear each folded name, as a label or another name."""
        names = self._names.select("e", name="folded").drop_nulls()
        return names.group_by("name").agg(bearers=pl.col("e").n_unique())

    @cached_property
    def _terms(self) -> pl.DataFrame:
        """The term of each entity's label: proofs name it as the graph writes it."""
        return (
            self._names.select(s="e", subject="text", name="name")
            .sort("s", "subject", "name")
            .unique(["s", "subject"], keep="first")
        )

    @cached_property
    def _popularity(self) -> pl.DataFrame:
        given = self.sources.popularity
        if given is None:
            rows = view(self.graph, "popularity")
            number = pl.col("n").cast(pl.Float64, strict=False)
            return rows.group_by(s="e").agg(popularity=number.max())
        known = by_subject(given, self.columns.entities)
        if known.is_empty():
            way_out = "write Q-ids, IRIs or labels under `id`"
            raise InputError("names nothing in the graph", place=self.sources.popularity_name, way_out=way_out)
        return known

    @cached_property
    def _titles(self) -> pl.DataFrame:
        """The titles of subjects' articles, where the graph has them."""
        rows = self.graph.select("SELECT ?s ?title { ?s kgp:wikipedia ?title }")
        return rows.group_by("s").agg(pl.col("title").min())

    # --- what is wrong

    def _uncounted(self, marked: pl.DataFrame, shares: pl.DataFrame) -> pl.Series:
        """Return the first reason why a fact has no one value; null where there is none."""
        reasons: dict[str, pl.Expr | pl.Series] = {
            "subject or object without a name": pl.col("subject").is_null() | pl.col("value").is_null(),
            "not an entity, a date or a number, as its property asks for": ~pl.col("fits"),
            "several values of the property": pl.col("n") > 1,
            "not all values are known": pl.col("incomplete").fill_null(False),
            "of a property that often has several values": often_several(marked, shares, self.sources.wordings.world),
        }
        return _first(marked, reasons)

    def _unfit(self, marked: pl.DataFrame) -> pl.Series:
        """Return the first reason why a fact can be no question, however it is worded; null where there is none."""
        wordings = self.sources.wordings.properties
        kinds = [name for name, wording in wordings.items() if wording.kind]
        units = [name for name, wording in wordings.items() if wording.unit]
        dated = [name for name, wording in wordings.items() if wording.dated]
        holding = [name for name, wording in wordings.items() if wording.holds()]
        text = fold_all(marked["value"])
        reasons: dict[str, pl.Expr | pl.Series] = {
            "subject's name is written oddly": self._oddly_written(marked),
            "the starter graph knows another capital": other_capital(marked),
            "nothing else in the graph says the same": ~pl.col("agrees"),
            "the answer lies outside the subject": outside(marked, self.columns, self.sources.wordings),
            "the subject's description names another place": elsewhere(
                marked, self.columns, self._descriptions, self.sources.wordings
            ),
            "the subject's description speaks of another country": of_another_country(marked, self.columns, self._descriptions),
            "the answer came to its end before the subject": outlived(marked, self.columns, self._of_gone_countries, holding),
            "may lie in a country within the answer": pl.col("vague"),
            "subject's title or label carries brackets": _bracketed("subject") | _bracketed("title"),
            "answer carries brackets": _bracketed("value") & (pl.col("type") == "entity"),
            "no year tells whether the answer lasted": pl.col("property").is_in(dated)
            & ~pl.col("e").is_in(self.columns.years["e"].implode()),
            "the subject's description does not say that it is the answer's": uncredited(
                marked, self._descriptions, [name for name, wording in wordings.items() if wording.credited]
            ),
            "the subject's description says another year": of_another_year(marked, self._descriptions),
            "no other name of an answer that is a common noun": self._unnamed(),
            "answer names nobody": text.is_in(_NOBODY),
            "subject's name is borne by another": pl.col("bearers") != 1,
            "no title of an article tells which place of that name is meant": self._nameless(marked),
            "nothing tells in which state the answer lies": pl.col("stateless").fill_null(False),
            "a number without its unit": pl.col("property").is_in(units) & pl.col("unit").is_null(),
            "no word says what kind of answer is wanted": pl.col("property").is_in(kinds) & pl.col("kind").is_null(),
        }
        return _first(marked, reasons)

    def _unnamed(self) -> pl.Expr:
        """Tell of each fact whether its answer is a common noun ("association football") in a graph without other names."""
        alone = pl.lit(self.columns.aliases.is_empty())
        return alone & (pl.col("type") == "entity") & pl.col("value").str.contains(r"^\p{Ll}").fill_null(False)

    def _nameless(self, marked: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject's name is one that places elsewhere bear, and no title tells it apart."""
        ends = pl.col("subject").str.contains(_OF_MANY_PLACES).fill_null(False)
        town = marked["e"].is_in(towns(self.columns)["e"].implode()) & ~marked["known"]
        untitled = pl.lit(self._titles.is_empty()) & (pl.col("domain") == "geography").fill_null(False)
        return marked.select((ends | town) & untitled).to_series()

    def _unasked(self, marked: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Return the first reason why a fact is not asked about for the sake of its question; null where there is none.

        Parameters: `every` has all facts of worded properties, asked about or not.
        """
        doubt = {f"sources differ: {text}": pl.col("doubt") == text for text in sorted(marked["doubt"].drop_nulls().unique())}
        reasons: dict[str, pl.Expr | pl.Series] = {name: differs.fill_null(False) for name, differs in doubt.items()}
        reasons |= {
            "of a subject that the property is not asked of": pl.col("unasked")
            | ~self._of_domain(marked)
            | self._lacking(marked, every)
            | pl.col("said").str.contains("^an? "),  # one of a kind
            "died before the time of which it is asked": self._too_early(marked),
            "a name that many bear, and no trade tells which": pl.col("common") & (pl.col("said") == pl.col("plain")),
            "a short title, and no year tells which": is_short_title(marked),
            "changes with time, and no year is said": pl.col("changes") & pl.col("year").is_null(),
            "may change, as its subject has no end": self._unended(marked, every),
            "the answer is a kind of which another answer is": self._general(marked, every),
            "subject is of no domain": pl.col("domain").is_null(),
            "asked about what is well known only": pl.col("obscure"),
            "the question says the answer": (pl.col("answers").list.len() == 0) | said_by_a_place(marked, self.columns),
        }
        if self.sources.articles is not None:
            reasons[_UNSUPPORTED] = unsupported(marked, self.sources.articles, self.columns.entities)
        return _first(marked, reasons)

    def _oddly_written(self, marked: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject's name is written as no name is: "Tyler posey", "GREEN BAY PACKERS"."""
        person = marked["e"].is_in(kinds_of(self.columns, PEOPLE)["e"].implode()).fill_null(False)
        names = marked["subject"].fill_null("")
        odd, shouted = (names.is_in([name for name in names.unique() if test(name)]) for test in (is_odd, is_shouted))
        # "Where did Ida Inn, 2nd Baroness Inn die?" nobody says.
        titled = marked.select(pl.col("plain").str.contains(_PEERAGE).fill_null(False)).to_series()
        return (person & (odd | titled)) | (shouted & marked.select(pl.col("work").is_null()).to_series())

    def _too_early(self, marked: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject ended, or began a lifetime, before the year since which it is asked about."""
        spans = self.columns.years.select("e", "begin", "end")
        lives = marked.select("e", "since").join(spans, on="e", how="left", maintain_order="left")
        ended = (pl.col("end") < pl.col("since")).fill_null(False)
        return lives.select(ended | (pl.col("begin") < pl.col("since") - _LIFETIME).fill_null(False)).to_series()

    def _with_inverses(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the values of each subject and property, with those that an inverse property says."""
        inverse = {wording.inverse: name for name, wording in self.sources.wordings.properties.items() if wording.inverse}
        turned = rows.filter(pl.col("property").is_in(list(inverse)), pl.col("term").str.starts_with("<")).select(
            s=pl.col("term").str.strip_chars("<>"),
            property=pl.col("property").replace_strict(inverse, default=None, return_dtype=pl.String),
            term=pl.format("<{}>", "s"),
        )
        return pl.concat([rows.select("s", "property", "term"), turned])

    def _unended(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its property is settled by an end that its subject has not."""
        settled = {name: wording.ended for name, wording in self.sources.wordings.properties.items() if wording.ended}
        ends = every.select(s="s", end="property").unique().with_columns(ended=True)
        asked = rows.select("s", end=pl.col("property").replace_strict(settled, default=None, return_dtype=pl.String))
        found = asked.join(ends, on=["s", "end"], how="left", maintain_order="left")
        return found.select(pl.col("end").is_not_null() & pl.col("ended").is_null()).to_series()

    def _of_domain(self, rows: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its property is asked of subjects of its domain."""
        lists = {name: wording.domains for name, wording in self.sources.wordings.properties.items() if wording.domains}
        pairs = [f"{name}\0{domain}" for name, domains in lists.items() for domain in domains]
        fits = (rows["property"] + "\0" + rows["domain"].fill_null("")).is_in(pairs)
        return fits | ~rows["property"].is_in(list(lists))

    def _lacking(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject has none of the properties that its own needs."""
        needs = {name: wording.needs for name, wording in self.sources.wordings.properties.items() if wording.needs}
        pairs = pl.DataFrame([(name, each) for name, many in needs.items() for each in many],
                             schema={"property": pl.String, "needed": pl.String}, orient="row")  # fmt: skip
        there = every.select("s", needed="property").unique().join(pairs, on="needed").select("s", "property").unique()
        found = rows.select("s", "property").join(
            there.with_columns(there=True), on=["s", "property"], how="left", maintain_order="left"
        )
        return found.select(pl.col("property").is_in(list(needs)) & pl.col("there").is_null()).to_series()

    def _general(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether another answer of its property is a kind of its answer ("cancer", beside "lung cancer")."""
        iri = self.columns.entities.select(term=pl.format("<{}>", "iri")).with_row_index("e")
        kinds = self.columns.kinds.select(below="below", above="above")
        two = kinds.join(kinds, left_on="above", right_on="below").select("below", above="above_right")
        chains = pl.concat([kinds, two]).filter(pl.col("below") != pl.col("above")).unique()
        named = chains.join(iri, left_on="below", right_on="e").join(iri, left_on="above", right_on="e", suffix="_above")
        answers = every.select("property", "term").unique()
        pairs = answers.join(named.select("term", "term_above"), on="term").select("property", term="term_above").unique()
        marked = rows.select("property", "term").join(
            pairs.with_columns(general=True), on=["property", "term"], how="left", maintain_order="left"
        )
        return marked["general"].fill_null(False)


_AGAIN = "another property asks it in the same words"
_UNSUPPORTED = "answer is not in the subject's article"


def _first(marked: pl.DataFrame, reasons: Mapping[str, pl.Expr | pl.Series]) -> pl.Series:
    """Return the first reason that applies to each row, what is not known among them; null where there is none."""
    marked = marked.with_columns(value.alias(name) for name, value in reasons.items())
    each = (pl.when(pl.col(name).fill_null(True)).then(pl.lit(name)) for name in reasons)
    return marked.select(pl.coalesce(each)).to_series()


def _direct(statement: pl.Series) -> pl.Series:
    """Return the predicate of facts whose statements have their value by `ps:P` (or `P/value`)."""
    names = statement.str.strip_chars("<>")
    return names.str.replace(PREFIXES["ps"], PREFIXES["wdt"], literal=True).str.strip_suffix("/value")


def _popularity_source(graph: Graph) -> str:
    """Say what the graph's popularity is: as its loads say, else "graph"."""
    provenance: Callable[[str], pl.DataFrame] | None = getattr(graph, "provenance", None)
    if provenance is None:
        return "graph"
    sources = provenance("SELECT DISTINCT ?source { ?load kgp:popularitySource ?source }")
    return ", ".join(sorted(sources["source"])) or "graph"


def _is_longer(label: pl.Expr, title: pl.Expr) -> pl.Expr:
    """Tell whether an article's title is a label and what tells its bearer from others: "Alan Hale Sr." """
    rest = title.str.strip_prefix(pl.concat_str(label, pl.lit(" ")))
    return title.str.starts_with(pl.concat_str(label, pl.lit(" "))).fill_null(False) & rest.str.contains(
        r"^(?:[JS]r\.?|[IVX]+)$"
    )


def _with_forms(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the accepted answers to the facts that are dates and numbers, which stand behind the others."""
    values = with_forms(rows.filter(pl.col("o").is_null()).drop("answers"))
    return pl.concat([rows.filter(pl.col("o").is_not_null()), values], how="diagonal_relaxed")


def _bracketed(column: str) -> pl.Expr:
    return pl.col(column).str.contains(_BRACKETS).fill_null(False)


def _with_states(rows: pl.DataFrame) -> pl.DataFrame:
    """Ask for cities of states, and accept what names both."""
    rows = rows.with_columns(kind=asked_with_state(rows["kind"], rows["state"]))
    both = rows["kind"].str.contains(" and ", literal=True).fill_null(False)
    cells = rows.filter(both).select("o", "answers", "full_title", "signs").unique("o")
    full = [with_state(names, title, signs or ()) for _, names, title, signs in cells.iter_rows()]
    full_names = cells.select("o", full=pl.Series(full, dtype=pl.List(pl.String)))
    rows = rows.with_columns(both=both).join(full_names, on="o", how="left", maintain_order="left")
    return rows.with_columns(answers=pl.when("both").then("full").otherwise("answers")).drop("both", "full")
