"""The gate: only what a model knows is asked further, and every group is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.ask.gate import gate, gated
from evaluators.errors import JoinError

EDITS = ("NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR")
RIGHT, WRONG, UNSURE, FAILED = ("correct", "exact"), ("incorrect", "wrong"), ("abstained", "unsure"), ("unscored", "api_error")
REFUSED = ("unscored", "refused")


def fact(group: str) -> list[dict[str, str]]:
    """A fact of KG-FPQ: true and six edited premises, in yes-no and in WH form."""
    return [
        {"id": f"{group}.{task}.{variant}", "task": task, "variant": variant, "group": group}
        for task in ("yes_no", "premise")
        for variant in ("tpq", *EDITS)
    ]


def film(group: str, probes: int = 1) -> list[dict[str, str]]:
    """An entity of ERBench: its probes, a basic and a negated question."""
    asked = [{"id": f"{group}.probe.{n}", "task": "probe", "variant": f"probe{n}", "group": group} for n in range(probes)]
    return [*asked, *({"id": f"{group}.{v}", "task": "yes_no", "variant": v, "group": group} for v in ("basic", "negated"))]


def verdict(item: str, ruling: tuple[str, str], sample: int | None = 0, model: str = "m") -> dict[str, Any]:
    return {
        "schema": "kgprobe.verdict/1", "item": item, "model": model, "sample": sample, "outcome": ruling[0],
        "reason": ruling[1], "answer": None, "rationale": [], "contradicted": [], "spans": [], "judge": None,
    }  # fmt: skip


@pytest.fixture
def judged(tmp_path: Path) -> Any:
    def write(*lines: dict[str, Any]) -> str:
        path = tmp_path / "verdicts.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return str(path)

    return write


def items(*groups: list[dict[str, str]]) -> pl.DataFrame:
    return pl.DataFrame([item for group in groups for item in group])


def test_a_scripted_first_round_of_premises_gives_exact_counts(judged: Any) -> None:
    facts = {"known": RIGHT, "unknown": WRONG, "doubted": UNSURE, "lost": FAILED, "declined": REFUSED}
    path = judged(*(verdict(f"{group}.yes_no.tpq", ruling) for group, ruling in facts.items()))
    found = gated(items(*map(fact, [*facts, "unasked"]), film("bare")[1:]), path)
    assert found.items["group"].unique().to_list() == ["known"]
    assert found.items["id"].to_list() == [item["id"] for item in fact("known")]
    assert found[1:] == (1, 4, 1, 1, 14 * 5 + 2)
    assert found.summary() == (
        "gate: 14 items go through, 72 are held back; groups: 1 passed, 4 failed, 1 not judged, 1 without a first round"
    )


def test_the_wh_questions_go_by_the_yes_no_question_and_no_other(judged: Any) -> None:
    path = judged(
        verdict("a.yes_no.tpq", RIGHT), verdict("a.premise.tpq", WRONG), verdict("a.yes_no.NSC", WRONG),
        verdict("b.yes_no.tpq", WRONG), verdict("b.premise.tpq", RIGHT), verdict("b.yes_no.NSC", RIGHT),
    )  # fmt: skip
    assert set(gate(items(fact("a"), fact("b")), path)["group"]) == {"a"}


def test_an_entity_is_known_by_nothing_but_yes(judged: Any) -> None:
    rulings = {
        "yes": [RIGHT, RIGHT],
        "no": [WRONG, WRONG],
        "half": [RIGHT, WRONG],
        "unsure": [RIGHT, UNSURE],
        "odd": [FAILED, RIGHT],
    }
    lines = [verdict(f"{group}.probe.{n}", ruling) for group, both in rulings.items() for n, ruling in enumerate(both)]
    asked = items(*(film(group, probes=2) for group in rulings))
    assert gate(asked, judged(*lines))["id"].to_list() == [item["id"] for item in film("yes", 2)]
    published = gated(asked, judged(*lines), "published")
    assert published.items["group"].unique(maintain_order=True).to_list() == ["yes", "unsure"]
    assert (published.passed, published.failed, published.unjudged, published.without) == (2, 3, 0, 0)


def test_unsure_about_a_true_premise_never_passes(judged: Any) -> None:
    assert gate(items(fact("a")), judged(verdict("a.yes_no.tpq", UNSURE)), "published").is_empty()


def test_a_probe_that_was_not_asked_holds_its_group_back(judged: Any) -> None:
    found = gated(items(film("a", 2), film("b", 1)), judged(verdict("a.probe.0", RIGHT), verdict("b.probe.0", RIGHT)))
    assert (found.passed, found.failed, found.unjudged) == (1, 0, 1)


@pytest.mark.parametrize(
    ("samples", "vote", "passes"),
    [
        ([RIGHT, RIGHT, WRONG], None, True),
        ([RIGHT, WRONG, WRONG], None, False),
        ([RIGHT, WRONG], None, False),
        ([RIGHT, FAILED, UNSURE], None, False),
        ([RIGHT, RIGHT, WRONG, UNSURE], None, False),
        ([RIGHT, RIGHT, WRONG], WRONG, False),
        ([RIGHT, WRONG, WRONG], RIGHT, True),
        ([RIGHT, UNSURE, WRONG], ("unscored", "tie"), False),
        ([], RIGHT, True),
    ],
)  # fmt: skip
def test_the_vote_counts_or_else_most_of_the_samples(judged: Any, samples: Any, vote: Any, passes: bool) -> None:
    lines = [verdict("a.yes_no.tpq", ruling, n) for n, ruling in enumerate(samples)]
    lines += [verdict("a.yes_no.tpq", vote, None)] if vote else []
    assert bool(gate(items(fact("a")), judged(*lines)).height) is passes


def test_of_several_models_one_must_be_named(judged: Any) -> None:
    path = judged(verdict("a.yes_no.tpq", RIGHT, model="one"), verdict("a.yes_no.tpq", WRONG, model="two"))
    assert gate(items(fact("a")), path, model="one").height == 14
    assert gate(items(fact("a")), path, model="two").is_empty()
    with pytest.raises(JoinError, match=r"verdicts\.jsonl: holds verdicts on 2 models: one, two; say which one"):
        gate(items(fact("a")), path)
    with pytest.raises(JoinError, match="holds no verdict on model 'on'; did you mean 'one'"):
        gate(items(fact("a")), path, model="on")


def test_a_first_round_that_is_none_is_told(judged: Any) -> None:
    path = judged(verdict("elsewhere", RIGHT))
    with pytest.raises(JoinError, match="--gate: these items have neither probes nor yes-no questions with a true premise"):
        gate(items(film("a")[1:]), path)
    with pytest.raises(JoinError, match=r"verdicts\.jsonl: holds no verdict on a probe or a yes-no question .* of these items"):
        gate(items(fact("a")), path)


def test_every_column_of_the_items_stays(judged: Any) -> None:
    asked = items(fact("a"), fact("b")).with_columns(options=pl.lit(None, pl.List(pl.String)), n=pl.int_range(pl.len()))
    found = gate(asked, judged(verdict("b.yes_no.tpq", RIGHT)))
    assert found.schema == asked.schema
    assert found["n"].to_list() == list(range(14, 28))


rulings = st.sampled_from([RIGHT, WRONG, UNSURE, FAILED])
rounds = st.dictionaries(
    st.sampled_from("abcdef"),
    st.tuples(st.booleans(), st.lists(st.lists(rulings, max_size=4), min_size=1, max_size=3)),
    min_size=1,
)


@settings(deadline=None, max_examples=60)
@given(rounds, st.sampled_from(["strict", "published"]))
def test_brute_force_lets_the_same_items_through(tmp_path_factory: pytest.TempPathFactory, asked: Any, rule: Any) -> None:
    path = tmp_path_factory.mktemp("gate") / "v.jsonl"
    lines, expected = [verdict("z.probe.0", RIGHT)], ["z"]
    groups = {group: film(group, len(probes)) if kind else fact(group) for group, (kind, probes) in asked.items()}
    for group, (kind, probes) in asked.items():
        known = []
        for n, samples in enumerate(probes if kind else probes[:1]):
            name = f"{group}.probe.{n}" if kind else f"{group}.yes_no.tpq"
            lines += [verdict(name, ruling, k) for k, ruling in enumerate(samples)]
            good = [r == RIGHT or (kind and rule == "published" and r == UNSURE) for r in samples]
            known.append(2 * sum(good) > len(good))
        expected += [group] if all(known) else []
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = gate(items(film("z"), *groups.values()), str(path), rule)
    assert sorted(found["group"].unique()) == sorted(expected)


def test_a_million_items_stay_columns(judged: Any) -> None:
    groups, size = 20_000, 50
    asked = pl.DataFrame({"n": pl.int_range(groups * size, eager=True)}).select(
        id=pl.format("i{}", "n"),
        group=pl.format("g{}", pl.col("n") // size),
        task=pl.when(pl.col("n") % size == 0).then(pl.lit("probe")).otherwise(pl.lit("yes_no")),
        variant=pl.lit("basic"),
    )
    path = judged(*(verdict(f"i{n * size}", RIGHT if n % 4 else WRONG) for n in range(groups)))
    found = gated(asked, path)
    assert (found.passed, found.failed, found.items.height, found.held) == (15_000, 5_000, 750_000, 250_000)
