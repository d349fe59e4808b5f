"""Small sources, the graphs made of them, and the command line as a user meets it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kg import LocalGraph
from kg.__main__ import main
from kg.sources.kopl import load_kopl
from kg.sources.tables import load_tables
from kg.sources.wikidata import WikidataFiles, load_wikidata
from kg_command import Kg, Said

SOURCES = Path(__file__).parents[1] / "fixtures" / "kg"


@pytest.fixture
def kg(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Kg:
    """Run the command line in this process: `kg("load", "kopl", path, "--store", store)`."""

    def run(*args: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["kg", *map(str, args)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        said = capfd.readouterr()
        return Said(int(stop.value.code or 0), said.out, said.err)

    return run


@pytest.fixture(scope="session")
def sources() -> Path:
    """The folder of the small sources."""
    return SOURCES


@pytest.fixture(scope="session")
def kopl() -> LocalGraph:
    """The small knowledge base in KoPL's format."""
    return LocalGraph.in_memory(load_kopl(SOURCES / "kopl" / "kb.json"))


@pytest.fixture(scope="session")
def films() -> LocalGraph:
    """The small relational tables."""
    return LocalGraph.in_memory(load_tables(SOURCES / "films" / "SCHEMA.toml"))


@pytest.fixture(scope="session")
def wikidata() -> LocalGraph:
    """The small Wikidata files."""
    kinds = ("triples", "entities", "types", "properties", "qualifiers", "incomplete")
    return LocalGraph.in_memory(load_wikidata(WikidataFiles(*(SOURCES / "wikidata" / f"{k}.tsv" for k in kinds))))
