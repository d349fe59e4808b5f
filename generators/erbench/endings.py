"""How a table says of a row that it is no more: the day of its end, a flag ("still active"), or a word for what became of it.

A ship that sank had a length, and a question says so: where most rows are no more these alone are asked about, in the past;
else those that are still there.

```
>>> says_still("still active"), says_still("in service"), says_still("active"), says_fate("fate"), says_fate("outcome")
(True, True, False, True, False)
>>> [word for word in ("Sunk", " scrapped", "burned down", "preserved", "lost at sea") if is_gone(word)]
['Sunk', ' scrapped', 'burned down', 'lost at sea']

```
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from generators.erbench import sure
from generators.erbench.columns import Attribute
from generators.erbench.times import ends_it

MOST = 0.5
"""Where so many rows are no more, the others are left out, and questions are in the past."""
_NO = frozenset({"0", "n", "no", "f", "false"})
_IN_USE = frozenset({"in service", "in use", "in operation", "operational", "extant", "standing", "surviving"})
_FATES = frozenset({"fate", "status"})
_END = frozenset({"end", "ended"})


@dataclass(frozen=True)
class Ending:
    """A column by which rows are no more, the values that say so (none: any), and how many rows have one."""

    column: Attribute
    values: tuple[str, ...]
    rows: int

    def pattern(self, row: str, number: int) -> str:
        """Return the SPARQL that holds of rows that are no more."""
        said = f"?gone_{number}"
        # As they are: SPARQL knows no escape for half of a sign beyond U+FFFF.
        words = ", ".join(json.dumps(value, ensure_ascii=False) for value in self.values)
        among = f" FILTER(STR({said}) IN ({words}))" if words else ""
        return f"{row} {self.column.path} {said} .{among}"


def says_still(name: str) -> bool:
    """Tell whether a yes says that a row is still there; what is not active may be there, as a volcano is."""
    words = name.split()
    return words[0] == "still" or " ".join(word for word in words if word not in ("is", "still")) in _IN_USE


def says_fate(name: str) -> bool:
    """Tell whether a column says what became of a row."""
    return name.split()[-1] in _FATES


def is_gone(value: str) -> bool:
    """Tell whether a word, or words that begin with it, say of something that it is no more."""
    own = sure.Sure.load()
    return bool({*value.casefold().split()[:1]} & {*own.gone, *own.fates})


def endings(attributes: Iterable[Attribute], pairs: dict[str, pl.DataFrame]) -> Iterator[Ending]:
    """Yield the columns of a table that say of rows that they are no more; `pairs` are the values of each, `s, o`."""
    for column in attributes:
        values = pairs[column.iri]["o"].drop_nulls()
        if column.kind == "flag" and says_still(column.name):
            told = values.filter(values.str.to_lowercase().is_in(_NO))
        elif column.kind != "flag" and says_fate(column.name):
            some = values.unique().sort()
            told = values.filter(
                values.is_in(some.filter(pl.Series([is_gone(value) for value in some], dtype=pl.Boolean)).implode())
            )
        elif column.kind != "flag" and (ends_it(column.name) or _is_end(column.name)) and _are_dates(column, values):
            yield Ending(column, (), len(values))
            continue
        else:
            continue
        if len(told) and told.n_unique() <= sure.LEFT_OUT:  # more are remarks, which a query would list one by one
            yield Ending(column, tuple(told.unique().sort()), len(told))


def _is_end(name: str) -> bool:
    return {*name.split()} <= {*_END, "date", "year", "day", "on", "at", "in"} and not _END.isdisjoint(name.split())


def _are_dates(column: Attribute, values: pl.Series) -> bool:
    """Whether values say when something was, in whatever form."""
    return column.kind in ("year", "date", "month") or bool(values.str.contains(r"\b[12]\d{3}\b").all())
