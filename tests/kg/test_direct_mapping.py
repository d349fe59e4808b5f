"""`--mapping direct` writes exactly the graph that the W3C Direct Mapping defines."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import rdflib
from rdflib.compare import graph_diff, isomorphic

from kg import LocalGraph
from kg.sorted_runs import Scratch
from kg.sources.sql import load_sql
from kg_command import Kg
from shared import shared
from sql_database import database

BASE = "http://example.com/base/"
_PEAK = """
import sys
from pathlib import Path
from kg.sorted_runs import Scratch
from kg.sources.sql import load_sql

def memory(what):
    return int(Path("/proc/self/status").read_text().split(what + ":")[1].split()[0])

Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here: imports may have taken more
before = memory("VmRSS")
with Scratch(Path(sys.argv[2])) as scratch:
    load_sql(sys.argv[1], mapping="direct", scratch=scratch)
print(memory("VmHWM") - before)
"""


def direct(url: str) -> rdflib.Graph:
    load = load_sql(url, "direct", base=BASE, mapping="direct")
    return rdflib.Graph().parse(data=LocalGraph.in_memory(load).dump(load.graph).decode(), format="nt")


def assert_same(made: rdflib.Graph, expected: rdflib.Graph) -> None:
    if not isomorphic(made, expected):
        _, extra, missing = graph_diff(made, expected)
        pytest.fail(f"extra:\n{extra.serialize(format='nt')}\nmissing:\n{missing.serialize(format='nt')}")


CASES = [f"D0{number:02}" for number in range(26)]


@pytest.mark.parametrize("case", CASES)
def test_a_case_of_the_w3c(case: str, tmp_path: Path) -> None:
    folder = shared(f"data/rdb2rdf/{case}")
    if not (folder / "directGraph.ttl").is_file():
        pytest.skip("this case has no expected graph")
    made = direct(database(tmp_path / "case.sqlite", (folder / "create.sql").read_text()))
    assert_same(made, rdflib.Graph().parse(folder / "directGraph.ttl"))


def test_cycles_and_composite_keys_and_odd_names(sources: Path, tmp_path: Path) -> None:
    url = database(tmp_path / "town.sqlite", (sources / "sql" / "direct.sql").read_text())
    assert_same(direct(url), rdflib.Graph().parse(sources / "sql" / "direct.ttl"))


def test_the_graph_of_the_load_holds_nothing_else(sources: Path, tmp_path: Path, kg: Kg) -> None:
    url = database(tmp_path / "town.sqlite", (sources / "sql" / "direct.sql").read_text())
    store = tmp_path / "store"
    assert kg("load", "sql", url, "--mapping", "direct", "--base", BASE, "--store", store).code == 0
    dumped = rdflib.Graph().parse(data=kg("dump", "--name", "town", "--store", store).out, format="nt")
    assert_same(dumped, rdflib.Graph().parse(sources / "sql" / "direct.ttl"))


def test_a_blob_is_hexadecimal_and_a_boolean_is_one(tmp_path: Path) -> None:
    sql = "CREATE TABLE t (id INT PRIMARY KEY, b BLOB, ok BOOLEAN, price DECIMAL(5,2), day DATE); "
    made = direct(database(tmp_path / "t.sqlite", sql + "INSERT INTO t VALUES (1, x'00ff', 1, 9.90, '1799-11-09')"))
    turtle = f"""@base <{BASE}> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        <t/id=1> a <t> ; <t#id> 1 ; <t#b> "00FF"^^xsd:hexBinary ; <t#ok> true ; <t#price> 9.9 ;
            <t#day> "1799-11-09"^^xsd:date ."""
    assert_same(made, rdflib.Graph().parse(data=turtle))


def test_rows_that_come_in_many_parts_make_the_graph_that_they_make_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blank nodes are numbered, and references found, over the borders of batches and of files beside the store."""
    films = "".join(f"INSERT INTO film VALUES ({n % 7 or 'NULL'}, '{n % 5}');" for n in range(60))
    url = database(
        tmp_path / "town.sqlite",
        "CREATE TABLE film (by INT REFERENCES person, note TEXT); CREATE TABLE person (id INT PRIMARY KEY, name TEXT);"
        + films
        + "".join(f"INSERT INTO person VALUES ({n}, 'p{n}');" for n in range(1, 6)),
    )
    whole = load_sql(url, "direct", base=BASE, mapping="direct")
    monkeypatch.setattr("kg.sources.sql._BATCH", 8)
    monkeypatch.setattr("kg.sources._rows._BATCH", 10)
    with Scratch(tmp_path / "store") as scratch:
        parted = load_sql(url, "direct", base=BASE, mapping="direct", scratch=scratch)
        assert (parted.counts, parted.schema) == (whole.counts, whole.schema)
    assert sorted(parted.data.splitlines()) == sorted(whole.data.splitlines())
    assert b"#ref-by>" in whole.data
    assert b"film#by" in whole.data


@pytest.mark.slow
@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="the system does not tell peaks of memory")
def test_memory_does_not_grow_with_the_database(tmp_path: Path) -> None:
    """Four times the rows take no half more than the peak of the smaller load, less what the program itself takes."""
    peaks = []
    for rows in (100_000, 400_000):
        source = tmp_path / f"{rows}.sqlite"
        with contextlib.closing(sqlite3.connect(source)) as made, made:
            made.execute("CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT, note TEXT, sequel INT REFERENCES film)")
            cells = ((n, f"Film number {n}", f"a note on film {n} that is not short", n // 2) for n in range(rows))
            made.executemany("INSERT INTO film VALUES (?, ?, ?, ?)", cells)
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, f"sqlite:///{source}", tmp_path / "s"], capture_output=True, text=True, check=True
        )
        peaks.append(int(done.stdout))
    assert peaks[0] > 10_000  # kB: something was measured
    assert peaks[1] < 1.5 * peaks[0]
