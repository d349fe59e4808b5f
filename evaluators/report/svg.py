"""Drawings as SVG: dots with intervals, lines, scatters, bars of outcomes.

Drawn at 420 units of width, so that the lettering can be read on a phone. Colours are classes (`s0` … `s7`, `grid`, `label`)
that the page's style sheet fills, for light, dark and paper; series differ by shape as well. Each drawing has a title and a
description.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from evaluators.report.text import clipped, interval, number, visible

SHAPES = 8
"""Kinds of marks and colours."""

_WIDTH = 420
_RIGHT = 14
_LABEL = 7.0  # units that a letter of a label takes
_CROWD = 30  # marks of a scatter from which on intervals would hide them
_BESIDE = 20  # letters of a label that stands beside its row; longer ones stand above it


class Point(NamedTuple):
    """A number with its interval, at a category."""

    at: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    link: str = ""
    """Where the page shows the items behind it."""

    @property
    def text(self) -> str:
        """What is shown when it is pointed at."""
        ends = interval(self.low, self.high)
        return f"{number(self.value)}{f' ({ends})' if ends else ''}{f', n = {self.n:,}' if self.n is not None else ''}"


class Series(NamedTuple):
    """Points that belong together, such as a model's."""

    name: str
    points: Sequence[Point]


def tag(name: str, *content: str, **attributes: object) -> Markup:
    """Return an element; content and attributes are escaped, `_` in a name is `-` and at its end nothing.

    >>> print(tag("text", "a < b", x=1.25, class_="t"))
    <text x="1.2" class="t">a &lt; b</text>
    """
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"' for key, value in attributes.items())
    return Markup("<{}{}>{}</{}>").format(Markup(name), Markup(written), Markup("").join(content), Markup(name))


def _short(value: object) -> object:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else value


def _drawing(title: str, description: str, height: float, parts: Iterable[Markup]) -> Markup:
    # A group, not an image: its marks are links, which readers of an image would not be told of.
    return tag(
        "svg", tag("title", visible(title)), tag("desc", visible(description)), *parts,
        viewBox=f"0 0 {_WIDTH} {height:.0f}", role="group", class_="plot",
    )  # fmt: skip


_CORNERS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.2), (1.2, 0.9), (-1.2, 0.9)),
    ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
    ((-1.25, 0.9), (0, -1.2), (1.25, 0.9), (0, 0.3)),
)
"""A square, a triangle, a diamond, an arrowhead."""


def _linked(shape: Markup, link: str, hint: str) -> Markup:
    """Make of a shape a way to its items, where they are told apart from all others."""
    return tag("a", shape, href=link, aria_label=hint) if link else shape


def _mark(number: int, x: float, y: float, hint: str) -> Markup:
    """Draw a point of a series, in its shape and colour."""
    shape, r = number % SHAPES, 4.2  # a circle and three polygons filled, then the same hollow
    about = tag("title", hint)
    common = f"mark s{shape}"
    if shape in (0, 4):
        return tag(
            "circle", about, cx=x, cy=y, r=r if shape == 0 else r - 0.5, class_=common + (" hollow" if shape == 4 else "")
        )
    corners = _CORNERS[shape % 4 - 1]
    points = " ".join(f"{x + dx * (r - 0.6):.1f},{y + dy * (r - 0.6):.1f}" for dx, dy in corners)
    return tag("polygon", about, points=points, class_=common + (" hollow" if shape >= 5 else ""))


def swatch(number: int) -> Markup:
    """Return the mark of a series on its own, for a legend."""
    return tag("svg", _mark(number, 7, 7, ""), viewBox="0 0 14 14", width=14, height=14, aria_hidden="true", class_="swatch")


class _Axis(NamedTuple):
    """A stretch of units for a stretch of numbers."""

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        # What lies beyond the axis stands at its end, a little outside.
        return self.start + min(max(share, -0.02), 1.02) * (self.stop - self.start)

    def ticks(self) -> list[float]:
        """Return round numbers, about five."""
        # The largest power of 10 that a third holds, made coarser until five steps do.
        step = 10 ** math.floor(math.log10((self.high - self.low) / 3))
        step *= next(m for m in (1, 2, 2.5, 5, 10) if (self.high - self.low) / (step * m) <= 5)
        first = math.ceil(self.low / step - 1e-9)  # rounding may have moved a tick that is an end
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _span(points: Iterable[Point]) -> tuple[float, float]:
    """Return the ends of the axis: 0 and 1 for shares, as far to both sides for differences."""
    ends = [v for p in points for v in (p.value, p.low, p.high) if v is not None]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    if low < 0:
        reach = next((step for step in (0.1, 0.25, 0.5, 1.0) if step >= max(-low, high)), max(-low, high))
        return -reach, reach
    return 0.0, max(1.0, high)


def _tick(value: float) -> str:
    return number(value, 2).removesuffix("0").removesuffix(".0") if abs(value) <= 1 else f"{value:g}"


def _whisker(axis: _Axis, point: Point, cross: float, shape: int, *, upright: bool = False) -> Markup:
    if point.low is None or point.high is None:
        return Markup("")
    low, high = axis(point.low), axis(point.high)
    ends = {"x1": cross, "x2": cross, "y1": low, "y2": high} if upright else {"x1": low, "x2": high, "y1": cross, "y2": cross}
    return tag("line", **ends, class_=f"whisker s{shape % SHAPES}")


def _fit(label: str, units: float) -> str:
    return clipped(label, max(6, int(units / _LABEL)))


def _ordered(series: Sequence[Series]) -> list[str]:
    """Return the categories with a number, in the order in which they first come."""
    return list(dict.fromkeys(point.at for one in series for point in one.points if point.value is not None))


def _nothing(title: str, description: str) -> Markup:
    return _drawing(title, description, 30, [tag("text", "There is no number to draw.", x=0, y=18, class_="tick")])


def dots(title: str, description: str, series: Sequence[Series], *, axis_title: str = "") -> Markup:
    """Draw a row for each category, and in it a dot with its interval for each series.

    >>> dots("T", "D", [Series("m", [Point("a", 0.5)])]).count("<circle")
    1
    """
    rows = _ordered(series)
    if not rows:
        return _nothing(title, description)
    longest = max(len(visible(row)) for row in rows)
    above = 18.0 if longest > _BESIDE else 0.0
    left = 16.0 if above else 16 + _LABEL * longest
    step = 13.0 * len(series) + 9 + above  # of a row: 13 for each series
    bottom = 8 + step * len(rows)
    axis = _Axis(*_span(p for one in series for p in one.points), left, _WIDTH - _RIGHT)
    parts = [*_grid_down(axis, bottom, axis_title)]
    for index, row in enumerate(rows):
        top = 8 + index * step
        if index:
            parts.append(tag("line", x1=0, x2=_WIDTH, y1=top, y2=top, class_="grid faint"))
        where = (
            {"x": 0, "y": top + 16, "class_": "label"}
            if above
            else {"x": left - 10, "y": top + step / 2 + 4, "class_": "label end"}
        )
        parts.append(tag("text", _fit(row, _WIDTH if above else left), tag("title", visible(row)), **where))
    for index, one in enumerate(series):
        for point in (point for point in one.points if point.value is not None):
            y = 8 + rows.index(point.at) * step + above + 4.5 + 13 * (index + 0.5)
            parts.append(_dot(axis, point, y, index, one.name))
    return _drawing(title, description, bottom + (38 if axis_title else 24), parts)


def _dot(axis: _Axis, point: Point, y: float, index: int, name: str) -> Markup:
    hint = f"{visible(name)}, {visible(point.at)}: {point.text}"
    return _whisker(axis, point, y, index) + _linked(_mark(index, axis(point.value or 0.0), y, hint), point.link, hint)


def _grid_down(axis: _Axis, bottom: float, axis_title: str) -> Iterable[Markup]:
    for value in axis.ticks():
        x = axis(value)
        yield tag("line", x1=x, x2=x, y1=4, y2=bottom, class_="grid" + (" zero" if value == 0 else ""))
        yield tag("text", _tick(value), x=x, y=bottom + 16, class_="tick middle")
    if axis_title:
        yield tag("text", axis_title, x=(axis.start + axis.stop) / 2, y=bottom + 33, class_="tick middle")


def lines(title: str, description: str, series: Sequence[Series], *, axis_title: str = "") -> Markup:
    """Draw numbers over ordered categories, such as hops, as a line for each series.

    >>> lines("T", "D", [Series("m", [Point("1", 0.5), Point("2", 0.6)])]).count("<polyline")
    1
    """
    columns = _ordered(series)
    if not columns:
        return _nothing(title, description)
    left, top, bottom = 42.0, 10.0, 210.0
    axis = _Axis(*_span(p for one in series for p in one.points), bottom, top)
    step = (_WIDTH - left - _RIGHT) / len(columns)
    parts = []
    for value in axis.ticks():
        y = axis(value)
        parts.append(tag("line", x1=left, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="grid" + (" zero" if value == 0 else "")))
        parts.append(tag("text", _tick(value), x=left - 8, y=y + 4, class_="tick end"))
    for index, column in enumerate(columns):
        label = (_fit(column, step - 2), tag("title", visible(column)))
        parts.append(tag("text", *label, x=left + (index + 0.5) * step, y=bottom + 18, class_="tick middle"))
    if axis_title:
        parts.append(tag("text", axis_title, x=(left + _WIDTH - _RIGHT) / 2, y=bottom + 36, class_="tick middle"))
    for number_, one in enumerate(series):
        # Series stand side by side at a category, or their intervals would hide each other.
        shift = (number_ - (len(series) - 1) / 2) * min(9.0, step / (len(series) + 1))
        xs = {column: left + (n + 0.5) * step + shift for n, column in enumerate(columns)}
        parts += _line(axis, one, xs, number_)
    return _drawing(title, description, bottom + (44 if axis_title else 26), parts)


def _line(axis: _Axis, one: Series, xs: dict[str, float], number_: int) -> Iterable[Markup]:
    marks = [(xs[p.at], axis(p.value), p) for p in one.points if p.value is not None]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in marks)
    yield tag("polyline", points=path, class_=f"line s{number_ % SHAPES}")
    for x, y, point in marks:
        yield _whisker(axis, point, x, number_, upright=True)
        hint = f"{visible(one.name)}, {visible(point.at)}: {point.text}"
        yield _linked(_mark(number_, x, y, hint), point.link, hint)


class Pair(NamedTuple):
    """A point of a scatter: what it is, and its two numbers."""

    name: str
    x: Point
    y: Point


def scatter(
    title: str, description: str, series: Sequence[tuple[str, Sequence[Pair]]], *, x_title: str, y_title: str
) -> Markup:
    """Draw pairs of numbers between 0 and 1 against each other, with the line where they are the same.

    >>> scatter("T", "D", [("m", [Pair("a", Point("", 0.1), Point("", 0.2))])], x_title="A", y_title="R").count("mark s0")
    1
    """
    left, top, bottom = 52.0, 10.0, 300.0
    across, up = _Axis(0, 1, left, _WIDTH - _RIGHT), _Axis(0, 1, bottom, top)
    parts = [tag("line", x1=across(0), y1=up(0), x2=across(1), y2=up(1), class_="grid diagonal")]
    for value in up.ticks():
        x, y = across(value), up(value)
        parts.append(tag("line", x1=left, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="grid"))
        parts.append(tag("line", x1=x, x2=x, y1=top, y2=bottom, class_="grid"))
        parts.append(tag("text", _tick(value), x=left - 8, y=y + 4, class_="tick end"))
        parts.append(tag("text", _tick(value), x=x, y=bottom + 17, class_="tick middle"))
    parts.append(tag("text", x_title, x=(left + _WIDTH - _RIGHT) / 2, y=bottom + 36, class_="tick middle"))
    middle = (top + bottom) / 2
    parts.append(tag("text", y_title, x=13, y=middle, transform=f"rotate(-90 13 {middle:.0f})", class_="tick middle"))
    # Intervals cross each other in a crowd.
    bare = sum(len(pairs) for _, pairs in series) > _CROWD
    for index, (name, pairs) in enumerate(series):
        for pair in pairs:
            if pair.x.value is not None and pair.y.value is not None:
                parts += _pair(across, up, pair, index, name, bare=bare)
    return _drawing(title, description, bottom + 46, parts)


def _pair(across: _Axis, up: _Axis, pair: Pair, index: int, name: str, *, bare: bool) -> Iterable[Markup]:
    x, y = across(pair.x.value or 0), up(pair.y.value or 0)
    if not bare:
        yield _whisker(across, pair.x, y, index)
        yield _whisker(up, pair.y, x, index, upright=True)
    hint = f"{visible(name)}, {visible(pair.name)}: {pair.x.text}; {pair.y.text}"
    yield _linked(_mark(index, x, y, hint), pair.x.link, hint)


class Share(NamedTuple):
    """A part of a bar: its class, its name, its count, and where the page shows its items."""

    kind: str
    name: str
    n: int
    link: str = ""


def stacks(title: str, description: str, rows: Sequence[tuple[str, Sequence[Share]]]) -> Markup:
    """Draw a bar for each row, cut into shares.

    >>> stacks("T", "D", [("m", [Share("correct", "correct", 3), Share("incorrect", "wrong", 1)])]).count("<rect")
    2
    """
    parts = []
    for index, (name, shares) in enumerate(rows):
        top, total, x = 4 + index * 40, sum(share.n for share in shares), 0.0
        parts.append(tag("text", _fit(name, _WIDTH), tag("title", visible(name)), x=0, y=top + 11, class_="label"))
        for kind, share, n, link in shares:
            width = n / total * _WIDTH if total else 0.0
            hint = f"{visible(name)}: {share} {n:,} of {total:,}"
            bar = tag(
                "rect", tag("title", hint), x=x, y=top + 16, width=max(width - 0.8, 0.4), height=15, class_=f"share {kind}"
            )
            parts.append(_linked(bar, link, hint))
            if width > 34:  # room for "100%"
                parts.append(tag("text", f"{n / total:.0%}", x=x + 5, y=top + 27.5, class_=f"in {kind}"))
            x += width
    return _drawing(title, description, 8 + 40 * len(rows), parts)
