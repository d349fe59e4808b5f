"""What a reader found of a catalogue of fossils: who did what to a genus, what lies in a country, what an animal is."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from family_made import audited
from generators.column_names import WordLists
from generators.erbench import Catalog, propose
from generators.erbench.forms import form
from generators.erbench.sentences import Subject
from generators.erbench.sure import Sure
from generators.family import Options, generate
from generators.family.kinds import with_kind
from generators.inflections import is_participle
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries.templates import parse
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """Everything that is asked of the catalogue."""
    script = (FIXTURES / "fossils.sql").read_text(encoding="utf-8")
    graph = LocalGraph.in_memory(load_sql(database(tmp_path_factory.mktemp("fossils") / "fossils.sqlite", script)))
    made = [generate(graph, parse(p.text, p.name), Options()) for p in propose(Catalog(graph), 2, "tests")]
    assert all(audited(graph, result, literal=1).passed for result in made)
    return pl.concat([result.items for result in made], how="diagonal_relaxed")


@pytest.fixture(scope="module")
def asked(items: pl.DataFrame) -> dict[str, list[str]]:
    return dict(items.filter(pl.col("task") != "probe").select("question", "answer").iter_rows())


class TestWhoDidIt:
    def test_nobody_wrote_a_genus_but_somebody_named_it(self, asked: dict[str, list[str]]) -> None:
        assert asked["Who named the genus Borgosaurus?"] == ["Bo Dahl"]
        assert not any("wrote" in question or "written" in question for question in asked)

    def test_an_author_of_what_nobody_named_first_described_it(self) -> None:
        made = form("author", "text", Subject("genus"), "author", person=True)
        assert made.ask == "Who first described ‹row›?"
        assert form("author", "text", Subject("novel"), "author", person=True).ask == "Who wrote ‹row›?"
        assert form("author", "text", Subject("novel")).ask == "Who wrote ‹row›?"

    @pytest.mark.parametrize(
        ("role", "noun", "said"),
        [("composer", "symphony", "composed"), ("painter", "portrait", "painted"), ("sculptor", "bust", "sculpted")],
    )
    def test_works_are_made_by_the_verb_of_their_art(self, role: str, noun: str, said: str) -> None:
        assert form(role, "text", Subject(noun)).ask == f"Who {said} ‹row›?"
        assert said not in form(role, "text", Subject("comet")).ask

    def test_a_deed_is_one_of_a_role(self) -> None:
        makers = {verb for verb, *_ in Sure.load().makers.values()} | {past for _, past in WordLists.load().agents.values()}
        assert all(deed in makers or is_participle(deed) for deed in Sure.load().deeds)
        assert {*Sure.load().acts} <= {*WordLists.load().agents}


class TestWhatItIs:
    def test_an_animal_is_a_carnivore_and_its_diet_is_none(self, asked: dict[str, list[str]]) -> None:
        claims = [question for question in asked if re.search(r"Is the genus \w+ an? (?:carni|herbi|omni)vore\?", question)]
        assert claims
        assert not any("Is the diet" in question for question in asked)

    def test_a_statement_says_so_too(self, items: pl.DataFrame) -> None:
        options = {option for options in items["options"].drop_nulls() for option in options}
        assert "It is a carnivore." in options
        assert not any("diet" in option for option in options)

    def test_a_genus_has_neither_a_length_nor_a_species(self, asked: dict[str, list[str]]) -> None:
        assert not any("long" in question or "species" in question for question in asked)
        assert form("length m", "number", Subject("ship")).look == "number"

    def test_a_genus_stands_before_its_name(self) -> None:
        assert with_kind("Yi", "genus") == "the genus Yi"
        assert with_kind("Biology", "department") == "the Biology department"


class TestWhereItLies:
    def test_a_formation_is_in_a_country(self, asked: dict[str, list[str]]) -> None:
        assert asked["In which country is the Cala Formation?"] == ["Spain"]
        assert not any("from" in question for question in asked)

    @pytest.mark.parametrize("noun", ["quarry", "mine", "plain", "basin", "reef", "deposit"])
    def test_so_is_what_lies_somewhere(self, noun: str) -> None:
        assert noun in WordLists.load().places


class TestGivenAway:
    def test_a_museum_that_says_its_country_is_not_asked_for_it(self, asked: dict[str, list[str]]) -> None:
        assert any("Esk Bone Museum" in question for question in asked)
        assert not any("Peruvian" in question or "Spanish" in question for question in asked)


class TestFalseMeasures:
    def test_a_false_measure_is_off_by_a_third(self, items: pl.DataFrame) -> None:
        heights = {
            "Arle": 90,
            "Borg": 95,
            "Cala": 100,
            "Dorn": 105,
            "Esk": 110,
            "Fosse": 135,
            "Glen": 140,
            "Holm": 150,
            "Isen": 170,
        }
        heights["Jarl"] = 205
        claims = [
            re.fullmatch(r"Is the (\w+) Dam (\d+) metres tall\?|Is the (\w+) Dam (\d+) metres high\?", q)
            for q in items["question"]
        ]
        said = [(found[1] or found[3], int(found[2] or found[4])) for found in claims if found]
        false = [(name, value) for name, value in said if heights[name] != value]
        assert false
        assert all(abs(value - heights[name]) >= heights[name] / 3 for name, value in false)
