"""The library's proof queries, answered for many bindings at once from a few views.

Every check here gives what its query gives (the audit runs a sample both ways). A check takes a frame with a column per bound
variable, IRIs by their numbers in the graph (-1 where the graph does not name them, null where the variable is not bound), and
returns one boolean a row; null where the query has to be run as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from kg.graph import Graph
from kg.hops import Hops
from kg.sets import Ints, members
from kg.vocab import PREFIXES
from queries.views import columns_of

_NOBODY = -1


class Views:
    """The views of the library that the checks need, as numbers, each taken from the graph once."""

    def __init__(self, graph: Graph) -> None:
        self._columns = columns_of(graph)
        self._hops: dict[bool, Hops] = {}

    def numbers(self, terms: pl.Series) -> pl.Series:
        """Return the number of each IRI, written as in N-Triples: -1 where the graph does not name it; null stays null."""
        numbers = self._columns.numbers(terms.str.slice(1, terms.str.len_chars() - 2)).cast(pl.Int64)
        return pl.select(pl.when(terms.is_not_null()).then(numbers.fill_null(_NOBODY)).alias(terms.name)).to_series()

    def _frame(self, name: str) -> pl.DataFrame:
        return self._columns.frame(name).cast(pl.Int64)

    @cached_property
    def facts(self) -> pl.DataFrame:
        """s, p, o of every fact between entities."""
        return self._frame("facts")

    @cached_property
    def relations(self) -> pl.Series:
        """The relations."""
        return self._columns.frame("relations")["p"].unique().cast(pl.Int64)

    @cached_property
    def concepts(self) -> pl.DataFrame:
        """e, c of every entity and concept."""
        return self._frame("concepts")

    @cached_property
    def labelled(self) -> pl.Series:
        """Everything that has a label."""
        return self._columns.frame("labels")["e"].unique().cast(pl.Int64)

    @cached_property
    def kin(self) -> pl.DataFrame:
        """Pairs of concepts x, y of which one is the other, or (over any number of steps) above or below it."""
        above = self._frame("superconcepts")
        names = pl.concat([self.concepts["c"], above["c"], above["d"]]).unique().sort()
        low, high = (_places(above[c], names) for c in ("c", "d"))
        every = np.arange(len(names))
        row, node = members(Hops(len(names), low, high).closure(every))
        pairs = {"x": np.concatenate([row, node, every]), "y": np.concatenate([node, row, every])}
        return pl.DataFrame({k: names[v] for k, v in pairs.items()}).unique()

    @cached_property
    def kinds(self) -> pl.DataFrame:
        """Pairs low, high of what is directly a kind of what: by type, subclass, P31 and P279."""
        by = self.numbers(pl.Series([f"<{PREFIXES['wdt']}{name}>" for name in ("P31", "P279")]))
        stated = self.facts.filter(pl.col("p").is_in(by.implode())).select(low="s", high="o")
        typed, above = self.concepts.select(low="e", high="c"), self._frame("superconcepts").select(low="c", high="d")
        return pl.concat([stated, typed, above]).unique()

    def below(self, some: pl.Series) -> pl.DataFrame:
        """Return pairs low, high: what is a kind of each of some, over any number of steps."""
        every = pl.concat([self.kinds["low"], self.kinds["high"]]).unique().sort()
        low, high = (_places(self.kinds[c], every) for c in ("low", "high"))
        wanted = some.unique().sort()
        known = wanted.filter(wanted.is_in(self.kinds["high"].implode()))
        row, node = members(Hops(len(every), high, low).closure(_places(known, every)))
        return pl.DataFrame({"low": every[node], "high": known[row]})

    @cached_property
    def nodes(self) -> pl.Series:
        """All entities that stand in a fact, sorted."""
        return pl.concat([self.facts["s"], self.facts["o"]]).unique().sort()

    def hops(self, *, both: bool) -> Hops:
        """The graph of the facts as edges."""
        if both not in self._hops:
            s, o = (_places(self.facts[c], self.nodes) for c in ("s", "o"))
            self._hops[both] = Hops(len(self.nodes), s, o, both=both)
        return self._hops[both]


class Check(NamedTuple):
    """How to answer a query in bulk: the variables that must be bound, those that may be, and the function."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    run: Callable[[Views, pl.DataFrame], pl.Series]


def _places(numbers: pl.Series, ordered: pl.Series) -> Ints:
    """Return the place of each number in a sorted series; -1 for those that are not there."""
    if ordered.is_empty():
        return np.full(len(numbers), _NOBODY)
    wanted, listed = numbers.to_numpy(), ordered.to_numpy()
    place = np.minimum(np.searchsorted(listed, wanted), len(listed) - 1)
    return np.where(listed[place] == wanted, place, _NOBODY)


def _holds(rows: pl.DataFrame, facts: pl.DataFrame, on: list[str]) -> pl.Series:
    """Return for each row whether it is among the facts."""
    wanted = rows.select(on)
    there = facts.select(on).join(wanted, on=on, how="semi").unique().with_columns(there=True)
    return wanted.join(there, on=on, how="left", maintain_order="left")["there"].fill_null(False)


def _fact(views: Views, rows: pl.DataFrame) -> pl.Series:
    return _of_relations(views, rows["p"], _holds(rows, views.facts, ["s", "p", "o"]))


def _of_relations(views: Views, predicate: pl.Series, holds: pl.Series) -> pl.Series:
    """Return null for predicates that are no relations: the views hold no facts of them, and the query itself has to say."""
    known = predicate.is_in(views.relations.implode())
    return pl.select(pl.when(known).then(holds)).to_series()


def _object_of_relation(views: Views, rows: pl.DataFrame) -> pl.Series:
    return _of_relations(views, rows["p"], _holds(rows, views.facts, ["p", "o"]))


def _true_by_type(views: Views, rows: pl.DataFrame) -> pl.Series:
    pairs = rows.select("s", "p", "o").unique().join(views.facts.rename({"o": "t"}), on=["s", "p"])
    lower = pairs.join(views.below(pairs["o"]), left_on=["t", "o"], right_on=["low", "high"], how="semi")
    upper = pairs.join(views.below(pairs["t"]), left_on=["o", "t"], right_on=["low", "high"], how="semi")
    return _of_relations(views, rows["p"], _holds(rows, pl.concat([lower, upper]), ["s", "p", "o"]))


def _general_object(views: Views, rows: pl.DataFrame) -> pl.Series:
    lower = views.below(rows["o"]).filter(pl.col("low") != pl.col("high"))
    objects = views.facts.select("p", low="o").join(rows.select("p").unique(), on="p", how="semi").unique()
    return _of_relations(views, rows["p"], _holds(rows, objects.join(lower, on="low").select("p", o="high"), ["p", "o"]))


def _same_concept(views: Views, rows: pl.DataFrame) -> pl.Series:
    pairs = _typed_pairs(views, rows).filter((pl.col("x") == pl.col("y")) & (pl.col("a") != pl.col("b")))
    return _holds(rows, pairs, ["a", "b"])


def _different_concept(views: Views, rows: pl.DataFrame) -> pl.Series:
    pairs = _typed_pairs(views, rows)
    related = pairs.join(views.kin, on=["x", "y"], how="semi")
    return _holds(rows, pairs, ["a", "b"]) & ~_holds(rows, related, ["a", "b"])


def _typed_pairs(views: Views, rows: pl.DataFrame) -> pl.DataFrame:
    """Return every pair a, b with every concept x of a and y of b."""
    concepts = views.concepts
    of_a = rows.select("a", "b").unique().join(concepts.rename({"e": "a", "c": "x"}), on="a")
    return of_a.join(concepts.rename({"e": "b", "c": "y"}), on="b")


def _path(views: Views, rows: pl.DataFrame, *, both: bool = False) -> pl.Series:
    """Return whether all steps that are bound are facts (with `both`, in either direction)."""
    holds, known = pl.repeat(True, rows.height, eager=True), pl.repeat(True, rows.height, eager=True)
    for step in range(1, 6):
        names = {("s" if step == 1 else f"o{step - 1}"): "s", f"p{step}": "p", f"o{step}": "o"}
        triple = rows.select(pl.col(k).alias(v) for k, v in names.items())
        walked = triple["p"].is_not_null()
        there = _holds(triple, views.facts, ["s", "p", "o"])
        if both:
            there |= _holds(triple.select(s="o", p="p", o="s"), views.facts, ["s", "p", "o"])
        holds &= there | ~walked
        # A step of which only one end is bound is a pattern with a variable, which the query itself has to match.
        known &= triple["p"].is_in(views.relations.implode()).fill_null(True) & (walked == triple["o"].is_not_null())
    return pl.select(pl.when(known).then(holds)).to_series()


def _not_neighbour(views: Views, rows: pl.DataFrame, *, both: bool = False) -> pl.Series:
    """Return whether o is another labelled entity that no chain of facts within the radius leads to from s.

    Facts run forward only (with `both`, either way), but for one: a fact from o straight back to s makes it a neighbour, too.
    """
    hops = views.hops(both=both)
    named = rows["s"].is_in(views.labelled.implode()) & rows["o"].is_in(views.labelled.implode())
    plain = named & (rows["s"] != rows["o"]) & ~rows["o"].is_in(views.relations.implode())
    # The query is a union of chains of 1 to 5 facts; for another radius it is left to say what that means.
    radius = rows["radius"].str.extract(r'^"([1-5])"\^\^<[^>]*#integer>$').cast(pl.Int64)
    numbers = pl.DataFrame({"s": _places(rows["s"], views.nodes), "o": _places(rows["o"], views.nodes), "radius": radius})
    back = pl.repeat(False, rows.height, eager=True) if both else _holds(rows.select(s="o", o="s"), views.facts, ["s", "o"])
    near = _within(hops, numbers)
    return pl.select(pl.when(radius.is_not_null()).then(plain & ~near & ~back)).to_series()


def _within(hops: Hops, rows: pl.DataFrame) -> pl.Series:
    """Return for each row whether o lies within the radius of s; an entity that stands in no fact (-1) lies near none."""
    within = np.zeros(rows.height, np.bool_)
    placed = rows.with_row_index("row").filter((pl.col("s") >= 0) & (pl.col("o") >= 0)).drop_nulls()
    for (radius,), part in placed.group_by("radius"):
        subjects, place = np.unique(part["s"].to_numpy(), return_inverse=True)
        within[part["row"].to_numpy()] = hops.reaches(subjects, place, part["o"].to_numpy(), int(str(radius)))
    return pl.Series(within)


_STEPS = tuple(f"{kind}{step}" for step in range(2, 6) for kind in "po")

CHECKS: dict[str, Check] = {
    "fact": Check(("s", "p", "o"), (), _fact),
    "same_concept": Check(("a", "b"), (), _same_concept),
    "different_concept": Check(("a", "b"), (), _different_concept),
    "object_of_relation": Check(("p", "o"), (), _object_of_relation),
    "true_by_type": Check(("s", "p", "o"), (), _true_by_type),
    "general_object": Check(("p", "o"), (), _general_object),
    "path": Check(("s", "p1", "o1"), _STEPS, _path),
    "path_both": Check(("s", "p1", "o1"), _STEPS, lambda v, r: _path(v, r, both=True)),
    "not_neighbour": Check(("s", "o", "radius"), (), _not_neighbour),
    "not_neighbour_both": Check(("s", "o", "radius"), (), lambda v, r: _not_neighbour(v, r, both=True)),
}
"""The proof queries that can be answered in bulk, by name."""
