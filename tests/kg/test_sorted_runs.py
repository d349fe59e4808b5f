"""A load of any size: what does not fit into memory waits in sorted files, and nobody can tell the difference."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kg.build
import kg.local
import kg.sources._rows
from kg import Load, LocalGraph, StoreError, build_store
from kg.sorted_runs import Scratch, SortedRuns, digest_of, digest_of_sorted, merged, ntriples_of
from kg.sources._rows import Rows
from kg.sources.kopl import load_kopl
from kg.sources.sql import load_sql
from kg.sources.tables import load_tables
from kg.sources.wikidata import WikidataFiles, load_wikidata
from kg_command import Kg
from sql_database import database

BASE = "https://example.org/s/"
LINES = st.lists(st.text(st.sampled_from("ab é\U0001f600"), min_size=1))
KINDS = ("triples", "entities", "types", "properties", "qualifiers", "incomplete")
Read = Callable[[Path, Path, Scratch | None], Load]


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing fits: three triples, two rows and some bytes are held at a time."""
    monkeypatch.setattr(kg.build, "_HELD", 3)
    monkeypatch.setattr(kg.sources._rows, "_BATCH", 2)
    monkeypatch.setattr(kg.local, "_PIECE", 200)


def hostile(sources: Path, tmp: Path, scratch: Scratch | None) -> Load:
    path = tmp / "hostile.sqlite"
    path.unlink(missing_ok=True)
    return load_sql(database(path, (sources / "sql" / "hostile.sql").read_text()), base=BASE, scratch=scratch)


def films(sources: Path, tmp: Path, scratch: Scratch | None) -> Load:
    return load_tables(sources / "films" / "SCHEMA.toml", scratch=scratch)


def kopl_facts(sources: Path, tmp: Path, scratch: Scratch | None) -> Load:
    return load_kopl(sources / "kopl" / "kb.json", scratch=scratch)


def statements(sources: Path, tmp: Path, scratch: Scratch | None) -> Load:
    return load_wikidata(WikidataFiles(*(sources / "wikidata" / f"{kind}.tsv" for kind in KINDS)), scratch=scratch)


@settings(max_examples=40, deadline=None)
@given(st.lists(LINES, max_size=6))
def test_runs_are_merged_to_sorted_distinct_lines(parts: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Scratch(Path(folder) / "store") as scratch:
        runs = SortedRuns(scratch)
        for part in parts:
            runs.add(pl.Series(part, dtype=pl.String))
        found = [line for block in merged(runs.files) for line in block.to_list()]
    assert found == sorted({line for part in parts for line in part}, key=str.encode)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=6), st.integers(1, 4))
def test_the_digest_of_sorted_lines_is_that_of_the_lines(parts: list[list[str]], size: int) -> None:
    lines = sorted({line for part in parts for line in part}, key=str.encode)
    blocks = [ntriples_of(pl.Series(lines[first : first + size])) for first in range(0, len(lines), size)]
    assert digest_of_sorted(blocks) == digest_of("".join(f"{line}\n" for line in part).encode() for part in parts)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("read", [hostile, films, kopl_facts, statements])
def test_a_load_that_waits_in_files_is_the_same(read: Read, sources: Path, tmp_path: Path) -> None:
    whole = read(sources, tmp_path, None)
    with Scratch(tmp_path / "store") as scratch:
        load = read(sources, tmp_path, scratch)
        assert load.data == b""
        assert load.counts == whole.counts
        assert sorted(load.schema.splitlines()) == sorted(whole.schema.splitlines())
        build_store(tmp_path / "store", load)
    graph = LocalGraph.open(tmp_path / "store")
    assert graph.digest() == load.digest == digest_of([whole.data])
    assert sorted(graph.dump(load.graph).splitlines()) == sorted(whole.data.splitlines())


@pytest.mark.slow
@pytest.mark.usefixtures("little")
def test_two_loads_have_one_digest(sources: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for read in (films, hostile, films):
        with Scratch(store) as scratch:
            build_store(store, read(sources, tmp_path, scratch))
    graph = LocalGraph.open(store)
    assert len(graph.data_graphs) == 2
    assert graph.digest() == digest_of(graph.dump(name) for name in graph.data_graphs)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("at", [0, 200, 399])
def test_a_piece_at_fault_ends_the_load(at: int, tmp_path: Path) -> None:
    """Pieces are loaded two at a time: the fault of either is the load's, and nothing is left of it."""
    lines = [f"<{BASE}{n}> <{BASE}p> <{BASE}o> .\n" for n in range(400)]
    lines[at] = f"<{BASE}a> <{BASE}p> nothing .\n"
    (tmp_path / "load.nt").write_text("".join(lines))
    with pytest.raises(SyntaxError):
        build_store(tmp_path / "store", Load("bad", b"", b"", b"", {}, file=tmp_path / "load.nt", digest="0"))
    assert [path.name for path in tmp_path.iterdir()] == ["load.nt"]


@pytest.mark.usefixtures("little")
def test_a_row_without_a_key_stays_one_node(tmp_path: Path) -> None:
    """Each bulk load names blank nodes anew, so a graph that has some is loaded as one."""
    rows = ", ".join(f"('{n}', '{n % 3}')" for n in range(40))
    url = database(tmp_path / "loose.sqlite", f"CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES {rows}")
    with Scratch(tmp_path / "store") as scratch:
        build_store(tmp_path / "store", load_sql(url, base=BASE, mapping="direct", scratch=scratch))
    graph = LocalGraph.open(tmp_path / "store")
    found = graph.select(f"BASE <{BASE}> SELECT ?a ?b {{ ?r a <t> ; <t#a> ?a ; <t#b> ?b }}").sort(pl.col("a").cast(pl.Int64))
    assert found.rows() == [(str(n), str(n % 3)) for n in range(40)]


@pytest.mark.usefixtures("little")
def test_equal_rows_in_different_batches_stay_apart(tmp_path: Path) -> None:
    url = database(tmp_path / "same.sqlite", "CREATE TABLE t (a TEXT); INSERT INTO t VALUES " + ", ".join(["('x')"] * 7))
    with Scratch(tmp_path / "store") as scratch:
        assert load_sql(url, base=BASE, scratch=scratch).counts["rows"] == 7
    assert LocalGraph.in_memory(load_sql(url, base=BASE)).select(f"SELECT ?r {{ ?r a <{BASE}t> }}").height == 7


@pytest.mark.usefixtures("little")
def test_nothing_is_left_beside_a_store(kg: Kg, sources: Path, tmp_path: Path) -> None:
    url = database(tmp_path / "hostile.sqlite", (sources / "sql" / "hostile.sql").read_text())
    assert kg("load", "sql", url, "--store", tmp_path / "store").code == 0
    (tmp_path / "bad.toml").write_text('base = "https://example.org/"\n[tables.t]\nkey = "id"\n')
    (tmp_path / "t.csv").write_text("id\n" + "".join(f"{n}\n" for n in range(20)) + "3\n")
    assert kg("load", "tables", tmp_path / "bad.toml", "--store", tmp_path / "other").code == 2
    assert {path.name for path in tmp_path.iterdir()} == {"hostile.sqlite", "store", "bad.toml", "t.csv"}


def test_where_nothing_can_be_written_that_is_said(tmp_path: Path) -> None:
    with (
        Scratch(tmp_path / "nowhere" / "store") as scratch,
        pytest.raises(StoreError, match="its parent folder does not exist"),
    ):
        scratch.file(".run")


@pytest.mark.usefixtures("little")
def test_rows_come_back_in_order_and_changed(tmp_path: Path) -> None:
    with Scratch(tmp_path / "store") as scratch:
        rows = Rows(["a", "b"], scratch)
        for n in range(7):
            rows.add(pl.DataFrame({"a": [str(n)], "b": [None]}, schema={"a": pl.String, "b": pl.String}))
        rows.change(lambda batch: batch.with_columns(pl.all() + "!"))
        assert rows.height == 7
        assert rows.select(["a"])["a"].to_list() == [f"{n}!" for n in range(7)]
        assert [batch.columns for batch in rows.batches(["b", "a"])] == [["b", "a"]] * 4
