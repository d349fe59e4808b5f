"""A bundle is audited, asked and reported where there is no store; a byte that was changed is told."""

from __future__ import annotations

import hashlib
import io
import json
import warnings
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from generators.cli import app, main
from kg import LocalGraph, SourceError, load_starter, open_graph
from kg.archive import read_archive, write_archive
from kg_command import Said
from queries.records import Item, read

BASE = "https://w3id.org/kgprobe/starter/"


def run(*words: str | Path) -> Said:
    result = CliRunner().invoke(app, list(map(str, words)))
    error = "" if result.exception is None or isinstance(result.exception, SystemExit) else str(result.exception)
    return Said(result.exit_code, result.stdout, error)


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("items") / "art.jsonl"
    assert run("fpq", "--domain", "art", "--n", "6", "--out", path, "--quiet").code == 0
    return path


@pytest.fixture(scope="module")
def bundle(items: Path) -> Path:
    path = items.with_name("art.kgprobe")
    assert run("bundle", items, "--out", path, "--quiet").code == 0
    return path


class TestWithoutAStore:
    def test_its_facts_are_a_part_of_the_graph_and_prove_every_item(self, bundle: Path, items: Path) -> None:
        part, whole = LocalGraph.open(bundle), open_graph()
        count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
        assert 0 < int(part.select(count).item()) < int(whole.select(count).item())
        audit = run("audit", bundle, "--literal", "100")
        assert audit.code == 0
        assert "triples of kgp:graph/starter, sha256:" in audit.out
        assert "all proofs hold" in audit.out
        assert f"{len(read(items, Item)):,} items" in audit.out

    def test_a_fact_taken_out_of_it_is_missed(self, bundle: Path, tmp_path: Path) -> None:
        wrong = tmp_path / "wrong.ttl"
        fact = next(proof for proof in read(bundle, Item)[0].proof if proof.expect)
        subject, relation, object = (next(b.term for b in fact.bind if b.name == name) for name in "spo")
        wrong.write_text(f"{subject} {relation} {object} .")
        assert run("audit", bundle, "--without", wrong).code == 1

    def test_its_items_are_read_as_those_of_a_file(self, bundle: Path, items: Path) -> None:
        assert read(bundle, Item) == read(items, Item)
        assert run("records", "check", bundle).code == 0

    def test_it_is_asked_judged_and_reported(self, bundle: Path, tmp_path: Path) -> None:
        recorded = tmp_path / "recorded.jsonl"
        recorded.write_text("".join(json.dumps({"item": item.id, "text": "Yes."}) + "\n" for item in read(bundle, Item)))
        answers, verdicts, report = (tmp_path / name for name in ("answers.jsonl", "verdicts.jsonl", "report"))
        assert run("ask", bundle, "--model", f"replay:{recorded}", "--out", answers, "--quiet").code == 0
        assert run("verify", "--items", bundle, "--responses", answers, "--out", verdicts, "--quiet").code == 0
        judged = ("--items", bundle, "--responses", answers, "--verdicts", verdicts)
        assert run("report", *judged, "--out", report).code == 0
        assert (report / "index.html").is_file()
        item = read(bundle, Item)[0]
        assert item.question in run("why", item.id, "--items", bundle, "--store", bundle).out

    def test_the_report_opens_before_any_model_is_asked(self, bundle: Path, tmp_path: Path) -> None:
        assert run("report", "--items", bundle, "--out", tmp_path / "report").code == 0
        assert read(bundle, Item)[0].id in "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.js"))


class TestWhatItHolds:
    def test_same_items_and_graph_give_the_same_bytes(self, bundle: Path, items: Path, tmp_path: Path) -> None:
        again = tmp_path / bundle.name
        run("bundle", items, "--out", again)
        assert again.read_bytes() == bundle.read_bytes()

    def test_licence_card_templates_and_digests_are_in_it(self, bundle: Path) -> None:
        archive = read_archive(bundle.read_bytes(), "b")
        assert "licence: CC0-1.0" in archive.members["LICENCE.txt"].decode()
        assert archive.manifest["graph"]["digest"] == open_graph().digest()
        cited = {proof.query for item in read(bundle, Item) for proof in item.proof}
        assert set(archive.manifest["templates"]) == cited
        assert f"| fpq | premise | tpq | {_premises(bundle)} |" in archive.members["README.md"].decode()

    def test_what_rests_on_the_whole_graph_brings_it_along_and_says_so(self, tmp_path: Path, bundle: Path) -> None:
        item = json.loads(read_archive(bundle.read_bytes(), "b").items.split(b"\n")[0])
        item["proof"] = [{"query": "ASK { ?s !<urn:p> ?o }", "bind": [], "expect": True, "rows": None}]
        (tmp_path / "one.jsonl").write_text(json.dumps(item) + "\n")
        bundled = run("bundle", tmp_path / "one.jsonl", "--out", tmp_path / "one.kgprobe")
        assert f"all {load_starter().counts['triples']:,} triples (the query asks for all predicates but some)" in bundled.out
        assert LocalGraph.open(tmp_path / "one.kgprobe").digest() == open_graph().digest()

    def test_a_proof_of_an_older_version_is_run_by_the_template_that_it_brings(self, bundle: Path, tmp_path: Path) -> None:
        old = b"#+ name: fact\n#+ summary: As it was once\n#+ parameters:\n#+   s: {type: iri}\nASK { ?s ?p ?o }\n"
        archive = read_archive(bundle.read_bytes(), "b")
        reference = "fact@" + hashlib.sha256(old).hexdigest()[:8]
        item = json.loads(archive.items.split(b"\n")[0])
        bound = [{"name": "s", "term": f"<{BASE}country/id=austria>"}]
        item["proof"] = [{"query": reference, "bind": bound, "expect": True, "rows": None}]
        members = {"items.jsonl": json.dumps(item).encode(), "graph.nq": archive.graph, "templates/old.rq": old}
        path = tmp_path / "old.kgprobe"
        path.write_bytes(write_archive({"templates": {reference: "templates/old.rq"}}, members))
        austria = b"country/id=austria>" in archive.graph
        assert run("audit", path).code == (0 if austria else 1)


def _premises(bundle: Path) -> int:
    return sum(item.task == "premise" and item.variant == "tpq" for item in read(bundle, Item))


class TestFaults:
    def test_one_byte_changed_anywhere_is_told(self, bundle: Path) -> None:
        data = bundle.read_bytes()
        for at in range(0, len(data), len(data) // 150):
            changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            with pytest.raises(SourceError):
                read_archive(changed, "b.kgprobe")

    def test_it_is_told_on_the_command_line_in_one_line(
        self, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data = bytearray(bundle.read_bytes())
        data[-1] ^= 1
        (tmp_path / "b.kgprobe").write_bytes(data)
        monkeypatch.setattr("sys.argv", ["kgprobe", "audit", str(tmp_path / "b.kgprobe")])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        [line] = capsys.readouterr().err.splitlines()
        assert line.endswith("b.kgprobe: is not as it was sealed: something in it was changed; fetch the file again")

    @pytest.mark.parametrize(
        ("members", "problem"),
        [
            ({"items.jsonl": b""}, "lacks graph.nq"),
            ({"graph.nq": b""}, "lacks items.jsonl"),
            ({"items.jsonl": b"", "graph.nq": b"", "../x": b""}, "holds a member by the name '../x'"),
            ({"items.jsonl": b"", "graph.nq": b"", "/etc/x": b""}, "holds a member by the name '/etc/x'"),
            ({"items.jsonl": b"", "graph.nq": b"", "a\\b": b""}, "holds a member by the name"),
            ({"items.jsonl": bytes(65 * 2**20), "graph.nq": b""}, "holds a member that unpacks to 68,157,440 bytes"),
        ],
    )
    def test_what_is_missing_strange_or_a_bomb_is_told(self, members: dict[str, bytes], problem: str) -> None:
        with pytest.raises(SourceError, match=problem.replace("\\", "")) as caught:
            read_archive(write_archive({}, members), "b.kgprobe")
        assert str(caught.value).startswith("b.kgprobe: ")

    def test_a_member_that_the_manifest_does_not_know_or_knows_otherwise_is_told(self) -> None:
        for name, problem in (("more.txt", "b, more.txt: is not what"), ("graph.nq", "twice")):
            with pytest.raises(SourceError, match=problem):
                read_archive(_with_more(write_archive({}, {"items.jsonl": b"", "graph.nq": b""}), name), "b")

    def test_another_zip_is_no_bundle(self) -> None:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("a.txt", "text")
        with pytest.raises(SourceError, match=r"is no bundle: it has no manifest\.json"):
            read_archive(out.getvalue(), "b.kgprobe")

    def test_a_template_cannot_pass_for_another(self) -> None:
        members = {"items.jsonl": b"", "graph.nq": b"", "templates/fact.rq": b"ASK {}"}
        with pytest.raises(SourceError, match="is not fact@00000000"):
            read_archive(write_archive({"templates": {"fact@00000000": "templates/fact.rq"}}, members), "b")

    def test_facts_that_are_none_are_told(self, tmp_path: Path) -> None:
        path = tmp_path / "b.kgprobe"
        path.write_bytes(write_archive({}, {"items.jsonl": b"", "graph.nq": b"no facts"}))
        with pytest.raises(SourceError, match="holds no facts"):
            LocalGraph.open(path)

    def test_items_of_another_graph_are_not_bundled(self, bundle: Path, tmp_path: Path) -> None:
        item = json.loads(read_archive(bundle.read_bytes(), "b").items.split(b"\n")[0])
        item["proof"][0]["expect"] = not item["proof"][0]["expect"]
        (tmp_path / "wrong.jsonl").write_text(json.dumps(item) + "\n")
        ended = run("bundle", tmp_path / "wrong.jsonl", "--out", tmp_path / "wrong.kgprobe")
        assert "1 items have proofs that do not hold; name their store, or leave them out" in ended.err
        assert not (tmp_path / "wrong.kgprobe").exists()

    def test_the_name_of_a_bundle_ends_as_one(self, items: Path, tmp_path: Path) -> None:
        assert "is no name of a bundle; end it in .kgprobe" in run("bundle", items, "--out", tmp_path / "a.zip").err


def _with_more(data: bytes, name: str) -> bytes:
    """Put another member into a bundle, and seal it again."""
    out = io.BytesIO(data)
    with warnings.catch_warnings(), zipfile.ZipFile(out, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(name, "more")
    whole = out.getvalue()[:-64]
    return whole + hashlib.sha256(whole).hexdigest().encode()
