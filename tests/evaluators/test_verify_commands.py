"""The judges on the command line: explained, with a graph, by a paper's rules, streamed from files and pipes."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluators import judge_answers, verdicts
from evaluators.verify import judge_text
from evaluators.verify.explain import marked
from evaluators.verify.question import Given, Question, accepted
from evaluators.verify.reading.labels import Labels
from evaluators.verify.reading.text import Text
from evaluators.verify.stream import wrong_entities
from fpq_made import Command, read_lines, write_lines
from kg import build_store, open_graph
from kg.starter import load_starter
from queries.records import io, read
from queries.records.verdict import Verdict


def item(name: str, **more: Any) -> dict[str, Any]:
    return {
        "schema": "kgprobe.item/1", "id": name, "method": "family", "family": "made", "task": "open", "variant": "basic",
        "question": "Where did Albert Einstein die?", "answer": ["Princeton"], "group": "g",
    } | more  # fmt: skip


def response(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"schema": "kgprobe.response/1", "item": name, "model": "m", "sample": 0, "text": text} | more


FILM = item(
    "film", task="yes_no", question="Did Ridley Scott direct a film of 1979?", answer=["yes"],
    given=[{"slot": "director", "value": "Ridley Scott"}], rationale=[{"slot": "title", "value": "Alien"}],
)  # fmt: skip

_MANY = 6 * io._BLOCK // len(json.dumps(response("place", "Ulm")))
"""So many answers are several blocks of a file, for several processes."""


@pytest.fixture
def files(tmp_path: Path) -> list[str | Path]:
    """Two items and three answers."""
    lines = [
        response("place", "In Paris."), response("film", "No: Ridley Scott did not direct Alien."),
        response("film", "Yes. He made Jaws.", sample=1),
    ]  # fmt: skip
    return [
        "--items", write_lines(tmp_path / "items.jsonl", [item("place"), FILM]),
        "--responses", write_lines(tmp_path / "responses.jsonl", lines),
    ]  # fmt: skip


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the starter graph."""
    path = tmp_path_factory.mktemp("stores") / "starter"
    build_store(path, load_starter())
    return path


def test_an_answer_is_explained_with_what_decided_marked(command: Command, files: list[str | Path]) -> None:
    done = command("verify", *files, "--explain", "film")
    assert re.sub(", (?:high|low) confidence", "", done.stdout).splitlines() == [
        "question   Did Ridley Scott direct a film of 1979?",
        "expected   yes",
        "rationale  title: Alien",
        "",
        "m, sample 0",
        "⟦No⟧: ⟦Ridley Scott did not direct Alien⟧.",
        "verdict    incorrect: wrong (another answer than the accepted one)",
        "hop        title = Alien: not right",
        "denied     director",
        "",
        "m, sample 1",
        "⟦Yes⟧. He made Jaws.",
        "verdict    correct: exact (the accepted answer, word for word)",
        "hop        title = Alien: not right",
    ]


def test_what_is_no_part_of_an_answer_is_explained(command: Command, tmp_path: Path) -> None:
    text = "<think>Rome?</think>**Ulm.** Wait, no: it was Princeton. Hope this helps!"
    items = write_lines(tmp_path / "items.jsonl", [item("place")])
    responses = write_lines(tmp_path / "responses.jsonl", [response("place", text)])
    shown = command("verify", "--items", items, "--responses", responses, "--explain", "place").stdout
    assert "left out   thought (a thought is no answer): <think>Rome?</think>\n" in shown
    assert "left out   closing (a courtesy says nothing): Hope this helps!\n" in shown
    assert "left out   markup (signs that only set or wrap the text)\ntaken back Ulm. Wait,\n" in shown
    assert "verdict    correct: exact (the accepted answer, word for word), " in shown


def test_an_answer_that_ran_out_of_tokens_before_it_said_anything_is_truncated(command: Command, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [item("place")])
    said = [response("place", "", finish="length"), response("place", "Princeton.", sample=1, finish="length")]
    responses = write_lines(tmp_path / "responses.jsonl", said)
    shown = command("verify", "--items", items, "--responses", responses, "--explain", "place").stdout
    assert "verdict    unscored: truncated" in shown
    assert "verdict    correct: exact" in shown


def test_an_explanation_cannot_steer_the_terminal(command: Command, tmp_path: Path) -> None:
    made = write_lines(tmp_path / "items.jsonl", [item("place", question="Where?\x1b[31m")])
    said = write_lines(
        tmp_path / "responses.jsonl", [response("place", "In \x1b]0;x\x07Princeton.\u202e\nYes.", model="m\x1b[2J")]
    )
    shown = command("verify", "--items", made, "--responses", said, "--explain", "place").stdout
    assert "question   Where?␛[31m\n" in shown
    assert "m␛[2J, sample 0\nIn ␛]0;x␇⟦Princeton⟧.\ufffd\nYes.\n" in shown


@pytest.mark.parametrize("option", ["--items", "--responses"])
def test_what_is_read_is_not_written(option: str, command: Command, files: list[str | Path]) -> None:
    path = Path(files[files.index(option) + 1])
    before = path.read_bytes()
    done = command("verify", *files, "--out", path)
    assert done.code == 2
    assert done.stderr == f"error: --out: '{path}' is what is read; name another file\n"
    assert path.read_bytes() == before


@pytest.mark.parametrize(("task", "said"), [("yes_no", "Yes."), ("premise", "Yes."), ("choice", "2"), ("open", "Ulm")])
def test_where_an_item_accepts_nothing_no_answer_is_right(task: str, said: str) -> None:
    assert judge_text(said, Question("Is it?", task, accepted(task, []), ("Bonn", "Ulm"))).outcome == "incorrect"


def test_an_answer_of_a_million_digits_is_no_number() -> None:
    asked = Question("How long is it?", "open", ("12",), (), "number")
    assert judge_text("1" * 1_100_000, asked).outcome == "incorrect"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--explain", "flim"], "items.jsonl: item 'flim' is not there; did you mean 'film'?"),
        ([], "what to do is not clear; give --out FILE or --explain ITEM"),
        (["--out", "-", "--explain", "film"], "what to do is not clear"),
        (["--out", "-", "--named", "n.jsonl"], "--named needs the names of a graph; add --store DIR"),
        (["--out", "-", "--as-published", "erbnch"], "'erbnch' is no paper with rules of its own; did you mean 'erbench'?"),
        (["--out", "-", "--store", "nowhere"], "nowhere"),
        (["--explain", "film", "--vote"], "--explain writes no file; leave out --vote, --named and --judge"),
        (["--out", "-", "--named", "-", "--store", "nowhere"], "--named: '-' is what --out writes too; name another file"),
    ],
)
def test_what_cannot_be_done_is_told(args: list[str], told: str, command: Command, files: list[str | Path]) -> None:
    done = command("verify", *files, *args)
    assert (done.code, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_item_without_an_answer_cannot_be_explained(command: Command, files: list[str | Path], tmp_path: Path) -> None:
    write_lines(tmp_path / "items.jsonl", [item("place"), FILM, item("unasked")])
    assert "item 'unasked' has no answer" in command("verify", *files, "--explain", "unasked").stderr


def test_wrong_entities_are_named_with_their_hops(
    command: Command, files: list[str | Path], store: Path, tmp_path: Path
) -> None:
    out, named = tmp_path / "v.jsonl", tmp_path / "named.jsonl"
    assert command("verify", *files, "--store", store, "--named", named, "--out", out).code == 0
    place, *_ = read(out, Verdict)
    assert (place.outcome, place.reason, place.answer, place.spans) == ("incorrect", "wrong", "Paris", [(3, 8)])
    told = read_lines(named)
    assert [(line["item"], line["sample"], line["slot"], line["right"], line["label"]) for line in told] == [
        ("place", 0, "answer", "Princeton", "Paris"),
        ("film", 1, "title", "Alien", "Jaws"),
    ]
    assert all(line["hops"] is None or line["hops"] > 0 for line in told)
    shown = command("verify", *files, "--store", store, "--explain", "place").stdout
    assert f"named      Paris for the answer, {told[0]['hops']} hops from Princeton" in shown


def test_all_names_are_found_by_one_automaton() -> None:
    labels = Labels.of(open_graph())
    found = [(first, last) for first, last, _ in labels.names_in(Text("Stephen King liked Jaws, not Jurassic Park."))]
    assert found == [(0, 2), (3, 4), (5, 7)]
    asked = Question("Which film?", "open", ("Alien",), given=(Given("director", "Stephen King"),))
    named = labels.measured(wrong_entities(labels, "Stephen King liked Jaws.", asked))
    assert [(n.label, n.right, n.span) for n in named] == [("Jaws", "Alien", (19, 23))]
    assert wrong_entities(labels, "they saw jaws and teeth", asked) == []
    assert wrong_entities(labels, "…", asked) == []


def test_a_papers_rules_judge_yes_no_questions_only(command: Command, files: list[str | Path], tmp_path: Path) -> None:
    out = tmp_path / "v.jsonl"
    done = command("verify", *files, "--as-published", "erbench", "--out", out)
    assert done.stderr.splitlines()[0] == "left out: 1 answer to items of task open, which these rules do not judge"
    assert [(v.outcome, v.rationale) for v in read(out, Verdict)] == [("incorrect", [True]), ("correct", [False])]


def test_many_answers_are_judged_in_the_order_of_the_file(command: Command, files: list[str | Path], tmp_path: Path) -> None:
    count = _MANY + 17
    lines = [response("place", f"Princeton, {n}" if n % 3 else "Ulm", sample=n) for n in range(count)]
    zipped = tmp_path / "many.jsonl.gz"
    zipped.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    out = tmp_path / "v.jsonl"
    assert command("verify", *files[:2], "--responses", zipped, "--out", out).code == 0
    verdicts = read(out, Verdict)
    assert [v.sample for v in verdicts] == list(range(count))
    assert [v.outcome for v in verdicts] == ["correct" if n % 3 else "incorrect" for n in range(count)]


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (response("place", "x"), 'item "place", model "m", sample 0 stands already in line 1'),
        (response("nowhere", "x"), "item 'nowhere' is not in"),
        ("{", "not JSON"),
    ],
)
def test_a_fault_far_down_writes_nothing(
    last: Any, told: str, command: Command, files: list[str | Path], tmp_path: Path
) -> None:
    lines = [response("place", "Ulm", sample=n) for n in range(_MANY)]
    answers, out = write_lines(tmp_path / "many.jsonl", [*lines, last]), tmp_path / "v.jsonl"
    done = command("verify", *files[:2], "--responses", answers, "--out", out)
    assert done.code == 2
    assert f"many.jsonl:{_MANY + 1}: " in done.stderr
    assert told in done.stderr
    assert not out.exists()


def test_damaged_gzip_is_told(command: Command, files: list[str | Path], tmp_path: Path) -> None:
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(json.dumps(response("place", "Ulm" * 99)).encode())[:60])
    assert "cut.gz: damaged gzip" in command("verify", *files[:2], "--responses", cut, "--out", "-").stderr


def test_a_pipe_is_read(files: list[str | Path], tmp_path: Path) -> None:
    args = [sys.executable, "-m", "evaluators.verify", *files[:2], "--responses", "-", "--out", "-", "--quiet"]
    done = subprocess.run([str(arg) for arg in args], input=Path(files[3]).read_bytes(), capture_output=True, check=True)
    assert [json.loads(line)["item"] for line in done.stdout.splitlines()] == ["place", "film", "film"]


def test_the_frame_says_what_the_command_says(command: Command, files: list[str | Path], tmp_path: Path) -> None:
    out = tmp_path / "v.jsonl"
    command("verify", *files, "--out", out)
    frame = judge_answers(str(files[1]), str(files[3]))
    written = read(out, Verdict)
    assert list(verdicts(str(files[1]), str(files[3]))) == written
    lines = [json.loads(verdict.line()) for verdict in written]
    plain = [{name: value for name, value in line.items() if name != "schema"} for line in lines]
    assert frame.to_dicts() == [{"evidence": None} | line for line in plain]  # nothing was looked up


def test_spans_point_into_the_text_as_it_was_written() -> None:
    text = "It  was   in “Princeton”."
    ruling = judge_text(text, Question("Where?", "open", ("Princeton",)))
    assert [text[start:end] for start, end in ruling.spans] == ["Princeton"]
    assert marked("ab", ((0, 1), (1, 2))) == "⟦a⟧⟦b⟧"
