"""A plain small database whose columns no list foresaw: what a lexicon says of their words, and the look of their values."""

from __future__ import annotations

import re

import polars as pl
import pytest

from family_made import audited
from generators.erbench import Catalog, propose
from generators.family import Options, generate
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

GARDEN = """
CREATE TABLE species (id INTEGER PRIMARY KEY, name TEXT, latin_name TEXT, continent TEXT, evergreen INTEGER);
CREATE TABLE gardeners (id INTEGER PRIMARY KEY, name TEXT, birth_date TEXT);
CREATE TABLE trees (id INTEGER PRIMARY KEY, name TEXT, species_id INTEGER REFERENCES species(id), planted INTEGER,
  girth_cm INTEGER, condition TEXT, keeper_id INTEGER REFERENCES gardeners(id), carver TEXT, last_pruned TEXT);
CREATE TABLE tbl_makers (id INTEGER PRIMARY KEY, name TEXT, nationality TEXT, birth_year INTEGER,
  occupation TEXT);
"""
SPECIES = [("Ash", "Fraxinus", "Europe", 0), ("Yew", "Taxus", "Europe", 1), ("Maidenhair", "Ginkgo", "Asia", 0),
           ("Maple", "Acer", "Asia", 0), ("Redwood", "Sequoia", "America", 1), ("Oak", "Quercus", "Europe", 0)]  # fmt: skip
TREES = ["Old Bess", "The Sentinel", "Ruby", "Merlin", "Goliath", "Captain", "Oberon", "Duchess"]
MAKERS = [("Tompion, Thomas", "English"), ("Graham, George", "English"), ("Huygens, Christiaan", "Dutch"),
          ("Janvier, Antide", "French"), ("Mudge, Thomas", "English"), ("Wolff, Anna", "Swiss")]  # fmt: skip


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """All items, every proof run."""
    rows = [f"INSERT INTO species VALUES ({i}, '{n}', '{la}', '{c}', {e})" for i, (n, la, c, e) in enumerate(SPECIES)]
    people = ["Ada Berg", "Bo Dahl", "Cy Lund"]
    rows += [f"INSERT INTO gardeners VALUES ({i}, '{name}', '198{i}-05-0{i + 1}')" for i, name in enumerate(people)]
    rows += [
        f"INSERT INTO trees VALUES ({i}, '{name}', {i % 6}, {1800 + 11 * i}, {90 + 7 * i}, '{('good', 'poor', 'fair')[i % 3]}',"
        f" {i % 3}, '{people[i % 2]} {people[-1 - i % 3][-4:]}', '20{10 + i}-03-01')"
        for i, name in enumerate(TREES)
    ]
    trades = ["smith", "joiner", "monk"]
    rows += [
        f"INSERT INTO tbl_makers VALUES ({i}, '{name}', '{land}', {1640 + 9 * i}, '{trades[i % 3]}')"
        for i, (name, land) in enumerate(MAKERS)
    ]
    url = database(tmp_path_factory.mktemp("garden") / "garden.sqlite", ";".join([GARDEN, *rows]))
    graph, found = LocalGraph.in_memory(load_sql(url)), []
    for proposal in propose(Catalog(graph), 2, "tests"):
        result = generate(graph, parse(proposal.text, proposal.name), Options())
        assert audited(graph, result, literal=3).passed
        found.append(result.items.select("question", "answer", "options"))
    return pl.concat(found)


@pytest.fixture
def questions(items: pl.DataFrame) -> dict[str, list[str]]:
    return dict(items.select("question", "answer").iter_rows())


@pytest.fixture
def options(items: pl.DataFrame) -> set[str]:
    return {*items["options"].drop_nulls().explode()}


def test_columns_that_no_list_names_are_asked_as_a_person_would(questions: dict[str, list[str]]) -> None:
    assert questions["What is the girth of the tree “Old Bess” in centimetres?"] == ["90"]
    assert {f"Is the condition of the tree “Ruby” {value}?" for value in ("good", "poor", "fair")} & {*questions}
    assert questions["In which year was the tree “The Sentinel” planted?"] == ["1811"]
    assert questions["What species is the tree “Merlin”?"] == ["Maple"]
    assert questions["What is the Latin name of the yew?"] == ["Taxus"]
    assert questions["Which continent is the redwood from?"] == ["America"]
    assert "Is the yew evergreen?" in questions
    assert questions["Who is the keeper of the tree “Old Bess”?"] == ["Ada Berg"]
    assert "Who was the carver of the tree “Old Bess”?" in questions


def test_people_are_told_by_what_is_kept_of_them(questions: dict[str, list[str]]) -> None:
    assert questions["In which year was Thomas Tompion born?"] == ["1640"]  # a maker, long dead
    assert {f"Was Thomas Tompion {land}?" for _, land in MAKERS} & {*questions}
    assert not any("Ada Berg" in text and "born" in text for text in questions)  # a gardener of today is nobody's business


def test_a_choice_says_of_people_whole_sentences(options: set[str]) -> None:
    assert any(option.startswith("Tompion was born in 1") for option in options)
    assert any(re.fullmatch("Tompion was an? [a-z ]+.", option) for option in options)
    assert not any(option.startswith("was ") or "{" in option for option in options)


def test_denials_are_asked_where_they_are_wanted(questions: dict[str, list[str]]) -> None:
    assert not any(text.startswith("Is it true that") for text in questions)
