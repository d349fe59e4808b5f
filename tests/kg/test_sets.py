"""Bit tables are sets: whatever they do, Python's own sets do too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import sets as bits

Sets = list[set[int]]


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, Sets]:
    """Up to 70 sets over up to 200 nodes: more than a word of each."""
    n = draw(st.sampled_from([1, 2, 63, 64, 65, 128, 200]))
    rows = draw(st.sampled_from([1, 2, 5, 64, 70]))
    node = st.one_of(st.integers(0, n - 1), st.sampled_from([0, n - 1]))
    cells = draw(st.lists(st.tuples(st.integers(0, rows - 1), node), max_size=60))
    return n, [{node for row, node in cells if row == r} for r in range(rows)]


def table(n: int, sets: Sets) -> bits.Bits:
    cells = [(row, node) for row, own in enumerate(sets) for node in own]
    row, node = np.array(cells, np.int64).reshape(-1, 2).T
    return bits.scatter(len(sets), n, row, node)


def sets_of(found: bits.Bits) -> Sets:
    out: Sets = [set() for _ in found]
    for row, node in zip(*bits.members(found), strict=True):
        out[row].add(int(node))
    return out


@given(tables())
def test_what_is_scattered_is_found_again(drawn: tuple[int, Sets]) -> None:
    n, sets = drawn
    assert sets_of(table(n, sets)) == sets


@given(tables())
def test_members_come_in_order(drawn: tuple[int, Sets]) -> None:
    n, sets = drawn
    row, node = bits.members(table(n, sets))
    assert list(zip(row, node, strict=True)) == [(r, x) for r, own in enumerate(sets) for x in sorted(own)]


def test_scattering_a_node_twice_is_no_different() -> None:
    assert sets_of(bits.scatter(2, 65, np.array([1, 1, 0, 1]), np.array([64, 64, 3, 0]))) == [{3}, {0, 64}]


@given(tables(), st.data())
def test_membership(drawn: tuple[int, Sets], data: st.DataObject) -> None:
    n, sets = drawn
    asked = data.draw(st.lists(st.tuples(st.integers(0, len(sets) - 1), st.integers(0, n - 1)), max_size=20))
    row, node = np.array(asked, np.int64).reshape(-1, 2).T
    assert bits.test(table(n, sets), row, node).tolist() == [x in sets[r] for r, x in asked]


def first_after(own: set[int], start: int, n: int) -> int:
    """Walk round the ring once from `start`."""
    return next((place % n for place in range(start, start + n) if place % n in own), -1)


@given(tables(), st.data())
def test_the_first_member_from_a_place_on_the_ring(drawn: tuple[int, Sets], data: st.DataObject) -> None:
    n, sets = drawn
    start = data.draw(st.lists(st.integers(0, n - 1), min_size=len(sets), max_size=len(sets)))
    found = bits.first_set(table(n, sets), np.array(start, np.int64))
    assert found.tolist() == [first_after(own, at, n) for own, at in zip(sets, start, strict=True)]


def test_every_bit_of_a_word_is_found_from_everywhere() -> None:
    for node in range(128):
        alone = bits.scatter(128, 128, np.arange(128), np.full(128, node))
        assert bits.first_set(alone, np.arange(128)).tolist() == [node] * 128


@given(st.lists(st.tuples(st.sets(st.integers(0, 9_999), max_size=9), st.integers(0, 9_999)), max_size=9))
def test_of_many_words_the_first_member_is_found_near_or_far(asked: list[tuple[set[int], int]]) -> None:
    """A set of ten thousand that is empty but for a few, and all but these, which is crowded."""
    start = np.array([at for _, at in asked], np.int64)
    few = table(10_000, [own for own, _ in asked])
    assert bits.first_set(few, start).tolist() == [first_after(own, at, 10_000) for own, at in asked]
    others = [set(range(10_000)) - own for own, _ in asked]
    assert bits.first_set(table(10_000, others), start).tolist() == [
        first_after(own, at, 10_000) for own, (_, at) in zip(others, asked, strict=True)
    ]


@given(tables())
def test_packed_sets_are_those_made_one_by_one(drawn: tuple[int, Sets]) -> None:
    n, sets = drawn
    held = np.array([[node in own for node in range(n)] for own in sets], np.bool_).reshape(len(sets), n)
    assert bits.packed(held).tolist() == table(n, sets).tolist()


def test_after_a_full_round_the_members_before_the_start_are_reached() -> None:
    assert bits.first_set(table(64, [{1, 2}]), np.array([3])).tolist() == [1]


@given(tables())
def test_transposing_swaps_rows_and_nodes(drawn: tuple[int, Sets]) -> None:
    n, sets = drawn
    turned = bits.transpose(table(n, sets), n)
    assert turned.shape == (n, bits.words_for(len(sets)))
    assert sets_of(turned) == [{r for r, own in enumerate(sets) if node in own} for node in range(n)]


@given(tables())
def test_transposing_twice_changes_nothing(drawn: tuple[int, Sets]) -> None:
    n, sets = drawn
    there = table(n, sets)
    assert bits.transpose(bits.transpose(there, n), len(sets)).tolist() == there.tolist()


@given(st.lists(st.integers(0, 9), max_size=20), st.lists(st.integers(-1, 10), max_size=8))
def test_spans_find_every_place_of_a_value(column: list[int], values: list[int]) -> None:
    column = sorted(column)
    row, place = bits.spans(np.array(column, np.int64), np.array(values, np.int64))
    wanted = [(k, i) for k, value in enumerate(values) for i, x in enumerate(column) if x == value]
    assert list(zip(row.tolist(), place.tolist(), strict=True)) == wanted


def test_no_rows_are_a_table_too() -> None:
    none = bits.empty(0, 100)
    assert none.shape == (0, 2)
    assert sets_of(none) == []
    assert bits.first_set(none, np.zeros(0, np.int64)).tolist() == []


@given(tables(), st.data())
def test_uniting_groups_of_rows_is_the_union_of_their_sets(drawn: tuple[int, Sets], data: st.DataObject) -> None:
    n, sets = drawn
    place = st.tuples(st.integers(0, len(sets) - 1), st.integers(0, 4))
    pairs = data.draw(st.lists(place, max_size=30))
    row, group = np.array(pairs, np.int64).reshape(-1, 2).T
    wanted = [set().union(*(sets[r] for r, g in pairs if g == own)) for own in range(5)]
    assert sets_of(bits.unite(table(n, sets), row, group, 5)) == wanted


@pytest.mark.parametrize("many", [3, 5000])
def test_some_lists_are_united_as_among_all(many: int) -> None:
    """List i takes in row i, the first third of them row i + 1 too; more lists than are worked on at a time."""
    alone = bits.scatter(many + 1, 70, np.arange(many + 1), np.arange(many + 1) % 70)
    length = np.where(np.arange(many) < many // 3, 2, 1)
    lists = bits.Lists.of(np.arange(many + 1), np.arange(many), length)
    wanted = [{(i + k) % 70 for k in range(length[i])} for i in range(many)]
    assert sets_of(lists.unite(alone)) == wanted
    odd = np.arange(1, many, 2)
    assert sets_of(lists.unite(alone, odd)) == [wanted[i] for i in odd]


@given(st.integers(1, 1500), st.data())
def test_what_is_found_first_follows_the_start_wherever_it_stands(n: int, data: st.DataObject) -> None:
    """Near the start, far from it, after a full round, nowhere."""
    node = st.one_of(st.integers(0, n - 1), st.sampled_from([0, n - 1]))
    own = data.draw(st.lists(st.sets(node, max_size=3), min_size=1, max_size=5))
    start = np.array(data.draw(st.lists(node, min_size=len(own), max_size=len(own))))
    every = bits.Sets(table(n, own), np.arange(len(own)))
    wanted = [min(members, key=lambda x: (x - at) % n, default=-1) for members, at in zip(own, start.tolist(), strict=True)]
    assert bits.first_set(every.bits(), start).tolist() == wanted


def test_sets_that_share_a_row_are_alike() -> None:
    shared = bits.Sets(table(130, [{1, 129}, set()]), np.array([0, 1, 0]))
    assert sets_of(shared.bits()) == [{1, 129}, set(), {1, 129}]
    assert sets_of(shared[np.array([2, 1])].bits()) == [{1, 129}, set()]
    assert shared.are_empty.tolist() == [False, True, False]
