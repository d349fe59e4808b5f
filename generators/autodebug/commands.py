"""The commands beside the main one: seeds, exemplars, the sheet for people, and passages that others published.

The sheet (section 3.3) asks whether a passage is readable and supports the answer. For every ten rows there is a check, a
passage without its supporting sentence, whose right verdict is "no": a sheet with a wrong check is not accepted. Passages that
others have changed, such as the authors' 999, are held against the rules of sections 2.1 and 3.1: the new answer stands in the
evidence, the question does not hold it, it has five words at most, the evidence ten at least."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple

import polars as pl
import typer

from generators.autodebug.qa_files import Asked, records_of, text_of
from generators.autodebug.seeds import Seed, seeds_of
from generators.autodebug.text_edits import sentences, support_of
from generators.items import assemble, short_hash, write_items
from kg import cli
from kg.cli import Quiet, fail_check, note
from kg.errors import InputError, SourceError
from kg.files import check_apart, write_bytes
from kg.text import fold
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


_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_QUOTES = "\"'“”‘’`"
MISSING, FORM, LONG, LEAK, SHORT = (
    "the new answer does not stand in the evidence",
    "of it only a part of other words stands there",
    "the new answer is longer than 5 words",
    "the question holds the new answer",
    "the evidence is shorter than 10 words",
)


class Published(NamedTuple):
    """What was made of a file: items, how many passages it has, how many break each rule, how many break one at least."""

    items: pl.DataFrame
    passages: int
    broken: Counter[str]
    faulty: int


def faults_of(asked: Asked) -> list[str]:
    """Return the rules that a changed passage breaks.

    >>> faults_of(Asked("Who won?", "Asia", "Asian teams won all of the games that were played there last summer ."))
    ['of it only a part of other words stands there']
    """
    answer, evidence = fold(asked.answer), fold(asked.evidence)
    faults = []
    if not _stands(asked):
        faults.append(FORM if answer in evidence else MISSING)
    if len(asked.answer.split()) > 5:
        faults.append(LONG)
    if f" {answer} " in f" {fold(asked.question)} ":
        faults.append(LEAK)
    if len(asked.evidence.split()) < 10:
        faults.append(SHORT)
    return faults


def read_published(path: str) -> Published:
    """Read a file of questions, new answers and changed evidence.

    Raises SourceError naming the place where it holds none.
    """
    broken: Counter[str] = Counter()
    kept, passages = [], 0
    for question, answers, evidence in records_of(path):
        passages += 1
        text = " ".join(html.unescape(_TAG.sub("", evidence)).split())
        asked = Asked(question, (answers or [""])[0].strip(_QUOTES + " "), text)
        faults = faults_of(asked)
        broken.update(faults)
        if not faults:
            kept.append(asked)
    rows = [
        (
            asked.question,
            asked.answer,
            asked.evidence,
            sentences(asked.evidence)[support_of(asked)],
            short_hash("\0".join(asked)),
        )
        for asked in dict.fromkeys(kept)
    ]
    frame = pl.DataFrame(
        rows, schema=dict.fromkeys(("question", "answer", "context", "support", "group"), pl.String), orient="row"
    )
    items = assemble(
        frame,
        bindings=["question", "answer", "context"],
        strata={"category": "1"},
        source={"file": Path(path).name, "support": pl.col("support")},
        method="autodebug",
        family="published",
        task="context",
        variant="swap",
        question=pl.col("question"),
        answer=pl.concat_list("answer"),
        context=pl.col("context"),
        group=pl.concat_str(pl.lit("autodebug."), "group"),
    )
    return Published(items, passages, broken, passages - len(kept))


def _stands(asked: Asked) -> bool:
    return (
        bool(asked.answer) and re.search(rf"(?<!\w){re.escape(asked.answer)}(?!\w)", asked.evidence, re.IGNORECASE) is not None
    )


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
