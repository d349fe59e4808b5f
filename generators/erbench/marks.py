"""Marks that rows without a name are told by: registrations, accession numbers, the number of an order or of a find.

```
>>> columns = {"p": ("order_no", "number"), "q": ("qty", "quantity")}
>>> values = {"p": pl.Series(["2347", "2348"]), "q": pl.Series(["5", "6"])}
>>> mark_of("order", columns, 2, set(), values.__getitem__)
Mark(column='p', figures=True, public=False)

```
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import polars as pl

from generators.column_names import WordLists, split
from generators.erbench import refusals, sure

_NUMBERED = ("number", "code")
"""What a table's own number is called where its column says whose it is: `ORDER_NO`, `FNDNO`."""
_PUBLIC = frozenset({"catalogue", "catalog", "accession", "inventory"})
"""Marks by which others than those who keep a database know a thing."""
_FIGURES, _MOST = r"^\d{1,9}$", 0.95


@dataclass(frozen=True)
class Mark:
    """The column (its IRI) of the marks, whether they are numbers ("order 2348"), and whether others know them, too."""

    column: str
    figures: bool = False
    public: bool = False


def mark_of(
    noun: str,
    columns: Mapping[str, tuple[str, str]],
    rows: int,
    referred: Collection[str],
    values: Callable[[str], pl.Series],
) -> Mark | None:
    """Find the marks of a table's rows, which are called by `noun`; None where a person would not tell them so.

    Parameters: `columns` by IRI, each with its name and as it is said; how many `rows` there are; the keys that other tables
    refer to (`referred`); what gives the `values` of a column.
    """
    lists = WordLists.load()
    if not sure.is_noun_of_rows(noun) or noun.split()[-1] in {*lists.persons, *sure.Sure.load().happenings}:
        return None
    found = list[Mark]()
    for column, (raw, said) in columns.items():
        marked = (refusals.is_mark(said) or said == "id") and noun not in lists.private
        if marked and _each_has_own(values(column), rows, refusals.MARKED):
            found.append(Mark(column, public=bool({*said.split()} & _PUBLIC)))
        elif said in _NUMBERED and len(split(raw)) > 1 and _each_has_own(values(column), rows, _FIGURES):
            found.append(Mark(column, figures=True))  # `no` alone only counts

    def telling(mark: Mark) -> tuple[bool, float]:
        """Of two, the one that other tables refer to, then the longer: "D-1234" rather than "IK"."""
        return mark.column in referred, float(str(values(mark.column).str.len_chars().mean()))

    return max(found, key=telling, default=None)


def _each_has_own(values: pl.Series, rows: int, look: str) -> bool:
    """Whether each row has a value of its own, nearly all of which look like a mark."""
    known = values.drop_nulls()
    alone = known.len() == known.n_unique() == rows
    return alone and float(str(known.str.contains(look).mean() or 0.0)) >= _MOST
