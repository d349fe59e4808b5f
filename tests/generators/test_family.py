"""Families: from a SELECT and some wordings to questions that can be proved."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from evaluators.prompts import open_setting
from family_made import FAMILIES, audited, family, films, items, made
from generators.family import Options, generate, write_results
from generators.family.__main__ import app
from generators.family.query import absent_names
from kg import InputError, LocalGraph
from kg.cli import run as run_app
from queries import audit_items, parse
from queries.records.item import Item
from queries.records.record import decoder
from queries.templates import new_family

HEAD = """\
#+ name: a
#+ summary: b
#+ method: erbench
#+ domain: d
#+ task: open
#+ key: [k]
#+ answer: t
#+ question: {basic: "What is the title of {k}?"}
"""
EVERY = ("director", "title", "games", "longer", "facts", "poster", "awards")


def asked(name: str, options: Options = Options()) -> dict[str, list[str]]:
    """Each question of a family with its answer (those of a kind in which texts are told apart)."""
    return {item["question"]: item["answer"] for item in items(made(name, options))}


class TestEveryFamily:
    @pytest.mark.parametrize("name", EVERY)
    def test_every_item_is_a_sound_record(self, name: str) -> None:
        result = made(name, Options(none_share=0.3))
        lines = result.items.write_ndjson().splitlines()
        assert [decoder(Item)(line).id for line in lines] == result.items["id"].to_list()
        assert result.items["id"].is_unique().all()

    @pytest.mark.parametrize("name", EVERY)
    def test_every_proof_holds_in_bulk_and_one_by_one(self, name: str) -> None:
        graph = films()
        result = generate(graph, family(name))
        found = audited(graph, result)
        assert found.passed, found.failures
        assert found.literal >= result.facts

    @pytest.mark.parametrize("name", EVERY)
    def test_same_seed_and_data_same_bytes(self, name: str) -> None:
        assert made(name).items.write_ndjson() == made(name).items.write_ndjson()

    @pytest.mark.parametrize("name", EVERY)
    def test_fewer_facts_are_the_first_ones(self, name: str) -> None:
        few, all_of_them = made(name, Options(n=2)), made(name)
        assert few.facts == 2
        assert few.items["id"].to_list() == all_of_them.items["id"].to_list()[: few.items.height]

    def test_the_items_of_a_fact_share_a_group(self) -> None:
        groups = made("director").items.group_by("group").len()
        assert set(groups["len"]) == {3}


class TestYesAndNo:
    def test_a_fact_is_asked_plainly_and_negated(self) -> None:
        answers = asked("director")
        assert answers["Did Akira Kurosawa make a drama of 1952?"] == ["yes"]
        assert answers["Is it right that Akira Kurosawa made no drama of 1952?"] == ["no"]

    def test_the_item_says_what_is_given_and_what_an_explanation_names(self) -> None:
        item = next(i for i in items(made("director")) if i["question"] == "Did Steven Spielberg make a drama of 2012?")
        assert item["given"] == [
            {"slot": "director", "value": "Steven Spielberg", "claim": None},
            {"slot": "year", "value": "2012", "claim": None},
            {"slot": "title_kind", "value": "drama", "claim": None},
        ]
        entry: dict[str, object] = {"slot": "title", "value": "Lincoln", "aliases": [], "type": "entity"}
        assert item["rationale"] == [entry | {"unit": None, "precision": None}]
        assert item["proof"][0]["rows"] == [["Lincoln"]]
        assert item["strata"] == {"domain": "film", "hops": "1", "decade": "2010"}

    def test_a_probe_asks_whether_the_entity_is_known(self) -> None:
        assert asked("director")["Have you heard of “Ran”? If so, is Akira Kurosawa its director?"] == ["yes"]

    def test_articles_follow_the_value(self) -> None:
        assert "Did Akira Kurosawa make an essay of 1999?" in asked("director")


class TestWhatIsLeftOut:
    def test_a_key_with_two_answers_is_left_out_and_counted(self) -> None:
        """“Crash” and “crash!” of 1996 are said alike, and were made by two people."""
        result = made("title")
        assert result.left_out == {
            "year has no value": 1,
            "director has no value": 1,
            "title, year do not determine director": 2,
        }
        assert not any("rash" in question for question in asked("title"))

    def test_a_title_of_two_films_is_told_apart_by_the_year(self) -> None:
        answers = asked("title")
        assert answers["Who directed “Carmen” (1983)?"] == ["Carlos Saura"]
        assert answers["Who directed “Carmen” (1915)?"] == ["Cecil B. DeMille", "DeMille"]

    def test_ask_chooses_what_is_asked(self) -> None:
        result = made("facts")
        assert result.left_out["not among those to be asked (`ask`)"] == 1
        assert not any("1915" in question for question in asked("facts"))

    def test_every_row_is_asked_or_counted(self) -> None:
        result = made("title")
        assert result.rows == result.facts + sum(result.left_out.values())


class TestNamesThatLookLikeSlots:
    def test_a_value_is_never_read_as_a_placeholder(self) -> None:
        assert asked("title")["Who directed “{year}: a {title:the} film” (1999)?"][0] == "Akira Kurosawa"

    @pytest.mark.parametrize(
        "slot", ["group", "rows", "question", "answer", "options", "given", "rationale", "proof", "rest", "term"]
    )
    def test_a_slot_may_be_called_what_a_field_is_called(self, slot: str) -> None:
        text = (FAMILIES / "title.rq").read_text(encoding="utf-8")
        plain, other = items(made("title")), text.replace("title]", f"{slot}]").replace("[title", f"[{slot}")
        other = other.replace("{title}", f"{{{slot}}}").replace("?title", f"?{slot}")
        found = [json.loads(line) for line in generate(films(), parse(other)).items.write_ndjson().splitlines()]
        assert [(i["question"], i["answer"], i["proof"][0]["rows"]) for i in found if i["task"] == "open"] == [
            (i["question"], i["answer"], i["proof"][0]["rows"]) for i in plain if i["task"] == "open"
        ]

    def test_other_scripts_survive(self) -> None:
        assert "Who directed “生きる道” (1961)?" in asked("title")
        assert "黒澤明" in asked("title")["Who directed “Ran” (1985)?"]


class TestSeveralHops:
    def test_the_gold_flips_where_there_is_none(self) -> None:
        answers = asked("games")
        assert answers[_held("Ran", 1985)] == ["yes"]
        assert answers[_held("Jaws", 1975)] == ["no"]

    def test_the_rationale_runs_along_the_hops(self) -> None:
        by_question = {item["question"]: item for item in items(made("games"))}
        ran, jaws = by_question[_held("Ran", 1985)], by_question[_held("Jaws", 1975)]
        assert [entry["value"] for entry in ran["rationale"]] == ["Akira Kurosawa", "Tokyo", "1964"]
        assert [entry["value"] for entry in jaws["rationale"]] == ["Steven Spielberg", "Cincinnati"]
        assert ran["strata"]["hops"] == jaws["strata"]["hops"] == "3"

    def test_the_truth_itself_is_proved(self) -> None:
        jaws = next(item for item in items(made("games")) if item["question"] == _held("Jaws", 1975))
        assert jaws["proof"][1]["bind"][-1]["name"] == "held"
        assert jaws["proof"][1]["expect"] is False

    def test_several_years_are_one_entry_with_the_others_as_other_names(self) -> None:
        piano = next(item for item in items(made("awards")) if "Piano" in item["question"])
        assert piano["answer"] == ["1993", "1994"]
        assert [(entry["value"], entry["aliases"]) for entry in piano["rationale"]] == [("1993", ["1994"])]
        assert sorted(piano["proof"][0]["rows"]) == [["1993"], ["1994"]]


def _held(title: str, year: int) -> str:
    return f"Were the Summer Olympics ever held in the city where the director of “{title}” ({year}) was born?"


class TestPictures:
    def test_a_picture_takes_the_place_of_its_text(self) -> None:
        found = {item["image"]: item for item in items(made("poster"))}
        assert found["posters/jaws.png"]["answer"] == ["Jaws"]
        assert found["posters/jaws.png"]["given"] == []

    def test_the_paper_asks_whether_a_picture_is_of_the_film_that_the_text_describes(self) -> None:
        """ERBench, table 17: the key stays a text, and the picture is determined by it; a film without one is not asked."""
        text = POSTER.format(task="yes_no", key="director, year", answer="title", question=SAME)
        found = [json.loads(line) for line in generate(films(), parse(text)).items.write_ndjson().splitlines()]
        assert {(item["question"], item["image"]) for item in found} == {
            ("Is the film of 1975 by Steven Spielberg the one on the picture?", "posters/jaws.png"),
            ("Is the film of 1971 by Steven Spielberg the one on the picture?", "posters/duel.png"),
            ("Is the film of 2012 by Steven Spielberg the one on the picture?", "posters/lincoln.png"),
        }
        assert all(item["rationale"][0]["slot"] == "title" for item in found)

    def test_a_picture_may_be_what_is_false_in_a_choice(self) -> None:
        """ERBench, table 18: the club in the image; then the image shows another film's."""
        text = POSTER.format(task="choice", key="title", answer="[year, poster]", question=SHOWN)
        graph = films()
        own = {"Jaws": "posters/jaws.png", "Duel": "posters/duel.png", "Lincoln": "posters/lincoln.png"}
        for seed in range(6):
            result = generate(graph, parse(text), Options(seed=seed))
            assert audited(graph, result).passed
            for item in items(result):
                said = (item["options"] or [])[int(item["answer"][0]) - 1]
                shows_another = item["image"] != own[item["given"][0]["value"]]
                assert shows_another == (said == "The picture is its poster.")

    def test_a_path_is_not_said(self) -> None:
        text = (FAMILIES / "poster.rq").read_text(encoding="utf-8").replace("Which film is this", "Which film is {poster}")
        with pytest.raises(InputError, match="the text states 'poster', whose value is a picture"):
            generate(films(), parse(text))

    def test_no_exemplar_speaks_of_a_picture_that_is_not_there(self) -> None:
        assert made("poster", Options(exemplars=True)).exemplars == []

    def test_the_picture_reaches_the_model(self, tmp_path: Path) -> None:
        """From the family to what is sent: the question beside the picture, the path nowhere in the text."""
        item = items(made("poster"))[0]
        message = open_setting("zero-shot").messages(item)[-1]
        assert message.image == item["image"]
        assert item["question"] in message.text
        assert item["image"] not in message.text


POSTER = """#+ name: same
#+ summary: Whether a picture is of a film
#+ method: films
#+ domain: film
#+ task: {task}
#+ key: [{key}]
#+ answer: {answer}
#+ image: poster
#+ question: {question}
SELECT ?title ?year ?director ?poster {{
  ?film <film#title> ?title ; <film#year> ?year ; <film#ref-director> ?director OPTIONAL {{ ?film <film#poster> ?poster }}
}}
"""
SAME = '{basic: "Is the film of {year} by {director} the one on the picture?"}'
SHOWN = (
    '{first: {stem: "What is false of “{title}”?", options: {year: "It is of {year}.", poster: "The picture is its poster."}}}'
)


class TestOtherTables:
    def test_a_relation_may_have_another_name(self) -> None:
        text = (FAMILIES / "title.rq").read_text(encoding="utf-8").replace("<film#>", "<movie#>")
        other = parse(text)
        with pytest.raises(InputError, match=r"no relation 'films'; known: movie"):
            generate(films(), other, Options(relations={"films": "film"}))
        graph = films()
        result = generate(graph, other, Options(relations={"movie": "film"}))
        assert result.items["question"].to_list() == made("title").items["question"].to_list()
        assert audited(graph, result).passed

    def test_the_proofs_of_a_users_file_carry_their_query(self) -> None:
        query = items(made("title"))[0]["proof"][0]["query"]
        assert query.startswith("PREFIX t: <film#>\nSELECT DISTINCT ?director WHERE { { {")

    def test_a_false_proof_is_found(self) -> None:
        """In bulk as well as one by one."""
        graph = films()
        result = generate(graph, family("title"))
        rows = pl.lit([["nobody"]], pl.List(pl.List(pl.String)))
        spoilt = pl.col("proof").list.eval(pl.element().struct.with_fields(rows=rows))
        items_spoilt = result.items.with_columns(spoilt)
        for literal in (0, 1000):
            found = audit_items(graph, items_spoilt.select("id", "proof"), literal=literal)
            assert found.failed == result.items["id"].to_list()
            assert found.failures
            assert all(failure.reason.startswith("expected nobody, found http") for failure in found.failures)
            assert not found.disagreements


class TestFaults:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (("#+ task: open", "#+ task: context"), "rows make no passage, which task 'context' needs"),
            (("({year})", ""), "the question 'basic' does not state 'year', a slot of the key; write {year} into it"),
        ],
    )
    def test_what_cannot_be_asked_is_said_in_one_line(self, change: tuple[str, str], message: str) -> None:
        text = (FAMILIES / "title.rq").read_text(encoding="utf-8").replace(*change)
        with pytest.raises(InputError) as refused:
            generate(films(), parse(text, "title.rq"))
        assert str(refused.value).startswith(f"title.rq: {message}")

    def test_a_template_that_asks_nothing(self) -> None:
        with pytest.raises(InputError, match="asks nothing"):
            generate(films(), parse("#+ name: a\n#+ summary: b\nSELECT ?s { ?s ?p ?o }"))


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    err: str


class TestTheCommandLine:
    @staticmethod
    def command(capsys: pytest.CaptureFixture[str], *args: str) -> Ended:
        with pytest.raises(SystemExit) as ended:
            run_app(app, "python -m generators.family", args)
        return Ended(int(ended.value.code or 0), capsys.readouterr().err)

    def test_several_families_go_into_one_file(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        out = tmp_path / "items.jsonl"
        named, other = tmp_path / "open.rq", tmp_path / "hops.rq"
        for path in (named, other):
            new_family(path, path.stem)
        ended = self.command(capsys, str(named), str(other), "--n", "3", "--out", str(out))
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        assert ended.code == 0
        assert [line["family"] for line in lines] == ["open"] * 6 + ["hops"] * 6
        assert {tuple(line["strata"]) for line in lines} == {("domain", "hops", "continent")}
        assert "open: 6 items, 3 facts of 3 asked for" in ended.err

    def test_too_few_facts_end_with_1(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        named = tmp_path / "hops.rq"
        new_family(named, "hops")
        ended = self.command(capsys, str(named), "--n", "100000", "--out", str(tmp_path / "items.jsonl"))
        assert ended.code == 1

    def test_rows_without_an_item_leave_the_file_as_it_was(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        named, out = tmp_path / "open.rq", tmp_path / "items.jsonl"
        new_family(named, "open")
        named.write_text(named.read_text().replace("#+ task: open", '#+ task: open\n#+ ask: "false"'))
        out.write_text("old\n")
        ended = self.command(capsys, str(named), "--out", str(out), "--exemplars", str(tmp_path / "e.jsonl"))
        assert ended.code == 1
        assert f"no items: {out} is not written" in ended.err
        assert out.read_text() == "old\n"
        assert not (tmp_path / "e.jsonl").exists()

    def test_where_one_file_cannot_be_written_none_is(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        named, out = tmp_path / "open.rq", tmp_path / "items.jsonl"
        new_family(named, "open")
        out.write_text("old\n")
        ended = self.command(capsys, str(named), "--out", str(out), "--exemplars", str(tmp_path / "absent" / "e.jsonl"))
        assert (ended.code, out.read_text()) == (2, "old\n")
        ended = self.command(capsys, str(named), "--out", str(named))
        assert ended.code == 2
        assert "is what is read; name another file" in ended.err

    def test_a_reader_that_goes_away_is_no_fault(self, tmp_path: Path) -> None:
        named = tmp_path / "open.rq"
        new_family(named, "open")
        command = f"{sys.executable} -m generators.family {named} --out - --quiet | true"
        ended = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (0, "")

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["nowhere.rq"], "error: nowhere.rq: no such file; check the path"),
            (["erbench/movi"], "error: there is no template 'erbench/movi'; did you mean 'erbench/movie'?"),
            (["erbench/movie", "--limit", "9" * 30], "error: Invalid value for '--limit'"),
            (["erbench/movie", "erbench/movie"], "error: "),
            (
                ["erbench/movie", "--relation", "movie"],
                "error: --relation: 'movie' renames nothing; write --relation TABLE=NAME",
            ),
        ],
    )
    def test_a_fault_of_the_user_is_one_line(self, capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
        ended = self.command(capsys, *args)
        assert ended.code == 2
        assert ended.err.startswith(message)
        assert ended.err.count("\n") == 1

    def test_a_family_on_a_graph_without_its_table_leaves_the_file_as_it_was(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        out = tmp_path / "items.jsonl"
        out.write_text("what stood there\n")
        ended = self.command(capsys, "erbench/movie", "--out", str(out))
        assert ended.code == 2
        assert ended.err.count("\n") == 1
        assert "'movie' finds no rows: the graph has no <movie#title>, <movie#year>, <movie#director>, ...;" in ended.err
        assert "--relation TABLE=NAME" in ended.err
        assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]
        assert out.read_text() == "what stood there\n"

    def test_of_several_families_one_may_find_nothing(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        named = tmp_path / "open.rq"
        new_family(named, "open")
        ended = self.command(capsys, "erbench/movie", str(named), "--out", str(tmp_path / "items.jsonl"))
        assert ended.code == 0
        assert "movie: 0 items, 0 facts; 0 rows, 0 facts can be asked about\n  the graph has no <movie#title>\n" in ended.err

    def test_rows_that_no_filter_lets_pass(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        named = tmp_path / "open.rq"
        new_family(named, "open")
        text = named.read_text()
        named.write_text(text[: text.rindex("}")] + " FILTER (1 = 2) }\n")
        ended = self.command(capsys, str(named), "--out", str(tmp_path / "items.jsonl"))
        assert (ended.code, ended.err) == (
            2,
            f"error: {named}: 'open' finds no rows; run its SELECT and see what it asks for\n",
        )


class TestRefused:
    @pytest.mark.parametrize(
        ("family", "change", "message"),
        [
            ("title", ("SELECT", "SELECT (NOW() AS ?now)"), "NOW() gives another value each time; take it out"),
            (
                "longer",
                ("#+ claim: {slot: minutes", "#+ claim: {slot: year"),
                "a claim about 'year', which the question states",
            ),
        ],
    )
    def test_what_no_proof_would_hold_of(self, family: str, change: tuple[str, str], message: str) -> None:
        text = (FAMILIES / f"{family}.rq").read_text(encoding="utf-8")
        assert change[0] in text
        with pytest.raises(InputError) as refused:
            generate(films(), parse(text.replace(*change), "x.rq"))
        assert message in str(refused.value)

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("key: [k, k]", "'key' names 'k' twice"),
            ("key: []", "'key' is empty"),
            ("answer:", "'answer' is empty"),
            ("method: ''", "'method' is empty"),
            ("question:", "'question' is empty"),
        ],
    )
    def test_keys_that_say_nothing(self, line: str, message: str) -> None:
        key = line.partition(":")[0]
        lines = [f"#+ {line}" if row.startswith(f"#+ {key}:") else row for row in HEAD.splitlines()]
        with pytest.raises(InputError) as refused:
            parse("\n".join(lines) + "\nSELECT ?t ?k { ?k rdfs:label ?t }", "x.rq")
        assert message in str(refused.value)


class TestNames:
    def test_names_of_tables_need_a_graph_of_a_database(self) -> None:
        with pytest.raises(InputError) as refused:
            generate(LocalGraph.in_memory(), family("director"))
        assert str(refused.value).endswith(
            "is a name from a database, and the graph holds none; name a graph made with `kg load sql` or `kg load tables`"
        )

    def test_a_base_of_its_own_is_enough(self) -> None:
        based = parse(f"{HEAD}BASE <http://e/> SELECT ?t ?k {{ ?k <film#title> ?t }}", "based.rq")
        assert generate(LocalGraph.in_memory(), based).rows == 0

    def test_what_is_looked_for_is_neither_a_datatype_nor_a_function(self) -> None:
        where = '?k a <ship> ; rdfs:label ?t FILTER (?t != "1"^^xsd:int && xsd:integer(?t) > 0 && ?t != wd:Q0)'
        looked = parse(f"{HEAD}SELECT ?t ?k {{ {where} }}", "looked.rq")
        assert absent_names(films(), looked) == ["<ship>", "wd:Q0"]

    def test_every_place_of_a_triple_counts(self) -> None:
        looked = parse(f"{HEAD}SELECT ?t ?k {{ ?k a <film> ; <film#title> ?t }}", "looked.rq")
        assert absent_names(films(), looked) == []


class TestSlices:
    def test_items_can_be_made_once(self) -> None:
        result = made("director")
        assert sum(part.height for part in result.slices()) > 0
        with pytest.raises(ValueError, match="the items of 'director' were made before"):
            _ = result.items

    @pytest.mark.parametrize("name", ["director", "title", "games", "poster"])
    def test_items_made_some_facts_at_a_time_are_the_same(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = made(name)
        monkeypatch.setattr("generators.family.make._SLICE", 2)
        again = generate(films(), family(name))
        slices = [*again.slices()]
        assert len(slices) > 1
        assert b"".join(part.write_ndjson().encode() for part in slices) == whole.items.write_ndjson().encode()
        assert (again.counts.items, again.unfilled) == (whole.items.height, whole.unfilled)

    def test_with_a_limit_no_more_are_made(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("generators.family.make._SLICE", 1)
        result = generate(films(), family("director"))
        written, _ = write_results([result], str(tmp_path / "items.jsonl"), 2)
        lines = (tmp_path / "items.jsonl").read_text().splitlines()
        assert written == len(lines) == 2
        assert result.counts.items < made("director").items.height


@pytest.mark.parametrize("folder", ["family", "erbench"])
def test_the_example_of_the_readme_runs(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (Path(__file__).parents[2] / "generators" / folder / "README.md").read_text(encoding="utf-8")
    exec(readme.split("```python\n")[1].split("```")[0], {})
    assert "shape: (5, 2)" in capsys.readouterr().out
