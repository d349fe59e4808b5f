"""Properties in a model's words: subject in, answer out, unit and date asked for; recorded, replayed, named in the items."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from fpq_made import Done, read_lines
from generators.factbench import __main__ as factbench
from kg import cli
from model_server import KEY, Asked, Script, model_server


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def run(capfd: pytest.CaptureFixture[str], *args: object) -> Done:
    with pytest.raises(SystemExit) as stop:
        cli.run(factbench.app, "python -m generators.factbench", [str(arg) for arg in args])
    out, err = capfd.readouterr()
    return Done(stop.value.code, out, err)


def families(asked: Asked) -> dict[str, Any]:
    """Return the properties of a request, as they stand in it."""
    shown = next(m["content"] for m in asked.body["messages"] if m["role"] == "user")
    read: dict[str, Any] = json.loads("\n".join(shown.splitlines()[1:-1]))
    return read


def worded(asked: Asked) -> str:
    """Word heights and birthplaces well, areas without their unit, births with an example's name, deaths without the month."""
    answers: dict[str, dict[str, str]] = {}
    for number, family in families(asked).items():
        label, texts = family["about"]["asks for"], family["texts"]
        texts = {variant: text.replace("How tall is {s}", "How high does {s} rise") for variant, text in texts.items()}
        if label == "area":
            texts = dict.fromkeys(texts, "How large is {s}?")
        if label == "date of birth":
            texts = dict.fromkeys(texts, f"On what day, month and year was {family['examples'][0]['s']} born, not {{s}}?")
        if label == "date of death":
            texts = dict.fromkeys(texts, "When did {s} pass away?")
        answers[number] = texts
    return json.dumps(answers)


Made = tuple[Path, str, dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Items in a model's words: the file, what the command said, and by id those in the rules' words and in the model's."""
    folder, said = tmp_path_factory.mktemp("made"), io.StringIO()
    plain, out = folder / "plain.jsonl", folder / "items.jsonl"

    def call(*args: object) -> None:
        with pytest.raises(SystemExit) as stop, contextlib.redirect_stderr(said):
            cli.run(factbench.app, "python -m generators.factbench", ["--n", "600", *map(str, args)])
        assert not stop.value.code, said.getvalue()

    call("--out", plain)
    with model_server(Script(answer=worded)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", KEY)
        call("--out", out, "--writer", server.spec(), "--tries", 1)
    before, after = ({item["id"]: item for item in read_lines(path)} for path in (plain, out))
    return out, said.getvalue(), before, after


def test_a_text_that_holds_takes_the_place_of_the_rules(made: Made) -> None:
    _, said, before, after = made
    heights = [item for item in after.values() if item["family"] == "P2048" and "How high does" in item["question"]]
    assert heights
    for item in heights:
        assert item["question"].startswith("How high does ")
        assert item["question"].endswith(", in metres?")
        assert item["source"]["writer"].startswith("http")
        assert item["answer"] == before[item["id"]]["answer"]
    assert {item["source"].get("writer") for item in after.values() if item not in heights} == {None}
    assert "texts in" in said


def test_no_answer_no_other_name_and_the_unit_and_the_parts_of_the_date_stay(made: Made) -> None:
    _, said, before, after = made
    for property_ in ("P2046", "P569", "P570"):
        ids = [name for name, item in before.items() if item["family"] == property_]
        assert ids, property_
        assert [after[name]["question"] for name in ids] == [before[name]["question"] for name in ids]
    assert "a placeholder does not stand in it as it was given" in said  # {unit}
    assert "it leaves out what has to stay" in said  # month and year
    assert "it denies more or less than the text that was given" in said


def test_the_recording_makes_the_same_items_without_a_network(
    made: Made, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, _, _, after = made
    recording = out.with_name("items.writer.jsonl")
    again, thrice = tmp_path / "again.jsonl", tmp_path / "thrice.jsonl"
    for path in (again, thrice):
        assert run(capfd, "--n", 600, "--out", path, "--writer", f"replay:{recording}", "--tries", 1).code == 0
    assert again.read_bytes() == thrice.read_bytes()
    assert [item["question"] for item in read_lines(again)] == [item["question"] for item in after.values()]


def test_three_wordings_stay_three(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Who words all three alike has one of them used."""

    def alike(asked: Asked) -> str:
        same = "In which country does {s} stand?"
        return json.dumps({
            number: {variant: same if family["about"]["asks for"] == "country" else text
                     for variant, text in family["texts"].items()}
            for number, family in families(asked).items()
        })  # fmt: skip

    out = tmp_path / "items.jsonl"
    with model_server(Script(answer=alike)) as server:
        assert run(capfd, "--n", 900, "--out", out, "--writer", server.spec(), "--tries", 1).code == 0
    subjects = [item for item in read_lines(out) if item["family"] == "P17"]
    new = [item for item in subjects if item["question"].startswith("In which country does ")]
    assert 0 < len(new) < len(subjects)
    assert {item["source"]["writer"] is None for item in subjects if item not in new} == {True}


def test_a_model_that_says_nothing_leaves_the_rules_words(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plain, out = tmp_path / "plain.jsonl", tmp_path / "items.jsonl"
    run(capfd, "--n", 60, "--out", plain)
    with model_server(Script(answer=lambda asked: "I would rather not.")) as server:
        done = run(capfd, "--n", 60, "--out", out, "--writer", server.spec())
    assert done.code == 0
    assert [item["question"] for item in read_lines(out)] == [item["question"] for item in read_lines(plain)]
    assert "the answer is no JSON" in done.stderr


def test_a_writer_that_is_no_model_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = run(capfd, "--n", 5, "--out", tmp_path / "items.jsonl", "--writer", "nobody")
    assert done.code == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "items.jsonl").exists()
