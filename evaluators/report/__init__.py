"""The report: what the verdicts amount to, as `metrics.json` and as a table.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'import json; print(json.load(open("report/metrics.json"))["fpq"].keys())'
```
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, Literal, NamedTuple

from evaluators.joins import known_answers, known_items
from evaluators.metrics.fpq import fpq_metrics, questions
from kg.errors import InputError
from queries.item import EDITS, Item
from queries.records import read_frame
from queries.response import Response
from queries.verdict import Verdict

__all__ = ["METRICS_SCHEMA", "Row", "measure", "table"]

METRICS_SCHEMA = "kgprobe.metrics/1"


def measure(items: str, responses: str, verdicts: str) -> dict[str, Any]:
    """Compute the content of `metrics.json` from three files.

    Raises JoinError, with file and line, where a response's item or a verdict's response is not there; InputError where no
    item has a premise.
    """
    asked = read_frame(items, Item, ["id", "task", "group", "premise", "strata"])
    answered = read_frame(responses, Response, ["item", "model", "sample"], numbered=True)
    judged = read_frame(verdicts, Verdict, ["item", "model", "sample", "outcome"], numbered=True)
    known_items(answered, asked["id"], responses, items)
    known_items(judged, asked["id"], verdicts, items)
    known_answers(judged, answered, verdicts, responses)
    premises = questions(asked)
    if not premises.height:
        raise InputError("no item has a premise", place=items, way_out="this version reports on true and false premises")
    return {
        "schema": METRICS_SCHEMA,
        "kgprobe": version("kgprobe"),
        "items": asked.height,
        "without_premise": asked.height - premises.height,
        "fpq": fpq_metrics(premises, answered, judged),
    }


class Row(NamedTuple):
    """A line of the table: what it is about, and its cells, `TPQ`, the six edits and all false premises."""

    model: str
    groups: str
    task: str
    domain: str
    cells: dict[str, dict[str, Any]]


_GROUPS: tuple[Literal["all", "gated"], ...] = ("all", "gated")


def table(metrics: dict[str, Any]) -> Iterator[Row]:
    """Yield the lines of the table, model by model; the domain of all domains together is `*`."""
    for model, numbers in metrics["fpq"].items():
        for groups in _GROUPS:
            for task, found in numbers[groups].items():
                for domain, cut in {"*": found["overall"], **found["domains"]}.items():
                    cells = {"TPQ": cut["tpq"]} | {edit: cut["edits"][edit] for edit in EDITS} | {"FPQ": cut["fpq"]}
                    yield Row(model, groups, task, domain, cells)
