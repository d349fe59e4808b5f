"""Which questions of a writer are sound, one story a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.articles import with_article, with_the
from generators.fpq.wording import load_phrasings
from generators.fpq.writer_checks import Flaw, QuestionParts, TrueFact, check

FIXTURE = Path(__file__).parents[1] / "fixtures/writer/questions.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FIXTURE.read_text("utf-8").splitlines()]
SLOTS = {"": "{}", "a": "{a}", "the": "{the}"}
ADA = TrueFact("Ada Moss", "place of death", "Oslo")


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_a_question_is_taken_apart_or_its_fault_is_told(case: dict[str, Any]) -> None:
    subject, relation, obj = case["triple"]
    fact = TrueFact(subject, relation, obj, others=frozenset(case.get("others", ())))
    outcome = check(case["text"], fact, case["task"])
    if "frame" in case:
        assert isinstance(outcome, QuestionParts), outcome
        assert outcome.before + SLOTS[outcome.article] + outcome.after == case["frame"]
    else:
        assert isinstance(outcome, Flaw), outcome
        assert case["why"] in outcome.why


def filled(frame: QuestionParts, name: str) -> str:
    shown = {"": name, "a": with_article(name), "the": with_the(name)}[frame.article]
    return frame.before + shown + frame.after


RELATIONS = sorted(load_phrasings().by_relation)


@pytest.mark.parametrize("task", ["yes_no", "premise"])
def test_most_of_the_wordings_of_the_project_are_sound_and_come_back_as_they_were(task: str) -> None:
    sound = asked = 0
    for relation in RELATIONS:
        for frame in load_phrasings().for_relation(relation).frames(task):
            question = frame.fill("Ada Moss", "Oslo")
            outcome = check(question, TrueFact("Ada Moss", relation, "Oslo"), task)
            asked += 1
            if isinstance(outcome, QuestionParts):
                assert filled(outcome, "Oslo") == question
                sound += 1
    assert sound > 0.75 * asked


def test_the_article_follows_the_name_that_takes_the_place() -> None:
    outcome = check("Is Ada Moss an actor?", TrueFact("Ada Moss", "occupation", "actor"), "yes_no")
    assert isinstance(outcome, QuestionParts)
    assert [filled(outcome, name) for name in ("lawyer", "engineer")] == ["Is Ada Moss a lawyer?", "Is Ada Moss an engineer?"]
    outcome = check("Did Ada Moss die in Oslo?", ADA, "yes_no")
    assert isinstance(outcome, QuestionParts)
    assert filled(outcome, "Netherlands") == "Did Ada Moss die in the Netherlands?"


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(["yes_no", "premise"]))
def test_whatever_a_writer_writes_what_is_used_is_one_question_with_both_names(before: str, after: str, task: str) -> None:
    for text in (f"Did {before}Ada Moss{after} Oslo?", f"When {before} Oslo{after}Ada Moss?", before + after):
        outcome = check(text, ADA, task)
        if isinstance(outcome, QuestionParts):
            question = filled(outcome, "Bergen")
            assert question.count("Ada Moss") == question.count("Bergen") == question.count("?") == 1
            assert question.endswith("?")
            assert question.isprintable()
            assert "Oslo" not in question
        else:
            assert outcome.why
