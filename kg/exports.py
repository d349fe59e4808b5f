"""What a package offers, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def imported_late(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return a package's `__getattr__`, so that a command need not wait for the rooms that it does not enter.

    Parameters: `homes` are the names that the package offers, by the module that has them.

    >>> offered = imported_late("kg", {"kg.errors": ["InputError"]})
    >>> offered("InputError").__name__
    'InputError'
    >>> offered("Inputerror")
    Traceback (most recent call last):
    AttributeError: module 'kg' has no attribute 'Inputerror'
    """
    home = {name: module for module, names in homes.items() for name in names}

    def get(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(home[name]), name)

    return get
