"""A database alone: families are proposed from its keys, phrased from its names, and asked."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from family_made import audited, films
from generators.erbench import Catalog, propose, refusals
from generators.erbench.__main__ import app
from generators.erbench.ways import paths
from generators.family import Options, generate
from kg import LocalGraph, open_graph
from kg.cli import run as run_app
from kg.sources.sql import load_sql
from queries import parse
from shared import shared
from sql_database import database

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


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A reference to itself, a cycle, a composite key, reserved words, no label, another script, an empty table, NULLs."""
    return database(tmp_path_factory.mktemp("staff") / "staff.sqlite", STAFF)


@pytest.fixture(scope="module")
def staff(hostile: str) -> LocalGraph:
    """The same as a graph."""
    return LocalGraph.in_memory(load_sql(hostile))


@pytest.fixture(scope="module")
def asked(staff: LocalGraph) -> dict[str, list[str]]:
    """All that is asked about it."""
    return questions(staff)


def questions(graph: LocalGraph, hops: int = 3) -> dict[str, list[str]]:
    """All questions of all proposals with their answers; every proof is run."""
    found: dict[str, list[str]] = {}
    for proposal in propose(Catalog(graph, numbered=True), hops, "tests", all_wordings=True):
        result = generate(graph, parse(proposal.text, proposal.name), Options())
        assert result.items.is_empty() or audited(graph, result, literal=3).passed
        found |= dict(result.items.select("question", "answer").iter_rows())
    return found


class TestAHostileSchema:
    def test_it_is_asked_about_all_the_same(self, asked: dict[str, list[str]]) -> None:
        assert asked["Who does the staff member Bo Dahl report to?"] == ["Ada Berg"]
        assert asked["What is the grade of the staff member that the staff member Di Falk reports to?"] == ["B"]
        assert asked["What is the 人口 of the 都市 “東京”?"] == ["13,960,000", "13960000"]
        assert asked["How long is order number 11, in kilometres?"] == ["7"]
        assert asked["How long is Ulm {x}, in minutes?"] == ["12"]

    def test_what_is_refused_has_a_reason(self, staff: LocalGraph) -> None:
        catalog = Catalog(staff)
        assert catalog.refused["staff member: email"] == "personal data (--personal asks for them)"
        assert catalog.refused["order"] == "its rows have no names (--numbered asks by number)"
        assert catalog.refused["town: planet"] == "all rows have the same value"
        assert catalog.refused["staff member: first name"] == "the name of the row gives it away"
        assert catalog.refused["void"] == "it has no rows"
        assert catalog.refused["seat"] == refusals.nameless(None)

    def test_bytes_are_not_asked_about(self, tmp_path: Path) -> None:
        sql = "CREATE TABLE cup (name TEXT PRIMARY KEY, photo BLOB, size INTEGER);"
        sql += "INSERT INTO cup VALUES ('A', x'00ff', 1), ('B', x'01', 2), ('C', NULL, 3)"
        catalog = Catalog(LocalGraph.in_memory(load_sql(database(tmp_path / "cups.sqlite", sql))))
        assert catalog.refused["cup: photo"] == "bytes, which nobody can say"
        assert [attribute.name for table in catalog.tables.values() for attribute in table.attributes] == ["size"]

    def test_what_is_on_the_way_is_probed_with_the_entity(self, asked: dict[str, list[str]]) -> None:
        """ERBench, appendix B.1: one text for yes or no, one for each value for a choice; no probe of a mere number."""
        assert asked[
            "Have you heard of the staff member Bo Dahl? If so, does Dahl report to Ada Berg? "
            "And is the grade of that staff member A?"
        ] == ["yes"]
        assert "Have you heard of Bonn?" in asked
        assert asked["Is Bonn 20 minutes long?"] == ["yes"]
        assert not any("heard of order" in text for text in asked)

    def test_an_exemplar_explains_hop_by_hop(self, staff: LocalGraph) -> None:
        proposals = {p.name: parse(p.text, p.name) for p in propose(Catalog(staff), 3, "tests", all_wordings=True)}
        assert list(proposals["staff-member-reports-to-grade-open"].front.explain or []) == [
            "The staff member {staff_member} reports to {reports_to}.",
            "The grade of the staff member {reports_to} is {grade}.",
        ]

    def test_a_row_that_nobody_knows_is_said_to_be_of_its_database(self, staff: LocalGraph) -> None:
        catalog = Catalog(staff, numbered=True, about="the {Ulm} works")
        asked = [
            str(text)
            for p in propose(catalog, 2, "tests", all_wordings=True, negated=True)
            for text in (parse(p.text, p.name).front.question or {}).values()
        ]
        assert "In the {{Ulm}} works, who does the staff member {staff_member} report to?" in asked
        assert "In the {{Ulm}} works, is it true that the staff member {staff_member} does not report to {claimed}?" in asked
        assert "In the {{Ulm}} works, who is the mayor of {town:the town}?" in asked  # it is no person and no firm

    def test_without_a_word_on_the_database_only_what_nobody_knows_is_said_to_be_of_it(self, staff: LocalGraph) -> None:
        catalog = Catalog(staff, database="the database staff")
        asked = [text for p in propose(catalog, 2, "tests", all_wordings=True) for text in p.questions.values()]
        assert "According to the database staff, who does the staff member {staff_member} report to?" in asked
        assert "Who is the mayor of {town:the town}?" in asked  # a town is known

    def test_proposed_files_can_be_read(self, staff: LocalGraph) -> None:
        texts = [p.text for p in propose(Catalog(staff), 3, "tests", all_wordings=True)]
        assert max(len(line) for text in texts for line in text.splitlines()) <= 128

    def test_no_path_returns_and_a_verb_stands_once(self, staff: LocalGraph) -> None:
        catalog = Catalog(staff)
        for path in paths(catalog, 4):
            tables = [path.start, *(edge.to for edge in path.edges)]
            repeated = len(tables) - len(set(tables))
            assert repeated == sum(edge.table == edge.to for edge in path.edges) <= 1
            assert sum(edge.is_verb for edge in path.edges) <= 1
            assert 1 <= path.hops <= 5

    def test_contact_data_is_never_said(self, asked: dict[str, list[str]]) -> None:
        assert not any("@x" in text for text in asked)


class TestSchemasNobodyWouldDesign:
    """The code as it is, on schemas that it has never seen."""

    @staticmethod
    def graph(tmp_path: Path, name: str) -> LocalGraph:
        text = (Path(__file__).parents[1] / "fixtures" / "kg" / "sql" / f"{name}.sql").read_text(encoding="utf-8")
        return LocalGraph.in_memory(load_sql(database(tmp_path / f"{name}.sqlite", text)))

    def test_three_scripts_and_a_circle_of_tables_with_keys_of_two_columns(self, tmp_path: Path) -> None:
        asked = questions(self.graph(tmp_path, "scripts"))
        assert asked["What is the مدينة of the страна Марокко?"] == ["فاس"]
        assert asked["What is the 生年 of the رئيس of the مدينة “京都”?"] == ["973"]
        assert asked["What is the страна of the 師匠 of the 人 “Афанасий Никитин”?"] == ["Марокко"]
        assert not any(question.count(" of the ") > 2 for question in asked if question.startswith("What"))
        assert not any("Атлантида" in q and "مدينة" in q for q in asked)  # its capital is not there
        assert not any("ничего" in q or "снимки" in q for q in asked)

    def test_every_name_is_a_word_of_sql_or_of_the_files(self, tmp_path: Path) -> None:
        graph = self.graph(tmp_path, "keywords")
        asked = questions(graph)
        assert asked["What is the total of the nothing Nought?"] == ["5", "5.0"]
        assert asked["What is the order of group number 3?"] == ["th%ird"]
        assert asked["What is the twice of group number 4?"] == ["80"]
        assert asked["What is the index of the value “beta”?"] == ["one-two"]
        assert "“per%cent” in its name is no word" in Catalog(graph).refused.values()
        assert Catalog(graph).refused["wide: c100"] == "“c100” in its name is no word"
        assert "view" not in Catalog(graph).names.values()

    @pytest.mark.parametrize("name", ["scripts", "keywords"])
    def test_exemplars_and_passages_of_them(self, tmp_path: Path, name: str) -> None:
        graph = self.graph(tmp_path, name)
        for proposal in propose(Catalog(graph), 2, name, all_wordings=True)[:40]:
            result = generate(graph, parse(proposal.text, proposal.name), Options(exemplars=True, passages=True))
            groups = {exemplar.group for exemplar in result.exemplars} | {passage.group for passage in result.passages}
            assert all(group.split(".")[0] == "erbench" for group in groups if group)


class TestFilms:
    def test_paths_follow_the_foreign_keys(self) -> None:
        asked = questions(films())
        assert asked["Where was the director of the film “Ikiru” born?"] == ["Tokyo"]
        assert asked["In which country is the place in which the director of the film “Duel” was born?"] == ["United States"]


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
        assert self.command("--db", hostile, "--all-wordings", "--families", str(folder), "--out", str(out), "--quiet") == 0
        assert all(parse(path.read_text(encoding="utf-8"), str(path)).front.is_family for path in folder.iterdir())
        assert self.command("--db", hostile, "--all-wordings", "--families", str(folder), "--out", str(out), "--quiet") == 2

    def test_a_file_is_named_by_itself_with_db_or_by_its_url(self, hostile: str, tmp_path: Path) -> None:
        file, written = hostile.removeprefix("sqlite:///"), []
        for number, way in enumerate(([file], ["--db", file], ["--db", hostile])):
            out = tmp_path / f"{number}.jsonl"
            assert self.command(*way, "--all-wordings", "--tasks", "open", "--out", str(out), "--quiet") == 0
            written.append(out.read_bytes())
        assert written[0] == written[1] == written[2]

    def test_a_database_and_a_store_are_one_too_many(self, hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.command("--db", hostile, "--store", "x") == 2
        assert capsys.readouterr().err == "error: --db: a database and a store are given; give one of them\n"

    def test_some_tasks_and_few_items_of_all_families(self, tmp_path: Path) -> None:
        out, url = tmp_path / "items.jsonl", f"sqlite:///{shared('data/chinook/chinook.sqlite').resolve()}"
        assert self.command("--db", url, "--tasks", "open,yes_no", "--limit", "30", "--out", str(out), "--quiet") == 0
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        counts = Counter(line["family"] for line in lines)
        assert {line["task"] for line in lines} == {"open", "yes_no"}
        assert len(lines) == 30
        assert max(counts.values()) - min(counts.values()) <= 1

    @pytest.mark.parametrize(
        ("args", "told"),
        [
            (["--tasks", "opn"], "error: --tasks: there is no task 'opn'; did you mean 'open'?"),
            (["--tasks", "probe"], "error: --tasks: probes go with other questions; name open, yes_no or choice, too"),
            (["--recording", "x"], "error: --recording: there are no answers to record; add --writer MODEL"),
        ],
    )
    def test_what_cannot_be_wanted_is_told(
        self, args: list[str], told: str, hostile: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.command("--db", hostile, *args) == 2
        assert capsys.readouterr().err == f"{told}\n"

    def test_what_is_refused_is_written_where_nothing_is_asked(self, hostile: str, tmp_path: Path) -> None:
        file = tmp_path / "refused.csv"
        assert self.command("--db", hostile, "--refusals", str(file), "--out", str(tmp_path / "x.jsonl")) == 2
        assert "staff.email,staff member: email,personal data (--personal asks for them)" in file.read_text("utf-8")


def test_one_command_from_a_real_database_to_two_thousand_items_of_all_tasks_and_hops(tmp_path: Path) -> None:
    out, url = tmp_path / "items.jsonl", f"sqlite:///{shared('data/chinook/chinook.sqlite').resolve()}"
    assert TestTheCommandLine.command("--db", url, "--out", str(out), "--numbered", "--all-wordings", "--quiet") == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) >= 2000
    assert {(line["task"], line["strata"]["hops"]) for line in lines} >= {
        (task, hops) for task in ("open", "yes_no") for hops in "12"
    }


def test_the_starter_graph_has_three_hops() -> None:
    assert max(path.hops for path in paths(Catalog(open_graph()), 3)) >= 3


def test_columns_whose_names_hold_no_word_are_refused_and_of_names_alike_one_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, folder = tmp_path / "odd.sqlite", tmp_path / "odd.jsonl", tmp_path / "families"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        columns = 'id INTEGER PRIMARY KEY, name TEXT, "_" TEXT, "-" TEXT, "rare ink" TEXT, "rare-ink" TEXT'
        connection.execute(f'CREATE TABLE "the book" ({columns})')
        rows = [(f"N{i}", f"v{i % 3}", f"w{i % 4}", f"x{i % 9}", f"y{i % 7}") for i in range(20)]
        connection.executemany('INSERT INTO "the book" (name, "_", "-", "rare ink", "rare-ink") VALUES (?, ?, ?, ?, ?)', rows)
        connection.commit()
    with pytest.raises(SystemExit) as ended:
        run_app(app, "erbench", ["--db", f"sqlite:///{file}", "--all-wordings", "--out", str(out), "--families", str(folder)])
    told = capsys.readouterr().err
    assert (ended.value.code or 0) == 0
    assert "refused, its name has no word: the book.-, the book._" in told
    names = sorted(path.stem for path in folder.iterdir())
    assert names == ["the-book-rare-ink-open", "the-book-rare-ink-yes_no"]
    assert "refused, another family asks in the same words: the book.rare ink" in told
    ids = [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()]
    assert len(ids) == len(set(ids)) > 0


@pytest.mark.parametrize("statement", ["CREATE TABLE t (a TEXT)", 'CREATE TABLE t (id INTEGER PRIMARY KEY, "_" TEXT)'])
def test_a_database_with_nothing_to_ask_is_told_in_one_line(
    statement: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "bare.sqlite", tmp_path / "items.jsonl"
    out.write_text("old")
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()
    with pytest.raises(SystemExit) as ended:
        run_app(app, "erbench", ["--db", f"sqlite:///{file}", "--out", str(out)])
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.count("\n") == 1
    assert "nothing can be asked (refused, it has no rows: t)" in told
    assert out.read_text() == "old"


def test_the_database_itself_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT, year TEXT)")
        connection.executemany("INSERT INTO book (name, year) VALUES (?, ?)", [(f"N{i}", f"{1990 + i % 3}") for i in range(9)])
        connection.commit()
    before = file.read_bytes()
    with pytest.raises(SystemExit) as ended:
        run_app(app, "erbench", ["--db", f"sqlite:///{file}", "--out", str(file)])
    assert ended.value.code == 2
    assert "is what is read; name another file" in capsys.readouterr().err
    assert file.read_bytes() == before
