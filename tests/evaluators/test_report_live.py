"""Proofs run in the page: on the facts around an item, by Oxigraph as WebAssembly, without a network."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, browser
from evaluators.report.live import neighbourhood
from fpq_made import Command, write_lines
from kg import open_graph
from queries.records import Item, read

PACKAGE = Path(os.environ.get("KGPROBE_OXIGRAPH", "node_modules/oxigraph"))
needs_package = pytest.mark.skipif(not PACKAGE.is_dir(), reason="needs `npm install oxigraph`, or KGPROBE_OXIGRAPH")


@pytest.fixture
def items(command: Command, tmp_path: Path) -> Path:
    """Questions on films of the starter graph, true and false, each with its proofs."""
    path = tmp_path / "art.jsonl"
    assert command("fpq", "--domain", "art", "--n", 3, "--out", path).code == 0
    return path


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Browser]:
    with browser(tmp_path / "browser") as started:
        yield started


def test_every_proof_comes_out_on_the_facts_around_its_item(items: Path) -> None:
    graph = open_graph()
    for item in read(items, Item):
        near = neighbourhood(item, graph)
        assert near.runs == [True] * len(item.proof)
        assert all(line.endswith(" .") for line in near.facts.split("\n"))
        terms = {bound.term for proof in item.proof for bound in proof.bind if bound.name == "s"}
        assert all(term in near.facts for term in terms)


def test_a_proof_that_does_not_come_out_is_not_offered(items: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in items.read_text().splitlines()]
    for proof in lines[0]["proof"]:
        proof["expect"] = not proof["expect"]
    write_lines(tmp_path / "wrong.jsonl", lines)
    near = neighbourhood(read(tmp_path / "wrong.jsonl", Item)[0], open_graph())
    assert near == ("", [False] * len(lines[0]["proof"]))


@needs_package
def test_proofs_run_in_the_page_without_a_network(window: Browser, items: Path, command: Command, tmp_path: Path) -> None:
    out = tmp_path / "report"
    done = command("report", "--items", items, "--live", PACKAGE, "--out", out)
    assert done.code == 0, done.stderr
    places = [n for n, item in enumerate(read(items, Item)) if len(item.proof) > 3]
    window.open(out / "index.html", f"#item=0.{places[0]}")
    window.wait(lambda: window.texts("#item .proof"))
    window.script(
        "for (const b of document.querySelectorAll('#item .proof button')) if (b.textContent === 'Run here') b.click()"
    )
    told = window.wait(lambda: (found := window.texts("#item .proof [role=status]")) and all(found) and found)
    wanted = ["true" if proof.expect else "false" for proof in read(items, Item)[places[0]].proof]
    assert [text.partition(",")[0] for text in told] == wanted
    assert all(text.endswith("facts around this item") for text in told)
    assert window.complaints() == []
    assert not any(address.startswith("http") for address in window.requests())


@needs_package
def test_a_page_without_it_runs_no_compiled_code(items: Path, command: Command, tmp_path: Path) -> None:
    for more, allowed in ((["--live", PACKAGE], True), ([], False)):
        assert command("report", "--items", items, *more, "--out", tmp_path / "report").code == 0
        assert ("wasm-unsafe-eval" in (tmp_path / "report/index.html").read_text()) == allowed
        assert (tmp_path / "report/data/oxigraph.js").exists() == allowed


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--live", "{folder}"], "holds no Oxigraph for browsers (No such file or directory); run `npm install oxigraph`"),
        (["--store", "wd"], "--store: a graph is asked for proofs in the page alone; add --live FOLDER"),
        (["--live", "{module}"], "is another form of Oxigraph than this one knows"),
    ],
)
def test_what_proofs_in_the_page_need_is_told(
    more: list[str], told: str, items: Path, command: Command, tmp_path: Path
) -> None:
    module = tmp_path / "module"
    module.mkdir()
    (module / "web.js").write_text("export const nothing = 1;")
    (module / "web_bg.wasm").write_bytes(b"")
    args = [word.format(folder=tmp_path / "empty", module=module) for word in more]
    done = command("report", "--items", items, *args, "--out", tmp_path / "report")
    assert (done.code, told in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "report").exists()
