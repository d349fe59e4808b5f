"""A report over all real answers that lie beside a checkout, made by the project's own commands.

```
python tests/benchmarks/real_report.py --out real/
python tests/benchmarks/real_report.py --scripted --out real/
```

ERBench's published answers (every file of `erbench/responses`) become items and recordings, which `evaluators.ask` asks,
`evaluators.verify` judges and `evaluators.report` reports: one run for each way in which its models were asked, and one for the
open questions of EVOUNA with the answers of its five systems. With `--scripted` three models with known habits answer the
yes-no questions of the first run, too: one always says no, one knows all, one says what is mostly right of questions of a form.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

Row = dict[str, Any]
DATA = Path(os.environ.get("KGPROBE_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"
ORDER = ("first", "second", "third")


class Asked(NamedTuple):
    """An item, and what models said to it."""

    item: Row
    texts: dict[str, str]


def rows_of(path: Path) -> Iterator[Row]:
    """Read a file of answers."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def erbench_item(row: Row) -> Row:
    """State a published question as an item: what is given, and what a right explanation names, in hop order."""
    number = row["id"].rpartition("/")[2].partition("@")[0]
    task, form = ("choice", ORDER[int(number[-1])]) if row["task"] == "mc" else ("yes_no", row["task"].split("_")[1])
    slots = {str(value): slot for slot, value in row["entity"].items() if slot != "row"}
    named = [(slots.get(value, "value"), value.split(";")) for value in row["inferred"]]
    hidden = {slot for slot, _ in named}
    return {
        "schema": "kgprobe.item/1", "id": f"erbench.{row['domain']}.{row['task']}.{number}",
        "method": "erbench", "family": f"erbench/{row['domain']}", "task": task, "variant": form,
        "question": row["question"].partition("\nOption 1")[0], "options": row.get("options"), "answer": [row["gold_answer"]],
        "given": [{"slot": slot, "value": str(value)} for slot, value in row["entity"].items() if slot not in (*hidden, "row")],
        "rationale": [{"slot": slot, "value": first, "aliases": others} for slot, (first, *others) in named],
        "group": f"{row['domain']}.{row['entity']['row']}",
        "strata": {"domain": row["domain"].partition("_")[0], "hops": str(len(named)) if len(named) > 1 else None},
    }  # fmt: skip


def erbench() -> dict[str, dict[str, Asked]]:
    """Return the published answers by the way in which their models were asked, then by item."""
    runs: dict[str, dict[str, Asked]] = defaultdict(dict)
    for path in [*sorted((DATA / "erbench/responses").glob("*/*.jsonl.gz")), DATA / "erbench/human_labelled_dev.jsonl.gz"]:
        for row in rows_of(path):
            # A model was asked its choices and its yes-no questions without demonstrations.
            run = "zero_shot" if row["setting"] == "mc" else str(row["setting"])
            item = erbench_item(row)
            asked = runs[run].setdefault(item["id"], Asked(item, {}))
            if not row["response_error"] and asked.item["question"] == item["question"]:
                asked.texts.setdefault(row["model"], row["response"])
    return runs


def evouna() -> dict[str, Asked]:
    """Return open questions with the answers of five systems."""
    asked: dict[str, Asked] = {}
    for row in rows_of(DATA / "judging/evouna_dev.jsonl.gz"):
        source, number, system = row["id"].rsplit("-", 2)
        item = {
            "schema": "kgprobe.item/1", "id": f"{source}.{number}", "method": "evouna", "family": source, "task": "open",
            "variant": "basic", "question": row["question"], "answer": row["gold"], "group": f"{source}.{number}",
            "rationale": [], "given": [], "strata": {"source": {"NQ": "Natural Questions", "TQ": "TriviaQA"}[source]},
        }  # fmt: skip
        asked.setdefault(item["id"], Asked(item, {})).texts[system] = row["response"]
    return asked


def scripted(asked: Iterable[Asked]) -> None:
    """Let three models with known habits answer yes-no questions."""
    yes_no = [one for one in asked if one.item["task"] == "yes_no"]
    kinds = [(one.item["family"], one.item["variant"]) for one in yes_no]
    right = Counter(zip(kinds, [one.item["answer"][0] for one in yes_no], strict=True))
    for one, kind in zip(yes_no, kinds, strict=True):
        common = max(("no", "yes"), key=lambda word: right[kind, word])
        one.texts.update({"always-no": "No.", "knows-all": explained(one.item), "by-frequency": f"{common.capitalize()}."})


def explained(item: Row) -> str:
    """Answer as one would who knows it all."""
    named = "; ".join(f"the {entry['slot'].replace('_', ' ')} is {entry['value']}" for entry in item["rationale"])
    return f"{item['answer'][0].capitalize()}: {named}."


def command(name: str, *arguments: object) -> None:
    """Run a command of the project."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", f"evaluators.{name}", *map(str, arguments), "--quiet"], check=True)
    print(f"{name}: {time.monotonic() - began:.0f} s")


def judged(folder: Path, asked: Iterable[Asked]) -> list[Path]:
    """Write items and recordings, ask and judge; returns the files of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    items, responses, verdicts = (folder / f"{name}.jsonl" for name in ("items", "responses", "verdicts"))
    texts: dict[str, list[Row]] = defaultdict(list)
    with items.open("w", encoding="utf-8") as stream:
        for one in asked:
            print(json.dumps(one.item), file=stream)
            for model, text in one.texts.items():
                texts[model].append({"item": one.item["id"], "text": text})
    for model, lines in sorted(texts.items()):
        recording, some = folder / f"{model}.jsonl", folder / f"items-{model}.jsonl"
        recording.write_text("".join(json.dumps(line) + "\n" for line in lines))
        wanted = {line["item"] for line in lines}
        some.write_text("".join(f"{line}\n" for line in items.read_text().splitlines() if json.loads(line)["id"] in wanted))
        # Only what was sent is to be asked; the prompts of the publishers are not at hand, so ours stand in the records.
        command("ask", some, "--model", f"replay:{recording}", "--as", model, "--setting", "zero-shot", "--out", responses)
    command("verify", "--items", items, "--responses", responses, "--out", verdicts)
    return [items, responses, verdicts]


def main(
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    habits: Annotated[bool, typer.Option("--scripted", help="Let three models with known habits answer, too.")] = False,
) -> None:
    """Make the report: `python tests/benchmarks/real_report.py --out real/`."""
    runs = {**erbench(), "open": evouna()}
    if habits:
        scripted(runs["zero_shot"].values())
    print(f"{sum(len(one.texts) for asked in runs.values() for one in asked.values()):,} answers")
    files = {name.replace("_", "-"): judged(out / name, asked.values()) for name, asked in runs.items()}
    (first, own), *others = files.items()
    named = [part for name, path in zip(("items", "responses", "verdicts"), own, strict=True) for part in (f"--{name}", path)]
    more = [part for name, paths in others for part in ("--more", f"{name}={','.join(map(str, paths))}")]
    command("report", *named, "--label", first, *more, "--out", out / "report")


if __name__ == "__main__":
    typer.run(main)
