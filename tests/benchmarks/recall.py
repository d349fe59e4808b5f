"""How long do FACT-BENCH's questions and the consistency choices take, beside one dump of the store they come from?

```
python tests/benchmarks/recall.py
python tests/benchmarks/recall.py --store ./wd --rounds 5 --json -
```

Without `--store` the graph is Wikidata's, if it is at hand ($KGPROBE_SHARED/data), else the starter graph. A dump writes every
triple as N-Quads from the store in memory. The contestants take turns, and the best round of each counts, in time of the
processor: the goals are 10 dumps for 20,000 questions (or as many as the graph yields) and 10 seconds for 60,000 choices.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from generators import factbench, unseenqa
from generators.items import write_items
from generators.unseenqa.consistency import consistency
from kg import LocalGraph, open_graph
from kg.graph import Graph
from kg.sources.wikidata import WikidataFiles, load_wikidata

QUESTIONS, ANSWERS = 20_000, 3_000


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", help="a folder made by `kg load`")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--answers", type=int, default=ANSWERS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the numbers there, too; - is stdout")
    given = parser.parse_args()
    graph = _local(open_graph(given.store)) if given.store else _at_hand()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(graph, Path(folder), given.questions, given.answers, given.rounds)
    for name, value in found.items():
        print(f"{name:40} {value}")
    if given.json:
        text = json.dumps(found)
        print(text) if given.json == "-" else Path(given.json).write_text(text, encoding="utf-8")


def measure(graph: LocalGraph, folder: Path, questions: int, answers: int, rounds: int) -> dict[str, float]:
    """Return seconds of a dump, of the questions and of the choices, how many there are, and the ratios."""
    items, responses, again = (str(folder / f"{name}.jsonl") for name in ("items", "responses", "again"))
    made = {"questions": 0, "choices": 0}

    def dump() -> None:
        for name in graph.data_graphs:
            graph.dump(name)

    def ask() -> None:
        made["questions"] = write_items(items, factbench.generate(graph, factbench.Options(n=questions)).items)

    unseen = unseenqa.generate(graph, unseenqa.Options(as_of=date(2024, 4, 13), fillers=max(1, answers // 20))).items
    write_items(str(folder / "unseen.jsonl"), unseen)
    _answered(str(folder / "unseen.jsonl"), responses)

    def choose() -> None:
        made["choices"] = write_items(again, consistency(graph, responses, str(folder / "unseen.jsonl"), seed=0).items)

    best = _turns({"dump": dump, "questions": ask, "choices": choose}, rounds)
    return {
        "questions": made["questions"],
        "choices": made["choices"],
        "dump, seconds": round(best["dump"], 3),
        "questions, seconds": round(best["questions"], 3),
        "choices, seconds": round(best["choices"], 3),
        "questions, in dumps": round(best["questions"] / best["dump"], 2),
        "60,000 choices, seconds": round(best["choices"] * 60_000 / max(made["choices"], 1), 2),
        "choices, in dumps": round(best["choices"] / best["dump"], 2),
    }


def _turns(contestants: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            started = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - started)
    return best


_ANSWERS = {"number": "{n}", "person": "Ada Lovelace", "time": "{day} May 19{year}", "location": "Oslo", "other": "a writer"}


def _answered(items: str, path: str) -> None:
    """Answer every question as a model that never says "unsure" would: with something of the kind that is asked for."""
    with Path(items).open(encoding="utf-8") as lines, Path(path).open("w", encoding="utf-8") as out:
        for number, line in enumerate(lines):
            item = json.loads(line)
            kind = item["strata"].get("answer_type")
            text = _ANSWERS.get(kind, "Oslo").format(n=number % 40, day=1 + number % 28, year=10 + number % 90)
            response = {"schema": "kgprobe.response/1", "item": item["id"], "model": "scripted", "sample": 0, "text": text}
            out.write(json.dumps(response) + "\n")


def _local(graph: Graph) -> LocalGraph:
    assert isinstance(graph, LocalGraph)
    return graph


def _at_hand() -> LocalGraph:
    shared = os.environ.get("KGPROBE_SHARED")
    if shared is None or not (folder := Path(shared) / "data" / "wikidata-core").is_dir():
        return _local(open_graph())
    kinds = ("triples", "entities", "types", "properties", "qualifiers")
    attributes = folder.parent / "wikidata-attributes" / "attributes.tsv"
    files = WikidataFiles(
        **{kind: folder / f"{kind}.tsv" for kind in kinds}, incomplete=folder / "hidden_objects.tsv", attributes=attributes
    )
    return LocalGraph.in_memory(load_wikidata(files))


if __name__ == "__main__":
    main()
