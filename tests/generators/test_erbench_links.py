"""Foreign keys that nobody declared are found by the values; a number of another row is never an answer."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from family_made import audited
from generators.erbench import Catalog, propose
from generators.erbench.__main__ import app
from generators.family import Options, generate
from kg import LocalGraph, open_graph
from kg.cli import run as run_app
from kg.dependencies import find_dependencies
from kg.dependencies.command import write_dependencies
from kg.local import build_store
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture
def tramway(tmp_path: Path) -> str:
    """Stops, wagons and wardens; no foreign key is declared."""
    return database(tmp_path / "tramway.sqlite", (FIXTURES / "tramway.sql").read_text(encoding="utf-8"))


def ended(url: str, out: Path, *more: str) -> int:
    with pytest.raises(SystemExit) as end:
        run_app(app, "erbench", [url, "--out", str(out), *more])
    return int(end.value.code or 0)


class TestADatabaseThatDeclaresNothing:
    def test_links_are_found_by_name_and_by_value(self, tramway: str) -> None:
        assert Catalog(LocalGraph.in_memory(load_sql(tramway))).found == [
            "tbl_stop.cmp_id → tbl_company",  # called as the key
            "tbl_stop.warden → tbl_warden",  # called as the table
            "tbl_wagon.home_stp → tbl_stop",  # the last word is that of the key
            "tbl_wagon.replaces → tbl_wagon",  # texts that stand in no other key
        ]

    def test_counts_and_measures_within_a_key_stay_what_they_are(self, tramway: str) -> None:
        catalog = Catalog(LocalGraph.in_memory(load_sql(tramway)))
        asked = {attribute.name for table in catalog.tables.values() for attribute in table.attributes}
        assert {"benches", "seats", "depth m"} <= asked

    def test_a_number_of_another_row_is_no_answer(self, tramway: str) -> None:
        """The wagon's `lead` is 1 to 3: a company, a stop? Nobody can tell, and 2 answers no question."""
        assert "another row" in Catalog(LocalGraph.in_memory(load_sql(tramway))).refused["wagon: lead"]
        assert "another row" in Catalog(LocalGraph.in_memory(load_sql(tramway)), declared_only=True).refused["stop: warden"]

    def test_rows_are_referred_to_by_name_where_no_table_has_a_key(self, tmp_path: Path) -> None:
        """Tables that were imported from files have neither types nor keys; a cheese is its name there."""
        dairy = (FIXTURES / "dairy.sql").read_text(encoding="utf-8")
        assert Catalog(LocalGraph.in_memory(load_sql(database(tmp_path / "dairy.sqlite", dairy)))).found == [
            "Sales.Cheese → Cheeses"
        ]

    def test_of_two_tables_with_the_key_the_one_called_so_is_meant(self, tmp_path: Path) -> None:
        """A code of countries is the key of their economies, too."""
        rows = "('%s', %s)"
        codes = ["AL", "BE", "CY", "DK", "EE"]
        sql = [
            "CREATE TABLE country (name TEXT UNIQUE, code TEXT PRIMARY KEY)",
            "CREATE TABLE city (name TEXT, country TEXT, PRIMARY KEY (name, country))",
            "CREATE TABLE economy (country TEXT PRIMARY KEY, gdp INTEGER)",
            *(f"INSERT INTO country VALUES {rows % (f'Land {code}', repr(code))}" for code in codes),
            *(f"INSERT INTO city VALUES {rows % (f'Town {code}', repr(code))}" for code in codes),
            *(f"INSERT INTO economy VALUES {rows % (code, 100)}" for code in codes),
        ]
        found = Catalog(LocalGraph.in_memory(load_sql(database(tmp_path / "lands.sqlite", ";".join(sql))))).found
        assert found == ["city.country → country", "economy.country → country"]

    def test_what_is_asked_over_a_link_is_proved(self, tramway: str) -> None:
        graph, found = LocalGraph.in_memory(load_sql(tramway)), dict[str, list[str]]()
        for proposal in propose(Catalog(graph), 2, "tests", all_wordings=True):
            result = generate(graph, parse(proposal.text, proposal.name), Options())
            assert result.items.is_empty() or audited(graph, result, literal=3).passed
            found |= dict(result.items.select("question", "answer").iter_rows())
        assert "1901" in str(found["In which year was the company of the stop Market founded?"])
        assert not any(answer == ["700"] for answer in found.values())

    def test_what_a_search_wrote_into_a_store_counts(self, tramway: str, tmp_path: Path) -> None:
        store = tmp_path / "store"
        build_store(store, load_sql(tramway))
        write_dependencies(store, find_dependencies(open_graph(store)))
        assert "tbl_stop.cmp_id → tbl_company" in Catalog(open_graph(store)).found


class TestTheCommand:
    def test_a_link_can_be_given(self, tramway: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert ended(tramway, tmp_path / "a.jsonl", "--link", "tbl_wagon.lead=tbl_company") == 0
        assert "5 links found by their values" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("link", "told"),
        [
            ("tbl_wagon.leed=tbl_company", "there is no column 'tbl_wagon.leed' to link; did you mean 'tbl_wagon.lead'?"),
            ("tbl_wagon.lead=tbl_compny", "there is no table 'tbl_compny'"),
            ("tbl_wagon.seats=tbl_company", "not all values of 'tbl_wagon.seats' stand in a key of 'tbl_company'"),
        ],
    )
    def test_a_wrong_link_is_told_in_one_line(
        self, tramway: str, tmp_path: Path, link: str, told: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert ended(tramway, tmp_path / "a.jsonl", "--link", link) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1
        assert not (tmp_path / "a.jsonl").exists()

    def test_a_file_is_a_database_and_two_are_too_many(
        self, tramway: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert ended(tramway.removeprefix("sqlite:///"), tmp_path / "a.jsonl") == 0
        assert ended(tramway, tmp_path / "b.jsonl", "--db", tramway) == 2
        assert "two databases are given" in capsys.readouterr().err

    def test_all_refusals_are_written_by_table_and_column(self, tramway: str, tmp_path: Path) -> None:
        assert ended(tramway, tmp_path / "a.jsonl", "--refusals", str(tmp_path / "refused.csv")) == 0
        refused = {
            row["column"]: row["why"] for row in csv.DictReader((tmp_path / "refused.csv").read_text("utf-8").splitlines())
        }
        assert refused["tbl_stop.stp_id"] == "a key, which only the database knows"
        assert "another row" in refused["tbl_wagon.lead"]
