"""Tables on their way out: SELECT results for people and programs, and numbers in the terminal."""

from __future__ import annotations

import io
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal

import polars as pl

from kg.files import replacing

Format = Literal["table", "csv", "tsv", "json"]


def write_result(frame: pl.DataFrame, form: Format, out: str) -> None:
    """Write a result to a file or to stdout; a table on a terminal has lines drawn around it."""
    if form == "table" and out == "-" and sys.stdout.isatty():
        return _show_table(frame.columns, frame.rows())
    with replacing(out) as stream:
        stream.write(_encoded(frame, form))
    return None


def _encoded(frame: pl.DataFrame, form: Format) -> bytes:
    if form == "table":
        return aligned(frame.columns, frame.rows()).encode()
    if form == "tsv":  # SPARQL's own TSV: a `?` before each variable, terms as N-Triples writes them
        rows = [["?" + name for name in frame.columns], *frame.rows()]
        return "".join("\t".join(cell or "" for cell in row) + "\n" for row in rows).encode()
    buffer = io.BytesIO()
    if form == "csv":
        frame.write_csv(buffer)
    else:
        frame.write_json(buffer)
        buffer.write(b"\n")
    return buffer.getvalue()


def _show_table(columns: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """Print a table to the terminal."""
    from rich.console import Console  # here: a tenth of a second that most commands need not wait
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for name in columns:
        table.add_column(escape(name), overflow="fold")  # an IRI that is cut off is of no use
    for row in rows:
        table.add_row(*(Text(_printable(cell)) for cell in row))
    Console().print(table)


def aligned(columns: Sequence[str], rows: Sequence[Sequence[str | None]]) -> str:
    r"""Write a table as plain text, columns aligned.

    >>> print(aligned(["s", "name"], [["a", "universe"], ["long", None]]), end="")
    s     name
    a     universe
    long
    """
    cells = [list(columns), *([_printable(cell) for cell in row] for row in rows)]
    widths = [max(map(_width, column), default=0) for column in zip(*cells, strict=True)]
    lines = ("  ".join(c + " " * (w - _width(c)) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells)
    return "".join(f"{line}\n" for line in lines)


def _printable(cell: str | None) -> str:
    """Replace what would break a cell's line, or steer a terminal."""
    return "".join(c if c.isprintable() else " " for c in cell or "")


def _width(text: str) -> int:
    """Return how many columns a text takes: two for a wide sign, none for an accent that is written onto another."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


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
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

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
