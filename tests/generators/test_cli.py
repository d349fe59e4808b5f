"""The console script `kgprobe`: all verbs under one name, also generators of other packages, and nothing imported early."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from fpq_made import Done
from generators import __main__ as room
from generators.cli import app
from kg import cli
from kg_command import command_paths
from queries.records import read
from queries.records.item import Item


def test_every_command_that_reads_a_graph_takes_a_patch() -> None:
    """But for loaders, whose --store is what they write."""
    whole = get_command(app)
    for path in command_paths(whole):
        command: Any = whole
        for name in path:
            command = command.get_command(None, name)
        options = {option for parameter in command.params for option in parameter.opts}
        if {"--store", "--endpoint"} & options and path[0] != "load":
            assert {"--with", "--without"} <= options, path


CITIES = '''
"""A generator of another package: in which country each city lies."""

import polars as pl

from generators.items import assemble, listed, proved, short_hashes, source_of, stated, write_items
from kg import open_graph
from kg.cli import new_app
from queries.templates import versioned

BASE = "https://w3id.org/kgprobe/starter/"
CITIES = f"""BASE <{BASE}>
SELECT ?s ?city ?o ?country {{ ?s a <city> ; rdfs:label ?city ; <city#ref-country> ?o . ?o rdfs:label ?country }} ORDER BY ?s"""

app = new_app("Where cities lie.")


@app.command()
def cities(out: str = "cities.jsonl") -> None:
    """Ask where cities lie. Example: kgprobe cities"""
    graph = open_graph()
    rows = graph.select(CITIES)
    terms = {"s": "<" + pl.col("s") + ">", "p": pl.lit(f"<{BASE}city#ref-country>"), "o": "<" + pl.col("o") + ">"}
    items = assemble(
        rows,
        bindings=["city", "country"],
        strata={"hops": "1"},
        source=source_of(graph, seed=0),
        method="mine",
        family="cities",
        task="open",
        variant="basic",
        question=pl.format("In which country does {} lie?", "city"),
        answer=pl.concat_list("country"),
        given=stated(rows, {"city": pl.col("city")}),
        group=short_hashes(rows["s"]),
        proof=listed([proved(rows, versioned("fact"), terms, True)]),
    )
    print(write_items(out, items))
'''


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings a generator, put into a folder as pip would."""
    metadata = tmp_path / "city_questions-1.0.dist-info"
    metadata.mkdir()
    (tmp_path / "city_questions.py").write_text(CITIES)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: city_questions\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[kgprobe.generators]\ncities = city_questions:app\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)


def run(capfd: pytest.CaptureFixture[str], *args: str) -> Done:
    with pytest.raises(SystemExit) as stop:
        cli.run(app, "kgprobe", args)
    return Done(stop.value.code, *capfd.readouterr())


@pytest.mark.usefixtures("foreign")
def test_a_generator_of_another_package_is_a_verb(capfd: pytest.CaptureFixture[str]) -> None:
    done = run(capfd, "cities")
    assert done.code == 0, done.stderr
    items = read("cities.jsonl", Item)
    assert int(done.stdout) == len(items)
    oslo = next(item for item in items if "Oslo" in item.question)
    assert oslo.answer == ["Norway"]
    assert oslo.id.startswith("mine.cities.open.basic.")
    assert run(capfd, "audit", "cities.jsonl").code == 0
    assert "Ask where cities lie." in run(capfd, "--help").stdout


@pytest.mark.usefixtures("foreign")
def test_the_rooms_own_command_lists_its_generators(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["generators"])
    with pytest.raises(SystemExit):
        room.main()
    listed = [line.split()[0] for line in capfd.readouterr().out.partition("Commands:\n")[2].splitlines()]
    assert listed == ["fpq", "family", "erbench", "factbench", "unseenqa", "autodebug", "cities"]


def test_every_verb_has_its_place() -> None:
    verbs = dict.fromkeys(path[0] for path in command_paths(get_command(app)))
    assert [*verbs] == [
        "query", "describe", "dump", "stats", "fds", "audit", "bundle", "diff", "lint",
        "fpq", "family", "erbench", "factbench", "unseenqa", "autodebug",
        "ask", "verify", "vote", "entailment", "why", "report", "local", "export", "import",
        "queries", "domains", "records", "statistics", "merge", "shards", "load",
    ]  # fmt: skip


def test_making_questions_does_not_wait_for_the_code_of_judging_them() -> None:
    program = "import sys; from generators.cli import app; app(['fpq', '--help'], standalone_mode=False); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"evaluators.verify", "evaluators.report", "generators.family", "generators.erbench", "sqlalchemy"} & {*modules}


def test_the_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "--version") == (0, f"kgprobe {version('kgprobe')}\n", "")


def test_what_is_no_verb_is_answered_in_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    done = run(capfd, "verfy", "x")
    assert (done.code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "'verify'" in done.stderr
