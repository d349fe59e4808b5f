"""Graphs for rdflib and from it: for its serialisers, its parsers, and whatever is built on it (SHACL, OWL reasoners).

```
python -c 'import kg; print(kg.to_rdflib(kg.open_graph()).serialize(format="pretty-xml")[:200])'
```
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import rdflib

from kg.graph import Graph
from kg.local import LocalGraph
from kg.sources.rdf import RdfWords, load_rdf
from kg.vocab import PREFIXES

_ALL = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"


def to_rdflib(graph: Graph) -> rdflib.Graph:
    """Return the data triples of a graph as an rdflib graph, all of it in memory; the usual prefixes are bound.

    Literals keep their spelling, which rdflib would change (`"01"^^xsd:integer` to `1`).

    >>> from kg import open_graph
    >>> graph = to_rdflib(open_graph())
    >>> rdflib.Literal("Pulp Fiction", lang="en") in set(graph.objects(predicate=rdflib.RDFS.label))
    True
    """
    data = graph.construct(_ALL)
    copy = rdflib.Graph(bind_namespaces="none")
    for prefix, iri in PREFIXES.items():
        copy.bind(prefix, iri)
    normalize, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    try:
        copy.parse(data=data, format="nt")
    finally:
        rdflib.NORMALIZE_LITERALS = normalize
    return copy


def from_rdflib(triples: rdflib.Graph, name: str = "rdflib", words: RdfWords | None = None) -> LocalGraph:
    """Return a graph in memory with the triples of an rdflib graph; relations and attributes are declared as by `kg load rdf`.

    Raises what `kg.load_rdf` raises: InputError where nothing in it has a name.

    >>> from kg import open_graph
    >>> graph = open_graph()
    >>> from_rdflib(to_rdflib(graph)).digest() == graph.digest()
    True
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.nt")
        triples.serialize(destination=path, format="nt", encoding="utf-8")
        return LocalGraph.in_memory(load_rdf([path], name, words))
