"""A database becomes a graph by what it says about itself, and nothing happens to it."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from kg import LocalGraph, SourceError
from kg.sources._names import label_of
from kg.sources._rows import Rows
from kg.sources.sql import load_sql
from kg_command import Kg
from shared import shared
from sql_database import database

BASE = "https://example.org/s/"


@pytest.fixture
def hostile(sources: Path, tmp_path: Path) -> str:
    """A schema that nobody would design."""
    return database(tmp_path / "hostile.sqlite", (sources / "sql" / "hostile.sql").read_text())


def graph_of(url: str, *, tables: Sequence[str] = (), labels: Sequence[str] = ()) -> LocalGraph:
    return LocalGraph.in_memory(load_sql(url, base=BASE, tables=tables, labels=labels))


def ask(graph: LocalGraph, pattern: str) -> bool:
    return graph.ask(f"BASE <{BASE}> ASK {{ {pattern} }}")


def test_rows_references_and_labels(tmp_path: Path) -> None:
    url = database(
        tmp_path / "shop.sqlite",
        """CREATE TABLE Person (PersonId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Email TEXT, Title TEXT);
        CREATE TABLE Shop (ShopId INTEGER PRIMARY KEY, Title TEXT, OwnerId INTEGER REFERENCES Person, Opened INTEGER);
        INSERT INTO Person VALUES (1, 'Ada', 'Quill', 'a@example.org', 'Owner'), (2, 'Bo', NULL, 'b@example.org', 'Owner');
        INSERT INTO Shop VALUES (7, 'Pens & Paper', 1, 1984)""",
    )
    graph = graph_of(url)
    assert ask(graph, "<Person/PersonId=1> a <Person> ; rdfs:label 'Ada Quill'@en . <Person/PersonId=2> rdfs:label 'Bo'@en")
    assert ask(
        graph, "<Shop/ShopId=7> rdfs:label 'Pens & Paper'@en ; <Shop#ref-OwnerId> <Person/PersonId=1> ; <Shop#Opened> 1984"
    )
    assert ask(graph, "<Shop#ref-OwnerId> a kgp:Relation ; rdfs:label 'owner'@en . <Shop#ShopId> rdfs:label 'shop id'@en")
    assert not ask(graph, "?shop <Shop#OwnerId> ?id")


def test_a_hostile_schema_loads_whole(hostile: str) -> None:
    graph = graph_of(hostile)
    assert ask(graph, "<order/select=3> a <order> ; <order#ref-from> <order/select=3>")
    assert ask(graph, "<標本/番号=1> <標本#ref-種;部位> <植物/種=紫蘇;部位%201=葉>")
    assert ask(graph, "<標本/番号=2> <標本#ref-種;部位> <植物/種=紫蘇;部位%201=>")  # an empty text may be part of a key
    assert not ask(graph, "VALUES ?sample { <標本/番号=3> <標本/番号=4> } ?sample <標本#ref-種;部位> ?plant")
    assert ask(graph, "<husband/id=1> <husband#ref-wife> <wife/ID=11> . <wife/ID=11> <wife#ref-husband> <husband/id=1>")
    assert ask(graph, "<chicken/id=1> <chicken#ref-id>/<egg#ref-id> <chicken/id=1>")
    assert graph.schema("SELECT ?t { ?t kgp:name 'empty' ; a kgp:Table }").height == 1


def test_what_sqlite_lets_pass_is_left_out_and_counted(hostile: str) -> None:
    counts = load_sql(hostile).counts
    assert counts["dangling"] == 2  # a plant that is not there, and a code
    assert counts["rows without a key"] == 1
    assert counts["foreign keys to what is not unique"] == 1
    graph = graph_of(hostile)
    assert ask(graph, "<odd/code=007> <odd#dup> 1 ; <odd#gone> 5")  # such references, and those to no table, stay attributes


def test_values_survive_unchanged(hostile: str) -> None:
    graph = graph_of(hostile)
    assert ask(graph, "<odd/code=007> <odd#anything> '007' . <odd/code=08> <odd#anything> '7.0'")
    assert ask(graph, "<植物/種=紫蘇;部位%201=> <植物#高さ> '-15.0' . <egg/id=1> <egg#weight> 57.481")
    assert ask(graph, "<odd/code=007> <odd#born> '1066-10-14'^^xsd:date ; <odd#seen> '1899-12-31'^^xsd:date")
    assert ask(graph, "<odd/code=007> <odd#picture> '00FF'^^xsd:hexBinary ; <odd#flag> true ; <odd#at> '07:08:09'^^xsd:time")
    assert ask(graph, "<odd/code=007> <odd#per%25cent%3Ax> '5%' . <odd/code=08> <odd#re%22mark> 'line\\nbreak\\\\'")
    assert not ask(graph, "<odd/code=08> <odd#per%25cent%3Ax> ?empty")


def test_declared_types_stand_in_the_schema_graph(hostile: str) -> None:
    graph = graph_of(hostile)
    assert (
        graph.schema(f"SELECT ?t {{ <{BASE}植物#高さ> kgp:datatype ?t }}").item() == "http://www.w3.org/2001/XMLSchema#double"
    )


def test_only_the_tables_asked_for(hostile: str) -> None:
    graph = graph_of(hostile, tables=["husband,egg", "empty"])
    assert set(graph.schema("SELECT ?n { ?t a kgp:Table ; kgp:name ?n }")["n"]) == {"husband", "egg", "empty"}
    assert ask(graph, "<husband/id=1> <husband#wife> 11")  # what refers to a table that is left out is an attribute


def test_a_label_that_somebody_names(hostile: str) -> None:
    graph = graph_of(hostile, labels=["植物.種,部位 1", "order.group"])
    assert ask(graph, "<植物/種=稲;部位%201=葉> rdfs:label '稲 葉'@en . <order/select=1> rdfs:label 'a'@en")


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        (["name", "title"], ("name",)),
        (["FirstName", "LastName", "Title"], ("FirstName", "LastName")),
        (["email", "title"], ("title",)),
        (["email", "phone_number", "HomeAddress", "contact_name"], ()),
        (["company_name"], ("company_name",)),
        (["last_name"], ()),
        (["film_title", "file_name"], ("film_title",)),
        (["film"], ("film",)),
        (["remark"], ()),
    ],
)
def test_where_names_stand(columns: list[str], label: tuple[str, ...]) -> None:
    rows = pl.DataFrame({column: ["a", "b", "c"] for column in columns})
    assert label_of("film", Rows.of(rows), columns, ("id",)) == label


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        (["prop_cd", "prop_desc"], "prop_desc"),
        (["code", "Meaning"], "Meaning"),
        (["prop_cd", "colour", "prop_desc"], "prop_cd"),
        (["prop_cd", "colour"], "prop_cd"),
    ],
)
def test_a_table_of_codes_is_named_by_what_describes_them(columns: list[str], label: str) -> None:
    rows = pl.DataFrame({column: [f"{column} {row}" for row in "abc"] for column in columns})
    assert label_of("propellant", Rows.of(rows), columns, (columns[0],)) == (label,)


def test_columns_without_a_declared_type_hold_names_where_they_hold_words(tmp_path: Path) -> None:
    cheeses = "CREATE TABLE Cheeses (CheeseName, Title, Weeks);" + (
        "INSERT INTO Cheeses VALUES ('Brie', '1', 4), ('Comté', '2', 17), ('Manchego', '3', 8);"
    )
    graph = graph_of(database(tmp_path / "dairy.sqlite", cheeses))
    assert set(graph.select(f"BASE <{BASE}> SELECT ?l {{ ?s rdfs:label ?l ; a <Cheeses> }}")["l"]) == {
        "Brie",
        "Comté",
        "Manchego",
    }


def test_a_name_belongs_to_one_row_mostly() -> None:
    shared_by_most = pl.DataFrame({"name": ["a", "a", "a", "b"], "title": ["x", "y", "z", "z"]})
    assert label_of("t", Rows.of(shared_by_most), ["name", "title"], ()) == ()
    assert label_of(
        "t", Rows.of(shared_by_most.with_columns(title=pl.Series(["x", "y", "z", "w"]))), ["name", "title"], ()
    ) == ("title",)


def test_a_first_column_of_names_may_lack_one_of_them() -> None:
    lights = pl.DataFrame({"Lighthouse": ["Eddystone", None, "Cordouan"], "Built by": ["Smeaton", "Stevenson", "de Foix"]})
    assert label_of("lights", Rows.of(lights), lights.columns, ()) == ("Lighthouse",)
    assert (
        label_of("lights", Rows.of(lights.with_columns(Lighthouse=pl.Series([None, None, "Cordouan"]))), lights.columns, ())
        == ()
    )


def test_the_database_is_left_alone(hostile: str, tmp_path: Path, kg: Kg) -> None:
    file = Path(hostile.removeprefix("sqlite:///"))
    before = (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns, sorted(file.parent.iterdir()))
    file.chmod(0o444)
    assert kg("load", "sql", hostile, "--store", tmp_path / "store").code == 0
    after = (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns, sorted(file.parent.iterdir()))
    assert (before[0], before[1], [*before[2], tmp_path / "store"]) == (after[0], after[1], after[2])


def test_loading_again_does_not_change_the_digest(hostile: str) -> None:
    assert graph_of(hostile).digest() == graph_of(hostile).digest()


def test_a_locked_database_is_one_line(hostile: str, tmp_path: Path, kg: Kg, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.sources._database._SECONDS_FOR_A_LOCK", 0.05)
    with contextlib.closing(sqlite3.connect(hostile.removeprefix("sqlite:///"))) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        said = kg("load", "sql", hostile, "--store", tmp_path / "store")
    assert said.code == 2
    assert "database is locked" in said.err
    assert "wait until" in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("sqlite:///absent.sqlite", "absent.sqlite: no such file"),
        ("absent.sqlite", "is no database URL"),
        ("sqlite://", "names no file"),
        ("oddbase://x/y", "SQLAlchemy does not know"),
    ],
)
def test_what_is_no_database_is_said_in_one_line(url: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        load_sql(url)


def test_a_path_is_told_to_be_a_url(hostile: str) -> None:
    path = hostile.removeprefix("sqlite:///")
    with pytest.raises(SourceError, match=f"write sqlite:///{path}"):
        load_sql(path)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database at all, though a long enough text to be read as one" * 20)
    with pytest.raises(SourceError, match=r"notes.txt: .*not a database.*name a SQLite file"):
        load_sql(f"sqlite:///{tmp_path / 'notes.txt'}")


def test_text_that_is_none_names_the_table(tmp_path: Path) -> None:
    url = database(tmp_path / "t.sqlite", "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'ff00' AS TEXT))")
    with pytest.raises(SourceError, match=r"table 't' cannot be read .*--tables"):
        load_sql(url)


def test_misspelt_tables_columns_and_bases(hostile: str, tmp_path: Path, kg: Kg) -> None:
    for options, message in (
        (("--tables", "husbnad"), "has no table 'husbnad'; did you mean 'husband'?"),
        (("--label", "order.gruop"), "'order' has no column 'gruop'; did you mean 'group'?"),
        (("--label", "odrer.group"), "did you mean 'order'?"),
        (("--base", "example.org"), "is no absolute IRI that ends in '/'"),
        (("--schema", "mian"), "has no schema 'mian'; did you mean 'main'?"),
    ):
        said = kg("load", "sql", hostile, "--store", tmp_path / "store", *options)
        assert said.code == 2
        assert message in said.err


def test_chinook(tmp_path: Path) -> None:
    load = load_sql(f"sqlite:///{shared('data/chinook/chinook.sqlite')}", base=BASE)
    graph = LocalGraph.in_memory(load)
    assert load.counts["rows"] == 15607
    assert "dangling" not in load.counts
    assert ask(
        graph, "<Employee/EmployeeId=2> rdfs:label 'Nancy Edwards'@en ; <Employee#ref-ReportsTo> <Employee/EmployeeId=1>"
    )
    assert ask(graph, "<Employee/EmployeeId=2> <Employee#BirthDate> '1958-12-08'^^xsd:date")
    labelled = graph.select("SELECT DISTINCT ?t { ?e a ?t ; rdfs:label ?l FILTER(?t NOT IN (kgp:Relation, kgp:Attribute)) }")[
        "t"
    ]
    tables = {t.removeprefix(BASE) for t in labelled}
    assert tables == {"Album", "Artist", "Customer", "Employee", "Genre", "MediaType", "Playlist", "Track"}
