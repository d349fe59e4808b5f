"""Functional dependencies, keys and undeclared foreign keys of the tables in a graph: found, counted, proved on the rows.

A dependency `left → right` holds where all rows with the same values on the left have the same value on the right. A null
equals nothing: it shares no left side, and on the right it breaks the dependency of a group. Found are the minimal ones, which
hold for no smaller left side; an empty left side means that the column has one value. Columns without any value, and those
with several in a row, take no part. A table of less than two rows tests nothing, so nothing is found there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from kg.dependencies.inclusions import Inclusion, Reference, inclusions, measured
from kg.dependencies.partitions import Codes, Search, partition
from kg.dependencies.relations import ROW, Relations
from kg.graph import Graph


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


@dataclass(frozen=True)
class Dependencies:
    """What is known about `tables` (name to IRI): declared, and found."""

    tables: dict[str, str]
    dependencies: list[Dependency]
    keys: list[Key]
    references: list[Inclusion]
    violations: list[Violation]


def discover(graph: Graph, tables: Sequence[str] = (), *, max_left: int = 3, max_violations: int = 0) -> Dependencies:
    """Find the dependencies, keys and undeclared foreign keys of tables (of all, unless some are named).

    Parameters: what is not declared may be broken by at most `max_violations` rows.

    Raises InputError where the graph has no tables, or none of that name.

    >>> from kg import open_graph
    >>> found = discover(open_graph(), ["city"])
    >>> [(key.columns, key.declared) for key in found.keys][:1]
    [(('id',), True)]
    """
    relations = Relations(graph)
    asked = [relations.table(name) for name in tables] or sorted(relations.names, key=lambda iri: relations.names[iri])
    searched = {iri: _Table(relations, iri) for iri in (relations.names if tables else asked)}
    found = {iri: searched[iri].search(max_left, max_violations) for iri in asked}
    every_key = [key for iri, table in searched.items() for key in (found[iri][1] if iri in found else table.keys())]
    references = _references(relations, searched, every_key, max_violations)
    named = {relations.names[iri]: iri for iri in asked}
    dependencies = [d for some, _ in found.values() for d in some]
    violations = [v for iri in asked for v in searched[iri].broken(dependencies)]
    own = [r for r in references if r.reference.table in named]
    return Dependencies(named, dependencies, [k for _, keys in found.values() for k in keys], own, violations)


class _Table:
    """One table: its rows, and its columns as codes."""

    def __init__(self, relations: Relations, iri: str) -> None:
        self.name, self.iri, self.relations = relations.names[iri], iri, relations
        self.rows = relations.frame(iri)
        self.names = [c for c in self.rows.columns if c != ROW]
        self.codes = {c: _codes(self.rows[c]) for c in self.names}
        self.declared = [d for d in relations.declared if d.table == iri]

    def search(self, max_left: int, max_violations: int) -> tuple[list[Dependency], list[Key]]:
        found = Search([self.codes[c] for c in self.names], self.rows.height, max_left, max_violations).run()
        declared = self._declared_dependencies()
        for hold in found.dependencies:
            left = tuple(self.names[c] for c in hold.left)
            if (frozenset(left), self.names[hold.right]) not in declared:
                dependency = Dependency(self.name, left, self.names[hold.right], hold.support, hold.violations, False)
                declared[frozenset(left), dependency.right] = dependency
        ordered = sorted(declared.values(), key=lambda d: (not d.declared, -d.support, len(d.left), d.left, d.right))
        return ordered, self.keys(found.keys)

    def keys(self, found: Sequence[tuple[int, ...]] | None = None) -> list[Key]:
        """Return the declared keys, and those that were found (single columns, where nobody has searched)."""
        if found is None:
            found = Search([self.codes[c] for c in self.names], self.rows.height, 1).run().keys
        declared = dict.fromkeys(self._declared_keys(), True)
        minimal = [tuple(self.names[c] for c in key) for key in found]
        known = {frozenset(key) for key in declared}
        return [self._key(key, key in declared) for key in (*declared, *(m for m in minimal if frozenset(m) not in known))]

    def broken(self, dependencies: list[Dependency]) -> list[Violation]:
        """Return the rows that break dependencies of this table."""
        return [v for d in dependencies if d.table == self.name and d.violations for v in self._rows_against(d)]

    def _declared_dependencies(self) -> dict[tuple[frozenset[str], str], Dependency]:
        """Return what declared dependencies say, and what declared keys imply."""
        said = [(d.columns, d.determined) for d in self.declared if d.kind == "FunctionalDependency"]
        named = [(self._named(left), self._named(right)) for left, right in said]
        named += [(key, tuple(c for c in self.names if c not in key)) for key in self._declared_keys()]
        return {
            (frozenset(left), column): self._measured(left, column)
            for left, right in named
            for column in right
            if {*left, column} <= {*self.names}
        }

    def _declared_keys(self) -> list[tuple[str, ...]]:
        return [self._named(d.columns) for d in self.declared if d.kind in ("PrimaryKey", "UniqueKey")]

    def _named(self, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.relations.columns[self.iri][c] for c in columns)

    def _measured(self, left: tuple[str, ...], right: str) -> Dependency:
        groups = partition([self.codes[c] for c in left], self.rows.height)
        return Dependency(self.name, left, right, len(groups.rows), groups.violations(self.codes[right]), True)

    def _key(self, columns: tuple[str, ...], declared: bool) -> Key:
        codes = [self.codes.get(c, np.full(self.rows.height, -1)) for c in columns]
        full = int(np.logical_and.reduce([c >= 0 for c in codes]).sum()) if self.rows.height else 0
        return Key(self.name, columns, full, len(partition(codes, self.rows.height).rows), declared)

    def _rows_against(self, dependency: Dependency) -> list[Violation]:
        groups = partition([self.codes[c] for c in dependency.left], self.rows.height)
        against = groups.rows[np.repeat(groups.broken(self.codes[dependency.right]), groups.sizes)]
        rows = self.rows[against.tolist()].select(ROW, *dependency.left, dependency.right)
        return [Violation(dependency, row[0], row[1:]) for row in rows.iter_rows()]


def _codes(values: pl.Series) -> Codes:
    return (values.rank("dense").cast(pl.Int64) - 1).fill_null(-1).to_numpy()


def _references(relations: Relations, tables: dict[str, _Table], keys: list[Key], max_violations: int) -> list[Inclusion]:
    """Return the declared foreign keys, then the others by rank."""
    frames = {table.name: table.rows.drop(ROW) for table in tables.values()}
    sound: dict[str, list[tuple[str, ...]]] = {}
    for key in keys:
        if not key.violations and {*key.columns} <= {*frames[key.table].columns}:
            sound.setdefault(key.table, []).append(key.columns)
    declared = [r for table in tables.values() for r in _declared_references(relations, table)]
    there = [r for r in declared if {*r.columns} <= {*frames[r.table].columns} and {*r.to} <= {*frames[r.other].columns}]
    known = {Reference(r.table, columns, r.other, to) for r in there for columns, to in _parts(r)}
    return [measured(frames, sound, r, declared=True) for r in there] + inclusions(frames, sound, known, max_violations)


def _parts(reference: Reference) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return all references that a declared one implies: what several columns refer to, some of them refer to as well."""
    pairs = list(zip(reference.columns, reference.to, strict=True))
    parts = [part for size in range(1, len(pairs) + 1) for part in combinations(pairs, size)]
    return [(tuple(c for c, _ in part), tuple(k for _, k in part)) for part in parts]


def _declared_references(relations: Relations, table: _Table) -> list[Reference]:
    found = []
    for fk in table.declared:
        if fk.kind == "ForeignKey" and fk.other is not None and fk.other in relations.names:
            here, there = relations.columns[table.iri], relations.columns[fk.other]
            pairs = [(here[c], there[to]) for c in fk.columns if (to := relations.target(c, fk.other))]
            if len(pairs) == len(fk.columns):
                columns, to_columns = tuple(c for c, _ in pairs), tuple(k for _, k in pairs)
                found.append(Reference(table.name, columns, relations.names[fk.other], to_columns))
    return found
