"""The benchmarks run: nothing here is timed, so a slow machine passes as well as a fast one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from commands import made

HERE = Path(__file__).parent


def test_the_spine_is_measured_against_its_goals(tmp_path: Path) -> None:
    """All contestants do the same work (the script checks that they agree), and every ratio comes with its goal."""
    found = tmp_path / "found.json"
    ran = subprocess.run(
        [sys.executable, HERE / "spine.py", "--quick", "--repeat", "1", "--json", found],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    numbers = json.loads(found.read_text())
    assert set(numbers) == {"graph", "ratios", "seconds"}
    assert set(numbers["ratios"]) == {
        "edits_in_dumps", "file_in_dumps", "edits_forward", "edits_both", "distances_forward", "distances_both",
        "ntriples", "tsv", "audit", "evenly",
    }  # fmt: skip
    for ratio in numbers["ratios"].values():
        assert set(ratio) == {"processor", "wall", "goal", "at_most", "met"}
        assert ratio["processor"] > 0
    assert numbers["seconds"]["processor"].keys() == numbers["seconds"]["wall"].keys()
    assert ran.stdout.startswith("Graph: ")
    assert ran.stdout.count("\n| ") == len(numbers["ratios"]) + len(numbers["seconds"]["wall"]) + 2


def test_recall_is_measured_beside_a_dump(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    few: list[str | Path] = ["--questions", "200", "--answers", "100", "--rounds", "1", "--json", found]
    clean = {name: value for name, value in os.environ.items() if name != "KGPROBE_SHARED"}
    ran = subprocess.run(
        [sys.executable, HERE / "recall.py", *few], capture_output=True, text=True, timeout=300, check=False, env=clean
    )
    assert ran.returncode == 0, ran.stderr
    numbers = json.loads(found.read_text())
    assert numbers["questions"] == 200
    assert 0 < numbers["choices"] <= 20 * 100
    assert numbers["questions, in dumps"] > 0


def test_passages_are_measured_against_a_dump_and_looked_at(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    ran = subprocess.run(
        [sys.executable, HERE / "passages.py", "--items", "400", "--repeat", "1", "--json", found],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    numbers = json.loads(found.read_text())
    assert numbers["ratio"]["processor"] > 0
    checked = numbers["checked"]
    assert checked["read"] == checked["items"] >= 400
    assert checked["swaps"] > 0
    assert checked["remembered"] == checked["changed outside"] == 0


def test_commands_are_measured_as_they_are_typed() -> None:
    few = ["--facts", "3000", "--n", "20"]
    ran = subprocess.run([sys.executable, HERE / "commands.py", *few], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in ran.stdout.splitlines()[2:]]
    assert [row[0].split()[0] for row in rows] == ["load", "bulk_load", "query", "fpq", "audit", "audit,"]
    assert all(float(seconds) > 0 and float(held.replace(",", "")) > 0 for _, seconds, _, held in rows)


def test_loaders_are_measured_at_two_sizes() -> None:
    few = ["--facts", "2000", "4000", "--things", "200"]
    ran = subprocess.run([sys.executable, HERE / "loading.py", *few], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in ran.stdout.splitlines()[4:]]
    assert len(rows) == 20
    assert all(float(held.replace(",", "")) > 0 for _, _, _, _, held, *_ in rows)


def test_commands_stand_beside_their_peers(tmp_path: Path) -> None:
    """Each peer is checked to find the same before it is timed; one that is not installed is left out, and that is told."""
    domain = made(3000, tmp_path)
    given: list[str | Path] = [tmp_path, "--domain", domain, "--n", "50", "--seconds", "0.1"]
    ran = subprocess.run([sys.executable, HERE / "peers.py", *given], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    rows = [line.split("|")[1].strip() for line in ran.stdout.splitlines()[2:]]
    assert [row for row in rows if " " not in row] == ["audit", "query"]
    assert sum(row.startswith("pyoxigraph, ASK by ASK (") for row in rows) == 1
    peers = ("igraph", "scipy", "duckdb", "inspect_ai")
    assert ran.stderr.count("left out: ") == sum(find_spec(package) is None for package in peers)
