"""A picture of facts drawn as SVG: a box for each thing, an arrow for each relation, dashed where it is not so.

Things stand in columns by how many facts lie between them and what the item is about (networkx finds the distances): arrows run
between neighbouring columns, and what joins distant ones swings below all boxes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

from kg.text import as_markup, harmless
from queries.why.picture import Line, Picture

_LONGEST = 32
"""So many letters of a name are written; the whole is shown when it is pointed at."""
_LETTER, _SMALL = 7.6, 6.6  # of 13 and 11 units of type
_HEIGHT, _ROW = 26, 62  # of a box, and from one box of a column to the next
_NARROWEST = 70  # between columns
_MARGIN = 20
_STYLE = (
    "text{font:13px sans-serif;fill:#222;text-anchor:middle}.bound{font-weight:bold}"
    ".says{font-size:11px;fill:#246;paint-order:stroke;stroke:#fff;stroke-width:4px}.says.absent{fill:#b11}"
    ".box{fill:#f4f7fb;stroke:#579}.box.value{fill:#fdf8ec;stroke:#a84}.paper{fill:#fff}"
    ".line{fill:none;stroke:#357;stroke-width:1.3}.line.absent{stroke:#b11;stroke-dasharray:6 4}"
    ".head{fill:#357}.head.absent{fill:#b11}.title{text-anchor:start}.note{text-anchor:start;font-size:11px;fill:#555}"
)


@dataclass(frozen=True)
class _Box:
    """Where a term stands: the column, the middle of its box, and how wide that is; `name` is empty for a point.

    `half` is how far its column reaches to either side.
    """

    name: str
    column: int
    x: float
    y: float
    width: float
    half: float

    @property
    def height(self) -> float:
        return _HEIGHT if self.name else 8


class _Arrow(NamedTuple):
    """What is said from one term to another; `absent`: that it is not so."""

    source: str
    target: str
    text: str
    absent: bool


@dataclass
class _Curve:
    """An arrow as it is drawn: its path, where its text stands, where its head points and from where."""

    path: str
    x: float
    y: float
    head: tuple[float, float]
    back: tuple[float, float]
    arrow: _Arrow = field(repr=False)


def drawing(picture: Picture) -> str:
    """Draw a picture; returns SVG, in which names are text and nothing else.

    >>> lines = [Line("<urn:a>", "<urn:b>", "capital"), Line("<urn:a>", "<urn:c>", "not “capital”", absent=True)]
    >>> names = {"<urn:a>": "Austria", "<urn:b>": "Vienna", "<urn:c>": "Oslo <3"}
    >>> svg = drawing(Picture("Is Oslo the capital?", lines, names, [*names], 0))
    >>> svg.count('class="line"'), svg.count('class="line absent"'), ">Oslo &lt;3<" in svg
    (1, 1, True)
    """
    arrows = _merged(picture.lines)
    boxes = _placed(picture, arrows)
    floor = max((box.y for box in boxes.values()), default=_MARGIN + _ROW) + _HEIGHT
    curves = list(_curves(arrows, boxes, floor))
    title, note = _clipped(picture.title, 110), _note(picture)
    ends = [box.x + box.width / 2 for box in boxes.values()]
    ends += [curve.x + _wide(curve.arrow.text, _SMALL) / 2 for curve in curves]
    width = max([*ends, _MARGIN + _wide(title, _LETTER), _MARGIN + _wide(note, _SMALL)]) + _MARGIN
    bottom = max([floor, *(curve.y for curve in curves)]) + 2 * _MARGIN
    size = f'viewBox="0 0 {width:.0f} {bottom + _MARGIN:.0f}" width="{width:.0f}" height="{bottom + _MARGIN:.0f}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', f"<title>{as_markup(picture.title)}</title>"]
    parts += [f"<desc>{as_markup(_told(picture))}</desc>", f"<style>{_STYLE}</style>"]
    parts += ['<rect class="paper" width="100%" height="100%"/>']
    parts += [f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 8}">{as_markup(title)}</text>']
    parts += [_line(curve) for curve in curves]
    parts += [_written(box, term, picture) for term, box in boxes.items()]
    parts += [_says(curve) for curve in curves]
    parts += [f'<text class="note" x="{_MARGIN}" y="{bottom:.0f}">{as_markup(note)}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def _merged(lines: Sequence[Line]) -> list[_Arrow]:
    """Make one arrow of what is said of the same two, in the same direction."""
    texts: dict[tuple[str, str, bool], list[str]] = {}
    for line in lines:
        texts.setdefault((line.source, line.target, line.absent), []).append(line.text)
    return [_Arrow(s, o, _clipped("; ".join(dict.fromkeys(said)), 60), absent) for (s, o, absent), said in texts.items()]


def _note(picture: Picture) -> str:
    if not picture.lines:
        return "No fact that can be drawn decides this."
    more = f"; {picture.left_out:,} more that the proofs look at are not shown" if picture.left_out else ""
    facts = sum(not line.absent for line in picture.lines)
    dashed = "; dashed: not so" if facts < len(picture.lines) else ""
    return f"{facts:,} {'fact' if facts == 1 else 'facts'} of the graph{dashed}{more}"


def _told(picture: Picture) -> str:
    name = picture.names
    return " ".join(f"{name[line.source] or '·'} – {line.text} – {name[line.target] or '·'}." for line in picture.lines)


# --- where everything stands ----------------------------------------------------------------------------------------------


def _columns(picture: Picture, arrows: Sequence[_Arrow]) -> dict[str, int]:
    """Return the column of each term: its distance from the first that a proof names, over facts, else over what is absent."""
    import networkx as nx  # here: it takes a quarter of a second to load, and only a drawing needs it

    graph: nx.Graph[str] = nx.Graph((arrow.source, arrow.target) for arrow in arrows if not arrow.absent)
    columns: dict[str, int] = {}
    for term in picture.terms:
        if term not in columns:
            joined = [columns[end] for arrow in arrows for end in _other(arrow, term) if end in columns]
            start = 1 + min(joined) if joined else 0
            reached = nx.single_source_shortest_path_length(graph, term) if term in graph else {term: 0}
            columns |= {other: start + hops for other, hops in reached.items() if other not in columns}
    return columns


def _other(arrow: _Arrow, term: str) -> tuple[str, ...]:
    return (arrow.target,) if arrow.source == term else (arrow.source,) if arrow.target == term else ()


def _placed(picture: Picture, arrows: Sequence[_Arrow]) -> dict[str, _Box]:
    columns = _columns(picture, arrows)
    shown = {term: _clipped(picture.names[term], _LONGEST) for term in columns}
    widths = {term: 20 + _wide(name, _LETTER) if name else 8.0 for term, name in shown.items()}
    within = {n: _ordered(n, columns, arrows) for n in sorted(set(columns.values()))}
    tallest = max(map(len, within.values()), default=0)
    boxes: dict[str, _Box] = {}
    rows: dict[str, float] = {}
    x = float(_MARGIN)
    for n, terms in within.items():
        wide = max(widths[term] for term in terms)
        if n > 0 and rows:  # beside what they hang on: fewer arrows cross
            terms = sorted(terms, key=lambda term: (_beside(term, arrows, rows), term))
        top = 2.6 * _MARGIN + _HEIGHT / 2 + (tallest - len(terms)) * _ROW / 2
        for k, term in enumerate(terms):
            rows[term] = top + k * _ROW
            boxes[term] = _Box(shown[term], n, x + wide / 2, rows[term], widths[term], wide / 2)
        x += wide + _gap(n, columns, arrows)
    return boxes


def _ordered(column: int, columns: Mapping[str, int], arrows: Sequence[_Arrow]) -> list[str]:
    """Return the terms of a column as the arrows name them first."""
    named = dict.fromkeys(term for arrow in arrows for term in (arrow.source, arrow.target))
    return [term for term in named if columns[term] == column]


def _beside(term: str, arrows: Sequence[_Arrow], rows: Mapping[str, float]) -> float:
    """Return the middle of what a term is joined with, so far as that is placed."""
    placed = [rows[end] for arrow in arrows for end in _other(arrow, term) if end in rows]
    return fmean(placed) if placed else float("inf")


def _gap(column: int, columns: Mapping[str, int], arrows: Sequence[_Arrow]) -> float:
    """Return how much room the texts of the arrows behind a column take: those to the next, and those within it."""
    ends = ((columns[arrow.source], columns[arrow.target], arrow.text) for arrow in arrows)
    across = [_wide(text, _SMALL) for a, b, text in ends if min(a, b) == column and abs(a - b) <= 1]
    return max([_NARROWEST, *(wide + 40 for wide in across)])


# --- arrows ---------------------------------------------------------------------------------------------------------------


def _curves(arrows: Sequence[_Arrow], boxes: Mapping[str, _Box], floor: float) -> Iterator[_Curve]:
    deepest = floor
    many: dict[frozenset[str], int] = {}
    for arrow in arrows:
        ends = frozenset((arrow.source, arrow.target))
        before = many[ends] = many.get(ends, -1) + 1
        source, target = boxes[arrow.source], boxes[arrow.target]
        apart = abs(source.column - target.column)
        if apart > 1:
            deepest += 26
            yield _below(arrow, source, target, deepest)
        elif apart == 1:
            yield _across(arrow, source, target, 20.0 * before)
        else:
            yield _aside(arrow, source, target, 20.0 * before)


def _across(arrow: _Arrow, source: _Box, target: _Box, lower: float) -> _Curve:
    """Draw an arrow from a column to the one beside it."""
    turn = 1 if target.x > source.x else -1
    x1, x2 = source.x + turn * source.width / 2, target.x - turn * target.width / 2
    e1, e2 = source.x + turn * source.half, target.x - turn * target.half  # where the columns end, and texts have room
    y1, y2, half = source.y + lower / 3, target.y + lower / 3, (e2 - e1) / 2
    path = f"M{x1:.1f},{y1:.1f} L{e1:.1f},{y1:.1f} C{e1 + half:.1f},{y1 + lower:.1f} {e2 - half:.1f},{y2 + lower:.1f}"
    path += f" {e2:.1f},{y2:.1f} L{x2:.1f},{y2:.1f}"
    back = (e2 if abs(e2 - x2) > 1 else e2 - half, y2)
    return _Curve(path, (e1 + e2) / 2, (y1 + y2) / 2 + lower * 0.75 - 3, (x2, y2), back, arrow)


def _aside(arrow: _Arrow, source: _Box, target: _Box, further: float) -> _Curve:
    """Draw an arrow within a column, or from a box to itself, at its right."""
    x1, x2 = source.x + source.width / 2, target.x + target.width / 2
    y1, y2 = (source.y - 6, target.y + 6) if source is target else (source.y + 5, target.y - 5)
    bend = max(x1, x2) + 30 + further
    path = f"M{x1:.1f},{y1:.1f} C{bend:.1f},{y1:.1f} {bend:.1f},{y2:.1f} {x2:.1f},{y2:.1f}"
    middle = max(x1, x2) + 24 + further + _wide(arrow.text, _SMALL) / 2
    return _Curve(path, middle, (y1 + y2) / 2 + 4, (x2, y2), (bend, y2), arrow)


def _below(arrow: _Arrow, source: _Box, target: _Box, depth: float) -> _Curve:
    """Draw an arrow that swings below all boxes."""
    y1, y2 = source.y + source.height / 2, target.y + target.height / 2
    turn = 40 if target.x > source.x else -40
    down = f"M{source.x:.1f},{y1:.1f} Q{source.x:.1f},{depth:.1f} {source.x + turn:.1f},{depth:.1f}"
    path = f"{down} L{target.x - turn:.1f},{depth:.1f} Q{target.x:.1f},{depth:.1f} {target.x:.1f},{y2:.1f}"
    return _Curve(path, (source.x + target.x) / 2, depth + 4, (target.x, y2), (target.x, depth), arrow)


def _line(curve: _Curve) -> str:
    kind = " absent" if curve.arrow.absent else ""
    return f'<path class="line{kind}" d="{curve.path}"/>{_head(curve, kind)}'


def _head(curve: _Curve, kind: str) -> str:
    (x, y), (bx, by) = curve.head, curve.back
    length = ((x - bx) ** 2 + (y - by) ** 2) ** 0.5 or 1.0
    dx, dy = (x - bx) / length, (y - by) / length
    corners = ((x, y), (x - 9 * dx - 4 * dy, y - 9 * dy + 4 * dx), (x - 9 * dx + 4 * dy, y - 9 * dy - 4 * dx))
    return f'<polygon class="head{kind}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}"/>'


def _says(curve: _Curve) -> str:
    kind = " absent" if curve.arrow.absent else ""
    return f'<text class="says{kind}" x="{curve.x:.1f}" y="{curve.y:.1f}">{as_markup(curve.arrow.text)}</text>'


# --- boxes and texts ------------------------------------------------------------------------------------------------------


def _written(box: _Box, term: str, picture: Picture) -> str:
    if not box.name:
        return f'<circle class="head" cx="{box.x:.1f}" cy="{box.y:.1f}" r="4"><title>{as_markup(term)}</title></circle>'
    kind = "box" if term.startswith(("<", "_:")) else "box value"
    bound = ' class="bound"' if term in picture.bound else ""
    left, top = box.x - box.width / 2, box.y - _HEIGHT / 2
    place = (
        f'x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{_HEIGHT}" rx="{_HEIGHT / 2 if kind == "box" else 3}"'
    )
    title = f"{picture.names[term]} {term}" if kind == "box" else picture.names[term]
    return (
        f'<g><title>{as_markup(title)}</title><rect class="{kind}" {place}/>'
        f'<text{bound} x="{box.x:.1f}" y="{box.y + 4.5:.1f}">{as_markup(box.name)}</text></g>'
    )


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _wide(text: str, letter: float) -> float:
    """Return how wide a text is at most: letters of Chinese, Japanese and Korean take two."""
    return letter * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in harmless(text))
