"""Families of more rows than a part holds: the same items, the same counts, the same verdicts of the audit."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from family_made import FAMILIES, family, films, random_table
from generators.family import Options, Result, generate
from generators.family.rows import RowParts
from kg import InputError, LocalGraph
from kg.files import Folder
from queries import Template, audit_items

NAMES = sorted(path.stem for path in FAMILIES.glob("*.rq") if not path.stem.startswith("random"))


CELL = st.sampled_from(["", "x", "X", "y", "1", "1.0", "-1"])
ROWS = st.lists(st.tuples(st.sampled_from(["p", "P", "q", "r", "s", ""]), CELL, CELL, CELL), min_size=1, max_size=12)


def in_parts(graph: LocalGraph, template: Template, options: Options = Options()) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.terms._PIECE", 200)
        patch.setattr("generators.family.rows._PART_BYTES", 200)
        result = generate(graph, template, options)
        assert result.items is not None
    return result


def told(result: Result) -> tuple[object, ...]:
    """Everything that comes of a family."""
    said = result.rows, result.askable, result.facts, result.left_out, result.counts
    return result.items.write_ndjson(), *said, [e.line() for e in result.exemplars], [p.line() for p in result.passages]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [Options(), Options(n=3, seed=5, none_share=0.3), Options(exemplars=True, passages=True)])
def test_items_of_several_parts_are_the_same(name: str, options: Options) -> None:
    graph, template = films(), family(name)
    assert told(in_parts(graph, template, options)) == told(generate(graph, template, options))


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(ROWS, st.integers(0, 3), st.sampled_from(["random_choice", "random_open"]))
def test_whatever_the_rows_are(rows: list[tuple[str, ...]], seed: int, name: str) -> None:
    columns = "abcd" if name == "random_choice" else "abc"
    graph = random_table([row[: len(columns)] for row in rows], columns)
    options = Options(seed=seed, none_share=0.2)
    assert told(in_parts(graph, family(name), options)) == told(generate(graph, family(name), options))


def test_there_are_several_parts_and_all_rows_of_a_key_are_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, template = films(), family("title")
    whole = RowParts(graph, template, 0)
    monkeypatch.setattr("kg.terms._PIECE", 200)
    monkeypatch.setattr("generators.family.rows._PART_BYTES", 200)
    parts = RowParts(graph, template, 0)
    found = [rows.frame for rows in parts]
    assert parts.several
    assert not whole.several
    assert parts.kinds == whole.kinds
    assert sum(frame.height > 0 for frame in found) > 2
    key = template.front.key
    keys = [set(frame.select(key).unique().iter_rows()) for frame in found]
    assert sum(map(len, keys)) == len(set().union(*keys))
    assert pl.concat(found).height == whole.whole().frame.height == parts.whole().frame.height


def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = in_parts(films(), family("director"))
    del result
    assert [*tmp_path.iterdir()] == []


class TestNoRoom:
    """Where temporary files find no room, one line says so; nothing goes on with less."""

    @pytest.fixture(autouse=True)
    def full(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = Folder.__init__

        def full_folder(folder: Folder) -> None:
            made(folder)
            for name in [*(f"{n}.tsv" for n in range(256)), *(f"{n}.arrow" for n in range(9))]:
                (folder.path / name).symlink_to("/dev/full")

        monkeypatch.setattr(Folder, "__init__", full_folder)

    @pytest.fixture
    def items(self) -> pl.DataFrame:
        return generate(films(), family("director")).items.select("id", "proof")

    def test_families_need_it(self) -> None:
        with pytest.raises(InputError, match=r"temporary files cannot be written \(No space left on device.*set TMPDIR"):
            in_parts(films(), family("director"))

    def test_the_audit_needs_it(self, items: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
        graph = films()
        monkeypatch.setattr("kg.terms._PIECE", 200)
        with pytest.raises(InputError, match="temporary files cannot be written"):
            audit_items(graph, items)


def test_the_audit_joins_a_long_table_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = films()
    made = generate(graph, family("director")).items.select("id", "proof")
    graph.update(
        "DELETE { GRAPH ?g { ?f <https://example.org/films/film#title> ?t } } WHERE "
        "{ GRAPH ?g { SELECT ?g ?f ?t { GRAPH ?g { ?f <https://example.org/films/film#title> ?t } } LIMIT 2 } }"
    )
    first = audit_items(graph, made, literal=0)
    monkeypatch.setattr("kg.terms._PIECE", 200)
    assert audit_items(graph, made, literal=0) == first
    assert first.proofs > len(first.failures) > 0
