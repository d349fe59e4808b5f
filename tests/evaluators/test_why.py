"""Says who? A question, an answer and a verdict are told with what the graph says, in sentences and as SPARQL that runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from evaluators.why.__main__ import app
from kg import cli, open_graph
from queries import versioned

BASE = open_graph().base
AUSTRIA, VIENNA, OSLO = (f"<{BASE}{name}>" for name in ("country/id=austria", "city/id=vienna", "city/id=oslo"))
MARKUP, STATEMENT = (Path(__file__).parents[1] / f"fixtures/evaluators/why/{name}.ttl" for name in ("markup", "statement"))
CAPITAL = f"<{BASE}country#ref-capital>"


def bound(**terms: str) -> list[dict[str, str]]:
    return [{"name": name, "term": term} for name, term in terms.items()]


def fact(o: str, expect: bool) -> dict[str, Any]:
    return {"query": versioned("fact"), "bind": bound(s=AUSTRIA, p=CAPITAL, o=o), "expect": expect}


def item(**fields: Any) -> dict[str, Any]:
    about = {"method": "mine", "family": "capital", "task": "yes_no", "variant": "basic", "group": "a"}
    asked = {"question": "Is Oslo the capital of Austria?", "answer": ["no"]}
    return {"schema": "kgprobe.item/1", "id": "mine.capital.01", **about, **asked, **fields}


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Write records into the files of a run, and run `why` on them: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str, **files: list[dict[str, Any]]) -> tuple[int, str, str]:
        for name, records in files.items():
            Path(f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        with pytest.raises(SystemExit) as ended:
            cli.run(app, "kgprobe why", args)
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


def test_a_false_fact_is_told_with_what_is_true_instead_and_its_sparql_runs(told: Any) -> None:
    items = [item(proof=[fact(VIENNA, True), fact(OSLO, False)])]
    code, text, _ = told("mine.capital.01", "--items", "items.jsonl", items=items)
    assert code == 0
    assert text.startswith("mine.capital.01\nquestion  Is Oslo the capital of Austria?\nanswer    no\n")
    assert " 1. Austria has Vienna as “capital”.\n 2. Austria does not have Oslo as “capital”.\n" in text
    assert " 3. What Austria has as “capital”: Vienna.\n" in text
    query, _, returned = text.rpartition(" 3. ")[2].partition("\n    -> ")
    assert returned == "<country/id=austria>  <city/id=vienna>\n"
    assert open_graph().terms(query).row(0) == (AUSTRIA, VIENNA)


def test_a_familys_rows_are_told_by_their_slots_and_a_proof_that_fails_says_why(told: Any) -> None:
    query = "SELECT ?capital { ?country <country#ref-capital> ?capital }"
    proof = {"query": query, "bind": bound(country=AUSTRIA), "expect": None, "rows": [["Graz"]]}
    _, text, _ = told("capital.01", "--items", "items.jsonl", "--no-sparql", items=[item(proof=[proof])])
    assert text.endswith(f" 1. Where country is Austria: capital is Vienna.  FAILS: expected Graz, found {VIENNA[1:-1]}\n")


def test_an_answer_is_told_with_its_verdict_and_what_decided_it(told: Any) -> None:
    response = {"schema": "kgprobe.response/1", "item": "mine.capital.01", "model": "m", "sample": 0, "text": "Yes, it is."}
    verdict = {key: response[key] for key in ("item", "model", "sample")} | {
        "schema": "kgprobe.verdict/1", "outcome": "incorrect", "reason": "wrong", "answer": "yes", "rationale": [],
        "contradicted": [], "spans": [[0, 3]], "judge": None,
    }  # fmt: skip
    files = {"items": [item()], "responses": [response], "verdicts": [verdict]}
    options = [part for name in files for part in (f"--{name}", f"{name}.jsonl")]
    _, text, _ = told("01", *options, **files)
    assert "it carries no proof\n\nm, sample 0\n  | ⟦Yes⟧, it is.\n  incorrect, by the rules: " in text
    assert "(wrong)\n  understood: yes\n" in text


def test_items_of_another_graph_are_told_in_the_first_line(told: Any) -> None:
    source = {"graph": "kgp:graph/kopl", "digest": "sha256:0"}
    _, text, _ = told("01", "--items", "items.jsonl", items=[item(source=source)])
    assert text.startswith("made from kopl, this is starter\nmine.capital.01\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["mine.capital.10"], "items.jsonl: there is no item 'mine.capital.10'; did you mean 'mine.capital.01'?"),
        (["01", "--responses", "items.jsonl"], "items.jsonl:1: field 'schema'"),
        (["01", "--responses", "no.jsonl"], "no.jsonl: no such file"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(args: list[str], said: str, told: Any) -> None:
    code, out, err = told(*args, "--items", "items.jsonl", items=[item()])
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


# --- the picture ----------------------------------------------------------------------------------------------------------


def drawn(path: str = "why.svg") -> tuple[list[str], list[str], list[str]]:
    """Read a picture: its names, what its arrows say, and what its dashed arrows say."""
    svg = ElementTree.fromstring(Path(path).read_text("utf-8"))
    names = [text.text or "" for text in svg.iterfind("{*}g/{*}text")]
    says = {kind: [text.text or "" for text in svg.iterfind(f"{{*}}text[@class='{kind}']")] for kind in ("says", "says absent")}
    return sorted(names), sorted(says["says"]), sorted(says["says absent"])


def test_the_picture_shows_the_facts_that_decide_and_dashed_what_is_not_so(told: Any) -> None:
    items = [item(proof=[fact(VIENNA, True), fact(OSLO, False)])]
    code, text, _ = told("mine.capital.01", "--items", "items.jsonl", "--svg", "why.svg", items=items)
    assert (code, text.partition("\n")[0]) == (0, "mine.capital.01")
    assert drawn() == (["Austria", "Oslo", "Vienna"], ["capital"], ["not “capital”"])


def test_the_picture_of_a_chain_stands_in_its_order(told: Any) -> None:
    graph = open_graph()
    film, director, born = graph.terms(
        "SELECT ?f ?d ?c { ?f <film#ref-director> ?d . ?d <person#ref-place_of_birth> ?c } ORDER BY ?f ?d ?c LIMIT 1"
    ).row(0)
    relations = {"p1": f"<{BASE}film#ref-director>", "p2": f"<{BASE}person#ref-place_of_birth>"}
    bind = bound(s=film, o1=director, o2=born, **relations)
    path = {"query": versioned("path"), "bind": bind, "expect": True}
    assert told("01", "--items", "items.jsonl", "--svg", "why.svg", items=[item(proof=[path])])[0] == 0
    svg = ElementTree.fromstring(Path("why.svg").read_text("utf-8"))
    names = {group.findtext("{*}title", "").rpartition(" ")[2]: group.find("{*}text") for group in svg.iterfind("{*}g")}
    at = [float(names[term].attrib["x"]) for term in (film, director, born)]  # type: ignore[union-attr]
    assert at == sorted(at)
    assert drawn()[1] == ["director", "place of birth"]


def test_of_a_neighbourhood_a_part_is_drawn_and_the_rest_is_counted(told: Any) -> None:
    bind = bound(s=AUSTRIA, o=f"<{BASE}film/id=casablanca>", radius='"2"^^<http://www.w3.org/2001/XMLSchema#integer>')
    proof = {"query": versioned("not_neighbour"), "bind": bind, "expect": True}
    assert told("01", "--items", "items.jsonl", "--svg", "why.svg", items=[item(proof=[proof])])[0] == 0
    names, _, absent = drawn()
    assert absent == ["no chain of up to 2 facts"]
    assert 2 < len(names) < 12
    assert "more that the proofs look at are not shown" in Path("why.svg").read_text("utf-8")


def test_names_with_markup_are_text_in_the_picture(told: Any) -> None:
    proof = {"query": "ASK { ?a <urn:knows> ?b }", "bind": bound(a="<urn:a>", b="<urn:b>"), "expect": True}
    asked = {"question": "Does </title><script>alert(1)</script> know?"}
    options = ["--with", str(MARKUP), "--svg", "why.svg", "--no-sparql"]
    assert told("01", "--items", "items.jsonl", *options, items=[item(proof=[proof], **asked)])[0] == 0
    svg = ElementTree.fromstring(Path("why.svg").read_text("utf-8"))
    assert {element.tag.rpartition("}")[2] for element in svg.iter()} <= {
        "svg", "title", "desc", "style", "rect", "g", "text", "path", "polygon", "circle"
    }  # fmt: skip
    assert any("<script>" in name for name in drawn()[0])


def test_a_statement_is_a_point_between_its_subject_its_value_and_its_qualifiers(told: Any) -> None:
    proof = {
        "query": "SELECT ?since { ?who p:P39 ?held . ?held ps:P39 ?post ; pq:P580 ?since }",
        "bind": bound(who="<http://www.wikidata.org/entity/Q1>"), "expect": None, "rows": [["1990"]],
    }  # fmt: skip
    options = ["--with", str(STATEMENT), "--svg", "why.svg"]
    assert told("01", "--items", "items.jsonl", *options, items=[item(proof=[proof])])[0] == 0
    assert drawn() == (["1990", "Ada", "mayor"], ["position held", "position held", "start time"], [])
    svg = ElementTree.fromstring(Path("why.svg").read_text("utf-8"))
    assert len(list(svg.iterfind("{*}circle"))) == 1


@pytest.mark.parametrize(
    ("path", "said"),
    [("items.jsonl", "'items.jsonl' is what is read"), ("no/why.svg", "cannot be written")],
)
def test_a_picture_that_cannot_be_written_leaves_nothing_behind(path: str, said: str, told: Any) -> None:
    items = [item(proof=[fact(VIENNA, True)])]
    code, _, err = told("01", "--items", "items.jsonl", "--svg", path, "--out", "why.txt", items=items)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err
    assert not Path("why.txt").exists()
