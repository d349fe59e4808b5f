"""The facts that can be asked about: those of worded properties, with names, kinds and values, each with what is wrong with it.

A fact counts for the first reason that applies, so that a reader of the summary sees numbers that add up. Attributes are facts
as well: dates and numbers that fit what their property asks for, with their accepted answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from generators.column_names import unit_of
from generators.factbench.answers import coarser, date_forms, is_number, number_forms, precision_of
from generators.factbench.entities import Entities, Sources
from generators.factbench.evidence import agreement
from generators.factbench.kinds import generic_words, kind_lists, kinds_of
from generators.factbench.names import accepted_names, divided, short_names, within_countries, without_kind
from generators.factbench.places import asked_with_state, with_state
from generators.factbench.questions import asked, without_question
from generators.factbench.reasons import Reasons
from generators.factbench.subjects import PEOPLE, without_what_tells
from generators.factbench.wordings import Wordings
from generators.graph_columns import GraphColumns
from generators.items import mapped
from generators.single import shares_of_one
from kg.graph import Graph
from kg.terms import texts_of
from kg.vocab import PREFIXES
from queries.views import view

_VALUES = "SELECT DISTINCT ?s ?p ?o WHERE { ?p a kgp:Attribute . ?s ?p ?o }"
_UNITS = """
SELECT DISTINCT ?s ?ps ?o ?unit WHERE { ?st kgp:unit ?unit . ?s ?via ?st . ?st ?ps ?o . FILTER (?ps != kgp:unit) }
"""
_YEARS = """
SELECT DISTINCT ?s ?ps ?o ?when WHERE { ?st pq:P585 ?when . ?s ?via ?st . ?st ?ps ?o . FILTER (STRSTARTS(STR(?ps), STR(ps:))) }
"""
_OF_ALL = ("subject", "subject_kind")
"""What must be known of the subject of every fact, asked about or not."""
_OF_EVERY = ("s", "p", "term", "subject", "property")
_AGAIN = "another property asks it in the same words"


@dataclass(frozen=True)
class Facts:
    """What is known of a graph's facts of worded properties.

    `rows`: s, p (IRIs), term, subject, property, and `reason`: why a fact is not asked about. `eligible`: those without, and
    value, type, precision, unit, answers, the subject's name as questions say it, name (its label, a term), domain, popularity,
    question, key (under the seed). `shares`: as `shares_of_one` says them. `aliases`: whether the graph has any.
    """

    rows: pl.DataFrame
    eligible: pl.DataFrame
    popularity: str
    shares: pl.DataFrame
    aliases: bool

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


def facts_of(graph: Graph, columns: GraphColumns, sources: Sources) -> Facts:
    """Pull the facts of worded properties, and say of each whether it may be asked about."""
    return _Gathering(graph, columns, sources).facts()


class _Gathering:
    def __init__(self, graph: Graph, columns: GraphColumns, sources: Sources) -> None:
        self.graph, self.columns, self.sources = graph, columns, sources
        self.entities = Entities(graph, columns, sources)
        self.answers = NamedAnswers(self.entities, sources.wordings)
        self.reasons = Reasons(self.entities, sources.wordings, sources.articles)

    def facts(self) -> Facts:
        rows = pl.concat([self._relations(), most_precise(self._attributes())], how="diagonal")
        rows = rows.join(self.entities.table.select("s", *_OF_ALL), on="s", how="left", maintain_order="left")
        rows = rows.with_columns(agrees=agreement(rows, self.columns, self.entities.gone, self.sources.wordings))
        pairs = self._with_inverses(rows).group_by("s", "property").agg(n=pl.col("term").n_unique())
        rows = rows.join(pairs, on=["s", "property"], how="left", maintain_order="left")
        incomplete = self.graph.schema("SELECT DISTINCT ?s ?p { ?s kgp:incomplete ?p }").with_columns(incomplete=True)
        rows = rows.join(incomplete, on=["s", "p"], how="left", maintain_order="left")
        shares = shares_of_one(rows)
        rows = rows.with_columns(unfit=self.reasons.uncounted(rows, shares))
        # Names of answers are looked up, and questions worded, only where something can still come of it.
        counted = self._with_years(self._answered(self._with_subjects(rows.filter(pl.col("unfit").is_null())), rows))
        counted = counted.with_columns(unfit=self.reasons.unfit(counted))
        fit = _with_forms(counted.filter(pl.col("unfit").is_null()))
        fit = asked(without_what_tells(fit), self.sources.wordings, self.columns.seed)
        fit = fit.with_columns(answers=without_question(fit, generic_words(self.columns.concept_labels)))
        fit = fit.with_columns(unfit=self.reasons.unasked(fit, rows))
        again = pl.col("unfit").is_null() & (pl.int_range(pl.len()).over(pl.col("unfit").is_null(), "question") > 0)
        fit = fit.with_columns(unfit=pl.when(again).then(pl.lit(_AGAIN)).otherwise("unfit"))
        out = [frame.filter(pl.col("unfit").is_not_null()) for frame in (counted, rows)]
        every = pl.concat([frame.select(*_OF_EVERY, reason="unfit") for frame in (fit, *out)])
        eligible = fit.filter(pl.col("unfit").is_null()).drop("unfit", "n", "incomplete")
        name = self.sources.popularity_name if self.sources.popularity is not None else _popularity_source(self.graph)
        return Facts(every, eligible, name, shares, not self.columns.aliases.is_empty())

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
        return rows.select(
            "o",
            subject_number="s",
            s="s_iri",
            p="p_iri",
            term=pl.format("<{}>", "o_iri"),
            value="label",
            property="property",
            type=pl.lit("entity"),
            fits=pl.col("type") == "entity",
            precision=pl.lit(None, pl.String),
            unit=pl.lit(None, pl.String),
        )

    def _answered(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.DataFrame:
        """Add what an answer is, and what an entity may be called: answers, kind, vague, personal, full_name.

        Parameters: `every` has the facts of all worded properties, by which places are told to lie in one another.
        """
        between = rows.filter(pl.col("o").is_not_null()).sort("s", "p", "term")  # before as many as there are fall away
        values = rows.filter(pl.col("o").is_null())
        parts = [self.answers.named(between, every.filter(pl.col("o").is_not_null())), as_answers(values)]
        return pl.concat(parts, how="diagonal_relaxed")

    def _types(self, rows: pl.DataFrame) -> pl.Series:
        types = {name: wording.type for name, wording in self.sources.wordings.properties.items()}
        return rows["property"].replace_strict(types, return_dtype=pl.String)

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

    def _with_subjects(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Add all that is known of subjects: facts of several values, most of a graph, do without."""
        return rows.join(self.entities.table.drop(_OF_ALL), on="s", how="left", maintain_order="left")

    def _with_inverses(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the values of each subject and property, with those that an inverse property says."""
        inverse = {wording.inverse: name for name, wording in self.sources.wordings.properties.items() if wording.inverse}
        turned = rows.filter(pl.col("property").is_in(list(inverse)), pl.col("term").str.starts_with("<")).select(
            s=pl.col("term").str.strip_chars("<>"),
            property=pl.col("property").replace_strict(inverse, default=None, return_dtype=pl.String),
            term=pl.format("<{}>", "s"),
        )
        return pl.concat([rows.select("s", "property", "term"), turned])


def _direct(statement: pl.Series) -> pl.Series:
    """Return the predicate of facts whose statements have their value by `ps:P` (or `P/value`)."""
    names = statement.str.strip_chars("<>")
    return names.str.replace(PREFIXES["ps"], PREFIXES["wdt"], literal=True).str.strip_suffix("/value")


def _popularity_source(graph: Graph) -> str:
    """Say what the graph's popularity is: as its loads say, else "graph"."""
    sources = graph.provenance("SELECT DISTINCT ?source { ?load kgp:popularitySource ?source }")
    return ", ".join(sorted(sources["source"])) or "graph"


def _with_forms(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the accepted answers to the facts that are dates and numbers, which stand behind the others."""
    values = with_forms(rows.filter(pl.col("o").is_null()).drop("answers"))
    return pl.concat([rows.filter(pl.col("o").is_not_null()), values], how="diagonal_relaxed")


def valued(rows: pl.DataFrame, wordings: Wordings) -> pl.DataFrame:
    """Return attributes as facts: whether their values are of the type asked for, and `asked_value`, as precise as that."""
    counts = {name: wording.count for name, wording in wordings.properties.items()}
    to = {name: wording.to for name, wording in wordings.properties.items() if wording.to}
    cut = (
        [coarser(value, to.get(name)) for value, name in rows.select("value", "property").iter_rows()] if to else rows["value"]
    )
    rows = rows.with_columns(whole="value", value=pl.Series(cut, dtype=pl.String))
    count = rows["property"].replace_strict(counts, return_dtype=pl.String)
    precision = mapped(rows["value"], lambda text: precision_of(text) or "")
    number = mapped(rows["value"], lambda text: "yes" if is_number(text) else "")
    fits = (
        pl.when(pl.col("type") == "date")
        .then(precision != "")
        .when(pl.col("type") == "number")
        .then(number != "")
        .otherwise(True)
    )
    rows = rows.with_columns(count=count, precision=pl.when(pl.col("type") == "date").then(precision), fits=fits)
    unit = pl.when(pl.col("type") == "number").then("unit")
    rows = rows.with_columns(unit=unit)
    return rows.select(
        "s", "p", pl.col("o").alias("term"), pl.col("whole").alias("value"), "property", "type",
        "fits", "precision", "unit", "count", asked_value="value",
    )  # fmt: skip


def with_forms(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the accepted answers to dates and numbers; `rows` are those of `valued`."""
    key = ["type", "asked_value", "unit", "count"]
    forms = pl.DataFrame(
        [(*each, _forms(*each)) for each in rows.select(key).unique(maintain_order=True).iter_rows()],
        schema={**dict.fromkeys(key, pl.String), "answers": pl.List(pl.String)},
        orient="row",
    )
    return rows.join(forms, on=key, how="left", nulls_equal=True, maintain_order="left")


def as_answers(rows: pl.DataFrame) -> pl.DataFrame:
    """Say of dates and numbers that they are nobody and nowhere: kind, vague, personal, full_name."""
    no_text = pl.lit(None, pl.String)
    return rows.with_columns(kind=no_text, vague=pl.lit(False), personal=pl.lit(False), full_name=no_text)


def most_precise(rows: pl.DataFrame) -> pl.DataFrame:
    """Leave out dates that another of the same subject and property says more precisely: 1815 beside 1815-12-10."""
    finer = rows.filter(pl.col("type") == "date").select("s", "property", finer="value")
    pairs = rows.select("s", "property", "value").join(finer, on=["s", "property"])
    rough = pairs.filter(pl.col("finer").str.starts_with(pl.col("value") + "-")).select("s", "property", "value").unique()
    return rows.join(rough, on=["s", "property", "value"], how="anti", maintain_order="left")


def _forms(kind: str, value: str, unit: str | None, count: str | None) -> list[str]:
    if kind == "date":
        return date_forms(value)
    return number_forms(value, unit, count) if kind == "number" else [value]


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
