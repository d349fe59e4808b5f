"""The commands on items that are made: `exemplars`, `pools`, `sheet` and `premium`, a subset that people have read.

FACT-BENCH, section 2.3: of 2,000 items 201 were ambiguous or not supported, so that the upper bound of the whole set is 90%,
and that of the subset, where they were replaced, 100%.

```
>>> interval(1799, 2000)
(0.885..., 0.911...)

```"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from msgspec import structs

from generators.factbench.exemplars import Shot, mixed, pools, shots
from kg.cli import Quiet, Seed, fail_check, note
from kg.errors import InputError, SourceError, nearest
from kg.files import check_apart, read_bytes, write_bytes
from queries.records import Exemplar, Item, Verdict, records_in, write

Items = Annotated[str, typer.Argument(metavar="ITEMS.jsonl", help="Items of this generator, such as those to learn from.")]
Shots = Annotated[int, typer.Option("--n", min=1, help="How many demonstrations; the paper shows 1, 6, 10, 20 and 32.")]
Counterfactual = Annotated[bool, typer.Option("--counterfactual", help="Show each with the answer of another of its property.")]


def exemplars_(
    items: Items,
    n: Shots = 10,
    counterfactual: Counterfactual = False,
    seed: Seed = 0,
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "factbench-exemplars.jsonl",
    quiet: Quiet = False,
) -> None:
    """Write one fixed set of demonstrations for all models, the types of answers in turn.

    \b
    Examples:
      python -m generators.factbench exemplars train.jsonl --n 10
      python -m generators.factbench exemplars train.jsonl --n 10 --counterfactual --out counterfactual.jsonl
    """
    check_apart({"--out": out}, [items])
    made = shots(_items(items), n, seed, counterfactual=counterfactual)
    _write(out, made)
    note(f"{len(made)} demonstrations of {n} in {out}", quiet)
    if len(made) < n:
        raise fail_check()


def pools_(
    verdicts: Annotated[str, typer.Argument(metavar="VERDICTS.jsonl", help="Verdicts on a model's answers to the items.")],
    items: Annotated[str, typer.Option(help="The items, best those to learn from.")],
    model: Annotated[str | None, typer.Option(help="Whose verdicts, where there are several models.")] = None,
    n: Annotated[int, typer.Option(min=1, help="How many demonstrations a pool has.")] = 32,
    counterfactual: Counterfactual = False,
    seed: Seed = 0,
    out: Annotated[str, typer.Option(help="What the files are called: OUT-known.jsonl, -unknown, -mixed.")] = "pool",
    quiet: Quiet = False,
) -> None:
    """Write pools of demonstrations by what a model knows: all its answers right, none right, and half of each.

    \b
    Examples:
      python -m generators.factbench pools verdicts.jsonl --items train.jsonl
      python -m generators.factbench pools verdicts.jsonl --items train.jsonl --counterfactual --out wrong
    """
    paths = {name: f"{out}-{name}.jsonl" for name in ("known", "unknown", "mixed")}
    check_apart(paths, [verdicts, items])
    parts = pools(_items(items), (verdict for _, verdict in records_in(verdicts, Verdict)), model)
    known, unknown = (shots(part, n, seed, counterfactual=counterfactual) for part in parts)
    made = {"known": known, "unknown": unknown, "mixed": mixed(known, unknown, n)}
    for name, part in made.items():
        _write(paths[name], part)
    counts = ", ".join(f"{len(part)} in {paths[name]}" for name, part in made.items())
    note(f"{len(parts.known)} items known, {len(parts.unknown)} unknown; {n} wanted of each: {counts}", quiet)
    if any(len(part) < n for part in made.values()):
        raise fail_check()


def sheet_(
    items: Items,
    n: Annotated[int, typer.Option(min=1, help="How many items people are to read.")] = 2000,
    out: Annotated[str, typer.Option(help="The sheet (CSV) to write; `-` is stdout.")] = "factbench-sheet.csv",
    quiet: Quiet = False,
) -> None:
    """Write a sheet on which people say which items are valid: fill in `valid` with yes or no.

    Any first items of a file have the mix of the whole.

    \b
    Example: python -m generators.factbench sheet factbench.jsonl --n 200
    """
    check_apart({"--out": out}, [items])
    every = _items(items)
    write_bytes(out, sheet(every, n))
    note(f"{min(n, len(every))} items in {out}: write yes or no under `valid`", quiet)


def premium_(
    items: Items,
    judged: Annotated[str, typer.Argument(metavar="SHEET.csv", help="The sheet, filled in.")],
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "factbench-premium.jsonl",
    whole: Annotated[str | None, typer.Option(help="Write all items, too, with the count that the report shows.")] = None,
    quiet: Quiet = False,
) -> None:
    """Write the subset that people found valid, its bad items replaced, and say the upper bound of the whole set.

    The report shows the bound, with its interval. What replaces a bad item is unread: give it a sheet of its own.

    \b
    Example: python -m generators.factbench premium factbench.jsonl factbench-sheet.csv
    """
    check_apart({"--out": out, "--whole": whole}, [items, judged])
    every = _items(items)
    premium = replaced(every, read_sheet(judged))
    write(out, premium.items)
    if whole is not None:
        write(whole, [marked(item, premium.good, premium.read) for item in every])
    low, high = interval(premium.good, premium.read)
    share = premium.good / premium.read if premium.read else 0.0
    bad = premium.read - premium.good
    note(f"{len(premium.items)} items in {out}: {bad - premium.missing} of {bad} bad ones replaced", quiet)
    found = f"{premium.good} of {premium.read} are valid"
    note(f"upper bound of the whole set: {share:.1%} (95%: {low:.1%} to {high:.1%}); {found}", quiet)
    if premium.missing:
        raise fail_check()


def _items(path: str) -> list[Item]:
    """Read items. Raises InputError where a file holds none."""
    items = [item for _, item in records_in(path, Item)]
    if not items:
        raise InputError("holds no item", place=path, way_out="make some: python -m generators.factbench --out FILE")
    return items


def _write(path: str, made: list[Shot]) -> None:
    records: list[Exemplar] = [shot.exemplar for shot in made]
    write(path, records)


COMMANDS: dict[str, Callable[..., None]] = {"exemplars": exemplars_, "pools": pools_, "sheet": sheet_, "premium": premium_}


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
