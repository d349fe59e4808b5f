"""Do sets and queries agree on every kind of proof, and is one changed proof of each kind found among seventy thousand items?

```
python tests/benchmarks/proofs.py --domain art,people,place          # the starter graph
python tests/benchmarks/proofs.py --store ./wd --domain art,people,place --items 1000 --of 70000
```

Items are made of all domains, forward and both ways, and so many are kept (`--of`). Every distinct proof of `--items` of
them, drawn by a seed, is run as it stands beside its answer in bulk, one kind after another (`--seconds` ends each: who is no
neighbour takes seconds a proof on a large graph). Then one proof of each kind expects the contrary, and the
whole is audited: what fails must be these, and nothing else. Exit code 1 where it is not so.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl

from generators.fpq import Options, generate
from generators.fpq.make import Direction
from kg import Graph, LocalGraph, open_graph
from queries.audit import Audit, audit_items

_SEED = 7


def made(graph: Graph, domains: list[str], n: int, wanted: int) -> pl.DataFrame:
    """Make items of `n` facts of each domain, each way, and keep so many of them: id and proof."""
    frames: list[pl.DataFrame] = []
    for direction, domain in product(Direction, domains):
        items = generate(graph, domain, Options(n=n, direction=direction, repeats=True)).items
        frames.append(items.select(pl.format("{}.{}", pl.lit(direction.value), "id").alias("id"), "proof"))
    every = pl.concat(frames)
    return every.sample(min(wanted, every.height), seed=_SEED)


def kinds_of(items: pl.DataFrame) -> pl.DataFrame:
    """Return of every proof its item's row, its place in it and its kind: row, place, kind."""
    listed = items.with_row_index("row").select("row", "proof", place=pl.int_ranges(pl.col("proof").list.len()))
    kind = pl.col("proof").struct.field("query").str.extract(r"^(\w+)@")
    return listed.explode("proof", "place").select("row", "place", kind=kind)


def turned(items: pl.DataFrame) -> tuple[pl.DataFrame, set[tuple[str, str]]]:
    """Let one proof of each kind, of items drawn by a seed, expect the contrary; also the items and kinds of these."""
    drawn = kinds_of(items).sample(fraction=1.0, shuffle=True, seed=_SEED).unique("kind", keep="first", maintain_order=True)
    proofs: list[list[dict[str, Any]]] = items["proof"].to_list()
    for row, place, _ in drawn.iter_rows():
        proofs[row][place]["expect"] = not proofs[row][place]["expect"]
    changed = {(str(items["id"][row]), str(kind)) for row, _, kind in drawn.iter_rows()}
    return pl.DataFrame({"id": items["id"], "proof": proofs}, schema=items.schema), changed


def told(what: str, begun: float, found: Audit) -> None:
    """Say what an audit found, and the processor time it took."""
    run = f"{found.literal:,} distinct ones run as they stand, {found.unrun:,} not"
    counts = f"{found.items:,} items, {found.proofs:,} proofs, {run}"
    wrong = f"{len(found.failures)} fail, {len(found.disagreements)} disagree"
    print(f"{what}: {counts}; {wrong}; {time.process_time() - begun:.1f} s", flush=True)


def by_kind(items: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Give of each kind of proof the items that have one, with the proofs of that kind alone."""
    kind = pl.element().struct.field("query").str.extract(r"^(\w+)@")
    for name in kinds_of(items)["kind"].unique().sort():
        of_kind = items.with_columns(pl.col("proof").list.filter(kind == name))
        yield name, of_kind.filter(pl.col("proof").list.len() > 0)


def _literally(graph: Graph, kind: str, items: pl.DataFrame, seconds: float) -> bool:
    begun = time.process_time()
    found = audit_items(graph, items, literal=sys.maxsize, seconds=seconds)
    told(f"drawn, {kind}", begun, found)
    return found.passed


def main() -> int:
    """Run both, and return the exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--store", type=Path, help="a folder that `kg load` made, in place of the starter graph")
    options.add_argument("--domain", default="art", help="names of domains, or files, with commas between")
    options.add_argument("--items", type=int, default=1000, help="how many items are run as they stand")
    options.add_argument("--n", type=int, default=5000, help="how many facts of each domain are asked about, each way")
    options.add_argument("--of", type=int, default=70_000, help="how many items are kept")
    options.add_argument("--seconds", type=float, default=float("inf"), help="a kind is run as it stands for no longer")
    given = options.parse_args()
    graph = open_graph() if given.store is None else LocalGraph.open(given.store)
    items = made(graph, given.domain.split(","), given.n, given.of)
    changed, expected = turned(items)
    begun = time.process_time()
    found = audit_items(graph, changed, literal=0)
    told("one of each kind changed", begun, found)
    seen = {(failure.item, failure.query.split("@")[0]) for failure in found.failures}
    print(f"  changed: {', '.join(sorted(kind for _, kind in expected))}; found: {len(seen & expected)} of {len(expected)}")
    drawn = items.sample(min(given.items, items.height), seed=_SEED)
    passed = [_literally(graph, kind, of_kind, given.seconds) for kind, of_kind in by_kind(drawn)]
    return 0 if seen == expected and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
