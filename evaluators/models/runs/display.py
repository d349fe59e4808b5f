"""What a run shows: its plan, a line for each model with its answers a second, cost, errors and the time left, and its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from evaluators.models.runs.plan import Plan
from evaluators.models.runs.run import Round, Tally, ask_rounds
from kg.cli import note
from kg.errors import InputError


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


def ask_shown(rounds: Sequence[Round], *, retry_errors: bool = False, quiet: bool = False, brief: bool = False) -> list[Tally]:
    """Ask several models, and show how that goes.

    Parameters: `brief` leaves out the plan and the end, for one of many turns.
    Raises as `ask_rounds` does.
    """
    with lines([asked.model.name for asked in rounds], quiet) as shown:
        for asked in rounds:
            _show(asked, shown, quiet or brief)
        try:
            tallies = ask_rounds(rounds, retry_errors=retry_errors)
        except KeyboardInterrupt:
            names = ", ".join(asked.model.name for asked in rounds)
            note(f"{names}: interrupted; the same command goes on where this one ended", quiet)
            raise
        except InputError:
            if len(rounds) > 1:  # the others went on to their end
                _say_ends(rounds, quiet or brief)
            raise
        _say_ends(rounds, quiet or brief)
    return tallies


def _say_ends(rounds: Sequence[Round], quiet: bool) -> None:
    for asked in rounds:
        if asked.tally.answered or asked.tally.failed or asked.tally.already:
            note(f"{asked.model.name}: {asked.tally.summary()} to {asked.out}", quiet)


def _show(asked: Round, shown: Lines, quiet: bool) -> None:
    """Let a round say what it plans, what that may cost, and how far it is."""
    name, number = asked.model.name, shown.add()

    def show_plan(plan: Plan) -> None:
        shown.plan(number, plan.left + plan.already)
        if not asked.recorded:
            note(plan.summary(name, asked.price), quiet)

    asked.on_plan = show_plan
    asked.on_answer = lambda: shown.answer(number, asked.tally)
    asked.on_estimate = lambda text: note(f"{name}: {text}", quiet)
