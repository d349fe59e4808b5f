"""The facts that decide an item, as a picture: what its proofs look at, and what they say is not so.

Every proof is traced to the facts that it looks at (`queries.bundle.footprint`). Few are all shown. Of many (a neighbourhood of
five hops) it is the shortest paths between what the proof names, and some facts beside that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from kg.errors import InputError
from kg.graph import Graph
from kg.vocab import KGP, RDFS_LABEL, SKOS_ALT, direct
from queries.bundle.footprint import UntraceableError, footprint
from queries.records.item import Item, Proof
from queries.templates import find_version, inline
from queries.why.explain import Ground, grounds_of, names_of
from queries.why.sentences import absence

_LOOKED_AT = 2000
"""So many facts of one pattern of a query are looked at."""
_FEW = 12
"""So many facts of one proof are all shown."""
_BESIDE = 4
"""Of a proof that looks at more: so many facts beside each thing that it names."""
_STATEMENT = f"<{KGP}statement/"
_NAMES = (f"<{RDFS_LABEL}>", f"<{SKOS_ALT}>")
_DECLARATIONS = tuple(f"<{KGP}{kind}>" for kind in ("Relation", "Attribute", "Qualifier"))


class Fact(NamedTuple):
    """A triple, its terms as N-Triples writes them."""

    subject: str
    predicate: str
    object: str


class Line(NamedTuple):
    """A line of a picture, from one term to another: a fact, or (`absent`) what a proof says is not there."""

    source: str
    target: str
    text: str
    absent: bool = False


class Picture(NamedTuple):
    """What is drawn: the lines, what each term is called, the terms that proofs name, and how many facts are left out.

    A term that is called nothing (the node of a statement) is a mere point.
    """

    title: str
    lines: Sequence[Line]
    names: dict[str, str]
    bound: Sequence[str]
    left_out: int

    @property
    def terms(self) -> list[str]:
        """The terms that lines lead from and to, those first that proofs name, as they name them."""
        ends = dict.fromkeys(term for line in self.lines for term in (line.source, line.target))
        return list(dict.fromkeys([*(term for term in self.bound if term in ends), *ends]))


def picture_of(item: Item, graph: Graph) -> Picture:
    """Return the picture of the facts that decide an item.

    Proofs that cannot be run, or of which nobody can tell what they look at, are in none of its lines.

    >>> from kg import open_graph
    >>> from queries.records.item import Binding
    >>> bind = {"s": "country/id=austria", "p": "country#ref-capital", "o": "city/id=oslo"}
    >>> terms = [Binding(name, f"<https://w3id.org/kgprobe/starter/{iri}>") for name, iri in bind.items()]
    >>> item = Item(schema="kgprobe.item/1", id="a", method="m", family="f", task="open", variant="v", question="?", group="g",
    ...     proof=[Proof(query="fact@85eea9ba", bind=terms, expect=False)])
    >>> picture = picture_of(item, open_graph())
    >>> [(picture.names[line.source], line.text, picture.names[line.target], line.absent) for line in picture.lines]
    [('Austria', 'not “capital”', 'Oslo', True), ('Austria', 'capital', 'Vienna', False)]
    """
    facts, absent, bound, left_out = dict[Fact, None](), dict[Line, None](), dict[str, None](), set[Fact]()
    for ground in grounds_of(item, graph):
        terms = [binding.term for binding in ground.proof.bind]
        traced = _traced(ground.proof, graph)
        named = _bearers(list(dict.fromkeys([*terms, *_row_terms(ground)])), traced)
        bound |= dict.fromkeys(named)
        seen = [fact for fact in traced if fact.predicate not in _NAMES and fact.object not in _DECLARATIONS]
        shown = seen if len(seen) <= _FEW else _reduced(seen, named)
        facts |= dict.fromkeys(shown)
        left_out |= set(seen) - set(shown)
        absent |= dict.fromkeys(_absent(ground, names_of(graph, terms)))
    relations = {fact: _relation(fact) for fact in facts}
    ends = [end for fact in facts for end in (fact.subject, fact.object)] + [end for line in absent for end in line[:2]]
    names = names_of(graph, [*ends, *relations.values()])
    names |= {term: "" for term in names if term.startswith(_STATEMENT)}
    lines = [*absent, *(Line(fact.subject, fact.object, names[relation]) for fact, relation in relations.items())]
    return Picture(item.question, lines, names, tuple(bound), len(left_out - facts.keys()))


def _relation(fact: Fact) -> str:
    """Return the relation that a fact is of: that of its statement, on the way over the node of one."""
    if fact.subject.startswith(_STATEMENT) or fact.object.startswith(_STATEMENT):
        return f"<{direct(fact.predicate[1:-1])}>"
    return fact.predicate


def _row_terms(ground: Ground) -> Iterator[str]:
    """Yield the terms of what a query returns, where it is a row or a few."""
    if ground.rows is not None and ground.rows.height <= _FEW:
        for row in ground.rows.iter_rows():
            yield from (term for term in row if term)


def _traced(proof: Proof, graph: Graph) -> list[Fact]:
    """Return the facts that a proof looks at, sorted; none where that cannot be told."""
    bound = {binding.name: binding.term for binding in proof.bind}
    try:
        template = inline(proof.query, list(bound)) if "{" in proof.query else find_version(proof.query)
        queries = footprint(template.text, template.placed([bound], base=graph.base), base=graph.base)
        found = [graph.construct(f"{query} LIMIT {_LOOKED_AT}") for query in queries]
    except (InputError, UntraceableError):
        return []
    lines = sorted({line for part in found for line in part.decode().splitlines() if line})
    return [Fact(*line.removesuffix(" .").split(" ", 2)) for line in lines]


def _bearers(terms: Sequence[str], facts: Iterable[Fact]) -> list[str]:
    """Return terms, each with what bears it as its name: a family binds names."""
    bearers = defaultdict[str, list[str]](list)
    for fact in facts:
        if fact.predicate in _NAMES:
            bearers[fact.object].append(fact.subject)
    return list(dict.fromkeys(each for term in terms for each in (term, *bearers[term])))


def _reduced(facts: Sequence[Fact], named: Sequence[str]) -> list[Fact]:
    """Return the facts of shortest paths between some terms, and some facts beside each of them."""
    import networkx as nx  # here: it takes a quarter of a second to load, and only a picture needs it

    between = defaultdict[frozenset[str], list[Fact]](list)
    for fact in facts:
        between[frozenset((fact.subject, fact.object))].append(fact)
    graph: nx.Graph[str] = nx.Graph((fact.subject, fact.object) for fact in facts)
    known = [term for term in named if term in graph]
    kept = dict[Fact, None]()
    for one, other in combinations(known, 2):
        if nx.has_path(graph, one, other):
            path = nx.shortest_path(graph, one, other)
            kept |= dict.fromkeys(fact for pair in pairwise(path) for fact in between[frozenset(pair)])
    for term in known:
        own = [fact for fact in facts if term in (fact.subject, fact.object) and fact not in kept]
        kept |= dict.fromkeys(own[:_BESIDE])
    return list(kept)


def _absent(ground: Ground, names: dict[str, str]) -> Iterable[Line]:
    """Yield the line for what a proof of the library says is not there."""
    bound = {binding.name: binding.term for binding in ground.proof.bind}
    line = absence(ground.proof, {name: names[term] for name, term in bound.items()}, ground.holds)
    if line is not None and {line.source, line.target} <= bound.keys():
        yield Line(bound[line.source], bound[line.target], line.text, absent=True)
