"""What is known of a graph's entities: names, kinds, domains, popularity, and how many bear a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from generators.articles import is_several, the_column
from generators.factbench.kinds import Lists, domains_of, kind_lists, kinds_of
from generators.factbench.namesakes import towns
from generators.factbench.places import is_fuller, states_of
from generators.factbench.questions import several_people
from generators.factbench.subjects import PEOPLE, described
from generators.factbench.tables import by_subject
from generators.factbench.wordings import Wordings
from generators.fpq.tense import gone
from generators.graph_columns import GraphColumns
from generators.years import ALWAYS
from kg.errors import InputError
from kg.graph import Graph
from kg.terms import texts_of
from kg.text import fold_all
from kg.vocab import KGP, PREFIXES
from queries.templates import find
from queries.views import view

_MIDDLE_AGE = 60
"""Who was born longer ago than this, and has no day of death in the graph, may have died since."""
_PLURAL = r"[a-z](?:[^su]s|ings)$"
_BRACKETS = r"[()\[\]]"


@dataclass(frozen=True)
class Sources:
    """Where facts come from, and what is known besides: wordings, domains, their people, popularity, articles by subject."""

    wordings: Wordings
    domains: tuple[Lists, Lists]
    people: Mapping[str, str]
    popularity: pl.DataFrame | None = None
    popularity_name: str = "graph"
    articles: pl.DataFrame | None = None


class Entities:
    """What is known of each entity, worked out when it is first asked for."""

    def __init__(self, graph: Graph, columns: GraphColumns, sources: Sources) -> None:
        self.graph, self.columns, self.sources = graph, columns, sources

    @cached_property
    def table(self) -> pl.DataFrame:
        """Each entity: IRI, label, name as a term, as questions say it, domain, popularity, and how many bear its name."""
        entities = self.columns.entities.select(s="iri", subject="label").with_row_index("e")
        works = kinds_of(self.columns, kind_lists()[1]).rename({"kind": "work"})
        domains = domains_of(self.columns, *self.sources.domains).rename({"kind": "domain"})
        entities = entities.join(works, on="e", how="left", maintain_order="left")
        entities = entities.join(domains, on="e", how="left", maintain_order="left")
        entities = entities.join(self._concepts, on="e", how="left", maintain_order="left")
        entities = entities.join(self.titles, on="s", how="left", maintain_order="left")
        fuller = is_fuller(pl.col("subject"), pl.col("title")) | _is_longer(pl.col("subject"), pl.col("title"))
        entities = entities.with_columns(fuller=fuller)
        entities = entities.with_columns(everyday=~pl.col("fuller") & self._goes_by_title(entities))
        everyday = pl.when("everyday").then("title").otherwise("subject")
        entities = entities.with_columns(
            everyday=everyday, fuller=(pl.col("fuller") | pl.col("everyday")) & pl.col("work").is_null()
        )
        # A work stands in quotation marks, and no person's name takes an article.
        person = entities["e"].is_in(kinds_of(self.columns, PEOPLE)["e"].implode())
        plain = entities.select(pl.when(pl.col("work").is_null() & ~person).then("everyday")).to_series()
        the = the_column(plain, entities["concepts"])
        work = pl.when(pl.col("work").is_not_null()).then(pl.format("the {} “{}”", "work", "subject"))
        place = pl.when(pl.col("fuller") & (pl.col("everyday") == pl.col("subject"))).then("title")
        named = pl.coalesce(work, place, the, "everyday").str.replace_all(r"\s+", " ")
        entities = entities.with_columns(named=named, popularity=self.popular, gone=self.gone)
        entities = entities.with_columns(unsure=self._unsure(entities))
        entities = described(entities, self.columns, self.descriptions, self.sources.domains[1], self.sources.people)
        plural = pl.col("work").is_null() & self._several(entities)
        kind = pl.coalesce("work", "domain")
        entities = entities.with_columns(
            plural.fill_null(False).alias("plural"), folded=fold_all(entities["subject"]), subject_kind=kind
        )
        bearers = self._names.group_by("name").agg(bearers=pl.len())
        entities = entities.join(bearers, left_on="folded", right_on="name", how="left", maintain_order="left")
        return entities.join(self._terms, on=["s", "subject"], how="left", maintain_order="left")

    @cached_property
    def gone(self) -> pl.Series:
        return gone(self.columns)

    @cached_property
    def of_gone_countries(self) -> pl.Series:
        """Say of each entity whether it is no more, or of a country that is none."""
        relations = self.columns.relations.with_row_index("p").filter(pl.col("iri") == PREFIXES["wdt"] + "P17")
        facts = self.columns.facts.join(relations, on="p", how="semi")
        past = facts.filter(self.gone.gather(facts["o"]))["s"].unique()
        return self.gone | pl.int_range(len(self.gone), dtype=pl.UInt32, eager=True).is_in(past.implode())

    @cached_property
    def popular(self) -> pl.Series:
        """How popular each entity is, in their order."""
        known = self.columns.entities.select(s="iri").join(self._popularity, on="s", how="left", maintain_order="left")
        return known["popularity"]

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
    def titles(self) -> pl.DataFrame:
        """The titles of subjects' articles, where the graph has them."""
        rows = self.graph.select("SELECT ?s ?title { ?s kgp:wikipedia ?title }")
        return rows.group_by("s").agg(pl.col("title").min())

    @cached_property
    def descriptions(self) -> pl.DataFrame:
        """What the graph says of each entity in a few words: e, description."""
        rows = self.graph.select("SELECT ?s ?description { ?s dcterms:description ?description }")
        one = rows.group_by("s").agg(pl.col("description").min())
        return one.join(self.columns.entities.select(s="iri").with_row_index("e"), on="s").select("e", "description")

    @cached_property
    def states(self) -> pl.DataFrame:
        return states_of(self.columns, self.titles)

    @cached_property
    def stateless(self) -> pl.Series:
        """The towns that people name with a state which no title tells: what few know, and what bears another town's name."""
        if not self.titles.is_empty():
            return pl.Series([], dtype=pl.UInt32)
        names = self.table.select("e", "known", "folded")
        places = kinds_of(self.columns, kind_lists()[0]["place"]).join(names, on="e")
        several = places.filter(pl.len().over("folded") > 1).select("e")
        return towns(self.columns).join(names, on="e").filter(~pl.col("known") | pl.col("e").is_in(several["e"].implode()))["e"]

    def _unsure(self, entities: pl.DataFrame) -> pl.Series:
        """Tell of each entity whether it is a person of whom nothing tells whether he lives."""
        years = self.columns.years.select("e", "begin", "end")
        latest = years.filter(pl.col("begin").abs() < ALWAYS)["begin"].max()
        lives = entities.select("e").join(years, on="e", how="left", maintain_order="left")
        young = lives.select((pl.col("begin") > pl.lit(latest, pl.Int64) - _MIDDLE_AGE).fill_null(False)).to_series()
        return entities["e"].is_in(kinds_of(self.columns, PEOPLE)["e"].implode()) & ~self.gone & ~young

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
        called = entities.filter(pl.col("title") != pl.col("subject")).select("e", "subject", "title")
        rows = called.with_columns(folded=fold_all(called["title"]), label=fold_all(called["subject"]))
        others = rows.join(self._names.rename({"e": "other"}), left_on="folded", right_on="name")
        others = others.filter(pl.col("e").ne_missing(pl.col("other")))
        # A title without a word of the label is that of another thing, wrongly linked.
        shared = pl.col("folded").str.split(" ").list.set_intersection(pl.col("label").str.split(" ")).list.len() > 0
        another = rows.filter((pl.col("folded") != pl.col("label")) & shared & ~bracketed("title"))
        return entities["e"].is_in(another.join(others, on="e", how="anti")["e"].implode())

    @cached_property
    def _concepts(self) -> pl.DataFrame:
        labels = pl.DataFrame({"label": self.columns.concept_labels}).with_row_index("c")
        return self.columns.concepts.join(labels, on="c").drop_nulls("label").group_by("e").agg(concepts=pl.col("label").sort())

    @cached_property
    def _names(self) -> pl.DataFrame:
        """Every folded name of everything but predicates: name, e (null: it is no entity)."""
        kinds = " ".join(f"<{KGP}{kind}>" for kind in ("Relation", "Attribute", "Qualifier"))
        predicates = self.graph.select(f"SELECT DISTINCT ?e WHERE {{ VALUES ?kind {{ {kinds} }} ?e a ?kind }}")["e"].implode()
        own = self.columns.names.filter(~self.columns.entities["iri"].is_in(predicates).gather(self.columns.names["e"]))
        others = self.columns.others.filter(~pl.col("iri").is_in(predicates))
        return pl.concat([own.select("name", "e"), others.select("name")], how="diagonal")

    @cached_property
    def _terms(self) -> pl.DataFrame:
        """The term of each entity's label: proofs name it as the graph writes it."""
        labels = self.graph.terms(find("labels").bind()).select(pl.col("e").str.strip_chars("<>").alias("s"), name="label")
        labels = labels.with_columns(subject=texts_of(labels["name"]))
        return labels.sort("s", "subject", "name").unique(["s", "subject"], keep="first")


def _is_longer(label: pl.Expr, title: pl.Expr) -> pl.Expr:
    """Tell whether an article's title is a label and what tells its bearer from others: "Alan Hale Sr." """
    rest = title.str.strip_prefix(pl.concat_str(label, pl.lit(" ")))
    return title.str.starts_with(pl.concat_str(label, pl.lit(" "))).fill_null(False) & rest.str.contains(
        r"^(?:[JS]r\.?|[IVX]+)$"
    )


def bracketed(column: str) -> pl.Expr:
    """Tell of each row whether a name carries brackets."""
    return pl.col(column).str.contains(_BRACKETS).fill_null(False)
