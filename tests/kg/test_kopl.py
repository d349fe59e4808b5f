"""A knowledge base in KoPL's format becomes a graph."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import LocalGraph
from kg.sources.kopl import load_kopl
from kg.sources.wikidata import WikidataFiles, load_wikidata
from kg.vocab import property_iri
from shared import shared

XSD = "http://www.w3.org/2001/XMLSchema#"


def knowledge(name: str = "A", **entity: Any) -> dict[str, Any]:
    """A knowledge base of one entity and one concept."""
    return {
        "concepts": {"Q5": {"name": "human", "subclassOf": []}},
        "entities": {"Q1": {"name": name, "instanceOf": ["Q5"], "attributes": [], "relations": [], **entity}},
    }


def graph_of(kb: dict[str, Any], folder: Path) -> LocalGraph:
    path = folder / "kb.json"
    path.write_text(json.dumps(kb), "utf-8")
    return LocalGraph.in_memory(load_kopl(path))


def test_entities_and_concepts_bear_their_names(kopl: LocalGraph) -> None:
    names = kopl.select(
        "SELECT ?name { VALUES ?e { wd:Q937 wd:Q5 <https://w3id.org/kgprobe#entity/moon> } ?e rdfs:label ?name }"
    )
    assert set(names["name"]) == {"Albert Einstein", "human", "moon"}


def test_types_and_superclasses_come_from_lists_and_from_facts(kopl: LocalGraph) -> None:
    assert kopl.ask("ASK { wd:Q937 rdf:type wd:Q5 . wd:Q5 rdfs:subClassOf wd:Q729 }")
    assert kopl.ask("ASK { wd:Q3012 rdf:type wd:Q515 ; wdt:P31 wd:Q515 ; rdfs:subClassOf wd:Q6256 ; wdt:P279 wd:Q6256 }")


def test_a_cycle_of_superclasses_survives(kopl: LocalGraph) -> None:
    assert kopl.ask("ASK { wd:Q5 rdfs:subClassOf+ wd:Q5 . wd:Q729 rdfs:subClassOf+ wd:Q729 }")


def test_a_fact_that_stands_both_ways_is_one_fact(kopl: LocalGraph) -> None:
    assert kopl.ask("ASK { wd:Q937 wdt:P26 wd:Q76346 }")
    assert kopl.select("SELECT (COUNT(*) AS ?n) { ?s wdt:P26 ?o }").item() == "1"
    assert kopl.select("SELECT (COUNT(*) AS ?n) { ?s wdt:P19 ?o }").item() == "1"


def test_a_fact_that_stands_only_backward_counts(kopl: LocalGraph) -> None:
    assert kopl.ask("ASK { wd:Q183 wdt:P17 wd:Q3012 }")


def test_a_relation_is_wikidatas_where_its_label_is_known_and_ours_elsewhere(kopl: LocalGraph) -> None:
    assert kopl.ask("ASK { wdt:P19 a kgp:Relation ; rdfs:label 'place of birth'@en ; skos:altLabel 'Place of Birth'@en }")
    assert kopl.ask("ASK { <https://w3id.org/kgprobe#relation/is_fond_of> a kgp:Relation ; rdfs:label 'is fond of'@en }")


def test_the_qualifiers_of_both_directions_are_one_statement(kopl: LocalGraph) -> None:
    rows = kopl.terms("SELECT ?st ?p ?v { wd:Q937 p:P26 ?st . ?st ps:P26 wd:Q76346 ; ?p ?v FILTER(?p != ps:P26) }")
    assert rows["st"].n_unique() == 1
    assert set(rows["v"]) == {f'"1903-01-06"^^<{XSD}date>', f'"1919"^^<{XSD}gYear>'}


def test_a_value_with_a_unit_stands_on_a_statement_too(kopl: LocalGraph) -> None:
    rows = kopl.terms("SELECT ?v ?unit ?u { wd:Q937 wdt:P2048 ?v ; p:P2048 ?st . ?st ps:P2048 ?u ; kgp:unit ?unit }")
    assert rows.rows(named=True) == [{"v": f'"1.75"^^<{XSD}decimal>', "u": f'"1.75"^^<{XSD}decimal>', "unit": '"metre"'}]
    assert not kopl.ask("ASK { wd:Q3012 wdt:P1082 ?v ; p:P1082 ?st }")  # "1" is no unit


@pytest.mark.parametrize(
    ("kind", "value", "term"),
    [
        ("string", 'say "hi"\n', '"say \\"hi\\"\\n"'),
        ("quantity", 176.0, f'"176"^^<{XSD}integer>'),
        ("quantity", -0.5, f'"-0.5"^^<{XSD}decimal>'),
        ("quantity", 10**40, f'"1{"0" * 40}"^^<{XSD}integer>'),
        ("quantity", "about ten", '"about ten"'),
        ("date", "2004-03-14", f'"2004-03-14"^^<{XSD}date>'),
        ("date", "2004/3/4", f'"2004-03-04"^^<{XSD}date>'),
        ("date", "-0044-03-15", f'"-0044-03-15"^^<{XSD}date>'),
        ("date", "2004-03-00", f'"2004-03"^^<{XSD}gYearMonth>'),
        ("date", "1900-02-30", '"1900-02-30"'),
        ("year", -44, f'"-0044"^^<{XSD}gYear>'),
        ("year", -13800000000, f'"-13800000000"^^<{XSD}gYear>'),
    ],
)
def test_a_value_is_typed_where_it_survives(kind: str, value: object, term: str, tmp_path: Path) -> None:
    kb = knowledge(attributes=[{"key": "said", "value": {"type": kind, "value": value}, "qualifiers": {}}])
    graph = graph_of(kb, tmp_path)
    assert graph.terms("SELECT ?v { wd:Q1 <https://w3id.org/kgprobe#attribute/said> ?v }").item() == term


def test_statements_that_differ_in_their_qualifiers_stay_apart(tmp_path: Path) -> None:
    held = [
        {
            "relation": "position held",
            "direction": "forward",
            "object": "Q5",
            "qualifiers": {"start time": [{"type": "year", "value": y}]},
        }
        for y in (1933, 1949)
    ]
    graph = graph_of(knowledge(relations=held), tmp_path)
    assert graph.select("SELECT (COUNT(*) AS ?n) { wd:Q1 p:P39 ?st }").item() == "2"
    assert graph.select("SELECT (COUNT(*) AS ?n) { wd:Q1 wdt:P39 ?o }").item() == "1"


def test_loading_again_does_not_change_the_digest(sources: Path, kopl: LocalGraph) -> None:
    assert LocalGraph.in_memory(load_kopl(sources / "kopl" / "kb.json")).digest() == kopl.digest()


def test_a_gzip_is_the_same_graph(sources: Path, tmp_path: Path, kopl: LocalGraph) -> None:
    packed = tmp_path / "kb.json.gz"
    packed.write_bytes(gzip.compress((sources / "kopl" / "kb.json").read_bytes()))
    assert LocalGraph.in_memory(load_kopl(packed)).digest() == kopl.digest()


def test_an_earlier_spelling_of_the_format_is_understood(sources: Path, tmp_path: Path, kopl: LocalGraph) -> None:
    text = (sources / "kopl" / "kb.json").read_text("utf-8").replace('"relation":', '"predicate":')
    assert graph_of(json.loads(text), tmp_path).digest() == kopl.digest()


hostile = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@settings(max_examples=60, deadline=None)
@given(name=hostile, value=hostile, relation=hostile.filter(str.strip), unit=hostile)
def test_any_text_survives_from_file_to_query(
    tmp_path_factory: pytest.TempPathFactory, name: str, value: str, relation: str, unit: str
) -> None:
    kb = knowledge(
        name,
        relations=[{"relation": relation, "direction": "forward", "object": "Q5", "qualifiers": {}}],
        attributes=[{"key": "said", "value": {"type": "string", "value": value, "unit": unit}, "qualifiers": {}}],
    )
    graph = graph_of(kb, tmp_path_factory.mktemp("kb"))
    assert graph.ask(f"ASK {{ wd:Q1 rdfs:label {literal(name)}@en ; ?p {literal(value)} }}")
    assert graph.ask(f"ASK {{ ?p a kgp:Relation ; rdfs:label {literal(relation)}@en . wd:Q1 ?p wd:Q5 }}")
    assert graph.select("SELECT ?name { wd:Q1 rdfs:label ?name }").item() == name


def literal(text: str) -> str:
    """A text as SPARQL writes it."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08X}" for c in text) + '"'


@pytest.mark.parametrize("name", ['"', "\\", "{?x}", "a\nb\r\nc\td", "👨‍👩‍👧", "שלום\u202e", "'''", "\x1b[31m", "</a>"])
def test_hostile_names_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    assert graph_of(knowledge(name), tmp_path).select("SELECT ?n { wd:Q1 rdfs:label ?n }").item() == name


def test_all_of_the_shared_knowledge_base_is_there() -> None:
    path = shared("data/kopl/kb.json.gz")
    kb = json.loads(gzip.decompress(path.read_bytes()))
    facts = set()
    for key, entity in kb["entities"].items():
        for r in entity["relations"]:
            pair = (key, r["object"]) if r["direction"] == "forward" else (r["object"], key)
            facts.add((pair[0], r["relation"], pair[1]))
    load = load_kopl(path)
    assert load.counts["facts"] == len(facts)
    graph = LocalGraph.in_memory(load)
    known = graph.select("SELECT ?label ?p { ?p a kgp:Relation ; rdfs:label ?label }").select("label", "p").rows()
    iris = dict(known)
    found = graph.select("SELECT ?s ?p ?o { ?p a kgp:Relation . ?s ?p ?o }").select("s", "p", "o")
    wanted = {(wd(s), iris[r], wd(o)) for s, r, o in facts if r in iris}
    assert wanted <= set(found.rows())
    assert len(wanted) > 0.99 * len(facts)


def wd(name: str) -> str:
    return f"http://www.wikidata.org/entity/{name}"


@pytest.mark.slow
def test_a_fact_has_one_iri_whichever_source_tells_it() -> None:
    folder = shared("data/wikidata-core")
    kinds = ("triples", "entities", "types", "properties")
    graph = LocalGraph.in_memory(
        load_kopl(shared("data/kopl/kb.json.gz")), load_wikidata(WikidataFiles(*(folder / f"{k}.tsv" for k in kinds)))
    )
    told = "SELECT (COUNT(*) AS ?n) { ?p a kgp:Relation . GRAPH <https://w3id.org/kgprobe#graph/kopl> { ?s ?p ?o } %s }"
    of_kopl = int(graph.select(told % "").item())
    of_both = int(graph.select(told % "GRAPH <https://w3id.org/kgprobe#graph/wikidata> { ?s ?p ?o }").item())
    assert of_both > 0.99 * of_kopl


def _rows(name: str) -> Iterator[dict[str, str]]:
    with shared(f"data/wikidata-core/{name}.tsv").open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t")


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """wikidata-core in both formats, without what KoPL cannot say: properties without a name."""
    folder = tmp_path_factory.mktemp("core")
    names = {row["id"]: row["label"] for row in _rows("properties") if row["label"]}
    entities, concepts = dict[str, Any](), dict[str, Any]()
    for row in _rows("entities"):
        entities[row["id"]] = {"name": row["label"], "instanceOf": [], "attributes": [], "relations": []}
    for row in _rows("types"):
        entities[row["id"]]["instanceOf"].append(row["type"])
        concepts[row["type"]] = {"name": row["type_label"], "subclassOf": []}
    with (folder / "triples.tsv").open("w", encoding="utf-8") as triples:
        triples.write("n\tsubject\tproperty\tobject\n")
        for row in _rows("triples"):
            if row["property"] not in names:
                continue
            triples.write("\t".join(row.values()) + "\n")
            for here, there, way in (("subject", "object", "forward"), ("object", "subject", "backward")):
                fact = {"relation": names[row["property"]], "direction": way, "object": row[there], "qualifiers": {}}
                entities[row[here]]["relations"].append(fact)
    (folder / "kb.json").write_text(json.dumps({"concepts": concepts, "entities": entities}))
    return folder


def test_the_same_facts_from_tables_and_from_kopl_are_the_same_triples(core: Path) -> None:
    """But for what only the tables say (aliases, descriptions, articles) and IRIs of relations that are known by name alone."""
    folder = shared("data/wikidata-core")
    entities, types, properties = (folder / f"{kind}.tsv" for kind in ("entities", "types", "properties"))
    files = WikidataFiles(core / "triples.tsv", entities, types=types, properties=properties)
    aside = ("core#altLabel> ", "<http://purl.org/dc/terms/description> ", "#wikipedia> ")
    said = {line for line in load_wikidata(files).data.decode().splitlines() if not any(part in line for part in aside)}
    told = load_kopl(core / "kb.json").data.decode()
    direct = {row["label"]: f"<http://www.wikidata.org/prop/direct/{row['id']}>" for row in _rows("properties")}
    own = dict(re.findall(r'(?m)^(<https://w3id.org/kgprobe#relation/\S+>) <\S+#label> "(.*)"@en \.$', told))
    assert 0 < len(own) < 0.2 * len(direct), "most relations have a name that is known"
    assert [name for name in own.values() if property_iri(name)] == []
    renamed = re.sub(r"<https://w3id.org/kgprobe#relation/\S+>", lambda iri: direct[own[iri[0]]], told)
    assert len(said) > 200_000
    assert {*renamed.splitlines()} == said
