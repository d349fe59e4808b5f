"""Every fault of the user's: one line that names the place and the way out, exit code 2, nothing written."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg import LocalGraph
from kg_command import Kg, Said

Change = Callable[[dict[str, Any]], object]


def refused(said: Said, *parts: str) -> None:
    """Check that a command was refused in one line that has all of `parts`."""
    assert said.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("error: ")
    for part in parts:
        assert part in said.err


@pytest.fixture
def folder(sources: Path, tmp_path: Path) -> Path:
    """The small sources, to be damaged."""
    shutil.copytree(sources, tmp_path / "sources")
    return tmp_path / "sources"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def einstein(kb: dict[str, Any]) -> Any:
    return kb["entities"]["Q937"]


def first_relation(kb: dict[str, Any]) -> Any:
    return einstein(kb)["relations"][0]


KOPL: dict[str, tuple[Change, list[str]]] = {
    "no entities": (lambda kb: kb.pop("entities"), ["kb.json: 'entities' is missing", "give KoPL's kb.json"]),
    "no concepts": (lambda kb: kb.update(concepts=[]), ["'concepts' is a JSON list"]),
    "no name": (lambda kb: einstein(kb).pop("name"), ["kb.json:1: entities.Q937.name: is missing"]),
    "empty name": (lambda kb: einstein(kb).update(name=""), ["entities.Q937.name: is empty"]),
    "a name that is a list": (lambda kb: einstein(kb).update(name=["x"]), ["entities.Q937.name: is a JSON list"]),
    "half a character": (lambda kb: einstein(kb).update(name="\ud83d"), ["entities.Q937.name: has half a character"]),
    "relations that are no list": (lambda kb: einstein(kb).update(relations={}), ["entities.Q937.relations: is a JSON object"]),
    "a relation that is a number": (lambda kb: einstein(kb)["relations"].append(3), ["entities.Q937.relations[3]:"]),
    "unknown direction": (
        lambda kb: first_relation(kb).update(direction="backwards"),
        ["entities.Q937.relations[0].direction: 'backwards' is unknown", "did you mean 'backward'?"],
    ),
    "dangling object": (
        lambda kb: first_relation(kb).update(object="Q99"),
        ["entities.Q937.relations[0].object: nothing introduces 'Q99'", "--lenient"],
    ),
    "dangling type": (lambda kb: einstein(kb).update(instanceOf=["Q99"]), ["entities.Q937.instanceOf[0]:", "'Q99'"]),
    "dangling superclass": (lambda kb: kb["concepts"]["Q5"].update(subclassOf=["Q99"]), ["concepts.Q5.subclassOf[0]:"]),
    "no object": (lambda kb: first_relation(kb).pop("object"), ["entities.Q937.relations[0].object: is missing"]),
    "unknown type of value": (
        lambda kb: einstein(kb)["attributes"][0]["value"].update(type="dat"),
        ["entities.Q937.attributes[0].value.type: 'dat' is unknown", "did you mean 'date'?"],
    ),
    "no value": (lambda kb: einstein(kb)["attributes"][0].pop("value"), ["entities.Q937.attributes[0].value: is missing"]),
    "a value that is null": (
        lambda kb: einstein(kb)["attributes"][0]["value"].update(value=None),
        ["entities.Q937.attributes[0].value.value: is missing"],
    ),
    "a qualifier that is no list": (
        lambda kb: einstein(kb)["relations"][1]["qualifiers"].update({"end time": 3}),
        ["entities.Q937.relations[1].qualifiers.end time:"],
    ),
    "a qualifier's value that is a text": (
        lambda kb: einstein(kb)["relations"][1]["qualifiers"]["end time"].append("x"),
        ["entities.Q937.relations[1].qualifiers.end time[1]:"],
    ),
}


@pytest.mark.parametrize("fault", KOPL)
def test_a_knowledge_base_of_another_shape_is_refused_with_its_path(fault: str, kg: Kg, folder: Path, tmp_path: Path) -> None:
    change, parts = KOPL[fault]
    path = folder / "kopl" / "kb.json"
    kb = json.loads(path.read_text("utf-8"))
    change(kb)
    path.write_text(json.dumps(kb), "utf-8")
    refused(kg("load", "kopl", path, "--store", tmp_path / "s"), str(path), *parts)
    assert [p.name for p in tmp_path.iterdir()] == ["sources"]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"", [":1:1: is not JSON"]),
        (b"hello", [":1:1: is not JSON", "fetch the file again"]),
        (b'{\n  "concepts": {},\n  "entities": {"Q1": {"na', [":3:23: is not JSON", "cut off"]),
        (b"[]", ["is a JSON list, not an object"]),
        (b'{"concepts": {}, \xff', [":1: is not UTF-8 text"]),
        (b"[" * 100_000, ["nested too deeply"]),
        (gzip.compress(b'{"concepts": {}, "entities": {}}')[:-12], ["damaged gzip", "cut off"]),
        (b"\x1f\x8b\x08\x00nonsense", ["damaged gzip"]),
    ],
    ids=["empty", "no JSON", "cut-off JSON", "a list", "no UTF-8", "nested", "cut-off gzip", "no gzip"],
)
def test_what_is_not_json_is_refused_with_line_and_column(content: bytes, parts: list[str], kg: Kg, tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    path.write_bytes(content)
    refused(kg("load", "kopl", path, "--store", tmp_path / "s"), str(path), *parts)
    assert [p.name for p in tmp_path.iterdir()] == ["kb.json"]


def test_what_is_left_out_with_lenient_is_counted(kg: Kg, folder: Path, tmp_path: Path) -> None:
    edit(folder / "kopl" / "kb.json", '"object": "Q3012"', '"object": "Q99"')
    said = kg("load", "kopl", folder / "kopl" / "kb.json", "--store", tmp_path / "s", "--lenient")
    assert said.code == 0
    assert "1 dangling" in said.err
    assert f"left out: {folder / 'kopl' / 'kb.json'}:10: entities." in said.err
    assert "nothing introduces 'Q99'" in said.err


def test_what_unzips_to_more_than_is_allowed_is_refused(kg: Kg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, schema = tmp_path / "film.csv.gz", tmp_path / "SCHEMA.toml"
    path.write_bytes(gzip.compress(b" " * 50_000_000))
    schema.write_text('name = "x"\nbase = "http://e/"\n[tables.film]\nfile = "film.csv.gz"\n')
    monkeypatch.setenv("KGPROBE_UNZIPPED", "0.02")
    refused(
        kg("load", "tables", schema, "--store", tmp_path / "s"), "film.csv.gz: holds more than 0.02 GiB", "KGPROBE_UNZIPPED"
    )
    monkeypatch.setenv("KGPROBE_UNZIPPED", "much")
    refused(kg("load", "tables", schema, "--store", tmp_path / "s"), "KGPROBE_UNZIPPED: 'much' is no number")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["SCHEMA.toml", "film.csv.gz"]


FILMS = {
    "SCHEMA.toml": [
        ("a key of many parts", 'name = "films"', "a." * 100 + "a = 1", ["SCHEMA.toml:1: has a key of more than 40 parts"]),
        ("nested", 'name = "films"', "name = " + "[" * 5000, ["SCHEMA.toml: is nested too deeply", "flatter"]),
        ("digits", 'name = "films"', "name = " + "9" * 100_000, ["SCHEMA.toml: is not TOML (Exceeds the limit"]),
        ("is no TOML", 'name = "films"', 'name "films"', ["SCHEMA.toml:1:6: is not TOML"]),
        ("unknown key", 'label = "title"', 'lable = "title"', ["SCHEMA.toml:8: unknown key 'lable'", "did you mean 'label'?"]),
        ("unknown key above", 'name = "films"', 'nmae = "films"', ["SCHEMA.toml:1: unknown key 'nmae'", "'name'"]),
        ("no base", 'base = "https://example.org/films/"', "", ["SCHEMA.toml:1: the key 'base' is missing"]),
        ("base without slash", "films/", "films", ["SCHEMA.toml:2: ", "ends in '/'"]),
        ("unknown table", '"person", cast', '"persn", cast', ["SCHEMA.toml:10: ", "'persn'", "did you mean 'person'?"]),
        ("unequal keys", '"slot.film, day"', '"slot.film"', ["SCHEMA.toml:25: ", "'film', 'day'", "name 2 column"]),
        ("unknown type", '"integer"', '"int"', ["SCHEMA.toml:14: 'int' is no type", "did you mean 'integer'?"]),
        ("kind of value", 'null = ["n/a"]', 'null = "n/a"', ["SCHEMA.toml:13: 'null' is no list"]),
        ("no text", 'alias = "also"', "alias = [3]", ["SCHEMA.toml:9: 'alias' has 3"]),
        ("no file's name", '"screening.tsv"', f'"{"x" * 300}"', ["SCHEMA.toml:24: there is no file 'xxx"]),
        ("missing file", '"screening.tsv"', '"screenings.tsv"', ["SCHEMA.toml:24: ", "'screenings.tsv'"]),
        ("missing column", 'genre = "genre"', 'gnre = "genre"', ["film.csv:1: column 'gnre' is missing", "'genre'"]),
        ("missing column of a key", '"person.name"', '"person.nom"', ["person.csv:1: column 'nom' is missing", "id, name"]),
        ("split composite", "[tables.screening]", '[tables.screening]\nsplit={day="|"}', ["SCHEMA.toml:24: 'day' is split"]),
    ],
    "film.csv": [
        ("missing column", "id,title", "id,titel", ["film.csv:1: column 'title' is missing", "did you mean 'titel'?"]),
        ("column twice", "rating,opened", "rating,rating", ["film.csv:1: column 'rating' stands twice"]),
        ("key twice", "2,1984", "1,1984", ["film.csv:3: id '1' stands in line 2 already", "--lenient"]),
        ("no key", "2,1984", ",1984", ["film.csv:3: the key (id) is empty", "--lenient"]),
        ("dangling", "n/a,n/a", "n/a,77", ["film.csv:5: director_id '77' is in no row of 'person' (id)", "--lenient"]),
        ("dangling in a list", "| John", "| Jon", ["film.csv:2: cast_member 'Jon Hurt' is in no row", "(name)"]),
        ("no integer", "1979,7", "79x,7", ["film.csv:2: year '79x' is no integer", "mend the value"]),
        ("not unique", "Sci-Fi,n/a", "Sci-Fi,a", ["film.csv:3: code 'a' stands in line 2 already", "has to be unique"]),
        ("too long a row", "1984-10-10", "1984-10-10,x", ["film.csv:3: 11 cells where the header has 10"]),
        ("too short a row", ",1,1984-10-10", "", ["film.csv:3: 8 cells where the header has 10"]),
        ("another separator", "id,title,also,year,director_id,cast_member,genre,code,rating,opened", "id;title;also",
         ["film.csv:1: column 'id' is missing", "cells stand apart by ';', and not by a comma"]),
        ("a quote in a cell", "Nineteen", 'Nine"teen', ["film.csv:3: a quote stands within a cell", 'write "" for a quote']),
        ("an open quote", "Nineteen", '"Nineteen', ["film.csv:3: "]),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "parts"),
    [pytest.param(f, *case[1:], id=f"{f}: {case[0]}") for f, cases in FILMS.items() for case in cases],
)
def test_tables_with_a_fault_are_refused_with_file_and_line(
    file: str, old: str, new: str, parts: list[str], kg: Kg, folder: Path, tmp_path: Path
) -> None:
    edit(folder / "films" / file, old, new)
    refused(kg("load", "tables", folder / "films" / "SCHEMA.toml", "--store", tmp_path / "s"), *parts)
    assert [p.name for p in tmp_path.iterdir()] == ["sources"]


def test_a_reference_that_fits_several_rows_is_refused(kg: Kg, folder: Path, tmp_path: Path) -> None:
    edit(folder / "films" / "SCHEMA.toml", 'unique = ["name"]', "")
    edit(folder / "films" / "person.csv", "Michael Radford", "John Hurt")
    said = kg("load", "tables", folder / "films" / "SCHEMA.toml", "--store", tmp_path / "s")
    refused(said, "SCHEMA.toml:10: 'person' has several rows with the same name")


@pytest.mark.parametrize(
    ("old", "new", "counted"),
    [("n/a,n/a", "n/a,77", "1 dangling"), ("2,1984", "1,1984", "1 repeated rows"), ('3,"Two', ',"Two', "1 rows without a key")],
)
def test_lenient_tables_leave_out_and_count(old: str, new: str, counted: str, kg: Kg, folder: Path, tmp_path: Path) -> None:
    edit(folder / "films" / "film.csv", old, new)
    said = kg("load", "tables", folder / "films" / "SCHEMA.toml", "--store", tmp_path / "s", "--lenient")
    assert said.code == 0
    assert counted in said.err
    assert "left out: " in said.err
    assert f"{folder / 'films' / 'film.csv'}:" in said.err


@pytest.mark.parametrize(
    ("file", "old", "new", "parts"),
    [
        ("triples", "object", "objct", ["triples.tsv:1: column 'object' is missing", "did you mean 'objct'?"]),
        ("triples", "Q183", "Q99", ["triples.tsv:4: object 'Q99' is no known entity", "--lenient"]),
        ("triples", "P17", "P99", ["triples.tsv:4: property 'P99' is no known property"]),
        ("triples", "\tQ183", "", ["triples.tsv:4: 3 cells where the header has 4"]),
        ("qualifiers", "1\tP2842", "9\tP2842", ["qualifiers.tsv:2: n '9' is no known triple"]),
        ("qualifiers", "P2842\tQ3012", "P2842\t", ["qualifiers.tsv:2: value '' is no known value"]),
        ("incomplete", "Q937", "Q99", ["incomplete.tsv:2: subject 'Q99' is no known entity"]),
    ],
)
def test_wikidata_files_with_a_fault_are_refused(
    file: str, old: str, new: str, parts: list[str], kg: Kg, folder: Path, tmp_path: Path
) -> None:
    edit(folder / "wikidata" / f"{file}.tsv", old, new)
    kinds = ("triples", "entities", "types", "properties", "qualifiers", "incomplete")
    files = [part for kind in kinds for part in (f"--{kind}", folder / "wikidata" / f"{kind}.tsv")]
    refused(kg("load", "wikidata", *files, "--store", tmp_path / "s"), *parts)
    lenient = kg("load", "wikidata", *files, "--store", tmp_path / "s", "--lenient")
    left_out = "--lenient" in parts or "no known" in parts[0]
    assert ("1 dangling" in lenient.err, "left out: " in lenient.err) == (left_out, left_out)


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (["load", "kopl", "absent.json", "--store", "s"], ["absent.json: no such file"]),
        (["load", "tables", "absent.toml", "--store", "s"], ["absent.toml: no such file"]),
        (["load", "kopl", ".", "--store", "s"], ["cannot be read"]),
        (["load", "kopl", "absent.json"], ["--store"]),
        (["load", "kople", "kb.json", "--store", "s"], ["kople", "kopl"]),
        (["query", "SELECT ?x {"], ["query: does not parse"]),
        (["query", "SELECT ?x {"], ["does not parse (1:12, near the end of line 1)"]),
        (["query", "SELECT ?x {\n ?x ?y ?z }\nLIMIT many"], ["does not parse (3:7, near 'many')"]),
        (["query", " "], ["query: does not parse (it is empty)", "give a SELECT"]),
        (["query", "ASK { ?b a dbo:Bridge }"], ["(prefix 'dbo:' is not declared)", "PREFIX dbo: <IRI>"]),
        (["query", "ASK " + "{ # }\n" * 5000], ["query: is nested more than 300 deep"]),
        (["query", "ASK { FILTER(" + "1<((((1>" * 100], ["query: is nested more than 300 deep"]),
        (["query", "ASK { FILTER(" + "!" * 5000 + "true) }"], ["query: has more than 1500 operators", "ask in parts"]),
        (["query", "ASK { " + "OPTIONAL { ?s ?p ?o } " * 3000 + "}"], ["query: has more than 1500 operators"]),
        (["query", "SELECT ?x { VALUES ?x { " + "9" * 5000 + " } } ORDER ?x"], ["query: does not parse"]),
        (["query", "SELECT (<urn:f>(1) AS ?x) {}"], ["query: does not run (The custom function <urn:f> is not supported)"]),
        (["query", "ASK { FILTER(<urn:f>(1)) }"], ["query: does not run (The custom function <urn:f> is not supported)"]),
        (["query", "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"], ["query: does not run ("]),
        (["query", "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1 VALUES"], ["query: does not parse"]),
        (["query", "CONSTRUCT { ?s ?p ?o } { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"], ["query: does not run ("]),
        (["query", "SELECT ?x {}", "--format", "cvs"], ["--format: 'cvs'", "did you mean 'csv'?"]),
        (["query", "CONSTRUCT WHERE { ?s ?p ?o }", "--format", "csv"], ["--format: 'csv'", "choose nt, ttl"]),
        (["query", "@absent.rq"], ["absent.rq: no such file"]),
        (["query", "ASK {}", "--store", "absent"], ["absent: no store here", "kg load"]),
        (["query", "ASK {}", "--store", "."], ["no store here"]),
        (["query", "ASK {}", "--store", "a", "--endpoint", "http://b/"], ["--store and --endpoint"]),
        (["query", "ASK {}", "--endpoint", "nonsense"], ["nonsense: is no http address"]),
        (["query", "SELECT * { ?s ?p ?o }", "--out", "absent/x.csv"], ["absent/x.csv: cannot be written"]),
        (["describe", "No Such Thing"], ["'No Such Thing': nothing bears that name"]),
        (["describe", "wd:Q0"], ["the graph knows nothing of it"]),
        (["describe", "<a b>"], ["is no IRI"]),
        (["describe", "France", "--limit", "0"], ["--limit"]),
        (["dump", "--name", "absent"], ["there is no load 'absent'", "there are: starter"]),
        (["dump", "--format", "xml"], ["--format: 'xml'", "nt, trig, ttl"]),
        (["stats", "--stor", "x"], ["--stor"]),
    ],
)
def test_a_command_with_a_fault_is_refused_in_one_line(
    command: list[str], parts: list[str], kg: Kg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(kg(*command), *parts)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_another_process_holds_is_refused(kg: Kg, folder: Path, tmp_path: Path) -> None:
    kb, store = folder / "kopl" / "kb.json", tmp_path / "s"
    kg("load", "kopl", kb, "--store", store)
    before = LocalGraph.open(store).digest()
    program = "import sys, pyoxigraph; s = pyoxigraph.Store(sys.argv[1]); print('ready', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", program, str(store)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        refused(kg("load", "kopl", kb, "--store", store), "another process holds this store", "wait until it has finished")
        holder.kill()
    assert LocalGraph.open(store).digest() == before
    assert {p.name for p in tmp_path.iterdir()} == {"s", "sources"}


def test_a_folder_of_something_else_is_not_overwritten(kg: Kg, folder: Path) -> None:
    refused(kg("load", "kopl", folder / "kopl" / "kb.json", "--store", folder), "not a store", "empty or new folder")
    assert (folder / "kopl" / "kb.json").is_file()
