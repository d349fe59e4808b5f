"""Passages: what else the graph says, and never what is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from family_made import family, films, items, random_table
from generators.family import Options, Result, generate
from generators.family.__main__ import app
from generators.family.passages import settles
from kg import LocalGraph
from kg.cli import run as run_app
from kg.text import fold_all
from queries import parse
from queries.records.passage import Passage
from queries.records.record import decoder

import polars as pl  # isort: skip

TEXT = """#+ name: land
#+ summary: The capital of a country
#+ method: family
#+ domain: geography
#+ task: open
#+ key: [land]
#+ answer: capital
#+ question: {basic: "What is the capital of {land}?"}
SELECT ?land ?capital { ?r <t#land> ?land ; <t#capital> ?capital }
"""

LANDS = [
    # land, capital, code of the capital, people, a sentence, an e-mail, the capital again
    ("Austria", "Vienna", "W", "9", "Vienna is the largest city of Austria.", "a@x", "VIENNA"),
    ("Norway", "Oslo", "O", "5", "A land of fjords", "b@x", "Oslo"),
    ("Peru", "Lima", "L", "34", "The Incas lived here.", "c@x", "lima"),
    ("Chile", "Santiago", "S", "19", "A long land.", "d@x", "Santiago!"),
]


def lands() -> LocalGraph:
    return random_table(LANDS, ["land", "capital", "capital_code", "people", "description", "email", "seat"])


def told(graph: LocalGraph, text: str = TEXT) -> dict[str, str]:
    result = generate(graph, parse(text), Options(passages=True))
    names = {item["group"]: item["given"][0]["value"] for item in items(result)}
    return {names[p.group]: p.text for p in result.passages}


class TestWhatIsSaid:
    def test_descriptions_come_first_and_a_sentence_ends(self) -> None:
        assert told(lands())["Norway"].startswith("A land of fjords. ")

    def test_the_answer_is_nowhere_in_it(self) -> None:
        """Not in a sentence that names it, not in a column that repeats it in other letters."""
        for land, text in told(lands()).items():
            capital = next(row[1] for row in LANDS if row[0] == land)
            assert capital.lower() not in text.lower()
            assert "seat" not in text

    def test_how_to_reach_somebody_is_not_told(self) -> None:
        assert "@x" not in json.dumps(told(lands()))

    def test_a_passage_says_where_it_comes_from(self) -> None:
        graph = lands()
        for passage in generate(graph, parse(TEXT), Options(passages=True)).passages:
            for s, p, o in json.loads(passage.source["facts"] or ""):
                assert graph.ask(f"ASK {{ {s} {p} {o} }}")


class TestWhoseFacts:
    def test_an_entity_of_the_key_is_told_of_by_its_name(self) -> None:
        passages = generate(films(), family("director"), Options(passages=True)).passages
        assert any(p.text.startswith("Akira Kurosawa, born: 1910.") for p in passages)

    def test_a_row_that_the_question_does_not_name_stays_nameless(self) -> None:
        result = generate(films(), family("poster"), Options(passages=True))
        titles = {item["group"]: item["answer"][0] for item in items(result) if item["task"] == "open"}
        assert result.passages
        assert all(titles[p.group] not in p.text and "the film in question" in p.text for p in result.passages)

    def test_only_facts_that_are_asked_have_one(self) -> None:
        result = generate(films(), family("title"), Options(n=3, passages=True))
        assert {p.group for p in result.passages} <= set(result.items["group"])


class TestWhatSettlesTheAnswer:
    def pairs(self, values: list[str], hidden: list[str]) -> pl.DataFrame:
        return pl.DataFrame({"value": values, "hidden": hidden, "number": values, "other": hidden})

    def test_a_code_that_goes_with_one_value(self) -> None:
        assert settles(self.pairs(["us", "us", "fr", "fr"], ["usa", "usa", "france", "france"]))
        assert not settles(self.pairs(["europe", "europe", "asia", "asia"], ["france", "spain", "japan", "china"]))

    def test_the_same_quantity_in_another_unit(self) -> None:
        assert settles(self.pairs(["60", "120", "180", "240", "300"], ["1", "2", "3", "4", "5"]))
        assert not settles(self.pairs(["60", "20", "180", "140", "300"], ["1", "2", "3", "4", "5"]))

    def test_the_year_settles_the_decade_and_not_the_other_way_round(self) -> None:
        years = [str(1950 + i % 30) for i in range(90)]
        decades = [year[:3] + "0" for year in years]
        assert settles(self.pairs(years, decades))
        assert not settles(self.pairs(decades, [f"{year}-{i}" for i, year in enumerate(years)]))


WORDS = st.text("abc ", min_size=1, max_size=6).map(str.strip).filter(bool)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), min_size=1, max_size=8, unique_by=lambda row: row[0]))
def test_no_passage_ever_holds_the_words_of_the_answer(rows: list[tuple[str, ...]]) -> None:
    graph = random_table(rows, ["land", "capital", "c", "d"])
    result: Result = generate(graph, parse(TEXT), Options(passages=True))
    answers = {item["group"]: item["answer"][0] for item in items(result)}
    for passage in result.passages:
        for _, _, o in json.loads(passage.source["facts"] or ""):
            value, answer = fold_all(pl.Series([o.strip('"'), answers[passage.group]]))
            assert f" {answer} " not in f" {value} "


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "land.rq").write_text(
        "#+ name: x\n#+ summary: y\n#+ method: family\n#+ domain: geography\n"
        "#+ task: open\n#+ key: [country]\n#+ answer: capital\n"
        '#+ question: {basic: "What is the capital of {country:the}?"}\n'
        "SELECT ?country ?capital { ?country <country#ref-capital> ?capital }\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as ended:
        run_app(app, "family", [str(tmp_path / "land.rq"), "--out", str(tmp_path / "i"), "--passages", str(tmp_path / "p")])
    assert ended.value.code in (0, None)
    lines = (tmp_path / "p").read_text(encoding="utf-8").splitlines()
    assert lines
    assert all(decoder(Passage)(line).text for line in lines)
    assert f"{len(lines)} passages in" in capsys.readouterr().err
