"""Names of tables and columns, as words and as labels."""

from __future__ import annotations

import re

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words_of(name: str) -> list[str]:
    """Split a column's or table's name into words, without case.

    >>> words_of("ReportsTo"), words_of("release_year"), words_of("植物-名")
    (['reports', 'to'], ['release', 'year'], ['植物', '名'])
    """
    return [word.lower() for word in re.split(r"[\W_]+", _HUMP.sub(" ", name)) if word]


def readable(name: str, *, reference: bool = False) -> str:
    """Return a table's or column's name as a label; that of a reference without a trailing `id`.

    >>> readable("release_year"), readable("director_id", reference=True), readable("ReportsTo"), readable("ISO 3166")
    ('release year', 'director', 'reports to', 'ISO 3166')
    """
    words = _HUMP.sub(" ", name).replace("_", " ").split() or [name]
    if reference and len(words) > 1 and words[-1].lower() == "id":
        words.pop()
    return " ".join(word if word.isupper() else word[:1].lower() + word[1:] for word in words)
