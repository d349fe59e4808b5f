"""The room's public face, and its README."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import evaluators
from evaluators import errors
from evaluators.__main__ import commands
from evaluators.prompts import settings
from evaluators.verify import JUDGES
from kg.errors import InputError

README = (Path(__file__).parents[2] / "evaluators/README.md").read_text()


def test_what_is_exported_is_there_and_in_order() -> None:
    assert evaluators.__all__ == sorted(evaluators.__all__)
    assert all(hasattr(evaluators, name) for name in evaluators.__all__)


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_an_input_error_and_in_the_tree(name: str) -> None:
    assert issubclass(getattr(errors, name), InputError)
    assert errors.__doc__ is not None
    assert name in errors.__doc__


def test_the_readme_names_every_command_setting_and_judged_task() -> None:
    for name in ("evaluators.ask", "evaluators.verify", "evaluators.report", *settings(), *JUDGES):
        assert name in README


def test_the_room_lists_its_commands() -> None:
    done = subprocess.run([sys.executable, "-m", "evaluators"], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == len(commands()) >= 7
    for command, purpose in commands().items():
        assert f"{command} " in done.stdout
        assert purpose in done.stdout
        assert importlib.import_module(command.removeprefix("python -m ")).__doc__


def test_the_readme_begins_with_an_example_that_runs_in_an_empty_folder(tmp_path: Path) -> None:
    example = README.split("```python\n", 1)[1].split("```", 1)[0]
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "incorrect" in done.stdout
    assert "0.5" in done.stdout
