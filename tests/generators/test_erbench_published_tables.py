"""Tables as people publish them: names run together, codes for keys, words that are no nouns, numbers of machines."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from database_asked import Asked
from generators.erbench.csv_folder import as_database
from generators.erbench.names import Words
from generators.erbench.sure import is_noun_of_rows
from generators.erbench.values import are_agents
from generators.vocabulary import parted
from kg.errors import InputError

BIRDS = ("Heron", "Kite", "Lapwing", "Merlin", "Nightjar", "Osprey", "Plover", "Quail")
FOLDER = Path(__file__).parents[1] / "fixtures" / "generators" / "published_tables"


@pytest.fixture(scope="module")
def asked() -> Asked:
    with as_database(FOLDER) as url:
        return Asked(url)


@pytest.fixture(scope="module")
def parks() -> Asked:
    with as_database(FOLDER.parent / "published_parks") as url:
        return Asked(url)


class TestNames:
    def test_a_first_and_a_last_name_stand_in_either_order(self, asked: Asked) -> None:
        assert asked.questions["In which city was Ada Berg born?"] == ["Arle"]
        assert asked.any("did Bo Dahl debut")

    def test_rows_go_by_the_column_of_their_names_where_the_table_says_nothing(self, asked: Asked) -> None:
        assert asked.questions["What is the capital of Aldria?"] == ["Arle Town"]
        assert "country" in asked.catalog.names.values()

    def test_a_table_called_by_an_adjective_or_by_a_mass_names_no_row(self, asked: Asked) -> None:
        assert not asked.any("presidential")
        assert not asked.any("equipment")
        assert not [noun for noun in ("presidential", "furniture", "music") if is_noun_of_rows(noun)]
        assert [noun for noun in ("dam", "well", "volcano", "salmon", "moose") if not is_noun_of_rows(noun)] == []

    def test_an_article_stands_first(self, asked: Asked) -> None:
        assert asked.questions["Who painted “The Kiss”?"] == ["Ada Berg"]
        assert asked.questions["Who painted “Storm”?"] == ["Ed Falk"]
        assert not asked.any(", The")

    def test_what_was_measured_names_no_row(self, asked: Asked) -> None:
        assert not asked.any("19.25")

    def test_first_and_last_may_be_years(self, tmp_path: Path) -> None:
        rows = "".join(f"{1990 + n},{2005 + n},{12 + n}\n" for n in range(8))
        (tmp_path / "visits.csv").write_text(f"first,last,nests\n{rows}", encoding="utf-8")
        with as_database(tmp_path) as url:
            assert Asked(url).questions == {}

    def test_words_that_run_together_are_parted(self) -> None:
        assert parted("phasetransitions") == ["phase", "transitions"]
        assert parted("counterintelligence") == ["counterintelligence"]


class TestValues:
    def test_a_unit_at_the_end_of_a_name_is_one(self, asked: Asked) -> None:
        assert asked.questions["What is the area of Aldria in square kilometres?"][0] in ("1,200", "1200")

    def test_a_letter_behind_a_temperature_is_its_degrees(self) -> None:
        words = Words(["metals"])
        assert words.column("melting_point_c", "metals").name == "melting point celsius"
        assert words.column("vitamin_c", "metals").unsaid == "c"

    def test_numbers_that_machines_write_are_not_asked_for(self, asked: Asked) -> None:
        assert "numbers that nobody says so" in asked.catalog.refused["country: abundance"]

    def test_a_height_beside_a_highest_point_is_nobodys(self, parks: Asked) -> None:
        assert parks.any("What is the highest point of ")
        assert not parks.any("above sea level")

    def test_a_painting_has_a_height_whatever_was_bid_for_it(self, tmp_path: Path) -> None:
        rows = "".join(f"{bird} at Dusk,{40 + 7 * n},{1000 + n}\n" for n, bird in enumerate(BIRDS))
        (tmp_path / "paintings.csv").write_text(f"title,height_cm,highest_bid\n{rows}", encoding="utf-8")
        with as_database(tmp_path) as url:
            assert Asked(url).any(" 40 centimetres")

    def test_who_stands_in_an_encyclopedia_is_no_private_person(self, parks: Asked) -> None:
        assert parks.questions["Where was Ada Berg born?"] == ["Arle"]

    def test_nat_leads_to_a_country(self) -> None:
        schema = Words(["driver", "country"])
        assert schema.reference("nat", "driver", "country", "nat").name == "country"

    def test_the_year_of_a_population_is_none_in_which_it_happened(self, asked: Asked) -> None:
        assert not asked.any("population")
        assert not asked.any(" sat")

    def test_the_code_of_an_airline_is_no_airline_that_operates_it(self, asked: Asked) -> None:
        assert asked.catalog.refused["airline: airline"] == "codes, which stand for something else"
        assert asked.questions["In which year was Berg Air founded?"] == ["1931"]

    def test_a_value_of_blanks_says_nothing(self) -> None:
        assert not are_agents("habit", pl.Series([" ", "carnivore"]))
        assert are_agents("habit", pl.Series(["carnivore ", "omnivore"]))


def test_a_table_wider_than_a_database_takes_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "genes.csv").write_text(f"{','.join(f'g{n}' for n in range(2_001))}\n", encoding="utf-8")
    with pytest.raises(InputError, match="has 2,001 columns, and a table may have 2,000"), as_database(tmp_path):
        pass
