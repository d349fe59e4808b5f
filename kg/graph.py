"""What every graph can do, wherever it lives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import polars as pl

__all__ = ["Graph"]


@runtime_checkable
class Graph(Protocol):
    """A graph that answers SPARQL 1.1; its default graph is the union of all data graphs.

    All queries may use the prefixes of `kg.vocab.PREFIXES` without declaring them.
    """

    @property
    def name(self) -> str:
        """What to call this graph in records: the IRIs of its data graphs, shortened, joined by a space."""
        ...

    @property
    def base(self) -> str | None:
        """The IRI that relative IRIs of a query are resolved against (relational loads), if there is one."""
        ...

    def select(self, query: str) -> pl.DataFrame:
        """Run a SELECT; every column is a string: IRIs and literals as plain text, null where unbound or empty."""
        ...

    def terms(self, query: str) -> pl.DataFrame:
        """Run a SELECT; every column holds terms as N-Triples writes them, null where unbound."""
        ...

    def term_pieces(self, query: str) -> Iterator[pl.DataFrame]:
        """Run a SELECT; what `terms` returns, some rows at a time (one piece at least), so that it may be of any length."""
        ...

    def ask(self, query: str) -> bool:
        """Run an ASK."""
        ...

    def construct(self, query: str) -> bytes:
        """Run a CONSTRUCT or DESCRIBE; N-Triples."""
        ...

    def schema(self, query: str) -> pl.DataFrame:
        """Run a SELECT over the schema graph (keys, dependencies, incomplete pairs) instead of the data."""
        ...

    def update(self, query: str) -> None:
        """Run a SPARQL update. Raises StoreError where the graph is read-only."""
        ...

    def digest(self) -> str:
        """Return an order-independent hash of the data triples: `sha256:` and 64 hex digits."""
        ...
