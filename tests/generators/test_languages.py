"""Items made of a graph whose names are not English say so."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from generators.cli import app
from generators.fpq.sampled import Sampled
from generators.items import source_of
from generators.unseenqa.make import Options, generate
from kg import LocalGraph, RdfWords, cli, load_rdf, open_graph
from kg.build import Build
from queries.domain import Domain

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


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter graph with its German names alone."""
    folder = tmp_path_factory.mktemp("german")
    run("dump", "--format", "nt", "--out", folder / "starter.nt")
    run("load", "rdf", folder / "starter.nt", "--language", "de", "--store", folder / "store")
    return folder / "store"


_CAPITALS = """#+ name: capital
#+ summary: The capital of a country
#+ method: family
#+ domain: place
#+ task: open
#+ key: [country]
#+ answer: capital
#+ question:
#+   basic: "What is the capital of {country}?"
SELECT ?country ?capital {
  ?c ?p ?k ; rdfs:label ?country . ?k rdfs:label ?capital . ?p rdfs:label "capital"@en ; a kgp:Relation
}
"""


@pytest.mark.parametrize(
    "command",
    [
        ("fpq", "--domain", "people", "--n", "30"),
        ("fpq", "--domain", "place", "--n", "60"),
        ("fpq", "--domain", "own.toml", "--n", "30"),
        ("factbench", "--n", "60"),
        ("family", "capital.rq", "--n", "90"),
        ("unseenqa", "--seen", "60", "--fillers", "1"),
    ],
)
def test_where_names_are_german_alone_questions_are_made_of_them(
    command: tuple[str, ...], german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("capital.rq").write_text(_CAPITALS)
    if "own.toml" in command:
        run("domains", "new", "own.toml", "--concept", "city", "--store", german)
    run(*command, "--store", german, "--out", "items.jsonl")
    questions = pl.read_ndjson("items.jsonl", infer_schema_length=None)["question"]
    assert questions.str.contains(
        "Russland|Rumänien|Griechenland|Italien|Türkei|Ägypten|Südafrika|Neapel|Mailand|der Ältere"
    ).any()
    assert not questions.str.contains("Russia|Romania|Greece|Italy|Turkey|Egypt|South Africa|Naples|Milan|the Elder").any()
    if "unseenqa" not in command:
        run("audit", "items.jsonl", "--store", german)


def test_answers_are_held_against_german_names(german: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    items, answers, verdicts = (tmp_path / f"{name}.jsonl" for name in ("items", "answers", "verdicts"))
    run("factbench", "--n", "60", "--store", german, "--out", items)
    made = pl.read_ndjson(items, infer_schema_length=None).row(0, named=True)
    answer = {"schema": "kgprobe.response/1", "item": made["id"], "model": "m", "sample": 0, "finish": "stop"}
    said = "Rom is the capital of Italien. Kairo is the capital of Griechenland."
    answers.write_text(json.dumps({**answer, "text": f"{made['answer'][0]}. {said}"}) + "\n")
    run("verify", "--items", items, "--responses", answers, "--out", verdicts, "--store", german, "--ground")
    claims = map(json.loads, (tmp_path / "verdicts.claims.jsonl").read_text().splitlines())
    held = {(claim["subject"]["label"], claim["object"]["label"]): claim["standing"] for claim in claims}
    assert (held["Italien", "Rom"], held["Griechenland", "Kairo"]) == ("stated", "contradicted")
    capfd.readouterr()
    run("why", made["id"], "--items", items, "--store", german)
    assert made["answer"][0] in capfd.readouterr().out


def test_a_person_who_does_not_exist_bears_the_name_in_none_of_the_languages(tmp_path: Path) -> None:
    graph = rivers(tmp_path, "de", "en")
    items = generate(graph, Options(date(2024, 4, 13), fillers=5)).items
    names = (
        items.filter(pl.col("proof").list.len() > 0)["proof"].explode().struct.unnest()["bind"].explode().struct.field("term")
    )
    assert set(names.str.extract('"(@[a-z]+)?$').fill_null("")) == {"", "@en", "@de"}


@pytest.mark.parametrize("said", ["no tag", '"', ",", "en,"])
def test_what_a_stranger_says_of_languages_is_no_harm(said: str) -> None:
    assert "languages" not in source_of(LocalGraph.in_memory(Build("odd", source="nobody", languages=[said]).finish()), seed=0)


def test_a_server_is_asked_for_concepts_by_their_names_in_these_languages(tmp_path: Path) -> None:
    (tmp_path / "rhein.ttl").write_text("""@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        e:rhein a e:Fluss ; rdfs:label "Rhein"@de ; e:fliesst e:see . e:see rdfs:label "Nordsee"@de .
        e:Fluss rdfs:label "Fluss"@de . e:fliesst rdfs:label "fliesst in"@de .""")
    graph = LocalGraph.in_memory(load_rdf([tmp_path / "rhein.ttl"], words=RdfWords(languages=("de",))))
    domain, sampled = Domain("fluesse", concepts=("fluss",), relations=("fliesst in",)), Sampled(graph, seed=0)
    drawn = sampled.draw(domain, sampled.relations_of(domain, open_too=True), subjects=5)
    assert drawn.rows() == [("<http://e/rhein>", "<http://e/fliesst>", "<http://e/see>")]
