"""What every graph can do, wherever it lives, and how deeply a query may be nested."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import polars as pl

from kg.errors import QueryError

_DEEPEST = 300
_listening: list[Counter[str]] = []
_BRACKETS = re.compile(r"[{}()\[\]]|(?:[!+\-^]\s*){300}")


@runtime_checkable
class Graph(Protocol):
    """A graph that answers SPARQL 1.1; its default graph is the union of all data graphs.

    All queries may use the prefixes of `kg.vocab.PREFIXES` without declaring them, and the data may be asked for by relative
    IRIs, such as `<film#title>`, where a relational load has given the graph a base.
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


def check_nesting(query: str) -> None:
    """Raise QueryError where brackets, or signs before a value, are nested deeper than three hundred times.

    Brackets in strings count too: it takes hundreds more of those that open.

    >>> check_nesting("ASK " + "{" * 301 + "}" * 301)
    Traceback (most recent call last):
    kg.errors.QueryError: query: is nested more than 300 deep; make it flatter
    """
    depth = 0
    for match in _BRACKETS.finditer(query):
        sign = match[0]
        depth += _DEEPEST + 1 if len(sign) > 1 else 1 if sign in "{([" else -1
        depth = max(depth, 0)
        if depth > _DEEPEST:
            raise QueryError(f"is nested more than {_DEEPEST} deep", place="query", way_out="make it flatter")


@contextlib.contextmanager
def queries_asked() -> Iterator[Counter[str]]:
    """Count the queries that any graph of this process is asked in the block, in the order in which they were first asked.

    >>> from kg import open_graph
    >>> with queries_asked() as asked:
    ...     open_graph().ask("ASK { ?film a <film> }")
    True
    >>> dict(asked)
    {'ASK { ?film a <film> }': 1}
    """
    asked: Counter[str] = Counter()
    _listening.append(asked)
    try:
        yield asked
    finally:
        _listening.remove(asked)


def count_query(query: str) -> None:
    """Count a query for who listens; every graph calls it with what it is asked over the data or the schema."""
    for asked in _listening:
        asked[query] += 1
