"""What is no more is asked about in the past, and what is still there in the present."""

from __future__ import annotations

from pathlib import Path

from family_made import audited
from generators.erbench import Catalog, propose
from generators.erbench.columns import Attribute
from generators.erbench.rows import value_text
from generators.erbench.sentences import Subject
from generators.erbench.times import event
from generators.family import Options, generate
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

_NAMES = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Kale"]
_SUNK = ["sunk", " Scrapped", "wrecked \U0001f6a2", "burned", 'lost "at sea"', "scuttled"]


def questions(folder: Path, column: str, values: list[str]) -> set[str]:
    """Questions on ten ships of which one column says something; every proof is run."""
    rows = [
        f"INSERT INTO ship VALUES ({i}, '{name}', {50 + i}.5, {value})"
        for i, (name, value) in enumerate(zip(_NAMES, values, strict=True), 1)
    ]
    folder.mkdir(exist_ok=True)
    made = f"CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, length_m REAL, {column})"
    graph = LocalGraph.in_memory(load_sql(database(folder / "ships.sqlite", ";".join([made, *rows]))))
    found: set[str] = set()
    for proposal in propose(Catalog(graph), 1, "tests"):
        result = generate(graph, parse(proposal.text, proposal.name), Options())
        assert result.items.is_empty() or audited(graph, result, literal=3).passed
        found |= {*result.items["question"]}
    return {question for question in found if "metres" in question and "Which" not in question}


def test_most_ships_are_gone_and_these_alone_are_asked_about(tmp_path: Path) -> None:
    fates = [f"'{fate}'" for fate in _SUNK] + ["'preserved'"] * 4
    asked = questions(tmp_path, "fate TEXT", fates)
    assert "How long was the ship Alder, in metres?" in asked
    assert not any("Kale" in question or " is " in question for question in asked)


def test_a_day_of_the_end_says_so_as_well(tmp_path: Path) -> None:
    ends = [f"'19{10 + i}-0{i}-11'" for i in range(1, 8)] + ["NULL"] * 3
    asked = questions(tmp_path, "end_date TEXT", ends)
    assert "How long was the ship Alder, in metres?" in asked
    assert not any("Kale" in question for question in asked)


def test_of_ships_of_which_few_are_gone_the_others_are_asked_about(tmp_path: Path) -> None:
    asked = questions(tmp_path, "still_afloat INTEGER", ["0"] * 3 + ["1"] * 7)
    assert "How long is the ship Kale, in metres?" in asked
    assert not any("Alder" in question for question in asked)


def test_a_status_that_says_nothing_of_an_end_changes_nothing(tmp_path: Path) -> None:
    asked = questions(tmp_path, "status TEXT", ["'chartered'"] * 5 + ["'moored'"] * 5)
    assert {"How long is the ship Alder, in metres?", "How long is the ship Kale, in metres?"} <= asked


def test_a_ship_is_built_at_a_yard_on_a_river(tmp_path: Path) -> None:
    yards = [
        f"INSERT INTO shipyard VALUES ({i}, '{name}', '{river}')"
        for i, (name, river) in enumerate(
            [("Hollow", "Tay"), ("Marsh", "Elbe"), ("Sands", "Avon"), ("Quay", "Orne"), ("Dell", "Ems")], 1
        )
    ]
    ships = [f"INSERT INTO ship VALUES ({i}, '{name}', {i % 5 + 1})" for i, name in enumerate(_NAMES)]
    made = """CREATE TABLE shipyard (id INTEGER PRIMARY KEY, name TEXT, river TEXT);
        CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, shipyard_id INTEGER REFERENCES shipyard(id))"""
    graph = LocalGraph.in_memory(load_sql(database(tmp_path / "yards.sqlite", ";".join([made, *yards, *ships]))))
    found = {
        question
        for proposal in propose(Catalog(graph), 1, "tests")
        for question in generate(graph, parse(proposal.text, proposal.name), Options()).items["question"]
    }
    assert "Was the ship Alder built at Marsh?" in found or "Was the ship Alder built at Hollow?" in found
    assert "Which shipyard built the ship Alder?" in found
    assert value_text(None, "river", Attribute("u:river", "shipyard", "river")) == "{river:the river}"


def test_when_a_prize_was_last_awarded_is_soon_no_longer_so() -> None:
    said = {name: event(f"{name} awarded", "year", Subject("prize"), None) for name in ("first", "last")}
    assert said["first"] is not None
    assert said["last"] is not None
    assert (said["first"].look, said["last"].look) == ("year", None)
