"""The room's public face, and its README."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaluators
from evaluators import errors
from evaluators.prompts import settings
from evaluators.verify import JUDGES
from kg.errors import InputError

README = (Path(evaluators.__file__).parent / "README.md").read_text()


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
