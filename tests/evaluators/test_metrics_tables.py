"""Tables from records with gaps, several samples, votes, runs and methods together, and the intervals in them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics_oracle as oracle
import metrics_worlds as worlds
from evaluators.errors import JoinError
from evaluators.metrics import Measure, Table, joined, tables
from evaluators.metrics.table import rates
from evaluators.metrics.text import normalised, score
from evaluators.metrics.unseenqa import pearson
from evaluators.statistics import clustered_mean, wilson
from metrics_made import World, answer, by_chance, frames, item, text_of, verdict


def made(world: World, folder: Path, **options: Any) -> dict[str, Table]:
    return {table.key: table for table in tables(*frames(world, folder), **options)}


def cell(table: Table, **where: str) -> dict[str, Any]:
    found = table.frame.filter(*(pl.col(name) == value for name, value in where.items()))
    assert found.height == 1, found
    return found.row(0, named=True)


def asked(n: int = 4, **more: Any) -> dict[str, Any]:
    plain = {"family": "f", "answer": ["yes"]} | more
    return {f"q{i}": item(f"q{i}", "erbench", "yes_no", f"g{i}", **plain) for i in range(n)}


RIGHT, WRONG, UNSURE = verdict("correct", "exact"), verdict("incorrect", "wrong"), verdict("abstained", "unsure")


def test_a_model_that_was_not_asked_everything(tmp_path: Path) -> None:
    answers = [answer(f"q{n}", "all", "Yes.", RIGHT) for n in range(4)] + [answer("q1", "one", "Yes.", RIGHT)]
    table = made(World(asked(), answers), tmp_path)["overview.tasks"]
    assert (cell(table, model="one")["answers"], cell(table, model="one")["unasked"]) == (1, 3)
    assert (cell(table, model="all")["answers"], cell(table, model="all")["unasked"]) == (4, 0)


def test_a_method_that_a_model_was_never_asked_is_not_missing(tmp_path: Path) -> None:
    items = asked(2) | {"o": item("o", "factbench", "open", "g9", answer=["x"])}
    answers = [answer("q0", "m", "Yes.", RIGHT), answer("o", "n", "x", RIGHT)]
    rows = made(World(items, answers), tmp_path)["overview.tasks"].frame.select("model", "method", "unasked").rows()
    assert rows == [("m", "erbench", 1), ("n", "factbench", 0)]


def test_no_verdicts_leave_what_texts_alone_can_tell(tmp_path: Path) -> None:
    items = asked(1) | {"o": item("o", "factbench", "open", "g9", answer=["x"])}
    answers = [answer("q0", "m", "Yes.", None), answer("o", "m", "The X!", None)]
    found = made(World(items, answers), tmp_path)
    row = cell(found["factbench.overall"], model="m")
    assert (row["EM"], row["correct"], row["unjudged"]) == (1.0, None, 1)
    assert cell(found["overview.tasks"], task="yes_no")["accuracy"] is None
    assert cell(found["erbench.overall"])["A_n"] == 0


def test_nothing_makes_no_table() -> None:
    empty = pl.DataFrame({"item": [], "model": [], "sample": []})
    assert tables(pl.DataFrame({"id": ["i"], "task": ["open"], "group": ["g"]}), empty, empty) == []


def test_samples_count_each_and_make_the_interval_no_narrower(tmp_path: Path) -> None:
    told = [RIGHT, RIGHT, WRONG, UNSURE]
    once = [answer(f"q{n}", "m", "Yes.", told[n]) for n in range(4)]
    thrice = [one | {"sample": sample} for one in once for sample in range(3)]
    narrow = cell(made(World(asked(), once), tmp_path)["erbench.overall"], population="all")
    row = cell(made(World(asked(), thrice), tmp_path)["erbench.overall"], population="all")
    assert (narrow["A"], narrow["A_n"], row["A"], row["A_n"]) == (0.5, 4, 0.5, 12)
    assert row["A_high"] - row["A_low"] >= narrow["A_high"] - narrow["A_low"]


def test_a_vote_counts_for_its_samples(tmp_path: Path) -> None:
    answers = [answer("q0", "m", "Yes.", told, sample=n) for n, told in enumerate([WRONG, RIGHT, RIGHT])]
    answers += [answer("q0", "m", None, RIGHT, sample=None), answer("q1", "m", "No.", WRONG)]
    world = World(asked(2), answers)
    row = cell(made(world, tmp_path)["erbench.overall"], population="all")
    assert (row["A"], row["A_n"]) == (0.5, 2)
    whole, single = joined(*frames(world, tmp_path)), joined(*frames(world, tmp_path), votes=False)
    assert (whole.height, single.height) == (2, 4)
    assert whole.filter(pl.col("sample").is_null())["text"].to_list() == ["Yes."]


def test_a_vote_without_a_rationale_takes_that_of_a_sample_that_agrees(tmp_path: Path) -> None:
    items = asked(1, rationale=[{"slot": "s", "value": "v"}])
    told = [verdict("incorrect", "wrong", None, [False]), verdict("correct", "exact", None, [True])]
    answers = [answer("q0", "m", "Yes.", one, sample=n) for n, one in enumerate(told)]
    answers.append(answer("q0", "m", None, RIGHT, sample=None))
    assert cell(made(World(items, answers), tmp_path)["erbench.overall"])["R"] == 1.0


def test_runs_stand_apart_and_know_the_same(tmp_path: Path) -> None:
    """The probes were asked in the first run only; what they tell holds in the second."""
    items = asked(12) | {
        f"p{n}": item(f"p{n}", "erbench", "probe", f"g{n}", family="f", variant="whole", answer=["yes"]) for n in range(12)
    }
    answers = [answer(f"p{n}", "m", "Yes.", RIGHT if n < 10 else WRONG, run="zero-shot") for n in range(12)]
    for run, told in (("zero-shot", WRONG), ("few-shot", RIGHT)):
        answers += [answer(f"q{n}", "m", "Yes.", told, run=run) for n in range(12)]
    table = made(World(items, answers), tmp_path)["erbench.overall"]
    assert table.dims[:3] == ("model", "run", "population")
    assert cell(table, run="few-shot", population="known")["A"] == 1.0
    assert cell(table, run="zero-shot", population="known")["A"] == 0.0
    assert {row["A_n"] for row in table.frame.filter(pl.col("population") == "known").to_dicts()} == {10}


def test_probes_that_nobody_judged_tell_nothing(tmp_path: Path) -> None:
    items = asked(12) | {f"p{n}": item(f"p{n}", "erbench", "probe", f"g{n}", family="f", answer=["yes"]) for n in range(12)}
    answers = [answer(f"q{n}", "m", "Yes.", RIGHT) for n in range(12)] + [answer(f"p{n}", "m", "Yes.", None) for n in range(12)]
    found = made(World(items, answers), tmp_path)
    assert found["erbench.overall"].frame["population"].to_list() == ["all"]
    assert "erbench.known" not in found


def test_an_entity_with_a_probe_that_nobody_judged_is_not_known(tmp_path: Path) -> None:
    items = asked(11) | {
        f"p{kind}{n}": item(f"p{kind}{n}", "erbench", "probe", f"g{n}", family="f", answer=["yes"])
        for n in range(11)
        for kind in "ab"
    }
    answers = [answer(f"q{n}", "m", "Yes.", RIGHT) for n in range(11)]
    answers += [answer(f"pa{n}", "m", "Yes.", RIGHT) for n in range(11)]
    answers += [answer(f"pb{n}", "m", "Yes.", RIGHT if n else None) for n in range(11)]
    assert cell(made(World(items, answers), tmp_path)["erbench.known"])["known"] == 10


def test_all_methods_together_are_what_each_is_alone(tmp_path: Path) -> None:
    alone = [worlds.erbench_world(), worlds.fpq_world(), worlds.text_world()]
    mixed = World({k: v for world in alone for k, v in world.items.items()}, [a for world in alone for a in world.answers])
    together = made(mixed, tmp_path)
    for world in alone:
        for key, table in made(world, tmp_path).items():
            if not key.startswith(("overview", "across")):
                assert together[key].frame.equals(table.frame), key


def test_the_order_of_the_records_changes_nothing(tmp_path: Path) -> None:
    world = worlds.fpq_world()
    shuffled = World(world.items, random.Random(0).sample(world.answers, len(world.answers)))
    first, second = made(world, tmp_path), made(shuffled, tmp_path)
    assert all(first[key].frame.equals(second[key].frame) for key in first)


def test_every_measure_has_its_columns_and_every_table_its_words(tmp_path: Path) -> None:
    for world in (worlds.erbench_world(), worlds.knowledge_world(), worlds.fpq_world()):
        for table in made(world, tmp_path).values():
            assert set(table.dims) <= set(table.frame.columns)
            assert {column for measure in table.measures for column in measure.columns} <= set(table.frame.columns)
            assert table.title
            assert table.source
            assert table.note
            assert not table.frame.select(table.dims).is_duplicated().any()
            assert not any(
                table.frame[name].is_nan().any() for name in table.frame.columns if table.frame[name].dtype.is_float()
            )


def test_a_rate_has_an_interval_around_it(tmp_path: Path) -> None:
    for table in made(worlds.erbench_world(), tmp_path).values():
        for measure in (measure for measure in table.measures if measure.kind == "rate"):
            for row in table.frame.select(Measure(measure.name, "", "rate").columns).drop_nulls().rows():
                value, n, low, high = row
                assert n > 0
                assert 0 <= low <= value <= high <= 1


def test_one_answer_for_each_fact_has_wilsons_interval() -> None:
    frame = pl.DataFrame({"model": ["m"] * 10, "group": list("abcdefghij"), "right": [True] * 7 + [False] * 3})
    low, high = wilson(7, 10)
    row = rates(frame, ["model"], {"A": pl.col("right")}).row(0, named=True)
    assert (row["A_low"], row["A_high"]) == pytest.approx((float(low), float(high)))


@pytest.mark.parametrize("scored", [False, True])
def test_several_answers_for_a_fact_have_the_clustered_interval(scored: bool) -> None:
    """In cells of all sizes at once, the same as for one cell alone; facts without an answer are no clusters."""
    chance = np.random.default_rng(1)
    groups = np.concatenate([np.repeat(np.arange(30), 4), np.repeat(np.arange(7), [1, 1, 2, 3, 5, 8, 13]), np.arange(4)])
    models = np.repeat(["many", "few", "single"], [120, 33, 4])
    right = chance.random(157) < np.repeat(chance.random(30), 6)[:157]
    values = np.where(chance.random(157) < 0.2, 0.5, right) if scored else right.astype(float)
    frame = pl.DataFrame({"model": models, "group": groups.astype(str), "A": values})
    gone = pl.DataFrame({"model": ["few"], "group": ["unanswered"], "A": [None]}, schema=frame.schema)
    for row in rates(pl.concat([frame, gone]), ["model"], {"A": pl.col("A")}).iter_rows(named=True):
        alone = models == row["model"]
        found = clustered_mean(values[alone], groups[alone])
        assert (row["A"], row["A_low"], row["A_high"]) == pytest.approx((found.value, found.low, found.high))


def test_all_right_of_few_facts_is_not_certain() -> None:
    """Ten facts asked four times each are ten observations where all are right."""
    frame = pl.DataFrame({"model": "m", "group": [str(n % 10) for n in range(40)], "right": True})
    row = rates(frame, ["model"], {"A": pl.col("right")}).row(0, named=True)
    low, _ = wilson(10, 10)
    assert row["A_low"] <= float(low) + 1e-9
    assert row["A_high"] == 1.0


def test_correlation_needs_three_models_that_differ() -> None:
    for a, b in (([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3])):
        assert pearson(a, b) == (None, None)
    r, p = pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert r == pytest.approx(0.8)
    assert p == pytest.approx(0.1040880)  # Student's t of r / sqrt((1 - r^2) / 3) = 2.3094, 3 degrees of freedom


WORDS = st.lists(st.sampled_from(["the", "a", "An", "rose", "Rose.", "of", "red", "1,000", "-", "ROSE", "b"]), max_size=7).map(
    " ".join
)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_texts_score_as_squads_program_scores_them(text: str, accepted: list[str]) -> None:
    """Texts of which nothing is left are apart: they equal themselves only."""
    if not all(oracle.plain(one) for one in (text, *accepted)):
        return
    forms = pl.DataFrame({"t": [text, *accepted]}).select(normalised(pl.col("t")))["t"].to_list()
    assert forms == [oracle.plain(one) for one in (text, *accepted)]
    found = score(forms[0], forms[1:])
    assert (oracle.plain(text) in [oracle.plain(one) for one in accepted]) == found.EM
    assert pytest.approx(max(oracle.f1(text, one) for one in accepted)) == found.F1
    assert found.within >= found.contains >= found.EM


@pytest.mark.parametrize(("text", "answer"), [("", "The"), ("the", "a"), ("?", "!"), ("", "")])
def test_texts_of_which_nothing_is_left_are_not_equal(text: str, answer: str) -> None:
    forms = pl.DataFrame({"t": [text, answer]}).select(normalised(pl.col("t")))["t"].to_list()
    assert score(forms[0], forms[1:])[0] == (text == answer)


def test_a_vote_may_tie(tmp_path: Path) -> None:
    answers = [answer("q0", "m", "Yes.", RIGHT, sample=0), answer("q0", "m", "No.", WRONG, sample=1)]
    answers.append(answer("q0", "m", None, verdict("unscored", "tie"), sample=None))
    for as_published in (False, True):
        row = cell(made(World(asked(1), answers), tmp_path, as_published=as_published)["erbench.overall"])
        assert (row["A_n"], row["unscored"]) == (0, 1)


def test_entailments_must_say_of_which_run_they_are(tmp_path: Path) -> None:
    world = worlds.attack_world()
    entailed = pl.DataFrame({"item": ["i"], "model": ["m"], "sample": [0], "entailed": [True]})
    with pytest.raises(JoinError, match="do not say of which run they are; give them a column 'run'"):
        made(world, tmp_path, entailed=entailed)


def test_answers_by_chance_are_drawn_with_every_reason() -> None:
    """The worlds of these tests hold what they are meant to hold."""
    chance = random.Random(0)
    drawn = [by_chance(chance) for _ in range(400)]
    assert {told["reason"] for told in drawn} >= {"exact", "wrong", "unsure", "refused", "empty", "api_error", "unparsed"}
    assert all((text_of(told) is None) == (told["reason"] == "api_error") for told in drawn)


def test_the_readme_names_every_table(tmp_path: Path) -> None:
    told = (Path(__file__).parents[2] / "evaluators/metrics/README.md").read_text("utf-8")
    makers = (worlds.erbench_world, worlds.fpq_world, worlds.text_world, worlds.knowledge_world, worlds.attack_world)
    keys = {key for make in makers for key in made(make(), tmp_path)}
    assert not [key for key in keys if f"`{key}`" not in told]
    named = {
        part for part in told.split("`") if part.partition(".")[0] in {key.partition(".")[0] for key in keys} and "." in part
    }
    # In none of these worlds a model fails often enough, is asked twice, or says how sure it is, nor have people read items.
    assert named == keys | {"overview.failures", "overview.agreement", "overview.confidence", "factbench.bound"}
