"""What readers found of databases that nobody had seen before: names once, figures in words, marks, cut words."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from generators.erbench import refusals
from generators.erbench.names import Words
from generators.family.kinds import with_kind
from sql_database import database

CLUBS = ["Arle United", "Borg Rovers", "Cala City", "Dorn Town", "Esk Albion", "Fosse Rangers", "Glen Wanderers"]
MANAGERS = ["Ada Berg", "Bo Dahl", "Cy Lund", "Di Holm", "Ed Falk", "Flo Strand", "Gus Lind"]
LANDS = ["Swedish", "Danish", "Dutch", "German", "Polish", "Irish", "Scottish"]
FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def operas(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("operas")
    return Asked(database(folder / "operas.sqlite", (FIXTURES / "opera_house.sql").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def airfield(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("airfield")
    return Asked(database(folder / "airfield.sqlite", (FIXTURES / "airfield.sql").read_text(encoding="utf-8")))


class TestAnOperaHouse:
    def test_each_option_of_a_choice_is_a_sentence(self, operas: Asked) -> None:
        told = [options for options in operas.options if "Fenn died in 1855." in options]
        assert told
        assert all(option.startswith("Fenn ") and option.endswith(".") for options in told for option in options)

    def test_the_same_statements_are_asked_in_one_phrasing(self, operas: Asked) -> None:
        assert operas.repeated == 0
        assert len({tuple(sorted(options)) for options in operas.options}) == len(operas.options)

    def test_a_work_is_in_a_language_and_has_acts_in_words(self, operas: Asked) -> None:
        assert operas.any(" in German?")
        assert not operas.any("German language")
        assert operas.any(" three acts?")
        assert any("It has two acts." in options for options in operas.options)

    def test_a_work_goes_by_its_english_title_where_it_has_one(self, operas: Asked) -> None:
        assert operas.questions["Who composed the opera “The Bell”?"] == ["Odo Fenn"]
        assert operas.questions["Who composed the opera “Alma”?"] == ["Ulla Brandt"]
        assert not operas.any("Die Glocke")

    def test_who_wrote_a_libretto_wrote_no_opera(self, operas: Asked) -> None:
        assert operas.questions["Who wrote the libretto of the opera “Norma”?"] == ["Flo Conti"]

    def test_people_of_long_ago_are_told_by_what_they_did(self, operas: Asked) -> None:
        assert operas.any(" Ada Lind ")
        assert not operas.any("Is the composer Ada Lind ")

    def test_houses_take_their_articles(self, operas: Asked) -> None:
        assert operas.questions["In which town or city is the Royal Opera House?"] == ["Arle"]
        assert operas.questions["In which town or city is the Burgtheater?"] == ["Borg"]
        assert operas.questions["In which town or city is the La Perla theatre?"] == ["Cala"]


class TestAnAirfield:
    def test_rows_without_a_name_go_by_their_marks(self, airfield: Asked) -> None:
        assert airfield.questions["According to the test, in which year was the glider D-1234 built?"] == ["1985"]
        assert airfield.questions["According to the test, what is the base airfield of the glider D-9004?"] == ["Geldorf"]

    def test_cut_words_are_told_by_the_schema(self, airfield: Asked) -> None:
        assert airfield.questions["In which town is the airfield Telgau?"] == ["Munst"]
        assert airfield.questions["In which year did the aircraft type ASK 21 first fly?"] == ["1979"]

    def test_private_data_stay_refused(self, airfield: Asked) -> None:
        assert airfield.catalog.refused["pilot: date of birth"] == refusals.PERSONAL
        assert not airfield.any("0171")


def test_the_key_of_a_table_is_no_link_to_what_refers_to_it(tmp_path: Path) -> None:
    clubs = ", ".join(f"({n}, '{name}', {1880 + n}, {n + 20})" for n, name in enumerate(CLUBS))
    managers = ", ".join(f"({n + 20}, '{name}', '{land}')" for n, (name, land) in enumerate(zip(MANAGERS, LANDS, strict=True)))
    league = database(
        tmp_path / "league.sqlite",
        f"""CREATE TABLE tblClub (ClubID INTEGER PRIMARY KEY, ClubName TEXT, FoundedYr INTEGER, MgrID INTEGER UNIQUE);
        CREATE TABLE tblManager (MgrID INTEGER PRIMARY KEY, FullName TEXT, Nationality TEXT);
        INSERT INTO tblClub VALUES {clubs}; INSERT INTO tblManager VALUES {managers};""",
    )
    asked = Asked(league, about="the Arle league")
    assert asked.questions["In the Arle league, who is the manager of the club Arle United?"] == ["Ada Berg"]
    assert not Asked(league).any("the manager of the club")  # who may be another tomorrow
    assert not asked.any("manager of the manager Ada Berg")
    assert not asked.any("Was the manager Ada Berg ")  # who manages an old club lives


@pytest.mark.parametrize(
    ("tables", "columns", "column", "table", "said"),
    [
        (["glider"], ["reg_no", "hangar"], "reg_no", "glider", "registration number"),
        (["winery"], ["reg", "country", "town"], "reg", "winery", "region"),
        (["glider"], ["comp_no", "reg_no"], "comp_no", "glider", "competition number"),
        (["employee"], ["comp", "ceo", "revenue"], "comp", "employee", "company"),
        (["pilot"], ["qual"], "qual", "pilot", "qualification"),
        (["product"], ["qual", "grade"], "qual", "product", "quality"),
        (["thing"], ["qual", "hue"], "qual", "thing", None),
        (["boat"], ["bld_yr"], "bld_yr", "boat", "built year"),
        (["campus"], ["bld_no"], "bld_no", "campus", "building number"),
    ],
)
def test_letters_that_are_short_for_several_words(
    tables: list[str], columns: list[str], column: str, table: str, said: str | None
) -> None:
    called = Words(tables, columns).column(column, table)
    assert (None if called.unsaid else called.name) == said


def test_an_ambiguous_cut_word_is_refused_alone_and_says_why() -> None:
    assert refusals.unsaid("qual") == "“qual” in its name may be qualification or quality"


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("Metropolitan Opera House", "theatre", "the Metropolitan Opera House"),
        ("Semperoper", "theatre", "the Semperoper"),
        ("National Theatre Munich", "theatre", "the National Theatre Munich"),
        ("Wigmore Hall", "venue", "Wigmore Hall"),
        ("Itaipu", "dam", "the Itaipu dam"),
        ("Hoover Dam", "dam", "the Hoover Dam"),
        ("Mayfair Games", "publisher", "Mayfair Games"),
        ("Yasnaya Polyana", "museum", "the Yasnaya Polyana museum"),
        ("Tate Modern", "museum", "Tate Modern"),
        ("Salle Pleyel", "venue", "the Salle Pleyel"),
        ("Egyptian pound", "currency", "the Egyptian pound"),
        ("Euro", "currency", "the euro"),
        ("Hörnli Hut", "hut", "the Hörnli Hut"),
        ("Graian Alps", "mountain range", "the Graian Alps"),
    ],
)
def test_the_articles_of_houses_companies_and_money(name: str, kind: str, said: str) -> None:
    assert with_kind(name, kind) == said
