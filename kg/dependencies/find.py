"""Functional dependencies, keys and undeclared foreign keys of the tables in a graph: found, counted, proved on the rows.

A dependency `left → right` holds where all rows with the same values on the left have the same value on the right. A null
equals nothing: it shares no left side, and on the right it breaks the dependency of a group. Found are the minimal ones, which
hold for no smaller left side; an empty left side means that the column has one value. Columns without any value, and those
with several in a row, take no part. A table of less than two rows tests nothing, so nothing is found there.

An undeclared foreign key is a column (or several) whose values all stand in a key of some table (an inclusion dependency).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from kg.dependencies.partitions import Codes, Search, partition
from kg.errors import InputError, nearest
from kg.graph import Graph
from kg.sources._names import words_of

_Values = dict[tuple[str, str], npt.NDArray[np.uint32]]
"""The distinct values of each column of each table, as sorted numbers."""


@dataclass(frozen=True)
class Dependency:
    """`left` determines `right`: `support` rows share their left side, `violations` of them with a row that differs."""

    table: str
    left: tuple[str, ...]
    right: str
    support: int
    violations: int
    declared: bool


@dataclass(frozen=True)
class Key:
    """Columns that identify a row: none of `support` rows repeats another or lacks a value, but for `violations` of them."""

    table: str
    columns: tuple[str, ...]
    support: int
    violations: int
    declared: bool


@dataclass(frozen=True)
class Violation:
    """A row that breaks a dependency; `values` are those of the left columns and the right one."""

    dependency: Dependency
    row: str
    values: tuple[str | None, ...]


class Reference(NamedTuple):
    """`columns` of `table` that refer, or might, to `to` of `other`."""

    table: str
    columns: tuple[str, ...]
    other: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class Inclusion:
    """How well a reference holds.

    `support` rows have a value, `violations` of them one that no row of `other` has; `coverage` is the share of the key's
    values that are referred to, `likeness` (0 to 1) how much the columns' names say so.
    """

    reference: Reference
    support: int
    violations: int
    coverage: float
    likeness: float
    declared: bool


@dataclass(frozen=True)
class Dependencies:
    """What is known about `tables` (name to IRI): declared, and found."""

    tables: dict[str, str]
    dependencies: list[Dependency]
    keys: list[Key]
    references: list[Inclusion]
    violations: list[Violation]


def find_dependencies(graph: Graph, tables: Sequence[str] = (), *, max_left: int = 3, max_violations: int = 0) -> Dependencies:
    """Find the dependencies, keys and undeclared foreign keys of tables (of all, unless some are named).

    Parameters: what is not declared may be broken by at most `max_violations` rows.

    Raises InputError where the graph has no tables, or none of that name.

    >>> from kg import open_graph
    >>> result = find_dependencies(open_graph(), ["city"])
    >>> [(key.columns, key.declared) for key in result.keys][:1]
    [(('id',), True)]
    """
    every = GraphTables(graph)
    wanted = [every.iri_of(name) for name in tables] or sorted(every.names, key=lambda iri: every.names[iri])
    # Where some tables are named, the others are read too: a foreign key may refer to any of them.
    searched = {iri: _SearchedTable(every, iri) for iri in (every.names if tables else wanted)}
    results = {iri: searched[iri].search(max_left, max_violations) for iri in wanted}
    every_key = [key for iri, table in searched.items() for key in (results[iri][1] if iri in results else table.keys())]
    references = _references(every, searched, every_key, max_violations)
    named = {every.names[iri]: iri for iri in wanted}
    dependencies = [d for some, _ in results.values() for d in some]
    violations = [v for iri in wanted for v in searched[iri].broken(dependencies)]
    own = [r for r in references if r.reference.table in named]
    return Dependencies(named, dependencies, [k for _, keys in results.values() for k in keys], own, violations)


class _SearchedTable:
    """One table: its rows, and its columns as codes."""

    def __init__(self, tables: GraphTables, iri: str) -> None:
        self.name, self.iri, self.tables = tables.names[iri], iri, tables
        content = tables.read(iri)
        self.rows, self.cells = content.rows, content.cells
        self.height, self.names = self.rows.len(), self.cells.columns
        self.codes = {c: _codes(self.cells[c]) for c in self.names}
        self.declarations = [d for d in tables.declarations if d.table == iri]

    def search(self, max_left: int, max_violations: int) -> tuple[list[Dependency], list[Key]]:
        search = Search([self.codes[c] for c in self.names], self.height, max_left, max_violations).run()
        dependencies = self._declared_dependencies()
        for hold in search.dependencies:
            left = tuple(self.names[c] for c in hold.left)
            if (frozenset(left), self.names[hold.right]) not in dependencies:
                dependency = Dependency(self.name, left, self.names[hold.right], hold.support, hold.violations, False)
                dependencies[frozenset(left), dependency.right] = dependency
        ordered = sorted(dependencies.values(), key=lambda d: (not d.declared, -d.support, len(d.left), d.left, d.right))
        return ordered, self.keys(search.keys)

    def keys(self, minimal: Sequence[tuple[int, ...]] | None = None) -> list[Key]:
        """Return the declared keys, and those that a search found (single columns, where there was no search)."""
        if minimal is None:
            minimal = Search([self.codes[c] for c in self.names], self.height, 1).run().keys
        declared = dict.fromkeys(self._declared_keys(), True)
        named = [tuple(self.names[c] for c in key) for key in minimal]
        known = {frozenset(key) for key in declared}
        return [self._key(key, key in declared) for key in (*declared, *(n for n in named if frozenset(n) not in known))]

    def broken(self, dependencies: list[Dependency]) -> list[Violation]:
        """Return the rows that break dependencies of this table."""
        return [v for d in dependencies if d.table == self.name and d.violations for v in self._rows_against(d)]

    def _declared_dependencies(self) -> dict[tuple[frozenset[str], str], Dependency]:
        """Return what declared dependencies say, and what declared keys imply."""
        declared = [(d.columns, d.determined) for d in self.declarations if d.kind == "FunctionalDependency"]
        named = [(self._named(left), self._named(right)) for left, right in declared]
        named += [(key, tuple(c for c in self.names if c not in key)) for key in self._declared_keys()]
        return {
            (frozenset(left), column): self._measured(left, column)
            for left, right in named
            for column in right
            if {*left, column} <= {*self.names}
        }

    def _declared_keys(self) -> list[tuple[str, ...]]:
        return [self._named(d.columns) for d in self.declarations if d.kind in ("PrimaryKey", "UniqueKey")]

    def _named(self, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.tables.columns[self.iri][c] for c in columns)

    def _measured(self, left: tuple[str, ...], right: str) -> Dependency:
        groups = partition([self.codes[c] for c in left], self.height)
        return Dependency(self.name, left, right, len(groups.rows), groups.violations(self.codes[right]), True)

    def _key(self, columns: tuple[str, ...], declared: bool) -> Key:
        codes = [self.codes.get(c, np.full(self.height, -1)) for c in columns]
        full = int(np.logical_and.reduce([c >= 0 for c in codes]).sum()) if self.height else 0
        return Key(self.name, columns, full, len(partition(codes, self.height).rows), declared)

    def _rows_against(self, dependency: Dependency) -> list[Violation]:
        groups = partition([self.codes[c] for c in dependency.left], self.height)
        against = groups.rows[np.repeat(groups.broken(self.codes[dependency.right]), groups.sizes)].tolist()
        cells = self.cells[against].select(*dependency.left, dependency.right)
        return [Violation(dependency, row, values) for row, values in zip(self.rows[against], cells.iter_rows(), strict=True)]


def _codes(values: pl.Series) -> Codes:
    return (values.rank("dense").cast(pl.Int64) - 1).fill_null(-1).to_numpy()


# --- foreign keys -------------------------------------------------------------------------------------------------------


def _references(tables: GraphTables, searched: dict[str, _SearchedTable], keys: list[Key], most: int) -> list[Inclusion]:
    """Return the declared foreign keys, then the others by rank, which at most `most` rows break."""
    cells = {table.name: table.cells for table in searched.values()}
    unbroken: dict[str, list[tuple[str, ...]]] = {}
    for key in keys:
        if not key.violations and {*key.columns} <= {*cells[key.table].columns}:
            unbroken.setdefault(key.table, []).append(key.columns)
    declared = [r for table in searched.values() for r in _declared_references(tables, table)]
    present = [r for r in declared if {*r.columns} <= {*cells[r.table].columns} and {*r.to} <= {*cells[r.other].columns}]
    implied = {Reference(r.table, columns, r.other, to) for r in present for columns, to in _parts(r)}
    measured = [measure_reference(cells, unbroken, r, declared=True) for r in present]
    return measured + find_references(cells, unbroken, implied, most)


def _parts(reference: Reference) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return all references that a declared one implies: what several columns refer to, some of them refer to as well."""
    pairs = list(zip(reference.columns, reference.to, strict=True))
    parts = [part for size in range(1, len(pairs) + 1) for part in combinations(pairs, size)]
    return [(tuple(c for c, _ in part), tuple(k for _, k in part)) for part in parts]


def _declared_references(tables: GraphTables, table: _SearchedTable) -> list[Reference]:
    references = []
    for fk in table.declarations:
        if fk.kind == "ForeignKey" and fk.other is not None and fk.other in tables.names:
            here, there = tables.columns[table.iri], tables.columns[fk.other]
            pairs = [(here[c], there[to]) for c in fk.columns if (to := tables.target(c, fk.other))]
            if len(pairs) == len(fk.columns):
                columns, to_columns = tuple(c for c, _ in pairs), tuple(k for _, k in pairs)
                references.append(Reference(table.name, columns, tables.names[fk.other], to_columns))
    return references


def find_references(
    tables: dict[str, pl.DataFrame], keys: dict[str, list[tuple[str, ...]]], declared: set[Reference], max_violations: int = 0
) -> list[Inclusion]:
    """Find the undeclared foreign keys to any of `keys`, the likeliest first: by names, then by coverage.

    >>> film = pl.DataFrame({"id": ["1", "2", "3"], "director": ["8", "7", "8"]})
    >>> person = pl.DataFrame({"id": ["7", "8"], "name": ["A", "B"]})
    >>> best = find_references({"film": film, "person": person}, {"person": [("id",)]}, set())[0]
    >>> best.reference.columns, best.reference.other, best.coverage
    (('director',), 'person', 1.0)
    """
    values = _encoded(tables)
    known = {(r.table, frozenset(zip(r.columns, r.to, strict=True)), r.other) for r in declared}
    numbering = _row_numbers(tables, keys)
    inclusions = []
    for reference in _candidates(values, keys, max_violations):
        pairs = frozenset(zip(reference.columns, reference.to, strict=True))
        counts = (reference.table, *reference.columns) in numbering and not _is_named_for(reference.columns[0], reference.other)
        if not counts and (reference.table, pairs, reference.other) not in known:
            measure = measure_reference(tables, keys, reference, declared=False)
            if measure.violations <= max_violations:
                inclusions.append(measure)
    return sorted(inclusions, key=lambda i: (-i.likeness, -i.coverage, i.reference))


def _row_numbers(tables: dict[str, pl.DataFrame], keys: dict[str, list[tuple[str, ...]]]) -> set[tuple[str, ...]]:
    """Return the keys, as table and column, that number their rows one by one: among as many rows elsewhere all are found."""
    single = [(table, key[0]) for table, several in keys.items() for key in several if len(key) == 1]
    return {(table, column) for table, column in single if _is_numbering(tables[table][column])}


def _is_numbering(values: pl.Series) -> bool:
    numbers = values.cast(pl.String).str.to_integer(strict=False)
    if numbers.null_count() or numbers.is_empty():
        return False
    return int(np.ptp(numbers.to_numpy())) == numbers.n_unique() - 1


def _is_named_for(column: str, table: str) -> bool:
    """Tell whether a column's name is that of a table: one that numbers its rows may still be the key of another (`person_id`).

    >>> _is_named_for("person_id", "person"), _is_named_for("film_id", "film_actor"), _is_named_for("id", "film")
    (True, False, False)
    """
    return _words(column) - _NUMBERING == _words(table) - _NUMBERING


_NUMBERING = {"id", "key", "no", "nr", "num", "number", "row", "code", "pk", "serial"}
"""Words of a key's name that say nothing of what it is the key of."""


def _distinct(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    return frame.select(columns).drop_nulls().unique()


def _encoded(tables: dict[str, pl.DataFrame]) -> _Values:
    """Return the distinct values of each column as sorted numbers, the same number for the same text everywhere."""
    distinct = {(t, c): frame[c].drop_nulls().unique() for t, frame in tables.items() for c in frame.columns}
    if not distinct:
        return {}
    codes = pl.concat([s.alias("v") for s in distinct.values()]).rank("dense").to_numpy()
    ends = np.cumsum([s.len() for s in distinct.values()])
    return {name: np.sort(part) for name, part in zip(distinct, np.split(codes, ends[:-1]), strict=True)}


def _candidates(values: _Values, keys: dict[str, list[tuple[str, ...]]], max_violations: int) -> Iterator[Reference]:
    """Pair keys with columns that could refer to them, column by column.

    A table with more keys of several columns than anybody would give it has them by chance: nothing refers to those.
    """
    tables = sorted({t for t, _ in values})
    by_chance = {other for other, several in keys.items() if sum(len(key) > 1 for key in several) > _MOST_KEYS}
    meant = ((other, key) for other, several in keys.items() for key in several if len(key) == 1 or other not in by_chance)
    for other, key in meant:
        for table in tables:
            fitting = [[c for t, c in values if t == table and _fits(values, (t, c), (other, k), max_violations)] for k in key]
            for columns in product(*fitting):
                if len(set(columns)) == len(columns):
                    yield Reference(table, columns, other, key)


_MOST_KEYS = 100
"""So many keys of several columns a table has at most that are meant."""


def _fits(values: _Values, column: tuple[str, str], key: tuple[str, str], max_violations: int) -> bool:
    here, there = values[column], values[key]
    # One value alone says nothing; the first and the last value rule most pairs out before all are compared.
    if column == key or len(here) < 2 or len(here) > len(there) + max_violations:
        return False
    if not max_violations and (here[0] < there[0] or here[-1] > there[-1]):
        return False
    return int(np.isin(here, there, assume_unique=True, invert=True).sum()) <= max_violations


def measure_reference(
    tables: dict[str, pl.DataFrame], keys: dict[str, list[tuple[str, ...]]], reference: Reference, *, declared: bool
) -> Inclusion:
    """Measure how well a reference holds."""
    table, columns, other, to = reference
    left, right = list(columns), list(to)
    rows = tables[table].select(left).drop_nulls()
    key = _distinct(tables[other], right)
    missing = rows.join(key, left_on=left, right_on=right, how="anti").height
    used = key.join(rows.unique(), left_on=right, right_on=left, how="semi").height
    coverage = used / key.height if key.height else 0.0
    likeness = _Likeness(tables)
    alike = [likeness.of(c, other, k, own=(c,) in keys.get(table, [])) for c, k in zip(columns, to, strict=True)]
    return Inclusion(reference, rows.height, missing, round(coverage, 4), round(sum(alike) / len(alike), 4), declared)


class _Likeness:
    """Compares names word by word; a word that many tables use (such as `id`) says little."""

    def __init__(self, tables: dict[str, pl.DataFrame]) -> None:
        used = [_words(" ".join([table, *frame.columns])) for table, frame in tables.items()]
        self._uses = Counter(word for words in used for word in words)

    def of(self, column: str, other: str, key: str, *, own: bool) -> float:
        """Compare a column with a table and its key; the same name is no sign where it is the column's own table's key."""
        names = [_words(f"{other} {key}"), _words(other), *([] if own and column == key else [_words(key)])]
        return max(self._alike(_words(column), name) for name in names)

    def _alike(self, some: frozenset[str], others: frozenset[str]) -> float:
        return 2 * self._weight(some & others) / (self._weight(some) + self._weight(others) or 1)

    def _weight(self, words: frozenset[str]) -> float:
        return sum(1 / (self._uses[word] or 1) for word in words)


def _words(name: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") or word for word in words_of(name))


_TABLES = "SELECT ?table ?name { ?table a kgp:Table ; kgp:name ?name }"
_COLUMNS = "SELECT ?table ?column ?name { ?table kgp:column ?column . ?column kgp:name ?name }"
_PAIRS = "SELECT ?column ?to { ?column kgp:refersTo ?to }"
_DECLARED = """SELECT ?node ?kind ?table ?column ?other ?determined {
  ?node a ?kind ; kgp:table ?table ; kgp:declared true .
  OPTIONAL { ?node kgp:on|kgp:determinant ?column } OPTIONAL { ?node kgp:references ?other }
  OPTIONAL { ?node kgp:determined ?determined } }"""


@dataclass(frozen=True)
class Declaration:
    """A key, a foreign key or a dependency that the source declares; columns by IRI."""

    node: str
    kind: str
    table: str
    columns: tuple[str, ...]
    other: str | None
    determined: tuple[str, ...]


@dataclass(frozen=True)
class TableCells:
    """The IRI of each row, and a text for each column that has values, one in a row; null where there is none."""

    rows: pl.Series
    cells: pl.DataFrame


class GraphTables:
    """The tables that a graph's schema describes, over the graph's data.

    Raises InputError where the graph has no tables.

    >>> from kg import open_graph
    >>> tables = GraphTables(open_graph())
    >>> "title" in tables.read(tables.iri_of("film")).cells.columns
    True
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        rows = graph.schema(_TABLES).select("table", "name").unique().sort("table")
        shared = pl.col("name").is_duplicated()  # two loads may have tables of one name: then only the IRI tells them apart
        named = rows.select("table", pl.when(shared).then("table").otherwise("name").alias("name"))
        self.names: dict[str, str] = dict(named.iter_rows())
        if not self.names:
            raise InputError("this graph has no tables", way_out="load some with `kg load sql` or `kg load tables`")
        self._values_of: dict[str, pl.DataFrame] = {}

    def iri_of(self, name: str) -> str:
        """Return the IRI of a table. Raises InputError where there is none of this name."""
        for iri, known in self.names.items():
            if known == name:
                return iri
        raise InputError(f"there is no table '{name}'", way_out=nearest(name, self.names.values()))

    @cached_property
    def columns(self) -> dict[str, dict[str, str]]:
        """The columns of each table: IRI to name."""
        columns: dict[str, dict[str, str]] = {}
        rows = self.graph.schema(_COLUMNS).select("table", "column", "name").sort("table", "column")
        for table, column, name in rows.iter_rows():
            columns.setdefault(table, {})[column] = name
        return columns

    @cached_property
    def declarations(self) -> list[Declaration]:
        """What the source declares about all tables."""
        rows = self.graph.schema(_DECLARED).sort("node")
        several = [pl.col(c).drop_nulls().unique().sort() for c in ("column", "determined")]
        nodes = rows.group_by("node", "kind", "table", maintain_order=True).agg(pl.col("other").first(), *several)
        return [
            Declaration(node, kind.rpartition("#")[2], table, tuple(columns), other, tuple(determined))
            for node, kind, table, other, columns, determined in nodes.iter_rows()
        ]

    @cached_property
    def _pairs(self) -> dict[str, list[str]]:
        rows = self.graph.schema(_PAIRS).sort("column", "to")
        return dict(rows.group_by("column", maintain_order=True).agg("to").iter_rows())

    def target(self, column: str, other: str) -> str | None:
        """Return the column of table `other` that a foreign key pairs `column` with."""
        return next((to for to in self._pairs.get(column, []) if to in self.columns.get(other, {})), None)

    def read(self, table: str) -> TableCells:
        """Read a table; a column without any value, or with several in a row, is left out."""
        rows = self.graph.select(f"SELECT ?row {{ ?row a <{table}> }}").unique().sort("row")
        cells = {}
        for column, name in self.columns.get(table, {}).items():
            values = self._values(column, table, frozenset())
            if not values.is_empty() and not values["row"].is_duplicated().any():
                cells[name] = rows.join(values, on="row", how="left", maintain_order="left")["value"]
        return TableCells(rows["row"], pl.DataFrame(cells))

    def _values(self, column: str, table: str, path: frozenset[str]) -> pl.DataFrame:
        if column not in self._values_of:
            self._values_of[column] = self._read_column(column, table, path | {column})
        return self._values_of[column]

    def _read_column(self, column: str, table: str, path: frozenset[str]) -> pl.DataFrame:
        """Read an attribute, or the values at the other end of a foreign key, or edges to promoted entities."""
        values = self._objects(column)
        for fk in self.declarations if values.is_empty() else []:
            if fk.kind == "ForeignKey" and column in fk.columns and fk.table == table and values.is_empty():
                values = self._through(fk, column, path)
        if values.is_empty():
            stem, _, local = column.rpartition("#")
            values = self._objects(f"{stem}#ref-{local}")
        return values

    def _through(self, fk: Declaration, column: str, path: frozenset[str]) -> pl.DataFrame:
        """Read the values that the rows at the other end of a foreign key have; `path` are the columns on the way here."""
        edges = self._objects(fk.node)
        to = self.target(column, fk.other or "")
        # Foreign keys may refer to each other in a circle: then the IRIs of the rows are their values.
        if edges.is_empty() or to is None or fk.other is None or to in path:
            return edges
        there = self._values(to, fk.other, path)
        values = edges.join(there, left_on="value", right_on="row", suffix="_there").select("row", value="value_there")
        return edges if values.is_empty() else values

    def _objects(self, predicate: str) -> pl.DataFrame:
        rows = self.graph.select(f"SELECT ?row ?value {{ ?row <{predicate}> ?value }}")
        return rows.select("row", "value").drop_nulls().unique()
