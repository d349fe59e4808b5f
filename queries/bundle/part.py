"""The part of a graph that the proofs of some items rest on, as N-Quads; the whole where no part can be told.

All proofs that cite a query with the same names are traced at once (`queries.bundle.footprint`). What people and programs need
to read the part goes with it: the declarations of relations, attributes and qualifiers, and of everything in it its types,
names and popularity. The audit, on the part, decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

import polars as pl

from kg.graph import Graph
from kg.output import as_quads
from kg.sorted_runs import digest_of
from kg.vocab import DESCRIBING, KGP, PROVENANCE
from queries.audit.proofs import Proofs
from queries.bundle.footprint import UntraceableError, footprint
from queries.templates import Template, find_version, inline

_AT_ONCE = 5000
"""Proofs that are traced in one query."""
_DECLARED = tuple(f"<{KGP}{name}>".encode() for name in ("Relation", "Attribute", "Qualifier"))
_TOLD = tuple(f"<{iri}>".encode() for iri in DESCRIBING)
_LOADED = "<http://purl.org/dc/terms/created>"
_DIGEST = f"<{KGP}digest>"


class DumpedGraph(Graph, Protocol):
    """A graph that can be written out, load by load."""

    @property
    def data_graphs(self) -> list[str]:
        """The IRIs of the data graphs."""
        ...

    def dump(self, name: str) -> bytes:
        """Return one named graph as N-Triples."""
        ...

    def all_graphs(self) -> list[str]:
        """The IRIs of all named graphs."""
        ...


class Part(NamedTuple):
    """A part of a graph.

    `quads`: N-Quads, sorted, with the provenance of the loads; `triples`: how many facts and descriptions; `of`: how many the
    graph has; `digest`: that of the part's triples; `why`: why it is the whole graph, null where it is a part.
    """

    quads: bytes
    triples: int
    of: int
    digest: str
    why: str | None


def part_of(graph: DumpedGraph, batches: Iterable[Proofs]) -> Part:
    """Return what the proofs of some items rest on, with what describes it; the whole graph where that cannot be told.

    Raises what the graph raises when it is asked.
    """
    loads = {iri: graph.dump(iri).splitlines() for iri in graph.data_graphs}
    try:
        needed = _needed(graph, batches)
    except UntraceableError as error:
        return _whole(graph, loads, str(error))
    every = set[bytes]().union(*loads.values())
    if needed - every or any(b"_:" in line for line in needed):
        return _whole(graph, loads, "the proofs rest on nodes without names")
    _describe(needed, every)
    if len(needed) == len(every):
        return _whole(graph, loads, "the proofs rest on all of it")
    return _part(graph, {iri: [line for line in lines if line in needed] for iri, lines in loads.items()}, len(every), None)


def whole_graph(graph: DumpedGraph, why: str) -> Part:
    """Return all of a graph."""
    return _whole(graph, {iri: graph.dump(iri).splitlines() for iri in graph.data_graphs}, why)


def _whole(graph: DumpedGraph, loads: dict[str, list[bytes]], why: str) -> Part:
    return _part(graph, loads, len(set[bytes]().union(*loads.values())), why)


def _part(graph: DumpedGraph, loads: dict[str, list[bytes]], of: int, why: str | None) -> Part:
    quads = [(iri, b"\n".join(lines)) for iri, lines in loads.items()]
    if PROVENANCE in graph.all_graphs():
        quads.append((PROVENANCE, b"\n".join(_provenance(graph.dump(PROVENANCE)))))
    data = [b"\n".join(lines) + b"\n" for lines in loads.values() if lines]
    return Part(as_quads(quads, "nq"), len(set[bytes]().union(*loads.values())), of, digest_of(data), why)


def _provenance(dump: bytes) -> Iterator[bytes]:
    """Leave out when it was loaded, so that the same facts give the same bytes, and the digest of the whole."""
    for line in dump.splitlines():
        predicate = line.split(b" ", 2)[1].decode()
        if predicate not in (_LOADED, _DIGEST):
            yield line


def _needed(graph: Graph, batches: Iterable[Proofs]) -> set[bytes]:
    """Return the lines of all triples that the proofs look at. Raises UntraceableError."""
    needed = set[bytes]()
    for batch in batches:
        for query in _queries(batch.distinct, graph.base):
            needed.update(graph.construct(query).splitlines())
    return needed


def _queries(distinct: pl.DataFrame, base: str | None) -> Iterator[str]:
    names = pl.col("bind").list.eval(pl.element().struct.field("name"))
    for (query, _), group in distinct.with_columns(names=names).group_by("query", "names", maintain_order=True):
        for some in group.iter_slices(_AT_ONCE):
            bound = [{each["name"]: each["term"] for each in row} for row in some["bind"]]
            template = _template(str(query), list(bound[0]))
            yield from footprint(template.text, template.placed(bound, base=base), base=base)


def _template(query: str, names: list[str]) -> Template:
    return inline(query, names) if "{" in query else find_version(query)


def _describe(needed: set[bytes], every: set[bytes]) -> None:
    """Add what declares predicates, and says what the things in the part are and are called."""
    things = {end for line in needed for end in _ends(line)}
    told = [(line, *line.split(b" ", 2)) for line in every]
    declared = {s for _, s, _, rest in told if rest.startswith(_DECLARED)}
    needed.update(line for line, s, p, _ in told if p in _TOLD and (s in things or s in declared))


def _ends(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Return subject, predicate and object of a line of N-Triples."""
    subject, predicate, rest = line.split(b" ", 2)
    return subject, predicate, rest.removesuffix(b" .")
