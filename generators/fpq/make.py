"""False-premise questions (KG-FPQ): true triples whose object is exchanged in six graded ways.

```
python -m generators.fpq --domain art
python -m generators.fpq --domain people --n 200 --store ./wd --out people.jsonl.gz
python -m generators.fpq --domain art --n 50 --writer openai:MODEL
```

Source: Zhu, Xiao, Wang, Sang: KG-FPQ: Evaluating Factuality Hallucination in LLMs with Knowledge Graph-based False Premise
Questions (COLING 2025), §3. Every question carries the queries that prove it; `kg audit` runs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from typing import Annotated

import numpy as np
import polars as pl
import typer

from evaluators.models.recording import beside
from generators.fpq.arrays import ArrayEngine
from generators.fpq.edits import EDITS, NEAR, REASONS, Batch, Choice, Engine, choose
from generators.fpq.facts import Sample, draw
from generators.fpq.items import Chosen, items
from generators.fpq.paths import chains
from generators.fpq.sparql import SparqlEngine
from generators.fpq.writer import Writer, open_writer
from generators.graph_columns import World
from kg import open_graph
from kg.cli import Endpoint, Quiet, Seed, Store, fail_check, new_app, note, progress, run
from kg.files import replacing
from kg.graph import Graph
from kg.sets import Ints
from queries.domain import Domain, find_domain

__all__ = ["Direction", "EngineName", "HopOrder", "Options", "Result", "generate", "select_edits"]

_CHUNK = 2048  # triples at a time: a row of bits each for a dozen sets stays in the cache


class Direction(StrEnum):
    """Which way a hop may follow a fact."""

    forward = "forward"
    both = "both"


class HopOrder(StrEnum):
    """How the distance of a near edited object is drawn."""

    balanced = "balanced"
    uniform = "uniform"
    nearest = "nearest"


class EngineName(StrEnum):
    """What finds the candidates: arrays, or the SPARQL twins that define them (slow)."""

    arrays = "arrays"
    sparql = "sparql"


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts at most, by what hash, over which neighbourhood, with which engine."""

    n: int = 1000
    seed: int = 0
    radius: int = 5
    direction: Direction = Direction.forward
    hops: HopOrder = HopOrder.balanced
    engine: EngineName = EngineName.arrays


@dataclass(frozen=True)
class Result:
    """The items, and what there is to say about how they came to be."""

    items: pl.DataFrame
    sample: Sample
    choice: Choice
    asked: int
    writer: Writer | None = None

    @property
    def short(self) -> bool:
        """Say whether there were fewer facts than asked for."""
        return len(self.sample.batch) < self.asked


def generate(
    graph: Graph, domain: Domain, options: Options = Options(), *, writer: Writer | None = None, quiet: bool = True
) -> Result:
    """Make the questions of a domain: a pure function of graph, domain, options and, with a writer, of what it answers.

    Raises InputError where the domain matches nothing in this graph.

    >>> from kg import open_graph
    >>> made = generate(open_graph(), find_domain("art"), Options(n=3))
    >>> made.items["task"].unique().sort().to_list()
    ['premise', 'yes_no']
    """
    world = World.of(graph, options.seed)
    sample = draw(world, domain, _incomplete(graph), options.n)
    choice, nodes = select_edits(graph, world, sample.batch, options, quiet=quiet)
    batch = sample.batch
    chosen = Chosen(batch.s, batch.p, batch.o, sample.concepts, choice.objects, choice.hops, nodes)
    source = {
        "digest": graph.digest(),
        "graph": graph.name,
        "generator": f"kgprobe {version('kgprobe')}",
        "seed": str(options.seed),
    }
    made = items(world, chosen, domain.name, options.radius, options.direction.value, source, writer)
    return Result(made, sample, choice, options.n, writer)


def _incomplete(graph: Graph) -> pl.DataFrame:
    return graph.schema("SELECT DISTINCT ?s ?p { ?s kgp:incomplete ?p }")


def select_edits(graph: Graph, world: World, batch: Batch, options: Options, *, quiet: bool = True) -> tuple[Choice, Ints]:
    """Choose the six edited objects of every triple of a batch.

    Returns the choice, and the chains behind the near ones, (2 · triples, radius + 1) numbers of entities, -1 after the end.
    """
    engine: Engine
    if options.engine is EngineName.arrays:
        engine = ArrayEngine(world, batch, options.radius, options.direction.value)
    else:
        engine = SparqlEngine(graph, world, batch, options.radius, options.direction.value)
    order = np.lexsort((batch.p, batch.s))
    objects, hops = np.full((len(batch), len(EDITS)), -1), np.zeros((len(batch), len(NEAR)), np.int64)
    reasons = np.zeros((len(batch), len(EDITS)), np.uint8)
    nodes = np.full((len(batch), len(NEAR), options.radius + 1), -1)
    with progress("choosing edits", len(batch), quiet) as bar:
        for rows in _chunks(order):
            masks, part = engine.masks(rows), batch.take(rows)
            choice = choose(part, masks, world.keys, options.hops.value)
            objects[rows], hops[rows], reasons[rows] = choice.objects, choice.hops, choice.reasons
            twice = np.repeat(np.arange(len(rows)), len(NEAR))
            targets = choice.objects[:, : len(NEAR)].ravel()
            found = chains(engine, masks.near[twice], part.s[twice], targets, choice.hops.ravel())
            nodes[rows] = found.reshape(len(rows), len(NEAR), -1)
            bar.advance(bar.task_ids[0], len(rows))
    return Choice(objects, hops, reasons), nodes.reshape(-1, options.radius + 1)


def _chunks(order: Ints) -> Iterator[Ints]:
    for first in range(0, len(order), _CHUNK):
        yield order[first : first + _CHUNK]


# --- the command line

app = new_app("False-premise questions by editing true triples in six graded ways (KG-FPQ).")


@app.command()
def fpq(
    domain: Annotated[str, typer.Option(help="art, people, place, or a path to a domain file (.toml).")],
    n: Annotated[
        int, typer.Option(min=1, max=2**53, help="How many facts to ask about; each gives up to 14 questions.")
    ] = 1000,
    radius: Annotated[int, typer.Option(min=1, max=5, help="How many hops away a neighbour may be.")] = 5,
    direction: Annotated[Direction, typer.Option(help="Which way a hop may follow a fact.")] = Direction.forward,
    hops: Annotated[HopOrder, typer.Option(help="How the distance of near objects is drawn.")] = HopOrder.balanced,
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
    """
    chosen = find_domain(domain)
    graph = open_graph(store, endpoint)
    path = out or f"fpq-{chosen.name}.jsonl"
    author = None
    if writer is not None:
        author = open_writer(writer, tries, recording or beside(path, "writer"), quiet=quiet)
        n = min(n, limit or n)  # every fact gives two questions or more, and no more of them are to be paid for
    made = generate(graph, chosen, Options(n, seed, radius, direction, hops, engine), writer=author, quiet=quiet)
    written = made.items if limit is None else made.items.head(limit)
    with replacing(path) as stream:
        written.write_ndjson(stream)
    note(summary(made, path, written.height), quiet)
    if made.short:
        raise fail_check()


def summary(made: Result, path: str, written: int) -> str:
    """Say in a few lines what was asked for, what was made, why not the rest, and show three questions."""
    sample, choice = made.sample, made.choice
    lines = [f"{written} items in {path}: {len(sample.batch)} facts of {made.asked} asked for"]
    lines.append(f"facts of the domain: {sample.facts}, of which {sample.eligible} can be asked about")
    lines += [f"  left out, {reason}: {count}" for reason, count in sample.left_out.items()]
    for column, edit in enumerate(EDITS):
        lines.append(_edit_line(edit, column, choice))
    for column, edit in enumerate(NEAR):
        spread = Counter(int(h) for h in choice.hops[:, column] if h)
        lines.append(f"hops of {edit}: " + ", ".join(f"{hop}: {spread[hop]}" for hop in sorted(spread)))
    if made.writer is not None:
        lines += made.writer.told()
    three = made.items.filter(pl.col("variant").is_in(["tpq", "NSC", "NNDR"]))
    shown = three.unique("variant", keep="first", maintain_order=True)
    lines += [f"  {variant:>4}  {question}" for variant, question in shown.select("variant", "question").iter_rows()]
    return "\n".join(lines)


def _edit_line(edit: str, column: int, choice: Choice) -> str:
    codes = Counter(int(code) for code in choice.reasons[:, column])
    why = ", ".join(f"{REASONS[code]}: {codes[code]}" for code in sorted(codes) if code)
    return f"{edit:>5}: {codes[0]} made" + (f"; not the others: {why}" if why else "")


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.fpq")


if __name__ == "__main__":
    main()
