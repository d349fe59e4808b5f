"""The command `autodebug`: passages whose answer is swapped, or that are enriched, and the originals (AutoDebug).

```
python -m generators.autodebug --n 100
python -m generators.autodebug --n 100 --attack swap --place last --store ./wd --out attacks.jsonl
```
"""

from __future__ import annotations

from typing import Annotated

import typer

from generators.autodebug.compose import Dials, Length, Place
from generators.autodebug.enrich import Added
from generators.autodebug.exemplars import exemplars_of
from generators.autodebug.make import Options, Result, generate
from generators.autodebug.options import Attack, Kind
from generators.autodebug.published import read_published
from generators.autodebug.seeds import Seed, read_seeds, seeds_of
from generators.autodebug.sheet import read_sheet, sheet_rows, write_sheet
from generators.autodebug.swap import Distance, Popularity, SwapDials
from generators.autodebug.texts import text_items
from generators.items import write_items
from kg import cli, open_graph
from kg.cli import Endpoint, Quiet, Store, fail_check, new_app, note, run
from kg.files import check_apart
from queries.records import Item, read, write, write_frame

app = new_app("Passages whose answer is swapped, or that are enriched, and the originals (AutoDebug).")


@app.callback(invoke_without_command=True)
def autodebug(
    context: typer.Context,
    n: Annotated[int, typer.Option(min=1, max=2**53, help="How many facts to ask about.")] = 1000,
    attack: Annotated[Attack, typer.Option(help="What is done to the evidence; the originals come too.")] = Attack.both,
    distance: Annotated[Distance | None, typer.Option(help="Of the swapped answer from the subject [default: drawn].")] = None,
    popularity: Annotated[
        Popularity | None, typer.Option(help="Of the swapped answer, against the old [default: drawn].")
    ] = None,
    added: Annotated[Added | None, typer.Option(help="Sentences about each of three other things [default: drawn].")] = None,
    place: Annotated[Place | None, typer.Option(help="Of the supporting sentence [default: drawn].")] = None,
    length: Annotated[Length | None, typer.Option(help="Of the passage: 2, 4 or 7 other facts [default: drawn].")] = None,
    text: Annotated[
        str | None, typer.Option("--source", help="Your questions with evidence: MRQA or plain JSONL, SQuAD JSON, .gz or not.")
    ] = None,
    passages: Annotated[
        str | None, typer.Option(help="To enrich --source with: JSONL of title, text [default: itself].")
    ] = None,
    seeds: Annotated[
        str | None, typer.Option("--seeds", help="Attack what the pivot read rightly (`autodebug seeds`).")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: cli.Seed = 0,
    store: Store = None,
    endpoint: Endpoint = None,
    out: Annotated[str | None, typer.Option(help="The file to write [default: autodebug-ATTACK.jsonl]; `-` is stdout.")] = None,
    quiet: Quiet = False,
) -> None:
    """Write passages from facts, swap the answer in them or enrich them, each with the queries that prove it.

    \b
    Examples:
      python -m generators.autodebug --n 100
      python -m generators.autodebug --n 100 --attack enrich --length short --out enriched.jsonl
    """
    if context.invoked_subcommand is not None:
        return
    categories, pivot = read_seeds(seeds) if seeds is not None else (None, None)
    graph = open_graph(store, endpoint)
    if text is not None:
        items, attacked, known, left_out = text_items(text, graph, n, seed, attack, passages, pivot, categories)
        result = Result(items, attacked, n if categories is None else min(n, len(categories)), known, left_out)
        path = out or f"autodebug-{attack}.jsonl"
        count = write_items(path, items if limit is None else items.head(limit))
        note(summary(result, path, count), quiet)
        if result.short:
            raise fail_check()
        return
    options = Options(n, seed, attack, Dials(length, place), SwapDials(distance, popularity), added, categories, pivot)
    result = generate(graph, options)
    path = out or f"autodebug-{attack}.jsonl"
    count = write_items(path, result.items if limit is None else result.items.head(limit))
    note(summary(result, path, count), quiet)
    if result.short:
        raise fail_check()


@app.command("seeds")
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


@app.command("exemplars")
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


@app.command("sheet")
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
    shares, right, checks = read_sheet(filled, items, n, seed)
    for share in shares:
        low, high = share.interval
        print(f"{share.kind}, {share.question}: {share.right} of {share.of} ({low:.1%} to {high:.1%})")
    print(f"checks: {right} of {checks} right" + ("" if right == checks else "; the sheet is not accepted"))
    if right < checks:
        raise fail_check()


@app.command("published")
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


def summary(result: Result, path: str, written: int) -> str:
    """Say in a few lines what was asked for, what was made, why not the rest, and show a fact's passages."""
    lines = [f"{written} items in {path}: {result.facts} facts of {result.wanted} asked for"]
    lines.append(f"facts with a question in this graph: {result.known}")
    lines += [f"  left out, {reason}: {count}" for reason, count in result.left_out.items()]
    shown = result.items.unique("variant", keep="first", maintain_order=True)
    for variant, question, answer, context in shown.select("variant", "question", "answer", "context").iter_rows():
        lines.append(f"  {variant}: {context}\n    {question} ({answer[0]})")
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.autodebug")


if __name__ == "__main__":
    main()
