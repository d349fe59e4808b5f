"""The facts of a family that are asked, gathered part by part, in the order in which they are written.

Of one part everything stays in memory. Of several, the facts lie in files, and what stays is what the drawing of false
statements and claims needs of all rows: the slots that it draws values of.

```
python -m generators.family erbench/mc_movie --store ./films
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from generators.draw import Keys, keys_of
from generators.family.choice import Choices
from generators.family.claim import Claims
from generators.family.facts import KEY, Facts
from generators.family.material import Material
from generators.family.rows import GROUP, aka, norm, term
from generators.family.values import ROW, row_keys
from kg.files import Folder, aside

__all__ = ["Gathered"]


@dataclass
class Gathered:
    """Facts drawn by the hash of their group, `wanted` at most; the parts come in the order of the hash.

    `several` tells that more than one part is to come; `rows, found, left_out` are counts of all of them.
    """

    wanted: int | None
    seed: int
    several: bool
    rows: int = 0
    found: int = 0
    facts: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    _some: Material | None = None
    _folder: Folder | None = None
    _facts: list[pl.DataFrame | Path] = field(default_factory=list)
    _keys: list[Keys] = field(default_factory=list)
    _pool: list[pl.DataFrame] = field(default_factory=list)
    _asked: list[pl.DataFrame] = field(default_factory=list)
    _values: list[pl.DataFrame] = field(default_factory=list)

    def add(self, material: Material, frame: pl.DataFrame) -> pl.DataFrame:
        """Draw among the facts of the next part (`frame`, those that may be asked); return the drawn ones with their proofs."""
        first, self._some = self.rows, self._some or _light(material)
        self.rows, self.found = self.rows + material.facts.rows, self.found + material.facts.found
        for reason, n in material.facts.left_out.items():
            self.left_out[reason] = self.left_out.get(reason, 0) + n
        drawn, keys = self._drawn(frame)
        self.facts += drawn.height
        self._keep(material, drawn, keys, first)
        proved = material.proved(drawn)
        self._facts.append(self._filed(proved) if self.several else proved)
        return proved

    def _drawn(self, frame: pl.DataFrame) -> tuple[pl.DataFrame, Keys]:
        """Draw facts by the hash of their group."""
        left = frame.height if self.wanted is None else self.wanted - self.facts
        frame = frame if left else frame.clear()
        hashes = pl.Series("\0hash", keys_of(self.seed, frame[GROUP].to_list()))
        drawn = frame.with_columns(hashes).sort("\0hash", GROUP).head(left)
        return drawn.drop("\0hash"), drawn["\0hash"].to_numpy()

    def _keep(self, material: Material, drawn: pl.DataFrame, keys: Keys, first: int) -> None:
        """Keep what the drawing of false statements and claims needs; `first` rows came before."""
        slots = material.drawn_slots
        if not slots:
            return
        self._keys.append(keys)
        if not self.several:
            self._pool, self._asked, self._values = [material.rows.frame], [drawn], [material.facts.values]
            return
        rows, values = material.rows.frame, material.facts.values
        columns = [named for slot in slots for named in (slot, term(slot), norm(slot), aka(slot))]
        self._pool.append(rows.select(columns).with_columns(pl.Series(ROW, row_keys(rows, self.seed))))
        number = (pl.col(KEY).cast(pl.UInt64) + first).alias(KEY)  # every part numbers its keys from 0 on
        own = values.filter(pl.col("slot").is_in(slots)).join(drawn.select(KEY), on=KEY, how="semi")
        self._asked.append(drawn.select(KEY, *columns).with_columns(number))
        self._values.append(own.with_columns(number))

    def _filed(self, facts: pl.DataFrame) -> Path:
        self._folder = self._folder or Folder()
        path = self._folder.path / f"{len(self._facts)}.arrow"
        with aside():
            facts.write_ipc(path)
        return path

    @property
    def some(self) -> Material:
        """The family's material without any rows or facts."""
        assert self._some is not None, "a query has one part at least"
        return self._some

    def drawn(self) -> Choices | Claims | None:
        """Draw what all facts need that depends on all rows: a false statement, or a claim; None where they need nothing."""
        if not self._pool:
            return None
        whole = Facts(pl.concat(self._asked), pl.concat(self._values), self.rows, self.found)
        rows = replace(self.some.rows, frame=pl.concat(self._pool))
        self._pool, self._asked, self._values = [], [], []
        return replace(self.some, rows=rows, facts=whole).drawn(np.concatenate(self._keys))

    def slices(self, size: int) -> Iterator[pl.DataFrame]:
        """Yield the facts in order, so many at a time; one slice at least."""
        for kept in self._facts:
            facts = pl.read_ipc(kept) if isinstance(kept, Path) else kept
            for first in range(0, facts.height, size):
                yield facts[first : first + size]
        if not self.facts:
            last = self._facts[-1]
            yield pl.read_ipc(last) if isinstance(last, Path) else last


def _light(material: Material) -> Material:
    """Let go of the rows and facts."""
    rows, facts = material.rows, material.facts
    return replace(
        material,
        rows=replace(rows, frame=rows.frame.clear()),
        facts=replace(facts, frame=facts.frame.clear(), values=facts.values.clear()),
    )
