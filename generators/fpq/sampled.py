"""The part of a graph that a draw needs, fetched set at a time where the graph is too large to be pulled.

A relation's facts are drawn by the server: those of subjects whose MD5 lies in a range. Of some things *all* is fetched that
the rules look at (facts, types and what is above them, names, years, who else bears a name); they are *described*. What is
only named by a fact of theirs has no label here, so it is never named in a question. What is fetched becomes a graph in memory,
of a size that the draw determines and not the graph: every rule then reads it as it reads a whole one.
Queries are asked about some hundred things in each request, and what that takes is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from generators.graph_columns import relations_of
from generators.items import languages_of
from generators.years import year_attributes
from kg.build import Build
from kg.graph import Graph, check_declared
from kg.local import LocalGraph
from kg.vocab import KGP, PREFIXES, RDF_TYPE, RDFS_LABEL, SKOS_ALT, SUBCLASS
from queries.domain import Domain, alike, containment
from queries.templates import Row, Template, find, inline

_ROUNDS, _WIDER = 4, 8
"""Where a relation's subjects are seldom of the domain's concepts, a wider range is asked for, so many times at most."""

_CLIMBS = 8
"""So many steps up from a place, an organisation, a part are fetched; of types and classes, all."""

_DIGITS = 8
_TRIPLE = ("s", "p", "o")
_KIND = [f"<{PREFIXES['wdt']}{name}>" for name in ("P31", "P279")]


class Sampled:
    """What is fetched of a graph; IRIs are written as in N-Triples."""

    def __init__(self, graph: Graph, seed: int) -> None:
        self.graph, self.seed, self.blocks = graph, seed, Blocks(graph)
        declared = find("relations").bind()
        self.relations = relations_of(graph.select(declared))
        if self.relations.is_empty():
            check_declared(graph)
        self._attributes = [f"<{iri}>" for iris in year_attributes(graph).values() for iri in iris]
        self.sizes: dict[str, dict[str, int]] = {}
        self._described: set[str] = set()
        self._borne: set[str] = set()
        self._marked: set[str] = set()
        self._triples = [self._declared("relations", "Relation"), self._declared("attributes", "Attribute")]
        self._schema = [_none()]
        self.facts, self._names = _none(), _none("e", "name")
        self._above = _none("low", "high").with_columns(kind=pl.lit(False))

    # --- what is drawn by the server

    def relations_of(self, domain: Domain, *, open_too: bool) -> list[str]:
        """Return the relations of a domain; open ones only where they are asked for, or the graph knows some whole list."""
        relations = self._going_by(domain.relations)
        if open_too:
            return sorted(relations)
        whole = set(self.graph.schema("SELECT DISTINCT ?p { ?s kgp:complete ?p }")["p"])
        return sorted({*relations} - ({*self._going_by(domain.open)} - whole))

    def draw(self, domain: Domain, relations: Iterable[str], subjects: int) -> pl.DataFrame:
        """Return facts of a domain, s, p, o: of each of some relations those of about so many subjects, or of all."""
        concepts = self._concepts(domain)
        drawn = [_none()]
        for iri in relations:
            found = self._of_relation(f"<{iri}>", concepts, subjects) if concepts else _none("s", "o")
            drawn.append(found.select("s", p=pl.lit(f"<{iri}>"), o="o"))
        return pl.concat(drawn).filter(_is_iri("s"), _is_iri("o"))

    def _of_relation(self, relation: str, concepts: Sequence[str], wanted: int) -> pl.DataFrame:
        self.sizes[relation] = self.blocks.one("relation_size", p=relation)
        every = self.sizes[relation]["subjects"]
        found, low, share = [_none("s", "o")], "", 0.0
        for _ in range(_ROUNDS if every else 0):
            share = min(1.0, share * _WIDER or wanted / every)
            high = "g" if share == 1 else f"{int(share * 16**_DIGITS):0{_DIGITS}x}"
            fixed = {"p": relation, "seed": f'"{self.seed}:"', "low": f'"{low}"', "high": f'"{high}"'}
            found.append(self.blocks.rows("sampled_facts", [{"c": concept} for concept in concepts], **fixed))
            low = high
            if share == 1 or 2 * pl.concat(found)["s"].n_unique() >= wanted:
                break
        return pl.concat(found)

    def _concepts(self, domain: Domain) -> list[str]:
        """Return the concepts that a domain lists, by name: in small letters, with capitals, or with the first one alone."""
        spelled = {form for name in domain.concepts for form in (name, name.capitalize(), name.title(), name.upper())}
        tags = dict.fromkeys(["", "@en", *(f"@{language.lower()}" for language in languages_of(self.graph))])
        names = [{"name": f'"{text}"{tag}'} for text in sorted(spelled) for tag in tags]
        return sorted(self.blocks.rows("concepts_named", names)["c"])

    # --- what is described

    def describe(self, things: Iterable[str]) -> None:
        """Fetch what the rules look at of some things, and of all that is above them by type, class and place."""
        wanted, climbs = set(things), 0
        while new := sorted(iri for iri in wanted - self._described if iri.startswith("<")):
            self._describe(new)
            climbs += 1
            over = self._above.filter(pl.col("low").is_in(new), pl.col("kind") | (climbs < _CLIMBS))
            wanted = set(over["high"])

    def _describe(self, new: list[str]) -> None:
        self._described.update(new)
        rows = [{"e": iri} for iri in new]
        facts = self.blocks.rows("facts", [{"s": iri} for iri in new]).select(_TRIPLE)
        types, classes = self.blocks.rows("concepts", rows), self.blocks.rows("superconcepts", [{"c": iri} for iri in new])
        labels, aliases = self.blocks.rows("labels", rows), self.blocks.rows("aliases", rows)
        holding = self._holding(new)  # a place may be said to be in another by what that one says alone: "has part"
        facts = pl.concat([facts, holding])
        upward = facts.filter(pl.col("p").is_in(self._upward)).select(low="s", high="o", kind=pl.col("p").is_in(_KIND))
        held = holding.select(low="o", high="s", kind=pl.lit(False))
        over = [upward, held, types.select(low="e", high="c", kind=True), classes.select(low="c", high="d", kind=True)]
        self.facts = pl.concat([self.facts, facts])
        self._above = pl.concat([self._above, *over])
        self._names = pl.concat([self._names, labels.select("e", name="label"), aliases.select("e", name="alias")])
        self._triples += [
            facts,
            _said(types, f"<{RDF_TYPE}>"),
            _said(classes, f"<{SUBCLASS}>"),
            _said(labels, f"<{RDFS_LABEL}>"),
            _said(aliases, f"<{SKOS_ALT}>"),
            *(_said(self.blocks.rows("attribute_values", rows, p=p), p) for p in self._attributes),
        ]

    def _holding(self, new: list[str]) -> pl.DataFrame:
        """Fetch the facts by which something else says that it contains some things."""
        down = " ".join(f"<{iri}>" for iri in self._going_by(containment()[1]))
        return self.blocks.found(
            inline(f"SELECT ?s ?p ?o {{ VALUES ?p {{ {down} }} ?s ?p ?o }}", ["o"]), [{"o": iri} for iri in new]
        )

    @property
    def _upward(self) -> list[str]:
        roles = [containment()[0], *(alike()[role] for role in ("within", "regions", "parts"))]
        return sorted({*_KIND, *(f"<{iri}>" for iri in self._going_by(set().union(*roles)))})

    def tell_apart(self, things: Iterable[str]) -> None:
        """Describe who else bears a name of some things."""
        names = set(self._names.filter(pl.col("e").is_in([*things]))["name"]) - self._borne
        self._borne |= names
        self.describe(self.blocks.rows("bearers", [{"name": name} for name in sorted(names)])["e"])

    def mark(self, subjects: Iterable[str]) -> None:
        """Fetch which of some subjects' lists are known to be incomplete, or to be whole."""
        new = sorted(set(subjects) - self._marked)
        self._marked.update(new)
        for mark in ("incomplete", "complete"):
            template = inline(f"SELECT DISTINCT ?s ?p {{ ?s kgp:{mark} ?p }}", ["s"])
            for query in self.blocks.bound(template, [{"s": iri} for iri in new]):
                pairs = self.graph.schema(query)
                terms = pairs.select(s=pl.format("<{}>", "s"), p=pl.lit(f"<{KGP}{mark}>"), o=pl.format("<{}>", "p"))
                self._schema.append(terms.cast(pl.String))

    def described(self, things: pl.Expr) -> pl.Expr:
        """Say of things whether they have been described."""
        return things.is_in(sorted(self._described))

    # --- as a graph

    def as_graph(self) -> LocalGraph:
        """Return what has been fetched as a graph in memory."""
        build = Build("sample", source=self.graph.name, base=self.graph.base)
        for part in self._triples:
            build.triples(part["s"], part["p"], part["o"])
        for part in self._schema:
            build.triples(part["s"], part["p"], part["o"], schema=True)
        return LocalGraph.in_memory(build.finish())

    def _declared(self, view: str, kind: str) -> pl.DataFrame:
        found = self.blocks.rows(view, [{}])
        typed = found.select(s="p", p=pl.lit(f"<{RDF_TYPE}>"), o=pl.lit(f"<{KGP}{kind}>")).unique(maintain_order=True)
        return pl.concat([typed, _said(found, f"<{RDFS_LABEL}>").drop_nulls()])

    def _going_by(self, names: Iterable[str]) -> list[str]:
        """Return the relations that go by one of some folded names."""
        listed = pl.col("names").list.set_intersection(sorted(names)).list.len() > 0
        return self.relations.filter(listed)["iri"].to_list()


def _none(*columns: str) -> pl.DataFrame:
    return pl.DataFrame(schema=dict.fromkeys(columns or _TRIPLE, pl.String))


def _said(pairs: pl.DataFrame, predicate: str) -> pl.DataFrame:
    """Make triples of pairs and one predicate."""
    first, second = pairs.columns
    return pairs.select(s=first, p=pl.lit(predicate), o=second)


def _is_iri(column: str) -> pl.Expr:
    return pl.col(column).str.starts_with("<")


BLOCK = 200
"""So many rows stand in a VALUES block: Virtuoso refuses thousands, and what comes back stays below where servers cut."""


class Blocks:
    """Asks a graph set at a time; `requests` is how many queries it was asked, `fetched` how many rows came.

    >>> from kg import open_graph
    >>> blocks = Blocks(open_graph())
    >>> capital = f"<{open_graph().base}country#ref-capital>"
    >>> blocks.one("relation_size", p=capital)["subjects"] > 1, blocks.requests, blocks.fetched
    (True, 1, 1)
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.requests, self.fetched = graph, 0, 0

    def rows(self, name: str, rows: Sequence[Row], **same: str) -> pl.DataFrame:
        """Return what a query of the library finds for any of some rows of values: terms as N-Triples, each row once.

        Parameters: `same` are values that all rows share. No rows find nothing.
        """
        return self.found(find(name), rows, **same)

    def found(self, template: Template, rows: Sequence[Row], **same: str) -> pl.DataFrame:
        """Return what a template finds for any of some rows of values, as `rows` does."""
        parts = [pl.DataFrame(schema=dict.fromkeys(template.slots, pl.String))]
        for query in self.bound(template, rows, **same):
            parts.append(self.graph.terms(query).select(template.slots))
            self.fetched += parts[-1].height
        return pl.concat(parts).unique(maintain_order=True)

    def bound(self, template: Template, rows: Sequence[Row], **same: str) -> Iterator[str]:
        """Yield the queries that ask a template about some rows of values, and count them."""
        for first in range(0, len(rows), BLOCK):
            self.requests += 1
            yield template.bind([{**same, **row} for row in rows[first : first + BLOCK]])

    def one(self, name: str, **values: str) -> dict[str, int]:
        """Return the numbers in the one row that a query of the library finds: an aggregate."""
        row = self.graph.select(find(name).bind(values))
        self.requests, self.fetched = self.requests + 1, self.fetched + row.height
        return {column: int(number) for column, number in row.row(0, named=True).items()}
