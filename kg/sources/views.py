"""What a graph lacks before questions can be made of it, derived by SPARQL from the graph itself.

`kg load rdf` declares relations, attributes, concepts and names as it reads files. A store that other programs filled, or an
endpoint, has the facts alone; here the same is concluded from a few SELECTs, and nothing that is there is said twice.

```
kg load views --store ./dbpedia
kg load views --endpoint http://localhost:7878/query --out views.nq
```
"""

from __future__ import annotations

import polars as pl

from kg.build import Build, Load
from kg.errors import InputError
from kg.graph import IS_DECLARED, Graph
from kg.local import LocalGraph
from kg.patch import copied
from kg.sources.rdf import (
    PredicateUses,
    RdfWords,
    in_vocabulary,
    iri_of,
    labels_of_predicates,
    words_of_iris,
)
from kg.terms import texts_of
from kg.vocab import KGP, RDF_TYPE, RDFS_LABEL

NAME = "views"
"""What the load is called that holds what was derived."""
_LABEL = f"<{RDFS_LABEL}>"
_TYPE = f"<{RDF_TYPE}>"
_TAGGED = r'"@([A-Za-z0-9-]+)$'
_NAMES = "SELECT ?e ?name { ?e PREDICATE ?name FILTER(isIRI(?e) && isLiteral(?name)) }"
_CONCEPTS = "SELECT DISTINCT ?c { ?e PREDICATE ?c FILTER(isIRI(?e) && isIRI(?c)) }"
_UNTYPED = "SELECT DISTINCT ?e ?c { ?e PREDICATE ?c FILTER(isIRI(?e) && isIRI(?c)) MINUS { ?e rdf:type ?c } }"
_USES = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o FILTER(isIRI(?s) && KIND(?o)) } GROUP BY ?p"
_OBJECTS = "SELECT DISTINCT ?p ?o { ?s ?p ?o FILTER(isIRI(?s) && isIRI(?o)) }"


def derive_views(graph: Graph, name: str = NAME, words: RdfWords | None = None) -> Load:
    """Derive what a graph lacks: relations, attributes, concepts' names, and names of what has no label.

    Parameters: `words` says what the graph calls names and kinds, as for files. What an earlier load called `name` said is
    left out of account. A graph that declares relations or attributes is given no others, unless `words.relations` names some.

    Raises InputError where nothing has a name.

    >>> from kg import open_graph
    >>> derive_views(open_graph()).counts["triples"]  # it lacks nothing
    0
    """
    words = words or RdfWords()
    graph = graph.apart_from(name) if isinstance(graph, LocalGraph) else graph
    build = Build(name, source=graph.name, languages=words.languages)
    _Derivation(graph, words, build).run()
    return build.finish()


def with_views(graph: Graph, words: RdfWords | None = None) -> LocalGraph:
    """Return a graph in memory that has what it lacked, as `kg load views` adds it to a store.

    Raises InputError for a graph behind an endpoint, and where nothing has a name.
    """
    if not isinstance(graph, LocalGraph):
        way_out = "write it to a file (`kg load views --endpoint URL --out views.nq`), and load that into the endpoint"
        raise InputError("an endpoint's graph is not copied", place="--derive", way_out=way_out)
    load = derive_views(graph, NAME, words)
    copy = LocalGraph(copied(graph))
    copy.add(load)
    return copy


class _Derivation:
    """Asks the graph for names, kinds and uses, and says what is missing."""

    def __init__(self, graph: Graph, words: RdfWords, build: Build) -> None:
        self.graph, self.words, self.build = graph, words, build

    def run(self) -> None:
        names = self._names()
        concepts = self._concepts()
        unnamed = concepts.filter(~concepts.is_in(names["e"].implode()))
        named = pl.concat([names["e"], concepts]).unique()
        if names.is_empty():
            way_out = "say with --labels which predicates give names, and with --language in which language"
            raise InputError("nothing in this graph has a name", place=self.graph.name, way_out=way_out)
        declared = self._declare(named, names)
        lacking = names.filter(~pl.col("there") & ~pl.col("e").is_in(declared["p"].implode()))
        words = pl.DataFrame({"e": unnamed, "text": words_of_iris(unnamed)}).sort("e")
        self.build.label(words["e"], words["text"])
        self.build.label(lacking["e"], lacking["text"], lacking["language"])
        self._add_popularity(named)
        new = {"names": lacking.height, "concepts named": words.filter(pl.col("text") != "").height}
        self.build.counts = {**self.build.counts, **new}

    def _names(self) -> pl.DataFrame:
        """Return the best name of each thing, as e and text, and whether it is `there`: a label in a language that is read."""
        languages = {language.lower(): rank for rank, language in enumerate(self.words.languages)}
        parts = [pl.DataFrame(schema={"e": pl.String, "name": pl.String, "rank": pl.Int32})]
        naming = [_LABEL, *(iri for iri in map(iri_of, self.words.labels) if iri != _LABEL)]
        for rank, predicate in enumerate(naming):
            rows = self.graph.terms(_NAMES.replace("PREDICATE", predicate)).drop_nulls()
            parts.append(rows.with_columns(rank=pl.lit(rank, pl.Int32)))
        names = pl.concat(parts).with_columns(
            text=pl.col("name").map_batches(texts_of, return_dtype=pl.String).str.strip_chars(),
            language=pl.col("name").str.extract(_TAGGED).str.to_lowercase().fill_null(next(iter(languages))),
        )
        read = names.filter(pl.col("language").is_in([*languages]) & (pl.col("text") != ""))
        at = pl.col("language").replace_strict(languages, return_dtype=pl.Int64)
        # A label that is there goes before all others, in whatever language that is read.
        best = read.with_columns(at=at, there=pl.col("rank") == 0).sort("e", "there", "at", "rank", "text", descending=_THERE)
        return best.unique("e", keep="first", maintain_order=True).select("e", "text", "language", "there")

    def _concepts(self) -> pl.Series:
        """Return the concepts; what another predicate than `rdf:type` says becomes a type where it is none."""
        parts = [pl.Series("c", [], pl.String)]
        for predicate in dict.fromkeys([_TYPE, *map(iri_of, self.words.types)]):
            parts.append(self.graph.terms(_CONCEPTS.replace("PREDICATE", predicate))["c"].cast(pl.String))
            if predicate != _TYPE:
                missing = self.graph.terms(_UNTYPED.replace("PREDICATE", predicate)).sort("e", "c")
                self.build.type(missing["e"], missing["c"])
        every = pl.concat(parts).drop_nulls().unique().sort()
        return every.to_frame().filter(~in_vocabulary(pl.col("c")))["c"]

    def _declare(self, named: pl.Series, names: pl.DataFrame) -> pl.DataFrame:
        """Declare relations and attributes, and name those that have no label; return them all, as p."""
        wanted = [iri_of(word) for word in self.words.relations]
        relations, attributes = list[str](), list[str]()
        uses = PredicateUses()
        if wanted or not self.graph.ask(IS_DECLARED):
            uses = self._uses()
            relations, attributes = uses.relations_and_attributes(named, wanted, self.words.min_facts)
        declared = pl.DataFrame({"p": [*relations, *attributes]}, schema={"p": pl.String})
        declared = declared.join(names, left_on="p", right_on="e", how="left", maintain_order="left")
        self.build.type(pl.Series(relations, dtype=pl.String), f"<{KGP}Relation>")
        self.build.type(pl.Series(attributes, dtype=pl.String), f"<{KGP}Attribute>")
        labels = pl.Series(labels_of_predicates(declared, uses, self.words.properties), dtype=pl.String)
        lacking = declared.with_columns(label=labels).filter(~pl.col("there").fill_null(False))
        language = pl.when(pl.col("label") == pl.col("text")).then("language").otherwise(pl.lit("en"))
        self.build.label(lacking["p"], lacking["label"], lacking.select(language).to_series())
        self.build.counts |= {"relations": len(relations), "attributes": len(attributes)}
        return declared.select("p")

    def _uses(self) -> PredicateUses:
        """Count what each predicate relates and what values it gives; predicates of names and of vocabularies count not."""
        aside = {_TYPE, *map(iri_of, (*self.words.labels, *self.words.aliases))}
        asked = ~in_vocabulary(pl.col("p")) & ~pl.col("p").is_in([*aside])
        uses = PredicateUses()
        for counter, kind in ((uses.facts, "isIRI"), (uses.values, "isLiteral")):
            rows = self.graph.terms(_USES.replace("KIND", kind)).drop_nulls().filter(asked)
            counter.update({p: int(n) for p, n in zip(rows["p"], texts_of(rows["n"]), strict=True)})
        objects = pl.concat([piece.filter(asked) for piece in self.graph.term_pieces(_OBJECTS)])
        uses.objects = {str(p): part["o"] for (p,), part in objects.group_by("p", maintain_order=True)}
        return uses

    def _add_popularity(self, named: pl.Series) -> None:
        """Say in how many facts each named thing stands, where the graph says nothing about that."""
        if self.graph.ask("ASK { ?e kgp:popularity ?n }"):
            return
        ends = [pl.DataFrame(schema={"e": pl.String, "n": pl.Int64})]
        for query in _ENDS:
            rows = self.graph.terms(query).drop_nulls()
            asked = rows.filter(~in_vocabulary(pl.col("p")))
            ends.append(asked.select("e", n=pl.Series(texts_of(asked["n"])).cast(pl.Int64)))
        counts = pl.concat(ends).group_by("e").agg(pl.col("n").sum()).join(named.to_frame("e"), on="e", how="semi").sort("e")
        self.build.popular(counts["e"], counts["n"])


_THERE = [False, True, False, False, False]
_ENDS = [
    f"SELECT ?p ?e (COUNT(*) AS ?n) {{ ?s ?p ?o FILTER(isIRI(?s) && isIRI(?o)) BIND(?{end} AS ?e) }} GROUP BY ?p ?e"
    for end in "so"
]
"""How often each entity stands at either end of a fact: the sum of both is its degree."""
