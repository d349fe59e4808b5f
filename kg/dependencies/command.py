"""`kg fds`: dependencies as a table or a file, in the schema graph of a store (the last search alone), or drawn (SVG).

A drawn table is a box with its key and the columns that refer, a line to what they refer to. Tables stand in columns by what
refers to what, as networkx orders them (the layers of the condensed graph): lines run from left to right, but for those of a
circle of references, which turn back at the right of the boxes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import unquote

import typer

from kg import cli
from kg.build import Load
from kg.dependencies.find import Dependencies, Dependency, Inclusion, find_dependencies
from kg.errors import InputError
from kg.files import check_apart, replacing
from kg.graph_choice import GraphChoice, with_graph
from kg.local import LocalGraph, build_store
from kg.output import table_text
from kg.sources._direct import DirectNames
from kg.sources._schema_graph import SchemaTriples
from kg.text import as_markup, harmless
from kg.vocab import DATA_GRAPH, KGP, PROVENANCE, RDF_TYPE, SCHEMA, XSD

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


_NOT_DECLARED = f'<{KGP}declared> "false"^^<{XSD}boolean> .'.encode()
_MEASURED = tuple(f" <{KGP}{what}> ".encode() for what in ("support", "violations", "violatedBy"))


def write_dependencies(store: Path, dependencies: Dependencies) -> int:
    """Write dependencies, keys and references into the schema graph of the loads that their tables belong to.

    Returns how many of them are written. The data does not change, and a new load of the same name drops them.

    Raises StoreError where another process holds the store.
    """
    graph = LocalGraph.open(store)
    changed, count = [], 0
    for load in graph.data_graphs:
        name = load.removeprefix(DATA_GRAPH)
        own = f"{SCHEMA}/{name}"
        schema = graph.dump(own) if own in graph.all_graphs() else b""
        tables = {t: iri for t, iri in dependencies.tables.items() if f"<{iri}> <{RDF_TYPE}> <{KGP}Table> .".encode() in schema}
        if tables:
            triples = _DependencyTriples(tables)
            triples.add_all(dependencies)
            changed.append(Load(name, graph.dump(load), _as_loaded(schema) + triples.lines(), _provenance(graph, load), {}))
            count += triples.count
    del graph  # a store that is open for reading could not be replaced everywhere
    for load_again in changed:
        build_store(store, load_again)
    return count


@dataclass
class _DependencyTriples:
    """The triples about the tables of one load (`tables`: name to IRI)."""

    tables: dict[str, str]
    count: int = 0

    def __post_init__(self) -> None:
        self._names = {name: iri.rpartition("/") for name, iri in self.tables.items()}
        base = next(iter(self._names.values()))[0]
        self._triples = SchemaTriples(DirectNames(f"{base}/"))

    def add_all(self, dependencies: Dependencies) -> None:
        for dependency in dependencies.dependencies:
            if dependency.table in self.tables:
                self._numbers(self._dependency(dependency), dependency.support, dependency.violations)
        for violation in dependencies.violations:
            if violation.dependency.table in self.tables:
                self._triples.add(self._dependency(violation.dependency), f"<{KGP}violatedBy>", f"<{violation.row}>")
        for key in dependencies.keys:
            if key.table in self.tables and not key.declared:
                node = self._triples.key("CandidateKey", self._table(key.table), key.columns, declared=False)
                self._numbers(node, key.support, key.violations)
        for inclusion in dependencies.references:
            if {inclusion.reference.table, inclusion.reference.other} <= {*self.tables} and not inclusion.declared:
                self._reference(inclusion)

    def lines(self) -> bytes:
        """Return the triples, each once."""
        return "".join(f"{s} {p} {o} .\n" for s, p, o in dict.fromkeys(self._triples.triples)).encode()

    def _table(self, name: str) -> str:
        return unquote(self._names[name][2])

    def _dependency(self, dependency: Dependency) -> str:
        table = self._table(dependency.table)
        return self._triples.dependency(table, dependency.left, (dependency.right,), declared=dependency.declared)

    def _reference(self, inclusion: Inclusion) -> None:
        table, columns, other, to = inclusion.reference
        node = self._triples.inclusion(self._table(table), columns, self._table(other), to)
        self._numbers(node, inclusion.support, inclusion.violations)
        self._triples.number(node, "coverage", inclusion.coverage)
        self._triples.number(node, "likeness", inclusion.likeness)

    def _numbers(self, node: str, support: int, violations: int) -> None:
        self.count += 1
        self._triples.number(node, "support", support)
        self._triples.number(node, "violations", violations)


def _as_loaded(schema: bytes) -> bytes:
    """Return schema triples without what an earlier search found or measured."""
    lines = schema.splitlines(keepends=True)
    nodes = {line.split(b" ", 1)[0] for line in lines if line.rstrip().endswith(_NOT_DECLARED)}
    declared = (line for line in lines if not any(predicate in line for predicate in _MEASURED))
    return b"".join(line for line in declared if line.split(b" ", 1)[0] not in nodes)


def _provenance(graph: LocalGraph, load: str) -> bytes:
    about = f"<{load}> ".encode()
    return b"".join(line for line in graph.dump(PROVENANCE).splitlines(keepends=True) if line.startswith(about))
