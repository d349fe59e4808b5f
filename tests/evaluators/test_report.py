"""A model whose score is known is asked, judged and reported on; every number is checked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaluators.report.build import replacing_folder
from fpq_made import EDITS, Command, fpq_item, read_lines, write_lines
from kg.errors import InputError
from queries.records.item import EDITS as ALL_EDITS

Numbers = dict[str, Any]
Item = dict[str, Any]


def scripted(item: Item) -> str | None:
    """What the scripted model says: it knows four of five facts, and falls for every third edit.

    On fact 0 it does not know about NNDR, on fact 1 it says nothing, on fact 2 NDC was not recorded.
    """
    fact, variant = int(item["id"].rsplit(".", 1)[1], 16), item["variant"]
    if variant == "tpq":
        return "No." if fact % 5 == 4 else "Yes, it is."
    special = {(0, "NNDR"): "I do not know.", (1, "NNDR"): " ", (2, "NDC"): None}
    if (fact, variant) in special:
        return special[fact, variant]
    return "Yes." if (fact + EDITS.index(variant)) % 3 == 0 else "**No**, it is not."


STATES = {"Yes, it is.": "correct", "No.": "incorrect", "Yes.": "incorrect", "**No**, it is not.": "correct",
          "I do not know.": "abstained", " ": "unscored", None: "unscored"}  # fmt: skip


@pytest.fixture
def run(command: Command, items: Path, tmp_path: Path) -> Path:
    """Ask the scripted model and judge its yes and no; returns the folder of `responses.jsonl` and `verdicts.jsonl`."""
    made = [(item["id"], scripted(item)) for item in read_lines(items)]
    key = {"schema": "kgprobe.response/1", "model": "replay:script", "sample": 0}
    missing = {"text": None, "error": {"kind": "not_recorded"}}
    lines = [key | {"item": item} | (missing if text is None else {"text": text}) for item, text in made]
    write_lines(tmp_path / "responses.jsonl", lines)
    files = ["--items", items, "--responses", tmp_path / "responses.jsonl"]
    verdicts = tmp_path / "verdicts.jsonl"
    assert command("verify", *files, "--out", verdicts).code == 0
    write_lines(verdicts, [line for line in read_lines(verdicts) if ".yes_no." in line["item"]])
    return tmp_path


def arguments(folder: Path) -> list[str]:
    return [part for name in ("items", "responses", "verdicts") for part in (f"--{name}", str(folder / f"{name}.jsonl"))]


def report(command: Command, folder: Path, *more: object) -> tuple[Numbers, str]:
    done = command("report", *arguments(folder), "--out", folder / "report", *more)
    assert done.code == 0, done.stderr
    return json.loads((folder / "report" / "metrics.json").read_text()), done.stdout


def row(metrics: Numbers, table: str, **dims: str) -> Numbers:
    """The row of a table that has these dimensions."""
    rows = metrics["tables"][table]["rows"]
    found = [row for row in rows if all(row[name] == value for name, value in dims.items())]
    assert len(found) == 1, found
    return dict(found[0])


def expected(items: list[Item], domain: str, known: set[str] | None) -> Numbers:
    """The numbers of a row of the yes-no questions, counted one by one."""
    mine = [i for i in items if i["task"] == "yes_no" and domain in ("*", i["strata"]["domain"])]
    mine = [i for i in mine if known is None or i["group"] in known]
    found: Numbers = {}
    for name in (*EDITS, "FPQ", "TPQ"):
        wanted = [i for i in mine if i["variant"] == name or (name, i["variant"] == "tpq") in (("TPQ", True), ("FPQ", False))]
        states = Counter(STATES[scripted(i)] for i in wanted)
        n = len(wanted) - states["unscored"]
        found |= {name: pytest.approx(states["correct"] / n) if n else None, f"{name}_n": n}
    return found


KNOWN = {f"fpq.{fact}" for fact in range(10) if fact % 5 != 4}


@pytest.mark.parametrize("domain", ["*", "art", "place"])
@pytest.mark.parametrize(("population", "groups"), [("all", None), ("known", KNOWN)])
def test_every_number_is_the_known_one(
    domain: str, population: str, groups: set[str] | None, command: Command, run: Path, benchmark: list[Item]
) -> None:
    metrics, _ = report(command, run)
    found = row(metrics, "fpq.accuracy", population=population, domain=domain, task="yes_no")
    wanted = expected(benchmark, domain, groups)
    assert {name: found[name] for name in wanted} == wanted


def test_the_headline_numbers_by_hand(command: Command, run: Path) -> None:
    """Of 60 false premises the model would fall for 20; of the special ones it would have fallen for two."""
    metrics, _ = report(command, run)
    found = row(metrics, "fpq.accuracy", population="all", domain="*", task="yes_no")
    assert (found["TPQ"], found["TPQ_n"]) == (0.8, 10)
    assert (found["FPQ"], found["FPQ_n"]) == (pytest.approx(39 / 58), 58)
    assert (found["NDC"], found["NDC_n"]) == (pytest.approx(7 / 9), 9)
    assert (found["abstained"], found["unscored"], found["unjudged"]) == (1, 2, 0)
    whole = row(metrics, "overview.outcomes", model="replay:script")
    states = ["correct", "incorrect", "abstained", "unscored", "unjudged", "unasked"]
    assert [whole[state] for state in states] == [47, 20, 1, 2, 70, 0]
    assert whole["accuracy"] == pytest.approx(47 / 68)
    assert whole["accuracy_low"] < 47 / 68 < whole["accuracy_high"]


def verdict(item: str, outcome: str, reason: str, **more: Any) -> Item:
    return {
        "schema": "kgprobe.verdict/1", "item": item, "model": "replay:script", "sample": 0, "outcome": outcome,
        "reason": reason, "answer": None, "rationale": [], "contradicted": [], "spans": [], "judge": None,
    } | more  # fmt: skip


def test_verdicts_of_another_judge_join_those_of_the_rules(command: Command, run: Path, benchmark: list[Item]) -> None:
    free = [item["id"] for item in benchmark if item["task"] == "premise"]
    extra = [verdict(item, "incorrect", "misled", judge="people") for item in free]
    write_lines(run / "verdicts.jsonl", [*read_lines(run / "verdicts.jsonl"), *extra])
    metrics, _ = report(command, run)
    found = row(metrics, "fpq.accuracy", population="all", domain="*", task="premise")
    assert (found["FPQ"], found["FPQ_n"], found["TPQ_n"]) == (0, 60, 10)
    assert (metrics["inputs"][0]["judges"], metrics["inputs"][0]["rules"]) == (["people"], True)


def test_a_vote_counts_instead_of_its_samples(command: Command, run: Path) -> None:
    nsc = [line for line in read_lines(run / "verdicts.jsonl") if ".NSC." in line["item"]]
    votes = [line | {"sample": None, "outcome": "correct", "reason": "exact"} for line in nsc]
    write_lines(run / "verdicts.jsonl", [*read_lines(run / "verdicts.jsonl"), *votes])
    found = row(report(command, run)[0], "fpq.accuracy", population="all", domain="*", task="yes_no")
    assert (found["NSC"], found["NSC_n"], found["NNSC_n"]) == (1.0, 10, 10)


def test_models_are_reported_side_by_side(command: Command, run: Path) -> None:
    for name in ("responses", "verdicts"):
        lines = read_lines(run / f"{name}.jsonl")
        write_lines(run / f"{name}.jsonl", [*lines, *(line | {"model": "another"} for line in lines)])
    metrics, _ = report(command, run)
    assert metrics["inputs"][0]["models"] == ["another", "replay:script"]
    both = [row(metrics, "overview.outcomes", model=model) for model in ("another", "replay:script")]
    assert both[0] | {"model": None} == both[1] | {"model": None}
    pair = metrics["tables"]["overview.pairs"]["rows"][0]
    assert (pair["difference"], pair["only_a"], pair["only_b"]) == (0, 0, 0)


def test_the_terminal_shows_the_same_numbers(command: Command, run: Path) -> None:
    metrics, shown = report(command, run)
    found = row(metrics, "overview.outcomes", model="replay:script")
    ends = f"({found['accuracy_low']:.3f}–{found['accuracy_high']:.3f})"
    assert ["replay:script", "0.691", ends, "47", "20", "1", "2", "70", "0"] in [line.split() for line in shown.splitlines()]
    assert report(command, run, "--quiet")[1] == ""


def test_items_without_a_domain_or_a_premise(command: Command, run: Path) -> None:
    plain = {"schema", "id", "method", "family", "task", "variant", "question", "group", "answer"}
    other = {key: value for key, value in fpq_item(0, "tpq").items() if key in plain} | {"id": "other"}
    items = [item | {"strata": {}} for item in read_lines(run / "items.jsonl")]
    write_lines(run / "items.jsonl", [*items, other])
    metrics, _ = report(command, run)
    assert {row["domain"] for row in metrics["tables"]["fpq.accuracy"]["rows"]} <= {"*", "(none)"}


@pytest.mark.parametrize(
    ("file", "line", "told"),
    [
        ("responses", {"item": "unknown"}, "responses.jsonl:141: item 'unknown' is not in"),
        ("verdicts", {"item": "unknown"}, "verdicts.jsonl:71: item 'unknown' is not in"),
        ("verdicts", {"model": "other"}, "verdicts.jsonl:71: sample 0 of other on item"),
        ("verdicts", {"sample": 7}, "verdicts.jsonl:71: sample 7 of replay:script on item"),
        ("verdicts", {"sample": None, "model": "other"}, "verdicts.jsonl:71: a vote of other on item"),
        ("verdicts", {}, "verdicts.jsonl:71: item"),
        ("verdicts", {"outcome": "right"}, "verdicts.jsonl:71: field 'outcome' is \"right\"; known: 'correct',"),
        ("items", {}, "items.jsonl:141: id"),
        ("items", {"id": "other", "task": "guess"}, "items.jsonl:141: field 'task' is \"guess\""),
    ],
)
def test_bad_input_is_told_and_nothing_written(file: str, line: Item, told: str, command: Command, run: Path) -> None:
    path = run / f"{file}.jsonl"
    write_lines(path, [*read_lines(path), read_lines(path)[0] | line])
    stopped(command, run, told)


@pytest.mark.parametrize("file", ["items", "responses", "verdicts"])
def test_missing_and_empty_files_are_told(file: str, command: Command, run: Path) -> None:
    path = run / f"{file}.jsonl"
    write_lines(path, [])
    stopped(command, run, f"{file}.jsonl: holds no {file[:-1]}")
    path.unlink()
    stopped(command, run, f"{file}.jsonl: no such file")
    write_lines(path, ["<html>"])
    stopped(command, run, f"{file}.jsonl:1: not JSON")


def stopped(command: Command, folder: Path, told: str, *more: object, written: bool = False) -> None:
    there = {path.name for path in folder.iterdir()}
    done = command("report", *arguments(folder), "--out", folder / "report", *more)
    assert (done.code, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (folder / "report").exists() == written
    assert {path.name for path in folder.iterdir()} == there


def test_a_file_in_the_place_of_the_folder_is_told(command: Command, run: Path) -> None:
    (run / "report").write_text("")
    stopped(command, run, "report: cannot be a folder", written=True)


def test_a_folder_of_something_else_is_not_replaced(command: Command, run: Path) -> None:
    (run / "report").mkdir()
    (run / "report" / "thesis.txt").write_text("years of work")
    stopped(command, run, "report: is a folder with something else in it", written=True)
    (run / "report" / "thesis.txt").unlink()
    report(command, run)
    (run / "report" / "notes.txt").write_text("my notes on it")
    stopped(command, run, "report: holds 'notes.txt', which is no part of a report", written=True)
    assert (run / "report" / "notes.txt").read_text() == "my notes on it"


def test_a_report_that_fails_leaves_the_old_one(command: Command, run: Path) -> None:
    report(command, run)
    before = content(run / "report")
    write_lines(run / "verdicts.jsonl", [*read_lines(run / "verdicts.jsonl"), "{}"])
    stopped(command, run, "verdicts.jsonl:71", written=True)
    assert content(run / "report") == before


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_same_input_gives_the_same_bytes(command: Command, run: Path) -> None:
    report(command, run)
    once = content(run / "report")
    report(command, run)
    assert content(run / "report") == once
    assert {"index.html", "metrics.json", "metrics.csv", "data/about.js", "data/proofs.js"} <= set(once)


def test_the_made_edits_are_all_edits() -> None:
    assert tuple(EDITS) == ALL_EDITS


def test_the_module_runs(run: Path) -> None:
    files = [part for name in ("items", "responses", "verdicts") for part in (f"--{name}", f"{name}.jsonl")]
    args = [sys.executable, "-W", "error", "-m", "evaluators.report", *files, "--out", "deep/er/report"]
    subprocess.run(args, capture_output=True, check=True, cwd=run)
    assert (run / "deep/er/report/index.html").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_with_the_folder_and_nothing_is_left(tmp_path: Path) -> None:
    def written() -> None:
        with replacing_folder(tmp_path / "report") as folder:
            (folder / "index.html").symlink_to("/dev/full")
            (folder / "index.html").write_text("x" * 100_000)

    with pytest.raises(InputError, match=r"report: cannot be written \(No space left on device\); choose a place with room"):
        written()
    assert list(tmp_path.iterdir()) == []
