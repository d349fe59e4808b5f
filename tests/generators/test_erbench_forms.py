"""How a column is asked, by the type of its values: who, where, when, how many; verbs as verbs."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from generators.column_names import WordLists
from generators.erbench.flags import flag
from generators.erbench.forms import form
from generators.erbench.sentences import ROW, VALUE, Form, Subject

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"
with (FIXTURES / "forms.csv").open(encoding="utf-8") as _file:
    ROWS = list(csv.DictReader(_file))


def made(row: dict[str, str]) -> Form:
    lists = WordLists.load()
    noun, person = row["noun"], row["noun"] in lists.persons
    subject = Subject(noun, person=person, place=noun in lists.places)
    return form(row["name"], row["kind"], subject, row["to"] or None, person=(row["to"] or row["name"]) in lists.persons)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['noun']}-{row['name']}" for row in ROWS])
def test_a_column_is_asked_as_a_person_would(row: dict[str, str]) -> None:
    said = made(row)
    assert said.ask.replace(ROW, "X") == row["ask"]
    assert said.deny.replace(ROW, "X").replace(VALUE, "V") == row["deny"]


def test_every_text_says_the_row_and_only_statements_the_value() -> None:
    for said in map(made, ROWS):
        assert all(ROW in text for text in (said.ask, said.claim, said.deny, said.say, said.whole))
        assert VALUE not in said.ask + said.whole
        assert all(text.count(VALUE) == 1 for text in (said.claim, said.deny, said.say))


@pytest.mark.parametrize("name", ["founded", "opened", "established", "released", "launched", "date discontinued", "born"])
def test_no_participle_is_asked_as_a_noun(name: str) -> None:
    """ "What is the founded of" cannot occur."""
    for kind in ("year", "date", "month"):
        assert f"the {name} of" not in form(name, kind, Subject("thing")).ask


def test_yes_and_no_are_asked_as_yes_and_no() -> None:
    assert [
        said[0].replace(ROW, "X") for name in ("discontinued", "is extinct", "has pool", "in use") if (said := flag(name))
    ] == [
        "Is X discontinued?",
        "Is X extinct?",
        "Does X have a pool?",
        "Is X in use?",
    ]
    assert flag("wide body indicator") is None
    assert [flag(name) for name in ("host won", "round of 16", "shrubland affiliated", "shared", "unknown")] == [None] * 5
    assert flag("steam powered") == (f"Is {ROW} steam-powered?", f"{ROW} is not steam-powered")


def test_where_the_keepers_put_a_thing_is_no_state_of_it() -> None:
    assert [flag(name) for name in ("in archive", "in museum", "in catalogue", "on shelf")] == [None] * 4
    said = [flag(name) for name in ("in print", "on display")]
    assert [found and found[0].replace(ROW, "X") for found in said] == ["Is X in print?", "Is X on display?"]
