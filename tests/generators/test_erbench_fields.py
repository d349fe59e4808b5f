"""Databases of other fields: wrecks in cut words, board games in camel case, waterfalls and caves in CSV files."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from family_made import audited
from generators.erbench import Catalog, propose
from generators.erbench.__main__ import main
from generators.erbench.csv_folder import as_database
from generators.family import Options, generate
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries.templates import parse
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


class Asked:
    """What is asked of a database: the questions with their answers, and what is refused; all proofs are run."""

    def __init__(self, url: str) -> None:
        graph = LocalGraph.in_memory(load_sql(url))
        self.catalog, self.questions, self.options = Catalog(graph), dict[str, list[str]](), list[str]()
        for proposal in propose(self.catalog, 2, "tests"):
            result = generate(graph, parse(proposal.text, proposal.name), Options())
            assert audited(graph, result, literal=1).passed
            items = result.items.filter(result.items["task"] != "probe")
            self.questions |= dict(items.select("question", "answer").iter_rows())
            self.options += [option for options in items["options"].drop_nulls() for option in options]

    def any(self, text: str) -> bool:
        return any(text in question for question in self.questions)


def _of_script(folder: Path, name: str) -> Asked:
    return Asked(database(folder / f"{name}.sqlite", (FIXTURES / f"{name}.sql").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def wrecks(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return _of_script(tmp_path_factory.mktemp("wrecks"), "wrecks")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return _of_script(tmp_path_factory.mktemp("games"), "board_games")


@pytest.fixture(scope="module")
def waterfalls() -> Asked:
    with as_database(FIXTURES / "waterfalls") as url:
        return Asked(url)


class TestWrecks:
    def test_what_is_lost_is_spoken_of_in_the_past(self, wrecks: Asked) -> None:
        assert wrecks.questions["Who was the master of the wreck Mohegan?"] == ["William Griffiths", "GRIFFITHS, WILLIAM"]
        assert wrecks.questions["How many crew members did the wreck Suevic have?"] == ["141"]
        assert wrecks.questions["How long was the wreck Alma, in feet?"] == ["98", "98.0"]
        assert wrecks.questions["How deep is the wreck Alma, in metres?"] == ["19", "19.0"]  # it still lies there

    def test_common_words_in_capitals_are_written_small_and_names_are_not(self, wrecks: Asked) -> None:
        assert wrecks.questions["What was the cargo of the wreck Solglimt?"] == ["timber", "TIMBER"]
        assert wrecks.questions["Which shipyard built the wreck Solglimt?"] == ["Russell & Co", "RUSSELL & CO"]

    def test_what_was_found_was_not_founded(self, wrecks: Asked) -> None:
        assert wrecks.questions["In which year was the wreck Ellen Vannin found?"] == ["1981"]

    def test_a_value_does_not_follow_a_name(self, wrecks: Asked) -> None:
        assert not wrecks.any("cargo of the wreck Solglimt timber")
        assert "Its cause was gale." in wrecks.options  # a choice may say it


class TestBoardGames:
    def test_limits_and_samples_are_counted(self, games: Asked) -> None:
        assert games.any("Is the maximum number of players of the 1957 board game “Risk” ")
        assert games.questions["How many copies of the 2017 board game “Azul” were sold?"] == ["2,000,000", "2000000"]
        assert games.questions["How many expansions does the 1957 board game “Risk” have?"] == ["0"]

    def test_a_row_stands_with_what_it_is_unless_its_name_says_it(self, games: Asked) -> None:
        assert games.questions["In which year was the publisher Hasbro founded?"] == ["1923"]
        assert games.any("Oink Games")
        assert not games.any("the publisher Oink Games")
        assert games.questions["In which year was Uwe Rosenberg born?"] == ["1970"]

    def test_a_link_may_be_called_by_the_last_word_of_its_table(self, games: Asked) -> None:
        assert "trading" in games.questions["Name one of the mechanics of the 2017 board game “Azul”."]


class TestFilesOfTables:
    def test_headings_are_read_with_their_units(self, waterfalls: Asked) -> None:
        assert waterfalls.questions["What is the average flow of Victoria Falls in cubic metres per second?"] == ["1088"]
        assert waterfalls.questions["What is the temperature of the cave Krubera in degrees Celsius?"] == ["7"]
        assert waterfalls.questions["Is the cave Lascaux open to the public?"] == ["no"]

    def test_a_name_in_the_plural_is_one_thing(self, waterfalls: Asked) -> None:
        assert not waterfalls.any("Waitomo Caves")  # which are several
        assert waterfalls.questions["Which town is nearest to Jog Falls?"] == ["Sagara"]

    def test_a_folder_is_asked_with_one_command(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        out = tmp_path / "items.jsonl"
        monkeypatch.setattr("sys.argv", ["erbench", str(FIXTURES / "waterfalls"), "--n", "2", "--out", str(out), "--quiet"])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        assert all(json.loads(line)["source"]["graph"].endswith("waterfalls") for line in out.read_text().splitlines())

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
    def test_a_file_is_read_as_the_program_wrote_that_saved_it(self, tmp_path: Path, encoding: str) -> None:
        (tmp_path / "caves.csv").write_bytes("Name;Land\r\nHöhle;Österreich\r\n".encode(encoding))
        with as_database(tmp_path) as url:
            rows = sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT Name, Land FROM caves").fetchall()
        assert rows == [("Höhle", "Österreich")]

    def test_only_line_ends_end_a_row(self, tmp_path: Path) -> None:
        (tmp_path / "caves.csv").write_text("Name,Note\nLascaux,found\u2028by four\n", "utf-8")
        with as_database(tmp_path) as url:
            rows = sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT Note FROM caves").fetchall()
        assert rows == [("found\u2028by four",)]

    @pytest.mark.parametrize(
        ("name", "text", "problem"),
        [
            (None, "", "holds no tables"),
            ("a.csv", "", "has no first line"),
            ("a.csv", "Name,name\nx,y\n", "has two columns 'name'"),
            ("a.csv", "Name,Height\nx,1,2\n", "a.csv, line 2: the row has 3 cells, and there are 2 columns"),
            ("a.csv", 'Name,Height\n"x\ny",1\n\nz\n', "a.csv, line 5: the row has 1 cells, and there are 2 columns"),
            ("a.csv", 'Name,Height\nx,1\n"y,2\nz,3\n', "a.csv, line 3: a quote is never closed"),
            ("a.csv", "Name,Height\nx\0,1\n", "a.csv: is not text"),
        ],
    )
    def test_a_folder_that_is_none_is_told_on_one_line(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        name: str | None,
        text: str,
        problem: str,
    ) -> None:
        if name:
            (tmp_path / name).write_text(text)
        monkeypatch.setattr("sys.argv", ["erbench", "--db", str(tmp_path)])
        with pytest.raises(SystemExit) as ended:
            main()
        error = capsys.readouterr().err
        assert ended.value.code == 2
        assert problem in error
        assert len(error.strip().splitlines()) == 1
