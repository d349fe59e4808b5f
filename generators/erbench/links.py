"""Foreign keys that a database does not declare, found by the values: most databases in the wild declare none.

A column is a link where all its values stand in a key, and more than chance says so: its name, or values that no other key has
and that no count or measure would have by chance. Whole numbers from 1 on stand in every key that is numbered from 1; there
only the name tells. A column of numbers that stand in a key, and whose name says of no quantity, is no answer to a question:
where it is no link, it is refused.

Source of the notion (inclusion dependencies as candidates for foreign keys): Rostin, Albrecht, Bauckmann, Naumann, Leser:
A Machine Learning Approach to Foreign Key Discovery (2009), §3.

```
>>> names_target("nearest_stn", "Depot", "stn_id", "tbl_station"), names_target("age", "Person", "id", "agency")
(True, False)
>>> rarely_by_chance(pl.Series(["501", "505", "509", "512", "529"]), pl.Series([str(n) for n in range(500, 530)]))
True
>>> rarely_by_chance(pl.Series(["1", "3", "4", "5", "7"]), pl.Series([str(n) for n in range(1, 9)]))
False

```
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from generators.column_names import WordLists, split, unit_of
from generators.erbench import sure
from generators.erbench.names import is_short_for
from generators.nouns import is_plural, is_word, singular
from kg.errors import InputError, nearest
from kg.graph import Graph

FEWEST_VALUES, FEWEST_TEXTS = 5, 3
"""So many distinct values must stand in a key before the values alone are believed: of numbers, of texts."""
MOSTLY, FEWEST_MOSTLY = 0.9, 20
"""So many of a column's values, of so many at least, stand in the key that it is called by; the others lead nowhere."""
MOST_FILLED, LIKELY = 0.5, 0.5
"""Keys that fill more than this share of the numbers between their first and last are a range; as likely as `kg fds` shows."""

_FOUND = """SELECT ?p ?t ?key ?likeness {
  ?i a kgp:InclusionDependency ; kgp:on ?p ; kgp:references ?t ; kgp:referencedKey ?key ; kgp:likeness ?likeness }"""
_NUMBER = r"^[+-]?\d{1,15}$"
_CODE, _CODES = r"^\p{Lu}[\p{Lu}\d]{1,5}$", 0.95
"""What codes look like, and how many of a column's values do where it holds them."""


@dataclass(frozen=True)
class Column:
    """A column of the graph: its IRI and name, its table's IRI and name, and how many facts and values it has."""

    iri: str
    name: str
    table: str
    of: str
    facts: int
    values: int


@dataclass(frozen=True)
class Link:
    """A column (its IRI) whose values stand in the key of a table (IRIs)."""

    column: str
    to: str
    key: str


class Links:
    """Finds the links of a database among its columns; `pairs` gives the values of one, `keys` are those that are declared.

    `rows` counts the rows of each table.
    """

    def __init__(
        self, columns: Sequence[Column], keys: Collection[str], rows: Mapping[str, int], pairs: Callable[[str], pl.DataFrame]
    ) -> None:
        self._columns, self._pairs = columns, pairs
        keyed = {c.table for c in columns if c.iri in keys}
        self._values: dict[str, pl.Series] = {}
        self._keys = [c for c in columns if self._may_be_key(c, keys, rows.get(c.table, 0), named=c.table not in keyed)]

    def find(self, written: Mapping[str, Sequence[tuple[str, str]]]) -> tuple[list[Link], set[str]]:
        """Return the links, and the columns that only look like one; `written`: what a search put down about columns."""
        found, unclear = list[Link](), set[str]()
        for column in self._columns:
            if self._is_own(column):
                continue
            within = [key for key in self._keys if self._is_within(column, key)]
            best = self._best(column, within, written.get(column.iri, ())) or self._mostly(column)
            if best is not None:
                found.append(Link(column.iri, best.table, best.iri))
            elif within and self._is_no_answer(column, within):
                unclear.add(column.iri)
        return found, unclear

    def read(self, text: str, tables: Mapping[str, str]) -> Link:
        """Read a link that a person gives: `shop.town_no=town`. Raises InputError where there is no such column or table."""
        path, _, other = text.partition("=")
        named = {f"{column.of}.{column.name}": column for column in self._columns}
        if path not in named:
            raise InputError(f"there is no column '{path}' to link", place="--link", way_out=nearest(path, named))
        if other not in tables.values():
            raise InputError(f"there is no table '{other}'", place="--link", way_out=nearest(other, tables.values()))
        column = named[path]
        key = next((key for key in self._keys if key.of == other and self._is_within(column, key)), None)
        if key is None:
            problem = f"not all values of '{path}' stand in a key of '{other}'"
            raise InputError(problem, place="--link", way_out="see `kg fds` for what refers to what")
        return Link(column.iri, key.table, key.iri)

    def _may_be_key(self, column: Column, declared: Collection[str], rows: int, *, named: bool) -> bool:
        """Whether a column tells rows apart, by its name or, where no key is declared, by codes: initials of staff."""
        if _is_key(column, declared, rows, named=named):
            return True
        alone = named and column.facts == column.values == rows >= FEWEST_VALUES
        return alone and float(str(self._of(column).str.contains(_CODE).mean() or 0.0)) >= _CODES

    def _is_own(self, column: Column) -> bool:
        """Whether a column is the key of its own table and called by it: another that refers to it may have all its values."""
        stem, noun = _stem(split(column.name)), _noun(column.of)
        called = not stem or stem[-1] == noun[-1] or (not is_word(stem[-1]) and is_short_for(stem[-1], noun[-1]))
        return column in self._keys and called

    def _best(self, column: Column, within: Sequence[Column], written: Sequence[tuple[str, str]]) -> Column | None:
        """Return the key that a column refers to, where one can be told."""
        named = [k for k in within if names_target(column.name, column.of, k.name, k.of)]
        # The name may be that of several tables: the one called so comes first, then one whose key is, then the smallest.
        stem, words = _stem(split(column.name)), split(column.name)
        named.sort(key=lambda k: (_noun(k.of) != stem, split(k.name) != words, k.values, k.iri))
        told = [k for k in self._keys if (k.table, k.iri) in written]
        alone = within[0] if len({k.table for k in within}) == 1 and self._values_tell(column, within[0]) else None
        return next(iter([*named, *told]), None) or alone

    def _mostly(self, column: Column) -> Column | None:
        """Return the key that a column is called by where a few of its values stand in none: rows that a copy lacks."""
        near = [key for key in self._keys if key.iri != column.iri and names_target(column.name, column.of, key.name, key.of)]
        near = [key for key in near if self._of(column).is_in(self._of(key).implode()).sum() >= MOSTLY * column.values]
        return near[0] if len(near) == 1 and column.values >= FEWEST_MOSTLY and column not in self._keys else None

    def _values_tell(self, column: Column, key: Column) -> bool:
        return not says_measure(column.name) and rarely_by_chance(self._of(column), self._of(key))

    def _is_within(self, column: Column, key: Column) -> bool:
        """Whether all values of a column stand in a key; a key of its own table refers to no row of it."""
        if column.iri == key.iri or not 0 < column.values <= key.values:
            return False
        if column.table == key.table and column in self._keys:
            return False
        return bool(self._of(column).is_in(self._of(key).implode()).all())

    def _is_no_answer(self, column: Column, within: Sequence[Column]) -> bool:
        """Whether what stands in a key is no answer: numbers of no quantity, and texts that are all keys of the same table."""
        if column.values < 2:
            return False
        numbers = bool(self._of(column).str.contains(_NUMBER).all())
        own = any(key.table == column.table for key in within)
        return (numbers and not says_quantity(column.name)) or (own and not numbers)

    def _of(self, column: Column) -> pl.Series:
        if column.iri not in self._values:
            self._values[column.iri] = self._pairs(column.iri)["o"].drop_nulls().unique()
        return self._values[column.iri]


def written_links(graph: Graph) -> dict[str, list[tuple[str, str]]]:
    """Read what `kg fds --write` put down: of each column, the likely tables and their keys, the likeliest first."""
    rows = graph.schema(_FOUND).with_columns(pl.col("likeness").cast(pl.Float64)).filter(pl.col("likeness") >= LIKELY)
    single = rows.filter((pl.len() == 1).over("p", "t", "key"))
    ordered = single.sort("p", "likeness", "t", descending=[False, True, False])
    found: dict[str, list[tuple[str, str]]] = {}
    for column, table, key, _ in ordered.select("p", "t", "key", "likeness").iter_rows():
        found.setdefault(column, []).append((table, key))
    return found


def _is_key(column: Column, declared: Collection[str], rows: int, *, named: bool) -> bool:
    """Tell whether a column tells rows apart and is meant to: it is declared a key, or called an id or a code.

    In a table that declares no key (`named`), others refer to a row by its name, too: tables imported from files do.
    """
    unique = column.facts == column.values == rows > 1
    words = (*WordLists.load().key_words, "ids", *(["name"] if named else []))
    return unique and (column.iri in declared or split(column.name)[-1] in words)


def names_target(column: str, table: str, key: str, other: str) -> bool:
    """Tell whether a column is called as the key of a table, or the table, that it would refer to.

    >>> names_target("opr_id", "station", "opr_id", "operator"), names_target("dept_no", "staff", "id", "departments")
    (True, True)
    >>> names_target("seats", "bus", "id", "stations"), names_target("num_plat", "stn", "id", "plants")
    (False, False)
    """
    if _is_counted(column):
        return False
    words, key_words = split(column), split(key)
    stem, of_key = _stem(words), _stem(key_words)
    if words == key_words and table != other and of_key:
        return True
    if not stem:
        return False
    if of_key and stem[-len(of_key) :] == of_key and stem != of_key:
        return True  # "from_stn", where the key is "stn_id"
    noun = _noun(other)
    head = stem[-1]
    if len(words) == len(stem) and table == other and head == noun[-1]:
        return False  # a column that is called as its own table names the row
    if is_word(head):
        return singular(head) == noun[-1]
    return len(head) > 1 and (of_key == [head] or any(is_short_for(head, word) for word in (noun[-1], "".join(noun))))


def _stem(words: Sequence[str]) -> list[str]:
    """The words of a key without those that say that it is one."""
    lists = WordLists.load()
    stem = [word for at, word in enumerate(words) if not (at == 0 and word == "fk")]
    while stem and stem[-1] in (*lists.key_words, "ids"):
        stem = stem[:-1]
    return stem


def _noun(table: str) -> list[str]:
    lists, words = WordLists.load(), split(table)
    while len(words) > 1 and words[0] in lists.table_first:
        words = words[1:]
    while len(words) > 1 and words[-1] in lists.table_last:
        words = words[:-1]
    return singular(" ".join(words)).split(" ")


def says_quantity(name: str) -> bool:
    """Tell whether a column is called a count, a measure or a time.

    >>> [says_quantity(name) for name in ("num_plat", "elev_m", "seats", "est_yr", "capacity", "stn_mgr", "to_stn", "team")]
    [True, True, True, True, True, False, False, False]
    """
    known = " ".join(_in_full(name)) in sure.Sure.load().measures  # an atomic number, a period
    return known or says_measure(name) or is_plural(_in_full(name)[-1]) or "per" in split(name)


def says_measure(name: str) -> bool:
    """Tell whether a column's name holds a unit, or a word of counts, measures or times.

    >>> [says_measure(name) for name in ("len_km", "max_enrolment", "seats", "replaces", "emp_no")]
    [True, True, False, False, False]
    """
    lists = WordLists.load()
    known = {*lists.quantities, *lists.with_units, *lists.how, *lists.measures}
    return _is_counted(name) or bool({_in_full(name)[-1], split(name)[-1]} & known)


def _is_counted(name: str) -> bool:
    """Tell whether a name begins as a count, has a unit or a word such as "maximum"; "emp_no" does not."""
    words = _in_full(name)
    return bool(words[0] == "number" or unit_of(" ".join(split(name)))[1] or {*words} & {*WordLists.load().extremes})


def _in_full(name: str) -> list[str]:
    cut = WordLists.load().cut_words
    return " ".join(cut.get(word, word) for word in split(name)).split()


def rarely_by_chance(values: pl.Series, key: pl.Series) -> bool:
    """Tell whether values would hardly stand in a key by chance, were they a count, a measure or a letter."""
    if values.str.contains(_NUMBER).all() and key.str.contains(_NUMBER).all():
        return values.len() >= FEWEST_VALUES and not _is_small_range(key.cast(pl.Int64))
    several = values.len() >= (FEWEST_TEXTS if (values.str.len_chars() > 1).all() else FEWEST_VALUES)
    return several and not values.str.contains(_NUMBER).all()


def _is_small_range(key: pl.Series) -> bool:
    """Tell whether a key is numbered from about 1 on, without many gaps: any small number stands in it."""
    numbers = key.to_numpy()
    low, high = int(numbers.min()), int(numbers.max())
    return len(numbers) > MOST_FILLED * (high - low + 1) and low < high - low + 1
