"""The report: what the verdicts amount to, as a page for people and as numbers for programs.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import json; print(json.load(open("report/metrics.json"))["tables"].keys())'
```
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from evaluators.errors import JoinError
from evaluators.metrics import Table, joined, tables
from evaluators.report.answers import STATES
from evaluators.report.compare import Comparison, compare, find_side
from evaluators.report.document import METRICS_SCHEMA, csv_bytes, document, json_bytes
from evaluators.report.folder import replacing_folder
from evaluators.report.overview import outcomes, pairs, sides
from evaluators.report.page import Content, page
from evaluators.report.proofs import Kinds
from evaluators.report.read import Files, Records, read_records, stacked
from evaluators.report.shards import CODES, script
from evaluators.report.words import REASONS
from queries.records.verdict import OUTCOMES

__all__ = ["METRICS_SCHEMA", "Files", "Made", "measure", "write_report"]


class Made(NamedTuple):
    """A report that was written: the content of `metrics.json`, and its tables."""

    metrics: dict[str, Any]
    tables: list[Table]


def measure(items: str, responses: str, verdicts: str, *, as_published: bool = False) -> dict[str, Any]:
    """Compute the content of `metrics.json` from three files.

    Raises RecordError with file, line and field where a line is at fault; JoinError where a response's item or a verdict's
    response is not there.
    """
    records = [read_records(Files(None, items, responses, verdicts))]
    return _measured(records, as_published=as_published)[0]


def write_report(
    sets: Sequence[Files], out: Path, *, comparing: tuple[str, str] | None = None, as_published: bool = False
) -> Made:
    """Write the folder of a report: `index.html`, `metrics.json`, `metrics.csv`, and `data/` with the items.

    Parameters: `sets` are files that belong together, each a run; `comparing` names two models; `as_published` counts outcomes
    as each paper does.
    Raises what `measure` raises; InputError where `out` cannot be replaced, or a model is not there. Then nothing is written.
    """
    with replacing_folder(out) as folder:
        (folder / "data").mkdir()
        records = [read_records(files, number, folder / "data") for number, files in enumerate(sets)]
        metrics, found, comparison = _measured(records, comparing, as_published=as_published)
        _close(folder / "data", records)
        content = Content(metrics, found, comparison, _positions(records, comparison), _notices(records, found))
        (folder / "index.html").write_bytes(page(content))
        (folder / "metrics.json").write_bytes(json_bytes(metrics))
        (folder / "metrics.csv").write_bytes(csv_bytes(metrics))
    return Made(metrics, found)


def _measured(
    records: Sequence[Records], comparing: tuple[str, str] | None = None, *, as_published: bool = False
) -> tuple[dict[str, Any], list[Table], Comparison | None]:
    items = stacked([one.items for one in records])
    _same_questions(items, records)
    responses, verdicts = (_of_runs(records, name) for name in ("responses", "verdicts"))
    answers = joined(items, responses, verdicts)
    known = sides(answers.filter(pl.col("state") != "unasked"))
    between = pairs(answers, known)
    begun = [table for table in (outcomes(answers), between) if table is not None and table.frame.height]
    entailed = [one.entailed for one in records if one.entailed is not None]
    told = pl.concat(entailed) if entailed else None
    found = [*begun, *tables(items, responses, verdicts, as_published=as_published, entailed=told)]
    comparison = None
    if comparing is not None or len(known) == 2:
        a, b = (find_side(name, known) for name in comparing) if comparing else known
        comparison = compare(answers, a, b) if comparing or between else None
    if comparison is not None:
        found.append(comparison.table)
    return document([one.inputs for one in records], found, as_published=as_published), found, comparison


def _of_runs(records: Sequence[Records], name: str) -> pl.DataFrame:
    frames: list[pl.DataFrame] = [getattr(one, name) for one in records]
    labels = [pl.lit(one.label, pl.String).alias("run") for one in records]
    return pl.concat([frame.with_columns(label) for frame, label in zip(frames, labels, strict=True)])


def _same_questions(items: pl.DataFrame, records: Sequence[Records]) -> None:
    """Raise JoinError where two runs mean different questions by one id."""
    for one in records if len(records) > 1 else ():
        both = one.items.select("id", "question").join(items.select("id", other="question"), on="id")
        unlike = both.filter(pl.col("question") != pl.col("other"))
        if unlike.height:
            problem = f"item '{unlike['id'][0]}' asks something else than the item of that id before"
            raise JoinError(
                problem, place=f"--more {one.label}", way_out="give runs of the same items, or items with ids of their own"
            )


def _close(folder: Path, records: Sequence[Records]) -> None:
    """Write the scripts that are about all items."""
    begun: list[dict[str, Any]] = []
    kinds: Kinds = {}
    for one in records:
        if one.shards is not None:
            begun.append(one.shards.close(one.answers.states(one.items["id"])) | {"label": one.label or "(no label)"})
            kinds |= one.shards.kinds
    about = {"sets": begun, "codes": CODES, "states": STATES, "outcomes": OUTCOMES, "reasons": list(REASONS.items())}
    (folder / "about.js").write_bytes(script("about", about))
    (folder / "proofs.js").write_bytes(script("proofs", sorted(kinds.items())))


def _positions(records: Sequence[Records], comparison: Comparison | None) -> dict[tuple[str | None, str], tuple[int, int]]:
    """Say where the items stand that the page links to: their set, and their number in it."""
    if comparison is None:
        return {}
    wanted = {*comparison.only_a["item"], *comparison.only_b["item"]}
    return {
        (one.label, item): (number, position)
        for number, one in enumerate(records)
        for position, item in enumerate(one.items["id"])
        if item in wanted
    }


def _notices(records: Sequence[Records], found: Sequence[Table]) -> list[str]:
    """Say what a reader should know before the numbers."""
    unjudged = sum(table.frame["unjudged"].sum() for table in found if table.key == "overview.outcomes")
    said = [f"{unjudged:,} {'answer has' if unjudged == 1 else 'answers have'} no verdict."] if unjudged else []
    for one in records:
        of = f" of {one.label}" if one.label else ""
        asked = one.responses["item"].n_unique()
        if asked < one.items.height:
            said.append(f"{one.items.height - asked:,} of {one.items.height:,} items{of} were asked of no model.")
    return said
