"""Reports of what people really have: several models, runs, samples and methods, and answers that are missing."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from evaluators.report import METRICS_SCHEMA, measure
from evaluators.report.document import Metrics, document
from fpq_made import EDITS, Command, fpq_item, read_lines, write_lines

Line = dict[str, Any]


def response(item: str, model: str, text: str, sample: int = 0) -> Line:
    return {"schema": "kgprobe.response/1", "item": item, "model": model, "sample": sample, "text": text, "prompt": "sha256:aa"}


def verdict(item: str, model: str, outcome: str, sample: int | None = 0) -> Line:
    reasons = {"correct": "exact", "incorrect": "wrong", "abstained": "unsure", "unscored": "empty"}
    return {
        "schema": "kgprobe.verdict/1", "item": item, "model": model, "sample": sample, "outcome": outcome,
        "reason": reasons[outcome], "answer": None, "rationale": [], "contradicted": [], "spans": [], "judge": None,
    }  # fmt: skip


def files(folder: Path, items: list[Line], outcomes: dict[str, dict[str, str]]) -> list[str]:
    """Write a set of files; `outcomes` says for each model and item what the verdict is, or `none` for no verdict."""
    said = [(item, model, outcome) for model, of in outcomes.items() for item, outcome in of.items()]
    folder.mkdir(exist_ok=True)
    write_lines(folder / "items.jsonl", items)
    write_lines(folder / "responses.jsonl", [response(item, model, "Yes.") for item, model, _ in said])
    write_lines(folder / "verdicts.jsonl", [verdict(*line) for line in said if line[2] != "none"])
    return [str(folder / f"{name}.jsonl") for name in ("items", "responses", "verdicts")]


def run(command: Command, files: list[str], out: Path, *more: object) -> dict[str, Any]:
    named = [part for name, file in zip(("items", "responses", "verdicts"), files, strict=True) for part in (f"--{name}", file)]
    done = command("report", *named, "--out", out, *more)
    assert done.code == 0, done.stderr
    return dict(json.loads((out / "metrics.json").read_text()))


def failed(command: Command, files: list[str], out: Path, *more: object) -> str:
    named = [part for name, file in zip(("items", "responses", "verdicts"), files, strict=True) for part in (f"--{name}", file)]
    done = command("report", *named, "--out", out, *more)
    assert (done.code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert not out.exists()
    return done.stderr


ITEMS = [fpq_item(fact, "tpq") for fact in range(8)]
IDS = [item["id"] for item in ITEMS]
GOOD = dict.fromkeys(IDS, "correct")


def test_a_model_that_misses_some_items(command: Command, tmp_path: Path) -> None:
    found = run(command, files(tmp_path / "in", ITEMS, {"a": GOOD, "b": dict.fromkeys(IDS[:3], "correct")}), tmp_path / "out")
    outcomes = {row["model"]: row for row in found["tables"]["overview.outcomes"]["rows"]}
    assert (outcomes["a"]["unasked"], outcomes["b"]["unasked"], outcomes["b"]["accuracy_n"]) == (0, 5, 3)
    assert found["tables"]["overview.pairs"]["rows"][0]["difference_n"] == 3


def test_two_samples_of_each_item(command: Command, tmp_path: Path) -> None:
    made = files(tmp_path / "in", ITEMS, {"a": GOOD})
    for name, line in (("responses", response), ("verdicts", verdict)):
        path = tmp_path / "in" / f"{name}.jsonl"
        again = [line(i, "a", "No." if line is response else "incorrect", 1) for i in IDS]
        write_lines(path, [*read_lines(path), *again])
    found = run(command, made, tmp_path / "out")["tables"]["overview.outcomes"]["rows"][0]
    assert (found["accuracy"], found["accuracy_n"], found["correct"], found["incorrect"]) == (0.5, 16, 8, 8)
    about, codes = data(tmp_path / "out", "about"), data(tmp_path / "out", "facets-0")["models"][0]["codes"]
    assert [about["states"][about["codes"].index(code)] for code in codes] == ["differing"] * 8


def test_samples_that_agree_are_right_more_often(command: Command, tmp_path: Path) -> None:
    """Of four items two samples of three are wrong on one and right on another; on two all three are right."""
    made = files(tmp_path / "in", ITEMS[:4], {"a": dict.fromkeys(IDS[:4], "correct")})
    for name in ("responses", "verdicts"):
        path = tmp_path / "in" / f"{name}.jsonl"
        lines = read_lines(path)
        for sample, wrong in ((1, IDS[:1]), (2, IDS[:2])):
            for item in IDS[:4]:
                outcome = "incorrect" if item in wrong else "correct"
                lines.append(
                    response(item, "a", "Yes.", sample) if name == "responses" else verdict(item, "a", outcome, sample)
                )
        write_lines(path, lines)
    rows = run(command, made, tmp_path / "out")["tables"]["overview.agreement"]["rows"]
    assert [(row["agreement"], row["accuracy"], row["coverage"], row["risk"]) for row in rows] == [
        ("0.67", 0.5, 1.0, 0.25), ("1.0", 1.0, 0.5, 0.0),
    ]  # fmt: skip
    assert "Right where samples agree" in (tmp_path / "out/index.html").read_text()


def test_sure_answers_are_right_more_often(command: Command, tmp_path: Path) -> None:
    """Tokens at 0.9 and 0.45: their geometric mean is 0.64. Of four sure answers all are right, of the unsure one in two."""
    made = files(tmp_path / "in", ITEMS[:6], {"a": dict(zip(IDS[:6], ["correct"] * 5 + ["incorrect"], strict=True))})
    tokens = {"sure": [0.97, 0.93], "unsure": [0.9, 0.45]}
    lines = read_lines(Path(made[1]))
    for place, line in enumerate(lines):
        chances = tokens["sure" if place < 4 else "unsure"]
        line["logprobs"] = [{"token": "x", "logprob": math.log(chance)} for chance in chances]
    write_lines(Path(made[1]), lines)
    table = run(command, made, tmp_path / "out")["tables"]["overview.confidence"]
    assert [(row["sureness"], row["accuracy"], row["coverage"], row["risk"]) for row in table["rows"]] == [
        ("0.65", 0.5, 1.0, pytest.approx(1 / 6)), ("0.95", 1.0, pytest.approx(4 / 6), 0.0),
    ]  # fmt: skip
    assert "Right where it is sure" in (tmp_path / "out/index.html").read_text()
    again = measure(*made)["overview.confidence"].frame
    assert again["accuracy"].to_list() == [0.5, 1.0]


def test_mixed_methods(command: Command, tmp_path: Path) -> None:
    """Questions of four methods in one file: each has its section, and none is missing in the totals."""
    open_ = {
        "schema": "kgprobe.item/1", "id": "f.1", "method": "factbench", "family": "P19", "task": "open", "variant": "basic",
        "question": "Where?", "answer": ["Ulm"], "answer_type": "entity", "group": "f", "strata": {"popularity": "1"},
    }  # fmt: skip
    choice = open_ | {"id": "e.1", "method": "erbench", "task": "choice", "options": ["a", "b"], "answer": ["2"], "strata": {}}
    unknown = open_ | {"id": "u.1", "method": "unseenqa", "answer": None, "strata": {"seen": "no"}}
    ids = [*IDS, "f.1", "e.1"]
    made = files(tmp_path / "in", [*ITEMS, open_, choice, unknown], {"a": dict.fromkeys(ids, "correct") | {"u.1": "abstained"}})
    found = run(command, made, tmp_path / "out")
    assert {key.split(".")[0] for key in found["tables"]} >= {"overview", "fpq", "factbench", "erbench", "unseenqa"}
    whole = found["tables"]["overview.outcomes"]["rows"][0]
    assert (whole["accuracy"], whole["accuracy_n"], whole["abstained"]) == (1, 11, 1)  # to abstain is right where nobody knows
    page = (tmp_path / "out" / "index.html").read_text()
    assert all(f'href="#paper-{paper}"' in page for paper in ("fpq", "factbench", "erbench", "unseenqa"))


def test_answers_without_verdicts_are_told(command: Command, tmp_path: Path) -> None:
    made = files(tmp_path / "in", ITEMS, {"a": GOOD | {IDS[0]: "none", IDS[1]: "none"}})
    found = run(command, made, tmp_path / "out")["tables"]["overview.outcomes"]["rows"][0]
    assert (found["unjudged"], found["accuracy_n"]) == (2, 6)
    assert "2 answers have no verdict." in (tmp_path / "out" / "index.html").read_text()


def test_no_scored_answer_at_all(command: Command, tmp_path: Path) -> None:
    found = run(command, files(tmp_path / "in", ITEMS, {"a": dict.fromkeys(IDS, "unscored")}), tmp_path / "out")
    assert found["tables"]["overview.outcomes"]["rows"][0]["accuracy"] is None


def test_only_questions_made_from_answers(command: Command, tmp_path: Path) -> None:
    """They have no truth of their own: there is nothing to count, and the items are shown all the same."""
    items = [item | {"answer": None, "parent": {"item": "other", "model": "a", "sample": 0}} for item in ITEMS]
    found = run(command, files(tmp_path / "in", items, {"a": GOOD}), tmp_path / "out")
    assert "overview.outcomes" not in found["tables"]
    assert data(tmp_path / "out", "about")["sets"][0]["count"] == 8


def test_two_models_compared_by_hand(command: Command, tmp_path: Path) -> None:
    """a alone is right on three items, b on one; on one both, on one neither; one is unscored for b, one asked of a only."""
    a = dict(zip(IDS, ["correct"] * 3 + ["incorrect", "correct", "abstained", "correct", "correct"], strict=True))
    b = dict(zip(IDS[:7], ["incorrect", "incorrect", "abstained", "correct", "correct", "incorrect", "unscored"], strict=True))
    made = files(tmp_path / "in", ITEMS, {"a": a, "b": b})
    found = run(command, made, tmp_path / "out", "--compare", "b", "a")["tables"]["comparison"]["rows"][0]
    counts = [found[name] for name in ("difference_n", "only_a", "only_b", "both", "neither")]
    assert counts == [6, 1, 3, 1, 1]
    assert found["difference"] == pytest.approx(-2 / 6)
    assert found["p"] == pytest.approx(0.625)  # the exact McNemar test of 3 against 1: 2 * (1 + 4) / 16
    assert found["difference_low"] < -2 / 6 < found["difference_high"]
    page = (tmp_path / "out" / "index.html").read_text()
    assert "Left out: 0 items that only b was scored on, 2 that only a was." in page
    assert re.findall(r"Only <bdi>(\w)</bdi> got it right: (\d)", page) == [("b", "1"), ("a", "3")]


def probe(number: int) -> Line:
    """A question whether the model knows the entity, which is none of the benchmark."""
    return fpq_item(number, "tpq") | {
        "id": f"probe.{number}",
        "method": "erbench",
        "task": "probe",
        "answer": ["yes"],
        "premise": None,
    }


def test_probes_do_not_turn_the_order_of_two_models(command: Command, tmp_path: Path) -> None:
    """a is right on six questions of eight and claims to know nothing, b on two and claims all: with probes b would lead."""
    probes = [probe(number) for number in range(20)]
    a = {item: "correct" if n < 6 else "incorrect" for n, item in enumerate(IDS)} | {p["id"]: "incorrect" for p in probes}
    b = {item: "correct" if n < 2 else "incorrect" for n, item in enumerate(IDS)} | {p["id"]: "correct" for p in probes}
    found = run(command, files(tmp_path / "in", [*ITEMS, *probes], {"a": a, "b": b}), tmp_path / "out")["tables"]
    assert [(row["model"], row["accuracy"]) for row in found["overview.outcomes"]["rows"]] == [("a", 0.75), ("b", 0.25)]
    assert [(row["model"], row["score"]) for row in found["overview.models"]["rows"]] == [("a", 0.75), ("b", 0.25)]
    for table in ("overview.pairs", "comparison"):
        assert (found[table]["rows"][0]["difference"], found[table]["rows"][0]["difference_n"]) == (0.5, 8)
    assert {row["task"] for row in found["overview.tasks"]["rows"]} == {"yes_no", "probe"}  # they have a row of their own


def test_who_says_the_same_to_everything_gets_a_half(command: Command, tmp_path: Path) -> None:
    """Of six false premises for each true one, a naysayer gets six sevenths right, and of both kinds a half."""
    items = [fpq_item(fact, variant) for fact in range(10) for variant in ("tpq", *EDITS)]
    nay = {item["id"]: "incorrect" if item["variant"] == "tpq" else "correct" for item in items}
    knows = {item["id"]: "incorrect" if n % 4 == 0 else "correct" for n, item in enumerate(items)}
    found = run(command, files(tmp_path / "in", items, {"knows": knows, "nay": nay}), tmp_path / "out")["tables"]
    knowing, naysaying = found["overview.models"]["rows"]
    assert naysaying["score"] == 0.5
    assert naysaying["score_n"] == 70
    assert 0.3 < naysaying["score_low"] < 0.5 < naysaying["score_high"] < 0.7  # surer of the sixty than of the ten
    assert found["overview.outcomes"]["rows"][1]["accuracy"] == pytest.approx(6 / 7)
    of_sides = [[n % 4 > 0 for n, i in enumerate(items) if (i["variant"] == "tpq") == true] for true in (True, False)]
    assert knowing["score"] == pytest.approx(sum(sum(side) / len(side) for side in of_sides) / 2)
    assert found["overview.pairs"]["rows"][0]["difference"] == pytest.approx(knowing["score"] - 0.5)


def test_a_comparison_lists_every_part(command: Command, tmp_path: Path) -> None:
    """All edits have as many questions as each other, and each has its row."""
    items = [fpq_item(fact, variant) for fact in range(4) for variant in ("tpq", *EDITS)]
    every = {item["id"]: "correct" for item in items}
    found = run(command, files(tmp_path / "in", items, {"a": every, "b": every}), tmp_path / "out")["tables"]
    parts = [(row["task"], row["variant"], row["difference_n"]) for row in found["comparison"]["rows"]]
    assert parts == [("*", "*", 28), ("yes_no", "*", 28), *(("yes_no", variant, 4) for variant in ("tpq", *EDITS))]


def test_models_that_cannot_be_compared(command: Command, tmp_path: Path) -> None:
    made = files(tmp_path / "in", ITEMS, {"gpt": {IDS[0]: "correct"}, "claude": {IDS[1]: "correct"}})
    assert "--compare: no model 'gtp'; did you mean 'gpt'?" in failed(
        command, made, tmp_path / "out", "--compare", "gtp", "claude"
    )
    told = failed(command, made, tmp_path / "out", "--compare", "gpt", "claude")
    assert "gpt and claude have no scored item in common" in told


def test_two_runs_of_one_model(command: Command, tmp_path: Path) -> None:
    first = files(tmp_path / "zero", ITEMS, {"a": GOOD})
    second = files(tmp_path / "few", ITEMS, {"a": dict.fromkeys(IDS, "incorrect")})
    more = ["--label", "zero-shot", "--more", f"few-shot={','.join(second)}"]
    found = run(command, first, tmp_path / "out", *more, "--compare", "zero-shot:a", "few-shot:a")
    assert [one["label"] for one in found["inputs"]] == ["zero-shot", "few-shot"]
    accuracies = {row["run"]: row["accuracy"] for row in found["tables"]["overview.outcomes"]["rows"]}
    assert accuracies == {"zero-shot": 1, "few-shot": 0}
    assert found["tables"]["comparison"]["rows"][0]["only_a"] == 8
    assert (tmp_path / "out" / "data" / "items-1-0.js").exists()
    told = failed(command, first, tmp_path / "other", *more, "--compare", "a", "a")
    assert "'a' is in several runs; say which: few-shot:a, zero-shot:a" in told


def test_runs_that_do_not_fit(command: Command, tmp_path: Path) -> None:
    first = files(tmp_path / "one", ITEMS, {"a": GOOD})
    other = files(tmp_path / "two", [item | {"question": "Something else?"} for item in ITEMS], {"a": GOOD})
    same, bad = ",".join(first), ",".join(other)
    assert f"item '{IDS[0]}' asks something else" in failed(command, first, tmp_path / "out", "--more", f"b={bad}")
    assert "two runs are called 'b'" in failed(command, first, tmp_path / "out", "--more", f"b={same}", "--more", f"b={same}")
    assert "write LABEL=ITEMS,RESPONSES,VERDICTS" in failed(command, first, tmp_path / "out", "--more", "b=items.jsonl")


def test_metrics_json_says_what_it_is_made_of(command: Command, tmp_path: Path) -> None:
    source = {"generator": "kgprobe 0.1.0", "digest": "sha256:abc"}
    found = run(command, files(tmp_path / "in", [item | {"source": source} for item in ITEMS], {"a": GOOD}), tmp_path / "out")
    Metrics.model_validate(found)
    made = found["inputs"][0]
    assert (found["schema"], list(found["versions"])) == (METRICS_SCHEMA, ["kgprobe"])
    assert (made["generators"], made["stores"]) == (["kgprobe 0.1.0"], ["sha256:abc"])
    assert (made["prompts"]["answers"], made["prompts"]["distinct"]) == (8, 1)
    assert (made["items"]["name"], made["items"]["count"], len(made["items"]["sha256"])) == ("items.jsonl", 8, 64)
    tables = measure(*files(tmp_path / "in", [item | {"source": source} for item in ITEMS], {"a": GOOD}))
    assert document([made], list(tables.values()), as_published=False) == found


def test_the_schema_is_printed(command: Command) -> None:
    done = command("report", "--schema")
    assert (done.code, json.loads(done.stdout)["title"]) == (0, "Metrics")


def test_gzip_is_understood(command: Command, tmp_path: Path) -> None:
    made = files(tmp_path / "in", ITEMS, {"a": GOOD})
    zipped = Path(f"{made[0]}.gz")
    zipped.write_bytes(gzip.compress(Path(made[0]).read_bytes(), mtime=0))
    plain, packed = (run(command, [file, *made[1:]], tmp_path / name) for file, name in ((made[0], "a"), (str(zipped), "b")))
    assert plain["tables"] == packed["tables"]
    zipped.write_bytes(zipped.read_bytes()[:40])
    assert "damaged gzip" in failed(command, [str(zipped), *made[1:]], tmp_path / "c")


def test_the_csv_has_a_line_for_each_number_and_no_formulas(command: Command, tmp_path: Path) -> None:
    found = run(command, files(tmp_path / "in", ITEMS, {"=HYPERLINK()": GOOD}), tmp_path / "out")
    lines = list(csv.DictReader((tmp_path / "out" / "metrics.csv").read_text().split("\n")))
    assert len(lines) == sum(len(table["rows"]) * len(table["measures"]) for table in found["tables"].values())
    assert {line["model"] for line in lines if line["table"] != "overview.guessers"} == {"'=HYPERLINK()"}
    accuracy = next(line for line in lines if (line["table"], line["measure"]) == ("overview.outcomes", "accuracy"))
    assert (accuracy["value"], accuracy["n"]) == ("1.0", "8")


def test_many_pieces_in_several_processes(command: Command, tmp_path: Path) -> None:
    """More items than a process takes: the order, the list and the places of the items stay."""
    items = [
        fpq_item(fact, "NSC") | {"group": f"g{fact}", "strata": {"domain": "art", f"s{fact % 3}": "x"}} for fact in range(2300)
    ]
    made = files(tmp_path / "in", items, {"a": {item["id"]: "correct" for item in items}})
    run(command, made, tmp_path / "out")
    about = data(tmp_path / "out", "about")["sets"][0]
    assert about["count"] == 2300
    for n in (0, about["size"], 1234, 2299):
        assert data(tmp_path / "out", f"items-0-{n // about['size']}")[n % about["size"]]["id"] == items[n]["id"]
        assert data(tmp_path / "out", f"list-0-{n // about['listed']}")[0][n % about["listed"]] == items[n]["id"]
    write_lines(tmp_path / "in" / "items.jsonl", [*items, items[5]])
    told = failed(command, made, tmp_path / "again")
    assert "items.jsonl:2301: id" in told
    assert "stands already in line 6" in told


def data(folder: Path, name: str) -> Any:
    """What a script hands to the page."""
    text = (folder / "data" / f"{name}.js").read_text()
    return json.loads(f"[{text.removeprefix('kgprobe(').removesuffix(chr(10)).removesuffix(');')}]")[1]


def swapped(name: str) -> Line:
    return fpq_item(0, "tpq") | {
        "id": f"autodebug.swap.{name}", "method": "autodebug", "family": "swap", "task": "context", "variant": "swap",
        "question": "Who wrote it?", "answer": ["Ada Byron"], "context": "Ada Byron wrote it.", "premise": None, "group": name,
        "rationale": [], "proof": [],
    }  # fmt: skip


def test_what_entails_the_answer_is_counted_for_autodebug(command: Command, tmp_path: Path) -> None:
    items = [swapped("one"), swapped("two")]
    named = files(tmp_path / "in", items, {"m": {item["id"]: "correct" for item in items}})
    write_lines(
        tmp_path / "in/responses.jsonl", [response(items[0]["id"], "m", "Ada Byron"), response(items[1]["id"], "m", "Nobody")]
    )
    told = tmp_path / "entailed.jsonl"
    done = command("entailment", "--items", named[0], "--responses", named[1], "--lexical", "--out", told)
    assert done.code == 0, done.stderr
    found = run(command, named, tmp_path / "out", "--entailed", told)
    [row] = [row for row in found["tables"]["autodebug.results"]["rows"] if row["entail_n"]][:1]
    assert (row["entail"], row["entail_n"]) == (0.5, 2)
    assert found["inputs"][0]["entailed"]["count"] == 2


def test_a_damaged_file_of_entailments_is_told(command: Command, tmp_path: Path) -> None:
    (tmp_path / "entailed.jsonl").write_text("{}\n")
    named = files(tmp_path / "in", ITEMS, {"a": GOOD})
    assert "entailed.jsonl:1" in failed(command, named, tmp_path / "out", "--entailed", tmp_path / "entailed.jsonl")
