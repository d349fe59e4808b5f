"""KoPL's JSON into frames of strings that still know their place in the file, for errors that name it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from kg.errors import SourceError, nearest
from kg.sources._json_members import members

_DIRECTIONS = ("forward", "backward")
_SECTIONS = ("concepts", "entities")
_PART = 50_000
"""A part of a file has so many rows of one kind, and those of one entity more."""

_KINDS = ("string", "quantity", "date", "year")


@dataclass(frozen=True)
class KoplFile:
    """A knowledge base in KoPL's format, or the part of one that some of its entities (or its concepts) make.

    concepts `id name`; supers `id object` (superclasses); entities `id name`; types `id object`; relations `id n relation
    direction object`; attributes `id n key`; values `id list n key m kind value unit`, where `list` and `n` say which
    relation or attribute of entity `id` the value belongs to, and `key` is null for an attribute's own value and else
    names the qualifier, of which it is value number `m`. `place_of` finds the way back into the file.
    """

    path: Path
    concepts: pl.DataFrame
    supers: pl.DataFrame
    entities: pl.DataFrame
    types: pl.DataFrame
    relations: pl.DataFrame
    attributes: pl.DataFrame
    values: pl.DataFrame


def read_kopl(path: Path, tap: Callable[[bytes], object] | None = None) -> Iterator[KoplFile]:
    """Read a file and check its shape, some thousand entities at a time; what is about one stands in one part.

    Parameters: `tap` is given the file's bytes as they are read.
    Raises SourceError for what is not JSON (with line and column), and for JSON of another shape (with its path).
    """
    reader, seen = _KoplReader(path), set[str]()
    for section, key, value, _ in members(path, tap):
        if not section:
            raise fault(path, "", f"is a JSON {_kind_of(value)}, not an object", "give KoPL's kb.json")
        if key is None and section in _SECTIONS:
            seen.add(section)
            if not isinstance(value, dict):
                raise _no_section(path, section, value)
        elif section in _SECTIONS and key is not None:
            (reader.concept if section == "concepts" else reader.entity)(key, value)
            if reader.full:
                yield reader.finish()
                reader = _KoplReader(path)
    for section in _SECTIONS:
        if section not in seen:
            raise _no_section(path, section, None)
    yield reader.finish()


def _no_section(path: Path, section: str, value: Any) -> SourceError:
    problem = f"'{section}' {_wanted(dict, value)[0]}"
    return fault(path, "", problem, "give KoPL's kb.json, an object with 'concepts' and 'entities'")


def fault(path: Path, place: str, problem: str, way_out: str) -> SourceError:
    """Return the error to raise about a place in a file: its JSON path, or "" for all of it."""
    return SourceError(problem, place=f"{path}{_line_of(path, place)}: {place}" if place else str(path), way_out=way_out)


def _line_of(path: Path, place: str) -> str:
    """Return `:LINE` where the entity or concept of a JSON path begins; nothing where that cannot be told."""
    section, _, rest = place.partition(".")
    if not rest or str(path) == "-":
        return ""
    for member in members(path):
        key = member.key
        if member.section == section and key is not None and (rest == key or rest.startswith(f"{key}.")):
            return f":{member.line}"
    return ""


def _kind_of(value: Any) -> str:
    names = {dict: "object", list: "list", str: "string or number", bool: "boolean", type(None): "null"}
    return names.get(type(value), type(value).__name__)


class _KoplColumns:
    """Rows that become a frame of strings; `n` and `m` are numbers, the `optional` ones may be null or empty."""

    def __init__(self, section: str, *names: str, optional: tuple[str, ...] = ()) -> None:
        self.section, self.names, self.optional = section, names, optional
        self.rows: list[tuple[Any, ...]] = []

    def frame(self, path: Path) -> pl.DataFrame:
        columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in self.names)
        return pl.DataFrame([self._series(path, *column) for column in zip(self.names, columns, strict=True)])

    def _series(self, path: Path, name: str, values: Iterable[Any]) -> pl.Series:
        if name in ("n", "m"):
            return pl.Series(name, values, dtype=pl.Int64)
        try:
            texts = pl.Series(name, values, dtype=pl.String, strict=True)
        except (TypeError, UnicodeEncodeError):
            texts = None
        if texts is not None and (name in self.optional or not (texts.is_null() | (texts == "")).any()):
            return texts
        row = next(r for r in self.rows if not _is_text(r[self.names.index(name)], name in self.optional))
        cells = dict(zip(self.names, row, strict=True))
        raise fault(path, place_of(self.section, cells, name), _not_text(cells[name]), "it has to be a text or number")


def place_of(section: str, row: dict[str, Any], column: str) -> str:
    """Return the JSON path of what stands in `column` of a row of one of the frames.

    >>> place_of("entities.relations", {"id": "Q15", "n": 3, "relation": "child"}, "object")
    'entities.Q15.relations[3].object'
    """
    top, _, which = section.partition(".")
    path = f"{top}.{row['id']}"
    if which := row.get("list", which):
        path += f".{which}[{row['n']}]"
    if "kind" in row:
        path += ".value" if row["key"] is None else f".qualifiers.{row['key']}[{row['m']}]"
    if column == "object" and "relation" not in row:  # the element of the list itself
        return path
    return f"{path}.{'type' if column == 'kind' else column}"


def _is_text(value: Any, may_be_absent: bool) -> bool:
    if value is None or value == "":
        return may_be_absent
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def _not_text(value: Any) -> str:
    if value is None:
        return "is missing"
    if value == "":
        return "is empty"
    return "has half a character (a lone surrogate)" if isinstance(value, str) else f"is a JSON {_kind_of(value)}"


class _KoplReader:
    """One pass over the JSON that fills columns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._concepts = _KoplColumns("concepts", "id", "name")
        self._supers = _KoplColumns("concepts", "id", "list", "n", "object")
        self._entities = _KoplColumns("entities", "id", "name")
        self._types = _KoplColumns("entities", "id", "list", "n", "object")
        self._relations = _KoplColumns("entities.relations", "id", "n", "relation", "direction", "object")
        self._attributes = _KoplColumns("entities.attributes", "id", "n", "key")
        self._values = _KoplColumns(
            "entities", "id", "list", "n", "key", "m", "kind", "value", "unit", optional=("key", "unit", "value")
        )

    @property
    def full(self) -> bool:
        """Whether it holds as many rows as a part has."""
        return max(len(part.rows) for part in self._parts) >= _PART

    def concept(self, key: str, concept: Any) -> None:
        self._must_be(dict, concept, "concepts", key)
        self._concepts.rows.append((key, concept.get("name")))
        for which in ("subclassOf", "instanceOf"):
            above = self._list(concept, which, "concepts", key)
            self._supers.rows.extend((key, which, n, o) for n, o in enumerate(above))

    def entity(self, key: str, entity: Any) -> None:
        self._must_be(dict, entity, "entities", key)
        self._entities.rows.append((key, entity.get("name")))
        types = self._list(entity, "instanceOf", "entities", key)
        self._types.rows.extend((key, "instanceOf", n, o) for n, o in enumerate(types))
        self._relations_of(key, self._list(entity, "relations", "entities", key))
        self._attributes_of(key, self._list(entity, "attributes", "entities", key))

    def _relations_of(self, key: str, relations: list[Any]) -> None:
        rows = self._relations.rows
        for n, r in enumerate(relations):
            if type(r) is not dict:  # asked here, as a call for each of millions takes long
                self._must_be(dict, r, "entities", key, f"relations[{n}]")
            # "predicate" is what earlier editions of the format call it
            rows.append((key, n, r.get("relation", r.get("predicate")), r.get("direction"), r.get("object")))
            if qualifiers := r.get("qualifiers"):
                self._qualifiers_of(key, "relations", n, qualifiers)

    def _attributes_of(self, key: str, attributes: list[Any]) -> None:
        for n, a in enumerate(attributes):
            self._must_be(dict, a, "entities", key, f"attributes[{n}]")
            self._attributes.rows.append((key, n, a.get("key")))
            self._value(a.get("value"), key, "attributes", n, None, None)
            if qualifiers := a.get("qualifiers"):
                self._qualifiers_of(key, "attributes", n, qualifiers)

    def _qualifiers_of(self, key: str, which: str, n: int, qualifiers: Any) -> None:
        place = f"{which}[{n}].qualifiers"
        self._must_be(dict, qualifiers, "entities", key, place)
        for name, values in qualifiers.items():
            self._must_be(list, values, "entities", key, f"{place}.{name}")
            for m, value in enumerate(values):
                self._value(value, key, which, n, name, m)

    def _value(self, value: Any, key: str, which: str, n: int, name: str | None, m: int | None) -> None:
        if type(value) is not dict:
            row: dict[str, Any] = {"id": key, "list": which, "n": n, "key": name, "m": m, "kind": None}
            raise fault(self.path, place_of("entities", row, "").rstrip("."), *_wanted(dict, value))
        cells = (value.get("type"), value.get("value"), value.get("unit"))
        self._values.rows.append((key, which, n, name, m, *cells))

    def _list(self, of: dict[str, Any], which: str, *place: str) -> list[Any]:
        items = of.get(which)
        if items is None:
            return []
        self._must_be(list, items, *place, which)
        return items  # type: ignore[no-any-return]

    def _must_be(self, kind: type, value: Any, *place: str) -> None:
        if type(value) is not kind:
            raise fault(self.path, ".".join(place), *_wanted(kind, value))

    @property
    def _parts(self) -> tuple[_KoplColumns, ...]:
        about = (self._concepts, self._supers, self._entities, self._types)
        return (*about, self._relations, self._attributes, self._values)

    def finish(self) -> KoplFile:
        file = KoplFile(self.path, *(part.frame(self.path) for part in self._parts))
        _check_words(file)
        return file


def _wanted(kind: type, value: Any) -> tuple[str, str]:
    problem = "is missing" if value is None else f"is a JSON {_kind_of(value)}"
    return problem, f"it has to be a JSON {_kind_of(kind())}"


def _check_words(file: KoplFile) -> None:
    """Refuse directions and kinds of value that the format does not know, and values that are not there."""
    _known_words(file, "entities.relations", file.relations, "direction", _DIRECTIONS)
    _known_words(file, "entities", file.values, "kind", _KINDS)
    for row in file.values.filter(pl.col("value").is_null()).head(1).iter_rows(named=True):
        raise fault(file.path, place_of("entities", row, "value"), "is missing", "give the value")


def _known_words(file: KoplFile, section: str, frame: pl.DataFrame, column: str, known: tuple[str, ...]) -> None:
    for row in frame.filter(~pl.col(column).is_in(known)).head(1).iter_rows(named=True):
        word = row[column]
        raise fault(file.path, place_of(section, row, column), f"'{word}' is unknown", nearest(word, known))
