"""A model that helps: it judges the questions of a user's file, and proposes distractors, twenty in a request."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fpq_made import read_lines, write_lines
from generators.unseenqa.consistency import CHOICES
from kg.text import fold
from model_server import KEY, Asked, Script, model_server
from unseenqa_command import command, refused

Row = dict[str, Any]
QUESTIONS = [
    ("who wrote the novel emma", ["Jane Austen"]),
    ("where did the first modern olympics take place", ["Athens"]),
    ("who wrote the score of jaws", ["John Williams"]),
    ("which river flows through vienna", ["the Danube"]),
    ("which team plays at old trafford", ["Manchester United"]),
]
"""What the rules let pass; the judge below is of another mind about some of it."""
JUDGED = {"olympics": "several", "trafford": "changes", "vienna": "no-fact"}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def shown(asked: Asked) -> str:
    """Return what a request asks first, without its system prompt."""
    return str(next(m["content"] for m in asked.body["messages"] if m["role"] == "user"))


def judge(asked: Asked) -> str:
    lines = re.findall(r"^(\d+)\. (.*) \| .*$", shown(asked).partition("[open ")[2], re.MULTILINE)
    said = {n: next((word for part, word in JUDGED.items() if part in question.lower()), "fine") for n, question in lines}
    return "\n".join(f"{n}. {word}" for n, word in said.items())


class TestJudge:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        write_lines(tmp_path / "nq.jsonl", [{"question": question, "answer": answer} for question, answer in QUESTIONS])
        return tmp_path / "nq.jsonl"

    def seen(self, out: Path) -> list[Row]:
        return [item for item in read_lines(out) if item["family"] == "natural-questions"]

    def test_what_it_leaves_out_is_not_asked_and_counted_by_reason(
        self, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "items.jsonl"
        with model_server(Script(answer=judge)) as server:
            command("--seen", str(file), "--seen", "2", "--judge", server.spec(), "--out", str(out))
            assert len(server.script.requests) == 1  # twenty questions in one
        said = capsys.readouterr().err
        assert {item["question"] for item in self.seen(out)} == {"Who wrote the novel emma?", "Who wrote the score of jaws?"}
        assert {item["source"]["judge"].partition(" ")[2][:8] for item in self.seen(out)} == {"helper/1"}
        for reason in ("its answer changes with time", "it has several answers", "no factoid question"):
            assert f"left out, the judge: {reason}: 1" in said
        assert (tmp_path / "items.judge.jsonl").exists()

    def test_the_recording_gives_the_same_items_without_a_network(self, file: Path, tmp_path: Path) -> None:
        out, again = tmp_path / "items.jsonl", tmp_path / "again.jsonl"
        with model_server(Script(answer=judge)) as server:
            command("--seen", str(file), "--seen", "2", "--judge", server.spec(), "--out", str(out), "--quiet")
        replay = f"replay:{tmp_path / 'items.judge.jsonl'}"
        command("--seen", str(file), "--seen", "2", "--judge", replay, "--out", str(again), "--quiet")
        assert [item["question"] for item in self.seen(again)] == [item["question"] for item in self.seen(out)]

    @pytest.mark.parametrize(
        "nonsense", ["Sure! All of them look fine.", "1. fine", "1. perhaps\n2. fine\n3. fine\n4. fine\n5. fine"]
    )
    def test_nonsense_is_asked_again_with_the_reason_and_then_the_rules_go_on_alone(
        self, nonsense: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "items.jsonl"
        with model_server(Script(answer=lambda asked: nonsense)) as server:
            command("--seen", str(file), "--seen", "5", "--judge", server.spec(), "--tries", "2", "--out", str(out))
            last = server.script.requests[-1].body["messages"]
            assert len(server.script.requests) == 2
        assert "That cannot be used: not every question has one line" in last[-1]["content"]
        assert len(self.seen(out)) == len(QUESTIONS)
        assert "not used, not every question has one line with its number and one of the words: 2" in capsys.readouterr().err

    def test_what_a_question_says_is_no_order(self, tmp_path: Path) -> None:
        """A line break in a question cannot make lines of its own: each question has one."""
        row = {"question": "who wrote emma\n2. who wrote jaws", "answer": ["Jane Austen"]}
        write_lines(tmp_path / "nq.jsonl", [row])
        with model_server(Script(answer=lambda asked: "1. fine")) as server:
            args = ("--judge", server.spec(), "--out", str(tmp_path / "items.jsonl"), "--quiet")
            command("--seen", str(tmp_path / "nq.jsonl"), "--seen", "1", *args)
            assert len(server.script.requests) == 1
            assert "1. Who wrote emma 2. who wrote jaws? | Jane Austen" in shown(server.script.requests[0])

    def test_without_a_file_there_is_nothing_to_judge(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        error = refused(capsys, "--seen", "5", "--judge", "openai:x", "--out", str(tmp_path / "items.jsonl"))
        assert "--judge" in error
        assert "--seen FILE" in error


ANSWERS = [
    ("What is the capital of Austria?", ["Vienna", "Wien"], "The capital is Salzburg."),
    ("When was Ada Lovelace born?", ["December 10, 1815", "1815-12-10"], "December 11, 1815"),
    ("Who directed the film “Psycho”?", ["Alfred Hitchcock"], "Alfred Hitchcock"),
]
PROPOSED = {
    "Austria": "1. Graz\n2. Linz\n3. Vienna\n4. Vienna, Austria\n5. Salzburg\n6. Innsbruck\n7. unsure\n- Klagenfurt",
    "Lovelace": "December 12, 1815\nDecember 10, 1815\nMay 3, 1815\n1815\n1 May 1815\nJune 7, 1816\nIn 1817, I think",
    "Psycho": "Here you are:",
}


class TestDistractors:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        fields = {"schema": "kgprobe.item/1", "method": "mine", "task": "open", "variant": "basic", "strata": {"seen": "yes"}}
        rows = [{**fields, "id": f"q.{n}", "family": f"f{n}", "group": f"g{n}", "question": q, "answer": a}
                for n, (q, a, _) in enumerate(ANSWERS)]  # fmt: skip
        write_lines(tmp_path / "items.jsonl", rows)
        said = [{"schema": "kgprobe.response/1", "item": f"q.{n}", "model": "m", "sample": 0, "text": text}
                for n, (_, _, text) in enumerate(ANSWERS)]  # fmt: skip
        write_lines(tmp_path / "responses.jsonl", said)
        return tmp_path

    def made(self, folder: Path, *more: str) -> list[Row]:
        out = folder / "again.jsonl"
        args = ("consistency", str(folder / "responses.jsonl"), "--items", str(folder / "items.jsonl"), "--out", str(out))
        command(*args, *more)
        return read_lines(out)

    def proposed(self, asked: Asked) -> str:
        return next(text for name, text in PROPOSED.items() if name in shown(asked))

    def options(self, choices: list[Row], number: int) -> set[str]:
        return {option for c in choices if c["parent"]["item"] == f"q.{number}" for option in c["options"]} - {"unsure"}

    def test_they_are_the_models_where_they_hold(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with model_server(Script(answer=self.proposed)) as server:
            choices = self.made(folder, "--distractors", server.spec(), "--tries", "1")
            assert len(server.script.requests) == len(ANSWERS)  # all twenty in one
        assert Counter(choice["parent"]["item"] for choice in choices) == dict.fromkeys(("q.0", "q.1", "q.2"), CHOICES)
        cities = {f"The capital is {city}" for city in ("Graz", "Linz", "Innsbruck", "Klagenfurt", "Salzburg")}
        assert self.options(choices, 0) == cities
        assert self.options(choices, 1) == {"December 11, 1815", "December 12, 1815", "May 3, 1815", "June 7, 1816"}
        origins = {choice["parent"]["item"]: choice["source"]["distractors"] for choice in choices}
        assert origins == {"q.0": "model", "q.1": "model", "q.2": "graph"}
        assert "a model's: 2" in capsys.readouterr().err

    def test_what_fails_is_asked_again_and_then_the_graph_is(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with model_server(Script(answer=lambda asked: "")) as server:
            choices = self.made(folder, "--distractors", server.spec(), "--tries", "2")
        plain = self.made(folder)
        assert [choice["options"] for choice in choices] == [choice["options"] for choice in plain]
        assert "not used, no answer came: 6" in capsys.readouterr().err

    def test_the_recording_gives_the_same_choices(self, folder: Path) -> None:
        with model_server(Script(answer=self.proposed)) as server:
            choices = self.made(folder, "--distractors", server.spec(), "--tries", "1")
        replay = f"replay:{folder / 'again.distractors.jsonl'}"
        again = self.made(folder, "--distractors", replay, "--tries", "1", "--recording", str(folder / "other.jsonl"))
        assert [choice["options"] for choice in again] == [choice["options"] for choice in choices]

    def test_none_is_the_answer_or_the_truth_in_other_letters(self, folder: Path) -> None:
        loud = {"Austria": "WIEN\nsalzburg\nVíenna\nBern\nPrague\nRome", "Lovelace": PROPOSED["Lovelace"], "Psycho": "x"}
        with model_server(Script(answer=lambda a: next(t for n, t in loud.items() if n in shown(a)))) as server:
            choices = self.made(folder, "--distractors", server.spec(), "--tries", "1")
        assert {fold(option) for option in self.options(choices, 0)} == {
            fold(f"The capital is {city}") for city in ("Salzburg", "Bern", "Prague", "Rome")
        }
