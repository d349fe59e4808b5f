"""Items go to other harnesses and answers come back: the same answers get the same verdicts everywhere."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluators import judge_answers, measure
from evaluators.export import score
from fpq_made import Command

RUNS = Path(__file__).parents[1] / "support" / "harness_runs.py"
ITEM = {"schema": "kgprobe.item/1", "method": "mine", "family": "capitals", "task": "yes_no", "variant": "basic"}
ITEMS = [
    ITEM | {"id": f"{city}", "question": f"Is {city} the capital of Austria?", "answer": [answer], "group": f"g{n}"}
    for n, (city, answer) in enumerate([("Vienna", "yes"), ("Linz", "no"), ("Graz", "no"), ("Wels", "no"), ("Steyr", "no")])
]
ANSWERS = {
    "Vienna": "Yes, it is.",
    "Linz": "Yes, Linz is the capital.",
    "Graz": "I am not sure.",
    "Wels": "I must decline to answer that.",
    "Steyr": "No. The capital is Vienna.",
}


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS))
    return path


def ours(items: Path) -> dict[str, float]:
    """Return accuracy and the number of abstentions as our report has them."""
    responses = items.with_name("ours.jsonl")
    lines = [
        {"schema": "kgprobe.response/1", "item": name, "model": "m", "sample": 0, "text": text}
        for name, text in ANSWERS.items()
    ]
    responses.write_text("".join(json.dumps(line) + "\n" for line in lines))
    table = measure(str(items), str(responses), judge_answers(str(items), str(responses)))["overview.tasks"].frame
    row = table.filter(table["task"] == "yes_no").row(0, named=True)
    return {"accuracy": row["accuracy"], "abstained": row["abstained"]}


def run_in(command: Command, harness: str, items: Path, *, package: str) -> dict[str, Any]:
    """Export, run the harness with the scripted answers, and return what it counted; skipped where it is not installed."""
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    folder, logs = items.with_name(harness), items.with_name("logs")
    logs.mkdir()
    assert command("export", items, "--to", harness, "--out", folder, "--quiet").code == 0
    call = [sys.executable, str(RUNS), harness, str(folder), str(items.with_name("answers.json")), str(logs)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout.splitlines()[-1]))


def promptfoo_tests(folder: Path) -> list[Any]:
    """Return the tests of a folder that was written for promptfoo."""
    return list(json.loads((folder / "tests.json").read_text()))


def comes_back(command: Command, harness: str, log: str, items: Path) -> None:
    """Check that the harness's log becomes responses whose verdicts are those of the same answers asked by us."""
    out = items.with_name("back.jsonl")
    done = command("import", harness, log, "--items", items, "--out", out, "--model", "m", "--quiet")
    assert done.code == 0, done.stderr
    ours(items)
    columns = ("item", "outcome", "reason", "answer")
    back, asked = (
        judge_answers(str(items), str(path)).select(columns).sort("item") for path in (out, items.with_name("ours.jsonl"))
    )
    assert back.rows() == asked.rows()


@pytest.mark.slow
def test_inspect_counts_what_we_count_and_its_log_comes_back(items: Path, command: Command) -> None:
    counted = run_in(command, "inspect", items, package="inspect_ai")
    assert counted["accuracy"] == pytest.approx(ours(items)["accuracy"])  # what is declined counts in neither
    comes_back(command, "inspect", counted["log"], items)


@pytest.mark.slow
def test_the_lm_evaluation_harness_counts_what_we_count_and_its_samples_come_back(items: Path, command: Command) -> None:
    counted = run_in(command, "lm-eval", items, package="lm_eval")
    assert counted["correct"] == pytest.approx(ours(items)["accuracy"])
    comes_back(command, "lm-eval", counted["log"], items)


@pytest.mark.slow
def test_openais_evals_count_what_we_count(items: Path, command: Command) -> None:
    counted = run_in(command, "openai-evals", items, package="evals")
    told = ours(items)
    assert counted == pytest.approx({"accuracy": told["accuracy"], "abstained": told["abstained"] / len(ITEMS)})


@pytest.mark.slow
def test_promptfoo_itself_passes_what_we_call_correct(items: Path, command: Command, tmp_path: Path) -> None:
    promptfoo = shutil.which("promptfoo")
    if promptfoo is None:
        pytest.skip("promptfoo is not installed")
    folder, out = items.with_name("promptfoo"), tmp_path / "results.json"
    assert command("export", items, "--to", "promptfoo", "--out", folder, "--quiet").code == 0
    by_prompt = {json.loads(row["vars"]["item"])["question"]: ANSWERS[row["description"]] for row in promptfoo_tests(folder)}
    script = "module.exports = class { id() { return 'scripted' } async callApi(prompt) {"
    script += f"const answers = {json.dumps(by_prompt)}, asked = JSON.parse(prompt).at(-1).content;"
    script += "return { output: answers[Object.keys(answers).find((question) => asked.includes(question))] } } }"
    (tmp_path / "scripted.js").write_text(script)
    quiet = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "home"),
    }
    call = [promptfoo, "eval", "-c", "promptfooconfig.yaml", "--providers", f"file://{tmp_path}/scripted.js", "--no-cache"]
    python = {"PROMPTFOO_PYTHON": sys.executable, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [*call, "-o", str(out)], cwd=folder, env=os.environ | quiet | python, capture_output=True, check=False
    )
    assert out.exists(), done.stderr[-3000:]  # it ends with 100 where an answer does not pass
    rows = json.loads(out.read_text())["results"]["results"]
    passed = {row["testCase"]["description"]: row["success"] for row in rows}
    assert passed == {"Vienna": True, "Linz": False, "Graz": False, "Wels": False, "Steyr": True}


@pytest.mark.slow
def test_the_dataset_opens_as_the_hub_opens_it(items: Path, command: Command) -> None:
    if importlib.util.find_spec("datasets") is None:
        pytest.skip("datasets is not installed")
    folder = items.with_name("hf")
    assert command("export", items, "--to", "hf", "--out", folder, "--quiet").code == 0
    code = "import datasets, json, sys; d = datasets.load_dataset(sys.argv[1], split='test')"
    code += "; print(json.dumps([list(d['id']), list(d['answer'])]))"
    call = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == [[item["id"] for item in ITEMS], [item["answer"] for item in ITEMS]]
    header = yaml.safe_load((folder / "README.md").read_text().split("---")[1])
    assert header["configs"][0]["data_files"][0]["split"] == "test"
    assert "| yes_no | basic | 5 |" in (folder / "README.md").read_text()


def test_promptfoo_asks_each_item_and_asserts_by_our_verdict(items: Path, command: Command) -> None:
    folder = items.with_name("promptfoo")
    assert command("export", items, "--to", "promptfoo", "--out", folder, "--quiet").code == 0
    tests = promptfoo_tests(folder)
    spec = importlib.util.spec_from_file_location("verdict", folder / "verdict.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    passed = {
        test["description"]: module.get_assert(ANSWERS[test["description"]], {"vars": test["vars"]})["pass"] for test in tests
    }
    assert passed == {"Vienna": True, "Linz": False, "Graz": False, "Wels": False, "Steyr": True}
    assert "Vienna" in json.loads(tests[0]["vars"]["messages"])[-1]["content"]


def test_a_table_and_openais_samples_hold_prompt_and_answers(items: Path, command: Command) -> None:
    assert command("export", items, "--to", "csv", "--out", items.with_name("csv"), "--limit", 2, "--quiet").code == 0
    rows = [*csv.DictReader((items.with_name("csv") / "items.csv").read_text().splitlines(keepends=True))]
    assert [(row["id"], row["answers"]) for row in rows] == [("Vienna", '["yes"]'), ("Linz", '["no"]')]
    assert "Is Vienna the capital of Austria?" in rows[0]["prompt"]
    assert command("export", items, "--to", "openai-evals", "--out", items.with_name("oai"), "--quiet").code == 0
    samples = (items.with_name("oai") / "data" / "kgprobe-items" / "samples.jsonl").read_text().splitlines()
    first = json.loads(samples[0])
    assert (first["ideal"], first["item"]["id"]) == (["yes"], "Vienna")
    (entry,) = (items.with_name("oai") / "evals").glob("*.yaml")
    assert yaml.safe_load(entry.read_text())["kgprobe-items.test.v0"]["class"] == "evaluators.export.openai_eval:Verdicts"


def test_where_nobody_knows_not_knowing_is_worth_a_point() -> None:
    item = ITEM | {"id": "x", "question": "Who will win?", "task": "open", "answer": None, "group": "g"}
    assert score(item, "I cannot know that.").outcome == "abstained"


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["export", "absent.jsonl", "--to", "csv", "--out", "o"], ["absent.jsonl"]),
        (["export", "ITEMS", "--to", "csv", "--out", "FULL"], ["is there already", "new folder"]),
        (["export", "ITEMS", "--to", "csv", "--out", "no/where/x"], ["cannot be made"]),
        (["export", "ITEMS", "--to", "excel", "--out", "o"], ["excel"]),
        (["export", "PICTURE", "--to", "csv", "--out", "o"], ["has a picture", "--only"]),
        (["import", "lm-eval", "BAD", "--items", "ITEMS", "--out", "r", "--model", "m"], ["bad.jsonl:2", "--log_samples"]),
        (["import", "lm-eval", "BAD", "--items", "ITEMS", "--out", "r"], ["--model"]),
        (["import", "lm-eval", "OTHER", "--items", "ITEMS", "--out", "r", "--model", "m"], ["answers no item"]),
    ],
)
def test_what_is_at_fault_is_told_in_a_line(items: Path, words: list[str], parts: list[str], command: Command) -> None:
    full, picture, bad, other = (items.with_name(name) for name in ("full", "picture.jsonl", "bad.jsonl", "other.jsonl"))
    full.mkdir()
    (full / "kept").write_text("x")
    picture.write_text(json.dumps(ITEMS[0] | {"image": "flag.png"}) + "\n")
    sample = {"doc": {"id": "Vienna"}, "resps": [["Yes."]]}
    bad.write_text(json.dumps(sample) + "\n{}\n")
    other.write_text(json.dumps(sample | {"doc": {"id": "Oslo"}}) + "\n")
    paths = {"ITEMS": items, "FULL": full, "PICTURE": picture, "BAD": bad, "OTHER": other}
    done = command(*[str(paths.get(word, word)) for word in words])
    assert (done.code, done.stderr.count("\n")) == (2, 1), done.stderr
    assert all(part in done.stderr for part in parts), done.stderr
    assert (full / "kept").read_text() == "x"
