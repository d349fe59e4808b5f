"""What speaks against a question though the graph has one answer: names that others bear, or tell it, and other places."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from generators.factbench import Options, Result, generate
from generators.factbench.questions import in_plural
from generators.factbench.wordings import load_wordings
from stories import graph_of

FIXTURE = Path(__file__).parents[1] / "fixtures" / "generators" / "factbench" / "doubts.ttl"


@pytest.fixture(scope="module")
def result() -> Result:
    return generate(graph_of(FIXTURE.read_text("utf-8")), Options(n=100))


def _question(result: Result, subject: str, property_: str) -> str | None:
    """Return the question about a fact, or None where it is not asked about."""
    rows = result.facts.eligible.filter(pl.col("subject") == subject, pl.col("property") == property_)
    return str(rows["question"].item()) if rows.height else None


def _reason(result: Result, subject: str, property_: str) -> str | None:
    reason = result.facts.rows.filter(pl.col("subject") == subject, pl.col("property") == property_)["reason"].item()
    return None if reason is None else str(reason)


def test_a_place_in_a_schools_name_says_its_country(result: Result) -> None:
    assert _question(result, "Oak University", "P17")
    assert _reason(result, "Fellsby Institute", "P17") == "the question says the answer"
    assert _reason(result, "Norlandish Academy", "P17") == "the question says the answer"


def test_a_word_that_school_and_university_share_gives_it_away(result: Result) -> None:
    assert _question(result, "Elm School of Law", "P749")  # "School" and "University" are what they are
    assert _reason(result, "Oak School of Law", "P749") == "the question says the answer"


def test_a_capital_that_has_its_countrys_name_is_not_asked_for(result: Result) -> None:
    assert _reason(result, "Wold", "P36") == "the question says the answer"


def test_a_capital_lies_in_what_it_is_the_capital_of(result: Result) -> None:
    assert _question(result, "Upper Fells", "P36")
    assert _reason(result, "Lower Fells", "P36") == "the answer lies outside the subject"


def test_a_description_that_names_another_place_speaks_against_the_fact(result: Result) -> None:
    assert _question(result, "Oak University", "P131")
    assert _reason(result, "Elm University", "P131") == "the subject's description names another place"


def test_who_lives_abroad_may_be_a_citizen_there_too(result: Result) -> None:
    assert _question(result, "Ann Able", "P27")
    assert _reason(result, "Ben Baker", "P27") == "nothing else in the graph says the same"


def test_who_outlived_a_party_may_have_joined_another(result: Result) -> None:
    asked = _question(result, "Carl Cole", "P102")
    assert asked
    assert " was " in asked or " did " in asked
    assert _reason(result, "Dan Dale", "P102") == "the answer came to its end before the subject"


def test_a_common_name_says_its_trade_or_is_not_asked_about(result: Result) -> None:
    assert "the film director Roy Brown" in (_question(result, "Roy Brown", "P19") or "")
    assert " Roy Elm " in (_question(result, "Roy Elm", "P19") or "")
    assert _reason(result, "Kit Brown", "P19") == "a name that many bear, and no trade tells which"


def test_one_word_is_no_title_without_a_year(result: Result) -> None:
    assert _question(result, "Storm", "P57")
    assert _question(result, "Long Snow", "P57")
    assert _reason(result, "Snow", "P57") == "a short title, and no year tells which"
    assert _reason(result, "Storm", "P577") == "a short title, and no year tells which"


def test_who_directed_a_film_its_description_must_say_of_one_alone(result: Result) -> None:
    reason = "the subject's description does not say that it is the answer's"
    assert _question(result, "Long Snow", "P57")
    assert [_reason(result, film, "P57") for film in ("Tall Snow", "Warm Snow")] == [reason, reason]


def test_a_film_whose_description_says_another_year_is_not_asked_for_it(result: Result) -> None:
    assert _reason(result, "Late Snow", "P577") == "the subject's description says another year"


def test_nobody_is_asked_in_which_state_somebody_was_born(result: Result) -> None:
    assert _reason(result, "Roy Pine", "P19") == "no word says what kind of answer is wanted"


def test_nobody_measured_who_died_long_ago(result: Result) -> None:
    assert _question(result, "Young Oswin", "P2048")
    assert _reason(result, "Old Oswin", "P2048") == "died before the time of which it is asked"


def test_a_museum_is_somewhere_and_a_parliament_that_is_no_more_sat(result: Result) -> None:
    assert "headquarter" not in (_question(result, "Gold Museum", "P159") or "headquarter")
    assert any(word in (_question(result, "Great Moot", "P159") or "") for word in (" did ", " was "))


def test_mountains_are_several(result: Result) -> None:
    assert " are " in (_question(result, "Grey Mountains", "P17") or "")


def test_what_holds_of_several_keeps_its_tense_open() -> None:
    assert in_plural("Which country {is} {s} from?") == "Which country {are} {s} from?"
    assert load_wordings().of("P102").holds()
    assert not load_wordings().of("P19").holds()


def test_somebody_is_born_on_an_island(result: Result) -> None:
    question = _question(result, "Ida Ives", "P19") or ""
    assert question.startswith("On ") or question.endswith(" on?")


def test_what_lies_in_a_city_is_no_town_to_be_asked_for(result: Result) -> None:
    assert _reason(result, "Jon Jarvis", "P19") == "no word says what kind of answer is wanted"


def test_a_name_written_as_no_name_is_stands_in_no_question(result: Result) -> None:
    assert _reason(result, "Tom bright", "P19") == "subject's name is written oddly"


def test_a_city_in_a_name_speaks_against_another(result: Result) -> None:
    assert _reason(result, "University of Sudstad", "P131") == "the subject's description names another place"


def test_a_seat_abroad_speaks_against_a_country(result: Result) -> None:
    assert _question(result, "Beech Works", "P17")
    assert _reason(result, "Acorn Works", "P17") == "nothing else in the graph says the same"


def test_who_may_have_died_is_asked_about_in_words_that_hold_either_way(result: Result) -> None:
    question = _question(result, "Ann Able", "P27") or ""
    assert " from?" in question
    assert "citizen" not in question  # which one is, or was
