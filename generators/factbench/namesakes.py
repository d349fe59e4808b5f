"""Names that others are likely to bear whom the graph does not know: what a question must add to them, or cannot ask about.

That nobody else in the graph has a name says little of the world. Of people it is told by how common given and family names
are, of works by how short a title is, of towns by whether anything says where they lie.

```
>>> names = pl.Series(["John Smith", "John Hay", "Ann Smith", "Ida Smith", "John Quincy Smith"])
>>> common_names(names, given=2, family=2).to_list()
[True, False, False, False, False]

```
"""

from __future__ import annotations

import math

import polars as pl

from generators.factbench.kinds import kinds_of, town_lists
from generators.graph_columns import GraphColumns
from kg.text import fold_all

_GIVEN, _FAMILY = 0.002, 0.001
"""A name is common that so large a share of a graph's people bears: Richard, Wright."""
_LEAST = 4
"""In a graph with few people a common name has so many bearers, at least."""
_ARTICLES = frozenset(("the", "a", "an"))


def common_names(names: pl.Series, *, given: int, family: int) -> pl.Series:
    """Tell of each name whether it is two words, each borne by many: `given` and `family` at least. Null is no name."""
    words = pl.DataFrame({"words": fold_all(names).str.split(" ")}).with_row_index("i")
    several = words.filter(pl.col("words").list.len() > 1)
    ends = several.select("i", n=pl.col("words").list.len(), a=pl.col("words").list.first(), b=pl.col("words").list.last())
    counted = ends.with_columns(firsts=pl.len().over("a"), lasts=pl.len().over("b"))
    common = counted.filter(pl.col("n") == 2, pl.col("firsts") >= given, pl.col("lasts") >= family)["i"]
    return words["i"].is_in(common.implode())


def people_of_common_names(labels: pl.Series, people: pl.Series) -> pl.Series:
    """Tell of each entity whether it is one of the `people` (booleans), and its name one that others are likely to bear.

    A name of one word is, where most people have two: several actors are called Murali.

    >>> people_of_common_names(pl.Series(["Murali", "Asa Hill", "Lahore"]), pl.Series([True, True, False])).to_list()
    [True, False, False]
    """
    number = int(people.sum())
    given, family = (max(_LEAST, math.ceil(number * share)) for share in (_GIVEN, _FAMILY))
    borne = common_names(pl.select(pl.when(people).then(labels)).to_series(), given=given, family=family)
    alone = (people & ~labels.str.contains(" ")).fill_null(False)
    return borne | alone if 2 * int(alone.sum()) <= number else borne


def towns(columns: GraphColumns) -> pl.DataFrame:
    """Return the entities that are towns and the like, whose names others bear elsewhere: e."""
    return kinds_of(columns, town_lists()).select("e")


def words_of_title(title: pl.Series) -> pl.Series:
    """Count the words of titles, without a leading article.

    >>> words_of_title(pl.Series(["The Office", "Superman", "Tin Man"])).to_list()
    [1, 1, 2]
    """
    words = pl.DataFrame({"words": fold_all(title).str.split(" ")})
    article = pl.col("words").list.first().is_in(sorted(_ARTICLES)) & (pl.col("words").list.len() > 1)
    return words.select(pl.col("words").list.len().cast(pl.Int64) - article.cast(pl.Int64)).to_series()


def is_short_title(rows: pl.DataFrame) -> pl.Series:
    """Tell of each fact whether its subject is a work that goes by a short title alone, without its year.

    Parameters: `rows` has subject, work (or null), said (the name in the question).
    """
    alone = pl.col("work").is_not_null() & ~pl.col("said").str.contains(r"^the \d{4} ")
    words = words_of_title(rows["subject"])
    return rows.select((alone & (words <= 1)).fill_null(False)).to_series()
