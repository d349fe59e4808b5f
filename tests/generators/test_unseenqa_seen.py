"""Seen questions: which rows of a user's files are asked, what the graph gives, and what is held back for exemplars."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from fpq_made import read_lines
from generators.unseenqa import load_templates
from generators.unseenqa.__main__ import exemplars_of
from generators.unseenqa.qa_files import read_qa
from generators.unseenqa.seen import seen_questions
from kg import open_graph
from kg.errors import InputError
from kg.text import fold
from queries.audit import audit_items
from queries.records import read
from queries.records.exemplar import Exemplar
from shared import shared
from stories import graph_of
from unseenqa_command import command, ended, refused

FOLDER = Path(__file__).parents[1] / "fixtures" / "generators" / "unseenqa"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seen")
    shots = str(folder / "shots.jsonl")
    command("--as-of", "2024-04-13", "--seen", "300", "--exemplars", shots, "--out", str(folder / "both.jsonl"), "--quiet")
    return folder


def test_real_people_go_by_name_alone_and_their_days_lie_in_the_month_that_is_known() -> None:
    graph = graph_of((FOLDER.parent / "factbench" / "doubts.ttl").read_text("utf-8"))
    seen = seen_questions(graph, load_templates(), 100, (), 0)
    both = pl.concat([part for part in (seen.items, seen.spare) if part.height], how="diagonal_relaxed")
    people = {question: answer[0] for question, answer in both.select("question", "answer").iter_rows()}
    assert people["On what date was Young Oswin born?"] == "July 1960"
    # Another Roy Brown is likely: he needs the trade that a template has no place for.
    assert "Where was Roy Brown born?" not in people
    assert "Where was Ann Able born?" in people


class TestFiles:
    """What the paper's filters leave of a file, in each of the three formats."""

    @pytest.mark.parametrize("row", read_lines(FOLDER / "rows.jsonl"), ids=lambda row: row["row"].get("question", "none"))
    def test_a_row(self, row: dict[str, object], tmp_path: Path) -> None:
        """Each row says whether it is asked (null) or why it is not."""
        good = {"question": "who wrote the tale of genji", "answer": ["Murasaki Shikibu"]}
        path = tmp_path / "nq.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in (good, row["row"])))
        kept = read_qa(str(path))
        assert list(kept.left_out) == ([row["why"]] if row["why"] else [])
        assert len(kept.rows) == (1 if row["why"] else 2)

    def test_natural_questions_get_a_capital_and_a_mark(self) -> None:
        assert read_qa(str(FOLDER / "nq.jsonl")).rows[0].question == "Who wrote the tale of genji?"

    @pytest.mark.parametrize("name", ["nq.jsonl", "triviaqa.json", "popqa.tsv"])
    def test_the_formats(self, name: str) -> None:
        kept = read_qa(str(FOLDER / name))
        assert [row.answers[0] for row in kept.rows] == ["Murasaki Shikibu", "Zambezi"]
        assert {row.source for row in kept.rows} == {{"n": "natural-questions", "t": "triviaqa", "p": "popqa"}[name[0]]}

    def test_popqa_says_whom_a_question_is_about(self) -> None:
        assert read_qa(str(FOLDER / "popqa.tsv")).rows[0].subject == "http://www.wikidata.org/entity/Q8269"

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (b'{"query": "who?", "answer": ["x"]}\n', "holds no question with answers"),
            (b"who wrote emma\n", "not JSON"),
            (b'{"question": "caf\xe9?", "answer": ["x"]}', "not UTF-8"),
            (b'{"question": 3, "answer": {"Aliases": ["x"]}}', "holds no question with answers"),
        ],
    )
    def test_a_file_at_fault(self, text: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "qa.jsonl"
        path.write_bytes(text)
        assert says in refused(capsys, "--seen", str(path), "--out", str(tmp_path / "out.jsonl"))
        assert not (tmp_path / "out.jsonl").exists()

    def test_a_file_that_is_missing(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "nowhere.jsonl" in refused(capsys, "--seen", "nowhere.jsonl")

    def test_natural_questions_at_hand(self) -> None:
        kept = read_qa(str(shared("data/nq-open") / "dev.jsonl"))
        assert len(kept.rows) > 600
        assert all(len(row.answers[0].split()) <= 5 for row in kept.rows)


class TestGraph:
    """Questions of the starter graph, and the templates on real people."""

    def test_seen_and_unseen_in_one_file(self, made: Path) -> None:
        seen = [item["strata"]["seen"] for item in read_lines(made / "both.jsonl")]
        assert (seen.count("yes"), seen.count("no")) == (380, 3000)
        assert 30 < seen[:400].count("yes") < 60  # a prefix has the same mix

    def test_real_people_stand_on_the_unseen_templates(self, made: Path) -> None:
        items = read_lines(made / "both.jsonl")
        real = [item for item in items if item["family"] in load_templates() and item["answer"]]
        assert len(real) == 80
        starts = {item["question"].split(item["given"][0]["value"])[0] for item in items if item["strata"]["seen"] == "no"}
        assert {item["question"].split(item["given"][0]["value"])[0] for item in real} <= starts
        assert all(item["source"]["subject"] for item in real)

    def test_every_proof_holds(self, made: Path) -> None:
        assert audit_items(open_graph(), str(made / "both.jsonl")).passed

    def test_exemplars_are_280_seen_and_40_unseen_and_none_is_asked(self, made: Path) -> None:
        shots = read(made / "shots.jsonl", Exemplar)
        short = [shot for shot in shots if shot.task == "open"]
        assert sum(shot.text == "unsure" for shot in short) == 40
        assert sum(shot.text != "unsure" for shot in short) == 280
        assert sum(shot.variant == "seen" and shot.source["family"] in load_templates() for shot in short) == 80
        asked = read_lines(made / "both.jsonl")
        assert not {fold(shot.question) for shot in shots} & {fold(item["question"]) for item in asked}
        real_or_seen = {item["group"] for item in asked if item["strata"]["seen"] == "yes"}
        assert not {shot.group for shot in shots if shot.variant == "seen"} & real_or_seen

    def test_choices_have_one_way_out(self, made: Path) -> None:
        choices = [shot for shot in read(made / "shots.jsonl", Exemplar) if shot.task == "choice"]
        assert len(choices) > 200
        for shot in choices:
            options = shot.options or []
            assert options.count("unsure") == 1
            assert len({fold(option) for option in options}) == 5
            assert (options[int(shot.text) - 1] == "unsure") == (shot.variant == "unseen")

    def test_more_than_there_is_ends_with_one(self, tmp_path: Path) -> None:
        assert ended("--seen", "100000", "--out", str(tmp_path / "a.jsonl"), "--quiet") == 1

    def test_files_are_asked_in_turn_and_some_rows_held_back(self) -> None:
        nq = str(shared("data/nq-open") / "dev.jsonl")
        seen = seen_questions(open_graph(), load_templates(), 100, [nq, str(FOLDER / "triviaqa.json")], 0)
        assert seen.items["family"].value_counts().filter(family="triviaqa")["count"].item() == 2
        assert len(exemplars_of(seen.spare, seen.spare.head(0), 0)) > 60

    def test_two_numbers_are_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "--seen" in refused(capsys, "--seen", "5", "--seen", "6")


def test_a_file_of_no_known_format_names_the_formats(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="PopQA"):
        read_qa(str(tmp_path / "a.csv"))
