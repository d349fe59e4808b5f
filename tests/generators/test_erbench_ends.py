"""A distance says from what, a name that two rows have tells no row apart, and a foreign key that is a verb is one."""

from __future__ import annotations

import pytest

from family_made import audited
from generators.erbench import Catalog, propose
from generators.erbench.refusals import HALF
from generators.family import Options, generate
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

FARMS = """
CREATE TABLE farm (id INTEGER PRIMARY KEY, name TEXT, nearest_town TEXT, dist_km INTEGER, crop TEXT,
  succeeds INTEGER REFERENCES farm(id));
CREATE TABLE mill (id INTEGER PRIMARY KEY, name TEXT, dist_km INTEGER, owner TEXT);
INSERT INTO farm VALUES (1, 'Oak Hollow', 'Ulm', 3, 'rye', NULL), (2, 'Fox Hill', 'Bonn', 5, 'hops', 1),
  (3, 'Elm End', 'Trier', 8, NULL, 2),
  (4, 'Elm End', 'Kiel', 9, 'flax', 3), (5, 'Ash Brow', 'Hof', 2, 'oats', 2);
INSERT INTO mill VALUES (1, 'Upper', 3, 'Bo Dahl'), (2, 'Lower', 4, 'Cy Eck');
"""


@pytest.fixture(scope="module")
def farms(tmp_path_factory: pytest.TempPathFactory) -> LocalGraph:
    """Farms near towns, two of one name, of which one has no crop; mills that are far from something."""
    return LocalGraph.in_memory(load_sql(database(tmp_path_factory.mktemp("farms") / "farms.sqlite", FARMS)))


@pytest.fixture(scope="module")
def asked(farms: LocalGraph) -> dict[str, list[str]]:
    """All questions and their answers; every proof is run."""
    found: dict[str, list[str]] = {}
    for proposal in propose(Catalog(farms), 2, "tests", all_wordings=True):
        result = generate(farms, parse(proposal.text, proposal.name), Options())
        assert result.items.is_empty() or audited(farms, result, literal=3).passed
        found |= dict(result.items.select("question", "answer").iter_rows())
    return found


def test_a_distance_says_from_what(farms: LocalGraph, asked: dict[str, list[str]]) -> None:
    assert asked["How far is the farm Fox Hill from its nearest town, in kilometres?"] == ["5"]
    catalog = Catalog(farms)
    assert catalog.refused["mill: distance km"] == HALF
    assert not any("mill" in question and "distance" in question for question in asked)


def test_a_name_of_two_rows_is_not_asked_about_though_one_alone_has_a_value(asked: dict[str, list[str]]) -> None:
    assert asked["What is the crop of the farm Fox Hill?"] == ["hops"]
    assert not any("crop of the farm Elm End" in question for question in asked)
    assert not any("the farm Elm End from" in question for question in asked)


def test_a_foreign_key_that_is_a_verb_is_one(asked: dict[str, list[str]]) -> None:
    assert asked["Which farm does the farm Fox Hill succeed?"] == ["Oak Hollow"]
