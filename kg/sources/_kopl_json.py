"""KoPL's JSON into frames of strings that still know their place in the file, for errors that name it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from kg.errors import SourceError, nearest
from kg.files import read_bytes

_DIRECTIONS = ("forward", "backward")
_KINDS = ("string", "quantity", "date", "year")


@dataclass(frozen=True)
class KoplFile:
    """A knowledge base in KoPL's format.

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

    def fault(self, place: str, problem: str, way_out: str) -> SourceError:
        """Return the error to raise about a place in the file."""
        return _fault(self.path, place, problem, way_out)


def read_kopl(path: Path) -> KoplFile:
    """Read a file and check its shape.

    Raises SourceError for what is not JSON (with line and column), and for JSON of another shape (with its path).
    """
    root = _parse(path, read_bytes(path))
    if not isinstance(root, dict):
        raise _fault(path, "", f"is a JSON {_kind_of(root)}, not an object", "give KoPL's kb.json")
    reader = _KoplReader(path)
    for key in ("concepts", "entities"):
        if not isinstance(root.get(key), dict):
            problem = f"'{key}' {_wanted(dict, root.get(key))[0]}"
            raise _fault(path, "", problem, "give KoPL's kb.json, an object with 'concepts' and 'entities'")
    reader.concepts(root["concepts"])
    reader.entities(root["entities"])
    return reader.finish()


def _parse(path: Path, data: bytes) -> Any:
    try:
        # Numbers stay texts: 1.10 is not 1.1, and a float would round what has many digits.
        return json.loads(data, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        problem = f"is not JSON ({error.msg})"
        place = f"{path}:{error.lineno}:{error.colno}"
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place, problem = f"{path}:{line}", "is not UTF-8 text"
    except RecursionError:
        place, problem = str(path), "is nested too deeply to be a knowledge base"
    raise SourceError(problem, place=place, way_out="fetch the file again; it may be cut off or damaged")


def _fault(path: Path, place: str, problem: str, way_out: str) -> SourceError:
    return SourceError(problem, place=f"{path}{_line_of(path, place)}: {place}" if place else str(path), way_out=way_out)


def _line_of(path: Path, place: str) -> str:
    """Return `:LINE` where the entity or concept of a JSON path begins; nothing where that cannot be told."""
    section, _, rest = place.partition(".")
    if not rest or str(path) == "-":
        return ""
    text = read_bytes(path).decode(errors="replace")
    start = max(text.find(f'"{section}"'), 0)
    parts = rest.split(".")
    for end in range(1, len(parts) + 1):  # an id may hold dots
        key = re.escape(json.dumps(".".join(parts[:end]), ensure_ascii=False))
        if match := re.compile(key + r"\s*:").search(text, start):
            return f":{text.count(chr(10), 0, match.start()) + 1}"
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
        raise _fault(path, place_of(self.section, cells, name), _not_text(cells[name]), "it has to be a text or number")


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

    def concepts(self, concepts: dict[str, Any]) -> None:
        for key, concept in concepts.items():
            self._must_be(dict, concept, "concepts", key)
            self._concepts.rows.append((key, concept.get("name")))
            for which in ("subclassOf", "instanceOf"):
                above = self._list(concept, which, "concepts", key)
                self._supers.rows.extend((key, which, n, o) for n, o in enumerate(above))

    def entities(self, entities: dict[str, Any]) -> None:
        for key, entity in entities.items():
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
            raise _fault(self.path, place_of("entities", row, "").rstrip("."), *_wanted(dict, value))
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
            raise _fault(self.path, ".".join(place), *_wanted(kind, value))

    def finish(self) -> KoplFile:
        parts = (self._concepts, self._supers, self._entities, self._types, self._relations, self._attributes, self._values)
        file = KoplFile(self.path, *(part.frame(self.path) for part in parts))
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
        raise file.fault(place_of("entities", row, "value"), "is missing", "give the value")


def _known_words(file: KoplFile, section: str, frame: pl.DataFrame, column: str, known: tuple[str, ...]) -> None:
    for row in frame.filter(~pl.col(column).is_in(known)).head(1).iter_rows(named=True):
        word = row[column]
        raise file.fault(place_of(section, row, column), f"'{word}' is unknown", nearest(word, known))
