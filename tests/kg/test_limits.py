"""A stranger's query is ended when it takes too long or too much, and by Ctrl-C: one line is told, and nothing is left."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg_command import Kg

_ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . FILTER(?c != ?f && ?i != ?f) }"
_HUGE = "SELECT * { ?a ?b ?c . ?d ?e ?f }"
_KG = (sys.executable, "-m", "kg")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["query", _ENDLESS, "--timeout", "0.4"], "query: takes longer than 0.4 seconds; ask for less"),
        (["query", _HUGE, "--memory", "0.1", "--format", "csv"], "query: takes more than 0.1 GiB of memory; ask for less"),
    ],
    ids=["time", "memory"],
)
def test_a_query_beyond_its_limits_is_ended(args: list[str], told: str, tmp_path: Path) -> None:
    ended = subprocess.run([*_KG, *args, "--out", "rows"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert ended.stderr.startswith(f"error: {told}")
    assert list(tmp_path.iterdir()) == []


def test_a_query_hears_ctrl_c(tmp_path: Path) -> None:
    program = (
        "import sys; from kg import open_graph; from kg.limits import watching\n"
        "with watching(): graph = open_graph(); print('begun', flush=True); graph.select(sys.argv[1])"
    )
    command = [sys.executable, "-c", program, _ENDLESS]
    deaf = signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background is deaf to it
    try:
        running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, deaf)
    with running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        time.sleep(1)  # until the query has begun
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()
    assert (running.returncode, told) == (130, "error: interrupted\n")


def test_a_result_of_too_many_rows_is_refused(kg: Kg, tmp_path: Path) -> None:
    for form in ("table", "csv", "tsv", "json", "parquet"):
        args = ("SELECT * { ?s ?p ?o } LIMIT 11", "--rows", 10, "--format", form, "--out", tmp_path / "rows")
        said = kg("query", *args)
        assert (said.code, said.err) == (2, "error: query: has more than 10 rows; add a LIMIT, or allow more with --rows\n")
    said = kg("query", "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 11", "--rows", 10)
    assert "has more than 10 rows" in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_proof_that_takes_too_long_ends_the_audit_by_its_name(tmp_path: Path) -> None:
    query = 'ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . FILTER(CONCAT(STR(?c), STR(?f), STR(?i)) = "nothing of the kind") }'
    proof = {"query": query, "expect": True}
    (tmp_path / "items.jsonl").write_text(json.dumps({"id": "one", "proof": [proof]}) + "\n")
    command = [*_KG, "audit", "items.jsonl", "--timeout", "0.4"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: items.jsonl: one: its own query: takes longer than 0.4 seconds")
