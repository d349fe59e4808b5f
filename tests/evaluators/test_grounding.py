"""Answers held against a graph: what they claim, how it stands, and verdicts that the graph corrects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.grounding import Facts, Reader, Wordings, standing_of
from evaluators.grounding.wordings import form
from evaluators.verify.reading.labels import Labels
from evaluators.verify.reading.text import Text
from fpq_made import Command, read_lines, write_lines
from kg import Graph, build_store, load_tables, open_graph
from queries.templates import find

FIXTURES = Path(__file__).parents[1] / "fixtures" / "evaluators" / "grounding"
BASE = "https://example.org/films/"
ALIEN, DIRECTOR = f"<{BASE}film/id=alien>", f"<{BASE}film#ref-director>"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with four films, and those who made them."""
    path = tmp_path_factory.mktemp("grounding") / "films"
    build_store(path, load_tables(FIXTURES / "films" / "SCHEMA.toml"))
    return path


@pytest.fixture(scope="module")
def graph(store: Path) -> Graph:
    """The films as a graph."""
    return open_graph(store)


@pytest.fixture(scope="module")
def reader(graph: Graph) -> Reader:
    """What reads claims about them."""
    return Reader(Facts(graph, Labels.of(graph)))


def said(reader: Reader, text: str, about: str) -> list[str]:
    facts = reader.facts
    topic = frozenset(facts.labels.bearers(about))
    found = []
    for claim in reader.claims(Text(text), frozenset(facts.near(topic)) | topic, topic):
        judged = facts.judge(claim.readings)
        standing = standing_of(judged, denied=claim.denied, shifted=claim.shifted)
        s, p, o, value = judged.reading
        relation = f"{'not ' if claim.denied else ''}{facts.relations[p].label}"
        claimed = value if o is None else facts.labels.texts[o]
        found.append(f"{facts.labels.texts[s]} | {relation} | {claimed} | {standing}")
    return sorted(found)


def cases() -> list[list[str]]:
    lines = (FIXTURES / "claims.tsv").read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("text", "about", "expected"), cases())
def test_what_a_text_claims_and_how_it_stands(reader: Reader, text: str, about: str, expected: str) -> None:
    assert said(reader, text, about) == sorted(filter(None, expected.split("; ")))


def test_the_columns_state_what_the_store_states(reader: Reader, graph: Graph) -> None:
    facts, fact = reader.facts, find("fact")
    director = facts.relation_of(DIRECTOR.strip("<>"))
    assert director is not None
    films = {s for s, p in facts.objects if p == director}
    people = {o for (_, p), several in facts.objects.items() if p == director for o in several}
    for s in films:
        for o in people:
            bound = {"s": f"<{facts.labels.iris[s]}>", "p": DIRECTOR, "o": f"<{facts.labels.iris[o]}>"}
            assert facts.states(s, director, o) == graph.ask(fact.bind(bound))
            assert facts.denies(s, director, o) != facts.states(s, director, o)  # a key determines who directed a film


def test_every_wording_makes_statements() -> None:
    by_label = Wordings.shipped().by_label
    assert len(by_label) > 150
    assert all(patterns and not any(pattern.is_empty for pattern in patterns) for patterns in by_label.values())


@pytest.mark.parametrize(
    "words", ["direct directs directed directing", "write writes wrote written", "compose composed", "city cities"]
)
def test_a_word_has_one_form(words: str) -> None:
    assert len({form(word) for word in words.split()}) == 1


def item(name: str, **more: Any) -> dict[str, Any]:
    proof = {"query": f"true_objects@{find('true_objects').version}", "rows": [], "expect": None,
             "bind": [{"name": "s", "term": ALIEN}, {"name": "p", "term": DIRECTOR}]}  # fmt: skip
    return {
        "schema": "kgprobe.item/1", "id": name, "method": "mine", "family": "films", "task": "open", "variant": "basic",
        "group": name,
        "question": "Name a director of Alien.", "answer": ["Dan O'Bannon"], "answer_type": "entity", "proof": [proof],
        "given": [{"slot": "subject", "value": "Alien"}],
    } | more  # fmt: skip


PREMISE = {
    "subject": {"iri": ALIEN.strip("<>"), "label": "Alien"}, "relation": {"iri": DIRECTOR.strip("<>"), "label": "director"},
    "object": {"iri": f"{BASE}person/id=scott", "label": "Ridley Scott"}, "edit": "NSC", "hops": 2, "path": [],
    "true_objects": [{"iri": f"{BASE}person/id=cameron", "label": "James Cameron", "aliases": []}],
}  # fmt: skip


def response(name: str, text: str, sample: int = 0) -> dict[str, Any]:
    return {"schema": "kgprobe.response/1", "item": name, "model": "m", "sample": sample, "text": text}


@pytest.fixture
def files(tmp_path: Path) -> list[str | Path]:
    """An item that lists too little, one whose false premise holds, and their answers."""
    asked = item("asked", task="yes_no", question="Did Ridley Scott direct Alien?", answer=["no"], premise=PREMISE, proof=[])
    answers = [
        response("open", "Ridley Scott."), response("open", "It was James Cameron.", 1), response("open", "Dan O'Bannon.", 2),
        response("asked", "Yes, Ridley Scott directed Alien."), response("asked", "I don't know.", 1),
    ]  # fmt: skip
    return [
        "--items", write_lines(tmp_path / "items.jsonl", [item("open"), asked]),
        "--responses", write_lines(tmp_path / "responses.jsonl", answers),
    ]  # fmt: skip


def outcomes(path: Path) -> list[tuple[str, str]]:
    return [(verdict["outcome"], verdict["reason"]) for verdict in read_lines(path)]


def test_a_right_answer_that_the_item_does_not_list_is_stated(
    command: Command, files: list[str | Path], store: Path, tmp_path: Path
) -> None:
    plain, grounded = tmp_path / "plain.jsonl", tmp_path / "grounded.jsonl"
    command("verify", *files, "--store", store, "--out", plain)
    done = command("verify", *files, "--store", store, "--ground", "--out", grounded)
    assert outcomes(plain)[0] == outcomes(plain)[3] == ("incorrect", "wrong")
    assert outcomes(grounded)[0] == outcomes(grounded)[3] == ("correct", "stated")
    assert [outcomes(grounded)[n] for n in (1, 2, 4)] == [outcomes(plain)[n] for n in (1, 2, 4)]
    assert "2 items are stale: the graph states answers that they do not list (asked, open)" in done.stderr
    claims = {(c["item"], c["sample"], c["kind"]): c for c in read_lines(tmp_path / "grounded.claims.jsonl")}
    wrong = claims["open", 1, "answer"]
    assert (wrong["object"]["label"], wrong["standing"]) == ("James Cameron", "contradicted")
    assert [true["label"] for true in wrong["true"]] == ["Ridley Scott"]
    assert claims["asked", 0, "explanation"]["standing"] == "stated"


def test_an_answer_is_explained_with_its_claims(command: Command, files: list[str | Path], store: Path) -> None:
    shown = command("verify", *files, "--store", store, "--ground", "--explain", "open").stdout
    assert "verdict    correct: stated (the graph states it, though the item does not list it)" in shown
    assert "claim      Alien — director — James Cameron: contradicted (the graph has Ridley Scott)" in shown


def test_the_report_counts_claims_and_what_judges_pass(
    command: Command, files: list[str | Path], store: Path, tmp_path: Path
) -> None:
    verdicts, claims = tmp_path / "v.jsonl", tmp_path / "v.claims.jsonl"
    command("verify", *files, "--store", store, "--ground", "--out", verdicts)
    command("report", *files, "--verdicts", verdicts, "--claims", claims, "--out", tmp_path / "report")
    tables = json.loads((tmp_path / "report" / "metrics.json").read_text())["tables"]
    explained = tables["claims.models"]["rows"][0]
    assert (explained["stated"], explained["claims"]) == (1.0, 1)
    judged = next(row for row in tables["claims.judges"]["rows"] if row["judge"] == "rules")
    assert (judged["passed"], judged["passed_n"], judged["refused"], judged["refused_n"]) == (0.0, 1, 1.0, 2)
    assert (
        '"contradicted",false,"Alien","director","James Cameron",["Ridley Scott"]'
        in next((tmp_path / "report" / "data").glob("items-0-0.js")).read_text()
    )


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--claims", "c.jsonl"], "error: --claims are what --ground finds; add --ground"),
        (
            ["--ground", "--as-published", "erbench"],
            "error: a paper's own rules know no graph; leave out --ground or --as-published",
        ),
    ],
)
def test_options_that_do_not_go_together(command: Command, files: list[str | Path], options: list[str], fault: str) -> None:
    done = command("verify", *files, *options, "--out", "v.jsonl")
    assert (done.code, done.stderr.splitlines()) == (2, [fault])
