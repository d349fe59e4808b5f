"""Says who? A question, an answer and a verdict are told with what the graph says, in sentences and as SPARQL that runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.why.__main__ import app
from kg import cli, open_graph
from queries import versioned

BASE = open_graph().base
AUSTRIA, VIENNA, OSLO = (f"<{BASE}{name}>" for name in ("country/id=austria", "city/id=vienna", "city/id=oslo"))
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
