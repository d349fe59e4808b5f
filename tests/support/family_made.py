"""What the tests of families share: graphs of a few tables, and items as a reader of the file gets them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from generators.family import Options, Result, generate
from kg import LocalGraph
from kg.sources.tables import load_tables
from queries import Template, load
from queries.audit import Audit, audit_items

__all__ = ["FAMILIES", "audited", "family", "films", "items", "made", "random_table", "tables"]

FAMILIES = Path(__file__).parents[1] / "fixtures" / "families"

Items = list[dict[str, Any]]


def tables(schema: Path) -> LocalGraph:
    """The graph of a SCHEMA.toml."""
    return LocalGraph.in_memory(load_tables(schema))


def films() -> LocalGraph:
    """Fifteen films, their directors and the cities these were born in."""
    return tables(FAMILIES / "films" / "SCHEMA.toml")


def family(name: str) -> Template:
    """A family of the fixtures."""
    return load(FAMILIES / f"{name}.rq")


def made(name: str, options: Options = Options()) -> Result:
    """What a family of the fixtures gives on the films."""
    return generate(films(), family(name), options)


def items(result: Result) -> Items:
    """The items as they stand in the file."""
    return [json.loads(line) for line in result.items.write_ndjson().splitlines()]


def audited(graph: LocalGraph, result: Result, literal: int = 10_000) -> Audit:
    """Run every proof, in bulk and one by one."""
    return audit_items(graph, result.items.select("id", "proof"), literal=literal)


def random_table(rows: Sequence[tuple[str, ...]], columns: Sequence[str]) -> LocalGraph:
    """The graph of one table `t`, whose cells are texts; an empty one is no value."""
    with tempfile.TemporaryDirectory() as folder:
        frame = pl.DataFrame([(str(i), *row) for i, row in enumerate(rows)], schema=["id", *columns], orient="row")
        frame.write_csv(Path(folder) / "t.csv")
        Path(folder, "SCHEMA.toml").write_text('base = "http://e.org/"\n[tables.t]\nkey = "id"\n', encoding="utf-8")
        return tables(Path(folder) / "SCHEMA.toml")
