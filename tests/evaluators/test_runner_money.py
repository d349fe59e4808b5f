"""Money and time: a budget that holds, an estimate from the first answers, an account filled again, a pace in tokens."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaluators.models import Message, Request, open_model, replies
from evaluators.models.faults import Patience
from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import Asked, Running, Script, model_server


def asked_about(folder: Path, count: int, words: int = 0) -> Path:
    """Items that ask for a number, in as many words more as are wanted."""
    padding = " word" * words
    lines = [fpq_item(n, "tpq") | {"question": f"Is it number {n}?{padding}"} for n in range(count)]
    return write_lines(folder / "items.jsonl", lines)


def priced(folder: Path, server: Running) -> Path:
    """Ten dollars for a million tokens out, one for a million in."""
    path = folder / "prices.toml"
    path.write_text(f'[[price]]\nmodel = "{server.spec()}"\ninput = 1\noutput = 10\n')
    return path


def spent(out: Path) -> float:
    return sum(float(line["usage"]["usd"]) for line in read_lines(out) if line["usage"])


def long_answers(asked: Asked) -> tuple[int, int]:
    """About eight thousand tokens, some more and some less."""
    return len(asked.text) // 4, random.Random(asked.text).randint(7000, 9000)


def short_answers(asked: Asked) -> tuple[int, int]:
    """Mostly short, now and then ten times as long."""
    chance = random.Random(asked.text)
    return len(asked.text) // 4, 4000 if chance.random() < 0.1 else chance.randint(200, 600)


@pytest.mark.parametrize("limit", [["--max-tokens", 16_000], []])
def test_half_a_dollar_at_sixty_four_at_a_time_with_long_answers(
    limit: list[object], command: Command, server: Running, tmp_path: Path
) -> None:
    server.script.tokens, server.script.delay = long_answers, 0.05
    out, items = tmp_path / "out.jsonl", asked_about(tmp_path, 200)
    flags = ["--prices", priced(tmp_path, server), "--budget", 0.5, "--concurrency", 64, *limit]
    done = command("ask", items, "--model", server.spec(), "--out", out, *flags)
    assert (done.code, "stopped by the budget" in done.stderr) == (1, True)
    assert 0.3 < spent(out) < 0.525
    before = len(read_lines(out))
    assert command("ask", items, "--model", server.spec(), "--out", out, *flags).code == 1
    assert len(read_lines(out)) - before <= 1
    assert spent(out) < 0.525


@pytest.mark.parametrize("limit", [["--max-tokens", 16_000], []])
def test_the_budget_is_used_and_holds_with_answers_of_any_length(
    limit: list[object], command: Command, server: Running, tmp_path: Path
) -> None:
    server.script.tokens, server.script.delay = short_answers, 0.02
    out, flags = tmp_path / "out.jsonl", ["--prices", priced(tmp_path, server), "--budget", 2, "--concurrency", 64, *limit]
    done = command("ask", asked_about(tmp_path, 600), "--model", server.spec(), "--out", out, *flags)
    assert (done.code, "stopped by the budget" in done.stderr) == (1, True)
    assert 1.9 < spent(out) < 2.1


def test_the_estimate_asks_a_few_first_and_says_so(command: Command, server: Running, tmp_path: Path) -> None:
    server.script.tokens = lambda asked: (100, 1000)
    out, flags = tmp_path / "out.jsonl", ["--prices", priced(tmp_path, server), "--concurrency", 32]
    done = command("ask", asked_about(tmp_path, 100), "--model", server.spec(), "--out", out, *flags)
    lines = done.stderr.splitlines()
    assert "(an estimate)" in lines[0]
    assert lines[1] == f"{server.spec()}: after the first 8 answers: about $1.01 for all 100"
    assert spent(out) == pytest.approx(1.01)


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_an_account_that_runs_empty_and_is_filled_again(
    protocol: str, command: Command, server: Running, tmp_path: Path
) -> None:
    spec, out = server.spec() if protocol == "openai" else "anthropic:stub", tmp_path / "out.jsonl"
    items = asked_about(tmp_path, 60)
    server.script.faults = {f"number {n}?": ["credit", "ok"] for n in range(30, 60)}
    args = ["ask", items, "--model", spec, "--out", out, "--concurrency", 4]
    done = command(*args)
    assert (done.code, "the account has to be paid first" in done.stderr) == (2, True)
    assert 26 <= len(read_lines(out)) <= 30
    server.script.faults = {}
    assert command(*args).code == 0
    assert [line["error"] for line in read_lines(out)] == [None] * 60
    assert max(server.script.answered.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("words", [5, 1500])
def test_tokens_a_minute_hold_for_short_and_long_prompts(words: int, command: Command, tmp_path: Path, keyed: None) -> None:
    """The server counts nearly twice what four bytes a token make, and answers of 100 tokens."""
    with model_server(Script(tokens=lambda asked: (len(asked.text) // 2, 100), delay=0.05)) as server:
        size = len("Is it number 10?" + " word" * words) // 2 + 250
        count = max(8, 20_000 // size)
        items, pace = asked_about(tmp_path, count, words), 240_000
        flags = ["--tpm", pace, "--concurrency", 4]
        assert command("ask", items, "--model", server.spec(), "--out", tmp_path / "out.jsonl", *flags).code == 0
        times = [asked.time for asked in server.script.requests]
        used = sum(sum(server.script.tokens(asked)) for asked in server.script.requests[:-1])
        assert used / (times[-1] - times[0]) == pytest.approx(pace / 60, rel=0.1)


def test_an_endless_limit_is_told_in_one_line(
    server: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("evaluators.models.faults._SILENCE", 0.2)
    server.script.faults = {"Is it": ["429:0"]}
    questions = [Request(f"i{n}", 0, (Message("user", f"Is it {n}?"),)) for n in range(12)]
    patience = Patience(first=0.05, most=0.1, longest=1.0)
    assert {reply.error and reply.error.kind for reply in replies(open_model(server.spec(), patience), questions)} == {
        "rate_limit"
    }
    told = capsys.readouterr().err.splitlines()
    assert told == [
        f"{server.spec()}: the server holds requests back (429: it was too much for us); waiting, 1 seconds at most"
    ]


@pytest.mark.slow
def test_asked_to_end_it_writes_what_is_under_way(server: Running, tmp_path: Path) -> None:
    """SIGTERM: requests under way get their answers, no new one is sent, and the same command goes on."""
    server.script.delay = 1.0
    out, items = tmp_path / "out.jsonl", asked_about(tmp_path, 60)
    args = [sys.executable, "-m", "evaluators.ask", str(items), "--model", server.spec(), "--out", str(out), "--no-cache"]
    with subprocess.Popen(args, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        limit = time.monotonic() + 30
        while len(server.script.requests) < 8 and time.monotonic() < limit:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGTERM
    assert "interrupted; the same command goes on" in told
    assert "Traceback" not in told
    assert len(read_lines(out)) == len(server.script.requests) == server.script.answered.total() == 8
