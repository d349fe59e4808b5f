"""A graph's facts, concepts and names as columns of numbers, pulled by a few SELECTs.

The views in `queries/library` say what counts; this module only numbers what they return. Entities are numbered in the
order of a ring: by their key under the seed, so that "the next one after this point" is the next number. The views are run
once each; nothing is asked of the graph for single entities (DESIGN: never one query per item).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import Keys, keys_of
from generators.years import years_of
from kg.graph import Graph, check_declared
from kg.hops import Hops
from kg.sets import Ints, members, spans
from kg.text import fold, fold_all
from kg.vocab import PREFIXES, property_labels
from queries.domain import alike, containment, defaming
from queries.views import columns_of

_MISSPELT = 0.95
"""Of two labels of a property one is a misspelling of the other that is as like it as this (of 1)."""


class Remembering(Protocol):
    """Something of a graph that keeps what rules have found of it."""

    @property
    def found(self) -> dict[Hashable, Any]:
        """What rules that are worked out `once` have found."""
        ...


_Of = TypeVar("_Of", bound=Remembering)


def ints(column: pl.Series) -> Ints:
    """Return a column as 64-bit numbers: made anew, as they are long and soon done with."""
    return column.cast(pl.Int64).to_numpy()


_Found = TypeVar("_Found")
_More = ParamSpec("_More")


def once(rule: Callable[Concatenate[_Of, _More], _Found]) -> Callable[Concatenate[_Of, _More], _Found]:
    """Have a rule worked out once for each graph: several steps ask what it finds, and none changes that.

    >>> from kg import open_graph
    >>> columns = GraphColumns.of(open_graph(), seed=0)
    >>> rule = once(lambda graph: [graph.n])
    >>> rule(columns) is rule(columns)
    True
    """

    @wraps(rule)
    def found(of: _Of, /, *more: _More.args, **named: _More.kwargs) -> _Found:
        asked = rule, more, tuple(named.items())
        if asked not in of.found:
            of.found[asked] = rule(of, *more, **named)
        known: _Found = of.found[asked]
        return known

    return found


@dataclass(frozen=True)
class GraphColumns:
    """What a generator knows of a graph, as columns of numbers.

    `entities`: IRI and label of each, in the order of the ring, and `stated`, whether a fact names it; `keys`: their places.
    `facts`: s, p, o as numbers (u32). `relations`: IRI, label, and `names`, the folded names it goes by. `concepts`: e, c
    numbers of entity and concept; `concept_iris`, `concept_labels` by number; `above`: c, d numbers of a concept and one
    directly above it. `labels`: e, label (folded, all of them); `names`: e, name (folded: labels and aliases); `others`: iri
    and name of what is no entity; `aliases`: e, alias as written; `years`: when each was there, as `generators.years` says it.
    """

    seed: int
    entities: pl.DataFrame
    keys: Keys
    facts: pl.DataFrame
    relations: pl.DataFrame
    concepts: pl.DataFrame
    concept_iris: pl.Series
    concept_labels: pl.Series
    above: pl.DataFrame
    labels: pl.DataFrame
    names: pl.DataFrame
    others: pl.DataFrame
    aliases: pl.DataFrame
    years: pl.DataFrame

    @classmethod
    def of(cls, graph: Graph, seed: int) -> GraphColumns:
        """Pull the views of `graph` and number what they return.

        Raises InputError for a graph that declares neither a relation nor an attribute.

        >>> from kg import open_graph
        >>> columns = GraphColumns.of(open_graph(), seed=0)
        >>> columns.facts.columns, columns.entities.columns
        (['s', 'p', 'o'], ['iri', 'label', 'stated'])
        """
        stored = columns_of(graph)
        facts, types, above = (stored.frame(name) for name in ("facts", "concepts", "superconcepts"))
        every_label, pulled = stored.frame("labels"), stored.frame("relations")
        if pulled.is_empty():
            check_declared(graph)
        aliases = stored.frame("aliases")
        labels = every_label.group_by("e").agg(pl.col("label").min())  # of several labels the first in order
        entities, keys, place = _on_the_ring(stored.iris, facts, types, above, labels, seed)
        relations, relation = _relations(stored.iris, pulled)
        concepts, concept_iris, above = _concepts(stored.iris, types, above, place)
        names = pl.concat([every_label.select("e", name="label"), aliases.select("e", name="alias")])
        names = names.with_columns(fold_all(names["name"]))
        labelled, names = (frame.drop_nulls().unique() for frame in (names.head(every_label.height), names))
        number = entities.select(e="iri").with_row_index("i")
        return cls(
            seed=seed,
            entities=entities,
            keys=keys,
            facts=_numbered_facts(facts, place, relation, relations.height),
            relations=relations,
            concepts=concepts,
            concept_iris=concept_iris,
            concept_labels=pl.DataFrame({"e": stored.numbers(concept_iris)}).join(
                labels, on="e", how="left", maintain_order="left"
            )["label"],
            above=above,
            labels=_renumbered(labelled, "e", place).select("e", label="name").sort("e", "label"),
            names=_renumbered(names, "e", place).sort("e", "name"),
            others=_of_no_entity(names, stored.iris, place),
            aliases=_renumbered(aliases, "e", place).sort("e", "alias"),
            years=_numbered(years_of(graph), "e", number).sort("e"),
        )

    @cached_property
    def found(self) -> dict[Hashable, Any]:
        """What rules that are worked out `once` have found."""
        return {}

    @cached_property
    def candidates(self) -> pl.Series:
        """Whether each entity may be named in place of another: it stands in a fact, has a label, and defames nobody."""
        return self.entities["stated"] & self.entities["label"].is_not_null() & ~self._defaming

    @cached_property
    def common(self) -> pl.Series:
        """Whether each entity is called by a common noun, as its small letter says."""
        return self.entities["label"].str.contains(r"^\p{Ll}").fill_null(False)

    @cached_property
    def _defaming(self) -> pl.Series:
        """Whether each entity is of a concept of `queries/domains/defaming.toml` or of one below it, or is such a concept."""
        number, top = len(self.concept_iris), fold_all(self.concept_labels).is_in([*defaming()]).arg_true()
        low, high = (ints(self.above[c]) for c in ("c", "d"))
        below = members(Hops(number, high, low).closure(ints(top)))[1]
        kinds = pl.concat([top.cast(pl.UInt32), pl.Series(below, dtype=pl.UInt32)])
        of_kind = self.concepts.filter(pl.col("c").is_in(kinds.implode()))["e"]
        itself = self.entities["iri"].is_in(self.concept_iris.gather(kinds).implode())
        return pl.int_range(self.n, eager=True, dtype=pl.UInt32).is_in(of_kind.implode()) | itself

    @property
    def n(self) -> int:
        """How many entities there are."""
        return self.entities.height

    @cached_property
    def degrees(self) -> pl.Series:
        """In how many facts each entity stands."""
        s, o = (np.bincount(self.facts[end].to_numpy(), minlength=self.n) for end in ("s", "o"))
        return pl.Series("degree", s + o, dtype=pl.UInt32)

    @cached_property
    def subjects(self) -> pl.DataFrame:
        """The subjects of each relation: p, e, each pair once."""
        key = self.subject_relations  # in order
        width = max(self.relations.height, 1)
        s, p = np.divmod(key[np.diff(key, prepend=-1) > 0], width)
        return pl.DataFrame({"p": p, "e": s}, schema=dict.fromkeys("pe", pl.UInt32))

    @cached_property
    def objects(self) -> pl.DataFrame:
        """The objects of each relation: p, e, each pair once, in order."""
        p, o = np.divmod(self.object_counts[0], max(self.n, 1))
        return pl.DataFrame({"p": p, "e": o}, schema=dict.fromkeys("pe", pl.UInt32))

    @cached_property
    def object_counts(self) -> tuple[Ints, Ints]:
        """Relation and object of each fact as one number, `p * n + o`, each once and in order; and how many facts have it."""
        # Sorted once for all that ask: the facts are in another order, and these are a fraction of them.
        key = np.sort(ints(self.facts["p"]) * max(self.n, 1) + ints(self.facts["o"]))
        first = np.flatnonzero(np.diff(key, prepend=-1))
        return key[first], np.diff(first, append=len(key))

    @cached_property
    def folded_labels(self) -> pl.Series:
        """The folded label of each entity; null where it has none."""
        return fold_all(self.entities["label"])

    @cached_property
    def relation_keys(self) -> Keys:
        """The key of each relation."""
        return keys_of(self.seed, self.relations["iri"].to_list())

    def of_role(self, role: str) -> pl.DataFrame:
        """Return the relations that play a role in `queries/domains/alike.toml`: p."""
        listed = pl.col("names").list.set_intersection(sorted(alike()[role])).list.len() > 0
        return self.relations.with_row_index("p").filter(listed).select("p")

    @cached_property
    def subject_relations(self) -> Ints:
        """Subject and relation of each fact as one number, `s * relations + p`; it rises, as the facts are in order."""
        return ints(self.facts["s"]) * max(self.relations.height, 1) + ints(self.facts["p"])

    @cached_property
    def paired(self) -> pl.DataFrame:
        """The facts whose two ends stand in another fact as well, either way round, or are the same: few of them."""
        s, o = ints(self.facts["s"]), ints(self.facts["o"])
        ends = np.minimum(s, o) * self.n + np.maximum(s, o)
        order = np.argsort(ends)
        again = np.diff(ends[order], prepend=-1) == 0
        shared = s == o
        shared[order] |= again | np.append(again[1:], False)
        return self.facts.filter(pl.Series(shared))

    def stating(self, s: pl.Series, p: pl.Series) -> tuple[Ints, Ints]:
        """Return the facts of some subjects under some relations: (k, place of the fact), in order of k.

        >>> from kg import open_graph
        >>> columns = GraphColumns.of(open_graph(), seed=0)
        >>> first = columns.facts.head(1)
        >>> columns.stating(first["s"], first["p"])[1][0].item()
        0
        """
        width = max(self.relations.height, 1)
        return spans(self.subject_relations, ints(s) * width + ints(p))

    @cached_property
    def contained(self) -> pl.DataFrame:
        """What lies directly within or below what: `below`, `above` (by place, part, type and subclass).

        Of the types and classes, only those are kept that lie below what may be named or may be a true object, or are one of
        these: no chain between two of them leads over any other.
        """
        up, down = containment()
        direction = self.relations.select(
            p=pl.int_range(pl.len(), dtype=pl.UInt32),
            up=pl.col("names").list.set_intersection(list(up)).list.len() > 0,
            down=pl.col("names").list.set_intersection(list(down)).list.len() > 0,
        )
        along = self.facts.join(direction.filter(pl.col("up") | pl.col("down")), on="p")
        along = along.join(self._shared, on=["s", "p"], how="anti")
        # A relation listed both ways counts as upward; a fact must not put a thing above and below another.
        upward = along.filter("up").select(below="s", above="o")
        downward = along.filter(pl.col("down") & ~pl.col("up")).select(below="o", above="s")
        stated = pl.concat([upward, downward])
        low, high = (ints(pl.concat([stated[c], self._classed[c]])) for c in ("below", "above"))
        useful = self.candidates.to_numpy() | marked(self.n, self.facts["o"])
        # What lies below any of them is found step by step: only the edges that have just been reached lead on.
        while len(new := low[useful[high] & ~useful[low]]):
            useful[new] = True
        kept = self._classed.filter(pl.Series(useful[self._classed["above"].to_numpy()]))
        return pl.concat([stated, kept]).unique(maintain_order=True)

    @cached_property
    def _shared(self) -> pl.DataFrame:
        """What holds lands and lies in none of them, whatever is said of it: s, p.

        A sea has several countries, an alliance has members and its seat in one: over either a land would lie in another. A
        town that was part of several lies in each of them.
        """
        up, _ = containment()
        lands = self.facts.join(self.of_role("within"), on="p")
        several = lands.group_by("s", "p").len().filter(pl.col("len") > 1).select("s", "p")
        leagues = self.facts.join(self.of_role("leagues"), on="p").select(s="o").unique()
        shared = pl.concat([several, lands.join(leagues, on="s", how="semi").select("s", "p")]).unique()
        upward = self.relations.select(
            p=pl.int_range(pl.len(), dtype=pl.UInt32), up=pl.col("names").list.set_intersection(list(up)).list.len() > 0
        ).filter("up")
        held = self.facts.join(upward, on="p").join(lands.select(s="o").unique(), on="s", how="semi")
        return shared.join(held.select(s="o").unique(), on="s", how="semi")

    @cached_property
    def tails(self) -> pl.DataFrame:
        """Pairs e, x of which one's label ends with the other's ("liver cancer", "cancer"), both ways round."""
        whole, words = self.labels.rename({"e": "x"}), self.labels.with_columns(words=pl.col("label").str.split(" "))
        found, last = [pl.DataFrame(schema={"e": whole["x"].dtype, "x": whole["x"].dtype})], 1
        while (longer := words.filter(pl.col("words").list.len() > last)).height:
            tail = longer.select("e", label=pl.col("words").list.tail(last).list.join(" "))
            found, last = [*found, tail.join(whole, on="label").select("e", "x")], last + 1
        ends = pl.concat(found)
        return pl.concat([ends, ends.select(e="x", x="e")]).filter(pl.col("e") != pl.col("x")).unique().sort("e", "x")

    @cached_property
    def kinds(self) -> pl.DataFrame:
        """What is directly a kind of what: `below`, `above` (by type and subclass, and by P31 and P279 as facts)."""
        by = [f"{PREFIXES['wdt']}{name}" for name in ("P31", "P279")]
        relations = self.relations.with_row_index("p").filter(pl.col("iri").is_in(by)).select("p")
        stated = self.facts.join(relations, on="p").select(below="s", above="o")
        return pl.concat([stated, self._classed]).unique(maintain_order=True)

    @cached_property
    def _classed(self) -> pl.DataFrame:
        """The types of entities and what is above concepts, as pairs of entities: `below`, `above`."""
        # A concept that nothing but types name is no entity, and stands in no question.
        number = self.entities.select(iri="iri", i=pl.int_range(pl.len(), dtype=pl.UInt32))
        place = pl.DataFrame({"iri": self.concept_iris}).join(number, on="iri", how="left", maintain_order="left")["i"]
        typed = self.concepts.select(below="e", above=place.gather(self.concepts["c"]))
        classed = pl.DataFrame({"below": place.gather(self.above["c"]), "above": place.gather(self.above["d"])})
        return pl.concat([typed, classed]).drop_nulls()


def _on_the_ring(
    iris: pl.Series, facts: pl.DataFrame, types: pl.DataFrame, above: pl.DataFrame, labels: pl.DataFrame, seed: int
) -> tuple[pl.DataFrame, Keys, Ints]:
    """Number everything that stands in a fact, has a concept, or lies above or below something.

    With entities and keys comes their place on the ring by the number in `iris`, -1 for what is no entity.
    """
    stated = marked(len(iris), facts["s"], facts["o"])
    number = np.flatnonzero(stated | marked(len(iris), types["e"], above["c"], above["d"]))
    own = iris.gather(number)
    unordered = pl.DataFrame({"iri": own, "key": keys_of(seed, own.to_list()), "e": pl.Series(number, dtype=pl.UInt32)})
    ring = unordered.sort("key", "iri")
    place = np.full(len(iris), -1)
    place[ring["e"].to_numpy()] = np.arange(ring.height)
    labelled = ring.join(labels, on="e", how="left", maintain_order="left")
    entities = labelled.select("iri", "label", stated=pl.Series(stated[ring["e"].to_numpy()], dtype=pl.Boolean))
    return entities, ring["key"].to_numpy(), place


def marked(n: int, *numbers: pl.Series) -> npt.NDArray[np.bool_]:
    """Say of each number below `n` whether it is among some."""
    marked = np.zeros(n, np.bool_)
    for some in numbers:
        marked[some.to_numpy()] = True
    return marked


def _relations(iris: pl.Series, stored: pl.DataFrame) -> tuple[pl.DataFrame, Ints]:
    """One row a relation, sorted by IRI: its label (else the last part of its IRI) and all folded names it goes by.

    With it comes the row of each relation by its number in `iris`.
    """
    one = stored.group_by("p").agg(pl.col("label").min())
    one = one.with_columns(iri=iris.gather(one["p"])).sort("iri")
    row = np.full(len(iris), -1)
    row[one["p"].to_numpy()] = np.arange(one.height)
    return _named(one), row


def relations_of(stored: pl.DataFrame) -> pl.DataFrame:
    """Return one row a relation as `GraphColumns` has them (iri, label, names) of the view `relations`: p, label.

    >>> relations_of(pl.DataFrame({"p": ["urn:x#Sold"], "label": ["Sold by"]})).row(0)
    ('urn:x#Sold', 'Sold by', ['sold by'])
    """
    return _named(stored.group_by("p").agg(pl.col("label").min()).rename({"p": "iri"}).sort("iri"))


def _named(one: pl.DataFrame) -> pl.DataFrame:
    """Spell the labels of relations, and give all folded names that they go by."""
    label = one["label"].fill_null(one["iri"].str.extract(r"([^/#]+)$"))
    known = [property_labels(iri) for iri in one["iri"]]
    names = [sorted({fold(text), *map(fold, labels)}) for labels, text in zip(known, label, strict=True)]
    spelled = pl.Series([_spelled(text, labels) for labels, text in zip(known, label, strict=True)], dtype=pl.String)
    return pl.DataFrame({"iri": one["iri"], "label": spelled, "names": pl.Series(names, dtype=pl.List(pl.String))})


def _spelled(label: str, known: Sequence[str]) -> str:
    """Return the preferred label of a property in place of another of its labels that is a misspelling of it.

    >>> known = ["located in the administrative territorial entity", "located in the administrative terroritorial entity"]
    >>> _spelled(known[1], known), _spelled("located in", known)
    ('located in the administrative territorial entity', 'located in')
    """
    misspelt = label in known[1:] and SequenceMatcher(None, label, known[0]).ratio() > _MISSPELT
    return known[0] if misspelt else label


def _numbered(frame: pl.DataFrame, column: str, number: pl.DataFrame) -> pl.DataFrame:
    """Replace the IRIs of `column` by numbers; rows about anything but an entity go."""
    joined = frame.join(number, left_on=column, right_on="e")
    return joined.with_columns(pl.col("i").alias(column)).drop("i")


def _renumbered(frame: pl.DataFrame, column: str, place: Ints) -> pl.DataFrame:
    """Put the places of entities for their numbers in the graph; rows about anything but an entity go."""
    at = pl.Series(column, place[frame[column].to_numpy()])
    return frame.with_columns(at).filter(at >= 0).with_columns(pl.col(column).cast(pl.UInt32))


def _of_no_entity(names: pl.DataFrame, iris: pl.Series, place: Ints) -> pl.DataFrame:
    """Return the names of what stands in no fact and has no concept, as predicates do: iri, name."""
    others = names.filter(pl.Series(place[names["e"].to_numpy()] < 0, dtype=pl.Boolean))
    return others.select(iris.gather(others["e"]).alias("iri"), "name")


def _numbered_facts(facts: pl.DataFrame, place: Ints, relation: Ints, relations: int) -> pl.DataFrame:
    """Put the places of entities and relations for their numbers in the graph, in order of s, p, o."""
    s, p, o = place[facts["s"].to_numpy()], relation[facts["p"].to_numpy()], place[facts["o"].to_numpy()]
    n, m = max(int(place.max(initial=-1)) + 1, 1), max(relations, 1)
    key = np.sort((s * m + p) * n + o)  # a quarter of what it takes to sort three columns
    pair = key // n
    s = pair // m
    return pl.DataFrame({"s": s, "p": pair - s * m, "o": key - pair * n}, schema=dict.fromkeys("spo", pl.UInt32))


def _concepts(
    iris: pl.Series, types: pl.DataFrame, above: pl.DataFrame, place: Ints
) -> tuple[pl.DataFrame, pl.Series, pl.DataFrame]:
    """Number the concepts: entity and concept, the concepts' IRIs by number, a concept and one directly above it."""
    number = np.flatnonzero(marked(len(iris), types["c"], above["c"], above["d"]))
    listed = pl.DataFrame({"iri": iris.gather(number), "number": number}).sort("iri")
    concept = np.zeros(len(iris), np.uint32)
    concept[listed["number"].to_numpy()] = np.arange(listed.height)
    of = {"e": place[types["e"].to_numpy()], "c": concept[types["c"].to_numpy()]}
    pairs = {c: concept[above[c].to_numpy()] for c in ("c", "d")}
    concepts = pl.DataFrame(of, schema=dict.fromkeys("ec", pl.UInt32))
    return concepts.sort("e", "c"), listed["iri"], pl.DataFrame(pairs, schema=dict.fromkeys("cd", pl.UInt32)).sort("c", "d")
