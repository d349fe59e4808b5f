"""The command `unseenqa` as a person runs it."""

from __future__ import annotations

import sys

import pytest

from generators.unseenqa.__main__ import main


def ended(*args: str) -> object:
    """Run it and return the exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["unseenqa", *args])
        with pytest.raises(SystemExit) as stop:
            main()
    return stop.value.code


def command(*args: str) -> None:
    """Run it; it succeeds."""
    assert ended(*args) == 0


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Run it; return the one line with which it refuses."""
    assert ended(*args) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    return error
