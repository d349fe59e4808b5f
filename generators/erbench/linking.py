"""The undeclared foreign keys of a database: those that its values show, and those that a person gives."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from generators.erbench.attributes import SEVERAL
from generators.erbench.facts import Facts
from generators.erbench.links import Column, Link, Links, written_links

_SELF = 0.5
"""Where more rows than this share refer to themselves, a column numbers them."""


class Linking:
    """Finds undeclared foreign keys and has their columns lead to rows; neither they nor what may be one are values any more.

    `links` are they by column, `unclear` the columns that only look like one, `found` says the links in words.
    """

    def __init__(self, facts: Facts, *, declared_only: bool, said: Sequence[str]) -> None:
        """Find the links; with `declared_only` those alone that a person gives (`said`: `shop.town_no=town`)."""
        self._facts = facts
        columns = self._columns()
        search = Links(columns, facts.unique, facts.rows, facts.pairs)
        own = [search.read(text, facts.raw) for text in said]
        found, unclear = search.find(written_links(facts.graph))
        wanted = {link.column: link for link in [*([] if declared_only else found), *own]}
        self.links = {column: link for column, link in wanted.items() if self._follow(link)}
        called = {column.iri: f"{column.of}.{column.name}" for column in columns}
        self.found = [f"{called[link.column]} → {facts.raw[link.to]}" for link in self.links.values()]
        self.unclear = unclear | {link.column for link in found if link.column not in self.links}

    def _columns(self) -> list[Column]:
        """The columns of one value a row that are no bytes."""
        use, raw = self._facts.use, self._facts.raw
        rows = self._facts.columns.filter(pl.col("p").is_in([*use]) & ~pl.col("p").is_in([*self._facts.bytes]))
        return [
            Column(iri, name, table, raw[table], use[iri][0], use[iri][2])
            for table, iri, name in rows.sort("t", "p").iter_rows()
            if use[iri][0] <= SEVERAL * use[iri][1]
        ]

    def _follow(self, link: Link) -> bool:
        """Have the pairs of a link lead to rows; False where the graph's terms do not meet, such as "1" and 1."""
        pairs = self._facts.graph.select(f"SELECT ?s ?o {{ ?s <{link.column}>/^<{link.key}> ?o }}")
        n, subjects, _, size = self._facts.use[link.column]
        if pairs["s"].n_unique() < subjects or (pairs["s"] == pairs["o"]).mean() > _SELF:  # type: ignore[operator]
            return False
        self._facts.put(link.column, pairs)
        self._facts.use[link.column] = (n, subjects, pairs["o"].n_unique(), size)
        return True
