"""The process in which queries run: it opens a graph, then answers a query a line, as JSON, until its input ends."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyoxigraph as ox

from kg import Graph, LocalGraph
from kg.errors import KGProbeError, one_line
from kg.graph_choice import GraphChoice
from kg.limits import watching
from queries.records.response import Lookup
from queries.sandbox.reading import check_reads

_GRACE = 5.0
"""Seconds behind the limit after which the process ends itself: whoever started it is gone."""


def look_up(graph: Graph, query: str, limit: int) -> Lookup:
    """Run a query that only reads, and return its first rows, or what is wrong with it.

    >>> from kg import open_graph
    >>> look_up(open_graph(), "SELECT ?film { ?film a <film> }", 2).more
    True
    """
    try:
        form = check_reads(query)
        if form == "ASK":
            return Lookup(query=query, truth=graph.ask(query))
        columns, rows = _local(graph, query) if isinstance(graph, LocalGraph) else _remote(graph, query, form)
        first = list(islice(rows, limit + 1))
    except (KGProbeError, SyntaxError, ValueError, OSError, RuntimeError) as error:
        return Lookup(query=query, error=one_line(str(error)))
    return Lookup(query=query, columns=columns, rows=first[:limit], more=len(first) > limit)


def _local(graph: LocalGraph, query: str) -> tuple[list[str], Iterator[list[str]]]:
    """Return the rows as they are found, so that those beyond the limit are never looked for."""
    results = graph.query(query)
    if isinstance(results, ox.QuerySolutions):
        return [variable.value for variable in results.variables], (
            ["" if term is None else str(term) for term in solution] for solution in results
        )
    assert isinstance(results, ox.QueryTriples)
    return ["s", "p", "o"], _spelled(results)


def _remote(graph: Graph, query: str, form: str) -> tuple[list[str], Iterator[list[str]]]:
    if form == "SELECT":
        frame = graph.terms(query).fill_null("")
        return frame.columns, (list(row) for row in frame.iter_rows())
    triples = ox.parse(graph.construct(query), ox.RdfFormat.N_TRIPLES)
    return ["s", "p", "o"], _spelled(quad.triple for quad in triples)


def _spelled(triples: Iterable[ox.Triple]) -> Iterator[list[str]]:
    return ([str(triple.subject), str(triple.predicate), str(triple.object)] for triple in triples)


def main() -> None:
    """Open the graph that the first line names, and answer the queries of the others."""
    given: dict[str, Any] = json.loads(sys.stdin.readline())
    paths = {name: [Path(path) for path in given[name] or ()] or None for name in ("fixes", "wrong")}
    store = Path(given["store"]) if given["store"] else None
    graph = GraphChoice(store=store, endpoint=given["endpoint"], **paths).open()
    print("ready", flush=True)
    # The system's own limit does not do: whoever is refused memory may wait for a lock that it holds itself.
    with watching(given["megabytes"] / 1024):
        for line in sys.stdin:
            end = threading.Timer(given["seconds"] + _GRACE, os._exit, [1])
            end.daemon = True
            end.start()
            found = look_up(graph, json.loads(line), given["rows"])
            end.cancel()
            print(msgspec.json.encode(found).decode(), flush=True)


if __name__ == "__main__":
    main()
