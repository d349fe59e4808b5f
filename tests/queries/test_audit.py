"""An audit says which items are no longer true of a graph, which proof fails, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from kg import LocalGraph, SourceError, cli, open_graph
from kg.__main__ import app
from queries.audit import Audit, audit_items, command, proof_batches
from queries.audit.proofs import proofs_of
from queries.records import frame_schema
from queries.records.item import Item
from queries.records.response import Lookup
from queries.sandbox import PASSED, Sandbox
from queries.templates import versioned
from stories import FOLDER, graph_of

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
LENNON, NEW_YORK, LIVERPOOL = f"<{WD}Q1203>", f"<{WD}Q60>", f"<{WD}Q24826>"
DIED = f"<{WDT}P20>"
BORN = "SELECT ?place { ?who wdt:P19 ?place }"


@pytest.fixture(scope="module")
def graph() -> LocalGraph:
    return graph_of((FOLDER / "lennon.ttl").read_text("utf-8"))


def proof(query: str, expect: bool | None = True, rows: list[list[str]] | None = None, **bind: str) -> dict[str, Any]:
    named = query if "{" in query or "@" in query else versioned(query)
    terms = [{"name": name, "term": term} for name, term in bind.items()]
    return {"query": named, "bind": terms, "expect": expect, "rows": rows}


def audited(tmp_path: Path, graph: LocalGraph, *items: list[dict[str, Any]], literal: int = 50) -> Audit:
    """Audit items 0, 1, …, each given by its proofs, from a file."""
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps({"id": str(i), "proof": proofs}) + "\n" for i, proofs in enumerate(items)))
    return audit_items(graph, path, literal=literal)


def died(where: str, expect: bool = True) -> dict[str, Any]:
    return proof("fact", expect, s=LENNON, p=f"<{WDT}P20>", o=where)


class TestProofs:
    def test_what_the_graph_says_holds(self, tmp_path: Path, graph: LocalGraph) -> None:
        found = audited(tmp_path, graph, [died(NEW_YORK), died(LIVERPOOL, expect=False)], [died(NEW_YORK)])
        assert found.passed
        assert (found.items, found.proofs, found.without, found.literal) == (2, 3, 0, 2)

    def test_a_failure_names_item_query_bindings_and_reason(self, tmp_path: Path, graph: LocalGraph) -> None:
        found = audited(tmp_path, graph, [died(NEW_YORK)], [died(NEW_YORK), died(LIVERPOOL)])
        [failure] = found.failures
        assert found.failed == ["1"]
        assert failure.query == versioned("fact")
        assert failure.bind == {"s": LENNON, "p": f"<{WDT}P20>", "o": LIVERPOOL}
        assert failure.reason == "expected true, found false"

    def test_an_item_with_two_failing_proofs_fails_once(self, tmp_path: Path, graph: LocalGraph) -> None:
        found = audited(tmp_path, graph, [died(NEW_YORK, expect=False), died(LIVERPOOL)])
        assert (len(found.failures), found.failed) == (2, ["0"])

    def test_a_fact_with_a_text_for_its_object_is_asked_as_it_stands(self, tmp_path: Path, graph: LocalGraph) -> None:
        label = "<http://www.w3.org/2000/01/rdf-schema#label>"
        named, misnamed = ('"John Lennon"@en', '"John Lennon"')
        items = [[proof("fact", holds, s=LENNON, p=label, o=text)] for text, holds in ((named, True), (misnamed, False))]
        assert audited(tmp_path, graph, *items, literal=0).passed

    def test_a_faulty_term_fails_even_where_nothing_is_expected(self, tmp_path: Path, graph: LocalGraph) -> None:
        found = audited(tmp_path, graph, [proof("fact", False, s='"John"', p=f"<{WDT}P20>", o=NEW_YORK)], literal=0)
        assert found.failed == ["0"]
        assert "is not an IRI" in found.failures[0].reason

    def test_items_without_proof_are_counted(self, tmp_path: Path, graph: LocalGraph) -> None:
        found = audited(tmp_path, graph, [], [died(NEW_YORK)])
        assert (found.without, found.passed) == (1, True)

    def test_another_version_of_a_query_fails_and_says_so(self, tmp_path: Path, graph: LocalGraph) -> None:
        old, unknown = ({**died(NEW_YORK), "query": query} for query in ("fact@00000000", "fakt@1"))
        found = audited(tmp_path, graph, [old], [unknown])
        assert found.failed == ["0", "1"]
        assert "version" in found.failures[0].reason
        assert "fakt" in found.failures[1].reason


class TestInlineQueries:
    def test_rows_are_a_set(self, tmp_path: Path, graph: LocalGraph) -> None:
        both = [[f"{WD}Q1490"], [f"{WD}Q24826"]]
        assert audited(tmp_path, graph, [proof(BORN, None, both)], [proof(BORN, None, both[::-1])]).passed

    def test_a_row_too_few_or_too_many_fails(self, tmp_path: Path, graph: LocalGraph) -> None:
        rows = [[f"{WD}Q1490"], [f"{WD}Q24826"], [f"{WD}Q60"]]
        found = audited(tmp_path, graph, [proof(BORN, None, rows[:1])], [proof(BORN, None, rows)])
        assert found.failed == ["0", "1"]
        assert [failure.reason for failure in found.failures] == [
            f"expected {WD}Q1490, found {WD}Q24826 too",
            f"expected {WD}Q60 too, found {WD}Q1490, {WD}Q24826",
        ]

    def test_bindings_choose_among_the_rows(self, tmp_path: Path, graph: LocalGraph) -> None:
        assert audited(tmp_path, graph, [proof(BORN, None, [[f"{WD}Q24826"]], who=LENNON)]).passed
        assert audited(tmp_path, graph, [proof(BORN, None, [], who=LIVERPOOL)]).passed

    def test_an_inline_query_may_be_asked(self, tmp_path: Path, graph: LocalGraph) -> None:
        assert audited(tmp_path, graph, [proof(BORN, True, who=LENNON), proof(BORN, False, who=LIVERPOOL)]).passed

    def test_a_proof_that_leaves_out_what_may_be_null_is_run(self, tmp_path: Path, graph: LocalGraph) -> None:
        assert audited(tmp_path, graph, [{"query": "ASK { ?s ?p ?o }", "expect": True}]).passed

    def test_a_query_too_deep_to_be_parsed_fails(self, tmp_path: Path, graph: LocalGraph) -> None:
        found = audited(tmp_path, graph, [proof("ASK " + "{ # }\n" * 5000 + "}" * 5000, True)])
        assert "nested more than 300 deep" in found.failures[0].reason

    @pytest.mark.parametrize("name", ["a b", "\x00", "", "1 }"])
    def test_a_binding_of_no_variable_fails_in_one_line(self, tmp_path: Path, graph: LocalGraph, name: str) -> None:
        found = audited(
            tmp_path, graph, [{"query": "ASK { ?s ?p ?o }", "expect": True, "bind": [{"name": name, "term": LENNON}]}]
        )
        assert "is no variable's name" in found.failures[0].reason
        assert "\n" not in found.failures[0].reason

    def test_a_query_that_does_not_parse_fails_in_one_line(self, tmp_path: Path, graph: LocalGraph) -> None:
        found = audited(tmp_path, graph, [proof("SELECT ?x { ?x ?y }", True)])
        assert found.failed == ["0"]
        assert "\n" not in found.failures[0].reason


class TestFiles:
    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("", "holds no items"),
            ('{"id": "1", "proof": []}\n{"id": "2", "proof"', "items.jsonl:2: is not JSON"),
            ('{"id": "1", "proof": []}\n{"proof": []}\n', "items.jsonl:2: has no 'id'"),
            ('{"id": "1"}\n', "items.jsonl:1: has no list 'proof'"),
            ('{"id": "1", "proof": {}}\n', "items.jsonl:1: has no list 'proof'"),
            ('{"id": "1", "proof": [{}]}\n', "items.jsonl:1: has a proof that is none (Object missing required field `query`"),
            ('{"id": "1", "proof": [{"query": "fact", "bind": [{"name": "s"}]}]}\n', "items.jsonl:1: has a proof that is none"),
            ('{"id": "1", "proof": [' + "[" * 20_000 + "]}\n", "items.jsonl:1: is not JSON"),
            ('{"id": "1", "proof": [null]}\n', "items.jsonl:1: has a proof that is none"),
        ],
    )
    def test_a_faulty_file_is_named_with_its_line(self, tmp_path: Path, content: str, said: str) -> None:
        path = tmp_path / "items.jsonl"
        path.write_text(content)
        with pytest.raises(SourceError) as caught:
            list(proof_batches(path))
        assert said in str(caught.value)
        assert ";" in str(caught.value)


def test_a_file_read_in_batches_is_audited_as_a_whole(graph: LocalGraph, tmp_path: Path) -> None:
    there = "ASK {{ wd:Q1203 ?p{} ?o }}"
    lines = [json.dumps({"id": f"i{n}", "proof": [proof(there.format(n), n != 5)]}) for n in range(9)]
    (path := tmp_path / "items.jsonl").write_text("\n\n".join(lines) + "\n\n")
    whole = audit_items(graph, path)
    batches = [*proof_batches(path, 200)]
    assert len(batches) > 2
    found = audit_items(graph, batches)
    assert (found.items, found.proofs, found.failures) == (9, 9, whole.failures)
    assert found.failed == ["i5"]


def test_a_proof_that_many_items_state_is_run_once(graph: LocalGraph, tmp_path: Path) -> None:
    line = json.dumps({"id": "i{}", "proof": [proof("ASK { wd:Q1203 ?p ?o }", False)]}).replace("i{}", "{}")
    (path := tmp_path / "items.jsonl").write_text("".join(line.replace("{}", f"i{n}", 1) + "\n" for n in range(9)))
    found = audit_items(graph, path)
    assert (found.items, found.proofs, found.literal) == (9, 9, 1)
    assert found.failed == [f"i{n}" for n in range(9)]


def test_a_faulty_line_of_a_later_batch_is_named(tmp_path: Path) -> None:
    (path := tmp_path / "items.jsonl").write_text('{"id": "a", "proof": []}\n' * 30 + "no\n")
    with pytest.raises(SourceError, match=r"items\.jsonl:31: is not JSON"):
        list(proof_batches(path, 100))


class TestSample:
    """Of the proofs that are answered in bulk, some are run as they stand."""

    @pytest.fixture
    def items(self) -> pl.DataFrame:
        """Two hundred items whose proofs come in one order: another fact each, then two that all of them have."""
        kinds = [proof("same_concept", a=NEW_YORK, b=LIVERPOOL), proof("true_by_type", False, s=LENNON, p=DIED, o=LIVERPOOL)]
        each = ([died(f"<{WD}Q{number}>", expect=False), *kinds] for number in range(10**6, 10**6 + 200))
        lines = "".join(json.dumps({"id": str(i), "proof": proofs}) + "\n" for i, proofs in enumerate(each))
        return pl.read_ndjson(lines.encode(), schema={name: frame_schema(Item)[name] for name in ("id", "proof")})

    @pytest.mark.parametrize("batches", [1, 7])
    def test_it_has_proofs_of_every_query(
        self, graph: LocalGraph, items: pl.DataFrame, batches: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run, ask = [], graph.ask

        def watched(query: str) -> bool:
            run.append(query)
            return ask(query)

        monkeypatch.setattr(graph, "ask", watched)
        size = -(-items.height // batches)
        parts = [proofs_of(items.slice(first, size)) for first in range(0, items.height, size)]
        found = audit_items(graph, parts, literal=3)
        assert (found.literal, found.unrun, found.passed) == (3, 0, True)
        assert sorted(("?c" in query) + 2 * ("rdfs:subClassOf" in query) for query in run) == [0, 1, 2]

    def test_when_the_time_is_over_the_first_of_each_query_is_run_all_the_same(
        self, graph: LocalGraph, items: pl.DataFrame
    ) -> None:
        found = audit_items(graph, items, literal=50, seconds=0)
        assert (found.literal, found.unrun, found.passed) == (3, 47, True)

    @pytest.mark.parametrize(("cut", "said"), [(False, "all proofs hold"), (True, "3 of the sample were not run: ")])
    def test_that_of_a_large_store_is_run_apart_and_within_limits(
        self, cut: bool, said: str, items: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(command, "_LARGE", 0)
        if cut:
            monkeypatch.setattr(Sandbox, "look_up", lambda _, query: Lookup(query=query, error=f"took too much; {PASSED}"))
        items.write_ndjson("items.jsonl")
        for line in (f"load rdf {FOLDER / 'lennon.ttl'} --store store", "audit items.jsonl --store store --literal 3"):
            with pytest.raises(SystemExit):
                cli.run(app, "kg", line.split())
        assert said in capfd.readouterr().out

    def test_a_query_that_fails_apart_was_not_cut_off(self, graph: LocalGraph, items: pl.DataFrame) -> None:
        found = audit_items(graph, items, literal=3, apart=lambda query: Lookup(query=query, error="does not run"))
        assert (found.unrun, len({failure.reason for failure in found.disagreements})) == (0, 1)
        assert "does not run" in found.disagreements[0].reason


class TestCommand:
    def audited(self, items: list[dict[str, Any]], capfd: pytest.CaptureFixture[str]) -> str:
        (path := Path("items.jsonl")).write_text("".join(json.dumps(item) + "\n" for item in items))
        with pytest.raises(SystemExit):
            cli.run(app, "kg", ["audit", str(path)])
        return capfd.readouterr().out

    @pytest.mark.parametrize("there", [True, False])
    def test_items_of_another_graph_are_told_in_the_first_line(
        self, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        digest = open_graph().digest() if there else "sha256:0123456789abcdef"
        source = {"graph": "kgp:graph/railway", "digest": digest}
        said = self.audited([{"id": "a", "proof": [died(LIVERPOOL)], "source": source}], capfd)
        assert said.startswith("made from railway, this is starter\n") is not there
        assert "1 items fail, 1 proofs" in said

    def test_a_failure_tells_the_question_what_was_expected_and_what_was_found(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        capital = proof("SELECT ?name { <country/id=austria> <country#ref-capital>/rdfs:label ?name }", None, [["Graz"]])
        items = [{"id": "a", "question": "What is the capital of Austria?", "proof": [capital]}]
        said = self.audited(items, capfd)
        assert "  a: What is the capital of Austria?\n    its own query (): expected Graz, found Vienna\n" in said

    def test_results_and_the_items_that_passed_are_files(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        right, wrong = (proof("ASK { <country/id=austria> a <country> }", holds) for holds in (True, False))
        items = [{"id": "a", "question": "So?", "proof": [right]}, {"id": "b", "question": "No?", "proof": [right, wrong]}]
        Path("items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
        with pytest.raises(SystemExit) as ended:
            cli.run(app, "kg", ["audit", "items.jsonl", "--out", "results.jsonl", "--keep", "good.jsonl"])
        assert ended.value.code == 1
        results = [json.loads(line) for line in Path("results.jsonl").read_text().splitlines()]
        assert [(r["item"], r["question"], r["passed"]) for r in results] == [("a", "So?", True), ("b", "No?", False)]
        assert [f["reason"] for f in results[1]["failures"]] == ["expected false, found true"]
        assert [json.loads(line) for line in Path("good.jsonl").read_text().splitlines()] == items[:1]
        with pytest.raises(SystemExit) as ended:
            cli.run(app, "kg", ["audit", "items.jsonl", "--keep", "items.jsonl"])
        assert ended.value.code == 2
        assert "--keep: 'items.jsonl' is what is read; name another file" in capfd.readouterr().err
