"""What is drawn from other rows for a fact: false values, the false statement of a choice, and what a question claims.

Candidates stand on a ring in the order of their hashes, and each fact takes the first allowed one after a point of its own. A
value stands there as often as the data has it, so that being rare gives nothing away. It is allowed where none of its names,
after normalisation, is a name of a value that any row with the fact's key has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import Keys, mix, word
from generators.family.columns import (
    CLAIMED,
    FALSE_SLOT,
    FALSE_TERM,
    FALSE_VALUE,
    KEY,
    NEAR,
    POSITION,
    TRUE,
    aliases,
    norm,
    term,
)
from generators.family.facts import Facts, Grounding
from generators.family.rows import normal_forms, row_keys
from kg.sets import Ints
from queries.templates import Choice, Claim, Front

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]
Allowed = Callable[[Ints, Ints], Bools]


# --- the ring


class Ring:
    """Candidates in groups, each group in the order of their keys.

    `group` and `value` are the candidates' numbers, `keys` their places.
    """

    def __init__(self, group: Ints, value: Ints, keys: Keys) -> None:
        order = np.lexsort((value, keys, group))
        self.values, self.keys = value[order], keys[order]
        self.groups, self.starts, self.sizes = np.unique(group[order], return_index=True, return_counts=True)
        self.jumps = self._jumps(np.repeat(np.arange(len(self.groups)), self.sizes))

    def _jumps(self, group: Ints) -> Ints:
        """How many places it is to the next candidate of another value, round the group; its size where there is none."""
        here, start, size = np.arange(len(group)), self.starts[group], self.sizes[group]
        change = (self.values[1:] != self.values[:-1]) | (group[1:] != group[:-1])
        ends = np.concatenate([np.flatnonzero(change) + 1, [len(group)]])
        end = np.repeat(ends, np.diff(ends, prepend=0))
        # The last run of a group goes on at its beginning where that has the same value.
        goes_on = (end == start + size) & (self.values == self.values[start])
        return np.minimum(end - here + np.where(goes_on, end[start] - start, 0), size)

    def place(self, group: Ints, points: Keys) -> tuple[Ints, Ints, Ints]:
        """Return where each group begins, how many it has (0 where there is none), and the first one after each point."""
        if not len(self.groups):
            nowhere = np.zeros(len(group), np.int64)
            return nowhere, nowhere, nowhere
        at = np.minimum(np.searchsorted(self.groups, group), len(self.groups) - 1)
        known = self.groups[at] == group
        start, size = np.where(known, self.starts[at], 0), np.where(known, self.sizes[at], 0)
        low, high = start.copy(), start + size
        while (low < high).any():  # a binary search in every group at once
            middle = np.minimum((low + high) // 2, len(self.keys) - 1)
            before = (self.keys[middle] < points) & (low < high)
            low, high = np.where(before, middle + 1, low), np.where(before, high, np.where(low < high, middle, high))
        return start, size, low - start


def first_allowed(ring: Ring, group: Ints, points: Keys, allowed: Allowed) -> Ints:
    """Return for each row the first allowed value of its group after its point; -1 where there is none.

    `allowed(rows, values)` says which values the rows (by position) may have.
    """
    start, size, offset = ring.place(group, points)
    chosen = np.full(len(group), -1, np.int64)
    passed = np.zeros(len(group), np.int64)
    rows = np.flatnonzero(size > 0)
    # All rows look at one candidate a turn; a run of equal values, refused once, is passed in one step.
    while len(rows):
        place = start[rows] + (offset[rows] + passed[rows]) % size[rows]
        value = ring.values[place]
        good = allowed(rows, value)
        chosen[rows[good]] = value[good]
        passed[rows] += ring.jumps[place]
        rows = rows[~good & (passed[rows] < size[rows])]
    return chosen


def share(keys: Keys) -> Numbers:
    """Return each key as a number from 0 up to 1.

    >>> share(np.array([0, 2**63], np.uint64)).tolist()
    [0.0, 0.5]
    """
    return (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53


# --- the values of a slot


class SlotValues:
    """The values of one slot, numbered, with all their names; `allowed` are the normal forms that may be drawn."""

    def __init__(self, rows: pl.DataFrame, keys: Keys, slot: str, allowed: Sequence[str] | None = None) -> None:
        known = rows.select(norm=norm(slot), value=slot, term=term(slot), aliases=aliases(slot)).drop_nulls("norm")
        if allowed is not None:
            known = known.filter(pl.col("norm").is_in(list(allowed)))
        self.slot = slot
        distinct = known.sort("norm", "value", "term").unique("norm", keep="first", maintain_order=True)
        self.values = distinct.with_row_index("number")
        own = self.values.select("number", "norm")
        further = known.select("norm", "aliases").join(own, on="norm").select("number", norm="aliases")
        further = further.explode("norm", empty_as_null=True).drop_nulls().unique()
        self.names = pl.concat([own, further.with_columns(normal_forms(further["norm"]).alias("norm"))]).unique()
        self.keys = mix(keys, word(slot))
        self.of_rows = self.numbers(rows[norm(slot)])

    def numbers(self, norms: pl.Series) -> Ints:
        """Return the number of each value; -1 for none."""
        numbered = pl.DataFrame({"norm": norms}).join(
            self.values.select("norm", "number"), on="norm", how="left", maintain_order="left"
        )
        return numbered["number"].cast(pl.Int64).fill_null(-1).to_numpy()

    def ring(self, group: Ints | None = None) -> Ring:
        """Return the values of all rows as a ring, in groups of rows (-1: in none), or in one group."""
        group = np.zeros(len(self.of_rows), np.int64) if group is None else group
        there = np.flatnonzero((self.of_rows >= 0) & (group >= 0))
        return Ring(group[there], self.of_rows[there], self.keys[there])


@dataclass(frozen=True)
class FalseValues:
    """Draws values of one slot that are false of some facts.

    `keys` are the facts' numbers (`KEY`), `truths` all names of the values that are true of them (`KEY, norm`).
    """

    values: SlotValues
    keys: pl.Series
    truths: pl.DataFrame

    @classmethod
    def of(cls, values: SlotValues, facts: Facts, at: Ints | None = None) -> FalseValues:
        """Draw for facts (all of them, or those at some places) of which the true values are known."""
        truths = facts.values.filter(pl.col("slot") == values.slot).select(KEY, "norm")
        return cls(values, facts.frame[KEY] if at is None else facts.frame[at][KEY], truths)

    def allowed(self, rows: Ints, numbers: Ints) -> Bools:
        """Say which values no name of which belongs to a true one."""
        asked = pl.DataFrame({"row": np.arange(len(rows)), KEY: self.keys.gather(rows), "number": numbers.astype(np.uint32)})
        named = asked.join(self.values.names, on="number").join(self.truths, on=[KEY, "norm"], how="semi")
        good = np.ones(len(rows), np.bool_)
        good[named["row"].unique().to_numpy()] = False
        return good

    def anywhere(self, at: Ints, points: Keys) -> Ints:
        """Draw among all values for the facts at some places; -1 where none may be said."""
        one_group = np.zeros(len(at), np.int64)
        return first_allowed(self.values.ring(), one_group, points, lambda rows, numbers: self.allowed(at[rows], numbers))


# --- near values

_NEAREST = 5
"""A near number is one of so many on either side of the true one."""
_APART, _TIMES = 40, 2.5
"""A near year lies so many years from the true one at most, another number within so many times."""
_MEASURED_APART = 1 / 3
"""A false measure lies so far from the true one at least, as a share of it."""


def near_values(drawing: FalseValues, own: pl.DataFrame, rows: pl.DataFrame, like: str, at: Ints, points: Keys) -> Ints:
    """Draw values near the true ones for facts at some places; -1 where there is none.

    A number is drawn from the next ones (`like` is "number"; of "never" there is none), one that is measured ("measure") from
    those that are more by a third, or less; other values from rows that have the fact's value of the slot `like` (rivers of
    the same continent).
    """
    slot = drawing.values.slot
    if like == "never":
        return np.full(len(at), -1, np.int64)
    if like not in ("number", "measure"):
        return _draw_near(drawing, rows, own, like, at, points)
    numbers, theirs = _numbers(own[slot]), _numbers(drawing.values.values["value"])
    order = np.argsort(theirs, kind="stable")
    place = np.searchsorted(theirs[order], numbers)
    # Of what is measured or estimated, nobody can tell a tenth more from the truth.
    apart = np.abs(numbers) * _MEASURED_APART if like == "measure" else np.zeros(len(numbers))
    below = np.searchsorted(theirs[order], numbers - apart, side="right") if like == "measure" else place
    above = np.searchsorted(theirs[order], numbers + apart) if like == "measure" else place
    chosen = np.full(len(at), -1, np.int64)
    for turn in range(2 * _NEAREST + 1):
        open_ones = np.flatnonzero(chosen < 0)
        which = (points[open_ones] + np.uint64(turn)) % np.uint64(2 * _NEAREST + 1)
        step = which.astype(np.int64) - _NEAREST
        there = np.where(step < 0, below[open_ones], above[open_ones]) + step
        inside = (there >= 0) & (there < len(order))
        open_ones, there = open_ones[inside], there[inside]
        number = order[there].astype(np.int64)
        good = _are_close(numbers[open_ones], theirs[number], like == "measure") & drawing.allowed(at[open_ones], number)
        chosen[open_ones[good]] = number[good]
    return chosen


def _are_close(true: Numbers, other: Numbers, sizes: bool) -> Bools:
    """Say which numbers may be taken for others: years of one time, `sizes` of one order."""
    years = (true >= 1000) & (true <= 2100) & (true % 1 == 0) & (not sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.abs(other) / np.abs(true)
    close: Bools = np.where(years, np.abs(other - true) <= _APART, (times <= _TIMES) & (times >= 1 / _TIMES))
    return close


# --- what a family's facts need


def drawn_slots(grounding: Grounding) -> list[str]:
    """The slots whose values are drawn for facts: those of a false statement, or that of a claim."""
    front = grounding.front
    if front.task == "probe":
        return []
    drawn = list(grounding.options) if front.task == "choice" else [front.claim.slot] if front.claim else []
    asked = grounding.distractors.slots if grounding.distractors else []
    return list(dict.fromkeys([*drawn, *asked]))


class QueriedValues(SlotValues):
    """The values of a slot that a query drew, numbered; `chosen` is the number of each fact's, -1 where it drew none."""

    def __init__(self, drawn: pl.DataFrame, rows: pl.DataFrame, slot: str) -> None:
        super().__init__(drawn, np.zeros(drawn.height, np.uint64), slot)
        self.chosen, self.of_rows = self.of_rows, self.numbers(rows[norm(slot)])


def queried_values(grounding: Grounding, keys: Keys) -> dict[str, QueriedValues]:
    """Let the queries of a family draw false values for all facts, by slot."""
    if grounding.distractors is None:
        return {}
    facts, rows, drawn = grounding.facts, grounding.rows.frame, {}
    for slot in grounding.distractors.by_slot:
        truths = facts.values.filter(pl.col("slot") == slot).select(KEY, "norm")
        drawn[slot] = QueriedValues(grounding.distractors.draw(slot, facts.frame, keys, truths), rows, slot)
    return drawn


def draw_for(grounding: Grounding, keys: Keys) -> FalseStatements | Claims | None:
    """Draw what the facts need, a false statement or a claim; None where they need nothing. `keys` are the facts'."""
    if grounding.front.task == "choice":
        return draw_false_statements(grounding, grounding.facts, keys, grounding.none_share)
    claim = grounding.front.claim
    if claim is None:
        return None
    near, queried = grounding.front.near, queried_values(grounding, keys).get(claim.slot)
    return draw_claims(claim, grounding.facts, grounding.rows.frame, keys, grounding.seed, near, queried)


# --- choices


@dataclass(frozen=True)
class FalseStatements:
    """What a choice says falsely of each fact, and where.

    `slot`: the number of the slot (-1: all statements are true); `position`: where that statement stands; `value`, `term`: the
    false value; `near`: whether some row has it together with the fact's most telling other value (a country that another film
    of that director comes from); `filled`: whether there is a question at all.
    """

    slot: Ints
    position: Ints
    value: pl.Series
    term: pl.Series
    near: Bools
    filled: Bools

    def at(self, facts: Ints) -> FalseStatements:
        """Return what was drawn for some of the facts, by their numbers."""
        fields = (self.slot, self.position, self.value, self.term, self.near, self.filled)
        return FalseStatements(*(field[facts] for field in fields))  # type: ignore[arg-type]

    def add_to(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the facts that can be asked, with what was drawn for them."""
        arrays = {FALSE_SLOT: self.slot, POSITION: self.position, NEAR: self.near}
        columns = [*(pl.Series(*named) for named in arrays.items()), self.value.alias(FALSE_VALUE), self.term.alias(FALSE_TERM)]
        return frame.with_columns(columns).filter(pl.Series(self.filled))


def draw_false_statements(grounding: Grounding, facts: Facts, keys: Keys, none_share: float) -> FalseStatements:
    """Draw a false statement for every fact, the same in all phrasings; in `none_share` of the questions none is false.

    Which slot it is about comes first, in a hashed order of slots: the first one that a value can be drawn for.
    """
    rows, options, n = grounding.rows.frame, grounding.options, facts.frame.height
    all_true = share(mix(keys, word("none"))) < none_share
    order = np.argsort(np.stack([mix(keys, word("slot"), word(slot)) for slot in options], axis=1), axis=1, kind="stable")
    chosen, near, false = np.full(n, -1), np.zeros(n, np.bool_), np.full(n, -1)
    drawn_by, worded = row_keys(rows, grounding.seed), _worded(grounding.front)
    queried = queried_values(grounding, keys)
    columns = [queried.get(slot) or SlotValues(rows, drawn_by, slot, worded.get(slot)) for slot in options]
    for turn in range(len(options)):
        for i, values in enumerate(columns):
            at = np.flatnonzero((order[:, turn] == i) & (false < 0) & ~all_true)
            if not len(at):
                continue
            number, is_near = _draw_false(facts, rows, values, options, at, keys[at], grounding.front.near.get(values.slot))
            good = number >= 0
            false[at[good]], chosen[at[good]], near[at[good]] = i, number[good], is_near[good]
    position = (mix(keys, word("position")) % np.uint64(max(len(options), 1))).astype(np.int64)
    false_values = _false_values(columns, false, chosen)
    return FalseStatements(false, position, false_values["value"], false_values["term"], near, all_true | (false >= 0))


def _worded(front: Front) -> dict[str, list[str]]:
    """The normal forms of the values that an option has a text for, where it has one for each."""
    worded: dict[str, list[str]] = {}
    for choice in (front.question or {}).values():
        for slot, texts in choice.options.items() if isinstance(choice, Choice) else ():
            if not isinstance(texts, str):
                own = normal_forms(pl.Series(list(texts), dtype=pl.String)).to_list()
                worded[slot] = [value for value in worded.get(slot, own) if value in own]
    return worded


def _false_values(columns: Sequence[SlotValues], false: Ints, chosen: Ints) -> pl.DataFrame:
    """`value, term` of what was drawn for each fact; null where all statements are true."""
    drawn = pl.DataFrame({"slot": false, "number": chosen.astype(np.int64)})
    listed = [
        column.values.select(slot=pl.lit(i, pl.Int64), number=pl.col("number").cast(pl.Int64), value="value", term="term")
        for i, column in enumerate(columns)
    ]
    return drawn.join(pl.concat(listed), on=["slot", "number"], how="left", maintain_order="left").select("value", "term")


def _draw_false(
    facts: Facts, rows: pl.DataFrame, values: SlotValues, options: Sequence[str], at: Ints, keys: Keys, like: str | None = None
) -> tuple[Ints, Bools]:
    """Draw a false value for some facts, and say whether it is near: half of them are, where there is one that is.

    With `like`, all are near in the way that the family says (`near`), or there is none.
    """
    own, drawing = facts.frame[at], FalseValues.of(values, facts, at)
    points = mix(keys, word("value"), word(values.slot))
    # The most telling slot has the most values: few rows share one.
    anchor = max((other for other in options if other != values.slot), key=lambda other: rows[norm(other)].n_unique())
    if isinstance(values, QueriedValues):
        return values.chosen[at], _are_near(rows, own, values, anchor, values.chosen[at])
    numbers = np.full(len(at), -1)
    if like is not None:
        numbers = near_values(drawing, own, rows, like, np.arange(len(at)), points)
        return numbers, _are_near(rows, own, values, anchor, numbers)
    near = np.flatnonzero(share(mix(keys, word("near"))) < 0.5)
    numbers[near] = _draw_near(drawing, rows, own[near], anchor, near, points[near])
    rest = np.flatnonzero(numbers < 0)
    numbers[rest] = drawing.anywhere(rest, points[rest])
    return numbers, _are_near(rows, own, values, anchor, numbers)


def _draw_near(drawing: FalseValues, rows: pl.DataFrame, own: pl.DataFrame, anchor: str, at: Ints, points: Keys) -> Ints:
    """Draw among the values that some row has together with the fact's value of the anchor."""
    groups = rows.select(norm(anchor)).drop_nulls().unique().sort(norm(anchor)).with_row_index("group")
    ring = drawing.values.ring(_group_numbers(rows, groups, anchor))
    group = _group_numbers(own, groups, anchor)
    return first_allowed(ring, group, points, lambda rows, numbers: drawing.allowed(at[rows], numbers))


def _group_numbers(frame: pl.DataFrame, groups: pl.DataFrame, anchor: str) -> Ints:
    numbered = frame.select(norm(anchor)).join(groups, on=norm(anchor), how="left", maintain_order="left")
    return numbered["group"].cast(pl.Int64).fill_null(-1).to_numpy()


def _are_near(rows: pl.DataFrame, own: pl.DataFrame, values: SlotValues, anchor: str, numbers: Ints) -> Bools:
    """Say whether some row has the drawn value together with the fact's value of the anchor."""
    pairs = rows.select(anchor=norm(anchor)).with_columns(number=pl.Series(values.of_rows), there=pl.lit(True)).unique()
    drawn = own.select(anchor=norm(anchor)).with_columns(number=pl.Series(numbers))
    there = drawn.join(pairs, on=["anchor", "number"], how="left", maintain_order="left")["there"]
    return there.fill_null(False).to_numpy()


# --- claims

_YEAR = r"^(-?\d{4,})(?:-\d\d)?(?:-\d\d)?(?:T.*)?$"
_WRITTEN_YEAR = r"^(?:[\w.,]+[ /.-]){1,2}([12]\d{3})$"
_STEPS = 3
"""A limit lies one to so many steps beyond the value."""


@dataclass(frozen=True)
class Claims:
    """What is claimed of each fact (null where nothing can be), whether it is true, and its term where it is a value."""

    value: pl.Series
    true: pl.Series
    term: pl.Series

    def at(self, facts: Ints) -> Claims:
        """Return what is claimed of some of the facts, by their numbers."""
        return Claims(self.value[facts], self.true[facts], self.term[facts])

    def add_to(self, frame: pl.DataFrame, name: str) -> pl.DataFrame:
        """Return the facts with what is claimed of them, under the name that the question has for it."""
        columns = [self.value.alias(name), self.true.alias(TRUE), self.term.alias(CLAIMED)]
        return frame.drop(name, strict=False).with_columns(columns)


def draw_claims(
    claim: Claim,
    facts: Facts,
    rows: pl.DataFrame,
    keys: Keys,
    seed: int,
    near: Mapping[str, str] | None = None,
    queried: QueriedValues | None = None,
) -> Claims:
    """Draw a claim for every fact: the decade of a birth, a limit that a length may pass, another value.

    It is true in the share that the family gives. `rows` are all rows, whose values are claimed falsely, `keys` those of facts.
    `near` says of a slot how a false value is to be like the true one; `queried` are false values that a query drew.
    """
    wanted = share(mix(keys, word("side"))) < claim.true_share
    values = queried or SlotValues(rows, row_keys(rows, seed), claim.slot)
    if claim.test == "=" and claim.step is None:
        return _other_values(claim, facts, rows, values, keys, wanted, (near or {}).get(claim.slot))
    numbers, pool = _numbers(facts.frame[claim.slot]), _numbers(rows[claim.slot])
    if claim.test == "=":
        value, true = _other_steps(claim, numbers, values, pool, keys, wanted)
    else:
        value, true = _limits(claim, numbers, pool, keys, wanted)
    return Claims(value, true, pl.Series([None], dtype=pl.String).new_from_index(0, value.len()))


def _numbers(texts: pl.Series) -> Numbers:
    """Read numbers; of a date, its year; NaN for anything else."""
    year = pl.select(pl.coalesce(texts.str.extract(_YEAR), texts.str.extract(_WRITTEN_YEAR))).to_series()
    plain = texts.str.replace_all(r"(\d),(\d{3})", "$1$2")
    number = pl.select(pl.coalesce(plain.cast(pl.Float64, strict=False), year.cast(pl.Float64, strict=False))).to_series()
    numbers = number.fill_null(math.nan).to_numpy()
    return np.where(np.isfinite(numbers), numbers, np.nan)


def _written(numbers: Numbers, step: float | None) -> pl.Series:
    """Write numbers as people do: no `.0`, no more places than the step has; NaN is null."""
    places = len(f"{step or 1.0:.10f}".rstrip("0").partition(".")[2])
    texts = [None if math.isnan(number) else f"{number:.{places}f}" for number in numbers.tolist()]
    return pl.Series(texts, dtype=pl.String)


def _step_of(numbers: Numbers, step: float) -> Numbers:
    """Number the step that each value lies on; what binary fractions add or lack is rounded away first."""
    return np.floor(np.round(numbers / step, 9))


def _other_steps(
    claim: Claim, numbers: Numbers, values: SlotValues, pool: Numbers, keys: Keys, wanted: Bools
) -> tuple[pl.Series, pl.Series]:
    """Claim the step that a value lies in (its decade), or the one of another row."""
    step = claim.step or 1.0
    own, steps = _step_of(numbers, step), _step_of(pool, step)
    known = np.flatnonzero(~np.isnan(steps))
    distinct, number = np.unique(steps[known], return_inverse=True)
    ring = Ring(np.zeros(len(known), np.int64), number.astype(np.int64), values.keys[known])

    def allowed(rows: Ints, chosen: Ints) -> Bools:
        away: Bools = np.abs(distinct[chosen] - own[rows]) * step >= max(step, claim.margin or 0.0)
        return away

    other = first_allowed(ring, np.zeros(len(own), np.int64), mix(keys, word("claim")), allowed)
    true = wanted | (other < 0)
    claimed = np.where(true, own, distinct[other] if len(distinct) else np.nan) * step
    return _written(np.where(np.isnan(own), np.nan, claimed), step), pl.Series(true)


def _other_values(
    claim: Claim, facts: Facts, rows: pl.DataFrame, values: SlotValues, keys: Keys, wanted: Bools, like: str | None
) -> Claims:
    """Claim the value itself, or the one of another row, none of whose names is a name of it; nothing where none is near."""
    own, drawing = facts.frame, FalseValues.of(values, facts)
    numbers, theirs = _numbers(own[claim.slot]), _numbers(values.values["value"])

    def allowed(rows: Ints, chosen: Ints) -> Bools:
        near: Bools = np.abs(theirs[chosen] - numbers[rows]) < (claim.margin or 0.0)
        return drawing.allowed(rows, chosen) & ~near

    points = mix(keys, word("claim"))
    if isinstance(values, QueriedValues):
        other, true = values.chosen, pl.Series(wanted)
    elif like is None:
        other = first_allowed(values.ring(), np.zeros(own.height, np.int64), points, allowed)
        true = pl.Series(wanted | (other < 0))
    else:
        other = near_values(drawing, own, rows, like, np.arange(own.height), points)
        true = pl.Series(wanted)
    at = pl.Series(np.maximum(other, 0))
    value, claimed_term = (
        pl.select(pl.when(true).then(own[mine]).otherwise(values.values[name].gather(at))).to_series()
        for mine, name in ((claim.slot, "value"), (term(claim.slot), "term"))
    )
    said = true | pl.Series(other >= 0)
    return Claims(pl.select(pl.when(said).then(value)).to_series(), true, claimed_term)


def _limits(claim: Claim, numbers: Numbers, pool: Numbers, keys: Keys, wanted: Bools) -> tuple[pl.Series, pl.Series]:
    """Claim that a value lies beyond a limit: on the other side of it, or not; where one side has no room, on the other."""
    step, known = claim.step or 1.0, pool[~np.isnan(pool)]
    low, high = (known.min(), known.max()) if len(known) else (math.nan, math.nan)
    below = wanted == (claim.test == ">")  # a value above its limit makes "greater" true and "less" false
    first, second = (_limit(numbers, side, step, claim.margin or 0.0, keys, low, high) for side in (below, ~below))
    no_room = np.isnan(first)
    return _written(np.where(no_room, second, first), claim.step), pl.Series(np.where(no_room, ~wanted, wanted))


def _limit(numbers: Numbers, below: Bools, step: float, margin: float, keys: Keys, low: float, high: float) -> Numbers:
    """Return a limit below or above each value: on the grid of `step`, at least `margin` away, within what the data has.

    NaN where the data has no room for one.
    """
    beyond = 1 + (mix(keys, word("steps")) % np.uint64(_STEPS)).astype(np.float64)
    under = (np.ceil((numbers - margin) / step) - beyond) * step
    over = (np.floor((numbers + margin) / step) + beyond) * step
    # Where some steps beyond is too far, one step may still be within the data.
    nearest_under = np.where(under < low, (np.ceil((numbers - margin) / step) - 1) * step, under)
    nearest_over = np.where(over > high, (np.floor((numbers + margin) / step) + 1) * step, over)
    limit = np.where(below, nearest_under, nearest_over)
    return np.where((limit < low) | (limit > high), np.nan, limit)
