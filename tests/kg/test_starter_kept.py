"""The starter graph is read from its tables once; later processes of the same user take what the first one made."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg
import kg.starter
from kg.build import Load
from kg.sources import tables
from kg.starter import load_starter


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a user who never ran the program before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "kgprobe" / "starter.msgpack"


@pytest.fixture
def no_tables(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Make whoever reads the tables fail."""

    def read(_: Path) -> None:
        raise AssertionError("the tables are read")

    monkeypatch.setattr(tables, "load_tables", read)
    return monkeypatch


def _facts(load: Load) -> tuple[object, ...]:
    """All but the provenance, which says when the tables were read."""
    return load.name, load.data, load.schema, load.counts


def test_the_second_process_reads_no_table_and_has_the_same_graph(kept: Path, request: pytest.FixtureRequest) -> None:
    first = load_starter()
    assert kept.is_file()
    request.getfixturevalue("no_tables")
    assert load_starter() == first
    assert kg.open_graph().ask("ASK { ?film rdfs:label 'Pulp Fiction'@en }")


@pytest.mark.parametrize("damage", [b"", b"\x81", b"{}", b"\xc1" * 100], ids=["empty", "short", "json", "noise"])
def test_a_damaged_file_is_made_again(kept: Path, damage: bytes) -> None:
    first = load_starter()
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    assert _facts(load_starter()) == _facts(first)
    assert len(kept.read_bytes()) > 0.9 * len(whole)


def test_one_byte_that_was_changed_is_found(kept: Path) -> None:
    first = load_starter()
    whole = kept.read_bytes()
    for place in range(80, len(whole), len(whole) // 7):
        kept.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert _facts(load_starter()) == _facts(first)


def test_what_other_tables_or_other_code_made_is_not_taken(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_starter()
    monkeypatch.setattr(kg.starter, "sources_digest", lambda: "0" * 64)
    before = kept.read_bytes()
    load_starter()
    assert kept.read_bytes() != before


def test_whoever_can_keep_nothing_waits_and_has_the_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    assert load_starter().name == "starter"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]
