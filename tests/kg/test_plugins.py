"""Loaders and verbs that other packages bring, the version, and shell completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from kg import open_graph
from kg_command import Kg

NAMES = '''
"""A loader of one name a line."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import kg


def names(path: Path, name: str | None = None) -> kg.Load:
    """Load a name a line."""
    build = kg.Build(name or "names", source=path.name)
    texts = pl.Series(path.read_text().split())
    build.label("<https://example.org/" + texts + ">", texts)
    return build.finish()
'''


def install(folder: Path, module: str, code: str, entry_points: str) -> None:
    """Put a package into a folder as pip would."""
    (folder / f"{module}.py").write_text(code)
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(entry_points)


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a package that brings a loader, and one that cannot be imported."""
    folder = tmp_path / "packages"
    folder.mkdir()
    install(folder, "names_loader", NAMES, "[kgprobe.sources]\nnames = names_loader:names\n")
    install(folder, "broken_loader", "import no_such_module", "[kgprobe.sources]\nbroken = broken_loader:load\n")
    monkeypatch.syspath_prepend(folder)
    return folder


def test_a_function_of_another_package_is_a_command(foreign: Path, kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("Ada\nAlan\n")
    done = kg("load", "names", tmp_path / "list.txt", "--store", tmp_path / "s", "--name", "people")
    assert done.code == 0
    assert re.sub(r"[\d.]+ s, (.*), .*/s", r"\1", done.err) == f"loaded people into {tmp_path / 's'}: 2 triples; 9 bytes\n"
    labels = open_graph(tmp_path / "s").select("SELECT ?name { ?e rdfs:label ?name } ORDER BY ?name")
    assert labels["name"].to_list() == ["Ada", "Alan"]
    assert "--store" in kg("load", "names", "--help").out


def test_help_lists_ours_first_and_says_which_package_is_broken(foreign: Path, kg: Kg) -> None:
    listed = kg("load", "--help").out
    places = [
        listed.index(f"\n  {name} ")
        for name in ("wikidata", "entities", "kopl", "rdf", "tables", "sql", "patch", "broken", "names")
    ]
    assert places == sorted(places)
    done = kg("load", "broken", "x.csv", "--store", "s")
    assert done.code == 2
    assert "'broken' of the package broken_loader cannot be imported" in done.err


def test_a_misspelt_plugin_is_suggested(foreign: Path, kg: Kg) -> None:
    assert "Did you mean 'names'?" in kg("load", "nmaes").err
    assert "Did you mean 'audit'?" in kg("audti").err


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        (["query", "ASK {}"], ["sqlalchemy", "kg.sources.sql", "kg.sources.kopl", "kg.sources.wikidata", "queries"]),
        (["load", "tables", "--help"], ["sqlalchemy", "kg.sources.sql", "queries"]),
    ],
)
def test_a_command_imports_only_what_it_needs(command: list[str], absent: list[str]) -> None:
    program = f"import sys; from kg.__main__ import app; app({command}, standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {*absent} & {*done.stdout.split()}


def test_the_version(kg: Kg) -> None:
    assert kg("--version").out == f"kgprobe {version('kgprobe')}\n"


def test_the_shell_is_told_what_may_come_next(kg: Kg, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_KG_COMPLETE", "source_bash")
    assert "_KG_COMPLETE=complete_bash" in kg().out
    monkeypatch.setenv("_KG_COMPLETE", "complete_bash")
    for words, place, expected in (
        ("kg a", 1, "audit"),
        ("kg load ", 2, "views wikidata entities kopl rdf tables sql patch"),
        ("kg du", 1, "dump"),
    ):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(place))
        assert kg().out.split() == expected.split()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other shells")
def test_the_completion_script_is_shown() -> None:
    shell = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m kg --show-completion; true"], capture_output=True, text=True, check=True
    )
    assert "_KG_COMPLETE" in shell.stdout
