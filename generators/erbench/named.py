"""Columns that name the rows of a table where a graph has no names for them: `tunnel` of a sheet `tunnels_import`.

A column that is called as its table's rows are, beside what says that the table is a sheet or an import, holds their names.
"""

from __future__ import annotations

from generators.column_names import split
from generators.erbench.names import Words
from kg.graph import Graph

TOLD_APART = 0.97
"""So many rows have a value of their own in a column that names them."""
_TABLES = "SELECT ?t ?name { ?t a kgp:Table ; kgp:name ?name }"
_COLUMNS = "SELECT ?t ?p ?name { ?t kgp:column ?p . ?p kgp:name ?name }"
_NAMED = "SELECT DISTINCT ?t { ?e a ?t ; rdfs:label ?l }"
_VALUES = "SELECT (COUNT(?o) AS ?n) (COUNT(DISTINCT ?o) AS ?own) { ?s <%s> ?o }"
_ROWS = "SELECT (COUNT(*) AS ?n) { ?e a <%s> }"


def naming_columns(graph: Graph) -> list[str]:
    """Return the columns (`table.column`) that hold the names of rows which have none in a graph."""
    raw = dict(graph.schema(_TABLES).sort("t").iter_rows())
    unnamed = raw.keys() - {*graph.select(_NAMED)["t"]}
    words, found = Words(raw.values()), list[str]()
    for table, column, name in graph.schema(_COLUMNS).sort("t", "p").select("t", "p", "name").iter_rows():
        if table in unnamed and " ".join(split(name)) == words.table(raw[table]).name and _tells_rows(graph, table, column):
            found.append(f"{raw[table]}.{name}")
    return found


def _tells_rows(graph: Graph, table: str, column: str) -> bool:
    """Whether nearly each row has a value of its own."""
    known, own = (int(count or 0) for count in graph.select(_VALUES % column).row(0))
    rows = int(graph.select(_ROWS % table).item() or 0)
    return rows > 1 and min(known, own) >= TOLD_APART * rows
