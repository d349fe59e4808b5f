"""Each answer asked for again: what stands beside it, where it stands, and that scripted picks give the numbers they should."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy.stats import chisquare

from evaluators.metrics.answers import Answers
from evaluators.metrics.unseenqa import unseenqa_tables
from evaluators.verify import judge_text
from evaluators.verify.question import question_of
from fpq_made import read_lines, write_lines
from generators.unseenqa.answers import option_of, read_answers
from generators.unseenqa.consistency import CHOICES
from generators.unseenqa.values import find_value, near, same_value
from kg.text import fold
from queries.records import read
from queries.records.item import Item
from unseenqa_command import command, refused

Row = dict[str, Any]
MODEL = "http://127.0.0.1:8080/v1#some-model"
ASKED = [
    # question, accepted answers, what the model says
    ("Who directed the film “Psycho”?", ["Alfred Hitchcock"], "Alfred Hitchcock"),
    ("What is the capital of Austria?", ["Vienna", "Wien"], "The capital is Salzburg."),
    ("When was Ada Lovelace born?", ["December 10, 1815", "1815-12-10"], "December 10, 1815"),
    ("Where was Gudrun Culpepper Korhonen born?", None, "Oslo"),
    ("Where was Tancred Quarles Liepins born?", None, "unsure"),
    ("How tall is Lavinia Uttley Krasniqi?", None, "165 metres"),
]


def item(number: int, question: str, answer: list[str] | None) -> Row:
    fields = {"method": "mine", "family": f"f{number}", "task": "open", "variant": "basic", "group": f"g{number}"}
    strata = {"seen": "yes" if answer else "no"}
    return {"schema": "kgprobe.item/1", "id": f"q.{number}", **fields, "question": question, "answer": answer, "strata": strata}


def response(item: str, text: str, sample: int = 0) -> Row:
    return {"schema": "kgprobe.response/1", "item": item, "model": MODEL, "sample": sample, "text": text}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("again")
    write_lines(folder / "items.jsonl", [item(n, question, answer) for n, (question, answer, _) in enumerate(ASKED)])
    write_lines(folder / "responses.jsonl", [response(f"q.{n}", text) for n, (_, _, text) in enumerate(ASKED)])
    command(*arguments(folder), "--out", str(folder / "again.jsonl"), "--quiet")
    return folder


def arguments(folder: Path) -> list[str]:
    return ["consistency", str(folder / "responses.jsonl"), "--items", str(folder / "items.jsonl")]


@pytest.fixture(scope="module")
def choices(made: Path) -> list[Row]:
    return read_lines(made / "again.jsonl")


def of(choices: list[Row], number: int) -> list[Row]:
    return [choice for choice in choices if choice["parent"]["item"] == f"q.{number}"]


class TestChoices:
    def test_twenty_of_each_answer_that_claims_something(self, choices: list[Row]) -> None:
        counts = Counter(choice["parent"]["item"] for choice in choices)
        assert counts == dict.fromkeys(["q.0", "q.1", "q.2", "q.3", "q.5"], CHOICES)

    def test_they_name_parent_model_and_sample_in_the_id_too(self, choices: list[Row]) -> None:
        assert choices[0]["parent"] == {"item": "q.0", "model": MODEL, "sample": 0}
        assert choices[0]["id"].startswith("unseenqa.consistency.choice.q.0.http-127-0-0-1-8080-v1-some-model.0.")
        assert len({choice["id"] for choice in choices}) == len(choices)

    def test_five_options_with_the_answer_and_one_way_out(self, choices: list[Row]) -> None:
        said = {"q.0": "Alfred Hitchcock", "q.1": "The capital is Salzburg", "q.2": "December 10, 1815", "q.3": "Oslo"}
        said["q.5"] = "165 metres"
        for choice in choices:
            options = choice["options"]
            assert len({fold(option) for option in options}) == 5
            assert options.count("unsure") == options.count(said[choice["parent"]["item"]]) == 1
            assert choice["answer"] is None

    def test_none_is_the_truth(self, choices: list[Row]) -> None:
        options = {option for choice in of(choices, 1) for option in choice["options"]}
        assert not {"Vienna", "The capital is Vienna", "The capital is Wien"} & options
        for choice in of(choices, 2):
            assert sum(same_value(option, "1815-12-10", "date") for option in choice["options"]) == 1

    def test_a_sentence_gets_options_of_its_form(self, choices: list[Row]) -> None:
        others = {option for choice in of(choices, 1) for option in choice["options"]} - {"unsure"}
        assert all(option.startswith("The capital is ") for option in others)

    @pytest.mark.parametrize(("question", "text", "core", "framed"), [
        ("Where was Monet born?", "He was born in Paris, France", "Paris", "He was born in Oslo"),
        ("Where was Monet born?", "In Paris, where he lived", "Paris", "In Oslo, where he lived"),
        ("In which place will Chad finish at the 25th FIFA World Cup?", "Chad wins the 25th FIFA World Cup in Qatar", "Qatar",
         "Chad wins the 25th FIFA World Cup in Oslo"),
        ("Who will lead Chad in 2040?", "I think the answer is Paris", "Paris", "I think the answer is Oslo"),
        ("Who wrote the first program?", "Ada Lovelace", "Ada Lovelace", "Oslo"),
        ("Who wrote the first program?", "I think it is Grace Lovelace", "Grace Lovelace", "I think it is Oslo"),
    ])  # fmt: skip
    def test_what_takes_an_answers_place(self, tmp_path: Path, question: str, text: str, core: str, framed: str) -> None:
        """What belongs to a name goes with it; a number that the question says is no answer, nor is a letter or half a name."""
        write_lines(tmp_path / "items.jsonl", [item(0, question, None)])
        write_lines(tmp_path / "responses.jsonl", [response("q.0", text)])
        names = {"paris", "qatar", "oslo", "i", "lovelace"}.__contains__
        [answer] = read_answers(str(tmp_path / "responses.jsonl"), str(tmp_path / "items.jsonl"), names).answers
        assert (answer.core, answer.framed("Oslo")) == (core, framed)

    def test_a_measure_keeps_its_unit(self, choices: list[Row]) -> None:
        others = {option for choice in of(choices, 5) for option in choice["options"]} - {"unsure"}
        assert all(option.endswith(" metres") for option in others)

    def test_the_same_bytes_again(self, made: Path, tmp_path: Path) -> None:
        command(*arguments(made), "--out", str(tmp_path / "b.jsonl"), "--quiet")
        assert (tmp_path / "b.jsonl").read_bytes() == (made / "again.jsonl").read_bytes()

    def test_the_answers_place_is_uniform(self, tmp_path: Path) -> None:
        items = [item(n, f"Where was person {n} of the list born?", None) for n in range(100)]
        write_lines(tmp_path / "items.jsonl", items)
        write_lines(tmp_path / "responses.jsonl", [response(f"q.{n}", "Paris", s) for n in range(100) for s in range(2)])
        command(*arguments(tmp_path), "--out", str(tmp_path / "again.jsonl"), "--quiet")
        choices = read_lines(tmp_path / "again.jsonl")
        assert len(choices) == 4000
        for text in ("Paris", "unsure"):
            places = Counter(choice["options"].index(text) for choice in choices)
            assert chisquare([places[place] for place in range(5)]).pvalue > 0.001


def verdicts(items: list[Item], responses: list[Row]) -> list[Row]:
    questions = {item.id: question_of(item) for item in items}
    rulings = [(each, judge_text(each["text"], questions[each["item"]])) for each in responses]
    return [
        {name: each[name] for name in ("item", "model", "sample")}
        | {"outcome": r.outcome, "reason": r.reason, "answer": r.answer}
        for each, r in rulings
    ]


def test_scripted_picks_give_the_consistency_known_beforehand(made: Path, choices: list[Row]) -> None:
    """Right answers are picked again 15 times in 20, the wrong one 10, claims about the unseen 5 times in 20."""
    times = {"q.0": 15, "q.1": 10, "q.2": 15, "q.3": 5, "q.5": 5}
    said = {f"q.{n}": option_of(text) for n, (_, _, text) in enumerate(ASKED)}
    turn: Counter[str] = Counter()
    picks = []
    for choice in choices:
        parent, options = choice["parent"]["item"], choice["options"]
        again = turn[parent] < times[parent]
        turn[parent] += 1
        own = options.index(said[parent])
        picks.append(response(choice["id"], str((own if again else (own + 1) % 5) + 1)))
    items = [*read(made / "items.jsonl", Item), *read(made / "again.jsonl", Item)]
    answers = read_lines(made / "responses.jsonl")
    frame = pl.concat([pl.read_ndjson(made / name) for name in ("items.jsonl", "again.jsonl")], how="diagonal_relaxed")
    judged = verdicts([each for each in items if each.parent is None], answers)
    tables = unseenqa_tables(Answers.of(frame, pl.DataFrame([*answers, *picks]), pl.DataFrame(judged)))
    numbers: Row = {}
    for table in tables[:3]:
        numbers |= table.frame.row(0, named=True)
    expected = {
        "CR": 2 / 3, "WR": 1 / 3, "NCR": 1 / 3, "UR": 1 / 3, "C_correct": 0.75, "C_wrong_seen": 0.5, "C_wrong_unseen": 0.25,
        "C_wrong": 0.375, "NCCR": 2 / 3 * 0.75 - 1 / 3 * 0.5, "IUR": 1 - 2 / 3 * 0.25,
    }  # fmt: skip
    assert {name: numbers[name] for name in expected} == pytest.approx(expected)


class TestValues:
    @pytest.mark.parametrize(
        "text", ["1815", "May 1964", "10 May 1964", "May 10th, 1964", "1964-05-10", "3rd", "twelve", "12,500", "1.68", "7"]
    )
    def test_each_is_of_the_form_and_says_something_else(self, text: str) -> None:
        value = find_value(text, "date" if "19" in text or "18" in text else "number")
        assert value is not None
        others = near(value, key=7, n=20)
        assert len(others) == len(set(others)) == 20
        assert not any(same_value(text, other, value.kind) for other in others)
        shape = [part.name for part in value.parts]
        assert all([part.name for part in find_value(other, value.kind).parts] == shape for other in others)  # type: ignore[union-attr]


class TestFaults:
    def test_a_response_to_no_item(self, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = write_lines(tmp_path / "r.jsonl", [response("q.9", "Oslo")])
        error = refused(
            capsys, "consistency", str(path), "--items", str(made / "items.jsonl"), "--out", str(tmp_path / "o.jsonl")
        )
        assert "'q.9'" in error
        assert not (tmp_path / "o.jsonl").exists()

    def test_what_is_left_out_is_counted(self, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command(*arguments(made), "--out", str(tmp_path / "o.jsonl"))
        error = capsys.readouterr().err
        assert "100 choices" in error
        assert "nothing is claimed (unsure): 1" in error

    def test_a_file_is_not_written_over_its_own_input(self, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "--out" in refused(capsys, *arguments(made), "--out", str(made / "items.jsonl"))
