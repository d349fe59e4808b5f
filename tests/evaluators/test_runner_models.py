"""Several models in one run: each has its plan and its end; names tell them apart; what ends one leaves the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import Running


@pytest.fixture
def thirty(tmp_path: Path) -> Path:
    """Thirty questions."""
    return write_lines(tmp_path / "items.jsonl", [fpq_item(n, "tpq") | {"question": f"Is it number {n}?"} for n in range(30)])


def test_two_models_one_file(command: Command, server: Running, thirty: Path, tmp_path: Path) -> None:
    out, two = tmp_path / "out.jsonl", ["--model", server.spec(), "--model", "anthropic:stub"]
    done = command("ask", thirty, *two, "--out", out)
    assert done.code == 0
    for name in (server.spec(), "anthropic:stub"):
        assert f"{name}: 30 requests, about " in done.stderr
        assert f"{name}: 30 answers to {out}" in done.stderr
        assert sum(line["model"] == name for line in read_lines(out)) == 30
    before = out.read_bytes()
    again = command("ask", thirty, *two, "--out", out)
    assert again.stderr.count("30 were there already") == 2
    assert out.read_bytes() == before


def test_two_models_a_file_each(command: Command, server: Running, thirty: Path, tmp_path: Path) -> None:
    names = ["--as", "small", "--as", "big one"]
    two = ["--model", server.spec(), "--model", server.spec("other")]
    assert command("ask", thirty, *two, *names, "--out", tmp_path / "out-{model}.jsonl").code == 0
    for file, name in (("out-small.jsonl", "small"), ("out-big-one.jsonl", "big one")):
        assert {line["model"] for line in read_lines(tmp_path / file)} == {name}


def test_one_model_under_two_names(command: Command, server: Running, thirty: Path, tmp_path: Path) -> None:
    out, twice = tmp_path / "out.jsonl", ["--model", server.spec(), "--model", server.spec()]
    done = command("ask", thirty, *twice, "--out", out)
    assert (done.code, len(done.stderr.splitlines())) == (2, 1)
    assert f"two models are called '{server.spec()}'; tell them apart: --as NAME" in done.stderr
    done = command("ask", thirty, *twice, "--as", "only one", "--out", out)
    assert (done.code, "1 names for 2 models" in done.stderr) == (2, True)
    assert not out.exists()


def test_what_ends_one_model_leaves_the_other(command: Command, server: Running, thirty: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = command("ask", thirty, "--model", f"{server.url}/v1#unknown", "--model", server.spec(), "--out", out)
    assert done.code == 2
    assert "the model or the address is unknown" in done.stderr
    assert f"{server.spec()}: 30 answers to {out}" in done.stderr
    assert len(read_lines(out)) == 30


def test_items_from_stdin_go_to_all_models(
    command: Command, server: Running, thirty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with thirty.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        done = command("ask", "-", "--model", server.spec(), "--model", server.spec("other"), "--out", tmp_path / "out.jsonl")
    assert done.code == 0
    assert len(read_lines(tmp_path / "out.jsonl")) == 60
