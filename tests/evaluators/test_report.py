"""A model whose score is known is asked, judged and reported on; every number is checked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fpq_made import EDITS, Command, fpq_item, read_lines, write_lines

from queries.item import EDITS as ALL_EDITS

Numbers = dict[str, Any]
COUNTS = ["n", "correct", "abstained", "unscored", "unjudged", "unasked"]


def scripted(item: dict[str, Any]) -> str | None:
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


def expected_cell(states: list[str]) -> Numbers:
    counts = Counter(states)
    n = counts["correct"] + counts["incorrect"] + counts["abstained"]
    return {"n": n, "accuracy": counts["correct"] / n if n else None} | {name: counts[name] for name in COUNTS[1:]}


def expected(items: list[dict[str, Any]], state: Callable[[dict[str, Any]], str], known: set[str] | None) -> Numbers:
    """The numbers of one task, counted one by one."""

    def cell(wanted: Callable[[dict[str, Any]], bool], among: list[dict[str, Any]]) -> Numbers:
        return expected_cell([state(i) for i in among if wanted(i) and (known is None or i["group"] in known)])

    def cut(among: list[dict[str, Any]]) -> Numbers:
        def of(edit: str, hops: int | None = None) -> Numbers:
            return cell(lambda i: i["variant"] == edit and hops in (None, i["premise"]["hops"]), among)

        return {
            "tpq": of("tpq"),
            "fpq": cell(lambda i: i["variant"] != "tpq", among),
            "edits": {edit: of(edit) for edit in EDITS},
            "hops": {edit: {str(hops): of(edit, hops) for hops in range(1, 6)} for edit in ("NSC", "NDC")},
        }

    domains = {name: cut([i for i in items if i["strata"]["domain"] == name]) for name in ("art", "place")}
    return {"overall": cut(items), "domains": domains}


@pytest.fixture
def run(command: Command, items: Path, tmp_path: Path) -> Path:
    """Ask the scripted model and judge its yes and no; returns the folder of `responses.jsonl` and `verdicts.jsonl`."""
    made = [(item["id"], scripted(item)) for item in read_lines(items)]
    script = write_lines(tmp_path / "script.jsonl", [{"item": i, "text": text} for i, text in made if text is not None])
    responses, verdicts = tmp_path / "responses.jsonl", tmp_path / "verdicts.jsonl"
    assert command("ask", items, "--model", f"replay:{script}", "--out", responses).code == 0
    assert command("verify", "--items", items, "--responses", responses, "--out", verdicts).code == 0
    write_lines(verdicts, [line for line in read_lines(verdicts) if ".yes_no." in line["item"]])
    return tmp_path


def report(command: Command, folder: Path, *more: str) -> tuple[Numbers, str]:
    files = [part for name in ("items", "responses", "verdicts") for part in (f"--{name}", folder / f"{name}.jsonl")]
    done = command("report", *files, "--out", folder / "report", *more)
    assert done.code == 0, done.stderr
    return json.loads((folder / "report" / "metrics.json").read_text()), done.stdout


KNOWN = {f"fpq.{fact}" for fact in range(10) if fact % 5 != 4}


def test_every_number_is_the_known_one(command: Command, run: Path, benchmark: list[dict[str, Any]]) -> None:
    metrics, _ = report(command, run)
    found = metrics["fpq"]["replay:script"]
    assert list(metrics["fpq"]) == ["replay:script"]
    assert found["groups"] == {"total": 10, "known": 8}
    for task, state in (("yes_no", lambda item: STATES[scripted(item)]), ("premise", lambda item: "unjudged")):
        questions = [item for item in benchmark if item["task"] == task]
        assert found["all"][task] == expected(questions, state, None)
        assert found["gated"][task] == expected(questions, state, KNOWN)
    assert set(found["all"]) == set(found["gated"]) == {"yes_no", "premise"}


def test_the_headline_numbers_by_hand(command: Command, run: Path) -> None:
    """Of 60 false premises the model would fall for 20; of the special ones it would have fallen for two."""
    found = report(command, run)[0]["fpq"]["replay:script"]
    overall = found["all"]["yes_no"]["overall"]
    assert overall["tpq"] == counts(n=10, correct=8)
    assert overall["fpq"] == counts(n=58, correct=39, abstained=1, unscored=2)
    assert overall["edits"]["NSC"] == counts(n=10, correct=6)
    assert overall["edits"]["NDC"] == counts(n=9, correct=7, unscored=1)
    assert overall["edits"]["NNDR"] == counts(n=9, correct=6, abstained=1, unscored=1)
    assert overall["hops"]["NSC"]["1"] == counts(n=2, correct=1)
    gated = found["gated"]["yes_no"]
    assert gated["overall"]["tpq"] == counts(n=8, correct=8)
    assert gated["domains"]["art"]["edits"]["NDC"] == counts(n=3, correct=3, unscored=1)
    assert found["all"]["premise"]["overall"]["fpq"] == counts(n=0, unjudged=60)


def counts(n: int, correct: int = 0, **more: int) -> Numbers:
    return dict.fromkeys(COUNTS, 0) | {"n": n, "correct": correct, "accuracy": correct / n if n else None} | more


def test_verdicts_on_free_answers_count_as_well(command: Command, run: Path, benchmark: list[dict[str, Any]]) -> None:
    """Verdicts of another judge join those of the rules; the gate stays the yes-no one."""
    free = [item for item in benchmark if item["task"] == "premise"]
    states = {item["id"]: ["correct", "incorrect", "abstained"][n % 3] for n, item in enumerate(free)}
    extra = [verdict(item, states[item], "misled", judge="people") for item in states]
    write_lines(run / "verdicts.jsonl", [*read_lines(run / "verdicts.jsonl"), *extra])
    found = report(command, run)[0]["fpq"]["replay:script"]
    assert found["all"]["premise"] == expected(free, lambda item: states[item["id"]], None)
    assert found["gated"]["premise"] == expected(free, lambda item: states[item["id"]], KNOWN)


def verdict(item: str, outcome: str, reason: str, **more: Any) -> dict[str, Any]:
    return {
        "schema": "kgprobe.verdict/1", "item": item, "model": "replay:script", "sample": 0, "outcome": outcome,
        "reason": reason, "answer": None, "rationale": [], "contradicted": [], "spans": [], "judge": None,
    } | more  # fmt: skip


def test_a_vote_counts_instead_of_its_samples(command: Command, run: Path) -> None:
    nsc = [line for line in read_lines(run / "verdicts.jsonl") if ".NSC." in line["item"]]
    votes = [line | {"sample": None, "outcome": "correct", "reason": "exact"} for line in nsc]
    write_lines(run / "verdicts.jsonl", [*read_lines(run / "verdicts.jsonl"), *votes])
    edits = report(command, run)[0]["fpq"]["replay:script"]["all"]["yes_no"]["overall"]["edits"]
    assert (edits["NSC"], edits["NNSC"]["n"]) == (counts(n=10, correct=10), 10)


def test_samples_count_each_and_most_of_them_open_the_gate(command: Command, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(f, v) for f in (0, 1) for v in ("tpq", "NSC")])
    texts = {0: ["Yes.", "Yes.", "No."], 1: ["Yes.", "No.", "No."]}
    ids = [item["id"] for item in read_lines(items)]
    answers = {item: texts[n // 2] for n, item in enumerate(ids)}
    script = [{"item": i, "sample": n, "text": text} for i, said in answers.items() for n, text in enumerate(said)]
    replay = f"replay:{write_lines(tmp_path / 'script.jsonl', script)}"
    command("ask", items, "--model", replay, "--out", tmp_path / "responses.jsonl", "--samples", 3)
    files = ["--items", items, "--responses", tmp_path / "responses.jsonl"]
    command("verify", *files, "--out", tmp_path / "verdicts.jsonl")
    found = report(command, tmp_path)[0]["fpq"]["replay:script"]
    assert found["groups"] == {"total": 2, "known": 1}
    assert found["all"]["yes_no"]["overall"]["fpq"] == counts(n=6, correct=3)
    assert found["gated"]["yes_no"]["overall"]["fpq"] == counts(n=3, correct=1)


def test_questions_never_asked_are_counted(command: Command, run: Path) -> None:
    for name in ("responses", "verdicts"):
        kept = [line for line in read_lines(run / f"{name}.jsonl") if ".NNSR." not in line["item"]]
        write_lines(run / f"{name}.jsonl", kept)
    found = report(command, run)[0]["fpq"]["replay:script"]["all"]
    assert found["yes_no"]["overall"]["edits"]["NNSR"] == counts(n=0, unasked=10)
    assert found["premise"]["overall"]["edits"]["NNSR"] == counts(n=0, unasked=10)


def test_models_are_reported_side_by_side(command: Command, run: Path) -> None:
    for name in ("responses", "verdicts"):
        lines = read_lines(run / f"{name}.jsonl")
        write_lines(run / f"{name}.jsonl", [*lines, *(line | {"model": "another"} for line in lines)])
    found = report(command, run)[0]["fpq"]
    assert list(found) == ["another", "replay:script"]
    assert found["another"] == found["replay:script"]


def test_a_model_that_knows_nothing_has_no_gated_numbers(command: Command, run: Path) -> None:
    said = [line | {"outcome": "unscored", "reason": "empty"} for line in read_lines(run / "verdicts.jsonl")]
    write_lines(run / "verdicts.jsonl", said)
    found = report(command, run)[0]["fpq"]["replay:script"]
    assert found["groups"]["known"] == 0
    assert found["gated"]["yes_no"]["overall"]["fpq"] == counts(n=0)
    assert found["all"]["yes_no"]["overall"]["fpq"] == counts(n=0, unscored=60)


def test_the_table_shows_the_same_numbers(command: Command, run: Path) -> None:
    _, shown = report(command, run)
    rows = [line.split() for line in shown.splitlines()]
    header = ["model", "groups", "task", "domain", "TPQ", *EDITS, "FPQ", "n", "abstained", "unscored", "no", "verdict"]
    assert header in rows
    assert ["replay:script", "all", "premise", "*", *["-"] * 8, "0", "0", "0", "70"] in rows
    accuracies = ["0.800", "0.600", "0.778", "0.700", "0.600", "0.700", "0.667"]
    assert ["replay:script", "all", "yes_no", "*", *accuracies, "0.672", "68", "1", "2", "0"] in rows
    assert report(command, run, "--quiet")[1] == ""


def test_items_without_a_domain_or_a_premise(command: Command, run: Path) -> None:
    plain = {"schema", "id", "method", "family", "task", "variant", "question", "group", "answer"}
    other = {key: value for key, value in fpq_item(0, "tpq").items() if key in plain} | {"id": "other"}
    items = [item | {"strata": {}} for item in read_lines(run / "items.jsonl")]
    write_lines(run / "items.jsonl", [*items, other])
    metrics, _ = report(command, run)
    assert metrics["without_premise"] == 1
    assert list(metrics["fpq"]["replay:script"]["all"]["yes_no"]["domains"]) == ["(none)"]


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
    ],
)
def test_bad_input_is_told_and_nothing_written(file: str, line: dict[str, Any], told: str, command: Command, run: Path) -> None:
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


def test_a_file_in_the_place_of_the_folder_is_told(command: Command, run: Path) -> None:
    (run / "report").write_text("")
    stopped(command, run, "report: cannot be a folder", written=True)


def stopped(command: Command, folder: Path, told: str, *, written: bool = False) -> None:
    files = [part for name in ("items", "responses", "verdicts") for part in (f"--{name}", folder / f"{name}.jsonl")]
    done = command("report", *files, "--out", folder / "report")
    assert (done.code, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (folder / "report").exists() == written


def test_the_made_edits_are_all_edits() -> None:
    assert tuple(EDITS) == ALL_EDITS


def test_the_module_runs(run: Path) -> None:
    files = [part for name in ("items", "responses", "verdicts") for part in (f"--{name}", f"{name}.jsonl")]
    args = [sys.executable, "-W", "error", "-m", "evaluators.report", *files, "--out", "deep/er/report"]
    subprocess.run(args, capture_output=True, check=True, cwd=run)
    assert (run / "deep/er/report/metrics.json").exists()
