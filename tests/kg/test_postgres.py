"""A PostgreSQL server is read like a SQLite file: the same graph and the same questions for the same data."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from generators.erbench import Catalog, propose
from generators.family import Options, generate
from kg import LocalGraph, SourceError
from kg.sources._database import connect
from kg.sources.sql import load_sql
from kg_command import Kg
from postgres_server import PASSWORD, Server, server
from queries import parse
from sql_database import database

BASE = "http://example.org/"

TYPES = """
CREATE TYPE mood AS ENUM ('calm', 'wild');
CREATE TABLE kind (id integer PRIMARY KEY, name text, n numeric(10, 3), d date, ts timestamp, tz timestamptz, a integer[],
  j jsonb, u uuid, b bytea, f boolean, x double precision, iv interval, ip inet, c char(5), e mood, t time, big bigint,
  code varchar(5), texts text[]);
INSERT INTO kind VALUES
  (1, 'one', 57.4810, '1066-10-14', '1850-05-01 00:00:00', '1899-12-31 12:00:00.5+02', '{1,2}', '{"b": 1, "a": [1.0]}',
   'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', true, 0.1, '1 year 2 days', '10.0.0.1/24', 'ab', 'calm', '07:08:09',
   9007199254740993, '007', '{"x y","z"}'),
  (2, 'two', -15.0, '1899-12-31', '2009-10-10 12:12:22', '2020-01-01 00:00:00+00', NULL, NULL, NULL, NULL, false, -15.0,
   NULL, NULL, 'abcde', 'wild', '23:59:59.5', -1, '-15.0', '{}');
"""

SURVIVES = """
n     1 57.481
n     2 '-15'^^xsd:decimal
d     1 '1066-10-14'^^xsd:date
ts    1 '1850-05-01T00:00:00'^^xsd:dateTime
tz    1 '1899-12-31T10:00:00.5Z'^^xsd:dateTime
tz    2 '2020-01-01T00:00:00Z'^^xsd:dateTime
a     1 '{1,2}'
j     1 '{"a": [1.0], "b": 1}'
u     1 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
b     1 '00FF'^^xsd:hexBinary
f     1 true
f     2 false
x     1 '0.1'
x     2 '-15.0'
iv    1 'P1Y2D'
ip    1 '10.0.0.1/24'
c     1 'ab'
e     1 'calm'
t     1 '07:08:09'^^xsd:time
big   1 9007199254740993
code  1 '007'
code  2 '-15.0'
texts 1 '{"x y",z}'
"""
"""Column, row, and the term it becomes."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """A server of our own; without one at hand these tests are skipped."""
    pytest.importorskip("pg8000")
    with server() as running:
        yield running


@pytest.fixture(scope="module")
def both(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The URLs of the same data in both kinds of database."""
    sql = (Path(__file__).parents[1] / "fixtures" / "kg" / "sql" / "both.sql").read_text(encoding="utf-8")
    return database(tmp_path_factory.mktemp("both") / "club.sqlite", sql), postgres.database("club", sql)


@pytest.fixture(scope="module")
def types(postgres: Server) -> LocalGraph:
    """A row of most types."""
    return LocalGraph.in_memory(load_sql(postgres.database("types", TYPES), base=BASE))


class TestTheSameData:
    def test_the_same_graph(self, both: tuple[str, str]) -> None:
        first, second = (LocalGraph.in_memory(load_sql(url)) for url in both)
        assert first.digest() == second.digest()
        assert (
            first.schema("SELECT ?s ?p { ?s a ?p }")
            .sort("s", "p")
            .equals(second.schema("SELECT ?s ?p { ?s a ?p }").sort("s", "p"))
        )

    def test_the_same_items(self, both: tuple[str, str]) -> None:
        made = []
        for url in both:
            graph = LocalGraph.in_memory(load_sql(url))
            proposals = [parse(p.text, p.name) for p in propose(Catalog(graph), 2, "club", all_wordings=True)]
            made.append(b"".join(generate(graph, family, Options()).items.write_ndjson().encode() for family in proposals))
        assert made[0] == made[1]
        assert made[0].count(b"\n") > 50
        assert "of the order Fox" in made[0].decode().replace("“Fox”", "Fox")

    def test_only_one_schema_is_read(self, postgres: Server) -> None:
        url = postgres.database(
            "two", 'CREATE SCHEMA "my.shop"; CREATE TABLE "my.shop"."nothing" (id int PRIMARY KEY, name text)'
        )
        assert load_sql(url, schema="my.shop").counts["tables"] == 1
        with pytest.raises(SourceError, match="has no table"):
            load_sql(url)
        with pytest.raises(SourceError, match=r"has no schema 'my\.shap'; did you mean 'my\.shop'\?"):
            load_sql(url, schema="my.shap")


class TestTypes:
    @pytest.mark.parametrize("line", SURVIVES.strip().splitlines())
    def test_a_value_survives(self, types: LocalGraph, line: str) -> None:
        column, row, value = line.split(maxsplit=2)
        assert types.ask(f"BASE <{BASE}> ASK {{ <kind/id={row}> <kind#{column}> {value} }}")

    def test_null_is_no_value(self, types: LocalGraph) -> None:
        assert not types.ask(f"BASE <{BASE}> ASK {{ <kind/id=2> <kind#u> ?x }}")


class TestReadingOnly:
    def test_more_rows_than_a_batch(self, postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("kg.sources.sql._BATCH", 7)
        url = postgres.database(
            "many",
            "CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 50) i",
        )
        assert load_sql(url).counts["rows"] == 50

    def test_nothing_can_be_written(self, postgres: Server) -> None:
        url = postgres.database("kept", "CREATE TABLE t (id int PRIMARY KEY)")
        with pytest.raises(SourceError, match="read-only transaction"), connect(url) as opened:
            opened.connection.exec_driver_sql("INSERT INTO t VALUES (1)")
        assert load_sql(url).counts["rows"] == 0

    def test_a_locked_table_is_one_line(
        self, postgres: Server, monkeypatch: pytest.MonkeyPatch, kg: Kg, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("kg.sources._database._SECONDS_FOR_A_LOCK", 0.05)
        url = postgres.database("held", "CREATE TABLE t (id int PRIMARY KEY)")
        with contextlib.closing(postgres.connect("held")) as writer:
            writer.run("BEGIN; LOCK TABLE t IN ACCESS EXCLUSIVE MODE")
            said = kg("load", "sql", url, "--store", tmp_path / "store")
        assert said.code == 2
        assert "lock timeout" in said.err
        assert "wait until the other program has finished" in said.err
        assert said.err.count("\n") == 1
        assert not (tmp_path / "store").exists()


class TestFaults:
    @pytest.mark.parametrize(
        ("database", "password", "message"),
        [
            ("postgres", "wr%40ng%2Fone", "password authentication failed.*check user and password in the URL"),
            ("absent", None, 'database "absent" does not exist'),
        ],
    )
    def test_one_line_without_the_password(
        self, postgres: Server, kg: Kg, tmp_path: Path, database: str, password: str | None, message: str
    ) -> None:
        url = postgres.url(database, password) if password else postgres.url(database)
        said = kg("load", "sql", url, "--store", tmp_path / "store")
        assert said.code == 2
        assert re.search(message, said.err)
        assert said.err.count("\n") == 1
        assert not any(secret in said.err for secret in (PASSWORD, "a%20s3cret", "wr@ng", "wr%40ng"))

    def test_no_server(self, postgres: Server, kg: Kg, tmp_path: Path) -> None:
        said = kg("load", "sql", f"postgresql://tester:secret@127.0.0.1:{_closed_port()}/x", "--store", tmp_path / "store")
        assert said.code == 2
        assert "check that the server runs" in said.err
        assert "secret" not in said.err
        assert said.err.count("\n") == 1

    def test_what_is_no_url_hides_its_password_too(self, kg: Kg, tmp_path: Path) -> None:
        said = kg("load", "sql", "postgresql//me:secret@host:port/x", "--store", tmp_path / "store")
        assert said.code == 2
        assert "secret" not in said.err


def _closed_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
