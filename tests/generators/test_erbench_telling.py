"""Names that tell which one is meant, and questions to which one answer is right: parties, museums, wines, sculptures."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from generators.articles import with_the
from generators.erbench import refusals, sure
from generators.erbench.forms import form
from generators.erbench.names import Words
from generators.erbench.sentences import Subject
from generators.erbench.times import ends_it
from generators.family.kinds import with_kind
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def cellar(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("cellar")
    return Asked(database(folder / "cellar.sqlite", (FIXTURES / "cellar.sql").read_text(encoding="utf-8")))


class TestWhichOneIsMeant:
    def test_a_name_of_common_words_is_many_museums_and_parties(self, cellar: Asked) -> None:
        assert cellar.any("the Estrian Reform Party")
        assert cellar.any("the Brenna Museum")
        assert not cellar.any("Socialist Party")
        assert not cellar.any("Conservative Party")
        assert not cellar.any("National Museum")

    def test_a_wine_that_is_called_as_its_region_is_of_many_houses(self, cellar: Asked) -> None:
        assert cellar.questions["Who is the producer of the wine Liliane?"] == ["Ottaviani"]
        assert not cellar.any("the wine Brenna")

    def test_a_producer_is_told_by_what_it_makes_and_is_no_person(self, cellar: Asked) -> None:
        assert cellar.questions["In which year was the wine producer Tarnhof established?"] == ["1899"]
        assert not cellar.any("this wine producer")
        assert not cellar.any("the producer Tarnhof")

    def test_a_sculpture_is_told_by_its_sculptor(self, cellar: Asked) -> None:
        assert cellar.any("the sculpture “Hebe” by Nan Osler")
        assert cellar.questions["Who made the sculpture “Hebe”?"] == ["Nan Osler"]

    def test_what_a_title_says_in_brackets_of_itself_is_for_readers_alone(self, cellar: Asked) -> None:
        assert not cellar.any("Clio")


class TestOneAnswerIsRight:
    def test_regions_and_clades_lie_within_one_another(self, cellar: Asked) -> None:
        assert cellar.catalog.refused["genus: clade"] == sure.NESTED
        assert not cellar.any("Norvale")
        assert not cellar.any("Theropoda")

    def test_languages_belong_to_branches_and_to_families_of_these(self, cellar: Asked) -> None:
        assert cellar.catalog.refused["language: family"] == sure.NESTED

    def test_a_country_may_have_several_languages(self) -> None:
        assert form("official language", "text", Subject("country", place=True), None).look is None

    def test_a_cheese_weighs_what_its_maker_likes(self) -> None:
        assert form("weight kg", "number", Subject("cheese"), None).look is None
        assert form("weight kg", "number", Subject("spacecraft"), None).look

    def test_an_office_is_in_no_country_and_a_sculpture_from_none(self, cellar: Asked) -> None:
        assert not cellar.any("Kanzlar")
        assert not cellar.any(" Leda” from")
        assert cellar.catalog.refused["sculpture: country"] == sure.UNSURE

    def test_a_party_is_from_a_country_whether_or_not_it_still_is(self, cellar: Asked) -> None:
        assert cellar.any("Which country is the Estrian Reform Party from?")
        assert not cellar.any("based")


class TestWhatNobodyAsks:
    def test_what_a_customer_pays_less_is_private(self, cellar: Asked) -> None:
        assert cellar.catalog.refused["customer: disc pct"] == refusals.PERSONAL

    def test_whether_a_collection_has_a_scan_is_its_own_affair(self, cellar: Asked) -> None:
        assert not cellar.any("digitised")

    def test_a_language_appears_first(self, cellar: Asked) -> None:
        assert cellar.questions["In which year did the Borg language first appear?"] == ["1971"]

    def test_a_collection_that_says_of_what_it_is_is_called_no_museum_besides(self, cellar: Asked) -> None:
        assert cellar.any("the Lagovian State Collection for Zoology")
        assert not cellar.any("Zoology museum")


class TestWhatReadersFoundOfFourMore:
    """Volcanoes, chess, airlines and bridges, which nobody had seen before."""

    def test_an_airport_is_no_apartment_where_airlines_fly(self) -> None:
        assert Words(["tbl_APT"], ["iata", "apt_nm", "rwy_cnt"]).table("tbl_APT").name == "airport"
        assert Words(["APT"], ["apt_no", "tenant", "rent"]).table("APT").name == "apartment"

    def test_a_carrier_with_airports_is_an_airline(self) -> None:
        assert Words(["tbl_CARRIER", "tbl_APT"], ["iata", "hub"]).table("tbl_CARRIER").name == "airline"
        assert Words(["carrier"], ["parcel", "tracking_no"]).table("carrier").name == "carrier"

    def test_a_name_that_is_plural_or_a_prize_needs_no_noun(self) -> None:
        assert with_kind("Thomas Cook Airlines", "airline") == "Thomas Cook Airlines"
        assert with_kind("Nobel Peace Prize", "award") == "the Nobel Peace Prize"
        assert with_the("Millau Viaduct") == "the Millau Viaduct"

    def test_nobody_has_one_spouse_alone_for_all_that_a_table_says(self) -> None:
        assert form("spouse", "text", Subject("composer", person=True), None).look is None

    def test_a_wine_that_is_called_after_the_region_of_its_producer_is_left_out(self, cellar: Asked) -> None:
        assert not cellar.any("Corly Blanc")
        assert cellar.any("the wine Corva")

    def test_a_house_for_operas_is_an_opera_house_and_has_its_article(self) -> None:
        assert Words(["tblHouse", "tblOpera"], ["HouseName"]).table("tblHouse").name == "opera house"
        assert Words(["house"], ["street", "bedrooms"]).table("house").name == "house"
        assert with_kind("Metropolitan Opera House", "opera house") == "the Metropolitan Opera House"
        assert with_kind("Vienna State Opera", "opera house") == "the Vienna State Opera"
        assert with_kind("Dallas/Fort Worth", "airport") == "the airport Dallas/Fort Worth"
        assert with_kind("Bird's Opening", "opening") == "Bird's Opening"

    def test_a_work_premieres_somewhere(self) -> None:
        asked = [form(f"premiere {where}", "text", Subject("opera"), None).ask for where in ("venue", "city")]
        assert asked == ["At which venue did ‹row› premiere?", "In which city did ‹row› premiere?"]

    def test_nobody_asks_to_the_minute_when_something_landed(self) -> None:
        landed = refusals.Column("landed at", "landed_at", "flight", values=("1969-07-24 16:50", "2003-10-15T22:22:00"))
        assert refusals.of_column(landed) == "moments to the minute"
        midnight = refusals.Column("landed on", "landed_on", "flight", values=("1969-07-24 00:00:00", "2003-10-15 00:00:00"))
        assert refusals.of_column(midnight) is None

    def test_a_sport_is_no_title(self, cellar: Asked) -> None:
        assert cellar.any(" chess?")
        assert not cellar.any("“chess”")

    def test_a_report_is_what_it_lists(self) -> None:
        assert Words(["rpt_All_Bridges"]).table("rpt_All_Bridges").name == "bridge"

    def test_an_airline_ceases_operations(self) -> None:
        made = form("year ceased", "year", Subject("airline"), None)
        assert made.ask == "In which year did ‹row› cease operations?"
        assert ends_it("year ceased")

    def test_a_novel_has_a_setting_and_a_volcano_none_that_anybody_asks_for(self) -> None:
        assert form("setting", "text", Subject("novel"), None).look
        assert form("setting", "text", Subject("volcano", place=True), "tectonic setting").look is None

    def test_who_is_dead_played_for_somebody(self, cellar: Asked) -> None:
        asked = cellar.questions
        assert asked["Which team did Max Orr play for?"] == ["Arle Rovers"]
        assert not any("does the footballer" in text or "Does the footballer" in text for text in asked)

    def test_what_a_bridge_carries_in_a_word_is_not_asked(self, cellar: Asked) -> None:
        assert cellar.catalog.refused["bridge: carries"] == sure.UNSURE_VALUES

    def test_nothing_lies_above_the_sea_by_less_than_nothing(self, cellar: Asked) -> None:
        assert cellar.any("above sea level")
        assert not any(answer.startswith("-") for answers in cellar.questions.values() for answer in answers)

    def test_rows_that_are_called_by_codes_alone_have_no_name(self, cellar: Asked) -> None:
        assert "aircraft" in cellar.catalog.refused
        assert not cellar.any("A3B")

    def test_a_name_says_in_another_language_what_it_is_of(self) -> None:
        assert with_kind("INGV Osservatorio Etneo", "observatory") == "the INGV Osservatorio Etneo"
        assert with_kind("Grand Prado", "museum") == "the Grand Prado museum"

    def test_players_of_a_database_of_chess_play_chess(self, tmp_path: Path) -> None:
        people = ["Ida Abel", "Max Bohr", "Pia Curl", "Ada Dahl", "Bo Eck", "Cy Finn"]
        rows = ", ".join(f"({n}, '{name}', {1900 + n})" for n, name in enumerate(people, 1))
        sql = f"CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, birth_year INTEGER); INSERT INTO player VALUES {rows};"
        chess = Asked(database(tmp_path / "chess.sqlite", sql))
        assert "chess player" in chess.catalog.names.values()
