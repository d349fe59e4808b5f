"""What a `kg` command says, for the tests that run one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Said(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


Kg = Callable[..., Said]


def command_paths(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words that call each command of a group, plugins included."""
    if not hasattr(command, "commands"):
        yield path
        return
    for name in command.list_commands(None):
        yield from command_paths(command.get_command(None, name), (*path, name))
