"""Races that are held each year, who drives in them, and who builds the cars."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from sql_database import database

TABLES = Path(__file__).parents[1] / "fixtures" / "generators" / "races.sql"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(database(tmp_path_factory.mktemp("races") / "racing.sqlite", TABLES.read_text("utf-8")))


def test_a_race_is_called_by_its_year_and_name(asked: Asked) -> None:
    assert asked.questions["On which date did the 2008 French Grand Prix take place?"][0] == "22 June 2008"
    assert asked.questions["At which circuit did the 2008 German Grand Prix take place?"] == ["Nilring"]


def test_no_race_of_a_year_is_claimed_for_another_year(asked: Asked) -> None:
    claimed = [question.split() for question in asked.questions if question.startswith("Did the 20") and " on " in question]
    assert claimed
    assert all(words[2] == words[-1].rstrip("?") for words in claimed)


def test_circuits_say_themselves_what_they_are(asked: Asked) -> None:
    assert asked.any("the Autodromo di Arle?")
    assert asked.any("the Nilring")
    assert not asked.any("Arle circuit")


def test_who_drives_in_races_is_known(asked: Asked) -> None:
    assert asked.questions["What nationality is Ivo Holm?"] == ["Danish"]
    assert not asked.any("According to")


def test_a_constructor_is_a_firm(asked: Asked) -> None:
    assert {table.name: table.person for table in asked.catalog.tables.values()} == {
        "circuit": False, "race": False, "driver": True, "constructor": False,
    }  # fmt: skip
