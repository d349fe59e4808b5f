"""Which facts are asked about: evenly over domains, top and bottom quarter by popularity, and properties.

FACT-BENCH, sections 2.1 and 2.2. A cell is a domain's top or bottom quarter. Cells get equal shares; what a cell does not
have, the others get in equal shares. Within a cell the properties take turns, and within a property its answers, in the order
of their hash. The facts of all cells are then interleaved, so that any prefix has the mix of the whole.

```
>>> shares(10, [2, 100, 3]).tolist()
[2, 5, 3]

```
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from kg.sets import Ints

_QUARTER = 0.25

_EVEN = 1.5
"""Of a property with few answers one may have so many times its even share."""

_ONE = 0.75
"""So much of a property with two answers may have one of them; a property with one answer asks little."""


def with_popularity(facts: pl.DataFrame) -> pl.DataFrame:
    """Add `stratum`: top or bottom for the most and the least popular quarter of each domain's facts, else null.

    The quarters are of what has a known popularity. Where all of that is equally popular, or there is none, there are no
    quarters, and `quartered` is false.
    """
    value = pl.col("popularity")
    known = facts.sort("domain", "popularity", "key", nulls_last=True)
    rank = (pl.int_range(pl.len()).over("domain") + 0.5) / value.count().over("domain")
    ranked = known.with_columns(bottom=rank <= _QUARTER, top=(rank > 1 - _QUARTER) & (rank < 1))
    low, high = value.filter("bottom").max().over("domain"), value.filter("top").min().over("domain")
    ranked = ranked.with_columns(quartered=(low < high).fill_null(False))
    # A popularity that reaches into both quarters tells nothing; who has it is in neither.
    stratum = pl.when("quartered").then(pl.when("top").then(pl.lit("top")).when("bottom").then(pl.lit("bottom")))
    return ranked.with_columns(stratum=stratum).drop("top", "bottom").sort("key")


def in_quarters(facts: pl.DataFrame) -> pl.DataFrame:
    """Keep what is in a quarter, or of a domain that has none."""
    return facts.filter(pl.col("stratum").is_not_null() | ~pl.col("quartered"))


def thinned(facts: pl.DataFrame, commonest: float) -> pl.DataFrame:
    """Leave out what has the commonest answers of its property, so that who always gives one answer is seldom right.

    Afterwards an answer has at most the share `commonest` of the facts of its property; or half again its even share, where the
    property has few answers; or two facts, where that is less. Which stay is drawn by hash, the domains' quarters in turn.

    Parameters: `facts` as for `draw`. Returns the facts that stay, in their order.

    >>> facts = pl.DataFrame({"domain": "sports", "property": "P641", "stratum": "top", "key": range(8),
    ...     "value": ["football"] * 6 + ["tennis", "golf"]})
    >>> thinned(facts, 0.2)["value"].to_list()
    ['football', 'football', 'tennis', 'golf']
    """
    counts = facts.group_by("property", "value").len().group_by("property").agg("len")
    most = counts.with_columns(most=pl.col("len").map_elements(lambda some: _most(some, commonest), pl.Int64)).drop("len")
    turn = pl.int_range(pl.len()).over("domain", "stratum", "property", "value")
    again = pl.int_range(pl.len()).over("property", "value")
    ranked = facts.with_row_index("row").sort("key").with_columns(turn=turn).sort("turn", "key").with_columns(again=again)
    kept = ranked.join(most, on="property").filter(pl.col("again") < pl.col("most"))
    return kept.sort("row").select(facts.columns)


def _most(counts: Sequence[int], commonest: float) -> int:
    """Return how many facts an answer may have, given how many each answer of its property has."""
    sizes = np.array(counts)
    share = max(commonest, min(_EVEN / len(sizes), _ONE))
    least, most = 2, max(2, int(sizes.max()))
    while least < most:
        middle = (least + most + 1) // 2
        within = middle <= share * np.minimum(sizes, middle).sum()
        least, most = (middle, most) if within else (least, middle - 1)
    return least


def draw(facts: pl.DataFrame, n: int) -> pl.DataFrame:
    """Draw up to `n` facts, in an order of which any prefix has the mix of the whole.

    Parameters: `facts` has domain, property, value, stratum, quartered and key.
    """
    asked = in_quarters(facts)
    if asked.is_empty():
        return asked
    # Of facts with one answer the second comes after the first of all others: who always says "United States" gains little.
    asked = asked.sort("key").with_columns(again=pl.int_range(pl.len()).over("domain", "stratum", "property", "value"))
    asked = asked.sort("again", "key").with_columns(turn=pl.int_range(pl.len()).over("domain", "stratum", "property"))
    asked = asked.sort("turn", "key").with_columns(place=pl.int_range(pl.len()).over("domain", "stratum"))
    quotas = _quotas(asked, n)
    drawn = asked.join(quotas, on=["domain", "stratum"], nulls_equal=True).filter(pl.col("place") < pl.col("quota"))
    # Within a cell in the order of the hash: the turns above would put rare properties first.
    drawn = drawn.sort("key").with_columns(at=(pl.int_range(pl.len()).over("domain", "stratum") + 0.5) / pl.col("quota"))
    return drawn.sort("at", "domain", "stratum").drop("again", "turn", "place", "quota", "at")


def _quotas(asked: pl.DataFrame, n: int) -> pl.DataFrame:
    """Share `n` among the domains, and each domain's share between its two quarters."""
    cells = asked.group_by("domain", "stratum").len().sort("domain", "stratum")
    domains = cells.group_by("domain", maintain_order=True).agg(pl.col("len").sum())
    domains = domains.with_columns(share=pl.Series(shares(n, domains["len"].to_list())))
    parts = []
    for (name,), part in cells.group_by("domain", maintain_order=True):
        share = int(domains.filter(pl.col("domain") == name)["share"].item())
        parts.append(part.with_columns(quota=pl.Series(shares(share, part["len"].to_list()))))
    return pl.concat(parts).select("domain", "stratum", "quota")


def shares(n: int, sizes: Sequence[int]) -> Ints:
    """Share `n` evenly among cells of some sizes; what a cell does not have the others get.

    >>> shares(7, [10, 10]).tolist(), shares(100, [3, 4]).tolist()
    ([4, 3], [3, 4])
    """
    size = np.array(sizes, np.int64)
    given = np.zeros(len(size), np.int64)
    while (left := min(n, int(size.sum())) - int(given.sum())) > 0:
        open_ = np.flatnonzero(given < size)
        each, rest = divmod(left, len(open_))
        wanted = np.full(len(open_), each)
        wanted[:rest] += 1
        given[open_] = np.minimum(size[open_], given[open_] + wanted)
    return given


def split(facts: pl.DataFrame, n: int, train: int, part_of: pl.Series) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Draw `n` facts in two parts that share no subject: `train` to learn from, the others to be evaluated on.

    Parameters: `part_of` is the place of each fact's subject between 0 and 1, by hash. With fewer facts than `n` both parts are
    short in proportion.
    """
    if not train:
        return facts.clear(), draw(facts, n)
    share = train / n
    learned, asked = facts.filter(part_of < share), facts.filter(part_of >= share)
    return draw(learned, train), draw(asked, n - train)
