"""The command `fpq`: false-premise questions (KG-FPQ), each with the queries that prove it.

```
python -m generators.fpq --domain art
python -m generators.fpq --domain people --n 200 --store ./wd --out people.jsonl.gz
python -m generators.fpq --domain art --n 50 --writer openai:MODEL
```
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Annotated

import polars as pl
import typer

from evaluators.models.runs import Terms, beside, with_terms
from generators.fpq.edits import NEAR, REASONS, Edits
from generators.fpq.guesser import UNLIKE
from generators.fpq.make import Direction, EngineName, HopOrder, Options, Result, Sampling, generate
from generators.fpq.own_edits import open_edits
from generators.fpq.writer import open_writer
from generators.items import group_sizes, write_items
from generators.making import MakingParts
from kg.cli import Quiet, Seed, fail_check, new_app, note, run
from kg.graph_choice import with_graph
from queries.domain import find_domain

_FEW = 10
"""Where a near edit is made for less than one fact in so many, the command says what to try."""

app = new_app("False-premise questions by editing true triples in six graded ways (KG-FPQ).")


_Domain = Annotated[str, typer.Option(help="art, people, place, or a path to a domain file (.toml).")]
_Facts = Annotated[
    int | None,
    typer.Option(min=1, max=2**53, help="How many facts to ask about, each in up to 14 questions [default: up to 1000]."),
]
_Radius = Annotated[
    int | None, typer.Option(min=1, max=5, help="How many hops away a neighbour may be [default: 5, with --frontier 2].")
]
_Direction = Annotated[Direction, typer.Option(help="Which way a hop may follow a fact.")]
_Hops = Annotated[HopOrder, typer.Option(help="How the distance of near objects is drawn.")]
_Sampling = Annotated[Sampling, typer.Option(help="Evenly over relations and objects, edits at like frequency; or all alike.")]
_Pool = Annotated[
    int, typer.Option(min=1, max=2**53, help="How many candidates an edit needs; one for each 1000 entities is enough.")
]
_Open = Annotated[bool, typer.Option("--open-relations", help="Ask about relations too whose objects nobody lists in full.")]
_Balance = Annotated[bool, typer.Option("--balance", help="As many true premises as false ones, from different facts.")]
_Own = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE.rq", help="An own edit beside the six, a SELECT of ?s ?p ?o ?edited; several times for several."
    ),
]
_Engine = Annotated[EngineName, typer.Option(help="What finds the candidates; same bytes.")]
_Frontier = Annotated[
    bool, typer.Option("--frontier", help="Ask the graph for a sample and never pull it: for one larger than this machine.")
]
_Limit = Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")]
_Out = Annotated[str | None, typer.Option(help="The file to write [default: fpq-DOMAIN.jsonl]; `-` is stdout.")]
_Writer = Annotated[str | None, typer.Option(help="A model that words the questions; else a template does.")]
_Tries = Annotated[int, typer.Option(min=1, help="How often the writer is asked for a question that can be used.")]
_Recording = Annotated[str | None, typer.Option(help="The file of its answers [default: OUT.writer.jsonl].")]


@app.command()
@with_terms
@with_graph
def fpq(
    domain: _Domain,
    n: _Facts = None,
    radius: _Radius = None,
    direction: _Direction = Direction.forward,
    hops: _Hops = HopOrder.balanced,
    sampling: _Sampling = Sampling.even,
    pool: _Pool = 10,
    open_relations: _Open = False,
    balance: _Balance = False,
    edit: _Own = None,
    engine: _Engine = EngineName.arrays,
    frontier: _Frontier = False,
    limit: _Limit = None,
    seed: Seed = 0,
    where: MakingParts = MakingParts(),
    out: _Out = None,
    writer: _Writer = None,
    tries: _Tries = 3,
    recording: _Recording = None,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Make false-premise questions of a domain, each with the queries that prove it.

    \b
    Examples:
      python -m generators.fpq --domain art
      python -m generators.fpq --domain place --n 50 --hops nearest --out place.jsonl
      python -m generators.fpq --domain art --n 50 --writer openai:MODEL --out art.jsonl
      python -m generators.fpq --domain art --n 50 --edit my-edit.rq --out art.jsonl
      python -m generators.fpq --domain people --n 100 --frontier
    """
    terms.check_used(writer, "--writer")
    shard = where.part(limit=limit, balance=balance, writer=writer)
    asked = find_domain(domain)
    graph = where.open()
    path = where.path(out, f"fpq-{asked.name}.jsonl")
    author = None if writer is None else open_writer(writer, tries, recording or beside(path, "writer"), terms, quiet=quiet)
    # Every fact gives two questions or more, and a writer is not to be paid for more facts than are written.
    wanted = min(n or 1000, limit or 2**53) if author else n or 1000
    own = open_edits(edit or ())
    reach = radius or (2 if frontier else 5)
    drawing = Options(wanted, seed, reach, direction, hops, engine, sampling, pool, open_relations, balance, own)
    options = replace(drawing, shard=shard, frontier=frontier)
    result = generate(graph, asked, options, writer=author, quiet=quiet)
    with where.writing(path, graph, quiet=quiet) as target:
        _write(result, options, target, path, limit, where.hushed(quiet))
    if result.short and n is not None:
        raise fail_check()


def _write(result: Result, options: Options, target: str, path: str, limit: int | None, quiet: bool) -> None:
    """Write the items, and say what there is to say about them."""
    sizes = () if options.shard.whole else group_sizes(result.items, result.owned)
    items = result.items if limit is None else result.items.head(limit)
    count = write_items(target, items, shard=options.shard, counts=sizes)
    note(summary(result, path, count), quiet)
    near = int((result.edits.objects[:, : len(NEAR)] >= 0).sum(axis=0).min())
    if options.direction is Direction.forward and not options.frontier and near * _FEW < len(result.sample.triples):
        note("few neighbours of a kind: in this graph facts lead away from it; try --direction both --radius 2", quiet)


def summary(result: Result, path: str, written: int) -> str:
    """Say in a few lines what was asked for, what was made, why not the rest, and show three questions."""
    sample, edits = result.sample, result.edits
    lines = [f"{written} items in {path}: {len(sample.triples)} facts of {result.wanted} asked for"]
    if len(sample.triples) < len(result.owned):
        lines.append(f"of {len(result.owned)} facts drawn, {len(sample.triples)} are of this part")
    lines.append(f"facts of the domain: {sample.facts}, of which {sample.eligible} can be asked about")
    if result.frontier is not None:
        blocks = result.frontier.engine.sampled.blocks
        lines[-1] = f"facts that the graph drew: {sample.facts}, of which {sample.eligible} can be asked about"
        lines.append(f"asked the graph {blocks.requests:,} queries for {blocks.fetched:,} rows")
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
    # Who sees these first should see what is hard to tell: one true premise and false ones of the same kind.
    some = result.items.filter(pl.col("variant").is_in(["tpq", "NSC", "NNSC", "NNSR", *result.refused]))
    shown = some.unique("variant", keep="first", maintain_order=True)
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
    rows = [(edit, f"{edit} {right:.0%}") for edit, pairs, right in guesses.iter_rows() if pairs]
    like = ", ".join(said for edit, said in rows if edit not in UNLIKE)
    unlike = ", ".join(said for edit, said in rows if edit in UNLIKE)
    line = f"a guesser by frequency gets: {like or 'nothing to guess'}"
    return line + (f"; and, as is expected where the other object is of another kind: {unlike}" if unlike else "")


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.fpq")


if __name__ == "__main__":
    main()
