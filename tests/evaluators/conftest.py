"""What the tests of the evaluators share: commands that run in this process, and a small benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluators import import_log
from evaluators.ask import __main__ as ask
from evaluators.entailment import __main__ as entailment
from evaluators.export import __main__ as export
from evaluators.report import __main__ as report
from evaluators.verify import __main__ as verify
from forked import Forks, forked
from fpq_made import EDITS, Command, Done, fpq_item, write_lines
from generators.autodebug import __main__ as autodebug
from generators.erbench import __main__ as erbench
from generators.fpq import __main__ as fpq
from kg import cli
from model_server import KEY, Running, model_server

APPS = {
    "ask": ask.app, "verify": verify.app, "report": report.app, "entailment": entailment.app,
    "export": export.app, "import": import_log.app,
    "fpq": fpq.app, "erbench": erbench.app, "autodebug": autodebug.app,
}  # fmt: skip
"""The commands of this room, and those of the generators that ask a model on the side."""


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


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The keys that the server accepts, and a cache of this test's own."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def server(keyed: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A model's server on this machine; `anthropic:NAME` is answered by it as well."""
    with model_server() as running:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", running.url)
        yield running


@pytest.fixture
def forks(keyed: None) -> Iterator[Forks]:
    """Processes of `evaluators.ask` that start at once."""
    with forked() as processes:
        yield processes
