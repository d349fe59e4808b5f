"""The verb `kg audit`, which the graph's command line finds by the entry point group `kgprobe.verbs`.

```
kg audit fpq-art.jsonl
kg audit people.jsonl.gz --store ./wd --literal 100
```
"""

from __future__ import annotations

import itertools
from typing import Annotated

import typer

from kg import cli, open_graph
from kg.text import harmless
from queries.audit.audit import Audit, audit_items
from queries.audit.proofs import proof_batches


def audit(
    items: Annotated[str, typer.Argument(metavar="ITEMS.JSONL", help="Items with proofs; `.gz` and `-` are understood.")],
    store: cli.Store = None,
    endpoint: cli.Endpoint = None,
    literal: Annotated[int, typer.Option(min=0, help="How many proofs answered in bulk are also run as they stand.")] = 20,
    literal_seconds: Annotated[float, typer.Option(min=0, help="None of them begins later than this.")] = 60,
    show: Annotated[int, typer.Option(min=0, help="How many failures to show.")] = 20,
    quiet: cli.Quiet = False,
) -> None:
    """Run the proofs of items against a graph; exit code 1 if one does not hold.

    \b
    Example:
      python -m generators.fpq --domain art --n 20 && kg audit fpq-art.jsonl
    """
    batches = proof_batches(items)
    # The first batch is read before the store is opened: what is no file of items is said at once.
    proofs = itertools.chain([next(batches)], batches)
    graph = open_graph(store, endpoint)
    with cli.progress("auditing", None, quiet):
        result = audit_items(graph, proofs, literal=literal, seconds=literal_seconds)
    if result.failures and endpoint is None:  # all of an endpoint would have to be read to tell which graph it is
        _print_other_graphs(result, graph.digest())
    _print(result, show)
    if not result.passed:
        raise cli.fail_check()


def _print_other_graphs(result: Audit, digest: str) -> None:
    """Say where the items come from, if none of them comes from this graph: then most proofs fail for that reason alone."""
    if result.graphs and digest not in {made_from for _, made_from in result.graphs}:
        named = ", ".join(sorted(f"{name} ({made_from[:19]})" for name, made_from in result.graphs)[:3])
        typer.echo(harmless(f"the items were made from {named}; this graph is another one ({digest[:19]})"))


def _print(result: Audit, show: int) -> None:
    typer.echo(harmless(f"{result.items:,} items, {result.proofs:,} proofs, {result.literal:,} of them run one by one"))
    if result.unrun:
        typer.echo(f"{result.unrun:,} of the sample were not run: the time for it was over (`--literal-seconds`)")
    if result.without:
        typer.echo(f"{result.without:,} items carry no proof")
    for failure in [*result.disagreements, *result.failures][:show]:
        bound = ", ".join(f"{name} {term}" for name, term in failure.bind.items())
        typer.echo(harmless(f"  {failure.item}: {failure.query} ({bound}): {failure.reason}"))
    failed = f"{len(result.failed):,} items fail, {len(result.failures):,} proofs"
    typer.echo("all proofs hold" if result.passed else failed)
