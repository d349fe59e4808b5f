"""The tables of a graph as a drawing (SVG): each a box with its key and the columns that refer, a line to what they refer to.

Tables stand in columns by what refers to what, as networkx orders them (the layers of the condensed graph): lines run from left
to right, but for those of a circle of references, which turn back at the right of the boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kg.dependencies.find import Dependencies, Inclusion
from kg.text import as_markup, harmless

_LINE = 18  # a row of a box
_LETTER = 7.5  # of 12 units of type
_GAP = (90, 24)  # between columns of boxes, between the boxes of one
_MARGIN = 20
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.name,.key{font-weight:bold}.key{text-decoration:underline}"
    "rect{fill:#fff;stroke:#777}.line{fill:none;stroke:#357}.found{stroke-dasharray:5 4}"
)


@dataclass(frozen=True)
class _Box:
    """A table: the columns that are shown, the key among them, and where it stands."""

    table: str
    columns: Sequence[str]
    key: frozenset[str]
    x: float
    y: float

    @property
    def width(self) -> float:
        return 24 + _LETTER * max(len(harmless(text)) for text in (self.table, *self.columns))

    @property
    def height(self) -> float:
        return _LINE * (1 + len(self.columns)) + 8

    def middle(self, column: str) -> float:
        return self.y + _LINE * (self.columns.index(column) + 1.5) + 4


def drawing(dependencies: Dependencies, references: Sequence[Inclusion]) -> str:
    """Draw tables with their keys and these references, declared ones as a line, found ones dashed; returns SVG.

    A table shows its declared keys, or the first that was found where none is declared.

    >>> from kg import open_graph
    >>> from kg.dependencies import find_dependencies
    >>> result = find_dependencies(open_graph(), ["country"])
    >>> declared = [one for one in result.references if one.declared]
    >>> drawing(result, declared).count('class="line"') == sum(len(one.reference.columns) for one in declared)
    True
    """
    boxes = _placed(dependencies, references)
    width = max((box.x + box.width for box in boxes.values()), default=0) + _GAP[0] / 2 + _MARGIN
    height = max((box.y + box.height for box in boxes.values()), default=0) + _MARGIN
    parts = [line for one in references for line in _lines(one, boxes)]
    parts += [part for box in boxes.values() for part in _written(box)]
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    top = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    top += f"\n<title>Tables, their keys and references: {len(boxes)}</title>\n<style>{_STYLE}</style>"
    return "\n".join([top, *parts, "</svg>"]) + "\n"


def _placed(dependencies: Dependencies, references: Sequence[Inclusion]) -> dict[str, _Box]:
    columns: dict[str, dict[str, None]] = {table: {} for table in dependencies.tables}
    keys = {table: _key(dependencies, table) for table in columns}
    for table, key in keys.items():
        columns[table] |= dict.fromkeys(key)
    for table, own, other, to in (one.reference for one in references):
        columns.setdefault(table, {}).update(dict.fromkeys(own))
        columns.setdefault(other, {}).update(dict.fromkeys(to))
    boxes: dict[str, _Box] = {}
    x = float(_MARGIN)
    for layer in _layers(columns, references):
        y = float(_MARGIN)
        for table in layer:
            box = boxes[table] = _Box(table, list(columns[table]), frozenset(keys.get(table, ())), x, y)
            y += box.height + _GAP[1]
        x += max(boxes[table].width for table in layer) + _GAP[0]
    return boxes


def _key(dependencies: Dependencies, table: str) -> list[str]:
    own = [key for key in dependencies.keys if key.table == table]
    shown = [key for key in own if key.declared] or own[:1]
    return [column for key in shown for column in key.columns]


def _layers(tables: Iterable[str], references: Sequence[Inclusion]) -> list[list[str]]:
    import networkx as nx  # here: it takes a quarter of a second to load, and only a drawing needs it

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(tables)
    graph.add_edges_from((one.reference.table, one.reference.other) for one in references)
    circles = nx.condensation(graph)
    layers = nx.topological_generations(circles)
    return [sorted(table for node in layer for table in circles.nodes[node]["members"]) for layer in layers]


def _lines(one: Inclusion, boxes: dict[str, _Box]) -> Iterable[str]:
    kind = "line" if one.declared else "line found"
    source, target = boxes[one.reference.table], boxes[one.reference.other]
    for column, to in zip(one.reference.columns, one.reference.to, strict=True):
        x1, y1, y2 = source.x + source.width, source.middle(column), target.middle(to)
        forward = target.x > source.x
        x2 = target.x if forward else target.x + target.width
        bend1, bend2 = (x1 + _GAP[0] / 2, x2 - _GAP[0] / 2) if forward else (max(x1, x2) + _GAP[0] / 2,) * 2
        says = as_markup(f"{source.table}.{column} refers to {target.table}.{to}")
        path = f"M{x1:.1f},{y1:.1f} C{bend1:.1f},{y1:.1f} {bend2:.1f},{y2:.1f} {x2:.1f},{y2:.1f}"
        yield f'<path class="{kind}" d="{path}"><title>{says}</title></path><circle cx="{x2:.1f}" cy="{y2:.1f}" r="3"/>'


def _written(box: _Box) -> Iterable[str]:
    yield f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="4"/>'
    yield f'<text class="name" x="{box.x + 12:.1f}" y="{box.y + _LINE:.1f}">{as_markup(box.table)}</text>'
    for column in box.columns:
        kind = ' class="key"' if column in box.key else ""
        yield f'<text{kind} x="{box.x + 12:.1f}" y="{box.middle(column) + 4:.1f}">{as_markup(column)}</text>'
