"""Names near a name, from a graph: of a type that both have, sharing as much as possible.

An answer's *anchor* is the entity it names; where the graph does not know it, what its question is known to be about: the true
answer, or the concepts and properties whose names answer such questions. Near an anchor is who shares its types, its objects
and its subjects, what is rare counting more. All anchors are looked up together, and each list that is long (all humans) is
looked at through a window that begins at the anchor's own place on the ring: no work grows with the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from generators.draw import Keys, mix
from generators.graph_columns import GraphColumns, ints
from kg.sets import Ints, spans
from kg.text import fold, fold_all
from kg.vocab import PREFIXES, property_labels

_WRITTEN_OUT = r"^\p{Lu}\p{Ll}{2,}(?: \p{Lu}\p{Ll}+)*$"
"""A state as it is written out: California, not CA."""
_WINDOW = 128
"""Of a longer list, so many entities are looked at."""
_ENOUGH = 20
"""A kind of which the graph has fewer says too little."""
_FEW = 6
"""Of a kind at least so many others are needed for choices that differ."""
_POOL = 40
"""So many of the nearest are handed on: some may turn out to be the truth, or to read the same."""


class _Lists(NamedTuple):
    """Lists of entities, and who has which: `owner` (sorted) has `group`; `member` belongs to `of` (sorted)."""

    owner: Ints
    group: Ints
    of: Ints
    member: Ints
    typed: bool


class NearNames:
    """Finds names near others in a graph.

    >>> from kg import open_graph
    >>> names = NearNames(GraphColumns.of(open_graph(), seed=0))
    >>> paris = names.entity("paris")
    >>> names.bears("paris"), paris in names.near([paris])[paris]
    (True, False)
    """

    def __init__(self, columns: GraphColumns, apart: Collection[str] = ()) -> None:
        """Look names up in `columns`; `apart` are folded concepts that are kinds of their own: a "sovereign state" is none."""
        self._apart = frozenset(apart)
        self._columns = columns
        said = pl.concat([columns.facts["s"], columns.facts["o"]]).value_counts(name="facts").rename({"s": "e"})
        names = columns.names.join(said, on="e", how="left", maintain_order="left")
        # Of several that bear a name, the one that most is said of is meant; of equals, the first on the ring.
        best = names.with_columns(pl.col("facts").fill_null(0)).sort("facts", "e", descending=[True, False])
        first = best.unique("name", keep="first", maintain_order=True)
        self._by_name = dict(zip(first["name"].to_list(), first["e"].to_list(), strict=True))
        shared = best.filter(pl.col("name").is_duplicated()).group_by("name", maintain_order=True).agg("e")
        self._shared: dict[str, list[int]] = dict(shared.iter_rows())
        self._labels = columns.entities["label"].to_list()
        self._may = columns.entities["label"].is_not_null().to_numpy()
        self._lists = _lists(columns)
        self._known: dict[str, Ints] = {}
        self._kinds: dict[str, frozenset[int]] = {}
        self._fuller: dict[str, str] | None = None

    def bears(self, name: str) -> bool:
        """Tell whether something in the graph has a folded name."""
        return name in self._by_name

    def entity(self, name: str, like: Sequence[str] = ()) -> int | None:
        """Return the number of what has a folded name: of several, one of the first of some kinds that one of them is of.

        Parameters: `like` are P-ids and concepts; of a property the objects are meant. The birthplace "Oxford" is the city.
        """
        for kind in like if name in self._shared else ():
            among = self._of_kind(kind)
            if (fitting := next((e for e in self._shared[name] if e in among), None)) is not None:
                return fitting
        return self._by_name.get(name)

    def label(self, entity: int) -> str | None:
        """Return the name of an entity."""
        label: str | None = self._labels[entity]
        return label

    def fuller(self, label: str) -> str | None:
        """Return how what has a label is named with what it lies in ("Reno, Nevada"); null where nothing tells, or several do.

        >>> from kg import open_graph
        >>> NearNames(GraphColumns.of(open_graph(), seed=0)).fuller("Oslo") is None
        True
        """
        if self._fuller is None:
            labels = self._columns.entities.select("label").with_row_index("e")
            rest = pl.col("alias").str.strip_prefix(pl.concat_str("label", pl.lit(", ")))
            named = self._columns.aliases.join(labels, on="e").filter(rest != pl.col("alias"), rest.str.contains(_WRITTEN_OUT))
            short = named.sort("e", pl.col("alias").str.len_chars(), "alias").unique("e", keep="first", maintain_order=True)
            self._fuller = dict(short.unique("label", keep="none").select("label", "alias").iter_rows())
        return self._fuller.get(label)

    def near(self, entities: Sequence[int]) -> dict[int, list[int]]:
        """Return for each of some entities those near it that have a name, the nearest first."""
        if not entities:
            return {}
        e = np.array(sorted(set(entities)), np.int64)
        found = pl.concat([_fellows(listed, e, self._columns.keys) for listed in self._lists])
        scored = found.group_by("e", "x").agg(pl.col("weight").sum(), pl.col("typed").any())
        typed = pl.col("typed").any().over("e")  # where the anchor has a type, so has what stands beside it
        allowed = scored.filter((pl.col("typed") | ~typed) & (pl.col("e") != pl.col("x")))
        allowed = allowed.filter(pl.Series(self._may[allowed["x"].to_numpy()], dtype=pl.Boolean))
        drawn = allowed.with_columns(draw=_draws(allowed, self._columns.keys))
        ranked = drawn.sort("e", "weight", "draw", descending=[False, True, False])
        top = ranked.group_by("e", maintain_order=True).agg(pl.col("x").head(_POOL))
        return {anchor: [x for x in xs if self._labels[x]] for anchor, xs in top.iter_rows()}

    def of_one_kind(self, anchor: int, near: Sequence[int], like: Sequence[str]) -> list[str]:
        """Return names of the kind that a question asks for and an anchor is of: first those near it, then the others.

        The kind is the first of `like` that the anchor is of and that is large enough to choose from; there may be none.
        """
        for kind in like:
            among = self._of_kind(kind)
            if anchor in among and len(among) > _FEW:
                close = [x for x in near if x in among]
                if len(close) < _FEW:
                    members = self._members(kind)
                    place = int(np.searchsorted(members, anchor))
                    close += [x for x in np.roll(members, -place)[:_POOL].tolist() if x not in close]
                return [str(self._labels[x]) for x in close if x != anchor]
        return []

    def alike(self, like: tuple[str, ...], keys: Sequence[int]) -> list[list[str]]:
        """Return for each of some keys names of entities of the first of some kinds that the graph has enough of.

        Parameters: `like` are P-ids and concepts; of a property the objects are meant.
        """
        members = next((found for each in like if len(found := self._members(each)) > _ENOUGH), np.zeros(0, np.int64))
        if not len(members):
            return [[] for _ in keys]
        start = np.array(keys, np.uint64) % np.uint64(len(members))
        at = (start.astype(np.int64)[:, None] + np.arange(min(_POOL, len(members)))[None, :]) % len(members)
        return [[str(self._labels[x]) for x in row] for row in members[at].tolist()]

    def _members(self, kind: str) -> Ints:
        """Return the entities of a concept, or the objects of a property, that have a name."""
        if kind not in self._known:
            self._known[kind] = self._look_up(kind)
        return self._known[kind]

    def _of_kind(self, kind: str) -> frozenset[int]:
        if kind not in self._kinds:
            self._kinds[kind] = frozenset(self._members(kind).tolist())
        return self._kinds[kind]

    def _look_up(self, kind: str) -> Ints:
        columns = self._columns
        if kind[:1] == "P" and kind[1:].isdigit():
            names = {fold(name) for name in property_labels(f"{PREFIXES['wdt']}{kind}")}
            relation = columns.relations.with_row_index("p")
            listed = relation.filter(pl.col("names").list.set_intersection(list(names)).list.len() > 0)["p"]
            found = columns.facts.filter(pl.col("p").is_in(listed.implode()))["o"]
        else:
            # "state of Australia" and "U.S. state" are states; what is a "sovereign state", too, is of a kind apart.
            own, labels = fold(kind), fold_all(columns.concept_labels).fill_null("")
            ends = (" " + labels.str.replace(" of .*$", "")).str.ends_with(f" {own}")
            apart = self._entities_of(labels.is_in([*self._apart - {own}]))
            ending = self._entities_of(ends).filter(~pl.col("e").is_in(apart["e"].implode()))
            found = pl.concat([self._entities_of(labels == own), ending])["e"]
        unique = np.unique(ints(found))
        named: Ints = unique[self._may[unique]]
        return named

    def _entities_of(self, concepts: pl.Series) -> pl.DataFrame:
        """Return the entities of the concepts that are marked: e."""
        return self._columns.concepts.filter(pl.col("c").is_in(concepts.arg_true().implode())).select("e")


def _draws(pairs: pl.DataFrame, keys: Keys) -> pl.Series:
    """Return the key of each pair: who of equals is nearer."""
    return pl.Series(mix(keys[pairs["e"].to_numpy()], keys[pairs["x"].to_numpy()]))


def _lists(columns: GraphColumns) -> list[_Lists]:
    """Return who shares a concept, who shares an object, and who shares a subject under one relation."""
    (s, p, o), n, m = (ints(columns.facts[c]) for c in "spo"), max(columns.n, 1), max(columns.relations.height, 1)
    e, c = (ints(columns.concepts[name]) for name in ("e", "c"))
    objects, subjects = p * n + o, s * m + p
    return [_list(e, c, True), _list(s, objects, False), _list(o, subjects, False)]


def _list(entity: Ints, group: Ints, typed: bool) -> _Lists:
    by_owner, by_group = np.argsort(entity, kind="stable"), np.argsort(group, kind="stable")
    return _Lists(entity[by_owner], group[by_owner], group[by_group], entity[by_group], typed)


def _fellows(lists: _Lists, e: Ints, keys: Keys) -> pl.DataFrame:
    """Return who stands in a list with each of some entities: e, x, and what that weighs."""
    row, at = spans(lists.owner, e)
    group = lists.group[at]
    first = np.searchsorted(lists.of, group, "left")
    size = np.searchsorted(lists.of, group, "right") - first
    width = np.minimum(size, _WINDOW)
    start = (keys[e][row] % np.maximum(size, 1).astype(np.uint64)).astype(np.int64)
    each = np.repeat(np.arange(len(row)), width)
    step = np.arange(len(each)) - np.repeat(np.cumsum(width) - width, width)
    member = lists.member[first[each] + (start[each] + step) % size[each]]
    weight = 1 / np.log2(size[each] + 1.0)
    return pl.DataFrame({"e": e[row[each]], "x": member, "weight": weight, "typed": np.full(len(each), lists.typed)})
