"""How long a report of many items takes, how much memory, and how large its page is.

```
python tests/benchmarks/report_size.py
python tests/benchmarks/report_size.py --items 20000 --models 3 --opened
```

Makes questions with false premises (each with a premise, four proofs and its strata), answers and verdicts in a folder that
is removed afterwards, runs `python -m evaluators.report` on them, and prints a line for each figure. The goals are for 200,000
items and one model.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import typer

EDITS = ("tpq", "NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR")
WIKIDATA = "http://www.wikidata.org"
GOALS = {"seconds": 60.0, "memory": 2.0, "page": 2.0}


def item(number: int) -> dict[str, Any]:
    """A question of one of the seven kinds on a fact, in one of two forms, as long as real ones are."""
    fact, kind = divmod(number, 14)
    edit, task = EDITS[kind % 7], ("yes_no", "premise")[kind // 7]
    true = edit == "tpq"
    subject, relation, thing = f"Q{fact * 3 + 11}", f"P{fact % 40 + 17}", f"Q{fact * 5 + kind + 100}"
    domain, hops = ("art", "people", "place")[fact % 3], fact % 5 + 1 if edit in ("NSC", "NDC") else None
    named = {"iri": f"{WIKIDATA}/entity/{thing}", "label": f"object {thing} of the fact"}
    other = [
        {"iri": f"{WIKIDATA}/entity/Q{fact + n}", "label": f"true object {n}", "aliases": [f"alias {n}"]} for n in range(3)
    ]
    return {
        "schema": "kgprobe.item/1", "id": f"fpq.relation-{relation}.{task}.{edit}.{number:016x}", "method": "fpq",
        "family": f"relation-{relation}", "task": task, "variant": edit,
        "question": f"Is {named['label']} the one that belongs to the subject {subject} of fact {fact}?", "options": None,
        "answer": [{"yes_no": ("yes", "no"), "premise": ("accept", "reject")}[task][0 if true else 1]],
        "answer_type": "entity", "unit": None, "precision": None,
        "given": [{"slot": "subject", "value": f"subject {subject}"}, {"slot": "object", "value": named["label"]}],
        "rationale": [],
        "premise": {
            "subject": {"iri": f"{WIKIDATA}/entity/{subject}", "label": f"subject {subject}"},
            "relation": {"iri": f"{WIKIDATA}/prop/direct/{relation}", "label": f"relation {relation}"}, "object": named,
            "true_objects": other, "edit": None if true else edit, "hops": hops, "path": None,
        },
        "context": None, "image": None, "group": f"fpq.{subject}.{relation}", "parent": None,
        "strata": {"domain": domain, "concept": "film", "relation": f"relation {relation}", "edit": None if true else edit,
                   "hops": None if hops is None else str(hops)},
        "proof": list(proofs(subject, relation, thing)),
        "source": {"digest": "sha256:" + "0" * 64, "graph": "kgp:graph/made", "generator": "kgprobe", "seed": "0"},
    }  # fmt: skip


def proofs(subject: str, relation: str, thing: str) -> Iterator[dict[str, Any]]:
    """Four proofs, with the texts that stand in a file of items."""
    from queries.templates import versioned

    terms = {
        "s": f"<{WIKIDATA}/entity/{subject}>",
        "p": f"<{WIKIDATA}/prop/direct/{relation}>",
        "o": f"<{WIKIDATA}/entity/{thing}>",
    }
    terms |= {"a": terms["o"], "b": terms["s"], "radius": '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'}
    for query, names in (("fact", "spo"), ("fact", "spo"), ("same_concept", "ab"), ("not_neighbour", ("s", "o", "radius"))):
        bind = [{"name": name, "term": terms[name]} for name in names]
        yield {"query": versioned(query), "bind": bind, "expect": True, "rows": None}


def answer(question: dict[str, Any], model: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """An answer and its verdict; each model is right on other items."""
    number = int(question["id"].rsplit(".", 1)[1], 16)
    right = (number * 7919 + model * 31) % 10 < 7 - model
    key = {"item": question["id"], "model": f"made:model-{model}", "sample": 0}
    text = (
        f"{'Yes' if right else 'No'}, as far as I can tell from what is known about {question['premise']['subject']['label']}."
    )
    response = {"schema": "kgprobe.response/1", **key, "text": text, "finish": "stop", "error": None, "usage": None,
                "seconds": 0.4, "prompt": f"sha256:{number:064x}", "time": None}  # fmt: skip
    verdict = {"schema": "kgprobe.verdict/1", **key, "outcome": "correct" if right else "incorrect",
               "reason": "exact" if right else "wrong", "answer": "yes" if right else "no", "rationale": [],
               "contradicted": [], "spans": [[0, 3]], "judge": None}  # fmt: skip
    return response, verdict


def make(folder: Path, items: int, models: int) -> None:
    """Write the three files."""
    names = ("items", "responses", "verdicts")
    streams = [(folder / f"{name}.jsonl").open("w", encoding="utf-8") for name in names]
    for number in range(items):
        question = item(number)
        print(json.dumps(question), file=streams[0])
        for model in range(models):
            for stream, record in zip(streams[1:], answer(question, model), strict=True):
                print(json.dumps(record), file=stream)
    for stream in streams:
        stream.close()


def measured(folder: Path) -> dict[str, float]:
    """Run the command and return what it took: seconds, GB of memory, MB of the page and of the whole folder."""
    files = [part for name in ("items", "responses", "verdicts") for part in (f"--{name}", str(folder / f"{name}.jsonl"))]
    began = time.monotonic()
    command = [sys.executable, "-m", "evaluators.report", *files, "--out", str(folder / "report"), "--quiet"]
    subprocess.run(command, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    scripts = list((folder / "report" / "data").iterdir())
    return {
        "seconds": time.monotonic() - began,
        "processor seconds": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss / 2**20,
        "page": (folder / "report" / "index.html").stat().st_size / 2**20,
        "largest script": max(path.stat().st_size for path in scripts) / 2**20,
        "scripts": sum(path.stat().st_size for path in scripts) / 2**20,
    }


def opening(page: Path, profile: Path) -> dict[str, float]:
    """Open a page in Chromium; return the seconds until it is there, until its items are listed, and until one is shown."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
    from browser import browser

    waits = {
        "page": ("", "return document.readyState === 'complete'"),
        "items listed": ("#items=0", "return document.querySelectorAll('#list li').length > 1"),
        "item shown": ("#item=0.7", "return document.querySelector('#item .answer') !== null"),
    }
    seconds = {}
    with browser(profile) as window:
        window.open(page)  # the first page of a browser's life waits for the browser
        for name, (address, there) in waits.items():
            began = time.monotonic()
            window.open(page, address)
            window.wait(partial(window.script, there))
            seconds[f"opened, {name}"] = time.monotonic() - began
    return seconds


UNITS = {"seconds": "s", "processor seconds": "s", "memory": "GB"}


def main(items: int = 200_000, models: int = 1, folder: Path | None = None, opened: bool = False) -> None:
    """Measure a report: `python tests/benchmarks/report_size.py --items 200000`; with `--opened` in Chromium, too."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        make(Path(made), items, models)
        found = measured(Path(made))
        found |= opening(Path(made) / "report" / "index.html", Path(made) / "profile") if opened else {}
    print(f"{items:,} items, {models} {'model' if models == 1 else 'models'}")
    for name, value in found.items():
        goal = f"  (goal: at most {GOALS[name]:g})" if name in GOALS else ""
        print(f"{name:18} {value:8.2f} {'s' if name.startswith('opened') else UNITS.get(name, 'MB')}{goal}")


if __name__ == "__main__":
    typer.run(main)
