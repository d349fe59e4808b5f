"""The whole loop with two scripted models: a pivot asked, seeds told, what it reads attacked, both asked, tables made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from evaluators.report.__main__ import app as report
from evaluators.verify.__main__ import app as verify
from generators.autodebug.__main__ import app as autodebug

Item = dict[str, Any]
READER, MEMORY = "script:reader", "script:memory"


def run(app: Any, *words: str | Path) -> None:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, (done.output, done.exception)


def read(path: Path) -> list[Item]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def answered(path: Path, items: list[Item], models: dict[str, Callable[[int, Item], str]]) -> Path:
    """Write what scripted models say to items."""
    empty = dict.fromkeys(("error", "usage", "seconds", "prompt", "time"))
    lines = [
        {
            "schema": "kgprobe.response/1",
            "item": item["id"],
            "model": model,
            "sample": 0,
            "text": say(n, item),
            "finish": "stop",
        }
        for model, say in models.items()
        for n, item in enumerate(items)
    ]
    path.write_text("".join(json.dumps(line | empty) + "\n" for line in lines), "utf-8")
    return path


def judged(items: Path, responses: Path) -> Path:
    out = responses.with_suffix(".verdicts.jsonl")
    run(verify, "--items", items, "--responses", responses, "--out", out)
    return out


def test_who_reads_follows_the_evidence_and_who_remembers_does_not(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    run(autodebug, "--n", "12", "--out", items)
    originals = [item for item in read(items) if item["variant"] == "original"]
    # The pivot reads all passages, and knows every third answer by heart.
    opened = answered(tmp_path / "open.jsonl", originals, {READER: lambda _, item: item["answer"][0]})
    closed = answered(
        tmp_path / "closed.jsonl", originals, {READER: lambda n, item: item["answer"][0] if n % 3 == 0 else "Zyx"}
    )
    seeds, attacks = tmp_path / "seeds.jsonl", tmp_path / "attacks.jsonl"
    verdicts = judged(items, opened), judged(items, closed)
    run(autodebug, "seeds", "--items", items, "--open", verdicts[0], "--closed", verdicts[1], "--out", seeds)
    run(autodebug, "--n", "12", "--seeds", seeds, "--out", attacks)
    made = read(attacks)
    assert sum(item["variant"] == "swap" for item in made) == 12
    assert sum(item["variant"] == "enrich" for item in made) == 16
    both = {READER: lambda _, item: item["answer"][0], MEMORY: lambda _, item: item["source"]["original"]}
    responses = answered(tmp_path / "answers.jsonl", made, both)
    out = tmp_path / "report"
    run(report, "--items", attacks, "--responses", responses, "--verdicts", judged(attacks, responses), "--out", out)
    tables = json.loads((out / "metrics.json").read_text("utf-8"))["tables"]
    rows = {(row["model"], row["category"], row["expansion"]): row for row in tables["autodebug.results"]["rows"]}
    assert [rows[model, "1", "(none)"]["EM"] for model in (READER, MEMORY)] == [1.0, 0.0]
    assert [rows[model, "2", "merged"]["EM"] for model in (READER, MEMORY)] == [1.0, 1.0]
    assert [rows[model, "1", "(none)"]["correct"] for model in (READER, MEMORY)] == [1.0, 0.0]
    assert rows[READER, "2", "merged"]["EM_n"] == 8
    attacked = {(row["model"], row["attack"]) for row in tables["autodebug.attacks"]["rows"]}
    assert attacked == {(READER, "self"), (MEMORY, "cross")}


def test_a_model_that_reads_only_the_beginning_breaks_down_along_the_place(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    run(autodebug, "--n", "60", "--attack", "swap", "--out", items)
    made = read(items)
    first = {READER: lambda _, item: item["answer"][0],
             MEMORY: lambda _, item: item["answer"][0] if item["strata"]["place"] == "first" else "Zyx"}  # fmt: skip
    responses = answered(tmp_path / "answers.jsonl", made, first)
    out = tmp_path / "report"
    run(report, "--items", items, "--responses", responses, "--verdicts", judged(items, responses), "--out", out)
    tables = json.loads((out / "metrics.json").read_text("utf-8"))["tables"]
    rows = tables["autodebug.place"]["rows"]
    told = {(row["model"], row["category"], row["place"]): row for row in rows}
    for category in ("original", "1"):
        assert [told[MEMORY, category, place]["correct"] for place in ("first", "middle", "last")] == [1.0, 0.0, 0.0]
        assert [told[READER, category, place]["correct"] for place in ("first", "middle", "last")] == [1.0, 1.0, 1.0]
    levels = [row["place"] for row in rows if (row["model"], row["category"]) == (MEMORY, "1")]
    assert levels == ["first", "middle", "last"]
    assert all(row["correct_low"] <= row["correct"] <= row["correct_high"] for row in rows)
    assert {"autodebug.distance", "autodebug.answer_popularity", "autodebug.length"} <= set(tables)
    assert "autodebug.added" not in tables
    page = (out / "index.html").read_text("utf-8")
    for title in ("by place of the supporting sentence", "by distance of the swapped answer", "by length"):
        assert f"Break-down {title}" in page
