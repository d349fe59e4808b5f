"""What the tests of this room share: its command line, run in this process."""

from __future__ import annotations

import pytest

from kg.cli import run
from queries.__main__ import app
from queries_command import Command, Ended


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command line of the room."""

    def ended(*args: str) -> Ended:
        with pytest.raises(SystemExit) as stop:
            run(app, "python -m queries", args)
        printed = capsys.readouterr()
        return Ended(int(stop.value.code or 0), printed.out, printed.err)

    return ended
