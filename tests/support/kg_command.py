"""What a `kg` command says, for the tests that run one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Said(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


Kg = Callable[..., Said]
