"""Sheets as people publish them, each a table by itself: what they are about is asked, though no row is called so."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from database_asked import Asked
from generators.erbench import sure
from generators.erbench.names import Words
from generators.erbench.rownames import naming_columns
from generators.erbench.rows import mentioned_again, value_text
from generators.erbench.tables import EntityTable
from generators.erbench.values import kind_of
from generators.family.spelling import as_said
from kg import LocalGraph
from kg.sources.sql import load_sql
from sql_database import database

TABLES = Path(__file__).parents[1] / "fixtures" / "generators" / "one_sheet.sql"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return database(tmp_path_factory.mktemp("sheet") / "sheet.sqlite", TABLES.read_text("utf-8"))


@pytest.fixture(scope="module")
def asked(url: str) -> Asked:
    return Asked(url)


class TestWhoStandsInSeveralRows:
    def test_is_somebody_with_what_all_rows_say_of_them(self, asked: Asked) -> None:
        assert asked.questions["In which year was Ada Berg born?"] == ["1951"]
        assert asked.questions["In which year was Gus Holm born?"] == ["1965"]

    def test_is_not_asked_about_what_differs_from_row_to_row(self, asked: Asked) -> None:
        assert not any("Berg" in question and ("race" in question or "Sculls" in question) for question in asked.questions)

    def test_is_what_the_rows_refer_to_which_stay_as_they_are(self, url: str) -> None:
        graph = LocalGraph.in_memory(load_sql(url))
        rows = "SELECT ?race { ?row <rowers#ref-name> ?who ; <rowers#race> ?race . ?who <rower#born> 1951 } ORDER BY ?race"
        assert graph.select(rows)["race"].to_list() == ["Arle Sculls", "Borg Regatta"]
        people = graph.select("SELECT ?name { ?one a <rower> ; rdfs:label ?name } ORDER BY ?name")["name"].to_list()
        assert people[:2] == ["Berg, Ada", "Cole, Ben"]
        assert len(people) == 7


def test_an_emperor_goes_by_one_name_but_for_one_that_another_bears(asked: Asked) -> None:
    assert asked.questions["In which city was the emperor Fulvian born?"] == ["Fara"]
    assert not asked.any("the emperor Dorian ")
    assert not asked.any("county")  # `cty` beside a province
    assert asked.any("cause of death")  # `cause` beside a killer
    assert not asked.any("Natural Causes")
    assert mentioned_again(EntityTable("", "emperor", person=True)) == "{emperor}"  # Severus Alexander is no Mr Alexander


def test_a_fire_has_no_cause_of_death() -> None:
    assert Words(["fires"], ["cause", "died"], of={"fires": ["name", "cause", "died"]}).column("cause", "fires").name == "cause"


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("sales", "name TEXT, maker TEXT, day TEXT"),
        ("matches", "name TEXT, nationality TEXT, day TEXT"),
        ("census", "name TEXT, born TEXT, day TEXT"),
    ],
)
def test_not_everything_that_is_named_again_is_somebody(tmp_path: Path, table: str, columns: str) -> None:
    rows = ", ".join(f"('Thing {at // 2}', 'M{at // 2}', '{at}')" for at in range(16))
    made = f"CREATE TABLE {table} ({columns}); INSERT INTO {table} VALUES {rows};"
    graph = LocalGraph.in_memory(load_sql(database(tmp_path / "x.sqlite", made)))
    assert graph.select("SELECT DISTINCT ?t { ?x a ?t FILTER(?t != kgp:Attribute) }").height == 1


def test_two_sheets_of_the_same_people_make_one_class(tmp_path: Path) -> None:
    rows = ", ".join(f"('A{at // 2}', {1950 + at // 2}, '{at}')" for at in range(16))
    made = "CREATE TABLE athlete_events (name TEXT, born INTEGER, race TEXT);"
    made += "CREATE TABLE athlete_results (full_name TEXT, born INTEGER, day TEXT);"
    made += f"INSERT INTO athlete_events VALUES {rows}; INSERT INTO athlete_results VALUES {rows};"
    graph = LocalGraph.in_memory(load_sql(database(tmp_path / "x.sqlite", made)))
    assert graph.select("SELECT ?x { ?x a <athlete> }").height == 8


def test_loans_are_not_called_by_their_books(tmp_path: Path) -> None:
    rows = ", ".join(f"('{album}', 'Borrower {at}', 'Norway', {year})" for at, (album, year) in enumerate(ALBUMS))
    table = f"CREATE TABLE loans (book TEXT, borrower TEXT, country TEXT, year INTEGER); INSERT INTO loans VALUES {rows};"
    assert not list(naming_columns(LocalGraph.in_memory(load_sql(database(tmp_path / "loans.sqlite", table)))))


def test_a_name_with_what_tells_father_and_son_is_turned() -> None:
    assert as_said("Duke, Charles M., Jr.", "name") == "Charles M. Duke Jr."
    assert as_said("Slayton, Donald K.", "name") == "Donald K. Slayton"


def test_letters_before_a_plural_say_who_keeps_the_sheet(asked: Asked) -> None:
    assert asked.questions["In which year was the Gran Aqueduct inscribed?"] == ["2007"]
    assert asked.any(" in the Americas?")  # `region_en`
    words = Words(["whx-sites-2019"])
    assert words.table("whx-sites-2019").name == "site"
    assert words.table("emp_skills").name == "employee skill"
    said = {
        "inca_cities": "inca city",
        "west_wing_episodes": "west wing episode",
        "area_51": "area 51",
        "oldest_bridges": "bridge",
    }
    assert {raw: Words([raw]).table(raw).name for raw in said} == said
    assert Words(["players_2014", "players_2015"]).table("players_2014").name != "player"  # which of the two, nothing says
    assert Words(["nobel_winners"]).table("nobel_winners").name == "Nobel winner"


def test_days_that_are_all_the_first_of_january_are_years(asked: Asked) -> None:
    assert asked.questions["In which year was Caspar Uhl born?"][0] == "1441"
    assert not asked.any("1 January")
    assert asked.questions["On which date did Caspar Uhl die?"][0] == "9 August 1499"
    assert "On which date did Arne Sand die?" not in asked.questions  # kept as 1460-01-01, among days
    assert kind_of(pl.Series(["1810-01-01", "1811-05-02", "1812-03-01", "1813-07-09", "1814-11-30"])) == "date"


def test_the_song_of_a_contestant_names_the_row(asked: Asked) -> None:
    assert asked.questions["In which year was the song “Low Tide” released?"] == ["1957"]
    assert asked.questions["Who performed the 1957 song “Low Tide”?"] == ["Ben Cole"]


ALBUMS = [
    ("In Winter", 1955),
    ("Low Tide", 1961),
    ("The Ninth Lock", 1967),
    ("Letters Home", 1971),
    ("Ferry", 1978),
    ("Salt", 1984),
]
COASTERS = [
    "Arle Loop",
    "Manta (Borg Park)",
    "Manta (Cala Park)",
    "Dent Flyer",
    "Este (roller coaster)",
    "Fara Plunge",
    "Gran Twister",
    "Holm Drop",
]


def test_a_goal_is_not_called_by_who_scored_it(tmp_path: Path) -> None:
    people = [("Ada", "Berg"), ("Ben", "Cole"), ("Cleo", "Dorn"), ("Dan", "Ek"), ("Eva", "Falk"), ("Finn", "Gran")]
    rows = ", ".join(f"('{first}', '{last}', 'Team {last}', {at})" for at, (first, last) in enumerate(people))
    table = "CREATE TABLE goals (given_name TEXT, family_name TEXT, team_name TEXT, minute INTEGER);"
    assert Words(["goals"]).table("goals").name == "goal"
    with pytest.raises(StopIteration):  # nothing is proposed: no item, no question
        next(iter(Asked(database(tmp_path / "goals.sqlite", f"{table} INSERT INTO goals VALUES {rows};")).questions))


def test_a_team_that_is_called_as_a_country_has_its_article() -> None:
    team = EntityTable("", "team", quoted=False, lands=True)
    assert value_text(team, "winner") == "{winner:the}"
    assert value_text(EntityTable("", "team", quoted=False), "winner") == "{winner}"


def test_albums_name_the_rows_of_a_sheet_that_is_called_otherwise(tmp_path: Path) -> None:
    rows = ", ".join(f"('{album}', {year}, {rank})" for rank, (album, year) in enumerate(ALBUMS))
    table = "CREATE TABLE rolling_stone (album TEXT, release_year INTEGER, rank_2003 INTEGER);"
    asked = Asked(database(tmp_path / "stone.sqlite", f"{table} INSERT INTO rolling_stone VALUES {rows};"))
    assert asked.questions["In which year was the album “Low Tide” released?"] == ["1961"]


def test_what_an_encyclopedia_puts_behind_names_leaves_the_others(tmp_path: Path) -> None:
    rows = ", ".join(f"('{name}', {1960 + 3 * at})" for at, name in enumerate(COASTERS))
    table = "CREATE TABLE coaster_db (coaster_name TEXT, year_introduced INTEGER);"
    asked = Asked(database(tmp_path / "coasters.sqlite", f"{table} INSERT INTO coaster_db VALUES {rows};"))
    assert asked.questions["In which year was the coaster Dent Flyer introduced?"] == ["1969"]
    assert not asked.any("(")


def test_a_continent_is_no_building(asked: Asked) -> None:
    assert asked.questions["How many floors does Borg Plaza have?"] == ["72"]
    assert not asked.any("Was Asia") and not asked.any("is Oceania")  # noqa: PT018
    assert not asked.any("tallest building Arle")


def test_several_of_the_others_are_no_value() -> None:
    values = pl.Series(["Japan", "Nepal", "Japan, Nepal", "Washington, D.C."])
    assert sure.odd(pl.Series(["Japan, Taiwan", "Asia", "Castile and León"]), "place", "region").to_list() == ["Japan, Taiwan"]
    assert "Japan, Nepal" in sure.odd(values, "place", "first ascent country").to_list()
    assert "Washington, D.C." not in sure.odd(values, "place", "country").to_list()
    assert sure.odd(pl.Series(["Paris", "Texas", "Paris, Texas"]), "place", "birth place").is_empty()
