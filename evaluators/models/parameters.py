"""The parameters of a request: how the user writes those that are the server's own, and what a record keeps of all of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from evaluators.models.protocol import Decoding
from kg.errors import InputError

_OURS = {
    "model": "--model", "messages": "--setting", "prompt": "--setting", "system": "--system", "n": "--samples",
    "stream": "nothing: answers are read whole",
}  # fmt: skip
_SCHEMAS = ("response_format", "output_config")

_SENT_AS = {
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "stop": ("stop", "stop_sequences"),
    "schema": _SCHEMAS,
}
"""The names under which protocols send what is set; others are sent under their own."""


def parse_parameters(given: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Read `name=value` parameters: the value is JSON, or else a text; dots in a name lead into objects.

    Raises InputError where there is no `=`, or the name is one that is ours to send.

    >>> parse_parameters(["reasoning_effort=low", "thinking.budget_tokens=2000"])
    (('reasoning_effort', '"low"'), ('thinking.budget_tokens', '2000'))
    """
    return tuple(_parameter(text) for text in given)


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not all(name.split(".")):
        raise InputError(f"'{text}' is no parameter", place="--param", way_out="write --param name=value, or a.b=value")
    if name in _OURS:
        raise InputError(f"'{name}' is not set so", place="--param", way_out=f"use {_OURS[name]}")
    try:
        return name, json.dumps(json.loads(value))
    except (ValueError, RecursionError):
        return name, json.dumps(value)


def with_others(parameters: Mapping[str, Any], decoding: Decoding) -> dict[str, Any]:
    """Return parameters with the server's own among them.

    >>> with_others({"top_p": 1.0}, Decoding(others=(("thinking.type", '"enabled"'), ("thinking.budget_tokens", "9"))))
    {'top_p': 1.0, 'thinking': {'type': 'enabled', 'budget_tokens': 9}}
    """
    whole = dict(parameters)
    for name, value in decoding.others:
        *path, last = name.split(".")
        place = whole
        for step in path:
            inner = place.get(step)
            place[step] = dict(inner) if isinstance(inner, dict) else {}
            place = place[step]
        place[last] = json.loads(value)
    return whole


def recorded(sent: Mapping[str, Any], decoding: Decoding) -> dict[str, str | None]:
    """Return what a record keeps: each parameter that was sent as JSON (a JSON Schema's sha256), null for what was left out.

    >>> recorded({"max_completion_tokens": 50}, Decoding(temperature=0.0, max_tokens=50))
    {'max_completion_tokens': '50', 'temperature': None}
    """
    kept: dict[str, str | None] = {name: _text(name, value) for name, value in sent.items()}
    for name in decoding.stated():
        if name != "others" and not any(alias in sent for alias in _SENT_AS.get(name, (name,))):
            kept[name] = None
    return kept


def _text(name: str, value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest() if name in _SCHEMAS else text
