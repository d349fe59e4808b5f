"""Rows called by identifiers or in capitals, keys that everybody knows, and tables that a program keeps for itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from sql_database import database

TABLES = Path(__file__).parents[1] / "fixtures" / "generators" / "identified_tables.sql"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(database(tmp_path_factory.mktemp("identified") / "creatures.sqlite", TABLES.read_text("utf-8")))


def test_an_identifier_that_is_spelled_names_a_creature(asked: Asked) -> None:
    assert asked.any("the creature Fara Mouse")
    assert not asked.any("fara-mouse")


def test_a_creature_has_types_though_a_type_is_no_thing(asked: Asked) -> None:
    assert asked.any("one of the types of the creature Holm Eel?")
    assert not asked.any("the type ")


def test_battles_in_capitals_are_called_by_their_places(asked: Asked) -> None:
    assert asked.questions["Where did the Battle of Austerlitz take place?"][0] == "Moravia"
    assert asked.any("the Battle of the Raab")
    assert asked.any("in the War of 1812?")


def test_no_battle_is_front(asked: Asked) -> None:
    assert not asked.any("front")


def test_an_atomic_number_is_asked_though_it_is_the_key(asked: Asked) -> None:
    assert asked.questions["What is the atomic number of gallium?"] == ["31"]


def test_a_place_of_discovery_may_need_its_article(asked: Asked) -> None:
    assert asked.any("discovered in the United States?")


def test_what_a_program_keeps_for_itself_is_not_asked(asked: Asked) -> None:
    assert not asked.any("metadat")


def test_a_heros_powers_are_superpowers(asked: Asked) -> None:
    assert set(asked.questions["Name one of the superpowers of the superhero Night Heron."]) == {"Flight", "Night Vision"}


def test_nobody_weighs_nothing(asked: Asked) -> None:
    assert asked.questions["How many kilograms does the superhero Lady Frost weigh?"] == ["61"]
    assert not asked.any("Doctor Quill weigh")


def test_a_year_kept_as_a_real_number_is_a_year(asked: Asked) -> None:
    assert not asked.any(".0")


def test_titles_of_a_publisher_are_books_and_their_authors_are_told(asked: Asked) -> None:
    assert set(asked.questions["Name one of the authors of the book “Three Kettles”."]) == {"Ada Berg", "Ivo Holm"}
    assert not asked.any("Dock St")
