"""A domain of one's own: written for a graph, checked against it, asked about."""

from __future__ import annotations

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
