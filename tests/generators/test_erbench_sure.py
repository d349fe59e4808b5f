"""By default only what a person would surely say so is asked: known nouns and verbs, and values that look like answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from family_made import audited
from generators.erbench import Catalog, propose
from generators.erbench.__main__ import check_edits
from generators.erbench.names import Words
from generators.erbench.sure import FOREIGN, UNSURE, UNSURE_ROWS, UNSURE_VALUES
from generators.family import Options, generate
from kg import InputError, LocalGraph
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

MILLS = """
CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT, climate TEXT);
CREATE TABLE mill (id INTEGER PRIMARY KEY, name TEXT, town_id INTEGER REFERENCES town(id), sails INTEGER, height_m REAL,
  built_year INTEGER, architect TEXT, owner_kind TEXT, country TEXT, visit_count INTEGER);
CREATE TABLE "entry" (id INTEGER PRIMARY KEY, name TEXT, height_m REAL);
"""


@pytest.fixture
def mills(tmp_path: Path) -> LocalGraph:
    """Windmills with a code, a count of one, a name of nobody, and a table whose name says of no row what it is."""
    rows = [
        f"INSERT INTO mill VALUES ({i}, '{name}', {i % 3 + 1}, {1 if i == 0 else i % 4 + 3}, {12 + i}, {1700 + 9 * i},"
        f" '{'Unknown' if i == 1 else f'Ada {name}'}', '{'ABC'[i % 3]}Q{i}', '{'International' if i == 2 else 'France'}', {i})"
        for i, name in enumerate(["Ash", "Birch", "Cedar", "Elm", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Kale"])
    ]
    towns = [
        f"INSERT INTO town VALUES ({i}, '{name}', 'x{i}')" for i, name in enumerate(["Ulm", "Bonn", "Trier", "Kiel", "Jena"], 1)
    ]
    entries = [f"INSERT INTO entry VALUES ({i}, 'Note {i}', {i})" for i in range(5)]
    return LocalGraph.in_memory(load_sql(database(tmp_path / "mills.sqlite", ";".join([MILLS, *towns, *rows, *entries]))))


def asked(graph: LocalGraph, catalog: Catalog, **how: bool) -> dict[str, list[str]]:
    """Questions with their answers; every proof is run."""
    found: dict[str, list[str]] = {}
    for proposal in propose(catalog, 2, "tests", **how):
        result = generate(graph, parse(proposal.text, proposal.name), Options())
        assert result.items.is_empty() or audited(graph, result, literal=3).passed
        found |= dict(result.items.select("question", "answer").iter_rows())
    return found


def test_what_is_surely_said_so_is_asked(mills: LocalGraph) -> None:
    questions = asked(mills, Catalog(mills))
    assert questions["In which year was the mill Ash built?"] == ["1700"]
    assert questions["How tall is the mill Ash, in metres?"] == ["12", "12.0"]
    assert questions["Who designed the mill Ash?"] == ["Ada Ash"]
    assert questions["How many sails does the mill Birch have?"] == ["4"]


def test_what_is_not_is_refused_and_comes_back_with_all_wordings(mills: LocalGraph) -> None:
    catalog = Catalog(mills)
    propose(catalog, 2, "tests")
    assert catalog.refused["mill: owner kind"] == UNSURE
    assert catalog.refused["town: climate"] == UNSURE_VALUES  # a noun, whose values are no common words
    assert catalog.refused["entry: height m"] == UNSURE_ROWS
    everything = asked(mills, Catalog(mills), all_wordings=True)
    assert "What is the climate of Ulm?" in everything
    assert "How tall is the entry Note 1, in metres?" in everything


def test_a_value_that_is_none_is_neither_asked_for_nor_claimed(mills: LocalGraph) -> None:
    questions = asked(mills, Catalog(mills))
    assert "Who designed the mill Birch?" not in questions  # nobody is called "Unknown"
    assert not any("Unknown" in text or "International" in text for text in questions)
    assert not any("have 1 sails" in text for text in questions)


def test_texts_that_a_person_edited_are_held_against_the_rules(mills: LocalGraph, tmp_path: Path) -> None:
    catalog = Catalog(mills)
    proposals = propose(catalog, 2, "tests")
    for proposal in proposals:
        (tmp_path / f"{proposal.name}.rq").write_text(proposal.text, encoding="utf-8")
    assert check_edits(catalog, proposals, tmp_path).changed == 0
    file = tmp_path / "mill-architect-open.rq"
    file.write_text(file.read_text("utf-8").replace("Who designed", "Which Bauhaus man designed"), encoding="utf-8")
    edits = check_edits(catalog, proposals, tmp_path)
    assert edits.faults == ['mill-architect-open.rq: basic: it holds a name of its own: "Bauhaus"']


def test_a_folder_without_families_is_told(mills: LocalGraph, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no families"):
        check_edits(Catalog(mills), [], tmp_path / "none")


def test_a_choice_says_it_of_its_row_three_times_at_least(mills: LocalGraph) -> None:
    choices = [p for p in propose(Catalog(mills), 2, "tests") if p.front["task"] == "choice"]
    assert [p.name for p in choices] == ["mill-facts"]
    assert "It was built in {built_year}." in choices[0].text


BURGEN = """
CREATE TABLE Landschaft (LNr INTEGER PRIMARY KEY, Bezeichnung TEXT, Hauptort TEXT);
CREATE TABLE Fundort (FNr INTEGER PRIMARY KEY, Ortsname TEXT, Landschaft INTEGER REFERENCES Landschaft(LNr), Material TEXT,
  Hoehe INTEGER, Farbe TEXT, Jahr INTEGER, Eigentum TEXT);
"""


def test_of_names_in_another_language_nothing_is_asked_in_english(tmp_path: Path) -> None:
    """An English word among them ("material") may not mean what English means by it."""
    lands = [f"INSERT INTO Landschaft VALUES ({i}, '{name}', 'Ulm')" for i, name in enumerate(["Rhön", "Harz", "Eifel"], 1)]
    names = ["Adlerhof", "Birkental", "Erlenbruch", "Fichtenau", "Hasenberg", "Lindenfels", "Moosach", "Rabenstein"]
    rows = [
        f"INSERT INTO Fundort VALUES ({i}, '{name}', {i % 3 + 1}, 'Stein {i}', {100 + i}, 'rot', {1900 + i}, 'Land')"
        for i, name in enumerate(names)
    ]
    graph = LocalGraph.in_memory(load_sql(database(tmp_path / "burgen.sqlite", ";".join([BURGEN, *lands, *rows]))))
    catalog = Catalog(graph)
    assert catalog.language == "German"
    assert asked(graph, catalog) == {}
    assert f"the names of its database are German ({FOREIGN})" in catalog.refused.values()
    assert asked(graph, Catalog(graph), all_wordings=True)


def test_cut_words_are_in_no_language(mills: LocalGraph) -> None:
    assert Catalog(mills).language is None
    assert Words(["erpt", "hzrd"], ["fatl", "actv", "expd", "vei_mx", "crt_dpth", "region"]).language is None
