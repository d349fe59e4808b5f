"""What a person asks of tables as courses and clubs keep them: initials behind surnames, tables that give values to rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


def asked_of(name: str, folder: Path, about: str | None = None) -> Asked:
    """Ask a database of the fixtures."""
    return Asked(database(folder / f"{name}.sqlite", (FIXTURES / f"{name}.sql").read_text(encoding="utf-8")), about)


@pytest.fixture(scope="module")
def lectures(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return asked_of("lectures", tmp_path_factory.mktemp("lectures"))


class TestInitials:
    """Names with initials behind the surname, which are said in front of it."""

    @pytest.mark.parametrize("name", ["R. Aldgate", "J.-P. Castellan", "T. de la Rive", "B. A. S. Everdene", "M. K. Gower"])
    def test_initials_are_said_before_the_surname(self, lectures: Asked, name: str) -> None:
        assert lectures.any(f"was the speaker {name} born?")

    def test_a_name_in_normal_form_stays(self, lectures: Asked) -> None:
        assert lectures.any("was the speaker Forsman Ulla born?")

    def test_so_are_those_of_a_column(self, lectures: Asked) -> None:
        assert lectures.questions["Who wrote the 1966 novel “The Salt Road”?"] == ["M. K. Gower", "Gower MK"]

    def test_a_king_has_a_number(self, lectures: Asked) -> None:
        assert lectures.any("Aldric V")
        assert not lectures.any("V. Aldric")


@pytest.fixture(scope="module")
def playbills(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return asked_of("playbills", tmp_path_factory.mktemp("playbills"))


class TestTablesOfValues:
    """Tables whose rows only give a value to a row of another."""

    def test_what_a_row_has_one_of_is_asked_openly(self, playbills: Asked) -> None:
        assert playbills.questions["Who wrote the play “The Tin Bishop”?"] == ["Jerzy Kolar"]
        assert playbills.any("Was the play “The Tin Bishop” written by ")
        assert not playbills.any("“Salt Wedding” written by")
        assert not playbills.any("wrote the play “Salt Wedding”")

    def test_of_several_each_is_right(self, playbills: Asked) -> None:
        asked = playbills.questions["Name one of the hobbies of Aino Lehto."]
        assert {*asked} == {"chess", "fishing", "painting", "Chess", "Fishing", "Painting"}
        held = {
            text: answer
            for text, answer in playbills.questions.items()
            if "one of the hobbies of" in text and text[:3] == "Was"
        }
        own = {
            "Aino Lehto": ["fishing", "chess", "painting"],
            "Bram Vos": ["swimming", "chess"],
            "Carys Hale": ["sailing", "gardening"],
        }
        for text, answer in held.items():
            hobby, who = text.removeprefix("Was ").removesuffix("?").split(" one of the hobbies of ")
            assert who not in own or (answer == ["yes"]) == (hobby in own[who])
        assert held

    def test_who_may_live_is_not_said_to_have_had_hobbies(self, playbills: Asked) -> None:
        assert not playbills.any("hobbies of Felix Auer")

    def test_a_row_with_a_name_of_its_own_is_a_thing(self, playbills: Asked) -> None:
        assert not playbills.any("of the statues")
        assert playbills.catalog.refused.keys() >= {"statue: sculptor"}

    def test_private_values_are_refused(self, tmp_path: Path) -> None:
        script = """
CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT, course TEXT);
INSERT INTO student VALUES (1, 'Ada Berg', 'Law'), (2, 'Bo Dahl', 'Physics'), (3, 'Cy Eck', 'Law'), (4, 'Di Falk', 'Latin');
CREATE TABLE student_phone (student_id INTEGER REFERENCES student, phone TEXT);
INSERT INTO student_phone VALUES (1, '0412-333444'), (1, '0412-333445'), (2, '0412-333446'), (3, '0412-333447');
"""
        assert not Asked(database(tmp_path / "school.sqlite", script)).any("phone")
