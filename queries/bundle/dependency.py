"""On which triples it rests that a family's key determines its answer.

The triple patterns of the query are read from its algebra. Those on the shortest ways from the slots of the key to the answer,
over the variables that patterns, BIND, FILTER and VALUES have in common, carry the dependency; the others narrow down what is
asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from rdflib.plugins.sparql.algebra import translateGroupGraphPattern
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import BNode, URIRef, Variable

from kg.output import short
from queries.bundle.footprint import algebra_of
from queries.templates import Template

Role = Literal["required", "either", "optional", "absent"]
_SAYS: Mapping[Role, str] = {
    "required": "besides, there has to be",
    "either": "besides, there has to be some of",
    "optional": "there may be",
    "absent": "there must not be",
}


class Pattern(NamedTuple):
    """A triple pattern as SPARQL writes it, the variables in it, and what the query asks of it."""

    text: str
    names: frozenset[str]
    role: Role


class Dependency(NamedTuple):
    """What determines what, over which patterns, and the others; `apart` are slots of the key that no way leads from."""

    key: Sequence[str]
    answer: Sequence[str]
    over: Sequence[Pattern]
    others: Sequence[Pattern]
    apart: Sequence[str]

    def __str__(self) -> str:
        """Say it in lines."""
        lines = [f"  {', '.join(self.answer)}: determined by {', '.join(self.key)}, over"]
        lines += [f"    {pattern.text}" for pattern in self.over]
        for role, says in _SAYS.items():
            own = [f"    {pattern.text}" for pattern in self.others if pattern.role == role]
            lines += [f"  {says}", *own] if own else []
        lines += [f"  no pattern leads from {name} to the answer" for name in self.apart]
        return "\n".join(lines)


def dependency_of(template: Template) -> Dependency:
    """Return on which patterns it rests that a family's key determines its answer.

    Raises UntraceableError where rdflib does not read the query.

    >>> from queries.templates import find
    >>> print(dependency_of(find("erbench/movie_director")))
      director_birth_year: determined by title, year, over
        ?row <movie_director#director_birth_year> ?director_birth_year .
        ?row <movie_director#title> ?title .
        ?row <movie_director#year> ?year .
      besides, there has to be
        ?row <movie_director#director> ?director .
    """
    import networkx as nx  # here: it takes a quarter of a second to load

    algebra = algebra_of(template.text, None)
    triples = list(dict.fromkeys(_triples(algebra.p, "required")))
    nodes = {node: f"_:{n}" for n, node in enumerate(dict.fromkeys(_nodes(triples)), 1)}
    patterns = [Pattern(_written(triple, nodes), _names(triple, nodes), role) for triple, role in triples]
    graph: nx.Graph[str] = nx.Graph()
    for names in (*_expressions(algebra.p), *(p.names for p in patterns if p.role != "absent")):
        graph.add_edges_from((one, other) for one in names for other in names if one < other)
    front = template.front
    answer = front.answers or list(front.rationale or filter(None, [front.holds]))
    ways = {(k, a): _way(graph, k, a) for k in front.key for a in answer}
    steps = {frozenset(step) for way in ways.values() for step in pairwise(way)}
    over = [p for p in patterns if p.role != "absent" and any(step <= p.names for step in steps)]
    apart = [key for key in front.key if not any(way for (k, _), way in ways.items() if k == key)]
    others = [pattern for pattern in patterns if pattern not in over]
    return Dependency(front.key, answer, over, others, apart)


def _way(graph: Any, one: str, other: str) -> list[str]:
    import networkx as nx

    known = one in graph and other in graph and nx.has_path(graph, one, other)
    return list(nx.shortest_path(graph, one, other)) if known else []


def _triples(node: Any, role: Role) -> Iterator[tuple[tuple[Any, Any, Any], Role]]:
    """Yield the triple patterns of an operator or an expression, each with what is asked of it."""
    if isinstance(node, list | tuple):
        for part in node:
            yield from _triples(part, role)
    if not isinstance(node, CompValue):
        return
    match node.name:
        case "BGP":
            yield from ((triple, role) for triple in node.triples)
        case "LeftJoin" | "Minus":
            yield from _triples(node.p1, role)
            yield from _triples(node.p2, _within(role, "optional" if node.name == "LeftJoin" else "absent"))
        case "Union":
            yield from _triples([node.p1, node.p2], _within(role, "either"))
        case "Builtin_EXISTS" | "Builtin_NOTEXISTS":
            yield from _triples(_group(node.graph), role if node.name == "Builtin_EXISTS" else _within(role, "absent"))
        case _:
            yield from _triples(list(node.values()), role)


def _within(role: Role, inner: Role) -> Role:
    return inner if role in ("required", "either") or inner == "absent" else role


def _group(graph: CompValue) -> CompValue:
    """Translate what rdflib leaves as it was read within an expression."""
    translated: CompValue = translateGroupGraphPattern(graph) if graph.name.startswith("GroupGraphPattern") else graph
    return translated


def _expressions(node: Any) -> Iterator[frozenset[str]]:
    """Yield the variables that each BIND, each FILTER and each VALUES joins."""
    if isinstance(node, list | tuple):
        for part in node:
            yield from _expressions(part)
    if isinstance(node, CompValue):
        if node.name in ("Extend", "Filter", "LeftJoin"):
            yield frozenset(map(str, _variables([node.get("expr"), node.get("var")])))
        if node.name == "values":
            yield frozenset(map(str, _variables([list(row) for row in node.res])))
        yield from _expressions([node.get("p"), node.get("p1"), node.get("p2")])


def _variables(value: Any) -> Iterator[Variable]:
    if isinstance(value, Variable):
        yield value
    elif isinstance(value, CompValue) and not value.name.endswith("EXISTS"):
        yield from _variables(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _variables(part)


def _nodes(triples: Sequence[tuple[Sequence[Any], Role]]) -> Iterator[BNode]:
    """Yield the nodes without a name (`[]`); rdflib calls them anew at each reading."""
    yield from (term for triple, _ in triples for term in triple if isinstance(term, BNode))


def _names(triple: Sequence[Any], nodes: Mapping[BNode, str]) -> frozenset[str]:
    return frozenset(
        nodes[term] if isinstance(term, BNode) else str(term) for term in triple if isinstance(term, Variable | BNode)
    )


def _written(triple: Sequence[Any], nodes: Mapping[BNode, str]) -> str:
    terms = (short(term.n3(), None) if isinstance(term, URIRef) else str(term.n3()) for term in triple)
    return " ".join(nodes.get(term, text) for term, text in zip(triple, terms, strict=True)) + " ."
