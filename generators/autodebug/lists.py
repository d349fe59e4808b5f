"""The word lists of passages, `passages.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def lists() -> dict[str, Any]:
    """Return the lists of `passages.toml`."""
    text = files("generators.autodebug").joinpath("passages.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
