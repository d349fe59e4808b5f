"""RDF of other vocabularies: names, kinds, relations and attributes are found, whatever the format."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from kg import InputError, LocalGraph, RdfWords, build, load_rdf, load_starter
from kg.sorted_runs import Scratch
from kg.sources.wikidata import WikidataFiles, load_wikidata
from kg_command import Kg
from shared import shared

WRITERS = ("ontology.ttl", "writers.ttl")


@pytest.fixture(scope="module")
def writers(sources: Path) -> LocalGraph:
    return LocalGraph.in_memory(load_rdf([sources / "rdf" / name for name in WRITERS]))


def column(graph: LocalGraph, query: str) -> list[str]:
    """Return the first column of a query, sorted."""
    return sorted(graph.select(query).to_series().to_list())


def test_names_of_one_language_become_labels_and_aliases(writers: LocalGraph) -> None:
    assert column(writers, "SELECT ?n { ?e a <http://dbpedia.org/ontology/Writer> ; rdfs:label ?n }") == [
        "Ada Moss",
        "Karl Reed",
    ]
    assert column(writers, "SELECT ?n { ?e rdfs:label 'Ada Moss'@en ; skos:altLabel ?n }") == ["A. Moss"]
    assert not writers.ask("ASK { ?e ?p ?name FILTER(LANG(?name) IN ('ru', 'de')) }")


def test_further_languages_are_other_names_where_they_are_asked_for(sources: Path) -> None:
    words = RdfWords(languages=("en", "ru"))
    graph = LocalGraph.in_memory(load_rdf([sources / "rdf" / "writers.ttl"], words=words))
    assert column(graph, "SELECT ?n { ?e rdfs:label 'Ada Moss'@en ; skos:altLabel ?n }") == ["A. Moss", "Ада Мосс"]


def test_kinds_and_predicates_go_by_their_english_names_where_a_language_lacks_them(tmp_path: Path) -> None:
    (tmp_path / "rhein.ttl").write_text("""@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        e:rhein a e:F, e:Strom ; rdfs:label "Rhein"@de, "Rhine"@en ; e:x e:see . e:see rdfs:label "Nordsee"@de ; e:y e:rhein .
        e:F rdfs:label "river"@en . e:x rdfs:label "lulls"@en . e:y rdfs:label "nimmt auf"@de, "takes in"@en .""")
    graph = LocalGraph.in_memory(load_rdf([tmp_path / "rhein.ttl"], words=RdfWords(languages=("de",))))
    named = dict(graph.select("SELECT ?x ?name { ?x rdfs:label ?name }").rows())
    called = {"rhein": "Rhein", "see": "Nordsee", "F": "river", "Strom": "Strom", "x": "lulls", "y": "nimmt auf"}
    assert named == {f"http://e/{thing}": name for thing, name in called.items()}
    assert graph.select("SELECT ?name { ?x skos:altLabel ?name }").to_series().to_list() == ["takes in"]
    with pytest.raises(InputError, match="nothing in the files has a name"):
        load_rdf([tmp_path / "rhein.ttl"], words=RdfWords(languages=("fr",)))


def test_kinds_are_named_by_the_ontology_or_by_their_iri(writers: LocalGraph) -> None:
    assert column(writers, "SELECT DISTINCT ?n { ?e a ?kind . ?kind rdfs:label ?n }") == ["City", "writer"]
    assert writers.ask("ASK { ?writer rdfs:label 'writer'@en ; rdfs:subClassOf ?person . ?person rdfs:label 'person'@en }")
    assert not writers.ask("ASK { ?e a <http://www.w3.org/2002/07/owl#Thing> }")  # says nothing of the world


def test_a_relation_that_is_known_elsewhere_goes_by_its_name_there(writers: LocalGraph) -> None:
    relation = "<http://dbpedia.org/ontology/birthPlace>"
    assert column(writers, f"SELECT ?n {{ {relation} a kgp:Relation ; rdfs:label ?n }}") == ["place of birth"]
    assert column(writers, f"SELECT ?n {{ {relation} skos:altLabel ?n }}") == ["birth place"]
    assert column(writers, "SELECT ?n { ?p a kgp:Relation ; rdfs:label ?n }") == ["is fond of", "place of birth"]


def test_what_gives_a_value_is_an_attribute_and_what_leads_to_the_nameless_nothing(writers: LocalGraph) -> None:
    assert column(writers, "SELECT ?n { ?p a kgp:Attribute ; rdfs:label ?n }") == ["date of birth", "height"]
    assert writers.ask("ASK { ?e <http://xmlns.com/foaf/0.1/depiction> <http://pictures.example/ada.jpg> }")  # stays a triple


def test_blank_nodes_get_names_that_stay(sources: Path, writers: LocalGraph) -> None:
    again = LocalGraph.in_memory(load_rdf([sources / "rdf" / name for name in WRITERS]))
    assert again.digest() == writers.digest()
    assert writers.ask(
        "ASK { ?e <http://dbpedia.org/ontology/isFondOf> ?what . ?what rdfs:label 'marzipan'@en FILTER(isIRI(?what)) }"
    )


@pytest.mark.parametrize("held", [250_000, 3])
@pytest.mark.parametrize("least", [1, 3])
def test_what_a_second_file_repeats_is_one_fact(
    held: int, least: int, sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "_HELD", held)  # a load that holds 3 triples waits in files
    files, words = [sources / "rdf" / name for name in WRITERS], RdfWords(min_facts=least)
    with Scratch(tmp_path / "store") as scratch:
        once = LocalGraph.in_memory(load_rdf(files, words=words, scratch=scratch))
        twice = LocalGraph.in_memory(load_rdf([*files, sources / "rdf" / "repeats.nt"], words=words, scratch=scratch))
    assert twice.digest() == once.digest()
    assert once.ask("ASK { ?e rdfs:label 'Linz'@en ; kgp:popularity 1 }")
    assert once.ask("ASK { ?p a kgp:Relation }") == (least == 1)


def test_schema_org_as_json(sources: Path, kg: Kg, tmp_path: Path) -> None:
    store = tmp_path / "books"
    assert kg("load", "rdf", sources / "rdf" / "books.jsonld", "--store", store).code == 0
    shown = kg("describe", "The Long Winter", "--store", store).out
    assert "is a: Book" in shown
    assert "→ author" in shown
    assert "Ada Moss" in shown


def test_only_wanted_predicates_are_declared_and_others_stay_triples(sources: Path, kg: Kg, tmp_path: Path) -> None:
    files, store = [sources / "rdf" / name for name in WRITERS], tmp_path / "s"
    names = tmp_path / "properties.tsv"
    names.write_text("iri\tlabel\ndbo:height\tstature\n")
    given = ("--relations", "dbo:birthPlace,dbo:height", "--min-facts", 2, "--properties", names)
    assert "2 attributes" not in kg("load", "rdf", *files, "--store", store, *given).err
    graph = LocalGraph.open(store)
    declared = "SELECT ?n { ?p a ?kind ; rdfs:label ?n FILTER(?kind IN (kgp:Relation, kgp:Attribute)) }"
    assert column(graph, declared) == ["place of birth", "stature"]
    assert graph.ask("ASK { ?e <http://dbpedia.org/ontology/isFondOf> ?what }")


def test_a_predicate_that_is_wanted_and_never_used_is_told(sources: Path, kg: Kg, tmp_path: Path) -> None:
    files = [sources / "rdf" / name for name in WRITERS]
    refused = kg("load", "rdf", *files, "--store", tmp_path / "s", "--relations", "dbo:birthplace")
    assert refused.code == 2
    assert "no fact has the predicate <http://dbpedia.org/ontology/birthplace>" in refused.err
    assert "did you mean '<http://dbpedia.org/ontology/birthPlace>'?" in refused.err
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_turtle_from_an_editor_of_windows_is_the_same_graph(mark: bytes, tmp_path: Path) -> None:
    text = b'@prefix e: <http://e/> .\r\ne:rhine a e:MajorRiver ; <http://schema.org/name> "Rhine"@en , "Rhein"@de .\r\n'
    (tmp_path / "rivers.ttl").write_bytes(mark + text)
    graph = LocalGraph.in_memory(load_rdf([tmp_path / "rivers.ttl"]))
    assert column(graph, "SELECT ?n { <http://e/rhine> rdfs:label ?n }") == ["Rhine"]
    assert column(graph, "SELECT ?n { <http://e/rhine> a/rdfs:label ?n }") == ["major river"]


def test_a_document_without_a_base_is_its_own_wherever_it_lies(tmp_path: Path) -> None:
    text = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix e: <http://example.org/> .
        <#rhine> a e:River ; rdfs:label "Rhine"@en ; e:mouth <#sea> . <#sea> a e:Sea ; rdfs:label "North Sea"@en ."""
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "two rivers.ttl").write_text(text, encoding="utf-8")
    here, there = (LocalGraph.in_memory(load_rdf([tmp_path / name / "two rivers.ttl"])) for name in ("here", "there"))
    assert "file:///two%20rivers.ttl#rhine" in here.select("SELECT ?s { ?s a <http://example.org/River> }")["s"].to_list()
    assert here.digest() == there.digest()


def test_languages_may_stand_apart_by_comma_and_blank(kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "rivers.ttl").write_text('<http://e/rhine> <http://schema.org/name> "Rhine"@en , "Rhein"@de .')
    assert kg("load", "rdf", tmp_path / "rivers.ttl", "--store", tmp_path / "s", "--language", "fr, de").code == 0
    assert column(LocalGraph.open(tmp_path / "s"), "SELECT ?n { ?e rdfs:label ?n }") == ["Rhein"]


def test_a_label_has_the_tag_of_its_language(tmp_path: Path) -> None:
    """A predicate that the files do not name has an English name, of those that ship or from its IRI."""
    path = tmp_path / "rivers.ttl"
    path.write_text("""@prefix s: <http://schema.org/> . @prefix e: <http://e/> .
        e:rhine s:name "Rhein"@de , "Rhine"@en ; e:flowsInto e:sea ; e:laenge 1233 . e:sea s:name "Nordsee"@de .
        e:tiber s:name "Tiber" , "Tevere"@it . e:laenge s:name "Länge"@de .""")
    graph = LocalGraph.in_memory(load_rdf([path], words=RdfWords(languages=("de", "en", "it"))))
    labels = dict(graph.terms("SELECT ?e ?label { ?e rdfs:label ?label }").rows())
    assert labels == {
        "<http://e/rhine>": '"Rhein"@de',
        "<http://e/sea>": '"Nordsee"@de',
        "<http://e/tiber>": '"Tiber"@de',  # a name without a tag counts as one in the first language
        "<http://e/laenge>": '"Länge"@de',
        "<http://e/flowsInto>": '"mouth of the watercourse"@en',
    }
    (tmp_path / "dump.nt").write_bytes(graph.dump(graph.data_graphs[0]))
    again = LocalGraph.in_memory(load_rdf([tmp_path / "dump.nt"], words=RdfWords(languages=("de", "en", "it"))))
    assert again.digest() == graph.digest()


@pytest.mark.parametrize("command", ["rdf", "entities"])
def test_what_is_no_language_is_told(command: str, kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text("")
    said = kg("load", command, tmp_path / "a.nt", "--store", tmp_path / "s", "--language", "de,in German")
    assert (said.code, said.err) == (2, "error: --language: 'in German' is no language tag; take one such as de or pt-BR\n")


def test_a_dump_of_ours_comes_back_as_it_was(tmp_path: Path, kg: Kg) -> None:
    starter = LocalGraph.in_memory(load_starter())
    path = tmp_path / "starter.nt"
    assert kg("dump", "--name", "starter", "--format", "nt", "--out", path).code == 0
    assert LocalGraph.in_memory(load_rdf([path])).digest() == starter.digest()
    german = LocalGraph.in_memory(load_rdf([path], words=RdfWords(languages=("de", "en"))))
    assert german.ask("ASK { ?city skos:altLabel 'Rome'@en ; skos:prefLabel 'Roma'@it ; rdfs:label 'Rom'@de }")


def test_the_same_facts_from_tables_and_from_rdf_are_the_same_triples(tmp_path: Path) -> None:
    """But for what only the tables say (titles of articles), and what RDF says itself (descriptions) or the names that ship."""
    folder = shared("data/wikidata-core")
    triples, entities, types, properties = (folder / f"{kind}.tsv" for kind in ("triples", "entities", "types", "properties"))
    files = WikidataFiles(triples, entities, types=types, properties=properties)
    said = {line for line in load_wikidata(files).data.splitlines() if b"#wikipedia> " not in line}
    plain = tmp_path / "plain.nt"  # nothing of ours: neither relations are declared nor is popularity told
    plain.write_bytes(b"".join(line + b"\n" for line in sorted(said) if b"https://w3id.org/kgprobe#" not in line))
    told = set(load_rdf([plain]).data.splitlines())
    assert len(told) > 200_000
    assert said - told == set()
    named = re.compile(rb"<http://www.wikidata.org/prop/\S+> <http://www.w3.org/2000/01/rdf-schema#label> ")
    assert all(named.match(line) or line.startswith(b"<http://purl.org/dc/terms/description> ") for line in told - said)


def test_a_load_of_any_size_says_the_digest_that_the_store_has(sources: Path, kg: Kg, tmp_path: Path) -> None:
    store = tmp_path / "s"
    assert kg("load", "rdf", *[sources / "rdf" / name for name in WRITERS], "--store", store).code == 0
    in_memory = LocalGraph.in_memory(load_rdf([sources / "rdf" / name for name in WRITERS]))
    assert LocalGraph.open(store).digest() == in_memory.digest()


_FORMATS = {"nt": ox.RdfFormat.N_TRIPLES, "ttl": ox.RdfFormat.TURTLE, "rdf": ox.RdfFormat.RDF_XML, "trig": ox.RdfFormat.TRIG,
            "nq": ox.RdfFormat.N_QUADS, "jsonld": ox.RdfFormat.JSON_LD}  # fmt: skip
_ZIPPED: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
_PREDICATES = [ox.NamedNode(f"http://e/{name}") for name in ("knows", "likes")]
_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
_THINGS = st.integers(0, 3).map(lambda n: ox.NamedNode(f"http://e/thing{n}"))
_TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=8).map(ox.Literal)
_FACTS = st.builds(ox.Triple, _THINGS, st.sampled_from(_PREDICATES), st.one_of(_THINGS, _TEXTS))


@given(st.lists(_FACTS, max_size=6), st.sampled_from([*_FORMATS]), st.sampled_from([*_ZIPPED]))
def test_every_format_says_the_same(
    tmp_path_factory: pytest.TempPathFactory, facts: list[ox.Triple], ending: str, zipped: str
) -> None:
    triples = [ox.Triple(ox.NamedNode("http://e/thing0"), _LABEL, ox.Literal("thing", language="en")), *facts]
    folder = tmp_path_factory.mktemp("rdf")
    digests = []
    for name, rdf, squeeze in (("a.nt", _FORMATS["nt"], bytes), (f"a.{ending}{zipped}", _FORMATS[ending], _ZIPPED[zipped])):
        (folder / name).write_bytes(squeeze(ox.serialize(triples, format=rdf) or b""))
        digests.append(LocalGraph.in_memory(load_rdf([folder / name])).digest())
    assert digests[0] == digests[1]


@pytest.mark.parametrize("ending", ["trix", "hext"])
def test_formats_of_rdflib_say_the_same(sources: Path, tmp_path: Path, ending: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        written = rdflib.Dataset(default_union=True).parse(sources / "rdf" / "books.jsonld", format="json-ld")
        written.serialize(tmp_path / f"books.{ending}", format=ending)
    (tmp_path / f"books.{ending}.gz").write_bytes(gzip.compress((tmp_path / f"books.{ending}").read_bytes()))
    told = LocalGraph.in_memory(load_rdf([sources / "rdf" / "books.jsonld"]))
    for name in (f"books.{ending}", f"books.{ending}.gz"):
        read = LocalGraph.in_memory(load_rdf([tmp_path / name]))
        assert column(read, _NAMED) == column(told, _NAMED)
        assert read.digest() == LocalGraph.in_memory(load_rdf([tmp_path / name])).digest()


_NAMED = (
    "SELECT ?n { ?s ?p ?o . ?s rdfs:label ?a . ?p rdfs:label ?b . ?o rdfs:label ?c BIND(CONCAT(?a, ' ', ?b, ' ', ?c) AS ?n) }"
)


@pytest.mark.parametrize(
    ("name", "content", "options", "parts"),
    [
        ("facts.csv", b"a,b", [], ["facts.csv: 'facts.csv' does not say its format", ".ttl"]),
        ("facts.nt", b'<urn:a> <urn:p> "x" .\n<urn:a> <urn:p> "x .\n', [], ["facts.nt:2", "--lenient"]),
        ("facts.ttl", b"<urn:a> <urn:p>\n [ .", [], ["facts.ttl:2", "mend the file"]),
        ("facts.nt.gz", gzip.compress(b"<urn:a> <urn:p> <urn:b> .\n" * 99, mtime=0)[:40], [], ["is zipped", "fetch"]),
        ("facts.ttl.xz", lzma.compress(b"<urn:a> <urn:p> <urn:b> .")[:40], [], ["is zipped, and damaged"]),
        ("facts.ttl", b"<urn:a> <urn:p> <urn:b> .", [], ["nothing in the files has a name", "--labels", "--language"]),
        ("facts.ttl", b"", [], ["nothing in the files has a name"]),
        ("facts.ttl", b"", ["--labels", "nonsense"], ["'nonsense' is no IRI", "rdfs"]),
        ("facts.nt", b"\xff\xfe\x00", [], ["facts.nt:1"]),
        ("facts.jsonld", b'{"@id": ', [], ["facts.jsonld:1"]),
        (
            "facts.jsonld",
            b'{"@context": "https://words.example/", "name": "Rhine"}',
            [],
            ["none is fetched", "write the context"],
        ),
        (
            "facts.trix",
            b"<TriX xmlns='http://www.w3.org/2004/03/trix/trix-1/'>\n<graph>",
            [],
            ["facts.trix:2", "mend the file"],
        ),
        ("facts.hext", b'["http://e/a", 1]\n', [], ["facts.hext: cannot be read as hext", "mend the file"]),
    ],
)
def test_what_is_no_rdf_is_told_in_a_line(
    kg: Kg, tmp_path: Path, name: str, content: bytes, options: list[str], parts: list[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    said = kg("load", "rdf", tmp_path / name, "--store", tmp_path / "s", *options)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert all(part in said.err for part in parts), said.err
    assert not (tmp_path / "s").exists()


def test_lines_at_fault_can_be_left_out_and_are_counted(kg: Kg, tmp_path: Path) -> None:
    path = tmp_path / "facts.nt"
    path.write_text('<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "a" .\n<urn:a> nonsense\n<urn:a> <urn:p> <urn:a> .\n')
    said = kg("load", "rdf", path, "--store", tmp_path / "s", "--lenient")
    assert said.code == 0
    assert "1 lines at fault" in said.err
    assert f"left out: {path}:2: " in said.err


def test_of_many_lines_at_fault_the_first_ten_are_listed(kg: Kg, tmp_path: Path) -> None:
    path = tmp_path / "facts.nt"
    path.write_text('<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "a" .\n' + "<urn:a> nonsense\n" * 25)
    said = kg("load", "rdf", path, "--store", tmp_path / "s", "--lenient")
    assert said.err.count("left out: ") == 10
    assert f"{path}:11: " in said.err
    assert "25 lines at fault" in said.err


def test_a_missing_file_is_told_before_anything_is_read(sources: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_rdf([sources / "rdf" / "writers.ttl", sources / "absent.nt"])
