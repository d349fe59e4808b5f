"""What each harness wants to find in a folder: its files, written from samples."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import polars as pl
import yaml

from evaluators.export.samples import UNKNOWN, Sample
from queries.records import Item, frame_schema

Files = Mapping[str, bytes]
"""The files of a folder by their names."""


def slug(name: str) -> str:
    """Make a name that every harness takes.

    >>> slug("Chinook (2024)")
    'chinook_2024'
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "items"


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Write objects as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def inspect_files(name: str, samples: list[Sample]) -> Files:
    """Return a task file of Inspect and its dataset: `inspect eval FOLDER/task.py`."""
    rows = ({"id": s.id, "input": s.turns(), "target": s.answers, "item": s.item} for s in samples)
    return {"dataset.jsonl": json_lines(rows), "task.py": _INSPECT.replace("NAME", slug(name)).encode()}


_INSPECT = '''"""A task of Inspect: `inspect eval task.py --model openai/SOME-MODEL` (needs `pip install kgprobe[inspect]`)."""

from pathlib import Path

from inspect_ai import Task, task

from evaluators.export.inspect_task import task_of


@task
def NAME() -> Task:
    return task_of(Path(__file__).parent)
'''


def lm_eval_files(name: str, samples: list[Sample]) -> Files:
    """Return a task folder of the LM Evaluation Harness: `lm_eval --include_path FOLDER --tasks kgprobe_NAME`."""
    task = f"kgprobe_{slug(name)}"
    rows = ({"id": s.id, "prompt": s.prompt, "target": s.answers[0], "item": json.dumps(s.item)} for s in samples)
    config = {
        "task": task,
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{prompt}}",
        "doc_to_target": "{{target}}",
        "generation_kwargs": {"until": [], "do_sample": False, "max_gen_toks": 512},
        "metric_list": [
            {"metric": metric, "aggregation": "nanmean", "higher_is_better": metric == "correct"}
            for metric in ("correct", "abstained")
        ],
        "metadata": {"version": 1.0},
    }
    # A tag of YAML names the function; `safe_dump` would quote it.
    text = yaml.safe_dump(config, sort_keys=False)
    text += "custom_dataset: !function utils.dataset\nprocess_results: !function utils.process_results\n"
    return {"data.jsonl": json_lines(rows), f"{task}.yaml": text.encode(), "utils.py": _LM_EVAL.encode()}


_LM_EVAL = '''"""Verdicts of KGProbe for the LM Evaluation Harness."""

import json
from pathlib import Path

import datasets

from evaluators.export.scoring import points, score


def dataset(**kwargs):
    return {"test": datasets.Dataset.from_json(str(Path(__file__).parent / "data.jsonl"))}


def process_results(doc, results):
    item = json.loads(doc["item"])
    ruling = score(item, results[0])
    value = points(ruling, unknowable=item.get("answer") is None)
    # Without a score there is no number: the mean leaves it out.
    correct = float("nan") if value is None else value
    return {"correct": correct, "abstained": float(ruling.outcome == "abstained")}
'''


def promptfoo_files(name: str, samples: list[Sample]) -> Files:
    """Return a configuration of promptfoo with a Python assertion: `promptfoo eval -c FOLDER/promptfooconfig.yaml`."""
    tests = [
        {
            "description": s.id,
            "vars": {"messages": json.dumps(s.turns(), ensure_ascii=False), "item": json.dumps(s.item, ensure_ascii=False)},
            "assert": [{"type": "python", "value": "file://verdict.py"}],
            "metadata": s.strata,
        }
        for s in samples
    ]
    config = {
        "description": f"KGProbe: {name}",
        "prompts": ["file://prompt.json"],
        "providers": ["openai:chat:SOME-MODEL"],
        "tests": "file://tests.json",
    }
    return {
        "promptfooconfig.yaml": yaml.safe_dump(config, sort_keys=False).encode(),
        "prompt.json": b"{{ messages | safe }}\n",
        "tests.json": json.dumps(tests, ensure_ascii=False, indent=1).encode(),
        "verdict.py": _PROMPTFOO.encode(),
    }


_PROMPTFOO = '''"""Verdicts of KGProbe for promptfoo; PROMPTFOO_PYTHON names a Python that has the package `kgprobe`."""

import json

from evaluators.export.scoring import points, score


def get_assert(output, context):
    item = json.loads(context["vars"]["item"])
    ruling = score(item, output)
    value = points(ruling, unknowable=item.get("answer") is None)
    return {"pass": value == 1, "score": value or 0.0, "reason": f"{ruling.outcome}: {ruling.reason}"}
'''


def openai_files(name: str, samples: list[Sample]) -> Files:
    """Return samples and a registry entry of OpenAI's `evals`: `oaieval SOME-MODEL kgprobe-NAME --registry_path FOLDER`."""
    rows = ({"input": s.turns(), "ideal": s.answers, "item": s.item} for s in samples)
    task = f"kgprobe-{slug(name)}"
    entry = {
        task: {"id": f"{task}.test.v0", "metrics": ["accuracy"]},
        f"{task}.test.v0": {
            "class": "evaluators.export.openai_eval:Verdicts",
            "args": {"samples_jsonl": f"{task}/samples.jsonl"},
        },
    }
    return {
        f"data/{task}/samples.jsonl": json_lines(rows),
        f"evals/{task}.yaml": yaml.safe_dump(entry, sort_keys=False).encode(),
    }


def csv_files(name: str, samples: list[Sample]) -> Files:
    """Return one table: id, prompt, question, options, answers, context, and a column for each stratum."""
    strata = list(dict.fromkeys(key for s in samples for key in s.strata))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "prompt", "question", "options", "answers", "context", *strata])
    for s in samples:
        told = [
            s.id,
            s.prompt,
            s.item["question"],
            _list(s.item.get("options")),
            _list(s.item.get("answer")),
            s.item.get("context"),
        ]
        writer.writerow([*told, *[s.strata.get(key) for key in strata]])
    return {f"{slug(name)}.csv": out.getvalue().encode()}


def _list(texts: list[str] | None) -> str:
    return json.dumps(texts, ensure_ascii=False) if texts else ""


def hugging_face_files(name: str, samples: list[Sample]) -> Files:
    """Return a dataset as the Hugging Face hub keeps one: Parquet and a card; `datasets.load_dataset(FOLDER)` opens it.

    Fields whose shape differs from item to item (strata, proofs' bindings, sources) are objects written as JSON.
    """
    schema = {column: kind for column, kind in frame_schema(Item).items() if column not in _AS_JSON}
    rows = [{key: s.item.get(key) for key in schema} for s in samples]
    frame = pl.DataFrame(rows, schema=schema).with_columns(
        *[pl.Series(key, [json.dumps(s.item.get(key), ensure_ascii=False) for s in samples]) for key in _AS_JSON],
        pl.Series("prompt", [s.prompt for s in samples]),
    )
    parquet = io.BytesIO()
    frame.write_parquet(parquet)
    return {"data/test-00000-of-00001.parquet": parquet.getvalue(), "README.md": _card(name, samples).encode()}


_AS_JSON = ("strata", "source", "proof")


def _card(name: str, samples: list[Sample]) -> str:
    """Write a dataset card: what the items are, how many of each, from which graph, how they were proven, what they lack."""
    counts = Counter((s.item["task"], s.item["variant"]) for s in samples)
    table = "\n".join(f"| {task} | {variant} | {n:,} |" for (task, variant), n in sorted(counts.items()))
    sources = sorted({json.dumps(s.item.get("source") or {}, ensure_ascii=False, sort_keys=True) for s in samples})
    graphs = sorted({str((s.item.get("source") or {}).get("graph", "not said")) for s in samples})
    digests = sorted({str((s.item.get("source") or {}).get("digest", "not said")) for s in samples})
    header = {
        "pretty_name": f"KGProbe: {name}",
        "task_categories": ["question-answering"],
        "language": ["en"],
        "tags": ["kgprobe", "factuality", "knowledge-graph"],
        "size_categories": [_size(len(samples))],
        "license": "other",
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": "data/test-*.parquet"}]}],
    }
    proofs = sum(len(s.item.get("proof") or ()) for s in samples)
    unknowable = sum(UNKNOWN in s.answers for s in samples)
    return _CARD.format(
        header=yaml.safe_dump(header, sort_keys=False).strip(), name=name, n=f"{len(samples):,}", table=table,
        graphs=", ".join(graphs), digests=", ".join(digests), proofs=f"{proofs:,}", sources=len(sources), unknowable=unknowable,
    )  # fmt: skip


def _size(n: int) -> str:
    return "n<1K" if n < 1000 else "1K<n<10K" if n < 10_000 else "10K<n<100K" if n < 100_000 else "100K<n<1M"


_CARD = """---
{header}
---

# {name}

{n} questions made by KGProbe from a knowledge graph. Each carries the SPARQL queries that prove its answer.

| task | variant | questions |
|---|---|---|
{table}

**Provenance.** Graph {graphs}, {digests}. The licence is that of the graph's sources (`kg stats` names it): fill it in above.

**Proof.** {proofs} queries in `proof`, as JSON; `kgprobe audit items.jsonl --store STORE` runs them all.

**Scoring.** `answer` holds the accepted answers, the best first; of a choice the option's number from 1; null where nobody
knows ({unknowable} of them). `kgprobe verify` judges answers by rules.

**Known limits.** A question is as true as the graph. What the graph lacks may be true in the world, so a false premise is false
as far as the graph goes. Some questions are stiffly worded: read a sample before use.
"""


FORMATS: dict[str, Callable[[str, list[Sample]], Files]] = {
    "inspect": inspect_files,
    "lm-eval": lm_eval_files,
    "hf": hugging_face_files,
    "promptfoo": promptfoo_files,
    "openai-evals": openai_files,
    "csv": csv_files,
}
"""The harnesses, and who writes the files of each."""
