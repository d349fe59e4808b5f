"""Why an answer is right: each proof of an item run against a graph, and told with its SPARQL and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from kg.errors import InputError
from kg.graph import Graph
from kg.output import short
from kg.terms import text_of
from kg.vocab import property_labels
from queries.audit.audit import proof_fault
from queries.errors import TemplateError
from queries.records.item import Binding, Item, Proof
from queries.templates import find, proof_query, versioned
from queries.why.sentences import Told, instead, said_of_rows, sentence

_BATCH = 500
"""Of how many IRIs the labels are fetched at once."""


@dataclass(frozen=True)
class Ground:
    """One thing that a graph says: the sentence, the proof, the SPARQL that runs as it is, what it returns, and what is wrong.

    `rows` are terms as N-Triples writes them, null of an ASK, whose answer is `holds`. `fault` is null where the proof holds;
    what is told besides, and proves nothing, never has one.
    """

    sentence: str
    proof: Proof
    sparql: str
    holds: bool | None
    rows: pl.DataFrame | None
    fault: str | None = None


def grounds_of(item: Item, graph: Graph) -> list[Ground]:
    """Return what a graph says to each proof of an item, in order; behind what is not so stands what is.

    Parameters: the names are the graph's own labels.
    Returns a `Ground` with a `fault` where a proof does not hold, or cannot be run.

    >>> from kg import open_graph
    >>> from queries.records.item import Binding
    >>> bind = {"s": "country/id=austria", "p": "country#ref-capital", "o": "city/id=vienna"}
    >>> terms = [Binding(name, f"<https://w3id.org/kgprobe/starter/{iri}>") for name, iri in bind.items()]
    >>> item = Item(schema="kgprobe.item/1", id="a", method="m", family="f", task="open", variant="v", question="?", group="g",
    ...     proof=[Proof(query="fact@85eea9ba", bind=terms, expect=True)])
    >>> [ground.sentence for ground in grounds_of(item, open_graph())]
    ['Austria has Vienna as “capital”.']
    """
    claims = {given.slot: given.value for given in item.given if given.claim}
    return [ground for proof in item.proof for ground in _grounds(proof, graph, claims)]


def _grounds(proof: Proof, graph: Graph, claims: Mapping[str, str]) -> Iterable[Ground]:
    bound = {binding.name: binding.term for binding in proof.bind}
    try:
        query = proof_query(proof, base=graph.base)
        holds = graph.ask(query) if proof.expect is not None else None
        rows = graph.terms(query) if proof.expect is None else None
    except InputError as error:
        yield Ground("The proof cannot be run.", proof, _cited(proof), None, None, str(error))
        return
    names = names_of(graph, [*bound.values(), *(() if rows is None else _terms(rows))])
    compared = {slot: value for slot, value in claims.items() if slot not in bound and "{" in proof.query}
    told = Told(proof, {name: names[term] for name, term in bound.items()}, _named(rows, names), holds, compared)
    yield Ground(sentence(told), proof, query, holds, rows, proof_fault(proof, graph))
    more = instead(proof)
    if more is not None and holds is False:
        query = find(more.query).bind({name: bound[name] for name in more.bind}, base=graph.base)
        rows = graph.terms(query)
        names |= names_of(graph, _terms(rows))
        said = said_of_rows(more.text, told.names, _named(rows, names), more.rows)
        cited = Proof(query=versioned(more.query), bind=[Binding(name, bound[name]) for name in more.bind])
        yield Ground(said, cited, query, None, rows)


def _cited(proof: Proof) -> str:
    try:
        return proof_query(proof)
    except TemplateError:
        return proof.query


def _terms(rows: pl.DataFrame) -> list[str]:
    return [term for column in rows.get_columns() for term in column.drop_nulls().unique().to_list()]


def _named(rows: pl.DataFrame | None, names: Mapping[str, str]) -> list[dict[str, str]]:
    if rows is None:
        return []
    return [{slot: names[term] for slot, term in row.items() if term is not None} for row in rows.iter_rows(named=True)]


def names_of(graph: Graph, terms: Iterable[str]) -> dict[str, str]:
    """Return what to call each term: the label of an IRI (or how it is written in short), the text of a literal."""
    distinct = list(dict.fromkeys(terms))
    iris = [term for term in distinct if term.startswith("<")]
    labels: dict[str, str] = {}
    for start in range(0, len(iris), _BATCH):
        values = " ".join(iris[start : start + _BATCH])
        found = graph.terms(f"SELECT ?e ?label {{ VALUES ?e {{ {values} }} ?e rdfs:label ?label }} ORDER BY ?e ?label")
        for iri, label in found.iter_rows():
            labels.setdefault(iri, text_of(label))
    return {term: labels.get(term) or _unlabelled(term, graph.base) for term in distinct}


def _unlabelled(term: str, base: str | None) -> str:
    if not term.startswith("<"):
        return text_of(term) if term.startswith('"') else term
    return next(iter(property_labels(term[1:-1])), None) or short(term, base)
