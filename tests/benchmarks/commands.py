"""What do commands cost as they are typed: from a folder, in a process of their own, start included?

```
python tests/benchmarks/commands.py WIKIDATA-FOLDER --domain art     # its triples.tsv, entities.tsv, types.tsv, properties.tsv
python tests/benchmarks/commands.py --facts 1000000                  # a made graph of so many facts
```

Time is that of the processor, user and system, of the process and its children; memory is the most it held at a time. The rows
of one run can be compared; a machine that has other work to do shows more of both.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from made_graph import Size, domain, make, write_tsv

_PARTS = ("triples", "entities", "types", "properties")
_KGPROBE = (sys.executable, "-c", "from generators.cli import main; main()")
_BULK = (
    "import sys, pyoxigraph as ox; store = ox.Store(sys.argv[2]);"
    "store.bulk_load(path=sys.argv[1], format=ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode('urn:g'), lenient=True);"
    "store.flush(); store.optimize()"
)


class Row(NamedTuple):
    """A command, the seconds of processor time and on the wall that it took, and the megabytes that it held."""

    what: str
    seconds: float
    wall: float
    megabytes: float


def measured(what: str, command: Sequence[str | Path]) -> Row:
    """Run a command to its end. Raises SystemExit, with what it said, where the input was at fault."""
    with tempfile.TemporaryFile() as said:
        begin = time.monotonic()
        process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):  # 1: done, with fewer facts than were asked for
            said.seek(0)
            sys.exit(f"{what}: {said.read().decode()}")
        wall = time.monotonic() - begin
    return Row(what, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def compiled() -> None:
    """Compile this project's modules, as an installation does: an environment may have been told to write no bytecode."""
    for room in ("kg", "queries", "generators", "evaluators"):
        compileall.compile_dir(str(next(iter(import_module(room).__path__))), quiet=1)


def rows(files: Path, domain_name: str, n: int, work: Path) -> Iterator[Row]:
    """Load a folder of tab-separated files, ask, audit; beside the load, what filling the store takes without reading."""
    store, items, dump = work / "store", work / "items.jsonl", work / "dump.nt"
    named: list[str | Path] = []
    for name in _PARTS:
        if (path := files / f"{name}.tsv").is_file():
            named += [f"--{name}", path]
    yield measured("load wikidata", [*_KGPROBE, "load", "wikidata", *named, "--store", store, "--quiet"])
    measured("dump", [*_KGPROBE, "dump", "--store", store, "--out", dump])
    yield measured("  bulk_load of pyoxigraph alone", [sys.executable, "-c", _BULK, dump, work / "bulk"])
    yield measured("query", [*_KGPROBE, "query", "ASK { ?s ?p ?o }", "--store", store])
    asked: list[str | Path] = [
        *_KGPROBE,
        "fpq",
        "--domain",
        domain_name,
        "--n",
        str(n),
        "--store",
        store,
        "--out",
        items,
        "--quiet",
    ]
    yield measured(f"fpq --n {n}", asked)
    audit: list[str | Path] = [*_KGPROBE, "audit", items, "--store", store, "--quiet", "--literal"]
    yield measured(f"audit of {sum(1 for _ in items.open('rb')):,} items, none run as it stands", [*audit, "0"])
    yield measured("audit, 20 run as they stand", [*audit, "20"])


def made(facts: int, folder: Path) -> str:
    """Write a made graph and its domain; the path of the domain's file."""
    graph = make(Size(entities=max(facts // 10, 600), facts=facts, relations=360, concepts=2000, values=0))
    write_tsv(graph, folder)
    own, path = domain(graph), folder / "made.toml"
    lists = f"concepts = {[*own.concepts]}\nrelations = {[*own.relations]}\n"
    path.write_text(f'name = "made"\nsummary = "made things"\n{lists}', "utf-8")
    return str(path)


def printed(found: Iterable[Row]) -> None:
    """Print the table as it is measured."""
    print("| command | processor, seconds | on the wall | memory, MB |\n|---|---|---|---|")
    for row in found:
        print(f"| {row.what} | {row.seconds:.2f} | {row.wall:.2f} | {row.megabytes:,.0f} |", flush=True)


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", nargs="?", type=Path, help="tab-separated files as `kg load wikidata` reads them")
    options.add_argument("--facts", type=int, help="make a graph of so many facts instead")
    options.add_argument("--domain", default="art")
    options.add_argument("--n", type=int, default=5000)
    given = options.parse_args()
    if (given.folder is None) == (given.facts is None):
        options.error("name a folder, or --facts")
    compiled()
    with tempfile.TemporaryDirectory() as aside:
        work = Path(aside)
        name = given.domain
        if given.facts:  # in a process of its own: what a process held, Linux counts as held by those that it starts
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                name = pool.submit(made, given.facts, work).result()
        printed(rows(given.folder or work, name, given.n, work))


if __name__ == "__main__":
    main()
