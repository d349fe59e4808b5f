"""How fast the main job is, in numbers that mean the same on every machine: ratios to other work done in the same run.

```
python tests/benchmarks/spine.py
python tests/benchmarks/spine.py --quick --json -
```

The contestants take turns, for a few rounds, and the best time of each counts. See README.md for what each row means.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import networkx as nx
import numpy as np
import numpy.typing as npt
import polars as pl
import pyoxigraph as ox
import rdflib

from generators.fpq import Direction, Edits, Options, Sample, Sampling, draw_facts, generate, select_edits
from generators.graph_columns import GraphColumns, ints
from kg.files import replacing
from kg.hops import UNREACHED, Hops
from kg.local import LocalGraph, fill
from kg.sets import Ints, members
from kg.sources.wikidata import load_wikidata
from kg.text import fold
from made_graph import KOPL, SMALL, MadeGraph, Size, domain, load, make, write_tsv
from plain_networkx import Plain, edge_graph
from plain_rdflib import load_plainly
from queries import audit_items

T = TypeVar("T")
RADIUS = 5


@dataclass(frozen=True)
class Scale:
    """How much is done: triples to edit, subjects whose distances are taken, and how many subjects networkx does of each."""

    size: Size
    triples: int
    subjects: int
    plain_edits: int
    plain_distances: int


FULL = Scale(KOPL, triples=14_860, subjects=1_000, plain_edits=200, plain_distances=100)
QUICK = Scale(SMALL, triples=300, subjects=50, plain_edits=10, plain_distances=10)


class Pair(NamedTuple):
    """The same by processor time and by time on the wall."""

    processor: float
    wall: float

    def times(self, other: Pair) -> Pair:
        """Return how many times the other this is."""
        return Pair(self.processor / other.processor, self.wall / other.wall)


@dataclass
class Clock:
    """The times of each contestant in seconds: of the processor (all threads together), and on the wall.

    Processor time is what counts, as other programs disturb it least; work that is spread over threads gains nothing by it.
    """

    processor: dict[str, list[float]] = field(default_factory=dict)
    wall: dict[str, list[float]] = field(default_factory=dict)

    def time(self, name: str, job: Callable[[], T], share: float = 1.0) -> T:
        """Time a job; `share` is the part of the whole work that it does.

        The cycle collector is at work, as it is in any program, but does not walk the objects that others left lying about.
        """
        gc.collect()
        gc.freeze()
        wall, processor = time.perf_counter(), time.process_time()
        result = job()
        self.processor.setdefault(name, []).append((time.process_time() - processor) / share)
        self.wall.setdefault(name, []).append((time.perf_counter() - wall) / share)
        gc.unfreeze()
        print(f"  {name}: {self.processor[name][-1]:.3f} s ({self.wall[name][-1]:.3f} s on the wall)", file=sys.stderr)
        return result

    def best(self, name: str) -> Pair:
        """Return the best times of a contestant."""
        return Pair(min(self.processor[name]), min(self.wall[name]))


class Arena:
    """The made graph in every form that a contestant starts from."""

    def __init__(self, scale: Scale, folder: Path, seed: int = 0) -> None:
        self.scale, self.folder = scale, folder
        self.made: MadeGraph = make(scale.size, seed)
        self.domain = domain(self.made)
        self.load = load(self.made)
        self.files = write_tsv(self.made, folder)
        self.store = ox.Store()
        fill(self.store, self.load)
        self.clock = Clock()
        self.columns = GraphColumns.of(self.graph(), 0)

    def some(self, entities: Ints, n: int) -> Ints:
        """Draw some of the entities, the same ones in every round."""
        distinct = np.unique(entities)
        return np.random.Generator(np.random.PCG64(0)).choice(distinct, min(n, len(distinct)), replace=False)

    def graph(self) -> LocalGraph:
        """Return the graph as a command would find it: nothing is remembered."""
        fold.cache_clear()
        return LocalGraph(self.store)

    def options(self, direction: Direction, sampling: Sampling) -> Options:
        """Return the options of a run."""
        return Options(n=self.scale.triples, radius=RADIUS, direction=direction, sampling=sampling)

    def edits(self, direction: Direction, sampling: Sampling = Sampling.plain) -> tuple[GraphColumns, Sample, Edits]:
        """Choose the edits of all triples, from the SELECTs on."""
        graph = self.graph()
        columns = GraphColumns.of(graph, 0)
        incomplete = graph.schema("SELECT DISTINCT ?s ?p { ?s kgp:incomplete ?p }")
        sample = draw_facts(columns, self.domain, incomplete, self.scale.triples, even=sampling is Sampling.even)
        return columns, sample, select_edits(graph, columns, sample.triples, self.options(direction, sampling))

    def written(self) -> pl.DataFrame:
        """Make the whole file."""
        made = generate(self.graph(), self.domain, self.options(Direction.forward, Sampling.even))
        with replacing(self.folder / "items.jsonl") as stream:
            made.items.write_ndjson(stream)
        return made.items


# --- the contests: each runs all its contestants once


def edits(arena: Arena) -> None:
    """One dump, the edits, the edits with the file, and the edits by the plain program."""
    clock = arena.clock
    clock.time("dump", lambda: arena.store.dump(format=ox.RdfFormat.N_QUADS))
    for direction in Direction:
        _, sample, edited = clock.time(f"edits {direction}", partial(arena.edits, direction))
        _plain_edits(arena, direction, sample, edited)
    clock.time("edits drawn evenly", partial(arena.edits, Direction.forward, Sampling.even))
    items = clock.time("edits and file", arena.written)
    clock.time("dump", lambda: arena.store.dump(format=ox.RdfFormat.N_QUADS))
    proofs = items.select("id", "proof")
    found = clock.time("audit", lambda: audit_items(arena.graph(), proofs, literal=0), share=len(items) / 1e5)
    assert found.passed, found.failures[:3]


def _plain_edits(arena: Arena, direction: Direction, sample: Sample, edited: Edits) -> None:
    """Time the plain program on all triples of some subjects, after it has said the same as the arrays about each."""
    drawn = sample.triples
    subjects = arena.some(drawn.s, arena.scale.plain_edits)
    rows = np.flatnonzero(np.isin(drawn.s, subjects))
    rows = rows[np.lexsort((drawn.p[rows], drawn.s[rows]))]
    plain = Plain(arena.columns, RADIUS, both=direction is Direction.both)
    triples = [(int(drawn.s[k]), int(drawn.p[k]), int(drawn.o[k])) for k in rows]
    for triple, objects in zip(triples, edited.objects[rows].tolist(), strict=True):
        _agree(plain, triple, objects)
    arena.clock.time(
        f"edits {direction}, networkx", lambda: [plain.choose(*triple) for triple in triples], share=len(rows) / len(drawn)
    )


def _agree(plain: Plain, triple: tuple[int, int, int], objects: list[int]) -> None:
    """Check that both programs mean the same: each choice is a candidate, and nobody is left where there is none."""
    for k, (edit, zones) in enumerate(plain.candidates(*triple).items()):
        free = set().union(*zones.values()) - set(objects[:k])
        if (objects[k] not in free) if objects[k] >= 0 else free:
            raise AssertionError(f"{edit} of {triple}: arrays chose {objects[k]}, networkx has {len(free)} candidates")


def distances(arena: Arena) -> None:
    """The distances of many subjects, by bits and by networkx."""
    s, o = (ints(arena.columns.facts[end]) for end in "so")
    subjects = arena.some(s, arena.scale.subjects)
    some = subjects[: arena.scale.plain_distances]
    for direction in Direction:
        both = direction is Direction.both
        found = arena.clock.time(f"distances {direction}", partial(_distances, arena.columns.n, s, o, subjects, both))
        graph = edge_graph(zip(s.tolist(), o.tolist(), strict=True), both=both)
        share = len(some) / len(subjects)
        plain = arena.clock.time(f"distances {direction}, networkx", partial(_plain_distances, graph, some), share=share)
        for row, mine in zip(found, plain, strict=False):
            assert {e: int(row[e]) for e in np.flatnonzero(row != UNREACHED).tolist()} == mine


def _distances(n: int, s: Ints, o: Ints, subjects: Ints, both: bool) -> npt.NDArray[np.uint8]:
    return Hops(n, s, o, both=both).distances(subjects, RADIUS)


def _plain_distances(graph: nx.Graph[int], subjects: Ints) -> list[dict[int, int]]:
    return [dict(nx.single_source_shortest_path_length(graph, e, cutoff=RADIUS)) for e in subjects.tolist()]


def loading(arena: Arena) -> None:
    """N-Triples and TSV files into a graph in memory, by pyoxigraph and by rdflib."""
    clock = arena.clock
    clock.time("N-Triples", lambda: fill(ox.Store(), arena.load))
    plain = clock.time("N-Triples, rdflib", lambda: rdflib.Graph().parse(data=arena.load.data, format="nt"))
    assert len(plain) == arena.load.data.count(b"\n")
    graph = clock.time("TSV", lambda: LocalGraph.in_memory(load_wikidata(arena.files)))
    plain = clock.time("TSV, rdflib", lambda: load_plainly(arena.files))
    assert len(plain) == int(graph.select("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").item())


# --- what comes out


@dataclass(frozen=True)
class Row:
    """One line of the table: `value` is a ratio, or items a second."""

    key: str
    what: str
    value: Pair
    goal: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        """Say whether the goal is met, by processor time."""
        return self.value.processor <= self.goal if self.at_most else self.value.processor >= self.goal

    def line(self) -> str:
        """Return the row as Markdown."""
        found, wall = (f"{v:,.0f}" if v >= 100 else f"{v:.1f}" for v in self.value)
        goal = f"{'≤' if self.at_most else '≥'} {self.goal:,g}"
        return f"| {self.what} | {found} | {wall} | {goal} | {'yes' if self.met else 'no'} |"


def rows(clock: Clock) -> list[Row]:
    """Compare the contestants."""

    def ratio(slow: str, fast: str) -> Pair:
        return clock.best(slow).times(clock.best(fast))

    return [
        Row("edits_in_dumps", "edits, in dumps", ratio("edits forward", "dump"), 10, at_most=True),
        Row("evenly", "edits, drawn evenly : plainly", ratio("edits drawn evenly", "edits forward"), 1.5, at_most=True),
        Row("file_in_dumps", "edits and file, in dumps", ratio("edits and file", "dump"), 40, at_most=True),
        Row("edits_forward", "edits, networkx : arrays", ratio("edits forward, networkx", "edits forward"), 80),
        Row("edits_both", "edits, hops both ways, networkx : arrays", ratio("edits both, networkx", "edits both"), 250),
        Row("distances_forward", "distances, networkx : bits", ratio("distances forward, networkx", "distances forward"), 80),
        Row("distances_both", "distances both ways, networkx : bits", ratio("distances both, networkx", "distances both"), 200),
        Row("ntriples", "N-Triples into memory, rdflib : bulk_load", ratio("N-Triples, rdflib", "N-Triples"), 10),
        Row("tsv", "TSV files into memory, rdflib : columns", ratio("TSV, rdflib", "TSV"), 6),
        Row("audit", "audit, items a second", Pair(1e5, 1e5).times(clock.best("audit")), 10_000),
    ]


def about(arena: Arena) -> dict[str, Any]:
    """Say what the graph is like."""
    s, o = (ints(arena.columns.facts[end]) for end in "so")
    subjects = arena.some(s, 1000)
    reached = sum(len(members(level)[0]) for level in Hops(arena.columns.n, s, o).levels(subjects, RADIUS))
    return {
        "entities": arena.scale.size.entities,
        "facts": arena.columns.facts.height,
        "relations": arena.columns.relations.height,
        "concepts": arena.scale.size.concepts,
        "triples": arena.load.data.count(b"\n"),
        "reach forward": reached / len(subjects) / arena.columns.n,
        "edited": arena.scale.triples,
    }


def table(graph: dict[str, Any], found: list[Row], clock: Clock) -> str:
    """Return the results as Markdown."""
    said = ", ".join(
        f"{name} {value:.0%}" if isinstance(value, float) else f"{value:,} {name}" for name, value in graph.items()
    )
    times = [f"| {name} | {clock.best(name).processor:.2f} | {clock.best(name).wall:.2f} |" for name in clock.processor]
    lines = [
        f"Graph: {said}.",
        "",
        "| what | found | on the wall | goal | met |",
        "|---|---|---|---|---|",
        *(row.line() for row in found),
    ]
    return "\n".join([*lines, "", "| contestant | processor, seconds | wall, seconds |", "|---|---|---|", *times])


def main() -> None:
    """Run the contests and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--json", metavar="FILE", help="also write the numbers as JSON (`-` is stdout, then without the table)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds (3)")
    parser.add_argument("--quick", action="store_true", help="a tiny graph: shows that it runs, its ratios mean nothing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(QUICK if given.quick else FULL, Path(folder))
        graph = about(arena)
        for number in range(given.repeat):
            print(f"round {number + 1} of {given.repeat}", file=sys.stderr)
            for contest in (edits, distances, loading):
                contest(arena)
    report(graph, rows(arena.clock), arena.clock, given.json)


def report(graph: dict[str, Any], found: list[Row], clock: Clock, path: str | None) -> None:
    """Print the table, and write the JSON where it is asked for."""
    if path != "-":
        print(table(graph, found, clock))
    if path is not None:
        ratios = {row.key: row.value._asdict() | {"goal": row.goal, "at_most": row.at_most, "met": row.met} for row in found}
        seconds = {"processor": clock.processor, "wall": clock.wall}
        text = json.dumps({"graph": graph, "ratios": ratios, "seconds": seconds}, indent=2)
        with replacing(path) as stream:
            stream.write(text.encode() + b"\n")


if __name__ == "__main__":
    main()
