"""A choice: statements that are true and exactly one that is false, whose value comes from the same column.

The false value differs from every true one after normalisation, by all names of either, and no row with the same key has
it. It is *near* where some row has it together with the fact's most telling other value (a country that another film of that
director comes from), else *far*.
Which statement is false, by which kind of value and in which place, is drawn by hash, and is the same in all phrasings.

```
python -m generators.family erbench/mc_movie --none-share 0.2 --store ./films
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from generators.draw import Keys, mix, word
from generators.family.facts import Facts
from generators.family.ring import first_allowed, share
from generators.family.rows import norm
from generators.family.values import Bools, Column, Drawing, drawing_of, row_keys
from kg.sets import Ints

__all__ = ["FALSE", "Choices", "choices_of"]

FALSE = "\0false "
"""The prefix of the column that holds what a false statement says of a slot."""


@dataclass(frozen=True)
class Choices:
    """What was drawn for each fact: `false` the number of the slot (-1: all statements are true), `position` where that
    statement stands, `values` the false value's columns (`said`, `term`), `near` whether it is near; `filled` whether
    there is a question at all.
    """

    false: Ints
    position: Ints
    values: pl.DataFrame
    near: Bools
    filled: Bools

    def slice(self, first: int, n: int) -> Choices:
        """Return what was drawn for some of the facts."""
        part = slice(first, first + n)
        return Choices(self.false[part], self.position[part], self.values[part], self.near[part], self.filled[part])


def choices_of(
    facts: Facts,
    rows: pl.DataFrame,
    options: Sequence[str],
    allowed: dict[str, list[str]],
    keys: Keys,
    none_share: float,
    seed: int,
) -> Choices:
    """Draw a false statement for every fact.

    Parameters: `rows` are all rows, which the values are drawn from; `options` the slots that statements are made of;
    `allowed` the normal forms that a slot has a text for, where it has one for each value; in `none_share` of the
    questions no statement is false.
    """
    n, frame = facts.frame.height, facts.frame
    all_true = share(mix(keys, word("none"))) < none_share
    order = np.argsort(np.stack([mix(keys, word("slot"), word(slot)) for slot in options], axis=1), axis=1, kind="stable")
    chosen, near, false = np.full(n, -1), np.zeros(n, np.bool_), np.full(n, -1)
    drawn_by = row_keys(rows, seed)
    columns = {slot: Column(rows, drawn_by, slot, allowed.get(slot)) for slot in options}
    for turn in range(len(options)):
        for i, slot in enumerate(options):
            at = np.flatnonzero((order[:, turn] == i) & (false < 0) & ~all_true)
            if not len(at):
                continue
            value, is_near = _draw(facts, rows, columns[slot], slot, options, at, keys[at])
            good = value >= 0
            false[at[good]], chosen[at[good]], near[at[good]] = i, value[good], is_near[good]
    position = (mix(keys, word("position")) % np.uint64(max(len(options), 1))).astype(np.int64)
    values = _values(frame.height, columns, options, false, chosen)
    return Choices(false, position, values, near, all_true | (false >= 0))


def _values(n: int, columns: dict[str, Column], options: Sequence[str], false: Ints, chosen: Ints) -> pl.DataFrame:
    found = pl.DataFrame({"i": pl.int_range(n, eager=True), "false": false, "value": chosen.astype(np.int64)})
    listed = [
        columns[slot].values.select(false=pl.lit(i, pl.Int64), value=pl.col("value").cast(pl.Int64), said="said", term="term")
        for i, slot in enumerate(options)
    ]
    return found.join(pl.concat(listed), on=["false", "value"], how="left", maintain_order="left").select("said", "term")


def _draw(
    facts: Facts, rows: pl.DataFrame, column: Column, slot: str, options: Sequence[str], at: Ints, keys: Keys
) -> tuple[Ints, Bools]:
    """Draw a false value for some facts: half of them near, where there is one; else any."""
    own, drawing = facts.frame[at], drawing_of(column, facts, at)
    points = mix(keys, word("value"), word(slot))
    # The most telling slot has the most values: few rows share one.
    anchor = max((other for other in options if other != slot), key=lambda other: rows[norm(other)].n_unique())
    found = np.full(len(at), -1)
    near = np.flatnonzero(share(mix(keys, word("near"))) < 0.5)
    found[near] = _beside(drawing, rows, own[near], anchor, near, points[near])
    rest = np.flatnonzero(found < 0)
    found[rest] = drawing.anywhere(rest, points[rest])
    return found, _shares(rows, own, column, anchor, found)


def _beside(drawing: Drawing, rows: pl.DataFrame, own: pl.DataFrame, anchor: str, at: Ints, points: Keys) -> Ints:
    """Draw among the values that some row has together with the fact's value of the anchor."""
    groups = rows.select(norm(anchor)).drop_nulls().unique().sort(norm(anchor)).with_row_index("group")
    group = _numbered(rows, groups, anchor)
    wanted = _numbered(own, groups, anchor)
    return first_allowed(drawing.column.ring(group), wanted, points, lambda r, v: drawing.allowed(at[r], v))


def _numbered(frame: pl.DataFrame, groups: pl.DataFrame, anchor: str) -> Ints:
    found = frame.select(norm(anchor)).join(groups, on=norm(anchor), how="left", maintain_order="left")["group"]
    return found.cast(pl.Int64).fill_null(-1).to_numpy()


def _shares(rows: pl.DataFrame, own: pl.DataFrame, column: Column, anchor: str, found: Ints) -> Bools:
    """Say whether some row has the drawn value together with the fact's value of the anchor."""
    pairs = rows.select(anchor=norm(anchor)).with_columns(value=pl.Series(column.numbers), there=pl.lit(True)).unique()
    asked = own.select(anchor=norm(anchor)).with_columns(value=pl.Series(found))
    there = asked.join(pairs, on=["anchor", "value"], how="left", maintain_order="left")["there"]
    return there.fill_null(False).to_numpy()
