"""Which drawings a report has: each names a table, what its rows or columns are, and what its series are.

They are written in `assets/drawings.toml`. A drawing shows one slice of its table: dimensions that it does not use are held at
the value it prefers, or at all values together; where neither exists there is a drawing for each value. Those of the overview
and of the comparison of two models are written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from evaluators.metrics import ALL, Table
from evaluators.report.svg import SHAPES, Pair, Point, Series, Share, dots, lines, scatter, stacks, swatch, tag
from evaluators.report.text import clipped, count, visible
from evaluators.report.views import anchor, dimension
from kg.formats import shipped_toml

_MOST = 6  # drawings that one entry may give
_BROAD = 14  # categories that a drawing may have
_CLOUD = 400  # marks that a scatter may have
_BARS = 16  # models whose outcomes are drawn
_PARTS = 24  # tasks and variants by which two models are compared
_STACKED = ("correct", "incorrect", "abstained", "unscored", "unjudged", "unasked")
_TITLES = {"unjudged": "no verdict", "unasked": "not asked"}
_CLASSES = {"unjudged": "missing", "unasked": "missing"}

_METHODS = ("erbench", "fpq", "factbench", "unseenqa", "autodebug")
"""First parts of keys of tables that are about one method's items."""
_NUMBERS = {"correct": 0, "incorrect": 1, "abstained": 2, "unscored": 3, "unjudged": 5, "unasked": 6}
"""What the page calls the outcomes by (`STATES` of the items)."""

TableRow = Mapping[str, Any]


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
class DrawingSpec:
    """What to draw of the table `key`.

    `measures` are drawn over the dimension `across`, or over each other where it is empty (a scatter takes two of them).
    `variants` says that the measures go by variants of items. `prefer` holds a dimension at the first of these values that has
    numbers; `alike` are the dimensions that make a series.
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
    variants: bool = False


def _read() -> dict[str, Any]:
    return shipped_toml("evaluators.report", "assets", "drawings.toml")


_WRITTEN = _read()
DRAWINGS = tuple(DrawingSpec(**entry) for entry in _WRITTEN["drawings"])
PAPERS: dict[str, dict[str, str]] = _WRITTEN["papers"]
"""By the first part of a table's key: `short` name, `title` of the section, `lead`: what it is about."""


def figures(tables: Sequence[Table], paper: str) -> list[Figure]:
    """Return the drawings of the tables whose keys begin with a paper's name."""
    by_key = {table.key: table for table in tables if table.key.split(".")[0] == paper}
    return [figure for spec in DRAWINGS if spec.key in by_key for figure in _figures(spec, by_key[spec.key])]


def _figures(spec: DrawingSpec, table: Table) -> Iterator[Figure]:
    """Yield a drawing for each slice of the table that has numbers."""
    measures = [measure.name for measure in table.measures if measure.name in spec.measures]
    measures.sort(key=spec.measures.index)
    if not measures or (spec.across and spec.across not in table.dims) or (spec.kind == "scatter" and len(measures) < 2):
        return
    rows = [row for row in table.frame.iter_rows(named=True) if any(row[name] is not None for name in measures)]
    used = {*spec.alike, spec.across}
    if spec.kind == "scatter":  # its marks differ by every dimension that nothing holds
        used.update(name for name in table.dims if name not in spec.prefer)
    rest = _free([name for name in table.dims if name not in used], rows, spec.across)
    slices = [
        (held, inside)
        for held in _slices(rows, rest, spec.prefer)
        if (inside := [row for row in rows if all(row[name] == value for name, value in held.items())])
    ]
    varying = [name for name in rest if len({row[name] for row in rows}) > 1]
    for held, inside in slices[:_MOST]:
        figure = _figure(spec, table, measures, inside, {name: held[name] for name in varying})
        if figure is not None:
            more = f" Drawn: the first {_MOST} of {len(slices)}." if len(slices) > _MOST else ""
            yield figure._replace(note=figure.note + more)


def _free(names: Sequence[str], rows: Sequence[TableRow], across: str) -> list[str]:
    """Leave out dimensions that another one settles, as a family does its domain."""
    free = list(names)
    for name in names:
        others = [other for other in (across, *free) if other and other != name]
        if any(len({(row[other], row[name]) for row in rows}) == len({row[other] for row in rows}) for other in others):
            free.remove(name)
    return free


def _slices(rows: Sequence[TableRow], rest: Sequence[str], prefer: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Return the values at which each dimension is held, one drawing after the other."""
    choices = []
    for name in rest:
        values = list(dict.fromkeys(row[name] for row in rows))
        preferred = next((value for value in (*prefer.get(name, ()), ALL) if value in values), None)
        choices.append([preferred] if preferred is not None else values)
    return [dict(zip(rest, values, strict=True)) for values in product(*choices)] if rows else []


def _address(*conditions: tuple[str, object]) -> str:
    """Return where the page shows the items of which this holds; what is no property of theirs the page leaves out.

    >>> _address(("f:edit", "NSC"), ("f:hops", "*"), ("m:a", 1))
    '#items=0&f%3Aedit=NSC&m%3Aa=1'
    """
    told = [(name, visible(value)) for name, value in conditions if value not in (ALL, None)]
    return "&".join(["#items=0", *(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in told)])


def _items_of(table: Table, row: TableRow, variant: str | None) -> str:
    """Return where the items of a row are shown, or those of one variant of them."""
    method = table.key.partition(".")[0]
    of = [("f:method", method if method in _METHODS else None)]
    return _address(*of, *((f"f:{name}", row[name]) for name in table.dims if name not in _OF_ANSWERS), ("f:variant", variant))


_OF_ANSWERS = ("model", "run", "population", "setting")
"""Dimensions that tell answers apart, not items."""


Named = list[tuple[str, list[TableRow]]]
"""The rows of each series, by its name."""


def _figure(
    spec: DrawingSpec, table: Table, measures: list[str], rows: Sequence[TableRow], held: Mapping[str, Any]
) -> Figure | None:
    alike = [name for name in spec.alike if name in table.dims and name != spec.across]
    # There are so many marks and colours; further series stand in the section's table only.
    keys = list(dict.fromkeys(tuple(row[name] for name in alike) for row in rows))[:SHAPES]
    if not keys:
        return None
    of_key = {key: [row for row in rows if tuple(row[part] for part in alike) == key] for key in keys}
    named = [(" · ".join(dimension(part) for part in key), own) for key, own in of_key.items()]
    titles = {measure.name: measure.title for measure in table.measures}
    about = " · ".join(dimension(value) for value in held.values() if value not in (ALL, None))
    title = f"{spec.title}{f': {about}' if about else ''}"
    if spec.kind == "scatter":
        svg, heads, cells = _scatter(spec, title, measures, titles, named, [n for n in table.dims if n not in (*alike, *held)])
    else:
        series = [Series(name, _points(spec, table, measures, titles, own)) for name, own in named]
        categories = {point.at for one in series for point in one.points if point.value is not None}
        if not 1 <= len(categories) <= _BROAD or (spec.kind == "lines" and len(categories) < 2):
            return None
        draw = lines if spec.kind == "lines" else dots
        svg = draw(title, _described(spec.note, series), series, axis_title=spec.axis)
        heads, cells = _numbers(series)
    legend = [(swatch(index), clipped(name, 60)) for index, (name, _) in enumerate(named)]
    address = anchor("figure", spec.key, spec.kind, *map(str, held.values()))
    return Figure(address, title, spec.note, svg, legend, heads, cells)


def _points(
    spec: DrawingSpec, table: Table, measures: Sequence[str], titles: Mapping[str, str], rows: Sequence[TableRow]
) -> list[Point]:
    if spec.across:
        return [_point(row, measures[0], dimension(row[spec.across]), _items_of(table, row, None)) for row in rows]
    # Measures that are no rates of all items of a row are those of one variant, by whose name they go.
    variants = {name: name if spec.variants else None for name in measures}
    return [_point(row, name, titles[name], _items_of(table, row, variants[name])) for row in rows[:1] for name in measures]


def _point(row: TableRow, name: str, at: str, link: str = "") -> Point:
    return Point(at, row[name], row.get(f"{name}_low"), row.get(f"{name}_high"), row.get(f"{name}_n"), link)


def _scatter(
    spec: DrawingSpec, title: str, measures: list[str], titles: Mapping[str, str], named: Named, dims: list[str]
) -> tuple[Markup, list[str], list[list[str]]]:
    x, y = measures[:2]
    most = _CLOUD // len(named)
    varying = [name for name in dims if len({row[name] for _, rows in named for row in rows}) > 1]
    pairs = [
        (name, [_pair(row, x, y, varying) for row in rows if row[x] is not None and row[y] is not None][:most])
        for name, rows in named
    ]
    svg = scatter(title, spec.note, pairs, x_title=f"{titles[x]} (answer)", y_title=f"{titles[y]} (rationale)")
    cells = [[f"{visible(name)}, {pair.name}", pair.x.text, pair.y.text] for name, own in pairs for pair in own]
    return svg, ["", titles[x], titles[y]], cells


def _pair(row: TableRow, x: str, y: str, dims: Sequence[str]) -> Pair:
    link = _address(*((f"f:{name}", row[name]) for name in dims if name not in _OF_ANSWERS))
    return Pair(" · ".join(dimension(row[name]) for name in dims), _point(row, x, "", link), _point(row, y, "", link))


def _numbers(series: Sequence[Series]) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of the table beside a drawing: a row for each category, a column for each series."""
    categories = list(dict.fromkeys(point.at for one in series for point in one.points))
    texts = [{point.at: point.text for point in one.points} for one in series]
    heads = ["", *(clipped(one.name, 40) for one in series)]
    return heads, [[at, *(of_series.get(at, "–") for of_series in texts)] for at in categories]


def _described(note: str, series: Sequence[Series]) -> str:
    """Say in words what is drawn, for those who do not see it."""
    spans = []
    for one in series:
        values = [(point.value, point.at) for point in one.points if point.value is not None]
        if values:
            (low, lowest), (high, highest) = min(values, key=_value), max(values, key=_value)
            spans.append(f"{clipped(one.name, 40)}: from {low:.2f} ({lowest}) to {high:.2f} ({highest})")
    return f"{note} {'; '.join(spans)}."


def _value(pair: tuple[float, str]) -> float:
    return pair[0]


def figures_of_overview(overview: Sequence[Table]) -> Iterable[Figure]:
    """Yield what the answers came to, models against each other, and accuracy by task."""
    rows = {table.key: list(table.frame.iter_rows(named=True)) for table in overview}
    totals, pairs = rows.get("overview.outcomes"), rows.get("overview.pairs", [])
    if totals is None:
        return
    yield _outcomes(totals)
    if len(pairs) > 1:
        yield _differences(pairs)
    yield _accuracies(totals, rows.get("overview.tasks", []))
    if agreed := rows.get("overview.agreement", []):
        title, note = (
            "Right where samples agree",
            "Share of items whose most frequent answer is right, by the share of samples that give it.",
        )
        yield _calibration(agreed, "agreement", (title, note, "agreement of samples"))
    if told := rows.get("overview.confidence", []):
        note = "Share of right answers by how likely the model found their tokens. A calibrated model's line is the diagonal."
        yield _calibration(told, "sureness", ("Right where it is sure", note, "sureness"))


def _model(row: TableRow) -> str:
    return " · ".join(dimension(row[part]) for part in ("model", "run") if row.get(part) is not None)


def _outcomes(rows: Sequence[TableRow]) -> Figure:
    rows = rows[:_BARS]
    states = [state for state in _STACKED if any(row[state] for row in rows)]
    bars = [(_model(row), [_share(row, state) for state in states]) for row in rows]
    legend = [(_square(_CLASSES.get(s, s)), _TITLES.get(s, s)) for s in states]
    title, note = "What the answers came to", "All answers of each model. What is unscored is no part of the accuracy."
    cells = [[_model(row), *(count(row[state]) for state in states)] for row in rows]
    heads = ["", *(_TITLES.get(s, s) for s in states)]
    return Figure("figure-outcomes", title, note, stacks(title, note, bars), legend, heads, cells)


def _share(row: TableRow, state: str) -> Share:
    # Of several runs a model alone does not say whose answers these are.
    link = _address((f"m:{row['model']}", _NUMBERS[state])) if row.get("run") is None else ""
    return Share(_CLASSES.get(state, state), _TITLES.get(state, state), row[state], link)


def _square(kind: str) -> Markup:
    box = tag("rect", x=1, y=1, width=12, height=12, rx=2, class_=f"swatch-{kind}")
    return tag("svg", box, viewBox="0 0 14 14", width=14, height=14, aria_hidden="true", class_="swatch")


def _accuracies(totals: Sequence[TableRow], tasks: Sequence[TableRow]) -> Figure:
    names = [_model(row) for row in totals][:SHAPES]
    several = len({_task(row, tasks) for row in tasks}) > 1
    rows = [(_model(row), "all", row) for row in totals] + [(_model(row), _task(row, tasks), row) for row in tasks if several]
    series = [
        Series(name, [_point(row, "accuracy", at, _of_task(row)) for who, at, row in rows if who == name]) for name in names
    ]
    note = "Share of right answers among those scored, with its 95% interval."
    legend = [(swatch(index), clipped(name, 60)) for index, name in enumerate(names)]
    svg = dots("Accuracy", note, series, axis_title="accuracy")
    return Figure("figure-accuracy", "Accuracy", note, svg, legend, *_numbers(series))


def _calibration(rows: Sequence[TableRow], level: str, words: tuple[str, str, str]) -> Figure:
    """Draw accuracy over a level of confidence, from little to all; `words` are title, note and what the axis says."""
    title, note, axis = words
    names = list(dict.fromkeys(map(_model, rows)))[:SHAPES]
    ordered = sorted(rows, key=lambda row: float(row[level]))
    series = [Series(name, [_point(row, "accuracy", row[level]) for row in ordered if _model(row) == name]) for name in names]
    legend = [(swatch(index), clipped(name, 60)) for index, name in enumerate(names)]
    svg = lines(title, note, series, axis_title=axis)
    return Figure(f"figure-{level}", title, note, svg, legend, *_numbers(series))


def _of_task(row: TableRow) -> str:
    return _address(*((f"f:{name}", row.get(name)) for name in ("method", "task", "variant")))


def _task(row: TableRow, tasks: Sequence[TableRow]) -> str:
    """Name a row by its task, and by its method where there are several."""
    several = len({row["method"] for row in tasks}) > 1
    return dimension(row["task"]) if not several else f"{dimension(row['method'])} {dimension(row['task'])}"


def _differences(rows: Sequence[TableRow]) -> Figure:
    names = [(row, f"{clipped(row['first'], 28)} − {clipped(row['second'], 28)}") for row in rows[:_BARS]]
    note = "Accuracy of the first minus accuracy of the second, on the same items. An interval that leaves out 0 is no chance."
    return _of_differences("figure-pairs", "Model against model", note, names)


def parts_figure(comparison: Table) -> Figure | None:
    """Return the differences of two models by task and variant; null where there is one part only."""
    rows = [row for row in comparison.frame.iter_rows(named=True) if row["task"] != ALL]
    if len(rows) < 2:
        return None
    names = [
        (row, dimension(row["task"]) if row["variant"] == ALL else f"{dimension(row['task'])} {dimension(row['variant'])}")
        for row in rows[:_PARTS]
    ]
    note = "Right of 0 the first is better, left of it the second."
    return _of_differences("figure-comparison", "Difference by task and variant", note, names)


def _of_differences(address: str, title: str, note: str, rows: Sequence[tuple[TableRow, str]]) -> Figure:
    series = [Series("difference", [_point(row, "difference", name, _of_task(row)) for row, name in rows])]
    return Figure(address, title, note, dots(title, note, series, axis_title="difference"), [], *_numbers(series))
