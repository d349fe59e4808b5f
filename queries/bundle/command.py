"""The verb `kgprobe bundle`, which the graph's command line finds by the entry point group `kgprobe.verbs`.

```
kgprobe bundle fpq-art.jsonl --out fpq-art.kgprobe
kgprobe bundle people.jsonl.gz --store ./wd --out people.kgprobe
```
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from kg import cli
from kg.errors import InputError
from kg.files import check_apart, write_bytes
from kg.graph_choice import GraphChoice, with_graph
from queries.records import readable

if TYPE_CHECKING:
    from queries.bundle.making import Bundled
    from queries.bundle.part import DumpedGraph


@with_graph
def bundle(
    items: Annotated[str, typer.Argument(metavar="ITEMS.JSONL", help="Items with proofs; `.gz` and `-` are understood.")],
    where: GraphChoice = GraphChoice(),
    out: Annotated[str, typer.Option("--out", metavar="NAME.kgprobe", help="The bundle to write.")] = ...,  # type: ignore[assignment]
    quiet: cli.Quiet = False,
) -> None:
    """Put items and the facts that prove them into one file, from which anyone audits, asks and reports without the store.

    \b
    Example:
      python -m generators.fpq --domain art --n 20 && kg bundle fpq-art.jsonl --out fpq-art.kgprobe
    """
    from queries.bundle.making import bundle_items  # here: it needs rdflib's algebra, for which no other command should wait

    if Path(out).suffix != ".kgprobe":
        raise InputError(f"'{out}' is no name of a bundle", place="--out", way_out="end it in .kgprobe")
    check_apart({"--out": out}, [items])
    with readable(items) as source, cli.progress("bundling", None, quiet):
        bundled = bundle_items(source, cast("DumpedGraph", where.open()), Path(out).stem)
    write_bytes(out, bundled.data)
    typer.echo(_summary(bundled))


def _summary(bundled: Bundled) -> str:
    part = bundled.part
    facts = f"{part.triples:,} of {part.of:,} triples" if part.why is None else f"all {part.of:,} triples ({part.why})"
    without = f", {bundled.without:,} items carry no proof" if bundled.without else ""
    counts = f"{bundled.items:,} items, {bundled.proofs:,} proofs{without}, {facts}, {len(bundled.data):,} bytes"
    return f"{counts}\nseal {bundled.seal}"
