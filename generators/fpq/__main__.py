"""The command `fpq`: false-premise questions (KG-FPQ), each with the queries that prove it.

```
python -m generators.fpq --domain art
python -m generators.fpq --domain people --n 200 --store ./wd --out people.jsonl.gz
python -m generators.fpq --domain art --n 50 --writer openai:MODEL
```
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import polars as pl
import typer

from evaluators.models.recording import beside
from generators.fpq.edits import NEAR, REASONS, Edits
from generators.fpq.make import Direction, EngineName, HopOrder, Options, Result, Sampling, generate
from generators.fpq.own_edits import open_edits
from generators.fpq.writer import open_writer
from generators.items import write_items
from kg import open_graph
from kg.cli import Endpoint, Quiet, Seed, Store, fail_check, new_app, note, run
from queries.domain import find_domain

app = new_app("False-premise questions by editing true triples in six graded ways (KG-FPQ).")


@app.command()
def fpq(
    domain: Annotated[str, typer.Option(help="art, people, place, or a path to a domain file (.toml).")],
    n: Annotated[
        int | None,
        typer.Option(min=1, max=2**53, help="How many facts to ask about, each in up to 14 questions [default: up to 1000]."),
    ] = None,
    radius: Annotated[int, typer.Option(min=1, max=5, help="How many hops away a neighbour may be.")] = 5,
    direction: Annotated[Direction, typer.Option(help="Which way a hop may follow a fact.")] = Direction.forward,
    hops: Annotated[HopOrder, typer.Option(help="How the distance of near objects is drawn.")] = HopOrder.balanced,
    sampling: Annotated[
        Sampling, typer.Option(help="Evenly over relations and objects, edits at like frequency; or all alike.")
    ] = Sampling.even,
    pool: Annotated[
        int, typer.Option(min=1, max=2**53, help="How many candidates an edit needs; one for each 1000 entities is enough.")
    ] = 10,
    open_relations: Annotated[
        bool, typer.Option("--open-relations", help="Ask about relations too whose objects nobody lists in full.")
    ] = False,
    balance: Annotated[
        bool, typer.Option("--balance", help="As many true premises as false ones, from different facts.")
    ] = False,
    edit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.rq", help="An own edit beside the six, a SELECT of ?s ?p ?o ?edited; several times for several."
        ),
    ] = None,
    engine: Annotated[EngineName, typer.Option(help="What finds the candidates; same bytes.")] = EngineName.arrays,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    store: Store = None,
    endpoint: Endpoint = None,
    out: Annotated[str | None, typer.Option(help="The file to write [default: fpq-DOMAIN.jsonl]; `-` is stdout.")] = None,
    writer: Annotated[str | None, typer.Option(help="A model that words the questions; else a template does.")] = None,
    tries: Annotated[int, typer.Option(min=1, help="How often the writer is asked for a question that can be used.")] = 3,
    recording: Annotated[str | None, typer.Option(help="The file of its answers [default: OUT.writer.jsonl].")] = None,
    quiet: Quiet = False,
) -> None:
    """Make false-premise questions of a domain, each with the queries that prove it.

    \b
    Examples:
      python -m generators.fpq --domain art
      python -m generators.fpq --domain place --n 50 --hops nearest --out place.jsonl
      python -m generators.fpq --domain art --n 50 --writer openai:MODEL --out art.jsonl
      python -m generators.fpq --domain art --n 50 --edit my-edit.rq --out art.jsonl
    """
    asked = find_domain(domain)
    graph = open_graph(store, endpoint)
    path = out or f"fpq-{asked.name}.jsonl"
    author, wanted = None, 1000 if n is None else n
    if writer is not None:
        author = open_writer(writer, tries, recording or beside(path, "writer"), quiet=quiet)
        wanted = min(wanted, limit or wanted)  # every fact gives two questions or more, and no more of them are to be paid for
    options = Options(
        wanted, seed, radius, direction, hops, engine, sampling, pool, open_relations, balance, open_edits(edit or ())
    )
    result = generate(graph, asked, options, writer=author, quiet=quiet)
    count = write_items(path, result.items if limit is None else result.items.head(limit))
    note(summary(result, path, count), quiet)
    if result.short and n is not None:
        raise fail_check()


def summary(result: Result, path: str, written: int) -> str:
    """Say in a few lines what was asked for, what was made, why not the rest, and show three questions."""
    sample, edits = result.sample, result.edits
    lines = [f"{written} items in {path}: {len(sample.triples)} facts of {result.wanted} asked for"]
    lines.append(f"facts of the domain: {sample.facts}, of which {sample.eligible} can be asked about")
    lines += [f"  left out, {reason}: {count}" for reason, count in sample.left_out.items()]
    if result.repeated:
        lines.append(f"left out, their text stands above: {result.repeated} items")
    lines += [_edit_line(edit, column, edits) for column, edit in enumerate(edits.names)]
    lines += [f"{edit:>5}: refused {counts.total():,} it finds: {_counted(counts)}" for edit, counts in result.refused.items()]
    lines.append(_guess_line(result.guesses))
    for column, edit in enumerate(NEAR):
        spread = Counter(int(h) for h in edits.hops[:, column] if h)
        lines.append(f"hops of {edit}: " + ", ".join(f"{hop}: {spread[hop]}" for hop in sorted(spread)))
    if result.writer is not None:
        lines += result.writer.summary()
    three = result.items.filter(pl.col("variant").is_in(["tpq", "NSC", "NNDR", *result.refused]))
    shown = three.unique("variant", keep="first", maintain_order=True)
    lines += [f"  {variant:>4}  {question}" for variant, question in shown.select("variant", "question").iter_rows()]
    return "\n".join(lines)


def _edit_line(edit: str, column: int, edits: Edits) -> str:
    codes = Counter(int(code) for code in edits.reasons[:, column])
    why = ", ".join(f"{REASONS[code]}: {codes[code]}" for code in sorted(codes) if code)
    return f"{edit:>5}: {codes[0]} made" + (f"; not the others: {why}" if why else "")


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{reason}: {count:,}" for reason, count in counts.items() if count) or "none"


def _guess_line(guesses: pl.DataFrame) -> str:
    """Say what somebody gets who takes the commoner object of a pair for the true one."""
    said = [f"{edit} {right:.0%}" for edit, pairs, right in guesses.iter_rows() if pairs]
    return "a guesser by frequency gets: " + (", ".join(said) or "nothing to guess")


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.fpq")


if __name__ == "__main__":
    main()
