"""Presets: how each paper asked, as one word; they stand in `presets.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evaluators.errors import PromptError
from evaluators.models import Decoding
from kg.errors import nearest

_FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True)
class Preset:
    """How a paper asked: the setting of each task, how answers are drawn, how many samples, and where the paper says so."""

    name: str
    settings: Mapping[str, str]
    decoding: Decoding
    samples: int
    source: str


@cache
def _read() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def presets() -> list[str]:
    """Return the names of the presets.

    >>> presets()
    ['autodebug', 'erbench', 'fact-bench', 'fpq', 'llm-as-kb']
    """
    return sorted(_read())


def preset(name: str) -> Preset:
    """Return a preset by its name.

    Raises PromptError where there is none of this name.

    >>> preset("fpq").samples, preset("fpq").decoding.top_p, preset("fpq").settings["premise"]
    (3, 0.9, 'fpq')
    """
    if name not in presets():
        raise PromptError(f"'{name}' is no preset", way_out=nearest(name, presets()))
    table = _read()[name]
    settings = MappingProxyType(table["settings"])
    return Preset(name, settings, Decoding(**table["decoding"]), table["samples"], table["source"])
