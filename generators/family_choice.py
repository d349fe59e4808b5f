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
import numpy.typing as npt
import polars as pl

from generators.family_dependencies import KEY, Facts
from generators.family_ring import Ring, first_allowed, share
from generators.family_rows import aka, norm, normal, term
from generators.ring import Keys, keys_of, mix, word
from kg.bits import Ints

__all__ = ["FALSE", "Choices", "choices_of"]

FALSE = "\0false "
"""The prefix of the column that holds what a false statement says of a slot."""

Bools = npt.NDArray[np.bool_]


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


class _Column:
    """The values of one slot, numbered, with all their names."""

    def __init__(self, rows: pl.DataFrame, row_keys: Keys, slot: str, allowed: Sequence[str] | None) -> None:
        known = rows.select(norm=norm(slot), said=slot, term=term(slot), aka=aka(slot)).drop_nulls("norm")
        if allowed is not None:
            known = known.filter(pl.col("norm").is_in(list(allowed)))
        self.values = (
            known.sort("norm", "said", "term").unique("norm", keep="first", maintain_order=True).with_row_index("value")
        )
        others = self.values.select("value", norm="aka").explode("norm", empty_as_null=True).drop_nulls()
        own = self.values.select("value", "norm")
        self.names = pl.concat([own, others.with_columns(normal(others["norm"]).alias("norm"))]).unique()
        self.keys = mix(row_keys, word(slot))
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
class _Drawing:
    """One slot's false values being drawn for some facts."""

    column: _Column
    truths: pl.DataFrame
    facts: pl.Series

    def allowed(self, rows: Ints, values: Ints) -> Bools:
        """Say which values no name of which belongs to a true one."""
        asked = pl.DataFrame({"row": np.arange(len(rows)), KEY: self.facts.gather(rows), "value": values.astype(np.uint32)})
        named = asked.join(self.column.names, on="value").join(self.truths, on=[KEY, "norm"], how="semi")
        good = np.ones(len(rows), np.bool_)
        good[named["row"].unique().to_numpy()] = False
        return good


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
    said = pl.concat_str([column for column in rows.columns if column.endswith(norm(""))], separator="\0", ignore_nulls=True)
    row_keys = keys_of(seed, rows.select(said).to_series().to_list())
    columns = {slot: _Column(rows, row_keys, slot, allowed.get(slot)) for slot in options}
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


def _values(n: int, columns: dict[str, _Column], options: Sequence[str], false: Ints, chosen: Ints) -> pl.DataFrame:
    found = pl.DataFrame({"i": pl.int_range(n, eager=True), "false": false, "value": chosen.astype(np.int64)})
    listed = [
        columns[slot].values.select(false=pl.lit(i, pl.Int64), value=pl.col("value").cast(pl.Int64), said="said", term="term")
        for i, slot in enumerate(options)
    ]
    return found.join(pl.concat(listed), on=["false", "value"], how="left", maintain_order="left").select("said", "term")


def _draw(
    facts: Facts, rows: pl.DataFrame, column: _Column, slot: str, options: Sequence[str], at: Ints, keys: Keys
) -> tuple[Ints, Bools]:
    """Draw a false value for some facts: half of them near, where there is one; else any."""
    own = facts.frame[at]
    truths = facts.values.filter(pl.col("slot") == slot).select(KEY, "norm")
    drawing = _Drawing(column, truths, own[KEY])
    points = mix(keys, word("value"), word(slot))
    # The most telling slot has the most values: few rows share one.
    anchor = max((other for other in options if other != slot), key=lambda other: rows[norm(other)].n_unique())
    found = np.full(len(at), -1)
    near = np.flatnonzero(share(mix(keys, word("near"))) < 0.5)
    found[near] = _beside(drawing, rows, own[near], anchor, near, points[near])
    rest = np.flatnonzero(found < 0)
    found[rest] = _anywhere(drawing, rest, points[rest])
    return found, _shares(rows, own, column, anchor, found)


def _beside(drawing: _Drawing, rows: pl.DataFrame, own: pl.DataFrame, anchor: str, at: Ints, points: Keys) -> Ints:
    """Draw among the values that some row has together with the fact's value of the anchor."""
    groups = rows.select(norm(anchor)).drop_nulls().unique().sort(norm(anchor)).with_row_index("group")
    group = _numbered(rows, groups, anchor)
    wanted = _numbered(own, groups, anchor)
    return first_allowed(drawing.column.ring(group), wanted, points, lambda r, v: drawing.allowed(at[r], v))


def _numbered(frame: pl.DataFrame, groups: pl.DataFrame, anchor: str) -> Ints:
    found = frame.select(norm(anchor)).join(groups, on=norm(anchor), how="left", maintain_order="left")["group"]
    return found.cast(pl.Int64).fill_null(-1).to_numpy()


def _anywhere(drawing: _Drawing, at: Ints, points: Keys) -> Ints:
    ring = drawing.column.ring(np.zeros(len(drawing.column.numbers), np.int64))
    return first_allowed(ring, np.zeros(len(at), np.int64), points, lambda r, v: drawing.allowed(at[r], v))


def _shares(rows: pl.DataFrame, own: pl.DataFrame, column: _Column, anchor: str, found: Ints) -> Bools:
    """Say whether some row has the drawn value together with the fact's value of the anchor."""
    pairs = rows.select(anchor=norm(anchor)).with_columns(value=pl.Series(column.numbers), there=pl.lit(True)).unique()
    asked = own.select(anchor=norm(anchor)).with_columns(value=pl.Series(found))
    there = asked.join(pairs, on=["anchor", "value"], how="left", maintain_order="left")["there"]
    return there.fill_null(False).to_numpy()
