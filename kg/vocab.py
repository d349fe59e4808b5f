"""Every IRI that the project makes or uses, once, and the labels by which Wikidata's properties are known.

`properties.csv` was written by hand for what the domains and FACT-BENCH use, so that the same relation from two sources has one
IRI; its labels are compared after folding.
"""

from __future__ import annotations

import csv
import functools
import hashlib
from importlib import resources
from urllib.parse import quote

from kg.text import fold

KGP = "https://w3id.org/kgprobe#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
WIKIDATA = "http://www.wikidata.org/"

PREFIXES: dict[str, str] = {
    "kgp": KGP,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "xsd": XSD,
    "dcterms": DCTERMS,
    "prov": PROV,
    "wd": WIKIDATA + "entity/",
    "wdt": WIKIDATA + "prop/direct/",
    "p": WIKIDATA + "prop/",
    "ps": WIKIDATA + "prop/statement/",
    "pq": WIKIDATA + "prop/qualifier/",
}
"""Prefix to namespace, as every query may use them without declaring them."""

RDF_TYPE = RDF + "type"
RDFS_LABEL = RDFS + "label"
SUBCLASS = RDFS + "subClassOf"
SKOS_ALT = SKOS + "altLabel"
SKOS_PREF = SKOS + "prefLabel"
DESCRIBING = (RDF_TYPE, RDFS_LABEL, SKOS_ALT, SKOS_PREF, SUBCLASS, KGP + "popularity")
"""What describes an entity and is no fact about it; `skos:prefLabel` is its name in another language than the label's."""

DATA_GRAPH = KGP + "graph/"
PROVENANCE = KGP + "provenance"
SCHEMA = KGP + "schema"


def safe(name: str) -> str:
    """Make any text fit for the last part of an IRI; plain identifiers stay as they are.

    >>> safe("Q42"), safe("a b> <c")
    ('Q42', 'a%20b%3E%20%3Cc')
    """
    return quote(name, safe="-._~")


def _slug(label: str) -> str:
    return safe(label.strip().replace(" ", "_"))


def wd(name: str) -> str:
    """Return the IRI of a Wikidata entity.

    >>> wd("Q42")
    'http://www.wikidata.org/entity/Q42'
    """
    return PREFIXES["wd"] + safe(name)


def wdt(name: str) -> str:
    """Return the IRI of a Wikidata property as it stands in a truthy fact.

    >>> wdt("P19")
    'http://www.wikidata.org/prop/direct/P19'
    """
    return PREFIXES["wdt"] + safe(name)


def entity_iri(name: str) -> str:
    """Return the IRI of an entity that a source names by `name`: Wikidata's where it is a Q-id, else ours.

    >>> entity_iri("Q1"), entity_iri("moon")
    ('http://www.wikidata.org/entity/Q1', 'https://w3id.org/kgprobe#entity/moon')
    """
    return wd(name) if name[:1] == "Q" and name[1:].isdecimal() else f"{KGP}entity/{safe(name)}"


def relation_iri(label: str) -> str:
    """Return the IRI of a relation that has no Wikidata property.

    >>> relation_iri("is fond of")
    'https://w3id.org/kgprobe#relation/is_fond_of'
    """
    return f"{KGP}relation/{_slug(label)}"


def attribute_iri(label: str) -> str:
    """Return the IRI of an attribute that has no Wikidata property."""
    return f"{KGP}attribute/{_slug(label)}"


def _swap(predicate: str, namespace: str) -> str:
    if predicate.startswith(PREFIXES["wdt"]):
        return namespace + predicate.removeprefix(PREFIXES["wdt"])
    return f"{predicate}/{'value' if namespace == PREFIXES['ps'] else 'statement'}"


def p(predicate: str) -> str:
    """Return the predicate that leads from an entity to the statement nodes of `predicate` (`p:P19` of `wdt:P19`)."""
    return _swap(predicate, PREFIXES["p"])


def ps(predicate: str) -> str:
    """Return the predicate that leads from a statement node to its value (`ps:P19` of `wdt:P19`)."""
    return _swap(predicate, PREFIXES["ps"])


def pq(predicate: str) -> str:
    """Return the predicate of a qualifier (`pq:P585` of `wdt:P585`)."""
    if predicate.startswith(PREFIXES["wdt"]):
        return PREFIXES["pq"] + predicate.removeprefix(PREFIXES["wdt"])
    return f"{predicate}/qualifier"


def direct(predicate: str) -> str:
    """Return the predicate whose statement nodes one leads to, or whose value it leads to from there; any other as it is.

    >>> direct(p(wdt("P19"))) == direct(ps(wdt("P19"))) == wdt("P19"), direct("urn:r/statement"), direct("urn:r")
    (True, 'urn:r', 'urn:r')
    """
    for namespace in (PREFIXES["ps"], PREFIXES["p"]):
        local = predicate.removeprefix(namespace)
        if local != predicate and "/" not in local:
            return PREFIXES["wdt"] + local
    return predicate.removesuffix("/statement").removesuffix("/value")


def statement_iri(*parts: str) -> str:
    """Return the IRI of a statement node: a hash of everything it says, so loading twice gives the same node."""
    return f"{KGP}statement/{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]}"


def data_graph(name: str) -> str:
    """Return the IRI of the named graph of the load called `name`."""
    return DATA_GRAPH + safe(name)


@functools.cache
def _properties() -> dict[str, tuple[str, ...]]:
    text = (resources.files("kg") / "properties.csv").read_text("utf-8")
    return {r["id"]: (r["label"], *filter(None, r["other"].split("|"))) for r in csv.DictReader(text.splitlines())}


@functools.cache
def _iri_by_label() -> dict[str, str]:
    iris: dict[str, str] = {}
    for place in range(max(map(len, _properties().values()))):  # first labels go before other labels
        for name, labels in _properties().items():
            if place < len(labels):
                iris.setdefault(fold(labels[place]), wdt(name))
    return iris


def property_labels(iri: str) -> tuple[str, ...]:
    """Return the labels a property goes by, the preferred first; none for an IRI that is no property of the table.

    >>> property_labels("http://www.wikidata.org/prop/direct/P19")[0]
    'place of birth'
    """
    return _properties().get(iri.removeprefix(PREFIXES["wdt"]), ()) if iri.startswith(PREFIXES["wdt"]) else ()


def property_iri(label: str) -> str | None:
    """Return the `wdt:` IRI of the property that goes by `label`, if the table knows one.

    >>> property_iri("Place of Birth"), property_iri("is fond of")
    ('http://www.wikidata.org/prop/direct/P19', None)
    """
    return _iri_by_label().get(fold(label))
