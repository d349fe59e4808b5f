"""Relational tables become a graph, by the names of the W3C Direct Mapping."""

from __future__ import annotations

import csv
import gzip
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import InputError, LocalGraph, SourceError, describe
from kg.build import Load
from kg.sources._values import datatype_of, fits, survives
from kg.sources.tables import load_tables
from shared import shared

BASE = "https://example.org/films/"
XSD = "http://www.w3.org/2001/XMLSchema#"


def ask(graph: LocalGraph, pattern: str) -> bool:
    return graph.ask(f"BASE <{BASE}> ASK {{ {pattern} }}")


def terms(graph: LocalGraph, query: str) -> list[str]:
    return graph.terms(f"BASE <{BASE}> {query}").to_series().sort().to_list()


def test_a_row_is_named_by_its_key_and_is_of_its_tables_concept(films: LocalGraph) -> None:
    assert ask(films, "<film/id=1> a <film> ; rdfs:label 'Alien'@en ; <film#title> 'Alien' . <film> rdfs:label 'film'@en")
    assert ask(films, "<slot/film=1;day=Monday%201> a <slot> . <slot/film=2;day=Sunday%2Fé> a <slot>")


def test_aliases_are_other_names_and_no_attributes(films: LocalGraph) -> None:
    assert ask(films, "<film/id=2> skos:altLabel 'Nineteen Eighty-Four'@en")
    assert not ask(films, "?film <film#also> ?name")


RIVERS = """
base = "https://example.org/rivers/"
[tables.river]
key = "id"
label = "name"
names = "names.csv"
"""


def rivers(folder: Path, names: str | None, *, lenient: bool = False) -> Load:
    """Load two rivers with a file of their names in other languages."""
    (folder / "SCHEMA.toml").write_text(RIVERS)
    (folder / "river.csv").write_text("id,name\nrhine,Rhine\ntiber,Tiber\n")
    if names is not None:
        (folder / "names.csv").write_text(names)
    return load_tables(folder / "SCHEMA.toml", lenient=lenient)


def test_names_in_other_languages_stand_beside_the_label(tmp_path: Path) -> None:
    graph = LocalGraph.in_memory(rivers(tmp_path, "id,de,pt-BR\nrhine,Rhein,Reno\n"))
    names = graph.terms("SELECT ?label ?name { ?r rdfs:label ?label ; skos:prefLabel ?name } ORDER BY ?label ?name").rows()
    tiber = [('"Tiber"@en', '"Tiber"@de'), ('"Tiber"@en', '"Tiber"@pt-br')]  # which the file does not have
    assert names == [('"Rhine"@en', '"Reno"@pt-br'), ('"Rhine"@en', '"Rhein"@de'), *tiber]
    assert not graph.ask("ASK { ?de a kgp:Attribute FILTER(CONTAINS(STR(?de), 'de')) }")
    assert describe(graph, "Rhein").labels == ["Rhine"]
    assert "  in other languages: Rhein (de), Reno (pt-br)\n" in describe(graph, "Rhine").text()


def test_a_file_of_names_belongs_to_the_digest_of_the_input(tmp_path: Path) -> None:
    one, other = (rivers(tmp_path, f"id,de\nrhine,{name}\n").provenance for name in ("Rhein", "Rhin"))
    assert re.findall(rb'sha256> "(\w+)"', one) != re.findall(rb'sha256> "(\w+)"', other)


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (None, "SCHEMA.toml:6: there is no file 'names.csv'; mend the name, or add the file"),
        ("de\nRhein\n", "names.csv:1: column 'id' is missing; in the header: known: de"),
        (
            "id,in German\nrhine,Rhein\n",
            "names.csv:1: 'in German' is no language tag; take one such as de or pt-BR",
        ),
        (
            "id,de\nrhine,Rhein\nrhone,Rhone\n",
            "names.csv:3: 'river' has no row with this id; mend the key, or leave such rows out",
        ),
        ("id,de\nrhine,Rhein\nrhine,Rhin\n", "names.csv:3: id 'rhine' stands in line 2 already, though id is the key"),
        ("id,de\n,Rhein\n", "names.csv:2: the key (id) is empty"),
    ],
)
def test_a_file_of_names_at_fault_is_told_with_its_line(tmp_path: Path, names: str | None, fault: str) -> None:
    with pytest.raises(InputError) as error:
        rivers(tmp_path, names)
    assert str(error.value).removeprefix(f"{tmp_path}/").startswith(fault)


def test_names_of_unknown_rows_may_be_left_out_and_counted(tmp_path: Path) -> None:
    load = rivers(tmp_path, "id,de\nrhine,Rhein\nrhone,Rhone\n", lenient=True)
    assert load.counts["names of unknown rows"] == 1
    assert b'"Rhein"@de' in load.data
    assert b"Rhone" not in load.data


def test_a_foreign_key_is_an_edge_and_nothing_else(films: LocalGraph) -> None:
    assert ask(films, "<film/id=1> <film#ref-director_id> <person/id=7>")
    assert ask(films, "<film#ref-director_id> a kgp:Relation ; rdfs:label 'director'@en")
    assert not ask(films, "?film <film#director_id> ?id")


def test_a_cell_with_several_values_gives_several_edges(films: LocalGraph) -> None:
    cast = terms(films, "SELECT ?name { <film/id=1> <film#ref-cast_member>/rdfs:label ?name }")
    assert cast == ['"John Hurt"@en', '"Sigourney Weaver"@en']


def test_a_foreign_key_of_several_columns_is_one_edge(films: LocalGraph) -> None:
    rows = terms(films, "SELECT ?row { ?row <screening#ref-film;day> <slot/film=1;day=Monday%201> }")
    assert len(rows) == 2  # two equal rows without a key are two rows
    assert not ask(films, "?row <screening#visitors> '007' ; <screening#ref-film;day> ?slot")  # half a reference is none


def test_a_promoted_column_has_one_entity_for_all_spellings_of_a_name(films: LocalGraph) -> None:
    assert terms(films, "SELECT ?genre { ?genre a <genre> }") == [f"<{BASE}genre/horror>", f"<{BASE}genre/sci%20fi>"]
    assert ask(films, "<genre/sci%20fi> rdfs:label 'sci-fi'@en ; skos:altLabel 'Sci-Fi'@en . <genre> rdfs:label 'genre'@en")
    assert ask(films, "<film/id=3> <film#ref-genre> <genre/sci%20fi>, <genre/horror> . <film#ref-genre> a kgp:Relation")


def test_a_text_that_means_no_value_gives_none(films: LocalGraph) -> None:
    assert not ask(films, "<film/id=3> <film#year>|<film#ref-director_id>|<film#code> ?value")


def test_columns_are_typed_where_every_value_survives(films: LocalGraph) -> None:
    assert ask(films, f"<film/id=1> <film#year> '1979'^^<{XSD}integer> ; <film#opened> '1979-05-25'^^<{XSD}date>")
    assert ask(films, "<film/id=1> <film#rating> '57.4810' . <film/id=2> <film#rating> '1' ; <film#title> '1984'")
    assert ask(films, "?row <screening#visitors> '007'")


@pytest.mark.parametrize(
    ("values", "datatype"),
    [
        (["1", "-20", "300"], "integer"),
        (["007"], "string"),
        (["+1"], "string"),
        (["1.5", "2"], "decimal"),
        (["-15.0"], "string"),
        (["57.4810"], "string"),
        (["2001-02-28"], "date"),
        (["2001-02-29"], "string"),
        (["1e5"], "string"),
        (["99999999999999999999999"], "integer"),
        (["", "a"], "string"),
        ([], "string"),
    ],
)
def test_the_type_of_a_column(values: list[str], datatype: str) -> None:
    assert datatype_of([pl.Series(values, dtype=pl.String)]) == datatype


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.from_regex(r"\A[+-]?[0-9]{0,25}\.?[0-9]{0,25}\Z"), min_size=1, max_size=5),
    st.sampled_from(["integer", "decimal"]),
)
def test_what_is_said_to_survive_comes_back_from_a_store(texts: list[str], datatype: str) -> None:
    for text, lives in zip(texts, survives(pl.Series(texts), datatype), strict=True):
        graph = LocalGraph.in_memory()
        graph.update(f"INSERT DATA {{ GRAPH <https://w3id.org/kgprobe#graph/g> {{ wd:Q1 wdt:P1 '{text}'^^xsd:{datatype} }} }}")
        assert not lives or graph.select("SELECT ?v { wd:Q1 wdt:P1 ?v }").item() == text


def test_keys_and_dependencies_stand_in_the_schema_graph(films: LocalGraph) -> None:
    declared = films.schema("SELECT ?kind ?table { ?node a ?kind ; kgp:table ?table }")
    short = {(k.rpartition("#")[2], t.removeprefix(BASE)) for k, t in declared.select("kind", "table").rows()}
    assert {
        ("PrimaryKey", "slot"),
        ("UniqueKey", "film"),
        ("ForeignKey", "screening"),
        ("FunctionalDependency", "film"),
    } <= short
    determined = films.schema("SELECT ?d ?c { ?fd kgp:determinant ?d ; kgp:determined ?c } ORDER BY ?d")
    assert determined["d"].to_list() == [f"{BASE}film#director_id", f"{BASE}film#year"]
    assert not films.ask("ASK { ?table a kgp:Table }")


def test_popularity_is_the_number_of_facts_an_entity_stands_in(films: LocalGraph) -> None:
    # film 1 has a director, two actors and two genres, and one slot refers to it
    assert terms(films, "SELECT ?n { <film/id=1> kgp:popularity ?n }") == [f'"6"^^<{XSD}integer>']


def test_loading_again_does_not_change_the_digest(sources: Path, films: LocalGraph) -> None:
    assert LocalGraph.in_memory(load_tables(sources / "films" / "SCHEMA.toml")).digest() == films.digest()


def test_zipped_files_are_the_same_graph(sources: Path, tmp_path: Path, films: LocalGraph) -> None:
    shutil.copytree(sources / "films", tmp_path / "films")
    plain = tmp_path / "films" / "film.csv"
    (tmp_path / "films" / "film.csv.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    schema = tmp_path / "films" / "SCHEMA.toml"
    schema.write_text(schema.read_text().replace("[tables.film]", '[tables.film]\nfile = "film.csv.gz"'))
    assert LocalGraph.in_memory(load_tables(schema)).digest() == films.digest()


def test_the_order_of_rows_does_not_matter(sources: Path, tmp_path: Path, films: LocalGraph) -> None:
    shutil.copytree(sources / "films", tmp_path / "films")
    path = tmp_path / "films" / "person.csv"
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([header, *reversed(rows), ""]))
    assert LocalGraph.in_memory(load_tables(tmp_path / "films" / "SCHEMA.toml")).digest() == films.digest()


def test_rows_that_break_a_declared_dependency_are_counted(sources: Path, tmp_path: Path) -> None:
    shutil.copytree(sources / "films", tmp_path / "films")
    with (tmp_path / "films" / "film.csv").open("a") as file:
        file.write("4,Alien Again,,1979,7,,,,,\n")
    assert load_tables(tmp_path / "films" / "SCHEMA.toml").counts["rows that break a dependency"] == 2


def test_a_byte_order_mark_and_blank_lines_do_no_harm(sources: Path, tmp_path: Path, films: LocalGraph) -> None:
    shutil.copytree(sources / "films", tmp_path / "films")
    path = tmp_path / "films" / "person.csv"
    path.write_text("\ufeff" + path.read_text().replace("\n8,", "\n\n8,") + "\n", "utf-8")
    assert LocalGraph.in_memory(load_tables(tmp_path / "films" / "SCHEMA.toml")).digest() == films.digest()


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)


@settings(max_examples=60, deadline=None)
@given(key=texts, name=texts)
def test_any_text_survives_from_file_to_query(tmp_path_factory: pytest.TempPathFactory, key: str, name: str) -> None:
    folder = tmp_path_factory.mktemp("t")
    (folder / "SCHEMA.toml").write_text(f'base = "{BASE}"\n[tables.thing]\nkey = "id"\nlabel = "name"\n')
    with (folder / "thing.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([["id", "name"], [key, name]])
    graph = LocalGraph.in_memory(load_tables(folder / "SCHEMA.toml"))
    rows = graph.select(f"BASE <{BASE}> SELECT ?id ?name {{ ?e a <thing> ; <thing#id> ?id ; rdfs:label ?name }}")
    assert rows.rows() == [(key, name)]


def test_the_shared_relations_load_whole(tmp_path: Path) -> None:
    folder = shared("data/erbench/relations")
    files = sorted(folder.glob("*.csv"))
    lines = [f'base = "{BASE}"', *(f'[tables.{f.stem}]\nfile = "{f}"' for f in files)]
    (tmp_path / "SCHEMA.toml").write_text("\n".join(lines))
    graph = LocalGraph.in_memory(load_tables(tmp_path / "SCHEMA.toml"))
    for path in files:
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        query = f"BASE <{BASE}> SELECT (COUNT(*) AS ?n) {{ ?row <{path.stem}#{header[-1]}> ?value }}"
        assert int(graph.select(query).item()) == sum(row[-1] != "" for row in rows if row)
    latitude = graph.select(f"BASE <{BASE}> SELECT ?v {{ ?row <airport#icao> 'SCLI' ; <airport#latitude> ?v }}")
    assert latitude.item() == "-34.7833328247"


LINES = """
{"id": 1, "title": "Alien", "code": "007", "score": 8.50}

{"id": 2, "title": "Brazil", "code": "1", "score": -15.0}
{"id": 3, "title": "Clue", "code": null, "score": null}
"""


def one_table(folder: Path, file: str) -> LocalGraph:
    schema = folder / "SCHEMA.toml"
    schema.write_text(f'base = "{BASE}"\n[tables.film]\nfile = "{file}"\nkey = "id"\nlabel = "title"\n')
    return LocalGraph.in_memory(load_tables(schema))


def test_json_lines_and_parquet_are_the_same_graph_as_csv(tmp_path: Path) -> None:
    (tmp_path / "film.jsonl").write_text(LINES)
    (tmp_path / "film.csv").write_text("id,title,code,score\n1,Alien,007,8.50\n2,Brazil,1,-15.0\n3,Clue,,\n")
    pl.read_csv(tmp_path / "film.csv", infer_schema=False).write_parquet(tmp_path / "film.parquet")
    graph = one_table(tmp_path, "film.csv")
    assert ask(graph, "<film/id=2> <film#score> '-15.0' ; <film#code> '1' . <film/id=1> <film#score> '8.50'")
    assert one_table(tmp_path, "film.jsonl").digest() == graph.digest()
    assert one_table(tmp_path, "film.parquet").digest() == graph.digest()


def test_parquet_columns_keep_their_values(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [1, 2], "title": ["A", "B"], "score": [-15.0, 2.5], "sound": [True, False]})
    frame.with_columns(day=pl.date(1850, 1, 2)).write_parquet(tmp_path / "film.parquet")
    graph = one_table(tmp_path, "film.parquet")
    assert ask(graph, "<film/id=1> <film#score> '-15.0' ; <film#sound> 'true' ; <film#day> '1850-01-02'^^xsd:date")


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("film.jsonl", b'{"id": 1, "title": "A"}\n{"id": 1, "title": "B"}', r"film\.jsonl:2: id '1' stands in line 1 already"),
        ("film.jsonl", b'{"id": 1, "title": "A"}\n{"id": ', r"film\.jsonl:2: is not JSON"),
        ("film.jsonl", b'{"id": 1, "title": ["A"]}', r"film\.jsonl:1: 'title' holds a list"),
        ("film.jsonl", b"[1]", r"film\.jsonl:1: is no JSON object"),
        ("film.jsonl", b'{"id": 1, "name": "A"}', r"column 'title' is missing"),
        ("film.parquet", b"PAR1 no", r"film\.parquet: is not Parquet"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(tmp_path: Path, file: str, content: bytes, message: str) -> None:
    (tmp_path / file).write_bytes(content)
    with pytest.raises(SourceError, match=message):
        one_table(tmp_path, file)


def test_a_repeated_key_in_parquet_is_named_by_row(tmp_path: Path) -> None:
    pl.DataFrame({"id": [1, 1], "title": ["A", "B"]}).write_parquet(tmp_path / "film.parquet")
    with pytest.raises(SourceError, match=r"film\.parquet, row 2: id '1' stands in row 1 already"):
        one_table(tmp_path, "film.parquet")


def test_a_name_of_two_columns(tmp_path: Path) -> None:
    (tmp_path / "person.csv").write_text("id,first,last\n1,Ada,Quill\n2,Bo,\n")
    (tmp_path / "SCHEMA.toml").write_text(f'base = "{BASE}"\n[tables.person]\nkey = "id"\nlabel = ["first", "last"]\n')
    graph = LocalGraph.in_memory(load_tables(tmp_path / "SCHEMA.toml"))
    assert terms(graph, "SELECT ?l { ?e a <person> ; rdfs:label ?l }") == ['"Ada Quill"@en', '"Bo"@en']


def test_a_year_of_thousands_of_digits_has_leap_days_as_another() -> None:
    days = pl.Series([f"{'9' * 5000}-02-29", f"{'9' * 5000}6-02-29", "12000-02-29", "12100-02-29"])
    assert fits(days, "date").to_list() == [False, True, True, False]
