"""Asking: every item is answered once, and what was answered is never lost."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators import AskOptions, ask_items, open_setting, prompt_hash
from evaluators.models import Decoding, Message, Reply, Request
from evaluators.models.runs.run import ask_all
from fpq_made import Command, fpq_item, read_lines, write_lines
from kg.errors import InputError
from queries.records import read
from queries.records.response import Response
from scripted_model import Scripted

TEXTS = ["Yes.", "No.", "Is it?\r\n\u2028\u0085\t“no”", ""]


@pytest.fixture
def recorded(tmp_path: Path, benchmark: list[dict[str, Any]]) -> Path:
    """Answers to all questions but the last one."""
    lines = [{"item": item["id"], "text": TEXTS[n % 4]} for n, item in enumerate(benchmark[:-1])]
    return write_lines(tmp_path / "answers.jsonl", lines)


def test_recorded_answers_become_responses(command: Command, items: Path, recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    done = command("ask", items, "--model", f"replay:{recorded}", "--setting", "zero-shot", "--out", out)
    assert (done.code, done.stdout) == (0, "")
    assert done.stderr == f"replay:answers: 139 answers (34 empty), 1 ended in an error (1 not_recorded) to {out}\n"
    responses = read(out, Response)
    assert [response.item for response in responses] == [item["id"] for item in read_lines(items)]
    assert [response.text for response in responses[:4]] == TEXTS
    assert {response.model for response in responses} == {"replay:answers"}


def test_what_was_not_recorded_is_an_error_in_the_record(command: Command, items: Path, recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    command("ask", items, "--model", f"replay:{recorded}", "--out", out)
    last = read_lines(out)[-1]
    assert last["text"] is None
    assert last["error"] == {
        "kind": "not_recorded", "status": None, "message": "replay:answers has no answer of sample 0",
    }  # fmt: skip


def test_the_prompt_is_hashed(command: Command, items: Path, recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    command("ask", items, "--model", f"replay:{recorded}", "--out", out, "--limit", 1, "--temperature", 0.5)
    sent = open_setting("zero-shot").messages(read_lines(items)[0] | {"options": None, "context": None})
    assert [line["prompt"] for line in read_lines(out)] == [prompt_hash(sent, Decoding(temperature=0.5))]


class Parrot:
    """A model that counts what it is asked, and breaks down after so many questions."""

    name = "parrot"

    def __init__(self, patience: int) -> None:
        self.patience, self.asked = patience, list[tuple[str, int]]()

    async def ask(self, request: Request) -> Reply:
        if len(self.asked) == self.patience:
            raise KeyboardInterrupt
        self.asked.append((request.item, request.sample))
        return Reply(text=f"no {request.sample}")

    async def aclose(self) -> None:
        pass


WANTED = [Request(f"item{n}", sample, (Message("user", "Is it?"),)) for n in range(5) for sample in range(2)]


@settings(deadline=None)
@given(st.integers(0, 9), st.integers(0, 60), st.booleans())
def test_a_killed_run_is_continued_and_nothing_is_asked_twice(
    tmp_path_factory: pytest.TempPathFactory, patience: int, lost: int, break_kept: bool
) -> None:
    out = tmp_path_factory.mktemp("run") / "responses.jsonl"
    first, second = Parrot(patience), Parrot(99)
    with pytest.raises(KeyboardInterrupt):
        ask_all(first, WANTED, str(out))
    data = out.read_bytes() if out.exists() else b""
    cut = data[: len(data) - lost] if data else data
    out.write_bytes(cut if break_kept else cut.removesuffix(b"\n"))
    whole = sum(is_json(line) for line in out.read_bytes().split(b"\n"))
    tally = ask_all(second, WANTED, str(out))
    assert (tally.already, tally.answered) == (whole, 10 - whole)
    assert [(r.item, r.sample) for r in read(out, Response)] == [(r.item, r.sample) for r in WANTED]
    again = out.read_bytes()
    assert ask_all(Parrot(0), WANTED, str(out)).already == 10
    assert out.read_bytes() == again


def is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def test_an_answer_is_on_disk_before_the_next_question(tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    seen: list[int] = []
    ask_all(Parrot(99), WANTED, str(out), lambda: seen.append(len(read_lines(out))))
    assert seen == list(range(1, 11))


def test_models_share_a_file(tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    other = Parrot(99)
    other.name = "cockatoo"
    ask_all(Parrot(99), WANTED, str(out))
    assert ask_all(other, WANTED, str(out)).answered == 10
    assert len(read(out, Response)) == 20


def test_other_words_are_not_mixed_in(command: Command, items: Path, recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    command("ask", items, "--model", f"replay:{recorded}", "--out", out)
    before = out.read_bytes()
    write_lines(items, [item | {"question": "Is it?"} for item in read_lines(items)])
    done = command("ask", items, "--model", f"replay:{recorded}", "--out", out)
    assert done.code == 2
    assert "was asked in other words before" in done.stderr
    assert out.read_bytes() == before


def test_answers_to_another_file_of_items_are_not_mixed_in(
    command: Command, items: Path, recorded: Path, tmp_path: Path
) -> None:
    """Items that are left out by a limit are in the file all the same."""
    out, other = tmp_path / "responses.jsonl", tmp_path / "other.jsonl"
    command("ask", items, "--model", f"replay:{recorded}", "--out", out)
    before = out.read_bytes()
    write_lines(other, read_lines(items)[1:])
    done = command("ask", other, "--model", f"replay:{recorded}", "--as", "another", "--out", out)
    assert (done.code, done.stderr.count("\n")) == (2, 1)
    assert f"error: {out}:1: answers item '{read_lines(items)[0]['id']}', which is not in {other}" in done.stderr
    assert "choose another --out" in done.stderr
    assert out.read_bytes() == before
    assert command("ask", items, "--model", f"replay:{recorded}", "--as", "another", "--limit", 3, "--out", out).code == 0


def test_samples_are_replayed_by_their_number(command: Command, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(0, "tpq"), fpq_item(1, "tpq")])
    one, two = (item["id"] for item in read_lines(items))
    lines = [{"item": one, "sample": 0, "text": "Yes."}, {"item": one, "sample": 1, "text": "No."}]
    answers = write_lines(tmp_path / "a.jsonl", [*lines, {"item": two, "text": "Always."}])
    done = command("ask", items, "--model", f"replay:{answers}", "--out", "-", "--samples", 3)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["text"] for line in found] == ["Yes.", "No.", None, "Always.", "Always.", "Always."]
    assert [line["sample"] for line in found] == [0, 1, 2, 0, 1, 2]


def test_response_records_are_replayed_with_what_was_recorded(command: Command, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(0, "tpq"), fpq_item(1, "tpq")])
    one, two = (item["id"] for item in read_lines(items))
    record = {"schema": "kgprobe.response/1", "model": "openai:some-model", "sample": 0, "time": "2026-11-21T20:00:00Z"}
    usage = {"input": 61, "output": 24, "cached": 0, "usd": 0.5}
    answer = {"item": one, "text": "Yes.", "finish": "stop", "usage": usage, "seconds": 0.8}
    failure = {"item": two, "text": None, "error": {"kind": "rate_limit", "status": 429, "message": "slow down"}}
    old = tmp_path / "old.jsonl.gz"
    old.write_bytes(gzip.compress("\n".join(json.dumps(record | line) for line in (answer, failure)).encode()))
    command("ask", items, "--model", f"replay:{old}", "--out", tmp_path / "new.jsonl")
    new = read_lines(tmp_path / "new.jsonl")
    for was, now in zip((record | answer, record | failure), new, strict=True):
        assert now | was == now | {"model": "openai:some-model"}
        assert now["model"] == "replay:old"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], "holds no recorded answer"),
        (["not JSON"], ":1: not JSON"),
        ([{"item": "a", "text": "x"}, {"item": "a", "text": "y"}], ":2: item 'a' is answered already in line 1"),
        ([{"item": "a"}], ":1: field 'text' is missing"),
        ([{"item": "a", "txt": "x"}], ":1: field 'text' is missing"),
        ([{"item": "a", "text": None}], ":1: field 'text' is null, not a string"),
        ([{"schema": "kgprobe.response/9", "item": "a"}], ":1: field 'schema' is \"kgprobe.response/9\""),
        (["[1]"], ":1: is [1], not an object"),
    ],
)
def test_a_damaged_recording_is_told(
    lines: list[dict[str, Any] | str], told: str, command: Command, items: Path, tmp_path: Path
) -> None:
    answers = write_lines(tmp_path / "answers.jsonl", lines)
    refused(command, tmp_path, [items, "--model", f"replay:{answers}"], told)


def refused(command: Command, tmp_path: Path, args: list[object], told: str) -> None:
    """The command says why in one line, and writes nothing."""
    out = tmp_path / "responses.jsonl"
    done = command("ask", *args, "--out", out)
    assert (done.code, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not out.exists()


def test_bad_input_is_told(command: Command, items: Path, recorded: Path, tmp_path: Path) -> None:
    replay = ["--model", f"replay:{recorded}"]
    empty = write_lines(tmp_path / "empty.jsonl", [])
    refused(command, tmp_path, [tmp_path / "absent.jsonl", *replay], "no such file")
    refused(command, tmp_path, [empty, *replay], "holds no item")
    refused(command, tmp_path, [recorded, *replay], ":1: field 'schema' is missing")
    refused(command, tmp_path, [items, "--model", "replay:absent.jsonl"], "absent.jsonl: no such file")
    refused(command, tmp_path, [items, "--model", "some-model"], "use anthropic:NAME, openai:NAME, http(s)://host/v1#NAME")
    refused(command, tmp_path, [items, *replay, "--setting", "zero-shots"], "did you mean 'zero-shot'?")
    refused(command, tmp_path, [items, *replay, "--limit", 0], "--limit")


def test_a_file_of_another_kind_is_left_alone(command: Command, items: Path, recorded: Path, tmp_path: Path) -> None:
    for name, content in [("notes.txt", "one\ntwo"), ("items2.jsonl", items.read_text()), ("page.json", "[\n  1\n]")]:
        (tmp_path / name).write_text(content)
        done = command("ask", items, "--model", f"replay:{recorded}", "--out", tmp_path / name)
        assert (done.code, len(done.stderr.splitlines())) == (2, 1)
        assert (tmp_path / name).read_text() == content
    for out in (tmp_path, tmp_path / "r.jsonl.gz", tmp_path / "absent" / "r.jsonl"):
        assert command("ask", items, "--model", f"replay:{recorded}", "--out", out).code == 2


def test_the_module_runs(tmp_path: Path, items: Path, recorded: Path) -> None:
    args: list[str | Path] = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "evaluators.ask",
        items,
        "--model",
        f"replay:{recorded}",
        "--out",
        "-",
    ]
    done = subprocess.run(args, capture_output=True, check=True, cwd=tmp_path)
    assert len(done.stdout.split(b"\n")) == 141


def test_a_notebook_s_own_model_is_asked_and_cached_only_where_it_says(
    items: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    options = AskOptions(str(items), out=str(tmp_path / "one.jsonl"), only=["task=yes_no"], quiet=True)
    model = Scripted(lambda request: "No.")
    assert ask_items(options, model).answered == len(read_lines(tmp_path / "one.jsonl")) == 70
    assert not (tmp_path / "home").exists()
    for name in ("two", "three"):
        named = replace(options, out=str(tmp_path / f"{name}.jsonl"), cache=str(tmp_path / "answers.sqlite"))
        tally = ask_items(named, model)
        assert tally.cached == (70 if name == "three" else 0)
    assert len(model.heard) == 140


def test_a_notebook_says_who_is_asked_and_where_answers_go(items: Path) -> None:
    with pytest.raises(InputError, match="--out is missing"):
        ask_items(AskOptions(str(items)), Scripted(lambda request: "No."))
    with pytest.raises(InputError, match="--model is missing"):
        ask_items(AskOptions(str(items), out="responses.jsonl"))
