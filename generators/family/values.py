"""Values of a column, to be said falsely of a fact: numbered, with all their names, as often as the data has them.

A value may be drawn for a fact where none of its names is a name of a value that any row with that key has.

```
python -m generators.family erbench/mc_movie --none-share 0.2 --store ./films
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import Keys, keys_of, mix, word
from generators.family.facts import KEY, Facts
from generators.family.ring import Ring, first_allowed
from generators.family.rows import aka, norm, normal, term
from kg.sets import Ints

__all__ = ["ROW", "Bools", "Column", "Drawing", "drawing_of", "row_keys"]

Bools = npt.NDArray[np.bool_]


ROW = "\0row key"
"""The column of the rows' keys, where they were taken before columns were left out."""


def row_keys(rows: pl.DataFrame, seed: int) -> Keys:
    """Return the key of every row, over all that it says."""
    if ROW in rows.columns:
        return rows[ROW].to_numpy()
    said = pl.concat_str([column for column in rows.columns if column.endswith(norm(""))], separator="\0", ignore_nulls=True)
    return keys_of(seed, rows.select(said).to_series().to_list())


class Column:
    """The values of one slot, numbered, with all their names; `allowed` are the normal forms that may be drawn."""

    def __init__(self, rows: pl.DataFrame, keys: Keys, slot: str, allowed: Sequence[str] | None = None) -> None:
        known = rows.select(norm=norm(slot), said=slot, term=term(slot), aka=aka(slot)).drop_nulls("norm")
        if allowed is not None:
            known = known.filter(pl.col("norm").is_in(list(allowed)))
        self.slot = slot
        self.values = (
            known.sort("norm", "said", "term").unique("norm", keep="first", maintain_order=True).with_row_index("value")
        )
        own = self.values.select("value", "norm")
        others = known.select("norm", "aka").join(own, on="norm").select("value", norm="aka")
        others = others.explode("norm", empty_as_null=True).drop_nulls().unique()
        self.names = pl.concat([own, others.with_columns(normal(others["norm"]).alias("norm"))]).unique()
        self.keys = mix(keys, word(slot))
        self.numbers = self.number(rows[norm(slot)])

    def number(self, norms: pl.Series) -> Ints:
        """Return the number of each value; -1 for none."""
        found = pl.DataFrame({"norm": norms}).join(
            self.values.select("norm", "value"), on="norm", how="left", maintain_order="left"
        )
        return found["value"].cast(pl.Int64).fill_null(-1).to_numpy()

    def ring(self, group: Ints) -> Ring:
        """Return the values of all rows as a ring, in groups of rows (-1: in none)."""
        there = np.flatnonzero((self.numbers >= 0) & (group >= 0))
        return Ring(group[there], self.numbers[there], self.keys[there])


@dataclass(frozen=True)
class Drawing:
    """One slot's false values being drawn for some facts: `truths` are all names of the true ones (`KEY, norm`)."""

    column: Column
    truths: pl.DataFrame
    facts: pl.Series

    def allowed(self, rows: Ints, values: Ints) -> Bools:
        """Say which values no name of which belongs to a true one."""
        asked = pl.DataFrame({"row": np.arange(len(rows)), KEY: self.facts.gather(rows), "value": values.astype(np.uint32)})
        named = asked.join(self.column.names, on="value").join(self.truths, on=[KEY, "norm"], how="semi")
        good = np.ones(len(rows), np.bool_)
        good[named["row"].unique().to_numpy()] = False
        return good

    def anywhere(self, at: Ints, points: Keys) -> Ints:
        """Draw among all values for the facts at some places; -1 where none may be said."""
        ring = self.column.ring(np.zeros(len(self.column.numbers), np.int64))
        return first_allowed(ring, np.zeros(len(at), np.int64), points, lambda r, v: self.allowed(at[r], v))


def drawing_of(column: Column, facts: Facts, at: Ints | None = None) -> Drawing:
    """Draw false values for facts (all of them, or those at some places), of which the true ones are known."""
    truths = facts.values.filter(pl.col("slot") == column.slot).select(KEY, "norm")
    return Drawing(column, truths, facts.frame[KEY] if at is None else facts.frame[at][KEY])
