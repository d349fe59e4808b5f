"""Values in normal form: names upright and with capitals, dates in words; what the data say is still an accepted answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from family_made import audited
from generators.erbench import Catalog, propose
from generators.family import Options, generate
from generators.family.spelling import as_said
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries import parse
from sql_database import database

CHESS = """
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT, born TEXT, birthplace TEXT, taught_by TEXT, opening TEXT);
INSERT INTO players VALUES
  (1, 'Berg, Ada', '1951-03-02', 'ulm', 'Eck, Cy', 'slav defence'),
  (2, 'Dahl, Bo', '1960-11-30', 'new york', 'Falk, Di', 'french defence'),
  (3, 'de la Cruz, Eva', '1972-05-17', 'stratford-upon-avon', 'Eck, Cy', 'english opening');
"""


@pytest.fixture
def chess(tmp_path: Path) -> LocalGraph:
    return LocalGraph.in_memory(load_sql(database(tmp_path / "chess.sqlite", CHESS)))


def test_names_are_turned_upright_and_dates_are_said_in_words(chess: LocalGraph) -> None:
    asked: dict[str, list[str]] = {}
    for proposal in propose(Catalog(chess), 1, "tests", all_wordings=True):
        result = generate(chess, parse(proposal.text, proposal.name), Options())
        assert audited(chess, result, literal=3).passed
        asked |= dict(result.items.select("question", "answer").iter_rows())
    assert asked["On which date was the chess player Ada Berg born?"] == ["2 March 1951", "1951-03-02"]
    assert asked["Where was the chess player Eva de la Cruz born?"] == ["Stratford-upon-Avon", "stratford-upon-avon"]
    assert asked["Who taught the chess player Bo Dahl?"] == ["Di Falk", "Falk, Di"]
    assert asked["What is the opening of the chess player Ada Berg?"] == ["slav defence"]  # a common noun stays small
    assert not any("Berg, Ada" in text for text in asked)


def test_what_is_in_another_form_stays() -> None:
    assert [as_said(text, "name") for text in ("Washington, D.C. (1790)", "McCoy", "K2", "o'brien", "mcdonald")] == [
        "Washington, D.C. (1790)", "McCoy", "K2", "O'Brien", "McDonald",
    ]  # fmt: skip
    assert [as_said(text, "date") for text in ("1951", "1951-13-01", "spring 1951", "12:00")] == [
        "1951", "1951-13-01", "spring 1951", "12:00",
    ]  # fmt: skip


@given(st.text(max_size=30))
def test_saying_twice_says_no_more(text: str) -> None:
    for how in ("name", "date"):
        once = as_said(text, how)
        assert sorted(once.casefold().replace(",", "")) == sorted(text.casefold().replace(",", "")) or how == "date"
        assert how == "name" or as_said(once, how) == once
