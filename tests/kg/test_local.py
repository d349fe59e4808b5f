"""A store on this machine: whole or not at all, readable by many, damaged by none."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import Build, Graph, Load, LocalGraph, QueryError, StoreError, build_store, open_graph
from kg.build import literal_terms
from kg.sorted_runs import digest_of
from kg.sources.kopl import load_kopl
from kg.sources.tables import load_tables


@pytest.fixture
def store(sources: Path, tmp_path: Path) -> Path:
    """A folder that holds the small knowledge base."""
    build_store(tmp_path / "store", load_kopl(sources / "kopl" / "kb.json"))
    return tmp_path / "store"


@contextmanager
def another_process(program: str, *args: object) -> Iterator[subprocess.Popen[str]]:
    """Run Python in a second process, from the moment it prints `ready`."""
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, args)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_store_says_what_the_load_says(store: Path, kopl: LocalGraph) -> None:
    graph = LocalGraph.open(store)
    assert graph.digest() == kopl.digest()
    assert graph.name == "kgp:graph/kopl"
    assert isinstance(graph, Graph)


def test_many_readers_may_have_a_store_open(store: Path) -> None:
    first, second = open_graph(store), open_graph(store)
    assert first.ask("ASK { wd:Q937 ?p ?o }")
    assert second.ask("ASK { wd:Q937 ?p ?o }")


def test_an_opened_store_is_read_only(store: Path) -> None:
    with pytest.raises(StoreError, match="read-only"):
        LocalGraph.open(store).update("INSERT DATA { GRAPH kgp:g { wd:Q1 wdt:P1 wd:Q2 } }")


def test_two_loads_live_side_by_side_and_are_asked_as_one(store: Path, sources: Path) -> None:
    build_store(store, load_tables(sources / "films" / "SCHEMA.toml"))
    graph = LocalGraph.open(store)
    assert graph.data_graphs == ["https://w3id.org/kgprobe#graph/films", "https://w3id.org/kgprobe#graph/kopl"]
    assert graph.ask("ASK { wd:Q937 rdfs:label ?one . <https://example.org/films/film/id=1> rdfs:label ?other }")
    assert graph.base == "https://example.org/films/"


def test_a_load_takes_the_place_of_one_of_its_name(store: Path, sources: Path) -> None:
    build_store(store, load_tables(sources / "films" / "SCHEMA.toml", name="kopl"))
    graph = LocalGraph.open(store)
    assert not graph.ask("ASK { wd:Q937 ?p ?o }")
    assert graph.provenance("SELECT ?source { ?load dcterms:source ?source }")["source"].to_list() == ["three film tables"]
    build_store(store, load_kopl(sources / "kopl" / "kb.json"))
    again = LocalGraph.open(store)
    assert again.schema("SELECT * { ?s ?p ?o }").is_empty()
    assert again.base is None


def test_a_fact_in_two_loads_is_one_in_the_digest(sources: Path, kopl: LocalGraph) -> None:
    path = sources / "kopl" / "kb.json"
    assert LocalGraph.in_memory(load_kopl(path), load_kopl(path, "twin")).digest() == kopl.digest()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8")), min_size=1))
def test_what_is_loaded_is_spelled_as_the_store_spells_it(texts: list[str]) -> None:
    """So the digest noted at loading is that of what is read back."""
    build = Build("texts", source="t")
    iris = pl.Series([f"<http://e/{n}>" for n in range(len(texts))])
    build.label(iris, pl.Series(texts))
    build.triples(iris, "<http://e/says>", literal_terms(pl.Series(texts)))
    load = build.finish()
    assert LocalGraph.in_memory(load).digest() == digest_of([load.data])


def test_the_noted_digest_is_that_of_what_is_read_back(store: Path, sources: Path) -> None:
    build_store(store, load_tables(sources / "films" / "SCHEMA.toml"))
    graph = LocalGraph.open(store)
    assert graph.digest() == digest_of(graph.dump(name) for name in graph.data_graphs)


def test_one_changed_fact_changes_the_digest(kopl: LocalGraph, sources: Path) -> None:
    graph = LocalGraph.in_memory(load_kopl(sources / "kopl" / "kb.json"))
    graph.update("INSERT DATA { GRAPH <https://w3id.org/kgprobe#graph/kopl> { wd:Q937 wdt:P19 wd:Q937 } }")
    assert graph.digest() != kopl.digest()


@pytest.mark.parametrize(
    ("ask", "query"),
    [("select", "SELECT ?x {"), ("select", "ASK { ?s ?p ?o }"), ("ask", "SELECT * { ?s ?p ?o }"), ("construct", "ASK {}")],
)
def test_a_query_of_the_wrong_form_or_with_a_fault_is_refused(kopl: LocalGraph, ask: str, query: str) -> None:
    with pytest.raises(QueryError):
        getattr(kopl, ask)(query)


def test_a_folder_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("dear")
    with pytest.raises(StoreError, match="not a store"):
        build_store(tmp_path / "letters", small_load())
    assert (tmp_path / "letters" / "a.txt").read_text() == "dear"
    assert [p.name for p in tmp_path.iterdir()] == ["letters"]


def test_a_missing_parent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="parent folder"):
        build_store(tmp_path / "a" / "b", small_load())


def test_an_empty_folder_may_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    build_store(tmp_path / "new", small_load())
    assert LocalGraph.open(tmp_path / "new").name == "kgp:graph/small"


def test_a_store_that_another_process_writes_to_is_refused(store: Path) -> None:
    holder = """
        import sys, pyoxigraph
        store = pyoxigraph.Store(sys.argv[1])
        print("ready", flush=True)
        sys.stdin.read()
    """
    with another_process(holder, store):
        with pytest.raises(StoreError, match="another process holds this store"):
            build_store(store, small_load())
        with pytest.raises(StoreError, match="another process holds this store"):
            LocalGraph.open(store)
    assert LocalGraph.open(store).name == "kgp:graph/kopl"


def test_readers_may_open_a_store_at_the_same_moment(store: Path) -> None:
    opener = """
        import sys
        from pathlib import Path
        from kg.local import _lock
        with _lock(Path(sys.argv[1]), shared=True):
            print("ready", flush=True)
            sys.stdin.read()
    """
    with another_process(opener, store):
        assert LocalGraph.open(store).name == "kgp:graph/kopl"


def test_a_load_that_is_killed_half_way_leaves_the_old_store(store: Path, sources: Path, kopl: LocalGraph) -> None:
    killed = """
        import sys, time
        from pathlib import Path
        import kg.local
        from kg.sources.tables import load_tables
        fill = kg.local.fill
        def slowly(store, load):
            fill(store, load)
            print("ready", flush=True)
            time.sleep(600)
        kg.local.fill = slowly
        kg.local.build_store(Path(sys.argv[1]), load_tables(Path(sys.argv[2])))
    """
    with another_process(killed, store, sources / "films" / "SCHEMA.toml") as process:
        process.kill()
        process.wait()
    assert LocalGraph.open(store).digest() == kopl.digest()
    build_store(store, load_tables(sources / "films" / "SCHEMA.toml"))
    assert len(LocalGraph.open(store).data_graphs) == 2


def test_a_damaged_store_is_named(store: Path) -> None:
    for file in store.glob("*.sst"):
        file.write_bytes(b"")
    for file in store.glob("MANIFEST*"):
        file.write_bytes(b"")
    with pytest.raises(StoreError, match="load it again"):
        LocalGraph.open(store)


def test_a_store_is_one_that_oxigraph_itself_opens(store: Path) -> None:
    assert len(list(ox.Store.read_only(str(store)).named_graphs())) >= 2


def small_load() -> Load:
    build = Build("small", source="a test")
    build.label(pl.Series(["<http://www.wikidata.org/entity/Q1>"]), pl.Series(["universe"]))
    return build.finish()


def test_it_can_be_imported_where_there_is_no_posix() -> None:
    absent = "import sys; sys.modules.update(dict.fromkeys(['fcntl', 'resource', 'pwd', 'grp', 'termios']))"
    program = f"{absent}; import kg, kg.__main__, kg.load_commands, kg.sources.sql; print(kg.open_graph().base)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "https://w3id.org/kgprobe/starter/\n", done.stderr
