"""Who stands in several rows of a sheet: an astronaut beside each mission, an athlete beside each start.

Many published tables are one sheet of what people took part in, with whoever it was written out in every row. Such rows have no
names of their own; but who is named is somebody, and what is the same in all rows of a name is a fact about them, by the
functional dependency of it on the name (Codd, Further normalization of the data base relational model, 1972).
"""

from __future__ import annotations

import re
from typing import NamedTuple

import polars as pl

from kg.sources._names import words_of
from kg.sources._rows import Rows

_WHOLE, _SAME, _FILLED = 0.97, 0.98, 0.9
"""So many rows have a name; so many names the same value in all their rows; and so many of the rows of these have it."""

_AGAIN, _MOST_ROWS = 5, 1_000_000
"""Fewer names that stand in several rows tell nothing of what depends on them; more rows are not looked through."""

_OF_PEOPLE = frozenset({"birth", "born", "birthdate", "birthday", "dob", "age", "sex", "gender", "nationality", "citizenship"})
"""What a sheet says of people, and of nothing else: sales and sightings have names as well."""

_DOINGS = frozenset(
    {"appearance", "entry", "event", "game", "match", "mission", "participation", "performance", "result", "start"}
)
"""What somebody takes part in again and again."""


class Repeated(NamedTuple):
    """Whom a table names again and again: what one of them is called, the column of the names, and what depends on these."""

    table: str
    column: str
    rows: Rows


def repeated(table: str, rows: Rows, texts: list[str], key: tuple[str, ...]) -> Repeated | None:
    """Find who stands in several rows of a table without names; None where nobody does.

    Parameters: `texts` are the columns that may hold names, `key` is what the table declares.

    >>> text = {"Name": ["Ada", "Ada", "Bo", "Bo", "Cy", "Cy", "Di", "Di", "Ed", "Ed"], "Born": list("1122334455")}
    >>> again = repeated("rowers", Rows.of(pl.DataFrame(text | {"Race": list("abcdefghij")})), ["Name", "Race"], ())
    >>> again.table, again.column, again.rows.columns, again.rows.height
    ('rower', 'Name', ['Name', 'Born'], 5)
    """
    noun = _noun(table)
    column = next((column for column in texts if words_of(column) in (["name"], ["full", "name"])), None)
    of_people = any(_OF_PEOPLE & {*words_of(other)} for other in rows.columns)
    if key or column is None or noun is None or not of_people or not _AGAIN <= rows.height <= _MOST_ROWS:
        return None
    names = rows.select([column])[column]
    several = names.drop_nulls().value_counts().filter(pl.col("count") > 1).height
    if names.null_count() > (1 - _WHOLE) * rows.height or several < _AGAIN:
        return None
    found = {other: values for other in rows.columns if other != column and (values := _told(rows, column, other)) is not None}
    if not found:
        return None
    whole = names.drop_nulls().unique(maintain_order=True).to_frame()
    for values in found.values():
        whole = whole.join(values, on=column, how="left", maintain_order="left")
    return Repeated(noun, column, Rows.of(whole))


def _noun(table: str) -> str | None:
    """Return what one of those is whom a table's rows name: None where the name does not tell.

    >>> [_noun(name) for name in ("astronauts", "athlete_events", "coaches", "matches", "census", "salary_data")]
    ['astronaut', 'athlete', 'coach', None, None, None]
    """
    *before, last = words_of(table)
    if len(before) == 1 and ({last, _singular(last)} & _DOINGS):
        return before[0]
    return None if before or _singular(last) in _DOINGS else _singular(last)


def _singular(word: str) -> str | None:
    """Return the singular of a plural; None for what is none, or may be none."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if re.search(r"(?:ch|sh|ss|x|o)es$", word):
        return word[:-2]
    return word[:-1] if re.search(r"[^suic]s$", word) else None


def _told(rows: Rows, column: str, other: str) -> pl.DataFrame | None:
    """Return the value of a column for each name, where nearly all names have one alone, in nearly all of their rows."""
    both = rows.select([column, other]).filter(pl.col(column).is_not_null())
    by_name = both.group_by(column, maintain_order=True).agg(
        values=pl.col(other).drop_nulls().n_unique(),
        filled=pl.col(other).count(),
        every=pl.len(),
        value=pl.col(other).drop_nulls().first(),
    )
    known = by_name.filter(pl.col("values") > 0)
    one = known.filter(pl.col("values") == 1)
    filled = int(known["filled"].sum()) >= _FILLED * int(known["every"].sum())
    if not one.height or one.height < _SAME * known.height or not filled or one["value"].n_unique() < 2:
        return None
    return one.select(column, pl.col("value").alias(other))
