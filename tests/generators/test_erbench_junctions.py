"""Tables that join many to many: whether, which one, and what is kept of a pair; and rows as a passage (an open book)."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from family_made import audited
from fpq_made import Done, read_lines
from generators.erbench import Catalog, propose
from generators.erbench import __main__ as erbench
from generators.family import Options, generate
from kg import LocalGraph, cli
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

KITCHEN = """
CREATE TABLE recipes (id INTEGER PRIMARY KEY, title TEXT, servings INTEGER);
CREATE TABLE ingredients (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE recipe_ingredients (recipe_id INTEGER REFERENCES recipes(id), ingredient_id INTEGER REFERENCES ingredients(id),
  grams INTEGER, PRIMARY KEY (recipe_id, ingredient_id));
"""
RECIPES = ["Gazpacho", "Harira", "Ribollita", "Potato Salad", "Raita", "Menu of All", "Toast"]
INGREDIENTS = ["olive oil", "tomato", "garlic", "potato", "cumin", "lentils", *(f"herb {chr(97 + i)}" for i in range(26))]
USES = {0: [0, 1, 2], 1: [1, 4, 5], 2: [0, 1, 3], 3: [0, 2, 3], 4: [2, 4], 5: range(32), 6: [2]}


@pytest.fixture
def kitchen(tmp_path: Path) -> str:
    rows = [f"INSERT INTO recipes VALUES ({i}, '{title}', {i + 2})" for i, title in enumerate(RECIPES, 1)]
    rows += [f"INSERT INTO ingredients VALUES ({i}, '{name}')" for i, name in enumerate(INGREDIENTS, 1)]
    rows += [
        f"INSERT INTO recipe_ingredients VALUES ({recipe + 1}, {one + 1}, {50 * recipe + 7 * one + 10})"
        for recipe, used in USES.items()
        for one in used
    ]
    return database(tmp_path / "kitchen.sqlite", ";".join([KITCHEN, *rows]))


def test_what_a_recipe_has_is_asked_though_nobody_declared_its_keys(kitchen: str, tmp_path: Path) -> None:
    """A table that joins by keys which only the values show gave families without an item."""
    with sqlite3.connect(kitchen.removeprefix("sqlite:///")) as declared:
        sql = "\n".join(line for line in declared.iterdump() if line.startswith(("INSERT", "CREATE")))
    bare = re.sub(r" REFERENCES \w+\(id\)|, PRIMARY KEY \([^)]*\)", "", sql)
    assert "REFERENCES" not in bare
    said = [asked_of(url) for url in (kitchen, database(tmp_path / "bare.sqlite", bare))]
    assert any(question.startswith("Name one of the ingredients of ") for question in said[1])
    assert said[0] == said[1]


def asked_of(url: str) -> set[str]:
    """Return the questions of the families that join recipes with ingredients."""
    graph = LocalGraph.in_memory(load_sql(url))
    made = [
        generate(graph, parse(p.text, p.name), Options())
        for p in propose(Catalog(graph, database="kitchen"), 1, "tests")
        if "ingredient" in p.name
    ]
    return {question for result in made for question in result.items["question"]}


def run(capfd: pytest.CaptureFixture[str], *args: object) -> Done:
    with pytest.raises(SystemExit) as stop:
        cli.run(erbench.app, "python -m generators.erbench", [str(arg) for arg in args])
    out, err = capfd.readouterr()
    return Done(stop.value.code, out, err)


def test_what_belongs_to_what_is_asked_both_ways_and_proven(kitchen: str) -> None:
    graph, asked = LocalGraph.in_memory(load_sql(kitchen)), dict[str, list[str]]()
    for proposal in propose(Catalog(graph), 2, "tests"):
        result = generate(graph, parse(proposal.text, proposal.name), Options())
        assert audited(graph, result, literal=3).passed
        asked |= dict(result.items.select("question", "answer").iter_rows())
    assert sorted(asked["Name one of the ingredients of the recipe Gazpacho."]) == ["garlic", "olive oil", "tomato"]
    assert asked["How many grams of tomato are in the recipe Gazpacho?"] == ["17"]
    held = {text: answer for text, answer in asked.items() if text.startswith("Is ")}
    for text, answer in held.items():
        one, recipe = text.removeprefix("Is ").removesuffix("?").split(" one of the ingredients of the recipe ")
        assert (answer == ["yes"]) == (INGREDIENTS.index(one) in USES[RECIPES.index(recipe)])
    assert held
    assert not any("Menu of All" in text and "one of" in text for text in asked)  # of so many, any would do
    assert not any("Toast" in text and "one of" in text for text in asked)
    assert not any("potato one of" in text and "Potato Salad" in text for text in asked)  # its name says so


def test_an_open_book_gives_each_row_among_others(kitchen: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "book.jsonl"
    assert run(capfd, kitchen, "--open-book", "--out", out).code == 0
    items = list(read_lines(out))
    assert {item["task"] for item in items} == {"context"}
    grams = [item for item in items if "How many grams" in item["question"]]
    assert grams
    for item in grams:
        one, recipe = item["question"].removeprefix("How many grams of ").removesuffix("?").split(" are in ")
        assert f"{item['answer'][0]} grams of {one} are in {recipe}." in item["context"]
        assert item["context"].count(" grams of ") == 6


def test_a_passage_goes_with_short_questions_alone(kitchen: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = run(capfd, kitchen, "--open-book", "--tasks", "choice", "--out", tmp_path / "x.jsonl")
    assert done.code == 2
    assert done.stderr.strip() == "error: --open-book: a passage goes with short questions; name open in --tasks"
    assert not (tmp_path / "x.jsonl").exists()


STUDIO = """
CREATE TABLE person (id_person INTEGER PRIMARY KEY, name TEXT, born INTEGER);
CREATE TABLE movie (id_movie INTEGER PRIMARY KEY, title TEXT, released INTEGER);
CREATE TABLE acted_in (id_person INTEGER REFERENCES person(id_person), id_movie INTEGER REFERENCES movie(id_movie), role TEXT);
CREATE TABLE directed (id_person INTEGER REFERENCES person(id_person), id_movie INTEGER REFERENCES movie(id_movie),
  PRIMARY KEY (id_person, id_movie));
"""
PEOPLE = ["Ada Lind", "Bo Marti", "Cy Roche", "Di Weber", "Ed Larsson", "Flo Conti", "Gus Petit", "Hal Juel"]
MOVIES = ["The Quarry", "Long Water", "Ninth Gate Road", "Salt", "Winter Ferry", "Two Clocks"]


def test_a_table_called_by_a_verb_says_who_did_it(tmp_path: Path) -> None:
    """Who plays two roles in a film stands there twice."""
    rows = [f"INSERT INTO person VALUES ({i}, '{name}', {1930 + i})" for i, name in enumerate(PEOPLE, 1)]
    rows += [f"INSERT INTO movie VALUES ({i}, '{title}', {1960 + i})" for i, title in enumerate(MOVIES, 1)]
    rows += [f"INSERT INTO directed VALUES ({1 + i % 4}, {i})" for i in range(1, 7)]
    roles = [(who, film, f"Guest {who}") for film in range(1, 7) for who in (film, film + 1, film + 2)]
    rows += [f"INSERT INTO acted_in VALUES ({who}, {film}, '{role}')" for who, film, role in [*roles, (1, 1, "The Twin")]]
    graph = LocalGraph.in_memory(load_sql(database(tmp_path / "studio.sqlite", ";".join([STUDIO, *rows]))))
    families = [parse(p.text, p.name) for p in propose(Catalog(graph, database="studio"), 1, "tests")]
    items = [item for family in families for item in generate(graph, family, Options()).items.to_dicts()]
    asked = {item["question"]: item["answer"] for item in items}
    assert asked["Who directed the 1962 movie “Long Water”?"] == ["Cy Roche"]
    assert any(re.fullmatch(r"Did [\w ]+ direct the \d+ movie “[\w ]+”\?", question) for question in asked)
    assert any(re.fullmatch(r"Did [\w ]+ act in the \d+ movie “[\w ]+”\?", question) for question in asked)
    assert asked["Which role did Bo Marti play in the 1962 movie “Long Water”?"] == ["Guest 2"]
    assert all(len(item["answer"]) == 1 for item in items if item["question"].startswith("Which role"))
