"""Which facts of a graph an answer rests on, so that it is the same answer wherever these facts are and no others were added.

A query looks at a graph through its basic patterns and paths alone; joins, filters, absences (MINUS, NOT EXISTS), counts and
whole lists are made of what the patterns find. So let a part of the graph hold every triple of every solution that each pattern
has in the whole graph. A pattern finds nothing more in a part than in the whole, and here nothing less: it finds the same, and
the query says the same and means the same. More facts of the same graph change nothing of this. Where a pattern is joined with
something, or taken away from it, or asked of it (EXISTS), the solutions that go together with that are enough.

The algebra is that of SPARQL 1.1, sections 18.2 to 18.5, as rdflib translates a query to it. What is asked of another graph
(SERVICE, GRAPH, FROM), of all predicates but some, or over a path of no steps between two unknown ends has no such part.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import rdflib
from rdflib import paths
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern, translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import BNode, Node, URIRef, Variable

from kg.vocab import PREFIXES
from queries.templates import Placed, Rows

_WITHIN = ("Distinct", "Reduced", "OrderBy", "ToMultiSet", "Slice", "Filter", "Extend")
"""Operators of one pattern that have no more solutions than it, or the same with more said of each."""


class UntraceableError(Exception):
    """A query of which no part of a graph can be said to be all that it looks at; the text says why."""


class Part(NamedTuple):
    """A part of a group, as SPARQL, and the variables in it that others can see."""

    text: str
    names: frozenset[str]


def footprint(query: str, placed: Placed, *, base: str | None = None) -> list[str]:
    """Return the CONSTRUCT queries whose results together hold all that a query looks at.

    Parameters: `query` is what values are bound in, `placed` the values; `base` is what relative IRIs are relative to.
    Raises UntraceableError where there is no such part of a graph, or rdflib does not read the query.

    >>> from queries.templates import inline
    >>> template = inline("ASK { ?film <urn:by> ?who MINUS { ?who <urn:died> ?when } }", ["film"])
    >>> for query in footprint(template.text, template.placed([{"film": "<urn:f>"}])):
    ...     print(query)
    CONSTRUCT { ?film <urn:by> ?who } WHERE { VALUES (?film) { (<urn:f>) } ?film <urn:by> ?who . }
    CONSTRUCT { ?who <urn:died> ?when } WHERE { VALUES (?film) { (<urn:f>) } ?film <urn:by> ?who . ?who <urn:died> ?when . }
    """
    algebra = algebra_of(query, base)
    if algebra.get("datasetClause"):
        raise UntraceableError("the query names graphs (FROM)")
    return list(dict.fromkeys(_Trace(placed).footprint(algebra.p, ())))


def algebra_of(query: str, base: str | None) -> CompValue:
    """Return the algebra of a query.

    Raises UntraceableError where rdflib does not read it.
    """
    normalize, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False  # "01" stays what is asked for
    try:
        return translateQuery(parseQuery(query.replace("\t", " ")), base, PREFIXES).algebra
    except RecursionError:
        raise
    except Exception as error:  # of many kinds: pyparsing's, rdflib's, and what a function that it lacks raises
        raise UntraceableError("rdflib does not read the query") from error
    finally:
        rdflib.NORMALIZE_LITERALS = normalize


class _Trace:
    def __init__(self, placed: Placed) -> None:
        self.placed = placed

    def footprint(self, node: CompValue, beside: Sequence[Part], *, inner: bool = False) -> Iterator[str]:
        """Yield the queries of what an operator looks at, given what it is joined with; `inner` is a sub-select."""
        for exists in self._exists_in(node):
            yield from self.footprint(exists, [*beside, *self._around(node)], inner=inner)
        match node.name:
            case "BGP":
                yield from self._pattern(node.triples, beside, inner)
            case "Join" | "LeftJoin" | "Minus":
                yield from self.footprint(node.p1, beside, inner=inner)
                yield from self.footprint(node.p2, [*beside, *self._over(node.p1)], inner=inner)
            case "Union":
                yield from self.footprint(node.p1, beside, inner=inner)
                yield from self.footprint(node.p2, beside, inner=inner)
            case "Project":
                yield from self._projected(node, beside, inner)
            case "Slice" | "AggregateJoin" | "Group":
                # How many solutions there are, and which come first, is said of all of them.
                yield from self.footprint(node.p, (), inner=inner)
            case "ToMultiSet" if not isinstance(node.p, CompValue) or node.p.name == "values":
                return
            case "ToMultiSet":
                within = _values_of(self.placed.within, self.placed.within.names)
                yield from self.footprint(node.p, [*beside, within] if within and not inner else beside, inner=True)
            case name if name in _WITHIN:
                yield from self.footprint(node.p, beside, inner=inner)
            case "values":
                return
            case name:
                raise UntraceableError(f"the query asks beyond one graph or by means that are not known here ({name})")

    def _exists_in(self, node: CompValue) -> Iterator[CompValue]:
        """Yield the patterns of EXISTS and NOT EXISTS in the expressions of an operator, in its own alone."""
        known = {name for rows in self.placed for at, name in enumerate(rows.names) if any(row[at] for row in rows.rows)}
        for key in ("p", "p1", "p2"):
            known.update(str(part) for part in _parts_of([node.get(key)]) if isinstance(part, Variable))
        for key in ("expr", "condition", "A"):
            yield from _patterns(node.get(key), known)

    def _projected(self, node: CompValue, beside: Sequence[Part], inner: bool) -> Iterator[str]:
        """Within a sub-select, other variables may bear the names of those outside: what it projects is the same."""
        if not inner:
            yield from self.footprint(node.p, beside)
            return
        shown = frozenset(map(str, node.PV))
        hidden = [part for one in _joined(shown, beside) if (part := _select(shown & one.names, [one]))]
        yield from self.footprint(node.p, hidden, inner=True)

    def _around(self, node: CompValue) -> list[Part]:
        """What an EXISTS is asked of."""
        if node.name == "LeftJoin":
            return [*self._over(node.p1)]
        return self._over(node.p) if isinstance(node.get("p"), CompValue) else []

    def _pattern(self, triples: Sequence[tuple[Any, Any, Any]], beside: Sequence[Part], inner: bool) -> Iterator[str]:
        names = _names(triples)
        plain = [triple for triple in triples if not isinstance(triple[1], paths.Path)]
        if plain:
            where = self._where(names, [*beside, _written(triples)], inner)
            yield f"CONSTRUCT {{ {' . '.join(map(_triple, plain))} }} WHERE {{ {where} }}"
        for triple in triples:
            if isinstance(triple[1], paths.Path):
                yield from self._path(triple, plain, beside, inner)

    def _path(self, triple: Any, plain: Sequence[Any], beside: Sequence[Part], inner: bool) -> Iterator[str]:
        """Yield the query of every edge that a path may run over from the end that is known, the subject first."""
        subject, path, object = triple
        kinds, turns = _steps(path)
        edges = "|".join(f"<{kind}>" + (f"|^<{kind}>" if turns else "") for kind in kinds)
        known = {name for part in [*beside, *self._values(_names([triple]), inner), _written(plain)] for name in part.names}
        listed = f"VALUES ?kgp_p {{ {' '.join(f'<{kind}>' for kind in kinds)} }}"
        for end, way in ((subject, f"({edges})*"), (object, f"(^({edges}))*")):
            if not isinstance(end, Variable) or str(end) in known:
                names = _names([*plain, (end,)])
                where = self._where(names, [*beside, _written(plain)] if plain else beside, inner)
                # Each node that is reached once, and then its edges.
                reached = f"{{ SELECT DISTINCT ?kgp_x {{ {where} {_n3(end)} {way} ?kgp_x }} }}"
                ahead = ("?kgp_x ?kgp_p ?kgp_y", "?kgp_y ?kgp_p ?kgp_x")
                for edge in ahead if turns else ahead[:1] if end is subject else ahead[1:]:
                    yield f"CONSTRUCT {{ {edge} }} WHERE {{ {listed} {reached} {edge} }}"
                return
        if _may_stand_still(path):
            raise UntraceableError("a path of no steps leads from everything to itself")
        yield f"CONSTRUCT {{ ?kgp_x ?kgp_p ?kgp_y }} WHERE {{ {listed} ?kgp_x ?kgp_p ?kgp_y }}"

    def _where(self, names: frozenset[str], beside: Sequence[Part], inner: bool) -> str:
        """Write what a pattern is joined with, values first; what shares no variable with it, even by others, is left out."""
        parts = _joined(names, beside)
        every = names.union(*(part.names for part in parts))
        return " ".join(part.text for part in [*self._values(every, inner), *parts])

    def _values(self, names: Collection[str], inner: bool) -> list[Part]:
        rows = [self.placed.replaced] if inner else [*self.placed]
        return [part for row in rows if (part := _values_of(row, names))]

    def _over(self, node: CompValue) -> list[Part]:
        """Return parts that have all solutions of an operator, or more; none where that cannot be said simply."""
        match node.name:
            case "BGP":
                return [_written(node.triples)] if node.triples else []
            case "Join":
                return [*self._over(node.p1), *self._over(node.p2)]
            case "LeftJoin" | "Minus":
                return self._over(node.p1)
            case "Union":
                return _either(self._over(node.p1), self._over(node.p2))
            case "ToMultiSet" if not isinstance(node.p, CompValue) or node.p.name == "values":
                return []
            case "ToMultiSet":
                return self._sub_select(node.p)
            case "AggregateJoin":
                # Without groups there is one solution even of nothing.
                return self._over(node.p.p) if node.p.expr else []
            case name if name in (*_WITHIN, "Project"):
                return self._over(node.p)
            case _:
                return []

    def _sub_select(self, node: CompValue) -> list[Part]:
        project = node
        while project.name != "Project":
            project = project.p
        parts = self._over(project.p)
        values = self._values({name for part in parts for name in part.names}, inner=True)
        one = _select(frozenset(map(str, project.PV)), [*values, *parts])
        return [one] if one else []


def _values_of(bound: Rows, names: Collection[str]) -> Part | None:
    """Write a VALUES block for those of the variables that are among some names."""
    places = [at for at, name in enumerate(bound.names) if name in names]
    if not places:
        return None
    rows = dict.fromkeys(" ".join(row[at] or "UNDEF" for at in places) for row in bound.rows)
    kept = [bound.names[at] for at in places]
    head = " ".join(f"?{name}" for name in kept)
    return Part(f"VALUES ({head}) {{ {' '.join(f'({row})' for row in rows)} }}", frozenset(kept))


def _select(shown: Collection[str], parts: Sequence[Part]) -> Part | None:
    """Hide all variables of some parts but those that are shown."""
    names = {name for part in parts for name in part.names} & set(shown)
    if not names:
        return None
    head = " ".join(f"?{name}" for name in sorted(names))
    return Part(f"{{ SELECT DISTINCT {head} {{ {' '.join(part.text for part in parts)} }} }}", frozenset(names))


def _either(left: Sequence[Part], right: Sequence[Part]) -> list[Part]:
    if not left or not right:
        return []
    one, other = (" ".join(part.text for part in parts) for parts in (left, right))
    names = frozenset(name for part in [*left, *right] for name in part.names)
    return [Part(f"{{ {one} }} UNION {{ {other} }}", names)]


def _joined(names: Collection[str], parts: Sequence[Part]) -> list[Part]:
    """Return the parts that share a variable with some names, or with other such parts."""
    known, joined = set(names), list[Part]()
    while more := [part for part in parts if part not in joined and part.names & known]:
        joined += more
        known.update(*(part.names for part in more))
    return [part for part in parts if part in joined]


def _patterns(expression: Any, known: Collection[str]) -> Iterator[CompValue]:
    """Yield the patterns that an expression asks for; `known` are the variables that may be bound in it."""
    name = getattr(expression, "name", None)
    if name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
        graph = expression.graph
        # Within an expression of several parts rdflib leaves them as they were read.
        yield translateGroupGraphPattern(graph) if graph.name.startswith("GroupGraphPattern") else graph
    elif name == "ConditionalOrExpression" and (open_ := _left_open(expression.expr)) and open_ not in known:
        return  # true, whatever else is asked
    elif isinstance(expression, CompValue | list | tuple):
        for value in expression.values() if isinstance(expression, CompValue) else expression:
            yield from _patterns(value, known)


def _parts_of(value: Any) -> Iterator[Any]:
    """Yield what an operator or an expression consists of, its own parts first."""
    values = value.values() if isinstance(value, CompValue) else value if isinstance(value, list | tuple) else ()
    for part in values:
        yield part
        yield from _parts_of(part)


def _left_open(expression: Any) -> str | None:
    """Return the variable of an expression `!BOUND(?x)`."""
    negated = expression.expr if getattr(expression, "name", None) == "UnaryNot" else None
    return str(negated.arg) if isinstance(negated, CompValue) and negated.name == "Builtin_BOUND" else None


def _steps(path: Any) -> tuple[list[str], bool]:
    """Return the predicates of a path, sorted, and whether it turns some of them round."""
    found, turns, open_ = set[str](), False, [path]
    while open_:
        match open_.pop():
            case URIRef() as iri:
                found.add(str(iri))
            case paths.InvPath(arg=arg):
                turns = True
                open_.append(arg)
            case paths.SequencePath(args=args) | paths.AlternativePath(args=args):
                open_ += args
            case paths.MulPath(path=inner):
                open_.append(inner)
            case _:
                raise UntraceableError("the query asks for all predicates but some")
    return sorted(found), turns


def _may_stand_still(path: Any) -> bool:
    """Tell whether a path may have no steps."""
    match path:
        case paths.MulPath(path=inner, mod=mod):
            return mod in "*?" or _may_stand_still(inner)
        case paths.SequencePath(args=args):
            return all(map(_may_stand_still, args))
        case paths.AlternativePath(args=args):
            return any(map(_may_stand_still, args))
        case paths.InvPath(arg=arg):
            return _may_stand_still(arg)
        case _:
            return False


def _written(triples: Iterable[tuple[Any, Any, Any]]) -> Part:
    some = list(triples)
    return Part(" ".join(f"{_triple(triple)} ." for triple in some), _names(some))


def _names(triples: Iterable[Sequence[Any]]) -> frozenset[str]:
    return frozenset(str(term) for triple in triples for term in triple if isinstance(term, Variable))


def _triple(triple: tuple[Any, Any, Any]) -> str:
    return " ".join(map(_n3, triple))


def _n3(term: Node | Any) -> str:
    """Write a term; what a query leaves without a name (`[]`, `_:x`) is a variable that nobody else can see."""
    return f"?kgp_{re.sub('[^A-Za-z0-9]', '_', term)}" if isinstance(term, BNode) else str(term.n3())
