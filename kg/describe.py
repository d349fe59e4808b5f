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
from kg.vocab import property_labels

_STATEMENT = f"<{vocab.KGP}statement/"
_CORE = {f"<{i}>" for i in (vocab.RDF_TYPE, vocab.RDFS_LABEL, vocab.SKOS_ALT, vocab.SUBCLASS, f"{vocab.KGP}popularity")}


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
    """One entity; `forward`, `backward` and `attributes` go from the label of the predicate to facts."""

    iri: str
    labels: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    concepts: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    popularity: str | None = None
    attributes: dict[str, list[Fact]] = field(default_factory=dict)
    forward: dict[str, list[Fact]] = field(default_factory=dict)
    backward: dict[str, list[Fact]] = field(default_factory=dict)
    instances: int = 0


def find(graph: Graph, name: str) -> list[Match]:
    """Return the entities that `name` means: an IRI, a prefixed name, or else a label or alias, labels first.

    Raises InputError where nothing bears that name.
    """
    if (iri := _as_iri(name, graph.base)) is not None:
        if not graph.ask(f"ASK {{ VALUES ?e {{ <{iri}> }} {{ ?e ?p ?o }} UNION {{ ?s ?q ?e }} }}"):
            raise InputError("the graph knows nothing of it", place=iri, way_out="look for it by its label")
        return _matches(graph, [f"<{iri}>"])
    for predicate in (f"<{vocab.RDFS_LABEL}>", f"<{vocab.SKOS_ALT}>"):
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
    ours = set()
    for e, label, concept, name in rows.iter_rows():
        labels.setdefault(e, short(label or e, graph.base))
        if concept:
            concepts[e][short(name or concept, graph.base)] = None
            ours |= {e} if concept.startswith(f"<{vocab.KGP}") else set()
    kept = [iri for iri in iris if iri not in ours] or iris
    return [Match(iri[1:-1], labels[iri], tuple(concepts[iri])) for iri in kept]


def describe(graph: Graph, iri: str) -> Description:
    """Collect everything a graph says about an entity, with labels in place of IRIs."""
    return _Reader(graph, iri).read()


class _Reader:
    def __init__(self, graph: Graph, iri: str) -> None:
        self.graph, self.base, self.node = graph, graph.base, f"<{iri}>"
        self.found = Description(iri)
        self.labels: dict[str, str] = {}
        self.qualifiers: dict[tuple[str, str, str], list[frozenset[tuple[str, str]]]] = {}
        self.units: dict[tuple[str, str, str], str] = {}

    def read(self) -> Description:
        there = self._ask("p o", f"{self.node} ?p ?o")
        here = self._ask("p s", f"?s ?p {self.node}")
        self._statements()
        self._label(there["p"], there["o"], here["p"], here["s"])
        for p, o in there.iter_rows():
            self._core(p, o) if p in _CORE else self._fact(p, o, forward=True)
        for p, s in here.iter_rows():
            self.found.instances += p == f"<{vocab.RDF_TYPE}>"
            if p not in _CORE:
                self._fact(p, s, forward=False)
        return self.found

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

    def _said(self, term: str) -> str:
        return self.labels.get(term) or short(term, self.base)

    def _predicate(self, term: str) -> str:
        """Return the label of a predicate; a qualifier's may stand with the property it is made of."""
        if term in self.labels:
            return self.labels[term]
        direct = vocab.PREFIXES["wdt"] + term[1:-1].removeprefix(vocab.PREFIXES["pq"])
        return self.labels.get(f"<{direct}>") or next(iter(property_labels(direct)), short(term, self.base))

    def _core(self, p: str, o: str) -> None:
        into = {
            vocab.RDF_TYPE: self.found.concepts,
            vocab.SUBCLASS: self.found.above,
            vocab.RDFS_LABEL: self.found.labels,
            vocab.SKOS_ALT: self.found.aliases,
        }.get(p[1:-1])
        if into is None:
            self.found.popularity = self._said(o)
        elif self._said(o) not in into:
            into.append(self._said(o))

    def _fact(self, p: str, other: str, *, forward: bool) -> None:
        if other.startswith(_STATEMENT):
            return
        literal = not other.startswith("<")
        groups = self.found.attributes if literal else self.found.forward if forward else self.found.backward
        s, o = (self.node, other) if forward else (other, self.node)
        facts = groups.setdefault(self._predicate(p), [])
        unit = self.units.get((s, p, o))
        text = f"{self._said(other)} {unit}" if unit else self._said(other)
        facts.append(Fact(text, _widest(self.qualifiers.get((s, p, o), []))))

    def _statements(self) -> None:
        """Fetch the statement nodes that the entity stands in, as subject or as value."""
        pattern = (
            f"{{ {self.node} ?x ?st }} UNION {{ ?st ?y {self.node} }} "
            f"FILTER(STRSTARTS(STR(?st), '{_STATEMENT[1:]}')) ?st ?p ?v . ?s ?z ?st"
        )
        rows = self._ask("s z st p v", pattern)
        said = pl.concat([rows["p"], rows["v"]])
        direct = said.str.replace(f"<{vocab.PREFIXES['pq']}", f"<{vocab.PREFIXES['wdt']}", literal=True)
        self._label(said, direct, rows["s"])
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
        units = {p.removesuffix("/unit>") + ">": self._said(v) for p, v in own if p.endswith("/unit>")}
        said = set()
        for p, v in own:
            if p == f"<{vocab.KGP}unit>":
                self.units[fact] = self._said(v)
            elif not p.endswith("/unit>"):
                said.add((self._predicate(p), f"{self._said(v)} {units.get(p, '')}".strip()))
        self.qualifiers.setdefault(fact, []).append(frozenset(said))


def _widest(said: list[frozenset[tuple[str, str]]]) -> tuple[frozenset[tuple[str, str]], ...]:
    """Return the sets that say something no other set says too (two sources often qualify one fact alike)."""
    distinct = dict.fromkeys(said)
    return tuple(s for s in distinct if s and not any(s < other for other in distinct))


def _direct_predicate(lead: str) -> str:
    """Return the direct predicate of one that leads to statement nodes (`p:P19` to `wdt:P19`)."""
    iri = lead[1:-1]
    if iri.startswith(vocab.PREFIXES["p"]):
        return f"<{vocab.wdt(iri.removeprefix(vocab.PREFIXES['p']))}>"
    return f"<{iri.removesuffix('/statement')}>"


def _value_predicate(lead: str) -> str:
    return f"<{vocab.ps(_direct_predicate(lead)[1:-1])}>"


def render(found: Description, limit: int, base: str | None = None) -> str:
    """Return a description as text, at most `limit` facts of each relation and direction."""
    name = found.labels[0] if found.labels else short(f"<{found.iri}>", base)
    lines = [f"{name}   {short(f'<{found.iri}>', base)}"]
    lines += _said("also", [*found.labels[1:], *found.aliases])
    lines += _said("is a", found.concepts)
    lines += _said("kind of", found.above)
    lines += _said("instances", [f"{found.instances:,}"] if found.instances else [])
    lines += _said("popularity", [found.popularity] if found.popularity else [])
    for title, arrow, groups in (
        ("Attributes", "", found.attributes),
        ("Facts", "→ ", found.forward),
        ("Facts about it", "← ", found.backward),
    ):
        lines += ["", title] if groups else []
        for relation in sorted(groups):
            lines += _group(f"{arrow}{relation}", groups[relation], limit)
    return "\n".join(harmless(line) for line in lines) + "\n"


def _said(what: str, texts: Iterable[str]) -> list[str]:
    said = ", ".join(texts)
    return [f"  {what}: {said}"] if said else []


def _group(relation: str, facts: list[Fact], limit: int) -> list[str]:
    lines = [f"  {relation}"]
    for fact in sorted(facts, key=lambda f: f.text)[:limit]:
        behind = ["; ".join(f"{name}: {value}" for name, value in sorted(said)) for said in fact.qualifiers]
        lines.append("".join([f"      {fact.text}", *(f"  ({said})" for said in sorted(behind))]))
    more = len(facts) - limit
    return [*lines, f"      … and {more:,} more"] if more > 0 else lines
