"""Wikidata statements in tab-separated files become a graph."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from kg import LocalGraph
from kg.errors import SourceError
from kg.sources.wikidata import WikidataFiles, load_wikidata
from shared import shared

KINDS = ("triples", "entities", "types", "properties", "qualifiers", "incomplete")


def test_the_core_triples_are_there(wikidata: LocalGraph) -> None:
    assert wikidata.ask("ASK { wd:Q937 wdt:P19 wd:Q3012 ; rdfs:label 'Albert Einstein'@en ; skos:altLabel 'A. Einstein'@en }")
    assert wikidata.ask("ASK { wd:Q937 rdf:type wd:Q5 . wd:Q5 rdfs:label 'human'@en }")
    assert wikidata.ask("ASK { wdt:P19 a kgp:Relation ; rdfs:label 'place of birth'@en }")
    assert wikidata.ask("ASK { wd:Q937 kgp:popularity 2 }")


def test_a_name_is_not_its_own_alias(wikidata: LocalGraph) -> None:
    assert wikidata.select("SELECT ?name { wd:Q76346 skos:altLabel ?name }")["name"].to_list() == ["Mileva Einstein"]


def test_instance_of_and_subclass_of_stay_facts_and_become_types(wikidata: LocalGraph) -> None:
    assert wikidata.ask("ASK { wd:Q3012 wdt:P31 wd:Q515 ; rdf:type wd:Q515 }")
    assert wikidata.ask("ASK { wd:Q515 wdt:P279 wd:Q486972 ; rdfs:subClassOf wd:Q486972 }")


def test_a_cycle_of_superclasses_survives(wikidata: LocalGraph) -> None:
    assert wikidata.ask("ASK { wd:Q515 rdfs:subClassOf/rdfs:subClassOf wd:Q515 }")


def test_qualifiers_stand_on_a_statement(wikidata: LocalGraph) -> None:
    assert wikidata.ask("ASK { wd:Q937 p:P26 ?st . ?st ps:P26 wd:Q76346 ; pq:P2842 wd:Q3012 }")


def test_incomplete_pairs_stand_in_the_schema_graph_only(wikidata: LocalGraph) -> None:
    assert wikidata.schema("SELECT ?s ?p { ?s kgp:incomplete ?p }").rows() == [
        ("http://www.wikidata.org/prop/direct/P26", "http://www.wikidata.org/entity/Q937")[::-1]
    ]
    assert not wikidata.ask("ASK { ?s kgp:incomplete ?p }")


def test_provenance_says_where_the_data_comes_from(wikidata: LocalGraph) -> None:
    said = wikidata.provenance("SELECT ?source ?sha { ?load dcterms:source ?source ; kgp:sha256 ?sha }")
    assert "triples.tsv" in said["source"][0]
    assert len(said["sha"][0]) == 64
    assert not wikidata.ask("ASK { ?load dcterms:source ?source }")


def test_loading_again_does_not_change_the_digest(sources: Path, wikidata: LocalGraph) -> None:
    files = WikidataFiles(*(sources / "wikidata" / f"{kind}.tsv" for kind in KINDS))
    assert LocalGraph.in_memory(load_wikidata(files)).digest() == wikidata.digest()


def _with_attributes(sources: Path, text: str | None = None, folder: Path | None = None) -> LocalGraph:
    file = sources / "wikidata" / "attributes.tsv"
    if text is not None and folder is not None:
        file = folder / "attributes.tsv"
        file.write_text(text, "utf-8")
    paths = {kind: sources / "wikidata" / f"{kind}.tsv" for kind in KINDS}
    files = WikidataFiles(**paths, attributes=file)
    return LocalGraph.in_memory(load_wikidata(files))


def test_attributes_keep_precision_and_unit(sources: Path) -> None:
    graph = _with_attributes(sources)
    assert graph.ask("ASK { wd:Q937 wdt:P569 '1879-03-14'^^xsd:date ; wdt:P570 '1955-04'^^xsd:gYearMonth }")
    assert graph.ask("ASK { wd:Q937 p:P2048 ?st . ?st ps:P2048 1.75 ; kgp:unit 'metre' }")
    assert graph.ask("ASK { wd:Q3012 wdt:P1082 126329 }")
    assert not graph.ask("ASK { wd:Q3012 p:P1082 ?st }")
    assert graph.ask("ASK { wdt:P569 a kgp:Attribute ; rdfs:label 'date of birth'@en }")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("Q937\tP569\tsoon\tdate\t", "'soon' is no date"),
        ("Q937\tP569\t1879\tdat\t", "type 'dat' is none of"),
        ("Q4711\tP569\t1879\tdate\t", "subject 'Q4711' is no known entity"),
    ],
)
def test_wrong_attributes_are_refused_with_their_line(sources: Path, tmp_path: Path, row: str, says: str) -> None:
    text = f"subject\tproperty\tvalue\ttype\tunit\nQ937\tP570\t1955\tdate\t\n{row}\n"
    with pytest.raises(SourceError, match=re.escape(says)) as error:
        _with_attributes(sources, text, tmp_path)
    assert ":3" in str(error.value)


def test_all_of_the_shared_triples_are_there() -> None:
    folder = shared("data/wikidata-core")
    load = load_wikidata(WikidataFiles(*(folder / f"{kind}.tsv" for kind in KINDS[:4])))
    with (folder / "triples.tsv").open(encoding="utf-8", newline="") as file:
        rows = {
            (r["subject"], r["property"], r["object"]) for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
    assert load.counts["facts"] == len(rows)
    graph = LocalGraph.in_memory(load)
    assert int(graph.select("SELECT (COUNT(*) AS ?n) { ?p a kgp:Relation . ?s ?p ?o }").item()) == len(rows)
