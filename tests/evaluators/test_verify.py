"""Judging: responses and items in, verdicts out; what cannot be judged is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaluators.verify import JUDGES
from fpq_made import Command, fpq_item, read_lines, write_lines
from queries.records import read
from queries.records.item import TASKS
from queries.records.verdict import Verdict
from shared import shared


def response(item: str, text: str | None, **more: Any) -> dict[str, Any]:
    error = {"kind": "timeout", "status": None, "message": ""} if text is None else None
    return {
        "schema": "kgprobe.response/1", "item": item, "model": "m", "sample": 0, "text": text, "error": error,
    } | more  # fmt: skip


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Two yes-no questions and one of each other form."""
    made = [fpq_item(0, "tpq"), fpq_item(0, "NSC"), fpq_item(0, "NSC", "premise")]
    return write_lines(tmp_path / "items.jsonl", [*made, made[0] | {"id": "probe", "task": "probe"}])


def test_verdicts_stand_in_the_order_of_the_responses(command: Command, items: Path, tmp_path: Path) -> None:
    tpq, nsc, premise, probe = (item["id"] for item in read_lines(items))
    lines = [
        response(probe, "Yes."), response(nsc, "Yes."), response(premise, "It is in every way."), response(tpq, None),
        response(nsc, "He did not, so no.", sample=1), response(nsc, "Unsure", model="n"),
    ]  # fmt: skip
    answers = write_lines(tmp_path / "responses.jsonl", lines)
    done = command("verify", "--items", items, "--responses", answers, "--out", tmp_path / "verdicts.jsonl")
    assert done.code == 0
    verdicts = read(tmp_path / "verdicts.jsonl", Verdict)
    assert [(v.item, v.model, v.sample, v.outcome, v.reason, v.answer, v.spans) for v in verdicts] == [
        (probe, "m", 0, "correct", "exact", "yes", [(0, 3)]),
        (nsc, "m", 0, "incorrect", "wrong", "yes", [(0, 3)]),
        (premise, "m", 0, "incorrect", "misled", "accept", [(0, 18)]),
        (tpq, "m", 0, "unscored", "api_error", None, []),
        (nsc, "m", 1, "correct", "exact", "no", [(15, 17)]),
        (nsc, "n", 0, "abstained", "unsure", None, [(0, 6)]),
    ]
    assert {(v.judge, tuple(v.rationale), tuple(v.contradicted)) for v in verdicts} == {(None, (), ())}


def test_what_is_left_out_is_told_in_one_line(command: Command, items: Path, tmp_path: Path) -> None:
    """Items made from another answer have that for their truth, and no judge here."""
    made = read_lines(items)
    write_lines(items, [*made, made[0] | {"id": "again", "answer": None, "parent": {"item": made[0]["id"]}}])
    answers = write_lines(tmp_path / "r.jsonl", [response(item["id"], "Yes.") for item in read_lines(items)])
    out = tmp_path / "v.jsonl"
    done = command("verify", "--items", items, "--responses", answers, "--out", out)
    assert done.stderr.splitlines()[:2] == [
        "left out: 1 answer to items whose truth is another answer",
        f"4 verdicts to {out}: 2 correct, 2 incorrect, 0 abstained, 0 unscored",
    ]
    done = command("verify", "--items", items, "--responses", answers, "--out", out, "--quiet")
    assert done.stderr.startswith("left out: 1 answer")


@pytest.mark.parametrize(
    ("items_change", "lines", "told"),
    [
        (None, [response("unknown", "x"), response("other", "x")], "r.jsonl:1: item 'unknown' is not in"),
        (None, [], "r.jsonl: holds no response"),
        (None, ["{"], "r.jsonl:1: not JSON"),
        (None, [response("probe", "x"), response("probe", "y")], 'r.jsonl:2: item "probe", model "m", sample 0 stands'),
        (None, [response("probe", "x", txt="")], "r.jsonl:1: field 'txt' is unknown; did you mean 'text'?"),
        ({"answer": None, "parent": {"item": "y"}}, [response("x0", "x")], "no answer to judge: 1 answer to items whose"),
        ({"id": "a b"}, [response("x0", "x")], "items.jsonl:1: field 'id' is \"a b\""),
    ],
)
def test_bad_input_is_told_and_nothing_written(
    items_change: dict[str, Any] | None, lines: list[Any], told: str, command: Command, items: Path, tmp_path: Path
) -> None:
    if items_change:
        write_lines(items, [fpq_item(0, "tpq") | {"id": "x0"} | items_change])
    answers = write_lines(tmp_path / "r.jsonl", lines)
    done = command("verify", "--items", items, "--responses", answers, "--out", tmp_path / "v.jsonl")
    assert (done.code, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["items.jsonl", "r.jsonl"]


def test_a_missing_file_is_told(command: Command, items: Path, tmp_path: Path) -> None:
    done = command("verify", "--items", items, "--responses", tmp_path / "absent", "--out", tmp_path / "v.jsonl")
    assert (done.code, done.stderr) == (2, f"error: {tmp_path / 'absent'}: no such file; check the path\n")


def test_golden_responses_are_judged_as_the_golden_verdicts_say(command: Command, tmp_path: Path) -> None:
    golden, out = shared("examples"), tmp_path / "verdicts.jsonl"
    command("verify", "--items", golden / "items.jsonl", "--responses", golden / "responses.jsonl", "--out", out)
    wanted = {verdict.item: verdict for verdict in read(golden / "verdicts.jsonl", Verdict)}
    found = list(read(out, Verdict))
    assert {verdict.item: replace(verdict, confidence=None, text=None) for verdict in found} == wanted
    assert {verdict.confidence for verdict in found} <= {"high", "low"}


def test_every_judged_task_is_a_task() -> None:
    assert set(JUDGES) == set(TASKS)


def test_the_module_runs(tmp_path: Path, items: Path) -> None:
    answers = write_lines(tmp_path / "r.jsonl", [response("probe", "Yes.")])
    args: list[str | Path] = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "evaluators.verify",
        "--items",
        items,
        "--responses",
        answers,
        "--out",
    ]
    done = subprocess.run([*args, "-"], capture_output=True, check=True, cwd=tmp_path)
    assert b'"outcome":"correct"' in done.stdout
