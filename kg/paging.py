"""A SELECT whose rows a server does not send all at once, fetched page by page in a stable order.

Virtuoso cuts a result at 10,000 rows, and where it sorts for `LIMIT` and `OFFSET`, refuses beyond as many; ordered in a query
within, they may be taken from anywhere. All variables are sorted by, so that rows that tie are alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import polars as pl

from kg.errors import QueryError

_PROLOGUE = re.compile(
    r"""\s*+(?:(?:(?P<base>BASE\s*<[^>]*>)|(?P<prefix>PREFIX\s+[^\s:]*:\s*<[^>]*>)|\#[^\r\n]*)\s*+)""", re.IGNORECASE
)
_FROM = re.compile(r"^[^{]*\bFROM\b", re.IGNORECASE)
_ORDERED = re.compile(r"\}\s*ORDER\s+BY\b[^{}]*\Z", re.IGNORECASE)
_COUNTED_OFF = re.compile(r"\}[^{}]*\b(?:LIMIT|OFFSET|VALUES)\b[^{}]*\Z", re.IGNORECASE)


def prologue(query: str) -> tuple[str, str, str]:
    """Cut a query in its base, its prefixes and the rest; comments before the rest go.

    >>> prologue("BASE <http://e/> PREFIX a: <b> # all\\nSELECT ?x {}")
    ('BASE <http://e/> ', 'PREFIX a: <b> ', 'SELECT ?x {}')
    """
    at, base, prefixes = 0, "", ""
    while match := _PROLOGUE.match(query, at):
        base = f"{match['base']} " if match["base"] else base
        prefixes += f"{match['prefix']} " if match["prefix"] else ""
        at = match.end()
    return base, prefixes, query[at:].lstrip()


def names_graphs(query: str) -> bool:
    """Say whether a query names its own graphs: then it can be no part of another."""
    return _FROM.match(prologue(query)[2]) is not None


def counting(query: str) -> str:
    """Return the query that counts the rows of a SELECT.

    >>> counting("SELECT ?x { ?x a ?c }")
    'SELECT (COUNT(*) AS ?kgp_rows) { { SELECT ?x { ?x a ?c }\\n} }'
    """
    base, prefixes, select = prologue(query)
    return f"{base}{prefixes}SELECT (COUNT(*) AS ?kgp_rows) {{ {{ {select}\n}} }}"


def pages(
    send: Callable[[str], pl.DataFrame], query: str, first: pl.DataFrame, rows: int, place: str
) -> Iterator[pl.DataFrame]:
    """Yield all rows of a SELECT, page by page.

    Parameters: `send` runs a query; `first` is what came without paging, as many rows as a page may have; `rows` is how many
    there are; `place` is what errors call the server.
    Raises QueryError where the query cannot be paged, or the pages do not come to all rows.
    """
    ordered, size, fetched = _ordered(query, first.columns), first.height, 0
    while fetched < rows:
        page = send(f"{ordered} LIMIT {size} OFFSET {fetched}")
        if page.is_empty() or page.columns != first.columns:
            break
        fetched += page.height
        yield page
    if fetched != rows:
        problem = f"sends {fetched:,} of {rows:,} rows: it cuts them, or they changed meanwhile"
        raise QueryError(problem, place=place, way_out="run the same command again, or ask less at a time")


def _ordered(query: str, columns: list[str]) -> str:
    """Return the query whose rows stand in an order of all their columns; an order of its own comes first."""
    base, prefixes, select = prologue(query)
    by = " ".join(f"?{column}" for column in columns)
    if _ORDERED.search(select) and not _COUNTED_OFF.search(select):
        within = f"{select}\n{by}"
    elif _ORDERED.search(select):
        within = select
    else:
        within = f"SELECT {by} {{ {{ {select}\n}} }} ORDER BY {by}"
    return f"{base}{prefixes}SELECT {by} {{ {{ {within}\n}} }}"
