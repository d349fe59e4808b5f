"""Items made of a graph whose names are not English say so."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from generators.cli import app
from generators.items import source_of
from generators.unseenqa.make import Options, generate
from kg import LocalGraph, RdfWords, cli, load_rdf, open_graph

RIVERS = """
<http://e/rhine> <http://schema.org/name> "Rhein"@de, "Rhine"@en .
<http://e/tiber> <http://schema.org/name> "Tiber"@en, "Tibre"@fr .
"""


def rivers(folder: Path, *languages: str) -> LocalGraph:
    """Return a graph of two rivers with their names in some languages."""
    (folder / "rivers.ttl").write_text(RIVERS)
    return LocalGraph.in_memory(load_rdf([folder / "rivers.ttl"], words=RdfWords(languages=languages)))


def run(*arguments: object) -> None:
    """Run a command of `kgprobe` that ends well."""
    with pytest.raises(SystemExit) as end:
        cli.run(app, "kgprobe", [*map(str, arguments)])
    assert end.value.code == 0


def test_a_graph_says_in_which_languages_names_were_asked_for(tmp_path: Path) -> None:
    assert source_of(rivers(tmp_path, "de", "en"), seed=0)["languages"] == "de,en"
    assert source_of(rivers(tmp_path, "fr"), seed=0)["languages"] == "fr"


def test_english_goes_without_saying(tmp_path: Path) -> None:
    for graph in (rivers(tmp_path, "en"), open_graph()):
        assert "languages" not in source_of(graph, seed=0)


def test_the_items_of_german_names_say_german(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    dump, store, out = (tmp_path / name for name in ("starter.nt", "de", "items.jsonl"))
    run("dump", "--format", "nt", "--out", dump)
    run("load", "rdf", dump, "--language", "de,en", "--store", store)
    run("stats", "--store", store)
    assert "\n  languages   de,en\n" in capfd.readouterr().out
    run("fpq", "--domain", "place", "--n", 40, "--store", store, "--out", out)
    items = pl.read_ndjson(out)
    assert items["source"].struct.field("languages").unique().to_list() == ["de,en"]
    assert items["question"].str.contains("Deutschland|Frankreich|Nordkorea|Südkorea|Österreich|Schweiz|Italien").any()
    run("audit", out, "--store", store)


def test_a_person_who_does_not_exist_bears_the_name_in_none_of_the_languages(tmp_path: Path) -> None:
    graph = rivers(tmp_path, "de", "en")
    items = generate(graph, Options(date(2024, 4, 13), fillers=5)).items
    names = (
        items.filter(pl.col("proof").list.len() > 0)["proof"].explode().struct.unnest()["bind"].explode().struct.field("term")
    )
    assert set(names.str.extract('"(@[a-z]+)?$').fill_null("")) == {"", "@en", "@de"}


@pytest.mark.parametrize("said", ["", "no tag", '"', ","])
def test_what_a_stranger_says_of_languages_is_no_harm(said: str, tmp_path: Path) -> None:
    assert "languages" not in source_of(rivers(tmp_path, "en", said), seed=0)
