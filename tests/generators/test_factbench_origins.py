"""Where things come from and who showed them first: what speaks against a graph's one answer, and what it is called."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from generators.factbench import Options, Result, generate
from stories import graph_of

FIXTURE = Path(__file__).parents[1] / "fixtures" / "generators" / "factbench" / "origins.ttl"
_NOT_ASKED_OF = "of a subject that the property is not asked of"


@pytest.fixture(scope="module")
def result() -> Result:
    return generate(graph_of(FIXTURE.read_text("utf-8")), Options(n=100))


def _question(result: Result, subject: str, property_: str) -> str:
    """Return the question about a fact, or nothing where it is not asked about."""
    rows = result.facts.eligible.filter(pl.col("subject") == subject, pl.col("property") == property_)
    return str(rows["question"].item()) if rows.height else ""


def _reason(result: Result, subject: str, property_: str) -> str | None:
    rows = result.facts.rows.filter(pl.col("subject") == subject, pl.col("property") == property_)
    reason = rows["reason"].item()
    return None if reason is None else str(reason)


def test_a_word_for_one_countrys_things_speaks_against_another(result: Result) -> None:
    assert _question(result, "Canal Acorn", "P17")
    assert _reason(result, "Canal Aspen", "P17") == "the subject's description speaks of another country"


def test_a_team_of_many_islands_is_of_no_one_country(result: Result) -> None:
    assert _reason(result, "Skerries cricket team", "P17") == _NOT_ASKED_OF


def test_what_nobody_founded_has_no_year_of_founding(result: Result) -> None:
    assert "founded" in _question(result, "Oak University", "P571")
    assert _reason(result, "Great Skerry", "P571") == _NOT_ASKED_OF


def test_a_university_lies_in_a_city_and_perhaps_in_several_boroughs(result: Result) -> None:
    assert _question(result, "Oak University", "P131")
    assert _reason(result, "Elm University", "P131") == _NOT_ASKED_OF


def test_a_series_is_shown_by_a_channel_or_a_service_but_not_by_their_owner(result: Result) -> None:
    assert " network or channel " in _question(result, "The Long Snow", "P449")
    assert " streaming service " in _question(result, "The Warm Rain", "P449")
    assert _reason(result, "The Tall Storm", "P449") == "no word says what kind of answer is wanted"


def test_nobody_was_a_citizen_long_ago(result: Result) -> None:
    too_early = "died before the time of which it is asked"
    assert _question(result, "Ann Able", "P27")
    assert _reason(result, "Ben Baker", "P27") == _reason(result, "Carl Cole", "P27") == too_early


def test_two_properties_ask_nothing_in_the_same_words(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    ask = ["In which {kind} is {s}?", "In which {kind} is {s}?", "In which {kind} is {s}?"]
    tables = [f'[{name}]\ntype = "entity"\nkind = "place"\nask = {ask}\n' for name in ("P131", "P159")]
    own.write_text("".join(tables), encoding="utf-8")
    result = generate(graph_of(FIXTURE.read_text("utf-8")), Options(n=100, wordings=str(own)))
    facts = result.facts.rows.filter(pl.col("subject") == "Oak University", pl.col("property").is_in(["P131", "P159"]))
    assert sorted(facts["reason"].fill_null("asked")) == ["another property asks it in the same words", "asked"]


def test_nobody_says_a_peerage_in_a_question(result: Result) -> None:
    assert _reason(result, "Dora Dale, 1st Baroness Dale", "P19") == "subject's name is written oddly"
