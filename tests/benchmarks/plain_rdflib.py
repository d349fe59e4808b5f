"""The TSV files into a graph by csv and rdflib, a triple at a time: the program one would write without columns.

It makes the same triples as `kg load wikidata` does; the benchmark compares how many there are.

```
python tests/benchmarks/spine.py --quick
```
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rdflib import RDF, RDFS, SKOS, Graph, Literal, Namespace

from kg.sources.wikidata import WikidataFiles
from kg.vocab import KGP as KGP_IRI
from kg.vocab import PREFIXES

__all__ = ["load_plainly"]

WD, WDT, KGP = Namespace(PREFIXES["wd"]), Namespace(PREFIXES["wdt"]), Namespace(KGP_IRI)


def load_plainly(files: WikidataFiles) -> Graph:
    """Read entities, types, properties and triples into a graph in memory."""
    graph = Graph()
    labelled = set()
    for row in _rows(files.entities):
        entity = WD[row["id"]]
        labelled.add(row["id"])
        graph.add((entity, RDFS.label, Literal(row["label"], lang="en")))
        for alias in filter(None, row["aliases"].split("|")):
            if alias != row["label"]:
                graph.add((entity, SKOS.altLabel, Literal(alias, lang="en")))
    for row in _rows(files.types):
        graph.add((WD[row["id"]], RDF.type, WD[row["type"]]))
        if row["type"] not in labelled:
            graph.add((WD[row["type"]], RDFS.label, Literal(row["type_label"], lang="en")))
    _add_facts(graph, files)
    return graph


def _add_facts(graph: Graph, files: WikidataFiles) -> None:
    labels = {row["id"]: row["label"] for row in _rows(files.properties)}
    degree: Counter[str] = Counter()
    used: set[str] = set()
    for row in _rows(files.triples):
        subject, relation, target = row["subject"], row["property"], row["object"]
        graph.add((WD[subject], WDT[relation], WD[target]))
        if relation == "P31":
            graph.add((WD[subject], RDF.type, WD[target]))
        elif relation == "P279":
            graph.add((WD[subject], RDFS.subClassOf, WD[target]))
        used.add(relation)
        degree[subject] += 1
        degree[target] += 1
    for relation in used:
        graph.add((WDT[relation], RDF.type, KGP.Relation))
        graph.add((WDT[relation], RDFS.label, Literal(labels[relation], lang="en")))
    for entity, count in degree.items():
        graph.add((WD[entity], KGP.popularity, Literal(count)))


def _rows(path: Path | None) -> Iterator[dict[str, str]]:
    if path is None:
        return
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")
