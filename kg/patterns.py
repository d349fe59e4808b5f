"""Regular expressions that are compiled when they are first looked for.

To compile one of a hundred alternatives takes ten milliseconds and more, and most commands look for few of those that they
import.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Late:
    """Stands for a pattern; its methods become those of the compiled one when the first is called for."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        """Return what the pattern has, and leave it where the next look finds it first."""
        if name.startswith("__"):  # asked by `copy`, `pickle` and doctests, of anything
            raise AttributeError(name)
        value = self.__dict__[name] = getattr(re.compile(self._source, self._flags), name)
        return value


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression that is compiled when it is first looked for; one that is wrong raises `re.error` then.

    Its matches' `re` is the compiled one, not what is returned here.

    >>> late("[aeiou]").findall("Vienna")
    ['i', 'e', 'a']
    """
    return cast("re.Pattern[str]", _Late(source, flags))
