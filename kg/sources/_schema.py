"""`SCHEMA.toml`: what a set of relational tables says about itself.

```toml
name = "films"
base = "https://example.org/films/"

[tables.film]
file = "film.csv"                       # default: the table's name and .csv; .tsv, .jsonl, .parquet too
key = "id"                              # or ["title", "year"]
label = "title"                         # or ["first_name", "last_name"]
alias = "other_titles"
names = "film_names.csv"                # the key, and a column of names for each language: de, fr, …
fk = { director = "person" }            # or "person.id"; composite: { "a,b" = "other.x,y" }
entities = { genre = "genre" }          # a string column whose values are entities of that concept
split = { other_titles = "|" }          # cells with several values
null = ["n/a"]                          # texts that mean no value, beside the empty cell
types = { year = "integer" }
unique = ["imdb"]
fd = { "director, year" = "title" }     # director and year determine the title
```
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from kg.errors import SourceError, nearest
from kg.files import read_bytes
from kg.formats import parse_toml
from kg.sources._values import SHAPES

_IRI = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\#?]*/$")


@dataclass(frozen=True)
class ForeignKey:
    """`columns` refer to `to` (the key, where empty) of `table`."""

    columns: tuple[str, ...]
    table: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class Dependency:
    """A functional dependency: `columns` determine `determined`."""

    columns: tuple[str, ...]
    determined: tuple[str, ...]


@dataclass(frozen=True)
class TableSchema:
    """One table, as `SCHEMA.toml` or a database describes it.

    `names` is a file of names in other languages. `english` is the column of the English names, which go before those of
    `label` where a row has one. `types` are promises, checked value by value; `hints` are what a database declares, kept where
    every value survives.
    """

    name: str
    file: str
    key: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    english: str | None = None
    alias: tuple[str, ...] = ()
    names: str | None = None
    fk: tuple[ForeignKey, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()
    split: tuple[tuple[str, str], ...] = ()
    null: tuple[str, ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    fd: tuple[Dependency, ...] = ()
    hints: tuple[tuple[str, str], ...] = ()

    def columns(self) -> list[str]:
        """The columns that the description names, each once."""
        named = [*self.key, *self.label, *self.alias]
        for group in (*(f.columns for f in self.fk), *self.unique, *(d.columns + d.determined for d in self.fd)):
            named += group
        for pairs in (self.entities, self.split, self.types):
            named += [column for column, _ in pairs]
        return list(dict.fromkeys(named))


@dataclass(frozen=True)
class Schema:
    """A whole `SCHEMA.toml`; `text` is kept for errors that name a line."""

    path: Path
    text: str
    base: str
    tables: dict[str, TableSchema]
    name: str | None = None
    license: str | None = None
    source: str | None = None

    def fault(self, table: str | None, key: str, problem: str, way_out: str) -> SourceError:
        """Return the error to raise about `key` of a table (of the whole, where `table` is None)."""
        return _fault(self.path, self.text, table, key, problem, way_out)


def is_base(iri: str) -> bool:
    """Say whether tables can be named under this IRI: it is absolute and ends in a slash."""
    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return _IRI.match(iri) is not None


def read_schema(path: Path) -> Schema:
    """Read a `SCHEMA.toml`.

    Raises SourceError, with file and line, for what is not TOML, an unknown key or table, a value of another kind.
    """
    data = read_bytes(path)
    root = parse_toml(data, str(path))
    return _SchemaParser(path, data.decode("utf-8-sig")).schema(root)


def _fault(path: Path, text: str, table: str | None, key: str, problem: str, way_out: str) -> SourceError:
    return SourceError(problem, place=f"{path}:{_line_of(text, table, key)}", way_out=way_out)


def _line_of(text: str, table: str | None, key: str) -> int:
    """Return the line (from 1) of a key; that of its table, or the first, where it is not written out."""
    here, line_number = table is None, 1
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            here = _is_header_of(line, table)
            line_number = number if here else line_number
        elif here and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return number
    return line_number


def _is_header_of(line: str, table: str | None) -> bool:
    try:
        tables = tomllib.loads(line).get("tables")
    except tomllib.TOMLDecodeError:
        return False
    return isinstance(tables, dict) and table in tables


class _SchemaParser:
    """Checks kinds and names while it turns TOML into a `Schema`."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        self.table: str | None = None

    def schema(self, root: dict[str, Any]) -> Schema:
        self._known(root, ("name", "base", "license", "source", "tables"))
        named = {key: self._text(key, root.get(key), optional=True) for key in ("name", "license", "source")}
        tables = root.get("tables")
        if not isinstance(tables, dict) or not tables:
            raise self._fault("tables", "describes no table", "add a section such as [tables.film]")
        base = self._base(root.get("base"))
        schema = Schema(self.path, self.text, base, {t: self._table(t, tables[t]) for t in tables}, **named)
        for table in schema.tables.values():
            self._references(schema, table)
        return schema

    def _base(self, base: Any) -> str:
        way_out = 'give one such as base = "https://example.org/films/"'
        if base is None:
            raise self._fault("base", "the key 'base' is missing", way_out)
        if not is_base(text := self._text("base", base) or ""):
            raise self._fault("base", f"'{text}' is no absolute IRI that ends in '/'", way_out)
        return text

    def _table(self, name: str, section: Any) -> TableSchema:
        self.table = name
        if not isinstance(section, dict):
            raise self._fault(name, f"table '{name}' is no section", f"write it as [tables.{name}]")
        known = ("file", "key", "label", "alias", "names", "fk", "entities", "split", "null", "types", "unique", "fd")
        self._known(section, known)
        return TableSchema(
            name,
            file=self._text("file", section.get("file"), optional=True) or f"{name}.csv",
            key=self._columns("key", section.get("key", [])),
            label=self._columns("label", section.get("label", [])),
            alias=self._columns("alias", section.get("alias", [])),
            names=self._text("names", section.get("names"), optional=True),
            fk=tuple(self._foreign_key(c, t) for c, t in self._pairs("fk", section)),
            entities=self._pairs("entities", section),
            split=self._pairs("split", section),
            null=self._texts("null", section.get("null", [])),
            types=self._types(section),
            unique=self._unique(section.get("unique", [])),
            fd=tuple(Dependency(_names(a), _names(b)) for a, b in self._pairs("fd", section)),
        )

    def _types(self, section: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        pairs = self._pairs("types", section)
        for column, datatype in pairs:
            if datatype not in SHAPES:
                raise self._fault("types", f"'{datatype}' is no type for '{column}'", nearest(datatype, SHAPES))
        return pairs

    def _unique(self, value: Any) -> tuple[tuple[str, ...], ...]:
        if not isinstance(value, list):
            raise self._fault("unique", "is no list", 'write it as unique = ["imdb"] or unique = [["title", "year"]]')
        return tuple(self._columns("unique", columns) for columns in value)

    def _foreign_key(self, columns: str, target: str) -> ForeignKey:
        table, _, to = target.partition(".")
        return ForeignKey(_names(columns), table.strip(), _names(to) if to else ())

    def _references(self, schema: Schema, table: TableSchema) -> None:
        """Check that foreign keys refer to tables that are there, by as many columns as they have."""
        self.table = table.name
        for fk in table.fk:
            if fk.table not in schema.tables:
                problem = f"foreign key {_quoted(fk.columns)} refers to table '{fk.table}', which is not described"
                raise self._fault("fk", problem, nearest(fk.table, schema.tables))
            to = fk.to or schema.tables[fk.table].key
            if len(to) != len(fk.columns):
                problem = f"foreign key {_quoted(fk.columns)} refers to {_quoted(to) or 'no column'} of '{fk.table}'"
                raise self._fault("fk", problem, f"name {len(fk.columns)} column(s), as in '{fk.table}.x'")

    def _pairs(self, key: str, section: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        pairs = section.get(key, {})
        if not isinstance(pairs, dict):
            raise self._fault(key, f"'{key}' is no table", f'write it as {key} = {{ column = "…" }}')
        return tuple((column, self._text(key, value) or "") for column, value in pairs.items())

    def _columns(self, key: str, value: Any) -> tuple[str, ...]:
        return _names(value) if isinstance(value, str) else self._texts(key, value)

    def _texts(self, key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self._fault(key, f"'{key}' is no list of texts", f'write it as {key} = ["…"]')
        return tuple(self._text(key, item) or "" for item in value)

    def _text(self, key: str, value: Any, *, optional: bool = False) -> str | None:
        if value is None and optional:
            return None
        if not isinstance(value, str) or (value == "" and key != "null"):
            raise self._fault(key, f"'{key}' has {value!r} where a text belongs", "put it in quotes")
        return value

    def _known(self, keys: Iterable[str], known: Iterable[str]) -> None:
        for key in keys:
            if key not in known:
                raise self._fault(key, f"unknown key '{key}'", nearest(key, known))

    def _fault(self, key: str, problem: str, way_out: str) -> SourceError:
        return _fault(self.path, self.text, self.table, key, problem, way_out)


def _names(columns: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in columns.split(",") if name.strip())


def _quoted(columns: tuple[str, ...]) -> str:
    return ", ".join(f"'{c}'" for c in columns)
