"""A subset that people have read: a sheet to judge items on, read back; bad items replaced, the share of good ones said.

FACT-BENCH, section 2.3: of 2,000 items 201 were ambiguous or not supported, so that the upper bound of the whole set is 90%,
and that of the subset, where they were replaced, 100%.

```
>>> interval(1799, 2000)
(0.885..., 0.911...)

```
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from kg.errors import InputError, SourceError, nearest
from kg.files import read_bytes
from queries.records import Item

COLUMNS = ("id", "question", "answers", "subject", "property", "valid", "note")
_GOOD, _BAD = frozenset(("yes", "y", "good", "valid", "1", "true")), frozenset(("no", "n", "bad", "invalid", "0", "false"))
_Z = 1.959964


class Premium(NamedTuple):
    """The subset: its items, how many were read, how many of those are good, and the cells that had no replacement left."""

    items: list[Item]
    read: int
    good: int
    missing: int


def sheet(items: Iterable[Item], n: int) -> bytes:
    """Write the first `n` items as a sheet to be judged: `valid` is to be filled in with yes or no."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for _, item in zip(range(n), items, strict=False):
        subject = item.source.get("subject", "")
        writer.writerow(
            [item.id, item.question, " | ".join(item.answer or ()), subject, item.strata.get("property") or item.family, "", ""]
        )
    return out.getvalue().encode()


def read_sheet(path: str) -> dict[str, bool]:
    """Return which items of a sheet are valid.

    Raises SourceError where a row says neither yes nor no, with its line.
    """
    try:
        rows = csv.DictReader(io.StringIO(read_bytes(Path(path)).decode("utf-8-sig"), newline=""))
        return _said(rows, path)
    except UnicodeDecodeError:
        raise SourceError("is not UTF-8", place=path, way_out="save the sheet as CSV in UTF-8") from None
    except csv.Error as error:
        raise SourceError(f"is no table ({error})", place=path, way_out="save the sheet as CSV") from error


def _said(rows: csv.DictReader[str], path: str) -> dict[str, bool]:
    for name in ("id", "valid"):
        if name not in (rows.fieldnames or ()):
            raise SourceError(f"column '{name}' is missing", place=path, way_out=nearest(name, rows.fieldnames or ()))
    judged: dict[str, bool] = {}
    for row in rows:
        said = (row["valid"] or "").strip().lower()
        if said not in _GOOD | _BAD:
            raise SourceError(f"'{said}' says neither yes nor no", place=f"{path}:{rows.line_num}", way_out="write yes or no")
        judged[row["id"]] = said in _GOOD
    return judged


def replaced(items: Sequence[Item], judged: dict[str, bool]) -> Premium:
    """Return the items that were found valid, each bad one replaced by the next unread item of its domain, quarter and type.

    Raises InputError where the sheet names an item that the file does not have.
    """
    known = {item.id for item in items}
    if unknown := next((name for name in judged if name not in known), None):
        raise InputError(f"no item '{unknown}' in the file", way_out="give the items that the sheet was made from")
    spare: dict[tuple[str | None, ...], list[Item]] = {}
    for item in items:
        if item.id not in judged:
            spare.setdefault(_cell(item), []).append(item)
    kept, missing = [], 0
    for item in (item for item in items if item.id in judged):
        if judged[item.id]:
            kept.append(item)
        elif others := spare.get(_cell(item)):
            kept.append(others.pop(0))
        else:
            missing += 1
    good = sum(judged.values())
    return Premium([marked(item, good, len(judged)) for item in kept], len(judged), good, missing)


def marked(item: Item, good: int, read: int) -> Item:
    """Say in an item how many of its set people have read, and how many of these are valid: `evaluators.report` shows it."""
    return structs.replace(item, source={**item.source, "read": f"{good} of {read}"})


def _cell(item: Item) -> tuple[str | None, ...]:
    return (item.strata.get("domain"), item.strata.get("popularity"), item.answer_type)


def interval(good: int, read: int) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson, 1927).

    >>> interval(0, 0)
    (0.0, 1.0)
    """
    if not read:
        return 0.0, 1.0
    share, z = good / read, _Z
    centre, spread = share + z * z / (2 * read), z * sqrt(share * (1 - share) / read + z * z / (4 * read * read))
    return max(0.0, (centre - spread) / (1 + z * z / read)), min(1.0, (centre + spread) / (1 + z * z / read))
