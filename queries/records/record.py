"""What all records share: exact types, and how a fault in a line is told.

```
python -m queries.records check items.jsonl
python -m queries.records schema item
```
"""

from __future__ import annotations

import datetime
import json
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from kg.errors import InputError, nearest, one_line

__all__ = [
    "EMPTY_LIST", "EMPTY_OBJECT", "Count", "Fault", "Id", "Listed", "Name", "Open", "Record", "RecordError", "Text", "Time",
    "find_faults",
]  # fmt: skip


class RecordError(InputError):
    """A line of a JSON Lines file is no valid record."""


class Record(BaseModel):
    """A record or a part of one: exact types, no unknown fields, never changed once made."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    KEY: ClassVar[tuple[str, ...]] = ()
    """The fields that tell a record from every other one of its file."""

    def line(self) -> str:
        """Return the record as one line of JSON, without the line break."""
        return self.model_dump_json(by_alias=True)


def _timestamp(text: str) -> str:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("not a time as ISO 8601 writes it") from None
    return text


T = TypeVar("T")

Text = str
Name = Annotated[str, StringConstraints(min_length=1)]
"""A text that may not be empty."""

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]+$")]
"""An item's id."""

Count = Annotated[int, Field(ge=0, le=2**53)]
Time = Annotated[str, AfterValidator(_timestamp)]
"""A point in time as ISO 8601 writes it; kept as written."""

EMPTY_LIST = BeforeValidator(lambda value: [] if value is None else value)
EMPTY_OBJECT = BeforeValidator(lambda value: {} if value is None else value)

Listed = Annotated[list[T], EMPTY_LIST]
"""A list that may be empty; null means the same."""

Open = Annotated[dict[str, str | None], EMPTY_OBJECT]
"""An open object of strings that may be empty; null means the same, and a null in it means absent."""


class Fault(NamedTuple):
    """One thing wrong with a record: in which field (empty: the line as a whole), what, and the way out."""

    field: str
    problem: str
    way_out: str

    def error(self, place: str) -> RecordError:
        """Return the fault as an error that names the place."""
        problem = f"field '{self.field}' {self.problem}" if self.field else self.problem
        return RecordError(problem, place=place, way_out=self.way_out)


def find_faults(model: type[Record], line: bytes | str) -> list[Fault]:
    """List what is wrong with a line; with a wrong `schema` nothing else is worth telling.

    >>> from queries.records.response import Usage
    >>> [(fault.field, fault.problem) for fault in find_faults(Usage, '{"input": "3", "outptu": 2}')]
    [('input', 'is "3", not a whole number'), ('outptu', 'is unknown')]
    """
    try:
        model.model_validate_json(line)
    except ValidationError as error:
        told = [_fault(model, found) for found in error.errors(include_url=False)]
        return [fault for fault in told if fault.field == "schema"] or told
    return []


def _fault(model: type[Record], found: ErrorDetails) -> Fault:
    kind, field = found["type"], _dotted(found["loc"])
    if kind == "json_invalid":
        reason = str(found.get("ctx", {}).get("error", "")).replace("at line 1 ", "at ")
        return Fault("", f"not JSON ({reason})", "write one JSON object on each line, UTF-8")
    if kind == "missing":
        return Fault(field, "is missing", "add it")
    if kind == "extra_forbidden":
        return Fault(field, "is unknown", _known(model, found["loc"]))
    if field == "schema":
        return Fault(field, f"is {_short(found['input'])}", f"this version reads {found.get('ctx', {})['expected']}")
    return Fault(field, *_wrong_value(found))


_EXPECTED = {
    "string_type": "a string",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}


def _wrong_value(found: ErrorDetails) -> tuple[str, str]:
    kind, given, context = found["type"], _short(found["input"]), found.get("ctx", {})
    if kind in _EXPECTED:
        return f"is {given}, not {_EXPECTED[kind]}", f"write {_EXPECTED[kind]}"
    if kind == "literal_error":
        return f"is {given}", f"known: {context['expected']}"
    if kind == "string_pattern_mismatch":
        return f"is {given}", "use letters, digits, '.', '_' and '-'"
    if kind == "string_too_short":
        return "is empty", "fill it in"
    said = found["msg"].removeprefix("Value error, ")
    return f"is {given}: {said}" if found["loc"] else said, "see `python -m queries.records schema`"


def _known(model: type[Record], location: tuple[int | str, ...]) -> str:
    """Say what the unknown field may have meant; in a part of a record the schema says it."""
    names = [field.alias or name for name, field in model.model_fields.items()]
    return nearest(str(location[0]), names) if len(location) == 1 else "take it out"


def _dotted(location: tuple[int | str, ...]) -> str:
    r"""Write a place in a record as a person does.

    >>> _dotted(("rationale", 0, "value"))
    'rationale[0].value'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".")


def _short(value: Any) -> str:
    return one_line(json.dumps(value, ensure_ascii=False, default=str), 60)
