"""Facts are mended: read as if they were in a graph or not, or put into a store for good; what is wrong is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import InputError, LocalGraph, SourceError, build_store, load_starter, open_graph
from kg.patch import Patch, patched, read_triples
from kg_command import Kg

CAPITAL = "SELECT ?name { <country/id=austria> <country#ref-capital>/rdfs:label ?name }"
FIXES = """<city/id=graz> a <city> ; rdfs:label "Graz"@en .
<country/id=austria> <country#ref-capital> <city/id=graz> ."""
WRONG = "<country/id=austria> <country#ref-capital> <city/id=vienna> ."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("fixes.ttl").write_text(FIXES)
    Path("wrong.ttl").write_text(WRONG)
    return tmp_path


PATCH = ("--with", "fixes.ttl", "--without", "wrong.ttl")


def test_a_command_reads_the_graph_as_if_the_facts_were_mended(kg: Kg, files: Path) -> None:
    assert kg("query", CAPITAL, *PATCH).out == "name\nGraz\n"
    assert kg("query", CAPITAL, "--with", "fixes.ttl", "--format", "csv").out.split() == ["name", "Graz", "Vienna"]
    assert kg("query", CAPITAL).out == "name\nVienna\n"


def test_a_patch_that_is_loaded_stays_in_the_store_and_its_digest_is_that_of_the_patched_graph(kg: Kg, files: Path) -> None:
    starter = open_graph()
    build_store("store", load_starter())
    assert kg("load", "patch", *PATCH, "--store", "store").code == 0
    store = open_graph("store")
    assert store.select(CAPITAL).to_series().to_list() == ["Graz"]
    mended = patched(starter, Patch(*(read_triples(text.encode(), starter.base) for text in (FIXES, WRONG))))
    assert store.digest() == mended.digest() != starter.digest()
    assert store.name == "kgp:graph/patch kgp:graph/starter"


def test_what_qualifies_a_fact_goes_with_it(kopl: LocalGraph) -> None:
    spouses = "SELECT ?st { wd:Q937 p:P26 ?st . ?st ps:P26 wd:Q76346 ; ?qualifier ?value }"
    assert kopl.select(spouses).height > 1
    mended = patched(kopl, Patch(wrong=read_triples(b"wd:Q937 wdt:P26 wd:Q76346 .")))
    assert mended.select(spouses).is_empty()
    gone = {"ASK { wd:Q937 wdt:P26 wd:Q76346 }": False, "ASK { wd:Q937 rdfs:label ?name }": True}
    assert {query: mended.ask(query) for query in gone} == gone


def test_a_fact_that_makes_no_difference_is_told(kg: Kg, files: Path) -> None:
    Path("more.ttl").write_text(f"{WRONG}\n<city/id=graz> <city#populatoin> 3 .")
    said = kg("query", CAPITAL, "--with", "more.ttl", "--without", "fixes.ttl").err
    assert "note: 1 of 2 facts: is there already: <country/id=austria> <country#ref-capital> <city/id=vienna>\n" in said
    assert "note: 3 of 3 facts: is not there: <city/id=graz> rdf:type <city>, " in said
    assert "note: nothing in this graph has <city#populatoin>: is it spelled so?\n" in said


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.ttl", "wd:Q1 wdt:P19 wd:Q2 .\nwd:Q1 of wd:Q2 .", "bad.ttl:2: does not parse ("),
        ("bad.csv", "a,b", "bad.csv: is no file of facts; give one that ends in .ttl or .nt"),
        ("bad.nt", "", "bad.nt: holds no facts"),
    ],
)
def test_a_file_at_fault_is_named_with_its_line(name: str, content: str, said: str, kg: Kg, files: Path) -> None:
    Path(name).write_text(content)
    done = kg("query", CAPITAL, "--with", name)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err


def test_a_load_without_facts_and_one_into_no_store_are_refused(kg: Kg, files: Path) -> None:
    assert "store: no store here" in kg("load", "patch", *PATCH, "--store", "store").err
    build_store("made", load_starter())
    before = open_graph("made").digest()
    said = kg("load", "patch", "--store", "made")
    assert (said.code, open_graph("made").digest()) == (2, before)
    assert "--with: no facts are given" in said.err


def test_an_endpoint_takes_no_patch() -> None:
    with pytest.raises(InputError, match="an endpoint takes no patch"):
        patched(open_graph(endpoint="http://localhost:1/query"), Patch())
    with pytest.raises(SourceError, match="patch:1: does not parse"):
        read_triples(b"a b c")
