"""What a person asks of tables as courses and clubs keep them: initials behind surnames, tables that give values to rows."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from database_asked import Asked
from generators.erbench.forms import form
from generators.erbench.names import Called, Words
from generators.erbench.sentences import ROW, Subject
from generators.erbench.sure import is_noun_of_rows
from generators.family.spelling import in_place
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


@pytest.fixture(scope="module")
def hostels(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return asked_of("hostels", tmp_path_factory.mktemp("hostels"), "the hostels of the coast")


class TestHouses:
    """Houses with what they have, in a table whose keys are no keys of those that it names."""

    def test_a_capacity_is_of_those_who_come(self, hostels: Asked) -> None:
        assert hostels.questions["In the hostels of the coast, what is the guest capacity of Tarn House?"] == ["42"]

    def test_a_house_has_what_it_has(self, hostels: Asked) -> None:
        has = {text.partition(" have ")[::2]: answer for text, answer in hostels.questions.items() if " does " in text}
        own = {
            "Tarn House": ["a study room", "a TV Lounge", "air conditioning"],
            "Cliff Hall": ["a bar on the roof", "four walls", "a study room"],
        }
        told = [
            (what in own[house], answer)
            for (start, rest), answer in has.items()
            for house in own
            if start.endswith(house)
            for what in [rest[:-1]]
        ]
        assert told
        assert all(answer == (["yes"] if held else ["no"]) for held, answer in told)

    def test_amenities_are_not_called_by_the_house_again(self, hostels: Asked) -> None:
        asked = hostels.questions["In the hostels of the coast, name one of the amenities of Cliff Hall."]
        assert {"study room", "Study Room"} <= {*asked}

    def test_what_a_name_does_is_no_thing(self, hostels: Asked) -> None:
        assert not any("llows pets" in text for text in hostels.questions)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("study room", "a study room"),
        ("ethernet ports", "ethernet ports"),
        ("heat", "heat"),
        ("oven", "an oven"),
        ("2 lifts", "two lifts"),
    ],
)
def test_one_thing_alone_has_an_article(value: str, said: str) -> None:
    assert in_place(pl.Series([value]), "some").to_list() == [said]


@pytest.mark.parametrize(
    ("column", "asked"),
    [
        ("Death_Age", "At what age did X die?"),
        ("age_at_death", "At what age did X die?"),
        ("age_at_coronation", "At what age was X crowned?"),
        ("age_at_marriage", ""),  # of which one, nothing says
        ("retirement_age", ""),
    ],
)
def test_an_age_is_that_at_which_something_happened(column: str, asked: str) -> None:
    said = form(Words([]).column(column, "queen").name, "number", Subject("queen", person=True))
    assert (said.ask.replace(ROW, "X") if said.look else "") == asked


@pytest.mark.parametrize(("table", "row"), [("taxa", "taxon"), ("plant_genera", "plant genus"), ("Phyla", "phylum")])
def test_plurals_of_science_are_words(table: str, row: str) -> None:
    assert Words([table]).table(table) == Called(row)
    assert is_noun_of_rows(row)


MARSH = """
CREATE TABLE species (code TEXT, scientific_name TEXT, taxa TEXT, amphibian INTEGER, target INTEGER, marsh INTEGER);
INSERT INTO species VALUES
  ('BB', 'Bufo bufo', 'Amphibian', 1, 1, 1),
  ('RT', 'Rana temporaria', 'Amphibian', 1, 0, 0),
  ('LV', 'Lissotriton vulgaris', 'Amphibian', 1, 1, 1),
  ('NN', 'Natrix natrix', 'Reptile', 0, 1, 0),
  ('VB', 'Vipera berus', 'Reptile', 0, 0, 1),
  ('AA', 'Arvicola amphibius', 'Mammal', 0, 1, 1),
  ('LL', 'Lutra lutra', 'Mammal', 0, 0, 1),
  ('PK', 'Pelophylax kurtmuelleri', 'Amphibian, not counted', 0, 0, 0),
  ('AC', 'Ardea cinerea', 'Bird', 0, 1, 1),
  ('TT', 'Triturus cristatus', 'Amphibian', 1, 0, 1),
  ('SS', 'Salamandra salamandra', 'Amphibian', 1, 1, 0),
  ('XA', 'Amphibian sp.', 'Amphibian', 1, 0, 1),
  ('ZV', 'Zootoca vivipara', 'Reptile', 0, 0, 1);
"""


@pytest.fixture(scope="module")
def marsh(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(database(tmp_path_factory.mktemp("marsh") / "marsh.sqlite", MARSH), "the marsh survey")


class TestKindsOfYesAndNo:
    """Columns of yes and no that are called by a kind, which another column has among its values."""

    def test_a_row_is_one_of_its_kind(self, marsh: Asked) -> None:
        assert marsh.questions["In the marsh survey, is Bufo bufo an amphibian?"] == ["yes"]
        assert marsh.questions["In the marsh survey, is Lutra lutra an amphibian?"] == ["no"]

    def test_what_another_column_says_otherwise_of_is_left_out(self, marsh: Asked) -> None:
        assert not marsh.any("Pelophylax kurtmuelleri an amphibian")
        assert not marsh.any("Amphibian sp.")  # nor what its name says

    def test_a_noun_that_no_column_knows_says_of_no_row_what_it_is(self, marsh: Asked) -> None:
        assert not marsh.any("a target")
        assert not marsh.any("a marsh?")
