"""What an editor would print unchanged: whose dog it is, what colour it was, and what those who keep a list know of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from generators.articles import with_the
from generators.erbench import sure
from generators.erbench.flags import flag
from generators.erbench.forms import form
from generators.erbench.grading import is_generic
from generators.erbench.oddnames import says_too_little
from generators.erbench.sentences import ROW, Subject
from generators.family.kinds import with_kind
from generators.family.spelling import surname
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def stables(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    file = tmp_path_factory.mktemp("stables") / "stables.sqlite"
    return Asked(database(file, (FIXTURES / "stables.sql").read_text("utf-8")), "the Lindome surgery")


@pytest.fixture(scope="module")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    file = tmp_path_factory.mktemp("bridges") / "bridges.sqlite"
    return Asked(database(file, (FIXTURES / "town_bridges.sql").read_text("utf-8")))


class TestTownsAndTheirBridges:
    def test_a_region_is_one_of_a_country(self, bridges: Asked) -> None:
        assert bridges.questions["In which region of France is Pau?"] == ["Béarn"]
        assert not bridges.any("region of Germany")  # whose parts are states
        assert bridges.questions["In which region of the Netherlands is Haarlem?"] == ["North Holland"]

    def test_a_region_of_no_country_is_only_claimed(self, bridges: Asked) -> None:
        assert not any(question.startswith("In which region is") for question in bridges.questions)
        assert bridges.any("Lindhof")

    def test_who_else_built_a_bridge_no_list_tells(self, bridges: Asked) -> None:
        assert not bridges.any("Name one of the engineers")
        assert bridges.any(" one of the engineers of the Danube Bridge?")

    def test_no_engineer_of_another_century_is_claimed(self, bridges: Asked) -> None:
        old = {"Otto Kern", "Jean Roux", "Luca Neri", "Hugo Maria Stein"}
        for question in [question for question in bridges.questions if "one of the engineers of the Danube Bridge" in question]:
            assert any(name in question for name in old)

    def test_a_statement_says_somebody_by_the_surname(self, bridges: Asked) -> None:
        said = [option for options in bridges.options for option in options]
        assert "Conti was born in Turin." in said
        assert not any(option.startswith(("Paolo Conti", "Hugo Maria Stein")) for option in said)  # who is left out

    def test_nobody_of_1801_is_spoken_of_as_if_he_lived(self, bridges: Asked) -> None:
        assert "Smit is Dutch." in [option for options in bridges.options for option in options]
        assert not any(option.startswith(("Kern is", "Neri is")) for options in bridges.options for option in options)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ida Holm", "Holm"),
        ("Jean-Luc Roux", "Roux"),
        ("E. M. Forster", "Forster"),
        ("Gabriela Ruiz Soto", "Gabriela Ruiz Soto"),
        ("Robin van Persie", "Robin van Persie"),
        ("Deng Xiaoping", "Deng Xiaoping"),
        ("Lee Byung-hun", "Lee Byung-hun"),
        ("Shota Ka", "Shota Ka"),
        ("Queen Maud", "Queen Maud"),
        ("Karl XII", "Karl XII"),
        ("Amedeo, Duke of Aosta", "Amedeo, Duke of Aosta"),
        ("", ""),
    ],
)
def test_only_what_is_sure_to_be_a_surname_stands_alone(name: str, said: str) -> None:
    assert surname(name) == said


LENDING = """
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, born INTEGER);
CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES author(id), pages INTEGER);
INSERT INTO author VALUES (1, 'Ada Holm', 1901), (2, 'Bo Dahl', 1923), (3, 'Cid Falk', 1935), (4, 'Dea Gran', 1947),
 (5, 'Eli Hult', 1950), (6, 'Fia Ivar', 1961);
INSERT INTO book VALUES (1, 'The Weir', 1, 201), (2, 'Low Tide', 2, 310), (3, 'Sand', 3, 150), (4, 'A Lamp', 4, 420),
 (5, 'Kilns', 5, 233), (6, 'Rowan', 6, 199), (7, 'Slate', 1, 501);
"""


def test_a_bay_flows_into_nothing(tmp_path: Path) -> None:
    rows = [("River Lune", "Tarn Sea"), ("Lune Bay", "Tarn Sea"), ("Ash Strait", "Kolm Sea"), ("River Ash", "Kolm Sea")]
    rows += [("Birk Canal", "Tarn Sea"), ("River Esk", "Ost Sea"), ("River Tey", "Ost Sea"), ("River Wyre", "Kolm Sea")]
    values = ", ".join(f"({n}, '{name}', '{sea}')" for n, (name, sea) in enumerate(rows, 1))
    sql = f"CREATE TABLE waterway (id INTEGER PRIMARY KEY, name TEXT, flows_into TEXT); INSERT INTO waterway VALUES {values};"
    waters = Asked(database(tmp_path / "waters.sqlite", sql))
    assert waters.any("the River Lune flow into")
    assert not waters.any("Lune Bay")
    assert not waters.any("Ash Strait")


def test_what_anybody_knows_is_asked_without_the_house(tmp_path: Path) -> None:
    lending = Asked(database(tmp_path / "lending.sqlite", LENDING), "the Askim library")
    assert lending.questions["Who wrote the book “Sand”?"] == ["Cid Falk"]
    assert lending.questions["In which year was Ada Holm born?"] == ["1901"]
    assert lending.any("At the Askim library, how many pages does the book “Sand” have?")


class TestASurgery:
    def test_animals_whose_names_repeat_are_their_owners(self, stables: Asked) -> None:
        asked = stables.questions
        assert asked["At the Lindome surgery, what colour was Eva Lind’s cat Misty?"] == ["grey"]
        assert asked["At the Lindome surgery, what breed was Per Dahl’s horse Misty?"] == ["Haflinger"]
        assert not stables.any("animal 3")
        assert not any("It was a cat" in option for options in stables.options for option in options)

    def test_who_owned_one_is_asked_by_what_it_is(self, stables: Asked) -> None:
        assert not stables.any("owner of the animal")

    def test_that_a_dog_died_is_in_the_records_and_not_in_the_house(self, stables: Asked) -> None:
        said = "According to the records of the Lindome surgery, on which date did Ada Berg’s dog Rex die?"
        assert stables.questions[said] == ["2 January 2020", "2020-01-02"]

    def test_a_supplier_is_elsewhere(self, stables: Asked) -> None:
        said = "According to the records of the Lindome surgery, in which country is the supplier Dyrlund based?"
        assert stables.questions[said] == ["Denmark"]

    def test_what_is_weighed_at_each_visit_is_not_asked_of_the_card(self, stables: Asked) -> None:
        assert stables.catalog.refused["animal: weight kg"] == sure.LOGGED
        assert not stables.any("kilograms")


@pytest.mark.parametrize(
    ("column", "kind", "noun", "ask"),
    [
        ("colour", "text", "tram", "What colour is X?"),
        ("color", "text", "yacht", "What color is X?"),
        ("started", "year", "dam", "In which year did construction of X begin?"),
        ("begun", "date", "abbey", "On which date did construction of X begin?"),
        ("nickname", "text", "nation", None),
        ("nickname", "text", "locomotive", "What is the nickname of X?"),
    ],
)
def test_a_column_is_asked_as_it_would_be_printed(column: str, kind: str, noun: str, ask: str | None) -> None:
    said = form(column, kind, Subject(noun, place=noun in ("dam", "abbey")))
    assert (said.ask.replace(ROW, "X") if said.look else None) == ask


@pytest.mark.parametrize(
    ("name", "noun", "said"),
    [
        ("River Dee", "waterway", "the River Dee"),
        ("Firth of Lorn", "waterway", "the Firth of Lorn"),
        ("Lough Derg", "waterway", "Lough Derg"),
        ("Galway Bay", "waterway", "Galway Bay"),
        ("Mekong", "waterway", "the waterway Mekong"),
        ("Brøndbystadion", "venue", "the Brøndbystadion"),
        ("Parc des Sports", "stadium", "the Parc des Sports"),
        ("Globe Arena", "venue", "the Globe Arena"),
    ],
)
def test_waters_and_grounds_go_by_their_names(name: str, noun: str, said: str) -> None:
    assert with_kind(name, noun) == said


@pytest.mark.parametrize(
    ("name", "noun", "odd"),
    [("Mekong", "waterway", True), ("Brann", "venue", True), ("River Dee", "waterway", False), ("Brann", "club", False)],
)
def test_what_only_a_vague_noun_would_tell_is_left_out(name: str, noun: str, odd: bool) -> None:
    assert says_too_little(name, noun) == odd


@pytest.mark.parametrize("name", ["Teatro Comunale", "Estadio Municipal", "Staatsoper", "Stadttheater", "Musée National"])
def test_houses_that_many_towns_have_are_not_asked_about(name: str) -> None:
    assert is_generic(name, "theatre")


def test_lands_have_their_article() -> None:
    assert [with_the(name) for name in ("Hill Country", "Caucasus", "Firth of Lorn")] == [
        "the Hill Country",
        "the Caucasus",
        "the Firth of Lorn",
    ]


@pytest.mark.parametrize(
    ("column", "noun", "again", "ask"),
    [
        ("venue", "festival", True, "At which venue does X take place?"),
        ("venue", "final", False, "At which venue did X take place?"),
        ("full name", "singer", False, "What is the full name of X?"),
    ],
)
def test_what_is_asked_and_not_claimed(column: str, noun: str, again: bool, ask: str) -> None:
    said = form(column, "text", Subject(noun, person=noun == "singer", again=again))
    assert said.ask.replace(ROW, "X") == ask
    assert not said.claimed


@pytest.mark.parametrize(
    ("name", "noun", "said"),
    [
        ("El Gran Duque", "hotel", "El Gran Duque"),
        ("Kino Arsenal", "cinema", "Kino Arsenal"),
        ("Linz", "shop", "the Linz shop"),
    ],
)
def test_houses_go_by_what_stands_on_them(name: str, noun: str, said: str) -> None:
    assert with_kind(name, noun) == said


@pytest.mark.parametrize(
    ("column", "ask"),
    [("is tolled", "Is there a toll on X?"), ("still standing", None), ("is still open", None), ("in use", "Is X in use?")],
)
def test_a_toll_is_on_a_road_and_nobody_asks_whether_a_palace_still_stands(column: str, ask: str | None) -> None:
    said = flag(column)
    assert (said[0].replace(ROW, "X") if said else None) == ask
