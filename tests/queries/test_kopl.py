"""KoPL programs become SPARQL that answers as the functions are defined."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from generators.family import generate
from kg import LocalGraph, RdfWords, build_store, cli, load_rdf
from kg.__main__ import app
from kg.sources.kopl import load_kopl
from kopl_oracle import ENTITY_STEPS, Knowledge, Programs, Value
from queries import load
from queries.audit import audit_items
from queries.errors import ProgramError
from queries.kopl import Program, compile_program
from queries.kopl.compile import compile_rows
from queries.kopl.program import SIGNATURES
from queries_command import Command
from shared import shared

FIXTURES = Path(__file__).parents[1] / "fixtures/queries/kopl"
Steps = list[dict[str, Any]]


def step(function: str, dependencies: list[int], *inputs: str) -> dict[str, Any]:
    return {"function": function, "dependencies": dependencies, "inputs": list(inputs)}


@pytest.fixture(scope="module")
def kb() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((FIXTURES / "kb.json").read_text("utf-8"))
    return made


@pytest.fixture(scope="module")
def graph() -> LocalGraph:
    return LocalGraph.in_memory(load_kopl(FIXTURES / "kb.json"))


def read_term(value: str, unit: str) -> Value:
    """Read a term of a result, as N-Triples writes it, the way the oracle writes values."""
    import pyoxigraph as ox

    term = next(iter(ox.parse(f"<a:b> <a:b> {value} .", ox.RdfFormat.N_TRIPLES))).object
    assert isinstance(term, ox.Literal)
    kind, text = term.datatype.value.rpartition("#")[2], term.value
    if kind in ("integer", "decimal"):
        return ("quantity", float(text), unit.strip('"'))
    if kind in ("date", "gYear"):
        sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text)
        year, *others = (int(part) for part in rest.split("-"))
        return ("time", (sign * year, *others), "")
    return ("string", text, "")


def answers(graph: LocalGraph, steps: Steps) -> list[Any]:
    """Run a program, and return what it gives the way the oracle does."""
    query, last = compile_program(Program.of(steps)), steps[-1]["function"]
    if SIGNATURES[last].returns == "values":
        return sorted({read_term(*row) for row in graph.terms(query).rows()})
    found = [row[0] for row in graph.select(query).rows()]
    if last == "Count":
        return [int(found[0])]
    return sorted({iri.rpartition("/")[2] for iri in found} if last in ENTITY_STEPS else set(found))


def test_500_programs_over_all_functions_answer_as_counted_by_hand(kb: dict[str, Any], graph: LocalGraph) -> None:
    knowledge, used, empty = Knowledge(kb), Counter[str](), 0
    programs = Programs(knowledge, seed=1)
    for number in range(500):
        steps = programs.draw(number)
        expected = knowledge.run(steps)
        assert answers(graph, steps) == expected, json.dumps(steps)
        used.update(s["function"] for s in steps)
        empty += expected in ([], [0], ["no"])
    assert set(used) == set(SIGNATURES)
    assert len(SIGNATURES) == 27
    assert empty < 200


def test_every_prefix_of_a_program_is_a_program(kb: dict[str, Any], graph: LocalGraph) -> None:
    """A set of entities may be the end: its rows are entities and their names."""
    knowledge = Knowledge(kb)
    for number in range(26):
        steps = Programs(knowledge, seed=number).draw(number % 2)[:-1]
        assert answers(graph, steps) == knowledge.run(steps), json.dumps(steps)


def test_texts_of_a_program_are_terms_never_syntax(graph: LocalGraph) -> None:
    hostile = 'x"@en . ?s ?p ?o } #\n\\'
    assert answers(graph, [step("Find", [], hostile), step("Count", [0])]) == [0]
    steps = [step("FindAll", []), step("FilterStr", [0], "motto", 'say "yes"'), step("Count", [1])]
    assert answers(graph, steps)[0] > 0


def test_a_relation_of_many_facts_counts_each_entity_once(graph: LocalGraph) -> None:
    steps = [step("FindAll", []), step("Relate", [0], "twin of", "forward"), step("Count", [1])]
    query = "SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s <https://w3id.org/kgprobe#relation/twin_of> ?o }"
    assert answers(graph, steps) == [int(graph.select(query).item())]


# --- the package that KoPL's authors publish ----------------------------------------------------------------------------


def run_package(engine: Any, steps: Steps) -> list[Any]:
    """Run a program in the package; sets are sets, so an entity that several facts lead to counts once."""
    memory: list[Any] = []
    for each in steps:
        read = [memory[number] for number in each["dependencies"]]
        if each["function"] == "Count" or each["function"].startswith("Query"):
            read = [(sorted(set(ids)), facts) for ids, facts in read]
        memory.append(getattr(engine, each["function"])(*read, *each["inputs"]))
    last = memory[-1]
    if steps[-1]["function"] in ENTITY_STEPS:
        return sorted(set(last[0]))
    return sorted({_plain(value) for value in (last if isinstance(last, list) else [last])})


def _plain(value: Any) -> Any:
    """A value of the package the way the oracle writes it."""
    kind = getattr(value, "type", None)
    if kind == "quantity":
        return ("quantity", value.value, "" if value.unit == "1" else value.unit)
    if kind == "date":
        return ("time", (value.value.year, value.value.month, value.value.day), "")
    return ("time", (value.value,), "") if kind == "year" else ("string", value.value, "") if kind else value


def compare_with_package(kb: dict[str, Any], graph: LocalGraph, count: int) -> None:
    package = pytest.importorskip("kopl.kopl", reason="the package kopl (GPL) is not installed")
    knowledge = Knowledge(kb)
    engine = package.KoPLEngine(deepcopy(kb))
    # The package takes classes from the lists alone, a load from facts of instance and subclass as well.
    engine.kb.concept_to_entity = {concept: sorted(members) for concept, members in knowledge.members.items()}
    programs, compared = Programs(knowledge, seed=2), 0
    for number in itertools.count():
        steps = programs.draw(number)
        knowledge.run(steps)
        if not knowledge.tied:  # of equals the package names whichever stands first in the file
            assert answers(graph, steps) == run_package(engine, steps), json.dumps(steps)
            compared += 1
        if compared == count:
            break


def test_the_package_agrees_on_all_functions(kb: dict[str, Any], graph: LocalGraph) -> None:
    compare_with_package(kb, graph, 300)


@pytest.mark.slow
def test_the_package_agrees_on_500_programs_over_a_real_knowledge_base() -> None:
    path = shared("data/kopl/kb.json.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        real = json.load(file)
    compare_with_package(real, LocalGraph.in_memory(load_kopl(path)), 500)


# --- files and faults ---------------------------------------------------------------------------------------------------

FIND = step("Find", [], "place 3")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([], "no list of steps"),
        ([3], "step 0: is no JSON object"),
        ([step("Fnd", [], "x")], "step 0: there is no function 'Fnd'; did you mean 'Find'"),
        ([step("Find", [])], "step 0 (Find): has other inputs than the function; give name"),
        ([FIND, step("Relate", [0], "twin of", "forwards")], "step 1 (Relate): 'forwards' is unknown; did you mean 'forward'"),
        ([FIND, step("Count", [1])], "step 1 (Count): depends on step 1"),
        ([FIND, step("And", [0])], "step 1 (And): depends on a wrong number of steps; give 2"),
        ([FIND, step("QFilterStr", [0], "rank", "1")], "step 1 (QFilterStr): step 0 (Find) returns entities without facts"),
        (
            [FIND, step("VerifyStr", [0], "x")],
            "step 1 (VerifyStr): step 0 (Find) returns entities without facts; it reads values",
        ),
        (
            [FIND, step("Count", [0]), step("Count", [0])],
            "step 0 (Find): is read more than once; write it once for each reader",
        ),
        ([FIND, FIND, step("Count", [0])], "step 1 (Find): is read by no step; leave it out"),
        ([FIND, step("FilterNum", [0], "length", "long", "<")], "step 1 (FilterNum): 'long' is no number"),
        ([FIND, step("FilterYear", [0], "founded", "then", "<")], "step 1 (FilterYear): 'then' is no year or day"),
        ([FIND, step("FilterDate", [0], "founded", "2001-02-30", "<")], "step 1 (FilterDate): '2001-02-30' is no year or day"),
        ([step("Find", [], "\ud800")], "step 0 (Find): input 'name' is no text"),
        ([FIND] * 201, "has 201 steps; write at most 200"),
    ],
)
def test_a_fault_names_its_step_and_the_way_out(steps: Steps, said: str) -> None:
    with pytest.raises(ProgramError) as fault:
        compile_program(Program.of(steps, "p.json"))
    assert said in str(fault.value)
    assert str(fault.value).startswith("p.json")


@pytest.fixture
def store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        cli.run(app, "kg", ["load", "kopl", str(FIXTURES / "kb.json"), "--store", str(tmp_path / "store")])
    capsys.readouterr()
    return str(tmp_path / "store")


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return write


LONGEST = [step("FindAll", []), step("SelectAmong", [0], "length", "largest")]


def test_the_command_prints_a_query_that_runs_as_it_is(
    command: Command, written: Callable[[str, str], str], graph: LocalGraph, kb: dict[str, Any]
) -> None:
    ended = command("kopl", written("p.json", json.dumps({"question": "Which is longest?", "program": LONGEST})))
    assert ended.code == 0
    assert sorted(graph.select(ended.out)["name"]) == Knowledge(kb).run(LONGEST)


def test_the_command_runs_a_program(
    command: Command, written: Callable[[str, str], str], store: str, kb: dict[str, Any]
) -> None:
    ended = command("kopl", written("p.json", json.dumps(LONGEST)), "--store", store, "--run", "--format", "csv")
    assert sorted(ended.out.splitlines()[1:]) == Knowledge(kb).run(LONGEST)


def test_many_programs_give_a_line_each(command: Command, written: Callable[[str, str], str], store: str) -> None:
    lines = "\n".join(json.dumps(p) for p in (LONGEST, [FIND, step("Count", [0])]))
    ended = command("kopl", written("p.jsonl", lines), "--store", store, "--run")
    assert json.loads(ended.out.splitlines()[1]) == {"program": 2, "rows": [["2"]]}
    ended = command("kopl", written("p.json", json.dumps([{"program": LONGEST}, {"program": LONGEST}])))
    assert [json.loads(line)["program"] for line in ended.out.splitlines()] == [1, 2]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.json", "[", "p.json: is not JSON"),
        ("p.jsonl", "", "p.jsonl: holds no program"),
        ("p.jsonl", json.dumps([FIND]) + "\n[{}]", "p.jsonl:2, step 0: there is no function"),
        ("p.json", json.dumps([{"program": [FIND]}, {"program": []}]), "p.json, program 2: is no list of steps"),
        ("p.json", "[" * 100_000, "p.json: is not JSON"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(
    command: Command, written: Callable[[str, str], str], name: str, text: str, said: str
) -> None:
    ended = command("kopl", written(name, text))
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert said in ended.err


def program_file(folder: Path, *steps: dict[str, Any]) -> str:
    path = folder / "program.json"
    path.write_text(json.dumps(list(steps)))
    return str(path)


RIVER = step("Find", [], "place 0")


class TestAFamily:
    """A program with `--family` becomes a file that `generators.family` takes."""

    @pytest.mark.parametrize(
        ("steps", "answer"),
        [
            ([step("Relate", [0], "flows into", "forward"), step("What", [1])], "entity"),
            ([step("Relate", [0], "flows into", "forward"), step("FilterConcept", [1], "place")], "entity"),
            ([step("QueryAttr", [0], "motto")], "string"),
            ([step("QueryAttr", [0], "length")], "string"),
            ([step("Relate", [0], "flows into", "backward"), step("Count", [1])], "number"),
        ],
        ids=["relation", "set", "text", "unit", "count"],
    )
    def test_its_items_are_proven(self, steps: Steps, answer: str, graph: LocalGraph, command: Command, tmp_path: Path) -> None:
        path, program = tmp_path / "asked.rq", program_file(tmp_path, RIVER, *steps)
        ended = command("kopl", program, "--family", str(path), "--question", "What is asked of {entity}?")
        assert (ended.code, ended.out) == (0, "")
        assert command("check", str(path)).code == 0
        made = generate(graph, load(path)).items
        assert made.height > 0
        assert set(made["answer_type"]) == {answer}
        assert audit_items(graph, made.select("id", "proof")).passed

    def test_the_answer_of_the_named_thing_is_that_of_the_program(self, graph: LocalGraph) -> None:
        steps = [RIVER, step("Relate", [0], "flows into", "backward"), step("Count", [1])]
        rows = graph.select(compile_rows(Program.of(steps), {0: "entity"}))
        named = graph.select("SELECT ?entity { ?entity rdfs:label 'place 0'@en }").join(rows, on="entity")
        assert [int(n) for n in named["answer"]] == answers(graph, steps)

    @pytest.mark.parametrize(
        ("steps", "options", "said"),
        [
            ([step("FindAll", []), step("Count", [0])], ["--question", "How many?"], "finds nothing by name"),
            (
                [RIVER, step("QueryAttr", [0], "length"), step("VerifyNum", [1], "2", "=")],
                ["--question", "Is {entity} so?"],
                "ends with VerifyNum",
            ),
            ([RIVER, step("What", [0])], [], "--question: is missing"),
            ([RIVER, step("What", [0])], ["--question", "Who is {nobody}?"], "nobody"),
        ],
        ids=["no name", "verifies", "no question", "unknown slot"],
    )
    def test_what_makes_none_is_told_in_one_line(
        self, steps: Steps, options: list[str], said: str, command: Command, tmp_path: Path
    ) -> None:
        path = tmp_path / "asked.rq"
        ended = command("kopl", program_file(tmp_path, *steps), "--family", str(path), *options)
        assert ended.code == 2
        assert said in ended.err
        assert ended.err.count("\n") == 1
        assert not path.exists()


class TestNamesOfOtherLanguages:
    """A graph that was loaded with `--language de`: what has no German name bears an English one."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Path:
        (tmp_path / "orte.ttl").write_text("""@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            e:wien a e:City ; rdfs:label "Wien"@de, "Vienna"@en . e:graz a e:City ; rdfs:label "Graz"@de .""")
        build_store(tmp_path / "store", load_rdf([tmp_path / "orte.ttl"], words=RdfWords(languages=("de",))))
        return tmp_path / "store"

    @pytest.mark.parametrize(
        ("steps", "rows"),
        [
            ([step("Find", [], "Wien"), step("What", [0])], ["Wien"]),
            ([step("Find", [], "Vienna"), step("What", [0])], []),
            ([step("FindAll", []), step("FilterConcept", [0], "City"), step("Count", [1])], ["2"]),
        ],
        ids=["German", "not loaded", "a concept named by its IRI"],
    )
    def test_are_found(self, steps: Steps, rows: list[str], store: Path, command: Command, tmp_path: Path) -> None:
        asked = ["--language", "de", "--store", str(store), "--run", "--format", "csv"]
        ended = command("kopl", program_file(tmp_path, *steps), *asked)
        assert (ended.code, ended.out.splitlines()[1:]) == (0, rows)

    def test_make_a_family(self, command: Command, tmp_path: Path) -> None:
        steps = [step("Find", [], "Wien"), step("FilterConcept", [0], "Stadt"), step("What", [1])]
        path = tmp_path / "asked.rq"
        asked = ["--language", "de", "--family", str(path), "--question", "What is {entity}?"]
        assert command("kopl", program_file(tmp_path, *steps), *asked).code == 0
        assert '"Stadt"@de' in path.read_text()

    def test_are_in_english_where_nobody_says_otherwise(self) -> None:
        assert '"Wien"@en .' in compile_program(Program.of([step("Find", [], "Wien"), step("What", [0])]))

    def test_what_is_no_language_is_one_line(self, command: Command, tmp_path: Path) -> None:
        ended = command("kopl", program_file(tmp_path, step("Find", [], "Wien")), "--language", "de,")
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert "--language: '' is no language tag" in ended.err
