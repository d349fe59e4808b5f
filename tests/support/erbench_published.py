"""ERBench's published answers as records, and its published metrics, for tests and the README's table.

`python tests/support/erbench_published.py` prints how far the metrics of these records are from the published ones.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

import polars as pl

from evaluators.metrics import Table, tables
from evaluators.verify import judge_text, judges_of
from evaluators.verify.question import Entry, Question

Row = dict[str, Any]
SHARED = Path(os.environ.get("KGPROBE_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data/erbench"
SEVERAL = [f"{how}/gpt35__{family}__multihop_{form}" for how in ("zero_shot", "cot")
           for family in ("movie_director", "soccer_olympic") for form in ("basic", "negated")]  # fmt: skip
CHOICES = [f"mc/gpt35__{domain}__mc" for domain in ("airport", "book", "movie", "music", "soccer")]
PHRASINGS = ("first", "second", "third")


def rows_of(name: str) -> list[Row]:
    """Read a file of answers."""
    with gzip.open(SHARED / "responses" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def reference(name: str) -> dict[str, dict[str, Any]]:
    """Return the published metrics of a file, for all entities and for the known ones."""
    entries = json.loads((SHARED / "reference_metrics.json").read_text())
    entry = next(entry for entry in entries if entry["file"] == f"{name}.jsonl")
    return {"all": entry["ref_metrics_all"], "known": entry["ref_metrics_known"]}


def measured(name: str, *, as_published: bool = True) -> dict[str, Row]:
    """Judge the answers of a file and compute its metrics; returns them for the populations `all` and `known`."""
    items, responses, verdicts = [], [], []
    judges = judges_of("erbench" if as_published else None)
    for row in rows_of(name):
        task = "choice" if row.get("options") else "yes_no"
        item = {
            "id": row["id"].replace("/", "."),
            "method": "erbench",
            "family": "f",
            "task": task,
            "group": row["entity"]["row"],
        }
        variant = PHRASINGS[int(row["id"].rpartition("-")[2])] if task == "choice" else row["task"].rpartition("_")[2]
        inferred = [{"slot": "hop", "value": value.split(";")[0]} for value in row["inferred"]]
        items.append(item | {"variant": variant, "answer": [row["gold_answer"]], "rationale": inferred})
        text = None if row["response_error"] else row["response"]
        answer = {"item": item["id"], "model": row["model"], "sample": 0}
        responses.append(answer | {"text": text})
        ruling = judge_text(text, question_of(row), judges)
        marks = {"answer": ruling.answer, "rationale": list(ruling.rationale)}
        verdicts.append(answer | {"outcome": ruling.outcome, "reason": ruling.reason} | marks)
    probes = {item["group"]: (item, row["known"]) for item, row in zip(items, rows_of(name), strict=True)}
    for group, (item, known) in probes.items():
        items.append(item | {"id": f"probe.{group}", "task": "probe", "answer": ["yes"], "rationale": []})
        answer = {"item": f"probe.{group}", "model": "gpt35", "sample": 0}
        responses.append(answer | {"text": "Yes." if known else "No."})
        outcome = ("correct", "exact") if known else ("incorrect", "wrong")
        verdicts.append(answer | dict(zip(("outcome", "reason"), outcome, strict=True)) | {"answer": None, "rationale": []})
    schema = {"text": pl.String(), "answer": pl.String(), "rationale": pl.List(pl.Boolean)}
    frames = [pl.DataFrame(made, schema_overrides=schema, infer_schema_length=None) for made in (responses, verdicts)]
    made = {table.key: table for table in tables(pl.DataFrame(items), *frames, as_published=as_published)}
    return {population: _numbers(made, population) for population in ("all", "known")}


def question_of(row: Row) -> Question:
    """State a row as a judge reads an item: what is asked, and what a right explanation names."""
    entries = [value.split(";") for value in row["inferred"]]
    return Question(
        row["question"],
        "choice" if row.get("options") else "yes_no",
        (row["gold_answer"],),
        options=tuple(row.get("options") or ()),
        rationale=tuple(Entry(f"hop{n}", values[0], tuple(values[1:])) for n, values in enumerate(entries)),
    )


def _numbers(made: dict[str, Table], population: str) -> Row:
    wanted = pl.col("population") == population
    if "erbench.multihop" not in made:
        return made["erbench.overall"].frame.filter(wanted).select("A", "R", "AR", "H").row(0, named=True)
    row = made["erbench.multihop"].frame.filter(wanted).row(0, named=True)
    ext = [row[name] for name in row if name.startswith("AR_ext") and name[-1].isdigit()]
    whole = made["erbench.overall"].frame.filter(wanted).row(0, named=True)
    return {"A": row["A"], "R": row["R_ext"], "AR": whole["AR"], "H": row["H"], "AR_ext": ext}


def differences(name: str, *, as_published: bool = True) -> dict[str, Row]:
    """Return measured less published, for both populations."""
    found, published = measured(name, as_published=as_published), reference(name)
    return {population: _less(found[population], published[population]) for population in found}


def _less(found: Row, published: Row) -> Row:
    return {
        key: [a - b for a, b in zip(value, published[key], strict=True)] if isinstance(value, list) else value - published[key]
        for key, value in found.items()
    }


def main() -> None:
    """Print the table."""
    print("| file | population | A | R | AR | H | AR-ext |\n|---|---|---|---|---|---|---|")
    for name in SEVERAL + CHOICES:
        for population, less in differences(name, as_published="--ours" not in sys.argv).items():
            ext = " ".join(f"{value:+.3f}" for value in less.get("AR_ext", []))
            numbers = [f"{less[key]:+.3f}" for key in ("A", "R", "AR", "H")]
            print(f"| {' | '.join([name, population, *numbers, ext])} |")


if __name__ == "__main__":
    main()
