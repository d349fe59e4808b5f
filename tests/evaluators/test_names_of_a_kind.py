"""What a model says by name alone is judged by which thing of a kind it names, whatever words the names are made of.

Names are those of the starter graph, kind by kind, and of institutions whose names share most of their words. Each is said in
the plain ways in which models say names; where one name holds the other nothing is expected.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from importlib.resources import files

import pytest

from evaluators.verify import judge_text
from evaluators.verify.question import Object, Premised, Question
from evaluators.verify.short_answer import word_for_word
from kg.text import fold

FRAMES = (
    "{}",
    "{}.",
    "**{}**",
    "It is {}.",
    "The answer is {}.",
    "Answer: {}",
    "I think it is {}.",
    "{}, I believe.",
    '{{"answer": "{}"}}',
)
INSTITUTIONS = {
    "university": "Yale University|University of Chicago|Ohio State University|University of Ohio|University College",
    "congress": "8th United States Congress|9th United States Congress|108th United States Congress",
    "team": "Germany national football team|Spain national football team|Spain women's national football team",
    "label": "Rough Trade Records|Apple Records|Sub Pop Records|Lookout! Records",
    "college": "Bard College|Pembroke College|The Queen's College|College of the Holy Cross",
    "club": "Manchester City|Manchester United|Bristol City|Bristol Rovers|Leeds United|Sheffield Wednesday|Sheffield United",
    "county": "Santa Cruz County|San Joaquin County|Santa Clara County|San Mateo County",
    "formula": "HNO3|HNO2|H2SO4|CO2|C22|MTV2",
    "title": "Game Over|It|No Country for Old Men|Yes|Not Without My Daughter|Never Let Me Go",
    "department": "Pas-de-Calais|Seine-Maritime|Val-de-Marne",
}  # fmt: skip


def names_of(kind: str) -> list[str]:
    """Return the names of a kind, in the order of its table."""
    if kind in INSTITUTIONS:
        return INSTITUTIONS[kind].split("|")
    with (files("kg.starter") / f"{kind}.csv").open(encoding="utf-8") as lines:
        return list(dict.fromkeys(row.get("name") or row["title"] for row in csv.DictReader(lines)))


def pairs(kind: str) -> Iterator[tuple[str, str]]:
    """Yield two names of a kind of which none has all words of the other, of each name with at most three others."""
    names, lot = names_of(kind), random.Random(kind)
    for name in names:
        others = [other for other in names if not set(fold(name).split()) <= set(fold(other).split())]
        others = [other for other in others if not set(fold(other).split()) <= set(fold(name).split())]
        yield from ((name, other) for other in lot.sample(others, min(3, len(others))))


KINDS = [
    *INSTITUTIONS, "album", "award", "body_of_water", "city", "company", "country", "film", "landmark", "language", "mountain",
    "museum", "musical_group", "novel", "painting", "person", "record_label",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_is_accepted_as_itself_and_for_no_other_of_its_kind(kind: str) -> None:
    """Whoever says the answer is right, whoever says another name of the kind is wrong, in short answers and in choices."""
    lot, wrong = random.Random(kind), []
    for name, other in pairs(kind):
        frame = lot.choice([frame for frame in FRAMES if '"' not in frame or '"' not in name])
        ask = Question("Which is it?", task="open", expected=(other,), type="entity")
        choose = Question("Which is it?", task="choice", expected=("2",), options=(name, other))
        said = {
            "itself": judge_text(frame.format(other), ask).outcome == "correct",
            "another": judge_text(frame.format(name), ask).reason in ("wrong", "language"),  # "Bal du moulin de la Galette"
            "its option": judge_text(frame.format(other), choose).outcome == "correct",
            "another option": judge_text(frame.format(name), choose).outcome == "incorrect",
        }
        wrong += [(what, frame, name, other) for what, right in said.items() if not right]
    assert not wrong


def test_a_courtesy_in_a_name_is_no_courtesy_when_it_is_all_that_is_said() -> None:
    """A title that begins as a greeting does is the answer where the text is that title and nothing else."""
    show = Question("Which musical is it?", task="open", expected=("Hello, Dolly!",))
    assert judge_text("Hello, Dolly!", show)[:3] == ("correct", "exact", "Hello, Dolly!")


@pytest.mark.parametrize(("said", "accepted"), [(".5", "5"), ("-5", "5"), ("*A", "A*"), ("C", "C#"), ("C#", "C")])
def test_a_sign_belongs_to_what_is_said(said: str, accepted: str) -> None:
    """What differs by a sign alone is not said word for word."""
    assert word_for_word(said, Question("Which is it?", task="open", expected=(accepted,))) is None
    assert judge_text(accepted, Question("Which is it?", task="open", expected=(accepted,))).outcome == "correct"


def test_a_name_in_other_letters_is_the_same_name() -> None:
    """Letters with marks may be written in two, codes with a sign or a blank between, formulas as LaTeX has them."""
    for accepted, said in (("Jørn Utzon", "Joern Utzon"), ("Röros", "Roeros"), ("Århus", "Aarhus"), ("C22", "gate: c-22")):
        assert judge_text(said, Question("Which?", task="open", expected=(accepted,))).outcome == "correct", said
    acid = Question("What is the formula of nitric acid?", task="open", expected=("HNO3",))
    assert {judge_text(said, acid).outcome for said in ("It is $HNO_3$.", "$\\mathrm{HNO_{3}}$", "HNO₃")} == {"correct"}


def test_short_forms_in_capitals_are_not_met_in_small_words() -> None:
    """ "In" and "It" at the beginning of a sentence are not India and Italy."""
    country = Question("Which country is it?", task="open", expected=("India", "IN"), type="entity")
    assert judge_text("In Asia.", country).outcome == "incorrect"
    assert judge_text("IN", country).outcome == "correct"
    citizen = Premised("Bindu", "country of citizenship", "Bihar", (Object("India", ("IN", "in")),))
    known = Question("What is Bindu, a citizen of Bihar, best known for?", "premise", ("reject",), premise=citizen)
    assert [judge_text(said, known).outcome for said in ("It took place in London.", "She was of India.")] == [
        "incorrect",
        "correct",
    ]


def test_true_says_yes_to_what_is_asked_to_be_true() -> None:
    """One word is a whole answer, though the question has it too."""
    died = Question("Is it true that Johnny Cash died in Santa Monica?", expected=("no",))
    assert [judge_text(said, died).outcome for said in ("True.", "False.", "True", "It is true.")] == [
        "incorrect",
        "correct",
        "incorrect",
        "incorrect",
    ]
