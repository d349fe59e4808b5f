"""Which drawings a report has: each names a table, what its rows or columns are, and what its series are.

```
python -c 'from evaluators.report.figures import DRAWINGS; print([drawing.key for drawing in DRAWINGS])'
```

They are written in `page/drawings.toml`. A drawing shows one slice of its table: dimensions that it does not use are held at
the value it prefers, or at all values together; where neither exists there is a drawing for each value.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import product
from typing import Any, Literal, NamedTuple

from markupsafe import Markup

from evaluators.metrics import ALL, Table
from evaluators.report.svg import SHAPES, Pair, Point, Series, dots, lines, scatter, swatch
from evaluators.report.text import clipped, visible
from evaluators.report.views import anchor, dimension

__all__ = ["DRAWINGS", "PAPERS", "Drawing", "Figure", "figures", "numbers_of"]

_MOST = 6  # drawings that one entry may give
_BROAD = 14  # categories that a drawing may have
_CLOUD = 400  # marks that a scatter may have


class Figure(NamedTuple):
    """A drawing of the page, with its legend and the table of its numbers."""

    anchor: str
    title: str
    note: str
    svg: Markup
    legend: list[tuple[Markup, str]]
    heads: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Drawing:
    """What to draw of the table `key`.

    `measures` are drawn over the dimension `across`, or over each other where it is empty (a scatter takes two of them).
    `prefer` holds a dimension at the first of these values that has numbers; `alike` are the dimensions that make a series.
    """

    key: str
    kind: Literal["dots", "lines", "scatter"]
    title: str
    note: str
    measures: Sequence[str]
    across: str = ""
    axis: str = "accuracy"
    prefer: Mapping[str, Sequence[str]] = field(default_factory=dict)
    alike: Sequence[str] = ("model", "run")


def _read() -> dict[str, Any]:
    return tomllib.loads((resources.files("evaluators.report") / "page" / "drawings.toml").read_text("utf-8"))


_WRITTEN = _read()
DRAWINGS = tuple(Drawing(**entry) for entry in _WRITTEN["drawings"])
PAPERS: dict[str, dict[str, str]] = _WRITTEN["papers"]
"""By the first part of a table's key: `short` name, `title` of the section, `lead`: what it is about."""


def figures(tables: Sequence[Table], paper: str) -> list[Figure]:
    """Return the drawings of the tables whose keys begin with a paper's name."""
    by_key = {table.key: table for table in tables if table.key.split(".")[0] == paper}
    return [figure for drawing in DRAWINGS if drawing.key in by_key for figure in _figures(drawing, by_key[drawing.key])]


Row = Mapping[str, Any]


def _figures(drawing: Drawing, table: Table) -> Iterator[Figure]:
    measures = [measure.name for measure in table.measures if measure.name in drawing.measures]
    measures.sort(key=drawing.measures.index)
    if (
        not measures
        or (drawing.across and drawing.across not in table.dims)
        or (drawing.kind == "scatter" and len(measures) < 2)
    ):
        return
    rows = [row for row in table.frame.iter_rows(named=True) if any(row[name] is not None for name in measures)]
    used = {*drawing.alike, drawing.across}
    if drawing.kind == "scatter":
        used.update(name for name in table.dims if name not in drawing.prefer)
    rest = _free([name for name in table.dims if name not in used], rows, drawing.across)
    slices = [
        (held, found)
        for held in _slices(rows, rest, drawing.prefer)
        if (found := [row for row in rows if all(row[name] == value for name, value in held.items())])
    ]
    named = [name for name in rest if len({row[name] for row in rows}) > 1]
    for held, found in slices[:_MOST]:
        figure = _figure(drawing, table, measures, found, {name: held[name] for name in named})
        if figure is not None:
            more = f" Drawn: the first {_MOST} of {len(slices)}." if len(slices) > _MOST else ""
            yield figure._replace(note=figure.note + more)


def _free(names: Sequence[str], rows: Sequence[Row], across: str) -> list[str]:
    """Leave out dimensions that another one settles, as a family does its domain."""
    free = list(names)
    for name in names:
        others = [other for other in (across, *free) if other and other != name]
        if any(len({(row[other], row[name]) for row in rows}) == len({row[other] for row in rows}) for other in others):
            free.remove(name)
    return free


def _slices(rows: Sequence[Row], rest: Sequence[str], prefer: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Say at which values each dimension is held."""
    choices = []
    for name in rest:
        values = list(dict.fromkeys(row[name] for row in rows))
        wanted = next((value for value in (*prefer.get(name, ()), ALL) if value in values), None)
        choices.append([wanted] if wanted is not None else values)
    return [dict(zip(rest, values, strict=True)) for values in product(*choices)] if rows else []


def _figure(drawing: Drawing, table: Table, measures: list[str], rows: Sequence[Row], held: Mapping[str, Any]) -> Figure | None:
    alike = [name for name in drawing.alike if name in table.dims and name != drawing.across]
    names = list(dict.fromkeys(tuple(row[name] for name in alike) for row in rows))[:SHAPES]
    if not names:
        return None
    of = {name: [row for row in rows if tuple(row[part] for part in alike) == name] for name in names}
    titles = {measure.name: measure.title for measure in table.measures}
    about = " · ".join(dimension(value) for value in held.values() if value not in (ALL, None))
    title, series = f"{drawing.title}{f': {about}' if about else ''}", []
    drawn = [(" · ".join(dimension(part) for part in name), found) for name, found in of.items()]
    if drawing.kind == "scatter":
        svg, heads, cells = _scatter(
            drawing, title, measures, titles, drawn, [n for n in table.dims if n not in (*alike, *held)]
        )
    else:
        series = [Series(name, _points(drawing, measures, titles, found)) for name, found in drawn]
        categories = {point.at for one in series for point in one.points if point.value is not None}
        if not 1 <= len(categories) <= _BROAD or (drawing.kind == "lines" and len(categories) < 2):
            return None
        draw = lines if drawing.kind == "lines" else dots
        svg = draw(title, _told(drawing.note, series), series, axis_title=drawing.axis)
        heads, cells = numbers_of(series)
    legend = [(swatch(index), clipped(name, 60)) for index, (name, _) in enumerate(drawn)]
    return Figure(
        anchor("figure", drawing.key, drawing.kind, *map(str, held.values())), title, drawing.note, svg, legend, heads, cells
    )


def _points(drawing: Drawing, measures: Sequence[str], titles: Mapping[str, str], rows: Sequence[Row]) -> list[Point]:
    if drawing.across:
        return [_point(row, measures[0], dimension(row[drawing.across])) for row in rows]
    return [_point(row, name, titles[name]) for row in rows[:1] for name in measures]


def _point(row: Row, name: str, at: str) -> Point:
    return Point(at, row[name], row.get(f"{name}_low"), row.get(f"{name}_high"), row.get(f"{name}_n"))


Drawn = list[tuple[str, list[Row]]]


def _scatter(
    drawing: Drawing, title: str, measures: list[str], titles: Mapping[str, str], drawn: Drawn, dims: list[str]
) -> tuple[Markup, list[str], list[list[str]]]:
    x, y = measures[:2]
    most = _CLOUD // len(drawn)
    varying = [name for name in dims if len({row[name] for _, rows in drawn for row in rows}) > 1]
    pairs = [
        (name, [_pair(row, x, y, varying) for row in rows if row[x] is not None and row[y] is not None][:most])
        for name, rows in drawn
    ]
    svg = scatter(title, drawing.note, pairs, x_title=f"{titles[x]} (answer)", y_title=f"{titles[y]} (rationale)")
    cells = [[f"{visible(name)}, {pair.name}", pair.x.told, pair.y.told] for name, found in pairs for pair in found]
    return svg, ["", titles[x], titles[y]], cells


def _pair(row: Row, x: str, y: str, dims: Sequence[str]) -> Pair:
    return Pair(" · ".join(dimension(row[name]) for name in dims), _point(row, x, ""), _point(row, y, ""))


def numbers_of(series: Sequence[Series]) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of the table beside a drawing: a row for each category, a column for each series."""
    categories = list(dict.fromkeys(point.at for one in series for point in one.points))
    told = [{point.at: point.told for point in one.points} for one in series]
    return ["", *(clipped(one.name, 40) for one in series)], [
        [at, *(found.get(at, "–") for found in told)] for at in categories
    ]


def _told(note: str, series: Sequence[Series]) -> str:
    """Say in words what is drawn, for those who do not see it."""
    ends = []
    for one in series:
        there = [point for point in one.points if point.value is not None]
        if there:
            low, high = min(there, key=_value), max(there, key=_value)
            ends.append(f"{clipped(one.name, 40)}: from {low.value:.2f} ({low.at}) to {high.value:.2f} ({high.at})")
    return f"{note} {'; '.join(ends)}."


def _value(point: Point) -> float:
    return point.value if point.value is not None else 0.0
