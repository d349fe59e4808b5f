"""The SPARQL of many proofs in little room: each query once with its gaps, each proof as the terms that fill them.

A query is rendered once for each kind of proof by `queries.templates.render`, with terms that stand nowhere else; where
those terms come out, there are the gaps. The page puts a proof's terms there, and what it shows is what `python -m queries
render` prints.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from queries.errors import TemplateError
from queries.records.item import Item, Proof
from queries.templates import proof_query

Parts = list[str | int]
"""A query in pieces: text, and the number of the term that stands between."""

Kinds = dict[str, Parts]
"""Queries with gaps, by what proofs call them."""

_IRI = r'<[^\x00-\x20<>"{}|^`\\]*>'
_TERM = rf'(?:{_IRI}|"(?:[^"\\\n\r]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^{_IRI})?|_:\w+)'
_TERMS = re.compile(rf"(?:{_TERM}(?:\n{_TERM})*)?", re.ASCII)
_NUMERIC = re.compile(r"\^\^<http://www\.w3\.org/2001/XMLSchema#(?:integer|decimal|double)>\Z")
_NO_TERM = "no term"
_GAP = "716{:03}304"  # as an integer, within an IRI and within a text: one token that no query holds


class _Kind(NamedTuple):
    """What proofs that differ in their terms only have in common."""

    query: str
    names: tuple[str, ...]
    forms: tuple[str, ...]
    asks: bool

    @property
    def name(self) -> str:
        """What proofs of this kind call it."""
        return _name(self)


@lru_cache(maxsize=10_000)  # half the time that proofs take: there are hundreds of thousands of them, and few kinds
def _name(kind: _Kind) -> str:
    return hashlib.sha256(json.dumps(kind).encode()).hexdigest()[:10]


def proofs_of(items: Sequence[Item]) -> tuple[list[list[Any]], Kinds]:
    """Return the proofs of each item, and the queries that they call by name.

    A proof is its query (the name of its kind and the terms, or a text), the template's name, what is expected and the rows.
    A kind that only one proof is of is written out. A proof that cannot be rendered is written out as the reason why.
    """
    kinds = [[_kind(proof) for proof in item.proof] for item in items]
    frequency = Counter(kind for of_item in kinds for kind in of_item)
    queries: Kinds = {}
    packed = [
        [_packed(proof, kind, queries, alone=frequency[kind] == 1) for proof, kind in zip(item.proof, of_item, strict=True)]
        for item, of_item in zip(items, kinds, strict=True)
    ]
    return packed, queries


def _kind(proof: Proof) -> _Kind:
    terms = [bound.term for bound in proof.bind]
    # A text that is no term could stand anywhere in a query: rendering refuses it, and says why.
    forms = tuple(map(_form, terms)) if _TERMS.fullmatch("\n".join(terms)) else (_NO_TERM,)
    return _Kind(proof.query, tuple([bound.name for bound in proof.bind]), forms, proof.expect is not None)


def _packed(proof: Proof, kind: _Kind, queries: Kinds, *, alone: bool) -> tuple[Any, ...]:
    """Return a proof as the page reads it, and put its query among the `queries` with gaps, where it has some."""
    parts = None if alone else _parts(kind, proof)
    if parts is None:
        query: Any = _written(proof)
    else:
        queries[kind.name] = parts
        query = (kind.name, [bound.term for bound in proof.bind])
    return query, "" if "{" in proof.query else proof.query, proof.expect, proof.rows


_PARTS: dict[_Kind, Parts | None] = {}


def _parts(kind: _Kind, proof: Proof) -> Parts | None:
    """Cut the query of a kind at its gaps, once for all its proofs; null where filling them is not the same as rendering."""
    if kind not in _PARTS:
        _PARTS[kind] = _cut_at_gaps(kind, proof)
    return _PARTS[kind]


def _cut_at_gaps(kind: _Kind, proof: Proof) -> Parts | None:
    if kind.forms == (_NO_TERM,):
        return None
    gaps = [_stand_in(form, number) for number, form in enumerate(kind.forms)]
    bind = [replace(bound, term=gap) for bound, gap in zip(proof.bind, gaps, strict=True)]
    try:
        parts = _cut(proof_query(to_builtins(replace(proof, bind=bind))), gaps)
        same = filled(parts, [bound.term for bound in proof.bind]) == proof_query(to_builtins(proof))
    except TemplateError:
        return None
    return parts if same else None


def _form(term: str) -> str:
    """Return a term without its value: its quote and its type or language, or the bracket of an IRI.

    >>> _form('"7"^^<urn:t>'), _form("<urn:a>")
    ('"^^<urn:t>', '<')
    """
    return term[term.rindex('"') :] if term[0] == '"' else term[0]


def _stand_in(form: str, number: int) -> str:
    gap = _GAP.format(number)
    if form.startswith('"'):
        return f'"{gap}{form}' if _NUMERIC.search(form) else f'"gap {gap}{form}'
    return f"<urn:gap:{gap}>"


def _cut(query: str, gaps: Sequence[str]) -> Parts:
    """Cut a text at its gaps.

    >>> _cut("ASK { <g:0> ?p <g:1> }", ["<g:0>", "<g:1>"])
    ['ASK { ', 0, ' ?p ', 1, ' }']
    """
    if not gaps:
        return [query]
    numbers = {gap: number for number, gap in enumerate(gaps)}
    pieces = re.split(f"({'|'.join(map(re.escape, gaps))})", query)
    return [numbers.get(piece, piece) for piece in pieces]


def filled(parts: Sequence[str | int], terms: Sequence[str]) -> str:
    """Put the terms into the gaps, as the page does.

    >>> filled(["ASK { ", 0, " ?p ?o }"], ["<urn:x>"])
    'ASK { <urn:x> ?p ?o }'
    """
    return "".join(part if isinstance(part, str) else terms[part] for part in parts)


def _written(proof: Proof) -> str:
    try:
        return proof_query(to_builtins(proof))
    except TemplateError as error:
        return f"# cannot be shown: {error}"
