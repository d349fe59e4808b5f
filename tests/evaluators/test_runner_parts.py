"""The small parts of a run: lines, keys, conditions."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.ask.requests import parse_only
from kg.errors import SourceError
from queries.records import Response, Source, blocks, io, lines
from queries.records.append import repair
from queries.records.keys import Keys

keys = st.tuples(st.text(max_size=3), st.integers(0, 3))


@settings(deadline=None)
@given(st.lists(keys), st.lists(keys))
def test_keys_find_what_a_dictionary_finds(entered: list[tuple[str, int]], wanted: list[tuple[str, int]]) -> None:
    found, plain = Keys(), dict[tuple[str, int], int]()
    for line, key in enumerate(entered):
        if key not in plain:
            assert found.add(key, line=line, mark=line + 7) is None
            plain[key] = line + 7
    assert len(found) == len(plain)
    assert [found.find(key) for key in wanted] == [plain.get(key) for key in wanted]


@settings(deadline=None)
@given(st.lists(keys, max_size=12))
def test_the_first_line_that_repeats_a_key(entered: list[tuple[str, int]]) -> None:
    found, first = Keys(), dict[tuple[str, int], int]()
    for line, key in enumerate(entered, 1):
        assert found.add(key, line=line) == first.get(key)
        first.setdefault(key, line)


def test_many_keys_are_found_as_few_are() -> None:
    found = Keys()
    for line in range(1, 20_001):
        assert found.add((f"item{line}", 0), line=line, mark=line % 7) is None
    assert len(found) == 20_000
    assert [found.find((f"item{line}", 0)) for line in (1, 4097, 20_000, 20_001)] == [1, 2, 1, None]
    assert [found.add((f"item{line}", 0), line=30_000) for line in (3, 19_999)] == [3, 19_999]


@pytest.mark.parametrize("zipped", [False, True])
def test_only_the_line_feed_ends_a_line(zipped: bool, tmp_path: Path) -> None:
    text = "\ufeff{\u2028}\r\n\n  {\x85}\n{\x0b}"
    path = tmp_path / "lines"
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    found = [(number, line.decode()) for number, line in lines(Source(path, "lines"))]
    assert found == [(1, "{\u2028}"), (3, "{\x85}"), (4, "{\x0b}")]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([b"{}", b" [] ", b"", b"\r", b"\xef\xbb\xbf", "{é\u2028}".encode()])),
    st.booleans(),
    st.integers(1, 9),
)
def test_blocks_hold_the_same_lines_as_the_file(
    tmp_path_factory: pytest.TempPathFactory, texts: list[bytes], ended: bool, size: int
) -> None:
    path = tmp_path_factory.mktemp("blocks") / "lines"
    path.write_bytes(b"\n".join(texts) + b"\n" * ended)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "_BLOCK", size)
        found = [numbered for block in blocks(str(path)) for numbered in block.lines()]
    stripped = [
        (number, text.strip()) for number, text in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
    ]
    assert found == [numbered for numbered in stripped if numbered[1]] == list(lines(Source(path, "lines")))


def test_a_cut_off_gzip_and_a_folder_are_told(tmp_path: Path) -> None:
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(b"one\n" * 1000)[:-5])
    with pytest.raises(SourceError, match=r"it\.gz: damaged gzip"):
        list(lines(Source(path, "it.gz")))
    with pytest.raises(SourceError, match="cannot be read"):
        list(lines(Source(tmp_path, "folder")))


@settings(deadline=None)
@given(st.integers(0, 400_000), st.integers(0, 3))
def test_a_long_last_line_is_mended_like_a_short_one(tmp_path_factory: pytest.TempPathFactory, length: int, count: int) -> None:
    path = tmp_path_factory.mktemp("long") / "r.jsonl"
    whole = b'{"a":1}\n' * count
    path.write_bytes(whole + b'{"schema":"kgprobe.response/1","text":"' + b"x" * length)
    assert repair(path, Response)
    assert path.read_bytes() == whole


def test_conditions_of_one_name_are_alternatives() -> None:
    assert parse_only(["a=1", "a=2", "b=x=y"]) == {"a": {"1", "2"}, "b": {"x=y"}}


NOTES = [
    "{'a': 1}\n{'b': 2}\n",
    "line one\n{ my notes",
    '{"schema":"kgprobe.item/1"',
    "notes",
    '{"schema":"kgprobe.response/1"',
]


@pytest.mark.parametrize("text", NOTES)
def test_only_an_unfinished_response_is_cut_off(text: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    cut = repair(file, Response)
    assert cut == text.startswith('{"schema":"kgprobe.response/')
    assert file.read_text() == ("" if cut else text)
