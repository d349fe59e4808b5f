"""A seeded graph of the size of a real one, for the benchmarks: same size and seed, same graph.

It has what makes such graphs slow to work on: hubs, sinks, long tails of relations and concepts, namesakes, aliases, a
hierarchy of places, relations that imply others, and facts that stand in both directions.

```
cd tests/benchmarks && python -c 'from made_graph import *; print(make(SMALL).facts.height)'
cd tests/benchmarks && python -c 'from made_graph import *; print(load(make(SMALL)).counts)'
```
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from kg.build import Build, Load, iri_terms, typed_terms
from kg.sources.wikidata import WikidataFiles
from kg.text import fold
from kg.vocab import PREFIXES
from queries.domain import Domain

__all__ = ["KOPL", "SMALL", "MadeGraph", "Size", "domain", "load", "make", "write_tsv"]

_WD, _WDT = PREFIXES["wd"], PREFIXES["wdt"]
_PART_OF, _SUBCLASS = 0, "P279"
_FIRST_RELATION = 700_000  # far from any property with a known name, so that the labels given here are the only ones
_FIRST_CONCEPT = 10_000_000
# How the facts are spread: with these numbers five hops forward reach about a quarter of the graph, as in real ones.
_POOL = 0.32  # the share of entities that are ever objects
_SILENT = 0.3  # the share of those about which nothing is said
_POWER, _FLAT = 1.2, 1  # how fast the objects of a relation grow rarer
_FAMOUS = 0.2  # how much more is said of those that are often objects
_SHARED = 3  # how much the relations share their hubs: 1 is not at all
_SYLLABLES = np.array([f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("a", "el", "i", "or", "u")])


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    entities: int
    facts: int
    relations: int
    concepts: int
    values: int


KOPL = Size(entities=17_000, facts=200_000, relations=360, concepts=800, values=142_000)
"""About what KQA Pro's knowledge base has."""

SMALL = Size(entities=600, facts=5_000, relations=40, concepts=30, values=2_000)
"""A graph for a quick look."""


@dataclass(frozen=True)
class MadeGraph:
    """`facts`: s, p, o; `types`: e, c; `above`: c, d; `aliases`: e, alias; `values`: e, a, number; things are numbers."""

    size: Size
    facts: pl.DataFrame
    types: pl.DataFrame
    above: pl.DataFrame
    labels: pl.Series
    concept_labels: pl.Series
    aliases: pl.DataFrame
    values: pl.DataFrame


def make(size: Size, seed: int = 0) -> MadeGraph:
    """Make the graph of a size under a seed."""
    rng = np.random.Generator(np.random.PCG64(seed))
    labels = _names(rng, size.entities)
    with_alias = rng.choice(size.entities, size.entities * 3 // 4)
    return MadeGraph(
        size=size,
        facts=_facts(rng, size),
        types=_types(rng, size),
        above=_above(rng, size),
        labels=_with_namesakes(rng, labels),
        concept_labels=_names(rng, size.concepts),
        aliases=pl.DataFrame({"e": with_alias, "alias": _names(rng, len(with_alias))}).unique(maintain_order=True),
        values=_values(rng, size),
    )


def domain(made: MadeGraph) -> Domain:
    """Return a domain of the commoner concepts and relations: shares as in the paper's three domains together."""
    concepts = made.concept_labels.head(made.size.concepts * 177 // 794)
    relations = _relation_labels(made.size).head(made.size.relations * 154 // 363)
    return Domain("made", tuple(map(fold, concepts)), tuple(map(fold, relations)))


# --- drawing


def _facts(rng: np.random.Generator, size: Size) -> pl.DataFrame:
    """Draw distinct facts, most at random, some because others stand."""
    drawn = size.facts * 3 // 2
    relation = rng.choice(size.relations, drawn, p=_falling(size.relations, 1.0, 8))
    frame = pl.DataFrame({"s": _subjects(rng, size, drawn), "p": relation, "o": _objects(rng, size, relation)})
    places = frame["s"].filter(frame["p"] == _PART_OF)
    parts = pl.DataFrame({"s": places, "p": pl.repeat(_PART_OF, len(places), dtype=pl.Int64, eager=True), "o": places // 8})
    frame = pl.concat([frame.filter(pl.col("p") != _PART_OF), parts])
    coin = pl.Series(rng.random(frame.height))
    implied = frame.filter((frame["p"] % 12 == 1) & (coin < 0.5)).with_columns(pl.col("p") + 1)
    mirrored = frame.filter((frame["p"] % 60 == 45) & (coin < 0.5)).select(s="o", p="p", o="s")
    every = pl.concat([frame, implied, mirrored]).unique(maintain_order=True)
    kept = every.sample(size.facts, shuffle=True, seed=int(rng.integers(2**31)))
    return kept.filter(pl.col("p") < size.relations)


def _falling(n: int, power: float, flat: int) -> npt.NDArray[np.float64]:
    """Return n probabilities that fall with the rank, the first `flat` of them slowly."""
    weights = (np.arange(n) + flat) ** -power
    falling: npt.NDArray[np.float64] = weights / weights.sum()
    return falling


def _subjects(rng: np.random.Generator, size: Size, drawn: int) -> npt.NDArray[np.int64]:
    """Much is said of some, more of those that are often objects; of some objects nothing is said."""
    weights = rng.lognormal(0.0, 1.0, size.entities) * (np.arange(size.entities) + 20.0) ** -_FAMOUS
    silent = rng.random(size.entities) < np.where(np.arange(size.entities) < size.entities * _POOL, _SILENT, 0)
    weights[silent] = 0
    return rng.choice(size.entities, drawn, p=weights / weights.sum())


def _objects(rng: np.random.Generator, size: Size, relation: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Each relation has its own hubs and its own tail."""
    pool = int(size.entities * _POOL)
    first = (pool * rng.random(size.relations) ** _SHARED).astype(np.int64)
    rank = rng.choice(pool, len(relation), p=_falling(pool, _POWER, _FLAT))
    return (first[relation] + rank) % pool


def _types(rng: np.random.Generator, size: Size) -> pl.DataFrame:
    """One concept or two for each entity."""
    second = rng.choice(size.entities, size.entities * 3 // 10, replace=False)
    e = np.concatenate([np.arange(size.entities), second])
    return pl.DataFrame({"e": e, "c": rng.choice(size.concepts, len(e), p=_falling(size.concepts, 1.0, 3))}).unique(
        maintain_order=True
    )


def _above(rng: np.random.Generator, size: Size) -> pl.DataFrame:
    """Half of the concepts lie below an earlier one, so there is no cycle."""
    low = np.sort(rng.choice(np.arange(1, size.concepts), size.concepts // 2, replace=False))
    return pl.DataFrame({"c": low, "d": rng.integers(low)})


def _values(rng: np.random.Generator, size: Size) -> pl.DataFrame:
    e, a = rng.integers(size.entities, size=size.values), rng.integers(40, size=size.values)
    return pl.DataFrame({"e": e, "a": a, "number": rng.integers(100_000, size=size.values)}).unique(
        ["e", "a"], maintain_order=True
    )


def _names(rng: np.random.Generator, n: int) -> pl.Series:
    """Names of two words."""
    words = [_SYLLABLES[rng.integers(len(_SYLLABLES), size=(n, 5))][:, k] for k in range(5)]
    parts = pl.DataFrame({str(k): w for k, w in enumerate(words)})
    return parts.select(
        pl.concat_str("0", "1", "2").str.to_titlecase() + " " + pl.concat_str("3", "4").str.to_titlecase()
    ).to_series()


def _with_namesakes(rng: np.random.Generator, labels: pl.Series) -> pl.Series:
    """Give one entity in fifty the label of another."""
    rows = rng.choice(len(labels), len(labels) // 50, replace=False)
    borne = np.arange(len(labels))
    borne[rows] = rng.integers(len(labels), size=len(rows))
    return labels[borne]


def _relation_labels(size: Size) -> pl.Series:
    return pl.Series(["part of" if k == _PART_OF else f"relation {k}" for k in range(size.relations)])


# --- as a load, and as files


def load(made: MadeGraph, name: str = "made") -> Load:
    """Make a load of everything."""
    build = Build(name, source="made")
    relation = _iris(pl.Series(range(made.size.relations)), "P", _FIRST_RELATION, _WDT)
    build.relation(relation, _relation_labels(made.size))
    build.label(_entity(pl.Series(range(made.size.entities))), made.labels)
    build.label(_concept(pl.Series(range(made.size.concepts))), made.concept_labels)
    build.alias(_entity(made.aliases["e"]), made.aliases["alias"])
    build.type(_entity(made.types["e"]), _concept(made.types["c"]))
    build.subclass(_concept(made.above["c"]), _concept(made.above["d"]))
    s, o = _entity(made.facts["s"]), _entity(made.facts["o"])
    build.triples(s, _iris(made.facts["p"], "P", _FIRST_RELATION, _WDT), o)
    build.degree(s, o)
    _add_values(build, made)
    return build.finish()


def _add_values(build: Build, made: MadeGraph) -> None:
    attributes = pl.Series(range(40))
    build.attribute(_iris(attributes, "P", 2 * _FIRST_RELATION, _WDT), "attribute " + attributes.cast(pl.String))
    predicate = _iris(made.values["a"], "P", 2 * _FIRST_RELATION, _WDT)
    build.triples(_entity(made.values["e"]), predicate, typed_terms(made.values["number"].cast(pl.String), "integer"))


def _ids(numbers: pl.Series, letter: str, first: int) -> pl.Series:
    return letter + (numbers + first).cast(pl.String)


def _iris(numbers: pl.Series, letter: str, first: int, namespace: str) -> pl.Series:
    return iri_terms(_ids(numbers, letter, first), namespace)


def _entity(numbers: pl.Series) -> pl.Series:
    return _iris(numbers, "Q", 1, _WD)


def _concept(numbers: pl.Series) -> pl.Series:
    return _iris(numbers, "Q", _FIRST_CONCEPT, _WD)


def write_tsv(made: MadeGraph, folder: Path) -> WikidataFiles:
    """Write the graph, but for its numbers, as the files that `kg load wikidata` reads."""
    frames = {"triples": _triples(made), "entities": _entities(made), "types": _typed(made), "properties": _properties(made)}
    paths = {kind: folder / f"{kind}.tsv" for kind in frames}
    for kind, frame in frames.items():
        frame.write_csv(paths[kind], separator="\t")
    return WikidataFiles(paths["triples"], paths["entities"], paths["types"], paths["properties"])


def _triples(made: MadeGraph) -> pl.DataFrame:
    said = [_ids(made.facts["s"], "Q", 1), _ids(made.facts["p"], "P", _FIRST_RELATION), _ids(made.facts["o"], "Q", 1)]
    facts = pl.DataFrame(dict(zip(("subject", "property", "object"), said, strict=True)))
    low, high = (_ids(made.above[c], "Q", _FIRST_CONCEPT) for c in ("c", "d"))
    above = pl.DataFrame({"subject": low, "property": pl.repeat(_SUBCLASS, len(low), eager=True), "object": high})
    return pl.concat([facts, above]).with_row_index("n")


def _entities(made: MadeGraph) -> pl.DataFrame:
    aliases = made.aliases.group_by("e").agg(pl.col("alias").sort().str.join("|"))
    listed = pl.DataFrame({"label": made.labels}).with_row_index("e").cast({"e": pl.Int64})
    every = listed.join(aliases, on="e", how="left", maintain_order="left")
    things = every.select(id=_ids(every["e"], "Q", 1), label="label", aliases="alias")
    numbers = pl.Series(range(made.size.concepts))
    concepts = pl.DataFrame({"id": _ids(numbers, "Q", _FIRST_CONCEPT), "label": made.concept_labels})
    return pl.concat([things, concepts], how="diagonal")


def _typed(made: MadeGraph) -> pl.DataFrame:
    concept = _ids(made.types["c"], "Q", _FIRST_CONCEPT)
    return pl.DataFrame(
        {"id": _ids(made.types["e"], "Q", 1), "type": concept, "type_label": made.concept_labels[made.types["c"]]}
    )


def _properties(made: MadeGraph) -> pl.DataFrame:
    relations = pl.Series(range(made.size.relations))
    labels = [*_relation_labels(made.size), "subclass of"]
    return pl.DataFrame({"id": [*_ids(relations, "P", _FIRST_RELATION), _SUBCLASS], "label": labels})
