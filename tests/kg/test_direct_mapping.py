"""`--mapping direct` writes exactly the graph that the W3C Direct Mapping defines."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from rdflib.compare import graph_diff, isomorphic

from kg import LocalGraph
from kg.sources.sql import load_sql
from kg_command import Kg
from shared import shared
from sql_database import database

BASE = "http://example.com/base/"


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
