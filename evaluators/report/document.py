"""`metrics.json` and `metrics.csv`: the numbers of the report for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from evaluators.metrics import Table
from evaluators.metrics.table import Kind

METRICS_SCHEMA = "kgprobe.metrics/2"
_DIGITS = 10  # of a number: the last ones depend on the order of adding up, and the same input gives the same bytes


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class File(_Strict):
    """A file that was read: its name, the sha256 of its bytes, and how many records it holds."""

    name: str
    sha256: str
    count: int


class Prompts(_Strict):
    """What was sent: answers with a known prompt, different prompts, a hash over all in the order of item, model, sample."""

    answers: int
    distinct: int
    sha256: str | None


class Inputs(_Strict):
    """A set of files. `generators` made its items, from stores in the states `stores` (their digests)."""

    label: str | None
    items: File
    responses: File | None
    verdicts: File | None
    entailed: File | None
    claims: File | None = None
    models: list[str]
    generators: list[str]
    stores: list[str]
    prompts: Prompts
    judges: list[str] = Field(description="models or people that judged; rules have no name")
    rules: bool = Field(description="whether rules judged some")


class MeasureOf(_Strict):
    """A column: a rate (with `NAME_n`, `NAME_low`, `NAME_high` in the rows), a number (perhaps with them), a count."""

    name: str
    title: str
    kind: Kind
    note: str


class TableOf(_Strict):
    """Numbers in a paper's shape: each row has the dimensions `dims` and the measures."""

    title: str
    source: str
    note: str
    dims: list[str]
    measures: list[MeasureOf]
    rows: list[dict[str, str | int | float | None]]


class Versions(_Strict):
    """Of the code that made this."""

    kgprobe: str


class Metrics(_Strict):
    """The content of `metrics.json`; the same inputs give the same bytes."""

    version: Literal["kgprobe.metrics/2"] = Field(alias="schema")
    versions: Versions
    as_published: bool
    inputs: list[Inputs]
    tables: dict[str, TableOf]


def document(inputs: Sequence[Mapping[str, Any]], tables: Sequence[Table], *, as_published: bool) -> dict[str, Any]:
    """Return the content of `metrics.json`."""
    metrics = {
        "schema": METRICS_SCHEMA,
        "versions": {"kgprobe": version("kgprobe")},
        "as_published": as_published,
        "inputs": list(inputs),
        "tables": {table.key: _table(table) for table in tables},
    }
    Metrics.model_validate(metrics)  # what is written keeps to the schema that is printed
    return metrics


def _table(table: Table) -> dict[str, Any]:
    measures = [{"name": m.name, "title": m.title, "kind": m.kind, "note": m.note} for m in table.measures]
    rows = [{name: _value(value) for name, value in row.items()} for row in table.frame.iter_rows(named=True)]
    return {
        "title": table.title, "source": table.source, "note": table.note, "dims": list(table.dims), "measures": measures,
        "rows": rows,
    }  # fmt: skip


def _value(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.{_DIGITS}g}")
    return value


def json_bytes(metrics: Mapping[str, Any]) -> bytes:
    """Return `metrics.json`, to be read by people as well."""
    return (json.dumps(metrics, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def csv_bytes(metrics: Mapping[str, Any]) -> bytes:
    """Return `metrics.csv`.

    One line for each number: the table, all dimensions of all tables, the measure, the number and its interval.
    """
    tables = metrics["tables"]
    dims = list(dict.fromkeys(name for table in tables.values() for name in table["dims"]))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["table", *dims, "measure", "value", "n", "low", "high"])
    for key, table in tables.items():
        writer.writerows([_inert(cell) for cell in line] for line in _lines(key, table, dims))
    return stream.getvalue().encode()


def _lines(key: str, table: Mapping[str, Any], dims: Sequence[str]) -> Iterator[list[Any]]:
    for row in table["rows"]:
        for measure in table["measures"]:
            name = measure["name"]
            ends = [row.get(f"{name}_{end}") for end in ("n", "low", "high")]
            yield [key, *(row.get(dim) for dim in dims), name, row[name], *ends]


def _inert(cell: Any) -> Any:
    """Put a quote before a text that a spreadsheet would take for a formula.

    >>> _inert("=1+1"), _inert(-0.5)
    ("'=1+1", -0.5)
    """
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in {"=", "+", "-", "@", "\t", "\r"} else cell
