"""The word lists of passages, `passages.toml`."""

from __future__ import annotations

from functools import cache
from typing import Any

from kg.formats import shipped_toml


@cache
def lists() -> dict[str, Any]:
    """Return the lists of `passages.toml`."""
    return shipped_toml("generators.autodebug", "passages.toml")
