"""The README's ten minutes: an own domain, own words and an own edit, as a person types it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "generators" / "fpq" / "README.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder in which all of it was typed."""
    section = README.read_text("utf-8").split("## Your own domain")[1].split("\n## ")[0]
    (script,) = re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)
    path = tmp_path_factory.mktemp("mine")
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euc", script], cwd=path, capture_output=True, text=True, check=False, env=os.environ | tools
    )
    assert done.returncode == 0, done.stderr
    (path / "out").write_text(done.stdout)
    (path / "err").write_text(done.stderr)
    return path


def test_it_leaves_a_file_of_questions_that_are_proven(folder: Path) -> None:
    said = (folder / "out").read_text() + (folder / "err").read_text()
    assert "0 faults" in said
    assert "all proofs hold" in said


def test_the_check_shows_each_own_question_filled_in(folder: Path) -> None:
    shown = re.findall(r"director: (.*)", (folder / "out").read_text())
    assert shown == [
        "Did Stanley Kubrick direct 2001: A Space Odyssey?",
        "Was it Stanley Kubrick who directed 2001: A Space Odyssey?",
        "How old was Stanley Kubrick when directing 2001: A Space Odyssey?",
        "Where did Stanley Kubrick shoot most of 2001: A Space Odyssey?",
    ]


def test_all_questions_on_directors_are_in_own_words(folder: Path) -> None:
    items = [json.loads(line) for line in (folder / "films.jsonl").read_text().splitlines()]
    asked = {item["question"] for item in items if item["premise"]["relation"]["label"] == "director"}
    own = re.compile(r"Did .* direct |Was it .* who directed |How old was .* when directing |Where did .* shoot most of ")
    assert asked
    assert all(own.match(text) for text in asked)
    assert len({own.match(text)[0].split()[0] for text in asked if own.match(text)}) > 1  # type: ignore[index]


def test_the_own_edit_has_items_and_its_refusals_are_counted(folder: Path) -> None:
    items = [json.loads(line) for line in (folder / "films.jsonl").read_text().splitlines()]
    assert sum(item["variant"] == "same-cast" for item in items) > 10
    assert re.search(r"same-cast: refused \d+ it finds: it is the subject or a true object", (folder / "err").read_text())
