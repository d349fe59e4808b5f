"""How many yes-no answers with explanations are judged a second, and in how much memory.

```
python tests/benchmarks/judging.py                        # 40,000 answers on all processors, labels of the starter graph
python tests/benchmarks/judging.py --store ./wd --answers 220000 --json judging.json
```

The answers are real ones of a model to ERBench's yes-no questions (they lie beside a checkout, as for `agreement.py`), each
to an item of its own, over and over until there are as many as wanted. What is timed is the command itself, from the start of
the process to the last verdict on disk, with `--named`, so that wrong entities are looked for among all labels of the store; a
second run over one answer in ten tells how much of the time is reading labels and starting up.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from agreement import SHARED, Row, rows_of
from queries.records.item import ITEM_SCHEMA
from queries.records.response import RESPONSE_SCHEMA


class Run(NamedTuple):
    """A run of the command: seconds on the wall, seconds of all processors, and the largest process in MB."""

    answers: int
    wall: float
    processor: float
    megabytes: float


def real_answers() -> list[Row]:
    """Read all zero-shot and reasoned answers to yes-no questions."""
    folder = SHARED / "erbench" / "responses"
    names = sorted(f"{path.parent.name}/{path.name}" for kind in ("zero_shot", "cot") for path in (folder / kind).glob("*.gz"))
    if not names:
        sys.exit(f"{folder} has no answers: set KGPROBE_SHARED to the folder that holds data/erbench")
    return [row for name in names for row in rows_of(f"erbench/responses/{name}")]


def records(rows: list[Row], n: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield an item and a response for each of `n` answers."""
    for number, row in enumerate(islice(cycle(rows), n)):
        item = f"erbench.{row['domain']}.yes_no.basic.{number:016x}"
        entity = {slot: value for slot, value in row["entity"].items() if slot != "row" and value}
        stated = {slot: value for slot, value in entity.items() if value not in row["inferred"] and value in row["question"]}
        hops = [[*value.split(";")] for value in row["inferred"]]
        yield (
            {
                "schema": ITEM_SCHEMA, "id": item, "method": "erbench", "family": row["domain"], "task": "yes_no",
                "variant": "basic", "question": row["question"], "answer": [row["gold_answer"]], "group": item,
                "given": [{"slot": slot, "value": value} for slot, value in stated.items()],
                "rationale": [{"slot": "title", "value": value, "aliases": aliases} for value, *aliases in hops],
            },
            {"schema": RESPONSE_SCHEMA, "item": item, "model": "m", "sample": 0, "text": row["response"]},
        )  # fmt: skip


def run(folder: Path, rows: list[Row], n: int, store: str | None) -> Run:
    """Write the files and time the command."""
    with (folder / "items.jsonl").open("w") as items, (folder / "responses.jsonl").open("w") as responses:
        for item, response in records(rows, n):
            items.write(json.dumps(item) + "\n")
            responses.write(json.dumps(response) + "\n")
    command = [sys.executable, "-m", "evaluators.verify", "--items", "items.jsonl", "--responses", "responses.jsonl"]
    command += ["--out", "verdicts.jsonl", "--quiet"]
    command += ["--named", "named.jsonl", "--store", str(Path(store).resolve())] if store else []
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, cwd=folder, check=True)
    wall, after = time.perf_counter() - start, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(n, wall, processor, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)


def main() -> None:
    """Time two runs, and print what an answer costs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--answers", type=int, default=40_000, help="how many (40,000)")
    parser.add_argument("--store", help="a folder made by `kg load` (the starter graph)")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there too")
    given = parser.parse_args()
    rows = real_answers()
    with tempfile.TemporaryDirectory() as name:
        few, many = (run(Path(name), rows, n, given.store) for n in (given.answers // 10, given.answers))
    more = many.answers - few.answers
    found = {
        "answers": many.answers,
        "processors": os.cpu_count(),
        "answers_a_second": more / (many.wall - few.wall),
        "answers_a_processor_second": more / (many.processor - few.processor),
        "answers_a_second_with_start": many.answers / many.wall,
        "megabytes": many.megabytes,
    }
    print("\n".join(f"{key.replace('_', ' ')}: {value:,.0f}" for key, value in found.items()))
    if given.json:
        Path(given.json).write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
