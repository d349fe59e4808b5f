"""Killed at any moment, a run goes on where it was: nothing answered is asked again, and the final file is the same."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from forked import Forks
from fpq_made import fpq_item, read_lines, write_lines
from model_server import Running, Script, model_server
from queries.records.prompts import named
from queries.records.prompts import whole as whole_prompt
from queries.records.response import Turn

KILLS, ITEMS, CONCURRENCY = 20, 400, 8


def whole(out: Path) -> list[dict[str, Any]]:
    """The answers that are whole, as another program would read them."""
    found = []
    for line in out.read_bytes().split(b"\n") if out.exists() else ():
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def lasting(lines: list[dict[str, Any]]) -> list[str]:
    """Responses without the moment and the seconds, in order; which of them carries a text that prompts share is chance."""
    fleeting, made = {"time": None, "seconds": None}, []
    paragraphs: dict[str, str] = {}
    for line in lines:
        turns = msgspec.convert(line["messages"], list[Turn])
        prompt = [(turn.role, turn.text) for turn in whole_prompt(turns, paragraphs)]
        paragraphs |= dict(named(turns))
        made.append(json.dumps(line | fleeting | {"messages": prompt}, sort_keys=True))
    return sorted(made)


def wait_for(running: Running, requests: int) -> None:
    limit = time.monotonic() + 20
    while len(running.script.requests) < requests and time.monotonic() < limit:
        time.sleep(0.001)


@pytest.mark.slow
def test_interrupted_it_waits_for_what_is_under_way(forks: Forks, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(n, "tpq") | {"question": f"Is it {n}?"} for n in range(400)])
    out = tmp_path / "responses.jsonl"
    with model_server(Script(delay=0.1)) as running:
        number = forks.start([str(items), "--model", running.spec(), "--out", str(out), "--concurrency", "8"])
        wait_for(running, 20)
        os.kill(number, signal.SIGINT)
        assert forks.said() == 130
        assert len(read_lines(out)) == running.script.answered.total() < 100


@pytest.mark.slow
def test_killed_at_twenty_points_nothing_answered_is_asked_again(forks: Forks, tmp_path: Path) -> None:
    items = [fpq_item(n, "tpq") | {"question": f"Is it number {n}?"} for n in range(ITEMS)]
    path, out, chance = write_lines(tmp_path / "items.jsonl", items), tmp_path / "responses.jsonl", random.Random(7)
    with model_server(Script({"number 7": ["429:0", "ok"]}, delay=0.005)) as running:
        args = [str(path), "--model", running.spec(), "--out", str(out), "--concurrency", str(CONCURRENCY)]
        for kill in range(KILLS):
            before, known = len(running.script.requests), {line["item"] for line in whole(out)}
            number = forks.start(args)
            if kill % 5:
                wait_for(running, before + chance.randint(1, 30))
            time.sleep(chance.uniform(0, 0.03))
            os.kill(number, signal.SIGKILL)
            assert forks.said() == -signal.SIGKILL
            asked_again = {asked.text.split("\n")[0] for asked in running.script.requests[before:]}
            assert not asked_again & {item["question"] for item in items if item["id"] in known}
        forks.start(args)
        assert forks.said() == 0
        most = 1 + KILLS
        assert max(running.script.asked.values()) <= most
        assert sum(running.script.answered.values()) <= ITEMS + KILLS * CONCURRENCY

        calm = tmp_path / "calm.jsonl"
        forks.start([*args, "--out", str(calm), "--no-cache"])
        assert forks.said() == 0
    assert len(read_lines(out)) == ITEMS
    assert lasting(read_lines(out)) == lasting(read_lines(calm))
    assert [path.name for path in tmp_path.glob(".*.lock")] == []
