"""Queries of the library asked about many things at a time, some hundred in each request, and a count of what that takes.

```
python -c 'import kg; from queries.blocks import Blocks; print(Blocks(kg.open_graph()).rows("labels", [{"e": "<urn:x>"}]))'
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from kg.graph import Graph
from queries.templates import Row, Template, find

BLOCK = 200
"""So many rows stand in a VALUES block: Virtuoso refuses thousands, and what comes back stays below where servers cut."""


class Blocks:
    """Asks a graph set at a time; `requests` is how many queries it was asked, `fetched` how many rows came.

    >>> from kg import open_graph
    >>> blocks = Blocks(open_graph())
    >>> capital = f"<{open_graph().base}country#ref-capital>"
    >>> blocks.one("relation_size", p=capital)["subjects"] > 1, blocks.requests, blocks.fetched
    (True, 1, 1)
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.requests, self.fetched = graph, 0, 0

    def rows(self, name: str, rows: Sequence[Row], **same: str) -> pl.DataFrame:
        """Return what a query of the library finds for any of some rows of values: terms as N-Triples, each row once.

        Parameters: `same` are values that all rows share. No rows find nothing.
        """
        return self.found(find(name), rows, **same)

    def found(self, template: Template, rows: Sequence[Row], **same: str) -> pl.DataFrame:
        """Return what a template finds for any of some rows of values, as `rows` does."""
        parts = [pl.DataFrame(schema=dict.fromkeys(template.slots, pl.String))]
        for query in self.bound(template, rows, **same):
            parts.append(self.graph.terms(query).select(template.slots))
            self.fetched += parts[-1].height
        return pl.concat(parts).unique(maintain_order=True)

    def bound(self, template: Template, rows: Sequence[Row], **same: str) -> Iterator[str]:
        """Yield the queries that ask a template about some rows of values, and count them."""
        for first in range(0, len(rows), BLOCK):
            self.requests += 1
            yield template.bind([{**same, **row} for row in rows[first : first + BLOCK]])

    def one(self, name: str, **values: str) -> dict[str, int]:
        """Return the numbers in the one row that a query of the library finds: an aggregate."""
        row = self.graph.select(find(name).bind(values))
        self.requests, self.fetched = self.requests + 1, self.fetched + row.height
        return {column: int(number) for column, number in row.row(0, named=True).items()}
