"""What a search found about the tables of a store, written into its schema graph in place of an earlier search's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from kg.build import Load
from kg.dependencies.find import Dependencies, Dependency, Inclusion
from kg.local import LocalGraph, build_store
from kg.sources._direct import DirectNames
from kg.sources._schema_graph import SchemaTriples
from kg.vocab import DATA_GRAPH, KGP, PROVENANCE, RDF_TYPE, SCHEMA, XSD

_NOT_DECLARED = f'<{KGP}declared> "false"^^<{XSD}boolean> .'.encode()
_MEASURED = tuple(f" <{KGP}{what}> ".encode() for what in ("support", "violations", "violatedBy"))


def write_dependencies(store: Path, dependencies: Dependencies) -> int:
    """Write dependencies, keys and references into the schema graph of the loads that their tables belong to.

    Returns how many of them are written. The data does not change, and a new load of the same name drops them.

    Raises StoreError where another process holds the store.
    """
    graph = LocalGraph.open(store)
    changed, count = [], 0
    for load in graph.data_graphs:
        name = load.removeprefix(DATA_GRAPH)
        own = f"{SCHEMA}/{name}"
        schema = graph.dump(own) if own in graph.all_graphs() else b""
        tables = {t: iri for t, iri in dependencies.tables.items() if f"<{iri}> <{RDF_TYPE}> <{KGP}Table> .".encode() in schema}
        if tables:
            triples = _DependencyTriples(tables)
            triples.add_all(dependencies)
            changed.append(Load(name, graph.dump(load), _as_loaded(schema) + triples.lines(), _provenance(graph, load), {}))
            count += triples.count
    del graph  # a store that is open for reading could not be replaced everywhere
    for load_again in changed:
        build_store(store, load_again)
    return count


@dataclass
class _DependencyTriples:
    """The triples about the tables of one load (`tables`: name to IRI)."""

    tables: dict[str, str]
    count: int = 0

    def __post_init__(self) -> None:
        self._names = {name: iri.rpartition("/") for name, iri in self.tables.items()}
        base = next(iter(self._names.values()))[0]
        self._triples = SchemaTriples(DirectNames(f"{base}/"))

    def add_all(self, dependencies: Dependencies) -> None:
        for dependency in dependencies.dependencies:
            if dependency.table in self.tables:
                self._numbers(self._dependency(dependency), dependency.support, dependency.violations)
        for violation in dependencies.violations:
            if violation.dependency.table in self.tables:
                self._triples.add(self._dependency(violation.dependency), f"<{KGP}violatedBy>", f"<{violation.row}>")
        for key in dependencies.keys:
            if key.table in self.tables and not key.declared:
                node = self._triples.key("CandidateKey", self._table(key.table), key.columns, declared=False)
                self._numbers(node, key.support, key.violations)
        for inclusion in dependencies.references:
            if {inclusion.reference.table, inclusion.reference.other} <= {*self.tables} and not inclusion.declared:
                self._reference(inclusion)

    def lines(self) -> bytes:
        """Return the triples, each once."""
        return "".join(f"{s} {p} {o} .\n" for s, p, o in dict.fromkeys(self._triples.triples)).encode()

    def _table(self, name: str) -> str:
        return unquote(self._names[name][2])

    def _dependency(self, dependency: Dependency) -> str:
        table = self._table(dependency.table)
        return self._triples.dependency(table, dependency.left, (dependency.right,), declared=dependency.declared)

    def _reference(self, inclusion: Inclusion) -> None:
        table, columns, other, to = inclusion.reference
        node = self._triples.inclusion(self._table(table), columns, self._table(other), to)
        self._numbers(node, inclusion.support, inclusion.violations)
        self._triples.number(node, "coverage", inclusion.coverage)
        self._triples.number(node, "likeness", inclusion.likeness)

    def _numbers(self, node: str, support: int, violations: int) -> None:
        self.count += 1
        self._triples.number(node, "support", support)
        self._triples.number(node, "violations", violations)


def _as_loaded(schema: bytes) -> bytes:
    """Return schema triples without what an earlier search found or measured."""
    lines = schema.splitlines(keepends=True)
    nodes = {line.split(b" ", 1)[0] for line in lines if line.rstrip().endswith(_NOT_DECLARED)}
    declared = (line for line in lines if not any(predicate in line for predicate in _MEASURED))
    return b"".join(line for line in declared if line.split(b" ", 1)[0] not in nodes)


def _provenance(graph: LocalGraph, load: str) -> bytes:
    about = f"<{load}> ".encode()
    return b"".join(line for line in graph.dump(PROVENANCE).splitlines(keepends=True) if line.startswith(about))
