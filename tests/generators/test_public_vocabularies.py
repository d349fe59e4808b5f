"""From a file in a public vocabulary's words to false premises whose proofs hold: `kg load rdf`, then `fpq`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import open_graph
from kgprobe_command import Run, running
from queries.records import Item, read

VIEWS = Path(__file__).resolve().parents[1] / "fixtures" / "kg" / "views"
SCHEMA = "http://schema.org/"
DBO = "http://dbpedia.org/ontology/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
WORDS_OF_SCHEMA = {
    "Film": "Movie", "Novel": "Book", "Person": "Person", "Country": "Country", "City": "City", "Language": "Language",
    "director": "director", "castMember": "actor", "countryOfOrigin": "countryOfOrigin", "author": "author",
    "birthPlace": "birthPlace", "countryOfCitizenship": "nationality", "capital": "capital", "country": "containedInPlace",
    "releaseYear": "copyrightYear",
}  # fmt: skip
"""How schema.org says what DBpedia's words say."""


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run `kgprobe` in this process; return its exit code and what it says on stderr."""
    return running(capfd)


@pytest.fixture(scope="module")
def triples() -> list[ox.Triple]:
    """Facts of films, novels and countries in DBpedia's words."""
    return [*map(_as_triple, ox.parse(open_graph().construct((VIEWS / "as_dbpedia.rq").read_text()), ox.RdfFormat.N_TRIPLES))]


def _as_triple(quad: ox.Quad) -> ox.Triple:
    return quad.triple


def dbpedia(triples: list[ox.Triple], folder: Path) -> Path:
    """Write a dump as DBpedia has them: N-Triples with `rdfs:label`."""
    path = folder / "dbpedia.nt"
    path.write_bytes(ox.serialize([_renamed(t, {"name": RDFS_LABEL}) for t in triples], format=ox.RdfFormat.N_TRIPLES) or b"")
    return path


def yago(triples: list[ox.Triple], folder: Path) -> Path:
    """Write a dump as YAGO 4 has them: Turtle in the words of schema.org, with `rdfs:label`."""
    words = {old: f"{SCHEMA}{new}" for old, new in WORDS_OF_SCHEMA.items()} | {"name": RDFS_LABEL}
    path = folder / "yago.ttl"
    path.write_bytes(ox.serialize([_renamed(t, words) for t in triples], format=ox.RdfFormat.TURTLE) or b"")
    return path


def _renamed(triple: ox.Triple, words: dict[str, str]) -> ox.Triple:
    def of(term: object) -> object:
        local = str(getattr(term, "value", "")).rpartition("/")[2]
        foreign = isinstance(term, ox.NamedNode) and (DBO in term.value or term.value.endswith("foaf/0.1/name"))
        return ox.NamedNode(words[local]) if foreign and local in words else term

    value = triple.object
    if _value(triple.predicate).endswith("foaf/0.1/name"):
        value = ox.Literal(_value(value), language="en")
    return ox.Triple(triple.subject, of(triple.predicate), of(value))  # type: ignore[arg-type]


def _value(term: object) -> str:
    return str(getattr(term, "value", ""))


def schema_org(triples: list[ox.Triple], folder: Path) -> Path:
    """Write a page as sites publish them: JSON-LD with the context's address alone, a graph, and things within things."""
    nodes: dict[str, dict[str, object]] = {}
    for triple in triples:
        node = nodes.setdefault(_value(triple.subject), {"@id": _value(triple.subject)})
        local = _value(triple.predicate).rpartition("/")[2]
        if _value(triple.predicate) == RDF_TYPE:
            node["@type"] = WORDS_OF_SCHEMA[_value(triple.object).rpartition("/")[2]]
        elif local == "name":
            node["name"] = _value(triple.object)
        elif local == "depiction":
            node["image"] = _value(triple.object)
        elif isinstance(triple.object, ox.NamedNode):
            node.setdefault(WORDS_OF_SCHEMA[local], []).append({"@id": _value(triple.object)})  # type: ignore[attr-defined]
        else:
            node[WORDS_OF_SCHEMA[local]] = _value(triple.object)
    named = {key: {"@id": key, "@type": node["@type"], "name": node["name"]} for key, node in nodes.items() if "name" in node}
    for node in nodes.values():
        for director in node.get("director", []):  # type: ignore[attr-defined]
            director.update(named[director["@id"]])  # a person with type and name within the film
    path = folder / "site.jsonld"
    path.write_text(json.dumps({"@context": "https://schema.org", "@graph": [*nodes.values()]}), "utf-8")
    return path


@pytest.mark.parametrize("written", [dbpedia, yago, schema_org])
def test_from_file_to_audited_items_in_two_commands(
    written: Callable[[list[ox.Triple], Path], Path], triples: list[ox.Triple], run: Run, tmp_path: Path
) -> None:
    code, err = run("load", "rdf", written(triples, tmp_path), "--store", tmp_path / "store", "--quiet")
    assert code == 0, err
    code, err = run("fpq", "--domain", "art", "--n", 30, "--store", tmp_path / "store", "--out", tmp_path / "items.jsonl")
    assert code == 0, err
    items = [*read(str(tmp_path / "items.jsonl"), Item)]
    assert len({item.group for item in items}) == 30
    assert {"tpq", "NNSC", "NNDC", "NNSR"} <= {item.variant for item in items}
    assert any("direct" in item.question for item in items)
    code, err = run("audit", tmp_path / "items.jsonl", "--store", tmp_path / "store")
    assert code == 0, err


def test_a_context_that_lies_across_two_blocks_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run) -> None:
    monkeypatch.setattr("kg.sources._rdf_files._BLOCK", 37)
    things = [
        {"@id": f"urn:{n}", "@type": "City", "name": f"City {n}", "containedInPlace": {"@id": "urn:land"}} for n in range(9)
    ]
    land = {"@id": "urn:land", "@type": "Country", "name": "Land"}
    page = tmp_path / "page.jsonld"
    page.write_text(json.dumps([{"@context": "http://schema.org/", "@graph": [land, *things]}], indent=1), "utf-8")
    code, err = run("load", "rdf", page, "--store", tmp_path / "store")
    assert code == 0, err
    assert "10 entities" in err
