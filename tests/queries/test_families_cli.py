"""From an empty file to a benchmark: `queries new`, `check`, `preview`, and the commands of the README."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import queries
from queries import load
from queries.templates import Front, kinds
from queries_command import Command

README = Path(__file__).parents[2] / "queries/README.md"


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let each test run in a folder of its own."""
    monkeypatch.chdir(tmp_path)


class TestNew:
    @pytest.mark.parametrize("kind", kinds())
    def test_a_new_family_is_sound_and_shows_finished_questions_at_once(self, command: Command, kind: str) -> None:
        assert command("new", "mine.rq", "--like", kind).code == 0
        assert command("check", "mine.rq").code == 0
        ended = command("preview", "mine.rq")
        assert ended.code == 0
        assert ended.out.count("   answer: ") == 5
        assert "facts can be asked about" in ended.out

    def test_it_is_named_like_its_file(self, command: Command) -> None:
        command("new", "capital-cities.rq")
        assert load("capital-cities.rq").name == "capital-cities"

    def test_nothing_is_overwritten(self, command: Command) -> None:
        command("new", "mine.rq")
        ended = command("new", "mine.rq")
        assert (ended.code, ended.err) == (2, "error: mine.rq: is there already; take another name, or delete it\n")

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["mine.rq", "--like", "choices"], "error: --like: there is no family like 'choices'; did you mean 'choice'?"),
            (["mine.txt"], "error: mine.txt: is no name for a family; take letters, digits"),
            (["my family.rq"], "error: my family.rq: is no name for a family; take letters, digits"),
            (["no/folder/mine.rq"], "error: no/folder/mine.rq: cannot be written"),
        ],
    )
    def test_a_fault_is_one_line(self, command: Command, args: list[str], message: str) -> None:
        ended = command("new", *args)
        assert ended.code == 2
        assert ended.err.startswith(message)


class TestPreview:
    def test_a_choice_shows_its_options(self, command: Command) -> None:
        command("new", "mine.rq", "--like", "choice")
        shown = command("preview", "mine.rq", "--none-share", "1", "--limit", "1").out
        assert "   4. None of these is false.\n   answer: 4\n" in shown

    def test_an_explanation_is_shown_in_hop_order(self, command: Command) -> None:
        command("new", "mine.rq", "--like", "hops")
        shown = command("preview", "mine.rq").out
        assert re.search(r"because: director .*, birthplace .*, country ", shown)

    def test_a_family_that_finds_nothing_ends_with_1(self, command: Command) -> None:
        ended = command("preview", "erbench/movie")
        assert ended.code == 1
        assert "movie: 0 items, 0 facts; 0 rows" in ended.out


def _commands() -> list[str]:
    part = README.read_text(encoding="utf-8").split("## From an empty file")[1].split("\n## ")[0]
    return [line for block in re.findall(r"```sh\n(.*?)```", part, re.DOTALL) for line in block.splitlines()]


class TestTheReadme:
    @pytest.mark.slow
    def test_its_commands_run_in_order(self, tmp_path: Path) -> None:
        assert len(_commands()) >= 9
        path = os.pathsep.join([str(README.parents[1]), os.environ.get("PYTHONPATH", "")])
        for line in _commands():
            words = shlex.split(line)
            assert words[0] == "python"
            ran = subprocess.run(
                [sys.executable, *words[1:]],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, f"{line}\n{ran.stderr}"

    def test_it_says_what_every_key_of_a_family_does(self) -> None:
        readme = README.read_text(encoding="utf-8")
        assert all(f"`{key}" in readme for key in Front.model_fields)

    def test_it_names_every_family_that_ships(self) -> None:
        readme = README.read_text(encoding="utf-8")
        shipped = [name.partition("/")[2] for name in queries.names() if "/" in name]
        assert [name for name in shipped if f"`{name}`" not in readme and f"{name}`" not in readme] == []
