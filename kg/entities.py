"""One entity as people read it: names, concepts, facts both ways, attributes with units, qualifiers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urljoin

import polars as pl
import pyoxigraph as ox

from kg import vocab
from kg.errors import InputError
from kg.graph import Graph
from kg.output import short
from kg.text import harmless

_STATEMENT = f"<{vocab.KGP}statement/"
_CORE = {f"<{iri}>" for iri in vocab.DESCRIBING}


@dataclass(frozen=True)
class Match:
    """An entity that a name may mean."""

    iri: str
    label: str
    concepts: tuple[str, ...]


@dataclass(frozen=True)
class Fact:
    """What stands at the other end of a fact, and what qualifies it (a set for each statement); as people read it."""

    text: str
    qualifiers: tuple[frozenset[tuple[str, str]], ...] = ()


@dataclass
class Description:
    """One entity, as text when printed; `forward`, `backward` and `attributes` go from the label of the predicate to facts.

    `base` is what relative IRIs are shown against.
    """

    iri: str
    base: str | None = None
    labels: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    concepts: list[str] = field(default_factory=list)
    superconcepts: list[str] = field(default_factory=list)
    popularity: str | None = None
    attributes: dict[str, list[Fact]] = field(default_factory=dict)
    forward: dict[str, list[Fact]] = field(default_factory=dict)
    backward: dict[str, list[Fact]] = field(default_factory=dict)
    instances: int = 0

    def __str__(self) -> str:
        return self.text()

    def text(self, limit: int = 10) -> str:
        """Return the description as text, with at most `limit` facts of each relation and direction."""
        name = self.labels[0] if self.labels else short(f"<{self.iri}>", self.base)
        lines = [f"{name}   {short(f'<{self.iri}>', self.base)}"]
        lines += _line("also", [*self.labels[1:], *self.aliases])
        lines += _line("in other languages", sorted(self.names, key=lambda name: name.rpartition("(")[2]))
        lines += _line("is a", self.concepts)
        lines += _line("kind of", self.superconcepts)
        lines += _line("instances", [f"{self.instances:,}"] if self.instances else [])
        lines += _line("popularity", [self.popularity] if self.popularity else [])
        for title, arrow, groups in (
            ("Attributes", "", self.attributes),
            ("Facts", "→ ", self.forward),
            ("Facts about it", "← ", self.backward),
        ):
            lines += ["", title] if groups else []
            for relation in sorted(groups):
                lines += _group(f"{arrow}{relation}", groups[relation], limit)
        return "\n".join(harmless(line) for line in lines) + "\n"


def describe(graph: Graph, name: str) -> Description:
    """Describe the one entity that `name` means: an IRI, a prefixed name, a label or an alias.

    Raises InputError where nothing bears that name, and where several entities do.

    >>> from kg import open_graph
    >>> describe(open_graph(), "Pulp Fiction").forward["director"]
    [Fact(text='Quentin Tarantino', qualifiers=())]
    """
    entities = find_entities(graph, name)
    if len(entities) > 1:
        iris = ", ".join(f"<{entity.iri}>" for entity in entities)
        raise InputError(f"{len(entities)} entities bear that name", place=f"'{name}'", way_out=f"give the IRI of one: {iris}")
    return describe_iri(graph, entities[0].iri)


def find_entities(graph: Graph, name: str) -> list[Match]:
    """Return the entities that `name` means: an IRI, a prefixed name, or else a label or alias, labels first.

    Raises InputError where nothing bears that name.
    """
    if (iri := _as_iri(name, graph.base)) is not None:
        if not graph.ask(f"ASK {{ VALUES ?e {{ <{iri}> }} {{ ?e ?p ?o }} UNION {{ ?s ?q ?e }} }}"):
            raise InputError("the graph knows nothing of it", place=iri, way_out="look for it by its label")
        return _matches(graph, [f"<{iri}>"])
    for predicate in (f"<{vocab.RDFS_LABEL}>", f"<{vocab.SKOS_ALT}>", f"<{vocab.SKOS_PREF}>"):
        # The name as it is written can be looked up; regardless of case, every label is compared.
        for condition in (f"VALUES ?l {{ {_texts(name)} }} ?e {predicate} ?l", _regardless_of_case(name, predicate)):
            rows = graph.terms(f"SELECT DISTINCT ?e {{ {condition} }} ORDER BY ?e")
            if not rows.is_empty():
                return _matches(graph, rows["e"].to_list())
    raise InputError("nothing bears that name", place=f"'{name}'", way_out="check its spelling, or give an IRI")


def _as_iri(name: str, base: str | None) -> str | None:
    prefix, colon, local = name.partition(":")
    if name.startswith("<") and name.endswith(">"):
        try:
            iri = urljoin(base, name[1:-1]) if base else name[1:-1]
        except ValueError as error:
            raise InputError("is no IRI", place=name, way_out="give an absolute one, or a label") from error
    elif colon and prefix in vocab.PREFIXES:
        iri = vocab.PREFIXES[prefix] + local
    elif name.startswith(("http://", "https://", "urn:")):
        iri = name
    else:
        return None
    try:
        return ox.NamedNode(iri).value
    except ValueError as error:
        raise InputError("is no IRI", place=name, way_out="give an absolute one, or a label") from error


def _texts(name: str) -> str:
    return f"{ox.Literal(name, language='en')} {ox.Literal(name)}"


def _regardless_of_case(name: str, predicate: str) -> str:
    return f"?e {predicate} ?l FILTER(LCASE(STR(?l)) = {ox.Literal(name.lower())})"


def _matches(graph: Graph, iris: list[str]) -> list[Match]:
    """Return entities with labels and concepts; relations and the like only where nothing else bears the name."""
    rows = graph.terms(
        f"SELECT ?e ?l ?c ?cl {{ VALUES ?e {{ {' '.join(iris)} }} OPTIONAL {{ ?e rdfs:label ?l }} "
        "OPTIONAL { ?e rdf:type ?c OPTIONAL { ?c rdfs:label ?cl } } }"
    )
    concepts: dict[str, dict[str, None]] = {iri: {} for iri in iris}
    labels: dict[str, str] = {}
    internal = set()  # relations, attributes and the like, which bear labels too
    for e, label, concept, name in rows.iter_rows():
        labels.setdefault(e, short(label or e, graph.base))
        if concept:
            concepts[e][short(name or concept, graph.base)] = None
            internal |= {e} if concept.startswith(f"<{vocab.KGP}") else set()
    shown = [iri for iri in iris if iri not in internal] or iris
    return [Match(iri[1:-1], labels[iri], tuple(concepts[iri])) for iri in shown]


def describe_iri(graph: Graph, iri: str) -> Description:
    """Collect everything a graph says about an entity, with labels in place of IRIs."""
    return _EntityReader(graph, iri).read()


class _EntityReader:
    def __init__(self, graph: Graph, iri: str) -> None:
        self.graph, self.base, self.node = graph, graph.base, f"<{iri}>"
        self.description = Description(iri, graph.base)
        self.labels: dict[str, str] = {}
        self.qualifiers: dict[tuple[str, str, str], list[frozenset[tuple[str, str]]]] = {}
        self.units: dict[tuple[str, str, str], str] = {}

    def read(self) -> Description:
        forward = self._ask("p o", f"{self.node} ?p ?o")
        backward = self._ask("p s", f"?s ?p {self.node}")
        self._statements()
        self._label(forward["p"], forward["o"], backward["p"], backward["s"])
        for p, o in forward.iter_rows():
            self._core(p, o) if p in _CORE else self._fact(p, o, forward=True)
        for p, s in backward.iter_rows():
            self.description.instances += p == f"<{vocab.RDF_TYPE}>"
            if p not in _CORE:
                self._fact(p, s, forward=False)
        return self.description

    def _ask(self, variables: str, pattern: str) -> pl.DataFrame:
        named = " ".join(f"?{v}" for v in variables.split())
        return self.graph.terms(f"SELECT DISTINCT {named} {{ {pattern} }} ORDER BY {named}")

    def _label(self, *terms: pl.Series) -> None:
        """Fetch the labels of all IRIs at once."""
        iris = [t for t in pl.concat(terms).unique().to_list() if t.startswith("<") and t not in self.labels]
        for start in range(0, len(iris), 2000):
            values = " ".join(iris[start : start + 2000])
            for e, label in self._ask("e l", f"VALUES ?e {{ {values} }} ?e rdfs:label ?l").iter_rows():
                self.labels.setdefault(e, short(label, self.base))

    def _text(self, term: str) -> str:
        return self.labels.get(term) or short(term, self.base)

    def _predicate(self, term: str) -> str:
        """Return the label of a predicate; a qualifier's may stand with the property it is made of."""
        if term in self.labels:
            return self.labels[term]
        direct = vocab.PREFIXES["wdt"] + term[1:-1].removeprefix(vocab.PREFIXES["pq"])
        return self.labels.get(f"<{direct}>") or next(iter(vocab.property_labels(direct)), short(term, self.base))

    def _core(self, p: str, o: str) -> None:
        if p == f"<{vocab.SKOS_PREF}>":
            self.description.names.append(f"{self._text(o)} ({o.rpartition('@')[2]})")
            return
        into = {
            vocab.RDF_TYPE: self.description.concepts,
            vocab.SUBCLASS: self.description.superconcepts,
            vocab.RDFS_LABEL: self.description.labels,
            vocab.SKOS_ALT: self.description.aliases,
        }.get(p[1:-1])
        if into is None:
            self.description.popularity = self._text(o)
        elif self._text(o) not in into:
            into.append(self._text(o))

    def _fact(self, p: str, other: str, *, forward: bool) -> None:
        if other.startswith(_STATEMENT):
            return
        literal = not other.startswith("<")
        groups = self.description.attributes if literal else self.description.forward if forward else self.description.backward
        s, o = (self.node, other) if forward else (other, self.node)
        facts = groups.setdefault(self._predicate(p), [])
        unit = self.units.get((s, p, o))
        text = f"{self._text(other)} {unit}" if unit else self._text(other)
        facts.append(Fact(text, _widest(self.qualifiers.get((s, p, o), []))))

    def _statements(self) -> None:
        """Fetch the statement nodes that the entity stands in, as subject or as value."""
        pattern = (
            f"{{ {self.node} ?x ?st }} UNION {{ ?st ?y {self.node} }} "
            f"FILTER(STRSTARTS(STR(?st), '{_STATEMENT[1:]}')) ?st ?p ?v . ?s ?z ?st"
        )
        rows = self._ask("s z st p v", pattern)
        terms = pl.concat([rows["p"], rows["v"]])
        direct = terms.str.replace(f"<{vocab.PREFIXES['pq']}", f"<{vocab.PREFIXES['wdt']}", literal=True)
        self._label(terms, direct, rows["s"])
        for node in rows.partition_by("st", maintain_order=True):
            self._statement(node)

    def _statement(self, node: pl.DataFrame) -> None:
        lead = node["z"][0]
        main = _value_predicate(lead)
        value = next((v for p, v in node.select("p", "v").iter_rows() if p == main), None)
        if value is None:
            return
        fact = (node["s"][0], _direct_predicate(lead), value)
        own = dict.fromkeys((p, v) for p, v in node.select("p", "v").iter_rows() if p != main)
        units = {p.removesuffix("/unit>") + ">": self._text(v) for p, v in own if p.endswith("/unit>")}
        qualifiers = set()
        for p, v in own:
            if p == f"<{vocab.KGP}unit>":
                self.units[fact] = self._text(v)
            elif not p.endswith("/unit>"):
                qualifiers.add((self._predicate(p), f"{self._text(v)} {units.get(p, '')}".strip()))
        self.qualifiers.setdefault(fact, []).append(frozenset(qualifiers))


def _widest(sets: list[frozenset[tuple[str, str]]]) -> tuple[frozenset[tuple[str, str]], ...]:
    """Return the sets that are no part of another one: two sources often qualify one fact, the one more fully."""
    distinct = dict.fromkeys(sets)
    return tuple(s for s in distinct if s and not any(s < other for other in distinct))


def _direct_predicate(lead: str) -> str:
    """Return the direct predicate of one that leads to statement nodes (`p:P19` to `wdt:P19`)."""
    iri = lead[1:-1]
    if iri.startswith(vocab.PREFIXES["p"]):
        return f"<{vocab.wdt(iri.removeprefix(vocab.PREFIXES['p']))}>"
    return f"<{iri.removesuffix('/statement')}>"


def _value_predicate(lead: str) -> str:
    return f"<{vocab.ps(_direct_predicate(lead)[1:-1])}>"


def _line(title: str, texts: Iterable[str]) -> list[str]:
    joined = ", ".join(texts)
    return [f"  {title}: {joined}"] if joined else []


def _group(relation: str, facts: list[Fact], limit: int) -> list[str]:
    lines = [f"  {relation}"]
    for fact in sorted(facts, key=lambda f: f.text)[:limit]:
        sets = ["; ".join(f"{name}: {value}" for name, value in sorted(pairs)) for pairs in fact.qualifiers]
        lines.append("".join([f"      {fact.text}", *(f"  ({qualifiers})" for qualifiers in sorted(sets))]))
    more = len(facts) - limit
    return [*lines, f"      … and {more:,} more"] if more > 0 else lines
