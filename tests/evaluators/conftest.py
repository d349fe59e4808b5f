"""What the tests of the evaluators share: commands that run in this process, and a small benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fpq_made import EDITS, Command, Done, fpq_item, write_lines

from evaluators import ask
from evaluators.report import __main__ as report
from evaluators.verify import __main__ as verify
from kg import cli

APPS = {"ask": ask.app, "verify": verify.app, "report": report.app}


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes]) -> Command:
    """Run `python -m evaluators.NAME` with arguments."""

    def call(name: str, *args: object) -> Done:
        with pytest.raises(SystemExit) as stop:
            cli.run(APPS[name], f"python -m evaluators.{name}", [str(arg) for arg in args])
        out, err = capfdbinary.readouterr()
        return Done(stop.value.code, out.decode(), err.decode())

    return call


@pytest.fixture
def benchmark() -> list[dict[str, Any]]:
    """140 questions: ten facts, seven variants, two tasks."""
    tasks, variants = ["yes_no", "premise"], ["tpq", *EDITS]
    return [fpq_item(fact, variant, task) for fact in range(10) for variant in variants for task in tasks]


@pytest.fixture
def items(tmp_path: Path, benchmark: list[dict[str, Any]]) -> Path:
    """The benchmark as a file."""
    return write_lines(tmp_path / "items.jsonl", benchmark)
