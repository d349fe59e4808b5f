"""The verb `kgprobe diff`, which the graph's command line finds by the entry point group `kgprobe.verbs`.

```
kgprobe diff ./old ./new --items items.jsonl
kgprobe diff ./wd --with fixes.ttl --without wrong.ttl --items items.jsonl
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from kg.errors import InputError
from kg.files import replacing
from kg.graph import Graph
from kg.graph_choice import GraphChoice
from kg.text import harmless
from queries.audit.audit import Failure
from queries.audit.command import told_short
from queries.audit.proofs import proof_batches
from queries.audit.results import questions_of
from queries.diff.facts import FactChanges, fact_changes
from queries.diff.items import ItemChanges, item_changes
from queries.records import Source, readable
from queries.why import names_of

_Old = Annotated[Path | None, typer.Argument(metavar="OLD", help="A folder made by `kg load`. Default: the starter graph.")]
_New = Annotated[Path | None, typer.Argument(metavar="NEW", help="Another one. Default: the old one, mended.")]
_Fixes = Annotated[list[Path] | None, typer.Option("--with", metavar="FIXES.ttl", help="Facts that the new one has besides.")]
_Wrong = Annotated[list[Path] | None, typer.Option("--without", metavar="WRONG.ttl", help="Facts that it has not.")]


def diff(
    old: _Old = None,
    new: _New = None,
    fixes: _Fixes = None,
    wrong: _Wrong = None,
    items: Annotated[str | None, typer.Option("--items", metavar="FILE", help="Say what becomes of these items.")] = None,
    show: Annotated[int, typer.Option(min=0, help="How many of each kind to show.")] = 20,
    out: Annotated[str | None, typer.Option(metavar="FILE.nt", help="Write the facts: `+ ` or `- `, and the triple.")] = None,
) -> None:
    """Tell which facts came and went between two stores, or with a patch, and which items change, appear and vanish.

    \b
    Examples:
      kg diff ./old ./new --items items.jsonl
      kg diff --with fixes.ttl --without wrong.ttl
    """
    if new is None and not (fixes or wrong):
        problem = "there is nothing to compare with"
        raise InputError(problem, place="NEW", way_out="name another store, or a patch (--with, --without)")
    before = GraphChoice(store=old).open()
    after = GraphChoice(store=new if new is not None else old, fixes=fixes, wrong=wrong).open()
    facts = fact_changes(before, after)
    if out is not None:
        with replacing(out) as stream:
            stream.writelines(f"{line}\n".encode() for line in _signed(facts))
    _print_facts(facts, before, after, show)
    if items is not None:
        with readable(items) as source:
            changes = item_changes(list(proof_batches(source.path, place=source.place)), before, after, facts)
            _print_items(changes, source, before, after, show)


def _signed(facts: FactChanges) -> Iterator[str]:
    """Yield each change as a line, what went first."""
    for sign, triples in (("-", facts.gone), ("+", facts.added)):
        yield from (f"{sign} {s} {p} {o} ." for s, p, o in triples.iter_rows())


def _print_facts(facts: FactChanges, old: Graph, new: Graph, show: int) -> None:
    nodes = f", and {facts.statements:,} triples of statements that qualify facts" if facts.statements else ""
    typer.echo(f"{facts.gone.height:,} facts gone, {facts.added.height:,} added{nodes}")
    for sign, triples, graph in (("-", facts.gone, old), ("+", facts.added, new)):
        shown = triples.head(show)
        names = _names(graph, shown)
        for triple in shown.iter_rows():
            typer.echo(harmless(f"  {sign} " + " – ".join(names[term] for term in triple)))
        _print_more(triples.height - shown.height)


def _names(graph: Graph, triples: pl.DataFrame) -> dict[str, str]:
    return names_of(graph, chain.from_iterable(triples.iter_rows()))


def _print_more(more: int) -> None:
    if more > 0:
        typer.echo(f"    and {more:,} more")


def _print_items(changes: ItemChanges, items: Source, old: Graph, new: Graph, show: int) -> None:
    if changes.failed_before:
        typer.echo(f"{changes.failed_before:,} items did not hold before either")
    typer.echo(f"{len(changes.changed):,} items change, {len(changes.vanished):,} vanish")
    for failing in (changes.changed, changes.vanished):
        _print_failing(failing, items, show, new.base)
    typer.echo(f"{len(changes.appeared):,} facts of the kind that the items ask about appear")
    shown = changes.appeared[:show]
    names = names_of(new, chain.from_iterable(row.values() for row in shown))
    for row in shown:
        typer.echo(harmless("  + " + _told(row, names)))
    _print_more(len(changes.appeared) - len(shown))


def _print_failing(failing: Mapping[str, list[Failure]], items: Source, show: int, base: str | None) -> None:
    shown = dict(islice(failing.items(), show))
    questions = questions_of(items, shown.keys())
    for item, failures in shown.items():
        typer.echo(harmless(f"  {item}: {questions.get(item, '')}".rstrip(": ")))
        for reason in _distinct(told_short(failure, base) for failure in failures):
            typer.echo(harmless(f"    {reason}"))
    _print_more(len(failing) - len(shown))


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _told(row: Mapping[str, str], names: Mapping[str, str]) -> str:
    if set(row) == {"s", "p", "o"}:
        return " – ".join(names[row[name]] for name in "spo")
    return ", ".join(f"{slot} {names[term]}" for slot, term in row.items())
