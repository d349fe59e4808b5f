"""Tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

_WIDE = 200  # a file or a pipe has no edge to wrap at


def print_grid(
    title: str, names: Sequence[str], numbers: Sequence[str], rows: Iterable[Sequence[str]], *, aside: bool = False
) -> None:
    """Print a table: columns of names, then columns of numbers at the right; `aside` prints to stderr.

    >>> print_grid("Verdicts", ["model"], ["right", "wrong"], [["m", "3", "1"]])  # doctest: +NORMALIZE_WHITESPACE
    Verdicts
     model  right  wrong
     m          3      1
    """
    terminal = Console(stderr=aside)
    terminal = terminal if terminal.is_terminal else Console(stderr=aside, width=_WIDE)
    # Names fold where the terminal is narrow; numbers never do.
    grid = Table(title=title, title_justify="left", box=None)
    for name in names:
        grid.add_column(name, overflow="fold", max_width=40)
    for number in numbers:
        grid.add_column(number, justify="right", no_wrap=True)
    for row in rows:
        grid.add_row(*map(Text, row))
    terminal.print(grid)
