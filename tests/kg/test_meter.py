"""A load shows on a terminal how far its files are read, and ends with one line of what it came to and how fast."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kg import files
from kg.build import Build
from kg.meter import Meter, metered
from kg.sources._rdf_files import RdfFiles
from kg.sources.entities import load_entities
from kg.sources.kopl import load_kopl
from kg.sources.sql import load_sql
from kg.sources.tables import load_tables
from kg.sources.wikidata import WikidataFiles, load_wikidata

ENDED = r"loaded {} into \S+: .*[\d,]+ triples; \d+\.\d s, [\d.]+ [kM]B, [\d.]+ (bytes|[kM]B)/s\n"
TRIPLES = "".join(f'<http://e/{n}> <http://www.w3.org/2000/01/rdf-schema#label> "thing {n}"@en .\n' for n in range(40_000))


@pytest.fixture
def things(tmp_path: Path) -> Path:
    path = tmp_path / "things.nt.gz"
    path.write_bytes(gzip.compress(TRIPLES.encode()))
    return path


def load_on(stderr: int, *options: str, things: Path) -> subprocess.CompletedProcess[bytes]:
    """Run `kg load rdf` as a user does, with a file or a terminal for stderr."""
    command = [sys.executable, "-m", "kg", "load", "rdf", str(things), "--store", str(things.parent / "s"), *options]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, check=True, env=environment)


def on_a_terminal(*options: str, things: Path) -> tuple[bytes, str]:
    """Return what the command writes to stdout, and what a terminal for stderr is sent."""
    ours, its = pytest.importorskip("pty").openpty()
    sent: list[bytes] = []

    def read() -> None:
        while True:
            try:
                block = os.read(ours, 65536)
            except OSError:  # nobody holds the other end any more
                return
            sent.append(block)

    reader = threading.Thread(target=read)
    reader.start()
    done = load_on(its, *options, things=things)
    os.close(its)
    reader.join(60)
    os.close(ours)
    return done.stdout, b"".join(sent).decode().replace("\r\n", "\n")


def test_a_terminal_is_shown_a_bar_and_then_one_line(things: Path) -> None:
    stdout, shown = on_a_terminal(things=things)
    assert stdout == b""
    size = f"{things.stat().st_size / 1000:.1f}"
    assert "reading" in shown
    assert re.search(rf"{size}/{size} kB", shown), "all bytes of the zipped file were read"
    assert "building the store" in shown
    last = shown.rpartition("\x1b")[2].partition("loaded")
    assert re.fullmatch(ENDED.format("rdf"), last[1] + last[2])
    assert shown.count("loaded rdf") == 1


def test_a_file_or_pipe_is_given_the_last_line_alone(things: Path, tmp_path: Path) -> None:
    with (tmp_path / "stderr").open("w+b") as stderr:
        assert load_on(stderr.fileno(), things=things).stdout == b""
    assert re.fullmatch(ENDED.format("rdf"), (tmp_path / "stderr").read_text())


def test_the_quiet_are_shown_nothing(things: Path) -> None:
    assert on_a_terminal("--quiet", things=things) == (b"", "")


# What is counted


Load = Callable[[Path], object]
FILES: dict[str, Load] = {
    "kopl/kb.json": load_kopl,
    "films/SCHEMA.toml": load_tables,
    "wikidata/triples.tsv": lambda path: load_wikidata(WikidataFiles(path, path.parent / "entities.tsv")),
}


@pytest.mark.parametrize("name", FILES)
def test_a_load_reads_all_bytes_of_its_files(name: str, sources: Path) -> None:
    shown: list[tuple[int, int | None]] = []
    meter = Meter(lambda meter: shown.append((meter.done, meter.total)))
    with metered(meter):
        FILES[name](sources / name)
    assert meter.done == meter.total == shown[-1][0]
    assert shown == sorted(shown)
    if name.startswith("films"):
        tables = [total for done, total in shown if done > (sources / name).stat().st_size]
        assert {*tables} == {meter.total}, "the files of a schema are known before they are read"


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_counted_where_nobody_listens(name: str, sources: Path) -> None:
    meter = Meter()
    FILES[name](sources / name)
    assert (meter.done, meter.total) == (0, None)


@pytest.mark.parametrize(
    ("ending", "zipped"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_a_zipped_file_counts_as_it_lies_on_the_disk(ending: str, zipped: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / f"things.nt{ending}"
    path.write_bytes(zipped(TRIPLES.encode()))
    meter = Meter()
    with metered(meter):
        rows = sum(batch.height for batch in RdfFiles([path], Build("rdf", path.name)).batches())
        assert sum(1 for _ in RdfFiles([path], Build("rdf", path.name)).batches()), "who reads it again"
    assert rows == 40_000
    assert meter.done == meter.total == path.stat().st_size


def test_entities_count_as_they_lie_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "dump.json.bz2"
    path.write_bytes(bz2.compress(b'{"id": "Q2", "labels": {"en": {"language": "en", "value": "Earth"}}}\n' * 1000))
    meter = Meter()
    with metered(meter):
        load_entities([path])
    assert meter.done == meter.total == path.stat().st_size


@pytest.mark.parametrize("mapping", ["core", "direct"])
def test_of_a_database_the_texts_of_its_values_count(mapping: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.sqlite") as shop:
        shop.execute("CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT)")
        shop.executemany("INSERT INTO product VALUES (?, ?)", [(n, f"product {n:03}") for n in range(100, 200)])
    meter = Meter()
    with metered(meter):
        load_sql(f"sqlite:///{tmp_path / 'shop.sqlite'}", mapping="core" if mapping == "core" else "direct")
    assert meter.total is None
    assert meter.done >= 100 * len("100product 100")


def test_a_pipe_counts_what_came_through_it(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(TRIPLES.encode(),))
    writer.start()
    meter = Meter()
    with metered(meter):
        assert b"".join(files.byte_blocks(path, 2**16)) == TRIPLES.encode()
    writer.join()
    assert (meter.done, meter.total) == (len(TRIPLES), None)
