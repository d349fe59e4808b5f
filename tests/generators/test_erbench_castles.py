"""A desktop database with blanks in the names of its file, tables and columns; sieges are past, and tell where they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from family_made import audited
from generators.erbench import Catalog, propose
from generators.erbench.flags import flag
from generators.erbench.forms import form
from generators.erbench.names import Words
from generators.erbench.refusals import SETTLED
from generators.erbench.rows import value_text
from generators.erbench.sentences import Subject
from generators.erbench.sure import gives_away
from generators.erbench.tables import EntityTable
from generators.family import Options, generate
from generators.family.kinds import with_kind
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries.templates import parse
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> LocalGraph:
    script = (FIXTURES / "castles.sql").read_text(encoding="utf-8")
    return LocalGraph.in_memory(load_sql(database(tmp_path_factory.mktemp("castles") / "Castle Register.db", script)))


@pytest.fixture(scope="module")
def catalog(graph: LocalGraph) -> Catalog:
    return Catalog(graph, database="the castle register database")


@pytest.fixture(scope="module")
def asked(graph: LocalGraph, catalog: Catalog) -> dict[str, list[str]]:
    """Everything that is asked of the register; all proofs are run."""
    made = [generate(graph, parse(p.text, p.name), Options()) for p in propose(catalog, 2, "tests")]
    assert all(audited(graph, result, literal=1).passed for result in made)
    items = [row for result in made for row in result.items.filter(result.items["task"] != "probe").iter_rows(named=True)]
    return {row["question"]: row["answer"] for row in items}


def test_a_file_with_blanks_in_its_name_is_loaded_under_one_without(graph: LocalGraph) -> None:
    assert graph.name.endswith("/Castle_Register")


def test_what_was_built_was_begun_and_built_for_somebody(asked: dict[str, list[str]]) -> None:
    assert asked["In which year did construction of Kidwelly Castle begin?"] == ["1106"]
    assert asked["Who was Conwy Castle built for?"] == ["Edward I"]


def test_a_castle_is_in_no_type_of_castle(catalog: Catalog, asked: dict[str, list[str]]) -> None:
    assert Words(["castles"]).column("Type of Castle", "castles").name == "type"
    assert not any("in Enclosure" in question for question in asked)


def test_whether_nearly_all_are_open_is_guessed(catalog: Catalog, asked: dict[str, list[str]]) -> None:
    assert catalog.refused["castle: open to public"] == SETTLED
    assert asked["Is Conwy Castle a world heritage site?"] == ["yes"]


def test_sieges_are_past(asked: dict[str, list[str]]) -> None:
    assert asked["Who was the attacker of the Siege of Coity?"] == ["Owain Glyndŵr"]
    assert asked["How many days did the Siege of Coity last?"] == ["365"]
    assert asked["In which year did the Siege of Coity take place?"] == ["1404"]


def test_a_siege_is_not_asked_for_the_castle_that_its_name_says(asked: dict[str, list[str]]) -> None:
    assert not any(question.startswith("At which castle") for question in asked)


def test_whether_its_castle_was_taken_is_not_said_of_a_siege(catalog: Catalog, asked: dict[str, list[str]]) -> None:
    assert "siege: castle taken" in catalog.refused


def test_a_county_is_named_after_its_town() -> None:
    assert gives_away("Denbigh Castle", "Denbighshire")
    assert not gives_away("North Castle", "Northamptonshire")


class TestPrograms:
    """Tables of programs with cut words, each of which its columns explain."""

    def test_columns_tell_what_a_table_is(self) -> None:
        columns = {"T_ORCHD": ["ORCHD_NO", "TOWN_NM", "AREA_HA"], "T_BREEDR": ["BREEDR_NO"], "T_X": []}
        words = Words(columns, [c for of in columns.values() for c in of], "", columns)
        assert words.table("T_ORCHD").name == "orchard"
        assert words.table("T_BREEDR").name == "breeder"

    def test_a_word_that_stands_for_its_table_is_left_out_before_a_key(self) -> None:
        words = Words(["T_CULTV", "T_CTRY"])
        assert words.column("CULT_NO", "T_CULTV").name == "number"
        assert words.reference("ORIG_CTRY_CD", "T_CULTV", "T_CTRY").name == "country"

    def test_universities_are_founded_and_finds_found(self) -> None:
        assert form("found year", "year", Subject("breeder")).ask == "In which year was ‹row› founded?"
        assert form("found year", "year", Subject("specimen")).ask == "In which year was ‹row› found?"

    def test_a_park_is_not_signed_and_a_permit_is_required_for_a_trail(self) -> None:
        assert form("signed by", "text", Subject("park")).look is None
        assert form("signed by", "text", Subject("treaty")).look == "name"
        assert flag("permit required") == ("Is a permit required for ‹row›?", "a permit is not required for ‹row›")
        assert flag("retired") == ("Has ‹row› retired?", "‹row› has not retired")

    def test_a_currency_has_an_article_and_no_quotation_marks(self) -> None:
        assert value_text(EntityTable("", "currency", quoted=True), "claimed") == "{claimed:the currency}"

    def test_institutes_have_an_article_whoever_they_are(self) -> None:
        assert with_kind("Institute of Botany", "breeder") == "the Institute of Botany"
        assert with_kind("Cornell University", "breeder") == "Cornell University"
