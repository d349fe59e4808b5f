"""The third engine: a graph that is asked and never pulled, however large it is.

The server draws facts and looks for things, some hundred in a request; here is only the sample (`generators.fpq.sampled`): the
facts drawn, the ways from their subjects up to the radius, and who may stand for their objects. Over the sample the arrays
choose by the rules that they have for a whole graph. What a sample cannot tell, because it asks about all of the graph, the
server is asked of each offer: is it an object of the relation, is it general, does it stand beside a true object. So every
proof of an item holds in the graph; the draws that rest on shares and frequencies rest on those of the sample.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import keys_of
from generators.fpq.arrays import ArrayEngine
from generators.fpq.edits import BESIDE, EDITS, NEAR, ONE_SUBJECT, Edits, Triples
from generators.fpq.facts import Sample, draw_facts
from generators.fpq.likeness import WIDEST, Bands
from generators.fpq.sampled import Sampled
from generators.graph_columns import GraphColumns, ints
from kg.graph import Graph
from kg.sets import Bits, Ints, scatter
from queries.domain import Domain

_SUBJECTS, _LEAST = 8, 100
"""Of each relation the server draws so many subjects for every fact that is wanted of it, and so many at least."""

_WIDER = (1, 4, 16)
"""How many times as many it draws, one after the other, where too few of them can be asked about."""

_TRIED, _NEIGHBOURS, _HOLDERS = 40, 4, 4
"""Of the last hop, so many of a subject's neighbours are looked at; so many are described for a fact, with so many subjects."""

_FEW = 20
"""Of what is an object of a relation more often than that, no further subjects are looked for: the sample has some."""

_ALIKE = 2 ** (WIDEST / 2)
"""How many times as often as another an object of like frequency is."""


class Frontier(NamedTuple):
    """What was drawn of a graph, the columns of all that was fetched, and the engine that finds the edits' sets in them."""

    columns: GraphColumns
    sample: Sample
    engine: FrontierEngine

    def digest(self) -> str:
        """Return the graph's digest where that is known without reading it, else the one of the sample, marked as such."""
        sampled = self.engine.sampled
        known = getattr(sampled.graph, "recorded_digest", sampled.graph.digest)()  # of a remote graph what is recorded
        return known or f"sample:{sampled.as_graph().digest()}"


def open_frontier(
    graph: Graph, domain: Domain, n: int, seed: int, radius: int, *, even: bool = True, open_too: bool = False
) -> Frontier:
    """Let a graph draw up to `n` facts of a domain, and fetch what choosing their edits needs.

    Raises InputError where the domain matches nothing in the graph.
    """
    sampled = Sampled(graph, seed)
    first, sample = _drawn(sampled, domain, n, even=even, open_too=open_too)
    facts, counts = _in_terms(first, sample.triples), Counts(sampled)
    _reach(sampled, counts, facts, radius)
    counts.fetch(_objects(sampled, facts))
    columns = GraphColumns.of(sampled.as_graph(), seed)
    own = _numbered(facts, columns, sample.triples)
    concepts = pl.DataFrame({"iri": first.concept_iris.gather(sample.concepts)}).join(
        columns.concept_iris.to_frame("iri").with_row_index("c"), on="iri", how="left", maintain_order="left"
    )["c"]
    sample = replace(sample, triples=own, concepts=concepts)
    return Frontier(columns, sample, FrontierEngine(sampled, counts, columns, own, radius))


def _drawn(sampled: Sampled, domain: Domain, n: int, *, even: bool, open_too: bool) -> tuple[GraphColumns, Sample]:
    """Draw facts of a domain from a sample of the graph, from a larger one where too few of it can be asked about."""
    relations, before = sampled.relations_of(domain, open_too=open_too), -1
    for wider in _WIDER:
        among = sampled.draw(domain, relations, max(_LEAST, _SUBJECTS * n // max(len(relations), 1)) * wider)
        if among.height == before:
            break
        before = among.height
        ends = pl.concat([among["s"], among["o"]]).unique()
        sampled.describe(ends)
        sampled.tell_apart(ends)
        sampled.mark(among["s"])
        here = sampled.as_graph()
        columns = GraphColumns.of(here, sampled.seed)
        marks = (here.schema(f"SELECT DISTINCT ?s ?p {{ ?s kgp:{mark} ?p }}") for mark in ("incomplete", "complete"))
        partial, whole = marks
        iris = among.select(pl.all().str.head(-1).str.slice(1))
        sample = draw_facts(columns, domain, partial, n, complete=whole, even=even, open_too=open_too, among=iris)
        if len(sample.triples) >= n:
            break
    return columns, sample


def _reach(sampled: Sampled, counts: Counts, facts: pl.DataFrame, radius: int) -> None:
    """Describe whom the ways from some facts' subjects reach: all but the last ones, and of these whom an edit may name."""
    sampled.describe(facts.join(sampled.facts, on=["s", "p"])["o"])
    near = _levels(sampled, facts["s"].unique(maintain_order=True), radius)
    keys = near.select(node=pl.col("node").unique(maintain_order=True))
    keys = keys.with_columns(key=keys_of(sampled.seed, keys["node"].to_list()))
    ranked = near.join(keys, on="node", maintain_order="left").sort("key", "node", "root")
    some = ranked.group_by("root", maintain_order=True).head(_NEIGHBOURS)["node"]
    alike = _of_like_frequency(counts, facts, ranked)
    sampled.describe([*some, *alike["o"]])
    sampled.describe(_holders(sampled, counts, alike))
    sampled.tell_apart(pl.concat([some, alike["o"]]))


def _levels(sampled: Sampled, roots: pl.Series, radius: int) -> pl.DataFrame:
    """Return who is within a radius of each root: root, node. All nodes but those at the end of it are described."""
    level = pl.DataFrame({"root": roots, "node": roots})
    seen = level
    for hop in range(1, radius + 1):
        steps = sampled.facts.select(node="s", next="o").unique()
        reached = level.join(steps, on="node").select("root", node="next").unique()
        level = reached.join(seen, on=["root", "node"], how="anti").filter(pl.col("node").str.starts_with("<"))
        if hop < radius:
            sampled.describe(level["node"])
        seen = pl.concat([seen, level])
    return seen.filter(pl.col("root") != pl.col("node"))


def _of_like_frequency(counts: Counts, facts: pl.DataFrame, ranked: pl.DataFrame) -> pl.DataFrame:
    """Return whom the facts' relations have for objects about as often as their own, of those near each subject: p, o."""
    near = facts.rename({"o": "t"}).join(ranked, left_on="s", right_on="root").sort("key", "node")
    tried = near.filter(pl.col("node") != pl.col("t")).group_by("s", "p", "t", maintain_order=True).head(_TRIED)
    counts.fetch(pl.concat([tried.select("p", o="node"), facts.select("p", "o")]))
    own, other = (counts.known.rename({"o": end, "n": f"{end}_n"}) for end in ("t", "node"))
    counted = tried.join(own, on=["p", "t"]).join(other.filter(pl.col("node_n") > 0), on=["p", "node"])
    alike = counted.filter((pl.col("node_n") / pl.col("t_n")).is_between(1 / _ALIKE, _ALIKE)).sort("key", "node")
    return (
        alike.group_by("s", "p", "t", maintain_order=True).head(_NEIGHBOURS).select("p", o="node").unique(maintain_order=True)
    )


def _holders(sampled: Sampled, counts: Counts, objects: pl.DataFrame) -> pl.Series:
    """Return some of the subjects that have objects (p, o) which few have: who is plausible is told by who has it."""
    few = objects.join(counts.known.filter(pl.col("n") <= _FEW), on=["p", "o"]).sort("p", "o")
    found = [pl.Series("s", [], pl.String)]
    for (relation,), part in few.group_by("p", maintain_order=True):
        held = sampled.blocks.rows("true_subjects", part.select("o").to_dicts(), p=str(relation))
        found.append(held.sort("o", "s").group_by("o", maintain_order=True).head(_HOLDERS)["s"])
    return pl.concat(found)


def _objects(sampled: Sampled, facts: pl.DataFrame) -> pl.DataFrame:
    """Return the objects that the relations of some facts have in the sample, if described, and the facts' own: p, o."""
    held = sampled.facts.join(facts.select("p").unique(), on="p", how="semi").filter(sampled.described(pl.col("o")))
    return pl.concat([held.select("p", "o"), facts.select("p", "o")])


class Counts:
    """How often entities are objects of relations, counted by the server, each pair once; `known`: p, o, n."""

    def __init__(self, sampled: Sampled) -> None:
        self._blocks = sampled.blocks
        self.known = pl.DataFrame(schema={"p": pl.String, "o": pl.String, "n": pl.Int64})

    def fetch(self, pairs: pl.DataFrame) -> None:
        """Count for pairs p, o that have not been counted."""
        new = pairs.unique().join(self.known, on=["p", "o"], how="anti").sort("p", "o")
        for (relation,), part in new.group_by("p", maintain_order=True):
            found = self._blocks.rows("object_counts", part.select("o").to_dicts(), p=str(relation))
            number = pl.col("subjects").str.extract(r'^"(\d+)"').cast(pl.Int64)
            counted = part.join(found.select("o", n=number), on="o", how="left", maintain_order="left")
            self.known = pl.concat([self.known, counted.select("p", "o", pl.col("n").fill_null(0))])


class FrontierEngine(ArrayEngine):
    """Finds sets of a sample's entities; what frequencies and sizes there are, the server counts in the whole graph."""

    def __init__(self, sampled: Sampled, counts: Counts, columns: GraphColumns, sample: Triples, radius: int) -> None:
        super().__init__(columns, sample, radius, "forward")
        self.sampled, self.counts = sampled, counts

    def confirm(self, triples: Triples, objects: Ints) -> npt.NDArray[np.bool_]:
        """Say of offers, (triples, edits, offers), whether they hold in the whole graph; the server is asked."""
        row, column, place = np.nonzero(objects >= 0)
        at = pl.DataFrame({"row": row, "column": column, "place": place})
        facts = _in_terms(self.columns, triples[row])
        offers = at.with_columns(s=facts["s"], p=facts["p"], o=_terms(self.columns.entities, objects[row, column, place]))
        refused = [self._above_others(offers), self._related(offers), self._together(offers)]
        kept = offers.join(pl.concat(refused), on=at.columns, how="anti")
        out = np.zeros(objects.shape, np.bool_)
        out[tuple(kept[name].to_numpy() for name in at.columns)] = True
        return out

    def frequencies(self, triples: Triples, edits: Edits) -> tuple[Ints, Ints]:
        """Return how often each object, true or edited, is one of its relation: both as one number, sorted; the counts."""
        row, column = np.nonzero(edits.objects >= 0)
        facts = _in_terms(self.columns, triples[row])
        self.counts.fetch(facts.select("p", o=_terms(self.columns.entities, edits.objects[row, column])))
        p, o, count = self._counted()
        order = np.argsort(p * self.columns.n + o)
        return (p * self.columns.n + o)[order], count[order]

    def _above_others(self, offers: pl.DataFrame) -> pl.DataFrame:
        """Return the offers of which other objects of the relation are kinds."""
        things = offers.select("o").unique().sort("o").to_dicts()
        classes = self.sampled.blocks.rows("with_kinds", things)
        pairs = offers.join(classes, on="o").select("p", "o").unique().sort("p", "o")
        return self._asked("general_object", pairs, offers)

    def _related(self, offers: pl.DataFrame) -> pl.DataFrame:
        """Return the offers to the edit by another relation that are objects of the fact's all the same."""
        others = offers.filter(pl.col("column") == EDITS.index("NNDR"))
        self.counts.fetch(others.select("p", "o"))
        return others.join(self.counts.known.filter(pl.col("n") > 0), on=["p", "o"], how="semi")

    def _together(self, offers: pl.DataFrame) -> pl.DataFrame:
        """Return the near offers that stand beside a true object of the fact for several subjects."""
        near = offers.filter(pl.col("column") < len(NEAR))
        true = near.join(self.sampled.facts.rename({"o": "t"}), on=["s", "p"]).filter(pl.col("o") != pl.col("t"))
        parts = [true.clear()]
        for (relation,), part in true.sort("p", "t", "o").group_by("p", maintain_order=True):
            rows = part.select("t", "o").unique(maintain_order=True).to_dicts()
            found = self.sampled.blocks.rows("beside", rows, p=str(relation))
            often = found.filter(pl.col("subjects").str.extract(r'^"(\d+)"').cast(pl.Int64) >= BESIDE)
            parts.append(part.join(often, on=["t", "o"], how="semi"))
        return pl.concat(parts).select(offers.columns).unique()

    def _asked(self, name: str, pairs: pl.DataFrame, offers: pl.DataFrame) -> pl.DataFrame:
        """Return the offers whose relation and object a query of the library finds, asked of some pairs p, o."""
        found = [pairs.clear()]
        for (relation,), part in pairs.group_by("p", maintain_order=True):
            rows = self.sampled.blocks.rows(name, part.select("o").to_dicts(), p=str(relation))
            found.append(rows.select(p=pl.lit(relation), o="o"))
        return offers.join(pl.concat(found), on=["p", "o"], how="semi")

    def _counted(self) -> tuple[Ints, Ints, Ints]:
        """Return relation and object by number, and how often it is one, of all that have been counted and are some."""
        entity = self.columns.entities.select(o=pl.format("<{}>", "iri")).with_row_index("e")
        relation = self.columns.relations.select(p=pl.format("<{}>", "iri")).with_row_index("r")
        some = self.counts.known.filter(pl.col("n") > 0).join(entity, on="o").join(relation, on="p")
        p, o, n = (ints(some[name]) for name in ("r", "e", "n"))
        return p, o, n

    @cached_property
    def _bands(self) -> Bands:
        return Bands(self.columns.n, *self._counted())

    @cached_property
    def _objects(self) -> Bits:
        """The objects of each relation as far as they are known, (relations, entities)."""
        facts, (p, o, _) = self.columns.facts, self._counted()
        row, entity = np.concatenate([ints(facts["p"]), p]), np.concatenate([ints(facts["o"]), o])
        return scatter(self.columns.relations.height, self.columns.n, row, entity)

    @cached_property
    def _owned(self) -> Bits:
        """What the rule of one subject per object allows each relation, by the sizes that it has in the whole graph."""
        sizes = [self.sampled.sizes.get(f"<{iri}>") for iri in self.columns.relations["iri"]]
        many = np.array([size is None or size["facts"] > ONE_SUBJECT * size["objects"] for size in sizes], np.bool_)
        return self._objects | np.where(many, ~np.uint64(0), np.uint64(0))[:, None]


def _terms(named: pl.DataFrame, numbers: Ints) -> pl.Series:
    """Return entities or relations by number as N-Triples writes them."""
    return ("<" + named["iri"].gather(numbers) + ">").alias("term")


def _in_terms(columns: GraphColumns, triples: Triples) -> pl.DataFrame:
    """Return triples as N-Triples writes them: s, p, o."""
    s, o = (_terms(columns.entities, numbers) for numbers in (triples.s, triples.o))
    return pl.DataFrame({"s": s, "p": _terms(columns.relations, triples.p), "o": o})


def _numbered(facts: pl.DataFrame, columns: GraphColumns, drawn: Triples) -> Triples:
    """Return facts by their numbers in some columns, with the keys that they were drawn by."""
    frame, ends = facts, {"s": columns.entities, "p": columns.relations, "o": columns.entities}
    for end, named in ends.items():
        number = named.select(pl.format("<{}>", "iri").alias(end)).with_row_index(f"{end}_number")
        frame = frame.join(number, on=end, how="left", maintain_order="left")
    s, p, o = (ints(frame[f"{end}_number"]) for end in ends)
    return Triples(s, p, o, drawn.keys)
