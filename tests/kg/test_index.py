"""The index of a store: what the queries say, whoever wrote it, and made anew where it is not as it was written."""

from __future__ import annotations

import gc
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import Build, Load, LocalGraph, build_store
from kg.index import COLUMNS, FOLDER, Index, IndexBuild
from queries.templates import find
from queries.views import columns_of, view

LIKES, HAS, SIZE = "<http://e/likes>", "<http://e/has>", "<http://e/size>"
ODD = 'a "b"\\c\n\td – é'


def load(name: str, liked: list[str]) -> Load:
    """Make a load: Ann likes some, one has names that need escapes, another none; one relation has no label."""
    build = Build(name, source="by hand")
    build.relation(pl.Series([LIKES]), pl.Series(["likes"]))
    build.type(pl.Series([HAS]), "<https://w3id.org/kgprobe#Relation>")
    build.attribute(pl.Series([SIZE]), pl.Series(["size"]))
    ann, others = pl.Series(["<http://e/ann>"] * len(liked)), pl.Series([f"<http://e/{name}>" for name in liked])
    build.triples(ann, LIKES, others)
    build.triples(ann.head(1), HAS, '"no thing, but a word"')
    build.triples(others, SIZE, '"5"^^<http://www.w3.org/2001/XMLSchema#integer>')
    build.label(ann.head(1), pl.Series([ODD]))
    build.triples(ann.head(1), "<http://www.w3.org/2000/01/rdf-schema#label>", '"Ann"@de')
    build.alias(others, "the " + others.str.strip_chars("<>"))
    build.type(others, "<http://e/Thing>")
    build.subclass(pl.Series(["<http://e/Thing>"]), pl.Series(["<http://e/Being>"]))
    build.degree(ann, others)
    return build.finish()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two loads that share facts, once for all tests: none writes to it."""
    folder = tmp_path_factory.mktemp("made") / "store"
    build_store(folder, load("first", ["bob", "a%20b"]))
    build_store(folder, load("second", ["bob", "cleo"]))
    return folder


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(made, tmp_path / "store"))


def ordered(frame: pl.DataFrame) -> list[tuple[str | None, ...]]:
    return sorted(set(frame.iter_rows()), key=repr)


def states_what_queries_say(store: Path) -> bool:
    graph = LocalGraph.open(store)
    index = graph.index()
    assert index is not None
    for name in (*COLUMNS, "edges"):
        assert ordered(index.texts(name)) == ordered(graph.select(find(name).bind())), name
        assert index.frame(name).is_unique().all()
    return True


def test_a_load_writes_what_the_queries_say(store: Path) -> None:
    assert (store / FOLDER).is_dir()
    before = (store / FOLDER / "index.json").read_bytes()
    assert states_what_queries_say(store)
    assert (store / FOLDER / "index.json").read_bytes() == before
    assert ODD in view(LocalGraph.open(store), "labels")["label"].to_list()


def test_an_older_store_is_given_an_index_when_it_is_read(store: Path) -> None:
    (was := store / FOLDER).rename(store.parent / "away")
    assert states_what_queries_say(store)
    for path in (store.parent / "away").glob("*.arrow"):
        assert pl.read_ipc(path).equals(pl.read_ipc(was / path.name))
    assert not [path for path in store.iterdir() if path.name.startswith(".")]


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(0, 9)), max_size=60),
    st.integers(1, 9),
    st.integers(1, 7),
)
def test_facts_wait_in_a_file_and_are_put_in_order_a_range_of_subjects_at_a_time(
    facts: list[tuple[int, int, int]], held: int, in_block: int
) -> None:
    relations = [f"http://e/p{n}" for n in range(3)]
    lines = [f"<http://e/{s}> <http://e/p{p}> <http://e/{o}> .\n".encode() for s, p, o in facts]
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr("kg.index._HELD", held)
        with IndexBuild(relations, Path(folder)) as build:
            for first in range(0, len(lines), in_block):
                build.add(b"".join(lines[first : first + in_block]))
            assert build.write(Path(folder), "sha256:0")
            index = Index.read(Path(folder), "sha256:0")
            assert index is not None
            assert index.frame("facts").equals(build.finish().frame("facts"))
        assert [path.name for path in Path(folder).iterdir()] == [FOLDER]
        pieces = [pl.read_ipc(path) for path in sorted(Path(folder, FOLDER).glob("facts-*"))]
    rows = index.texts("facts").rows()
    assert rows == sorted({(f"http://e/{s}", f"http://e/p{p}", f"http://e/{o}") for s, p, o in facts})
    most = max(Counter(s for s, _, _ in facts).values(), default=0)
    assert all(piece.height <= held + most for piece in pieces)


def truncated(folder: Path) -> None:
    path = folder / "facts-1.arrow"
    path.write_bytes(path.read_bytes()[:-9])


def changed(folder: Path) -> None:
    path = folder / "iris-1.arrow"
    path.write_bytes(path.read_bytes().replace(b"http://e/bob", b"http://e/rob"))


def stale(folder: Path) -> None:
    path = folder / "index.json"
    path.write_text(path.read_text("utf-8").replace("sha256:", "sha256:0", 1), "utf-8")


@pytest.mark.parametrize(
    "damage",
    [
        truncated,
        changed,
        stale,
        lambda folder: (folder / "labels-1.arrow").unlink(),
        lambda folder: (folder / "index.json").write_text("[]"),
        lambda folder: (folder / "index.json").write_bytes(b"\xff{"),
    ],
)
def test_what_is_stale_or_damaged_is_noticed_and_made_anew(store: Path, damage: Callable[[Path], object]) -> None:
    # Read, not mapped: what is mapped changes with the file.
    before = {path.name: pl.read_ipc(BytesIO(path.read_bytes())) for path in (store / FOLDER).glob("*.arrow")}
    damage(store / FOLDER)
    assert states_what_queries_say(store)
    assert all(pl.read_ipc(store / FOLDER / name).equals(frame) for name, frame in before.items())


def test_where_nothing_can_be_written_the_graph_is_asked(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (store / FOLDER).rename(store.parent / "away")

    def refuse(**_: object) -> str:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    graph = LocalGraph.open(store)
    assert graph.index() is None
    assert ordered(view(graph, "facts")) == ordered(graph.select(find("facts").bind()))
    assert not (store / FOLDER).exists()


def test_graphs_with_and_without_an_index_have_the_same_columns(store: Path) -> None:
    indexed, pulled = columns_of(LocalGraph.open(store)), columns_of(LocalGraph.in_memory(load("first", ["bob", "a%20b"])))
    for columns, liked in ((indexed, 3), (pulled, 2)):
        facts = columns.frame("facts")
        by_likes = facts.filter(facts["p"].is_in(columns.numbers(pl.Series(["http://e/likes"])).implode()))
        assert set(columns.iris.gather(by_likes["s"])) == {"http://e/ann"}
        assert by_likes.height == liked


def test_an_index_is_held_as_long_as_somebody_works_with_it(store: Path) -> None:
    """It is as large as the graph: whoever has numbered its columns need not hold it twice."""
    graph = LocalGraph.open(store)
    index = graph.index()
    assert index is not None
    assert graph.index() is index
    facts, gone = index.frame("facts"), weakref.ref(index)
    del index
    gc.collect()
    assert gone() is None
    again = graph.index()
    assert again is not None
    assert again.frame("facts").equals(facts)
