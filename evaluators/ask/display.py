"""What a run shows while it goes on: a line for each model with its answers a second, cost, errors and the time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from evaluators.ask.run import Tally


def state(tally: Tally, done: int, total: int, seconds: float) -> str:
    """Say how far a model is: `done` of `total` requests, after so many seconds.

    >>> state(Tally(answered=50, usd=0.25), 60, 100, 10.0)
    '5.0 answers/s, $0.2500, 0 errors, 0:08 left'
    """
    fresh = tally.answered + tally.failed
    rate = fresh / seconds if seconds > 0 else 0.0
    parts = [f"{rate:.1f} answers/s", f"${tally.usd:,.4f}"] if tally.usd else [f"{rate:.1f} answers/s"]
    left = divmod(int((total - done) / rate), 60) if rate else None
    return ", ".join([*parts, f"{tally.failed} errors", *([f"{left[0]}:{left[1]:02} left"] if left else [])])


class Lines:
    """The lines of all models of a run."""

    def __init__(self, advance: Callable[[int, int, str], object]) -> None:
        self._advance, self._begun = advance, time.monotonic()
        self._done: list[int] = []
        self._totals: list[int] = []

    def add(self) -> int:
        """Add the line of a model; return its number."""
        self._done.append(0)
        self._totals.append(0)
        return len(self._done) - 1

    def plan(self, number: int, total: int) -> None:
        """Set how many requests a model is asked."""
        self._totals[number], self._begun = total, time.monotonic()

    def answer(self, number: int, tally: Tally) -> None:
        """Show that one more request is done."""
        self._done[number] += 1
        done, total = self._done[number], self._totals[number]
        self._advance(number, total, state(tally, done, total, time.monotonic() - self._begun))


@contextmanager
def lines(names: list[str], quiet: bool) -> Iterator[Lines]:
    """Show a line for each model on stderr; nothing where that is no terminal, or with `quiet`."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"),
    )
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hidden, transient=True) as bar:
        tasks = [bar.add_task(name, total=None, state="") for name in names]
        if hidden:
            yield Lines(lambda number, total, text: None)
        else:
            yield Lines(lambda number, total, text: bar.update(tasks[number], advance=1, total=total, state=text))
