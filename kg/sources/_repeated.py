"""Who or what a table tells again in each of several rows: an astronaut beside each mission, a player beside each match.

Many published tables are one sheet of what happened, with whoever took part written out in every row. Such rows have no names
of their own; but what they name has one, and whatever is the same in all rows of a name is a fact about it, by the functional
dependency of it on the name (Codd, Further normalization of the data base relational model, 1972).
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from kg.sources._names import singulars, words_of
from kg.sources._rows import Rows

_WHOLE, _SAME = 0.97, 0.98
"""So many rows have a name, and so many names the same value in all their rows."""

_AGAIN, _MOST_ROWS = 5, 1_000_000
"""Fewer names that stand in several rows tell nothing of what depends on them; more rows are not looked through."""


_DOINGS = {"appearance", "entry", "event", "game", "match", "mission", "participation", "performance", "result", "start"}
"""What somebody takes part in again and again."""


class Repeated(NamedTuple):
    """What a table names again and again: what one of it is called, the column of the names, and what depends on these."""

    table: str
    column: str
    rows: Rows


def repeated(table: str, rows: Rows, texts: list[str], key: tuple[str, ...]) -> Repeated | None:
    """Find what the rows of a table without names tell again and again; None where there is none.

    Parameters: `texts` are the columns that may hold names, `key` is what the table declares.

    >>> text = {"Name": ["Ada", "Ada", "Bo", "Bo", "Cy", "Cy", "Di", "Di", "Ed", "Ed"], "Born": list("1122334455")}
    >>> again = repeated("rowers", Rows.of(pl.DataFrame(text | {"Race": list("abcdefghij")})), ["Name", "Race"], ())
    >>> again.table, again.column, again.rows.columns, again.rows.height
    ('rower', 'Name', ['Name', 'Born'], 5)
    """
    noun = _noun(table)
    column = next((column for column in texts if words_of(column) in (["name"], ["full", "name"])), None)
    if key or column is None or noun is None or not _AGAIN <= rows.height <= _MOST_ROWS:
        return None
    names = rows.select([column])[column]
    if names.null_count() > (1 - _WHOLE) * rows.height or 2 * names.n_unique() > 2 * rows.height - _AGAIN:
        return None
    several = names.drop_nulls().value_counts().filter(pl.col("count") > 1).height
    if several < _AGAIN:
        return None
    determined = {
        other: values for other in rows.columns if other != column and (values := _determined(rows, column, other)) is not None
    }
    if not determined:
        return None
    whole = rows.select([column]).drop_nulls().unique(maintain_order=True)
    for values in determined.values():
        whole = whole.join(values, on=column, how="left", maintain_order="left")
    return Repeated(noun, column, Rows.of(whole))


def _noun(table: str) -> str | None:
    """Return what one of those is that a table's rows name: an astronaut of `astronauts`, an athlete of `athlete_events`."""
    *before, last = words_of(table)
    if len(before) == 1 and ({last, *singulars(last)} & _DOINGS):
        return before[0]
    return None if before else next(singulars(table), None)


def _determined(rows: Rows, column: str, other: str) -> pl.DataFrame | None:
    """Return the value of a column for each name, where nearly all names have one alone; None where they do not."""
    pairs = rows.select([column, other]).drop_nulls().unique(maintain_order=True)
    one = pairs.filter(pl.col(column).is_unique())
    names = pairs[column].n_unique()
    if not names or one.height < _SAME * names or pairs[other].n_unique() < 2:
        return None
    return one
