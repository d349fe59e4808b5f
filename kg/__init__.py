"""The graph: sources in, answers out.

```
kg load wikidata --triples triples.tsv --entities entities.tsv --store ./wd
kg query 'SELECT ?name { wd:Q2 rdfs:label ?name }' --store ./wd
```
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.build import Build, Load
from kg.errors import InputError, KGProbeError, QueryError, SourceError, StoreError
from kg.exports import imported_late
from kg.graph import Graph
from kg.local import LocalGraph, build_store

if TYPE_CHECKING:
    from kg.dependencies import find_dependencies
    from kg.entities import describe, find_entities
    from kg.rdflib_graphs import from_rdflib, to_rdflib
    from kg.remote import RemoteGraph
    from kg.sources.entities import load_entities
    from kg.sources.kopl import load_kopl
    from kg.sources.rdf import RdfWords, load_rdf
    from kg.sources.sql import load_sql
    from kg.sources.tables import load_tables
    from kg.sources.views import derive_views
    from kg.sources.wikidata import WikidataFiles, load_wikidata
    from kg.starter import load_starter
    from kg.summary import stats

__all__ = [
    "Build", "Graph", "InputError", "KGProbeError", "Load", "LocalGraph", "QueryError", "RdfWords", "RemoteGraph",
    "SourceError", "StoreError", "WikidataFiles", "build_store", "derive_views", "describe", "find_dependencies",
    "find_entities", "from_rdflib", "load_entities", "load_kopl", "load_rdf", "load_sql", "load_starter", "load_tables",
    "load_wikidata", "open_graph", "stats", "to_rdflib",
]  # fmt: skip

__getattr__ = imported_late(
    "kg",
    {
        "kg.dependencies": ("find_dependencies",),
        "kg.entities": ("describe", "find_entities"),
        "kg.rdflib_graphs": ("from_rdflib", "to_rdflib"),
        "kg.remote": ("RemoteGraph",),
        "kg.sources.entities": ("load_entities",),
        "kg.sources.kopl": ("load_kopl",),
        "kg.sources.rdf": ("RdfWords", "load_rdf"),
        "kg.sources.sql": ("load_sql",),
        "kg.sources.tables": ("load_tables",),
        "kg.sources.views": ("derive_views",),
        "kg.sources.wikidata": ("WikidataFiles", "load_wikidata"),
        "kg.starter": ("load_starter",),
        "kg.summary": ("stats",),
    },
)


def open_graph(store: str | Path | None = None, endpoint: str | None = None) -> Graph:
    """Open a folder made by `kg load`, a SPARQL endpoint, or, with neither, the embedded starter graph.

    Raises InputError where both are given, StoreError where there is no store.

    >>> open_graph().ask("ASK { ?film rdfs:label 'Pulp Fiction'@en }")
    True
    """
    if store is not None and endpoint is not None:
        raise InputError("--store and --endpoint are both given", way_out="give one of them")
    if endpoint is not None:
        from kg.remote import RemoteGraph

        return RemoteGraph(endpoint)
    if store is not None:
        return LocalGraph.open(Path(store))
    from kg.starter import load_starter

    return LocalGraph.in_memory(load_starter())
