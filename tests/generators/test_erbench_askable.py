"""What is worth asking from a database that nobody has seen: rows, links and values that a person would ask about."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from database_asked import Asked
from generators.erbench import sure
from generators.erbench.forms import form
from generators.erbench.names import Words, database_called
from generators.erbench.sentences import ROW, VALUE, Subject
from generators.family.kinds import with_kind
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def mills(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(database(tmp_path_factory.mktemp("mills") / "mills.sqlite", (FIXTURES / "mills.sql").read_text("utf-8")))


@pytest.fixture(scope="module")
def rowing(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return Asked(database(tmp_path_factory.mktemp("rowing") / "rowing.sqlite", (FIXTURES / "rowing.sql").read_text("utf-8")))


@pytest.mark.parametrize(
    ("columns", "beside", "called"),
    [
        (["nm", "city", "rds", "n_plr"], [], "tournament"),
        (["nm", "loco", "depot"], [], "train"),
        (["nm", "dt", "amt"], ["acct"], "transaction"),
    ],
)
def test_letters_short_for_several_nouns_are_told_by_their_columns(columns: list[str], beside: list[str], called: str) -> None:
    assert Words(["trn", *beside], [*columns, "yr"], "", {"trn": columns}).table("trn").name == called


def test_a_show_that_is_staged_goes_by_its_kind() -> None:
    assert [Words([]).table(name).name for name in ("Musical Shows", "ballet_show", "talk_show")] == [
        "musical",
        "ballet",
        "talk show",
    ]


def test_letters_of_a_table_that_one_word_elsewhere_would_tell_are_refused() -> None:
    said = Words(["trn", "gm"], ["nm", "city", "yr", "site"], "", {"trn": ["nm", "city", "yr"], "gm": ["site"]}).table("trn")
    assert said.unsaid == "trn"
    # Its names and codes tell nothing of what a table holds: "local" is no better told than "location".
    assert Words(["LOC", "WRK"], ["LAT"], "", {"LOC": ["LOC_CD", "LOC_NM"], "WRK": ["LAT"]}).table("LOC").name == "location"
    # What has a city may be a firm, and have been held there: three letters tell no place.
    assert Words(["cmp"], ["nm", "city"], "", {"cmp": ["nm", "city"]}).table("cmp").unsaid == "cmp"


@pytest.mark.parametrize(
    ("noun", "column", "to", "ask"),
    [
        ("lake", "observatory", "observatory", None),
        ("castle", "museum", "museum", None),
        ("telescope", "observatory", "observatory", "In which observatory is X?"),
        ("coin", "museum", "museum", "In which museum is X?"),
        ("volcano", "observatory", "observatory", "Which observatory monitors X?"),
        ("yacht", "build place", None, "Where was X built?"),
        ("yacht", "build country", None, "In which country was X built?"),
        ("comet", "place of discovery", None, "Where was X discovered?"),
        ("probe", "landing site", None, "Where did X land?"),
        ("queen", "burial place", None, "Where was X buried?"),
        ("fossil", "type locality", None, None),
        ("club", "meeting place", None, None),
        ("firm", "work place", None, None),
        ("cinema", "former name", None, "What was X formerly called?"),
        ("novel", "source author", None, None),
        ("novel", "original author", None, "Who was the original author of X?"),
        ("film", "stunt director", None, None),
        ("poet", "writing language", None, "In which language does X write?"),
        ("shop assistant", "branch", None, None),
        ("employee", "branch", "branch", "At which branch does X work?"),
        ("employee", "office", "office", "In which office does X work?"),
        ("role", "performer", None, None),
        ("play", "playwright", None, "Who wrote X?"),
        ("bridge", "replaced by", None, "What replaced X?"),
        ("bridge", "designed by", None, "Who designed X?"),
        ("final", "stadium", None, "At which stadium did X take place?"),
        ("opera house", "city", None, "In which town or city is X?"),
        ("opera house", "city", "city", "In which city is X?"),
        ("publisher", "seat city", None, "In which town or city is X based?"),
    ],
)
def test_a_column_is_asked_as_a_person_would_or_not_at_all(noun: str, column: str, to: str | None, ask: str | None) -> None:
    subject = Subject(
        noun, noun in ("queen", "poet", "employee"), noun in ("lake", "castle", "volcano", "telescope", "opera house")
    )
    said = form(column, "text", subject, to)
    assert (said.ask.replace(ROW, "X") if said.look else None) == ask


@pytest.mark.parametrize(
    ("noun", "column", "ask"),
    [
        ("shop", "weekly opening hours", None),
        ("shop", "visiting minutes", None),
        ("dish", "preparation minutes", "How many minutes does the preparation of X take?"),
        ("sausage", "minimum smoking time days", "What is the minimum smoking time of X, in days?"),
    ],
)
def test_a_time_is_taken_by_work_alone(noun: str, column: str, ask: str | None) -> None:
    said = form(column, "number", Subject(noun))
    assert said.look is None or said.ask.replace(ROW, "X") == ask
    assert (said.look is None) == (ask is None) or "smoking" in column


def test_a_name_before_is_no_thing_that_was_the_name() -> None:
    assert form("previous name", "text", Subject("cinema", place=True)).claim == f"Was {ROW} formerly called {VALUE}?"


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("Central Library", "branch", "the Central Library"),
        ("Harbour Street", "branch", "the Harbour Street branch"),
        ("Arle Bay Creamery", "dairy", "Arle Bay Creamery"),
        ("Borg Dairy", "dairy", "Borg Dairy"),
        ("Dentholm", "dairy", "the dairy Dentholm"),
        ("Northern Seismic Centre", "observatory", "the Northern Seismic Centre"),
        ("Observatorio del Sur", "observatory", "the Observatorio del Sur"),
        ("INSEV", "institute", "INSEV"),
        ("Long Beach", "city", "the city of Long Beach"),
        ("Fair Head North", "lighthouse", "the Fair Head North lighthouse"),
        ("His Majesty's Theatre", "theatre", "His Majesty's Theatre"),
    ],
)
def test_a_name_that_says_what_it_is_of_says_it_once(name: str, kind: str, said: str) -> None:
    assert with_kind(name, kind) == said


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("kennel_club", "the kennel club database"),
        ("b_cstmrs", "the database"),
        ("ShopDB", "the shop database"),
        ("x", "the database"),
    ],
)
def test_a_database_goes_by_the_name_of_its_file_where_that_is_words(file: str, said: str) -> None:
    assert database_called(file) == said


def test_values_with_a_remark_or_a_blank_are_left_out() -> None:
    values = pl.Series(["Emma (novel)", "Emma ", "Emma", "Henry (1599)"])
    assert sure.odd(values, "any").to_list() == ["Emma ", "Emma (novel)"]


class TestMills:
    def test_of_kinds_nothing_is_asked_though_things_are_of_them(self, mills: Asked) -> None:
        assert mills.catalog.refused["mill type: maximum sails"] == sure.KINDS
        assert mills.questions["What type of windmill is Fortuna?"] == ["Post mill"]

    def test_no_mill_is_in_a_museum(self, mills: Asked) -> None:
        assert mills.catalog.refused["windmill: museum"] == sure.UNSURE
        assert mills.questions["In which town or city is the Borg Folk Museum?"] == ["Odense"]

    def test_a_ship_with_namesakes_goes_by_its_country(self, mills: Asked) -> None:
        assert mills.questions["Where was the Swedish lightship Freja built?"] == ["Malmö"]
        assert mills.questions["Where was the Danish lightship Freja built?"] == ["Odense"]
        assert mills.questions["In which year was the Finnish lightship Jupiter launched?"] == ["1911"]
        assert not mills.any("Veldania")  # nobody knows what is said of what comes from there

    def test_no_region_is_claimed_to_be_in_just_any_country(self, mills: Asked) -> None:
        assert mills.questions["In which country is the Fyn region?"] == ["Denmark"]
        assert not mills.any("Is the Fyn region in ")

    def test_what_is_of_a_region_of_the_world_is_of_no_database(self, mills: Asked) -> None:
        assert mills.questions["In which town is the dairy Dentholm?"] == ["Visby"]
        assert not mills.any("the test")

    def test_what_editions_have_otherwise_is_not_asked_of_a_book(self, mills: Asked) -> None:
        assert mills.catalog.refused["book: number of pages"] == mills.catalog.refused["book: publisher"] == sure.EDITIONS
        assert mills.questions["In which year was the book “Millstones” first published?"] == ["1971"]

    def test_no_title_is_said_with_a_blank(self, mills: Asked) -> None:
        assert not mills.any("“Wind ”")

    def test_what_is_of_a_colour_is_not_asked(self, mills: Asked) -> None:
        assert not mills.any(" red?")


class TestRowing:
    def test_who_belongs_to_a_federation_called_as_a_country_represents_that(self, rowing: Asked) -> None:
        assert rowing.questions["Which country did Cees Ek represent?"] == ["Netherlands"]
        assert rowing.any("Did Dea Falco represent ")
        assert not rowing.any("federation")

    def test_each_statement_on_a_person_is_a_sentence(self, rowing: Asked) -> None:
        assert rowing.options
        assert rowing.any("Which of these statements about Dea Falco is wrong?")
        assert all(text[0].isupper() and text.endswith(".") for options in rowing.options for text in options)

    def test_letters_that_nothing_tells_are_refused(self, rowing: Asked) -> None:
        assert rowing.catalog.refused["trn: city"].startswith("“trn”")

    def test_classes_by_common_words_are_kinds(self, rowing: Asked) -> None:
        assert not rowing.any("boat class")


def test_a_false_author_wrote_in_the_same_language_and_lived_in_the_same_century(tmp_path: Path) -> None:
    born = [1802, 1809, 1811, 1816, 1921, 1925, 1928, 1933, 1804, 1819, 1922, 1930]
    people = [
        (n + 1, f"{letter}da {letter}erg", year, ("Danish", "Czech")[n % 2])
        for n, (letter, year) in enumerate(zip("ABCDEFGHJKLM", born, strict=True))
    ]
    books = [(n, f"Story {'of Arle' * (n % 2)} {n}", n) for n in range(1, 13)]
    script = "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, birth_year INTEGER, writing_language TEXT);"
    script += f"INSERT INTO author VALUES {', '.join(map(str, people))};"
    script += "CREATE TABLE novel (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES author(id));"
    script += f"INSERT INTO novel VALUES {', '.join(map(str, books))};"
    asked = Asked(database(tmp_path / "novels.sqlite", script)).questions
    of = {name: (year // 100, language) for _, name, year, language in people}
    false = [question for question, answer in asked.items() if question.startswith("Was the novel") and answer == ["no"]]
    assert false
    for question in false:
        number, claimed = question.split("”")[0].split()[-1], question.removesuffix("?").split(" by ")[1]
        assert of[claimed] == of[people[int(number) - 1][1]], question


def test_nobody_else_knows_who_supplies_a_keeper(tmp_path: Path) -> None:
    script = ""
    for table, names in (("supplier", ("Alder & Co", "Birch Ltd", "Cole")), ("river", ("Arle", "Bere", "Cam"))):
        script += f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, name TEXT);"
        script += f"INSERT INTO {table} VALUES {', '.join(map(str, enumerate(names, 1)))};"
    script += """CREATE TABLE fish (id INTEGER PRIMARY KEY, name TEXT, supplier_id INTEGER REFERENCES supplier(id),
        river_id INTEGER REFERENCES river(id));"""
    fish = [(n, f"{letter}ordo {letter}allis", 1 + n % 3, 1 + n % 3) for n, letter in enumerate("ABCDEFGHJKLM", 1)]
    script += f"INSERT INTO fish VALUES {', '.join(map(str, fish))};"
    asked = Asked(database(tmp_path / "fishes.sqlite", script))
    assert not asked.any("supplier")
    assert sure.UNTOLD in asked.catalog.refused.values()
