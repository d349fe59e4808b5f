"""Tables whose names are cut short: what their rows are is told by the rows themselves, and by the tables beside them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from database_asked import Asked
from generators.erbench.csv_folder import as_database
from generators.erbench.forms import form
from generators.erbench.names import Words
from generators.erbench.sentences import Subject
from generators.erbench.sure import does, is_noun_of_rows
from generators.erbench.values import are_common, inverted
from generators.family.spelling import as_said
from kg.sources._names import label_of
from kg.sources._rows import Rows
from sql_database import database

FOLDER = Path(__file__).parents[1] / "fixtures" / "generators" / "cut_tables"


@pytest.fixture(scope="module")
def asked() -> Asked:
    with as_database(FOLDER) as url:
        return Asked(url)


def test_rows_tell_by_their_names_what_letters_are_short_for(asked: Asked) -> None:
    assert asked.questions["How many turns does the Drum Circuit have?"] == ["12"]
    assert asked.questions["What was the home circuit of Ada Berg?"] == ["Holm Circuit"]
    assert not asked.any("circumference")


def test_whoever_has_died_is_no_driver_of_a_firm(asked: Asked) -> None:
    assert asked.questions["On which date was Bo Dahl born?"][0] == "11 February 1923"
    assert not asked.any("According to the test, on which date")


def test_people_are_called_by_no_noun_that_is_said_of_nobody(asked: Asked) -> None:
    assert asked.questions["In which year was Eva Zorn born?"] == ["1778"]
    assert not asked.any("eponym")


def test_what_is_for_sale_is_called_as_its_groups_are(asked: Asked) -> None:
    assert asked.questions["According to the test, how tall is the common sage, in centimetres?"] == ["20"]
    assert not asked.any("product")


def test_a_table_whose_name_letters_begin_is_meant_by_them() -> None:
    schema = Words(["mineral", "min_class", "elem", "pers"], of={"drv": ["dob"]})
    assert [schema.table(name).name for name in ("min_class", "elem", "pers", "drv")] == [
        "mineral class",
        "element",
        "person",
        "driver",
    ]
    assert Words(["min_class"]).table("min_class").name == "minimum class"


def test_a_surname_in_capitals_is_written_as_any_name() -> None:
    assert [as_said(name, "name") for name in ("DOUGLAS-HOME, Alec", "O'NEILL, Ann", "Butler, R. A.")] == [
        "Alec Douglas-Home",
        "Ann O'Neill",
        "R. A. Butler",
    ]


def test_the_one_text_beside_a_code_is_its_name() -> None:
    codes = pl.DataFrame({"CD": ["GBR", "ITA", "FRA"], "CTRY": ["United Kingdom", "Italy", "France"]})
    assert label_of("NAT", Rows.of(codes), ["CD", "CTRY"], ("CD",)) == ("CTRY",)
    voices = pl.DataFrame({"cd": ["s", "t", "b"], "dsc": ["soprano", "tenor", "bass"]})
    assert label_of("vce", Rows.of(voices), ["cd", "dsc"], ()) == ("dsc",)
    shops = pl.DataFrame({"name": ["Berg and Sons", "Dahl", "Falk"], "motto": ["First", "Best", "Last"]})
    assert label_of("shop", Rows.of(shops), ["name", "motto"], ("name",)) == ("name",)


def test_years_run_together_with_what_happened_in_them() -> None:
    words = Words(["vessel", "expedition"])
    assert words.column("yrblt", "vessel").name == "year built"
    assert words.column("yrret", "expedition").name == "year return"


def test_an_expedition_is_led_by_nobody_today(tmp_path: Path) -> None:
    rows = "".join(f"{town} Expedition,Ada {town}son\n" for town in ("Arle", "Borde", "Calder", "Drum", "Elve", "Farn"))
    (tmp_path / "exped.csv").write_text(f"expnam,ldr\n{rows}", encoding="utf-8")
    with as_database(tmp_path) as url:
        asked = Asked(url)
    assert asked.any("Who was the leader of the ")
    assert not asked.any("Who is ")


def test_what_keepers_keep_beside_peoples_mail_is_asked_in_their_database(tmp_path: Path) -> None:
    people = "".join(
        f"{name},{name.split()[0].lower()}@arle.example\n" for name in ("Ada Berg", "Bo Dahl", "Cy Falk", "Di Gran")
    )
    (tmp_path / "parishioners.csv").write_text(f"name,email\n{people}", encoding="utf-8")
    bells = "".join(f"{name},{212 + 37 * n}\n" for n, name in enumerate(("Mary", "Wilfrid", "Hope", "Old Kate", "Copley")))
    (tmp_path / "bells.csv").write_text(f"name,weight_kg\n{bells}", encoding="utf-8")
    with as_database(tmp_path) as url:
        asked = Asked(url)
    assert asked.any("According to the test, how many kilograms does the bell Hope weigh?")


def test_what_programs_say_of_types_is_no_word_of_a_name(tmp_path: Path) -> None:
    words = Words(["tblClub", "Switchboard Items"])
    assert words.column("strNickName", "tblClub").name == "nickname"
    rows = "".join(f"{n},1{n}/05/1997 00:00:00,Keith\n" for n in range(8))
    (tmp_path / "tblVisit.csv").write_text(f"lngVisitID,dtmVisit,strWith\n{rows}", encoding="utf-8")
    with as_database(tmp_path) as url:
        assert not Asked(url).any("1997 00:00:00")


def test_who_came_before_is_asked_so() -> None:
    made = form("previous rector", "text", Subject("rector", person=True), "rector", person=True)
    assert made.ask == "Who directly preceded ‹row›?"


def test_a_table_cut_to_another_word_is_read_by_its_rows(tmp_path: Path) -> None:
    stones = ("beryl", "spinel", "corundum", "topaz", "zircon", "quartz", "opal", "turquoise")
    rows = "".join(f"{stone},{7 + n / 4}\n" for n, stone in enumerate(stones))
    (tmp_path / "miner.csv").write_text(f"minnam,hardness\n{rows}", encoding="utf-8")
    with as_database(tmp_path) as url:
        assert [*Asked(url).catalog.names.values()] == ["mineral"]


def test_a_sheet_of_lights_whose_first_column_is_lighthouse_is_one_of_lighthouses(tmp_path: Path) -> None:
    rows = "".join(
        f"{town} Ness,{1800 + 7 * n}\n" for n, town in enumerate(("Arle", "Borde", "Calder", "Drum", "Elve", "Farn"))
    )
    (tmp_path / "lights.csv").write_text(f"Lighthouse,Year built\n{rows}", encoding="utf-8")
    with as_database(tmp_path) as url:
        assert Asked(url).questions["In which year was the Drum Ness lighthouse built?"] == ["1821"]


def test_of_seven_summits_each_is_one_and_a_cast_is_nobody() -> None:
    assert Words(["Seven Summits"]).table("Seven Summits").name == "summit"
    assert Words(["ARLN"]).table("ARLN").name == "airline"
    assert not is_noun_of_rows("cast")


def test_a_philosopher_wrote_a_work_and_is_not_its_philosopher() -> None:
    made = form("philosopher", "text", Subject("work"), "philosopher", person=True)
    assert (made.ask, made.whole) == ("Who wrote ‹row›?", "the philosopher who wrote ‹row›")


def test_one_of_several_values_tells_how_all_are_written() -> None:
    assert inverted(pl.Series(["Stephenson, Robert", "Gresley, Nigel; Webb, Francis", "Eiffel, Gustave"]))
    assert are_common(pl.Series(["Road", "Rail", "Road; Rail", "Foot"]))


def test_a_bell_is_cast_by_its_founder_and_a_club_founded() -> None:
    assert form("founder", "text", Subject("bell")).ask == "Who cast ‹row›?"
    assert form("founder", "text", Subject("club")).ask == "Who founded ‹row›?"
    assert does("person", "party") == "belong to"


def test_a_ship_is_found_and_a_butterfly_first_described() -> None:
    assert form("year founded", "year", Subject("ship")).ask == "In which year was ‹row› found?"
    assert form("author", "text", Subject("butterfly"), "author", person=True).ask == "Who first described ‹row›?"
    assert as_said("Yorkshire-fog", "small") == "Yorkshire-fog"


def test_three_letters_among_cut_names_may_be_cut_too(tmp_path: Path) -> None:
    clinic = """CREATE TABLE STF (STF_NO INTEGER PRIMARY KEY, NM TEXT); INSERT INTO STF VALUES (1, 'Ada Berg'), (2, 'Bo Dahl');
        CREATE TABLE TRT (TRT_CD TEXT PRIMARY KEY, DESCR TEXT); INSERT INTO TRT VALUES ('A1', 'x-ray'), ('B2', 'bath');
        CREATE TABLE PAT (PAT_NO INTEGER PRIMARY KEY, NM TEXT, DIET TEXT);
        INSERT INTO PAT VALUES (1, 'Boots', 'senior'), (2, 'Gus', 'kitten'),
        (3, 'Rex', 'grain free'), (4, 'Tom', 'raw'), (5, 'Lilo', 'puppy'), (6, 'Momo', 'fish');"""
    asked = Asked(database(tmp_path / "clinic.sqlite", clinic))
    assert not asked.any("pat ")
