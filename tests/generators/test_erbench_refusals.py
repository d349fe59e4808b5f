"""What nobody would ask of a database is not asked, and each refusal says why."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from family_made import audited, items, tables
from generators.erbench import Catalog, propose
from generators.erbench.__main__ import app
from generators.erbench.refusals import COMMONEST, FEWEST, GUESSED, MOST, Column, copies, is_guessed, of_column
from generators.family import generate
from kg import LocalGraph
from kg.cli import run as run_app
from kg.sources.sql import load_sql
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"
COLUMNS = list(csv.DictReader((FIXTURES / "columns_asked.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("row", COLUMNS, ids=lambda row: f"{row['table']}: {row['raw']} {row['values'][:9]}")
def test_a_column_is_asked_about_or_there_is_a_reason(row: dict[str, str]) -> None:
    values = row["values"].split("|") if row["values"] else []
    assert of_column(Column(row["said"], row["raw"], row["table"], values)) == (row["why"] or None)


@pytest.fixture
def clinic(tmp_path: Path) -> str:
    """Towns of two regions, some of one name; people who are known to nobody; visits without a name; a table of two others."""
    return database(tmp_path / "clinic.sqlite", (FIXTURES / "clinic.sql").read_text(encoding="utf-8"))


def catalog_of(url: str, *, personal: bool = False, numbered: bool = False) -> Catalog:
    catalog = Catalog(LocalGraph.in_memory(load_sql(url)), personal=personal, numbered=numbered)
    propose(catalog, 3, "clinic", all_wordings=True)
    return catalog


class TestADatabase:
    def test_people_with_a_telephone_are_private_whatever_their_table_is_called(self, clinic: str) -> None:
        refused = catalog_of(clinic).refused
        assert {name for name, why in refused.items() if "--personal" in why} == {
            "person: phone",
            "person: born",
            "person: gender",
        }
        assert "person: born" not in catalog_of(clinic, personal=True).refused

    def test_rows_without_a_name_are_asked_by_number_where_that_is_wanted(self, clinic: str) -> None:
        assert catalog_of(clinic).refused["visit"] == "its rows have no names (--numbered asks by number)"
        assert "visit" not in catalog_of(clinic, numbered=True).refused

    def test_what_a_guess_gets_is_not_asked(self, clinic: str) -> None:
        assert catalog_of(clinic).refused["town: bank"] == GUESSED

    def test_the_province_is_not_asked_of_a_town_that_is_called_by_it(self, clinic: str) -> None:
        """Some names are of two towns, so the question says “the town X of the region Y”: Y may not be the answer."""
        refused = catalog_of(clinic).refused
        assert refused["town: province"] == "its question would state a value on the way to the answer"

    def test_a_table_that_puts_two_others_together_is_not_asked(self, clinic: str) -> None:
        catalog = catalog_of(clinic)
        assert catalog.refused["water"] == "its rows stand in other tables"
        assert {"spring", "well"} <= {table.name for table in catalog.tables.values()}

    def test_the_summary_prints_each_reason(self, clinic: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            run_app(app, "erbench", ["--db", clinic, "--out", str(tmp_path / "items.jsonl")])
        told = capsys.readouterr().err
        assert "refused, personal data (--personal asks for them): people.born, people.gender, people.phone\n" in told
        assert "refused, its rows have no names (--numbered asks by number): visit\n" in told


@given(st.lists(st.sampled_from("abcdefghijkl"), max_size=60))
def test_a_guess_is_counted_one_by_one(answers: list[str]) -> None:
    covered = sum(n for _, n in Counter(answers).most_common(COMMONEST))
    assert is_guessed(pl.Series(answers, dtype=pl.String)) == (len(answers) >= FEWEST and covered > MOST * len(answers))


@given(st.dictionaries(st.sampled_from("tuvw"), st.sets(st.sampled_from("abcdef"), min_size=1), max_size=4))
def test_a_table_of_others_is_found_one_by_one(tables: dict[str, set[str]]) -> None:
    rows = [(table, name) for table, names in tables.items() for name in names]
    named = pl.DataFrame(rows, schema={"table": pl.String, "name": pl.String}, orient="row")
    expected = set()
    for table, names in tables.items():
        parts = [own for other, own in tables.items() if other != table and len(own & names) >= 0.9 * len(own)]
        shared = set().union(*(own & names for own in parts))
        if len(parts) > 1 and len(shared) >= 0.9 * len(names):
            expected.add(table)
    assert copies(named) == expected


def test_columns_whose_values_became_entities_are_asked_about() -> None:
    graph = tables(FIXTURES / "promoted" / "SCHEMA.toml")
    asked: dict[str, list[str]] = {}
    for proposal in propose(Catalog(graph), 2, "films", all_wordings=True):
        result = generate(graph, proposal.template)
        assert audited(graph, result, literal=5).passed
        asked |= {item["question"]: item["answer"] for item in items(result)}
    assert any("Ran" in question and answer == ["Akira Kurosawa"] for question, answer in asked.items())
    assert any("The Piano" in question and answer == ["New Zealand"] for question, answer in asked.items())
