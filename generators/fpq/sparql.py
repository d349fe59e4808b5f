"""The edits' sets by SPARQL: slow, and the definition of what the array engine computes.

Every set is what a query of `queries/library` returns; Python only walks up and down the containment hierarchy and folds names.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache, cached_property

import networkx as nx
import numpy as np
import numpy.typing as npt
import polars as pl

from generators.fpq.edits import BESIDE, COMMON, IMPLIED_PAIRS, IMPLIED_SHARE, ONE_SUBJECT, Masks, Near, Triples, trace
from generators.fpq.likeness import Bands
from generators.graph_columns import GraphColumns
from generators.years import ALWAYS
from kg.graph import Graph
from kg.sets import Bits, Ints, Sets, first_set, scatter
from kg.vocab import XSD
from queries.domain import alike, containment
from queries.templates import find


class SparqlEngine:
    """Finds the sets of a sample's triples by asking the graph, an entity or a relation at a time."""

    def __init__(self, graph: Graph, columns: GraphColumns, sample: Triples, radius: int, direction: str) -> None:
        self.graph, self.columns, self.sample, self.radius = graph, columns, sample, radius
        self._tail = "_both" if direction == "both" else ""
        self._iris = columns.entities["iri"].to_list()
        self._number = {iri: i for i, iri in enumerate(self._iris)}
        self._relations = columns.relations["iri"].to_list()
        # Each is asked once for what it is asked about; triples share subjects, objects and relations. Per engine, not per
        # class: the answers belong to one graph.
        self._near = cache(self._near_of)
        self._outside = cache(lambda s: self._ask(f"not_neighbour{self._tail}", "o", s=s, radius=self.radius))
        self._same = cache(lambda s, p, o: self._ask("same_kind", "b", a=o, p=p, s=s))
        self._fellows = cache(lambda s, p: self._ask("fellow_objects", "o", s=s, p=p))
        self._followers, self._neighbours = cache(self._followers_of), cache(self._neighbours_of)
        self._different = cache(lambda o: self._ask("different_concept", "b", a=o))
        self._objects = cache(lambda p: self._ask("object_of_relation", "o", p=p))
        self._true = cache(lambda s, p: self._ask("true_objects", "o", s=s, p=p))
        self._subjects = cache(lambda o, p: self._ask("true_subjects", "s", o=o, p=p))
        self._beside = cache(self._beside_of)
        self._beside_by_concept = cache(lambda true, relation: self._select("beside_of_concept", p=relation, t=true))
        self._general = cache(lambda p: self._ask("general_object", "o", p=p))

    def masks(self, rows: Ints) -> Masks:
        """Return the sets for some rows of the sample."""
        triples = self.sample[rows]
        s, o = ([self._iris[i] for i in numbers] for numbers in (triples.s.tolist(), triples.o.tolist()))
        p = [self._relations[i] for i in triples.p.tolist()]
        return Masks(
            near=self._near_to(rows),
            like=self._bands.of(triples.p, triples.o),
            outside=self._sets(map(self._outside, s)),
            same=self._sets(self._comparable(self._same(s, p, o), s, o) for s, p, o in zip(s, p, o, strict=True)),
            different=self._sets(map(self._different, o)),
            objects=self._sets(map(self._objects, p)),
            fellows=self._sets(self._comparable(self._fellows(s, p), s, o) for s, p, o in zip(s, p, o, strict=True)),
            banned=self._sets(map(self._banned, s, p)),
            beside=self._sets(
                set().union(*(self._beside(e, x, r) for x in self._true(e, r))) for e, r in zip(s, p, strict=True)
            ),
            owned=self._sets(self._objects(r) if self._one_subject[r] else set(self._iris) for r in p),
            typed=np.array([iri in self._typed for iri in o], np.bool_),
        )

    def _near_to(self, rows: Ints) -> Near:
        subjects = [self._iris[i] for i in self.sample.s[rows].tolist()]
        return Near(self._levels(map(self._near, subjects)), np.arange(len(rows)))

    def chains(self, rows: Ints, targets: Ints, hops: Ints) -> Ints:
        """Return for some rows of the sample the entities on a shortest way from the subject to a target (`trace`)."""
        near = self._near_to(rows)

        def before(some: Ints, nodes: Ints, hop: int) -> Ints:
            leading = self._bits(self._before[self._iris[i]] for i in nodes.tolist())
            there = near[some].at(np.full(len(some), hop)).bits()
            return first_set(leading & there, np.zeros(len(some), np.int64))

        return trace(self.sample.s[rows], targets, hops, self.radius, before)

    def confirm(self, triples: Triples, objects: Ints) -> npt.NDArray[np.bool_]:
        """Say of offered objects, (triples, edits, offers), whether they may be taken: the sets hold no others."""
        return objects >= 0

    # --- asking

    def _select(self, name: str, **values: str | int) -> pl.DataFrame:
        row = {k: f'"{v}"^^<{XSD}integer>' if isinstance(v, int) else f"<{v}>" for k, v in values.items()}
        return self.graph.select(find(name).bind(row))

    def _ask(self, name: str, column: str, **values: str | int) -> set[str]:
        return set(self._select(name, **values)[column].to_list())

    def _bits(self, sets: Iterable[set[str]]) -> Bits:
        known = [[self._number[iri] for iri in iris if iri in self._number] for iris in sets]
        row = np.repeat(np.arange(len(known)), [len(numbers) for numbers in known])
        return scatter(len(known), self.columns.n, row, np.array([i for numbers in known for i in numbers], np.int64))

    def _sets(self, sets: Iterable[set[str]]) -> Sets:
        table = self._bits(sets)
        return Sets(table, np.arange(len(table)))

    def _levels(self, near: Iterable[dict[int, set[str]]]) -> Bits:
        levels = list(near)
        return np.stack([self._bits(level.get(hop, set()) for level in levels) for hop in range(1, self.radius + 1)])

    def _near_of(self, subject: str) -> dict[int, set[str]]:
        levels: dict[int, set[str]] = defaultdict(set)
        for iri, hops in self._select(f"khop{self._tail}", s=subject, radius=self.radius).iter_rows():
            levels[int(hops)].add(iri)
        return levels

    def _beside_of(self, subject: str, true: str, relation: str) -> set[str]:
        concepts = self._concepts.get(subject, set())
        if concepts:
            counted = self._beside_by_concept(true, relation).filter(pl.col("c").is_in(sorted(concepts)))
        else:
            counted = self._select("beside", p=relation, t=true)
        return set(counted.filter(pl.col("subjects").cast(pl.Int64) >= BESIDE)["o"].to_list())

    # --- the same kind

    def _comparable(self, some: set[str], subject: str, true: str) -> set[str]:
        """Those of some who share a trade and a continent with the true object, and were there at the time."""
        groups = [group for group in (self._followers(true), self._neighbours(true)) if group is not None]
        return {e for e in some if all(e in group for group in groups) and self._was_there(e, subject, true)}

    def _followers_of(self, entity: str) -> set[str] | None:
        """Who shares a trade with an entity; None where it has none."""
        trades = [self._ask("same_object", "b", a=entity, p=iri) for iri in self._of_role("trades")]
        return set().union(*trades) or None

    def _neighbours_of(self, entity: str) -> set[str] | None:
        """What lies on a continent of an entity, itself or by its country; None where none is known."""
        countries = self._all(self._true, [entity], "within")
        own = self._all(self._true, [entity, *countries], "regions")
        there = self._all(self._subjects, own, "regions")
        return there | self._all(self._subjects, there, "within") if own else None

    def _all(self, ask: Callable[[str, str], set[str]], entities: Iterable[str], role: str) -> set[str]:
        return set().union(*(ask(entity, iri) for entity in entities for iri in self._of_role(role)))

    def _of_role(self, role: str) -> list[str]:
        """The relations that play a role in `queries/domains/alike.toml`."""
        return [iri for iri, names in self.columns.relations.select("iri", "names").iter_rows() if alike()[role] & set(names)]

    def _was_there(self, entity: str, subject: str, true: str) -> bool:
        begin, end = self._span(subject)
        if subject in self._made:
            end = begin
        low, high = self._span(true)
        dated = (begin, end) != (-ALWAYS, ALWAYS)
        if dated and begin <= high and low <= end:
            low, high = begin, end
        first, last = self._span(entity)
        return first <= high and low <= last

    def _span(self, entity: str) -> tuple[int, int]:
        return self._spans.get(entity, (-ALWAYS, ALWAYS))

    @cached_property
    def _spans(self) -> dict[str, tuple[int, int]]:
        return {self._iris[e]: (begin, end) for e, begin, end in self.columns.years.select("e", "begin", "end").iter_rows()}

    @cached_property
    def _made(self) -> set[str]:
        return {self._iris[e] for e in self.columns.years.filter("made")["e"]}

    @cached_property
    def _typed(self) -> set[str]:
        return set(self._concepts)

    @cached_property
    def _concepts(self) -> dict[str, set[str]]:
        concepts: dict[str, set[str]] = defaultdict(set)
        for e, c in self._select("concepts").iter_rows():
            concepts[e].add(c)
        return concepts

    @cached_property
    def _before(self) -> dict[str, set[str]]:
        before: dict[str, set[str]] = defaultdict(set)
        for s, o in self._select("edges").iter_rows():
            before[o].add(s)
            if self._tail:
                before[s].add(o)
        return before

    @cached_property
    def _bands(self) -> Bands:
        counted = [
            (relation, self._number[iri], int(subjects))
            for relation in np.unique(self.sample.p).tolist()
            for iri, subjects in self._select("object_counts", p=self._relations[relation]).iter_rows()
            if iri in self._number
        ]
        p, o, count = np.array(counted, np.int64).reshape(-1, 3).T
        return Bands(self.columns.n, p, o, count)

    # --- exclusions

    def _banned(self, subject: str, relation: str) -> set[str]:
        true = self._true(subject, relation)
        namesakes = [e for e in self._namesakes(subject) if e != subject]
        of_namesakes = set().union(*(self._true(e, relation) for e in namesakes))
        banned = set().union(*map(self._namesakes, [subject, *true, *of_namesakes]), *map(self._above_and_below, true))
        banned = banned.union(self._above(subject), *(self._tails[e] for e in [*true, *of_namesakes]))
        for q in self._implied_by[relation]:
            banned |= self._true(subject, q)
        for q in self._implied_backward_by[relation]:
            banned |= self._subjects(subject, q)
        return banned | self._general(relation) | self._common_nouns(relation) | self._unnamed

    def _common_nouns(self, relation: str) -> set[str]:
        """Who is called by a common noun, for a relation of which hardly an object is."""
        objects = self._objects(relation)
        return self._common if COMMON * len(objects & self._common) < max(len(objects), 1) else set()

    @cached_property
    def _common(self) -> set[str]:
        return set(self.columns.entities.filter(self.columns.common)["iri"].to_list())

    def _namesakes(self, entity: str) -> set[str]:
        return {entity}.union(*(self._bearers[name] for name in self._names[entity]))

    @cached_property
    def _tails(self) -> dict[str, set[str]]:
        tails: dict[str, set[str]] = defaultdict(set)
        for e, x in self.columns.tails.iter_rows():
            tails[self._iris[e]].add(self._iris[x])
        return tails

    @cached_property
    def _unnamed(self) -> set[str]:
        return set(self.columns.entities.filter(~self.columns.candidates)["iri"].to_list())

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        names: dict[str, set[str]] = defaultdict(set)
        for e, name in self.columns.names.iter_rows():
            names[self._iris[e]].add(name)
        return names

    @cached_property
    def _bearers(self) -> dict[str, set[str]]:
        bearers: dict[str, set[str]] = defaultdict(set)
        for entity, names in self._names.items():
            for name in names:
                bearers[name].add(entity)
        return bearers

    @cached_property
    def _hierarchy(self) -> nx.DiGraph[str]:
        """Edges from what is contained to what contains it."""
        up, down = containment()
        edges: nx.DiGraph[str] = nx.DiGraph()
        for iri, names in self.columns.relations.select("iri", "names").iter_rows():
            if up & set(names):
                stated = list(self._select("contained", r=iri).iter_rows())
                if alike()["within"] & set(names):  # what holds lands and has several, or members, lies in none
                    lands = Counter(low for low, _ in stated)
                    shared = {low for low in lands if lands[low] > 1 or low in self._leagues} & self._land_holders
                    stated = [(low, high) for low, high in stated if low not in shared]
                edges.add_edges_from(stated)
            elif down & set(names):
                edges.add_edges_from((low, high) for high, low in self._select("contained", r=iri).iter_rows())
        between = [*self._select("superconcepts").iter_rows(), *self._select("concepts").iter_rows()]
        edges.add_edges_from((c, d) for c, d in between if c in self._number and d in self._number)
        return edges

    @cached_property
    def _leagues(self) -> set[str]:
        """What has members."""
        return {o for iri in self._of_role("leagues") for _, o in self._select("contained", r=iri).iter_rows()}

    @cached_property
    def _land_holders(self) -> set[str]:
        """What a land lies in, or is a part or member of."""
        lands = {high for iri in self._of_role("within") for _, high in self._select("contained", r=iri).iter_rows()}
        up, _ = containment()
        upward = [iri for iri, names in self.columns.relations.select("iri", "names").iter_rows() if up & set(names)]
        return {high for iri in upward for low, high in self._select("contained", r=iri).iter_rows() if low in lands}

    def _above(self, entity: str) -> set[str]:
        return nx.descendants(self._hierarchy, entity) if entity in self._hierarchy else set()

    def _above_and_below(self, entity: str) -> set[str]:
        return self._above(entity) | (nx.ancestors(self._hierarchy, entity) if entity in self._hierarchy else set())

    @cached_property
    def _sizes(self) -> dict[str, tuple[int, int]]:
        return {p: (int(facts), int(objects)) for p, facts, objects in self._select("relation_sizes").iter_rows()}

    @cached_property
    def _one_subject(self) -> dict[str, bool]:
        return {p: facts <= ONE_SUBJECT * objects for p, (facts, objects) in self._sizes.items()}

    @cached_property
    def _implied_by(self) -> dict[str, set[str]]:
        return self._often("implications")

    @cached_property
    def _implied_backward_by(self) -> dict[str, set[str]]:
        return self._often("inversions")

    def _often(self, view: str) -> dict[str, set[str]]:
        """Return for each relation p those that imply it, by how often both hold."""
        implied_by: dict[str, set[str]] = defaultdict(set)
        for q, p, both in self._select(view).iter_rows():
            if int(both) >= IMPLIED_PAIRS and int(both) >= IMPLIED_SHARE * self._sizes[q][0]:
                implied_by[p].add(q)
        return implied_by
