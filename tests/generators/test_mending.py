"""A fact changes: the README's story runs, and exactly the items that rest on it are made again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generators import fpq
from generators.family.__main__ import app as family
from generators.items import write_items
from generators.making import refresh
from kg import LocalGraph, cli, open_graph
from kg.patch import Patch, patched, read_triples
from queries.audit.audit import proof_fault
from queries.records import Item, read

README = Path(__file__).resolve().parents[2] / "generators" / "README.md"


@pytest.mark.slow
def test_the_story_of_the_readme(tmp_path: Path) -> None:
    story = re.search(r"## When a fact changes\n.*?```sh\n(.*?)```", README.read_text("utf-8"), re.S)
    assert story is not None
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", story[1]],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 facts gone, 3 added\n  - Austria – capital – Vienna\n" in done.stdout
    assert "3 items change, 0 vanish\n" in done.stdout
    assert "mended.jsonl: 309 items kept as they were, 0 changed, 3 appeared, 3 vanished" in done.stderr
    assert "Where country is Austria: capital is Graz, continent is Europe, currency is euro." in done.stdout
    assert done.stdout.endswith("all proofs hold\n")
    items, mended = ((tmp_path / name).read_text().splitlines() for name in ("items.jsonl", "mended.jsonl"))
    assert len(set(items) & set(mended)) == 309


def rests_on(item: Item, s: str, p: str, now: LocalGraph) -> bool:
    """By hand, one proof after the other: does one fail, or ask for that relation of that subject."""
    bound = [{binding.name: binding.term for binding in proof.bind} for proof in item.proof]
    asks = any(terms.get("s") == s and terms.get("p") == p for terms in bound)
    return asks or any(proof_fault(proof, now) is not None for proof in item.proof)


def test_one_fact_that_is_gone_takes_exactly_the_items_that_rest_on_it(tmp_path: Path) -> None:
    before, options = open_graph(), fpq.Options(n=8, sampling=fpq.Sampling.plain)
    write_items(items := str(tmp_path / "items.jsonl"), fpq.generate(before, "art", options).items)
    made = read(items, Item)
    true = [item for item in made if item.variant == "tpq"][5]
    s, p, o = (binding.term for binding in true.proof[0].bind)
    now = patched(before, Patch(wrong=read_triples(f"{s} {p} {o} .".encode())))
    write_items(fresh := str(tmp_path / "fresh.jsonl"), fpq.generate(now, "art", options).items)
    counts = refresh(items, fresh, out := str(tmp_path / "mended.jsonl"), before, now)
    gone = {item.id for item in made if rests_on(item, s, p, now)}
    lines, after = (Path(path).read_text().splitlines() for path in (items, out))
    kept = [line for line, item in zip(lines, made, strict=True) if item.id not in gone]
    assert after[: len(kept)] == kept
    assert (counts.kept, counts.vanished) == (len(kept), len(gone))
    assert true.id in gone
    assert all(proof_fault(proof, now) is None for item in read(out, Item) for proof in item.proof)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run `family` on the capitals of the starter graph: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    Path("capitals.rq").write_text(
        "#+ name: capitals\n#+ summary: The capital of a country\n#+ method: mine\n#+ domain: places\n#+ task: open\n"
        '#+ key: [country]\n#+ answer: capital\n#+ question: {basic: "What is the capital of {country:the}?"}\n'
        "SELECT ?country ?capital { ?country <country#ref-capital> ?capital }\n"
    )

    def run(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.run(family, "python -m generators.family", ["capitals.rq", *args])
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


def test_a_name_that_is_mended_changes_what_names_it(made: Any) -> None:
    assert made("--out", "items.jsonl")[0] == 0
    Path("wrong.ttl").write_text('<city/id=vienna> rdfs:label "Vienna"@en .')
    Path("fixes.ttl").write_text('<city/id=vienna> rdfs:label "Wien"@en .')
    code, _, said = made("--refresh", "items.jsonl", "--out", "m.jsonl", "--with", "fixes.ttl", "--without", "wrong.ttl")
    assert code == 0
    assert said == "m.jsonl: 115 items kept as they were, 0 changed, 1 appeared, 1 vanished\n"
    old, new = ({item.question: item for item in read(name, Item)} for name in ("items.jsonl", "m.jsonl"))
    assert [question for question in old if old[question].answer != new[question].answer] == ["What is the capital of Austria?"]
    assert (new["What is the capital of Austria?"].answer or [""])[0] == "Wien"


def test_a_run_explains_itself_in_sparql_that_runs(made: Any) -> None:
    _, said, _ = made("--n", "2", "--explain", "--out", "items.jsonl")
    queries = re.split(r"^# \d+ of \d+.*\n", said, flags=re.M)[1:]
    assert any("ref-capital" in query for query in queries)
    assert all(open_graph().terms(query).height for query in queries)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["--refresh", "items.jsonl"],
            "--refresh: nobody says which graph the items were made from; name it (--made-from DIR)",
        ),
        (["--made-from", "store"], "--made-from: is for --refresh; add --refresh ITEMS, or leave it out"),
        (["--refresh", "no.jsonl", "--with", "fixes.ttl"], "no.jsonl: no such file"),
    ],
)
def test_what_cannot_be_made_again_is_told_in_one_line(args: list[str], said: str, made: Any) -> None:
    made("--out", "items.jsonl")
    Path("fixes.ttl").write_text("<city/id=graz> a <city> .")
    code, out, err = made(*args)
    assert (code, out) == (2, "")
    assert said in err
    assert not Path("mine-capitals.jsonl").exists()
