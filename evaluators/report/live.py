"""Proofs that run in the page: the facts around each item, and Oxigraph as WebAssembly, both as scripts that need no network.

An item's neighbourhood has the facts that the terms of its proofs stand in, and as many steps more as its proofs need to come
out as they must; one that needs the whole graph is not offered. That something is not there says less of a neighbourhood than
of a graph: the page tells how many facts it asked.

Oxigraph's bindings for browsers are the npm package `oxigraph` (MIT or Apache-2.0); its folder is the user's to give.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox
from msgspec import to_builtins

from evaluators.report.items import script
from kg.errors import InputError
from kg.graph import Graph
from queries.errors import TemplateError
from queries.records import Item
from queries.records.item import Proof
from queries.templates import proof_query

_STEPS = 2
"""Steps from the facts of the terms to those of what they name: classes stand so far from their members."""
_MOST = 3000
"""Facts that an item brings along."""
_BATCH = 60
"""Terms that are asked about in one query."""
_WAY_OUT = "run `npm install oxigraph` and name node_modules/oxigraph"


class Live(NamedTuple):
    """Where proofs in the page come from: a graph, and the folder of the npm package."""

    graph: Graph
    package: Path


def engine(package: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the scripts of the engine, by name: its bindings, and its code as text, since a page from a disk fetches no files.

    Raises InputError where the folder does not hold the package.
    """
    try:
        bindings, code = (package / "web.js").read_text("utf-8"), (package / "web_bg.wasm").read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        raise InputError(f"holds no Oxigraph for browsers ({reason})", place=f"--live {package}", way_out=_WAY_OUT) from None
    # A module may not be loaded from a disk: what it exports becomes what a function returns.
    plain = re.sub(r"^export \{.*?\};?$", "", bindings, flags=re.MULTILINE)
    plain = re.sub(r"^export (?=class|function|async)", "", plain, flags=re.MULTILINE).replace(
        "import.meta.url", "document.baseURI"
    )
    if "function initSync" not in plain or "class Store" not in plain or re.search(r"^(?:ex|im)port\b", plain, re.MULTILINE):
        raise InputError("is another form of Oxigraph than this one knows", place=f"--live {package}", way_out=_WAY_OUT)
    yield "oxigraph", f'kgprobe("oxigraph",(()=>{{{plain}\nreturn {{Store,initSync}};}})());\n'.encode()
    yield "oxigraph-code", script("oxigraph-code", base64.b64encode(code).decode())


class Near(NamedTuple):
    """The facts around an item, as N-Triples, and for each of its proofs whether it comes out on them as it must."""

    facts: str
    runs: list[bool]


def neighbourhood(item: Item, graph: Graph) -> Near:
    """Return the facts around an item."""
    queries = [(_query(proof), proof) for proof in item.proof]
    store, known = ox.Store(), set[str]()
    terms = {bound.term for proof in item.proof for bound in proof.bind if bound.term.startswith("<")}
    runs = [False] * len(queries)
    for step in range(1 + _STEPS):
        fresh = sorted(terms - known)
        known |= terms
        store.extend(_facts(graph, fresh, both=step == 0))
        runs = [query is not None and _holds(store, query, proof) for query, proof in queries]
        if all(runs) or len(store) > _MOST:
            break
        terms = {str(quad.object) for quad in store if isinstance(quad.object, ox.NamedNode)}
    lines = sorted(f"{quad.subject} {quad.predicate} {quad.object} ." for quad in store)
    return Near("\n".join(lines), runs) if len(lines) <= _MOST and any(runs) else Near("", [False] * len(runs))


def _query(proof: Proof) -> str | None:
    try:
        return proof_query(to_builtins(proof))
    except TemplateError:
        return None


def _facts(graph: Graph, terms: list[str], *, both: bool) -> Iterator[ox.Quad]:
    """Yield the facts in which terms are subjects, and with `both` those in which they are objects."""
    for start in range(0, len(terms), _BATCH):
        some = " ".join(terms[start : start + _BATCH])
        objects = f" UNION {{ VALUES ?o {{ {some} }} ?s ?p ?o }}" if both else ""
        query = f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {{ VALUES ?s {{ {some} }} ?s ?p ?o }}{objects} }} LIMIT {_MOST + 1}"
        yield from ox.parse(graph.construct(query), ox.RdfFormat.N_TRIPLES)


def _holds(store: ox.Store, query: str, proof: Proof) -> bool:
    """Tell whether a proof comes out as it must."""
    try:
        result = store.query(query)
    except (SyntaxError, ValueError, OSError):
        return False
    if isinstance(result, ox.QueryBoolean):
        return bool(result) is proof.expect
    rows = proof.rows or []
    return isinstance(result, ox.QuerySolutions) and len(list(result)) == len(rows) > 0


def neighbourhoods(items: Iterable[Item], graph: Graph, size: int) -> Iterator[list[Near]]:
    """Yield the neighbourhoods of items, so many at a time as a script of the page holds.

    Raises QueryError where the graph cannot be asked.
    """
    some: list[Near] = []
    for item in items:
        some.append(neighbourhood(item, graph))
        if len(some) == size:
            yield some
            some = []
    if some:
        yield some
