"""From a graph and a domain to false-premise questions: facts drawn, edits chosen, items made.

Source: Zhu, Xiao, Wang, Sang: KG-FPQ: Evaluating Factuality Hallucination in LLMs with Knowledge Graph-based False Premise
Questions (COLING 2025), §3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import Keys, mix, word
from generators.fpq.arrays import ArrayEngine
from generators.fpq.edits import Edits, Engine, Triples, choose, link
from generators.fpq.evenly import OBJECTS
from generators.fpq.facts import Sample, draw_facts
from generators.fpq.frontier import Frontier, open_frontier
from generators.fpq.guesser import commoner, guesses
from generators.fpq.items import Premises, items_of, once_each
from generators.fpq.offers import Offers, offer, places, settle
from generators.fpq.own_edits import OwnEdit, OwnOffers, settle_own
from generators.fpq.plausible import Plausible
from generators.fpq.wording import phrasings_of
from generators.fpq.writer import Writer
from generators.graph_columns import GraphColumns
from generators.items import source_of
from kg.cli import progress
from kg.errors import InputError
from kg.graph import Graph
from kg.sets import Ints
from queries.domain import Domain, find_domain
from queries.records.shards import WHOLE, Shard

_CHUNK, _LEAST = 2048, 64  # triples at a time: a row of bits each for a dozen sets stays in the cache
_BITS = 2**25
"""So many bits, one an entity, a set of a chunk's triples holds at most: a larger graph is worked on in smaller chunks.

With four megabytes a set, the dozens of sets of a chunk take no longer than larger ones would, and a quarter of the memory."""


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


class Sampling(StrEnum):
    """How facts and edited objects are drawn: evenly and at like frequency, or each alike."""

    even = "even"
    plain = "plain"


_PER_CANDIDATE = 1000
"""Of a small graph, so many entities are asked for one more candidate of the pool."""


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts at most, by what hash, over which neighbourhood, with which engine, drawn how.

    `repeats` keeps the items whose text another has; of a `shard` all are kept, for `generators.merge` to say which was first.
    With `frontier` the graph is asked for a sample and never pulled (`generators.fpq.frontier`).
    """

    n: int = 1000
    seed: int = 0
    radius: int = 5
    direction: Direction = Direction.forward
    hops: HopOrder = HopOrder.balanced
    engine: EngineName = EngineName.arrays
    sampling: Sampling = Sampling.even
    pool: int = 10
    open_relations: bool = False
    balance: bool = False
    own: tuple[OwnEdit, ...] = ()
    repeats: bool = False
    shard: Shard = WHOLE
    frontier: bool = False

    def check_frontier(self) -> None:
        """Raise InputError for an option that has to know the whole graph, where that is only asked for a sample.

        >>> Options(frontier=True, direction=Direction.both).check_frontier()
        Traceback (most recent call last):
        kg.errors.InputError: --frontier: follows facts forward alone, where they are few; leave out --direction both
        """
        refused = {
            "--direction both": (self.direction is Direction.both, "follows facts forward alone, where they are few"),
            "--engine sparql": (self.engine is EngineName.sparql, "is an engine of its own"),
            "--sampling plain": (self.sampling is Sampling.plain, "draws evenly alone"),
            "--edit": (bool(self.own), "knows too little of the graph for an edit of your own"),
            "--shard": (not self.shard.whole, "draws one sample for all facts"),
        }
        for option, (given, why) in refused.items():
            if self.frontier and given:
                raise InputError(why, place="--frontier", way_out=f"leave out {option}")

    def pool_of(self, entities: int) -> int:
        """Return how many candidates an edit needs on a graph of so many entities: `pool`, or one for each 1000.

        >>> Options().pool_of(1_863), Options().pool_of(17_000)
        (2, 10)
        """
        return max(1, min(self.pool, -(-entities // _PER_CANDIDATE)))


@dataclass(frozen=True)
class Result:
    """The items, and what there is to say about how they came to be: the facts drawn of those `wanted`, and their edits.

    `guesses`: how often a guesser by frequency is right on each edit (`generators.fpq.guesser`); `refused`: whom the query of
    each own edit finds and may not name, by reason; `repeated`: how many items were left out, as their text stands above;
    `owned`: of each fact drawn, whether this shard asks about it; `frontier`: what was fetched, where that is a sample.
    """

    items: pl.DataFrame
    sample: Sample
    edits: Edits
    guesses: pl.DataFrame
    wanted: int
    writer: Writer | None = None
    refused: Mapping[str, Counter[str]] = field(default_factory=dict)
    repeated: int = 0
    owned: Sequence[bool] = ()
    frontier: Frontier | None = None

    @property
    def short(self) -> bool:
        """Say whether there were fewer facts than wanted."""
        return (len(self.owned) or len(self.sample.triples)) < self.wanted


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
    options.check_frontier()
    phrasings = phrasings_of(domain)
    frontier = _sampled(graph, domain, options) if options.frontier else None
    columns, sample = (frontier.columns, frontier.sample) if frontier else _whole(graph, domain, options)
    owned = _owned(columns, sample.triples, options.shard)
    sample = sample if options.shard.whole else sample.only(owned)
    own = OwnOffers(graph, columns, options.own, len(sample.triples))
    engine = frontier.engine if frontier else None
    edits = select_edits(graph, columns, sample.triples, options, own, engine=engine, quiet=quiet)
    if options.balance:
        true, asked = balanced(sample.triples.keys, edits)
    else:
        true, asked = np.ones(len(sample.triples), np.bool_), edits
    which = commoner(columns, sample.triples, edits, engine.frequencies(sample.triples, edits) if engine else None)
    source = source_of(graph, options.seed, frontier.digest() if frontier else None)
    direction = options.direction.value
    premises = Premises(sample, true, asked, which, {edit.name: edit.query for edit in options.own})
    said = {"domain": domain.name, "direction": direction}
    every = items_of(columns, premises, **said, source=source, phrasings=phrasings, writer=writer)
    items = every if options.repeats or not options.shard.whole else once_each(every)
    counts = guesses(which, edits.names)
    repeated = every.height - items.height
    return Result(items, sample, edits, counts, options.n, writer, own.refused, repeated, owned.tolist(), frontier)


def _whole(graph: Graph, domain: Domain, options: Options) -> tuple[GraphColumns, Sample]:
    """Pull a graph, and draw facts of a domain."""
    columns, even = GraphColumns.of(graph, options.seed), options.sampling is Sampling.even
    incomplete, complete = (_marked(graph, mark) for mark in ("incomplete", "complete"))
    sample = draw_facts(columns, domain, incomplete, options.n, complete=complete, even=even, open_too=options.open_relations)
    return columns, sample


def _sampled(graph: Graph, domain: Domain, options: Options) -> Frontier:
    """Let a graph draw facts of a domain, and fetch what their edits need."""
    return open_frontier(graph, domain, options.n, options.seed, options.radius, open_too=options.open_relations)


def _owned(columns: GraphColumns, triples: Triples, shard: Shard) -> npt.NDArray[np.bool_]:
    """Say of facts whether a shard asks about them: those whose edits may not name the same objects belong to one."""
    numbers = zip(triples.p.tolist(), (places(triples.p) // OBJECTS).tolist(), strict=True)
    iris = columns.relations["iri"]
    return np.array(shard.owned(f"{iris[p]} {block}" for p, block in numbers), np.bool_)


def _marked(graph: Graph, mark: str) -> pl.DataFrame:
    return graph.schema(f"SELECT DISTINCT ?s ?p {{ ?s kgp:{mark} ?p }}")


def select_edits(
    graph: Graph,
    columns: GraphColumns,
    triples: Triples,
    options: Options,
    own: OwnOffers | None = None,
    *,
    engine: Engine | None = None,
    quiet: bool = True,
) -> Edits:
    """Choose the six edited objects of every triple, the chains of facts to the near ones, and those of `own` edits.

    Parameters: `engine` finds the candidates, where it is another than the options name.
    """
    own = own or OwnOffers(graph, columns, options.own, len(triples))
    engine = engine or _engine(graph, columns, triples, options)
    even = options.sampling is Sampling.even
    choosing = _evenly if even else _plainly
    edits = choosing(engine, columns, triples, options, own, quiet)
    return settle_own(edits, own, triples.p, even=even)


def _engine(graph: Graph, columns: GraphColumns, triples: Triples, options: Options) -> Engine:
    if options.engine is EngineName.arrays:
        return ArrayEngine(columns, triples, options.radius, options.direction.value)
    from generators.fpq.sparql import SparqlEngine  # here: it needs networkx, which takes a quarter of a second to load

    return SparqlEngine(graph, columns, triples, options.radius, options.direction.value)


def _plainly(engine: Engine, columns: GraphColumns, triples: Triples, options: Options, own: OwnOffers, quiet: bool) -> Edits:
    """Choose among all candidates alike, each triple for itself."""
    edits = Edits.empty(len(triples), options.radius)
    for rows in _chunks(triples, columns.n, "choosing edits", quiet):
        masks = engine.masks(rows)
        some = choose(triples[rows], masks, columns.keys, options.hops.value)
        link(some, rows, engine)
        edits[rows] = some
        own.take(rows, triples[rows], masks)
    return edits


def _evenly(engine: Engine, columns: GraphColumns, triples: Triples, options: Options, own: OwnOffers, quiet: bool) -> Edits:
    """Choose among candidates of like frequency, none of them too often."""
    offers, pool = Offers.empty(len(triples)), options.pool_of(columns.n)
    plausible = Plausible(columns, triples)
    for rows in _chunks(triples, columns.n, "choosing edits", quiet):
        masks = engine.masks(rows)
        likely = plausible.narrow(masks, triples[rows])
        offers[rows] = offer(triples[rows], likely, columns.keys, options.hops.value, pool)
        own.take(rows, triples[rows], masks)
    edits = settle(offers.only(engine.confirm(triples, offers.objects)), triples.p, options.radius)
    for rows in _chunks(triples, columns.n, "finding ways", quiet):
        some = edits[rows]
        link(some, rows, engine)
        edits[rows] = some
    return edits


def _chunks(triples: Triples, entities: int, doing: str, quiet: bool) -> Iterator[Ints]:
    """Yield the rows of some triples at a time, of a graph of so many entities."""
    chunk = min(_CHUNK, max(_LEAST, _BITS // max(entities, 1)))
    # Triples of one subject stand together, so that a chunk needs the neighbourhoods of few subjects.
    order = np.lexsort((triples.p, triples.s))
    with progress(doing, len(triples), quiet) as bar:
        for first in range(0, len(order), chunk):
            rows = order[first : first + chunk]
            yield rows
            bar.advance(bar.task_ids[0], len(rows))


Bools = npt.NDArray[np.bool_]


def balanced(keys: Keys, edits: Edits) -> tuple[Bools, Edits]:
    """Return of which facts the true premise is asked, and the edits that are asked, one at most of each other fact.

    Which of a pair is the true one is drawn by hash, but where only one of them has an edit. A pair without any is left out,
    and so is a last fact without a partner.
    """
    true, objects = np.zeros(len(keys), np.bool_), np.full_like(edits.objects, -1)
    first = np.arange(0, len(keys) - 1, 2)
    made = edits.objects >= 0
    able: Bools = np.logical_or.reduce(made, axis=1)
    coin = mix(keys[first], word("balance")) % np.uint64(2) == 0
    false = np.where(able[first] & (coin | ~able[first + 1]), first, first + 1)
    pairs = np.flatnonzero(able[false])
    false = false[pairs]
    true[first[pairs] + first[pairs] + 1 - false] = True
    # The edit whose turn it is, or the next one that was made.
    turns = (pairs[:, None] + np.arange(len(edits.names))) % len(edits.names)
    column = turns[np.arange(len(pairs)), made[false[:, None], turns].argmax(axis=1)]
    objects[false, column] = edits.objects[false, column]
    return true, replace(edits, objects=objects)
