"""A record's fields in the words of others: JSON Schema, and the types of polars' columns."""

from __future__ import annotations

import functools
import inspect as python
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import polars as pl
from msgspec import inspect

from queries.records.faults import may_be_empty, not_null
from queries.records.record import Record, described


def json_schema(record: type[Record]) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a record.

    >>> from queries.records.response import Usage
    >>> json_schema(Usage)["properties"]["cached"]["anyOf"][0]
    {'maximum': 9007199254740992, 'minimum': 0, 'type': 'integer'}
    """
    parts: dict[str, Any] = {}
    whole = _object(described(record), parts)
    return {"$defs": dict(sorted(parts.items())), **whole} if parts else whole


def _object(struct: inspect.StructType, parts: dict[str, Any]) -> dict[str, Any]:
    """Describe a struct; the structs within it are added to `parts`."""
    properties = {field.encode_name: _property(field, parts) for field in struct.fields}
    required = [field.encode_name for field in struct.fields if field.required]
    return {
        "additionalProperties": False,
        "description": python.cleandoc(struct.cls.__doc__ or ""),
        "properties": properties,
        **({"required": required} if required else {}),
        "title": struct.cls.__name__,
        "type": "object",
    }


def _property(field: inspect.Field, parts: dict[str, Any]) -> dict[str, Any]:
    described_type = _type(field.type, parts)
    if field.default is not msgspec.NODEFAULT:
        described_type["default"] = field.default
    if not isinstance(not_null(field.type), inspect.StructType):  # a struct has a title of its own
        described_type["title"] = field.encode_name.replace("_", " ").title()
    return dict(sorted(described_type.items()))


def _type(kind: inspect.Type, parts: dict[str, Any]) -> dict[str, Any]:
    match kind:
        case inspect.UnionType():
            return {"anyOf": [_type(not_null(kind), parts), {"type": "null"}]}
        case inspect.StructType(cls=struct):
            if struct.__name__ not in parts:
                parts[struct.__name__] = _object(kind, parts)
            return {"$ref": f"#/$defs/{struct.__name__}"}
        case inspect.ListType(item_type=item):
            return {"items": _type(item, parts), "type": "array"}
        case inspect.TupleType(item_types=items):
            entries = [_type(item, parts) for item in items]
            return {"maxItems": len(items), "minItems": len(items), "prefixItems": entries, "type": "array"}
        case inspect.DictType(value_type=value, max_length=most):
            limit = {} if most is None else {"maxProperties": most}
            return {"additionalProperties": _type(value, parts), **limit, "type": "object"}
        case inspect.LiteralType(values=(value,)):
            return {"const": value, "type": "string"}
        case inspect.LiteralType(values=values):
            return {"enum": list(values), "type": "string"}
    return _scalar(kind)


def _scalar(kind: inspect.Type) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    match kind:
        case inspect.StrType(min_length=least, pattern=pattern):
            # Other programs' regular expressions say `^` and `$` of the whole text.
            whole = None if pattern is None else pattern.replace(r"\A", "^").replace(r"\Z", "$")
            limits = {"minLength": least, "pattern": whole}
        case inspect.IntType(ge=least, le=most) | inspect.FloatType(ge=least, le=most):
            limits = {"maximum": most, "minimum": least}
    stated = {name: limit for name, limit in limits.items() if limit is not None}
    return {**stated, "type": _JSON_TYPES[type(kind)]}


_JSON_TYPES: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "integer",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
}


def frame_schema(struct: type[msgspec.Struct], open_fields: Mapping[str, Collection[str]] | None = None) -> pl.Schema:
    """Return the polars types of the fields of a record or a view; open objects become structs of `open_fields`.

    >>> from queries.records.item import Item
    >>> from queries.records.verdict import Verdict
    >>> frame_schema(Item, {"strata": ["domain"]})["strata"]
    Struct({'domain': String})
    >>> frame_schema(Verdict)["spans"]
    List(List(Int64))
    """
    schema = _columns(described(struct))
    for name, keys in (open_fields or {}).items():
        schema[name] = pl.Struct(dict.fromkeys(keys, pl.String))
    return schema


def _columns(struct: inspect.StructType) -> pl.Schema:
    return pl.Schema({field.encode_name: _column(field.type) for field in struct.fields})


def _column(kind: inspect.Type) -> pl.DataType:
    match kind:
        case inspect.UnionType():
            return _column(not_null(kind))
        case inspect.StructType():
            return pl.Struct(_columns(kind))
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return pl.List(_column(item))
        case inspect.TupleType(item_types=items):
            return pl.List(_column(items[0]))
        case inspect.DictType():
            return pl.Struct({})  # its names are known when a file was read
    return _PLAIN[type(kind)]


_PLAIN: dict[type[inspect.Type], pl.DataType] = {
    inspect.StrType: pl.String(),
    inspect.LiteralType: pl.String(),
    inspect.IntType: pl.Int64(),
    inspect.FloatType: pl.Float64(),
    inspect.BoolType: pl.Boolean(),
}


def open_names(struct: type[msgspec.Struct]) -> list[str]:
    """Return the fields that are open objects.

    >>> from queries.records.item import Item
    >>> open_names(Item)
    ['strata', 'source']
    """
    return [field.encode_name for field in described(struct).fields if isinstance(field.type, inspect.DictType)]


@functools.cache
def empty_lists(struct: type[msgspec.Struct]) -> frozenset[str]:
    """Return the fields that are lists and empty, not null, where there is nothing to say.

    >>> from queries.records.item import Item
    >>> sorted(empty_lists(Item))
    ['given', 'proof', 'rationale']
    """
    fields = described(struct).fields
    return frozenset(field.encode_name for field in fields if field.default_factory is list and may_be_empty(field))
