"""Lines of JSON read as their record reads them, several times as fast: for files of hundreds of thousands.

```python
read = reader(Item)
items = [read(line) for line in stream]
```

The record is the only description: what reads quickly is derived from its fields. What that does not accept, the record
reads itself, and tells the fault.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

import msgspec
from annotated_types import Ge, Le
from pydantic import AfterValidator, StringConstraints
from pydantic.fields import FieldInfo

from queries.records.record import EMPTY_LIST, EMPTY_OBJECT, Record

__all__ = ["reader"]

R = TypeVar("R", bound=Record)

_Check = Callable[[Any], Any]
"""Raises ValueError where a value is not as it should be; else returns what a record keeps of it."""


def reader(model: type[R]) -> Callable[[bytes], R]:
    """Return what reads a line; it gives an object with the fields of the record, and with nothing else of it.

    That raises pydantic's ValidationError where the line is no such record.

    >>> from queries.records.response import Usage
    >>> reader(Usage)(b'{"input": 3}').input
    3
    """
    decode = msgspec.json.Decoder(_struct(model)).decode

    def read(line: bytes) -> R:
        try:
            return cast("R", decode(line))
        except (msgspec.MsgspecError, ValueError):
            return model.model_validate_json(line)

    return read


@functools.cache
def _struct(model: type[Record]) -> type[msgspec.Struct]:
    """Return a struct with the fields of a record, which accepts no more than the record does."""
    fields, checks = [], [check.func for check in model.__pydantic_decorators__.model_validators.values()]
    for name, field in model.model_fields.items():
        after: list[_Check] = []
        fields.append((name, _kind(field.annotation, field.metadata, after), _default(field)))
        checks += [functools.partial(_check, name, check) for check in after]
    return msgspec.defstruct(
        model.__name__,
        fields,
        namespace={"__post_init__": _all(checks)} if checks else None,
        rename={name: field.alias for name, field in model.model_fields.items() if field.alias},
        forbid_unknown_fields=True,
        frozen=True,
        gc=False,
        kw_only=True,
    )


def _all(checks: list[_Check]) -> _Check:
    def check_all(made: object) -> None:
        for check in checks:
            check(made)

    return check_all if len(checks) > 1 else checks[0]


def _check(name: str, check: _Check, made: object) -> None:
    value = getattr(made, name)
    if value is not None and check(value) != value:
        raise ValueError(name)


def _default(field: FieldInfo) -> Any:
    if field.is_required():
        return msgspec.NODEFAULT
    factory = cast("Callable[[], Any] | None", field.default_factory)
    return msgspec.field(default=field.default) if factory is None else msgspec.field(default_factory=factory)


def _kind(kind: Any, limits: Iterable[Any], after: list[_Check] | None) -> Any:
    """Return a type with structs in place of records, and with the limits that a record sets it.

    Functions that check a value are added to `after`; where there is no list nobody could call them.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _kind(parts[0], [*parts[1:], *limits], after)
    said: dict[str, Any] = {}
    for limit in _flat(limits):
        if isinstance(limit, AfterValidator) and after is not None:
            after.append(cast("_Check", limit.func))
        elif limit not in (EMPTY_LIST, EMPTY_OBJECT):  # with these null stands for nothing: the record reads that
            said |= _meta(limit)
    plain = _plain(kind, origin, parts, after)
    return Annotated[plain, msgspec.Meta(**said)] if said else plain


def _plain(kind: Any, origin: Any, parts: tuple[Any, ...], after: list[_Check] | None) -> Any:
    if isinstance(kind, type) and issubclass(kind, Record):
        return _struct(kind)
    if origin in (Union, types.UnionType):
        return Union[tuple(_kind(part, (), after) for part in parts)]  # noqa: UP007 (they are known at run time only)
    if origin in (list, dict, tuple):
        return origin[tuple(_kind(part, (), None) for part in parts)]
    if kind in (str, int, float, bool, type(None)) or origin is Literal:
        return kind
    raise TypeError(f"{kind} is no type that a line is read with")


def _flat(limits: Iterable[Any]) -> Iterator[Any]:
    for limit in limits:
        yield from limit.metadata if isinstance(limit, FieldInfo) else (limit,)


def _meta(limit: Any) -> dict[str, Any]:
    """Say a limit as msgspec does; raises TypeError for one that is not known here."""
    match limit:
        case Ge(ge=least):
            return {"ge": least}
        case Le(le=most):
            return {"le": most}
        case StringConstraints(min_length=int() as least, pattern=None):
            return {"min_length": least}
        case StringConstraints(min_length=None, pattern=str() as pattern):
            # To Python's `re` the end of a text is before a line feed, too, with `$`.
            return {"pattern": rf"\A(?:{pattern.removeprefix('^').removesuffix('$')})\Z"}
    raise TypeError(f"{limit!r} is no limit that a line is read with")
