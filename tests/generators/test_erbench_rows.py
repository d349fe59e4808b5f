"""What a row is, and what may be said of it: dates of a life, nouns of tables, codes, second mentions, what is over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from generators.erbench import Catalog, propose, refusals, sure
from generators.erbench.values import kind_of
from generators.family import Options, generate
from kg import LocalGraph
from kg.sources.sql import load_sql
from sql_database import database

KEYS = ["Stone of Arle", "Tablets of Borg", "Edicts of Cala", "Seals of Dorn", "Cippi of Esk", "Wall of Fosse", "Urns of Glen"]
NAMES = ["Ada Berg", "Bo Dahl", "Cy Lund", "Di Holm", "Ed Falk", "Flo Strand", "Gus Lind"]
LANDS = [(f"{name[-4:].strip().capitalize()}land", f"{name[:2]}ville") for name in NAMES]


def asked(path: Path, table: str, columns: str, rows: Sequence[tuple[str, ...]]) -> tuple[Catalog, list[str]]:
    """Return the catalog of a table, and the questions that are asked of it."""
    told = [f"INSERT INTO [{table}] VALUES ({', '.join(repr(value) for value in row)})" for row in rows]
    url = database(path / "rows.sqlite", ";".join([f"CREATE TABLE [{table}] ({columns})", *told]))
    catalog = Catalog(LocalGraph.in_memory(load_sql(url)))
    return catalog, [text for proposal in propose(catalog, 2, "tests") for text in proposal.questions.values()]


def probes(catalog: Catalog) -> list[str]:
    """Return what is asked to find out whether a model knows a row."""
    found = [family.front.get("probe") for family in propose(catalog, 2, "tests")]
    return [str(probe["whole"]) for probe in found if isinstance(probe, dict) and "whole" in probe]


class TestDatesOfALife:
    def test_years_beside_gaps_are_years(self) -> None:
        assert kind_of(pl.Series(["1790", "1822", "-", "N/A"])) == "year"
        assert kind_of(pl.Series(["Arle", "Borg", "-"])) == "text"

    def test_who_was_born_in_a_year_was_born_when(self, tmp_path: Path) -> None:
        rows = [(name, str(1790 + 7 * n) if n else "-") for n, name in enumerate(NAMES)]
        _, questions = asked(tmp_path, "explorers", "Explorer TEXT, Born TEXT", rows)
        assert any(re.match("In which year was .+ born", text) for text in questions)
        assert not any(text.startswith("Where") for text in questions)

    def test_who_was_born_at_a_place_was_born_where(self, tmp_path: Path) -> None:
        _, questions = asked(tmp_path, "explorers", "Explorer TEXT, Born TEXT", [(n, f"{n[:2]}ville") for n in NAMES])
        assert any(re.match("Where was .+ born", text) for text in questions)

    def test_an_act_is_not_born(self, tmp_path: Path) -> None:
        rows = [(key, name, str(1790 + 7 * n)) for n, (key, name) in enumerate(zip(KEYS, NAMES, strict=True))]
        catalog, questions = asked(tmp_path, "decipherments", "[Key object] TEXT, Decipherer TEXT, Born TEXT", rows)
        assert not any("born" in text for text in questions)
        assert refusals.OF_A_PERSON in catalog.refused.values()


class TestTheNounOfARow:
    def test_the_column_of_names_says_it_where_the_table_does_not(self, tmp_path: Path) -> None:
        _, questions = asked(tmp_path, "countries_official_languages", "Country TEXT, Capital TEXT", LANDS)
        assert "What is the capital of {country:the}?" in questions
        assert not any("language" in text for text in questions)

    def test_where_no_column_does_nothing_is_asked(self, tmp_path: Path) -> None:
        catalog, questions = asked(tmp_path, "countries_official_languages", "Name TEXT, Capital TEXT", LANDS)
        assert questions == []
        assert sure.MISNAMED in catalog.refused.values()


class TestCodes:
    COLUMNS = "PART_NO TEXT PRIMARY KEY, DESCR TEXT, UOM TEXT, Supplier TEXT"

    def test_a_description_names_what_has_a_code_alone(self, tmp_path: Path) -> None:
        rows = [(f"ROP070{n}", key.upper(), "EA", name) for n, (key, name) in enumerate(zip(KEYS, NAMES, strict=True))]
        catalog, _ = asked(tmp_path, "parts", self.COLUMNS, rows)
        (table,) = catalog.tables.values()
        assert set(catalog.names_of(table)["label"]) == {key.upper() for key in KEYS}

    def test_where_none_tells_rows_apart_they_are_not_asked_about(self, tmp_path: Path) -> None:
        rows = [(f"ROP070{n}", "ROPE", "EA", name) for n, name in enumerate(NAMES)]
        catalog, questions = asked(tmp_path, "parts", self.COLUMNS, rows)
        assert questions == []
        assert refusals.UNNAMED in catalog.refused.values()


class TestASecondMention:
    def test_a_person_is_no_it(self, tmp_path: Path) -> None:
        rows = [(name, f"{name[:2]}ville") for name in NAMES]
        catalog, _ = asked(tmp_path, "astronauts", "Astronaut TEXT, Birthplace TEXT", rows)
        (probe,) = probes(catalog)
        assert probe == "Have you heard of {astronaut}? If so, was {astronaut:surname} born in {birthplace:the}?"

    def test_a_boat_with_a_berth_has_its_builder(self, tmp_path: Path) -> None:
        rows = [(key, name, f"A{n}") for n, (key, name) in enumerate(zip(KEYS, NAMES, strict=True))]
        catalog, _ = asked(tmp_path, "BOAT", "NM TEXT, BLDR TEXT, BRTH TEXT", rows)
        assert any(" its builder?" in probe or " it built by " in probe for probe in probes(catalog))
        assert not any("their" in probe for probe in probes(catalog))


def test_figures_do_not_stand_behind_figures(tmp_path: Path) -> None:
    rows = [(f"{key} {n}" if n % 2 else key, str(20 + n)) for n, key in enumerate(KEYS)]
    catalog, _ = asked(tmp_path, "rockets", "name TEXT, height_m INTEGER", rows)
    (family,) = [found for found in propose(catalog, 2, "tests") if found.front["task"] == "yes_no"]
    items = generate(catalog.graph, family.template, Options()).items
    asked_of = items.filter(items["task"] == "yes_no")["question"].to_list()
    assert asked_of
    assert not any(re.search(r"\d \d", text) for text in asked_of)


def test_what_came_to_its_end_had_what_it_had(tmp_path: Path) -> None:
    rows = [(key, f"{name[:2]}ton", f"19{60 + n}-0{n + 1}-02") for n, (key, name) in enumerate(zip(KEYS, NAMES, strict=True))]
    _, over = asked(tmp_path, "missions", "name TEXT, call_sign TEXT, landing_date TEXT", rows)
    assert any(text.startswith("What was the call sign of") for text in over)
    assert any(text.startswith("Was {claimed} the call sign of") for text in over)


def asked_of(path: Path, *sql: str) -> tuple[Catalog, list[str]]:
    """Return the catalog of a database, and the questions that are asked of it."""
    catalog = Catalog(LocalGraph.in_memory(load_sql(database(path / "rows.sqlite", ";".join(sql)))))
    return catalog, [text for proposal in propose(catalog, 2, "tests") for text in proposal.questions.values()]


def filled(table: str, rows: Sequence[tuple[object, ...]]) -> list[str]:
    return [f"INSERT INTO {table} VALUES ({', '.join(map(repr, row))})" for row in rows]


def test_a_match_is_one_of_its_contest(tmp_path: Path) -> None:
    """Who met at one tournament met at another."""
    sql = [
        "CREATE TABLE tournaments (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE matches (id INTEGER PRIMARY KEY, name TEXT, tournament_id INTEGER REFERENCES tournaments(id), date TEXT)",
        *filled("tournaments", [(n, f"{1930 + 4 * n} Fosse Cup") for n in range(1, 4)]),
        *filled("matches", [(n, f"{LANDS[n][0]} v {LANDS[n - 1][0]}", 1 + n % 3, f"1934-05-{10 + n}") for n in range(1, 7)]),
    ]
    _, questions = asked_of(tmp_path, *sql)
    assert "On which date did {match:the match} at {tournament:the} take place?" in questions


def test_what_a_class_sorts_is_said_with_it(tmp_path: Path) -> None:
    sql = [
        "CREATE TABLE styles (id INTEGER PRIMARY KEY, name TEXT, first_brewed INTEGER)",
        "CREATE TABLE beers (id INTEGER PRIMARY KEY, name TEXT, style_id INTEGER REFERENCES styles(id))",
        *filled("styles", [(n, f"{name[3:]} Ale", 1800 + n) for n, name in enumerate(NAMES)]),
        *filled("beers", [(n, f"{name} Special", n) for n, name in enumerate(NAMES)]),
    ]
    catalog, _ = asked_of(tmp_path, *sql)
    assert {table.name for table in catalog.tables.values()} == {"beer style", "beer"}


def test_what_only_describes_a_row_answers_nothing(tmp_path: Path) -> None:
    rows = [(name, f"award {n} for players", str(1950 + n)) for n, name in enumerate(KEYS)]
    catalog, questions = asked(tmp_path, "awards", "name TEXT, award_description TEXT, first_given TEXT", rows)
    assert "award: description" in catalog.refused
    assert not any("description" in text for text in questions)


def test_a_table_of_descriptions_of_works_is_one_of_works(tmp_path: Path) -> None:
    sql = ["CREATE TABLE work_desc (work_id INTEGER PRIMARY KEY, title TEXT, painted_year INTEGER)"]
    catalog, _ = asked_of(tmp_path, *sql, *filled("work_desc", [(n, key, 1800 + n) for n, key in enumerate(KEYS)]))
    assert [table.name for table in catalog.tables.values()] == ["work"]


def test_a_period_of_many_figures_is_no_place_on_a_map(tmp_path: Path) -> None:
    rows = [(key, f"{20 + n}.5305{n}9") for n, key in enumerate(KEYS)]
    catalog, _ = asked(tmp_path, "moons", "name TEXT, orbitalperiod_days REAL, latitude REAL", [(*row, row[1]) for row in rows])
    assert catalog.refused["moon: latitude"] == "coordinates"
    assert catalog.refused.get("moon: orbital period days") != "coordinates"


LANDED = [(n, land) for n, (land, _) in enumerate(LANDS, 1)]


def test_what_begins_with_the_name_of_its_row_is_no_question(tmp_path: Path) -> None:
    """The Japan Yen is that of Japan."""
    sql = [
        "CREATE TABLE currencies (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE countries (id INTEGER PRIMARY KEY, name TEXT, currency_id INTEGER REFERENCES currencies(id))",
        *filled("currencies", [(n, f"{land} Taler") for n, land in LANDED]),
        *filled("countries", [(n, land, n) for n, land in LANDED]),
    ]
    catalog, questions = asked_of(tmp_path, *sql)
    assert not any("currency" in text for text in questions)
    assert "begin with the name" in catalog.refused["country: currency"]


def test_nobody_keeps_all_rivers_of_a_country(tmp_path: Path) -> None:
    sql = [
        "CREATE TABLE rivers (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE countries (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE countries_rivers (country_id INTEGER REFERENCES countries(id), river_id INTEGER REFERENCES rivers(id),"
        " PRIMARY KEY (country_id, river_id))",
        *filled("rivers", [(n, name[3:].strip()) for n, name in enumerate(NAMES, 1)]),
        *filled("countries", LANDED),
        *filled("countries_rivers", [(n, (n + k) % 7 + 1) for n in range(1, 8) for k in range(3)]),
    ]
    _, questions = asked_of(tmp_path, *sql)
    assert not any("river" in text for text in questions)
