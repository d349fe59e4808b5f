"""What models looked up before they answered, as the page shows it: each query with the first of its rows."""

from __future__ import annotations

from typing import Any

from kg.output import short
from queries.records.response import Lookup, Trace

_ROWS = 20
"""So many rows of a query are shown."""
_CELL = 200
"""So many letters of a term are shown."""


def shown_lookups(trace: Trace) -> list[Any]:
    """Return the graph that was asked, what relative IRIs were relative to, and the lookups in order.

    A lookup is its query, its columns, the first of its rows, how many more there are (at least), the truth that an ASK
    returned, the error that came instead, and the seconds that it took.

    >>> lookup = Lookup(query="SELECT ?a { ?a ?b ?c }", columns=["a"], rows=[["<urn:x/y>"]], more=True)
    >>> shown_lookups(Trace(graph="sha256:0", lookups=[lookup], base="urn:x/"))
    ['sha256:0', 'urn:x/', [['SELECT ?a { ?a ?b ?c }', ['a'], [['<y>']], [0, True], None, None, None]]]
    """
    return [trace.graph, trace.base, [_shown(lookup, trace.base) for lookup in trace.lookups]]


def _shown(lookup: Lookup, base: str | None) -> list[Any]:
    rows = [[_clipped(short(term, base)) if term else "" for term in row] for row in lookup.rows[:_ROWS]]
    more = [len(lookup.rows) - len(rows), lookup.more]
    return [lookup.query, lookup.columns, rows, more, lookup.truth, lookup.error, lookup.seconds]


def _clipped(text: str) -> str:
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"
