"""How long 5,000 passages under attack take, as a ratio to one dump of the same graph in the same run.

```
python tests/benchmarks/passages.py --store ./wd            # originals, swaps, enriched, of as many seeds as it takes
python tests/benchmarks/passages.py --items 400 --json -    # the starter graph; its ratio means little
```

Time is that of the processor, all threads together, and of the wall; the two take turns, and the best round of each counts.
What is timed is all from the graph in memory to complete items with their proofs; where a graph gives too few, they are made
from one seed after the other. What was made is looked at afterwards: who copies the supported answer from its sentence is
always right, who remembers the original one never on a swap, and outside the answer a swap has its original's words.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from generators.autodebug import Options, generate
from kg import LocalGraph, open_graph
from kg.text import fold

GOAL = 5.0
"""Seconds of the processor for 5,000 items."""


def timed(work: Callable[[], Any], rounds: int) -> tuple[Any, float, float]:
    """Return what a piece of work gives, and the least seconds of the processor and on the wall."""
    spent, wall, made = [], [], None
    for _ in range(rounds):
        began, used = time.perf_counter(), time.process_time()
        made = work()
        spent.append(time.process_time() - used)
        wall.append(time.perf_counter() - began)
    return made, min(spent), min(wall)


def generated(graph: LocalGraph, wanted: int) -> list[pl.DataFrame]:
    """Make so many items at least, of one seed after the other."""
    made: list[pl.DataFrame] = []
    while (missing := wanted - sum(items.height for items in made)) > 0:
        # A fact gives two items at least.
        made.append(generate(graph, Options(n=-(-missing // 2), seed=len(made))).items)
    return made


def looked_at(items: pl.DataFrame) -> Counter[str]:
    """Count what a reader of the supporting sentence and one who remembers get right, and words changed outside the answer."""
    rows = [json.loads(line) for line in items.write_ndjson().splitlines()]
    originals = {row["group"]: row for row in rows if row["variant"] == "original"}
    swaps = [row for row in rows if row["variant"] == "swap"]
    read = sum(row["source"]["support"] in row["context"] and _says(row["source"]["support"], row["answer"][0]) for row in rows)
    return Counter(
        {
            "items": len(rows),
            "read": read,
            "swaps": len(swaps),
            "remembered": sum(_says(row["context"], originals[row["group"]]["answer"][0]) for row in swaps),
            "changed outside": sum(_masked(row) != _masked(originals[row["group"]]) for row in swaps),
        }
    )


def _says(text: str, answer: str) -> bool:
    return f" {fold(answer)} " in f" {fold(text)} "


def _masked(row: dict[str, Any]) -> str:
    """Put one sign in the place of the answer with its article, and leave out a full stop that it brings."""
    answer = re.escape(row["answer"][0])
    support = re.sub(
        rf"(?:\b(?:the|an?) )?(?<!\w){answer}(?!\w)( language)?", "◻", row["source"]["support"], flags=re.IGNORECASE
    )
    return str(row["context"].replace(row["source"]["support"], support)).replace("◻.", "◻")


def main() -> None:
    """Measure, and say what was found."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--store")
    words.add_argument("--items", type=int, default=5000)
    words.add_argument("--repeat", type=int, default=3)
    words.add_argument("--json", help="a file, or - for stdout")
    given = words.parse_args()
    graph = open_graph(given.store)
    if not isinstance(graph, LocalGraph):
        sys.exit("a folder made by `kg load`")
    dumped, dump, dump_wall = timed(lambda: sum(len(graph.dump(name)) for name in graph.data_graphs), given.repeat)
    frames, made, made_wall = timed(lambda: generated(graph, given.items), given.repeat)
    checked: Counter[str] = Counter()
    for items in frames:
        checked.update(looked_at(items))
    found = {
        "bytes dumped": dumped, "dump": {"processor": dump, "wall": dump_wall}, "items": {"processor": made, "wall": made_wall},
        "ratio": {"processor": made / dump, "wall": made_wall / dump_wall}, "goal": GOAL, "met": made <= GOAL,
        "checked": dict(checked),
    }  # fmt: skip
    text = json.dumps(found, indent=2)
    if given.json not in (None, "-"):
        Path(given.json).write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
