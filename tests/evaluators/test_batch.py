"""Batches of both providers: submitted once, collected once, whatever kills the process in between."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import time
from pathlib import Path

import pytest

from forked import Forks
from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import Running


@pytest.fixture(params=["openai", "anthropic"])
def spec(request: pytest.FixtureRequest, server: Running) -> str:
    """The same server in both protocols."""
    return server.spec() if request.param == "openai" else "anthropic:stub"


@pytest.fixture
def forty(tmp_path: Path) -> Path:
    """Forty questions."""
    return write_lines(tmp_path / "items.jsonl", [fpq_item(n, "tpq") | {"question": f"Is it number {n}?"} for n in range(40)])


def args(items: Path, spec: str, *flags: object) -> list[str]:
    out = items.parent / "out.jsonl"
    return [str(arg) for arg in (items, "--model", spec, "--out", out, "--no-cache", "--batch", "--poll", 0.02, *flags)]


def texts(out: Path) -> dict[str, str]:
    return {line["item"]: line["text"] for line in read_lines(out)}


def test_a_batch_is_submitted_and_collected_at_half_the_price(
    spec: str, command: Command, server: Running, forty: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(f'[[price]]\nmodel = "{spec}"\ninput = 0\noutput = 1000\n')
    out = tmp_path / "out.jsonl"
    done = command("ask", *args(forty, spec, "--prices", prices, "--max-tokens", 100))
    assert done.code == 0, done.stderr
    assert "batch batch_0 of 40 requests" in done.stderr
    assert "about $2.00" in done.stderr  # 40 answers of 100 tokens at a tenth of a cent each, halved
    lines = read_lines(out)
    assert len(lines) == 40
    assert {line["usage"]["usd"] for line in lines} == {0.0025}
    assert {line["served"] for line in lines} == {"stub-2026-01-31"}
    assert not (tmp_path / "out.jsonl.batches").exists()
    plain = tmp_path / "plain.jsonl"
    assert command("ask", forty, "--model", spec, "--out", plain, "--no-cache", "--max-tokens", 100).code == 0
    assert texts(plain) == texts(out)
    assert command("ask", *args(forty, spec, "--max-tokens", 100)).code == 0
    assert len(server.script.batches) == 1


def test_a_parameter_that_is_refused_is_left_out_and_the_rest_sent_again(
    spec: str, command: Command, server: Running, forty: Path
) -> None:
    server.script.refuses = {"temperature": "Unsupported value: 'temperature' is not supported with this model."}
    done = command("ask", *args(forty, spec, "--temperature", 0))
    assert done.code == 0, done.stderr
    assert len(server.script.batches) == 2
    assert {line["decoding"]["temperature"] for line in read_lines(forty.parent / "out.jsonl")} == {None}


def test_what_expired_is_submitted_again_by_the_next_run(spec: str, command: Command, server: Running, forty: Path) -> None:
    server.script.faults = {"number 7?": ["expired"]}
    assert command("ask", *args(forty, spec)).code == 1
    server.script.faults = {}
    assert command("ask", *args(forty, spec)).code == 0
    assert [len(batch["requests"]) for batch in server.script.batches] == [40, 1]
    assert [line["error"] for line in read_lines(forty.parent / "out.jsonl")] == [None] * 40


def test_a_submission_whose_answer_was_lost_is_found_again(spec: str, command: Command, server: Running, forty: Path) -> None:
    server.script.loses = 1
    assert command("ask", *args(forty, spec)).code == 0
    assert len(server.script.batches) == 1
    assert len(read_lines(forty.parent / "out.jsonl")) == 40


def test_what_is_under_way_is_not_asked_one_by_one(
    spec: str, command: Command, server: Running, forty: Path, tmp_path: Path
) -> None:
    asked = [[line["id"], 0, 0] for line in read_lines(forty)]
    entry = {"mark": "0123456789abcdef", "model": spec, "time": time.time(), "left_out": [], "requests": asked}
    (tmp_path / "out.jsonl.batches").write_text(json.dumps(entry) + "\n")
    done = command("ask", forty, "--model", spec, "--out", tmp_path / "out.jsonl")
    assert (done.code, "40 requests are under way in 1 batches; collect them first" in done.stderr) == (2, True)
    assert not server.script.asked


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--budget", 1, "--max-tokens", 10], "the price of"),
        (["--setting", "fpq"], "is under way in other words"),
        (["--limit", 3], "is under way in a batch and not among those asked now"),
    ],
)
def test_what_does_not_fit_a_batch_is_told(
    flags: list[object], told: str, command: Command, server: Running, forty: Path
) -> None:
    server.script.looks, out = 10**9, forty.parent / "out.jsonl"
    pending = out.with_name("out.jsonl.batches")
    asked = [[line["id"], 0, 1] for line in read_lines(forty)]
    entry = {"mark": "0123456789abcdef", "model": server.spec(), "time": time.time(), "left_out": [], "requests": asked}
    pending.write_text(json.dumps(entry) + "\n" + json.dumps({"mark": entry["mark"], "id": "batch_0"}) + "\n")
    if "--limit" in flags:
        pending.write_text(pending.read_text().replace(", 0, 1]", ", 5, 1]"))
    done = command("ask", *args(forty, server.spec(), *flags))
    assert (done.code, told in done.stderr) == (2, True), done.stderr


def test_a_model_without_batches_and_a_file_that_is_none(command: Command, server: Running, forty: Path) -> None:
    answers = write_lines(forty.parent / "a.jsonl", [{"item": "a", "text": "Yes."}])
    done = command("ask", *args(forty, f"replay:{answers}"))
    assert (done.code, "takes no batches" in done.stderr) == (2, True)
    (forty.parent / "out.jsonl.batches").write_text('{"no": "batch"}\n')
    done = command("ask", *args(forty, server.spec()))
    assert (done.code, "line 1 is no batch of ours" in done.stderr) == (2, True)


@pytest.mark.parametrize("says", ['{"object": "chat.completion", "choices": []}', '{"data": [{"id": 1}]}', "[]", "<html>"])
def test_a_server_that_knows_nothing_of_batches_is_told_in_one_line(
    spec: str, says: str, command: Command, server: Running, forty: Path
) -> None:
    server.script.says = says
    for _ in range(2):  # the second run looks for what the first may have submitted
        done = command("ask", *args(forty, spec, "--quiet"))
        assert done.code == 2, done.stderr
        assert "does it take batches?" in done.stderr
        assert "Traceback" not in done.stderr


def killed(forks: Forks, command: list[str], seconds: float) -> bool:
    """Start a command and kill it after a while; tell whether it was still running."""
    number = forks.start(command)
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):  # it may have ended by itself
        os.kill(number, signal.SIGKILL)
    ended: int = forks.said()
    return ended == -signal.SIGKILL


@pytest.mark.slow
def test_killed_at_twenty_points_nothing_is_submitted_or_paid_twice(
    spec: str, forks: Forks, server: Running, forty: Path, tmp_path: Path
) -> None:
    """Each kill at another moment of a run; whatever was submitted is found and collected by the next."""
    chance, kills, rounds = random.Random(3), 0, 1
    server.script.looks = 8
    while kills < 20:
        out = tmp_path / f"out{rounds}.jsonl"
        kills += killed(forks, [*args(forty, spec), "--out", str(out)], chance.uniform(0.01, 0.3))
        rounds += answers(out) == 40 and not out.with_name(f"{out.name}.batches").exists()
    out = tmp_path / f"out{rounds}.jsonl"
    forks.start([*args(forty, spec), "--out", str(out)])
    assert forks.said() == 0
    assert {answers(tmp_path / f"out{n + 1}.jsonl") for n in range(rounds)} == {40}
    assert set(server.script.asked.values()) == {rounds}
    assert len(server.script.batches) == rounds


def answers(path: Path) -> int:
    """How many whole lines a file has."""
    return path.read_bytes().count(b"\n") if path.exists() else 0
