"""The edits' sets by arrays of bits: the fast engine, and the default.

Each set here has a twin in SPARQL that defines it (`queries/library`, asked by `generators.fpq.sparql`); the tests hold them
together. Same kind are those of a type that is typical of the relation, of the same trade, continent and time: a type that
few of a relation's objects have (a film whose producer is a bank) says little, and neither does "human" alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.fpq.edits import (
    BESIDE,
    COMMON,
    IMPLIED_PAIRS,
    IMPLIED_SHARE,
    ONE_SUBJECT,
    SEVERAL,
    TYPICAL,
    TYPICAL_OF_LIKE,
    Masks,
    Near,
    Triples,
    trace,
)
from generators.fpq.likeness import Bands
from generators.graph_columns import GraphColumns, ints, marked
from generators.years import ALWAYS
from kg.hops import Hops, Reach, Ways
from kg.sets import Bits, Ints, Nodes, Sets, empty, mark, members, packed, scatter, spans, unite

_SEARCHED, _LEVEL = 1024, 2**28
"""From so many subjects distances are searched at once; from fewer where a level would have more bits."""

_FACTS = 2**20
"""So many facts are looked at at a time."""

_TURNED = 2**25
"""So many bits, one an entity, a level of distances holds that is turned at once from entities to subjects."""


class ArrayEngine:
    """Finds the sets of a sample's triples, a run of them at a time, with a few operations on whole columns.

    What depends on (subject, relation) pairs only is listed once for the whole sample; `masks` spreads a part of it out.
    """

    def __init__(self, columns: GraphColumns, sample: Triples, radius: int, direction: str) -> None:
        self.columns, self.sample, self.radius = columns, sample, radius
        self._hops = Hops(columns.n, ints(columns.facts["s"]), ints(columns.facts["o"]), both=direction == "both")
        self._around = _Around(self._hops, np.unique(sample.s), radius)
        self._pairs = _Pairs(sample, columns)

    def masks(self, rows: Ints) -> Masks:
        """Return the sets for some rows of the sample."""
        triples = self.sample[rows]
        subjects, subject = np.unique(triples.s, return_inverse=True)
        pairs, pair = np.unique(self._pairs.of_item[rows], return_inverse=True)
        true, object_ = np.unique(triples.o, return_inverse=True)
        # Everything is worked out once for each subject, pair or object of the chunk; triples only point at the rows.
        levels = self._around.levels(subjects)
        every, comparable = np.arange(len(rows)), self._same_kind.comparable(triples)
        return Masks(
            near=Near(levels, subject),
            like=self._bands.of(triples.p, triples.o),
            outside=Sets(self._outside(subjects, levels), subject),
            same=Sets(self._same_kind.of_type(triples) & comparable, every),
            different=Sets(self._different(true), object_),
            objects=Sets(self._objects, triples.p),
            fellows=Sets(self._fellows(pairs)[pair] & comparable, every),
            banned=Sets(self._excluded(pairs), pair),
            beside=Sets(self._spread(pairs, *self._beside), pair),
            owned=Sets(self._owned, triples.p),
            typed=self._is_typed[triples.o],
        )

    def chains(self, rows: Ints, targets: Ints, hops: Ints) -> Ints:
        """Return for some rows of the sample the entities on a shortest way from the subject to a target (`trace`)."""
        return self._around.chains(self.sample.s[rows], targets, hops)

    def confirm(self, triples: Triples, objects: Ints) -> npt.NDArray[np.bool_]:
        """Say of offered objects, (triples, edits, offers), whether they may be taken: the sets hold no others."""
        return objects >= 0

    def _outside(self, subjects: Ints, levels: Bits) -> Bits:
        """Return who may be named and is neither a subject itself nor near it, nor one hop before it, (subjects, entities)."""
        inside = self._hops.predecessors(subjects) | np.bitwise_or.reduce(levels, axis=0)
        inside |= scatter(len(subjects), self.columns.n, np.arange(len(subjects)), subjects)
        outside: Bits = self._named & ~inside
        return outside

    def _spread(self, pairs: Ints, pair: Ints, entity: Ints) -> Bits:
        """Return (pairs, entities) of a list of (pair, entity) that is sorted by pair."""
        row, at = spans(pair, pairs)
        return scatter(len(pairs), self.columns.n, row, entity[at])

    @cached_property
    def _named(self) -> Bits:
        """The entities that may be named, one row."""
        return packed(self.columns.candidates.to_numpy()[None])

    @cached_property
    def _objects(self) -> Bits:
        """The objects of each relation, (relations, entities)."""
        p, o = np.divmod(self.columns.object_counts[0], max(self.columns.n, 1))
        return scatter(self.columns.relations.height, self.columns.n, p, o)

    def _fellows(self, pairs: Ints) -> Bits:
        """Return the objects that those of the subject's concepts have under the relation, (pairs, entities)."""
        held, objects = self._held
        entity, concept = self._typing
        row, at = spans(entity, self._pairs.subject[pairs])
        wanted = self._pairs.relation[pairs][row] * self._concepts + concept[at]
        groups, group = np.unique(wanted, return_inverse=True)
        place, fact = spans(held, groups)
        return unite(scatter(len(groups), self.columns.n, place, objects[fact]), group, row, len(pairs))

    @cached_property
    def _held(self) -> tuple[Ints, Nodes]:
        """The objects by relation and concept of the subject: both as one number (sorted), and the object."""
        entity, concept = self._typing
        row, at = spans(entity, self._pairs.subject)
        sought = np.unique(self._pairs.relation[row] * self._concepts + concept[at])
        facts = self.columns.facts.filter(pl.col("p").is_in(np.unique(self.sample.p)))
        key = np.sort(
            np.concatenate([np.empty(0, np.int64), *(self._held_of(some, sought) for some in facts.iter_slices(_FACTS))])
        )
        held, objects = np.divmod(key[np.diff(key, prepend=-1) > 0], max(self.columns.n, 1))
        return held, objects.astype(np.uint32)

    def _held_of(self, facts: pl.DataFrame, sought: Ints) -> Ints:
        """Return as one number the relation, concept and object of those of some facts that are sought."""
        entity, concept = self._typing
        fact, at = spans(entity, ints(facts["s"]))
        held = ints(facts["p"])[fact] * self._concepts + concept[at]
        kept = np.isin(held, sought)
        key: Ints = held[kept] * self.columns.n + ints(facts["o"])[fact[kept]]
        return key

    @cached_property
    def _bands(self) -> Bands:
        """The objects of the sample's relations by frequency."""
        pair, count = self.columns.object_counts
        p, o = np.divmod(pair, max(self.columns.n, 1))
        own = np.isin(p, self.sample.p)
        return Bands(self.columns.n, p[own], o[own], count[own])

    @cached_property
    def _owned(self) -> Bits:
        """What the rule of one subject per object allows each relation, (relations, entities): all, or its objects."""
        # Where an object has one subject as a rule (a child, a capital), an object of nobody yet may well belong to this one.
        facts = np.bincount(self.columns.facts["p"].to_numpy(), minlength=len(self._objects))
        many = facts > ONE_SUBJECT * np.bitwise_count(self._objects).sum(axis=1)
        return self._objects | np.where(many, ~np.uint64(0), np.uint64(0))[:, None]

    # --- concepts

    @cached_property
    def _typing(self) -> tuple[Ints, Ints]:
        """Entity and concept of each pair, by entity."""
        return ints(self.columns.concepts["e"]), ints(self.columns.concepts["c"])

    @property
    def _concepts(self) -> int:
        return self.columns.concept_iris.len()

    @cached_property
    def _same_kind(self) -> SameKind:
        return SameKind(self.columns, self.sample, self._members, self._row_of)

    @cached_property
    def _true_concepts(self) -> Ints:
        """The concepts that true objects of the sample have: a large graph has many more, and a row of bits each is much."""
        entity, concept = self._typing
        return np.unique(concept[spans(entity, np.unique(self.sample.o))[1]])

    @cached_property
    def _row_of(self) -> Ints:
        """The row of each concept that is asked about in tables of them."""
        row = np.full(self._concepts, -1)
        row[self._true_concepts] = np.arange(len(self._true_concepts))
        return row

    @cached_property
    def _members(self) -> Bits:
        """The entities of each concept that is asked about, (concepts, entities)."""
        entity, concept = self._typing
        row = self._row_of[concept]
        return scatter(len(self._true_concepts), self.columns.n, row[row >= 0], entity[row >= 0])

    @cached_property
    def _kin(self) -> Bits:
        """The entities of each concept that is asked about and of all above and below it, (concepts, entities)."""
        n, asked, above = self._concepts, self._true_concepts, self.columns.above
        low, high = ints(above["c"]), ints(above["d"])
        # A hierarchy may run in a circle (Wikidata's does): the closure is a search, not a walk up.
        kin = Hops(n, low, high).closure(asked) | Hops(n, high, low).closure(asked)
        row, concept = members(kin | scatter(len(asked), n, np.arange(len(asked)), asked))
        entity, own = self._typing
        order = np.argsort(own, kind="stable")
        entity, own, first = entity[order], own[order], np.searchsorted(row, np.arange(len(asked) + 1))
        table = empty(len(asked), self.columns.n)
        for k in range(len(asked)):
            held = np.zeros(self.columns.n, np.bool_)
            held[entity[spans(own, concept[first[k] : first[k + 1]])[1]]] = True
            table[k] = packed(held[None])
        return table

    @cached_property
    def _is_typed(self) -> npt.NDArray[np.bool_]:
        """Whether each entity has a concept."""
        return marked(self.columns.n, self.columns.concepts["e"])

    def _of_concepts(self, entities: Ints, table: Bits) -> Bits:
        """Unite the rows of `table` over the concepts of each of some sorted true objects."""
        entity, concept = self._typing
        row, at = spans(entity, entities)
        return unite(table, self._row_of[concept[at]], row, len(entities))

    def _different(self, true: Ints) -> Bits:
        """Return who has a concept, none of them kin of a true object's; nobody where it has none, (true objects, entities)."""
        different: Bits = packed(self._is_typed[None]) & ~self._of_concepts(true, self._kin)
        different[~self._is_typed[true]] = 0
        return different

    # --- exclusions, as lists of (pair, entity) sorted by pair

    @cached_property
    def _banned(self) -> tuple[Ints, Ints]:
        """Who may never stand for a true object: itself and its namesakes, whose name ends with its own or ends it, the subject
        and its own, whom another fact makes true, and who is true of a namesake of the subject.
        """
        pairs = self._pairs
        true = pl.concat([pairs.true, self._true_of_namesakes])
        headed = true.join(self.columns.tails, on="e").select("pair", e="x")
        parts = [self._namesakes(true), headed, self._namesakes(pairs.subjects), self._implied(pairs.frame)]
        return _sorted(pl.concat(parts), self.columns.n)

    def _excluded(self, pairs: Ints) -> Bits:
        """Who may never stand for a true object of some pairs, or may not be named at all, (pairs, entities)."""
        out = self._spread(pairs, *self._banned)
        self._add_chained(out, pairs)
        out |= self._unfit[self._pairs.relation[pairs]]
        out |= ~self._named
        return out

    def _add_chained(self, out: Bits, pairs: Ints) -> None:
        """Add to (pairs, entities) who lies above or below a true object or above the subject: by place, part or type."""
        pair, true = self._in_chains
        row, at = spans(pair, pairs)
        up, down = self._ways
        # That Spain is a member of Europe is neither true nor false enough to ask.
        for way, rows, things in (
            (up, row, true[at]),
            (down, row, true[at]),
            (up, np.arange(len(pairs)), self._pairs.subject[pairs]),
        ):
            # Listed for the things at hand: a chain is short as a rule, and a row of bits for every true object is not.
            distinct, of = np.unique(things, return_inverse=True)
            chained, entity = way.followed(distinct)
            spread, member = spans(chained, of)
            mark(out, rows[spread], entity[member])

    @cached_property
    def _in_chains(self) -> tuple[Ints, Ints]:
        """The true objects that contain something or are contained: (pair, entity), sorted by pair."""
        in_chain = marked(self.columns.n, *(self.columns.contained[end] for end in ("below", "above")))
        pair, true = ints(self._pairs.true["pair"]), ints(self._pairs.true["e"])
        return pair[in_chain[true]], true[in_chain[true]]

    @cached_property
    def _ways(self) -> tuple[Ways, Ways]:
        """What contains what, upward and downward."""
        low, high = (ints(self.columns.contained[end]) for end in ("below", "above"))
        return Ways(self.columns.n, low, high), Ways(self.columns.n, high, low)

    @cached_property
    def _general(self) -> Bits:
        """Of what each relation's other objects are kinds, (relations, entities)."""
        low, high = (ints(self.columns.kinds[c]) for c in ("below", "above"))
        n, upper = self.columns.n, np.intersect1d(high, self.columns.candidates.arg_true().to_numpy())
        asked = np.unique(self._pairs.relation)
        objects = [members(self._objects[p : p + 1])[1] for p in asked.tolist()]
        # Of what has nothing below it only the objects matter: most things of a graph are neither.
        counts = np.zeros(n, np.bool_)
        for some in (high, *objects):
            counts[some] = True
        row, kind = members(Hops(n, high[counts[low]], low[counts[low]]).meets(upper, objects))
        return scatter(len(self._objects), n, asked[row], upper[kind])

    @cached_property
    def _unfit(self) -> Bits:
        """Who is no false object of a relation, whatever the fact, (relations, entities)."""
        return self._general | self._common

    @cached_property
    def _common(self) -> Bits:
        """Who is called by a common noun, for relations of which hardly an object is, (relations, entities)."""
        small = self.columns.common.to_numpy()
        proper = np.zeros(len(self._objects), np.bool_)
        for p in np.unique(self._pairs.relation).tolist():
            objects = members(self._objects[p : p + 1])[1]
            proper[p] = COMMON * np.count_nonzero(small[objects]) < max(len(objects), 1)
        return np.where(proper[:, None], packed(small[None]), np.uint64(0))

    def _namesakes(self, listed: pl.DataFrame) -> pl.DataFrame:
        """Return (pair, e): the entities listed with a pair, and those that share a name with one of them."""
        return pl.concat([listed, listed.join(self._twins, on="e").select("pair", e="twin")])

    @cached_property
    def _true_of_namesakes(self) -> pl.DataFrame:
        """Return (pair, e): the objects of the subject's namesakes, for a reader may take the question to be about one."""
        others = self._pairs.frame.join(self._twins, left_on="s", right_on="e").select("pair", "p", s="twin")
        return self._said(others)

    def _said(self, asked: pl.DataFrame) -> pl.DataFrame:
        """Return (pair, e): the objects of a subject under a relation (pair, s, p)."""
        row, fact = self.columns.stating(asked["s"], asked["p"])
        return pl.DataFrame({"pair": asked["pair"].gather(row), "e": self.columns.facts["o"].gather(fact)})

    @cached_property
    def _twins(self) -> pl.DataFrame:
        """Entities that share a name: e, twin."""
        shared = self.columns.names.filter(pl.col("name").is_duplicated())
        return (
            shared.join(shared.rename({"e": "twin"}), on="name")
            .filter(pl.col("e") != pl.col("twin"))
            .select("e", "twin")
            .unique()
        )

    def _implied(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Return (pair, e): objects that another fact about subject and object is likely to make true."""
        forward, backward = self._implications
        ahead = self._said(pairs.join(forward, on="p").select("pair", "s", p="q"))
        asked = marked(self.columns.n, pairs["s"])
        led_to = self.columns.facts.filter(pl.Series(asked[self.columns.facts["o"].to_numpy()]))
        behind = pairs.join(backward, on="p").join(led_to.select(e="s", p="p", s="o"), left_on=["s", "q"], right_on=["s", "p"])
        return pl.concat([ahead, behind.select("pair", "e")])

    @cached_property
    def _implications(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Which relation q implies which p for the same pair, and for the pair turned round: two frames (q, p)."""
        every, facts = self.columns.facts, self.columns.paired
        # Kinship and borders are often stated both ways round: q(b, a) then makes p(a, b) true.
        turned = facts.select(s="o", o="s", q="p")
        same = facts.join(facts.rename({"p": "q"}), on=["s", "o"]).filter(pl.col("p") != pl.col("q"))
        size = every.group_by(q="p").agg(size=pl.len())
        return _often(same, size), _often(facts.join(turned, on=["s", "o"]), size)

    @cached_property
    def _beside(self) -> tuple[Ints, Ints]:
        """Who stands beside a true object of a pair under the same relation, for several subjects of its subject's concept.

        A river lies in several countries, and a town in one: what is said of rivers makes no second country of a town likely.
        """
        # Only a subject with several objects puts anybody beside anybody; without the filter all edits take a fifth longer.
        facts = self.columns.facts.filter(_repeated(self.columns.subject_relations))
        own = self._pairs.true.join(self._pairs.frame, on="pair").select("pair", "p", "s", t="e")
        holders = own.select("p", "t").unique().join(facts, left_on=["p", "t"], right_on=["p", "o"])
        together = holders.join(facts, on=["s", "p"]).filter(pl.col("o") != pl.col("t"))
        several = together.group_by("p", "t", "o").len().filter(pl.col("len") >= BESIDE).drop("len")
        concepts = self.columns.concepts.select(s="e", k="c")
        asked = own.join(concepts, on="s", how="left").drop("s")  # of what has no concept all subjects tell
        like = concepts.join(asked.select("k").unique(), on="k", how="semi")
        by_concept = (
            together.join(several, on=["p", "t", "o"], how="semi").join(like, on="s").group_by("p", "t", "o", "k").len()
        )
        of_all = several.with_columns(k=pl.lit(None, pl.UInt32))
        often = pl.concat([by_concept.filter(pl.col("len") >= BESIDE).select(of_all.columns), of_all])
        return _sorted(asked.join(often, on=["p", "t", "k"], nulls_equal=True).select("pair", e="o").unique(), self.columns.n)


class _Pairs:
    """The distinct (subject, relation) pairs of some triples: what is excluded depends on nothing else.

    `frame`: pair, s, p; `true`: pair, e (their true objects); `subjects`: pair, e; `of_item`: the pair of each triple.
    """

    def __init__(self, triples: Triples, columns: GraphColumns) -> None:
        self.of_item: Ints
        width = max(columns.relations.height, 1)
        keys, self.of_item = np.unique(triples.s * width + triples.p, return_inverse=True)
        self.n = len(keys)
        numbers = {"pair": np.arange(self.n), "s": keys // width, "p": keys % width}
        self.frame = pl.DataFrame(numbers, schema=dict.fromkeys(numbers, pl.UInt32))
        self.subject: Ints = numbers["s"]
        self.relation: Ints = numbers["p"]
        pair, fact = spans(columns.subject_relations, keys)
        self.true = pl.DataFrame({"pair": pl.Series(pair, dtype=pl.UInt32), "e": columns.facts["o"].gather(fact)})
        self.subjects = self.frame.select("pair", e="s")


class _Around:
    """The entities around the subjects of a sample: searched from many at once, whoever asks about how few at a time."""

    def __init__(self, hops: Hops, subjects: Ints, radius: int) -> None:
        self._hops, self._subjects, self._radius = hops, subjects, radius
        self._block = -1
        self._reach: Reach | None = None
        # Whole words of subjects are turned, as many as a set of bits may hold: the next chunk begins within the last of them.
        self._size, self._window = _within(_LEVEL, hops.n), _within(_TURNED, hops.n)
        self._turned: dict[int, Bits] = {}

    def levels(self, subjects: Ints) -> Bits:
        """Return who is at each distance from some of the subjects (sorted), (radius, subjects, entities)."""
        place = np.searchsorted(self._subjects, subjects)
        window = place // self._window
        self._turned = {at: levels for at, levels in self._turned.items() if at in window}
        parts = [self._levels(at, place[window == at] - at * self._window) for at in np.unique(window).tolist()]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def chains(self, subject: Ints, target: Ints, hops: Ints) -> Ints:
        """Return the entities on a shortest way from each subject to its target, (subjects, radius + 1)."""
        place = np.searchsorted(self._subjects, subject)
        out = np.full((len(subject), self._radius + 1), -1)
        for block in np.unique(place[hops > 0] // self._size).tolist():
            own = np.flatnonzero(place // self._size == block)
            out[own] = self._traced(block, place[own] - block * self._size, subject[own], target[own], hops[own])
        return out

    def _traced(self, block: int, source: Ints, subject: Ints, target: Ints, hops: Ints) -> Ints:
        reach = self._searched(block)
        return trace(subject, target, hops, self._radius, lambda rows, nodes, hop: reach.before(nodes, source[rows], hop))

    def _levels(self, window: int, at: Ints) -> Bits:
        """Return the levels of some subjects of a window, by their places in it."""
        if window not in self._turned:
            block, first = divmod(window * self._window, self._size)
            last = min(first + self._window, len(self._subjects) - block * self._size)
            self._turned[window] = self._searched(block).levels(first, last)
        levels = self._turned[window]
        return levels if levels.shape[1] == len(at) else levels[:, at]

    def _searched(self, block: int) -> Reach:
        if block != self._block:
            # One block at a time is held: triples come in the order of their subjects.
            self._reach = None
            some = self._subjects[block * self._size : (block + 1) * self._size]
            self._block, self._reach = block, self._hops.reach(some, self._radius)
        assert self._reach is not None
        return self._reach


def _within(bits: int, n: int) -> int:
    """Return how many subjects have so many bits, one for each of `n` entities: a power of two."""
    words = max(1, bits // (64 * max(n, 1)))
    return min(64 << (words.bit_length() - 1), _SEARCHED)


def _sorted(listed: pl.DataFrame, n: int) -> tuple[Ints, Ints]:
    """Return pairs and entities of a list, sorted and each once; both travel in one number, which sorts faster than two."""
    key = np.sort(ints(listed["pair"]) * n + ints(listed["e"]))
    key = key[np.diff(key, prepend=-1) > 0]
    return key // n, key % n


def _repeated(ordered: Ints) -> npt.NDArray[np.bool_]:
    """Say of each of some sorted numbers whether it stands there more than once."""
    again = np.zeros(len(ordered) + 1, np.bool_)
    again[1:-1] = ordered[1:] == ordered[:-1]
    return again[1:] | again[:-1]


def _often(together: pl.DataFrame, size: pl.DataFrame) -> pl.DataFrame:
    """Return the relations (q, p) that stand together often enough for q to imply p; `size` is how many facts q has."""
    counted = together.group_by("q", "p").agg(both=pl.len()).join(size, on="q")
    enough = (pl.col("both") >= IMPLIED_PAIRS) & (pl.col("both") >= IMPLIED_SHARE * pl.col("size"))
    return counted.filter(enough).select("q", "p")


class _Groups(NamedTuple):
    """Who is in which groups (`e` sorted, `group` beside it), and the entities of each group, (groups, entities)."""

    e: Ints
    group: Ints
    members: Bits

    @classmethod
    def of(cls, n: int, e: Ints, key: Ints) -> _Groups:
        """Make groups of those that have the same key."""
        keys, group = np.unique(key, return_inverse=True)
        order = np.argsort(e, kind="stable")
        return cls(e[order], group[order], scatter(len(keys), n, group, e))


class SameKind:
    """Finds who is comparable with the true objects of a graph's facts.

    Parameters: `members` are the entities of each concept that a true object of the `sample` has, `row_of` the row there of
    each concept.
    """

    def __init__(self, columns: GraphColumns, sample: Triples, members: Bits, row_of: Ints) -> None:
        self.columns, self.sample, self.members, self.row_of = columns, sample, members, row_of

    def comparable(self, triples: Triples) -> Bits:
        """Return who is of the trade, continent and time of each triple's object, (triples, entities)."""
        true, at = np.unique(triples.o, return_inverse=True)
        kind = self._sharing(true, self._trades)
        kind &= self._sharing(true, self._regions)
        alike: Bits = kind[at] & self._times(triples)
        return alike

    def of_type(self, triples: Triples) -> Bits:
        """Return who has a type of each triple's object that is typical of the relation, (triples, entities).

        A type is typical that a fifth of all objects have, or ten, and a twentieth, of those that subjects of a concept of the
        triple's have: a county borders on counties and a town lies in a state, whatever else borders on or lies in something.
        """
        facts = pl.DataFrame({"s": triples.s, "p": triples.p, "e": triples.o}).cast(pl.UInt32).with_row_index("row")
        types = facts.join(self.columns.concepts, on="e").select("row", "s", "p", "c")
        of_all = types.join(self._typical, on=["p", "c"], how="semi").select("row", "c")
        of_like = types.join(self._concepts_of_subjects, on="s").join(self._typical_of_like, on=["p", "k", "c"], how="semi")
        typical = pl.concat([of_all, of_like.select("row", "c")]).unique().sort("row", "c")
        return unite(self.members, self.row_of[ints(typical["c"])], ints(typical["row"]), len(triples))

    @cached_property
    def _typical(self) -> pl.DataFrame:
        """The types that enough of a relation's objects have: p, c."""
        objects = self.columns.objects
        typed = objects.join(self.columns.concepts, on="e").group_by("p", "c").agg(typed=pl.len())
        every = objects.group_by("p").agg(every=pl.len())
        return typed.join(every, on="p").filter(TYPICAL * pl.col("typed") >= pl.col("every")).select("p", "c")

    @cached_property
    def _concepts_of_subjects(self) -> pl.DataFrame:
        """The concepts of the sample's subjects: s, k."""
        subjects = pl.DataFrame({"s": np.unique(self.sample.s)}).cast(pl.UInt32)
        return subjects.join(self.columns.concepts.select(s="e", k="c"), on="s")

    @cached_property
    def _typical_of_like(self) -> pl.DataFrame:
        """The types that enough of the objects have which the subjects of a concept have under a relation: p, k, c."""
        asked = pl.DataFrame({"s": self.sample.s, "p": self.sample.p}).cast(pl.UInt32).unique()
        pairs = asked.join(self._concepts_of_subjects, on="s").select("p", "k").unique()
        like = self.columns.concepts.select(s="e", k="c").join(pairs, on="k", how="semi")
        objects = self.columns.facts.join(pairs, on="p", how="semi").join(like, on="s")
        objects = objects.join(pairs, on=["p", "k"], how="semi").select("p", "k", "o").unique()
        every = objects.group_by("p", "k").agg(every=pl.len())
        typed = objects.join(self.columns.concepts, left_on="o", right_on="e").group_by("p", "k", "c").agg(typed=pl.len())
        enough = (pl.col("typed") >= SEVERAL) & (TYPICAL_OF_LIKE * pl.col("typed") >= pl.col("every"))
        return typed.join(every, on=["p", "k"]).filter(enough).select("p", "k", "c")

    def _sharing(self, true: Ints, groups: _Groups) -> Bits:
        """Return who shares a group with each of some objects, and everybody where it has none, (true objects, entities)."""
        row, at = spans(groups.e, true)
        same = unite(groups.members, groups.group[at], row, len(true))
        same[np.bincount(row, minlength=len(true)) == 0] = ~np.uint64(0)
        return same

    @cached_property
    def _trades(self) -> _Groups:
        """Those who have the same occupation, or the same field of work."""
        facts = self._of_role("trades")
        # The same thing as an occupation and as a field of work is two trades.
        return _Groups.of(self.columns.n, ints(facts["s"]), ints(facts["p"]) * self.columns.n + ints(facts["o"]))

    @cached_property
    def _regions(self) -> _Groups:
        """What lies on the same continent, itself or by its country."""
        own, inside = self._of_role("regions").select("s", "o"), self._of_role("within").select("s", country="o")
        by_country = inside.join(own.rename({"s": "country"}), on="country").select("s", "o")
        lies = pl.concat([own, by_country]).unique()
        return _Groups.of(self.columns.n, ints(lies["s"]), ints(lies["o"]))

    def _of_role(self, role: str) -> pl.DataFrame:
        """Return the facts of the relations that play a role in `queries/domains/alike.toml`."""
        return self.columns.facts.join(self.columns.of_role(role), on="p")

    def _times(self, triples: Triples) -> Bits:
        """Return who was there at the time of each fact, or at an unknown time, (triples, entities)."""
        begin, end, made = self._spans
        s, o = triples.s, triples.o
        until = np.where(made[s], begin[s], end[s])  # a subject that was made is of that year
        # As the true object was there with the subject, so is who stands for it; a book need not be as young as its film.
        dated = (begin[s] > -ALWAYS) | (end[s] < ALWAYS)
        together = dated & (begin[s] <= end[o]) & (begin[o] <= until)
        low, high = np.where(together, begin[s], begin[o]), np.where(together, until, end[o])
        width = 2 * ALWAYS + 1
        window, at = np.unique((low + ALWAYS) * width + high + ALWAYS, return_inverse=True)
        first, last = (part - ALWAYS for part in np.divmod(window, width))
        table = empty(len(window), self.columns.n)
        for row, a, b in zip(table, first.tolist(), last.tolist(), strict=True):
            row[:] = packed(((begin <= b) & (end >= a))[None])  # nearly all are there as a rule: not one by one
        return table[at]

    @cached_property
    def _spans(self) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
        """When each entity begins and ends, and whether it was made in one year; what has no year is there at all times."""
        years = self.columns.years
        begin, end = np.full(self.columns.n, -ALWAYS), np.full(self.columns.n, ALWAYS)
        made = np.zeros(self.columns.n, np.bool_)
        e = ints(years["e"])
        begin[e], end[e], made[e] = ints(years["begin"]), ints(years["end"]), years["made"].to_numpy()
        return begin, end, made
