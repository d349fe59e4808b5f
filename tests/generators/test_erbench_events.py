"""Rows without a name are told by what they happened to and in which year, where that names one row."""

from __future__ import annotations

from pathlib import Path

import pytest

from family_made import audited
from generators.erbench import Catalog, propose
from generators.family import Options, generate
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

FLOODS = """
CREATE TABLE river (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE flood (no INTEGER PRIMARY KEY, river_no INTEGER REFERENCES river(id), start_date TEXT, end_date TEXT,
  victims INTEGER);
CREATE TABLE reading (no INTEGER PRIMARY KEY, river INTEGER REFERENCES river(id), taken DATE, level_cm INTEGER);
CREATE TABLE invoice (no INTEGER PRIMARY KEY, river INTEGER REFERENCES river(id), date DATE, total INTEGER);
INSERT INTO river VALUES (1, 'Elbe'), (2, 'Oder'), (3, 'Saale');
"""


def floods(tmp_path: Path) -> LocalGraph:
    """Floods, one a year and river but for two of the Elbe in 1845, of which one has no victims; readings twice a year."""
    rows = [(n, 1 + n % 3, f"{1900 + n}-03-0{1 + n % 9}", f"{1900 + n}-04-0{1 + n % 9}", 7 * n) for n in range(1, 60)]
    sql = FLOODS + "".join(f"INSERT INTO flood VALUES ({n}, {r}, '{a}', '{b}', {v});" for n, r, a, b, v in rows)
    sql += "INSERT INTO flood VALUES (90, 1, '1845-02-01', '1845-02-09', 5), (91, 1, '1845-11-01', '1845-11-20', NULL);"
    for n in range(60):
        sql += f"INSERT INTO reading VALUES ({n}, {1 + n % 3}, '{1950 + n // 6}-0{1 + n % 6}-01', {n});"
        sql += f"INSERT INTO invoice VALUES ({n}, {1 + n % 3}, '{1950 + n}-01-01', {n});"
    return LocalGraph.in_memory(load_sql(database(tmp_path / "floods.sqlite", sql)))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """All questions and their answers; every proof is run."""
    graph, found = floods(tmp_path_factory.mktemp("floods")), dict[str, list[str]]()
    for proposal in propose(Catalog(graph), 2, "tests", all_wordings=True):
        result = generate(graph, parse(proposal.text, proposal.name), Options(100))
        assert result.items.is_empty() or audited(graph, result, literal=3).passed
        found |= dict(result.items.select("question", "answer").iter_rows())
    return found


def test_an_event_is_named_by_its_thing_and_its_year(asked: dict[str, list[str]]) -> None:
    assert asked["How many victims did the 1903 flood of the river Elbe have?"] == ["21"]
    assert "4 April 1903" in asked["On which date did the 1903 flood of the river Elbe end?"]


def test_what_two_events_are_named_by_names_none(asked: dict[str, list[str]]) -> None:
    assert not any("1845 flood" in question for question in asked)


def test_rows_that_thing_and_year_do_not_tell_apart_and_invoices_have_no_name(tmp_path: Path) -> None:
    catalog = Catalog(floods(tmp_path))
    assert "no names" in catalog.refused["reading"]
    assert "no names" in catalog.refused["invoice"]
    assert {table.name for table in catalog.tables.values()} == {"river", "flood"}


def test_an_event_is_not_that_of_whoever_had_a_part_in_it(tmp_path: Path) -> None:
    """Nobody speaks of the 1903 race of Bo Dahl, who won it; that of the club is its race."""
    sql = """CREATE TABLE rider (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE race (no INTEGER PRIMARY KEY, {} INTEGER REFERENCES {}(id), start_date TEXT, riders INTEGER);
    INSERT INTO rider VALUES (1, 'Bo Dahl'), (2, 'Ida Lind'), (3, 'Per Vik');
    INSERT INTO club VALUES (1, 'Lyn'), (2, 'Ran'), (3, 'Tor');"""
    sql += "".join(f"INSERT INTO race VALUES ({n}, {1 + n % 3}, '{1900 + n}-03-01', {7 * n});" for n in range(1, 60))
    found = {}
    for number, (key, table) in enumerate([("winning_rider", "rider"), ("club", "club")]):
        url = database(tmp_path / f"{number}.sqlite", sql.format(key, table))
        found[key] = Catalog(LocalGraph.in_memory(load_sql(url)))
    assert "no names" in found["winning_rider"].refused["race"]
    assert "race" in {table.name for table in found["club"].tables.values()}
