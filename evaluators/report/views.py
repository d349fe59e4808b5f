"""Tables as the page shows them: what never changes taken out of the rows, numbers with their intervals under them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evaluators.metrics import ALL, Measure, Table
from evaluators.report.text import NONE, count, interval, number, visible

_ROWS = 150  # rows of a table that the page shows; all are in metrics.csv
_COLUMNS = 8  # a last dimension with no more values than this becomes columns


class Cell(NamedTuple):
    """A number, what stands under it, what is said when it is pointed at, and the length of its bar in percent."""

    value: str
    under: str = ""
    hint: str = ""
    bar: int | None = None

    @property
    def empty(self) -> bool:
        """Whether there is no number."""
        return self.value == NONE


class Head(NamedTuple):
    """The head of a column of numbers."""

    name: str
    hint: str = ""


class Row(NamedTuple):
    """A row: its names (and whether each repeats the one above), its cells, and whether a block begins with it."""

    heads: list[tuple[str, bool]]
    cells: list[Cell]
    block: bool


class View(NamedTuple):
    """A table of the page; `across` is the dimension whose values are its columns, empty where these are measures."""

    anchor: str
    title: str
    source: str
    note: str
    measures: tuple[Measure, ...]
    fixed: list[tuple[str, str]]
    heads: list[str]
    columns: list[Head]
    rows: list[Row]
    left_out: int
    across: str = ""


def anchor(*names: str) -> str:
    """Return an id for the page.

    >>> anchor("fpq.accuracy", "yes_no")
    'fpq-accuracy-yes-no'
    """
    return re.sub("[^A-Za-z0-9]+", "-", "-".join(names)).strip("-") or "x"


def dimension(value: object) -> str:
    """Write a value of a dimension.

    >>> dimension("*"), dimension(None)
    ('all', '–')
    """
    return "all" if value == ALL else NONE if value is None else visible(value)


def view(table: Table) -> View:
    """Lay a table out."""
    frame = table.frame
    # What is the same in every row is said once, above the table.
    varying = [name for name in table.dims if frame[name].n_unique() > 1] or list(table.dims[:1])
    fixed = [(name, dimension(frame[name][0])) for name in table.dims if name not in varying] if frame.height else []
    across = _across(table, varying)
    heads, columns, rows = _pivoted(table, varying, across) if across else _plain(table, varying)
    lines = _rows(rows[:_ROWS])
    source = table.source[:1].upper() + table.source[1:]
    return View(
        anchor(table.key),
        table.title,
        source,
        table.note,
        table.measures,
        fixed,
        heads,
        columns,
        lines,
        len(rows) - len(lines),
        across or "",
    )


def _across(table: Table, varying: Sequence[str]) -> str | None:
    """Return the dimension that becomes columns: the last, where there is one measure to show."""
    if len(table.measures) != 1 or len(varying) < 2 or table.frame[varying[-1]].n_unique() > _COLUMNS:
        return None
    return varying[-1]


Named = list[tuple[list[str], list[Cell]]]
"""Rows: the values of their dimensions, and their cells."""


def _plain(table: Table, varying: Sequence[str]) -> tuple[list[str], list[Head], Named]:
    shown = [measure for measure in table.measures if measure.kind != "count" or table.frame[measure.name].cast(bool).any()]
    columns = [Head(measure.title, measure.note) for measure in shown]
    rows = [
        ([dimension(row[name]) for name in varying], [_cell(row, measure) for measure in shown])
        for row in table.frame.head(_ROWS).iter_rows(named=True)
    ]
    # The rows that are not shown are counted: empty ones stand for them.
    return [*varying], columns, rows + [([], [])] * (table.frame.height - len(rows))


def _pivoted(table: Table, varying: Sequence[str], across: str) -> tuple[list[str], list[Head], Named]:
    measure, heads = table.measures[0], [name for name in varying if name != across]
    values = table.frame[across].unique(maintain_order=True).to_list()
    by_names: dict[tuple[str, ...], dict[Any, Cell]] = {}
    for row in table.frame.iter_rows(named=True):
        by_names.setdefault(tuple(dimension(row[name]) for name in heads), {})[row[across]] = _cell(row, measure)
    none = Cell(NONE)
    rows = [(list(names), [cells.get(value, none) for value in values]) for names, cells in by_names.items()]
    # A number alone says little as a head: "hops 2".
    if all(value is not None and re.fullmatch(r"\d+", str(value)) for value in values):
        columns = [Head(f"{across} {value}", measure.note) for value in values]
    else:
        columns = [Head(dimension(value), measure.note) for value in values]
    return heads, columns, rows


def _rows(rows: Named) -> list[Row]:
    """Mark the names that repeat those above; a block begins where the first name changes."""
    lines: list[Row] = []
    before: list[str] = []
    for names, cells in rows:
        same = 0
        while same < len(names) - 1 and before[same : same + 1] == names[same : same + 1]:
            same += 1
        heads = [(name, index < same) for index, name in enumerate(names)]
        lines.append(Row(heads, cells, bool(before) and same == 0 and len(names) > 1))
        before = names
    return lines


def _cell(row: Mapping[str, Any], measure: Measure) -> Cell:
    value, n = row[measure.name], row.get(f"{measure.name}_n")
    if measure.kind == "count":
        return Cell(count(value))
    ends = interval(row.get(f"{measure.name}_low"), row.get(f"{measure.name}_high"))
    if value is None or value != value:
        return Cell(NONE, hint="no answer to count" if n == 0 else "")
    hint = (
        f"{measure.title} {number(value)}"
        + (f", 95% interval {ends}" if ends else "")
        + (f", of {n:,}" if n is not None else "")
    )
    under = " · ".join(part for part in (ends, count(n) if n is not None else "") if part)
    return Cell(number(value), under, hint, 5 * round(20 * value) if measure.kind == "rate" and 0 <= value <= 1 else None)
