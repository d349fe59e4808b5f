"""Settings: how a question is put to a model. One TOML file each, `zero-shot.toml` and its like.

A setting says for each task with which words; `{question}`, `{options}` and `{context}` stand for the item's.
"""

from __future__ import annotations

import hashlib
import string
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from evaluators.errors import PromptError
from kg.errors import nearest

__all__ = ["prompt_hash", "prompt_text", "settings"]

_FOLDER = Path(__file__).parent


def settings() -> list[str]:
    """Return the names of the settings.

    >>> settings()
    ['zero-shot']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


@cache
def _wording(setting: str) -> dict[str, str]:
    if setting not in settings():
        raise PromptError(f"'{setting}' is no setting", way_out=nearest(setting, settings()))
    found: dict[str, str] = tomllib.loads((_FOLDER / f"{setting}.toml").read_text(encoding="utf-8"))["wording"]
    return found


def prompt_text(setting: str, item: Mapping[str, Any]) -> str:
    """Put an item into the words of a setting.

    Parameters: `item` has the fields `id`, `task`, `question`, `options` and `context`.
    Raises PromptError where the setting is unknown, or needs what the item does not have.

    >>> cup = {"id": "x", "task": "yes_no", "question": "Is {it} a cup?", "options": None, "context": None}
    >>> prompt_text("zero-shot", cup).splitlines()[0]
    'Is {it} a cup?'
    """
    wording = _wording(setting).get(item["task"])
    if wording is None:
        raise PromptError(
            f"setting '{setting}' has no wording for task {item['task']}", place=item["id"], way_out="choose another"
        )
    values = {"question": item["question"], "options": _numbered(item["options"]), "context": item["context"]}
    for _, name, _, _ in string.Formatter().parse(wording):
        if name and values[name] is None:
            raise PromptError(f"has no {name}, which task {item['task']} needs", place=f"item {item['id']}")
    return wording.format_map(values)


def _numbered(options: list[str] | None) -> str | None:
    return None if options is None else "\n".join(f"{number}. {option}" for number, option in enumerate(options, 1))


def prompt_hash(prompt: str) -> str:
    """Return the sha256 of what is sent.

    >>> prompt_hash("Is this a cup?")[:15]
    'sha256:d2233e2a'
    """
    return "sha256:" + hashlib.sha256(prompt.encode()).hexdigest()
