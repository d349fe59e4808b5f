"""Runs of `evaluators.ask` in processes of their own, which start at once and can be killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Forks:
    """Processes of `evaluators.ask` that start at once."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def start(self, args: list[str]) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(args) + "\n")
        self.process.stdin.flush()
        return self.said()

    def said(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())


@contextmanager
def forked() -> Iterator[Forks]:
    """Start processes until the block ends."""
    args = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("ask_forks.py"))]
    with subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Forks(process)
        assert process.stdin is not None
        process.stdin.close()
