"""`kg fds`: dependencies as a table or a file, and into the schema graph of a store."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from typing import Annotated, Any

import typer

from kg import cli
from kg.dependencies.drawing import drawing
from kg.dependencies.find import Dependencies, find_dependencies
from kg.dependencies.store import write_dependencies
from kg.errors import InputError
from kg.files import check_apart, replacing
from kg.graph_choice import GraphChoice, with_graph
from kg.output import table_text

_COLUMNS = ("kind", "table", "columns", "to", "support", "violations", "coverage", "likeness", "declared")
_LIKELY = 0.5


@with_graph
def fds(
    tables: Annotated[list[str] | None, typer.Argument(metavar="[TABLE]...", help="Only these tables.")] = None,
    where: GraphChoice = GraphChoice(),
    max_left: Annotated[int, typer.Option(min=0, max=6, help="At most so many columns on the left.")] = 3,
    max_violations: Annotated[int, typer.Option(min=0, help="Also what so many rows break; else only what no row breaks.")] = 0,
    write: Annotated[bool, typer.Option("--write", help="Say it in the schema graph of the store, for SPARQL.")] = False,
    form: Annotated[str, typer.Option("--format", help="table (what is likely), csv or jsonl (everything).")] = "table",
    rows: Annotated[str | None, typer.Option(metavar="FILE", help="Write the rows that break something (JSON Lines).")] = None,
    draw: Annotated[str | None, typer.Option(metavar="FILE.svg", help="Draw the tables, their keys and references.")] = None,
    out: cli.Out = "-",
    quiet: cli.Quiet = False,
) -> None:
    """Find functional dependencies, keys and undeclared foreign keys, with support and violations.

    \b
    Example:
      kg fds city
    """
    if form not in _FORMATS:
        raise InputError(f"'{form}' is no format", place="--format", way_out=f"known: {', '.join(_FORMATS)}")
    if write and where.store is None:
        raise InputError("there is no store to write to", place="--write", way_out="name one with --store")
    check_apart({"--out": out, "--rows": rows, "--draw": draw})
    with cli.progress("searching", None, quiet):
        graph = where.open()
        dependencies = find_dependencies(graph, tables or (), max_left=max_left, max_violations=max_violations)
    every = _rows(dependencies)
    shown = [row for row in every if _is_likely(row)] if form == "table" else every
    files = [(out, _FORMATS[form](shown))]
    files += [] if rows is None else [(rows, _violations(dependencies))]
    files += [] if draw is None else [(draw, _drawn(dependencies))]
    with ExitStack() as stack:
        # All files are opened before anything is written: a path that cannot be leaves nothing behind.
        streams = [(stack.enter_context(replacing(path)), text) for path, text in files]
        for stream, text in streams:
            stream.write(text.encode())
    if len(shown) < len(every):
        cli.note(f"{len(every) - len(shown):,} more that nothing tests, or no name suggests: --format csv gives all", quiet)
    if write and where.store is not None:
        written = write_dependencies(where.store, dependencies)
        cli.note(f"wrote {written:,} of them into the schema graph of {where.store}", quiet)


def _rows(dependencies: Dependencies) -> list[dict[str, Any]]:
    rows: list[tuple[Any, ...]] = []
    for d in dependencies.dependencies:
        rows.append(("dependency", d.table, d.left, [d.right], d.support, d.violations, None, None, d.declared))
    for k in dependencies.keys:
        rows.append(("key", k.table, k.columns, [], k.support, k.violations, None, None, k.declared))
    for i in dependencies.references:
        table, columns, other, to = i.reference
        measures = (i.support, i.violations, i.coverage, i.likeness, i.declared)
        rows.append(("foreign key", table, columns, [other, *to], *measures))
    return [dict(zip(_COLUMNS, row, strict=True)) for row in rows]


def _drawn(dependencies: Dependencies) -> str:
    """Draw the references that the table for people shows."""
    references = dependencies.references
    likely = [one for one in references if one.declared or (one.support and one.likeness >= _LIKELY)]
    return drawing(dependencies, likely)


def _is_likely(row: dict[str, Any]) -> bool:
    """Tell whether a row belongs into the table for people: declared, or tested by rows and, a reference, likely by names."""
    if row["declared"] or row["kind"] == "key":
        return not (row["kind"] == "dependency" and row["support"] == 0)
    return bool(row["support"] and (row["likeness"] is None or row["likeness"] >= _LIKELY))


def _texts(row: dict[str, Any]) -> list[str]:
    cells = dict(row)
    cells["columns"] = ", ".join(row["columns"]) or "∅"
    to = row["to"]
    cells["to"] = f"{to[0]} ({', '.join(to[1:])})" if row["kind"] == "foreign key" else ", ".join(to)
    cells["declared"] = "yes" if row["declared"] else "no"
    return ["" if cell is None else str(cell) for cell in cells.values()]


def _table(rows: list[dict[str, Any]]) -> str:
    return table_text(list(_COLUMNS), map(_texts, rows), terminal=sys.stdout.isatty())


def _csv(rows: list[dict[str, Any]]) -> str:
    lines = [list(_COLUMNS), *map(_texts, rows)]
    return "".join(",".join(_quoted(cell) for cell in line) + "\n" for line in lines)


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in ',"\r\n') else cell


def _jsonl(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


_FORMATS = {"table": _table, "csv": _csv, "jsonl": _jsonl}


def _violations(dependencies: Dependencies) -> str:
    return _jsonl(
        [
            {
                "table": v.dependency.table,
                "left": dict(zip(v.dependency.left, v.values[:-1], strict=True)),
                "right": {v.dependency.right: v.values[-1]},
                "row": v.row,
            }
            for v in dependencies.violations
        ]
    )
