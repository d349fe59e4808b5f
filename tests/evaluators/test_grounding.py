"""Answers held against a graph: what they claim, how it stands, and verdicts that the graph corrects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.grounding import Facts, Reader, Wordings, judged_together, standing_of
from evaluators.grounding.wordings import form
from evaluators.verify.reading.text import Text
from fpq_made import Command, read_lines, write_lines
from kg import Graph, build_store, load_tables, open_graph
from model_server import KEY, Asked, Script, model_server
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
    return Reader(Facts(graph))


def said(reader: Reader, text: str, about: str) -> list[str]:
    facts = reader.facts
    topic = frozenset(facts.labels.bearers(about))
    found = []
    claims = reader.claims(Text(text), facts.near(topic), topic)
    for claim, judged in zip(claims, judged_together(facts, claims), strict=True):
        standing = standing_of(judged, denied=claim.denied, left_open=claim.open)
        s, p, o, value = judged.reading
        relation = f"{'not ' if claim.denied else ''}{facts.relations[p].label}"
        claimed = value if o is None else facts.labels.texts[o]
        found.append(f"{facts.labels.texts[s]} | {relation} | {claimed} | {standing}")
    return sorted(found)


def cases(name: str) -> list[list[str]]:
    lines = (FIXTURES / name).read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("text", "about", "expected"), cases("claims.tsv"))
def test_what_a_text_claims_and_how_it_stands(reader: Reader, text: str, about: str, expected: str) -> None:
    assert said(reader, text, about) == sorted(filter(None, expected.split("; ")))


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """What reads claims about clubs in towns that bear the names of films, and about players who share a name."""
    path = tmp_path_factory.mktemp("grounding") / "clubs"
    build_store(path, load_tables(FIXTURES / "clubs" / "SCHEMA.toml"))
    graph = open_graph(path)
    return Reader(Facts(graph))


@pytest.mark.parametrize(("text", "about", "expected"), cases("clubs.tsv"))
def test_what_may_be_another_thing_or_another_time_is_not_contradicted(
    clubs: Reader, text: str, about: str, expected: str
) -> None:
    assert said(clubs, text, about) == sorted(filter(None, expected.split("; ")))


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


def test_a_right_answer_in_a_language_that_the_rules_do_not_read_is_stated_by_its_name(
    command: Command, store: Path, tmp_path: Path
) -> None:
    items = write_lines(tmp_path / "i.jsonl", [item("one")])
    text = "Filmen regisserades av Ridley Scott och ingen annan."
    answers = write_lines(
        tmp_path / "r.jsonl", [response("one", text), response("one", text.replace("Ridley Scott", "Kate Winslet"), 1)]
    )
    files, out = ("--items", items, "--responses", answers, "--store", store), tmp_path / "v.jsonl"
    command("verify", *files, "--out", out)
    assert outcomes(out) == [("unscored", "language")] * 2
    command("verify", *files, "--ground", "--out", out)
    assert outcomes(out) == [("correct", "stated"), ("unscored", "language")]


def test_answers_held_against_another_graph_than_the_items_own_are_told_so_first(
    command: Command, store: Path, tmp_path: Path
) -> None:
    items = write_lines(tmp_path / "i.jsonl", [item("one") | {"source": {"graph": "kgp:graph/kopl", "digest": "sha256:0"}}])
    answers = write_lines(tmp_path / "r.jsonl", [response("one", "Ridley Scott.")])
    done = command(
        "verify", "--items", items, "--responses", answers, "--store", store, "--ground", "--out", tmp_path / "v.jsonl"
    )
    assert done.code == 0
    assert done.stderr.splitlines()[0].startswith("made from kopl, this is ")


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
        (["--judge-what", "claims"], "error: --judge-what claims are held against a graph; add --ground"),
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


# --- claims that a model reads --------------------------------------------------------------------------------------------


SHIP = "He sailed from Southampton with a heavy heart."


def told(**claim: Any) -> dict[str, Any]:
    return {"quote": claim.pop("quote"), "subject": "Ridley Scott", "relation": "place of birth", "denied": False} | claim


REPORTS: dict[str, Any] = {
    "cradle": {"claims": [
        told(quote="had his cradle in Chicago", object="Chicago"),
        told(quote="had his cradle in Chicago", object="South Shields", denied=True),
        told(quote="directed Alien", subject="Alien", relation="director", object="Ridley Scott"),
        told(quote="born in Paris", object="Chicago"),
        told(quote="had his cradle in Chicago", relation="spouse", object="Chicago"),
        told(quote="had his cradle in Chicago", object="Atlantis"),
    ]},
    "saw the light": {"claims": [told(quote="saw the light of day on 30 November 1937", relation="date of birth",
                                      object="30 November 1937")]},
    "heavy heart": "I would rather not say.",
}  # fmt: skip
EXPLAINED = [
    "Ridley Scott. He had his cradle in Chicago, and he directed Alien.",
    "It was Ridley Scott, and he saw the light of day on 30 November 1937.",
    f"Ridley Scott. {SHIP}",
    "Ridley Scott.",
]


def lister(asked: Asked) -> str:
    """A model that lists what the last part of its prompt says."""
    answer = asked.text.rpartition("The answer to read:")[2]
    report = next(report for words, report in REPORTS.items() if words in answer)
    return report if isinstance(report, str) else json.dumps(report)


@pytest.fixture
def explained(tmp_path: Path) -> list[str | Path]:
    """Four answers that explain something, or nothing."""
    asked = item("who", question="Who directed Alien?", answer=["Ridley Scott"])
    answers = [response("who", text, n) for n, text in enumerate(EXPLAINED)]
    return [
        "--items", write_lines(tmp_path / "items.jsonl", [asked]),
        "--responses", write_lines(tmp_path / "responses.jsonl", answers),
    ]  # fmt: skip


def test_a_model_reads_more_claims_and_the_graph_says_how_they_stand(
    command: Command, explained: list[str | Path], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    options: list[object] = ["verify", *explained, "--store", store, "--ground"]
    command(*options, "--out", tmp_path / "rules.jsonl")
    with model_server(Script(answer=lister, fills=True)) as server:
        done = command(*options, "--judge", server.spec(), "--out", tmp_path / "v.jsonl")
        once = len(server.script.requests)
        again = command(*options, "--judge", server.spec(), "--out", tmp_path / "v.jsonl")
        assert (once, len(server.script.requests)) == (3, 3)  # three answers explain something, and are asked about once
    assert (done.code, again.code) == (0, 0)
    assert (tmp_path / "v.jsonl").read_bytes() == (tmp_path / "rules.jsonl").read_bytes()
    every, rules = read_lines(tmp_path / "v.claims.jsonl"), read_lines(tmp_path / "rules.claims.jsonl")
    assert [claim for claim in every if claim["by"] is None] == rules
    more = [
        (c["sample"], c["subject"]["label"], c["relation"]["label"], c["object"]["label"], c["denied"], c["standing"])
        for c in every
        if c["by"] is not None
    ]
    assert more == [
        (0, "Ridley Scott", "place of birth", "Chicago", False, "contradicted"),
        (0, "Ridley Scott", "place of birth", "South Shields", True, "contradicted"),
        (1, "Ridley Scott", "date of birth", "1937-11-30", False, "stated"),
    ]
    assert len({(c["item"], c["sample"], c["number"]) for c in every}) == len(every)
    spans = {EXPLAINED[c["sample"]][slice(*c["span"])] for c in every if c["by"] is not None}
    assert spans == {"had his cradle in Chicago", "saw the light of day on 30 November 1937"}
    assert f"{server.spec()} reads what 3 answers claim" in done.stderr
    assert "of 1 of 3 answers came no list of claims that can be read" in done.stderr
    left_out = next(line for line in done.stderr.splitlines() if line.startswith("left out of what"))
    assert left_out.endswith(
        "1 of a relation that was not offered, 1 of names that nothing of its kind bears, "
        "1 with words that the answer does not have"
    )


def test_what_a_model_passes_that_the_graph_contradicts_is_in_the_report(
    command: Command, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    asked = item("who", question="Name a director of Alien.", answer=["Ridley Scott"])
    texts = ["It was James Cameron, of course.", "Steven Spielberg was the one who made it."]
    files = [
        "--items", write_lines(tmp_path / "items.jsonl", [asked]),
        "--responses", write_lines(tmp_path / "responses.jsonl", [response("who", text, n) for n, text in enumerate(texts)]),
    ]  # fmt: skip

    def judge(asked: Asked) -> str:
        if '"claims"' in asked.text:
            return '{"claims": []}'
        return json.dumps({"reason": "so it seems", "verdict": "match" if "Cameron" in asked.text else "mismatch"})

    verdicts, claims = tmp_path / "v.jsonl", tmp_path / "v.claims.jsonl"
    with model_server(Script(answer=judge, fills=True)) as server:
        command("verify", *files, "--store", store, "--ground", "--judge", server.spec(), "--out", verdicts)
    assert outcomes(verdicts) == [("correct", "judge"), ("incorrect", "judge")]
    command("report", *files, "--verdicts", verdicts, "--claims", claims, "--out", tmp_path / "report")
    rows = json.loads((tmp_path / "report" / "metrics.json").read_text())["tables"]["claims.judges"]["rows"]
    (row,) = rows
    assert row["judge"].startswith(server.spec())
    assert (row["passed"], row["passed_n"]) == (0.5, 2)
