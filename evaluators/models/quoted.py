"""Texts of others in a prompt: between marks that no text can write itself.

A mark is a hash of all the texts of a request: nobody can write it into one of them beforehand, because that would change
it; a mark that does occur is hashed again. The same texts always get the same mark, so the same prompt.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
"""Kinds of characters that a reader does not see, among them the tags that spell out hidden text."""


def quoted(parts: Mapping[str, str]) -> dict[str, str]:
    r"""Put each text between two lines with the mark of all of them; what a reader does not see goes.

    >>> quoted({"answer": "Ulm"})["answer"].splitlines()[1], quoted({"answer": "Ulm"}) == quoted({"answer": "U\u200blm"})
    ('Ulm', True)
    """
    shown = {name: visible(text) for name, text in parts.items()}
    mark = mark_of(shown.values())
    return {name: f"[open {mark}]\n{text}\n[close {mark}]" for name, text in shown.items()}


def visible(text: str) -> str:
    r"""Return what a reader sees of a text: no control or formatting characters but line breaks and tabs.

    >>> visible("Yes\u200b\U000e0041, he\x1b[2J did.\n")
    'Yes, he[2J did.\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in _HIDDEN)


def mark_of(texts: Iterable[str]) -> str:
    """Return a mark that none of the texts holds; the same texts always give the same one.

    >>> mark_of(["Ulm"]) == mark_of(["Ulm"]), mark_of(["Ulm"]) == mark_of(["Bern"])
    (True, False)
    """
    listed = list(texts)
    mark = hashlib.sha256(json.dumps(listed).encode()).hexdigest()[:16]
    while any(mark in text for text in listed):
        mark = hashlib.sha256(mark.encode()).hexdigest()[:16]
    return mark
