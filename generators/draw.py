"""Sampling by hash: same seed, same data, same choice; one changed fact changes only what depends on it.

Everything that can be drawn has a 64-bit key. Keys of names are BLAKE2b (RFC 7693) of seed and name; keys of combinations are
mixed with the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]


def keys_of(seed: int, names: Iterable[str]) -> Keys:
    """Return the key of each name under a seed, shape (names,).

    >>> keys_of(0, ["a"]).tolist() == keys_of(0, ["a", "b"])[:1].tolist()
    True
    """
    prefix = f"{seed}\x00".encode()
    digests = b"".join(hashlib.blake2b(prefix + name.encode(), digest_size=8).digest() for name in names)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def word(text: str) -> int:
    """Return the key of a fixed word, such as an edit's name, to be mixed with others."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def mix(*parts: Keys | int) -> Keys:
    """Combine keys, in order, into one key per row; a number stands for the same key in every row.

    >>> a, b = np.array([1], np.uint64), np.array([2], np.uint64)
    >>> bool(mix(a, b) == mix(b, a))
    False
    """
    state: Keys = np.uint64(0x9E3779B97F4A7C15) + np.zeros(1, np.uint64)
    for part in parts:
        state = _finalise(state ^ (np.uint64(part) if isinstance(part, int) else part))
    return state


def uniform(keys: Keys) -> npt.NDArray[np.float64]:
    """Turn keys into numbers between 0 and 1, neither of them ever reached.

    >>> uniform(np.array([0, 2**64 - 1], np.uint64)).round(3).tolist()
    [0.0, 1.0]
    """
    spread: npt.NDArray[np.float64] = ((keys >> np.uint64(12)).astype(np.float64) + 0.5) / 2**52
    return spread


def _finalise(z: Keys) -> Keys:
    """Scramble each number so that neighbours land anywhere: SplitMix64's step and finaliser, constants as published."""
    with np.errstate(over="ignore"):  # arithmetic modulo 2^64 is meant; numpy warns of it where a row stands alone
        z = z + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
