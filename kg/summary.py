"""What is in a graph: its loads with source, licence and counts, and how many entities, concepts, relations and facts."""

from __future__ import annotations

import polars as pl

from kg.errors import QueryError
from kg.graph import Graph
from kg.output import table_text
from kg.text import harmless
from kg.vocab import DATA_GRAPH, KGP, PREFIXES

_TOP = 10
_PROVENANCE = {
    "source": f"{PREFIXES['dcterms']}source",
    "licence": f"{PREFIXES['dcterms']}license",
    "made": f"{PREFIXES['dcterms']}created",
    "sha256": f"{KGP}sha256",
    "base": f"{KGP}base",
    "popularity": f"{KGP}popularitySource",
    "languages": f"{KGP}languages",
}


def _whole(count: object) -> int:
    try:
        return int(str(count))
    except ValueError as error:
        raise QueryError(f"'{count}' is no count", way_out="is this the address of a SPARQL endpoint?") from error


def stats(graph: Graph) -> str:
    """Return what is in a graph, as text for people.

    >>> from kg import open_graph
    >>> print(stats(open_graph()).splitlines()[0])
    load          starter
    """
    entities = _whole(graph.select(_ENTITIES).item(0, 0))
    facts = _top(graph, _RELATIONS)
    concepts = _top(graph, _CONCEPTS)
    lines = [
        *_loads(graph),
        f"digest        {graph.digest()}",
        f"entities      {entities:,}",
        f"facts         {facts['n'].sum():,} between entities, by {facts.height:,} relations",
        f"concepts      {concepts.height:,}",
    ]
    text = "\n".join(map(harmless, lines)) + "\n"
    return text + _table("most used concepts", "entities", concepts) + _table("most used relations", "facts", facts)


# What has a concept, or stands in a fact (which is what everything with a popularity does).
_ENTITIES = f"""
  SELECT (COUNT(DISTINCT ?e) AS ?n) {{
    {{ ?e rdf:type ?c FILTER(!STRSTARTS(STR(?c), "{KGP}")) }} UNION {{ ?e kgp:popularity ?some }}
  }}
"""
_CONCEPTS = f"""
  SELECT ?thing (SAMPLE(?l) AS ?label) (COUNT(DISTINCT ?e) AS ?n) {{
    ?e rdf:type ?thing FILTER(!STRSTARTS(STR(?thing), "{KGP}")) OPTIONAL {{ ?thing rdfs:label ?l }}
  }} GROUP BY ?thing ORDER BY DESC(?n) ?label
"""
_RELATIONS = """
  SELECT ?thing (SAMPLE(?l) AS ?label) (COUNT(*) AS ?n) {
    { SELECT DISTINCT ?thing ?s ?o { ?thing rdf:type kgp:Relation . ?s ?thing ?o } }
    OPTIONAL { { SELECT ?thing (SAMPLE(?name) AS ?l) { ?thing rdfs:label ?name } GROUP BY ?thing } }
  } GROUP BY ?thing ORDER BY DESC(?n) ?label
"""


def _top(graph: Graph, query: str) -> pl.DataFrame:
    rows = graph.select(query).with_columns(pl.col("n").cast(pl.Int64))
    return rows.with_columns(pl.col("label").fill_null(pl.col("thing"))).filter(pl.col("n") > 0)


def _loads(graph: Graph) -> list[str]:
    rows = graph.provenance("SELECT ?g ?p ?o { ?g ?p ?o } ORDER BY ?g ?p")
    # The provenance of a store also holds the store's own digest, which belongs to no load.
    rows = rows.filter(pl.col("g").str.starts_with(DATA_GRAPH))
    lines: list[str] = []
    for load in rows.partition_by("g", maintain_order=True):
        values = dict(load.select("p", "o").iter_rows())
        counts = {p.removeprefix(f"{KGP}count/").replace("%20", " "): n for p, n in values.items() if "#count/" in p}
        lines.append(f"load          {load['g'][0].removeprefix(DATA_GRAPH)}")
        lines += [f"  {title:<12}{values[p]}" for title, p in _PROVENANCE.items() if values.get(p)]
        lines.append("  counts      " + ", ".join(f"{int(n):,} {what}" for what, n in counts.items()))
    return lines


def _table(title: str, counted: str, rows: pl.DataFrame) -> str:
    top = rows.head(_TOP)
    cells = ([label, f"{n:,}"] for label, n in top.select("label", "n").iter_rows())
    return "\n" + table_text([title, counted], cells, terminal=False) if top.height else ""
