"""Which answers a file holds, in a few bytes for each.

A key is hashed to 64 bits; among a million keys two fall together once in forty million files.

>>> keys = Keys()
>>> keys.add(("item1", 0), line=1, mark=7)
>>> keys.find(("item1", 0)), keys.find(("item2", 0))
(7, None)
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Keys", "short_hash"]


def short_hash(text: str) -> int:
    """Return 63 bits of a text's hash.

    >>> short_hash("a") == short_hash("a") != short_hash("b")
    True
    """
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1


class Keys:
    """Keys, the line each stands in, and a number that each is marked with."""

    def __init__(self) -> None:
        self._hashes, self._lines, self._marks = array("Q"), array("Q"), array("Q")
        self._order: npt.NDArray[np.intp] | None = None
        self._sorted: npt.NDArray[np.uint64] = np.empty(0, np.uint64)

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._hashes)

    def add(self, key: Sequence[Any], *, line: int, mark: int = 0) -> None:
        """Enter a key."""
        self._hashes.append(short_hash(json.dumps(key)))
        self._lines.append(line)
        self._marks.append(mark)
        self._order = None

    def find(self, key: Sequence[Any]) -> int | None:
        """Return the mark of a key, or None where there is no such key."""
        order, wanted = self._sorting(), np.uint64(short_hash(json.dumps(key)))
        place = int(np.searchsorted(self._sorted, wanted))
        if place == len(order) or self._sorted[place] != wanted:
            return None
        return self._marks[int(order[place])]

    def repeated(self) -> tuple[int, int] | None:
        """Return the first line whose key stood in a line before, and that line; or None."""
        order = self._sorting()
        again = np.flatnonzero(self._sorted[1:] == self._sorted[:-1])
        pairs = [(self._lines[int(order[n + 1])], self._lines[int(order[n])]) for n in again]
        return min(pairs, default=None)

    def _sorting(self) -> npt.NDArray[np.intp]:
        if self._order is None:
            hashes = np.frombuffer(self._hashes, np.uint64) if self._hashes else self._sorted[:0]
            self._order = np.argsort(hashes, kind="stable")
            self._sorted = hashes[self._order]
        return self._order
