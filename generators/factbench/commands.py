"""The commands on items that are made: `exemplars`, `pools`, `sheet` and `premium`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from generators.factbench.exemplars import Shot, mixed, pools, shots
from generators.factbench.premium import interval, marked, read_sheet, replaced, sheet
from kg.cli import Quiet, Seed, fail_check, note
from kg.errors import InputError
from kg.files import check_apart, write_bytes
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
