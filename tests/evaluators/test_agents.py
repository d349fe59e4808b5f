"""Models that may query a graph before they answer: what is sent and run, and what their answers are worth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evaluators.models import Decoding, Message, Request
from evaluators.models.agent import sparql_tool
from evaluators.models.runs.plan import estimated
from evaluators.verify.evidence import STANDINGS, Gold, found, standing
from fpq_made import Command, read_lines, write_lines
from kg import build_store, load_tables
from model_server import Asked, Running
from queries.records import Item, records_in
from queries.records.response import Lookup

FIXTURES = Path(__file__).parents[1] / "fixtures" / "evaluators"
ITEMS = FIXTURES / "agents" / "items.jsonl"
RECORDED = FIXTURES / "agents" / "recorded.jsonl"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p . ?q ?r ?s }"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with four films, and those who made them."""
    path = tmp_path_factory.mktemp("agents") / "films"
    build_store(path, load_tables(FIXTURES / "grounding" / "films" / "SCHEMA.toml"))
    return path


@pytest.fixture
def ask(command: Command, store: Path, tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """Ask a model with the films at hand; return the responses by their order."""

    def call(model: str, *args: object, items: Path = ITEMS) -> list[dict[str, Any]]:
        out = tmp_path / "responses.jsonl"
        done = command(
            "ask", items, "--model", model, "--tools", "sparql", "--store", store, "--out", out, "--concurrency", 1,
            "--tool-seconds", 20, *args,
        )  # fmt: skip
        assert done.code == 0, done.stderr
        return read_lines(out)

    return call


def standings(command: Command, tmp_path: Path, items: Path = ITEMS) -> dict[str, str | None]:
    """Judge the responses, and say which of the four each answer is."""
    responses, verdicts = tmp_path / "responses.jsonl", tmp_path / "verdicts.jsonl"
    done = command("verify", "--items", items, "--responses", responses, "--out", verdicts)
    assert done.code == 0, done.stderr
    return {line["item"]: standing(line["outcome"], line.get("evidence")) for line in read_lines(verdicts)}


# --- what counts as evidence


@pytest.mark.parametrize("case", read_lines(FIXTURES / "agents" / "evidence.jsonl"), ids=lambda case: case["title"])
def test_what_is_evidence_of_an_answer(case: dict[str, Any]) -> None:
    items = {item.id: item for _, item in records_in(str(ITEMS), Item)}
    lookups = [msgspec.convert({"columns": []} | lookup, Lookup) for lookup in case["lookups"]]
    assert found(Gold.of(items[case["item"]]), lookups, "https://example.org/films/") is case["evidence"]


# --- the offline model


KNOWN = {
    "alien": "right_query", "jaws": "right_luck", "titanic": "wrong_query", "spielberg-alien": "wrong_reading",
    "of-1975": None, "born-1937": "right_query",
}  # fmt: skip


def test_a_recording_runs_its_queries_and_falls_into_the_four_classes(
    ask: Callable[..., list[dict[str, Any]]], command: Command, tmp_path: Path
) -> None:
    responses = {line["item"]: line for line in ask(f"replay:{RECORDED}")}
    first = responses["alien"]["trace"]["lookups"][0]
    assert (first["columns"], first["rows"]) == (["n"], [['"Ridley Scott"@en']])
    assert len(responses["born-1937"]["trace"]["lookups"]) == 2
    assert responses["of-1975"]["trace"]["lookups"] == []
    assert standings(command, tmp_path) == KNOWN


def test_the_report_and_the_explanation_show_them(
    ask: Callable[..., list[dict[str, Any]]], command: Command, tmp_path: Path
) -> None:
    ask(f"replay:{RECORDED}")
    files = ["--items", ITEMS, "--responses", tmp_path / "responses.jsonl"]
    judged = command("verify", *files, "--out", tmp_path / "verdicts.jsonl")
    assert "right by query" in judged.stderr
    command("report", *files, "--verdicts", tmp_path / "verdicts.jsonl", "--out", tmp_path / "report")
    table = json.loads((tmp_path / "report" / "metrics.json").read_text())["tables"]["lookups.models"]
    row = table["rows"][0]
    assert [row[name] for name in (*STANDINGS, "answers")] == [0.4, 0.2, 0.2, 0.2, 5]
    shown = command("verify", *files, "--explain", "spielberg-alien").stdout
    assert "query      SELECT ?d { <film/id=alien> <film#ref-director> ?d }: 1 row\nso         wrong by reading\n" in shown


def test_a_whole_response_keeps_its_trace_when_it_is_played_again(
    ask: Callable[..., list[dict[str, Any]]], command: Command, tmp_path: Path
) -> None:
    first = ask(f"replay:{RECORDED}")
    whole = tmp_path / "responses.jsonl"
    kept = whole.rename(tmp_path / "kept.jsonl")
    done = command("ask", ITEMS, "--model", f"replay:{kept}", "--out", whole)
    assert done.code == 0, done.stderr
    assert [line["trace"] for line in read_lines(whole)] == [line["trace"] for line in first]


# --- scripted models behind both protocols


def honest(asked: Asked) -> list[str]:
    """It asks for what the film of the question has for a director, once."""
    film = next(film for film in BY_HEART if film in asked.text)
    return [f'SELECT ?n {{ ?f rdfs:label "{film}"@en ; <film#ref-director>/rdfs:label ?n }}'] if not asked.results else []


def says_what_it_read(asked: Asked) -> str:
    return asked.results[-1].splitlines()[1].removesuffix("@en").strip('"') if asked.results else ""


def cheating(asked: Asked) -> list[str]:
    """It knows the answers by heart, and asks for anything, so that it has asked."""
    return ["SELECT ?s { ?s ?p ?o } LIMIT 1"] if not asked.results else []


BY_HEART = {"Alien": "Ridley Scott", "Jaws": "Steven Spielberg", "Titanic": "Kate Winslet"}


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """The questions that ask for a director."""
    return write_lines(tmp_path / "three.jsonl", read_lines(ITEMS)[:3])


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_an_honest_model_is_right_by_its_query(
    ask: Callable[..., list[dict[str, Any]]], command: Command, server: Running, three: Path, tmp_path: Path, protocol: str
) -> None:
    server.script.queries, server.script.answer = honest, says_what_it_read
    responses = ask("anthropic:stub" if protocol == "anthropic" else server.spec(), items=three)
    assert [line["text"] for line in responses] == ["Ridley Scott", "Steven Spielberg", "James Cameron"]
    assert [line["usage"]["output"] for line in responses] == [10, 10, 10]  # of both turns
    assert set(standings(command, tmp_path, three).values()) == {"right_query"}
    last = server.script.requests[-1].body
    assert len(server.script.requests) == 6
    assert ("tools" in last, len(last["tools"])) == (True, 1)
    turn = last["messages"][-2]
    # Thoughts go back with the calls that they led to.
    assert (turn["content"][0]["type"] if protocol == "anthropic" else turn["reasoning_content"]) in (
        "thinking",
        "Let me look.",
    )


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_cheating_model_is_right_by_luck_or_wrong_by_its_query(
    ask: Callable[..., list[dict[str, Any]]], command: Command, server: Running, three: Path, tmp_path: Path, protocol: str
) -> None:
    server.script.queries = cheating
    server.script.answer = lambda asked: next(answer for film, answer in BY_HEART.items() if film in asked.text)
    ask("anthropic:stub" if protocol == "anthropic" else server.spec(), items=three)
    assert standings(command, tmp_path, three) == {"alien": "right_luck", "jaws": "right_luck", "titanic": "wrong_query"}


def test_a_model_that_misreads_is_wrong_by_reading(
    ask: Callable[..., list[dict[str, Any]]], command: Command, server: Running, three: Path, tmp_path: Path
) -> None:
    server.script.queries, server.script.answer = honest, lambda asked: "Harrison Ford"
    ask(server.spec(), items=three)
    assert set(standings(command, tmp_path, three).values()) == {"wrong_reading"}


def test_the_loop_ends_at_its_bound_and_the_model_has_to_answer(
    ask: Callable[..., list[dict[str, Any]]], server: Running, three: Path
) -> None:
    server.script.queries = lambda asked: ["ASK {}", "ASK {}"]
    server.script.answer = lambda asked: "Ridley Scott"
    response = ask(server.spec(), "--tool-rounds", 3, "--limit", 1, items=three)[0]
    assert (response["text"], len(response["trace"]["lookups"])) == ("Ridley Scott", 6)
    assert [request.body["tool_choice"] for request in server.script.requests] == ["auto", "auto", "auto", "none"]


def test_a_runaway_query_and_a_forbidden_one_are_told_to_the_model(
    ask: Callable[..., list[dict[str, Any]]], server: Running, three: Path
) -> None:
    asked_for = [[ENDLESS], ["INSERT DATA { <a:a> <a:b> <a:c> }", "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"]]
    server.script.queries = lambda asked: asked_for[0] if not asked.results else asked_for[1] if len(asked.results) < 3 else []
    server.script.answer = lambda asked: "I do not know."
    response = ask(server.spec(), "--tool-seconds", 6, "--limit", 1, items=three)[0]
    told = server.script.requests[-1].results
    assert told == [
        "error: was cut off after 6 seconds; ask for less",
        "error: INSERT writes; only this graph can be read",
        "error: SERVICE asks another server; only this graph can be read",
    ]
    assert [lookup["error"] for lookup in response["trace"]["lookups"]] == [line.removeprefix("error: ") for line in told]


def test_rows_are_limited_and_the_model_is_told(ask: Callable[..., list[dict[str, Any]]], server: Running, three: Path) -> None:
    server.script.queries = lambda asked: ["SELECT ?f { ?f a <film> } ORDER BY ?f"] if not asked.results else []
    response = ask(server.spec(), "--tool-rows", 2, "--limit", 1, items=three)[0]
    assert len(response["trace"]["lookups"][0]["rows"]) == 2
    assert server.script.requests[-1].results[0].splitlines()[-1] == "(there are more rows: ask for less)"


def test_a_run_is_continued_and_its_answers_come_from_the_cache_with_their_traces(
    ask: Callable[..., list[dict[str, Any]]], server: Running, three: Path, tmp_path: Path
) -> None:
    server.script.queries, server.script.answer = honest, says_what_it_read
    first = ask(server.spec(), items=three)
    assert ask(server.spec(), items=three) == first
    (tmp_path / "responses.jsonl").unlink()
    again = ask(server.spec(), items=three)
    assert [line["trace"] for line in again] == [line["trace"] for line in first]
    assert len(server.script.requests) == 6
    (tmp_path / "responses.jsonl").unlink()
    ask(server.spec(), "--tool-rows", 49, items=three)  # another tool: what was answered with the first says nothing of it
    assert len(server.script.requests) == 12


# --- options, and what a run may cost


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["--store", "films"], "--store and --endpoint: is for a model with tools; add --tools sparql"),
        (["--tool-rows", 3], "--tool-rows: is for a model with tools; add --tools sparql"),
        (["--tools", "sparql", "--batch"], "--batch: a batch holds no conversations; leave it out, or --tools"),
        (["--tools", "sparql", "--store", "nowhere"], "nowhere: no store here; make one with"),
        (["--tools", "sparql", "--tool-seconds", 0], "Invalid value for '--tool-seconds'"),
        (["--tools", "python"], "Invalid value for '--tools'"),
    ],
)
def test_wrong_options_are_told_in_one_line(command: Command, tmp_path: Path, args: list[object], problem: str) -> None:
    out = tmp_path / "out.jsonl"
    done = command("ask", ITEMS, "--model", f"replay:{RECORDED}", "--out", out, *args)
    assert (done.code, out.exists()) == (2, False)
    assert problem in done.stderr
    assert "Traceback" not in done.stderr


def test_a_base_model_calls_no_tools(command: Command, server: Running, tmp_path: Path) -> None:
    done = command(
        "ask", ITEMS, "--model", f"{server.spec()}?completions", "--tools", "sparql", "--out", tmp_path / "out.jsonl"
    )
    assert done.code == 2
    assert "a base model calls no tools" in done.stderr


def test_the_prompt_tells_of_the_tool(command: Command) -> None:
    done = command("ask", ITEMS, "--tools", "sparql", "--system", "Be brief.", "--dry-run")
    assert done.code == 0
    assert "[system]\nBe brief.\n\nYou can look facts up before you answer: the tool `query` runs SPARQL" in done.stdout


def test_a_request_with_a_tool_counts_with_all_its_rounds() -> None:
    plain = Request("a", 0, (Message("user", "x" * 400),), Decoding(max_tokens=100))
    with_tool = Request("a", 0, plain.messages, plain.decoding, sparql_tool(rounds=2))
    assert (estimated(plain).input, estimated(plain).output) == (100, 100)
    assert (estimated(with_tool).input, estimated(with_tool).output) == (3 * 100 + 3 * (1000 + 100), 300)
