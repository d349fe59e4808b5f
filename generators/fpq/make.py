"""From a graph and a domain to false-premise questions: facts drawn, edits chosen, items made.

Source: Zhu, Xiao, Wang, Sang: KG-FPQ: Evaluating Factuality Hallucination in LLMs with Knowledge Graph-based False Premise
Questions (COLING 2025), §3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from generators.fpq.arrays import ArrayEngine
from generators.fpq.edits import Edits, Engine, Triples, choose
from generators.fpq.facts import Sample, draw_facts
from generators.fpq.items import items_of
from generators.fpq.sparql import SparqlEngine
from generators.fpq.writer import Writer
from generators.graph_columns import GraphColumns
from generators.items import source_of
from kg.cli import progress
from kg.graph import Graph
from queries.domain import Domain, find_domain

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
    """The items, and what there is to say about how they came to be: the facts drawn of those `wanted`, and their edits."""

    items: pl.DataFrame
    sample: Sample
    edits: Edits
    wanted: int
    writer: Writer | None = None

    @property
    def short(self) -> bool:
        """Say whether there were fewer facts than wanted."""
        return len(self.sample.triples) < self.wanted


def generate(
    graph: Graph, domain: Domain | str, options: Options = Options(), *, writer: Writer | None = None, quiet: bool = True
) -> Result:
    """Make the questions of a domain: a pure function of graph, domain, options and, with a writer, of what it answers.

    Parameters: `domain` may be the name or the file of one; `quiet` leaves the progress bar out.

    Raises InputError where there is no such domain, or it matches nothing in this graph.

    >>> from kg import open_graph
    >>> result = generate(open_graph(), "art", Options(n=3))
    >>> result.items["task"].unique().sort().to_list()
    ['premise', 'yes_no']
    """
    domain = find_domain(domain) if isinstance(domain, str) else domain
    columns = GraphColumns.of(graph, options.seed)
    sample = draw_facts(columns, domain, _incomplete(graph), options.n)
    edits = select_edits(graph, columns, sample.triples, options, quiet=quiet)
    source = source_of(graph, options.seed)
    direction = options.direction.value
    items = items_of(columns, sample, edits, domain=domain.name, direction=direction, source=source, writer=writer)
    return Result(items, sample, edits, options.n, writer)


def _incomplete(graph: Graph) -> pl.DataFrame:
    return graph.schema("SELECT DISTINCT ?s ?p { ?s kgp:incomplete ?p }")


def select_edits(graph: Graph, columns: GraphColumns, triples: Triples, options: Options, *, quiet: bool = True) -> Edits:
    """Choose the six edited objects of every triple, and the chains of facts to the near ones."""
    engine: Engine
    if options.engine is EngineName.arrays:
        engine = ArrayEngine(columns, triples, options.radius, options.direction.value)
    else:
        engine = SparqlEngine(graph, columns, triples, options.radius, options.direction.value)
    edits = Edits.empty(len(triples), options.radius)
    # Triples of one subject stand together, so that a chunk needs the neighbourhoods of few subjects.
    order = np.lexsort((triples.p, triples.s))
    with progress("choosing edits", len(triples), quiet) as bar:
        for first in range(0, len(order), _CHUNK):
            rows = order[first : first + _CHUNK]
            edits[rows] = choose(triples[rows], engine.masks(rows), engine, columns.keys, options.hops.value)
            bar.advance(bar.task_ids[0], len(rows))
    return edits
