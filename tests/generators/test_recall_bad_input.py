"""What a user can get wrong with the recall benchmarks: counted with its reason, or refused in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fpq_made import read_lines, write_lines
from generators.factbench.__main__ import main
from generators.graph_columns import GraphColumns
from kg import open_graph
from kg.text import fold
from unseenqa_command import command, refused

Captured = pytest.CaptureFixture[str]


def factbench(*args: str) -> object:
    """Run `factbench` as a person does; return its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["factbench", *args])
        with pytest.raises(SystemExit) as stop:
            main()
    return stop.value.code


def test_a_property_without_facts_is_listed_as_one(tmp_path: Path, capsys: Captured) -> None:
    wording = (
        '[P999]\nlabel = "depth"\ntype = "number"\nask = ["How deep is {s}?", "What depth has {s}?", "Say how deep {s} is."]\n'
    )
    (tmp_path / "own.toml").write_text(wording, "utf-8")
    asked = ("--n", "5", "--wordings", str(tmp_path / "own.toml"), "--properties", "--out", str(tmp_path / "out.jsonl"))
    assert factbench(*asked) == 0
    row = next(line for line in "".join(capsys.readouterr()).splitlines() if line.startswith("P999"))
    assert row.endswith("no facts")
    assert {item["family"] for item in read_lines(tmp_path / "out.jsonl")}.isdisjoint({"P999"})


def test_where_all_are_equally_popular_the_summary_says_so(tmp_path: Path, capsys: Captured) -> None:
    iris = GraphColumns.of(open_graph(), 0).entities["iri"]
    (tmp_path / "views.csv").write_text("id,views\n" + "".join(f"{iri},7\n" for iri in iris), "utf-8")
    assert factbench("--n", "5", "--popularity", str(tmp_path / "views.csv"), "--out", str(tmp_path / "out.jsonl")) == 0
    assert "all are equally popular" in "".join(capsys.readouterr())
    assert {item["strata"]["popularity"] for item in read_lines(tmp_path / "out.jsonl")}.isdisjoint({"top", "bottom"})


@pytest.mark.parametrize(
    ("option", "name", "content", "says"),
    [
        ("--articles", "a.jsonl", '{"id": "Q1", "text": "Zürich"}\n'.encode("latin-1"), "a.jsonl:1: is not JSON ('utf-8'"),
        ("--articles", "a.jsonl", '{"id": "Q1", "text": "Zürich"}\n'.encode("utf-16"), "a.jsonl"),
        ("--popularity", "p.csv", "id,views\nZürich,3\n".encode("latin-1"), "p.csv"),
    ],
)
def test_a_file_in_another_encoding_is_refused(
    option: str, name: str, content: bytes, says: str, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / name).write_bytes(content)
    assert factbench("--n", "5", option, str(tmp_path / name), "--out", str(tmp_path / "out.jsonl")) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert says in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out.jsonl").exists()


def test_a_qa_file_without_its_fields_is_refused(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "qa.jsonl").write_text('{"question": "Who wrote Emma?"}\n', "utf-8")
    error = refused(capsys, "--seen", str(tmp_path / "qa.jsonl"), "--out", str(tmp_path / "out.jsonl"))
    assert "qa.jsonl: holds no question with answers" in error


def test_a_template_that_is_unknown_is_refused_with_those_that_are_known(tmp_path: Path, capsys: Captured) -> None:
    error = refused(capsys, "--event", "silver-medals=XXXV", "--out", str(tmp_path / "out.jsonl"))
    assert "'silver-medals' is no template" in error
    assert "gold-medals" in error


def test_no_distractor_is_the_answer_or_the_truth_in_other_letters(tmp_path: Path) -> None:
    fields = {"schema": "kgprobe.item/1", "method": "mine", "family": "f", "task": "open", "variant": "basic", "group": "g"}
    row = {
        **fields,
        "id": "q.0",
        "question": "What is the capital of Austria?",
        "answer": ["VIENNA"],
        "strata": {"seen": "yes"},
    }
    said = {"schema": "kgprobe.response/1", "item": "q.0", "model": "m", "sample": 0, "text": "BRATISLAVA"}
    write_lines(tmp_path / "items.jsonl", [row])
    write_lines(tmp_path / "responses.jsonl", [said])
    files = ("consistency", str(tmp_path / "responses.jsonl"), "--items", str(tmp_path / "items.jsonl"))
    command(*files, "--out", str(tmp_path / "again.jsonl"), "--quiet")
    choices = read_lines(tmp_path / "again.jsonl")
    assert len(choices) == 20
    for choice in choices:
        folded = [fold(option) for option in choice["options"]]
        assert folded.count("bratislava") == 1
        assert "vienna" not in folded
