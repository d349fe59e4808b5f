"""What is wrong with a line: a JSON value is held against the types that its record's struct declares, fault by fault."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from kg.errors import nearest, one_line
from queries.errors import RecordError

SEE_SCHEMA = "see `python -m queries.records schema`"

# What texts of a pattern look like. With `$` instead of `\Z` a line feed could follow.
ID = r"\A[A-Za-z0-9._-]+\Z"
EDIT = r"\A(NSC|NDC|NNSC|NNDC|NNSR|NNDR|[a-z][a-z0-9_-]*)\Z"


class LineFault(NamedTuple):
    """One thing wrong with a record: in which field (empty: the line as a whole), what, and the way out."""

    field: str
    problem: str
    way_out: str

    def error(self, place: str) -> RecordError:
        """Return the fault as an error that names the place."""
        problem = f"field '{self.field}' {self.problem}" if self.field else self.problem
        return RecordError(problem, place=place, way_out=self.way_out)


Path = tuple[str | int, ...]
"""Names and positions that lead to a value within a record."""


def faults_of(kind: inspect.Type, value: Any, path: Path = ()) -> Iterator[LineFault]:
    """Yield what is wrong with a JSON value in the order of the fields; nulls that stand for empty are taken out of it."""
    match kind:
        case inspect.UnionType():
            if value is not None:
                yield from faults_of(not_null(kind), value, path)
        case inspect.StructType():
            yield from _object_faults(kind, value, path)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            yield from _list_faults(item, value, path)
        case inspect.TupleType():
            yield from _tuple_faults(kind.item_types, value, path)
        case inspect.DictType():
            yield from _open_faults(kind, value, path)
        case inspect.LiteralType():
            if value not in kind.values:
                yield _unlisted(kind, value, path)
        case _:
            yield from _scalar_faults(kind, value, path)


def not_null(kind: inspect.Type) -> inspect.Type:
    """Return a type without its null. Raises TypeError for a choice between several others, which no record has."""
    if not isinstance(kind, inspect.UnionType):
        return kind
    others = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
    if len(others) != 1:
        raise TypeError(f"{kind} is no type of a field of a record")
    return others[0]


def may_be_empty(field: inspect.Field) -> bool:
    """Tell whether a null stands for an empty list or object: where that is the default."""
    return field.default_factory in (list, dict) and not isinstance(field.type, inspect.UnionType)


def _object_faults(kind: inspect.StructType, value: Any, path: Path) -> Iterator[LineFault]:
    if not isinstance(value, dict):
        yield _wrong(value, "an object", path)
        return
    faults = [*_field_faults(kind, value, path), *_unknown_fields(kind, value, path)]
    yield from faults
    if not faults and hasattr(kind.cls, "__post_init__"):
        yield from _rule_faults(kind.cls, value, path)


def _field_faults(kind: inspect.StructType, value: dict[str, Any], path: Path) -> Iterator[LineFault]:
    for field in kind.fields:
        name = field.encode_name
        if name not in value:
            if field.required:
                yield LineFault(_dotted((*path, name)), "is missing", "add it")
        elif value[name] is None and may_be_empty(field):
            del value[name]
        else:
            yield from faults_of(field.type, value[name], (*path, name))


def _unknown_fields(kind: inspect.StructType, value: dict[str, Any], path: Path) -> Iterator[LineFault]:
    if not kind.forbid_unknown_fields:
        return
    known = [field.encode_name for field in kind.fields]
    for name in value:
        if name not in known:
            # What is meant is guessed for the record itself only; of its parts the schema says it.
            yield LineFault(_dotted((*path, name)), "is unknown", "take it out" if path else nearest(name, known))


def _rule_faults(struct: type, value: dict[str, Any], path: Path) -> Iterator[LineFault]:
    """Yield the rule between fields that a struct's `__post_init__` finds broken."""
    try:
        msgspec.convert(value, struct)
    except msgspec.ValidationError as error:
        *field, problem = (error.__cause__ or error).args
        place, wrong = (*path, *field), value[field[0]] if field else value
        yield LineFault(_dotted(place), f"is {_short(wrong)}: {problem}" if place else problem, SEE_SCHEMA)


def _list_faults(item: inspect.Type, value: Any, path: Path) -> Iterator[LineFault]:
    if not isinstance(value, list):
        yield _wrong(value, "a list", path)
        return
    for number, part in enumerate(value):
        yield from faults_of(item, part, (*path, number))


def _tuple_faults(items: Sequence[inspect.Type], value: Any, path: Path) -> Iterator[LineFault]:
    if not isinstance(value, list):
        yield _wrong(value, "a list", path)
        return
    if len(value) > len(items):
        problem = f"is {_short(value)}: Tuple should have at most {len(items)} items after validation, not {len(value)}"
        yield LineFault(_dotted(path), problem, SEE_SCHEMA)
        return
    for number, item in enumerate(items):
        if number < len(value):
            yield from faults_of(item, value[number], (*path, number))
        else:
            yield LineFault(_dotted((*path, number)), "is missing", "add it")


def _open_faults(kind: inspect.DictType, value: Any, path: Path) -> Iterator[LineFault]:
    if not isinstance(value, dict):
        yield _wrong(value, "an object", path)
        return
    if kind.max_length is not None and len(value) > kind.max_length:
        yield LineFault(_dotted(path), f"has {len(value):,} entries", f"keep to {kind.max_length}")
        return
    for name, part in value.items():
        yield from faults_of(kind.value_type, part, (*path, name))


def _unlisted(kind: inspect.LiteralType, value: Any, path: Path) -> LineFault:
    *others, last = [f"'{known}'" for known in kind.values]
    known = f"{', '.join(others)} or {last}" if others else last
    field = _dotted(path)
    return LineFault(field, f"is {_short(value)}", f"this version reads {known}" if field == "schema" else f"known: {known}")


def _scalar_faults(kind: inspect.Type, value: Any, path: Path) -> Iterator[LineFault]:
    expected, types = _SCALARS[type(kind)]
    # To Python a boolean is a whole number; in JSON it is not.
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        yield _wrong(value, expected, path)
    elif broken := _broken_limit(kind, value):
        yield LineFault(_dotted(path), *broken)


_SCALARS: dict[type[inspect.Type], tuple[str, tuple[type, ...]]] = {
    inspect.StrType: ("a string", (str,)),
    inspect.IntType: ("a whole number", (int,)),
    inspect.FloatType: ("a number", (int, float)),
    inspect.BoolType: ("true or false", (bool,)),
}


_WAYS_OUT = {
    ID: "use letters, digits, '.', '_' and '-'",
    EDIT: "known: NSC, NDC, NNSC, NNDC, NNSR, NNDR; an own edit's name has small letters, digits, '_' and '-'",
}


def _broken_limit(kind: inspect.Type, value: Any) -> tuple[str, str] | None:
    """Return how a value goes beyond the limits of its type, and the way out."""
    match kind:
        case inspect.StrType(min_length=int() as least) if len(value) < least:
            return "is empty", "fill it in"
        case inspect.StrType(pattern=str() as pattern) if not re.search(pattern, value):
            return f"is {_short(value)}", _WAYS_OUT[pattern]
        case inspect.FloatType() if not _finite(value):
            return f"is {_short(value)}: Input should be a finite number", SEE_SCHEMA
        case inspect.IntType(ge=least) | inspect.FloatType(ge=least) if least is not None and value < least:
            return f"is {_short(value)}: Input should be greater than or equal to {least}", SEE_SCHEMA
        case inspect.IntType(le=most) | inspect.FloatType(le=most) if most is not None and value > most:
            return f"is {_short(value)}: Input should be less than or equal to {most}", SEE_SCHEMA
    return None


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def _wrong(value: Any, expected: str, path: Path) -> LineFault:
    return LineFault(_dotted(path), f"is {_short(value)}, not {expected}", f"write {expected}")


def _dotted(path: Path) -> str:
    """Write a place in a record as a person does.

    >>> _dotted(("rationale", 0, "value"))
    'rationale[0].value'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _short(value: Any) -> str:
    return one_line(json.dumps(value, ensure_ascii=False), 60)
