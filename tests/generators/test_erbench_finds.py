"""A register in cut words that run together, with numbers for names and no declared key, is asked about all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from family_made import audited
from generators.column_names import split
from generators.erbench import Catalog, propose
from generators.erbench.forms import form
from generators.erbench.names import Words
from generators.erbench.refusals import CODED
from generators.erbench.sentences import Subject
from generators.family import Options, generate
from generators.family.kinds import with_kind
from generators.vocabulary import parted
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries.templates import parse
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> LocalGraph:
    script = (FIXTURES / "finds.sql").read_text(encoding="utf-8")
    url = database(tmp_path_factory.mktemp("finds") / "county_finds.sqlite", script)
    return LocalGraph.in_memory(load_sql(url))


@pytest.fixture(scope="module")
def register(graph: LocalGraph) -> Catalog:
    return Catalog(graph, database="the county finds database")


@pytest.fixture(scope="module")
def asked(graph: LocalGraph, register: Catalog) -> dict[str, list[str]]:
    """Everything that is asked of the register; all proofs are run."""
    made = [generate(graph, parse(p.text, p.name), Options()) for p in propose(register, 2, "tests")]
    assert all(audited(graph, result, literal=1).passed for result in made)
    items = [row for result in made for row in result.items.filter(result.items["task"] != "probe").iter_rows(named=True)]
    return {row["question"].removeprefix("According to the county finds database, "): row["answer"] for row in items}


class TestWords:
    def test_the_name_of_the_database_says_what_its_tables_are_short_for(self, register: Catalog) -> None:
        assert {*register.names.values()} == {"material", "staff member", "site", "context", "box", "find"}

    def test_letters_alone_are_no_participle_where_a_row_is_meant(self) -> None:
        assert Words(["FND", "CTX"], ["FNDNO"], "finds").table("FND").name == "find"
        assert Words(["company"], ["fnd_yr"]).column("fnd_yr", "company").name == "founded year"

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("SITNM", ["sit", "nm"]),
            ("castlename", ["castle", "name"]),
            ("yearbuilt", ["year", "built"]),
            ("maxspeed", ["max", "speed"]),
            ("LENM", ["len", "m"]),
            ("heightcm", ["height", "cm"]),
            ("lighthouse", ["lighthouse"]),
            ("playlist", ["playlist"]),
            ("Capacity", ["capacity"]),
        ],
    )
    def test_words_that_run_together_are_parted_and_others_are_not(self, name: str, words: list[str]) -> None:
        assert split(name) == words

    def test_what_cannot_be_parted_is_itself(self) -> None:
        assert parted("xq") == ["xq"]
        assert parted("fndtrt") == ["fndtrt"]

    def test_a_beginning_that_all_tables_share_is_no_word_of_rows(self) -> None:
        tables = ["shop_customer", "shop_order", "shop_parcel"]
        assert [Words(tables).table(table).name for table in tables] == ["customer", "order", "parcel"]
        assert Words(["parkservice_parks", "parkservice_trails", "parkservice_tolls"]).table("parkservice_parks").name == "park"


class TestRows:
    def test_rows_are_told_by_their_own_number(self, asked: dict[str, list[str]]) -> None:
        assert asked["who found find 8?"]
        assert asked["how many grams does find 8 weigh?"] == ["29", "29.0"]

    def test_a_link_to_such_rows_is_asked_for_its_number(self, asked: dict[str, list[str]]) -> None:
        assert asked["in which box is find 7?"] == ["8"]
        assert asked["which context does find 1 belong to?"] == ["2004"]
        assert asked["which context is context 1002 the fill of?"] == ["1001"]

    def test_two_figures_do_not_stand_side_by_side(self, asked: dict[str, list[str]]) -> None:
        assert not any(text.startswith("is the weight of find") for text in asked)

    def test_initials_lead_to_people_by_first_and_last_name(self, asked: dict[str, list[str]]) -> None:
        assert asked["who is the project manager of Black Fen Drove?"] == ["Eli Ives"]

    def test_codes_are_said_by_what_describes_them_in_small_letters(self, asked: dict[str, list[str]]) -> None:
        assert asked["what material is find 1 made of?"] == ["antler", "Antler"]
        assert not any("Copper alloy" in text for text in asked)

    def test_one_refused_column_takes_no_table_along(self, register: Catalog, asked: dict[str, list[str]]) -> None:
        assert register.refused["site: type"] == CODED
        assert asked["in which parish is Black Fen Drove?"] == ["Fenby"] or "parish" in str(register.refused)

    def test_what_its_own_people_know_is_said_to_be_of_the_database(self, register: Catalog) -> None:
        site = next(table for table in register.tables.values() if table.name == "site")
        assert register.setting(site) == "in the county finds database"


class TestTrade:
    """How orders, offices and layers of time are asked about."""

    def test_an_order_is_for_something_and_placed_by_somebody(self) -> None:
        order = Subject("order")
        assert form("cheese", "text", order, "cheese").ask == "Which cheese was ‹row› for?"
        placed = form("customer", "text", Subject("order", by_person=True), "customer", person=True)
        assert placed.ask == "Who placed ‹row›?"

    def test_somebody_works_in_an_office_and_has_a_title_in_quotation_marks(self) -> None:
        clerk = Subject("employee", person=True)
        assert form("office", "text", clerk).ask == "In which office does ‹row› work?"
        assert form("job title", "text", clerk).claim == "Is the job title of ‹row› ‹value›?"

    def test_a_market_has_segments(self) -> None:
        assert form("segment", "text", Subject("customer")).claim == "Does ‹row› belong to the ‹value› segment?"

    def test_stuffs_are_of_a_kind_and_a_skull_is_no_stuff(self) -> None:
        assert form("milk", "text", Subject("cheese")).claim == "Is ‹row› made from ‹value› milk?"
        assert form("material", "text", Subject("specimen")).look is None

    def test_a_limit_is_a_time(self) -> None:
        assert (
            form("minimum ageing weeks", "number", Subject("cheese")).ask
            == "What is the minimum ageing time of ‹row›, in weeks?"
        )

    def test_a_layer_is_from_a_period_and_a_stage_in_one(self) -> None:
        assert form("period", "text", Subject("context"), "period").claim == "Is ‹row› from ‹value›?"
        assert form("period", "text", Subject("stage")).ask == "In which period is ‹row›?"
        assert with_kind("Roman", "period") == "the Roman period"
        assert with_kind("Iron Age", "period") == "the Iron Age"
