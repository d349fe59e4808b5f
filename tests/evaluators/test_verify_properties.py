"""What holds of every text: a denial flips it, case and spacing do not, and it is judged in the end."""

from __future__ import annotations

import functools
import os
import random
import re
import string
import subprocess
import sys
import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.verify import JUDGES, conclusion, judge_text, picks, polarity, yes_no
from evaluators.verify import question as questions
from evaluators.verify.question import Entry, Given, Question
from evaluators.verify.reading import cued, declared, forms, reply
from evaluators.verify.reading.names import Mention, Name, everywhere, mentions
from evaluators.verify.reading.options import Options
from evaluators.verify.reading.text import Text, folded_words, phrase
from evaluators.verify.reading.words import word_list
from evaluators.verify.ruling import Ruling
from evaluators.verify.stated import Reading
from fresh_answers import FreshAnswer, fresh_answers
from kg.dates import compare_dates, find_dates
from kg.numbers import find_numbers, same_number
from kg.text import fold
from queries.records.verdict import OUTCOMES, REASONS
from verify_cases import TABLES, Case, cases, question

FILM = Question(
    "Did Ann Lowe direct a film of 1979 with Bo Hart?",
    expected=("yes",),
    given=(Given("director", "Ann Lowe"), Given("year", "1979"), Given("star", "Bo Hart")),
    rationale=(Entry("title", "Silver Harbour"),),
)
NAMES = st.tuples(
    st.sampled_from(["Clara", "Jonas", "Mirela", "Tobias", "Xenia"]), st.sampled_from(["Venn", "Ostrow", "Quill", "Marbeck"])
).map(" ".join)
TASKS = {
    task: Question(
        "Who or what is it, red or blue?", task, {"choice": ("1",), "premise": ("reject",)}.get(task, ("yes",)), ("red", "blue")
    )
    for task in JUDGES
}  # fmt: skip


@given(st.sampled_from(sorted(TASKS)), st.text())
def test_any_text_gets_a_verdict_of_the_closed_lists(task: str, text: str) -> None:
    ruling = judge_text(text, TASKS[task])
    assert ruling.outcome in OUTCOMES
    assert ruling.reason in REASONS
    assert all(0 <= start < end <= len(text) for start, end in ruling.spans)
    assert judge_text(text, TASKS[task]) == ruling


ANSWERS = list(fresh_answers("first"))
PIECES = [piece for answer in ANSWERS[::7] for piece in re.findall(r"\S+(?:\s+\S+){0,5}", answer.text)[:4]]
GLUE = st.sampled_from(
    [" ", "'s ", "’s ", " not ", " is ", " or ", " and ", ", no, ", "? ", "! ", ": ", "\n- ", " (", ") ", "**", "="]
)


@settings(max_examples=300)
@given(st.sampled_from(ANSWERS), st.lists(st.tuples(st.sampled_from(PIECES), GLUE), min_size=1, max_size=8))
def test_pieces_of_answers_in_any_order_get_a_verdict(answer: FreshAnswer, pieces: list[tuple[str, str]]) -> None:
    text = "".join(part for piece in pieces for part in piece)
    ruling = judge_text(text, answer.question)
    assert ruling.outcome in OUTCOMES
    assert all(0 <= start < end <= len(text) for start, end in ruling.spans)


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("choice", "nie wiem, gdzie powstaje insulina,’s "),
        (
            "open",
            '"2009-08-16"}’s {"answer": "2009-08-16"} ("2009-08-16"} instead of {"answer": "2009-08-16"}) Florence he and ',
        ),
    ],
)
def test_odd_texts_get_a_verdict_whatever_was_asked(task: str, text: str) -> None:
    for answer in ANSWERS:
        if answer.question.task == task:
            assert all(end <= len(text) for _, end in judge_text(text, answer.question).spans)


@given(NAMES)
def test_a_denial_flips_a_short_answer(name: str) -> None:
    asked = Question("Who painted it?", "open", (name,), type="entity")
    assert judge_text(f"It was {name}.", asked).outcome == "correct"
    for denial in (
        f"It was not {name}.",
        f"Not {name}.",
        f"It wasn't {name}.",
        f"{name} did not.",
        f"Anyone other than {name}.",
    ):
        assert judge_text(denial, asked)[:2] == ("incorrect", "denied")


@given(st.sampled_from(["", "Yes. ", "No. ", "Unsure. "]))
def test_a_denial_of_what_is_given_flips_an_explanation(said: str) -> None:
    told = f"{said}Ann Lowe directed Silver Harbour in 1979, "
    assert judge_text(f"{told}and Bo Hart was in it.", FILM).rationale == (True,)
    for denial in ("but Bo Hart was not in it.", "but it does not star Bo Hart.", "though Bo Hart never played in it."):
        ruling = judge_text(told + denial, FILM)
        assert (ruling.rationale, ruling.contradicted) == ((False,), ("star",))


def _respaced(text: str) -> str:
    return "  " + re.sub(r" (?=\w)", "  ", text) + " "


def _judged(ruling: Ruling) -> tuple[object, ...]:
    return ruling.outcome, ruling.reason, ruling.rationale, ruling.contradicted


@pytest.mark.parametrize("table", [table.stem for table in TABLES if table.stem != "hostile"])
def test_spacing_changes_nothing(table: str) -> None:
    """A table is one test: one for each of its cases would take ten times as long."""
    assert not [case.name() for case in cases() if case.table == table and not _is_judged_alike_respaced(case)]


def _is_judged_alike_respaced(case: Case) -> bool:
    asked = question(case.item)
    return _judged(judge_text(_respaced(case.text), asked)) == _judged(judge_text(case.text, asked))


@pytest.mark.parametrize("said", ["It is Clara Venn.", "Not Clara Venn.", "Either Clara Venn or Jonas Quill.", "Tobias Venn"])
def test_capitals_change_nothing(said: str) -> None:
    asked = Question("Who painted it?", "open", ("Clara Venn",), type="entity")
    assert _judged(judge_text(said.upper(), asked)) == _judged(judge_text(said, asked))


def test_no_hostile_text_gains_a_point() -> None:
    hostile = [case for case in cases() if case.table == "hostile"]
    assert len(hostile) >= 50
    for case in hostile:
        ruling = judge_text(case.text, question(case.item))
        assert ruling.outcome != "correct" or (case.item.get("rationale") and not any(ruling.rationale)), case.text


@given(st.text(max_size=60))
def test_words_are_folded_as_names_are(text: str) -> None:
    read = Text(text)
    assert len(read.words) == len(read.starts) == len(read.ends)
    assert all(start < end for start, end in zip(read.starts, read.ends, strict=True))
    assert [word for sentence in read.sentences for word in read.words[sentence.first : sentence.last]] == read.words


@given(
    st.text(st.sampled_from("abN.&'’ éßŁ½\u0301\u00ad-\n2"))
    | st.lists(st.sampled_from(["Saint", "R.E.M.", "o'er"])).map(" ".join)
)
def test_the_short_way_to_words_and_their_places_comes_to_the_same(text: str) -> None:
    read = Text(text)
    assert [*zip(read.words, read.starts, read.ends, strict=True)] == [*folded_words(text)]


WORDS = st.lists(
    st.sampled_from(["The", "Rocky", "IV", "4", "Spider", "Man", "Spiderman", "An", "Kim", "who", "Ocean's", "Eleven", "11",
                     "Fourteen", "14", "It", "Up", "Story:", "FC", "Brilanth", "Brilanht", "J.", "van", "Kim,", "- Part"]),
    min_size=1, max_size=4,
).map(" ".join)  # fmt: skip


def every_rule_in_turn(text: Text, name: Name) -> list[Mention]:
    """Where a text names an entity, without looking first whether another spelling can be there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaluators.verify.reading.names.Form.may_stand_in", lambda *_: True)
        return mentions(text, name)


@settings(max_examples=500, deadline=None)
@given(WORDS, st.lists(WORDS, max_size=2), st.lists(WORDS, max_size=3).map(". ".join))
def test_no_name_is_missed_by_looking_first_whether_it_may_be_there(name: str, aliases: list[str], said: str) -> None:
    text, wanted = Text(said), Name.of(name, tuple(aliases))
    assert mentions(text, wanted) == every_rule_in_turn(text, wanted)


PHRASES = st.lists(
    st.sampled_from(["The answer is", "Rome.", "Wait,", "no:", "or rather", "Hmm", "I meant", "A: it", "İ", "final verdict:",
                     "So:", "\n", "that's wrong,", "?", "hope this helps", "grade it",
                     "do you", "No", "actually", "and " * 20, "my answer to that", "would be", "İstanbul"]),
    max_size=12,
).map(" ".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(PHRASES)
def test_what_is_looked_for_around_its_cues_is_all_there_is(text: str) -> None:
    for rule in (declared._TURN, declared._DECLARATION, reply._COURTEOUS):
        assert [m.span() for m in rule.finditer(text)] == [m.span() for m in rule.pattern.finditer(text)]


SIDES = st.lists(
    st.sampled_from(["Yes.", "Yes,", "No.", "No,", "no", "yes!", "or", "and", "/", "5", "it is true", "he did.", "I can help.",
                     "if", "I cannot tell.", "so", "There is no film of 2009.", "sorry",
                     "doubt", "\n", "but", "unsure", "The answer is", "it's", "right.", "which makes it", "in the affirmative.",
                     "my vote is", "true.", "Mine is", "=>", "strike my", "No, that is not", "let me fix that:", "mix-up",
                     "um,"]),
    max_size=7,
).map(" ".join)  # fmt: skip
FRESH = st.sampled_from([answer.text for answer in ANSWERS])


@pytest.mark.parametrize(
    ("rule", "where"),
    [(polarity._WORD, r"\b(?=\w)"), (reply._ORDER, r"(?:\A|\b(?=\w))")],
)
@given(text=PHRASES | SIDES)
def test_what_is_looked_for_where_words_begin_is_all_there_is(rule: re.Pattern[str], where: str, text: str) -> None:
    assert rule.pattern.startswith(where)
    anywhere = re.compile(rule.pattern.removeprefix(where), re.IGNORECASE)
    assert [m.span() for m in rule.finditer(text)] == [m.span() for m in anywhere.finditer(text)]


@settings(max_examples=300, deadline=None)
@given(PHRASES | SIDES | FRESH)
def test_what_is_looked_for_where_its_openings_stand_is_all_there_is(text: str) -> None:
    for opened in (conclusion._SAID, conclusion._LIKE):
        all_there_is = [m.span() for m in opened.pattern.finditer(text)]
        assert [m.span() for m in opened.matches(text)] == all_there_is
        assert [m.span() for m in opened.matches(text, 0, Text(text).cues)] == all_there_is


@functools.cache
def texts_with_words() -> list[tuple[str, frozenset[str]]]:
    """Return what patterns are looked for in, texts and what is said of options, each with the words of its text."""
    asked = [(answer.text, answer.question) for answer in ANSWERS] + [(case.text, question(case.item)) for case in cases()]
    texts = [(text, text) for text, _ in asked]
    for text, about in asked:
        if about.options:
            said = Reading.of(reply.Reply.of(text), Options.of(about.options, about.text)).said
            texts.append((said.line, said.text))
    return [(line, frozenset(Text(text).words)) for line, text in texts]


def _is_pointed_at(line: str) -> bool:
    """Tell whether an arrow may stand for the words that pick what follows."""
    return re.search("[👉➡→⇒➔]|[=-]>", line) is not None


@pytest.mark.parametrize("waiting", cued.WAITING, ids=lambda waiting: ", ".join(sorted(waiting.words))[:40])
def test_a_pattern_that_waits_for_words_matches_in_no_text_without_them(waiting: cued.WaitingPattern) -> None:
    matching = [words for line, words in texts_with_words() if waiting.pattern.search(line) and not _is_pointed_at(line)]
    assert matching
    assert not [words for words in matching if waiting.words.isdisjoint(words)]


def test_what_sets_an_option_aside_begins_with_one_of_its_openings() -> None:
    found = [(picks._SET_ASIDE.matches(line), [*picks._SET_ASIDE.pattern.finditer(line)]) for line, _ in texts_with_words()]
    assert sum(bool(every) for _, every in found) > 50
    assert all([m.span() for m in opened] == [m.span() for m in every] for opened, every in found)


@pytest.mark.parametrize("name", sorted(word_list("classes")))
def test_a_form_finds_every_word_and_phrase_of_a_class_and_no_other(name: str) -> None:
    of_class = re.compile(forms._one_of(f"{{{name}}}"))
    for phrase_of_class in forms._phrases(f"{{{name}}}"):
        said = forms.Line.of(Text(phrase_of_class.replace("*", "ab"))).marked.removeprefix(". ")
        assert of_class.match(said), phrase_of_class
    assert not of_class.match(forms.Line.of(Text("Xanadu is")).marked.removeprefix(". "))


def test_a_text_that_was_read_is_looked_through_for_no_further_words() -> None:
    assert "wait" in Text("Rome. Wait, no.").cues
    assert cued.cues(["wait"]) == {"wait"}
    with pytest.raises(RuntimeError, match="say so where its module begins"):
        cued.cues(["waiting", "longer"])


ORDERS = ["Answer yes or no: was he born in Ulm?", "Please reply with true or false. Was he?", "Yes or no: was he?"]


@pytest.mark.parametrize("holding", cued.HOLDING, ids=lambda holding: ", ".join(holding.pieces)[:40])
def test_a_pattern_matches_in_no_text_without_one_of_the_pieces_that_are_looked_for_first(
    holding: cued.HoldingPattern,
) -> None:
    matching = [text for text in (*ORDERS, *dict(texts_with_words())) if holding.pattern.search(text)]
    assert matching
    assert not [text for text in matching if holding.search(text) is None]
    assert holding.search("nothing of the kind") is None


@pytest.mark.parametrize("asked", ["Answer yes or no: did he?", "Answer ye\u017f or no: did he?", "Did he?"])
def test_an_order_is_found_before_a_question_however_its_letters_are_written(asked: str) -> None:
    order = questions._ORDER_BEFORE
    assert (order.match(asked) is None) == (order.pattern.match(asked) is None) == asked.startswith("Did")


@settings(max_examples=300, deadline=None)
@given(PHRASES | SIDES | FRESH)
def test_whoever_takes_something_back_has_a_word_for_it(text: str) -> None:
    turns = [turn.span() for turn in declared._TURN.finditer(text)]
    assert not turns or declared._may_turn(Text(text))


@settings(max_examples=300, deadline=None)
@given(WORDS, st.lists(WORDS, max_size=3).map(". ".join))
def test_a_surname_is_looked_for_elsewhere_unless_it_stands_nowhere_else(name: str, said: str) -> None:
    text, wanted = Text(said), Name(name)
    vars(wanted)["ends_in_surname"] = False
    assert everywhere(text, Name(name)) == everywhere(text, wanted)


@pytest.mark.parametrize("start", ["Yes.", "Yes,", "No.", "No,"])
def test_fresh_answers_are_read_at_once_as_a_closer_look_reads_them(start: str) -> None:
    for answer in ANSWERS[::20]:
        text = answer.text.partition(" ")[2]
        _is_read_alike(start, text)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(["Yes.", "Yes,", "No.", "No,", "Yes", ""]), SIDES)
def test_what_is_read_at_once_is_what_a_closer_look_reads(side: str, text: str) -> None:
    _is_read_alike(side, text)


def _is_read_alike(side: str, text: str) -> None:
    answer, asked = reply.Reply.of(f"{side} {text}"), Question("Did he make a film of 2009?")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yes_no, "at_once", lambda _: None)
        closely = yes_no.understand(answer, asked)
    assert yes_no.understand(answer, asked) == closely


@given(st.lists(st.sampled_from(["Ana", "Čapek", "Łukasz", "Ørsted", "de", "King"]), min_size=1, max_size=4).map(" ".join))
def test_a_name_is_found_in_itself_and_in_its_folded_form(name: str) -> None:
    for text in (name, fold(name).title(), f"It was {name}."):
        assert mentions(Text(text), Name.of(name)), text
    assert phrase(name) == phrase(fold(name))


@given(st.integers(0, 10**9), st.sampled_from(["", " km", " metres", "%", " people"]))
def test_a_number_is_itself(value: int, unit: str) -> None:
    plain, grouped = find_numbers(f"{value}{unit}")[0], find_numbers(f"{value:,}{unit}")[0]
    assert plain.value == grouped.value == value
    assert same_number(plain, grouped)


@given(st.dates(date(1000, 1, 1), date(2099, 12, 31)))
def test_a_date_is_itself_in_every_form(day: date) -> None:
    found = [find_dates(day.strftime(form)) for form in ("%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d %b %Y")]
    assert all(len(dates) == 1 for dates in found)
    assert {compare_dates(found[0][0], dates[0]) for dates in found} == {"same"}


@given(st.text(alphabet=string.printable, max_size=80))
def test_numbers_and_dates_are_found_in_any_text(text: str) -> None:
    spans = [(number.start, number.end) for number in find_numbers(text)] + [(day.start, day.end) for day in find_dates(text)]
    for start, end in spans:
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize("part", ["not ", "(", "a, b and ", "12,", "of 1900 ", "no ", "A. ", "“", "or B ", "answer is "])
def test_long_texts_are_judged_quickly(part: str) -> None:
    for asked in TASKS.values():
        assert judge_text(part * 4000, asked).outcome in OUTCOMES


_TWO_NAMES = """
from evaluators.verify import RULES
from evaluators.verify.question import Question
asked = Question("What is the musical The Miller of Ghent based on?", "open", ("Salt Road",), type="string")
play = "a television play by the same author, Dale Moss's *I, Salt Road* (1959)"
told = f"Directly, on {play}; and through it on Ada Keel's *La Salina*."
print(RULES["open"](f'{told} If you need one title, take the latter, i.e. "Salt Road".', asked))
"""


def test_a_verdict_is_the_same_in_every_process() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", _TWO_NAMES], env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("0", "2", "7")
    }
    assert len(told) == 1


def test_a_text_that_only_denies_takes_no_longer_than_its_length() -> None:
    """Each denial was held against all words behind it: 4,000 of these took minutes."""
    rng, asked = random.Random(1), Question("When did Moss die in Ulm?", "premise", ("reject",))
    told = " ".join(f"never {''.join(rng.choices(string.ascii_lowercase, k=5))}" for _ in range(4000))
    start = time.process_time()
    judge_text(told, asked)
    assert time.process_time() - start < 20
