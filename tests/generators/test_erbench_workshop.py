"""What a reader of databases at first sight found: guessed words, logs, stock, surnames first, a museum's numbers."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from database_asked import Asked
from generators.erbench.flags import flag
from generators.erbench.forms import form
from generators.erbench.names import Words
from generators.erbench.sentences import ROW, VALUE, Subject
from generators.erbench.sure import odd
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("workshop")
    return Asked(database(folder / "workshop.sqlite", (FIXTURES / "workshop.sql").read_text(encoding="utf-8")))


class TestRows:
    """What rows are called, and which of them nobody asks about."""

    def test_a_numbered_thing_is_asked_about_and_a_list_of_jobs_is_not(self, workshop: Asked) -> None:
        assert workshop.questions["According to the test, what make is bike 1?"] == ["Koga"]
        assert workshop.questions["According to the test, what model is bike 5?"] == ["Mark 15"]
        assert not workshop.any("job 30")

    def test_stock_is_somebodys_and_in_a_depot(self, workshop: Asked) -> None:
        assert workshop.questions["According to the test, how many grams does the item Cine 24 weigh?"] == ["397"]
        assert workshop.any("in the Kreuzberg depot?")
        assert workshop.any("the item Super Baltar made by ARRI?")

    def test_a_surname_in_capitals_stands_last(self, workshop: Asked) -> None:
        asked = workshop.questions["In which year was Johan van der Berg born?"]
        assert asked == ["1926"]
        assert workshop.any("Antonio Martín")

    def test_a_museum_s_number_is_a_mark(self, workshop: Asked) -> None:
        assert workshop.questions["According to the test, what is the mass of the specimen BM.1904.M2 in grams?"] == ["15.5"]

    def test_rows_are_not_called_by_who_did_something_to_them(self, workshop: Asked) -> None:
        assert not workshop.any("production Ada Berg")
        assert any("production" in name for name in workshop.catalog.refused)


class TestLinks:
    """Foreign keys whose names say nothing, and what happened to rows."""

    def test_a_key_that_is_no_word_is_called_as_what_it_leads_to(self, workshop: Asked) -> None:
        assert workshop.questions["In which country was the meteorite Abee found?"] == ["Canada"]

    def test_a_race_was_won_and_sponsored(self, workshop: Asked) -> None:
        assert workshop.questions["Who sponsored the Spring Cup?"] == ["Harken"]
        assert workshop.questions["Which team won the Spring Cup?"] == ["Reynolds"]


class TestWords:
    """Letters that may be short for several words, and what a word does."""

    def test_a_table_is_called_by_no_word_that_is_guessed(self) -> None:
        assert Words(["TBL_CSTM", "TBL_VNU"]).table("TBL_CSTM").unsaid == "cstm"
        assert Words(["TBL_CSTM", "TBL_COSTUME_SIZE"]).table("TBL_CSTM").name == "costume"

    def test_a_column_of_two_names_goes_by_the_first(self) -> None:
        assert Words(["Cinemas"]).column("Town / City", "Cinemas").name == "town"
        assert Words(["Cars"]).column("Speed (km/h)", "Cars").name != "speed"

    def test_a_table_called_by_what_was_done_is_called_by_what_it_is(self) -> None:
        assert Words(["Festivals held"]).table("Festivals held").name == "festival"

    def test_a_foundry_casts_bells_and_no_typefaces(self) -> None:
        assert form("foundry", "text", Subject("bell"), "foundry").ask == f"Which foundry cast {ROW}?"
        assert form("foundry", "text", Subject("typeface"), "foundry").ask == f"Which foundry is {ROW} from?"

    def test_nothing_is_toured_because_a_column_says_first_tour(self) -> None:
        assert form("first tour", "year", Subject("climb")).look is None
        assert form("first performance", "year", Subject("opera")).look == "year"

    def test_what_is_not_counted_has_no_article(self) -> None:
        assert flag("has electricity") == (f"Does {ROW} have electricity?", f"{ROW} does not have electricity")
        assert flag("has roof") == (f"Does {ROW} have a roof?", f"{ROW} does not have a roof")

    def test_a_genus_is_of_no_type_species(self) -> None:
        assert form("type species", "text", Subject("dinosaur")).ask == f"What is the type species of {ROW}?"


class TestReaders:
    """What a second reader found of six other databases."""

    def test_who_waits_is_no_wait(self) -> None:
        assert Words(["wait_list", "plot"]).table("wait_list").unsaid == "wait"
        assert Words(["member_list", "plot"]).table("member_list").unsaid is None

    def test_one_arrives_somewhere_and_an_animal_at_its_zoo(self) -> None:
        assert form("arrived year", "year", Subject("mission")).look is None
        assert form("arrived year", "year", Subject("animal")).look == "year"

    def test_somebody_is_male(self) -> None:
        assert form("sex", "text", Subject("pet")).claim == f"Is {ROW} {VALUE}?"

    def test_a_body_without_its_article_is_nobody(self) -> None:
        assert odd(pl.Series(["Wildlife trust", "Ada Berg", "Jan van der Meer"]), "persons").to_list() == ["Wildlife trust"]

    def test_pets_are_told_by_their_owners(self, workshop: Asked) -> None:
        assert workshop.questions["In which year was Bo Dahl’s pet Rex born?"] == ["2002"]
        assert not workshop.any("of the owner")

    def test_no_country_is_one_of_the_countries_of_a_film(self, workshop: Asked) -> None:
        assert not workshop.any("countries of the film")

    def test_people_with_initials_are_no_requests(self, workshop: Asked) -> None:
        assert not workshop.any("K. Voss")
