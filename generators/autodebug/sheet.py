"""A sheet for people: is a passage readable, does it support the answer? With planted checks, and read back (§3.3).

For every ten rows there is a check: a passage without its supporting sentence, whose right verdict is "no". Who gets a check
wrong has not read; a sheet with a wrong check is not accepted.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generators.autodebug.qa_files import text_of
from generators.items import short_hash
from kg.errors import InputError, SourceError
from kg.files import write_bytes
from queries.records import Item, read

COLUMNS = ("row", "question", "passage", "answer", "readable", "supports")
_CHECKS = 10
_YES, _NO = ("yes", "y", "1", "true"), ("no", "n", "0", "false")


class Row(NamedTuple):
    """A row of a sheet, and what it is of: a variant, or `check`."""

    row: str
    question: str
    passage: str
    answer: str
    kind: str


class Share(NamedTuple):
    """How many of some passages are right, with a 95% interval (Wilson, 1927)."""

    kind: str
    question: str
    right: int
    of: int

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval.

        >>> [round(end, 3) for end in Share("swap", "supports", 9, 10).interval]
        [0.596, 0.982]
        """
        z, p, n = 1.959964, self.right / max(1, self.of), max(1, self.of)
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def sheet_rows(items: Sequence[Item], n: int, seed: int) -> list[Row]:
    """Draw `n` passages by hash, and a check for every ten of them; the rows in an order that does not tell checks.

    Raises InputError where no item says its supporting sentence.
    """
    told = [item for item in items if item.context and item.answer and item.source.get("support")]
    if not told:
        raise InputError(
            "no item has a passage and its supporting sentence", way_out="make some with `python -m generators.autodebug`"
        )
    drawn = sorted(told, key=lambda item: short_hash(f"{seed}\0sheet\0{item.id}"))
    rows = [_row(item, item.variant, item.context or "", seed) for item in drawn[:n]]
    # A passage of one sentence has nothing left to read.
    longer = [item for item in reversed(drawn) if len(item.context or "") > 2 * len(str(item.source["support"]))]
    for item in longer[: -(-len(rows) // _CHECKS)]:
        paragraphs = (item.context or "").replace(str(item.source["support"]), "").split("\n\n")
        rest = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())
        rows.append(_row(item, "check", rest, seed))
    return sorted(rows, key=lambda row: row.row)


def _row(item: Item, kind: str, passage: str, seed: int) -> Row:
    return Row(short_hash(f"{seed}\0{kind == 'check'}\0{item.id}", 8), item.question, passage, (item.answer or [""])[0], kind)


def write_sheet(path: str, rows: Sequence[Row]) -> None:
    """Write a sheet as CSV; what is to be filled in is empty."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([*row[:4], "", ""] for row in rows)
    write_bytes(path, text.getvalue().encode())


def read_sheet(path: str, items: str, n: int, seed: int) -> tuple[list[Share], int, int]:
    """Read a sheet that was filled in; return the shares by variant, and how many checks were got right, of how many.

    Raises SourceError naming the line of a verdict that is neither yes nor no, or of a row that the sheet never had.
    """
    known = {row.row: row for row in sheet_rows(read(items, Item), n, seed)}
    said: dict[tuple[str, str], list[bool]] = {}
    for line, entry in _entries(path):
        row = known.get(entry.get("row") or "")
        if row is None:
            raise SourceError(
                "no such row in this sheet", place=f"{path}:{line}", way_out="read it with the --n and --seed it was made with"
            )
        for question in ("readable", "supports"):
            said.setdefault((row.kind, question), []).append(_verdict(entry.get(question), f"{path}:{line}", question))
    checks = said.pop(("check", "supports"), [])
    said.pop(("check", "readable"), None)
    shares = [Share(kind, question, sum(verdicts), len(verdicts)) for (kind, question), verdicts in sorted(said.items())]
    return shares, checks.count(False), len(checks)


def _entries(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line and cells of each row of a sheet."""
    table = csv.DictReader(io.StringIO(text_of(path)))
    try:
        for entry in table:
            yield table.line_num, entry
    except csv.Error as error:
        raise SourceError(f"not CSV ({error})", place=f"{path}:{table.line_num}") from error


def _verdict(text: str | None, place: str, column: str) -> bool:
    word = (text or "").strip().casefold()
    if word in _YES:
        return True
    if word not in _NO:
        raise SourceError(f"'{word}' under {column} is neither yes nor no", place=place, way_out="fill in yes or no")
    return False
