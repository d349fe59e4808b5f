"""What a person would say of public things: tunnels, races, animals, scholars, treaties, plays, dinosaurs, makers of cars."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from sql_database import database

TABLES = Path(__file__).parents[1] / "fixtures" / "generators" / "public_tables.sql"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(database(tmp_path_factory.mktemp("public") / "public.sqlite", TABLES.read_text("utf-8")))


def test_a_tunnel_of_two_countries_is_asked_for_none_of_them(asked: Asked) -> None:
    assert asked.questions["In which country is the Arle Tunnel?"] == ["Austria"]
    assert "In which country is the Dent Tunnel?" not in asked.questions
    assert asked.questions["How long is the Dent Tunnel, in kilometres?"] == ["9.4"]
    assert not asked.any("second country")


def test_a_race_that_is_held_again_takes_place(asked: Asked) -> None:
    assert asked.questions["In which country does the Holm Marathon take place?"] == ["Norway"]
    assert asked.any("the race Tour de Fara")


def test_animals_are_species_and_written_small(asked: Asked) -> None:
    assert asked.questions["What is the scientific name of the snow leopard?"] == ["Panthera uncia"]
    assert asked.any("the Himalayan tahr")
    assert asked.any("of the giraffe?")
    assert not asked.any("bison?")  # Bison bison gives itself away


def test_nobody_keeps_all_animals_of_a_park(asked: Asked) -> None:
    assert asked.questions["In which year was Wood Bison Park established?"] == ["1922"]
    assert not asked.any("one of the")


def test_somebodys_people_are_theirs(asked: Asked) -> None:
    assert asked.questions["Who is Dea Falk’s advisor?"] == ["Ada Berg"]
    assert asked.questions["At which university did Ada Berg earn a doctorate?"] == ["University of Arle"]
    assert asked.any("Cai Ek’s advisor born")


def test_a_treaty_goes_by_its_title_without_marks(asked: Asked) -> None:
    assert asked.questions["On which date was the Borg Convention signed?"][0] == "18 April 1951"
    assert asked.questions["On which date was the Treaty on Eastern Fara signed?"][0] == "2 November 1992"


def test_secretaries_general_are_from_countries(asked: Asked) -> None:
    assert asked.questions["Which country is Lea Nilo from?"] == ["Italy"]


def test_a_playwright_wrote_plays(asked: Asked) -> None:
    assert asked.questions["Who wrote the play “Three Kettles”?"] == ["Bea Tour"]


def test_a_dinosaur_is_called_by_its_genus_and_no_day_of_an_edit_is_asked(asked: Asked) -> None:
    assert asked.questions["In which year was the Stegosaurus named?"] == ["1877"]
    assert not asked.any("edited")
    assert not asked.any("roof lizard")


def test_a_maker_has_a_parent_company_and_is_not_made_by_it(asked: Asked) -> None:
    assert asked.questions["What is the parent company of the car maker Borgar?"] == ["Arlex"]
    assert not asked.any("made the car maker")


def test_a_model_goes_by_its_make(asked: Asked) -> None:
    assert asked.questions["In which year was the Arlex 900 introduced?"] == ["1978"]
    assert asked.questions["Who made the car model Lupo?"] == ["Borgar"]
    assert not asked.any("Griess Griess")


def test_a_mountain_is_so_many_metres_high(asked: Asked) -> None:
    assert asked.questions["How high above sea level is Estegg, in metres?"] == ["8126"]
    assert asked.any("metres high?")
    assert not asked.any("metres above sea level?")


def test_who_is_credited_alone_discovered_it(asked: Asked) -> None:
    assert asked.questions["Who discovered the asteroid Corvina?"] == ["Wim Carl"]
    assert not asked.any("Who discovered the asteroid Galene")  # two did
    assert asked.questions["At which observatory was the asteroid Galene discovered?"] == ["Arle Observatory"]


def test_a_life_that_is_told_is_known_to_the_world(asked: Asked) -> None:
    assert asked.questions["In which year did Vera Birk die?"] == ["1899"]


def test_an_award_is_a_prize_and_a_city_has_one_metro(asked: Asked) -> None:
    assert asked.any("a top prize?")
    assert asked.questions["On which date did the Borg Railway open?"][0] == "2 May 1896"
    assert asked.any("the system Denthorn Bahn")


def test_a_novel_won_a_prize(asked: Asked) -> None:
    assert asked.questions["Which literary prize did the novel “Harbour Lights” win?"] == ["Borg Medal for Fiction"]
    assert asked.questions["In which year was the Borg Medal for Fiction established?"] == ["1936"]


def test_a_lake_is_lake_something(asked: Asked) -> None:
    assert asked.questions["What is the area of Lake Vattern in square kilometres?"] == ["1912"]
    assert asked.any("of the Dead Sea of Borg") or asked.any("is the Dead Sea of Borg")
    assert not asked.any("lake Lago")


def test_a_wreck_of_a_ship_goes_by_no_number(asked: Asked) -> None:
    assert not asked.any("wreck 3")
    assert asked.catalog.refused["wreck"].startswith("its rows have no names")


def test_an_engine_has_a_capacity_and_a_car_a_mileage(asked: Asked) -> None:
    assert asked.questions["What is the engine capacity of the car Arlex One in cubic centimetres?"][0] == "1499"
    assert asked.any("mileage of the car Arlex One")


def test_what_ails_a_member_is_asked_by_nobody(tmp_path: Path) -> None:
    members = """CREATE TABLE mbr (no INTEGER PRIMARY KEY, nm TEXT, eml TEXT, med TEXT);
        INSERT INTO mbr VALUES (1, 'Ada Berg', 'a@b.example', 'bad back'), (2, 'Bo Dahl', 'b@b.example', 'hay fever'),
        (3, 'Cai Ek', 'c@b.example', 'asthma'), (4, 'Dea Falk', 'd@b.example', 'gout'),
        (5, 'Eva Gran', 'e@b.example', 'vertigo'),
        (6, 'Finn Holm', 'f@b.example', 'diabetes');"""
    told = Asked(database(tmp_path / "club.sqlite", members))
    assert not told.questions
    assert told.catalog.refused["member: medium"] == "personal data (--personal asks for them)"


def test_when_a_club_got_its_copy_the_world_does_not_know(tmp_path: Path) -> None:
    club = """CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
        INSERT INTO member VALUES (1, 'Ada Berg', 'a@b.example'), (2, 'Bo Dahl', 'b@b.example');
        CREATE TABLE game (id INTEGER PRIMARY KEY, title TEXT, year_published INTEGER, date_acquired TEXT);
        INSERT INTO game VALUES (1, 'Arlo', 1995, '2009-04-14'), (2, 'Borga', 2001, '2010-05-15'),
        (3, 'Calina', 2004, '2011-06-16'),
        (4, 'Denthorn', 2010, '2012-07-17'), (5, 'Estelle', 2012, '2013-08-18'), (6, 'Faraway', 2019, '2020-09-19');"""
    told = Asked(database(tmp_path / "club.sqlite", club))
    assert told.any("published")
    assert not told.any("acquired")


def test_who_did_something_to_what_is_not_named_goes_by_the_name_alone(asked: Asked) -> None:
    assert asked.questions["In which year did Vera Birk die?"] == ["1899"]
    assert not asked.any("the discoverer")


def test_a_rotation_in_hours_is_a_period(asked: Asked) -> None:
    assert asked.questions["What is the rotation period of the minor planet Corvina, in hours?"] == ["13.83"]
    assert asked.questions["What is the semi-major axis of the minor planet Corvina in astronomical units?"] == ["3.14"]


def test_a_work_goes_with_its_year_but_where_a_year_is_asked(asked: Asked) -> None:
    assert asked.questions["How long is the 1972 film “The Circle”, in minutes?"] == ["98"]
    assert asked.questions["In which year was the film “The Circle” released?"] == ["1972"]


def test_a_monarch_of_one_name_may_be_several(asked: Asked) -> None:
    assert asked.questions["In which year did the monarch Ulrik II die?"] == ["1701"]
    assert not asked.any("Sigismund")


def test_nothing_is_named_after_what_is_described(asked: Asked) -> None:
    assert not asked.any("named after")


def test_what_a_bridge_carries_is_claimed_of_none(asked: Asked) -> None:
    assert not asked.any("Does the Borg Viaduct carry")


def test_a_piece_that_is_called_by_its_form_is_asked_with_its_composer_or_not_at_all(asked: Asked) -> None:
    assert asked.questions["Who composed the orchestral work “Seven Harbours”?"] == ["Egil Quist"]
    assert not asked.any("Who composed the orchestral work “Piano Concerto No. 2”?")
    assert asked.questions["What is the musical key of the orchestral work “Norna”?"] == ["G major"]
    assert not asked.any("changed")


def test_an_opera_premiered_at_a_house_and_is_in_none(asked: Asked) -> None:
    assert asked.questions["At which opera house did the opera “Aldina” premiere?"] == ["Bolsh Theatre"]
    assert asked.any("Did the Bolsh Theatre open in ")
    assert asked.any("Did Sadler's Theatre open in ")


def test_an_act_is_said_by_its_verb_or_not_at_all(asked: Asked) -> None:
    assert asked.questions["In which year was the Historic Town of Arle inscribed?"] == ["1982"]
    assert asked.questions["In which year was the Temple of Cala inscribed?"] == ["1987"]
    assert not asked.any("convention of")


def test_no_country_is_asked_for_a_region_that_a_list_puts_it_in(asked: Asked) -> None:
    assert not asked.any("Southern Europe")
    assert not asked.any("In which region")


def test_the_author_of_a_book_wrote_it_though_a_column_says_that_it_was_published(asked: Asked) -> None:
    assert asked.questions["Who wrote the 1962 book “A Bell in Winter”?"] == ["Birgit Toll"]
    assert not asked.any("the person who published")


def test_ores_and_jobs_are_no_names_though_a_capital_begins_them(asked: Asked) -> None:
    assert asked.questions["What is the formula of magnetite?"] == ["Fe3O4"]
    assert asked.any("the staff member Luca Perrin a boatbuilder?")
    assert not asked.any("Boat hand")
