"""The facts of a family that are asked, gathered part by part, in the order in which they are written.

Of one part everything stays in memory. Of several, the facts lie in files, and what stays is what the drawing of false
statements and claims needs of all rows: the slots that it draws values of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from generators.draw import Keys, keys_of
from generators.family.columns import DRAW, GROUP, KEY, ROW_KEY, aliases, norm, term
from generators.family.draws import Claims, FalseStatements, draw_for, drawn_slots
from generators.family.facts import Facts, Grounding
from generators.family.rows import row_keys
from kg.files import Folder, aside


@dataclass
class AskedFacts:
    """Facts drawn by the hash of their group, `wanted` at most; the parts come in the order of the hash.

    `several` tells that more than one part is to come. Of all parts, `rows` counts the rows, `askable` the facts that can be
    asked about, `height` those that are, and `left_out` rows, by reason.
    """

    wanted: int | None
    seed: int
    several: bool
    rows: int = 0
    askable: int = 0
    height: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    _grounding: Grounding | None = None
    _folder: Folder | None = None
    _facts: list[pl.DataFrame | Path] = field(default_factory=list)
    _keys: list[Keys] = field(default_factory=list)
    _pool: list[pl.DataFrame] = field(default_factory=list)
    _drawn_for: list[pl.DataFrame] = field(default_factory=list)
    _values: list[pl.DataFrame] = field(default_factory=list)

    def add(self, grounding: Grounding, free: pl.DataFrame) -> pl.DataFrame:
        """Draw among the facts of the next part (`free`, those that may be asked); return the drawn ones with their proofs."""
        first, self._grounding = self.rows, self._grounding or _without_data(grounding)
        self.rows += grounding.rows.frame.height
        self.askable += grounding.facts.frame.height
        for reason, n in grounding.facts.left_out.items():
            self.left_out[reason] = self.left_out.get(reason, 0) + n
        asked, keys = self._draw(free)
        self.height += asked.height
        self._keep_for_drawing(grounding, asked, keys, first)
        proved = grounding.with_proved_rows(asked)
        self._facts.append(self._filed(proved) if self.several else proved)
        return proved

    def _draw(self, free: pl.DataFrame) -> tuple[pl.DataFrame, Keys]:
        """Draw facts by the hash of their group."""
        left = free.height if self.wanted is None else self.wanted - self.height
        free = free if left else free.clear()
        hashes = pl.Series(DRAW, keys_of(self.seed, free[GROUP].to_list()))
        asked = free.with_columns(hashes).sort(DRAW, GROUP).head(left)
        return asked.drop(DRAW), asked[DRAW].to_numpy()

    def _keep_for_drawing(self, grounding: Grounding, asked: pl.DataFrame, keys: Keys, first: int) -> None:
        """Keep what the drawing of false statements and claims needs; `first` rows came before."""
        slots = drawn_slots(grounding)
        if not slots:
            return
        self._keys.append(keys)
        rows, values = grounding.rows.frame, grounding.facts.values
        if not self.several:
            self._pool, self._drawn_for, self._values = [rows], [asked], [values]
            return
        columns = [column for slot in slots for column in (slot, term(slot), norm(slot), aliases(slot))]
        # The hash of a row is of all its columns: it is taken while they are there.
        self._pool.append(rows.select(columns).with_columns(pl.Series(ROW_KEY, row_keys(rows, self.seed))))
        number = (pl.col(KEY).cast(pl.UInt64) + first).alias(KEY)  # every part numbers its keys from 0 on
        own = values.filter(pl.col("slot").is_in(slots)).join(asked.select(KEY), on=KEY, how="semi")
        self._drawn_for.append(asked.select(KEY, *columns).with_columns(number))
        self._values.append(own.with_columns(number))

    def _filed(self, facts: pl.DataFrame) -> Path:
        self._folder = self._folder or Folder()
        path = self._folder.path / f"{len(self._facts)}.arrow"
        with aside():
            facts.write_ipc(path)
        return path

    @property
    def grounding(self) -> Grounding:
        """The family's grounding without any rows or facts."""
        assert self._grounding is not None, "a query has one part at least"
        return self._grounding

    def drawn(self, shares: Sequence[float]) -> list[tuple[float, FalseStatements | Claims | None]]:
        """Draw what all facts need that depends on all rows, and let go of the rows; None where they need nothing.

        It is drawn for each share of "None of the above", which comes with it.
        """
        if not self._pool:
            return [(share, None) for share in shares]
        facts = Facts(pl.concat(self._drawn_for), pl.concat(self._values))
        rows = replace(self.grounding.rows, frame=pl.concat(self._pool))
        self._pool, self._drawn_for, self._values = [], [], []
        grounding, keys = replace(self.grounding, rows=rows, facts=facts), np.concatenate(self._keys)
        return [(share, draw_for(replace(grounding, none_share=share), keys)) for share in shares]

    def slices(self, size: int) -> Iterator[pl.DataFrame]:
        """Yield the facts in order, so many at a time; one slice at least."""
        for part in self._facts:
            facts = _read(part)
            for first in range(0, facts.height, size):
                yield facts[first : first + size]
        if not self.height:
            yield _read(self._facts[-1])


def _read(part: pl.DataFrame | Path) -> pl.DataFrame:
    return pl.read_ipc(part) if isinstance(part, Path) else part


def _without_data(grounding: Grounding) -> Grounding:
    """Let go of the rows and facts."""
    rows, facts = grounding.rows, grounding.facts
    empty = replace(facts, frame=facts.frame.clear(), values=facts.values.clear())
    return replace(grounding, rows=replace(rows, frame=rows.frame.clear()), facts=empty)
