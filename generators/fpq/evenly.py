"""Facts drawn evenly: no relation, object, concept, subject or degree of fame takes over a benchmark.

A graph says much of few things: half of Wikidata's facts about people are occupations, and a tenth of those say "actor". Each
fact has a weight that brings what is frequent down to its square root, and a place in the order that is drawn by hash with that
weight. Two caps then hold in every start of that order: each ten facts are of ten relations, and each twenty facts of a
relation have twenty objects.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import Keys, mix, uniform, word
from kg.sets import Ints

RELATIONS = 10
"""So many facts in a row are of as many relations; half as many as there are, where that is less. What has not a
tenth of the facts that a relation has on the average does not count."""

OBJECTS = 20
"""So many facts of a relation in a row have as many objects; a relation of fewer objects has each of them once."""

THIRDS = ("low", "middle", "high")
"""How well known a subject is: the third of the domain's subjects that it is in, by the number of its facts."""


def even_order(facts: pl.DataFrame, keys: Keys, relation_keys: Keys, n: int) -> Ints:
    """Return the rows of up to `n` facts in the order in which they are drawn.

    Parameters: `facts` has `s`, `p`, `o`, `concept` and `popularity`; `keys` has a key for each, `relation_keys` one for each
    relation by number. A smaller `n` gives the first rows of a larger one.
    """
    p = facts["p"].to_numpy().astype(np.int64)
    objects = facts["o"].to_numpy().astype(np.int64)
    places = _races(facts, keys)
    turn, rows = [np.empty(0)], [np.empty(0, np.int64)]
    # Of few relations most are spent soon: with half as many in a row as there are, the others go on.
    _, counts = np.unique(p, return_counts=True)
    many = int(np.count_nonzero(10 * counts * len(counts) >= len(p)))
    row = min(RELATIONS, max(many // 2, 1))
    for own in _split(p, places):
        drawn = own[in_blocks(objects[own], OBJECTS, -(-n // row))]
        start = uniform(mix(relation_keys[p[own[:1]]], word("relation")))
        turn.append((np.arange(len(drawn)) + start) / np.sqrt(len(own)))
        rows.append(drawn)
    every = np.concatenate(rows)
    every = every[np.lexsort((every, np.concatenate(turn)))]
    return every[in_blocks(p[every], row, n)]


def popularity_of(subjects: pl.Series, facts: pl.DataFrame) -> pl.Series:
    """Return the third that each of some subjects is in, by the number of facts that it stands in.

    >>> facts = pl.DataFrame({"s": [1, 1, 1, 2, 2, 3], "p": 0, "o": [7, 8, 9, 7, 8, 7]})
    >>> popularity_of(pl.Series("s", [1, 2, 3]), facts).to_list()
    ['high', 'middle', 'low']
    """
    size = 1 + max(int(some.max() or 0) for some in (subjects, facts["s"], facts["o"]))  # type: ignore[arg-type]
    s, o = (np.bincount(facts[end].to_numpy(), minlength=size) for end in ("s", "o"))
    each = subjects.unique()
    known = pl.DataFrame({"e": each, "degree": (s + o)[each.to_numpy()]})
    third = (pl.col("degree").rank("min") - 1).cast(pl.Int64) * len(THIRDS) // pl.len()
    named = known.select("e", third=third.replace_strict(dict(enumerate(THIRDS)), return_dtype=pl.String))
    return subjects.to_frame("e").join(named, on="e", how="left", maintain_order="left")["third"]


def in_blocks(members: Ints, size: int, n: int) -> Ints:
    """Pick up to `n` places of a list so that each block of `size` has different members; the list's order is the wish.

    A block takes the first free place of each member, the foremost ones. When fewer than `size` members are left, they make
    the last block: whoever has more than the others is never taken more often than once in `size`.

    >>> in_blocks(np.array([5, 5, 5, 6, 7, 6]), 2, 9).tolist()
    [0, 3, 1, 4, 2, 5]
    >>> in_blocks(np.array([5, 5, 5, 6]), 2, 9).tolist()
    [0, 3, 1]
    """
    if size == 1:
        return np.arange(min(n, len(members)))
    queue = np.argsort(members, kind="stable")
    first = np.flatnonzero(np.diff(members[queue], prepend=-1))
    ends = np.append(first[1:], len(queue))
    blocks, taken = [np.empty(0, np.int64)], 0
    while taken < n and len(first):
        heads = queue[first]
        chosen = np.sort(np.argpartition(heads, size - 1)[:size]) if len(heads) > size else np.arange(len(heads))
        blocks.append(np.sort(heads[chosen]))
        taken += len(chosen)
        if len(chosen) < size:
            break
        first = first.copy()
        first[chosen] += 1
        left = first < ends
        first, ends = first[left], ends[left]
    return np.concatenate(blocks)[:n]


def _races(facts: pl.DataFrame, keys: Keys) -> npt.NDArray[np.float64]:
    """Return the place of each fact among those of its relation: it is drawn with its weight, by hash.

    The first of a race of exponential times is one with a chance proportional to its rate (Efraimidis, Spirakis: Weighted
    random sampling with a reservoir, 2006).
    """
    p, third = facts["p"], facts["popularity"].replace_strict({name: k for k, name in enumerate(THIRDS)}, return_dtype=pl.Int64)
    pairs = (_alike(p, facts["o"]), _alike(p, facts["concept"]), _alike(facts["s"]), _alike(p, third) ** 2)
    counts = pl.DataFrame({str(k): counted for k, counted in enumerate(pairs)})
    weight = counts.select(pl.reduce(lambda a, b: a * b, [pl.col(c).cast(pl.Float64) ** -0.5 for c in counts.columns]))
    times: npt.NDArray[np.float64] = -np.log(uniform(mix(keys, word("drawn")))) / weight.to_series().to_numpy()
    return times


def _alike(*columns: pl.Series) -> Ints:
    """Return how many rows have the same as each row: counted by numbers, a part of what a window over columns takes."""
    key = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        own = column.cast(pl.Int64).to_numpy()
        key = key * (int(own.max(initial=0)) + 1) + own
    _, of, count = np.unique(key, return_inverse=True, return_counts=True)
    return count[of]


def _split(groups: Ints, places: npt.NDArray[np.float64]) -> list[Ints]:
    """Return the rows of each group, in the order of their places."""
    # Small numbers are sorted by their digits: in no order of theirs is there anything to compare.
    small = groups.astype(np.uint16) if groups.max(initial=0) < 2**16 else groups
    order = np.argsort(places, kind="stable")
    order = order[np.argsort(small[order], kind="stable")]
    return [rows for rows in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1) if len(rows)]
