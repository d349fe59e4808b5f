"""A domain of one's own: written for a graph, checked against it, asked about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from generators.fpq import Options, generate
from generators.fpq.domains import _quoted, app
from kg import open_graph
from kg.errors import InputError

RUN = CliRunner()


def test_the_shipped_domains_are_listed_with_what_they_are_about() -> None:
    listed = RUN.invoke(app, ["list"]).stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["name", "art", "people", "place"]
    assert "Films, series, music" in listed


def test_a_domain_that_is_written_for_a_graph_matches_it_and_can_be_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    told = RUN.invoke(app, ["new", str(path), "--concept", "film"])
    assert "9 relations" in told.stdout
    assert RUN.invoke(app, ["check", str(path)]).exit_code == 0
    asked = generate(open_graph(), str(path), Options(n=5)).items
    assert set(asked["strata"].struct.field("domain")) == {"films"}


def test_a_name_that_the_graph_has_not_is_told_with_the_nearest_one(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text('name = "films"\nconcepts = ["filmm", "film"]\nrelations = ["director", "direktor"]\n')
    told = RUN.invoke(app, ["check", str(path)])
    assert told.exit_code == 1
    assert told.stdout.splitlines()[:2] == [
        "no concept 'filmm' in this graph; did you mean 'film'?",
        "no relation 'direktor' in this graph; did you mean 'director'?",
    ]
    assert "69 facts of 1 relations; 2 names match nothing" in told.stdout


WORDED = """name = "films"
concepts = ["film"]
relations = ["director", "composer"]
[wording.Director]
yes_no = "Did {object} direct {subject}?"
premise = ["How old was {object} when directing {subject}?", "Where did {object} shoot {subject}?"]
"""


def test_a_domain_asks_in_its_own_words_and_the_rest_in_ours(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text(WORDED)
    items = generate(open_graph(), str(path), Options(n=30)).items
    relation = items["premise"].struct.field("relation").struct.field("label")
    own = items.filter(relation == "director")["question"].to_list()
    starts = {next((s for s in ("Did ", "How old was ", "Where did ") if text.startswith(s)), text) for text in own}
    assert starts == {"Did ", "How old was ", "Where did "}
    assert not [text for text in items.filter(relation == "composer")["question"] if "direct" in text]


def test_a_check_shows_each_own_question_and_whose_words_the_others_are(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text(WORDED)
    told = RUN.invoke(app, ["check", str(path)])
    assert told.exit_code == 0
    assert "own: 1 yes-no, 2 with a premise" in told.stdout
    assert re.search(r"^composer +41 +ours: ", told.stdout, re.M)
    assert "  director: Where did Stanley Kubrick shoot 2001: A Space Odyssey?" in told.stdout


def test_a_new_domain_has_an_example_of_words_that_works_without_its_comment_signs(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    RUN.invoke(app, ["new", str(path), "--concept", "film"])
    text = path.read_text().split("# Words of your own")
    path.write_text(text[0] + text[1].partition("#\n")[2].replace("# ", ""))
    told = RUN.invoke(app, ["check", str(path)])
    assert told.exit_code == 0
    assert "own: 2 yes-no, 1 with a premise" in told.stdout


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "wording.Director",
            "wording.direktor",
            "films.toml: 'direktor' is worded but not listed under `relations`; did you mean",
        ),
        (
            "{object} direct",
            "{objekt} direct",
            """[wording."Director"] yes_no: unknown slot {objekt}; did you mean 'object'?""",
        ),
        ("{object} direct", "somebody direct", '[wording."Director"] yes_no: {object} is missing'),
        ("shoot {subject}?", "shoot {subject}", "[wording.\"Director\"] premise: a question ends in '?'"),
        ("yes_no", "yesno", "[wording.\"Director\"]: unknown key 'yesno'; did you mean 'yes_no'?"),
        ('"Did {object} direct {subject}?"', "[]", '[wording."Director"] yes_no: there is no question'),
        ('"Did {object} direct {subject}?"', "3", "[wording.\"Director\"]: 'yes_no' is no text"),
        ("[wording.Director]", "[wording.Director]\n[wording.director]", "films.toml [wording."),
        ("[wording.Director]", "[[wording]]", "'wording' is no table"),
    ],
)
def test_faulty_words_are_told_in_one_line(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text(WORDED.replace(old, new, 1))
    with pytest.raises(InputError) as told:
        RUN.invoke(app, ["check", str(path)], catch_exceptions=False)
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


def test_a_relation_with_signs_in_its_name_is_written_as_toml_has_it() -> None:
    assert _quoted('the "so-called" \\ of\n') == '"the \\"so-called\\" \\\\ of\\u000a"'


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["new", "films.txt", "--concept", "film"], "films.txt: is no .toml file"),
        (["new", "films.toml", "--concept", "flim"], "--concept: no concept 'flim' in this graph; did you mean 'film'?"),
        (["new", "films.toml", "--concept", "film", "--at-least", "99999"], "--at-least: no relation has 99999 facts"),
        (["check", "nothing.toml"], "nothing.toml"),
        (["check", "sport"], "no domain 'sport'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error = RUN.invoke(app, arguments).exception
    assert isinstance(error, InputError)
    assert complaint in str(error)


def test_a_file_that_stands_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text("mine")
    assert "stands already" in str(RUN.invoke(app, ["new", str(path), "--concept", "film"]).exception)
    assert path.read_text() == "mine"
