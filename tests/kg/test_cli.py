"""The command line, as a user meets it."""

from __future__ import annotations

import gzip
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pyoxigraph as ox
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph

from kg import LocalGraph
from kg.__main__ import app, main
from kg.text import harmless
from kg_command import Kg, command_paths


@pytest.fixture(scope="module")
def made(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the command line made of the small knowledge base, once for all tests: none writes to it."""
    folder = tmp_path_factory.mktemp("made") / "store"
    args = ["kg", "load", "kopl", str(sources / "kopl" / "kb.json"), "--store", str(folder), "--quiet"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", args)
        with pytest.raises(SystemExit) as stop:
            main()
    assert not stop.value.code
    return folder


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(made, tmp_path / "store"))


def test_a_load_ends_with_one_line_of_counts(kg: Kg, sources: Path, tmp_path: Path) -> None:
    said = kg("load", "kopl", sources / "kopl" / "kb.json", "--store", tmp_path / "s")
    assert (said.code, said.out) == (0, "")
    assert re.fullmatch(
        r"loaded kopl into .*: 4 entities, 5 concepts, .*6 facts, .* triples; [\d.]+ s, [\d.]+ kB, [\d.]+ (bytes|[kM]B)/s\n",
        said.err,
    )
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_tables_are_called_as_their_schema_says(kg: Kg, sources: Path, tmp_path: Path) -> None:
    assert kg("load", "tables", sources / "films" / "SCHEMA.toml", "--store", tmp_path / "s").err.startswith(
        "loaded films into"
    )
    assert LocalGraph.open(tmp_path / "s").name == "kgp:graph/films"


def test_wikidata_takes_a_file_for_each_kind(kg: Kg, sources: Path, tmp_path: Path, wikidata: LocalGraph) -> None:
    kinds = ("triples", "entities", "types", "properties", "qualifiers", "incomplete")
    files = [part for kind in kinds for part in (f"--{kind}", sources / "wikidata" / f"{kind}.tsv")]
    assert kg("load", "wikidata", *files, "--store", tmp_path / "s", "--name", "mine").code == 0
    assert LocalGraph.open(tmp_path / "s").digest() == wikidata.digest()
    assert LocalGraph.open(tmp_path / "s").name == "kgp:graph/mine"


def test_loading_again_changes_nothing(kg: Kg, sources: Path, store: Path) -> None:
    before = LocalGraph.open(store).digest()
    kg("load", "kopl", sources / "kopl" / "kb.json", "--store", store)
    assert LocalGraph.open(store).digest() == before


def test_a_query_prints_a_table(kg: Kg, store: Path) -> None:
    said = kg("query", "SELECT ?e ?name { ?e wdt:P26 ?o ; rdfs:label ?name }", "--store", store)
    assert said.out == "e        name\nwd:Q937  Albert Einstein\n"


def test_a_query_may_use_the_names_of_the_tables(kg: Kg) -> None:
    assert kg("query", "ASK { ?film a <film> ; rdfs:label 'Pulp Fiction'@en }").out == "true\n"


def test_a_query_may_come_from_a_file_or_stdin(kg: Kg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q.rq").write_text("ASK { ?s ?p 'Nobody' }")
    assert kg("query", f"@{tmp_path / 'q.rq'}").out == "false\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ASK { ?s ?p ?o }")))
    assert kg("query", "-").out == "true\n"


def test_rows_come_in_every_format(kg: Kg, store: Path, tmp_path: Path) -> None:
    query = "SELECT ?name ?born { ?e rdfs:label ?name OPTIONAL { ?e wdt:P569 ?born } } ORDER BY ?name"
    csv = pl.read_csv(io.StringIO(kg("query", query, "--store", store, "--format", "csv").out), infer_schema=False)
    rows = json.loads(kg("query", query, "--store", store, "--format", "json").out)
    kg("query", query, "--store", store, "--format", "parquet", "--out", tmp_path / "rows.parquet")
    parquet = pl.read_parquet(tmp_path / "rows.parquet")
    assert csv.rows() == parquet.rows() == [(r["name"], r["born"]) for r in rows]
    assert ("Albert Einstein", "1879-03-14") in csv.rows()
    tsv = kg("query", query, "--store", store, "--format", "tsv").out.splitlines()
    assert tsv[0] == "?name\t?born"
    assert '"Albert Einstein"@en\t"1879-03-14"^^<http://www.w3.org/2001/XMLSchema#date>' in tsv


@pytest.mark.parametrize(("form", "parser"), [("nt", "nt"), ("ttl", "turtle")])
def test_a_construct_comes_as_triples(form: str, parser: str, kg: Kg, store: Path) -> None:
    said = kg("query", "CONSTRUCT { ?e rdfs:label ?n } WHERE { ?e rdfs:label ?n }", "--store", store, "--format", form)
    assert len(Graph().parse(data=said.out, format=parser)) == said.out.count('"@en')


def test_a_long_table_says_what_it_leaves_out(kg: Kg) -> None:
    said = kg("query", "SELECT ?s ?p ?o { ?s ?p ?o }")
    assert said.out.count("\n") == 1001
    assert re.search(r"[\d,]+ more rows; --format csv gives all", said.err)


@pytest.mark.parametrize("form", ["nt", "ttl", "trig", "nq"])
def test_a_dump_holds_what_the_graph_holds(form: str, kg: Kg, store: Path, tmp_path: Path, kopl: LocalGraph) -> None:
    out = tmp_path / f"kb.{form}"
    assert kg("dump", "--name", "kopl", "--format", form, "--out", out, "--store", store).code == 0
    triples = {quad.triple for quad in ox.parse(path=out, format=ox.RdfFormat.from_extension(form))}
    count = int(kopl.select("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").item())
    assert len(triples) == count
    again = tmp_path / f"again.{form}.gz"
    kg("dump", "--name", "kopl", "--format", form, "--out", again, "--store", store)
    assert gzip.decompress(again.read_bytes()) == out.read_bytes()


def test_a_dump_of_everything_says_which_graph(kg: Kg, store: Path) -> None:
    lines = kg("dump", "--format", "nq", "--store", store).out.splitlines()
    assert {line.split()[-2] for line in lines} == {
        "<https://w3id.org/kgprobe#graph/kopl>",
        "<https://w3id.org/kgprobe#provenance>",
    }


def test_describe_shows_facts_both_ways_with_labels(kg: Kg, store: Path) -> None:
    text = kg("describe", "Albert Einstein", "--store", store).out
    assert text.startswith("Albert Einstein   wd:Q937\n  is a: human\n")
    assert "  height\n      1.75 metre  (point in time: 1920)\n" in text
    assert "  → spouse\n      Mileva Marić  (end time: 1919; start time: 1903-01-06)\n" in text
    assert "kgprobe#statement" not in text
    back = kg("describe", "wd:Q76346", "--store", store).out
    assert "  ← spouse\n      Albert Einstein  (end time: 1919; start time: 1903-01-06)\n" in back


@pytest.mark.parametrize("name", ["Albert Einstein", "albert einstein", "wd:Q937", "http://www.wikidata.org/entity/Q937"])
def test_an_entity_is_found_by_label_or_iri(name: str, kg: Kg, store: Path) -> None:
    assert kg("describe", name, "--store", store).out.startswith("Albert Einstein   wd:Q937\n")


def test_an_entity_is_found_by_alias_and_by_relative_iri(kg: Kg, sources: Path, tmp_path: Path) -> None:
    kg("load", "tables", sources / "films" / "SCHEMA.toml", "--store", tmp_path / "s")
    for name in ("Nineteen Eighty-Four", "<film/id=2>"):
        assert kg("describe", name, "--store", tmp_path / "s").out.startswith(
            "1984   <film/id=2>\n  also: Nineteen Eighty-Four\n"
        )


def test_a_limit_says_how_many_more_there_are(kg: Kg) -> None:
    assert re.search(r"      … and \d+ more\n", kg("describe", "France", "--limit", "1").out)


def test_several_bearers_of_a_name_are_listed(kg: Kg, sources: Path, tmp_path: Path) -> None:
    kb = json.loads((sources / "kopl" / "kb.json").read_text())
    kb["entities"]["Q183"]["name"] = "Ulm"
    (tmp_path / "kb.json").write_text(json.dumps(kb))
    kg("load", "kopl", tmp_path / "kb.json", "--store", tmp_path / "s")
    said = kg("describe", "Ulm", "--store", tmp_path / "s")
    assert said.code == 0
    assert "  <http://www.wikidata.org/entity/Q183>  Ulm  (country)\n" in said.out
    assert "  <http://www.wikidata.org/entity/Q3012>  Ulm  (city)\n" in said.out


def test_stats_name_loads_concepts_and_relations(kg: Kg, store: Path, kopl: LocalGraph) -> None:
    text = kg("stats", "--store", store).out
    assert "load          kopl\n  source      kb.json\n" in text
    assert f"digest        {kopl.digest()}\n" in text
    assert re.search(r"^human +2$", text, re.MULTILINE)
    assert re.search(r"^place of birth +1$", text, re.MULTILINE)


def test_stats_list_the_loads_of_the_user_and_no_others(kg: Kg, sources: Path, store: Path) -> None:
    kg("load", "tables", sources / "films" / "SCHEMA.toml", "--store", store)
    kg("load", "tables", sources / "films" / "SCHEMA.toml", "--store", store)
    for graph, loads in ((["--store", store], ["films", "kopl"]), ([], ["starter"])):
        lines = kg("stats", *graph).out.splitlines()
        assert [line.split()[1] for line in lines if line.startswith("load ")] == loads
        assert sum(line.startswith("  counts ") for line in lines) == len(loads)


def test_what_could_steer_a_terminal_is_shown_instead(kg: Kg, sources: Path, tmp_path: Path) -> None:
    text = (sources / "kopl" / "kb.json").read_text().replace('"Ulm"', '"Ulm\\u001b[31m\\u009b\\n\\u202e"')
    (tmp_path / "kb.json").write_text(text)
    kg("load", "kopl", tmp_path / "kb.json", "--store", tmp_path / "s")
    table = kg("query", "SELECT ?n { wd:Q3012 rdfs:label ?n }", "--store", tmp_path / "s").out
    assert table == "n\nUlm␛[31m\ufffd␊\ufffd\n"
    for command in (("describe", "wd:Q3012"), ("describe", "wd:Q937"), ("stats",)):
        assert "\x1b" not in kg(*command, "--store", tmp_path / "s").out


@given(st.text())
def test_no_text_keeps_its_control_characters(text: str) -> None:
    assert not any(c in harmless(text) for c in map(chr, [*range(32), 127, *range(0x80, 0xA0), 0x202E, 0x2066]))


def test_a_name_in_another_script_stays_as_it_is() -> None:
    assert harmless("שלום 👨‍👩‍👧 植物") == "שלום 👨‍👩‍👧 植物"


@pytest.mark.parametrize("command", list(command_paths(typer.main.get_command(app))), ids=" ".join)
def test_every_command_has_help_with_an_example_that_runs(
    command: tuple[str, ...], kg: Kg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = kg(*command, "--help").out
    examples = re.findall(r"^ +(?:.*&& )?kg (.+)$", text, re.MULTILINE)
    assert examples, text
    for example in examples:
        if not example.startswith(("load", "audit", "bundle", "diff", "lint")):
            assert kg(*shlex.split(example)).code == 0, example


def test_python_m_kg_is_the_same_program() -> None:
    done = subprocess.run([sys.executable, "-m", "kg", "--help"], capture_output=True, text=True, check=True)
    assert "describe" in done.stdout
