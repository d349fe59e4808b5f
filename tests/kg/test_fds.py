"""Dependencies are found by partitions and by brute force: none missed, none false."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from kg import InputError, LocalGraph, open_graph
from kg.dependencies import Dependencies, Inclusion, Key, Reference, find, find_dependencies
from kg.dependencies.command import drawing
from kg.dependencies.find import measure_reference
from kg.sources._rows import SourceTable
from kg.sources._schema import Schema, TableSchema
from kg.sources.sql import load_sql
from kg.sources.tables import load_tables, relational_load
from kg_command import Kg
from shared import shared
from sql_database import database

Rows = list[dict[str, str | None]]


# --- the oracle: the definitions, word for word -----------------------------------------------------------------------


def violations(rows: Rows, left: tuple[str, ...], right: str) -> int:
    """Count the rows that share their left side with another row, in groups that differ; a null equals nothing."""
    groups: dict[tuple[str | None, ...], list[str | None]] = {}
    for row in rows:
        if all(row[c] is not None for c in left):
            groups.setdefault(tuple(row[c] for c in left), []).append(row[right])
    return sum(len(g) for g in groups.values() if len(g) > 1 and (None in g or len(set(g)) > 1))


def support(rows: Rows, left: tuple[str, ...]) -> int:
    said = [tuple(row[c] for c in left) for row in rows if all(row[c] is not None for c in left)]
    return sum(said.count(values) > 1 for values in said)


def all_minimal(rows: Rows, columns: list[str], most: int) -> dict[tuple[frozenset[str], str], tuple[int, int]]:
    found: dict[tuple[frozenset[str], str], tuple[int, int]] = {}
    for right in columns:
        for size in range(4):
            for left in combinations([c for c in columns if c != right], size):
                smaller = any(other <= frozenset(left) for other, r in found if r == right)
                if not smaller and (count := violations(rows, left, right)) <= most:
                    found[frozenset(left), right] = (support(rows, left), count)
    return found


def all_keys(rows: Rows, columns: list[str]) -> set[frozenset[str]]:
    found: set[frozenset[str]] = set()
    for size in range(1, 4):
        for key in combinations(columns, size):
            full = all(row[c] is not None for row in rows for c in key)
            if full and support(rows, key) == 0 and not any(k <= frozenset(key) for k in found):
                found.add(frozenset(key))
    return found


def random_table(seed: int) -> pl.DataFrame:
    draw = random.Random(seed)
    rows = draw.randint(2, 12)
    columns = {}
    for name in "abcdef"[: draw.randint(1, 6)]:
        values: list[str | None] = [f"v{n}" for n in range(draw.randint(1, 6))]
        values += [None] * draw.randint(0, 1)
        columns[name] = pl.Series([draw.choice(values) for _ in range(rows)], dtype=pl.String)
    return pl.DataFrame(columns)


def loaded(frame: pl.DataFrame) -> LocalGraph:
    schema = Schema(Path("random"), "", "https://example.org/r/", {"t": TableSchema("t", "")})
    return LocalGraph.in_memory(relational_load(schema, {"t": SourceTable(Path("t"), frame, b"", ",")}, ""))


@pytest.mark.parametrize("seed", range(200))
def test_discovery_equals_brute_force(seed: int) -> None:
    frame = random_table(seed)
    columns = [c for c in frame.columns if frame[c].null_count() < frame.height]
    rows, graph = frame.select(columns).to_dicts(), loaded(frame)
    for most in (0, 3):
        found = find_dependencies(graph, max_violations=most)
        said = {(frozenset(d.left), d.right): (d.support, d.violations) for d in found.dependencies}
        assert said == all_minimal(rows, columns, most)
        assert len(found.dependencies) == len(said)
        assert {frozenset(k.columns) for k in found.keys} == all_keys(rows, columns)
        assert len(found.violations) == sum(d.violations for d in found.dependencies)


# --- what a user sees -------------------------------------------------------------------------------------------------

TOWN = """
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, country TEXT, continent TEXT);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, city INTEGER, boss INTEGER REFERENCES person);
INSERT INTO city VALUES (1, 'Ulm', 'DE', 'Europe'), (2, 'Bonn', 'DE', 'Europe');
INSERT INTO city VALUES (3, 'Nice', 'FR', 'Europe'), (4, 'Oran', 'DZ', 'Africa');
INSERT INTO person VALUES (1, 'A', 1, NULL), (2, 'B', 3, 1), (3, 'C', 4, 1), (4, 'D', 2, 2);
"""


@pytest.fixture
def town(tmp_path: Path) -> str:
    return database(tmp_path / "town.sqlite", TOWN)


def test_a_dependency_with_its_support(town: str) -> None:
    found = find_dependencies(LocalGraph.in_memory(load_sql(town)), ["city"])
    [tested] = [d for d in found.dependencies if d.support]
    assert (tested.left, tested.right, tested.support, tested.declared) == (("country",), "continent", 2, False)
    assert {d.right for d in found.dependencies if d.left == ("id",) and d.declared} == {"name", "country", "continent"}


def test_an_undeclared_foreign_key_comes_before_accidents(town: str) -> None:
    found = find_dependencies(LocalGraph.in_memory(load_sql(town)), ["person"])
    first = next(r for r in found.references if not r.declared)
    assert first.reference == ("person", ("city",), "city", ("id",))
    assert (first.violations, first.coverage) == (0, 1.0)
    assert ("person", ("boss",), "person", ("id",)) in [r.reference for r in found.references if r.declared]


def test_row_numbers_refer_to_nothing_but_where_they_are_named_for_it(tmp_path: Path) -> None:
    script = """
        CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE film_actor (film_actor_id INTEGER PRIMARY KEY, role TEXT);
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE employee (person_id INTEGER PRIMARY KEY, desk TEXT);
        INSERT INTO film VALUES (1, 'Heat'), (2, 'Fury');
        INSERT INTO film_actor VALUES (1, 'thief'), (2, 'cop'), (3, 'driver'), (4, 'gunner');
        INSERT INTO person VALUES (1, 'Ann'), (2, 'Bea'), (3, 'Cid');
        INSERT INTO employee VALUES (1, 'A'), (2, 'B');
    """
    graph = LocalGraph.in_memory(load_sql(database(tmp_path / "films.sqlite", script)))
    found = {(one.reference.table, one.reference.other) for one in find_dependencies(graph).references}
    assert found == {("employee", "person")}


def test_references_of_several_columns(tmp_path: Path) -> None:
    sql = """CREATE TABLE slot (film TEXT, day TEXT, PRIMARY KEY (film, day));
        CREATE TABLE seen (film TEXT, day TEXT, who TEXT);
        INSERT INTO slot VALUES ('x', 'mon'), ('x', 'tue'), ('y', 'mon');
        INSERT INTO seen VALUES ('x', 'mon', 'A'), ('y', 'mon', 'B'), ('x', 'tue', 'A')"""
    found = find_dependencies(LocalGraph.in_memory(load_sql(database(tmp_path / "d.sqlite", sql))))
    assert ("seen", ("day", "film"), "slot", ("day", "film")) in [r.reference for r in found.references if not r.declared]


def test_keys_by_chance_are_referred_to_by_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sheet of measures, of which any few tell its rows apart, is no end of keys: 180,000 references were looked into."""
    draw = random.Random(7)
    sheet = pl.DataFrame({f"m{n}": [str(draw.randrange(6)) for _ in range(20)] for n in range(20)})
    looked_at: list[Reference] = []

    def counted(*args: Any, **options: Any) -> Inclusion:
        looked_at.append(args[2])
        return measure_reference(*args, **options)

    monkeypatch.setattr(find, "measure_reference", counted)
    found = find_dependencies(loaded(sheet))
    assert sum(len(key.columns) > 1 for key in found.keys) > 100
    assert len(looked_at) < 1_000
    assert [r for r in found.references if len(r.reference.columns) > 1] == []


def test_declared_dependencies_are_measured_though_rows_break_them(sources: Path) -> None:
    found = find_dependencies(LocalGraph.in_memory(load_tables(sources / "films" / "SCHEMA.toml")), ["film"])
    declared = [(set(d.left), d.right) for d in found.dependencies if d.declared]
    assert ({"director_id", "year"}, "title") in declared


def test_rows_that_break_a_tolerated_dependency_are_named(town: str) -> None:
    graph = LocalGraph.in_memory(load_sql(town, base="https://example.org/"))
    found = find_dependencies(graph, ["city"], max_violations=3)
    broken = {v.row for v in found.violations if (v.dependency.left, v.dependency.right) == (("continent",), "country")}
    assert broken == {f"https://example.org/city/id={n}" for n in (1, 2, 3)}


def test_sparql_sees_what_was_written(town: str, tmp_path: Path, kg: Kg) -> None:
    store = tmp_path / "store"
    assert kg("load", "sql", town, "--store", store).code == 0
    digest, declared = open_graph(store).digest(), declared_in(store)
    for _ in range(2):  # a second search takes the place of the first
        assert kg("fds", "--write", "--store", store).code == 0
        graph = open_graph(store)
        said = "?fd a kgp:FunctionalDependency ; kgp:determinant/kgp:name 'country' ; kgp:determined/kgp:name 'continent'"
        numbers = graph.schema(f"SELECT ?n ?d {{ {said} ; kgp:support ?n ; kgp:violations 0 ; kgp:declared ?d }}")
        assert numbers.rows() == [("2", "false")]
        reference = "?r a kgp:InclusionDependency ; kgp:on/kgp:name 'city' ; kgp:references/kgp:name 'city' ; kgp:coverage 1.0"
        assert graph.schema(f"SELECT ?r {{ {reference} }}").height == 1
        assert (graph.digest(), declared_in(store)) == (digest, declared)
    assert "town.sqlite" in kg("stats", "--store", store).out


def declared_in(store: Path) -> list[str]:
    found = open_graph(store).schema("SELECT ?x { ?x kgp:declared true FILTER NOT EXISTS { ?x a kgp:FunctionalDependency } }")
    return found["x"].sort().to_list()


def test_the_table_for_people_and_the_files(kg: Kg, tmp_path: Path) -> None:
    said = kg("fds", "city")
    assert said.code == 0
    assert "key" in said.out
    lines = [json.loads(line) for line in kg("fds", "city", "--format", "jsonl").out.splitlines()]
    assert {"kind", "table", "columns", "to", "support", "violations", "coverage", "likeness", "declared"} == set(lines[0])
    csv = kg("fds", "city", "--format", "csv").out.splitlines()
    assert len(csv) == len(lines) + 1
    assert kg("fds", "city", "--max-violations", "2", "--rows", tmp_path / "rows.jsonl").code == 0
    rows = (tmp_path / "rows.jsonl").read_text().splitlines()
    assert all(set(json.loads(row)) == {"table", "left", "right", "row"} for row in rows)


def test_the_drawing_shows_each_table_its_key_and_a_line_for_each_reference(kg: Kg, tmp_path: Path) -> None:
    assert kg("fds", "--draw", tmp_path / "tables.svg").code == 0
    svg = ElementTree.fromstring((tmp_path / "tables.svg").read_text("utf-8"))
    found = find_dependencies(open_graph())
    names = [text.text for text in svg.iterfind("{*}text[@class='name']")]
    lines = [str(line.text) for line in svg.iterfind("{*}path[@class='line']/{*}title")]
    assert sorted(map(str, names)) == sorted(found.tables)
    declared = [one.reference for one in found.references if one.declared]
    assert sorted(lines) == sorted(
        f"{r.table}.{own} refers to {r.other}.{to}" for r in declared for own, to in zip(r.columns, r.to, strict=True)
    )


def test_a_circle_of_references_and_names_with_markup_can_be_drawn() -> None:
    there = Inclusion(Reference("a<b", ("x&y",), "c", ("id",)), 1, 0, 1.0, 1.0, declared=True)
    back = Inclusion(Reference("c", ("of",), "a<b", ("id",)), 1, 0, 1.0, 1.0, declared=False)
    own = Inclusion(Reference("c", ("of",), "c", ("id",)), 1, 0, 1.0, 1.0, declared=False)
    tables = Dependencies({"a<b": "", "c": ""}, [], [Key("c", ("id",), 1, 0, declared=True)], [there, back, own], [])
    svg = ElementTree.fromstring(drawing(tables, tables.references))
    assert [text.text for text in svg.iterfind("{*}text[@class='name']")] == ["a<b", "c"]
    assert [text.text for text in svg.iterfind("{*}text[@class='key']")] == ["id"]
    assert [line.get("class") for line in svg.iterfind("{*}path")] == ["line", "line found", "line found"]


def test_mistakes_are_one_line(kg: Kg, tmp_path: Path) -> None:
    for arguments, message in (
        (("ctiy",), "there is no table 'ctiy'; did you mean 'city'?"),
        (("--format", "xml"), "'xml' is no format"),
        (("--write",), "there is no store to write to"),
        (("--draw", tmp_path / "no" / "a.svg"), "cannot be written"),
    ):
        said = kg("fds", *arguments)
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert message in said.err
        assert said.out == ""
    with pytest.raises(InputError, match="has no tables"):
        find_dependencies(LocalGraph.in_memory())


def test_the_dependencies_of_chinook() -> None:
    found = find_dependencies(LocalGraph.in_memory(load_sql(f"sqlite:///{shared('data/chinook/chinook.sqlite')}")))
    tested = {(d.table, d.left, d.right) for d in found.dependencies if d.support}
    assert ("Invoice", ("BillingCity",), "BillingCountry") in tested
    assert ("Track", ("GenreId",), "UnitPrice") in tested
    assert sum(r.declared for r in found.references) == 11
    assert not any(r.violations for r in found.references)
