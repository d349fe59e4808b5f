"""The command `kgprobe` as a person runs it."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from generators.cli import main

Run = Callable[..., tuple[int, str]]


def running(capfd: pytest.CaptureFixture[str]) -> Run:
    """Return what runs it in this process, and gives its exit code and what it says on stderr."""

    def ended(*args: object) -> tuple[int, str]:
        capfd.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["kgprobe", *map(str, args)])
            with pytest.raises(SystemExit) as stop:
                main()
        return int(stop.value.code or 0), capfd.readouterr().err

    return ended
