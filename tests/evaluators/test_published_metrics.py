"""ERBench's published metrics of several hops and of choices come out of the published answers, as published."""

from __future__ import annotations

from typing import Any

import pytest

import erbench_published as published
from evaluators.verify import judge_text, judges_of
from evaluators.verify.question import Entry, Question
from shared import shared

WITHIN = 0.02


def distances(less: dict[str, Any]) -> dict[str, float]:
    ext = less.get("AR_ext", [])
    return {name: abs(value) for name, value in less.items() if name != "AR_ext"} | {
        f"AR_ext_{hop}": abs(value) for hop, value in enumerate(ext, 1)
    }


@pytest.mark.parametrize("name", published.SEVERAL)
def test_questions_of_several_hops(name: str) -> None:
    shared("data/erbench/responses")
    less = published.differences(name)
    for population in ("all", "known"):
        found = distances(less[population])
        assert all(value <= WITHIN for value in found.values()), found
        later = {key: value for key, value in found.items() if key.startswith("AR_ext") and key != "AR_ext_1"}
        assert later
        assert all(value < 0.012 for value in later.values()), later


@pytest.mark.parametrize("name", published.SEVERAL)
def test_hops_are_marked_as_the_published_verdicts_mark_them(name: str) -> None:
    """After the first hop hardly a mark differs, but for cities with a comma, which are two hops there and one here."""
    shared("data/erbench/responses")
    judges, rows = judges_of("erbench"), published.rows_of(name)
    marks = [judge_text(row["response"], published.question_of(row), judges).rationale for row in rows]
    theirs = [tuple(row["ref_rationale_hops"]) for row in rows]
    whole = [(mine, other) for mine, other in zip(marks, theirs, strict=True) if len(mine) == len(other)]
    assert len(marks) - len(whole) <= 10
    assert sum(mine[1:] != other[1:] for mine, other in whole) <= 4


@pytest.mark.parametrize(
    ("answer", "marks"),
    [
        ("No. Tigres play in San Nicolás de los Garza.", (True, False)),
        ("No. Monterrey is in Nuevo León.", (False, False)),
        ("No. Tigres of San Nicolás, in Nuevo León.", (True, True)),
    ],
)
def test_of_a_value_with_a_comma_all_parts_are_asked_for(answer: str, marks: tuple[bool, ...]) -> None:
    asked = Question("?", "yes_no", ("no",), rationale=(Entry("club", "Tigres"), Entry("city", "San Nicolás, Nuevo León")))
    assert judge_text(answer, asked, judges_of("erbench")).rationale == marks


def test_of_several_years_all_are_asked_for_and_of_several_names_one() -> None:
    hops = Entry("city", "Athens", ("Athina",)), Entry("year", "1896", ("2004",))
    asked = Question("?", "yes_no", ("yes",), rationale=hops)
    for answer, marks in (("Yes. Athina, 2004.", (True, False)), ("Yes. Athens, in 1896 and 2004.", (True, True))):
        assert judge_text(answer, asked, judges_of("erbench")).rationale == marks


def test_the_explanation_ends_where_the_answer_comes_again() -> None:
    """The answer is "No", then a comma; so is the end of "Tarantino,"."""
    asked = Question("?", "yes_no", ("no",), rationale=(Entry("director", "Quentin Tarantino"), Entry("born", "1963")))
    cut = "No, he was not. Quentin Tarantino, born in 1963, made it."
    assert judge_text(cut, asked, judges_of("erbench")).rationale == (True, False)
    for whole in (cut.replace("No,", "No."), "No, he was not. It was made by\nQuentin Tarantino, born in 1963."):
        assert judge_text(whole, asked, judges_of("erbench")).rationale == (True, True)


def test_the_words_of_a_name_stand_side_by_side_where_several_hops_are_asked_for() -> None:
    hops = Entry("club", "RCD Espanyol de Barcelona"), Entry("city", "Thessaloniki")
    asked = Question("?", "yes_no", ("no",), rationale=hops)
    answer = "No. RCD Espanyol is the other club of Barcelona."
    assert judge_text(answer, asked, judges_of("erbench")).rationale == (False, False)


@pytest.mark.parametrize("name", published.CHOICES)
def test_choices(name: str) -> None:
    shared("data/erbench/responses")
    less = published.differences(name)
    for population in ("all", "known"):
        found = distances(less[population])
        assert set(found) == {"A", "R", "AR", "H"}
        assert all(value <= WITHIN for value in found.values()), found
