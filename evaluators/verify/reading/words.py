"""The closed word lists of English that the judges use: `words/*.toml`, read once.

```
python -c 'from evaluators.verify.reading.words import words; print(sorted(words("articles")))'
```
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any

__all__ = ["words"]


@functools.cache
def _lists() -> dict[str, Any]:
    folder = resources.files("evaluators.verify.reading") / "words"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {name: value for file in files for name, value in tomllib.loads(file.read_text("utf-8")).items()}


@functools.cache
def words(name: str) -> Any:
    """Return a word list as a frozen set, or a table of lists as it is.

    >>> "the" in words("articles")
    True
    """
    found = _lists()[name]
    return frozenset(found) if isinstance(found, list) else found
