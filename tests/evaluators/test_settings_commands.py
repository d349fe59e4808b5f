"""From the command line: what each preset sends, and a model of known behaviour from the first round to the vote."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaluators.ask.presets import preset, presets
from fpq_made import Command, read_lines, write_lines

HERE = Path(__file__).parents[1] / "fixtures/evaluators/settings"
ITEMS, EXEMPLARS, PASSAGES = (HERE / f"{name}.jsonl" for name in ("items", "exemplars", "passages"))


@pytest.mark.parametrize("name", presets())
def test_a_dry_run_shows_the_prompts_of_a_preset(command: Command, tmp_path: Path, name: str) -> None:
    asked = [item for item in read_lines(ITEMS) if item["task"] in preset(name).settings]
    done = command("ask", write_lines(tmp_path / "items.jsonl", asked), "--preset", name, "--dry-run")
    assert done.code == 0, done.stderr
    assert {item["task"] for item in asked} == set(preset(name).settings)
    for task in preset(name).settings:
        assert f"── {task}, " in done.stdout
    assert ("temperature 0.6" in done.stdout) is (name == "fpq")


def test_an_image_is_shown_with_its_question(command: Command, tmp_path: Path) -> None:
    posters = write_lines(tmp_path / "posters.jsonl", [item for item in read_lines(ITEMS) if item.get("image")])
    done = command("ask", posters, "--preset", "erbench", "--dry-run")
    assert done.code == 0, done.stderr
    assert "poster.png" in done.stdout
    assert "Look at the picture that comes with this message" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--setting", "few-shot"], "setting 'few-shot' shows exemplars; name their file with --exemplars exemplars.jsonl"),
        (["--setting", "few-shot", "--exemplars", EXEMPLARS, "--shots", "12"], "has 8 exemplars of task yes_no with an answer"),
        (["--setting", "knowledge", "--passages", PASSAGES], "passages.jsonl: holds no passage for group 'capital.australia'"),
        (["--preset", "fpqs"], "'fpqs' is no preset; did you mean 'fpq'?"),
    ],
)
def test_what_is_lacking_is_one_line_before_anything_is_asked(
    command: Command, tmp_path: Path, arguments: Any, told: str
) -> None:
    replay = write_lines(tmp_path / "answers.jsonl", [{"item": "film.yes", "text": "Yes."}])
    out = tmp_path / "out.jsonl"
    done = command("ask", ITEMS, "--only", "task=yes_no", "--model", f"replay:{replay}", "--out", out, *arguments)
    assert done.code == 2
    assert told in done.stderr
    assert done.stderr.count("error:") == 1
    assert not out.exists() or not out.read_text()


KNOWN = {0, 1, 2, 3, 4, 5}
"""The facts that the scripted model knows: of these it says yes to the true premise."""


def first(item: dict[str, Any]) -> str:
    return "Yes." if int(item["group"].removeprefix("fpq.")) in KNOWN else "No."


def second(item: dict[str, Any], sample: int) -> str:
    """Of a fact it knows the model is misled once by NSC, twice by NDC, and says a third thing each time about NNSC."""
    if item["variant"] == "tpq":
        return "Yes."
    misled = {"NSC": sample == 0, "NDC": sample < 2}.get(item["variant"], False)
    if item["variant"] == "NNSC":
        return ["Yes.", "No.", "I am not sure."][sample]
    return "Yes." if misled else "No."


def test_from_the_gate_to_the_vote_every_count_is_the_expected_one(
    command: Command, tmp_path: Path, items: Path, benchmark: list[dict[str, Any]]
) -> None:
    one = write_lines(tmp_path / "one.jsonl", ({"item": item["id"], "text": first(item)} for item in benchmark))
    two = write_lines(
        tmp_path / "two.jsonl",
        ({"item": i["id"], "sample": n, "text": second(i, n)} for i in benchmark for n in range(3)),
    )
    asked, judged, again, votes = (tmp_path / f"{name}.jsonl" for name in ("asked", "judged", "again", "votes"))
    yes_no = ["--only", "task=yes_no"]
    round_one = [*yes_no, "--only", "variant=tpq"]
    assert (
        command("ask", items, "--preset", "fpq", "--model", f"replay:{one}", "--samples", "1", *round_one, "--out", asked).code
        == 0
    )
    assert command("verify", "--items", items, "--responses", asked, "--out", judged).code == 0
    done = command("ask", items, "--preset", "fpq", "--model", f"replay:{two}", "--gate", judged, *yes_no, "--out", again)
    assert done.code == 0, done.stderr
    assert "gate: 84 items go through, 56 are held back; groups: 6 passed, 4 failed" in done.stderr
    assert len(read_lines(again)) == 6 * 7 * 3
    assert command("verify", "--items", items, "--responses", again, "--vote", "--out", votes).code == 0
    variant = {item["id"]: item["variant"] for item in benchmark}
    voted = Counter((variant[v["item"]], v["outcome"]) for v in read_lines(votes) if v["sample"] is None)
    expected = dict.fromkeys(("tpq", "NSC", "NNDC", "NNSR", "NNDR"), "correct") | {"NDC": "incorrect", "NNSC": "unscored"}
    assert voted == dict.fromkeys(expected.items(), 6)
