"""Several samples become one verdict: what wins, what ties, what a vote says, and that voting twice changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.vote import Ballots, voted, votes
from fpq_made import Command, fpq_item, read_lines, write_lines
from kg import cli
from queries.records import frame_schema, read, read_frame
from queries.records.verdict import OUTCOMES, Verdict

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parents[1] / "fixtures/evaluators/votes.jsonl").read_text("utf-8").splitlines()
]
REASON = {"correct": "exact", "incorrect": "wrong", "abstained": "unsure", "unscored": "api_error"}


def verdict(sample: int | None, outcome: str, **more: Any) -> dict[str, Any]:
    return {
        "schema": "kgprobe.verdict/1", "item": "a", "model": "m", "sample": sample, "outcome": outcome,
        "reason": REASON[outcome], "answer": None, "rationale": [], "contradicted": [], "spans": [], "judge": None,
    } | more  # fmt: skip


def frame(verdicts: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(verdicts, schema=frame_schema(Verdict), orient="row")


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_a_vote(case: dict[str, Any]) -> None:
    samples = [verdict(n, **sample) for n, sample in enumerate(case["samples"])]
    (made,) = votes(frame(samples)).to_dicts()
    assert made["sample"] is None
    assert made["spans"] == []
    assert {name: made[name] for name in case["vote"]} == case["vote"]


def by_hand(outcomes: list[str]) -> str:
    """The outcome that stands alone at the top, else a tie."""
    counts = Counter(outcomes)
    top = [outcome for outcome, n in counts.items() if n == max(counts.values())]
    return top[0] if len(top) == 1 else "tie"


@settings(deadline=None)  # the first table that polars makes takes long on a busy machine
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["m", "n"]), st.sampled_from(OUTCOMES)), min_size=1, max_size=12)
)
def test_every_item_and_model_has_one_vote_as_counted_by_hand(drawn: list[tuple[str, str, str]]) -> None:
    samples = [verdict(n, outcome, item=item, model=model) for n, (item, model, outcome) in enumerate(drawn)]
    made = {(v["item"], v["model"]): v for v in votes(frame(samples)).to_dicts()}
    assert len(made) == len({(item, model) for item, model, _ in drawn})
    for (item, model), vote in made.items():
        expected = by_hand([outcome for i, m, outcome in drawn if (i, m) == (item, model)])
        assert (vote["outcome"], vote["reason"]) == (("unscored", "tie") if expected == "tie" else (expected, REASON[expected]))


@settings(deadline=None)  # the first table that polars makes takes long on a busy machine
@given(st.permutations(range(5)))
def test_the_order_of_the_samples_in_the_file_does_not_matter(order: list[int]) -> None:
    reasons = ["alias", "exact", "exact", "alias", "date"]
    samples = [verdict(n, "correct", reason=reason, answer=f"answer {n}") for n, reason in enumerate(reasons)]
    (made,) = votes(frame([samples[n] for n in order])).to_dicts()
    assert (made["reason"], made["answer"]) == ("alias", "answer 0")


class TestVotesThatAreThere:
    def test_they_are_made_again_from_the_samples(self) -> None:
        stale = verdict(None, "incorrect")
        once = voted(frame([stale, *(verdict(n, "correct") for n in range(3))]))
        assert once["sample"].to_list() == [0, 1, 2, None]
        assert once["outcome"].to_list() == ["correct"] * 4

    def test_voting_twice_changes_nothing(self) -> None:
        once = voted(frame([verdict(n, outcome) for n, outcome in enumerate(["correct", "incorrect"])]))
        assert voted(once).equals(once)

    def test_a_vote_without_its_samples_is_kept(self) -> None:
        kept = verdict(None, "correct", answer="yes", rationale=[True])
        assert votes(frame([kept])).to_dicts() == [kept | {"confidence": None, "text": None, "evidence": None}]


def test_what_comes_in_pieces_is_voted_on_as_a_whole() -> None:
    ballots = Ballots()
    for n, outcome in enumerate(["correct", "incorrect", "correct"]):
        ballots.add((json.dumps(verdict(n, outcome)) + "\n").encode())
    assert ballots.votes()["outcome"].to_list() == ["correct"]
    assert Ballots().votes().height == 0


def response(item: str, sample: int, text: str) -> dict[str, Any]:
    return {"schema": "kgprobe.response/1", "item": item, "model": "m", "sample": sample, "text": text}


@pytest.fixture
def files(tmp_path: Path) -> list[str | Path]:
    """Two facts asked three times, the samples far apart."""
    first, second = fpq_item(0, "tpq"), fpq_item(1, "NSC")
    said = {0: ["Yes.", "No."], 1: ["Yes.", "Yes."], 2: ["No.", "I do not know."]}
    lines = [response(i["id"], n, text) for n, texts in said.items() for i, text in zip((first, second), texts, strict=True)]
    return [
        "--items", write_lines(tmp_path / "items.jsonl", [first, second]),
        "--responses", write_lines(tmp_path / "responses.jsonl", lines),
    ]  # fmt: skip


def test_verify_adds_votes(command: Command, files: list[str | Path], tmp_path: Path) -> None:
    out = tmp_path / "verdicts.jsonl"
    done = command("verify", *files, "--vote", "--out", out)
    assert done.code == 0
    said = done.stderr.splitlines()
    assert said[0] == f"6 verdicts to {out}: 3 correct, 2 incorrect, 1 abstained, 0 unscored"
    assert "2 votes: 1 correct, 0 incorrect, 0 abstained, 1 unscored (1 tie)" in said
    made = read(out, Verdict)
    assert [(v.sample, v.outcome, v.reason) for v in made[6:]] == [(None, "correct", "exact"), (None, "unscored", "tie")]


def vote(*args: object) -> object:
    from evaluators import vote as module

    with pytest.raises(SystemExit) as stop:
        cli.run(module.app, "python -m evaluators.vote", [str(arg) for arg in args])
    return stop.value.code


def test_the_command_votes_as_verify_does_and_twice_is_once(command: Command, files: list[str | Path], tmp_path: Path) -> None:
    plain, whole, once, twice = (tmp_path / f"{name}.jsonl" for name in ("plain", "whole", "once", "twice"))
    command("verify", *files, "--out", plain)
    command("verify", *files, "--vote", "--out", whole)
    assert vote(plain, "--out", once) == vote(once, "--out", twice) == 0
    assert read_lines(once) == read_lines(whole)
    assert once.read_bytes() == twice.read_bytes()
    assert read_frame(once, Verdict).height == 8


def test_a_file_that_holds_no_verdicts_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert vote(write_lines(tmp_path / "v.jsonl", ['{"schema": "kgprobe.verdict/1"}']), "--out", tmp_path / "out.jsonl") == 2
    assert "v.jsonl:1: field 'item' is missing" in capfd.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_the_memory_of_a_vote_does_not_hold_the_texts() -> None:
    ballots = Ballots()
    for n in range(20):
        lines = [verdict(n, "correct", item=f"item-{i}", spans=[[j, j + 1] for j in range(200)]) for i in range(50)]
        ballots.add("".join(json.dumps(line) + "\n" for line in lines).encode())
    kept = sum(part.estimated_size() for part in ballots._parts)
    assert kept < 20 * 50 * 200
    assert ballots.votes().height == 50
