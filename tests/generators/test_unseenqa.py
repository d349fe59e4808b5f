"""Questions that nobody can answer: which events they ask about, which people they make up, and that files stay the same."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from fpq_made import read_lines
from generators.lint import lint_file
from generators.unseenqa import Options, generate, load_templates
from generators.unseenqa.make import NamesUnborne
from generators.unseenqa.templates import load_fillers
from kg import open_graph
from kg.errors import InputError
from kg.text import fold
from queries.audit import audit_items
from stories import graph_of
from unseenqa_command import command, refused

PAPER = date(2024, 4, 13)
Item = dict[str, Any]


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unseen") / "paper.jsonl"
    command("--as-of", "2024-04-13", "--out", str(path), "--quiet")
    return path


@pytest.fixture(scope="module")
def items(paper: Path) -> list[Item]:
    return read_lines(paper)


class TestThePaper:
    """Table 1 as of the day on which the paper's questions were made."""

    def test_twenty_templates_of_150_fillers_each(self, items: list[Item]) -> None:
        assert len(items) == 3000
        families = [item["family"] for item in items]
        assert {families.count(name) for name in families} == {150}
        assert len(set(families)) == 20
        assert len({item["question"] for item in items}) == 3000

    def test_five_answer_types(self, items: list[Item]) -> None:
        types = {item["family"]: item["strata"]["answer_type"] for item in items}
        assert sorted(list(types.values()).count(each) for each in set(types.values())) == [4, 4, 4, 4, 4]

    def test_nobody_knows(self, items: list[Item]) -> None:
        assert all(item["answer"] is None and item["strata"]["seen"] == "no" and item["task"] == "open" for item in items)

    def test_the_events_of_the_paper(self, items: list[Item]) -> None:
        events = {item["family"]: item["given"][1]["value"] for item in items if len(item["given"]) > 1}
        assert events == {
            "gold-medals": "XXXIV", "world-cup-rank": "25th", "bronze-medal": "XXXIII", "leader": "2040", "head-coach": "2028",
        }  # fmt: skip

    def test_any_prefix_has_the_same_mix(self, items: list[Item]) -> None:
        assert len({item["family"] for item in items[:20]}) == len({item["family"] for item in items[2980:]}) == 20

    def test_the_proofs_hold_and_the_linter_finds_nothing(self, paper: Path) -> None:
        assert audit_items(open_graph(), str(paper)).passed
        assert lint_file(str(paper)).clean == 1

    def test_the_same_bytes_again_and_others_with_another_seed(self, paper: Path, tmp_path: Path) -> None:
        for seed in "01":
            command("--as-of", "2024-04-13", "--out", str(tmp_path / seed), "--quiet", "--seed", seed)
        assert (tmp_path / "0").read_bytes() == paper.read_bytes() != (tmp_path / "1").read_bytes()


class TestEvents:
    """What lies ahead moves with the day."""

    @pytest.mark.parametrize(
        ("day", "medals", "bronze", "cup", "leader", "coach"),
        [
            ("2024-04-13", "XXXIV", "XXXIII", "25th", "2040", "2028"),
            ("2024-07-26", "XXXIV", "XXXIV", "25th", "2040", "2028"),  # the XXXIII have begun
            ("2026-11-23", "XXXIV", "XXXIV", "25th", "2042", "2030"),
            ("2029-01-01", "XXXV", "XXXV", "26th", "2045", "2033"),
        ],
    )
    def test_as_of(self, day: str, medals: str, bronze: str, cup: str, leader: str, coach: str) -> None:
        events = generate(open_graph(), Options(date.fromisoformat(day), fillers=1)).occasions
        names = [events[name].name for name in ("gold-medals", "bronze-medal", "world-cup-rank", "leader", "head-coach")]
        assert names == [medals, bronze, cup, leader, coach]
        assert all(event.begins > date.fromisoformat(day) for event in events.values())

    @pytest.mark.parametrize("name", ["XXXVI", "36", "2036"])
    def test_an_edition_goes_by_its_numeral_number_or_year(self, name: str) -> None:
        result = generate(open_graph(), Options(PAPER, fillers=1, events={"gold-medals": name}))
        assert "XXXVI Summer Olympics" in result.items["question"][0]

    @pytest.mark.parametrize(
        ("event", "says"),
        [
            ("gold-medals=XXXII", "not after 2024-04-13"),
            ("world-cup-rank=2022", "not after 2024-04-13"),
            ("leader=2024", "not after 2024-04-13"),
            ("gold-medals=soon", "'soon' is none that is known"),
            ("gold-medals=2030", "'2030' is none that is known"),
            ("gold-medal=XXXV", "did you mean 'gold-medals'"),
            ("birthplace=2030", "no template on an event to come"),
            ("gold-medals", "names no edition"),
        ],
    )
    def test_one_that_has_come_to_pass_or_is_none_is_refused(
        self, event: str, says: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert says in refused(capsys, "--as-of", "2024-04-13", "--event", event)

    def test_a_day_that_is_none_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "'13.4.2024' is no day" in refused(capsys, "--as-of", "13.4.2024")


class TestPeople:
    """Nobody in the graph bears their names."""

    def test_a_name_that_the_graph_has_is_passed_over(self) -> None:
        first, second = NamesUnborne(load_fillers(), 0, set()).take(2)
        turtle = """
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
            @prefix e: <http://e.org/> .
            e:1 rdfs:label "{}" . e:2 rdfs:label "Somebody" ; skos:altLabel "{}"@en ."""
        whole, alias = first.upper(), f"{second.split()[0]} {second.split()[2]}"
        result = generate(graph_of(turtle.format(whole, alias)), Options(PAPER, fillers=5))
        questions = " ".join(result.items["question"])
        assert result.known_names == 2
        assert first not in questions
        assert second not in questions

    def test_hundred_names_of_each_part_are_used_evenly(self) -> None:
        fillers = load_fillers()
        assert {len(set(each)) for each in (fillers.first, fillers.middle, fillers.last)} == {100}
        names = NamesUnborne(fillers, 3, set()).take(200)
        assert len(set(map(fold, names))) == 200
        assert {sum(name.endswith(f" {last}") for name in names) for last in fillers.last} == {2}


class TestTemplates:
    """A file of one's own."""

    def test_a_template_of_ones_own(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text(
            '[hosts]\nquestion = "Who opens the {occasion} Summer Olympics, if not {filler}?"\nfiller = "countries"\n'
            'answer_type = "location"\ntype = "entity"\nevent = "olympics"\nlead = 20\n'
        )
        result = generate(open_graph(), Options(PAPER, fillers=2, templates=str(path)))
        assert result.items.height == 2
        assert result.occasions["hosts"].name == "XXXVIII"

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "holds no template"),
            ("[a", "not TOML"),
            ('[a]\nquestion = "{x}?"\nfiller = "people"\nanswer_type = "time"\ntype = "date"', "something else than {filler}"),
            ('[a]\nquestion = "Who?"\nfiller = "people"\nanswer_type = "time"\ntype = "date"', "must name {filler}"),
            ('[a]\nquestions = "{filler}?"', "did you mean 'question'"),
            ('[a]\nquestion = "{filler}?"\nfiller = "dogs"\nanswer_type = "time"\ntype = "date"', "'filler' is at fault"),
        ],
    )
    def test_a_file_at_fault_is_refused(self, text: str, says: str, tmp_path: Path) -> None:
        (tmp_path / "t.toml").write_text(text)
        with pytest.raises(InputError) as error:
            load_templates(str(tmp_path / "t.toml"))
        assert says in str(error.value)

    def test_fewer_fillers_than_asked_for_are_said(self) -> None:
        result = generate(open_graph(), Options(PAPER, fillers=180))
        assert result.short == {"bronze-medal": 175}


def test_the_items_are_json_with_every_field(items: list[Item]) -> None:
    assert json.dumps(items[0]["parent"]) == "null"
    assert items[0]["source"]["as_of"] == "2024-04-13"
