"""What a stranger's query may do: read the one graph that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.errors import QueryError

if TYPE_CHECKING:
    from queries.templates.lexer import Token

_FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_WRITING = ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH")
_ELSEWHERE = {"SERVICE": "asks another server", "FROM": "names another dataset"}
_ONLY = "only this graph can be read"


def check_reads(query: str) -> str:
    """Return a query's form (`SELECT`, `ASK`, `CONSTRUCT` or `DESCRIBE`).

    Raises QueryError where it would write, or ask another graph (SERVICE, FROM); LexerError where it is no SPARQL at all. What
    stands within an IRI, a string or a comment is no word.

    >>> check_reads("PREFIX m: <m#> SELECT ?x { ?x m:says 'DROP ALL' }")
    'SELECT'
    >>> check_reads("LOAD <http://example.org/data.ttl>")
    Traceback (most recent call last):
    kg.errors.QueryError: LOAD writes; only this graph can be read
    """
    from queries.templates.lexer import tokens  # here: who asks without tools need not wait for it

    read = [token for token in tokens(query) if token.kind != "comment"]
    form = _first_word(read)
    if form in _WRITING:
        raise QueryError(f"{form} writes", way_out=_ONLY)
    if form not in _FORMS:
        raise QueryError(f"a query cannot begin with '{form}'", way_out="begin it with SELECT or ASK, after PREFIX lines")
    for token in read:
        if token.word in _ELSEWHERE:
            raise QueryError(f"{token.word} {_ELSEWHERE[token.word]}", way_out=_ONLY)
    return form


def _first_word(read: list[Token]) -> str:
    """Return the first word behind the prologue, or what stands in its place."""
    at = 0
    while at < len(read) and read[at].word in ("BASE", "PREFIX"):
        at += 2 if read[at].word == "BASE" else 3
    return (read[at].word or read[at].text) if at < len(read) else ""
