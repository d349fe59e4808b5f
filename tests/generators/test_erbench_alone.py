"""Names without a noun before them, and what nobody asks of kinds, countries and people."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from database_asked import Asked
from generators.erbench.flags import applies
from generators.erbench.forms import form
from generators.erbench.names import Words
from generators.erbench.oddnames import is_label
from generators.erbench.sentences import ROW, VALUE, Subject
from generators.erbench.values import are_binomials
from generators.family.kinds import with_kind
from sql_database import database

TABLES = """
CREATE TABLE surveyor (id INTEGER PRIMARY KEY, name TEXT, nationality TEXT, profession TEXT, birth_year INTEGER,
  death_year INTEGER);
INSERT INTO surveyor VALUES (1, 'Ida Abel', 'Norway', 'teacher', 1830, 1901), (2, 'Max Bohr', 'Denmark', 'priest', 1841, 1920),
  (3, 'Pia Curl', 'Ireland', 'clerk', 1822, 1899), (4, 'Bo Eck', 'Sweden', 'painter', 1819, 1870),
  (5, 'Cy Finn', 'Iceland', 'sailor', 1838, 1905), (6, 'Dea Gran', 'Finland', 'baker', 1851, 1931);
CREATE TABLE mountain (id INTEGER PRIMARY KEY, name TEXT, elevation_m INTEGER, surveyor_id INTEGER REFERENCES surveyor(id));
INSERT INTO mountain VALUES (1, 'Askelund', 4105, 1), (2, 'Rothorn', 2940, 2), (3, 'Saddle', 3811, 3), (4, 'Pic Vert', 2333, 4),
  (5, 'Storfjell', 2999, 5), (6, 'Glitra', 2471, 6);
CREATE TABLE hut (id INTEGER PRIMARY KEY, name TEXT, opened_year INTEGER, mountain_id INTEGER REFERENCES mountain(id));
INSERT INTO hut VALUES (1, 'Storfjell', 1903, 1), (2, 'Rothornhütte', 1911, 2), (3, 'Refuge du Pic Vert', 1920, 4),
  (4, 'Saddle Lodge', 1890, 3), (5, 'Glitra Hut', 1931, 6), (6, 'Capanna Ida', 1924, 5);
"""


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(database(tmp_path_factory.mktemp("survey") / "survey.sqlite", TABLES))


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("Old Weir Bridge", "viaduct", "the Old Weir Bridge"),
        ("Ponte Vecchio", "viaduct", "the Ponte Vecchio"),
        ("Teufelstalbrücke", "viaduct", "the Teufelstalbrücke"),
        ("Ness", "viaduct", "the viaduct Ness"),
        ("Chalet de la Croix", "hut", "the Chalet de la Croix"),
        ("Vulcan Iron Works", "builder", "the Vulcan Iron Works"),
        ("Gorton Works", "builder", "Gorton Works"),
        ("Fox, Walker & Co.", "builder", "Fox, Walker & Co."),
        ("Oak Furniture Co", "maker", "the Oak Furniture Co"),
        ("Krupp", "builder", "the builder Krupp"),
        ("Molkerei Sonnberg", "dairy", "Molkerei Sonnberg"),
        ("Fonderie de la Loire", "foundry", "the Fonderie de la Loire"),
        ("Zecca di Lucca", "mint", "the Zecca di Lucca"),
        ("Royal Festival Hall", "venue", "the Royal Festival Hall"),
        ("Royal Water Garden", "garden", "the Royal Water Garden"),
        ("Alpengarten am Rothorn", "garden", "the Alpengarten am Rothorn"),
        ("Dixon Organs", "organ builder", "Dixon Organs"),
        ("Alpine snowbell", "plant", "the alpine snowbell"),
        ("Viola odorata", "plant", "Viola odorata"),
        ("Cardiff Castle", "museum", "Cardiff Castle"),
        ("Paddington", "station", "Paddington station"),
        ("Basel Bahnhof", "station", "Basel Bahnhof"),
        ("La Plate", "lighthouse", "La Plate lighthouse"),
        ("The Casquets", "lighthouse", "the Casquets lighthouse"),
        ("Galena", "ship", "the ship Galena"),
        ("Forth Bridge", "ship", "the ship Forth Bridge"),
        ("Ararat", "mountain", "Ararat"),
        ("Weißhorn", "mountain", "the Weißhorn"),
        ("Aiguille Noire", "mountain", "the Aiguille Noire"),
        ("Sleeping Giant", "hill", "the hill Sleeping Giant"),
        ("Saddle", "mountain", "the mountain Saddle"),
        ("Karwendel", "mountain range", "the Karwendel"),
        ("Lund", "city", "Lund"),
        ("Reading", "town", "the town of Reading"),
        ("Texel", "island", "Texel"),
        ("Isle of Wight", "island", "the Isle of Wight"),
        ("Rembrandt", "painter", "the painter Rembrandt"),
        ("Judith Leyster", "painter", "Judith Leyster"),
        ("Fram", "expedition", "the Fram expedition"),
    ],
)
def test_a_name_that_says_what_bears_it_stands_alone(name: str, kind: str, said: str) -> None:
    assert with_kind(name, kind) == said


@pytest.mark.parametrize("name", ["", "  ", "&", "The ", "’s ", "Isle", "A" * 5000, "Ab de " * 3000])
def test_a_name_that_is_none_is_said_all_the_same(name: str) -> None:
    for kind in ("bridge", "mountain", "climber", "builder", "station", "expedition", "island"):
        assert name.strip().lower() in with_kind(name, kind).lower()


class TestASurvey:
    def test_people_mountains_and_huts_go_by_their_names(self, survey: Asked) -> None:
        assert survey.questions["In which year was Max Bohr born?"] == ["1841"]
        assert survey.questions["How high above sea level is the Rothorn, in metres?"][0] in ("2,940", "2940")
        assert survey.questions["In which year did the Refuge du Pic Vert open?"] == ["1920"]

    def test_a_name_of_two_tables_is_not_asked_for_bare(self, survey: Asked) -> None:
        assert survey.any("Askelund")
        assert not survey.any("is Storfjell")

    def test_a_nationality_in_countries_is_asked_for_as_one(self, survey: Asked) -> None:
        assert survey.questions["Which country was Pia Curl from?"] == ["Ireland"]
        assert not survey.any("nationality")

    def test_nobody_asks_what_else_a_surveyor_was(self, survey: Asked) -> None:
        assert not survey.any("profession")
        assert not survey.any("a priest")


@pytest.mark.parametrize(
    ("name", "noun", "label"),
    [
        ("Norwegian winter Denali", "expedition", True),
        ("Bohr 1923", "expedition", True),
        ("Denali & Foraker", "expedition", True),
        ("Everest expedition 1975", "expedition", True),
        ("First Norwegian Everest expedition", "expedition", False),
        ("Expedition to the Oxus", "expedition", False),
        ("Battle of Zenta", "battle", False),
        ("20 kroner Nansen", "banknote", True),
        ("12 Hours of Sebring", "race", False),
    ],
)
def test_labels_of_a_list_are_no_names(name: str, noun: str, label: bool) -> None:
    assert is_label(name, noun) is label


@pytest.mark.parametrize(
    ("column", "said"),
    [("dens_g_cm3", "density g cm3"), ("prom_m", "prominence m"), ("span_m", "span m"), ("disc_pct", "disc pct")],
)
def test_a_word_cut_short_is_told_by_its_unit(column: str, said: str) -> None:
    assert Words(["metal"]).column(column, "metal").name == said


class TestForms:
    def test_a_nationality_is_asked_of_people_by_what_they_are(self) -> None:
        painter = Subject("painter", person=True, past=True)
        assert form("nationality", "demonym", painter).ask == f"What nationality was {ROW}?"
        assert form("nationality", "text", painter).look is None
        assert form("nationality", "demonym", Subject("ship")).look is None

    def test_whose_an_expedition_was_is_not_where_it_was(self) -> None:
        assert form("nation", "text", Subject("expedition")).look is None
        assert form("country", "text", Subject("expedition")).ask == f"In which country did {ROW} take place?"

    def test_what_is_known_is_known_today(self) -> None:
        known = form("number known", "number", Subject("stamp"))
        assert (known.ask, known.claim) == (f"How many examples of {ROW} are known?", f"Are {VALUE} examples of {ROW} known?")
        assert form("number built", "number", Subject("locomotive")).ask == f"How many examples of {ROW} were built?"

    def test_a_house_has_no_temperature_of_its_own(self) -> None:
        assert form("temperature celsius", "number", Subject("organ")).look is None
        assert form("temperature celsius", "number", Subject("lake", place=True)).look == "number"

    def test_a_class_is_first_built_in_a_year(self) -> None:
        assert form("built", "year", Subject("locomotive class")).ask == f"In which year was {ROW} first built?"
        assert form("last built", "year", Subject("locomotive class")).look is None
        assert form("built", "year", Subject("bridge")).ask == f"In which year was {ROW} built?"

    def test_a_house_is_owned_today_and_a_wreck_was(self) -> None:
        assert form("owner", "text", Subject("theatre", place=True)).ask == f"Who owns {ROW}?"
        assert form("owner", "text", Subject("wreck", place=True)).ask != f"Who owns {ROW}?"

    def test_a_story_is_set_somewhere_whatever_the_column_is_called(self) -> None:
        assert form("narrative location", "text", Subject("novel"), "city").ask == f"Where is {ROW} set?"
        assert form("style", "text", Subject("church", place=True)).ask == f"What is the architectural style of {ROW}?"
        assert form("style", "text", Subject("painting")).ask == f"What is the style of {ROW}?"

    def test_what_a_designer_did_before_is_no_question(self) -> None:
        assert form("former occupation", "text", Subject("game designer", person=True)).look is None

    def test_the_role_of_somebody_is_what_a_list_sorts_by(self) -> None:
        assert form("role", "text", Subject("engraver", person=True)).look is None
        assert form("role", "text", Subject("spacecraft")).look is not None


@pytest.mark.parametrize(
    ("word", "row", "said"),
    [
        ("extinct", "country", False),
        ("extinct", "mammal", True),
        ("extinct", "language", True),
        ("sovereign", "country", True),
        ("active", "country", False),
        ("alive", "painter", True),
        ("modern", "painter", False),
        ("modern", "bridge", True),
    ],
)
def test_an_adjective_is_said_of_what_it_may_be_said(word: str, row: str, said: bool) -> None:
    assert applies(word, row) is said


@pytest.mark.parametrize(
    ("names", "latin"),
    [
        (["Quercus robur", "Salix alba", "Rosa 'Peace'", "Tilia x europaea"], True),
        (["English oak", "White willow", "Peace rose"], False),
        (["Oak", "Willow"], False),
    ],
)
def test_names_of_science_are_told_by_most_of_them(names: list[str], latin: bool) -> None:
    assert are_binomials(pl.Series(names)) is latin


def test_a_cause_that_says_what_happened_is_no_noun(tmp_path: Path) -> None:
    causes = ["foundered", "stranded", "fire", "collision", "foundered", "stranded"]
    rows = ", ".join(f"({n}, 'Sea Swan {'ABCDEF'[n]}', '{cause}', {1850 + n})" for n, cause in enumerate(causes))
    columns = "id INTEGER PRIMARY KEY, name TEXT, cause TEXT, built_year INTEGER"
    sql = f"CREATE TABLE wreck ({columns}); INSERT INTO wreck VALUES {rows};"
    asked = Asked(database(tmp_path / "wrecks.sqlite", sql))
    assert asked.any("built")
    assert not asked.any("cause of the wreck")


@pytest.mark.parametrize(("slip", "asked_of"), [(0, True), (3, False)])
def test_a_year_and_a_date_that_are_at_odds_are_not_asked(tmp_path: Path, slip: int, asked_of: bool) -> None:
    rows = ", ".join(f"({n}, '{name} Bridge', {1850 + n + slip}, '{1850 + n}-05-0{n}')" for n, name in enumerate(RIVERS, 1))
    columns = "id INTEGER PRIMARY KEY, name TEXT, opened_year INTEGER, opened_on TEXT"
    asked = Asked(database(tmp_path / "spans.sqlite", f"CREATE TABLE bridge ({columns}); INSERT INTO bridge VALUES {rows};"))
    assert asked.any("In which year did") is asked_of
    assert asked.any("On which date did") is asked_of


RIVERS = ("Arle", "Borg", "Cala", "Dorn", "Esk", "Fosse")


def test_plants_by_their_names_of_science_take_no_article(tmp_path: Path) -> None:
    plants = ["Hedera helix", "Agave americana", "Rosa 'Peace'", "Tilia x europaea", "Lilium regale", "Acer griseum"]
    families = ["Araliaceae", "Asparagaceae", "Rosaceae", "Malvaceae", "Liliaceae", "Sapindaceae"]
    rows = ", ".join(f"({n}, '{a.replace(chr(39), chr(39) * 2)}', {n})" for n, a in enumerate(plants))
    kinds = ", ".join(f"({n}, '{family}')" for n, family in enumerate(families))
    sql = f"""CREATE TABLE family (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO family VALUES {kinds};
      CREATE TABLE plant (id INTEGER PRIMARY KEY, name TEXT, family_id INTEGER REFERENCES family(id));
      INSERT INTO plant VALUES {rows};"""
    asked = Asked(database(tmp_path / "plants.sqlite", sql))
    assert asked.questions["Which family does Agave americana belong to?"] == ["Asparagaceae"]
    assert asked.questions["Which family does Rosa 'Peace' belong to?"] == ["Rosaceae"]
