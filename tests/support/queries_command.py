"""How a command of `python -m queries` ended, for the tests that run one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Ended(NamedTuple):
    """A command's exit code, and what it printed."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]
