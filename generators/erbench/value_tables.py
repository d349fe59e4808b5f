"""Tables whose rows only give a value to a row of another: the authors of books, the hobbies of presidents.

A database keeps in a table of its own what a row has several of (a multivalued attribute). Its rows are no things: they are not
asked about, but what they say is, of the row that they belong to.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from generators.column_names import WordLists, split
from generators.erbench import sure
from generators.erbench.columns import Attribute, Edge
from generators.erbench.facts import Facts
from generators.erbench.names import Words
from generators.erbench.tables import EntityTable
from generators.erbench.values import MOST, kind_of
from generators.inflections import is_common_noun
from generators.nouns import singular

_REPEATED = 0.9
"""A column that says in so many rows what the other table says already adds nothing."""
_ONCE = 0.95
"""So many pairs of a row and a value stand once."""
JOINING = frozenset({"link", "map", "mapping", "relation", "join", "junction", "has", "in", "to", "of", "list", "entry"})
"""What the name of a table says of a pair that says no more than that one has the other."""


@dataclass(frozen=True)
class ValueTable:
    """A table that gives values to rows: the link to these, and the column of values, which is called by what one is.

    `pairs` are `s, o`: the rows that have values, and these.
    """

    table: EntityTable
    whole: Edge
    value: Attribute
    pairs: pl.DataFrame


class ValueTables:
    """Finds such tables among those of a database; `tables` are those whose rows have names."""

    def __init__(self, facts: Facts, words: Words, tables: Mapping[str, EntityTable], links: Mapping[str, str]) -> None:
        """Look at a database; `links` are the undeclared foreign keys, and the tables that they lead to."""
        self._facts, self._words, self._tables = facts, words, tables
        self._referred = {*facts.edges["o"], *links.values()}

    def column_of(self, table: EntityTable) -> tuple[Edge, str, str] | None:
        """Find the link of a table, its column of values and what one of these is; None where it says more, or has things."""
        edge = table.edges[0] if len(table.edges) == 1 and table.iri not in self._referred else None
        whole = self._tables.get(edge.to) if edge and edge.to != table.iri and not edge.is_verb else None
        if edge is None or whole is None or whole.key:
            return None
        telling = ((p, name) for p, name in self._facts.columns_of(table.iri) if self._says_more(table, whole, edge, p))
        own = list(itertools.islice(telling, 2))  # a table of many columns is not looked through
        if len(own) != 1 or not self._are_values(table, edge, own[0][0]):
            return None
        ((iri, raw),) = own
        noun = self._noun(table, whole, raw)
        return (edge, iri, noun) if noun and (self._is_part(table, whole) or self._repeat(iri)) else None

    def _says_more(self, table: EntityTable, whole: EntityTable, edge: Edge, iri: str) -> bool:
        """Whether a column says more than which row a row belongs to, and its own number."""
        if iri not in self._facts.use or iri == "".join(edge.iri.split("ref-")):
            return False
        values = self._facts.pairs(iri)
        return not (self._is_number(table, iri, values["o"]) or self._is_repeated(whole, edge, values))

    def _is_number(self, table: EntityTable, iri: str, values: pl.Series) -> bool:
        """Whether a column numbers the rows: their key, or called as one."""
        name = self._facts.columns.filter(pl.col("p") == iri)["name"][0]
        called = split(name)[-1] in WordLists.load().key_words
        own = values.n_unique() == self._facts.rows[table.iri] and bool(values.str.contains(r"^\d+$").all())
        return own and (called or [iri] == self._facts.keys_of(table.iri))

    def _is_repeated(self, whole: EntityTable, edge: Edge, values: pl.DataFrame) -> bool:
        """Whether a column says what the row that is referred to is called, or says itself."""
        rows = self._facts.pairs(edge.iri).rename({"o": "whole"}).join(values, on="s")
        known = [self._facts.names_of(whole.iri).rename({"e": "s", "label": "o"})]
        known += [self._facts.pairs(iri) for iri, _ in self._facts.columns_of(whole.iri) if iri in self._facts.use]
        for column in known:
            both = rows.join(column.rename({"s": "whole", "o": "said"}), on="whole")
            same = int((both["o"].str.strip_chars() == both["said"].str.strip_chars()).sum())
            if both.height and same >= _REPEATED * rows.height:
                return True
        return False

    def _are_values(self, table: EntityTable, edge: Edge, iri: str) -> bool:
        """Whether a column holds texts, each once of each row; rows have no names but those, or those of the other table."""
        values, named = self._facts.pairs(iri), table.iri in self._facts.named and not self._facts.is_label(iri)
        labels = self._facts.names_of(table.iri).rename({"e": "s", "label": "o"}) if named else None
        if kind_of(values["o"]) != "text" or (
            labels is not None and not self._is_repeated(self._tables[edge.to], edge, labels)
        ):
            return False
        pairs = self._facts.pairs(edge.iri).join(values, on="s").select("o", "o_right")
        return pairs.height >= MOST * self._facts.rows[table.iri] and pairs.n_unique() >= _ONCE * pairs.height

    def _noun(self, table: EntityTable, whole: EntityTable, raw: str) -> str | None:
        """Say what a value is, by its column or else by its table; None where the table says of a pair something else."""
        owner, rest = self._owner(whole), [word for word in self._told(table) if word not in self._owner(whole)]
        said = self._words.column(raw, "")
        words = [singular(word) for word in said.name.split()] if said.unsaid is None else []
        while words and words[-1] in _NAMES:
            words = words[:-1]
        while words and words[0] in owner:
            words = words[1:]
        noun = words or rest
        more = {*rest} - {*noun, *sure.Sure.load().belonging} - JOINING
        return " ".join(noun) if noun and not more and all(map(_is_word, noun)) else None

    def _told(self, table: EntityTable) -> list[str]:
        """The words of a table's name, in the singular."""
        return [singular(word) for word in self._words.table(self._facts.raw[table.iri]).name.split()]

    def _owner(self, whole: EntityTable) -> set[str]:
        """What rows that have values are called."""
        return {*self._told(whole), *whole.name.split()}

    def _is_part(self, table: EntityTable, whole: EntityTable) -> bool:
        """Whether a table is called by the other and by something more: `Book_Authors`, of books."""
        return bool(self._owner(whole) & {*self._told(table)[:-1]})

    def _repeat(self, iri: str) -> bool:
        """Whether values stand in several rows, as those of a column of things would not."""
        values = self._facts.pairs(iri)["o"]
        return values.n_unique() <= _SHARED * values.len()


_NAMES = frozenset({"name", "value", "title", "text", "label", "description"})
"""What says of no value what it is."""
_SHARED = 0.8
"""So many values at most are different ones where rows share them."""


def _is_word(word: str) -> bool:
    return is_common_noun(word) and word not in sure.Sure.load().vague
