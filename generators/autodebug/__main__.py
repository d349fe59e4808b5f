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
from generators.autodebug.make import Attack, Options, Result, generate
from generators.autodebug.swap import Distance, Popularity, SwapDials
from generators.items import write_items
from kg import open_graph
from kg.cli import Endpoint, Quiet, Seed, Store, fail_check, new_app, note, run

app = new_app("Passages whose answer is swapped, or that are enriched, and the originals (AutoDebug).")


@app.command()
def autodebug(
    n: Annotated[int, typer.Option(min=1, max=2**53, help="How many facts to ask about.")] = 1000,
    attack: Annotated[Attack, typer.Option(help="What is done to the evidence; the originals come too.")] = Attack.both,
    distance: Annotated[Distance | None, typer.Option(help="Of the swapped answer from the subject [default: drawn].")] = None,
    popularity: Annotated[
        Popularity | None, typer.Option(help="Of the swapped answer, against the old [default: drawn].")
    ] = None,
    added: Annotated[Added | None, typer.Option(help="Sentences about each of three other things [default: drawn].")] = None,
    place: Annotated[Place | None, typer.Option(help="Of the supporting sentence [default: drawn].")] = None,
    length: Annotated[Length | None, typer.Option(help="Of the passage: 2, 4 or 7 other facts [default: drawn].")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
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
    graph = open_graph(store, endpoint)
    options = Options(n, seed, attack, Dials(length, place), SwapDials(distance, popularity), added)
    result = generate(graph, options)
    path = out or f"autodebug-{attack}.jsonl"
    count = write_items(path, result.items if limit is None else result.items.head(limit))
    note(summary(result, path, count), quiet)
    if result.short:
        raise fail_check()


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
