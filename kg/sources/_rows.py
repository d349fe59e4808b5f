"""The rows of a table in batches: in memory, or (where they are many and there is a scratch) in files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import polars as pl

from kg.sorted_runs import Scratch

_BATCH = 100_000


class Rows:
    """Rows of texts, null where there is no value; all batches have the same columns.

    >>> rows = Rows(["id"])
    >>> rows.add(pl.DataFrame({"id": ["1", "2"]}))
    >>> rows.height, [batch.height for batch in rows.batches()]
    (2, [2])
    """

    def __init__(self, columns: Sequence[str], scratch: Scratch | None = None, *, numbers: Sequence[str] = ()) -> None:
        self.columns, self.height = [*columns, *numbers], 0
        self._empty = pl.DataFrame(schema=dict.fromkeys(columns, pl.String) | dict.fromkeys(numbers, pl.UInt32))
        self._scratch = scratch
        self._held: list[pl.DataFrame] = []
        self._files: list[Path] = []
        self._changes: list[Callable[[pl.DataFrame], pl.DataFrame]] = []

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Rows:
        """Make rows of a frame of texts."""
        rows = cls(frame.columns)
        rows.add(frame)
        return rows

    def add(self, rows: pl.DataFrame) -> None:
        """Add some rows; many are written to the scratch."""
        self.height += rows.height
        self._held.append(rows)
        if self._scratch is not None and sum(held.height for held in self._held) >= _BATCH:
            for batch in pl.concat(self._held).iter_slices(_BATCH):
                self._files.append(self._scratch.file(".rows"))
                batch.write_ipc(self._files[-1])
            self._held.clear()

    def change(self, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
        """Have every batch changed when it is read; it may come with some of its columns only."""
        self._changes.append(change)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yield the rows in order; where there is none, one empty batch."""
        names = self.columns if columns is None else list(dict.fromkeys(columns))
        for batch in self._read(names):
            changed = batch
            for change in self._changes:
                changed = change(changed)
            yield changed

    def select(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return some columns of all rows: keep to few, and short ones."""
        return pl.concat(self.batches(columns), rechunk=True)

    def _read(self, names: list[str]) -> Iterator[pl.DataFrame]:
        for path in self._files:
            yield pl.read_ipc(path, columns=names)
        if self._held or not self._files:
            yield pl.concat([self._empty, *self._held]).select(names)
