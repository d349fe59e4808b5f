"""Exemplars: demonstrated answers from facts that are not asked, right by the graph, as many of each answer."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from family_made import FAMILIES, films, items, random_table, tables
from generators.erbench import Catalog, propose
from generators.family import Options, Result, generate, generate_all, side_file_summary
from generators.family.__main__ import app
from kg import LocalGraph
from kg.cli import run as run_app
from queries import audit_items, find, parse
from queries.records.exemplar import Exemplar
from queries.records.record import decoder

SONG = """#+ name: song
#+ summary: Who sang a song
#+ method: family
#+ domain: music
#+ task: yes_no
#+ key: [title, year]
#+ answer: singer
#+ explain: ["{singer} sang “{title}” in {year}."]
#+ question:
#+   basic: "Did anybody sing “{title}” in {year}?"
#+   negated: "Is it right that nobody sang “{title}” in {year}?"
SELECT ?title ?year ?singer { ?r <t#a> ?title ; <t#b> ?year ; <t#c> ?singer }
"""


def songs(n: int = 60) -> LocalGraph:
    """Songs, each of one year; every tenth title was sung in two years."""
    rows = [(f"Song {i}", str(1950 + i % 37), f"Singer {i % 23}") for i in range(n)]
    return random_table(rows + [(f"Song {i}", "2001", "Singer 99") for i in range(0, n, 10)], "abc")


def shown(graph: LocalGraph, text: str, seed: int = 0) -> Result:
    return generate(graph, parse(text), Options(seed=seed, exemplars=True))


def proved(graph: LocalGraph, exemplars: list[Exemplar]) -> bool:
    """Whether every proof that an exemplar carries holds."""
    rows = [{"id": str(i), "proof": json.loads(e.source["proof"] or "")} for i, e in enumerate(exemplars)]
    frame = pl.DataFrame(rows, schema_overrides={"proof": PROOFS})
    return audit_items(graph, frame, literal=100).passed


PROOFS = pl.List(
    pl.Struct(
        {
            "query": pl.String,
            "bind": pl.List(pl.Struct({"name": pl.String, "term": pl.String})),
            "expect": pl.Boolean,
            "rows": pl.List(pl.List(pl.String)),
        }
    )
)


class TestYesAndNo:
    def test_eight_of_them_half_yes_half_no_in_every_prefix_of_pairs(self) -> None:
        exemplars = shown(songs(), SONG).exemplars
        answers = [e.text.partition(".")[0] for e in exemplars]
        assert Counter(answers) == {"Yes": 4, "No": 4}
        assert all(set(answers[i : i + 2]) == {"Yes", "No"} for i in range(0, 8, 2))
        assert Counter(e.variant for e in exemplars) == {"basic": 4, "negated": 4}

    def test_the_rows_that_are_shown_are_not_asked(self) -> None:
        result = shown(songs(), SONG)
        assert not {e.group for e in result.exemplars} & set(result.items["group"])
        assert len({e.group for e in result.exemplars}) == 8
        assert result.unfilled["kept for exemplars"] == 8

    def test_the_other_answer_names_what_is_true_instead(self) -> None:
        """“It was another year”: no row has the song in the year that is asked, and the true one is told."""
        graph = songs()
        told = [e for e in shown(graph, SONG).exemplars if "It was another" in e.text]
        assert len(told) == 4
        for e in told:
            title = e.question.split("“")[1].split("”")[0]
            asked = e.question.split()[-1].strip("?")
            i = int(title.split()[1])
            assert e.text.endswith(f"It was another year: {1950 + i % 37}. Singer {i % 23} sang “{title}” in {1950 + i % 37}.")
            assert asked != str(1950 + i % 37)
            assert i % 10 != 0  # of a song of two years no year is *the* other one

    def test_every_exemplar_is_proved_and_a_sound_record(self) -> None:
        graph = songs()
        exemplars = shown(graph, SONG).exemplars
        assert proved(graph, exemplars)
        assert [decoder(Exemplar)(e.line()) for e in exemplars] == exemplars

    def test_a_small_family_keeps_most_of_its_facts(self) -> None:
        result = shown(songs(12), SONG)
        assert (len(result.exemplars), result.facts) == (2, 12)
        assert shown(songs(2), SONG).exemplars == []

    def test_without_exemplars_nothing_changes(self) -> None:
        graph = songs()
        plain = generate(graph, parse(SONG))
        with_them = shown(graph, SONG)
        held = {e.group for e in with_them.exemplars}
        assert with_them.items["id"].to_list() == plain.items.filter(~pl.col("group").is_in(list(held)))["id"].to_list()

    def test_the_same_every_time(self) -> None:
        assert shown(songs(), SONG).exemplars == shown(songs(), SONG).exemplars
        assert shown(songs(), SONG).exemplars != shown(songs(), SONG, seed=1).exemplars


class TestChoice:
    TEXT = """#+ name: facts
#+ summary: What a title determines
#+ method: family
#+ domain: music
#+ task: choice
#+ key: [title]
#+ answer: [year, singer, kind]
#+ question:
#+   first:
#+     stem: "What is false about “{title}”?"
#+     options: {year: "It is of {year}.", singer: "{singer} sang it.", kind: "It is {kind:a}."}
SELECT ?title ?year ?singer ?kind { ?r <t#a> ?title ; <t#b> ?year ; <t#c> ?singer ; <t#d> ?kind }
"""

    def graph(self) -> LocalGraph:
        rows = [(f"Song {i}", str(1950 + i), f"Singer {i % 23}", ["waltz", "aria"][i % 2]) for i in range(60)]
        return random_table(rows, "abcd")

    def test_each_place_and_each_slot_once(self) -> None:
        result = generate(self.graph(), parse(self.TEXT), Options(exemplars=True))
        assert [e.text.partition(":")[0] for e in result.exemplars] == ["Option 1", "Option 2", "Option 3"]
        assert len({e.text.rpartition("The truth: ")[2].split()[2] for e in result.exemplars}) == 3
        assert proved(self.graph(), result.exemplars)

    def test_the_truth_is_said_in_the_words_of_the_option(self) -> None:
        for e in generate(self.graph(), parse(self.TEXT), Options(exemplars=True)).exemplars:
            first, second = e.text.split("\n")
            number, _, false = first.partition(": ")
            assert (e.options or [])[int(number.split()[1]) - 1] == false
            truth = second.removeprefix("This is false. The truth: ")
            i = int(e.question.split("Song ")[1].split("”")[0])
            assert truth in (f"It is of {1950 + i}.", f"Singer {i % 23} sang it.", f"It is {['a waltz', 'an aria'][i % 2]}.")

    def test_none_of_the_above_is_shown_where_it_is_asked(self) -> None:
        exemplars = generate(self.graph(), parse(self.TEXT), Options(exemplars=True, none_share=0.2)).exemplars
        assert [len(e.options or []) for e in exemplars] == [4] * 4
        assert exemplars[-1].text == "Option 4: None of the above.\nAll the other statements are true."


class TestSeveralHops:
    def test_a_chain_of_thought_ends_in_the_answer(self) -> None:
        graph = tables(FAMILIES / "published" / "SCHEMA.toml")
        result = generate(graph, find("erbench/soccer_olympic"), Options(exemplars=True))
        assert result.exemplars
        for e in result.exemplars:
            answer = "yes" if e.text.startswith("Yes. In 2019") else "no"
            assert e.text.endswith(f" The answer is {answer}.")
            assert e.source["style"] == "chain of thought"
            held = "were held in" in e.text
            assert (answer == "yes") == (held != (e.variant == "negated"))

    def test_both_sides_of_a_claim_are_shown_even_if_only_true_ones_are_asked(self) -> None:
        graph = random_table([(f"Film {i}", f"Person {i}", str(1900 + 7 * i % 90)) for i in range(40)], "abc")
        text = find("erbench/movie_director").text
        pattern = "?r <t#a> ?title ; <t#b> ?director ; <t#c> ?year ; <t#c> ?director_birth_year }"
        query = f"SELECT ?title ?year ?director ?director_birth_year {{ {pattern}"
        result = generate(graph, parse(text[: text.index("PREFIX")] + query), Options(exemplars=True))
        assert Counter(e.text.partition(".")[0] for e in result.exemplars) == {"Yes": 4, "No": 4}
        assert Counter(e.source["answer"] for e in result.exemplars if e.variant == "basic") == {"yes": 2, "no": 2}
        assert proved(graph, result.exemplars)


class TestSeveralFamilies:
    def test_what_one_family_shows_no_other_one_asks(self) -> None:
        graph = films()
        templates = [parse(p.text, p.name) for p in propose(Catalog(graph), 2, "films", all_wordings=True)]
        made = [*generate_all(graph, templates, Options(exemplars=True))]
        held = {e.source["row"] for result in made for e in result.exemplars}
        assert held
        asked = {bound["term"] for r in made for i in items(r) for bound in i["proof"][0]["bind"][:1]}
        assert not held & asked


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, shots = tmp_path / "items.jsonl", tmp_path / "shots.jsonl"
    (tmp_path / "born.rq").write_text(
        (Path(parse.__code__.co_filename).parent / "skeletons" / "open.rq")
        .read_text(encoding="utf-8")
        .replace("#+ summary", "#+ name: born\n#+ summary", 1),
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as ended:
        run_app(app, "family", [str(tmp_path / "born.rq"), "--out", str(out), "--exemplars", str(shots)])
    assert ended.value.code in (0, None)
    lines = shots.read_text(encoding="utf-8").splitlines()
    assert [decoder(Exemplar)(line).task for line in lines] == ["open"] * 4
    assert f"4 exemplars in {shots}" in capsys.readouterr().err


class TestManyFamiliesOfOneTable:
    def test_they_show_the_same_rows_and_a_quarter_of_them_at_most(self) -> None:
        """Twelve families, each of which would hold back four of forty rows of its own choice."""
        rows = [(f"k{i}", *(str(i * (n + 1)) for n in range(12))) for i in range(40)]
        graph = random_table(rows, [f"c{n}" for n in range(13)])
        templates = [parse(COLUMN.format(n=n), f"c{n}") for n in range(1, 13)]
        results = list(generate_all(graph, templates, Options(exemplars=True)))
        shown = {exemplar.source["row"] for result in results for exemplar in result.exemplars}
        assert all(len(result.exemplars) == 4 for result in results)
        assert len(shown) <= 10
        assert side_file_summary(results, {"exemplars": "e"}) == [
            f"48 exemplars in e, of {len(shown)} rows, which are not asked about (a quarter of a family's rows at most)"
        ]
        assert all(result.facts == 40 - len(shown) for result in results)


COLUMN = """\
#+ name: c{n}
#+ summary: A column
#+ method: family
#+ domain: d
#+ task: open
#+ key: [c0]
#+ answer: c{n}
#+ question: {{basic: "What is the column {n} of {{c0}}?"}}
SELECT ?c0 ?c{n} {{ ?r <t#c0> ?c0 ; <t#c{n}> ?c{n} }}
"""
