"""The same edits by networkx and sets, a triple at a time: the program one would write without arrays.

It is written to be quick as such programs go: every table of the graph is made beforehand, sets are united and cut by Python's
own operations, and what repeats (the distances of a subject, the kin of a concept) is kept.

```
python tests/benchmarks/spine.py --quick
```
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TypeVar

import networkx as nx

from generators.fpq.edits import BESIDE, IMPLIED_PAIRS, IMPLIED_SHARE, ONE_SUBJECT, SEVERAL, TYPICAL, TYPICAL_OF_LIKE
from generators.graph_columns import GraphColumns
from queries.domain import alike

__all__ = ["Plain", "Zone", "edge_graph"]

K = TypeVar("K")
V = TypeVar("V")

EDITS = ("NSC", "NDC", "NNSR", "NNSC", "NNDC", "NNDR")
NEAR = ("NSC", "NDC")

Zone = dict[int, list[int]]
"""The candidates of an edit by their distance; 0 stands for everybody outside."""


def edge_graph(edges: Iterable[tuple[int, int]], *, both: bool) -> nx.DiGraph[int] | nx.Graph[int]:
    """Make the graph that the distances are taken in."""
    graph: nx.DiGraph[int] | nx.Graph[int] = nx.Graph() if both else nx.DiGraph()
    graph.add_edges_from(edges)
    return graph


class Plain:
    """Chooses the six edited objects of one triple after the other. `candidates` and `choose` are what is measured."""

    def __init__(self, columns: GraphColumns, radius: int, *, both: bool) -> None:
        self.radius, self.random = radius, random.Random(0)
        facts = list(columns.facts.iter_rows())
        self.graph = edge_graph(((s, o) for s, _, o in facts), both=both)
        self.into = _grouped((o, s) for s, _, o in facts)
        self.objects = _grouped(((s, p), o) for s, p, o in facts)
        self.subjects = _grouped(((p, o), s) for s, p, o in facts)
        self.relation_objects = _grouped((p, o) for _, p, o in facts)
        uses = Counter(p for _, p, _ in facts)
        self.one_subject = {p for p in uses if uses[p] <= ONE_SUBJECT * len(self.relation_objects[p])}
        self.implying, self.implying_turned = _implications(facts, uses)
        self._names(columns)
        self._concepts(columns)
        self.held = _grouped(((p, c), o) for s, p, o in facts for c in self.concepts.get(s, ()))
        self.trades = [p for p, names in enumerate(columns.relations["names"]) if alike()["trades"] & set(names)]

    def _names(self, columns: GraphColumns) -> None:
        self.named = set(columns.candidates.arg_true())
        self.names_of: dict[int, set[str]] = _grouped(columns.names.iter_rows())
        self.bearers = _grouped((name, e) for e, name in columns.names.iter_rows())
        self.contained: nx.DiGraph[int] = nx.DiGraph(list(columns.contained.iter_rows()))

        kinds: nx.DiGraph[int] = nx.DiGraph(list(columns.kinds.iter_rows()))
        above = {e: nx.descendants(kinds, e) - {e} for e in kinds}
        self.general = {p: set().union(*(above.get(o, ()) for o in objects)) for p, objects in self.relation_objects.items()}

    def _concepts(self, columns: GraphColumns) -> None:
        self.concepts: dict[int, set[int]] = _grouped(columns.concepts.iter_rows())
        self.members = _grouped((c, e) for e, c in columns.concepts.iter_rows())
        self.typed = set(self.concepts)
        above: nx.DiGraph[int] = nx.DiGraph(list(columns.above.iter_rows()))
        above.add_nodes_from(self.members)
        typed = {p: Counter(c for o in objects for c in self.concepts[o]) for p, objects in self.relation_objects.items()}
        self.typical = {
            p: {c for c, n in counts.items() if n * TYPICAL >= len(self.relation_objects[p])} for p, counts in typed.items()
        }
        self.kin = {c: {c} | nx.ancestors(above, c) | nx.descendants(above, c) for c in above}

    def choose(self, s: int, p: int, o: int) -> list[int | None]:
        """Choose the six edited objects of a triple; with a chain to each of the near ones, as the benchmark wants it."""
        distance = self.distances(s)
        chosen: list[int | None] = []
        for edit, zones in self.candidates(s, p, o).items():
            hops = self.random.sample(sorted(zones), len(zones))
            free = next((left for hop in hops if (left := [e for e in zones[hop] if e not in chosen])), None)
            pick = self.random.choice(free) if free else None
            chosen.append(pick)
            if edit in NEAR and pick is not None:
                self.chain(distance, pick)
        return chosen

    def candidates(self, s: int, p: int, o: int) -> dict[str, Zone]:
        """Return for each edit who may be chosen, by distance."""
        found: dict[str, Zone] = {edit: defaultdict(list) for edit in EDITS}
        distance, into = self.distances(s), self.into[s]
        own = frozenset(self.concepts[s])
        banned, beside = self.banned(s, p), self.beside(p, frozenset(self.objects[s, p]), own)
        same, different = self.of_concepts(frozenset(self.concepts[o]), p, own)
        same, fellows = self.alike(o, same), self.fellows(s, p)
        objects, one_subject = self.relation_objects[p], p in self.one_subject
        for entity in self.named:
            if entity in banned:
                continue
            hop, is_object = distance.get(entity, 0), entity in objects
            owned = is_object or not one_subject
            if hop:
                if owned and entity not in beside:
                    if entity in same:
                        found["NSC"][hop].append(entity)
                    elif entity in different:
                        found["NDC"][hop].append(entity)
            elif entity not in into:
                if entity in fellows or not is_object:
                    found["NNSR" if is_object else "NNDR"][0].append(entity)
                if owned and entity in same:
                    found["NNSC"][0].append(entity)
                elif owned and entity in different:
                    found["NNDC"][0].append(entity)
        return found

    @lru_cache(maxsize=1)  # noqa: B019  # triples of one subject stand together
    def distances(self, s: int) -> dict[int, int]:
        """Return the distance of everything within the radius."""
        return dict(nx.single_source_shortest_path_length(self.graph, s, cutoff=self.radius))

    def chain(self, distance: dict[int, int], target: int) -> list[int]:
        """Walk back from a near object to the subject."""
        nodes = [target]
        while hop := distance[nodes[-1]]:
            before = self.graph.predecessors if isinstance(self.graph, nx.DiGraph) else self.graph.neighbors
            nodes.append(next(e for e in before(nodes[-1]) if distance.get(e) == hop - 1))
        return nodes[::-1]

    def alike(self, o: int, same: set[int]) -> set[int]:
        """Those of some entities that share a trade with a true object, if it has any. The made graph has no dates."""
        trades = [(p, t) for p in self.trades for t in self.objects.get((o, p), ())]
        return same & set().union(*(self.subjects[trade] for trade in trades)) if trades else same

    @cache  # noqa: B019
    def fellows(self, s: int, p: int) -> set[int]:
        """What those of the subject's concepts have under a relation."""
        return set().union(*(self.held[p, c] for c in self.concepts[s]))

    # --- whom no edit may choose

    @lru_cache(maxsize=1)  # noqa: B019
    def banned(self, s: int, p: int) -> set[int]:
        """True objects, the subject, their namesakes, who lies above or below a true object, and who is likely true."""
        true = self.objects[s, p]
        found = {s} | true | self.general[p]
        namesakes = set().union(*(self.bearers[name] for name in self.names_of[s])) - {s}
        of_namesakes = set().union(*(self.objects.get((e, p), set()) for e in namesakes))
        found |= of_namesakes
        for entity in (s, *true, *of_namesakes):
            for name in self.names_of[entity]:
                found |= self.bearers[name]
        for entity in true:
            found |= self.chained(entity)
        for q in self.implying[p]:
            found |= self.objects[s, q]
        for q in self.implying_turned[p]:
            found |= self.subjects[q, s]
        return found

    @cache  # noqa: B019
    def chained(self, entity: int) -> set[int]:
        """Who lies above or below an entity by place, part or subclass."""
        if entity not in self.contained:
            return set()
        return nx.ancestors(self.contained, entity) | nx.descendants(self.contained, entity)

    @lru_cache(maxsize=1)  # noqa: B019
    def beside(self, p: int, true: frozenset[int], own: frozenset[int]) -> set[int]:
        """Who stands beside one of the true objects for several subjects of a concept, of any if there is none."""
        return set().union(*(self.beside_one(p, t, c) for t in true for c in own or [None]))

    @cache  # noqa: B019
    def beside_one(self, p: int, true: int, concept: int | None) -> set[int]:
        """Who stands beside a true object for several subjects of a concept."""
        subjects = [s for s in self.subjects[p, true] if concept is None or concept in self.concepts[s]]
        together = Counter(o for s in subjects for o in self.objects[s, p])
        return {o for o, count in together.items() if count >= BESIDE and o != true}

    # --- concepts

    @lru_cache(maxsize=1024)  # noqa: B019
    def of_concepts(self, concepts: frozenset[int], p: int, own: frozenset[int]) -> tuple[set[int], set[int]]:
        """Who has one of these concepts that is typical of a relation, and whose concepts have nothing to do with them."""
        typical = self.typical[p].union(*(self.typical_of_like(p, k) for k in own))
        same = set().union(*(self.members[c] for c in concepts if c in typical))
        related = set().union(*(self.members[k] for c in concepts for k in self.kin[c]))
        return same, self.typed - related if concepts else set()

    @cache  # noqa: B019
    def typical_of_like(self, p: int, concept: int) -> set[int]:
        """The concepts that enough of the objects have which the subjects of a concept have under a relation."""
        objects = self.held[p, concept]
        counts = Counter(c for o in objects for c in self.concepts[o])
        return {c for c, n in counts.items() if n >= SEVERAL and n * TYPICAL_OF_LIKE >= len(objects)}


def _grouped(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, set[V]]:
    found: defaultdict[K, set[V]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return found


def _implications(
    facts: list[tuple[int, int, int]], uses: Counter[int]
) -> tuple[defaultdict[int, set[int]], defaultdict[int, set[int]]]:
    """Which relations imply each relation for the same pair, and for the pair turned round."""
    between = _grouped(((s, o), p) for s, p, o in facts)
    same = Counter((q, p) for found in between.values() for q in found for p in found if p != q)
    turned = Counter((q, p) for (s, o), found in between.items() for q in between.get((o, s), ()) for p in found)
    return _often(same, uses), _often(turned, uses)


def _often(together: Counter[tuple[int, int]], uses: Counter[int]) -> defaultdict[int, set[int]]:
    return _grouped((p, q) for (q, p), n in together.items() if n >= IMPLIED_PAIRS and n >= IMPLIED_SHARE * uses[q])
