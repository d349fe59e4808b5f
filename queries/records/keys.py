"""Which keys a file holds, and in which lines, in a few bytes for each."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Hashable, Iterable

import numpy as np
import numpy.typing as npt

_FEW = 4096
_BITS = (1 << 64) - 1


def short_hash(text: str) -> int:
    """Return 63 bits of a text's hash.

    >>> short_hash("a") == short_hash("a") != short_hash("b")
    True
    """
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1


class Keys:
    """Keys, the line that each stands in, and a number that each is marked with.

    A key is kept as Python's 64-bit hash of it, which holds for one run and the processes it forks; among a million keys two
    fall together once in forty million files.

    >>> keys = Keys()
    >>> keys.add(("item1", 0), line=1, mark=7)
    >>> keys.find(("item1", 0)), keys.find(("item2", 0))
    (7, None)
    >>> keys.add(("item1", 0), line=5)
    1
    """

    def __init__(self) -> None:
        # Most keys stand in sorted arrays of 24 bytes each; the latest are in a dictionary, which takes six times as much.
        self._hashes, self._lines, self._marks = array("Q"), array("Q"), array("Q")
        self._latest: dict[int, tuple[int, int]] = {}

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._hashes) + len(self._latest)

    def add(self, key: Hashable, *, line: int, mark: int = 0) -> int | None:
        """Enter a key; where it is there already nothing changes, and the line that has it is returned."""
        hashed = hash(key) & _BITS
        if hashed in self._latest:
            return self._latest[hashed][0]
        place = bisect_left(self._hashes, hashed)
        if place < len(self._hashes) and self._hashes[place] == hashed:
            return self._lines[place]
        self._latest[hashed] = line, mark
        if len(self._latest) > max(_FEW, len(self._hashes) // 2):
            self._sort()
        return None

    def find(self, key: Hashable) -> int | None:
        """Return the mark of a key, or None where there is no such key."""
        hashed = hash(key) & _BITS
        if hashed in self._latest:
            return self._latest[hashed][1]
        place = bisect_left(self._hashes, hashed)
        return self._marks[place] if place < len(self._hashes) and self._hashes[place] == hashed else None

    def _sort(self) -> None:
        """Put the latest keys among the others."""
        lines, marks = zip(*self._latest.values(), strict=True)
        hashes = _joined(self._hashes, self._latest)
        order = np.argsort(hashes)
        self._lines = _array(_joined(self._lines, lines)[order])
        self._marks = _array(_joined(self._marks, marks)[order])
        self._hashes = _array(hashes[order])
        self._latest = {}


def _joined(sorted_numbers: array[int], latest: Iterable[int]) -> npt.NDArray[np.uint64]:
    return np.concatenate([np.array(sorted_numbers, np.uint64), np.fromiter(latest, np.uint64)])


def _array(numbers: npt.NDArray[np.uint64]) -> array[int]:
    made = array("Q")
    made.frombytes(numbers.tobytes())
    return made
