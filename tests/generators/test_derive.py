"""From a folder that pyoxigraph alone has filled to audited items: declared by `kg load views`, or by --derive for the run."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import open_graph
from kgprobe_command import Run, running
from queries.records import Item, read
from sparql_endpoint import oxigraph, serving

QUERY = Path(__file__).resolve().parents[1] / "fixtures" / "kg" / "views" / "as_dbpedia.rq"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run `kgprobe` in this process; return its exit code and what it says on stderr."""
    return running(capfd)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A store with facts in DBpedia's words, and nothing declared."""
    store = ox.Store(str(tmp_path / "plain"))
    store.bulk_load(open_graph().construct(QUERY.read_text()), ox.RdfFormat.N_TRIPLES)
    store.flush()
    return tmp_path / "plain"


def test_the_same_items_both_ways_and_their_proofs_hold(plain: Path, run: Run, tmp_path: Path) -> None:
    derived, stored = tmp_path / "derived.jsonl", tmp_path / "stored.jsonl"
    code, err = run("fpq", "--domain", "art", "--n", 30, "--store", plain, "--derive", "--out", derived)
    assert code == 0, err
    assert run("load", "views", "--store", plain)[0] == 0
    assert run("fpq", "--domain", "art", "--n", 30, "--store", plain, "--out", stored)[0] == 0
    assert derived.read_bytes() == stored.read_bytes()
    items = read(str(stored), Item)
    assert {"tpq", "NNSC", "NNDC", "NNSR"} <= {item.variant for item in items}
    code, err = run("audit", stored, "--store", plain)
    assert code == 0, err


def test_a_graph_that_lacks_declarations_gets_one_line(plain: Path, run: Run) -> None:
    for generator in (("fpq", "--domain", "art"), ("factbench",)):
        code, err = run(*generator, "--store", plain)
        assert (code, err.count("\n")) == (2, 1), err
        assert "no triple `?p rdf:type kgp:Relation` is there; add what it lacks: `kg load views`" in err


def test_unseen_questions_beside_seen_ones_need_declarations(plain: Path, run: Run) -> None:
    code, err = run("unseenqa", "--seen", 5, "--store", plain)
    assert (code, err.count("\n")) == (2, 1)
    assert "kg load views" in err


def test_stats_and_a_failing_audit_say_what_is_missing(plain: Path, run: Run, tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    assert run("fpq", "--domain", "art", "--n", 3, "--store", plain, "--derive", "--out", items)[0] == 0
    for code, command in ((0, ("stats",)), (1, ("audit", items))):
        ended, err = run(*command, "--store", plain)
        assert (ended, err.count("\n")) == (code, 1)
        assert err.startswith("note: ")
        assert "no triple `?p rdf:type kgp:Relation` is there; add what it lacks: `kg load views`" in err
        assert "--derive" not in err, "they have no such option"


def test_an_endpoint_is_not_copied(run: Run) -> None:
    with serving(oxigraph(open_graph())) as url:  # type: ignore[arg-type]
        code, err = run("fpq", "--domain", "art", "--endpoint", url, "--derive")
    assert (code, err.count("\n")) == (2, 1)
    assert "kg load views --endpoint URL --out views.nq" in err
