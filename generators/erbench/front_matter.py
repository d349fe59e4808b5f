"""Front matter of a proposed family as lines that a person can read and edit: one entry a line, long texts folded."""

from __future__ import annotations

import json
import re

_WIDTH = 118
"""How long a line of a proposed file is, at most, but for a word that is longer."""


def yaml_lines(key: str, value: object) -> list[str]:
    """Write a key of the front matter as lines that a person can read and edit.

    >>> yaml_lines("key", ["track"]), yaml_lines("question", {"basic": "Who sang {track}?"})
    (['key: [track]'], ['question:', '  basic: "Who sang {track}?"'])
    """
    flat = _flow(value)
    if flat is not None and len(key) + len(flat) + 2 <= _WIDTH:
        return [f"{key}: {flat}"]
    if isinstance(value, dict):
        return [f"{key}:", *(f"  {line}" for name, entry in value.items() for line in yaml_lines(name, entry))]
    if isinstance(value, list):
        return [f"{key}:", *(line for entry in value for line in _entry(json.dumps(entry, ensure_ascii=False)))]
    return [f"{key}:", *(f"  {line}" for line in _folded(json.dumps(value, ensure_ascii=False)))]


_PLAIN = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z_][A-Za-z0-9_-]*", re.IGNORECASE)


def _flow(value: object) -> str | None:
    """Write a text, or a few names, on one line; None for what is better read on several."""
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(value)}]" if all(_PLAIN.fullmatch(entry) for entry in value) else None
    if (
        isinstance(value, dict)
        and value
        and all(isinstance(entry, str) and _PLAIN.fullmatch(entry) for entry in value.values())
    ):
        return "{" + ", ".join(f"{key}: {entry}" for key, entry in value.items()) + "}"
    return None


def _entry(text: str) -> list[str]:
    first, *rest = _folded(text)
    return [f"  - {first}", *(f"    {line}" for line in rest)]


def _folded(text: str) -> list[str]:
    """Break a quoted text at single blanks, which YAML joins again by one."""
    lines, line = list[str](), ""
    for word in re.split(r"(?<=[^\s']) (?=[^\s'])", text):
        if line and len(line) + len(word) + 1 > _WIDTH:
            lines, line = [*lines, line], word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
