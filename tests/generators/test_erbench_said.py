"""How a person would say it: breeds, what is over, what its keepers alone know, names that need no noun, and many columns."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import pytest

from database_asked import Asked
from generators.column_names import WordLists
from generators.erbench import Catalog, propose
from generators.erbench.forms import form
from generators.erbench.names import Words
from generators.erbench.rownames import naming_columns
from generators.erbench.sentences import ROW, Subject
from generators.family.kinds import with_kind
from kg import LocalGraph
from kg.errors import InputError
from kg.sources.sql import load_sql
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"
COLUMNS = list(csv.DictReader((FIXTURES / "columns_said.csv").read_text(encoding="utf-8").splitlines()))
NOUNS = {noun: list(rows) for noun, rows in itertools.groupby(COLUMNS, key=lambda row: row["noun"])}


@pytest.fixture(scope="module")
def kennel(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("kennel")
    return Asked(database(folder / "kennel.sqlite", (FIXTURES / "kennel.sql").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def missions(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("missions")
    return Asked(database(folder / "missions.sqlite", (FIXTURES / "missions.sql").read_text(encoding="utf-8")))


@pytest.mark.parametrize("noun", NOUNS)
def test_a_column_is_asked_in_these_words_or_not_at_all(noun: str) -> None:
    """Columns as schemas call them, with what is asked of each; nothing where nobody is sure how to say it."""
    words, persons, places = Words([]), WordLists.load().persons, WordLists.load().places
    for row in NOUNS[noun]:
        to = row["to"]
        name = row["column"].replace("_", " ") if to else words.column(row["column"], "").name
        subject = Subject(noun, noun in persons, noun in places)
        said = form(name, row["kind"], subject, to or None, person=(to or name).split()[-1] in persons)
        assert (said.ask.replace(ROW, "X") if said.look else "") == row["ask"], row["column"]


class TestAClubOfDogs:
    def test_a_dog_is_one_of_its_breed(self, kennel: Asked) -> None:
        assert kennel.questions["What breed was the dog Arlo?"] == ["German Shepherd"]
        assert kennel.any("Was the dog Echo an Affenpinscher?") or kennel.any("Was the dog Balt a Border Collie?")
        assert not kennel.any("belong to the breed")

    def test_what_all_rows_are_praised_as_is_not_said(self, kennel: Asked) -> None:
        assert not kennel.any("famous")

    def test_who_owned_the_dead_is_asked_of_the_dead_alone(self, kennel: Asked) -> None:
        assert kennel.questions["Who was the owner of the dog Cato?"] == ["Ann Vane"]
        assert not kennel.any("the owner of the dog Fala?")

    def test_what_members_own_is_said_to_be_of_the_database(self, kennel: Asked) -> None:
        assert kennel.questions["According to the test, what breed is the dog Mill Rex?"] == ["Puli"]
        probed = {family.name for family in propose(kennel.catalog, 2, "tests") if "probe" in family.front}
        assert {name for name in probed if name.startswith("famous-dog-")}
        assert not {name for name in probed if name.startswith("dog-")}  # nobody else has heard of them

    def test_a_measure_is_of_what_stands_behind_it(self, kennel: Asked) -> None:
        assert not kennel.any("height dog")


class TestMissions:
    def test_what_happened_once_is_past(self, missions: Asked) -> None:
        assert missions.questions["Was the mission Arle 1 crewed?"] == ["yes"]
        assert missions.questions["Which launch vehicle launched the mission Borg 1?"] == ["Borg 2"]

    def test_a_noun_that_says_too_little_is_left_out(self, missions: Asked) -> None:
        assert missions.questions["Who discovered Alva?"] == ["Ada Berg"]
        assert missions.questions["In which year was Arlespace established?"] == ["1961"]

    def test_a_mission_weighs_nothing(self, missions: Asked) -> None:
        assert not missions.any("kilograms")

    def test_a_crew_was_on_a_mission(self, missions: Asked) -> None:
        assert missions.questions["Name one of the astronauts on the mission Arle 1."]
        assert missions.any("one of the astronauts on the mission ")

    def test_what_somebody_was_is_asked_without_saying_what_they_were(self, missions: Asked) -> None:
        assert missions.any("Was Bo Dahl an engineer?") or missions.any("Was Cy Lund ")
        assert not missions.any("Was the astronaut Bo Dahl an engineer?")

    def test_a_person_says_what_a_row_is(self, tmp_path: Path) -> None:
        url = database(tmp_path / "missions.sqlite", (FIXTURES / "missions.sql").read_text(encoding="utf-8"))
        graph = LocalGraph.in_memory(load_sql(url))
        called = Catalog(graph, calls=["dim_launch_veh=rocket"])
        assert [table.name for table in called.tables.values() if table.name == "rocket"]
        with pytest.raises(InputError, match="there is no table 'dim_launch'"):
            Catalog(graph, calls=["dim_launch=rocket"])
        with pytest.raises(InputError, match="does not say what a row is"):
            Catalog(graph, calls=["dim_launch_veh="])


SHEET = """
CREATE TABLE tunnels_import (rec_no INTEGER PRIMARY KEY, src_file TEXT, tunnel TEXT, country TEXT);
CREATE TABLE repairs (rec_no INTEGER PRIMARY KEY, tunnel TEXT, cost_eur INTEGER);
INSERT INTO tunnels_import VALUES (1, 'a.xls', 'Arle Tunnel', 'Italy'), (2, 'a.xls', 'Borg Tunnel', 'Norway'),
  (3, 'a.xls', 'Cala Tunnel', 'Spain');
INSERT INTO repairs VALUES (1, 'Arle Tunnel', 5), (2, 'Arle Tunnel', 7), (3, 'Borg Tunnel', 9);
"""


class TestAnImportedSheet:
    def test_rows_go_by_the_column_that_is_called_as_they_are(self, tmp_path: Path) -> None:
        graph = LocalGraph.in_memory(load_sql(url := database(tmp_path / "sheet.sqlite", SHEET)))
        assert naming_columns(graph) == ["tunnels_import.tunnel"]  # a repair is no tunnel
        named = Catalog(LocalGraph.in_memory(load_sql(url, labels=naming_columns(graph))))
        assert [table.name for table in named.tables.values()] == ["tunnel"]


class TestNames:
    def test_a_year_in_brackets_is_said(self) -> None:
        assert with_kind("Tay Bridge of 1887", "bridge") == "the Tay Bridge of 1887"

    def test_kinds_of_bridges_have_their_article(self) -> None:
        names = ["Lake Arle Causeway", "Borg Viaduct", "Vidyasagar Setu"]
        assert [with_kind(name, "bridge") for name in names] == [
            "the Lake Arle Causeway",
            "the Borg Viaduct",
            "the bridge Vidyasagar Setu",
        ]
