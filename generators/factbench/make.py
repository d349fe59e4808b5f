"""From a graph to simple questions on single facts: facts gathered, those that are specific drawn, items made.

Source: Yuan et al.: Towards a Holistic Evaluation of LLMs on Factual Knowledge Recall (FACT-BENCH, 2024), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl

from generators.draw import keys_of, mix, word
from generators.factbench.draw import in_quarters, split, thinned, with_popularity
from generators.factbench.entities import Sources
from generators.factbench.facts import Facts, facts_of
from generators.factbench.items import groups_of, items_of
from generators.factbench.kinds import domain_lists, people_of_domains
from generators.factbench.reworded import reworded
from generators.factbench.tables import pagerank_of
from generators.factbench.wordings import Wordings, load_wordings
from generators.graph_columns import GraphColumns
from generators.items import source_of
from generators.writer import Writer
from kg.errors import InputError
from kg.graph import Graph
from queries.records.shards import WHOLE, Shard


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts at most, of which `train` go to a part of their own, by what hash.

    `domains` and `wordings` are files of the user's; `popularity` (id, popularity) and `articles` (id, text) are frames;
    the popularity "pagerank" is computed of the graph's facts; `writer` words the properties instead of `wordings`, where its
    words hold; of a `shard` the items of its groups are made. One answer has at most the share `commonest` of a property.
    """

    n: int = 20_000
    seed: int = 0
    train: int = 0
    domains: str | None = None
    wordings: str | None = None
    popularity: pl.DataFrame | Literal["pagerank"] | None = None
    popularity_name: str = "file"
    articles: pl.DataFrame | None = None
    writer: Writer | None = None
    shard: Shard = WHOLE
    commonest: float = 0.2


@dataclass(frozen=True)
class Result:
    """The items, those of the part to learn from, and what there is to say about how they came to be.

    `thinned` facts are left out for having the commonest answers; `owned` and `owned_train` say of each fact drawn for the two
    whether this shard makes its item.
    """

    items: pl.DataFrame
    train: pl.DataFrame
    facts: Facts
    wanted: int
    quartered: bool
    wordings: Wordings
    wanted_train: int = 0
    thinned: int = 0
    owned: Sequence[bool] = ()
    owned_train: Sequence[bool] = ()

    @property
    def short(self) -> bool:
        """Say whether there were fewer facts than wanted."""
        return len(self.owned) + len(self.owned_train) < self.wanted


def generate(graph: Graph, options: Options = Options()) -> Result:
    """Make the questions: a pure function of graph and options.

    Raises InputError where no fact of a worded property can be asked about.

    >>> from kg import open_graph
    >>> result = generate(open_graph(), Options(n=5))
    >>> result.items["task"].unique().to_list(), result.items.height
    (['open'], 5)
    """
    wordings = load_wordings(options.wordings)
    domains, people = domain_lists(options.domains), people_of_domains(options.domains)
    columns = GraphColumns.of(graph, options.seed)
    popularity = pagerank_of(columns) if isinstance(options.popularity, str) else options.popularity
    name = options.popularity if isinstance(options.popularity, str) else options.popularity_name
    sources = Sources(wordings, domains, people, popularity, name, options.articles)
    facts = facts_of(graph, columns, sources)
    if options.writer is not None:
        wordings = reworded(wordings, facts.eligible, options.writer)
        facts = facts_of(graph, columns, replace(sources, wordings=wordings))
    eligible = facts.eligible
    if eligible.is_empty():
        raise _nothing(facts)
    eligible = with_popularity(eligible)
    some = thinned(in_quarters(eligible), options.commonest)
    train, asked = split(some, options.n, options.train, _places(some["s"], options.seed))
    source = {**source_of(graph, options.seed), "popularity": facts.popularity}
    valid = "graph" if options.articles is None else "article"
    writer = None if options.writer is None else options.writer.name
    owned = [options.shard.owned(groups_of(part["s"])) for part in (asked, train)]
    own = [part.filter(pl.Series(here, dtype=pl.Boolean)) for part, here in zip((asked, train), owned, strict=True)]
    items = [items_of(part, source, valid=valid, writer=writer) for part in own]
    quartered = bool(eligible["quartered"].any())
    left = in_quarters(eligible).height - some.height
    return Result(items[0], items[1], facts, options.n, quartered, wordings, options.train, left, *owned)


def _places(subjects: pl.Series, seed: int) -> pl.Series:
    """Return the place of each subject between 0 and 1: which part it belongs to."""
    keys = mix(keys_of(seed, subjects.to_list()), word("factbench split"))
    return pl.Series(keys.astype(np.float64) / 2**64)


def _nothing(facts: Facts) -> InputError:
    if facts.rows.is_empty():
        problem, way_out = "no property of this graph has a wording", "word your own in a TOML file: --wordings FILE"
    else:
        why = "; ".join(f"{reason}: {count}" for reason, count in list(facts.left_out().items())[:3])
        problem, way_out = (
            f"none of {facts.rows.height} facts can be asked about ({why})",
            "see `kg stats`, --domains, --wordings",
        )
    return InputError(problem, way_out=way_out)
