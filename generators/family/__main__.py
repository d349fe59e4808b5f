"""Questions from families that users write, each with the queries that prove it.

```
python -m generators.family country-capital.rq
python -m generators.family erbench/mc_movie --relation mc_movie=films --none-share 0.2 --store ./films --out items.jsonl
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from generators.family.make import Options, generate_all
from generators.family.query import read_renamings, read_shares
from generators.family.results import Result, side_file_summary, write_results
from generators.making import MakingParts
from kg.cli import Quiet, Seed, fail_check, new_app, note, run
from kg.errors import InputError
from kg.files import check_apart
from kg.graph_choice import with_graph
from queries.templates import find

app = new_app("Questions from families that users write: any database becomes a benchmark (ERBench).")


@app.command()
@with_graph
def family(
    files: Annotated[list[str], typer.Argument(metavar="FILE.rq...", help="Families: files, or names such as erbench/movie.")],
    n: Annotated[
        int | None, typer.Option(min=1, max=2**53, help="How many facts of each family [default: all of them].")
    ] = None,
    relation: Annotated[list[str] | None, typer.Option(metavar="TABLE=NAME", help="Another name for a family's table.")] = None,
    none_share: Annotated[
        str, typer.Option(metavar="SHARE[,SHARE...]", help='In what share of choices "None of the above" is right.')
    ] = "0",
    inline_proofs: Annotated[bool, typer.Option("--inline-proofs", help="Put the SPARQL itself into every proof.")] = False,
    exemplars: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write demonstrated answers, of facts not asked.")
    ] = None,
    passages: Annotated[str | None, typer.Option(metavar="FILE", help="Write background on the facts asked.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    where: MakingParts = MakingParts(),
    out: Annotated[str | None, typer.Option(help="The file to write [default: METHOD-FAMILY.jsonl]; `-` is stdout.")] = None,
    quiet: Quiet = False,
) -> None:
    """Make the questions of families, each with the queries that prove it.

    Examples:

        python -m generators.family country-capital.rq --n 20

        python -m generators.family erbench/movie erbench/mc_movie --none-share 0.2 --store ./films --out items.jsonl
    """
    shard = where.part(limit=limit)
    families = [find(name) for name in files]
    graph = where.open()
    shares, renamings = read_shares(none_share), read_renamings(relation or [])
    options = Options(n, seed, shares, renamings, inline_proofs, bool(exemplars), bool(passages), shard=shard)
    path = where.path(out, f"{families[0].front.method}-{families[0].name}.jsonl")
    side_files = {"exemplars": exemplars, "passages": passages}
    check_apart({"--out": path, "--exemplars": exemplars, "--passages": passages}, [f for f in files if f.endswith(".rq")])
    with where.writing(path, graph, quiet=quiet) as target:
        written, results = write_results(generate_all(graph, families, options), target, limit, side_files)
    if not any(result.rows for result in results):
        raise _no_rows(results[0])
    lines = [*_summary(results, path, written, n), *(side_file_summary(results, side_files) if written else ())]
    note("\n".join(lines), where.hushed(quiet))
    if any(n is not None and result.facts < n for result in results) or not (written or not shard.whole):
        raise fail_check()


def _no_rows(result: Result) -> InputError:
    name, place = result.template.name, result.template.path
    if not result.absent:
        return InputError(f"'{name}' finds no rows", place=place, way_out="run its SELECT and see what it asks for")
    named = ", ".join(result.absent[:3]) + (", ..." if len(result.absent) > 3 else "")
    way_out = "name the graph it was written for (--store), or what its table is called there (--relation TABLE=NAME)"
    return InputError(f"'{name}' finds no rows: the graph has no {named}", place=place, way_out=way_out)


def _summary(results: Sequence[Result], path: str, written: int, n: int | None) -> list[str]:
    """Say in a few lines what was made of what, what was left out and why, and show three questions of each family."""
    some = written or not results[0].shard.whole
    lines = [f"{written} items in {path}" if some else f"no items: {path} is not written"]
    for result in results:
        lines += result.summary(n)
        lines += [f"  {task} {variant}: {text}" for (task, variant), text in [*result.counts.questions.items()][:3]]
    return lines


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.family")


if __name__ == "__main__":
    main()
