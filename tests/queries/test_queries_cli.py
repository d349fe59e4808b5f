"""The room's command line, as a person uses it: templates listed, checked and run, proofs written out."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

import kg
import queries
from kg import LocalGraph
from kg.__main__ import app as kg_app
from kg.cli import run
from queries.templates import find_version, proof_query
from queries_command import Command

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "queries"
BORN, COUNTRY, PROVED = (str(FIXTURES / name) for name in ("born.rq", "country.rq", "proved.jsonl"))
WD = "http://www.wikidata.org/entity/"


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> LocalGraph:
    """Let the commands read a handful of people in place of the starter graph."""
    graph = LocalGraph.in_memory()
    triples = ox.parse(path=str(FIXTURES / "people.ttl"), format=ox.RdfFormat.TURTLE)
    data = "\n".join(f"{t.subject} {t.predicate} {t.object} ." for t in triples)
    graph.update(f"INSERT DATA {{ GRAPH <https://w3id.org/kgprobe#graph/people> {{ {data} }} }}")
    monkeypatch.setattr(kg, "open_graph", lambda store, endpoint: graph)
    return graph


class TestLooking:
    def test_list_names_every_shipped_template(self, command: Command) -> None:
        ended = command("list")
        assert ended.code == 0
        assert {line.split()[0] for line in ended.out.splitlines()[1:]} == set(queries.names())

    def test_show_prints_a_template_and_its_parameters(self, command: Command) -> None:
        ended = command("show", BORN)
        assert "parameter relation: predicate, default wdt:P19, the relation" in ended.out
        assert "parameter place: iri, needed, the place" in ended.out
        assert "slots: person, name" in ended.out
        assert "?person ?relation ?place ; rdfs:label ?name ." in ended.out

    def test_an_unknown_template_is_named_with_the_nearest(self, command: Command) -> None:
        ended = command("show", "khopp")
        assert ended.code == 2
        assert ended.err.startswith("error: there is no template 'khopp'; did you mean 'khop'?")
        assert ended.err.count("\n") == 1

    def test_every_command_has_an_example(self, command: Command) -> None:
        for name in ("list", "show", "check", "run", "render"):
            assert f"Example: python -m queries {name}" in command(name, "--help").out

    def test_nothing_is_answered_with_help(self, command: Command) -> None:
        assert "render" in command().out


class TestChecking:
    def test_sound_files_are_named_with_their_version(self, command: Command) -> None:
        ended = command("check", BORN, COUNTRY)
        assert (ended.code, len(ended.out.splitlines()), ended.err) == (0, 2, "")
        assert f"born@{queries.load(BORN).version} is sound" in ended.out

    def test_every_file_at_fault_has_its_line(self, command: Command, tmp_path: Path) -> None:
        for name in ("one.rq", "two.rq"):
            (tmp_path / name).write_text("#+ name: a\n#+ sumary: b\nASK { ?s ?p ?o }\n", encoding="utf-8")
        ended = command("check", str(tmp_path / "one.rq"), BORN, str(tmp_path / "two.rq"), str(tmp_path / "gone.rq"))
        assert ended.code == 2
        one, two, gone = ended.err.splitlines()
        assert one.endswith("one.rq:2: unknown key 'sumary'; did you mean 'summary'?")
        assert "two.rq:2: " in two
        assert "gone.rq: no such file" in gone
        assert "born.rq" in ended.out


@pytest.mark.usefixtures("people")
class TestRunning:
    @pytest.mark.parametrize("place", ["wd:Q84", f"<{WD}Q84>", f"{WD}Q84"])
    def test_an_iri_may_be_written_three_ways(self, command: Command, place: str) -> None:
        ended = command("run", BORN, "--param", f"place={place}", "--format", "csv")
        assert ended.code == 0
        assert set(ended.out.splitlines()) == {"person,name", f"{WD}Q7251,Alan Turing", f"{WD}Q7259,Ada Lovelace"}

    def test_a_table_is_aligned_when_nobody_watches(self, command: Command) -> None:
        ended = command("run", BORN, "--param", "place=wd:Q350")
        assert ended.out == f"{'person':{len(WD) + 3}}  name\n{WD}Q42  Douglas Adams\n"

    def test_tsv_tells_iris_from_texts(self, command: Command) -> None:
        ended = command("run", BORN, "--param", "place=wd:Q350", "--format", "tsv")
        assert ended.out == f'?person\t?name\n<{WD}Q42>\t"Douglas Adams"@en\n'

    def test_json_is_a_list_of_objects(self, command: Command) -> None:
        ended = command("run", BORN, "--param", "place=wd:Q350", "--format", "json")
        assert json.loads(ended.out) == [{"person": f"{WD}Q42", "name": "Douglas Adams"}]

    def test_limit_and_out(self, command: Command, tmp_path: Path) -> None:
        out = tmp_path / "born.csv"
        args = ("--param", "place=wd:Q84", "--limit", "1", "--format", "csv", "--out", str(out))
        assert command("run", BORN, *args).out == ""
        assert len(out.read_text(encoding="utf-8").splitlines()) == 2

    def test_an_ask_is_answered_true_or_false(self, command: Command, tmp_path: Path) -> None:
        file = tmp_path / "known.rq"
        file.write_text(
            '#+ name: known\n#+ summary: Is the name known\n#+ parameters: {name: {type: string, default: "Nobody"}}\n'
            "ASK { ?s rdfs:label ?l FILTER(STR(?l) = ?name) }",
            encoding="utf-8",
        )
        assert command("run", str(file), "--param", "name=Alan Turing").out == "true\n"
        assert command("run", str(file)).out == "false\n"

    def test_a_construct_gives_ntriples(self, command: Command, tmp_path: Path) -> None:
        file = tmp_path / "names.rq"
        file.write_text(
            "#+ name: names\n#+ summary: b\nCONSTRUCT { ?s rdfs:label ?l } WHERE { ?s rdfs:label ?l }", encoding="utf-8"
        )
        assert len(command("run", str(file)).out.splitlines()) == 6
        assert len(command("run", str(file), "--limit", "2").out.splitlines()) == 2

    def test_the_slots_of_a_family_may_be_given(self, command: Command) -> None:
        ended = command("run", COUNTRY, "--param", 'name="Alan Turing"@en', "--format", "json")
        assert [row["year"] for row in json.loads(ended.out)] == ["1912"]

    def test_a_relative_iri_needs_no_brackets_where_the_template_says_so(
        self, command: Command, people: LocalGraph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(LocalGraph, "base", WD)
        file = tmp_path / "name.rq"
        text = "#+ name: name\n#+ summary: b\n#+ parameters: {s: {type: iri%s}}\nSELECT ?l { ?s rdfs:label ?l }"
        file.write_text(text % ", relative: true", encoding="utf-8")
        assert command("run", str(file), "--param", "s=Q84").out == "l\nLondon\n"
        file.write_text(text % "", encoding="utf-8")
        assert command("run", str(file), "--param", "s=<Q84>").out == "l\nLondon\n"
        assert "'Q84' is not an IRI" in command("run", str(file), "--param", "s=Q84").err

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            (["place=London"], "--param place: 'London' is not an IRI; write an IRI: <http://…>, http://… or a pref"),
            (["place=http://e.x/a b"], "--param place: 'http://e.x/a b' is not an IRI"),
            (["place=wdd:Q84"], "--param place: 'wdd:' of 'wdd:Q84' is not a known prefix; did you mean 'wd'?"),
            (["plaice=wd:Q84"], "born.rq: no parameter 'plaice'; did you mean 'place'?"),
            ([], "born.rq: parameter 'place' is missing; give it an IRI: <http://…>"),
            (["place"], "--param: 'place' names no value; write --param NAME=VALUE"),
            (["place=wd:Q84", "place=wd:Q350"], "--param: 'place' is given twice; give each parameter once"),
        ],
    )
    def test_a_value_at_fault_is_an_error_of_one_line(self, command: Command, params: list[str], message: str) -> None:
        ended = command("run", BORN, *(part for param in params for part in ("--param", param)))
        assert (ended.code, ended.out) == (2, "")
        assert message in ended.err
        assert ended.err.count("\n") == 1

    def test_a_function_of_an_endpoint_is_sound_and_does_not_run_here(self, command: Command, tmp_path: Path) -> None:
        file = tmp_path / "y.rq"
        file.write_text("#+ name: y\n#+ summary: z\nSELECT (<urn:f>(1) AS ?x) {}\n")
        assert command("check", str(file)).code == 0
        ended = command("run", str(file))
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == "error: query: does not run (The custom function <urn:f> is not supported); mend the SPARQL\n"

    @pytest.mark.parametrize(
        ("kind", "value", "problem"),
        [
            ("integer", "abc", "'abc' is not a whole number such as 3"),
            ("decimal", "1,5", "'1,5' is not a number such as 0.25"),
            ("date", "11 March 1952", "'11 March 1952' is not a date such as 1952-03-11, 1952-03 or 1952"),
            ("term", "word", "'word' is not a term; write a term: an IRI (<http"),
            ("term", '"a" "b"', """'"a" "b"' is not a term as N-Triples writes it; write a term: an IRI (<http"""),
        ],
    )
    def test_a_value_of_another_type_shows_the_forms(
        self, command: Command, tmp_path: Path, kind: str, value: str, problem: str
    ) -> None:
        file = tmp_path / "a.rq"
        head = f"#+ name: a\n#+ summary: b\n#+ parameters: {{radius: {{type: {kind}}}}}\n"
        file.write_text(head + "ASK { ?s ?p ?o FILTER(?o < ?radius) }", encoding="utf-8")
        ended = command("run", str(file), "--param", f"radius={value}")
        assert ended.code == 2
        assert f"--param radius: {problem}" in ended.err


class TestRendering:
    def test_each_proof_is_sparql_that_any_engine_runs(self, command: Command) -> None:
        store = ox.Store()
        store.load(path=str(FIXTURES / "people.ttl"), format=ox.RdfFormat.TURTLE)
        ended = command("render", PROVED)
        assert ended.code == 0
        asked, listed, denied = [proof for proof in ended.out.split("\n\n") if proof.strip()]
        assert asked.startswith("# family.birthplace.yes_no.basic.01, proof 1 of 2: expected true\n")
        assert listed.startswith('# family.birthplace.yes_no.basic.01, proof 2 of 2: expected rows [["London"]]\n')
        assert denied.startswith("# family.birthplace.yes_no.basic.02, proof 1 of 1: expected false\n")
        assert (bool(store.query(asked)), bool(store.query(denied))) == (True, False)
        rows = store.query(listed)
        assert isinstance(rows, ox.QuerySolutions)
        assert [row["name"].value for row in rows] == ["London"]
        assert "family.birthplace.yes_no.basic.03 has no proof" in ended.err

    def test_one_item_may_be_chosen(self, command: Command) -> None:
        ended = command("render", PROVED, "--id", "family.birthplace.yes_no.basic.02")
        assert ended.out.count("# family") == 1
        assert "did you mean" in command("render", PROVED, "--id", "family.birthplace.yes_no.basic.04").err

    def test_a_proof_runs_as_it_is_in_kg_query(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """By number, and each in a file of its own; relative names are those of the store."""
        capital = "PREFIX t: <country#> SELECT ?city { ?country t:ref-capital ?city }"
        bind = [{"name": "country", "term": f"<{kg.open_graph().base}country/id=austria>"}]
        proofs = [
            {"query": capital, "bind": bind, "expect": None, "rows": [[]]},
            {"query": "ASK { }", "bind": [], "expect": True},
        ]
        about = dict.fromkeys(("method", "family", "variant", "question", "group"), "a") | {"task": "open"}
        item = {"schema": "kgprobe.item/1", "id": "a", **about, "proof": proofs}
        (file := tmp_path / "items.jsonl").write_text(json.dumps(item))
        one = command("render", str(file), "--proof", "1").out
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(one.encode())))
        with pytest.raises(SystemExit):
            run(kg_app, "kg", ["query", "@-"])
        assert capsys.readouterr().out == "city\n<city/id=vienna>\n"
        assert command("render", str(file), "--folder", str(tmp_path)).code == 0
        assert (tmp_path / "a.2.rq").read_text().endswith("expected true\nASK { }\n")
        assert "a has no proof 3; it has 2" in command("render", str(file), "--proof", "3").err
        assert "there is no folder" in command("render", str(file), "--folder", str(tmp_path / "no")).err

    def test_a_shipped_template_is_cited_with_its_version(self) -> None:
        bind = [{"name": name, "term": f"<{WD}{iri}>"} for name, iri in (("s", "Q7251"), ("p", "P19"), ("o", "Q84"))]
        proof = {"query": queries.versioned("fact"), "bind": bind, "expect": True}
        assert proof_query(proof) == f"ASK {{ VALUES (?s ?o) {{ (<{WD}Q7251> <{WD}Q84>) }} ?s <{WD}P19> ?o }}"

    def test_another_version_is_not_taken_for_this_one(self) -> None:
        there = r"^fact@00000000: 'fact' is here in version [0-9a-f]{8}, not 00000000; make the items again"
        with pytest.raises(queries.TemplateError, match=there):
            find_version("fact@00000000")

    def test_a_proof_without_a_version_is_refused(self) -> None:
        with pytest.raises(queries.TemplateError, match="'fact' names no version of its template; write it as"):
            find_version("fact")

    def test_a_proof_that_binds_a_name_twice_is_refused(self) -> None:
        bind = [{"name": "s", "term": "<urn:a>"}, {"name": "s", "term": "<urn:b>"}]
        with pytest.raises(queries.TemplateError, match="'s' is bound twice"):
            proof_query({"query": "ASK { ?s ?p ?o }", "bind": bind, "expect": True})

    def test_a_proof_at_fault_is_named_with_its_item(self, command: Command, tmp_path: Path) -> None:
        file = tmp_path / "items.jsonl"
        file.write_text(Path(PROVED).read_text(encoding="utf-8").replace("ASK { ?s", "ASK { ?x"), encoding="utf-8")
        ended = command("render", str(file))
        assert ended.code == 2
        place = "family.birthplace.yes_no.basic.01, proof 1: inline query:1"
        assert f"{place}: the query never uses parameter 's'" in ended.err


class TestShipped:
    def test_the_file_of_each_template_bears_its_name(self) -> None:
        assert "khop" in queries.names()
        assert {name: queries.find(name).name for name in queries.names()} == {
            name: name.rpartition("/")[2] for name in queries.names()
        }

    def test_a_template_is_read_once(self) -> None:
        assert queries.find("khop") is queries.find("khop")

    def test_the_public_face_is_what_it_says(self) -> None:
        assert sorted(queries.__all__, key=str) == list(queries.__all__)
        assert all(hasattr(queries, name) for name in queries.__all__)

    def test_the_readme_names_every_command_and_key(self) -> None:
        readme = (Path(__file__).parents[2] / "queries/README.md").read_text(encoding="utf-8")
        for name in ("list", "show", "check", "run", "render"):
            assert f"python -m queries {name}" in readme
        for key in queries.templates.front.Front.model_fields:
            assert f"`{key}`" in readme


def test_a_query_that_no_planner_ends_with_ends_the_check(tmp_path: Path) -> None:
    patterns = " ".join(f"?s{n} ?p{n} ?s{n + 1} ." for n in range(300))
    file = tmp_path / "many.rq"
    file.write_text(f"#+ name: many\n#+ summary: Many patterns\nSELECT ?s0 {{ {patterns} }}\n")
    # In a process of its own, as that ends.
    command = [sys.executable, "-m", "queries", "check", str(file), "--timeout", "0.5"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"error: {file}: takes longer than 0.5 seconds; ask for less, or give it more with --timeout\n"
