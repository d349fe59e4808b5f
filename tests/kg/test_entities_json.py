"""Wikidata's entity JSON becomes the graph that its tab-separated files become."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg import LocalGraph
from kg.errors import InputError, SourceError
from kg.sorted_runs import Scratch
from kg.sources.entities import load_entities
from kg.sources.wikidata import WikidataFiles, load_wikidata
from kg_command import Kg
from shared import shared


@pytest.fixture(scope="module")
def dump(sources: Path) -> Path:
    return sources / "entities" / "dump.json"


@pytest.fixture(scope="module")
def newton(dump: Path) -> LocalGraph:
    """A small dump: a physicist, and what he is told by."""
    return LocalGraph.in_memory(load_entities([dump]))


def test_names_descriptions_and_articles_are_kept(newton: LocalGraph) -> None:
    assert newton.ask("ASK { wd:Q935 rdfs:label 'Isaac Newton'@en ; skos:altLabel 'Sir Isaac Newton'@en }")
    assert newton.ask("ASK { wd:Q935 dcterms:description 'English mathematician and physicist'@en }")
    assert newton.ask("ASK { wd:Q935 kgp:wikipedia 'Isaac Newton' }")


def test_facts_types_and_superclasses_are_those_of_the_core(newton: LocalGraph) -> None:
    assert newton.ask("ASK { wd:Q935 wdt:P31 wd:Q5 ; rdf:type wd:Q5 ; wdt:P19 wd:Q1111 ; kgp:popularity 5 }")
    assert newton.ask("ASK { wd:Q515 wdt:P279 wd:Q486972 ; rdfs:subClassOf wd:Q486972 }")
    assert newton.ask("ASK { wdt:P19 a kgp:Relation ; rdfs:label 'place of birth'@en }")
    assert newton.ask("ASK { wdt:P27 a kgp:Relation ; rdfs:label 'country of citizenship'@en }"), "by the names that ship"


def test_the_best_rank_is_what_is_true(newton: LocalGraph) -> None:
    """Of preferred and normal the preferred; what is deprecated is no fact at all."""
    assert newton.select("SELECT ?o { wd:Q935 wdt:P27/rdfs:label ?o }")["o"].to_list() == ["Kingdom of England"]


def test_what_is_known_to_be_missing_is_marked(newton: LocalGraph) -> None:
    """Some value, and values of a lower rank: there are more objects than told. No value: there is none."""
    marked = "SELECT ?mark ?p { wd:Q935 ?mark ?p } ORDER BY ?mark ?p"
    rows = [(mark.rpartition("#")[2], name.rpartition("/")[2]) for mark, name in newton.schema(marked).rows()]
    assert rows == [("complete", "P26"), ("incomplete", "P1412"), ("incomplete", "P27")]


def test_qualifiers_stand_on_a_statement(newton: LocalGraph) -> None:
    query = "ASK { wd:Q935 p:P69 ?st . ?st ps:P69 wd:Q2222 ; pq:P512 wd:Q3333 ; pq:P580 '1661-06'^^xsd:gYearMonth }"
    assert newton.ask(query)
    assert newton.ask("ASK { pq:P512 a kgp:Qualifier ; rdfs:label 'academic degree'@en }")


def test_dates_have_their_precision_and_julian_days_become_gregorian(newton: LocalGraph) -> None:
    assert newton.ask("ASK { wd:Q935 wdt:P569 '1643-01-04'^^xsd:date ; wdt:P570 '1727'^^xsd:gYear }")
    assert not newton.ask("ASK { wd:Q935 wdt:P571 ?century }")
    assert newton.ask("ASK { wdt:P569 a kgp:Attribute ; rdfs:label 'date of birth'@en }")


def test_quantities_have_their_unit(newton: LocalGraph) -> None:
    assert newton.ask("ASK { wd:Q935 wdt:P2048 1.68 ; p:P2048 ?st . ?st ps:P2048 1.68 ; kgp:unit 'metre' }")
    assert newton.ask("ASK { wd:Q935 wdt:P1971 ?none }")
    assert not newton.ask("ASK { wd:Q935 wdt:P2067 ?mass }"), "a unit that nothing names"


def test_what_is_left_out_is_counted(dump: Path) -> None:
    counts = load_entities([dump]).counts
    assert counts["dangling"] == 1
    assert counts["entities without a name left out"] == 1
    assert counts["values in units without a name left out"] == 1
    assert counts["values of other kinds left out"] == 2
    assert (counts["facts"], counts["qualifiers"]) == (6, 2)


def test_a_redirect_leads_on(tmp_path: Path) -> None:
    lines = [_item("Q1", "one", {"P361": ["Q9"]}), _item("Q2", "two"), {"entity": "Q9", "redirect": "Q8"}]
    path = _written(tmp_path / "dump.json", [*lines, {"entity": "Q8", "redirect": "Q2"}])
    assert LocalGraph.in_memory(load_entities([path])).ask("ASK { wd:Q1 wdt:P361 wd:Q2 }")


def test_names_in_several_languages_are_kept_where_asked(dump: Path) -> None:
    graph = LocalGraph.in_memory(load_entities([dump], languages=["de", "en"]))
    assert graph.select("SELECT ?name { wd:Q179876 rdfs:label ?name }")["name"].to_list() == ["Königreich England"]
    assert graph.ask("ASK { wd:Q179876 skos:altLabel 'Kingdom of England'@en }")
    assert graph.ask("ASK { wd:Q1860 rdfs:label ?name FILTER(STR(?name) = 'English') }"), "where there is no German name"


@pytest.mark.parametrize("ending", ["lines", "gz", "bz2", "page"])
def test_every_form_of_a_dump_gives_the_same_graph(ending: str, dump: Path, newton: LocalGraph, tmp_path: Path) -> None:
    """The array, bare lines, zipped, and a page of Special:EntityData."""
    text = dump.read_bytes()
    bare = [line.rstrip(b",") for line in text.splitlines()[1:-1]]
    entities = {str(number): json.loads(line) for number, line in enumerate(bare)}
    forms = {
        "lines": b"\n".join(bare),
        "gz": gzip.compress(text),
        "bz2": bz2.compress(text),
        "page": json.dumps({"entities": entities}).encode(),
    }
    path = tmp_path / "dump.json"
    path.write_bytes(forms[ending])
    assert LocalGraph.in_memory(load_entities([path])).digest() == newton.digest()


def test_a_load_that_waits_in_files_is_the_same(dump: Path, newton: LocalGraph, tmp_path: Path) -> None:
    with Scratch(tmp_path / "s") as scratch:
        load = load_entities([dump], scratch=scratch)
        assert LocalGraph.in_memory(load).digest() == newton.digest()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "Q1", "labels": {"en": {"value": "a', "dump.json:2: is no entity ("),
        ('{"id": "Q1", "labels": 3}', "dump.json:2: is no entity (Expected `"),
        ('{"labels": {}}', "dump.json:2: is no entity (has no 'id')"),
        ('{"id": "Q1", "x": ' + "[" * 20_000, "dump.json:2: is no entity ("),
    ],
)
def test_a_line_that_is_no_entity_is_named_or_counted(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_item("Q2", "two")) + "\n" + line + "\n")
    with pytest.raises(SourceError) as caught:
        load_entities([path])
    assert said in str(caught.value)
    assert load_entities([path], lenient=True).counts["lines at fault"] == 1


def test_files_without_a_name_say_what_to_do(kg: Kg, tmp_path: Path) -> None:
    path = _written(tmp_path / "dump.json", [_item("Q2", "two")])
    with pytest.raises(InputError, match="no entity in the files has a name; give a dump of entities, and say with --language"):
        load_entities([path], languages=["fr"])
    said = kg("load", "entities", tmp_path / "absent.json", "--store", tmp_path / "s")
    assert (said.code, "absent.json: no such file" in said.err) == (2, True)
    assert kg("load", "entities", path, "--store", tmp_path / "s", "--language", "en,de").code == 0
    assert "two" in kg("describe", "wd:Q2", "--store", tmp_path / "s").out


def _item(name: str, label: str, facts: dict[str, list[str]] | None = None) -> dict[str, Any]:
    claims = {p: [{"mainsnak": _snak(p, o), "rank": "normal"} for o in objects] for p, objects in (facts or {}).items()}
    return {"type": "item", "id": name, "labels": {"en": {"language": "en", "value": label}}, "claims": claims or []}


def _snak(name: str, value: str) -> dict[str, Any]:
    return {"snaktype": "value", "property": name, "datavalue": {"type": "wikibase-entityid", "value": {"id": value}}}


def _written(path: Path, entities: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(entity) + "\n" for entity in entities))
    return path


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t")


def _as_entities(folder: Path, out: Path) -> None:
    """Write tab-separated files as a dump."""
    qualifiers: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for row in _rows(folder / "qualifiers.tsv"):
        qualifiers[row["n"]][row["property"]].append(_snak(row["property"], row["value"]))
    claims: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for row in _rows(folder / "triples.tsv"):
        claim: dict[str, Any] = {"mainsnak": _snak(row["property"], row["object"]), "qualifiers": qualifiers.get(row["n"], [])}
        claims[row["subject"]][row["property"]].append(claim)
    with out.open("w", encoding="utf-8") as stream:
        for row in _rows(folder / "properties.tsv"):
            stream.write(json.dumps({"id": row["id"], "labels": {"en": {"value": row["label"]}}}) + "\n")
        for row in _rows(folder / "entities.tsv"):
            aliases = [{"value": alias} for alias in row["aliases"].split("|") if alias]
            entity = {"id": row["id"], "labels": {"en": {"value": row["label"]}}, "aliases": {"en": aliases}}
            stream.write(json.dumps(entity | {"claims": claims.get(row["id"], [])}) + "\n")


def test_the_same_facts_from_both_formats_are_the_same_triples(tmp_path: Path) -> None:
    """But for what the dump leaves out here: descriptions, articles; and names of properties that ship."""
    folder = shared("data/wikidata-core")
    _as_entities(folder, tmp_path / "dump.json")
    triples, entities = (folder / f"{kind}.tsv" for kind in ("triples", "entities"))
    files = WikidataFiles(triples, entities, properties=folder / "properties.tsv", qualifiers=folder / "qualifiers.tsv")
    said, told = set(_core(load_wikidata(files).data)), set(_core(load_entities([tmp_path / "dump.json"]).data))
    assert len(told) > 200_000
    named = re.compile(rb"<http://www.wikidata.org/prop/\S+> <http://www.w3.org/2000/01/rdf-schema#label> ")
    assert said - told == set()
    assert [line for line in told - said if not named.match(line)] == []


def _core(data: bytes) -> Iterator[bytes]:
    aside = (b" <http://purl.org/dc/terms/description> ", b"#wikipedia> ")
    return (line for line in data.splitlines() if not any(part in line for part in aside))
