"""A database alone: families are proposed from its keys, phrased from its names, and asked."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from family_made import audited, films
from shared import shared

from generators.erbench import app
from generators.erbench_propose import paths, propose
from generators.erbench_schema import Catalog
from generators.family import Options, generate
from kg import LocalGraph, open_graph
from kg.cli import run as run_app
from kg.sources.sql import load_sql
from queries import parse

STAFF = """
CREATE TABLE "order" (id INTEGER PRIMARY KEY, "group" TEXT, placed_by INTEGER REFERENCES staff(id),
  length_km INTEGER);
CREATE TABLE staff (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT,
  reports_to INTEGER REFERENCES staff(id), town INTEGER REFERENCES town(id), grade TEXT);
CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT, mayor INTEGER REFERENCES staff(id), minutes INTEGER, planet TEXT);
CREATE TABLE "都市" (id INTEGER PRIMARY KEY, name TEXT, "人口" INTEGER);
CREATE TABLE seat (hall TEXT, number INTEGER, price TEXT, PRIMARY KEY (hall, number));
CREATE TABLE void (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO town VALUES (1, 'Ulm {x}', 1, 12, 'Earth'), (2, 'Bonn', 2, 20, 'Earth'), (3, 'Trier', NULL, 31, 'Earth');
INSERT INTO staff VALUES (1, 'Ada', 'Berg', 'a@x', NULL, 1, 'A'),
  (2, 'Bo', 'Dahl', 'b@x', 1, 2, 'B'), (3, 'Cy', 'Eck', 'c@x', 1, 3, 'A'),
  (4, 'Di', 'Falk', 'd@x', 2, 1, 'C');
INSERT INTO "order" VALUES (10, 'x', 1, 5), (11, 'y', 2, 7), (12, 'x', 3, 9), (13, 'y', 4, NULL);
INSERT INTO "都市" VALUES (1, '東京', 13960000), (2, '大阪', 8839000), (3, '京都', 2583000);
INSERT INTO seat VALUES ('A', 1, '007'), ('A', 2, '-15.0'), ('B', 1, '007');
"""


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    """A reference to itself, a cycle, a composite key, reserved words, no label, another script, an empty table, NULLs."""
    path = tmp_path / "staff.sqlite"
    with sqlite3.connect(path) as database:
        database.executescript(STAFF)
    database.close()
    return f"sqlite:///{path}"


def questions(graph: LocalGraph, hops: int = 3) -> dict[str, list[str]]:
    """All questions of all proposals with their answers; every proof is run."""
    found: dict[str, list[str]] = {}
    for proposal in propose(Catalog(graph), hops, "tests"):
        result = generate(graph, parse(proposal.text, proposal.name), Options())
        assert result.items.is_empty() or audited(graph, result).passed
        found |= dict(result.items.select("question", "answer").iter_rows())
    return found


class TestAHostileSchema:
    def test_it_is_asked_about_all_the_same(self, hostile: str) -> None:
        asked = questions(LocalGraph.in_memory(load_sql(hostile)))
        assert asked["Who is the staff that the staff Bo Dahl reports to?"] == ["Ada Berg"]
        assert asked["What is the grade of the staff that the staff Di Falk reports to?"] == ["B"]
        assert asked["What is the 人口 of the 都市 “東京”?"] == ["13960000"]
        assert asked["What is the length in kilometres of the order number 11?"] == ["7"]
        assert asked["What is the length in minutes of the town “Ulm {x}”?"] == ["12"]

    def test_what_is_refused_has_a_reason(self, hostile: str) -> None:
        catalog = Catalog(LocalGraph.in_memory(load_sql(hostile)))
        assert catalog.refused["staff: email"] == "contact data"
        assert catalog.refused["town: planet"] == "all rows have the same value"
        assert catalog.refused["staff: first name"] == "the name of the row gives it away"
        assert catalog.refused["void"] == "it has no rows"
        assert catalog.refused["seat"] == "its rows have neither names nor a key of one column"

    def test_no_path_returns_and_a_verb_stands_once(self, hostile: str) -> None:
        catalog = Catalog(LocalGraph.in_memory(load_sql(hostile)))
        for path in paths(catalog, 4):
            tables = [path.start, *(edge.to for edge in path.edges)]
            repeated = len(tables) - len(set(tables))
            assert repeated == sum(edge.table == edge.to for edge in path.edges) <= 1
            assert sum(edge.is_verb for edge in path.edges) <= 1
            assert 1 <= path.hops <= 5

    def test_contact_data_is_never_said(self, hostile: str) -> None:
        assert not any("@x" in text for text in questions(LocalGraph.in_memory(load_sql(hostile))))


class TestFilms:
    def test_paths_follow_the_foreign_keys(self) -> None:
        asked = questions(films())
        assert asked["What is the birthplace of the director of the film “Ikiru”?"] == ["Tokyo"]
        assert asked["What is the country of the birthplace of the director of the film “Duel”?"] == ["United States"]


class TestTheCommandLine:
    @staticmethod
    def command(*args: str) -> int:
        with pytest.raises(SystemExit) as ended:
            run_app(app, "python -m generators.erbench", args)
        return int(ended.value.code or 0)

    def test_the_starter_graph_needs_no_argument(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert self.command("--hops", "1", "--n", "3", "--quiet") == 0
        lines = [json.loads(line) for line in (tmp_path / "erbench-starter.jsonl").read_text(encoding="utf-8").splitlines()]
        assert {line["task"] for line in lines} == {"open", "yes_no", "choice", "probe"}

    def test_proposed_files_can_be_asked_again(self, hostile: str, tmp_path: Path) -> None:
        folder, out = tmp_path / "proposed", tmp_path / "items.jsonl"
        assert self.command("--db", hostile, "--families", str(folder), "--out", str(out), "--quiet") == 0
        assert all(parse(path.read_text(encoding="utf-8"), str(path)).front.is_family for path in folder.iterdir())
        assert self.command("--db", hostile, "--families", str(folder), "--out", str(out), "--quiet") == 2

    def test_a_database_and_a_store_are_one_too_many(self, hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.command("--db", hostile, "--store", "x") == 2
        assert capsys.readouterr().err == "error: --db: a database and a store are given; give one of them\n"


def test_one_command_from_a_real_database_to_two_thousand_items_of_all_tasks_and_hops(tmp_path: Path) -> None:
    out, url = tmp_path / "items.jsonl", f"sqlite:///{shared('data/chinook/chinook.sqlite').resolve()}"
    assert TestTheCommandLine.command("--db", url, "--out", str(out), "--quiet") == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) >= 2000
    assert {(line["task"], line["strata"]["hops"]) for line in lines} >= {
        (task, hops) for task in ("open", "yes_no") for hops in "123"
    }


def test_the_starter_graph_has_three_hops() -> None:
    assert max(path.hops for path in paths(Catalog(open_graph()), 3)) >= 3
