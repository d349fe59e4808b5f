"""The verb `kg audit`, which the graph's command line finds by the entry point group `kgprobe.verbs`.

```
kg audit fpq-art.jsonl
kg audit people.jsonl.gz --store ./wd --literal 100 --out results.jsonl --keep good.jsonl
kg audit fpq-art.kgprobe
```
"""

from __future__ import annotations

import itertools
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kg import LocalGraph, cli
from kg.archive import Archive
from kg.files import check_apart, opened_archive
from kg.graph import undeclared
from kg.graph_choice import GraphChoice, with_graph
from kg.limits import Watch, watching
from kg.output import short
from kg.text import harmless
from queries.audit.audit import Audit, Failure, audit_items
from queries.audit.origin import other_graphs
from queries.audit.proofs import proof_batches
from queries.audit.results import questions_of, write_results
from queries.records import Source, readable
from queries.records.shards import Shard
from queries.sandbox import Limits, Sandbox

_LARGE = 2**30
"""Bytes of a folder from which on a literal query may take gigabytes: these run in a process of their own."""
_LIMITS = Limits(seconds=300, megabytes=1536)


@with_graph
def audit(
    items: Annotated[
        str, typer.Argument(metavar="ITEMS", help="Items with proofs (`.gz` and `-` are understood), or a bundle.")
    ],
    where: GraphChoice = GraphChoice(),
    literal: Annotated[int, typer.Option(min=0, help="How many proofs answered in bulk are also run as they stand.")] = 20,
    literal_seconds: Annotated[float, typer.Option(min=0, help="After so long none but the first of each query begins.")] = 5,
    show: Annotated[int, typer.Option(min=0, help="How many failures to show.")] = 20,
    out: Annotated[str | None, typer.Option(metavar="FILE.jsonl", help="Write what was found, a line for each item.")] = None,
    keep: Annotated[str | None, typer.Option(metavar="GOOD.jsonl", help="Write the items of which no proof fails.")] = None,
    shard: cli.ShardOption = None,
    timeout: cli.Timeout = 60,
    memory: cli.Memory = 8,
    quiet: cli.Quiet = False,
) -> None:
    """Run the proofs of items against a graph, those of a bundle against its own; exit code 1 if one does not hold.

    A query that an item brings along itself, and that takes too long or too much memory, ends the audit; so does Ctrl-C.

    \b
    Examples:
      python -m generators.fpq --domain art --n 20 && kg audit fpq-art.jsonl --keep good.jsonl
      kg bundle fpq-art.jsonl --out fpq-art.kgprobe && kg audit fpq-art.kgprobe
    """
    part = Shard.parse(shard)
    check_apart({"--out": out, "--keep": keep}, [items])
    with readable(items) as source, watching(memory) as watch:
        batches = proof_batches(source.path, place=source.place, shard=part)
        # The first batch is read before the store is opened: what is no file of items is said at once.
        first = next(batches)
        archive = None if where.named else opened_archive(items)
        graph = where.open() if archive is None else where.mend(LocalGraph.of_archive(archive, items))
        if archive is not None:
            typer.echo(_described(archive))
            typer.echo(f"seal {archive.seal}")
        # All of an endpoint would have to be read to tell which graph it is.
        elif where.endpoint is None and (origin := other_graphs(first.graphs, graph)):
            typer.echo(origin)
        with cli.progress("auditing", None, quiet):
            watched = partial(_watched, watch, source.place, timeout)
            every = itertools.chain([first], batches)
            large = where.endpoint is None and where.store is not None and archive is None and _bytes_of(where.store) > _LARGE
            with Sandbox(where, _LIMITS, processes=1) if large else nullcontext() as sandbox:
                result = audit_items(
                    graph, every, literal=literal, seconds=literal_seconds, watched=watched,
                    apart=sandbox.look_up if sandbox else None,
                )  # fmt: skip
        _print(result, source, show, graph.base)
        if not result.passed and (lacks := undeclared(graph)):
            cli.note(f"note: {lacks}")
        if out is not None or keep is not None:
            passed = write_results(source, result, out, keep, part)
            if keep is not None:
                cli.note(f"{passed:,} items in {keep}", quiet)
    if not result.passed:
        raise cli.fail_check()


def _described(archive: Archive) -> str:
    """Say what a bundle holds: of which graph, and how much of it."""
    graph, part = archive.manifest.get("graph") or {}, archive.manifest.get("part") or {}
    some = "all" if part.get("whole") else f"{part.get('triples')} of"
    of = f"{some} {graph.get('triples')} triples of {graph.get('name')}, {graph.get('digest')}"
    return harmless(f"bundle of {archive.manifest.get('made_with')}: {of}")


def _bytes_of(store: Path) -> int:
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file())


def _watched(watch: Watch, file: str, timeout: float, proof: str) -> AbstractContextManager[None]:
    return watch.query(f"{file}: {proof}", timeout)


def _print(result: Audit, items: Source, show: int, base: str | None) -> None:
    typer.echo(harmless(f"{result.items:,} items, {result.proofs:,} proofs, {result.literal:,} of them run one by one"))
    if result.unrun:
        most = f"{_LIMITS.seconds:g} s or {_LIMITS.megabytes:,} MB"
        over = f"the time for it was over (`--literal-seconds`), or they took more than {most}"
        typer.echo(f"{result.unrun:,} of the sample were not run: {over}")
    if result.without:
        typer.echo(f"{result.without:,} items carry no proof")
    shown = [*result.disagreements, *result.failures][:show]
    questions = questions_of(items, {failure.item for failure in shown})
    for item, failures in itertools.groupby(shown, key=lambda failure: failure.item):
        typer.echo(harmless(f"  {item}: {questions.get(item, '')}".rstrip(": ")))
        for failure in failures:
            typer.echo(harmless(f"    {_about(failure, base)}: {told_short(failure, base)}"))
    failed = f"{len(result.failed):,} items fail, {len(result.failures):,} proofs"
    typer.echo("all proofs hold" if result.passed else failed)


def told_short(failure: Failure, base: str | None) -> str:
    """Return the reason of a failure with IRIs relative to a base."""
    return failure.reason.replace(base, "") if base else failure.reason


def _about(failure: Failure, base: str | None) -> str:
    """Say which query fails, and for what; a query that the item brings along is in the item."""
    bound = ", ".join(f"{name} {short(term, base)}" for name, term in failure.bind.items())
    query = "its own query" if "{" in failure.query else failure.query
    return f"{query} ({bound})"
