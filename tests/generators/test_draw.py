"""Sampling by hash rests on two published functions: the same draw comes out on every machine, in every version."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from generators.draw import keys_of, mix, word

NUMBERS = st.integers(0, 2**64 - 1)
GOLDEN = 0x9E3779B97F4A7C15


def one(number: int) -> np.ndarray:
    return np.array([number], np.uint64)


def unmixed(key: int) -> int:
    """The number that the mixture of one number came from: `mix` starts from the golden gamma."""
    return key ^ GOLDEN


class TestPublishedValues:
    def test_the_finaliser_gives_the_published_outputs_of_splitmix64(self) -> None:
        """The generator's outputs for seed 1234567 are its finaliser over seed, seed + gamma, seed + 2 gamma, …"""
        states = [(1234567 + i * GOLDEN) % 2**64 for i in range(5)]
        outputs = [int(mix(unmixed(state))[0]) for state in states]
        assert outputs == [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ]

    def test_the_first_output_of_seed_zero(self) -> None:
        assert int(mix(unmixed(0))[0]) == 0xE220A8397B1DCDAF

    def test_keys_of_names_are_what_b2sum_prints(self) -> None:
        """`printf '0\\0a' | b2sum -l 64`, read from the small end."""
        assert keys_of(0, ["a"])[0].tobytes().hex() == "15d8d767d2a6ebd3"
        assert keys_of(7, ["http://www.wikidata.org/entity/Q1203"])[0].tobytes().hex() == "8d437d15b1ef6bc2"
        assert word("NSC").to_bytes(8, "little").hex() == "fb8f95ede6b29226"


class TestKeys:
    @given(st.lists(st.text(max_size=5)), st.integers(0, 5))
    def test_a_key_depends_on_seed_and_name_alone(self, names: list[str], seed: int) -> None:
        together = keys_of(seed, names)
        assert together.tolist() == [int(keys_of(seed, [name])[0]) for name in names]

    def test_another_seed_gives_other_keys(self) -> None:
        assert keys_of(0, ["a"]) != keys_of(1, ["a"])

    def test_seed_and_name_do_not_run_together(self) -> None:
        assert keys_of(1, ["1"]) != keys_of(11, [""])

    def test_no_names_have_no_keys(self) -> None:
        assert keys_of(0, []).shape == (0,)


class TestMixing:
    @given(st.lists(NUMBERS, min_size=1, max_size=4))
    def test_numbers_and_columns_mix_alike(self, parts: list[int]) -> None:
        assert mix(*parts) == mix(*map(one, parts))

    @given(st.lists(NUMBERS, min_size=2, max_size=6), NUMBERS)
    def test_a_row_depends_on_its_own_parts_alone(self, column: list[int], number: int) -> None:
        keys = np.array(column, np.uint64)
        assert mix(keys, number).tolist() == [int(mix(key, number)[0]) for key in column]

    @given(NUMBERS, NUMBERS)
    def test_one_number_changed_changes_the_key(self, a: int, b: int) -> None:
        assert (mix(a, 5) == mix(b, 5)) == (a == b)

    @given(NUMBERS, NUMBERS)
    def test_order_matters(self, a: int, b: int) -> None:
        assert a == b or mix(a, b) != mix(b, a)

    def test_keys_spread_evenly(self) -> None:
        """2,000 neighbouring numbers fall into 10 equal parts of the ring as coins would (chi squared, 9 degrees)."""
        drawn = mix(np.arange(2000, dtype=np.uint64), word("drawn")) // np.uint64(2**64 // 10 + 1)
        counts = np.bincount(drawn.astype(np.int64), minlength=10)
        assert ((counts - 200) ** 2 / 200).sum() < 27.9
