"""Small graphs that hypothesis draws: everything that is odd in a big one, in a few triples.

Names that collide, entities without a name or a type, self-loops, several facts about a pair, relations that mirror each
other, concepts in a cycle, things that contain each other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from generators.fpq import Direction, HopOrder, Options, Sampling, generate
from kg import Build, InputError, LocalGraph
from kg.build import literal_terms
from kg.text import fold
from kg.vocab import DATA_GRAPH
from oracle import Asked
from plain_graph import Plain
from queries.domain import Domain

PATIENTLY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Settings of hypothesis for tests on a machine that has other things to do."""

Items = list[dict[str, Any]]

OPTIONS = st.builds(
    Options,
    n=st.sampled_from([2, 1000, 1000]),
    seed=st.integers(0, 3),
    radius=st.integers(1, 5),
    direction=st.sampled_from(Direction),
    hops=st.sampled_from(HopOrder),
    sampling=st.sampled_from(Sampling),
)

RELATIONS = ("likes", "occupation", "part of", "country", "has part(s)", "continent")
YEARS = ("date of birth", "date of death", "inception", "end time", "publication date")
NAMES = ("Ann", "ANN", "Ann!", "Bob", "Édith", "edith", "—")
HOSTILE = st.text(alphabet="{}:'\"\\\n\r\t,;<>|a ü\u202e\u05d0\U0001f600\x00%", min_size=1, max_size=8).map(lambda t: t + "x")


@dataclass(frozen=True)
class Small:
    """A graph by numbers: entities 0…n-1, then the concepts, which facts may name as well; concepts alone in `types`.

    `facts`: (subject, relation, object); `types`: (entity, concept); `above`: (thing, thing above); `labels` replace
    `entity 3`, None leaves it out; `aliases` add to them; `second` adds a label by another load; `years`: (entity,
    number of an attribute of YEARS, year).
    """

    n: int
    concepts: int
    facts: frozenset[tuple[int, int, int]]
    types: frozenset[tuple[int, int]]
    above: frozenset[tuple[int, int]] = frozenset()
    labels: dict[int, str | None] = field(default_factory=dict)
    aliases: frozenset[tuple[int, str]] = frozenset()
    second: dict[int, str] = field(default_factory=dict)
    incomplete: frozenset[tuple[int, int]] = frozenset()
    years: frozenset[tuple[int, int, int]] = frozenset()
    relations: tuple[str, ...] = RELATIONS
    asked: tuple[str, ...] = RELATIONS[:4]

    def iri(self, i: int) -> str:
        """The IRI of an entity or, from `n` on, of a concept."""
        return f"http://e.org/e{i}" if i < self.n else f"http://e.org/c{i - self.n}"

    def label(self, i: int) -> str | None:
        return self.labels.get(i, f"entity {i}" if i < self.n else f"kind {i - self.n}")

    @property
    def domain(self) -> Domain:
        """What is asked about, as a domain file says it."""
        return Domain(
            name="small", path="small.toml", concepts=tuple(map(fold, self.kinds)), relations=tuple(map(fold, self.asked))
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The labels of all concepts but the last, where there are several."""
        return tuple(str(self.label(self.n + c)) for c in range(max(1, self.concepts - 1)))

    def wish(self, options: Options) -> Asked:
        """What the oracle has to know of it and of the command."""
        pairs = frozenset((self.iri(s), f"http://e.org/r{p}") for s, p in self.incomplete)
        even = options.sampling is Sampling.even
        direction, hops = options.direction.value, options.hops.value
        return Asked(self.kinds, self.asked, options.n, options.radius, direction, hops, pairs, even)

    def graph(self) -> LocalGraph:
        """Load it as a source would."""
        build, everything = Build("small", source="a test"), range(self.n + self.concepts)
        build.relation(_terms(f"http://e.org/r{r}" for r in range(len(self.relations))), pl.Series(self.relations))
        build.label(self._things(everything), pl.Series([self.label(i) for i in everything], dtype=pl.String))
        aliases = sorted(self.aliases)
        build.alias(self._things(i for i, _ in aliases), pl.Series([text for _, text in aliases], dtype=pl.String))
        self._links(build)
        other = Build("other", source="another test")
        other.label(self._things(self.second), pl.Series([*self.second.values()], dtype=pl.String))
        return LocalGraph.in_memory(build.finish(), other.finish())

    def _links(self, build: Build) -> None:
        facts = sorted(self.facts)
        relation = _terms(f"http://e.org/r{p}" for _, p, _ in facts)
        build.triples(self._things(s for s, _, _ in facts), relation, self._things(o for _, _, o in facts))
        types, above = sorted(self.types), sorted(self.above)
        build.type(self._things(e for e, _ in types), self._things(self.n + c for _, c in types))
        build.subclass(self._things(low for low, _ in above), self._things(high for _, high in above))
        build.attribute(_terms(f"http://e.org/y{y}" for y in range(len(YEARS))), pl.Series(YEARS))
        years = sorted(self.years)
        named = _terms(f"http://e.org/y{y}" for _, y, _ in years)
        build.triples(
            self._things(e for e, _, _ in years),
            named,
            literal_terms(pl.Series([f"{n}-01" for _, _, n in years], dtype=pl.String)),
        )
        pairs = sorted(self.incomplete)
        marks = _terms(f"http://e.org/r{p}" for _, p in pairs)
        build.triples(self._things(s for s, _ in pairs), "<https://w3id.org/kgprobe#incomplete>", marks, schema=True)

    def _things(self, numbers: Iterable[int]) -> pl.Series:
        return _terms(self.iri(i) for i in numbers)

    @staticmethod
    def plain(graph: LocalGraph) -> Plain:
        """What rdflib reads of a graph's data."""
        return Plain(b"".join(graph.dump(f"{DATA_GRAPH}{name}") for name in ("small", "other")))


def items_of(graph: LocalGraph, small: Small, options: Options) -> Items:
    """The items as a reader of the file gets them; none where the domain matches nothing."""
    try:
        result = generate(graph, small.domain, replace(options, repeats=True))
    except InputError as none:
        if "matches nothing" not in str(none):
            raise
        return []
    return [json.loads(line) for line in result.items.write_ndjson().splitlines()]


def _terms(iris: Iterable[str]) -> pl.Series:
    return pl.Series([f"<{iri}>" for iri in iris], dtype=pl.String)


@st.composite
def small_graphs(draw: st.DrawFn, names: st.SearchStrategy[str] = st.sampled_from(NAMES)) -> Small:
    """Draw a graph of 7 to 14 entities; only what has no concept gets a second label."""
    n, concepts = draw(st.integers(7, 14)), draw(st.integers(1, 5))
    entity, thing, concept = st.integers(0, n - 1), st.integers(0, n + concepts - 1), st.integers(n, n + concepts - 1)
    kind = st.integers(0, concepts - 1)
    kinds = draw(st.lists(st.sets(kind, max_size=2) | st.sets(kind, min_size=1, max_size=1), min_size=n, max_size=n))
    above = draw(st.frozensets(st.tuples(thing, thing), max_size=3))
    above |= draw(st.frozensets(st.tuples(concept, concept), max_size=2))
    untyped = [e for e, own in enumerate(kinds) if not own]
    return Small(
        n,
        concepts,
        draw(_facts(n, concepts)),
        frozenset((e, c) for e, own in enumerate(kinds) for c in own),
        above,
        draw(st.dictionaries(entity, st.none() | names, max_size=4)),
        draw(st.frozensets(st.tuples(entity, names), max_size=3)),
        draw(st.dictionaries(st.sampled_from(untyped), names, max_size=2)) if untyped else {},
        draw(st.frozensets(st.tuples(entity, st.integers(0, 3)), max_size=2)),
        draw(st.just(frozenset()) | st.frozensets(st.tuples(entity, st.integers(0, 4), st.integers(1900, 1904)), max_size=8)),
    )


@st.composite
def _facts(draw: st.DrawFn, n: int, concepts: int) -> frozenset[tuple[int, int, int]]:
    """Some facts; a relation may be mirrored by another one, or by itself, so that one implies the other."""
    entity, relation = st.integers(0, n - 1), st.integers(0, len(RELATIONS) - 1)
    few = st.integers(0, draw(st.sampled_from([2, n - 1])))  # few objects, or many
    least = draw(st.sampled_from([n // 2, 2 * n]))
    facts = set(draw(st.lists(st.tuples(entity, relation, entity | few), min_size=least, max_size=2 * least)))
    facts |= set(draw(st.lists(st.tuples(entity, relation, st.integers(n, n + concepts - 1)), max_size=2)))
    if draw(st.booleans()):  # a long way from end to end
        r = draw(relation)
        facts |= {(i, r, i + 1) for i in range(n - 1)}
    for p, q, turned in draw(st.lists(st.tuples(relation, relation, st.booleans()), max_size=2)):
        facts |= {(o, q, s) if turned else (s, q, o) for s, r, o in facts if r == p and s < n and o < n}
    return frozenset(facts)
