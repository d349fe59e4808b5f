"""The graph: sources in, answers out.

```
kg load wikidata --triples triples.tsv --entities entities.tsv --store ./wd
kg query 'SELECT ?name { wd:Q2 rdfs:label ?name }' --store ./wd
```
"""

from __future__ import annotations

from pathlib import Path

from kg.build import Build, Load
from kg.errors import InputError, KGProbeError, QueryError, SourceError, StoreError
from kg.graph import Graph
from kg.local import LocalGraph, build_store

__all__ = [
    "Build", "Graph", "InputError", "KGProbeError", "Load", "LocalGraph", "QueryError", "SourceError", "StoreError",
    "build_store", "open_graph",
]  # fmt: skip


def open_graph(store: Path | None = None, endpoint: str | None = None) -> Graph:
    """Open a folder made by `kg load`, a SPARQL endpoint, or, with neither, the embedded starter graph.

    Raises InputError where both are given, StoreError where there is no store.
    """
    if store is not None and endpoint is not None:
        raise InputError("--store and --endpoint are both given", way_out="give one of them")
    if endpoint is not None:
        from kg.remote import RemoteGraph

        return RemoteGraph(endpoint)
    if store is not None:
        return LocalGraph.open(store)
    from kg.starter import load_starter

    return LocalGraph.in_memory(load_starter())
