"""What every graph can do, wherever it lives, and how deeply a query may be nested."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import polars as pl

from kg.errors import InputError, QueryError

IS_DECLARED = "ASK { VALUES ?kind { kgp:Relation kgp:Attribute } ?p rdf:type ?kind }"
"""Whether a graph says of any predicate that it is a relation or an attribute."""
_DEEPEST = 300
_LONGEST = 1500
_listening: list[Counter[str]] = []
# What a comment or a string holds is no bracket; nothing is parsed behind a string that its line does not close. A row of IRIs
# in VALUES is one part, as there may be a hundred thousand; a local name may hold a hyphen, which between words is a minus.
_PARTS = re.compile(
    r"""(?P<aside>\((?:\s*+<[^\x00-\x20<>"{}|^`\\()\[\]!]*+>)++\s*+\)|\#[^\r\n]*+"""
    r"""|"{3}(?:"{0,2}+(?:[^"\\]|\\.))*+"{3}|'{3}(?:'{0,2}+(?:[^'\\]|\\.))*+'{3}"""
    r"""|"(?:[^"\\\r\n]|\\.)*+"?|'(?:[^'\\\r\n]|\\.)*+'?|[?$]\w++|@[A-Za-z]++(?:-\w++)*+|\d[\d.]*+[eE][+-]?\d++)"""
    r"""|(?P<iri><[^\x00-\x20<>"{}|^`\\]*+>)"""
    r"""|(?P<opens>[{(\[]|<<\(?|\{\|)|(?P<closes>[})\]]|\)?>>|\|\})|(?P<values>\bVALUES\b(?!:))"""
    r"""|(?P<joins>\b(?:OPTIONAL|MINUS|UNION|FILTER|BIND|GRAPH|SERVICE|EXISTS|SELECT)\b(?!:)|&&|\|\||[!+*/^|-])"""
    r"""|(?P<word>[^\W\d][\w-]{0,80}:(?:[\w.:%-]|\\.)*+|[^\W\d]\w*+)""",
    re.IGNORECASE | re.DOTALL,
)


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

    def provenance(self, query: str) -> pl.DataFrame:
        """Run a SELECT over the provenance graph (source, licence, time, hashes, counts of each load)."""
        ...

    def update(self, query: str) -> None:
        """Run a SPARQL update. Raises StoreError where the graph is read-only."""
        ...

    def digest(self) -> str:
        """Return an order-independent hash of the data triples: `sha256:` and 64 hex digits."""
        ...


def check_nesting(query: str) -> None:
    """Raise QueryError where a query is nested so deeply, or so many parts hang on one another, that a parser may not bear it.

    Brackets nest three hundred deep at most. Of the operators and clauses of a group (`+`, `||`, OPTIONAL, FILTER, UNION) each
    rests on those before it: fifteen hundred may stand in a group and the groups within it. Rows of VALUES do not count.

    >>> check_nesting("ASK " + "{ # }\\n" * 301 + "}" * 301)
    Traceback (most recent call last):
    kg.errors.QueryError: query: is nested more than 300 deep; make it flatter
    >>> check_nesting("ASK { FILTER(" + "1 + " * 2000 + "1) }")
    Traceback (most recent call last):
    kg.errors.QueryError: query: has more than 1500 operators or clauses that rest on one another; use VALUES, or ask in parts
    """
    joined = [0]  # of each group that is open: how many joins it has, and the most of any group within it
    within = [0]
    hidden, data_at, values = 0, 0, False
    for match in _PARTS.finditer(query):
        kind = match.lastgroup
        if kind == "opens":
            joined.append(0)
            within.append(0)
            if values and match[0] == "{":
                data_at, values = len(joined), False
        elif kind == "closes" and len(joined) > 1:
            data_at = 0 if data_at == len(joined) else data_at
            whole = joined.pop() + within.pop() + 1
            within[-1] = max(within[-1], whole)
        elif kind == "values":
            values = True
        elif kind == "iri":  # `1<((((2>1` looks like one
            hidden += max(0, sum(match[0].count(sign) for sign in "([!") - sum(match[0].count(sign) for sign in ")]"))
        elif kind == "joins" and not data_at:
            joined[-1] += 1
        if len(joined) + hidden > _DEEPEST + 1:
            raise QueryError(f"is nested more than {_DEEPEST} deep", place="query", way_out="make it flatter")
        if joined[-1] + within[-1] > _LONGEST:
            problem = f"has more than {_LONGEST} operators or clauses that rest on one another"
            raise QueryError(problem, place="query", way_out="use VALUES, or ask in parts")


def check_declared(graph: Graph, instead: str = ", or --derive for one run") -> None:
    """Raise InputError, with the way out, for a graph that declares neither a relation nor an attribute.

    Parameters: `instead` is what else may be done than to load views.
    """
    if not graph.ask(IS_DECLARED):
        way_out = f"add what it lacks: `kg load views` (--store DIR, or --endpoint URL --out FILE.nq){instead}"
        raise InputError("no triple `?p rdf:type kgp:Relation` is there", place=graph.name, way_out=way_out)


def undeclared(graph: Graph) -> str | None:
    """Say in a line what a graph lacks that declares neither a relation nor an attribute; null where it does.

    >>> from kg import open_graph
    >>> undeclared(open_graph()) is None
    True
    """
    try:
        check_declared(graph, instead="")
    except InputError as error:
        return str(error)
    return None


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
