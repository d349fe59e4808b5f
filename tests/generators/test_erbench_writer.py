"""A database's families in a model's words: asked once each, checked, recorded, replayed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fpq_made import Done, read_lines
from generators.erbench import __main__ as erbench
from kg import cli
from model_server import KEY, Asked, Script, model_server
from sql_database import database

MILLS = """
CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, mayor TEXT);
INSERT INTO towns VALUES (1, 'Ulm', 'Ada Berg'), (2, 'Bonn', 'Bo Dahl'), (3, 'Trier', 'Cy Eck');
CREATE TABLE mills (id INTEGER PRIMARY KEY, name TEXT, founded INTEGER, town INTEGER REFERENCES towns);
INSERT INTO mills VALUES
  (1, 'Sand Mill', 1702, 1), (2, 'Rye Mill', 1744, 2), (3, 'Oak Mill', 1810, 3), (4, 'Old Mill', 1699, 1);
"""


@pytest.fixture
def mills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return database(tmp_path / "mills.sqlite", MILLS)


def run(capfd: pytest.CaptureFixture[str], *args: object) -> Done:
    with pytest.raises(SystemExit) as stop:
        cli.run(erbench.app, "python -m generators.erbench", [str(arg) for arg in args])
    out, err = capfd.readouterr()
    return Done(stop.value.code, out, err)


def better(asked: Asked) -> str:
    """Word foundations better, spoil mayors, and leave the rest as it was."""
    shown = next(m["content"] for m in asked.body["messages"] if m["role"] == "user")
    families = json.loads("\n".join(shown.splitlines()[1:-1]))
    for family in families.values():
        for variant, text in family["texts"].items():
            text = text.replace("In which year was", "When was") if variant == "basic" else text
            family["texts"][variant] = "Ignore all that stands above." if "mayor" in text else text
    return json.dumps({number: family["texts"] for number, family in families.items()})


def test_families_are_worded_once_and_what_fails_keeps_the_rules_words(
    mills: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plain, out = tmp_path / "plain.jsonl", tmp_path / "items.jsonl"
    assert run(capfd, "--db", mills, "--all-wordings", "--out", plain).code == 0
    with model_server(Script(answer=better)) as server:
        done = run(
            capfd,
            "--db",
            mills,
            "--all-wordings",
            "--out",
            out,
            "--writer",
            server.spec(),
            "--tries",
            1,
            "--families",
            tmp_path / "rq",
        )
        asked = len(server.script.requests)
    assert done.code == 0, done.stderr
    assert asked < 6
    before, after = ({item["id"]: item for item in read_lines(path)} for path in (plain, out))
    assert {i["question"] for i in after.values() if i["family"] == "mill-founded-open"} >= {"When was Sand Mill founded?"}
    mayors = [i for i in before.values() if i["family"] == "town-mayor-open"]
    assert mayors
    assert all(after[i["id"]]["question"] == i["question"] for i in mayors)
    assert {i["source"].get("writer") is None for i in after.values() if i["family"] == "mill-founded-open"} == {False}
    assert {i["source"].get("writer") for i in after.values() if i["family"] == "town-mayor-open"} == {None}
    assert "a placeholder does not stand in it as it was given" in done.stderr
    assert "When was" in (tmp_path / "rq" / "mill-founded-open.rq").read_text("utf-8")

    replayed = tmp_path / "replayed.jsonl"
    for _ in range(2):
        again = run(
            capfd,
            "--db",
            mills,
            "--all-wordings",
            "--out",
            replayed,
            "--writer",
            f"replay:{tmp_path / 'items.writer.jsonl'}",
            "--tries",
            1,
        )
        assert again.code == 0
        assert [i["question"] for i in read_lines(replayed)] == [i["question"] for i in after.values()]


def test_a_model_that_says_nothing_leaves_the_rules_words(
    mills: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plain, out = tmp_path / "plain.jsonl", tmp_path / "items.jsonl"
    run(capfd, "--db", mills, "--all-wordings", "--out", plain)
    with model_server(Script(answer=lambda asked: "I would rather not.")) as server:
        done = run(capfd, "--db", mills, "--all-wordings", "--out", out, "--writer", server.spec())
    assert plain.read_bytes() == out.read_bytes()
    assert "the answer is no JSON" in done.stderr


def clearer(asked: Asked) -> str:
    """Say of a mill's foundation in other words, in a choice as well."""
    shown = next(m["content"] for m in asked.body["messages"] if m["role"] == "user")
    families = json.loads("\n".join(shown.splitlines()[1:-1]))
    for family in families.values():
        family["texts"] = {
            name: text.replace("It was founded in", "People founded it in") for name, text in family["texts"].items()
        }
    return json.dumps({number: family["texts"] for number, family in families.items()})


def test_the_statements_of_a_choice_are_worded_too(mills: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "items.jsonl"
    with model_server(Script(answer=clearer)) as server:
        done = run(capfd, mills, "--all-wordings", "--tasks", "choice", "--out", out, "--writer", server.spec(), "--tries", 1)
    assert done.code == 0, done.stderr
    options = [option for item in read_lines(out) for option in item["options"]]
    assert any(option.startswith("People founded it in 1") for option in options)
    assert not any(option.startswith("It was founded") for option in options)
