"""Claims: a limit, a decade, a value, true in half of the questions and false in the other half."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from family_made import FAMILIES, audited, family, films, items, made
from generators.draw import keys_of
from generators.family import Options, generate
from generators.family.columns import KEY, aliases, norm, term
from generators.family.draws import Claims, draw_claims
from generators.family.facts import Facts
from generators.family.results import Slice
from generators.family.rows import normal_forms
from kg import InputError
from queries import parse
from queries.templates import Claim

NUMBERS = st.lists(st.integers(-50, 250), min_size=2, max_size=30)
TESTS = {"=": lambda a, b: a == b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}


OTHER = Claim.model_validate({"slot": "x", "value": "other", "test": "="})


def claimed(
    claim: Claim,
    said: list[str],
    seed: int = 0,
    names: dict[str, list[str]] | None = None,
    near: dict[str, str] | None = None,
    like: list[str] | None = None,
) -> Claims:
    """What is claimed of some facts that are all the rows there are; `names` are other names of some values."""
    texts = pl.Series("x", said, dtype=pl.String)
    others = pl.Series([(names or {}).get(text) for text in said], dtype=pl.List(pl.String))
    columns = [texts, texts.alias(term("x")), normal_forms(texts).alias(norm("x")), others.alias(aliases("x"))]
    rows = pl.DataFrame([*columns, pl.Series(norm("id"), [str(i) for i in range(len(said))])]).with_row_index(KEY)
    rows = rows.with_columns(pl.Series(norm("like"), like, dtype=pl.String)) if like else rows
    listed = [[text, *((names or {}).get(text, []))] for text in said]
    values = pl.DataFrame({KEY: rows[KEY], "slot": "x", "norm": listed}).explode("norm", empty_as_null=True)
    values = values.with_columns(normal_forms(values["norm"]).alias("norm"))
    keys = keys_of(seed, [f"{i} {text}" for i, text in enumerate(said)])
    return draw_claims(claim, Facts(rows, values), rows, keys, seed, near)


class TestNearValues:
    @settings(deadline=None)
    @given(st.lists(st.integers(1400, 2050), min_size=2, max_size=30))
    def test_a_false_year_is_one_of_the_next_and_of_its_time(self, years: list[int]) -> None:
        """Against a search of all values: the five before and behind, within forty years."""
        found = claimed(OTHER, list(map(str, years)), near={"x": "number"})
        ordered = sorted(set(years))
        for year, said, true in zip(years, found.value, found.true, strict=True):
            at = ordered.index(year)
            possible = [y for y in ordered[max(at - 5, 0) : at + 6] if y != year and abs(y - year) <= 40]
            assert (said is None) == (not true and not possible)
            assert said is None or (int(said) == year if true else int(said) in possible)

    @settings(deadline=None)
    @given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("12")), min_size=2, max_size=30))
    def test_a_false_value_is_of_a_row_that_shares_something(self, rows: list[tuple[str, str]]) -> None:
        values, groups = [value for value, _ in rows], [group for _, group in rows]
        found = claimed(OTHER, values, near={"x": "like"}, like=groups)
        for (value, group), said, true in zip(rows, found.value, found.true, strict=True):
            possible = {other for other, of in rows if of == group} - {value}
            assert (said is None) == (not true and not possible)
            assert said is None or (said == value if true else said in possible)

    def test_of_some_slots_nothing_false_is_said(self) -> None:
        found = claimed(OTHER, ["a", "b", "c"] * 5, near={"x": "never"})
        assert all((said is None) == (not true) for said, true in zip(found.value, found.true, strict=True))

    def test_what_it_is_like_must_be_projected(self) -> None:
        keys = ["name: a", "summary: b", "method: m", "domain: d", "task: open", "key: [f]", "answer: t", "near: {t: k}"]
        keys.append("question: {basic: 'What {f}?'}")
        text = "".join(f"#+ {line}\n" for line in keys) + "SELECT ?f ?t { ?f <film#title> ?t }"
        with pytest.raises(InputError, match="near slot 'k' is not projected"):
            parse(text)


class TestLimits:
    @settings(deadline=None)
    @given(NUMBERS, st.sampled_from("<>"), st.sampled_from([1, 5, 10]), st.sampled_from([0, 3]))
    def test_a_claim_is_as_true_as_it_says(self, values: list[int], test: str, step: int, margin: int) -> None:
        claim = Claim.model_validate(
            {"slot": "x", "value": "limit", "test": test, "step": float(step), "margin": float(margin)}
        )
        found = claimed(claim, list(map(str, values)))
        for value, limit, true in zip(values, found.value, found.true, strict=True):
            if limit is not None:
                assert TESTS[test](value, float(limit)) == true
                assert float(limit) % step == 0
                assert abs(float(limit) - value) >= margin
                assert min(values) <= float(limit) <= max(values)

    @pytest.mark.parametrize("test", ["<", ">"])
    def test_both_sides_are_balanced(self, test: str) -> None:
        claim = Claim.model_validate({"slot": "x", "value": "limit", "test": test, "step": 10.0})
        found = claimed(claim, [str(v) for v in np.arange(2000) % 500])
        assert abs(found.true.to_numpy().mean() - 0.5) < 0.05

    def test_a_date_is_compared_by_its_year(self) -> None:
        claim = Claim.model_validate({"slot": "x", "value": "limit", "test": "<"})
        found = claimed(claim, ["1899-12-31", "1850-01-01", "1952-03-11", "-0044"] * 5)
        for said, limit, true in zip(["1899", "1850", "1952", "-44"] * 5, found.value, found.true, strict=True):
            assert limit is None or (int(said) < int(limit)) == true

    def test_what_is_no_number_gets_no_limit(self) -> None:
        claim = Claim.model_validate({"slot": "x", "value": "limit", "test": "<"})
        assert claimed(claim, ["tall", "NaN", "inf", "10", "20", "30"]).value.is_null().to_list()[:3] == [True] * 3


class TestDecades:
    @settings(deadline=None)
    @given(NUMBERS, st.sampled_from([10, 25]))
    def test_the_true_step_or_one_that_another_row_has(self, values: list[int], step: int) -> None:
        claim = Claim.model_validate({"slot": "x", "value": "decade", "test": "=", "step": float(step)})
        found = claimed(claim, list(map(str, values)))
        steps = {v // step * step for v in values}
        for value, decade, true in zip(values, found.value, found.true, strict=True):
            assert (int(decade) == value // step * step) == true
            assert int(decade) in steps

    def test_common_decades_are_claimed_often(self) -> None:
        """What is claimed falsely is as common as what is claimed truly, so that being rare tells nothing."""
        claim = Claim.model_validate({"slot": "x", "value": "decade", "test": "=", "step": 10.0})
        values = ["1951"] * 500 + ["1962"] * 400 + ["1873"] * 10
        found = claimed(claim, values)
        rare = pl.DataFrame({"said": found.value, "true": found.true}).filter(~pl.col("true"))["said"].eq("1870").sum()
        assert rare < 40


class TestOtherValues:
    def test_another_value_is_never_the_same_said_differently(self) -> None:
        claim = Claim.model_validate({"slot": "x", "value": "it", "test": "="})
        found = claimed(claim, ["Rome", "ROME", "Paris", "paris!", "Oslo"] * 20)
        for said, claimed_one, true in zip(
            ["rome", "rome", "paris", "paris", "oslo"] * 20, found.value, found.true, strict=True
        ):
            assert (claimed_one.lower().strip("!") == said) == true

    def test_another_name_of_the_true_value_is_never_claimed_to_be_false(self) -> None:
        """“Bombay” is another name of Mumbai, so it is not said of it as if it were wrong."""
        claim = Claim.model_validate({"slot": "x", "value": "it", "test": "=", "true_share": 0.0})
        said = ["Mumbai", "Bombay", "Oslo"] * 20
        found = claimed(claim, said, names={"Mumbai": ["Bombay"]})
        pairs = {(a, b) for a, b, true in zip(said, found.value, found.true, strict=True) if not true}
        assert pairs == {("Mumbai", "Oslo"), ("Bombay", "Oslo"), ("Oslo", "Mumbai"), ("Oslo", "Bombay")}


class TestInQuestions:
    def test_the_answer_follows_the_claim(self) -> None:
        for item in items(made("longer")):
            minutes = int(item["rationale"][0]["value"])
            limit = int(next(g["value"] for g in item["given"] if g["slot"] == "limit"))
            said = (minutes > limit) == (item["variant"] == "basic")
            assert item["answer"] == ["yes" if said else "no"]
            assert item["unit"] == "minutes"

    def test_what_is_claimed_is_marked_and_what_is_given_is_not(self) -> None:
        for item in items(made("longer")):
            claims = [given["slot"] for given in item["given"] if given["claim"]]
            assert claims == ([] if item["task"] == "probe" else ["limit"])

    def test_the_comparison_itself_is_proved(self) -> None:
        """A wrong expectation of it is found, in bulk and one by one."""
        graph = films()
        result = generate(graph, family("longer"))
        proofs = [item["proof"] for item in items(result) if item["task"] != "probe"]
        assert all(
            [p["expect"] for p in both] == [None, (item["answer"] == ["yes"]) == (item["variant"] == "basic")]
            for both, item in zip(proofs, items(result), strict=True)
        )
        turned = pl.col("proof").list.eval(pl.element().struct.with_fields(expect=~pl.element().struct.field("expect")))
        turned_items = result.items.with_columns(turned)
        spoilt = replace(result, _make=lambda tally: iter([Slice(turned_items)]))
        assert audited(graph, result).passed
        for literal in (0, 1000):
            assert audited(graph, spoilt, literal).failed == result.items["id"].to_list()

    def test_a_limit_of_several_values_is_refused(self) -> None:
        text = (FAMILIES / "longer.rq").read_text(encoding="utf-8").replace("#+ claim:", "#+ many: [minutes]\n#+ claim:")
        with pytest.raises(InputError, match="a claim compares 'minutes', which may have several values"):
            generate(films(), parse(text))

    def test_another_seed_makes_other_claims(self) -> None:
        first, second = (made("longer", Options(seed=seed)).items["question"].sort() for seed in (0, 1))
        assert first.to_list() != second.to_list()
