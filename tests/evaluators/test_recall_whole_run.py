"""From a graph to the report's tables, through every exemplar preset of the recall benchmarks, with a model on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fpq_made import Command, read_lines
from model_server import Asked, Script, model_server

FACTS = {"factbench.overall", "factbench.domain", "factbench.property", "factbench.answer_type", "factbench.popularity"}
PUT = [
    ("fact-bench", "zero-shot", 0, ""),
    *(("fact-bench", "few-shot", shots, "known.jsonl") for shots in (1, 6, 10, 20, 32)),
    ("fact-bench", "few-shot", 10, "counterfactual.jsonl"),  # its answers are exchanged already
    ("llm-as-kb", "zero-shot-unsure", 0, ""),
    ("llm-as-kb", "few-shot-unsure", 4, "shots.jsonl"),
    ("llm-as-kb", "few-shot-seen", 4, "shots.jsonl"),
]


def guess(asked: Asked) -> str:
    """Answer as a model that knows one city, one date and its own limits."""
    question = asked.text.rpartition("\n\n")[2]
    return "unsure" if "children" in question else "December 10, 1815" if "month" in question else "Vienna"


def made(*arguments: object) -> None:
    """Run a generator as a person does."""
    subprocess.run([sys.executable, "-m", *map(str, arguments), "--quiet"], check=True, capture_output=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made_in = tmp_path_factory.mktemp("recall")
    train, kb = made_in / "train.jsonl", made_in / "llm-as-kb.jsonl"
    facts = ("generators.factbench", "--n", 240, "--train", 200, "--train-out", train, "--out", made_in / "fact-bench.jsonl")
    made(*facts)
    made("generators.factbench", "exemplars", train, "--n", 32, "--out", made_in / "known.jsonl")
    swapped = made_in / "counterfactual.jsonl"
    made("generators.factbench", "exemplars", train, "--n", 10, "--counterfactual", "--out", swapped)
    unseen = ("--as-of", "2024-04-13", "--fillers", 2, "--seen", 300, "--exemplars", made_in / "shots.jsonl")
    made("generators.unseenqa", *unseen, "--out", kb)
    kb.write_text("".join(json.dumps(item) + "\n" for item in read_lines(kb)[::9]), "utf-8")
    return made_in


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "setting", "shots", "exemplars"), PUT)
def test_every_preset_ends_in_its_tables(
    command: Command, folder: Path, preset: str, setting: str, shots: int, exemplars: str
) -> None:
    items = folder / f"{preset}.jsonl"
    responses, verdicts, report = (
        folder / f"{preset}.{setting}.{shots}{exemplars}.{end}" for end in ("said", "judged", "report")
    )
    put = ["--preset", preset, "--setting", setting]
    if shots:
        put += ["--exemplars", str(folder / exemplars), "--shots", str(shots)]
    with model_server(Script(answer=guess, key=None)) as server:
        done = command(
            "ask",
            items,
            "--model",
            server.spec(),
            *put,
            "--cache",
            folder / f"{shots}.{setting}{exemplars}.answers",
            "--out",
            responses,
        )
        assert done.code == 0, done.stderr
        assert len({asked.text for asked in server.script.requests}) == len(read_lines(items))
    judged = command("verify", "--items", items, "--responses", responses, "--out", verdicts)
    assert judged.code == 0, judged.stderr
    drawn = ("--items", items, "--responses", responses, "--verdicts", verdicts, "--out", report)
    shown = command("report", *drawn)
    assert shown.code == 0, shown.stderr
    tables = json.loads((report / "metrics.json").read_text("utf-8"))["tables"]
    if preset == "fact-bench":
        assert set(tables) >= FACTS
    else:
        assert any(name.startswith("unseenqa.") for name in tables)
    page = (report / "index.html").read_text("utf-8")
    assert all(table["title"] in page for name, table in tables.items() if name.startswith(("factbench.", "unseenqa.")))
