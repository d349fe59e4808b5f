"""The commands beside the main one: seeds, exemplars, the sheet for people, and passages that others published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated

import typer

from generators.autodebug.published import read_published
from generators.autodebug.seeds import Seed, seeds_of
from generators.autodebug.sheet import Share, read_sheet, sheet_rows, write_sheet
from generators.items import short_hash, write_items
from kg import cli
from kg.cli import Quiet, fail_check, note
from kg.errors import InputError
from kg.files import check_apart
from queries.records import Exemplar, Item, read, write, write_frame
from queries.records.exemplar import EXEMPLAR_SCHEMA


class Kind(StrEnum):
    """Which passages demonstrate."""

    original = "original"
    swap = "swap"
    enrich = "enrich"


def add_commands(app: typer.Typer) -> None:
    """Add the commands to an application."""
    for name, command in (
        ("seeds", seeds_command), ("exemplars", exemplars_command), ("sheet", sheet_command), ("published", published_command)
    ):  # fmt: skip
        app.command(name)(command)


def seeds_command(
    items: Annotated[str, typer.Option(help="items.jsonl, with the original passages.")],
    open_book: Annotated[str, typer.Option("--open", help="The verdicts on them, asked with --setting open-book.")],
    closed_book: Annotated[str, typer.Option("--closed", help="The same, asked with --setting closed-book.")],
    entailed: Annotated[str | None, typer.Option(help="entailed.jsonl of the open-book answers.")] = None,
    closed_entailed: Annotated[str | None, typer.Option(help="entailed.jsonl of the closed-book answers.")] = None,
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "seeds.jsonl",
    quiet: Quiet = False,
) -> None:
    """Tell what a pivot model reads and what it knows: the facts that may be attacked.

    \b
    Example:
      python -m generators.autodebug seeds --items items.jsonl --open open.jsonl --closed closed.jsonl --out seeds.jsonl
    """
    check_apart({"--out": out}, [items, open_book, closed_book, entailed, closed_entailed])
    frame, counts = seeds_of(items, open_book, closed_book, entailed, closed_entailed)
    write_frame(out, frame, Seed)
    lines = [f"{frame.height} seeds in {out} (open book/closed book)"]
    note("\n".join(lines + [f"  {category}: {count}" for category, count in counts.items()]), quiet)


def exemplars_command(
    items: Annotated[str, typer.Option(help="items.jsonl, of other facts than those asked about.")],
    kind: Annotated[Kind, typer.Option(help="Which passages demonstrate.")] = Kind.original,
    n: Annotated[int, typer.Option(min=1, help="How many.")] = 5,
    seed: cli.Seed = 0,
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "exemplars.jsonl",
    quiet: Quiet = False,
) -> None:
    """Draw demonstrations of one kind, for --exemplars of `ask`: the run is then labelled METHOD/KIND.

    \b
    Example:
      python -m generators.autodebug exemplars --items other.jsonl --kind swap --out swap.jsonl
    """
    check_apart({"--out": out}, [items])
    drawn = exemplars_of(read(items, Item), kind.value, n, seed)
    write(out, drawn)
    note(f"{len(drawn)} exemplars in {out}", quiet)


def sheet_command(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    n: Annotated[int, typer.Option(min=1, help="How many passages; a check for every ten comes too.")] = 100,
    seed: cli.Seed = 0,
    filled: Annotated[str | None, typer.Option("--read", help="A sheet that was filled in: say what it says.")] = None,
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "sheet.csv",
    quiet: Quiet = False,
) -> None:
    """Write a sheet on which people say whether passages are readable and support the answer; read it back.

    \b
    Examples:
      python -m generators.autodebug sheet --items items.jsonl --n 100 --out sheet.csv
      python -m generators.autodebug sheet --items items.jsonl --n 100 --read sheet.csv
    """
    if filled is None:
        rows = sheet_rows(read(items, Item), n, seed)
        write_sheet(out, rows)
        note(f"{len(rows)} rows in {out}, checks among them: fill in yes or no under readable and supports", quiet)
        return
    _say_shares(*read_sheet(filled, items, n, seed))


def _say_shares(shares: list[Share], right: int, checks: int) -> None:
    for share in shares:
        low, high = share.interval
        print(f"{share.kind}, {share.question}: {share.right} of {share.of} ({low:.1%} to {high:.1%})")
    print(f"checks: {right} of {checks} right" + ("" if right == checks else "; the sheet is not accepted"))
    if right < checks:
        raise fail_check()


def published_command(
    file: Annotated[str, typer.Argument(help="Questions, new answers and changed evidence: JSON or JSONL, .gz or not.")],
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "published.jsonl",
    quiet: Quiet = False,
) -> None:
    """Hold passages that others changed against the rules, and make items of those that keep them.

    \b
    Example:
      python -m generators.autodebug published counterfact.json.gz --out published.jsonl
    """
    check_apart({"--out": out}, [file])
    made = read_published(file)
    count = write_items(out, made.items)
    lines = [f"{count} items in {out}: of {made.passages} passages {made.faulty} break a rule"]
    note("\n".join(lines + [f"  {reason}: {number}" for reason, number in made.broken.most_common()]), quiet)


def exemplars_of(items: Sequence[Item], kind: str, n: int, seed: int) -> list[Exemplar]:
    """Draw demonstrations of a variant by hash, each of another fact: first of facts that have all, the same for all kinds.

    Raises InputError where no item is of the kind.
    """
    of_kind = [item for item in items if item.task == "context" and item.variant == kind and item.answer]
    if not of_kind:
        raise InputError(f"no item is of the variant '{kind}'", way_out="make some with `python -m generators.autodebug`")
    variants = {(item.group, item.variant) for item in items}
    missing = Counter({item.group: sum((item.group, str(kind)) not in variants for kind in Kind) for item in of_kind})
    ordered = sorted(of_kind, key=lambda item: (missing[item.group], short_hash(f"{seed}\0exemplar\0{item.group}"), item.id))
    return list(_first_of_each(ordered))[:n]


def _first_of_each(items: Sequence[Item]) -> Iterator[Exemplar]:
    seen: set[str] = set()
    for item in items:
        if item.group not in seen:
            seen.add(item.group)
            yield Exemplar(
                schema=EXEMPLAR_SCHEMA,
                task=item.task,
                variant=item.variant,
                question=item.question,
                context=item.context,
                text=(item.answer or [""])[0],
                group=item.group,
            )
