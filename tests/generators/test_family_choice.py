"""Choices: true statements, exactly one that is false, and no way to tell which but by knowing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from family_made import FAMILIES, audited, family, films, items, made, random_table
from generators.family import Options, generate
from generators.family.__main__ import app
from generators.family.draws import Ring, first_allowed
from kg import InputError
from kg.cli import run as run_app
from kg.text import fold
from queries import parse

CELL = st.sampled_from(["", "x", "X", "x!", "y", "z", "1", "1.0", "-1", "2"])
ROWS = st.lists(st.tuples(st.sampled_from(["p", "P", "q", "r", "s", ""]), CELL, CELL, CELL), min_size=1, max_size=12)


def said(text: str) -> str:
    """The normal form of a cell, worked out the slow way."""
    try:
        return str(float(text))
    except ValueError:
        return fold(text)


def true_values(rows: list[tuple[str, ...]]) -> dict[str, list[set[str]]]:
    """What is true of each key, by column: from every row, whether it can be asked about or not."""
    found: dict[str, list[set[str]]] = {}
    for key, *cells in rows:
        for column, cell in enumerate(cells):
            found.setdefault(said(key), [set(), set(), set()])[column] |= {said(cell)} - {""}
    return found


def sound_keys(rows: list[tuple[str, ...]]) -> set[str]:
    """The keys with one b, one c and some d, over the rows that lack none of them."""
    full = [row for row in rows if all(row)]
    by_key = true_values(full)
    return {key for key, (b, c, _) in by_key.items() if len(b) == len(c) == 1}


def stated(item: dict[str, Any]) -> list[tuple[str, str]]:
    """Slot and value of each statement."""
    words = [option.removeprefix("having ").replace(" is ", " ").split(" ", 1) for option in item["options"]]
    return [(slot, value) for slot, value in words]


class TestAgainstTheSlowWay:
    @pytest.mark.slow
    @settings(deadline=None, max_examples=60)
    @given(ROWS, st.integers(0, 3))
    def test_one_statement_is_false_and_the_others_are_true(self, rows: list[tuple[str, ...]], seed: int) -> None:
        graph = random_table(rows, "abcd")
        result = generate(graph, family("random_choice"), Options(seed=seed))
        truth = true_values(rows)
        for item in items(result):
            key = said(item["given"][0]["value"])
            held = [said(value) in truth[key]["bcd".index(slot)] for slot, value in stated(item)]
            assert held.count(False) == 1
            assert item["answer"] == [str(held.index(False) + 1)]
            assert item["rationale"][0]["slot"] == stated(item)[held.index(False)][0]
        assert audited(graph, result).passed

    @pytest.mark.slow
    @settings(deadline=None, max_examples=60)
    @given(ROWS)
    def test_every_sound_key_is_asked_or_counted(self, rows: list[tuple[str, ...]]) -> None:
        result = generate(random_table(rows, "abcd"), family("random_choice"))
        asked = {said(item["given"][0]["value"]) for item in items(result)}
        assert asked <= sound_keys(rows)
        assert len(asked) + sum(result.unfilled.values()) == result.facts == len(sound_keys(rows))

    @pytest.mark.slow
    @settings(deadline=None, max_examples=60)
    @given(ROWS)
    def test_a_dependency_is_what_the_slow_way_says(self, rows: list[tuple[str, ...]]) -> None:
        result = generate(random_table([row[:3] for row in rows], "abc"), family("random_open"))
        by_key: dict[tuple[str, str], set[str]] = {}
        for a, b, c, _ in rows:
            if a and b and c:
                by_key.setdefault((said(a), said(b)), set()).add(said(c))
        wanted = {key: values for key, values in by_key.items() if len(values) == 1}
        got = {tuple(said(g["value"]) for g in item["given"]): {said(item["answer"][0])} for item in items(result)}
        assert got == wanted


class TestPhrasings:
    def test_slot_value_and_position_are_the_same_in_all(self) -> None:
        by_group: dict[str, set[tuple[Any, ...]]] = {}
        for item in items(made("facts")):
            position = int(item["answer"][0])
            false = item["proof"][1]["bind"][-1]
            by_group.setdefault(item["group"], set()).add(
                (position, item["rationale"][0]["slot"], false["name"], false["term"])
            )
        assert {len(drawn) for drawn in by_group.values()} == {1}

    def test_the_false_value_is_proved_false(self) -> None:
        for item in items(made("facts")):
            assert [proof["expect"] for proof in item["proof"]] == [None, False]

    def test_a_value_may_have_a_text_of_its_own(self) -> None:
        texts = {option for item in items(made("facts")) for option in item["options"] if item["variant"] == "first"}
        assert "It is a drama." in texts
        assert not any("essay" in text for text in texts)


class TestNoneOfTheAbove:
    def test_every_question_of_the_set_ends_in_it(self) -> None:
        assert {item["options"][-1] for item in items(made("facts", Options(none_share=0.4)))} == {"Nothing."}
        assert {len(item["options"]) for item in items(made("facts"))} == {3}

    def test_it_is_right_where_all_are_true(self) -> None:
        for item in items(made("facts", Options(none_share=1.0))):
            assert item["answer"] == [str(len(item["options"]))]
            assert item["rationale"] == []

    def test_it_is_right_in_its_share(self) -> None:
        rows = [(f"k{i}", str(i % 7), str(i % 11), str(i % 13)) for i in range(1000)]
        result = generate(random_table(rows, "abcd"), family("random_choice"), Options(none_share=0.2))
        right = Counter(item["answer"][0] for item in items(result) if item["variant"] == "first")
        assert abs(right["4"] - 200) < 60
        assert all(abs(right[position] - 800 / 3) < 70 for position in "123")

    def test_several_shares_are_asked_of_the_same_facts_each_told_by_its_stratum(self) -> None:
        rows = [(f"k{i}", str(i % 7), str(i % 11), str(i % 13)) for i in range(300)]
        result = generate(random_table(rows, "abcd"), family("random_choice"), Options(none_share=(0.0, 0.3)))
        found = items(result)
        assert len({item["id"] for item in found}) == len(found)
        shares = {share: [i for i in found if i["strata"]["none_share"] == share] for share in ("0", "0.3")}
        assert sum(map(len, shares.values())) == len(found)
        assert len({item["group"] for item in shares["0"]}) == len({item["group"] for item in shares["0.3"]}) == 300
        assert {len(item["options"]) for item in found} == {4}
        right = {share: sum(item["answer"] == ["4"] for item in some) / len(some) for share, some in shares.items()}
        assert right["0"] == 0
        assert abs(right["0.3"] - 0.3) < 0.1

    def test_what_is_no_share_is_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as ended:
            run_app(app, "family", ["erbench/mc_movie", "--none-share", "0,half"])
        assert ended.value.code == 2
        told = "error: --none-share: 'half' is no share; write numbers from 0 to 1, such as 0,0.2,0.5\n"
        assert capsys.readouterr().err == told


class TestNearAndFar:
    def test_half_of_the_false_values_stand_beside_another_true_one(self) -> None:
        rows = [(f"k{i}", str(i % 50), str(i % 50 // 5 + i % 3), str(i % 40)) for i in range(600)]
        result = generate(random_table(rows, "abcd"), family("random_choice"))
        kinds = Counter(item["strata"]["distractor"] for item in items(result))
        assert kinds["near"] > 200
        assert kinds["far"] > 200


class TestTheRing:
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 99)), max_size=12), st.integers(0, 99))
    def test_the_first_allowed_value_after_the_point(self, candidates: list[tuple[int, int, int]], point: int) -> None:
        group, value, key = (np.array([c[i] for c in candidates], np.int64) for i in range(3))
        ring = Ring(group, value, key.astype(np.uint64))
        allowed = {1, 3}
        for asked in range(5):
            own = sorted((k, v) for g, v, k in candidates if g == asked)
            turned = [c for c in own if c[0] >= point] + [c for c in own if c[0] < point]
            wanted = next((v for _, v in turned if v in allowed), -1)
            found = first_allowed(
                ring, np.array([asked]), np.array([point], np.uint64), lambda _, values: np.isin(values, list(allowed))
            )
            assert found.tolist() == [wanted]

    def test_one_more_candidate_changes_only_what_draws_it(self) -> None:
        keys = np.arange(0, 1000, 10, dtype=np.uint64)
        value, points = np.arange(100), np.arange(0, 1000, 7, dtype=np.uint64)
        nowhere, everything = np.zeros(100, np.int64), np.zeros(len(points), np.int64)
        before = first_allowed(Ring(nowhere, value, keys), everything, points, lambda _, v: np.ones(len(v), np.bool_))
        more = Ring(np.zeros(101, np.int64), np.append(value, 100), np.append(keys, np.uint64(505)))
        after = first_allowed(more, everything, points, lambda _, v: np.ones(len(v), np.bool_))
        assert set(after[before != after]) == {100}
        assert set(before[before != after]) == {51}


class TestFaults:
    def test_variants_of_different_slots_are_refused(self) -> None:
        lines = (FAMILIES / "facts.rq").read_text(encoding="utf-8").splitlines()
        text = "\n".join(line for line in lines if "Lasting" not in line)
        with pytest.raises(InputError, match="the variants have options of different slots"):
            generate(films(), parse(text, "facts.rq"))
