"""A value that an object works out when it is first asked for, and keeps; judging is a twentieth faster for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 (a decorator)
    """Like `functools.cached_property`, without its lock: that takes as long as most of what a judge works out.

    Two threads may both work a value out; they get equal ones.

    >>> class Name:
    ...     @lazy
    ...     def folded(self) -> str:
    ...         return "ada"
    >>> name = Name()
    >>> name.folded, vars(name)
    ('ada', {'folded': 'ada'})
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> lazy[T]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> T: ...
    def __get__(self, owner: object | None, kind: type) -> lazy[T] | T:
        """Work the value out, and leave it where the next look finds it first."""
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._work_out(owner)
        return value
