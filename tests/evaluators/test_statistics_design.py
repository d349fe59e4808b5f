"""Before and after the scores: how many items, what the verifier's errors do, what guessing scores; and the commands."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare
from statsmodels.stats.power import NormalIndPower

from evaluators.statistics import (
    Confusion,
    Paired,
    choice_baseline,
    corrected,
    detectable,
    items_needed,
    paired,
    paired_by_side,
    wilson,
)
from evaluators.statistics.__main__ import app
from evaluators.statistics.verifier import corrected_limits
from fpq_made import Done, write_lines
from interval_kinds import differing, discordant, reachable, right_ones
from kg import cli
from kg.errors import InputError

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "intervals.py"


# --- how many items ---------------------------------------------------------------------------------------------------


def test_items_needed_by_hand() -> None:
    """0.7 against 0.75, each model its own items: (1.96 sqrt(2 * .725 * .275) + .8416 sqrt(.21 + .1875))^2 / .05^2 = 1250.3."""
    assert items_needed(0.7, 0.75) == 1251


def test_items_of_their_own_are_about_what_the_arcsine_formula_says() -> None:
    effect = 2 * math.asin(math.sqrt(0.75)) - 2 * math.asin(math.sqrt(0.7))
    other = NormalIndPower().solve_power(effect_size=effect, alpha=0.05, power=0.8)
    assert items_needed(0.7, 0.75) == pytest.approx(other, rel=0.01)


def test_models_that_find_the_same_items_hard_need_fewer() -> None:
    needed = [items_needed(0.7, 0.75, correlation=share) for share in (0.0, 0.2, 0.4, 0.6, 0.8)]
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] < needed[0] / 3


@settings(deadline=None)
@given(st.floats(0.3, 0.7), st.floats(0.3, 0.7))
def test_it_does_not_matter_which_model_is_named_first(p1: float, p2: float) -> None:
    if abs(p1 - p2) > 0.02:
        assert items_needed(p1, p2, correlation=0.1) == items_needed(p2, p1, correlation=0.1)
        assert items_needed(p1, p2, correlation=0.1, power=0.9) >= items_needed(p1, p2, correlation=0.1)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"p1": 0.7, "p2": 0.7}, "cannot be told apart"),
        ({"p1": 1.0, "p2": 0.7}, r"first accuracy 1\.0 is not between 0 and 1"),
        ({"p1": 0.7, "p2": 0.75, "power": 1.0}, r"power 1\.0"),
        ({"p1": 0.5, "p2": 0.9, "correlation": 0.9}, r"cannot have the correlation 0\.9; it lies in -0\.33\.\.0\.33"),
    ],
)
def test_what_cannot_be_planned_is_said(given_: dict[str, float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        items_needed(**given_)


# --- a verifier that errs ---------------------------------------------------------------------------------------------


def test_a_corrected_score_by_hand() -> None:
    """Accepts 90% of the right and 6% of the wrong: of 70% accepted, (0.70 - 0.06) / 0.84 are right."""
    found = corrected(70, 100, Confusion(45, 5, 3, 47))
    assert found.value == pytest.approx(0.64 / 0.84)


def test_the_interval_holds_the_shares_that_do_not_surprise() -> None:
    """At its ends 70 of 100 is 1.96 standard errors from what is expected there, by rates with half an observation more."""
    found = corrected(70, 100, Confusion(45, 5, 3, 47))
    sensitivity, mistaken = 45.5 / 51, 3.5 / 51
    for share in (found.low, found.high):
        expected = share * sensitivity + (1 - share) * mistaken
        of_rates = share**2 * sensitivity * (1 - sensitivity) / 51 + (1 - share) ** 2 * mistaken * (1 - mistaken) / 51
        error = math.sqrt(expected * (1 - expected) / 100 + of_rates)
        assert abs(0.70 - expected) / error == pytest.approx(1.959964)


@settings(deadline=None)
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_perfect_verifier_leaves_wilsons_interval(counts: tuple[int, int]) -> None:
    (low, high), wilsons = corrected_limits(*counts, 10**9, 0, 0, 10**9), wilson(*counts)
    assert (float(low), float(high)) == pytest.approx([float(end) for end in wilsons], abs=1e-4)


CELLS = st.integers(0, 60)


@settings(deadline=None)
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), CELLS, CELLS, CELLS, CELLS)
def test_whatever_the_counts_a_corrected_score_is_a_share_or_undefined(
    counts: tuple[int, int], ra: int, rr: int, wa: int, wr: int
) -> None:
    found = corrected(*counts, Confusion(ra, rr, wa, wr))
    if not ra + rr or not wa + wr or ra / (ra + rr) + wr / (wa + wr) <= 1:
        assert math.isnan(found.value)
        return
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_a_verifier_that_is_never_wrong_corrects_nothing() -> None:
    found = corrected(70, 100, Confusion(50000, 0, 0, 50000))
    assert found.value == pytest.approx(0.7)
    assert (found.low, found.high) == pytest.approx((0.604, 0.781), abs=0.003)


def test_more_labels_narrow_the_interval_and_few_say_nothing() -> None:
    widths = [corrected(70, 100, Confusion(9 * k, k, k, 9 * k)) for k in (1, 10, 100)]
    assert [found.high - found.low for found in widths] == sorted((w.high - w.low for w in widths), reverse=True)
    low, high = corrected_limits(1, 2, 1, 0, 99, 1)  # one right answer seen: the rates may as well be the other way about
    assert (float(low), float(high)) == (0, 1)


def test_a_verifier_no_better_than_chance_corrects_nothing() -> None:
    assert math.isnan(corrected(5, 10, Confusion(5, 5, 5, 5)).value)
    assert math.isnan(corrected(5, 10, Confusion(5, 5, 0, 0)).value)
    with pytest.raises(InputError, match="counts cannot be negative"):
        corrected(11, 10, Confusion(5, 5, 5, 5))


# --- choice -----------------------------------------------------------------------------------------------------------


def test_guessing_and_one_position_by_hand() -> None:
    found = choice_baseline([4, 4, 2, 3], [1, 1, 2, 3], [1, 0, 2, 1])
    assert found.guessing == pytest.approx((1 / 4 + 1 / 4 + 1 / 2 + 1 / 3) / 4)
    assert found.always == (0.5, 0.25, 0.25, 0.0)
    assert (found.n, found.picks) == (4, (2, 1, 0, 0))


def test_a_guessing_model_with_balanced_keys_is_pearsons_case() -> None:
    """Accuracy a quarter of four options, keys in balance: a quarter of each position is expected."""
    keys = [1, 2, 3, 4] * 10
    picks = [1] * 16 + [2] * 8 + [3] * 8 + [4] * 8
    right = sum(pick == key for pick, key in zip(picks, keys, strict=True))
    found = choice_baseline([4] * 40, keys, picks)
    assert right == 10
    assert found.expected == pytest.approx((10, 10, 10, 10))
    assert (found.chi2, found.p) == pytest.approx(tuple(chisquare(found.picks)))
    assert found.df == 3


def test_a_model_that_is_always_right_prefers_nothing_even_if_the_keys_do() -> None:
    found = choice_baseline([4] * 50, [1] * 50, [1] * 50)
    assert (found.chi2, found.p) == (0, 1)


def test_a_model_that_always_picks_the_first_is_found_out() -> None:
    keys = np.tile([1, 2, 3, 4], 25)
    assert choice_baseline([4] * 100, keys, [1] * 100).p < 1e-9


def test_nothing_picked_is_no_preference_and_no_items_are_no_score() -> None:
    assert math.isnan(choice_baseline([4], [1], [0]).p)
    assert math.isnan(choice_baseline([], [], []).guessing)


@pytest.mark.parametrize(("size", "key", "pick"), [(4, 5, 1), (4, 0, 1), (4, 1, 5), (1, 1, 1)])
def test_numbers_that_are_no_options_are_refused(size: int, key: int, pick: int) -> None:
    with pytest.raises(InputError, match=r"choice 2: .* do not fit"):
        choice_baseline([4, size], [1, key], [1, pick])


# --- commands and simulations -----------------------------------------------------------------------------------------


def call(capfd: pytest.CaptureFixture[str], *args: object) -> Done:
    """Run `python -m evaluators.statistics` in this process."""
    with pytest.raises(SystemExit) as stop:
        cli.run(app, "python -m evaluators.statistics", [str(arg) for arg in args])
    out, err = capfd.readouterr()
    return Done(stop.value.code, out, err)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("interval 87 100", "0.870 (0.790 to 0.922), n 100\n"),
        ("needed 0.70 0.75 --correlation 0.5", "631\n"),
        ("corrected 70 100 --confusion 45,5,3,47", "0.762 (0.629 to 0.899), n 100\n"),
    ],
)
def test_the_commands_answer_in_one_line(capfd: pytest.CaptureFixture[str], line: str, said: str) -> None:
    assert call(capfd, *line.split()) == Done(0, said, "")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("interval 101 100", "successes must lie between 0 and the number of trials; count again"),
        ("needed 0.7 0.7", "two accuracies of 0.7 cannot be told apart; name the difference that matters"),
        ("corrected 7 10 --confusion 1,2,x", "--confusion 1,2,x is not four counts; write them as 45,5,3,47"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(capfd: pytest.CaptureFixture[str], line: str, said: str) -> None:
    assert call(capfd, *line.split()) == Done(2, "", f"error: {said}\n")


def verdict(item: str, outcome: str, answer: str | None, sample: int | None = 0) -> dict[str, object]:
    """A verdict of the rules on an answer of model m."""
    reason = {"correct": "exact", "incorrect": "wrong", "abstained": "unsure", "unscored": "refused"}[outcome]
    return {
        "schema": "kgprobe.verdict/1", "item": item, "model": "m", "sample": sample, "outcome": outcome, "reason": reason,
        "answer": answer, "rationale": [], "contradicted": [], "spans": [], "judge": None,
    }  # fmt: skip


def test_labels_measure_the_verifier_and_correct_its_scores(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Eight of ten accepted, one abstained, one left unscored; people judged six: one wrong accepted, one right rejected."""
    outcomes = ["correct"] * 8 + ["incorrect"] * 3 + ["abstained", "unscored"]
    judged = [verdict(f"q{n}", outcome, None) for n, outcome in enumerate(outcomes)] + [verdict("q0", "correct", None, None)]
    truth = {0: True, 1: True, 2: False, 8: False, 9: True, 10: False, 12: True}
    labels = [{"item": f"q{n}", "model": "m", "correct": right} for n, right in truth.items()]
    files = write_lines(tmp_path / "verdicts.jsonl", judged), write_lines(tmp_path / "labels.jsonl", labels)
    done = call(capfd, "verifier", "--verdicts", files[0], "--labels", files[1])
    table = "right accepted 2, right rejected 1, wrong accepted 1, wrong rejected 2"
    assert done.code == 0, done.stderr
    assert done.stdout.startswith(f"m: accepted 0.667 (0.391 to 0.862), n 12; {table}; corrected 1.000 (")


def test_a_label_without_a_verdict_and_no_labels_are_faults(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    judged = write_lines(tmp_path / "verdicts.jsonl", [verdict("q", "correct", None)])
    stray = write_lines(tmp_path / "stray.jsonl", [{"item": "other", "model": "m", "correct": True}])
    said = f"error: {stray}: sample 0 of m on item 'other' has no verdict in {judged}; label answers that were judged\n"
    assert call(capfd, "verifier", "--verdicts", judged, "--labels", stray) == Done(2, "", said)
    empty = write_lines(tmp_path / "empty.jsonl", [])
    assert "holds no label" in call(capfd, "verifier", "--verdicts", judged, "--labels", empty).stderr


def test_the_picks_of_choice_items_are_read_from_verdicts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    items = [
        {"schema": "kgprobe.item/1", "id": f"q{n}", "method": "family", "family": "made", "task": "choice", "variant": "basic",
         "question": "Which?", "options": ["a", "b", "c", "d"], "answer": [str(n % 4 + 1)], "group": f"g{n}"}
        for n in range(8)
    ]  # fmt: skip
    judged = [verdict(f"q{n}", "correct" if n % 4 == 0 else "incorrect", "1") for n in range(7)] + [
        verdict("q7", "unscored", None)
    ]
    files = write_lines(tmp_path / "items.jsonl", items), write_lines(tmp_path / "verdicts.jsonl", judged)
    done = call(capfd, "choice", "--items", files[0], "--verdicts", files[1])
    assert done.code == 0, done.stderr
    assert done.stdout.startswith(
        "m: 8 items; guessing 0.250; always the same 0.25 0.25 0.25 0.25; picked 7 0 0 0, expected 1.8 "
    )
    nothing = write_lines(tmp_path / "nothing.jsonl", [{**items[0], "task": "open", "options": None}])
    assert "no verdict is on a choice item" in call(capfd, "choice", "--items", nothing, "--verdicts", files[1]).stderr


def test_statistics_do_without_the_libraries_that_they_are_compared_with() -> None:
    """They are for the tests: nobody else has to install them."""
    code = (
        "import sys, evaluators.statistics as s; s.items_needed(0.7, 0.8); s.clustered_mean([0, 1, 1], ['a', 'a', 'b']);"
        "print({'scipy', 'statsmodels', 'pandas'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "set()\n"


@pytest.mark.parametrize("law", ["beta", "pure"])
def test_simulated_clusters_are_as_alike_as_they_say(law: str) -> None:
    """Of two answers of a cluster the covariance is `alike` times the variance of one."""
    rng, share, alike = np.random.default_rng(3), 0.3, 0.4
    right = right_ones(rng, 40_000, np.array([2.0]), share, alike, law)[:, 0]
    assert right.mean() / 2 == pytest.approx(share, abs=0.01)
    both = (right == 2).mean() - share**2
    assert both / (share * (1 - share)) == pytest.approx(alike, abs=0.02)


def test_what_two_models_can_differ_by_is_all_summed_up() -> None:
    more, less, weights = discordant(40, (0.8, 0.7))
    assert weights.sum() == pytest.approx(1)
    assert weights @ (more - less) / 40 == pytest.approx(0.1)
    rng = np.random.default_rng(4)
    drawn = differing(rng, 4000, np.ones(40), 0.0, (0.8, 0.7))
    assert weights @ (more + less) == pytest.approx(sum(found.sum(axis=1).mean() for found in drawn), abs=0.2)


@pytest.mark.parametrize(("n", "share"), [(20, 0.05), (50, 0.02), (50, 0.1), (9, 0.4)])
def test_which_shares_no_interval_can_follow(n: int, share: float) -> None:
    """All runs of counts, tried one by one."""
    chances = binom.pmf(range(n + 1), n, share)
    held = [chances[low:high].sum() for low in range(n + 1) for high in range(low + 1, n + 2)]
    assert reachable(n, share) == any(0.93 <= round(each, 3) <= 0.97 for each in held)


@pytest.mark.slow
def test_simulated_intervals_hold_as_often_as_they_say(tmp_path: Path) -> None:
    """Away from the corners 95% is 93 to 97%, clustered or not, and without regard to clusters far less."""
    found = tmp_path / "intervals.json"
    ran = subprocess.run(
        [sys.executable, BENCHMARK, "--quick", "--json", found], capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("\n| ") > 40
    rows = json.loads(found.read_text())
    for table in dict.fromkeys(row["table"] for row in rows if not row["table"].startswith("Tests")):
        cells = [cell for row in rows if row["table"] == table for name, cell in row["cells"].items() if name not in CORNERS]
        assert 0.93 <= np.mean([cell["ours"] for cell in cells]) <= 0.97, table
        assert min(cell["ours"] for cell in cells) > 0.88, table
    alike = [row["cells"]["0.5"] for row in rows if row["data"].endswith("clusters of 5, alike 0.5")]
    assert max(cell["naive"] for cell in alike) < 0.85


CORNERS = ("0.02", "0.05", "0.98 and 0.97")


def test_items_of_one_fact_take_the_design_effect_times_as_many(capfd: pytest.CaptureFixture[str]) -> None:
    """Seven items of one fact that are alike by 0.2 are worth 7 / 2.2 facts; wholly alike, each fact is one item."""
    single = items_needed(0.7, 0.75, correlation=0.5)
    assert items_needed(0.7, 0.75, correlation=0.5, per_cluster=7, alike=1) == 7 * single
    assert items_needed(0.7, 0.75, correlation=0.5, per_cluster=7, alike=0) == single
    done = call(capfd, *["needed", "0.7", "0.75", "--correlation", "0.5", "--per-fact", "7", "--alike", "0.2"])
    assert int(done.stdout) == pytest.approx(2.2 * single, abs=1)


@pytest.mark.parametrize(
    ("option", "value", "told"), [("--per-fact", "0", "give 1 or more"), ("--alike", "2", "give one from 0 to 1")]
)
def test_facts_that_cannot_be_are_told(option: str, value: str, told: str, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "needed", "0.7", "0.75", option, value)
    assert (done.code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert told in done.stderr


def test_a_detectable_difference_is_seen_in_four_of_five_sets() -> None:
    """Two hundred facts of five items each, much alike: what is said to be detectable is so."""
    rng, sets = np.random.default_rng(3), 300
    least = float(np.mean([detectable(_two_models(rng, 0.0)).difference for _ in range(20)]))
    seen = sum(_two_models(rng, least).p < 0.05 for _ in range(sets)) / sets
    assert 0.72 < seen < 0.88


def _two_models(rng: np.random.Generator, gap: float) -> Paired:
    """Two models on five items of each of two hundred facts, of which some are hard for both; the second is worse by `gap`."""
    hard, cuts = rng.normal(size=(200, 1)), [NormalDist().inv_cdf(share) for share in (0.7, 0.7 - gap)]
    a, b = ((0.6 * hard + 0.8 * rng.normal(size=(200, 5)) < cut).astype(float) for cut in cuts)
    return paired(a.ravel(), b.ravel(), np.repeat(np.arange(200), 5))


def test_the_difference_by_sides_holds_as_often_as_it_says() -> None:
    """One true and six false premises of each fact, on which a model is right by whole facts and by what it likes to say."""
    rng, held, alarms, sets = np.random.default_rng(4), 0, 0, 400
    side = np.tile([0, 1, 1, 1, 1, 1, 1], (60, 1))
    for _ in range(sets):
        hard = rng.normal(size=(60, 1))
        a, b = (_right(rng, hard, side) for _ in range(2))
        result = paired_by_side(a.ravel(), b.ravel(), np.repeat(np.arange(60), 7), side.ravel(), [0.5, 0.5])
        held += result.low <= 0 <= result.high
        alarms += result.p < 0.05
    assert held / sets > 0.92
    assert alarms / sets < 0.08


def _right(rng: np.random.Generator, hard: Any, side: Any) -> Any:
    liking = 0.5 * rng.normal(size=(60, 1)) * np.where(side == 0, -1, 1)
    return (0.6 * hard + liking + 0.62 * rng.normal(size=side.shape) < np.where(side == 0, 0.84, 0.25)).astype(float)
