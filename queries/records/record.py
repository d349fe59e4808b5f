"""What a record is: a struct that describes its lines once, and the decoder that is made from it.

The struct says which fields a line has, their types and limits, and which may be left out. Reader, writer, JSON Schema, columns
and the faults of a line all come from it, so that a new field is a change of one class.
"""

from __future__ import annotations

import datetime
import functools
from typing import Annotated, Any, ClassVar, Generic, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, inspect
from pydantic_core import from_json

from kg.errors import one_line
from queries.records.faults import ID, SEE_SCHEMA, LineFault, faults_of, not_null

Text = str
Name = Annotated[str, Meta(min_length=1)]
"""A text that may not be empty."""

Id = Annotated[str, Meta(pattern=ID)]
"""An item's id."""

# Beyond 2**53 programs that keep numbers as floats read another one.
Count = Annotated[int, Meta(ge=0, le=2**53)]
Amount = Annotated[float, Meta(ge=0)]

Open = Annotated[dict[str, str | None], Meta(max_length=100)]
"""An open object of strings, a hundred at most; a null in it means absent."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A record or a part of one: exact types, no unknown fields, never changed once made.

    In a file a null stands for an empty list or object where that is a field's default. A rule that ties fields together is a
    `__post_init__` that raises ValueError with what is wrong; or with the name of the field at fault, and what is wrong.
    """

    KEY: ClassVar[tuple[str, ...]] = ()
    """The fields that tell a record from every other one of its file."""

    def line(self) -> str:
        """Return the record as one line of JSON, without the line break."""
        return msgspec.json.encode(self).decode()

    def key(self) -> tuple[Any, ...]:
        """Return what tells the record from every other one of its file."""
        return tuple([getattr(self, name) for name in self.KEY])


class RecordView(msgspec.Struct, frozen=True, gc=False):
    """Some fields of a record, under the names of the record's lines, for those who need no more of it.

    A class that derives from it says whose fields they are: `OF: ClassVar = Item`.
    """

    OF: ClassVar[type[Record]]


def check_time(text: str) -> None:
    """Check a record's field `time`. Raises ValueError where that is no point in time as ISO 8601 writes it."""
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("time", "not a time as ISO 8601 writes it") from None


def version_of(record: type[Record]) -> str:
    """Return what a record's `schema` says.

    >>> from queries.records.item import Item
    >>> version_of(Item)
    'kgprobe.item/1'
    """
    version = next(field.type for field in described(record).fields if field.encode_name == "schema")
    assert isinstance(version, inspect.LiteralType)
    return str(version.values[0])


@functools.cache
def described(struct: type[msgspec.Struct]) -> inspect.StructType:
    """Return the fields of a struct with their types, limits and defaults."""
    description = inspect.type_info(struct)
    assert isinstance(description, inspect.StructType)
    _list_as_declared(description, struct)
    return description


def _list_as_declared(kind: inspect.Type, hint: Any) -> None:
    """Put the values of each Literal in the order of its declaration: msgspec sorts them, messages and schemas do not."""
    match kind:
        case inspect.LiteralType():
            kind.values = get_args(hint)
        case inspect.UnionType():
            _list_as_declared(not_null(kind), next(part for part in get_args(hint) if part is not type(None)))
        case inspect.ListType(item_type=item):
            _list_as_declared(item, get_args(hint)[0])
        case inspect.StructType(cls=struct, fields=fields):
            hints = get_type_hints(struct)
            for field in fields:
                _list_as_declared(field.type, hints[field.name])


S = TypeVar("S", bound=msgspec.Struct)


class LineError(ValueError):
    """A line is no such record; `faults` says why, and is never empty."""

    def __init__(self, faults: list[LineFault]) -> None:
        self.faults = faults
        super().__init__(faults[0].problem)


class Decoder(Generic[S]):
    """Reads lines of a record, or a view of them. Raises LineError where a line is no such record."""

    def __init__(self, struct: type[S]) -> None:
        self._struct, self._decode = struct, msgspec.json.Decoder(struct).decode

    def __call__(self, line: bytes | str) -> S:
        """Read a line."""
        try:
            return self._decode(line)
        except ValueError:  # msgspec's own errors, and bytes that are no UTF-8
            return self._decode_slowly(line)

    def _decode_slowly(self, line: bytes | str) -> S:
        """Read a line that has a null in place of an empty list, or find out what is wrong with it."""
        value = parse_json(line)
        faults = list(faults_of(described(self._struct), value))
        if faults:
            # Against another version of the record every other fault is noise.
            raise LineError([fault for fault in faults if fault.field == "schema"] or faults)
        try:
            return msgspec.convert(value, self._struct)
        except ValueError as error:
            raise LineError([LineFault("", f"no such record ({one_line(str(error), 200)})", SEE_SCHEMA)]) from None


def parse_json(line: bytes | str) -> Any:
    """Return the JSON value of a line. Raises LineError where there is none."""
    # msgspec would call everything that it cannot read malformed or cut off; this says what is wrong and where.
    try:
        return from_json(line)
    except ValueError as error:
        reason = str(error).replace("at line 1 ", "at ")
        raise LineError([LineFault("", f"not JSON ({reason})", "write one JSON object on each line, UTF-8")]) from None


_DECODERS: dict[type[msgspec.Struct], Decoder[Any]] = {}


def decoder(struct: type[S]) -> Decoder[S]:
    """Return the decoder of a record or a view.

    >>> from queries.records.response import Usage
    >>> decoder(Usage)(b'{"input": 3}').input
    3
    """
    if struct not in _DECODERS:
        _DECODERS[struct] = Decoder(struct)
    return _DECODERS[struct]


def find_faults(struct: type[msgspec.Struct], line: bytes | str) -> list[LineFault]:
    """List what is wrong with a line; with a wrong `schema` nothing else is worth telling.

    >>> from queries.records.response import Usage
    >>> [(fault.field, fault.problem) for fault in find_faults(Usage, '{"input": "3", "outptu": 2}')]
    [('input', 'is "3", not a whole number'), ('outptu', 'is unknown')]
    """
    try:
        decoder(struct)(line)
    except LineError as error:
        return error.faults
    return []
