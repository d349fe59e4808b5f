"""Names of people who do not exist: a first, a middle and a last name that nobody in a graph bears together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count, islice

import numpy as np

from generators.draw import keys_of, mix, word
from generators.unseenqa.templates import Fillers
from kg.text import fold


def by_hash(names: Sequence[str], seed: int, what: str) -> list[str]:
    """Return names in the order of a ring under a seed.

    >>> sorted(by_hash(["a", "b"], 0, "letters"))
    ['a', 'b']
    """
    order = np.argsort(mix(keys_of(seed, names), word(what)), kind="stable")
    return [names[i] for i in order]


class NamesUnborne:
    """Draws names; `known` counts those that were passed over because the graph has them.

    >>> from generators.unseenqa.templates import load_fillers
    >>> names = NamesUnborne(load_fillers(), seed=0, borne=set())
    >>> len(names.take(150)), names.known
    (150, 0)
    """

    def __init__(self, fillers: Fillers, seed: int, borne: Collection[str]) -> None:
        parts = (fillers.first, fillers.middle, fillers.last)
        self._parts = [by_hash(names, seed, f"name {i}") for i, names in enumerate(parts)]
        self._borne, self.known = borne, 0

    def take(self, n: int) -> list[str]:
        """Return the first `n` names; every part comes about equally often."""
        self.known = 0
        return list(islice(filter(self._is_unborne, self._names()), n))

    def _names(self) -> Iterator[str]:
        # Each part walks its own ring; with every round they move against each other, so that no name comes twice.
        rounds = len(self._parts[0])
        for k in count():
            yield " ".join(part[(k + i * (k // rounds)) % len(part)] for i, part in enumerate(self._parts))

    def _is_unborne(self, name: str) -> bool:
        first, middle, last = name.split(" ", 2)
        borne = any(fold(each) in self._borne for each in (name, f"{first} {last}", f"{first} {middle}"))
        self.known += borne
        return not borne
